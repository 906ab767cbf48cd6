"""Shows progress on stderr, after the first second: a bar on a terminal, else a line from time to time."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from aptdb.commands.app import print_note

if TYPE_CHECKING:
    from aptdb.counting.corpora import Progress

PATIENCE = 1.0  # seconds before anything is said
PAUSE = 10.0  # seconds between two lines if there is no terminal


@contextmanager
def following(file: str) -> Iterator[Callable[["Progress"], None]]:
    """Return what to pass to `Lexicon.add` as progress."""
    with (bar if sys.stderr.isatty() else lines)(file) as follow:
        yield follow


@contextmanager
def bar(file: str) -> Iterator[Callable[["Progress"], None]]:
    """Give a bar that disappears at the end."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[tokens]:,} tokens"),
        TimeElapsedColumn(),
    )
    begun = time.monotonic()
    with Bar(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(escape(file), total=None, tokens=0, visible=False)

        def follow(now: "Progress") -> None:
            shown.update(
                task,
                total=now.size,
                completed=min(now.bytes_read, now.size or now.bytes_read),
                tokens=now.tokens,
                visible=time.monotonic() - begun > PATIENCE,
            )

        yield follow


@contextmanager
def lines(file: str) -> Iterator[Callable[["Progress"], None]]:
    """Give a line after the first second, then one from time to time."""
    due = time.monotonic() + PATIENCE

    def follow(now: "Progress") -> None:
        nonlocal due
        if time.monotonic() >= due:
            share = f"{100 * now.bytes_read // now.size} % read, " if now.size else ""
            print_note(f"{file}: {share}{now.tokens:,} tokens so far")
            due = time.monotonic() + PAUSE

    yield follow


@contextmanager
def counting_up(what: str) -> Iterator[Callable[[int, int], None]]:
    """Return what to pass to a long task as progress: it is told how many of how many are done."""
    if sys.stderr.isatty():
        with steps_bar(what) as follow:
            yield follow
        return
    due = time.monotonic() + PATIENCE

    def follow_in_lines(done: int, total: int) -> None:
        nonlocal due
        if time.monotonic() >= due:
            print_note(f"{done:,} of {total:,} {what} so far")
            due = time.monotonic() + PAUSE

    yield follow_in_lines


@contextmanager
def steps_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a bar of steps that disappears at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
