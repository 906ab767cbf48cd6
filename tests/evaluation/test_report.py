"""The report: a page that is well formed, stands by itself, and says what the lexicon says."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from aptdb import IncompleteDataWarning, Lexicon, QuestionError
from aptdb.store.statements import statement
from support.commands import ask
from support.corpora import MORE, tree
from support.lexicons import lexicon_of

pytestmark = pytest.mark.thorough


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a lexicon, l.duckdb, and a data set, set.txt."""
    monkeypatch.chdir(tmp_path)
    lexicon_of(tmp_path / "l.duckdb", {"<said>": MORE})
    (tmp_path / "set.txt").write_text("dog cat 6\ndog floor 2\ncat floor 1\n", encoding="utf-8")
    return tmp_path


class Pieces(HTMLParser):
    """The texts of a page by the element that they stand in, and its elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert not any(name in {"src", "href"} and str(value).startswith("http") for name, value in attrs)
        if tag not in {"meta", "link", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())


def read_page(file: Path) -> Pieces:
    """A page that is well formed, and stands by itself."""
    pieces = Pieces()
    pieces.feed(file.read_text(encoding="utf-8"))
    assert pieces.open == []
    return pieces


def test_a_report(folder: Path) -> None:
    assert ask("eval", "ratings", "l.duckdb", "set.txt", "--shift", "1,2").exit_code == 0
    assert ask("eval", "ratings", "l.duckdb", "set.txt", "--method", "mean").exit_code == 0
    assert ask("weigh", "l.duckdb", "mine", "--shift", "3").exit_code == 0
    written = ask("info", "l.duckdb", "--report", "report.html")
    assert (written.exit_code, written.stdout) == (0, "")
    page = read_page(folder / "report.html")
    assert "$" not in "".join(page.texts["text"])  # of pictures, where matplotlib would write formulas
    assert page.texts["h1"] == ["The lexicon l.duckdb"]
    assert page.texts["h2"] == [
        "Settings and sizes", "Corpora", "Frequencies", "Orders and paths", "Example words", "Weightings",
        "Evaluations",
    ]  # fmt: skip
    assert page.texts["h3"][-1] == "set.txt"
    told = "In all of these, weighed by ppmi; a word that the lexicon lacks contributes nothing."
    assert told in page.texts["p"]
    assert any("of those that it meets once or more, without function words" in text for text in page.texts["p"])
    assert {"each rating is a point, shift 1", "the mean over participants, shift 1"} & {*page.texts["td"]}
    assert "shift 3" in page.texts["td"]  # of the weighting
    assert not any(":=" in text for texts in page.texts.values() for text in texts)
    cells = page.texts["td"]
    with Lexicon.open(folder / "l.duckdb") as lexicon:
        for row in lexicon.eval.evaluations():
            assert ("undefined" if row["rho"] is None else f"{row['rho']:.4f}") in cells
        assert f"{dict(lexicon.info().rows)['co-occurrences']}" in cells
    assert "<said>" in cells  # escaped, and read back as it is
    assert "<amod" in cells
    assert any(" – " in cell for cell in cells)


def test_a_report_before_any_evaluation(folder: Path) -> None:
    assert ask("info", "l.duckdb", "--report", "report.html").exit_code == 0
    assert any("None yet; make one with" in text for text in read_page(folder / "report.html").texts["p"])


def test_without_matplotlib_there_are_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask("eval", "ratings", "l.duckdb", "set.txt").exit_code == 0
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = ask("info", "l.duckdb", "--report", "r.html")
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert "aptdb: r.html has no pictures: they need matplotlib; install it with: pip install" in answer.stderr
    page = read_page(folder / "r.html")
    assert "svg" not in page.texts
    assert sum(text.startswith("No picture of this without matplotlib: ") for text in page.texts["p"]) == 4
    assert {"<amod", "0.7559"} & {*page.texts["td"]}
    with Lexicon.open(folder / "l.duckdb") as lexicon, pytest.warns(IncompleteDataWarning, match="no pictures"):
        lexicon.eval.report(folder / "again.html")


def test_pictures_fit_a_narrow_page_and_take_its_colours(folder: Path) -> None:
    assert ask("info", "l.duckdb", "--report", "r.html").exit_code == 0
    text = (folder / "r.html").read_text(encoding="utf-8")
    pictures = re.findall(r'<svg [^>]*width="([0-9.]+)pt"', text)
    assert len(pictures) == 3
    assert all(float(width) / 0.75 < 468 for width in pictures)  # CSS pixels
    drawn = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert not re.search(r"#[0-9a-f]{6}", drawn)
    assert "var(--ink)" in drawn


def test_the_empty_path_dwarfs_no_other(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert ask("info", "l.duckdb", "--report", "r.html").exit_code == 0
    page = read_page(folder / "r.html")
    assert "ε" in page.texts["td"]
    assert "ε" not in page.texts["text"]


def test_a_curve_has_every_low_count_and_some_high_ones(tmp_path: Path) -> None:
    """Counts that are one point stand at the least of them, and all co-occurrences that have it or more are there."""
    often = {"dog": 25, "cat": 24, "pig": 20, "cow": 19}
    words = [tree(f"{noun} {noun} NOUN 0 root") for noun, times in often.items() for _ in range(times)]
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"words": words})) as lexicon:
        assert lexicon.sql(statement("evaluation/report/counts")).rows == [(19, 4), (20, 3), (24, 2)]


def test_example_words(folder: Path) -> None:
    assert ask("info", "l.duckdb", "--report", "r.html", "--word", "dog/NOUN", "--word", "old/ADJ").exit_code == 0
    page = read_page(folder / "r.html")
    assert page.texts["h3"] == ["dog/NOUN, 2 tokens", "old/ADJ, 2 tokens"]
    assert "brown/ADJ, old/ADJ" in page.texts["td"]  # the collocates of dog along >amod
    with Lexicon.open(folder / "l.duckdb") as lexicon:
        assert {*lexicon.neighbours("dog/NOUN").column("lexeme")} <= {*page.texts["td"]}
        with pytest.raises(QuestionError, match="words is 'dog/NOUN'; expected a list of lexemes"):
            lexicon.eval.report("r.html", words="dog/NOUN")
    answer = ask("info", "l.duckdb", "--report", "other.html", "--word", "dgo/NOUN")
    assert (answer.exit_code, answer.stderr) == (1, "aptdb: no lexeme dgo/NOUN; did you mean dog/NOUN?\n")
    assert not (folder / "other.html").exists()
