"""Lexicons that this process has open for reading: they are verified, and nobody can write them before they are closed.

DuckDB refuses a second connection of a process to a file in another mode, and verifying is one. So who opens a lexicon
again gets a further connection of one that is open, whatever caches say; and no two threads open one file at once.
"""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from weakref import WeakKeyDictionary

from aptdb.core.errors import LexiconError
from aptdb.store.database import Database
from aptdb.store.limits import Limits
from aptdb.store.verified_files import path_as_key

Identity = tuple[int, int] | None  # of a file, by any of its names; None if it is missing
Mode = tuple[object, ...]  # what all connections of a process to a file have in common

_changing = threading.Lock()
_turns: dict[str, threading.RLock] = {}  # by file: who may open it
_opened: dict[str, WeakKeyDictionary[Database, tuple[Identity, Mode]]] = {}  # by file; some are closed since


def identity_of(file: Path) -> Identity:
    """Return what distinguishes a file from one that takes its place; None if it is missing."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def mode_of(limits: Limits, *, confined: bool, attached: Mapping[str, Path]) -> Mode:
    """Return the mode of a lexicon that is opened for reading."""
    others = [(name, path_as_key(file), identity_of(file)) for name, file in attached.items()]
    return limits.of_duckdb(), limits.temp, confined, others


def open_again(file: Path, mode: Mode, open_first: Callable[[], Database | None]) -> Database | None:
    """Return a further connection of a lexicon that is open in this mode, or else open it. Raise LexiconError.

    open_first: a function that verifies and opens the lexicon; None if there is no file.
    """
    with _turn(file):
        found = connect_again(file, mode) or open_first()
        if found is not None:
            with _changing:
                _opened.setdefault(path_as_key(file), WeakKeyDictionary())[found] = identity_of(file), mode
        return found


def connect_again(file: Path, mode: Mode | None = None) -> Database | None:
    """Return a further connection of a lexicon that is open, in this mode or any; None if there is none.

    Raises LexiconError if another file has taken its place: DuckDB would go on reading the first one.
    """
    now = identity_of(file)
    with _changing:
        here = [*_opened.setdefault(path_as_key(file), WeakKeyDictionary()).items()]
    for database, (identity, how) in here:
        if now is None or not database.is_open:
            continue
        if identity != now:
            raise LexiconError(f"{file} was replaced while this process has it open; close it there first")
        if mode in (None, how) and (found := database.again()) is not None:
            return found
    return None


def _turn(file: Path) -> threading.RLock:
    """Return the lock of those who open a file."""
    with _changing:
        return _turns.setdefault(path_as_key(file), threading.RLock())
