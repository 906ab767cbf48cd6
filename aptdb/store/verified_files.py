"""Cache of lexicons whose macros and views were verified as those of this version, each until its file changes.

To verify a lexicon takes as long as a short question, and a command asks only one. So the result is kept in the user's
cache, for the definitions of this version.
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

MOST = 100  # files that are kept; the oldest are forgotten first
State = list[list[int]]

_known: dict[str, State] = {}


def is_known(file: Path) -> bool:
    """Return whether this version verified or wrote a file, and nobody has changed it since."""
    state = state_of(file)
    return bool(state) and state in (_known.get(key_of(file)), verified_states().get(key_of(file)))


def note(file: Path) -> None:
    """Note that a file is verified: it has no macros and views but those of this version."""
    _known[key_of(file)] = state_of(file)
    others = {key: state for key, state in verified_states().items() if key != key_of(file)}
    user_cache.write(name(), {**dict([*others.items()][1 - MOST :]), key_of(file): state_of(file)})


def verified_states() -> dict[str, State]:
    """Return the state of each verified file, the newest at the end."""
    found = user_cache.read(name())
    return found if isinstance(found, dict) else {}


@cache
def name() -> str:
    """Return the name of the cache, which other definitions do not share."""
    return f"verified-{__version__}-{definitions_digest()[:16]}-{duckdb.__version__}"


def key_of(file: Path) -> str:
    """Return the absolute path of a file."""
    return os.path.abspath(file)


def state_of(file: Path) -> State:
    """Return what changes when a file, or its write-ahead log, is written, replaced or given other times."""
    found = []
    for each in with_log(file):
        with suppress(OSError):
            status = each.stat()
            found.append([status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns])
    return found
