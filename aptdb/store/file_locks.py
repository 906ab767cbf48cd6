"""A lock on an open file for one process alone, which the system takes back when the process ends, however it ends."""

from typing import IO, Any


def lock(opened: IO[Any]) -> None:
    """Lock an open file until it is closed. Raise OSError if another process has the lock, or the disk has none."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        opened.seek(0)
        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
