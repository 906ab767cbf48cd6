"""A lexicon that --lexicon or APTDB_LEXICON names: when it is asked, when another is, and what is refused."""

import shutil
from pathlib import Path

import pytest

from support.commands import ask
from support.corpora import TREES
from support.lexicons import lexicon_of
from twins.trees import conllu


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lexicons, of which only the second knows a cat."""
    folder = tmp_path_factory.mktemp("made")
    lexicon_of(folder / "usual.duckdb", {"a": conllu(TREES[:2]).encode()})
    lexicon_of(folder / "other.duckdb", {"b": conllu(TREES).encode()})
    shutil.copy(folder / "other.duckdb", folder / "other")
    (folder / "more.conllu").write_text(conllu(TREES[2:4]), encoding="utf-8")
    return folder


@pytest.fixture
def usual(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment names the first of them, in the folder of all."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("APTDB_LEXICON", "usual.duckdb")


CORPORA = {"a": "usual", "b": "other"}


def asked(*arguments: str) -> str:
    """Which lexicon answers a command that lists its corpora."""
    answer = ask(*arguments)
    assert answer.exit_code == 0, answer.output
    return CORPORA[answer.stdout.splitlines()[1].split("\t")[0]]


@pytest.mark.thorough
@pytest.mark.usefixtures("usual")
def test_a_lexicon_that_is_named_is_asked() -> None:
    assert asked("info", "--corpora") == "usual"
    assert asked("info", "--corpora", "other.duckdb") == "other"
    assert asked("info", "--corpora", "other") == "other"  # a file of DuckDB's, whatever its ending
    assert asked("info", "--corpora", "--lexicon", "other.duckdb") == "other"
    assert asked("info", "--corpora", "--lexicon=other") == "other"


@pytest.mark.thorough
@pytest.mark.usefixtures("usual")
def test_the_first_argument_is_the_lexicon_only_if_it_looks_like_one() -> None:
    assert ask("similarity", "dog/NOUN", "dog/NOUN").stdout == "similarity\n1.0\n"
    assert ask("similarity", "other.duckdb", "cat/NOUN", "cat/NOUN").stdout == "similarity\n1.0\n"
    assert ask("similarity", "cat/NOUN", "cat/NOUN", "--lexicon", "other.duckdb").stdout == "similarity\n1.0\n"
    assert ask("neighbours", "dog/NOUN", "small/ADJ").stdout.startswith("question\t")
    assert ask("sql", "SELECT count(*) AS n FROM corpora").stdout == "n\n1\n"
    added = ask("add", "more.conllu")
    assert added.exit_code == 0, added.output
    assert ask("sql", "SELECT count(*) AS n FROM corpora").stdout == "n\n2\n"
    assert ask("add", "new.duckdb", "more.conllu").exit_code == 0
    assert Path("new.duckdb").exists()


@pytest.mark.thorough
@pytest.mark.usefixtures("usual")
def test_errors_say_that_the_environment_named_the_lexicon(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ask("apt", "cat/NOUN")
    assert answer.exit_code == 1
    assert "no lexeme cat/NOUN" in answer.stderr
    assert answer.stderr.endswith(" (in usual.duckdb, which APTDB_LEXICON names)\n")
    assert "APTDB_LEXICON" not in ask("apt", "other.duckdb", "car/NOUN").stderr
    assert "no lexicon mistyped.duckdb;" in ask("apt", "mistyped.duckdb", "dog/NOUN").stderr
    monkeypatch.setenv("APTDB_LEXICON", "gone.duckdb")
    assert ask("info", "--corpora").stderr.startswith("aptdb: no lexicon gone.duckdb; make one with")
    assert ask("info", "--corpora").stderr.endswith(" (APTDB_LEXICON names it)\n")


@pytest.mark.thorough
@pytest.mark.usefixtures("usual")
def test_a_lexicon_named_twice_is_refused() -> None:
    answer = ask("apt", "other.duckdb", "dog/NOUN", "--lexicon", "usual.duckdb")
    assert answer.exit_code == 2
    assert "usual.duckdb and other.duckdb both name the lexicon; name one" in answer.stderr
    assert ask("add", "other.duckdb", "--lexicon", "new.duckdb").exit_code == 0
    assert ask("apt", "dog/NOUN", "--lexicon", "").exit_code == 2


@pytest.mark.thorough
def test_without_one_a_question_is_no_lexicon(monkeypatch: pytest.MonkeyPatch, made: Path) -> None:
    monkeypatch.setenv("APTDB_LEXICON", "")
    monkeypatch.chdir(made)
    answer = ask("neighbours", "dog/NOUN")
    assert answer.exit_code == 2
    assert "dog/NOUN is not a lexicon; name its file before it (" in answer.stderr
    assert ask("neighbours", "--help").exit_code == 0
    assert ask("neighbours", "other.duckdb", "dog/NOUN").exit_code == 0
