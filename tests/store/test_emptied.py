"""Lexicons whose counts another program took away or changed, and what killed processes leave beside them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aptdb import Lexicon, LexiconError
from aptdb.store import integrity
from aptdb.store.database import Database, in_memory
from support.clients import change_file
from support.commands import ask
from support.corpora import COUNTS, noun_phrase
from support.lexicons import lexicon_of
from twins.trees import conllu

MORE = conllu([noun_phrase("cat", "old")])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A lexicon of many words, and a file to add."""
    words = conllu([noun_phrase(f"dog{number}", "old") for number in range(20)])
    (tmp_path / "more.conllu").write_text(MORE)
    return lexicon_of(tmp_path / "l.duckdb", {"dogs": words.encode()})


def change(file: Path, script: str) -> None:
    """Change a lexicon with another program."""
    change_file(file, script)


LOST = {
    "DELETE FROM _store.cooccurrence": "cooccurrence sums to 0, and the others sum to 80",
    "DELETE FROM _store.cooccurrence WHERE rowid = 3": "cooccurrence sums to 79, and the others",
    "UPDATE _store.cooccurrence SET count = -count": "cooccurrence has counts below 0",
    "DELETE FROM _store.node": "node sums to 0",
    "UPDATE _store.node SET count = -1 WHERE rowid = 0": "node has counts below 0",
    "DELETE FROM _store.path": "path sums to 0",
    "UPDATE _store.lexeme SET cooccurrences = 0": "lexeme sums to 0",
    "UPDATE _store.lexeme SET frequency = -frequency": "lexeme has counts below 0",
    "DELETE FROM _store.lexeme": "lexeme sums to 0",
    "DELETE FROM _store.cooccurrence; DELETE FROM _store.node; DELETE FROM _store.path; UPDATE _store.lexeme "
    "SET cooccurrences = 0": "cooccurrence sums to 0, and the others count 40 tokens",
    "DELETE FROM _store.cooccurrence; DELETE FROM _store.node; DELETE FROM _store.path; DELETE FROM _store.lexeme": (
        "lexeme has no row, and the others name lexemes"
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("script", LOST)
def test_nothing_is_added_to_counts_that_are_lost(file: Path, script: str) -> None:
    """The message says which; the file stays as it was."""
    change(file, script)
    before = file.read_bytes()
    assert ask("info", file).exit_code == 0  # which looks through its macros alone
    said = f"its table _store.{LOST[script]}.*aptdb verify"
    with Lexicon.open(file) as lexicon, pytest.raises(LexiconError, match=said):
        lexicon.add(file.with_name("more.conllu"))
    assert file.read_bytes() == before


WRITES: dict[str, Callable[[Path], tuple[str | Path, ...]]] = {
    "add": lambda file: (file, file.with_name("more.conllu")),
    "sync": lambda file: (file, file.with_name("more.conllu")),
    "add other": lambda file: (file, file.with_name("other.duckdb")),
    "remove": lambda file: (file, "dogs"),
    "compact": lambda file: (file,),
    "weigh": lambda file: (file, "w"),
}


def test_no_write_goes_into_lost_counts(file: Path) -> None:
    lexicon_of(file.with_name("other.duckdb"), {"more": MORE.encode()})
    change(file, "DELETE FROM _store.node")
    for command, arguments in WRITES.items():
        refused = ask(command.split()[0], *arguments(file))
        assert (refused.exit_code, "node sums to 0" in refused.stderr) == (1, True), command


@pytest.mark.thorough
def test_counts_are_summed_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After others have written the file, and not after each addition; counts without trees, or none, are whole too."""
    asked: list[Path] = []
    summed = integrity.refuse_wrong_totals

    def counted(database: Database) -> None:
        asked.append(database.file)
        summed(database)

    monkeypatch.setattr(integrity, "refuse_wrong_totals", counted)
    counts = file.with_name("counts.tsv")
    counts.write_text(COUNTS)
    os.utime(file)
    with Lexicon.open(file) as lexicon:
        lexicon.add(file.with_name("more.conllu"))
        lexicon.remove("more.conllu")
        lexicon.add(counts)
        lexicon.remove("dogs")
        os.utime(file)
        lexicon.remove("counts.tsv")
        os.utime(file)
        lexicon.add(file.with_name("more.conllu"))
        assert lexicon.verify().rows == []
    assert asked == [file] * 3


@pytest.mark.parametrize("rows", ["", "VALUES ('0016'), ('0015')", "VALUES ('')"])
def test_a_schema_that_is_lost_is_damage(file: Path, rows: str) -> None:
    """It is not of a newer version."""
    change(file, f"DELETE FROM _store.alembic_version{rows and f'; INSERT INTO _store.alembic_version {rows}'}")
    for command in (("info", file), ("add", file, file.with_name("more.conllu")), ("migrate", file)):
        refused = ask(*command)
        assert refused.exit_code == 1
        assert "was damaged, or changed by another program: its table alembic_version" in refused.stderr


@pytest.mark.thorough
def test_a_long_list_of_differences(file: Path) -> None:
    """The command shows the first rows and says how many more there are; Python has all."""
    change(file, "DELETE FROM _store.node")
    with Lexicon.open(file) as lexicon:
        number = len(lexicon.verify().rows)
    assert number > 20
    found = ask("verify", file)
    assert (found.exit_code, len(found.stdout.splitlines())) == (1, 21)
    assert (
        f"{number} rows not as they should be (the first are shown; Lexicon.verify in Python returns all {number:,})"
        in found.stderr
    )


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no process is looked for there")
def test_the_temporary_folder_of_duckdb(file: Path) -> None:
    """What killed processes left there is deleted when the lexicon is written, and nothing else."""
    folder = file.with_name(f"{file.name}.tmp")
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    left = [f"duckdb_temp_{gone.pid}_0_storage_DEFAULT-0.tmp", "duckdb_temp_storage-0.tmp", "duckdb_temp_block-7.block"]
    ours = f"duckdb_temp_{os.getpid()}_0_owner"
    for others in ([], ["mine.txt", ours]):
        folder.mkdir(exist_ok=True)
        for name in (*left, *others):
            (folder / name).touch()
        with Lexicon.open(file) as lexicon:
            assert lexicon.count("dog1/N", "<amod", "old/A") == 0
            assert {each.name for each in folder.iterdir()} == {*left, *others}  # others may read it now
            lexicon.compact()
        assert ({each.name for each in folder.iterdir()} if folder.exists() else set()) == {*others}


def test_a_database_in_memory_leaves_nothing_where_the_user_works() -> None:
    database = in_memory()
    folder = Path(str(database.value("SELECT system.main.current_setting('temp_directory')")))
    assert folder.is_absolute()
    assert folder.stat().st_mode & 0o077 == 0
    database.close()  # the folder goes with the last database in memory of the process
