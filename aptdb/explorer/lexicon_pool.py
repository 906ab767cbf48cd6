"""Lexicons that are open on a copy, one for each thread; and the exchange of the copy for a newer one."""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from aptdb.core.errors import AptError, LexiconError, QuestionError
from aptdb.explorer.helper_processes import start_beside
from aptdb.explorer.kept_answers import NAME, TOP, WEIGHTS, KnownNeighbours, can_find, kept_weights
from aptdb.lexicon import Lexicon
from aptdb.store.lexicon_copies import (
    Snapshot,
    StillChangingError,
    copy_lexicon,
    find_folder_of_copies,
    first_snapshot,
    read_inode_and_header,
    read_tables,
    time_of_writing,
)
from aptdb.store.limits import Limits

TICK = 0.1  # seconds between two looks at who is to be stopped


class StoppedError(QuestionError):
    """A question was stopped: it took too long, or nobody waits for it any more."""


@dataclass(eq=False)
class Turn:
    """A question, or several of a page. is_stopped: whether it should end. lexicon: the lexicon that it asks now."""

    is_stopped: bool = False
    lexicon: Lexicon | None = None
    end: float = 0.0


class Turns:
    """All running questions. Pieces of pages may use only some of the places, so that a page need not wait."""

    def __init__(self, most: int, spare: int) -> None:
        self._all, self._pieces = threading.Semaphore(most + spare), threading.Semaphore(most)
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._asking = set[Turn]()
        threading.Thread(target=self._look, daemon=True).start()

    @contextmanager
    def place(self, turn: Turn, *, is_piece: bool) -> Iterator[None]:
        """Hold a place within the block. Raise StoppedError if the question is stopped while it waits for one."""
        wanted = [self._pieces, self._all] if is_piece else [self._all]
        taken = []
        try:
            for each in wanted:
                while not each.acquire(timeout=TICK):
                    self._refuse_stopped(turn)
                taken.append(each)
            self._refuse_stopped(turn)
            yield
        finally:
            for each in taken:
                each.release()

    @contextmanager
    def asking(self, turn: Turn, lexicon: Lexicon, longest: float) -> Iterator[None]:
        """Ask a lexicon within the block, with a time limit in seconds. Raise StoppedError."""
        with self._lock:
            turn.lexicon, turn.end = lexicon, time.monotonic() + longest
            self._asking.add(turn)
        try:
            yield
        except KeyboardInterrupt:
            self._refuse_stopped(turn)
            raise StoppedError(f"this took longer than {longest:.0f} seconds, and was stopped") from None
        finally:
            with self._lock:  # whoever asks this lexicon next is not meant
                self._asking.discard(turn)
                turn.lexicon = None

    def stop_all(self) -> None:
        """Stop all questions, and allow no more."""
        self._ended.set()

    def _refuse_stopped(self, turn: Turn) -> None:
        """Raise StoppedError if a question is stopped."""
        if turn.is_stopped or self._ended.is_set():
            raise StoppedError("this was stopped, because the page was closed")

    def _look(self) -> None:
        """Interrupt stopped and slow questions, repeatedly: they may be between two statements."""
        while True:
            with self._lock:
                for turn in self._asking:
                    is_over = turn.is_stopped or self._ended.is_set() or time.monotonic() > turn.end
                    if is_over and turn.lexicon is not None:
                        turn.lexicon.interrupt()
                if self._ended.is_set() and not self._asking:
                    return
            time.sleep(TICK)


LOOK = 1.0  # seconds between two looks at the file
AWAY = 3.0  # seconds, after which a file that is missing was deleted: for a moment it may be, while it is written anew
AT_ONCE = max(2, os.cpu_count() or 1)  # pieces of pages
SPARE = 2  # more, for pages without their pieces
LONGEST = 30.0  # seconds of the questions of a page or piece
LATER = 30.0  # seconds until a copy is tried again that could not be made
PATIENCE = 5.0  # seconds for questions that were stopped


class Copy:
    """A copy of the lexicon: its kept weights, its idle open lexicons, and the number of those in use."""

    def __init__(self, snapshot: Snapshot, limits: Limits, weights: str | None = None) -> None:
        self.snapshot, self.limits, self.weights = snapshot, limits, weights
        self.near = KnownNeighbours(snapshot.file.with_name(NAME))
        self.idle: list[Lexicon] = []
        self.used = 0
        self.is_over = False

    def opened(self) -> Lexicon:
        """Return a lexicon open on this copy. Raise LexiconError."""
        return Lexicon.open(self.snapshot.file, memory=self.limits.memory, temp=self.limits.temp)

    def is_lost(self) -> bool:
        """Return whether somebody has deleted the copy."""
        return not self.snapshot.file.exists()

    def close(self) -> None:
        """Close all lexicons, and delete the copy."""
        for lexicon in self.idle:
            lexicon.close()
        self.near.close()
        self.snapshot.delete()


class Readers:
    """The readers of a lexicon. The file itself is never kept open, so writers never wait for readers.

    report: called when a new copy fails; the old one is asked then. behind: the same message, for pages; '' while they
    are as new as the file.
    """

    def __init__(
        self, file: Path, limits: Limits, *, quick: bool = True, report: Callable[[str], None] = lambda _: None
    ) -> None:
        """Make a copy and begin to watch for changes.

        quick: whether weights are kept in the copy. Raises LexiconError.
        """
        self.file, self._limits, self._quick, self._report = file, limits, quick, report
        self.behind = ""
        self._place = find_folder_of_copies(file, limits.temp)
        self._missing_since: float | None = None
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._copy = self._looked_at(first_snapshot(file, limits.temp))
        self._turns = Turns(AT_ONCE, SPARE)
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _looked_at(self, snapshot: Snapshot, weights: str | None = None) -> Copy:
        """Return a copy that was opened once: two threads cannot both verify its definitions."""
        copy = Copy(snapshot, self._limits, weights)
        try:
            copy.idle.append(copy.opened())
        except BaseException as error:  # also Ctrl-C
            snapshot.delete()
            if isinstance(error, LexiconError):
                raise LexiconError(str(error).replace(str(snapshot.file), str(self.file))) from None
            raise
        return copy

    @property
    def copy_of_file(self) -> Path:
        """Return the current copy."""
        return self._copy.snapshot.file

    @contextmanager
    def reading(
        self, turn: Turn | None = None, *, is_piece: bool = False, longest: float = LONGEST
    ) -> Iterator[tuple[Lexicon, Copy]]:
        """Yield a lexicon for the questions of the block, and its copy.

        Raises StoppedError after a number of seconds, or when the turn is stopped.
        """
        own = turn or Turn()
        with self._turns.place(own, is_piece=is_piece), self._using() as copy:
            lexicon = self._taken(copy)
            try:
                with self._turns.asking(own, lexicon, longest):
                    yield lexicon, copy
            finally:
                with self._lock:
                    copy.idle.append(lexicon)

    @contextmanager
    def holding(self) -> Iterator[Path]:
        """Yield the copy as a file that exists until the end of the block, for another process."""
        with self._using() as copy:
            yield copy.snapshot.file

    @contextmanager
    def _using(self) -> Iterator[Copy]:
        """Yield the newest copy; the last user of an old one deletes it."""
        with self._lock:
            copy = self._copy
            copy.used += 1
        try:
            yield copy
        finally:
            with self._lock:
                copy.used -= 1
                is_last = copy.is_over and not copy.used
            if is_last:
                copy.close()

    def _taken(self, copy: Copy) -> Lexicon:
        """Return a lexicon on a copy. Raise LexiconError."""
        with self._lock:
            if copy.idle:
                return copy.idle.pop()
        try:
            return copy.opened()
        except LexiconError:
            if copy.is_lost():
                raise LexiconError(f"the copy of {self.file} was deleted; a new one is made: ask again soon") from None
            raise

    def _exchange(self, snapshot: Snapshot, weights: str | None) -> None:
        """Use another copy from now on. Raise LexiconError."""
        new = self._looked_at(snapshot, weights)
        with self._lock:
            old, self._copy = self._copy, new
            old.is_over = True
            is_free = not old.used
        if is_free:
            old.close()

    def _watch(self) -> None:
        """Make the first copy quick, and then a new one whenever the file has changed."""
        done, again = (b"" if self._quick else self._copy.snapshot.state), 0.0
        read = time_of_writing(self.file)
        while not self._ended.is_set():
            now = self._state()
            if self._copy.is_lost():
                done = b""
            if now is not None and now != done and time.monotonic() >= again:
                read = time_of_writing(self.file)
                if self._make(now):
                    done = now
                    self._find_neighbours(now)
                else:
                    again = time.monotonic() + (LOOK if not self.behind else LATER)
            found = time_of_writing(self.file)
            if now == done and found != read and found is not None and found.is_quiet():
                read = found
                self._read_again(now)
            self._ended.wait(LOOK)

    def _state(self) -> bytes | None:
        """Return the state of the file; None, and a note after some seconds, while it is missing."""
        try:
            now = read_inode_and_header(self.file)
        except OSError as error:
            self._missing_since = self._missing_since or time.monotonic()
            if time.monotonic() - self._missing_since > AWAY:
                self._fall_behind(f"{self.file} cannot be read: {error.strerror}")
            return None
        if self._missing_since is not None:
            self._missing_since, self.behind = None, ""
        return now

    def _read_again(self, now: bytes) -> None:
        """Note whether the file can still be read whole, after bytes of it changed and its header did not."""
        try:
            snapshot = copy_lexicon(self.file, self._place)
        except (AptError, OSError):  # it is written, or there is no room
            return
        try:
            if snapshot.state == now:
                read_tables(snapshot.file, self.file)
            self.behind = ""
        except AptError as error:
            self._fall_behind(str(error))
        finally:
            snapshot.delete()

    def _make(self, now: bytes) -> bool:
        """Make and use a new copy; return whether that succeeded. now: the state of the file."""
        snapshot = None
        try:
            snapshot = self._copied(now)
            weights = kept_weights(snapshot.file)
            if self._quick and not weights:
                words = ["weigh", str(snapshot.file), WEIGHTS, "--scheme", "ppmi", "--keep"]
                self._try(words, now, "neighbours are slow, because weights cannot be stored")
                weights = kept_weights(snapshot.file)
            if self._ended.is_set():
                snapshot.delete()
                return False
            self._exchange(snapshot, weights)
        except StillChangingError:
            return False
        except (AptError, OSError) as error:
            why = str(error)
            if snapshot:
                snapshot.delete()
                why = why.replace(str(snapshot.file), str(self.file))
            self._fall_behind(why)
            return False
        self.behind = ""
        return True

    def _copied(self, now: bytes) -> Snapshot:
        """Return a copy of the file.

        If the file has not changed, copy the current copy, whose write-ahead log is not in the file.
        """
        if self._copy.is_lost():
            return first_snapshot(self.file, self._limits.temp)
        if now == self._copy.snapshot.state:
            return replace(copy_lexicon(self._copy.snapshot.file, self._place, with_log=True), state=now)
        return copy_lexicon(self.file, self._place)

    def _fall_behind(self, why: str) -> None:
        """Note why pages are older than the file; report it once."""
        message = f"the pages cannot be renewed: {why}"
        if message != self.behind:
            self._report(message)
        self.behind = message

    def _find_neighbours(self, now: bytes) -> None:
        """Compute the neighbours of all frequent lexemes beforehand, if that takes only seconds."""
        copy = self._copy
        if self._quick and copy.weights and can_find():
            file, wanted = copy.snapshot.file, ["--all", "--top", str(TOP), "--weights", copy.weights]
            words = ["neighbours", str(file), *wanted, "-o", str(file.with_name(NAME))]
            self._try(words, now, "neighbours are found one by one")

    def _try(self, words: list[str], now: bytes, problem: str) -> None:
        """Run a command that makes questions faster. If it fails, they are only slower; report it as a problem."""
        try:
            self._wait(start_beside(words, self._limits), now)
        except (LexiconError, OSError) as error:
            self._report(f"{problem}: {error}")

    def _wait(self, begun: "subprocess.Popen[str]", now: bytes) -> None:
        """Wait for a process. Raise LexiconError if it fails.

        It ends when the readers are closed, and when the file changes: what it makes is of the state `now`.
        """
        with begun as process:
            while process.poll() is None:
                if self._ended.wait(TICK) or self._state() not in (None, now):
                    process.terminate()
                    process.wait()
                    return
            message = process.stderr.read() if process.stderr else ""
        if process.returncode:
            raise LexiconError(message.strip().rpartition("\n")[2].removeprefix("aptdb: "))

    def stop_all(self) -> None:
        """Stop all who ask, and let nobody ask any more."""
        self._ended.set()
        self._turns.stop_all()

    def close(self) -> None:
        """Close everything, and delete the copy. Running questions are stopped."""
        self.stop_all()
        self._watcher.join()
        until = time.monotonic() + PATIENCE
        while self._copy.used and time.monotonic() < until:
            time.sleep(TICK)
        self._copy.close()
