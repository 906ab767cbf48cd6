"""Ctrl-C and SIGTERM: both stop the running statement, and leave nothing half done."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from queue import SimpleQueue
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE = 2  # seconds for a question to end that was interrupted
SOON = 0.01  # seconds, until Python is out of what cannot raise anything
AWAKE = 0.5  # seconds until a signal is heard that arrived just before Python waited
AGAIN = 0.1  # seconds until what goes on all the same is interrupted again
SIGNALS = (signal.SIGINT, signal.SIGTERM)
ALL_WRITTEN = "stopped, but only after everything was written"

Work = SimpleQueue[Callable[[], None] | None]

_received: list[int] = []
_idle: list[Work] = []  # queues of threads that wait for work
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_idle.clear)  # a child has none of its parent's threads


def stop(number: int, _: FrameType | None) -> None:
    """Handle a signal: note its number and raise KeyboardInterrupt."""
    _received.append(number)
    raise KeyboardInterrupt


def status() -> int:
    """Return the exit status after a signal, as shells expect it: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + (_received[-1] if _received else signal.SIGINT)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM until the end of the block. Only Python's main thread receives signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {each: signal.signal(each, lambda number, _: came.append(number)) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler if handler is not None else signal.SIG_DFL)
    for number in dict.fromkeys(came):
        signal.raise_signal(number)


@contextmanager
def interrupts_held_at_end() -> Iterator[Callable[[], None]]:
    """Yield a function to call when nothing can be undone any more: it delays signals to the end of the block.

    The KeyboardInterrupt then says that all was written.
    """
    with ExitStack() as cleaning:
        held = cleaning.enter_context(ExitStack())
        yield lambda: held.enter_context(interrupts_held())
        try:
            held.close()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(ALL_WRITTEN) from None


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Turn Ctrl-C and SIGTERM into KeyboardInterrupt within the block, so that files are closed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _received.clear()
    before, ignore = {each: signal.signal(each, stop) for each in SIGNALS}, sys.unraisablehook
    sys.unraisablehook = partial(raise_later, ignore)
    try:
        yield
    finally:
        sys.unraisablehook = ignore
        for each, handler in before.items():
            signal.signal(each, handler)


def raise_later(ignore: Callable[[Any], object], unraisable: Any) -> None:
    """Send a signal again that arrived while Python could not raise, e.g. while an object was deleted."""
    if unraisable.exc_type is KeyboardInterrupt and _received:
        threading.Timer(SOON, send, (_received[-1],)).start()
    else:
        ignore(unraisable)


def send(number: int) -> None:
    """Send a signal to the main thread, which may be waiting."""
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


def heard(work: Callable[[], T], interrupt: Callable[[], None], patience: float = PATIENCE) -> T:
    """Run a function of DuckDB in a thread, while Python waits for signals; a signal interrupts the function.

    DuckDB itself checks for signals only between two tasks of its main thread, and a task may take minutes. patience:
    seconds to wait for the interrupted function to end.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    ended, results, errors = threading.Event(), list[T](), list[BaseException]()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            ended.set()

    queue = None
    try:
        with interrupts_held():  # a thread that is only half started could not be waited for
            queue = _idle.pop() if _idle else new_thread()
            queue.put(run)
        while not ended.wait(AWAKE):
            pass
    except KeyboardInterrupt:
        until = monotonic() + patience
        while queue and not ended.is_set() and monotonic() < until:
            interrupt()
            ended.wait(AGAIN)
        raise
    finally:
        if queue and ended.is_set():
            _idle.append(queue)
        elif queue:
            queue.put(None)
    if errors:
        raise errors.pop()
    return results.pop()


def new_thread() -> Work:
    """Start a thread that runs functions until it is given None; return its queue.

    It is used again, because starting a thread for each function takes longer than most functions.
    """
    queue: Work = SimpleQueue()

    def run() -> None:
        while function := queue.get():
            function()
            del function  # while a thread waits, it keeps no lexicon open

    threading.Thread(target=run, daemon=True).start()
    return queue
