"""The Typer app, and the one place where an error becomes a line and an exit status."""

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

from aptdb.errors import AptError, NotRecorded, StaleEntry, StaleWeighting, UnknownRelation, WithoutTrees
from aptdb.store.version import __version__


class OneLineErrors(TyperGroup):
    """Commands whose errors of ours are one line on stderr, and exit status 1."""

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """Run the program. Who stops to read what it writes ends it without a word."""
        try:
            try:
                return super().main(*arguments, **extra)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                print_note(f"{error.filename or 'stdout'}: {error.strerror or error}")
            write_no_more(sys.stdout)
            sys.exit(1)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        warnings.showwarning = lambda message, *_: print_note(str(message))
        for concerning in (NotRecorded, StaleEntry, StaleWeighting, UnknownRelation, WithoutTrees):
            warnings.simplefilter("always", concerning)
        try:
            with interrupts_raised():
                return super().invoke(ctx)
        except AptError as error:
            print_note(str(error))
            raise typer.Exit(1) from error
        except KeyboardInterrupt:
            print_note("stopped; nothing is left half done")
            raise typer.Exit(1) from None


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Ctrl-C as Python's KeyboardInterrupt, so that what is open is closed; what it was before stands again after."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def number_of(count: int, what: str) -> str:
    """So many of something, as 1 fault and 2,000 faults."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def print_note(text: str) -> None:
    """One line on stderr, whatever the text holds; none where that is closed or full."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"aptdb: {' '.join(text.split())}\n")
        sys.stderr.flush()
    except OSError:
        write_no_more(sys.stderr)


def write_no_more(stream: TextIO) -> None:
    """Lose what a stream still holds: Python would write it at its end, and fail aloud."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def show_version(asked: bool) -> None:
    """Print the version and stop, where it is asked for."""
    if asked:
        typer.echo(f"aptdb {__version__}")
        raise typer.Exit


# Markup is off: Rich would take the brackets of a phrase for its own.
app = typer.Typer(
    cls=OneLineErrors, no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)


@app.callback()
def aptdb(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Make a distributional lexicon of parsed text, in one DuckDB file, and ask it what words mean in context.

    Begin with `aptdb demo`, or with a corpus of your own: `aptdb add LEXICON FILE.conllu`.
    """
