"""Temporary folders, and the error if there is no space for them."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aptdb.errors import NoRoomError


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that exists within the block. Raises NoRoomError if it cannot be made."""
    with room_for_scratch():
        folder = tempfile.TemporaryDirectory(prefix="aptdb-")
    with folder as name:
        yield Path(name)


@contextmanager
def room_for_scratch() -> Iterator[None]:
    """Raise NoRoomError if a temporary file cannot be written within the block."""
    try:
        yield
    except OSError as error:
        raise NoRoomError(
            f"temporary files cannot be written: {error.strerror or error}; set TMPDIR to a folder with enough space"
        ) from error
