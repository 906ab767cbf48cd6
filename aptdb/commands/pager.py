"""Shows a long answer page by page, where a person reads it on a terminal.

APTDB_PAGER names the program, else PAGER, else it is less. If it is empty or cat, nothing is paged.
"""

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from io import StringIO
from typing import TextIO

# Of less, where nothing is said: end at once if all fits on one screen, keep colours, and leave the text on the screen;
# lines that are too long are cut at the edge of the screen, and the arrow keys move along them.
LESS = "FRXS"
NONE = ("", "cat")

_allowed: ContextVar[bool] = ContextVar("allowed", default=True)


class Page(StringIO):
    """Text for the terminal, as if it were one: tables are as wide as it is, and in colour."""

    def isatty(self) -> bool:
        """Return true."""
        return True


@contextmanager
def paging(allowed: bool) -> Iterator[None]:
    """Allow pages within the block, or forbid them."""
    token = _allowed.set(allowed)
    try:
        yield
    finally:
        _allowed.reset(token)


@contextmanager
def paged() -> Iterator[TextIO]:
    """Where to write an answer: to stdout, or to a page that is shown at the end of the block."""
    program = pager()
    if not program:
        yield sys.stdout
        return
    page = Page()
    yield page
    text = page.getvalue()
    if is_long(text):
        show_with(program, text)
    else:
        sys.stdout.write(text)


def pager() -> list[str]:
    """Return the program that shows pages, with its arguments; none if there is nobody to read, or nobody wants it."""
    if not _allowed.get() or sys.stdout is None or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return []
    told = os.environ.get("APTDB_PAGER", os.environ.get("PAGER"))
    if told is None:
        return ["less"] if shutil.which("less") else []
    try:
        return [] if told.strip() in NONE else shlex.split(told)
    except ValueError:  # a quotation mark is missing
        return []


def is_long(text: str) -> bool:
    """Return whether a text has more lines than the terminal, where a prompt takes one."""
    return text.count("\n") >= shutil.get_terminal_size().lines


def show_with(program: list[str], text: str) -> None:
    """Show a text with a program, to which Ctrl-C belongs while it runs. Where there is none, write the text."""
    import subprocess

    environment = {"LESS": LESS, "LESSCHARSET": "utf-8", "LV": "-c", **os.environ}
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        try:
            shown = subprocess.Popen(program, stdin=subprocess.PIPE, env=environment)
        except OSError:
            sys.stdout.write(text)
            return
        with suppress(OSError):  # it was left before the end
            shown.communicate(text.encode(sys.stdout.encoding or "utf-8", errors="backslashreplace"))
        shown.wait()
    finally:
        signal.signal(signal.SIGINT, before)
