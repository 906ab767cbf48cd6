"""Values as SQL writes them."""

import math
import numbers
from collections.abc import Mapping
from typing import Any


class SqlText(str):
    """Text that is SQL already and must not be quoted."""


def literal(value: Any) -> str:
    """A value as a SQL literal: text, numbers, booleans, None, and lists and dictionaries (structs) of them."""
    if isinstance(value, SqlText):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(str(key))}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(literal(each) for each in value) + "]"
    return plain_literal(value)


def plain_literal(value: Any) -> str:
    """A single value as a SQL literal; numbers of numpy are like Python's."""
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
    """A name as SQL writes it, in quotes."""
    return SqlText('"' + name.replace('"', '""') + '"')
