"""Whose turn it is to ask: so many questions at the same time, each for so long, and each can be stopped."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from aptdb.core.errors import QuestionError
from aptdb.lexicon import Lexicon

TICK = 0.1  # seconds between two looks at who is to be stopped


class StoppedError(QuestionError):
    """A question was stopped: it took too long, or nobody waits for it any more."""


@dataclass(eq=False)
class Turn:
    """A question, or several of a page. is_stopped: whether it is to end. lexicon: what it asks now."""

    is_stopped: bool = False
    lexicon: Lexicon | None = None
    end: float = 0.0

    def stop(self) -> None:
        """Let it end soon."""
        self.is_stopped = True


class Turns:
    """The turns of all who ask. Pieces of pages have fewer places than there are, so that a page need not wait."""

    def __init__(self, most: int, spare: int) -> None:
        self._all, self._pieces = threading.Semaphore(most + spare), threading.Semaphore(most)
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._asking = set[Turn]()
        threading.Thread(target=self._look, daemon=True).start()

    @contextmanager
    def place(self, turn: Turn, *, is_piece: bool) -> Iterator[None]:
        """Give a place, within the block. Raises StoppedError if the question is stopped while it waits for one."""
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
        """Ask a lexicon within the block, for so many seconds. Raises StoppedError."""
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
        """Stop all who ask, and let nobody ask any more."""
        self._ended.set()

    def _refuse_stopped(self, turn: Turn) -> None:
        """Raise StoppedError if a question is stopped."""
        if turn.is_stopped or self._ended.is_set():
            raise StoppedError("this was stopped, because nobody waited for it")

    def _look(self) -> None:
        """Interrupt what is stopped or takes too long, again and again: it may be between two statements."""
        while True:
            with self._lock:
                for turn in self._asking:
                    is_over = turn.is_stopped or self._ended.is_set() or time.monotonic() > turn.end
                    if is_over and turn.lexicon is not None:
                        turn.lexicon.interrupt()
                if self._ended.is_set() and not self._asking:
                    return
            time.sleep(TICK)
