"""Cache of verified lexicons: their macros and views are those of this version, until the file changes.

Verifying a lexicon takes as long as a short question, and a command asks only one question. So the results are kept in
the user's cache.
"""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from aptdb.store import user_cache
from aptdb.store.definitions import definitions_digest
from aptdb.store.engine import duckdb
from aptdb.store.file_writing import with_log, without_dots
from aptdb.store.version import __version__

CHECKS = 2  # raised when more is verified, so that files are verified again
MOST = 100  # files that are kept; the oldest are forgotten first
State = list[list[int]]

_known: dict[str, State] = {}


def is_known(file: Path) -> bool:
    """Return whether this version has verified or written a file, and the file has not changed since."""
    state = state_of(file)
    return bool(state) and state in (_known.get(key_of(file)), verified_states().get(key_of(file)))


def note(file: Path) -> None:
    """Record that a file is verified: its macros and views are those of this version."""
    _known[key_of(file)] = state_of(file)
    others = {key: state for key, state in verified_states().items() if key != key_of(file)}
    user_cache.write(name(), {**dict([*others.items()][1 - MOST :]), key_of(file): state_of(file)})


def verified_states() -> dict[str, State]:
    """Return the states of verified files, the newest last."""
    found = user_cache.read(name())
    return found if isinstance(found, dict) else {}


@cache
def name() -> str:
    """Return the name of the cache; other definitions have another one."""
    return f"verified-{CHECKS}-{__version__}-{definitions_digest()[:16]}-{duckdb.__version__}"


def key_of(file: Path) -> str:
    """Return the absolute path of a file."""
    return os.path.abspath(without_dots(file))


def state_of(file: Path) -> State:
    """Return a value that changes when a file or its write-ahead log is written, replaced or touched."""
    found = []
    for each in with_log(Path(key_of(file))):
        with suppress(OSError):
            status = each.stat()
            found.append([status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns])
    return found
