"""The same answers with one thread, with 256 MB of memory, and with the optimizer off."""

from pathlib import Path

import pytest

from aptdb.store.database import Database
from support.commands import ask
from support.lexicons import Once, assert_same
from support.processes import parts_of_treebank, written
from support.same_answers import SQL, WAYS, answers, assert_same_answers, duckdb_working, of_words


@pytest.fixture(scope="module")
def demo(once: Once) -> Path:
    """The lexicon of the made-up corpus."""

    def make(file: Path) -> None:
        assert ask("demo", "--write", file.with_name("demo.conllu")).exit_code == 0
        assert ask("add", file, file.with_name("demo.conllu")).exit_code == 0

    return once("demo_of_answers.duckdb", make)


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
def test_all_questions(demo: Path, way: str) -> None:
    assert_same_answers(answers(demo, way), answers(demo))


@pytest.mark.thorough
@pytest.mark.parametrize("way", [way for way in WAYS if way != "no optimizer"])
def test_questions_of_a_treebank(english: Path, way: str) -> None:
    """Of several groups of rows, which threads share."""
    questions = tuple(of_words(question) for question in SQL)
    expected = answers(english, None, questions)
    assert all(expected.values())
    assert_same_answers(answers(english, way, questions), expected)


def made_in(folder: Path, files: list[Path]) -> Path:
    """A lexicon that went through all that changes one."""
    folder.mkdir()
    lexicon = folder / "l.duckdb"
    weigh, remove = ["weigh", "mine", "--scheme", "lmi", "--set", "cds=0.75", "--keep"], ["remove", files[0].name]
    for command, *given in (["add", *files], weigh, remove, ["compact"], ["refresh"], ["verify"]):
        answer = ask(str(command), lexicon, *given)
        assert answer.exit_code == 0, (command, answer.output)
    return lexicon


@pytest.mark.thorough
def test_what_is_counted_is_the_same(tmp_path: Path) -> None:
    """Nothing that DuckDB is told changes what a lexicon holds after it was added to, weighed, shrunk and sorted."""
    files = written(tmp_path, parts_of_treebank(400_000, "one", "two"))
    expected = made_in(tmp_path / "plain", files)
    weights = "SELECT lexeme, path, context, round(weight, 9) FROM mine ORDER BY ALL"
    for way in WAYS:
        with duckdb_working(way):
            found = made_in(tmp_path / way, files)
            assert_settings(found, way)
        assert_same(found, expected, but=("corpus",))
        assert answers(found, None, (weights,)) == answers(expected, None, (weights,))


def assert_settings(file: Path, way: str) -> None:
    """A database that aptdb opens works in this way, so that the comparison says something."""
    asked = "SELECT current_setting('threads'), current_setting('disabled_optimizers') != ''"
    database = Database(file, read_only=True)
    threads, without = database.rows(asked)[0]
    database.close()
    assert (threads == 1) >= (way == "one thread")
    assert without == (way == "no optimizer")
