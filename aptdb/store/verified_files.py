"""Cache of verified lexicons: their macros and views are those of this version, until the file changes.

Verifying a lexicon takes as long as a short question, and a command asks only one question. So the results are kept in
the user's cache; and before a lexicon is written that its counts have the same sums, or were written by this version.
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
SUMMED = "/summed "  # before the path of a file whose counts have the same sums; no path begins so
MOST = 200  # files that are kept; the oldest are forgotten first
State = list[list[int]]

_known: dict[str, State] = {}


def is_verified(file: Path, what: str = "") -> bool:
    """Return whether this version has verified or written a file, and the file has not changed since.

    what: SUMMED for its counts, else its macros and views.
    """
    return bool(known_state(file, what))


def known_state(file: Path, what: str = "") -> State:
    """Return the state of a file that is verified and has not changed since; [] for any other.

    It stays known in this process: other commands may take it out of the cache at any moment.
    """
    key, state = what + path_as_key(file), fingerprint_file(file)
    if state != _known.get(key):
        if state != verified_states().get(key):
            return []
        _known[key] = state
    return state


def trust(file: Path, state: State) -> None:
    """Note the state of a file that another process has verified, and passed on to this one."""
    _known[path_as_key(file)] = state


def record_verified(file: Path, *, is_summed: bool = False) -> None:
    """Record that a file is verified: its macros and views are those of this version. is_summed: its counts too."""
    new = dict.fromkeys(["", SUMMED] if is_summed else [""], fingerprint_file(file))
    new = {what + path_as_key(file): state for what, state in new.items()}
    _known.update(new)
    others = {key: state for key, state in verified_states().items() if key not in new}
    user_cache.write_cached(name(), dict([*others.items(), *new.items()][-MOST:]))


def verified_states() -> dict[str, State]:
    """Return the states of verified files, the newest last."""
    found = user_cache.read_cached(name())
    return found if isinstance(found, dict) else {}


@cache
def name() -> str:
    """Return the name of the cache; other definitions have another one."""
    return f"verified-{CHECKS}-{__version__}-{definitions_digest()[:16]}-{duckdb.__version__}"


def path_as_key(file: Path) -> str:
    """Return the absolute path of a file."""
    return os.path.abspath(without_dots(file))


def fingerprint_file(file: Path) -> State:
    """Return a value that changes when a file or its write-ahead log is written, replaced or touched."""
    found = []
    for each in with_log(Path(path_as_key(file))):
        with suppress(OSError):
            status = each.stat()
            found.append([status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns])
    return found
