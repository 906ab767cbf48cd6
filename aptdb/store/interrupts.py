"""Ctrl-C, SIGTERM and SIGHUP: each stops the running statement, and leaves nothing half done.

Only the first one is raised. One more, while all is undone and closed, would break just that.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from time import monotonic
from types import FrameType
from typing import Any, Generic, TypeVar

T = TypeVar("T")

PATIENCE = 2  # seconds for a question to end that was interrupted
SOON = 0.01  # seconds, until Python is out of what cannot raise anything
AWAKE = 0.5  # seconds until a signal is heard that arrived just before Python waited
AGAIN = 0.1  # seconds until what goes on all the same is interrupted again
INSISTENT = 5  # seconds after the first signal until another one ends the program, whatever it does
SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
STDERR = 2
AT_ONCE = b"aptdb: ended at once, as if it was killed; the next command cleans up\n"
ALL_WRITTEN = "stopped, but only after everything was written"

Work = SimpleQueue[Callable[[], None] | None]

_received: list[tuple[int, float]] = []  # the signals of a command, and when they came
_idle: list[Work] = []  # queues of threads that wait for work
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_idle.clear)  # a child has none of its parent's threads


def stop(number: int, _: FrameType | None) -> None:
    """Handle a signal: note it, and raise KeyboardInterrupt at the first one; end the program at a late further one."""
    _received.append((number, monotonic()))
    if len(_received) == 1:
        raise KeyboardInterrupt
    if _received[-1][1] - _received[0][1] > INSISTENT:
        with suppress(OSError):
            os.write(STDERR, AT_ONCE)
        os._exit(128 + number)


def is_stopped() -> bool:
    """Return whether a signal has come since the command began, or since the last one was forgotten."""
    return bool(_received)


def forget_signals() -> None:
    """Go on after a signal, so that the next one is raised."""
    _received.clear()


def status() -> int:
    """Return the exit status after a signal, as shells expect it: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + (_received[0][0] if _received else signal.SIGINT)


def stopped_after(done: int, total: int, then: str) -> KeyboardInterrupt:
    """Return an interrupt that says how many of several files are in the lexicon. then: what to do about the others."""
    if done == total:
        return KeyboardInterrupt(ALL_WRITTEN)
    return KeyboardInterrupt(f"stopped; {done:,} of {total:,} files are in the lexicon, and nothing is half done{then}")


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay signals until the end of the block. Only Python's main thread receives them."""
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
    """Turn the first signal into KeyboardInterrupt within the block, so that files are closed.

    SIGHUP stays ignored where it is, as nohup does for what outlives its terminal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    forget_signals()
    before = {each: signal.signal(each, stop) for each in SIGNALS if is_heard(each)}
    ignore = sys.unraisablehook
    sys.unraisablehook = partial(raise_later, ignore)
    try:
        yield
    finally:
        sys.unraisablehook = ignore
        for each, handler in before.items():
            signal.signal(each, handler)
        if stop in before.values():  # one command of a shell, which goes on
            forget_signals()


def is_heard(number: int) -> bool:
    """Return whether a signal ends this program: SIGHUP may be ignored, as nohup does."""
    return number in (signal.SIGINT, signal.SIGTERM) or signal.getsignal(number) is not signal.SIG_IGN


def raise_later(ignore: Callable[[Any], object], unraisable: Any) -> None:
    """Send a signal again that arrived while Python could not raise, e.g. while an object was deleted."""
    if unraisable.exc_type is KeyboardInterrupt and _received:
        number = _received[0][0]
        forget_signals()
        threading.Timer(SOON, send, (number,)).start()
    else:
        ignore(unraisable)


def send(number: int) -> None:
    """Send a signal to the main thread, which may be waiting."""
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


def run_interruptibly(work: Callable[[], T], interrupt: Callable[[], None], patience: float = PATIENCE) -> T:
    """Run a function of DuckDB in a thread, while Python waits for signals; a signal interrupts the function.

    DuckDB itself checks for signals only between two tasks of its main thread, and a task may take minutes. patience:
    seconds to wait for the interrupted function to end.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    call, queue = Call(work), None
    try:
        with interrupts_held():  # a thread that is only half started could not be waited for
            queue = _idle.pop() if _idle else new_thread()
            queue.put(call.run)
        while not call.has_ended():
            call.wait(AWAKE)
    except KeyboardInterrupt:
        until = monotonic() + patience
        while queue and not call.has_ended() and monotonic() < until:
            interrupt()
            call.wait(AGAIN)
        raise
    finally:
        if queue and call.has_ended():
            _idle.append(queue)
        elif queue:
            queue.put(None)
    return call.outcome()


class Call(Generic[T]):
    """A function that another thread runs, and what came of it."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._results, self._errors = list[T](), list[BaseException]()
        self._running = threading.Lock()  # an Event waits in Python, and what interrupts that breaks its own lock
        self._running.acquire()

    def run(self) -> None:
        """Run the function, and keep what it returns or raises."""
        try:
            self._results.append(self._work())
        except BaseException as error:
            self._errors.append(error)
        finally:
            self._running.release()

    def wait(self, seconds: float) -> None:
        """Wait until the function has ended, or these seconds."""
        self._running.acquire(timeout=seconds)

    def has_ended(self) -> bool:
        """Return whether the function has ended."""
        return bool(self._results or self._errors)

    def outcome(self) -> T:
        """Return what the function returned, or raise what it raised."""
        if self._errors:
            raise self._errors.pop()
        return self._results.pop()


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
