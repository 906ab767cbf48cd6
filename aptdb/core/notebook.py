"""In a notebook: how far what takes long has come, and errors as one sentence.

Nothing of IPython is imported unless the notebook has done so.
"""

import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Any

PATIENCE = 1.0  # seconds before anything is shown
PAUSE = 0.2  # seconds between two states of the bar


def shell() -> Any:
    """IPython's shell, where code runs in one; else None."""
    ipython = sys.modules.get("IPython")
    get = getattr(ipython, "get_ipython", None)
    return None if get is None else get()


def in_notebook() -> bool:
    """Return whether what is shown goes to a notebook: code runs in a kernel of IPython, not in a terminal."""
    return getattr(shell(), "kernel", None) is not None


def rendered(error: BaseException) -> list[str]:
    """Return the lines that IPython shows of an error: one sentence, and the line of code that it is about.

    A notebook shows above it, folded away, all that led there; after `%xmode Verbose` it is shown in full.
    """
    own = shell()
    if getattr(getattr(own, "InteractiveTB", None), "mode", None) == "Verbose":
        return list(own.InteractiveTB.structured_traceback(type(error), error, error.__traceback__))
    sentence = f"\x1b[31m{type(error).__name__}\x1b[0m: {error}"
    line = line_of_user(error)
    if in_notebook() and not getattr(error, "is_folded", False):  # IPython asks twice
        with suppress(Exception):  # the sentence is what matters
            show_folded(error)
            error.is_folded = True  # type: ignore[attr-defined]
    return [sentence, *([f"    {line}"] if line else [])]


def line_of_user(error: BaseException) -> str:
    """Return the last line of code outside of this package that led to an error, with its number.

    Nothing if there is none.
    """
    package, found = str(Path(__file__).parents[1]), ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(package):
            break
        found = f"line {frame.lineno}: {frame.line}" if frame.line else ""
    return found


def show_folded(error: BaseException) -> None:
    """Show all that led to an error, folded away."""
    from IPython.display import HTML, display

    whole = escape("".join(traceback.format_exception(error)))
    small = "font-size:0.9em;opacity:0.7"
    display(HTML(f'<details style="{small}"><summary>where this error came from</summary><pre>{whole}</pre></details>'))


@contextmanager
def progress_bar(what: str) -> Iterator[Any]:
    """Return what to pass as progress: a bar after the first second, which is gone at the end.

    It is called with how many of how many are done, or with the Progress of an addition.
    """
    shown = Bar(what)
    try:
        yield shown.follow
    finally:
        shown.end()


class Bar:
    """A bar in the output of a cell."""

    def __init__(self, what: str) -> None:
        self.what, self.begun, self.due, self.handle = what, time.monotonic(), 0.0, None

    def follow(self, *now: Any) -> None:
        """Show how far it has come, if it is time to."""
        if (moment := time.monotonic()) < max(self.begun + PATIENCE, self.due):
            return
        self.due = moment + PAUSE
        self.show(self.html(*now))

    def html(self, *now: Any) -> str:
        """Return a bar, with what it counts beside it."""
        if len(now) == 1:
            (addition,) = now
            name, done, total = addition.corpus, addition.bytes_read, addition.size
            counted = f"{addition.tokens:,} tokens"
        else:
            (done, total), name = now, self.what
            counted = f"{done:,} of {total:,}"
        ends = f' value="{min(done, total)}" max="{total}"' if total else ""
        seconds = f"{time.monotonic() - self.begun:.0f} s"
        return f"<div>{escape(name)} <progress{ends}></progress> {counted}, {seconds}</div>"

    def show(self, html: str) -> None:
        """Put HTML in the place of the bar."""
        from IPython.display import HTML, display

        if self.handle is None:
            self.handle = display(HTML(html), display_id=True)
        else:
            self.handle.update(HTML(html))

    def end(self) -> None:
        """Take the bar away."""
        if self.handle is not None:
            self.show("")
