"""What a notebook shows: answers, phrases, lexicons, errors and progress; and the tour, run in a notebook."""

import inspect
import json
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from aptdb import AptError, Lexeme, Lexicon, NoSuchLexemeError, NoSuchRowError, Phrase, QuestionError, Result
from aptdb.core import display
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import QUESTIONS
from aptdb.counting.staging import Progress
from support.corpora import MORE, TREES
from support.lexicons import lexicon_of

TOUR = Path(__file__).parents[2] / "aptdb" / "docs" / "tour.ipynb"
ODD = "<b>&\n\x1b[31m"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few noun phrases; one of its corpora has the name of a tag."""
    return lexicon_of(tmp_path_factory.mktemp("small") / "small.duckdb", {"<trees>": TREES, "more": MORE})


@pytest.fixture
def lexicon(file: Path) -> Iterator[Lexicon]:
    """The same, opened."""
    with Lexicon.open(file) as opened:
        yield opened


def test_what_stands_before_a_keyword_is_aligned_with_it() -> None:
    columns = ("sentence", "before", "keyword", "after")
    found = display.cut_rows(columns, ["BIGINT", "VARCHAR", "VARCHAR", "VARCHAR"], [(1, "the", "dog", "barks")])
    assert dict(zip(found.columns, found.right, strict=True)) == {name: name == "before" for name in columns}


class Cells(HTMLParser):
    """The texts of a piece of HTML by their element; all that is opened is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag in {"div", "table", "thead", "tbody", "tr", "th", "td", "pre", "b", "details", "summary", "progress"}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())


def answer(rows: int) -> Result:
    """An answer of so many rows."""
    return Result(("path", "n", "weight"), ("VARCHAR", "BIGINT", "DOUBLE"), [("", n, n / 3) for n in range(rows)])


# Answers
def test_a_result_shows_ten_rows_and_how_many_more() -> None:
    assert repr(answer(2)) == ("path  n  weight\n────  ─  ──────\nε     0  0.0000\nε     1  0.3333\n(2 rows)")
    assert repr(answer(1)).endswith("(1 row)")
    assert repr(answer(0)) == "path  n  weight\n────  ─  ──────\n(0 rows)"
    assert repr(answer(2012)).endswith("\nε     9  3.0000\n(2,002 more of 2,012 rows)")
    cells = Cells(answer(2012)._repr_html_())
    assert (len(cells.texts["td"]), cells.texts["div"]) == (30, ["2,002 more of 2,012 rows"])
    assert answer(1)._repr_html_().count("text-align:right") == 4


def test_nothing_in_an_answer_is_obeyed() -> None:
    odd = Result((ODD, "path"), ("VARCHAR", "VARCHAR"), [(ODD, None), ("x" * 500, "日本")])
    assert "\x1b" not in repr(odd)
    assert repr(odd).count("\n") == 4
    cells = Cells(odd._repr_html_())
    assert cells.texts["th"][0] == cells.texts["td"][0] == "<b>&\\n\\x1b[31m"
    assert "x" * 500 in cells.texts["td"]
    assert "…" in repr(odd)


def test_wide_letters_are_two_columns_wide() -> None:
    lines = repr(Result(("a", "b"), ("VARCHAR", "BIGINT"), [("日本", 1), ("ab", 2)])).splitlines()
    assert lines[2:4] == ["日本  1", "ab    2"]


def test_a_table_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Result(("a", "b"), ("VARCHAR", "VARCHAR"), [("x" * 100, "y" * 100)])
    assert max(map(len, repr(long).splitlines())) == 122
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True))
    for width in (40, 80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        assert max(map(len, repr(long).splitlines())) <= width


@pytest.mark.thorough
def test_evidence_is_a_concordance(lexicon: Lexicon) -> None:
    found = lexicon.evidence("dog/NOUN", ">amod")
    cells = Cells(found._repr_html_())
    assert cells.texts["th"] == ["sentence", "path", "context", "before", "keyword", "after"]
    assert "not shown: corpus, document, lexeme, position, context_position, text" in cells.texts["div"][0]
    assert "not shown" in repr(found)
    assert found[0]["text"]  # the answer itself has them all


def test_rows_by_number_and_slices() -> None:
    found = answer(5)
    assert found[0] == {"path": "", "n": 0, "weight": 0.0}
    assert found[-1]["n"] == 4
    assert isinstance(found[1:3], Result)
    assert found[1:3].column("n") == [1, 2]
    assert found[::-1].column("n") == [4, 3, 2, 1, 0]
    assert found[9:].rows == []
    assert found[True]["n"] == 1
    for place in (5, -6):
        with pytest.raises(NoSuchRowError, match=f"no row {place}; there are 5, numbered from 0"):
            found[place]
    with pytest.raises(IndexError):
        answer(0)[0]
    with pytest.raises(QuestionError, match=r"'n' is not a row number; a column is \.column\('n'\)"):
        found["n"]  # type: ignore[call-overload]
    with pytest.raises(QuestionError, match=r"'m' is not a row number$"):
        found["m"]  # type: ignore[call-overload]


@pytest.mark.extra
def test_polars() -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = Result(("a", "b"), ("BIGINT", "VARCHAR"), [(1, "x"), (None, None)]).pl()
    assert frame.to_dicts() == [{"a": 1, "b": "x"}, {"a": None, "b": None}]
    assert answer(0).pl().schema == {"path": polars.String, "n": polars.Int64, "weight": polars.Float64}


def test_without_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(QuestionError, match=r"pl\(\) needs polars; install it with: pip install 'aptdb\[polars\]'"):
        answer(1).pl()


# Phrases
def test_a_phrase_is_drawn_as_its_tree() -> None:
    phrase = Phrase.parse("fold/VERB[nsubj he/PRON[det the/DET], obj <b>/NOUN[amod dry/ADJ]]")
    assert phrase.tree().splitlines() == [
        "fold/VERB 1", "├─ nsubj he/PRON 2", "│  └─ det the/DET 3", "└─ obj <b>/NOUN 4", "   └─ amod dry/ADJ 5",
    ]  # fmt: skip
    assert Cells(phrase._repr_html_()).texts["b"] == ["fold/VERB", "he/PRON", "the/DET", "<b>/NOUN", "dry/ADJ"]
    assert eval(repr(phrase)) == phrase
    assert "\n" not in Phrase(ODD).tree()


# Lexicons and lexemes
def test_a_lexicon_shows_what_it_holds(lexicon: Lexicon, tmp_path: Path) -> None:
    assert repr(lexicon) == "<Lexicon small.duckdb: 2 corpora, 22 tokens, 12 lexemes; order 2, {lemma}/{upos}>"
    cells = Cells(lexicon._repr_html_())
    assert cells.texts["td"][:4] == ["sentences", "10", "tokens", "22"]
    assert {"<trees>", "more", "lowercase", "yes"} <= {*cells.texts["td"]}
    assert lexicon._repr_html_().count("text-align:right") == 7 + 6  # numbers of what it holds, and of two corpora
    lexicon.close()
    assert repr(lexicon) == "<Lexicon small.duckdb: closed>"
    assert "closed" in Cells(lexicon._repr_html_()).texts["div"]
    with Lexicon.open(tmp_path / "new.duckdb", create=True) as empty:
        assert repr(empty) == "<Lexicon new.duckdb: empty>"
        assert (len(empty), [*empty], "dog/NOUN" in empty) == (0, [], False)
        with pytest.raises(NoSuchLexemeError, match=r"no lexeme dog/NOUN; .* is empty, add a corpus first"):
            empty["dog/NOUN"]
    assert not [*tmp_path.iterdir()]


def test_a_lexicon_is_a_container_of_lexemes(lexicon: Lexicon) -> None:
    assert "dog/NOUN" in lexicon
    odd: tuple[Any, ...] = (None, "dgo/NOUN", "", 5, "DOG/NOUN", "dog")
    assert [each for each in odd if each in lexicon] == []
    frequency = dict(lexicon.sql("SELECT lexeme, frequency FROM lexemes").rows)
    assert len(lexicon) == len(frequency) == len([*lexicon])
    assert [*lexicon] == sorted(frequency, key=lambda lexeme: (-frequency[lexeme], lexeme))
    assert all(lexicon[lexeme].frequency == frequency[lexeme] for lexeme in lexicon)


@pytest.mark.thorough
def test_a_lexeme_asks_for_itself(lexicon: Lexicon) -> None:
    dog = lexicon["dog/NOUN"]
    assert (str(dog), dog.lemma, dog.pos, dog.frequency) == ("dog/NOUN", "dog", "NOUN", 4)
    assert repr(dog) == "<Lexeme dog/NOUN: 4 tokens>"
    assert dog.apt(weights="log_dice") == lexicon.apt("dog/NOUN", weights="log_dice")
    assert dog.neighbours(top=2) == lexicon.neighbours("dog/NOUN", top=2)
    assert dog.evidence(">amod", "old/ADJ") == lexicon.evidence("dog/NOUN", ">amod", "old/ADJ")
    both = lexicon.similarity("dog/NOUN", "cat/NOUN")
    assert dog.similarity(lexicon["cat/NOUN"]) == dog.similarity("cat/NOUN") == both
    assert "cat/NOUN" in Cells(dog._repr_html_()).texts["td"]


def test_the_sketch_of_a_lexeme(lexicon: Lexicon) -> None:
    sketch = getattr(lexicon, "sketch", None)
    if sketch is None:
        pytest.skip("this lexicon has no sketches")
    assert lexicon["dog/NOUN"].sketch() == sketch("dog/NOUN")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("dgo/NOUN", "no lexeme dgo/NOUN; did you mean dog/NOUN"),
        ("hippopotamus/NOUN", "no lexeme hippopotamus/NOUN, and none that is spelt like it"),
        ("dog/NOUN[amod old/ADJ]", r"dog/NOUN\[amod old/ADJ\] is a phrase, not a lexeme"),
        (5, "5 is not a lexeme; a lexeme is text"),
        (None, "None is not a lexeme"),
    ],
)
def test_a_lexeme_that_is_not_there(lexicon: Lexicon, named: Any, said: str) -> None:
    with pytest.raises(NoSuchLexemeError, match=f"^{said}"):
        lexicon[named]
    with pytest.raises(KeyError):
        lexicon[named]


def test_help_lists_every_parameter_with_its_meaning() -> None:
    for question, dictionary in QUESTIONS.items():
        asked = getattr(Lexicon, question, None)
        taken = inspect.signature(asked).parameters if asked else {}
        for name in declared(dictionary):
            if name in taken and taken[name].kind is inspect.Parameter.KEYWORD_ONLY:
                assert f"\n    {name}: " in str(asked.__doc__), (question, name)
    assert "\n    top: How many neighbours to show for each. [default: 10]\n" in str(Lexicon.neighbours.__doc__)
    assert "\n    top: " in str(Lexeme.neighbours.__doc__)
    assert inspect.signature(Lexeme.neighbours).parameters["top"].default == 10
    assert "min_token_length: tokens with a shorter form" in str(Lexicon.open.__doc__)
    assert {"order", "lexeme", "lowercase"} <= {*inspect.signature(Lexicon.open).parameters}


# Errors and progress, where IPython runs
class Kernel:
    """A shell of IPython in a notebook, as much of it as is asked for."""

    kernel = object()
    InteractiveTB = SimpleNamespace(mode="Context", structured_traceback=lambda *_: ["in full"])


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is shown in a notebook, one after another."""
    shown: list[str] = []

    def display(html: str, display_id: bool = False) -> SimpleNamespace:
        shown.append(html)
        return SimpleNamespace(update=shown.append)

    ipython = SimpleNamespace(get_ipython=Kernel, display=SimpleNamespace(HTML=str, display=display))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    return shown


def test_an_error_is_one_sentence(lexicon: Lexicon, displayed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AptError) as refusal:
        lexicon.neighbours("<b>/NOUN")
    for _ in range(2):
        sentence, line = refusal.value._render_traceback_()
        assert sentence.startswith("\x1b[31mQuestionError\x1b[0m: no lexeme <b>/NOUN")
        assert line.strip().endswith('lexicon.neighbours("<b>/NOUN")')
    assert len(displayed) == 1  # IPython asks for it twice
    assert "no lexeme <b>/NOUN" in Cells(displayed[0]).texts["pre"][0]
    monkeypatch.setattr(Kernel.InteractiveTB, "mode", "Verbose")
    assert refusal.value._render_traceback_() == ["in full"]


def test_a_bar_comes_after_a_second_and_goes_at_the_end(displayed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("aptdb.core.display.time.monotonic", lambda: now[0])
    with display.Bar("export") as follow:
        follow(1, 10)
        assert displayed == []
        now[0] += 1.5
        follow(2, 1000)
        follow(3, 1000)  # too soon after the one before
        now[0] += 1
        follow(Progress("<c>", 5, 10, 7000))
        now[0] += 1
        follow(Progress("<c>", 5, None, 8000))
    assert [Cells(each).texts.get("div") for each in displayed] == [
        ["export", "2 of 1,000, 2 s"], ["<c>", "7,000 tokens, 2 s"], ["<c>", "8,000 tokens, 4 s"], None,
    ]  # fmt: skip
    assert '<progress value="2" max="1000">' in displayed[0]
    assert "<progress>" in displayed[2]


@pytest.mark.thorough
def test_what_takes_long_shows_it_in_a_notebook_alone(
    lexicon: Lexicon, tmp_path: Path, displayed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aptdb.core.display.PATIENCE", -1.0)
    lexicon.export(tmp_path / "a.parquet")
    assert "of" in displayed[0]
    assert displayed[-1] == ""
    displayed.clear()
    calls: list[tuple[int, int]] = []
    lexicon.export(tmp_path / "b.parquet", progress=lambda *both: calls.append(both))
    assert calls
    monkeypatch.delitem(sys.modules, "IPython")
    lexicon.export(tmp_path / "c.parquet")
    assert displayed == []


# The tour
@pytest.mark.thorough
def test_the_tour_runs_cell_by_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python, so that it is tried where Jupyter is missing too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(TOUR.parents[2]))
    names: dict[str, Any] = {}
    for cell in json.loads(TOUR.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")
        if cell["cell_type"] == "code":
            code = "".join(cell["source"])
            if "raises-exception" in cell["metadata"].get("tags", ()):
                with pytest.raises(AptError):
                    exec(code, names)
            else:
                exec(code, names)


@pytest.mark.thorough
def test_the_tour_runs_in_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("nbformat", "nbclient", "nbconvert", "ipykernel"):
        pytest.importorskip(library, reason=f"{library} is not installed; it comes with aptdb[dev]")
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    monkeypatch.setenv("PYTHONPATH", str(TOUR.parents[2]))
    tour = nbformat.read(TOUR, as_version=4)
    NotebookClient(tour, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in tour.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("text/html" in output.get("data", {}) for output in outputs) >= 10
    (error,) = [output for output in outputs if output.output_type == "error"]
    assert error.traceback[0].endswith("no lexeme shoots/NOUN; did you mean shoot/NOUN?")
    page, _ = HTMLExporter().from_notebook_node(tour)
    assert "more of 363 rows" in page
