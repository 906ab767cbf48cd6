"""The Typer app, and the one place where an error becomes one line and an exit status."""

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import wraps
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from aptdb.commands.completion.describe_commands import usual_note, with_lexicon
from aptdb.commands.completion.install import SHELLS, THIS_SHELL
from aptdb.commands.notes import begin_log, log_block, print_note, write_no_more
from aptdb.commands.output import allow_paging
from aptdb.core.errors import AptError, AptWarning, QuestionError
from aptdb.store.interrupts import interrupts_raised, is_stopped, status
from aptdb.store.old_names import newer
from aptdb.store.version import __version__

STOPPED = "stopped; nothing is left half done"
WHOLE_SENTENCE = 200  # letters: the first sentence of a help text is never cut in the list of commands

# A parameter in SQL, with a value that a shell takes without quotes.
PARAMETER = re.compile(r"\b([a-z]+(?:_[a-z]+)*) := ('?)([\w.:-]*[\w-])\2(?!\w)")


class Panelled(TyperCommand):
    """A command whose help shows options in panels, and whose lexicon may be a default."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; insert the default lexicon if it is left out."""
        return super().parse_args(ctx, with_lexicon(self, ctx, with_newer_options(ctx, args)))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options panel by panel, those without a panel first."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                plain = "Arguments" if parameter.param_type_name == "argument" else "Options"
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or plain, []).append(record)
        for panel in sorted(panels, key=["Arguments", "Options"].__contains__, reverse=True):
            with formatter.section(panel):
                formatter.write_dl(panels[panel])


class OneLineErrors(TyperGroup):
    """Commands in panels. An AptError becomes one line on stderr, with exit status 1."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands panel by panel, in the order in which they are declared."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in PANELS}
        width = max(len(name) for name in self.list_commands(ctx))
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                short = command.get_short_help_str(WHOLE_SENTENCE)
                panels.setdefault(getattr(command, "rich_help_panel", None) or "Commands", []).append(
                    (name.ljust(width), short)
                )
        for panel, rows in panels.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, also by its old name."""
        return super().get_command(ctx, in_newer_words(ctx, "", cmd_name))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options. If no shell is named for completion, use the one that runs this program."""
        if args and args[-1] in ("--install-completion", "--show-completion"):
            args = [*args, THIS_SHELL]
        ctx.obj = [*args]
        try:
            return super().parse_args(ctx, args)
        except AptError as error:
            print_note(str(error))
            raise typer.Exit(1) from error

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """Run the program. If the reader of its output goes away, it ends silently.

        Characters that the output's encoding lacks are escaped as in Python.
        """
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            try:
                with log_block():
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
        """Run the requested command."""

        def in_words_of_options(text: str) -> str:
            return text if ctx.invoked_subcommand == "sql" else as_options(text)

        def print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
            for line in in_words_of_options(str(message)).splitlines():
                print_note(line)

        warnings.showwarning = print_warning
        warnings.simplefilter("always", AptWarning)
        with interrupts_raised():
            try:
                return super().invoke(ctx)
            except typer.Exit:
                raise
            except (KeyboardInterrupt, Exception) as error:
                if isinstance(error, KeyboardInterrupt) or is_stopped():  # what follows from a signal is none of ours
                    print_note((isinstance(error, KeyboardInterrupt) and str(error)) or STOPPED)
                    raise typer.Exit(status()) from None
                if not isinstance(error, AptError):
                    raise
                print_note(f"{in_words_of_options(str(error))}{usual_note(ctx, str(error))}")
                raise typer.Exit(1) from error


def with_newer_options(ctx: Any, arguments: list[str]) -> list[str]:
    """Return the arguments of a command with the new names of its old options, with a note. Values stay."""
    above = ctx.parent.command_path.partition(" ")[2] if ctx.parent else ""  # of a command in a group
    command, found = f"{above} {ctx.command.name}".strip(), list(arguments)
    end = found.index("--") if "--" in found else len(found)
    for place, argument in enumerate(found[:end]):
        if argument.startswith("--"):
            name, sign, value = argument.partition("=")
            found[place] = in_newer_words(ctx, command, name) + sign + value
    return found


def in_newer_words(ctx: Any, command: str, name: str) -> str:
    """Return the new name of an option, or of a command; a usage error says it, where the old one is gone."""
    try:
        return newer("command line", command, name)
    except QuestionError as error:
        raise typer.BadParameter(str(error), ctx, param_hint=name) from None


def as_options(text: str) -> str:
    """Return a message with options in place of SQL's parameters: --missing skip for missing := 'skip'."""
    return PARAMETER.sub(lambda found: f"--{found[1].replace('_', '-')} {found[3]}", text)


def show_version(asked: bool) -> None:
    """Print the version and stop, if requested."""
    if asked:
        typer.echo(f"aptdb {__version__}")
        raise typer.Exit


def install_for(shell: str | None) -> None:
    """Install completion for a shell and stop, if requested."""
    if shell is not None:
        from aptdb.commands.completion.install import install_completion

        print_note(install_completion(shell))
        raise typer.Exit


def show_for(shell: str | None) -> None:
    """Print the completion script of a shell and stop, if requested."""
    if shell is not None:
        from aptdb.commands.completion.install import write_completion_script

        typer.echo(write_completion_script(shell), nl=False)
        raise typer.Exit


PANELS = (
    "Start", "Ask", "Phrases", "Subcorpora", "Pictures", "Explore", "Weights and vectors", "Evaluate", "Exchange",
    "Maintain",
)  # fmt: skip
WIDEST = 10_000  # columns of help: as many as the terminal has

# Markup is off: Rich would read the brackets of a phrase as markup.
app = typer.Typer(
    cls=OneLineErrors,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"max_content_width": WIDEST},
)


@app.callback()
def aptdb(
    ctx: typer.Context,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="APTDB_LOG",
            show_envvar=False,
            help="Append what a command says to a file, with times. [default: APTDB_LOG]",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    install_completion: Annotated[
        str | None,
        typer.Option(
            metavar="[SHELL]", callback=install_for, is_eager=True, help=f"Complete on Tab: {', '.join(SHELLS)}."
        ),
    ] = None,
    show_completion: Annotated[
        str | None,
        typer.Option(metavar="[SHELL]", callback=show_for, is_eager=True, help="Print what that would install."),
    ] = None,
) -> None:
    """Build a distributional lexicon from parsed text, in one DuckDB file, and ask what words mean in context.

    Start with `aptdb demo`, or with a corpus of your own: `aptdb add LEXICON FILE.conllu`.
    """
    if log is not None:
        begin_log(log, str(ctx.invoked_subcommand), ctx.obj)


# Options of all commands that open a lexicon, and of all that show an answer.
OF_LEXICON = {
    "usual": typer.Option(
        "--lexicon", metavar="FILE", help="The lexicon, in place of the argument. [default: APTDB_LEXICON]"
    ),
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
    "wait": typer.Option(
        "--wait",
        metavar="SECONDS",
        rich_help_panel="Machine",
        help="How long to wait for a lexicon that another process has open. [default: 0]",
    ),
}
ASKING = ("Ask", "Phrases", "Subcorpora", "Weights and vectors")  # panels of commands that ask
OF_ANSWER = {"no_pager": typer.Option("--no-pager", help="Show a long answer at once, not page by page.")}
OF_QUESTION = {
    "show_sql": typer.Option("--show-sql", help="Show the SQL, which any DuckDB client can ask the file, instead."),
}


def command(
    name: str, panel: str | None = None, *, group: typer.Typer = app, pages: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a command, in a panel of the help or in a group, with the common options.

    pages: whether its text is paged; commands with the option --format are paged in any case.
    """
    make = group.command(name, cls=Panelled, rich_help_panel=panel)

    def widen(function: Callable[..., None]) -> Callable[..., None]:
        if pages or shows_answer(function):
            options = {**OF_ANSWER, **(OF_QUESTION if panel in ASKING else {})}
            function = with_options(function, options, bool, how_answered)
        if "lexicon" in inspect.signature(function).parameters:
            function = with_options(function, OF_LEXICON, str | None, limits_of)
        return make(function)

    return widen


@contextmanager
def how_answered(given: dict[str, Any]) -> Iterator[None]:
    """Page the answer within the block or not, or show the SQL of its first question in its place."""
    if not given.get("show_sql"):
        with allow_paging(not given["no_pager"]):
            yield
        return
    from aptdb.store.question_sql import QuestionInSql, raising_sql

    try:
        with raising_sql(), redirect_stdout(StringIO()):
            yield
    except QuestionInSql as shown:
        typer.echo(f"{shown};")
    else:
        raise AptError("this answer is no question in SQL; FROM aptdb_help lists what can be asked")


def shows_answer(function: Callable[..., None]) -> bool:
    """Return whether a command has the option --format."""
    parameter = inspect.signature(function).parameters.get("format")
    if parameter is None:
        return False
    option = parameter.annotation.__metadata__[0]  # whose first name stands as its default until Typer has read it
    return "--format" in (option.default, *(option.param_decls or ()))


def limits_of(given: dict[str, Any]) -> AbstractContextManager[None]:
    """Use the given limits of memory and time within the block."""
    from aptdb.store.limits import choose_limits

    return choose_limits({name: given[name] for name in ("memory", "temp", "wait")})


def with_options(
    function: Callable[..., None],
    options: dict[str, Any],
    kind: Any,
    within: Callable[[dict[str, Any]], AbstractContextManager[None]],
) -> Callable[..., None]:
    """Return a command with further options, grouped in one parameter; it runs within the context that they give."""

    @wraps(function)
    def run(**arguments: Any) -> None:
        given = {name: arguments.pop(name) for name in options}
        with within(given):
            function(**arguments)

    default = False if kind is bool else None
    signature = inspect.signature(function)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
        for name, option in options.items()
    ]
    parameters = [*signature.parameters.values(), *added]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
