"""What the code does where POSIX's modules and functions are missing, and open files stay where they are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from aptdb import InUseError
from aptdb.explorer import confined
from aptdb.store import lexicon_copies, limits
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.file_writing import is_running, lock
from support import as_windows
from support.as_windows import MODULES, OF_OS, OfWindows

OLD = Path(__file__).parents[1] / "old"
COMMANDS = (
    "add l.duckdb corpus.conllu", "add l.duckdb more.conllu", "compact l.duckdb", "neighbours l.duckdb dog/NOUN",
    "backup l.duckdb copy.duckdb", "backup l.duckdb copy.duckdb", "count corpus.conllu more.conllu -o folder",
    "add counted.duckdb folder --in-place", "remove l.duckdb more.conllu", "verify l.duckdb",
)  # fmt: skip


@pytest.fixture
def without_posix(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that has what Windows has."""
    import fcntl

    monkeypatch.setitem(sys.modules, "msvcrt", OfWindows(fcntl))
    for name in MODULES:
        monkeypatch.setitem(sys.modules, name, None)
    for name in OF_OS:
        monkeypatch.delattr(os, name, raising=False)


@pytest.mark.thorough
def test_commands_do_without_posix(tmp_path: Path) -> None:
    for corpus in ("corpus.conllu", "more.conllu"):
        (tmp_path / corpus).write_bytes((OLD / corpus).read_bytes())
    done = subprocess.run(
        [sys.executable, as_windows.__file__], input="\n".join(COMMANDS), cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    made = {"l", "copy", "counted"}
    assert {each.stem for each in tmp_path.glob("*.duckdb")} == made
    assert not [*tmp_path.glob("*.duckdb?*"), *tmp_path.glob(f"folder/{UNFINISHED}*")]


def test_an_open_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the tests would see it."""
    monkeypatch.setattr(os, "replace", as_windows.refusing(os.replace))
    for name in ("one", "other"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    with (tmp_path / "other").open("rb"), pytest.raises(PermissionError, match="in use"):
        os.replace(tmp_path / "one", tmp_path / "other")
    os.replace(tmp_path / "one", tmp_path / "other")


def test_a_file_that_somebody_writes_before_it_is_replaced_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aptdb.store.lexicon_file import put_database_in_place

    class Closing:
        """A database whose file is written by another process as soon as it is closed."""

        def close(self) -> None:
            (tmp_path / "place").write_text("written meanwhile", encoding="utf-8")

    def refused(*_: object) -> None:
        raise PermissionError

    (tmp_path / "place").write_text("before", encoding="utf-8")
    (tmp_path / "new").write_text("new", encoding="utf-8")
    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(InUseError, match="changed by another process"):
        put_database_in_place(tmp_path / "new", tmp_path / "place", Closing())  # type: ignore[arg-type]
    assert (tmp_path / "place").read_text(encoding="utf-8") == "written meanwhile"


@pytest.mark.usefixtures("without_posix")
def test_locks_processors_and_processes_without_posix(tmp_path: Path) -> None:
    held = lexicon_copies.locked(tmp_path)
    assert held is not None
    assert lexicon_copies.locked(tmp_path) is None
    lexicon_copies.delete_with(held, tmp_path)
    assert not tmp_path.exists()
    assert limits.cores() == os.cpu_count()
    assert is_running(os.getpid())
    assert is_running(2**22 + 1)  # nobody asks: that would end it
    confined.limit_process(10**9, 1, opens_files=False)  # nothing to limit by; the server's clock ends it


@pytest.mark.extra
@pytest.mark.usefixtures("without_posix")
def test_a_folder_that_is_being_counted_is_refused_without_posix(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    from aptdb import count_corpora

    folder = tmp_path / "folder"
    unfinished = folder / UNFINISHED
    unfinished.mkdir(parents=True)
    with (unfinished / "lock").open("w") as opened:
        lock(opened)
        with pytest.raises(InUseError, match="is being made by another process"):
            count_corpora([OLD / "more.conllu"], folder)
