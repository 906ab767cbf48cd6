"""Describe the command line for completion, from the commands themselves."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from aptdb.commands.completion.shape import Part, Shape, plain_part
from aptdb.commands.topics import list_topic_pages
from aptdb.core.schemes import SCHEMES

# Kinds of values, by names of arguments and options; those of single commands come first.
OF_COMMANDS: Mapping[tuple[str, str], str] = {
    ("keyness", "a"): "subcorpus",
    ("keyness", "b"): "subcorpus",
    ("draw", "relations"): "relation",
    ("subcorpus", "name"): "subcorpus",
    ("entries", "name"): "entry",
    ("sketch", "relations"): "relation",
    ("sketch-diff", "relations"): "relation",
    ("weigh", "name"): "weighting",
    ("reduce", "name"): "space",
    ("choose", "questions"): "files",
    ("rate-substitutes", "gold"): "files",
    ("rate-substitutes", "sentences"): "files",
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
    "counts": "folders",
    "others": "files",
    "copy": "files",
    "dataset": "files",
    "query": "",
    "text": "phrase",
    "texts": "files",
    "topic": "",
    "name": "",
}
OPTIONS: Mapping[str, str] = {
    "by": "column",
    "candidates": "lexeme",
    "subcorpus": "subcorpus",
    "subcorpus_b": "subcorpus",
    "pos": "tag",
    "weights": "weighting",
    "space": "space",
    "usual": "lexicon",
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
    "by": ("corpus", "document"),
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
    return plain_part(
        parameter.name,
        help=parameter.help or "",
        kind=kind_of_values(parameter, command, metavar, is_option=is_option),
        values=list_declared_values(parameter, callback),
        flag=bool(is_option and (parameter.is_flag or parameter.count)),
        many=metavar.endswith(",...") if is_option else parameter.nargs < 0,
        required=bool(parameter.required),
    )


def kind_of_values(parameter: Any, command: str, metavar: str, *, is_option: bool) -> str:
    """Return the kind of values that come from the lexicon or from files; '' if the declaration lists them."""
    if of_command := OF_COMMANDS.get((command, parameter.name)):
        return of_command
    if not is_option:
        return ARGUMENTS.get(parameter.name, "")
    return OPTIONS.get(parameter.name) or OF_METAVARS.get(metavar, "")


def list_declared_values(parameter: Any, callback: Any) -> list[str]:
    """Return the declared values."""
    if parameter.name in VALUES:
        return [*VALUES[parameter.name]]
    named = "type_descriptor" if hasattr(parameter, "type_descriptor") else "type"  # the latter until Typer 0.28
    choices = getattr(getattr(parameter, named), "choices", None) or ()
    annotation = getattr(callback, "__annotations__", {}).get(parameter.name)
    declared = [value for each in get_args(annotation) if isinstance(each, tuple) for value in each]
    return [*(str(getattr(each, "value", each)) for each in choices), *declared]
