"""Temporary folders, and the error if there is no space for them."""

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from aptdb.errors import NoRoomError


@contextmanager
def scratch_folder(place: Path | None = None) -> Iterator[Path]:
    """A folder that exists within the block, in this place or anywhere. Raises NoRoomError if it cannot be made."""
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
    """Raise NoRoomError if a temporary file cannot be written within the block."""
    try:
        yield
    except OSError as error:
        raise NoRoomError(
            f"temporary files cannot be written: {error.strerror or error}; set TMPDIR to a folder with enough space"
        ) from error


def new_scratch() -> Path:
    """The path of a folder for temporary files that nobody can guess; it is not made."""
    with room_for_scratch():
        return Path(tempfile.gettempdir(), f"aptdb-{secrets.token_hex(16)}").absolute()


@cache
def own_folder(temp: Path, file: Path, process: int) -> Path:
    """The path of the folder for DuckDB's temporary files, below the one that the user named; DuckDB makes it.

    Statements may read all that is in DuckDB's folder, and its files have the same names in each lexicon and process.
    Connections of a process to one file share the folder.
    """
    return temp.absolute() / f"aptdb-{secrets.token_hex(16)}"
