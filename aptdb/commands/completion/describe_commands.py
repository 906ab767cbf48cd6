"""Describe the command line, from the commands themselves, for completion and for commands without their lexicon."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from aptdb.commands.completion.shape import (
    LEXICON_VARIABLE,
    Part,
    Read,
    Shape,
    default_lexicon,
    is_left_out,
    looks_like_lexicon,
    most_of,
    plain_part,
    read_command_words,
)
from aptdb.commands.topics import list_topic_pages
from aptdb.core.schemes import SCHEMES

# The default lexicon
USED = "aptdb.usual"  # under this name a context of Click holds the lexicon that the environment named
QUESTION = re.compile(r"[^/\s]+/[A-Z]+|.+\[.*", re.DOTALL)  # a lexeme or a phrase, but no file

# Kinds of values that come from the lexicon or from files, by names of arguments and options; those of single commands
# come first. All other values are declared.
OF_COMMANDS: Mapping[tuple[str, str], str] = {
    ("keyness", "a"): "subcorpus",
    ("keyness", "b"): "subcorpus",
    ("draw", "relations"): "relation",
    ("subcorpus", "name"): "subcorpus",
    ("stored", "name"): "entry",
    ("refresh", "name"): "stored",
    ("forget", "name"): "stored",
    ("sketch", "relations"): "relation",
    ("sketch", "against"): "lexeme",
    ("weigh", "name"): "weighting",
    ("reduce", "name"): "space",
    ("senses", "word"): "lexeme",
}
ARGUMENTS: Mapping[str, str] = {
    "lexicon": "lexicon",
    "x": "phrase",
    "a": "phrase",
    "b": "phrase",
    "phrase": "phrase",
    "phrases": "phrase",
    "lexeme": "lexeme",
    "path": "path",
    "pattern": "lexeme",
    "context": "context",
    "corpus": "corpus",
    "files": "files",
    "lexicon_or_files": "lexicon",
    "questions": "files",
    "gold": "files",
    "sentences": "files",
    "others": "files",
    "copy": "files",
    "dataset": "files",
    "query": "",
    "text": "phrase",
    "texts": "files",
    "topic": "",
    "table": "",
    "name": "",
    "kind": "",
    "slot": "",
    "words": "lexeme",
}
OPTIONS: Mapping[str, str] = {
    "by": "column",
    "candidates": "lexeme",
    "subcorpus": "subcorpus",
    "subcorpus_b": "subcorpus",
    "pos": "tag",
    "weights": "weighting",
    "space": "space",
    "lexicon": "lexicon",
}
OF_METAVARS: Mapping[str, str] = {
    "FILE": "files",
    "NEW": "files",
    "LEXICON": "files",
    "FOLDER": "folders",
    "[NAME=]FILE": "files",
}
# Values that no type lists.
VALUES: Mapping[str, Sequence[str]] = {
    "by": ("corpus", "document", "match", "match.lemma"),
    "pos": ("same", "any"),
    "scheme": [*SCHEMES],
    "topic": [*list_topic_pages()],
    "smooth": ("none", "static:10", "offset:10", "window:0.1"),
    "weights": [*SCHEMES],
}


def shape_of(command: Any, name: str) -> Shape:
    """Return the shape of a command of Click, or of a group of commands. name: its name there."""
    options, arguments = {}, []
    for each in command.params:
        if each.param_type_name == "argument":
            arguments.append(describe_argument(each, name, command.callback))
        elif not each.hidden:
            for spelled in (*each.opts, *each.secondary_opts):
                options[spelled] = describe_argument(each, name, command.callback)
    options["--help"] = plain_part("help", help="Show this message and exit.", flag=True)
    below = {
        called: shape_of(each, called) for called, each in getattr(command, "commands", {}).items() if not each.hidden
    }
    return {
        "help": command.get_short_help_str(200), "options": options, "arguments": arguments, "commands": below,
    }  # fmt: skip


def describe_argument(parameter: Any, command: str, callback: Any) -> Part:
    """Return an argument or option of a command."""
    metavar, is_option = str(parameter.metavar or ""), parameter.param_type_name == "option"
    of_option = OPTIONS.get(parameter.name) or OF_METAVARS.get(metavar, "")
    kind = of_option if is_option else ARGUMENTS.get(parameter.name, "")
    return plain_part(
        parameter.name,
        help=parameter.help or "",
        kind=OF_COMMANDS.get((command, parameter.name)) or kind,
        values=list_declared_values(parameter, callback),
        flag=bool(is_option and (parameter.is_flag or parameter.count)),
        many=metavar.endswith(",...") if is_option else parameter.nargs < 0,
        required=bool(parameter.required),
    )


def list_declared_values(parameter: Any, callback: Any) -> list[str]:
    """Return the declared values."""
    if parameter.name in VALUES:
        return [*VALUES[parameter.name]]
    choices = getattr(parameter.type_descriptor, "choices", None) or ()
    annotation = getattr(callback, "__annotations__", {}).get(parameter.name)
    declared = [value for each in get_args(annotation) if isinstance(each, tuple) for value in each]
    return [*(str(getattr(each, "value", each)) for each in choices), *declared]


def with_lexicon(command: Any, context: Any, arguments: list[str]) -> list[str]:
    """Return the arguments of a command with its lexicon. Raise a usage error if it is named twice, or missing.

    The option stands for the argument, which is then left out. The environment's lexicon is used if the first argument
    is not a lexicon: neither by its ending, nor as a DuckDB file; or if it would be one argument too many.
    """
    shape = shape_of(command, context.info_name or "")
    named = context.find_root().params.get("lexicon")
    if not (shape["arguments"] and shape["arguments"][0]["kind"] == "lexicon"):
        refuse_needless(named, context)
        return arguments
    found = read_command_words(shape, arguments)
    if found is None or {"help", "help_all"} & found.options.keys():
        return arguments
    if named is not None:
        refuse_both(found, named, context)
        return [as_argument(named), *arguments]
    if (usual := default_lexicon()) is None:
        refuse_none(found, context)
    elif is_left_out(found.arguments, most_of(shape["arguments"][1:])):
        context.meta[USED] = usual
        return [as_argument(usual), *arguments]
    return arguments


def names_default_lexicon(context: Any) -> bool:
    """Return whether --lexicon or the environment names the lexicon of a command, whose first argument it then is."""
    return USED in context.meta or context.find_root().params.get("lexicon") is not None


def refuse_needless(named: str | None, context: Any) -> None:
    """Raise a usage error if a lexicon is named for a command that takes none."""
    import typer

    if named is not None:
        raise typer.BadParameter(f"{context.info_name} takes no lexicon", context, param_hint="--lexicon")


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
        raise typer.BadParameter(f"{problem}, or in {LEXICON_VARIABLE}, or by --lexicon", context, param_hint="LEXICON")


def usual_note(context: Any, message: str) -> str:
    """Return the end of an error if the environment named the lexicon, because the command does not show it."""
    usual = context.meta.get(USED)
    if usual is None:
        return ""
    return f" ({LEXICON_VARIABLE} names it)" if usual in message else f" (in {usual}, which {LEXICON_VARIABLE} names)"
