"""Show progress on stderr, after the first second: a bar on a terminal, otherwise a line from time to time."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from aptdb.commands.app import print_note
from aptdb.core.one_line import on_one_line

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from aptdb.counting.staging import Progress

PATIENCE = 1.0  # seconds before anything is shown
PAUSE = 10.0  # seconds between two lines if there is no terminal


@contextmanager
def show_progress(file: str = "") -> Iterator[Callable[["Progress"], None]]:
    """Show a progress bar during the block; yield the callback by which `Lexicon.add` updates it.

    file: the name before it, by default that of the corpus.
    """
    if not sys.stderr.isatty():
        yield print_after_first_second(lambda now: f"{file or now.corpus}: {share_of(now)}{now.tokens:,} tokens so far")
        return
    from rich.markup import escape
    from rich.progress import TextColumn

    with show_bar(
        escape(on_one_line(file)), TextColumn("{task.fields[tokens]:,} tokens"), PATIENCE, tokens=0
    ) as update:
        yield lambda now: update(
            description=escape(on_one_line(file or now.corpus)),
            total=now.size,
            completed=min(now.bytes_read, now.size or now.bytes_read),
            tokens=now.tokens,
        )


@contextmanager
def counting_up(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield the progress callback of a long task: callback(done, total)."""
    if not sys.stderr.isatty():
        yield print_after_first_second(lambda done, total: f"{done:,} of {total:,} {what} so far")
        return
    from rich.progress import MofNCompleteColumn

    with show_bar(what, MofNCompleteColumn()) as update:
        yield lambda done, total: update(completed=done, total=total)


def share_of(now: "Progress") -> str:
    """Return the share of a file that was read, if its size is known."""
    return f"{100 * now.bytes_read // now.size} % read, " if now.size else ""


def print_after_first_second(text: Callable[..., str]) -> Callable[..., None]:
    """Return a callback that prints a text of its arguments after the first second, then from time to time."""
    due = time.monotonic() + PATIENCE

    def follow(*now: Any) -> None:
        nonlocal due
        if time.monotonic() >= due:
            print_note(text(*now))
            due = time.monotonic() + PAUSE

    return follow


@contextmanager
def show_bar(
    description: str, counted: "ProgressColumn", patience: float = 0, **state: Any
) -> Iterator[Callable[..., None]]:
    """Yield a function that updates a bar. The bar appears after some seconds, and disappears at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), counted, TimeElapsedColumn())
    begun = time.monotonic()
    with Bar(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(description, total=None, visible=not patience, **state)
        yield lambda **now: shown.update(task, visible=time.monotonic() - begun >= patience, **now)
