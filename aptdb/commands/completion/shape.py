"""The shape of the command line as plain data, cached; the part of it at the end of some words; the default lexicon.

`describe_commands.py` makes the shape from the commands. The default lexicon is that of --lexicon or of APTDB_LEXICON,
for commands whose argument LEXICON is left out.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from aptdb.store import user_cache
from aptdb.store.version import __version__

PACKAGE = Path(__file__).parents[2]
ROOMS = ("commands", "commands/completion", "core", "questions", "evaluation", ".")  # whose modules declare commands
LEXICON_VARIABLE = "APTDB_LEXICON"
ENDINGS = (".duckdb", ".db")
OF_PROGRAM = ("--lexicon", "--memory", "--temp", "--wait", "--log")  # options that may stand anywhere in a line


def read_or_cache(what: str, kind: type, make: Callable[[], Any]) -> Any:
    """Return a cached value of a type that JSON can hold; call `make` and cache its result if there is none."""
    changed = max((file.stat().st_mtime_ns for room in ROOMS for file in (PACKAGE / room).glob("*.py")), default=0)
    name = f"{what}-{__version__}-{user_cache.INSTALLATION}-{changed}"
    found = user_cache.read_cached(name)
    if not isinstance(found, kind):
        found = make()
        user_cache.write_cached(name, found)
    return found


class Part(TypedDict):
    """An argument or option. kind: the kind of its values in a lexicon. flag: whether it has no value.

    many: for an argument, whether it takes all that follow; for an option, whether its value is a list with commas.
    """

    name: str
    help: str
    kind: str
    values: list[str]
    flag: bool
    many: bool
    required: bool


class Shape(TypedDict):
    """A command, or a group of commands. options: by their names, e.g. --top."""

    help: str
    options: dict[str, Part]
    arguments: list[Part]
    commands: dict[str, "Shape"]


@dataclass
class Read:
    """The meaning of words so far. program: its options. shape: of the command. asked: the option without value.

    ended: whether -- came.
    """

    program: Mapping[str, Part]
    shape: Shape
    named: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    asked: Part | None = None
    ended: bool = False


def cached_shape(make: Callable[[], Shape]) -> Shape:
    """Return the shape of the command line, from the cache if possible."""
    found: Shape = read_or_cache("commands", dict, make)
    return found


def read_command_words(shape: Shape, words: Sequence[str]) -> Read | None:
    """Return the meaning of some words, without the program's name; None for an unknown command."""
    found = Read({name: part for name, part in shape["options"].items() if name in OF_PROGRAM}, shape)
    for word in words:
        if found.asked is not None:
            found.options[found.asked["name"]] = word
            found.asked = None
        elif word == "--" and not found.ended:
            found.ended = True
        elif word.startswith("-") and len(word) > 1 and not found.ended:
            take_option(found, word)
        elif found.shape["commands"]:
            if word not in found.shape["commands"]:
                return None
            found.shape = found.shape["commands"][word]
            found.named.append(word)
        else:
            found.arguments.append(word)
    return found


def take_option(found: Read, word: str) -> None:
    """Note an option. Its value may be in the same word: --top=3, -oFILE."""
    name, sign, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
    if (part := found.shape["options"].get(name) or found.program.get(name)) is None:
        return
    if part["flag"] or sign:
        found.options[part["name"]] = value
    else:
        found.asked = part


def put_program_words_first(words: Sequence[str]) -> list[str]:
    """Return the words of a line with the options of the program before all others, each with its value."""
    end = words.index("--") if "--" in words else len(words)
    first: list[str] = []
    others: list[str] = []
    place = 0
    while place < end:
        name, sign, _ = words[place].partition("=")
        many = 1 if name not in OF_PROGRAM or sign else 2
        (first if name in OF_PROGRAM else others).extend(words[place : min(place + many, end)])
        place += many
    return [*first, *others, *words[end:]]


def argument_at(arguments: Sequence[Part], place: int) -> Part | None:
    """Return the argument at a position; the last may take all that follow. None if there is none."""
    if place < len(arguments):
        return arguments[place]
    return arguments[-1] if arguments and arguments[-1]["many"] else None


def most_of(arguments: Sequence[Part]) -> float:
    """Return the maximum number of words that the arguments take."""
    return float("inf") if any(each["many"] for each in arguments) else len(arguments)


def plain_part(name: str, **more: Any) -> Part:
    """Return a part with default values."""
    part: Part = {
        "name": name, "help": "", "kind": "", "values": [], "flag": False, "many": False, "required": False,
    }  # fmt: skip
    return part | more  # type: ignore[return-value]


# The default lexicon
def default_lexicon() -> str | None:
    """Return the file that APTDB_LEXICON names; None if it is not set."""
    return os.environ.get(LEXICON_VARIABLE) or None


def is_left_out(arguments: Sequence[str], most: float) -> bool:
    """Return whether the arguments leave out the lexicon, where the environment names one.

    most: how many arguments the command takes without its lexicon. If there are more, the first is the lexicon.
    """
    return len(arguments) <= most and not (arguments and looks_like_lexicon(arguments[0]))


def looks_like_lexicon(text: str) -> bool:
    """Return whether an argument names a lexicon: by its ending, or because it is an existing DuckDB file."""
    from aptdb.store.attached import MARK, MARK_AT

    if text.lower().endswith(ENDINGS):
        return True
    try:
        if not Path(text).is_file():
            return False
        with Path(text).open("rb") as file:
            return file.read(MARK_AT + len(MARK))[MARK_AT:] == MARK
    except (OSError, ValueError):
        return False
