"""Which process has a file: a lock that ends with it, however it ends; and what a name says of who made the file."""

import os
import platform
from contextlib import suppress
from functools import cache
from hashlib import sha256
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


@cache
def where_processes_are() -> str:
    """Return a digest of the machine and the container: numbers of processes mean something there alone."""
    namespace = ""
    with suppress(OSError):
        namespace = os.readlink("/proc/self/ns/pid")
    return sha256(f"{platform.node()} {namespace}".encode()).hexdigest()[:8]


def is_running(process: int) -> bool:
    """Return whether a process exists, or may exist."""
    if not hasattr(os, "getuid"):  # Windows, where this would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
