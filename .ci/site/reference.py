"""Pages of reference as Markdown, made of what aptdb itself says: help of commands, aptdb_help, docstrings."""

import inspect
import re
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

import aptdb
from aptdb.commands import app_for
from aptdb.commands.app import PANELS

CODE = re.compile(r"(`[^`]*`)")
MARKUP = re.compile(r"([\\*_<>\[\]|{}#$])")
VERBATIM = "\b\n"  # Click's mark of a paragraph whose lines stay
FIELD = re.compile(r"(\w+): (.*)")
KINDS = {"view": "Relations", "table function": "Table functions", "function": "Functions"}
WIDTH = 80  # characters of a signature's line


def plain(text: str) -> str:
    """Return text that Markdown shows letter by letter, but for code between backticks."""
    pieces = CODE.split(" ".join(text.split()))
    return "".join(each if each.startswith("`") else MARKUP.sub(r"\\\1", each) for each in pieces)


def code(text: str, language: str) -> str:
    """Return a block of code."""
    return f"```{language}\n{textwrap.dedent(text).strip()}\n```"


def entry(term: str, meaning: str) -> str:
    """Return an entry of a list of definitions."""
    return f"`{term}`\n: {plain(meaning) or '–'}"


def commands() -> str:
    """Return the page of all commands, in the panels and the order of `aptdb --help`."""
    group = get_command(app_for())
    of_panel: dict[str, list[str]] = {panel: [] for panel in PANELS}
    for panel, words, command in commands_of(group, ("aptdb",)):
        of_panel[panel].append("\n\n".join(of_command(words, command)))
    blocks = ["# All commands", "Each as its `--help` has it."]
    for panel, made in of_panel.items():
        blocks += [f"## {panel}", *made]
    return "\n\n".join(blocks) + "\n"


def commands_of(group: Any, before: tuple[str, ...], panel: str = "") -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Yield each command with its panel and words; those of a group, as `experiment`, in the group's panel."""
    for name, command in group.commands.items():
        place = panel or command.rich_help_panel
        if hasattr(command, "commands"):
            yield from commands_of(command, (*before, name), place)
        elif not command.hidden:
            yield place, (*before, name), command


def of_command(words: tuple[str, ...], command: Any) -> Iterator[str]:
    """Yield the blocks of a command: its name, usage, help, examples, arguments and options."""
    context = typer.Context(command, info_name=" ".join(words))
    yield f"### {' '.join(words)}"
    yield from of_help(inspect.cleandoc(command.help or ""))
    yield code(command.get_usage(context).replace("\n", " ").removeprefix("Usage: "), "text")
    panels: dict[str, list[str]] = {}
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is not None:
            argument = "Arguments" if parameter.param_type_name == "argument" else "Options"
            panels.setdefault(getattr(parameter, "rich_help_panel", None) or argument, []).append(entry(*record))
    for panel in sorted(panels, key=rank):
        yield f"**{panel}**"
        yield from panels[panel]


def rank(panel: str) -> int:
    """Return the sort key of a panel: arguments, options, then the others as they come."""
    first = ("Arguments", "Options")
    return first.index(panel) if panel in first else len(first)


def of_help(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; examples as code."""
    for paragraph in text.split("\n\n"):
        if not paragraph.startswith(VERBATIM):
            yield plain(paragraph)
            continue
        heading, _, lines = paragraph.removeprefix(VERBATIM).partition("\n")
        if heading.endswith(":"):
            yield f"**{heading}**"
            yield code(lines, "sh")
        else:
            yield code(f"{heading}\n{lines}", "text")


def sql() -> str:
    """Return the page of all public relations and functions, as the view aptdb_help of a new lexicon has them."""
    word = {"id": "1", "form": "Yes", "lemma": "yes", "upos": "INTJ", "head": "0", "deprel": "root"}
    with tempfile.TemporaryDirectory() as folder, aptdb.Lexicon.open(Path(folder) / "new.duckdb", create=True) as new:
        new.add([[word]], name="a word")
        rows = [*new.sql("FROM aptdb_help ORDER BY lower(name), kind, parameters")]
    blocks = [
        "# All of SQL",
        "As `FROM aptdb_help` has it in every lexicon. [SQL](../sql.md) says how they belong together.",
    ]
    for kind, heading in KINDS.items():
        blocks += [f"## {heading}", *(block for row in rows if row["kind"] == kind for block in of_row(row))]
    if unknown := {row["kind"] for row in rows} - {*KINDS}:
        raise ValueError(f"aptdb_help has the kinds {unknown}; give them a heading in {__file__}")
    return "\n\n".join(blocks) + "\n"


def of_row(row: dict[str, Any]) -> Iterator[str]:
    """Yield the blocks of a row of aptdb_help."""
    yield f"### {plain(row['name'])}"
    yield plain(row["meaning"])
    if row["example"]:
        yield code(row["example"], "sql")
    for heading, column in (("Parameters", "parameters"), ("Columns", "columns")):
        if row[column]:
            yield f"**{heading}**"
            yield code("\n".join(textwrap.wrap(row[column], WIDTH, break_long_words=False)), "text")


def python() -> str:
    """Return the page of all names of `aptdb.__all__`: classes, functions, then errors and warnings."""
    names = {name: getattr(aptdb, name) for name in sorted(aptdb.__all__) if not name.startswith("__")}
    faults = {name: each for name, each in names.items() if isinstance(each, type) and issubclass(each, Exception)}
    blocks = ["# All of Python", "What `help()` shows, of all names that `from aptdb import …` gives."]
    for name, each in names.items():
        if name not in faults:
            blocks += [f"## {name}", *(of_class(each) if isinstance(each, type) else of_function(each))]
    blocks += ["## Errors and warnings", *(entry(name, inspect.getdoc(each) or "") for name, each in faults.items())]
    return "\n\n".join(blocks) + "\n"


def of_class(kind: type) -> Iterator[str]:
    """Yield the blocks of a class: its docstring, and each public method and property."""
    yield from of_docstring(kind)
    for name, member in inspect.getmembers(kind):
        if name.startswith("_") or not inspect.getdoc(member) or not (callable(member) or isinstance(member, property)):
            continue
        yield f"### {kind.__name__}.{plain(name)}"
        yield from of_docstring(member) if isinstance(member, property) else of_function(member)


def of_function(function: Any) -> Iterator[str]:
    """Yield the blocks of a function: its parameters, then its docstring."""
    bare = [
        each.replace(annotation=each.empty, default="..." if callable(each.default) else each.default)
        if each.default is not each.empty
        else each.replace(annotation=each.empty)
        for each in inspect.signature(function).parameters.values()
        if each.name not in ("self", "cls")
    ]
    call = f"{function.__name__}{inspect.Signature(bare)}".replace("='...'", "=...")
    yield code("\n".join(textwrap.wrap(call, WIDTH, subsequent_indent="    ")), "python")
    yield from of_docstring(function)


def of_docstring(documented: Any) -> Iterator[str]:
    """Yield the blocks of a docstring; the parameters below a heading, as `Answer:`, as a list of definitions."""
    for paragraph in (inspect.getdoc(documented) or "").split("\n\n"):
        heading, _, rest = paragraph.partition("\n")
        lines = textwrap.dedent(rest)
        if rest.startswith("    ") and heading.endswith(":"):
            yield f"**{heading.removesuffix(':')}**"
            for each in re.sub(r"\n +", " ", lines).splitlines():
                found = FIELD.fullmatch(each)
                yield entry(found[1], found[2]) if found else plain(each)
        elif ">>> " in paragraph:
            yield code(paragraph, "pycon")
        else:
            yield plain(paragraph)
