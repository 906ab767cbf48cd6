"""Odd arguments, places and terminals: an answer or one line, never a traceback."""

import os
import re
import subprocess
from io import StringIO
from pathlib import Path

import pytest

from aptdb import AptError, Lexicon, QuestionError
from aptdb.commands.completion.answer import begin_alike
from aptdb.commands.notes import print_note
from aptdb.commands.output import AnswerFormat, Page, write_data, write_table
from aptdb.core.result import Result
from support.commands import ask
from support.corpora import DOGS
from support.lexicons import make_lexicon
from support.processes import PROGRAM


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of one sentence."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "dogs").write_text(DOGS, encoding="utf-8")
    return make_lexicon(folder / "dogs.duckdb", folder / "dogs")


def one_line(*arguments: object) -> str:
    """What a command that must fail says, which is one line."""
    answer = ask(*map(str, arguments))
    assert answer.exit_code == 1, answer.output
    assert answer.stderr.count("\n") == 1
    return answer.stderr.removeprefix("aptdb: ").removesuffix("\n")


@pytest.mark.thorough
def test_text_that_is_not_utf8(made: Path) -> None:
    assert one_line("neighbours", made, "do\udcffg") == r"do\xffg is not UTF-8 text"
    assert r"a\xff.duckdb" in one_line("apt", made.with_name("a\udcff.duckdb"), "dog/NOUN")


def test_a_line_end_in_a_value(made: Path) -> None:
    assert one_line("remove", made, "a\nb") == r"no corpus a\nb; the lexicon has dogs"


OBEYED = "\x1b[31;1m\u202e\x9b1m\r\u2066"


@pytest.mark.parametrize("format", AnswerFormat)
def test_nothing_that_a_terminal_obeys_reaches_one(format: AnswerFormat, capsys: pytest.CaptureFixture[str]) -> None:
    """Not as a name of a column, in a note or on Tab either; data go into a pipe without a change."""
    answer = Result((f"a{OBEYED}", "sha256"), ("VARCHAR", "VARCHAR"), [(f"b{OBEYED}", f"c{OBEYED}")])
    page, pipe = Page(), StringIO()
    if format is AnswerFormat.table:
        write_table(answer, page)
    else:
        write_data(answer, format, page)
        write_data(answer, format, pipe)
        assert "\u202e" in pipe.getvalue()
    print_note(f"the corpus {OBEYED}")
    completed = begin_alike([(f"d{OBEYED}", ""), ("d", OBEYED)], "d")
    in_table = re.sub(r"\x1b\[[0-9]m", "", page.getvalue())  # bold
    shown = f"{in_table} {capsys.readouterr().err} {AptError(OBEYED)} {answer} {completed.values}"
    assert not (set(OBEYED) - set("[31;m")) & set(shown)
    assert "\\u202e" in page.getvalue()
    assert [value for value, _ in completed.values] == ["d"]


@pytest.mark.thorough
@pytest.mark.parametrize(("format", "shown"), [("table", '""'), ("tsv", "\\xe9")])
def test_a_terminal_without_the_characters(made: Path, format: str, shown: str) -> None:
    asked = {"table": ["apt", str(made), "dog/NOUN"], "tsv": ["sql", str(made), "SELECT 'é' AS x"]}[format]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*PROGRAM, *asked, "--format", format], capture_output=True, env=ascii_only, check=True)
    assert shown in done.stdout.decode("ascii")


@pytest.mark.thorough
def test_a_link_to_itself(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for said in (one_line("add", tmp_path / "new", loop), one_line("verify", loop)):
        assert "loop: cannot be read: Too many levels of symbolic links" in said
    assert not (tmp_path / "new").exists()


def test_a_pipe_for_a_lexicon(tmp_path: Path, made: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for command in (["info", tmp_path / "pipe"], ["add", tmp_path / "pipe", made.with_name("dogs")]):
        assert "pipe is neither a file nor a place for one" in one_line(*command)


def test_times_with_a_zone(made: Path) -> None:
    with Lexicon.open(made) as lexicon:
        assert str(lexicon.sql("SELECT TIMESTAMPTZ '2026-01-02 03:04:05+00' AS at").rows[0][0])[:4] == "2026"


def test_errors_have_nothing_above_them(made: Path) -> None:
    """What DuckDB and SQLAlchemy said is in the message; their stacks help nobody."""
    with Lexicon.open(made) as lexicon, pytest.raises(QuestionError) as refusal:
        lexicon.apt("nothing/NOUN")
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__


def test_all_errors_are_public() -> None:
    import aptdb
    from aptdb.core import errors

    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, AptError | UserWarning):
            assert getattr(aptdb, name) is value
