"""Insert the default lexicon, that of --lexicon or APTDB_LEXICON, where the argument is left out."""

import re
from typing import Any

import typer

from aptdb.commands.completion.describe_commands import shape_of
from aptdb.commands.completion.shape import Read, most_of, read
from aptdb.store.default_lexicon import VARIABLE, default_lexicon, is_left_out, looks_like_lexicon

USED = "aptdb.usual"  # under this name a context of Click holds the lexicon that the environment named
QUESTION = re.compile(r"[^/\s]+/[A-Z]+|.+\[.*", re.DOTALL)  # a lexeme or a phrase, but no file


def with_lexicon(command: Any, context: Any, arguments: list[str]) -> list[str]:
    """Return arguments of a command, its lexicon among them. Raises a usage error if it is named twice, or not at all.

    The option stands for the argument, which is then left out. What the environment names is asked where the first
    argument is no lexicon: it is one by its ending, as a file of DuckDB's, or if there are too many arguments without.
    """
    shape = shape_of(command, context.info_name or "")
    if not (shape["arguments"] and shape["arguments"][0]["kind"] == "lexicon"):
        return arguments
    found = read(shape, arguments)
    if found is None or "help" in found.options:
        return arguments
    if (named := found.options.get("usual")) is not None:
        refuse_both(found, named, context)
        return [as_argument(named), *arguments]
    if (usual := default_lexicon()) is None:
        refuse_none(found, context)
    elif is_left_out(found.arguments, most_of(shape["arguments"][1:])):
        context.meta[USED] = usual
        return [as_argument(usual), *arguments]
    return arguments


def as_argument(file: str) -> str:
    """Return a file as an argument that is no option."""
    return f"./{file}" if file.startswith("-") else file


def refuse_both(found: Read, named: str, context: Any) -> None:
    """Raise a usage error if a lexicon is named by the option and by an argument too."""
    if not named:
        raise typer.BadParameter("it names no file", context, param_hint="--lexicon")
    others = found.shape["arguments"][1:]
    takes_files = bool(others) and others[0]["kind"] == "files"
    if found.arguments and looks_like_lexicon(found.arguments[0]) and not takes_files:
        raise typer.BadParameter(f"{named} and {found.arguments[0]} both name the lexicon; name one", context)


def refuse_none(found: Read, context: Any) -> None:
    """Raise a usage error if a question stands where the lexicon belongs."""
    if found.arguments and QUESTION.fullmatch(first := found.arguments[0]) and not looks_like_lexicon(first):
        told = f"{first} is no lexicon; name its file before it ({context.command_path} LEXICON …)"
        raise typer.BadParameter(f"{told}, or in {VARIABLE}, or by --lexicon", context, param_hint="LEXICON")


def usual_note(context: Any, message: str) -> str:
    """Return what to add to an error: that the environment named the lexicon, because the command does not show it."""
    usual = context.meta.get(USED)
    if usual is None:
        return ""
    return f" ({VARIABLE} names it)" if usual in message else f" (in {usual}, which {VARIABLE} names)"
