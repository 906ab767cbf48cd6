"""The Typer app, and the one place where an error becomes one line and an exit status."""

import inspect
import os
import sys
import warnings
from collections.abc import Callable
from functools import wraps
from io import TextIOWrapper
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperCommand, TyperGroup

from aptdb.errors import AptError, AptWarning
from aptdb.store.interrupts import interrupts_raised, status
from aptdb.store.version import __version__


class Panelled(TyperCommand):
    """A command whose help shows its options in panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options panel by panel, those without one first."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                plain = "Arguments" if parameter.param_type_name == "argument" else "Options"
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or plain, []).append(record)
        for panel in sorted(panels, key=["Arguments", "Options"].__contains__, reverse=True):
            with formatter.section(panel):
                formatter.write_dl(panels[panel])


class OneLineErrors(TyperGroup):
    """Commands in panels. An error of ours is one line on stderr, with exit status 1."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands panel by panel, in the order in which they are declared."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in PANELS}
        width = max(len(name) for name in self.list_commands(ctx))
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                short = command.get_short_help_str(formatter.width - 6 - width)
                panels.setdefault(getattr(command, "rich_help_panel", None) or "Commands", []).append(
                    (name.ljust(width), short)
                )
        for panel, rows in panels.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """Run the program. If the reader of its output goes away, it ends silently.

        Characters that the output lacks, e.g. in ASCII, are written as Python escapes them.
        """
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
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
        warnings.simplefilter("always", AptWarning)
        try:
            with interrupts_raised():
                return super().invoke(ctx)
        except AptError as error:
            print_note(str(error))
            raise typer.Exit(1) from error
        except KeyboardInterrupt:
            print_note("stopped; nothing is left half done")
            raise typer.Exit(status()) from None


def number_of(count: int, what: str) -> str:
    """A number of things in words, e.g. 1 fault or 2,000 faults."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def print_note(text: str) -> None:
    """Write one line to stderr, whatever the text contains; nothing if stderr is closed or full."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"aptdb: {' '.join(text.split())}\n")
        sys.stderr.flush()
    except OSError:
        write_no_more(sys.stderr)


def write_no_more(stream: TextIO) -> None:
    """Drop what a stream still holds: Python would try to write it at the end, and report the failure."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def show_version(asked: bool) -> None:
    """Print the version and stop, if asked to."""
    if asked:
        typer.echo(f"aptdb {__version__}")
        raise typer.Exit


PANELS = ("Start", "Ask", "Phrases", "Weights and vectors", "Evaluate", "Exchange", "Maintain")


# Markup is off: Rich would read the brackets of a phrase as markup.
app = typer.Typer(
    cls=OneLineErrors, no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)


@app.callback()
def aptdb(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Build a distributional lexicon from parsed text, in one DuckDB file, and ask what words mean in context.

    Start with `aptdb demo`, or with a corpus of your own: `aptdb add LEXICON FILE.conllu`.
    """


LIMITS = {
    "memory": typer.Option(
        "--memory",
        metavar="SIZE",
        rich_help_panel="Machine",
        help="How much memory to use, e.g. 2GB. [default: APTDB_MEMORY, else a quarter of the machine's]",
    ),
    "temp": typer.Option(
        "--temp",
        metavar="FOLDER",
        rich_help_panel="Machine",
        help="Where to put what does not fit into memory. [default: APTDB_TEMP, else beside the lexicon]",
    ),
}


def command(panel: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command, in a panel of the help. One that opens a lexicon takes limits of memory."""
    make = app.command(cls=Panelled, rich_help_panel=panel)
    return lambda function: make(limited(function) if "lexicon" in inspect.signature(function).parameters else function)


def limited(function: Callable[..., None]) -> Callable[..., None]:
    """A command with options for the limits of memory, to which it keeps."""

    @wraps(function)
    def run(**arguments: Any) -> None:
        from aptdb.store.limits import chosen

        given = {name: arguments.pop(name) for name in LIMITS}
        with chosen(given):
            function(**arguments)

    signature = inspect.signature(function)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option])
        for name, option in LIMITS.items()
    ]
    parameters = [*signature.parameters.values(), *added]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
