"""The Typer app, and the one place where an error becomes one line and an exit status."""

import inspect
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import wraps
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from aptdb.commands.answer_headers import COMMENTS, JSON, collect_provenance, note_arguments
from aptdb.commands.completion.describe_commands import usual_note, with_lexicon
from aptdb.commands.completion.install import SHELLS, THIS_SHELL
from aptdb.commands.completion.shape import OF_PROGRAM, put_program_words_first
from aptdb.commands.help_choice import LINES_OF_HELP, is_shown_often, shorten_help
from aptdb.commands.notes import UsageError, as_options, begin_log, log_block, print_note, say_plainly, write_no_more
from aptdb.commands.output import allow_paging, choose_format
from aptdb.core.errors import AptError, AptWarning, QuestionError
from aptdb.store.interrupts import interrupts_raised, is_stopped, status
from aptdb.store.old_names import newer, old
from aptdb.store.version import __version__

STOPPED = "stopped; nothing is left half done"
WHOLE_SENTENCE = 200  # letters: the first sentence of a help text is never cut in the list of commands

ALL = "aptdb.help-all"  # under this name a context of Click holds that all options are shown
RUN = "aptdb.run"  # under this name a context of Click holds the command that runs, which may be one of a group


def show_all_help(ctx: typer.Context, asked: bool) -> None:
    """Print the help of a command with all of its options and stop, if requested."""
    if asked:
        ctx.meta[ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


class Panelled(TyperCommand):
    """A command whose help shows what is asked for most, and in panels the rest; its lexicon may be a default."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; insert the default lexicon if it is left out."""
        ctx.meta[RUN] = self
        try:
            return super().parse_args(ctx, with_lexicon(self, ctx, with_newer_options(ctx, args)))
        except typer.BadParameter as error:
            say_plainly(error)
            raise

    def get_help(self, ctx: Any) -> str:
        """Return the help; without --help-all as many paragraphs of the text before the examples as a page holds."""
        if ctx.meta.get(ALL) or self.help is None:
            return super().get_help(ctx)
        whole, (first, *others) = self.help, self.help.split("\n\n")
        examples = [each for each in others if each.startswith("\b")]
        notes = [each for each in others if each not in examples]
        while True:
            self.help = "\n\n".join([first, *notes, *examples])
            text = super().get_help(ctx)
            self.help = whole
            if not notes or text.count("\n") < LINES_OF_HELP:
                return text
            notes.pop()

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options; all of them panel by panel, those without a panel first."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        is_whole = ctx.meta.get(ALL, False)
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None or not (is_whole or is_shown_often(parameter, name_in_line(ctx))):
                continue
            name, meaning = record
            if parameter.name == "help_all" and keys_of(self):
                meaning = meaning.replace(".", ", and the keys of --set.")
            panel = getattr(parameter, "rich_help_panel", None) if is_whole else None
            plain = "Arguments" if parameter.param_type_name == "argument" else "Options"
            is_short = not is_whole and plain == "Options"
            panels.setdefault(panel or plain, []).append((name, shorten_help(meaning) if is_short else meaning))
        if is_whole:
            panels["Keys of --set"] = [(f"{key}={each.metavar}", each.help) for key, each in keys_of(self).items()]
            program = ctx.find_root().command
            of_program = [each for each in program.params if each.opts[0] in OF_PROGRAM]
            panels["Of the program, before or after the command"] = [
                record for each in of_program if (record := each.get_help_record(ctx))
            ]
        for panel, rows in panels.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


def name_in_line(ctx: Any) -> str:
    """Return the name of a command as a line has it, after that of its group: plot sketch."""
    above = ctx.parent.command_path.partition(" ")[2] if ctx.parent else ""
    return f"{above} {ctx.command.name}".strip()


def keys_of(command: Any) -> Mapping[str, Any]:
    """Return the parameters that a command takes by --set, by name: the options that they would be; {} of None."""
    annotation = getattr(getattr(command, "callback", None), "__annotations__", {}).get("set")
    return {} if annotation is None else dict(annotation.__metadata__[1])


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

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command, also by its old name, with its name and arguments."""
        self.suggest_commands = old("command line", "", args[0]) is None  # an old name says the new one
        in_newer_words(ctx, "", " ".join(args[:2]))  # of a group that is gone
        return super().resolve_command(ctx, [in_newer_words(ctx, "", args[0]), *args[1:]])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options. If no shell is named for completion, use the one that runs this program."""
        args = [*args, THIS_SHELL] if args[-1:] in (["--install-completion"], ["--show-completion"]) else args
        if args and args[-1] in OF_PROGRAM and "--" not in args:
            raise typer.BadParameter("its value is missing", ctx, param_hint=args[-1])
        ctx.obj = [*args]
        note_arguments(args)
        try:
            return super().parse_args(ctx, put_program_words_first(args))
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
            if ctx.invoked_subcommand == "sql":
                return text
            running = ctx.meta.get(RUN)
            return as_options(text, keys_of(running), running)

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
                raise typer.Exit(error.exit_status) from error


def with_newer_options(ctx: Any, arguments: list[str]) -> list[str]:
    """Return the arguments of a command with the new names of its old options, with a note. Values stay.

    Raises BadParameter for an option that is now a key of --set.
    """
    command, found = name_in_line(ctx), list(arguments)
    end = found.index("--") if "--" in found else len(found)
    for place, argument in enumerate(found[:end]):
        if argument.startswith("--"):
            name, sign, value = argument.partition("=")
            refuse_key_as_option(ctx, name, value or "".join(found[place + 1 : min(place + 2, end)]))
            found[place] = in_newer_words(ctx, command, name) + sign + value
    return found


def in_newer_words(ctx: Any, command: str, name: str) -> str:
    """Return the new name of an option, or of a command; a usage error says it, where the old one is gone."""
    try:
        return newer("command line", command, name)
    except QuestionError as error:
        raise UsageError(str(error), ctx) from None


def refuse_key_as_option(ctx: Any, name: str, value: str) -> None:
    """Raise BadParameter for an option that is a key of --set: --cds 0.75, or --unaligned."""
    for key, option in keys_of(ctx.command).items():
        on, _, off = (option.default if isinstance(option.default, str) else f"--{key.replace('_', '-')}").partition(
            "/"
        )
        if name in (on, off):
            given = f"{key}={'true' if name == on else 'false'}" if off else f"{key}={value}"
            raise UsageError(f"{name} is a key of --set; write: --set {given}", ctx)


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
    "Start", "Ask", "Phrases", "Subcorpora", "Pictures", "Explore", "Weights and vectors", "Stored", "Evaluate",
    "Exchange", "Maintain",
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
    lexicon: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The lexicon, in place of the argument. [default: APTDB_LEXICON]"),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="How much memory to use, e.g. 2GB. [default: APTDB_MEMORY, else a quarter of the machine's]",
        ),
    ] = None,
    temp: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder for data that does not fit into memory. [default: APTDB_TEMP, else beside the lexicon]",
        ),
    ] = None,
    wait: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS",
            help="How long to wait for a lexicon that another process has open. [default: APTDB_WAIT, else 0]",
        ),
    ] = None,
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
    if not memory == temp == wait == None:  # noqa: E711
        from aptdb.store.limits import choose_limits

        ctx.with_resource(choose_limits({"memory": memory, "temp": temp, "wait": wait}))


ASKING = ("Ask", "Phrases", "Subcorpora", "Weights and vectors", "Stored")  # panels of commands that ask
OF_ALL = {"help_all": typer.Option("--help-all", callback=show_all_help, is_eager=True, help="Show all options.")}
PAGING = {"no_pager": typer.Option("--no-pager", help="Show a long answer at once, not page by page.")}
MADE = "the command, the lexicon with its settings, and the sha256 of each corpus (unpacked)"
OF_ANSWER = {
    **PAGING,
    "provenance": typer.Option("--provenance", help=f"Write first how it was made: {MADE}. Not for tables."),
}
OF_PICTURE = {
    **PAGING,
    "provenance": typer.Option("--provenance", help=f"Write into an .svg or .html how it was made: {MADE}."),
}
OF_QUESTION = {
    "show_sql": typer.Option("--show-sql", help="Show the SQL for any DuckDB client, in place of the answer."),
}


def command(
    name: str, panel: str | None = None, *, group: typer.Typer = app, pages: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a command, in a panel of the help or in a group, with the common options.

    pages: whether its text is paged; commands with the option --format are paged in any case.
    """
    make = group.command(name, cls=Panelled, rich_help_panel=panel)

    def widen(function: Callable[..., None]) -> Callable[..., None]:
        of_answer = {**(OF_PICTURE if pages else OF_ANSWER), **(OF_QUESTION if panel in ASKING else {})}
        return make(with_switches(function, {**(of_answer if pages or shows_answer(function) else {}), **OF_ALL}))

    return widen


@contextmanager
def how_answered(given: dict[str, Any]) -> Iterator[None]:
    """Page the answer within the block or not, with its header; or show the SQL of its first question in its place."""
    if (
        given.get("provenance")
        and "format" in given
        and not given.get("plot")
        and choose_format(given["format"]) not in {*COMMENTS, *JSON}
    ):
        raise typer.BadParameter(f"add --format {', '.join(COMMENTS)}, json or jsonl", param_hint="--provenance")
    if not given.get("show_sql"):
        header = collect_provenance() if given.get("provenance") else nullcontext()
        with allow_paging(not given.get("no_pager", True)), header:
            yield
        return
    for name in ("plot", "provenance"):
        if given.get(name):
            raise typer.BadParameter("it has no effect: --show-sql shows no answer", param_hint=f"--{name}")
    from aptdb.store.question_sql import QuestionInSql, raising_sql

    try:
        with raising_sql(), redirect_stdout(StringIO()):
            yield
    except QuestionInSql as shown:
        typer.echo(f"{shown};")
    else:
        raise AptError("this answer has no SQL to show; FROM aptdb_help lists the relations and functions")


def shows_answer(function: Callable[..., None]) -> bool:
    """Return whether a command has the option --format."""
    parameter = inspect.signature(function).parameters.get("format")
    if parameter is None:
        return False
    option = parameter.annotation.__metadata__[0]  # whose first name stands as its default until Typer has read it
    return "--format" in (option.default, *(option.param_decls or ()))


def with_switches(function: Callable[..., None], options: dict[str, Any]) -> Callable[..., None]:
    """Return a command with further switches, which say how its answer is shown."""

    @wraps(function)
    def run(**arguments: Any) -> None:
        given = {name: arguments.pop(name) for name in options}
        with how_answered({**arguments, **given}):
            function(**arguments)

    signature = inspect.signature(function)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, option])
        for name, option in options.items()
    ]
    parameters = [*signature.parameters.values(), *added]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
