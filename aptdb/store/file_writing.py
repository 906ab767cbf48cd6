"""Write files completely or not at all, and make temporary folders."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from aptdb.core.errors import NoRoomError, QuestionError
from aptdb.store.interrupts import interrupts_held


@contextmanager
def scratch_folder(place: Path | None = None) -> Iterator[Path]:
    """Yield a folder that exists within the block, in this place or in the system's.

    Raises NoRoomError if it cannot be made.
    """
    with room_for_scratch():
        if place is None:
            place = Path(tempfile.mkdtemp(prefix="aptdb-"))
        else:
            place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextmanager
def room_for_scratch() -> Iterator[None]:
    """Raise NoRoomError if the block fails because a temporary file cannot be written."""
    try:
        yield
    except OSError as error:
        raise NoRoomError(
            f"temporary files cannot be written: {error.strerror or error}; set TMPDIR to a folder with enough space"
        ) from error


def new_scratch() -> Path:
    """Return an unguessable path for a temporary folder, which is not made."""
    with room_for_scratch():
        return Path(tempfile.gettempdir(), f"aptdb-{secrets.token_hex(16)}").absolute()


@cache
def own_folder(temp: Path, file: Path, process: int) -> Path:
    """Return the path of the folder for DuckDB's temporary files, below the one that the user named; DuckDB makes it.

    Statements may read all that is in DuckDB's folder, and its files have the same names in each lexicon and process.
    Connections of a process to one file share the folder.
    """
    return temp.absolute() / f"aptdb-{secrets.token_hex(16)}"


ENDINGS = ("", ".wal", ".wal.checkpoint", ".wal.recovery")  # of a database file and those beside it

# What would cut a name in two in a file of text: for tools that read lines or cells, and for tools that read words.
LINE_ENDS = r"[\x{9}-\x{d}\x{1c}-\x{1e}\x{85}\x{2028}\x{2029}]"
WHITE_SPACE = r"[\x{9}-\x{d}\x{1c}-\x{1f}\x{85}\p{Z}]"
NOTHING = r"[^\s\S]"
FIRST_BLOCKS = 3 * 4096  # how a file of DuckDB begins, before anything is in it


def with_log(file: Path) -> list[Path]:
    """Return a database file and the files that DuckDB makes beside it, also for a link."""
    places = dict.fromkeys([file, Path(os.path.realpath(file))])
    return [each.with_name(f"{each.name}{ending}") for each in places for ending in ENDINGS]


def leave_no_empty_file(file: Path) -> None:
    """Delete the first blocks of a file that DuckDB could not create."""
    with suppress(OSError):
        if file.stat().st_size <= FIRST_BLOCKS:
            file.unlink()


def name_until(file: Path, state: str) -> Path:
    """Return the temporary name of a file that is being written; no other file or link can have this name."""
    return file.with_name(f"{file.name}.{secrets.token_hex(8)}.{state}")


def overwrite(file: Path, content: bytes) -> None:
    """Write or replace a file under a temporary name first. Raise QuestionError."""
    unfinished = name_until(file, "unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise QuestionError(f"{file} cannot be written: {error.strerror}") from error


@contextmanager
def written_whole(files: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield temporary files; they are renamed at the end, or deleted after an error."""
    unfinished = [name_until(file, "unfinished") for file in files]
    try:
        yield unfinished
        with interrupts_held():
            give_names(unfinished, files)
    except OSError as error:
        raise QuestionError(f"{files[0]} cannot be written: {error.strerror or error}") from error
    finally:
        for each in unfinished:
            each.unlink(missing_ok=True)


def give_names(unfinished: Sequence[Path], files: Sequence[Path]) -> None:
    """Rename all files, the first one last: if it exists, all exist."""
    done: list[Path] = []
    try:
        for old, new in reversed([*zip(unfinished, files, strict=True)]):
            refuse_taken_place(new)
            old.rename(new)
            done.append(new)
    except BaseException:
        for each in done:
            each.unlink(missing_ok=True)
        raise


def refuse_taken_place(file: Path) -> None:
    """Raise QuestionError if the file exists, or its folder does not."""
    if file.exists():
        raise QuestionError(f"{file} exists already; delete it, or name another file")
    if not file.parent.is_dir():
        raise QuestionError(f"no folder {file.parent}; make it first, or name another place")


def as_local(file: Path) -> str:
    """Return a file as a local path for DuckDB: 'md:x.duckdb' alone would be a database elsewhere."""
    is_plain = file.is_absolute() or ":" not in str(file) or str(file) == ":memory:"
    return str(file) if is_plain else f"./{file}"
