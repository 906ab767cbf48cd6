"""How an answer was made, for its header (--provenance): the command, each lexicon, its settings and its corpora."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aptdb.core.one_line import on_one_line
from aptdb.store.version import __version__

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon

# How a line of a comment begins and ends, by format. In JSON the header is an object.
COMMENTS = {"csv": ("# ", ""), "tsv": ("# ", ""), "latex": ("% ", ""), "markdown": ("<!-- ", " -->")}
JSON = ("json", "jsonl")
END_OF_COMMENT = re.compile("--(!?)>")
# What a command may name, and what one of these is called.
KEPT = {"subcorpora": "subcorpus", "weightings": "weighting", "spaces": "space", "entries": "entry"}

_arguments: ContextVar[Sequence[str]] = ContextVar("arguments", default=())
_lexicons: ContextVar[list[dict[str, Any]] | None] = ContextVar("lexicons", default=None)


def note_arguments(arguments: Sequence[str]) -> None:
    """Keep the words of the command line for headers."""
    _arguments.set([*arguments])


@contextmanager
def collect_provenance() -> Iterator[None]:
    """Collect what stands in the header of an answer, within the block."""
    token = _lexicons.set([])
    try:
        yield
    finally:
        _lexicons.reset(token)


def note_lexicon(file: Path, opened: "Lexicon") -> None:
    """Keep a lexicon for the header, if one is asked for, with what the command names of it."""
    if (noted := _lexicons.get()) is None or any(each["file"] == file for each in noted):
        return
    named = {word for argument in _arguments.get() for word in re.split(r"[\s,=]+", argument)}
    found = opened.stored.provenance()
    del found["aptdb"]
    for kind in KEPT:
        found[kind] = {name: made for name, made in found[kind].items() if name in named}
    noted.insert(0, {"file": file, **found})  # what is attached comes first, and stands last


def is_provenance_wanted() -> bool:
    """Return whether answers have a header."""
    return _lexicons.get() is not None


def describe_provenance() -> dict[str, Any]:
    """Return the header of an answer as an object."""
    lexicons = [{name: value for name, value in each.items() if name != "file"} for each in _lexicons.get() or ()]
    return {"aptdb": __version__, "command": shlex.join(["aptdb", *_arguments.get()]), "lexicons": lexicons}


def list_provenance() -> list[str]:
    """Return the header of an answer as lines of text."""
    header = describe_provenance()
    lines = [f"aptdb {header['aptdb']}", header["command"]]
    for each in header["lexicons"]:
        lines.append(f"lexicon {each['lexicon']}, schema {each['schema']}")
        lines.append(f"settings: {join_values(each['settings'])}")
        for kind, one in KEPT.items():
            lines += [f"{one} {name}: {join_values(made)}" for name, made in each[kind].items()]
        lines += [
            f"corpus {one['name']}, sha256 of its unpacked text {one['sha256'] or 'unknown'}" for one in each["corpora"]
        ]
    return [on_one_line(line) for line in lines]


def join_values(values: Mapping[str, Any]) -> str:
    """Return names and values on one line."""
    return "; ".join(f"{name} {value}" for name, value in values.items() if value is not None)


def write_header(format: str) -> tuple[str, str]:
    """Return what stands before and after an answer in a format; nothing if no header is asked for."""
    if not is_provenance_wanted():
        return "", ""
    if format in JSON:
        about = json.dumps(describe_provenance(), ensure_ascii=False, default=str)
        begin = f'{{"provenance": {about}'
        return (f'{begin},\n"rows": ', "}\n") if format == "json" else (f"{begin}}}\n", "")
    begin, end = COMMENTS[format]
    lines = (END_OF_COMMENT.sub(r"--\1&gt;", line) if end else line for line in list_provenance())
    return "".join(f"{begin}{line}{end}\n" for line in lines) + ("\n" if format == "markdown" else ""), ""
