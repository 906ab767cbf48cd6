"""The default lexicon, of --lexicon or of APTDB_LEXICON, for commands whose argument LEXICON is left out."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aptdb.commands.completion.shape import Read, most_of, read_command_words
from aptdb.store.attached import MARK, MARK_AT

VARIABLE = "APTDB_LEXICON"
ENDINGS = (".duckdb", ".db")
USED = "aptdb.usual"  # under this name a context of Click holds the lexicon that the environment named
QUESTION = re.compile(r"[^/\s]+/[A-Z]+|.+\[.*", re.DOTALL)  # a lexeme or a phrase, but no file


def default_lexicon() -> str | None:
    """Return the file that APTDB_LEXICON names; None if it is not set."""
    return os.environ.get(VARIABLE) or None


def is_left_out(arguments: Sequence[str], most: float) -> bool:
    """Return whether the arguments leave out the lexicon, where the environment names one.

    most: how many arguments the command takes without its lexicon. If there are more, the first is the lexicon.
    """
    return len(arguments) <= most and not (arguments and looks_like_lexicon(arguments[0]))


def looks_like_lexicon(text: str) -> bool:
    """Return whether an argument names a lexicon: by its ending, or because it is an existing DuckDB file."""
    if text.lower().endswith(ENDINGS):
        return True
    try:
        if not Path(text).is_file():
            return False
        with Path(text).open("rb") as file:
            return file.read(MARK_AT + len(MARK))[MARK_AT:] == MARK
    except (OSError, ValueError):
        return False


def with_lexicon(command: Any, context: Any, arguments: list[str]) -> list[str]:
    """Return the arguments of a command with its lexicon. Raise a usage error if it is named twice, or missing.

    The option stands for the argument, which is then left out. The environment's lexicon is used if the first argument
    is not a lexicon: neither by its ending, nor as a DuckDB file; or if it would be one argument too many.
    """
    from aptdb.commands.completion.describe_commands import shape_of

    shape = shape_of(command, context.info_name or "")
    if not (shape["arguments"] and shape["arguments"][0]["kind"] == "lexicon"):
        return arguments
    found = read_command_words(shape, arguments)
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
    """Return a file as an argument that is not an option."""
    return f"./{file}" if file.startswith("-") else file


def refuse_both(found: Read, named: str, context: Any) -> None:
    """Raise a usage error if both the option and an argument name a lexicon."""
    import typer

    if not named:
        raise typer.BadParameter("the name of the file is empty", context, param_hint="--lexicon")
    others = found.shape["arguments"][1:]
    takes_files = bool(others) and others[0]["kind"] == "files"
    if found.arguments and looks_like_lexicon(found.arguments[0]) and not takes_files:
        raise typer.BadParameter(f"{named} and {found.arguments[0]} both name the lexicon; name one", context)


def refuse_none(found: Read, context: Any) -> None:
    """Raise a usage error if the first argument is a question instead of the lexicon."""
    import typer

    if found.arguments and QUESTION.fullmatch(first := found.arguments[0]) and not looks_like_lexicon(first):
        problem = f"{first} is not a lexicon; name its file before it ({context.command_path} LEXICON …)"
        raise typer.BadParameter(f"{problem}, or in {VARIABLE}, or by --lexicon", context, param_hint="LEXICON")


def usual_note(context: Any, message: str) -> str:
    """Return the end of an error if the environment named the lexicon, because the command does not show it."""
    usual = context.meta.get(USED)
    if usual is None:
        return ""
    return f" ({VARIABLE} names it)" if usual in message else f" (in {usual}, which {VARIABLE} names)"
