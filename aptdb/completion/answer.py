"""Answers a shell that completes: words in, one line for each value out; nothing, and no message, if anything fails."""

import os
import re
import sys
import threading
from collections.abc import Callable

from aptdb.completion.shape import Shape, cached_shape
from aptdb.completion.values import Answer, answer
from aptdb.completion.words import Word, text_of, words_of, written_on

VARIABLE = "_APTDB_COMPLETE"  # complete_bash, complete_zsh, complete_fish or complete_powershell
BREAKS = "_APTDB_BREAKS"  # where Bash breaks words
END = re.compile(r"(\. | \[default|\.$).*", re.DOTALL)  # of the first sentence of a help
LONGEST_MEANING = 60  # characters
PATIENCE = 2.0  # seconds until a shell is told nothing


def complete(asked: str, words: list[str], make: Callable[[], Shape]) -> str:
    """What a shell is told: a line that says what to do with the values, then each of them with its meaning.

    asked: the value of VARIABLE. words: for Bash the line up to the cursor; for others its words, the last as typed.
    make: gives the shape of the command line, which takes longer than to read it from the cache.
    """
    shell = asked.removeprefix("complete_")
    if shell == "bash":
        typed = words_of(words[0] if words else "")
    else:
        # fish gives what words stand for, and the last one as it is typed.
        typed = [Word(each, each if shell == "fish" and each is not words[-1] else text_of(each)) for each in words]
    found = answer(cached_shape(make), [each.text for each in typed[1:]] or [""])
    breaks = os.environ.get(BREAKS, "")
    if shell == "bash":
        found.values = [(written_on(typed[-1], value, breaks), means) for value, means in found.values]
    return "\n".join([what_to_do(found), *(f"{value}\t{shortened(means)}" for value, means in found.values)]) + "\n"


def what_to_do(found: Answer) -> str:
    """The first line: look for files or folders, or show the values, with a space after one or without."""
    return found.files or ("open" if found.is_open else "values")


def shortened(text: str) -> str:
    """The first sentence of a text, or as much of it as fits."""
    first = END.sub("", text)
    return first if len(first) <= LONGEST_MEANING else first[: LONGEST_MEANING - 1] + "…"


def complete_and_end(asked: str, make: Callable[[], Shape]) -> None:
    """Tell the shell that runs this program, and end it."""
    patience = threading.Timer(PATIENCE, os._exit, [0])
    patience.daemon = True
    patience.start()
    try:
        told = complete(asked, sys.argv[1:], make)
        os.write(1, told.encode("utf-8"))
    except BaseException:  # whoever presses Tab expects no message
        os._exit(0)
    os._exit(0)  # at once: to end in order takes as long as to ask
