"""What this process knows of lexicons' files: which are verified, which are open, and which thread uses an open one.

The macros and views of a verified lexicon are those of this version, until its file changes. Verifying one takes as
long as a short question, and a command asks only one question. So the results are kept in the user's cache; and that
the counts of a lexicon have the same sums, or were written by this version, before it is written.

Lexicons that are open for reading are verified, and nobody can write them before they are closed. DuckDB refuses a
second connection of a process to a file in another mode, and verifying is one. So who opens a lexicon again gets a
further connection of one that is open, whatever caches say; and no two threads open one file at once.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

from aptdb.core.errors import InUseError, LexiconError
from aptdb.store import user_cache
from aptdb.store.database import Database
from aptdb.store.definitions import definitions_digest
from aptdb.store.file_writing import with_log, without_dots
from aptdb.store.lazy_imports import duckdb
from aptdb.store.limits import Limits
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
    with _changing:
        turn = _turns.setdefault(path_as_key(file), threading.RLock())
    with turn:
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


class Turns:
    """Who uses a session: threads that ask, by their number of questions within each other, or one that is alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._asking: Counter[int] = Counter()
        self._alone: int | None = None

    @contextmanager
    def asking(self, what: str) -> Iterator[None]:
        """Ask within the block, at the same time as other threads. Raise InUseError while another one is alone."""
        own = threading.get_ident()
        with self._changed:
            self._refuse_other(own, what)
            self._asking[own] += 1
        try:
            yield
        finally:
            with self._changed:
                self._asking[own] -= 1
                if not self._asking[own]:
                    del self._asking[own]
                self._changed.notify_all()

    @contextmanager
    def alone(self, what: str) -> Iterator[None]:
        """Be alone within the block, after the questions of other threads. Raise InUseError if another one is."""
        own = threading.get_ident()
        with self._changed:
            self._refuse_other(own, what)
            before, self._alone = self._alone, own
            try:
                while self._asking.keys() - {own}:
                    self._changed.wait()
            except BaseException:
                self._alone = before
                raise
        try:
            yield
        finally:
            with self._changed:
                self._alone = before
                self._changed.notify_all()

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Be alone within the block, after all that other threads do has ended."""
        own = threading.get_ident()
        with self._changed:
            while self._alone not in (None, own) or self._asking.keys() - {own}:
                self._changed.wait()
            yield

    def _refuse_other(self, own: int, what: str) -> None:
        """Raise InUseError if another thread is alone."""
        if self._alone not in (None, own):
            raise InUseError(f"{what} is being written by another thread of this program; ask again when it is done")
