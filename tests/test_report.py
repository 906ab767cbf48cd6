"""The report: a page that is well formed, stands by itself, and says what the lexicon says."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon, QuestionError
from support.commands import ask
from support.corpora import MORE
from support.lexicons import lexicon_of


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
    assert ask("evaluate", "l.duckdb", "set.txt", "--shift", "1,2").exit_code == 0
    assert ask("evaluate", "l.duckdb", "set.txt", "--method", "mean").exit_code == 0
    assert ask("weigh", "l.duckdb", "mine", "--shift", "3").exit_code == 0
    written = ask("report", "l.duckdb", "-o", "report.html")
    assert (written.exit_code, written.stdout) == (0, "")
    page = read_page(folder / "report.html")
    assert "$" not in "".join(page.texts["text"])  # of pictures, where matplotlib would write formulas
    assert page.texts["h1"] == ["The lexicon l.duckdb"]
    assert page.texts["h2"] == [
        "Settings and sizes", "Corpora", "Frequencies", "Orders and paths", "Weightings", "Evaluations",
    ]  # fmt: skip
    assert page.texts["h3"] == ["set.txt"]
    assert "In common: ppmi, missing := 'skip_unknown'." in page.texts["p"]
    assert {"each rating is a point, shift := 1", "each item is a point, shift := 1"} <= {*page.texts["td"]}
    cells = page.texts["td"]
    with Lexicon.open(folder / "l.duckdb") as lexicon:
        for row in lexicon.evaluations():
            assert ("undefined" if row["rho"] is None else f"{row['rho']:.4f}") in cells
        assert f"{lexicon.info().rows[-1][1]}" in cells
    assert "<said>" in cells  # escaped, and read back as it is
    assert "<amod" in cells
    assert any(" – " in cell for cell in cells)


def test_a_report_before_any_evaluation(folder: Path) -> None:
    assert ask("report", "l.duckdb", "-o", "report.html").exit_code == 0
    assert any("None yet; make one with" in text for text in read_page(folder / "report.html").texts["p"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", "l.duckdb", "-o", "report.pdf"], "report.pdf does not end with .html; a report is a page of HTML"),
        (["report", "l.duckdb", "-o", "none/report.html"], "no folder none; make it first"),
    ],
)
def test_what_is_refused(folder: Path, arguments: list[str], said: str) -> None:
    answer = ask(*arguments)
    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"aptdb: {said}")
    assert answer.stderr.count("\n") == 1


def test_without_matplotlib(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = ask("report", "l.duckdb", "-o", "r.html")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert "pip install 'aptdb[plot]'" in answer.stderr
    with Lexicon.open(folder / "l.duckdb") as lexicon, pytest.raises(QuestionError, match="pictures need matplotlib"):
        lexicon.report(folder / "r.html")
