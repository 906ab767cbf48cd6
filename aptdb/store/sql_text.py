"""Values as SQL literals, and a check that text is valid Unicode before SQL meets it."""

import math
import numbers
import re
from collections.abc import Mapping
from typing import Any

from aptdb.core.errors import QuestionError


class SqlText(str):
    """Text that is SQL already and must not be quoted."""


def literal(value: Any) -> str:
    """Return a value as a SQL literal: text, numbers, booleans, None, and lists and dictionaries (structs) of them."""
    if isinstance(value, SqlText):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(str(key))}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(literal(each) for each in value) + "]"
    return plain_literal(value)


def plain_literal(value: Any) -> str:
    """Return a single value as a SQL literal; numbers of numpy are like Python's."""
    if value is None:
        return "NULL"
    if isinstance(value, bool) or type(value).__name__ == "bool":  # numpy's has the name, and no base in common
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return repr(float(value))
    quoted = "'" + str(value).replace("'", "''") + "'"
    return f"{quoted}::DOUBLE" if isinstance(value, numbers.Real) else quoted


def identifier(name: str) -> SqlText:
    """Return a name as SQL writes it, in quotes."""
    return SqlText('"' + name.replace('"', '""') + '"')


# Half of a surrogate pair, which is found fast; the word that it is in takes the square of the length of the words.
HALF_PAIR = re.compile("[\ud800-\udfff]")

# A word with half of a surrogate pair, which stands for a byte that is not UTF-8.
NO_TEXT = re.compile("[^\\s']*[\ud800-\udfff][^\\s']*")


def refuse_no_text(statement: str) -> None:
    """Raise QuestionError for text that is no Unicode; the message names the word."""
    if HALF_PAIR.search(statement) and (found := NO_TEXT.search(statement)):
        raise QuestionError(f"{found[0]} is not UTF-8 text")
