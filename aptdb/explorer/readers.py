"""Who asks: lexicons that are open on a copy, one for each thread; and what exchanges the copy for a newer one."""

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from aptdb.errors import AptError, LexiconError, QuestionError
from aptdb.explorer.known_neighbours import NAME, KnownNeighbours, can_find, finding
from aptdb.explorer.snapshot import (
    Snapshot,
    StillChangingError,
    copied,
    first_snapshot,
    kept_weights,
    place_of,
    state_of,
    weighing,
)
from aptdb.lexicon import Lexicon
from aptdb.store.limits import Limits

LOOK = 1.0  # seconds between two looks at the file
AT_ONCE = max(2, os.cpu_count() or 1)  # questions
LONGEST = 60.0  # seconds of a page's questions


class TooLongError(QuestionError):
    """A question took too long, and was stopped."""


class Copy:
    """A copy that is asked: its lexicons that nobody uses now, and how many are in use."""

    def __init__(self, snapshot: Snapshot, limits: Limits) -> None:
        self.snapshot, self.limits = snapshot, limits
        self.near = KnownNeighbours(snapshot.file.with_name(NAME))
        self.idle: list[Lexicon] = []
        self.used = 0
        self.is_over = False

    def opened(self) -> Lexicon:
        """A lexicon on this copy. Raises LexiconError."""
        return Lexicon.open(self.snapshot.file, memory=self.limits.memory, temp=self.limits.temp)

    def close(self) -> None:
        """Close what is open, and delete the copy."""
        for lexicon in self.idle:
            lexicon.close()
        self.near.close()
        self.snapshot.delete()


class Readers:
    """The readers of a lexicon. The file itself is never kept open: who adds to it never waits for them.

    said: is told what goes wrong while a new copy is made; the old one is asked then.
    """

    def __init__(
        self, file: Path, limits: Limits, *, quick: bool = True, said: Callable[[str], None] = lambda _: None
    ) -> None:
        """Make a copy and begin to look for changes.

        quick: whether weights are kept in the copy. Raises LexiconError.
        """
        self.file, self._limits, self._quick, self._said = file, limits, quick, said
        self._place = place_of(file, limits.temp)
        self._lock, self._room, self._ended = threading.Lock(), threading.Semaphore(AT_ONCE), threading.Event()
        self._copy = self._looked_at(first_snapshot(file, limits.temp))
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _looked_at(self, snapshot: Snapshot) -> Copy:
        """A copy that was opened once: two threads cannot both look for what strangers have put into it."""
        copy = Copy(snapshot, self._limits)
        try:
            copy.idle.append(copy.opened())
        except BaseException:
            snapshot.delete()
            raise
        return copy

    @property
    def copy_of_file(self) -> Path:
        """The copy that is asked now."""
        return self._copy.snapshot.file

    @contextmanager
    def reading(self, longest: float = LONGEST) -> Iterator[tuple[Lexicon, Copy]]:
        """A lexicon for the questions of the block alone, and its copy; at most AT_ONCE at the same time.

        Raises TooLongError after so many seconds.
        """
        with self._room:
            copy, lexicon = self._taken()
            stopped = threading.Event()
            timer = threading.Timer(longest, stop, (lexicon, stopped))
            timer.daemon = True
            timer.start()
            try:
                yield lexicon, copy
            except KeyboardInterrupt:
                if not stopped.is_set():
                    raise
                raise TooLongError(f"this took longer than {longest:.0f} seconds, and was stopped") from None
            finally:
                timer.cancel()
                self._given_back(copy, lexicon)

    @contextmanager
    def holding(self) -> Iterator[Path]:
        """The copy as a file that is there until the end of the block, for another process."""
        with self._lock:
            copy = self._copy
            copy.used += 1
        try:
            yield copy.snapshot.file
        finally:
            self._let_go(copy)

    def _taken(self) -> tuple[Copy, Lexicon]:
        """A lexicon on the newest copy."""
        with self._lock:
            copy = self._copy
            copy.used += 1
            lexicon = copy.idle.pop() if copy.idle else None
        try:
            return copy, lexicon or copy.opened()
        except BaseException:
            self._let_go(copy)
            raise

    def _given_back(self, copy: Copy, lexicon: Lexicon) -> None:
        """Keep a lexicon for the next question."""
        with self._lock:
            copy.idle.append(lexicon)
        self._let_go(copy)

    def _let_go(self, copy: Copy) -> None:
        """Note that one asks less; the last one of a copy that is over deletes it."""
        with self._lock:
            copy.used -= 1
            is_last = copy.is_over and not copy.used
        if is_last:
            copy.close()

    def _exchange(self, snapshot: Snapshot) -> None:
        """Ask another copy from now on."""
        new = self._looked_at(snapshot)
        with self._lock:
            old, self._copy = self._copy, new
            old.is_over = True
            is_free = not old.used
        if is_free:
            old.close()

    def _watch(self) -> None:
        """Make the first copy quick, and then a new one whenever the file has changed."""
        seen, is_quick = self._copy.snapshot.state, not self._quick
        while not self._ended.is_set():
            with suppress(OSError):  # the file may be away for a moment, while it is written anew
                if (now := state_of(self.file)) != seen or not is_quick:
                    seen = self._made(now, seen)
                    is_quick = True
                    self._find_neighbours()
            self._ended.wait(LOOK)

    def _made(self, now: bytes, seen: bytes) -> bytes:
        """Make a new copy, and ask it; the state of the file up to which that is done."""
        snapshot = None
        try:
            snapshot = copied(self.file, self._place)
            weights = kept_weights(snapshot.file)
            if self._quick and not weights:
                self._wait(weighing(snapshot.file, self._limits))
                weights = kept_weights(snapshot.file)
            snapshot = replace(snapshot, weights=weights)
        except StillChangingError:
            return seen
        except AptError as error:
            self._said(f"the pages stay as they were: {error}")
            if snapshot:
                snapshot.delete()
            return now
        if self._ended.is_set():
            snapshot.delete()
        else:
            self._exchange(snapshot)
        return snapshot.state

    def _find_neighbours(self) -> None:
        """Find the neighbours of all frequent lexemes beforehand, where that takes seconds."""
        copy = self._copy.snapshot
        if self._quick and copy.weights and can_find():
            try:
                self._wait(finding(copy.file, copy.weights, self._limits))
            except LexiconError as error:
                self._said(f"neighbours are found one by one: {error}")

    def _wait(self, begun: "subprocess.Popen[str]") -> None:
        """Wait for a process, which ends when the readers are closed. Raises LexiconError if it fails."""
        with begun as process:
            while not self._ended.is_set():
                with suppress(subprocess.TimeoutExpired):
                    _, said = process.communicate(timeout=LOOK)
                    break
            else:
                process.terminate()
                process.wait()
                return
        if process.returncode:
            raise LexiconError(said.strip().rpartition("\n")[2].removeprefix("aptdb: "))

    def close(self) -> None:
        """Close what is open, and delete the copy. Who still asks is stopped."""
        self._ended.set()
        self._watcher.join()
        with self._lock:
            copy, copy.is_over = self._copy, True
        copy.close()


def stop(lexicon: Lexicon, stopped: threading.Event) -> None:
    """Stop the question that a lexicon answers."""
    stopped.set()
    lexicon.interrupt()
