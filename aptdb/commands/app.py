"""The Typer app, and the one place where an error becomes a line and an exit status."""

import sys
import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from aptdb import __version__
from aptdb.errors import AptError, StaleEntry, StaleWeighting, WithoutTrees


class OneLineErrors(TyperGroup):
    """Commands whose errors of ours are one line on stderr, and exit status 1."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        warnings.showwarning = lambda message, *_: print_note(str(message))
        for concerning in (StaleEntry, StaleWeighting, WithoutTrees):
            warnings.simplefilter("always", concerning)
        try:
            return super().invoke(ctx)
        except AptError as error:
            print_note(str(error))
            raise typer.Exit(1) from error
        except KeyboardInterrupt:
            print_note("stopped; nothing is left half done")
            raise typer.Exit(130) from None


def print_note(text: str) -> None:
    """One line on stderr, whatever the text holds."""
    sys.stderr.write(f"aptdb: {' '.join(text.split())}\n")


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
