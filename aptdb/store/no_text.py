"""Finds text that is no Unicode, before SQL meets it: arguments of a command may be any bytes."""

import re

from aptdb.errors import QuestionError

# Half of a surrogate pair, which is found fast; the word that it is in takes the square of the length of the words.
HALF_PAIR = re.compile("[\ud800-\udfff]")

# A word with half of a surrogate pair, which stands for a byte that is not UTF-8.
NO_TEXT = re.compile("[^\\s']*[\ud800-\udfff][^\\s']*")


def refuse_no_text(statement: str) -> None:
    """Raise QuestionError for text that is no Unicode; the message names the word."""
    if HALF_PAIR.search(statement) and (found := NO_TEXT.search(statement)):
        raise QuestionError(f"{found[0]} is not UTF-8 text")
