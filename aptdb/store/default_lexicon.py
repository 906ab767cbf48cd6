"""The default lexicon, for commands that name none: that of --lexicon, or of APTDB_LEXICON."""

import os
from collections.abc import Sequence
from pathlib import Path

from aptdb.store.attached import MARK, MARK_AT

VARIABLE = "APTDB_LEXICON"
ENDINGS = (".duckdb", ".db")


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
