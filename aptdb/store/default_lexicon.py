"""The lexicon that is asked where a command names none: that of --lexicon, or of APTDB_LEXICON."""

import os
from collections.abc import Sequence
from pathlib import Path

from aptdb.store.attached import MARK, MARK_AT

VARIABLE = "APTDB_LEXICON"
ENDINGS = (".duckdb", ".db")


def usual_lexicon() -> str | None:
    """Return the file that the environment names; None if it names none."""
    return os.environ.get(VARIABLE) or None


def is_left_out(arguments: Sequence[str], most: float) -> bool:
    """Return whether arguments begin with something else than a lexicon, where the environment names one.

    most: how many arguments the command takes, its lexicon aside. More than these begin with the lexicon.
    """
    return len(arguments) <= most and not (arguments and looks_like_lexicon(arguments[0]))


def looks_like_lexicon(text: str) -> bool:
    """Return whether an argument names a lexicon: by its ending, or because there is such a file of DuckDB's."""
    if text.lower().endswith(ENDINGS):
        return True
    try:
        if not Path(text).is_file():
            return False
        with Path(text).open("rb") as file:
            return file.read(MARK_AT + len(MARK))[MARK_AT:] == MARK
    except (OSError, ValueError):
        return False
