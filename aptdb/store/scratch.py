"""Folders for what is needed for a while, and what to say where there is no room for it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aptdb.errors import NoRoomError


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that is there within the block. Raises NoRoomError where it cannot be made."""
    with room_for_scratch():
        folder = tempfile.TemporaryDirectory(prefix="aptdb-")
    with folder as name:
        yield Path(name)


@contextmanager
def room_for_scratch() -> Iterator[None]:
    """Raise NoRoomError where what is written within the block, to a temporary file, cannot be."""
    try:
        yield
    except OSError as error:
        raise NoRoomError(
            f"temporary files cannot be written: {error.strerror or error}; name a folder with room for them in TMPDIR"
        ) from error
