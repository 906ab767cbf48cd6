"""Which lexicons have been looked at, and found with no other macros and views than ours: until somebody changes them.

To look takes as long as a short question, and a command asks only one. So it is remembered between processes, for the
definitions of this version.
"""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

import duckdb

from aptdb.store import user_cache
from aptdb.store.definitions import definitions_digest
from aptdb.store.file_writing import with_log
from aptdb.store.version import __version__

MOST = 100  # files that are remembered
State = list[list[int]]

_known: dict[str, State] = {}


def is_known(file: Path) -> bool:
    """Return whether this version has looked at a file, or written it, and nobody has changed it since."""
    state = state_of(file)
    return bool(state) and state in (_known.get(key_of(file)), remembered_states().get(key_of(file)))


def note(file: Path) -> None:
    """Note that a file has no other macros and views than ours."""
    _known[key_of(file)] = state_of(file)
    others = {key: state for key, state in remembered_states().items() if key != key_of(file)}
    user_cache.write(name(), {**dict([*others.items()][1 - MOST :]), key_of(file): state_of(file)})


def remembered_states() -> dict[str, State]:
    """Return the files that were looked at, the last at the end, each with its state."""
    found = user_cache.read(name())
    return found if isinstance(found, dict) else {}


@cache
def name() -> str:
    """Under what files are remembered: others are for other definitions."""
    return f"looked-at-{__version__}-{definitions_digest()[:16]}-{duckdb.__version__}"


def key_of(file: Path) -> str:
    """Return a file by its whole path."""
    return os.path.abspath(file)


def state_of(file: Path) -> State:
    """Return what changes when a file, or the log beside it, is written, replaced or given other times."""
    found = []
    for each in with_log(file):
        with suppress(OSError):
            status = each.stat()
            found.append([status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns])
    return found
