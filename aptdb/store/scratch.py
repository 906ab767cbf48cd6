"""Temporary folders, and the error if there is no space for them."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
