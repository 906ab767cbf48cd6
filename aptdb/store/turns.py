"""Threads that share an open lexicon: many that ask at once, or one that writes."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from aptdb.core.errors import InUseError


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
