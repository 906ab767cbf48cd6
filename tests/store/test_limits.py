"""Limits of memory: given, from the environment or as suits the machine; and what does not fit says what to do."""

import os
from pathlib import Path

import pytest

from aptdb import Lexicon, NoRoomError, QuestionError
from aptdb.store.limits import LEAST, USUAL, Limits, choose_limits, limits
from support.commands import ask
from support.corpora import DOGS
from support.lexicons import copied, lexicon_of

MANY = "SELECT len(list(i)) FROM range(200000000) AS numbers (i)"


@pytest.fixture(scope="module")
def dogs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lexicon_of(tmp_path_factory.mktemp("dogs") / "dogs.duckdb", {"dogs": DOGS.encode()})


SIZES = {"2GB": 2 * 10**9, "500MB": 5 * 10**8, "1.5 gib": 1_610_612_736, "300m": 3 * 10**8, 300_000_000: 3 * 10**8}


@pytest.mark.parametrize(("size", "expected"), SIZES.items())
def test_sizes(size: str | int, expected: int) -> None:
    assert limits(size).memory == expected


def test_which_limits_hold(dogs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those given, else those of the command, else the environment's, else what suits the machine; each by itself."""
    monkeypatch.delenv("APTDB_MEMORY", raising=False)
    monkeypatch.delenv("APTDB_TEMP", raising=False)
    assert limits().memory >= USUAL
    assert limits().temp is None
    monkeypatch.setenv("APTDB_MEMORY", "700MB")
    monkeypatch.setenv("APTDB_TEMP", str(tmp_path))
    assert limits() == Limits(700_000_000, tmp_path)
    assert limits("300MB") == Limits(300_000_000, tmp_path)
    with choose_limits({"memory": "400MB", "temp": None}):
        assert limits() == Limits(400_000_000, tmp_path)
        assert limits(temp=dogs.parent) == Limits(400_000_000, dogs.parent)
    assert limits() == Limits(700_000_000, tmp_path)
    with Lexicon.open(dogs, memory="300MB") as lexicon:
        asked = "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
        [(memory, folder)] = lexicon.sql(asked).rows
        assert memory == "228.8 MiB"
        assert Path(folder).parent == tmp_path


def test_what_else_is_in_the_folder_for_temporary_files(dogs: Path, tmp_path: Path) -> None:
    """No statement reads it; and each lexicon has a folder of its own there, for as long as it is open."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "secret.csv").write_text("secret")
    cats = copied(dogs, tmp_path / "cats.duckdb")
    with Lexicon.open(dogs, temp=tmp_path) as first, Lexicon.open(cats, temp=tmp_path) as second:
        for statement in (f"FROM read_text('{tmp_path}/*.txt')", f"FROM '{tmp_path}/secret.csv'"):
            with pytest.raises(
                QuestionError, match=r"(secret\.csv|\*\.txt) cannot be read: a query reads only its lexicon"
            ):
                first.sql(statement)
        folders = {lexicon.sql("SELECT current_setting('temp_directory')").rows[0][0] for lexicon in (first, second)}
        assert len(folders) == 2
        with Lexicon.open(dogs, temp=tmp_path) as again:
            assert again.sql("SELECT current_setting('temp_directory')").rows[0][0] in folders
    assert {file.name for file in tmp_path.iterdir()} == {"secret.txt", "secret.csv", "cats.duckdb"}


@pytest.mark.thorough
def test_what_does_not_fit(dogs: Path) -> None:
    """The message names the limit and what to give instead; the file can be asked and changed after it."""
    answer = ask("sql", dogs, MANY, "--memory", "256MB")
    assert answer.exit_code == 1
    assert answer.stderr == "aptdb: 256MB of memory are not enough for this; give more, e.g. --memory 2GB\n"
    with Lexicon.open(dogs, memory=LEAST) as lexicon:
        with pytest.raises(NoRoomError, match="not enough"):
            lexicon.sql(MANY)
        assert lexicon.sql("SELECT count(*) FROM lexemes").rows[0][0] > 0


@pytest.mark.thorough
def test_what_sorts_more_than_the_limit_holds(dogs: Path, tmp_path: Path) -> None:
    """It goes to the folder for temporary files, which is empty again after it."""
    with Lexicon.open(dogs, memory=LEAST, temp=tmp_path) as lexicon:
        placed = "SELECT row_number() OVER (ORDER BY hash(i)) AS place, i FROM range(20000000) AS numbers (i)"
        assert lexicon.sql(f"SELECT max(place), sum(i) FROM ({placed})").rows == [(20_000_000, 199_999_990_000_000)]
        with pytest.raises(QuestionError):
            lexicon.sql(f"FROM read_text('{__file__}')")
    assert [*tmp_path.iterdir()] == []


def test_pipes_and_devices_are_not_read(dogs: Path, tmp_path: Path) -> None:
    """A pipe would never end, nor a device; a file may be too large."""
    pipe, large, table = tmp_path / "pipe", tmp_path / "large.txt", tmp_path / "meta.csv"
    os.mkfifo(pipe)
    os.mkfifo(table)
    with large.open("wb") as file:
        file.truncate(2 * 10**8)
    counts = tmp_path / "counts"
    (counts / "cooccurrences").mkdir(parents=True)
    (counts / "manifest.json").symlink_to("/dev/zero")
    for arguments, said in (
        (("sql", dogs, "SELECT 1", "--attach", pipe), f"{pipe} cannot be attached: it is not a regular file"),
        (("eval", "ratings", dogs, pipe), f"{pipe} cannot be read: it is not a regular file"),
        (("eval", "ratings", dogs, "/dev/zero"), "/dev/zero cannot be read: it is not a regular file"),
        (("eval", "ratings", dogs, large), f"{large} cannot be read: it has 200 MB, and at most 100 are read"),
        (("add", dogs, large, "--meta", table), f"{table} cannot be read: it is not a regular file"),
        (("add", dogs, counts), f"{counts / 'manifest.json'} cannot be read: it is not a regular file"),
    ):
        answer = ask(*arguments)
        assert (answer.exit_code, answer.stderr) == (1, f"aptdb: {said}\n")
