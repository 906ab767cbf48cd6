"""Count on this machine: a thread for each task."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from aptdb.distributed.run_watch import Follow
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.limits import LEAST, Limits

PIECES_OF_TASK = 8  # or fewer: the counts of a task are summed before they are written


class StoppedError(Exception):
    """A task ended because another one failed."""


class Threads:
    """An engine that counts in threads of this machine.

    folder: of the tables. limits: their memory is shared among the threads. follow: called, by one thread at a time,
    with the bytes read and the tokens counted so far.
    """

    def __init__(self, folder: Path, limits: Limits, follow: Follow) -> None:
        self._follow = follow
        self._read = self._tokens = 0
        self._workers = max(1, min(os.cpu_count() or 1, limits.memory // LEAST))
        self._stopped = threading.Event()
        self._one_at_a_time = threading.Lock()
        self.memory = max(LEAST, limits.memory // self._workers)
        self.scratch: str | None = str(folder / UNFINISHED)

    def tasks(self, pieces: int) -> int:
        """Return how many tasks should count a number of pieces."""
        return max(self._workers, pieces // PIECES_OF_TASK)

    def map(self, step: str, task: Callable[..., Any], values: Sequence[Any]) -> list[Any]:
        """Return what a task returns for each value, in as many threads as there are processors."""
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                found = [pool.submit(task, each, self._hear) for each in values]
                wait(found, return_when=FIRST_EXCEPTION)
                if any(each.done() and each.exception() for each in found):
                    self._stopped.set()
                    wait(found)
                # In the order of the corpus: of several faults the first is reported.
                return [each.result() for each in found if not isinstance(each.exception(), StoppedError)]
            except BaseException:
                self._stopped.set()
                pool.shutdown(cancel_futures=True)
                raise

    def _hear(self, read: int, tokens: int) -> None:
        """Report more bytes and tokens. Raise StoppedError when another task has failed, or the user has stopped."""
        if self._stopped.is_set():
            raise StoppedError
        if read or tokens:
            with self._one_at_a_time:
                self._read, self._tokens = self._read + read, self._tokens + tokens
                self._follow(self._read, self._tokens, "")
