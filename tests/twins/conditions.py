"""What a condition comes to for a row: True, False, or None where it is unknown.

A condition is a tuple that begins with its operator. An operand is ("column", name), ("value", value) or ("of_time",
(function, name)); a row is a dictionary.
"""

import operator
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
Row = Mapping[str, Any]


def holds(condition: Any, row: Row) -> bool | None:
    """SQL's logic of three values."""
    kind, *parts = condition
    if kind == "truth":
        return parts[0]  # type: ignore[no-any-return]
    if kind == "not":
        return opposite(holds(parts[0], row))
    if kind in ("and", "or"):
        decisive = kind == "or"
        found = [holds(each, row) for each in parts[0]]
        return decisive if decisive in found else None if None in found else not decisive
    if kind == "between":
        subject, lower, upper = parts
        return holds(("and", [(">=", subject, lower), ("<=", subject, upper)]), row)
    if kind == "in":
        return holds(("or", [("=", parts[0], each) for each in parts[1]]), row)
    return plain(kind, [of(each, row) for each in parts])


def opposite(value: bool | None) -> bool | None:
    """The opposite; of what is unknown, unknown."""
    return None if value is None else not value


def of(operand: Any, row: Row) -> Any:
    """The value of an operand in a row."""
    kind, name = operand
    if kind == "of_time":
        return of_time(name[0], row[name[1]])
    return row[name] if kind == "column" else name


def of_time(function: str, time: Any) -> int | None:
    """The year, month, decade or century of a date, or of a year after Christ."""
    if time is None:
        return None
    year = time.year if isinstance(time, date) else int(time)
    if function == "month":
        return int(time.month)
    return {"year": year, "decade": year // 10 * 10, "century": (year + 99) // 100}[function]


def plain(kind: str, values: list[Any]) -> bool | None:
    """What compares values alone."""
    if kind == "null":
        return values[0] is None
    left, right = values
    if kind in ("distinct", "alike"):
        same = left is right if None in values else COMPARED["="](*alike(left, right))
        return same == (kind == "alike")
    if None in values:
        return None
    if kind in ("like", "ilike"):
        pattern = "".join({"%": ".*", "_": "."}.get(each, re.escape(each)) for each in right)
        return re.fullmatch(pattern, left, re.DOTALL | (re.IGNORECASE if kind == "ilike" else 0)) is not None
    return COMPARED[kind](*alike(left, right))


def alike(left: Any, right: Any) -> tuple[Any, Any]:
    """Two values in one type: text beside a number or a date is read as one."""
    if isinstance(left, str) != isinstance(right, str):
        text, other = (left, right) if isinstance(left, str) else (right, left)
        read = date.fromisoformat(text) if isinstance(other, date) else float(text)
        left, right = (read, other) if isinstance(left, str) else (other, read)
    if isinstance(left, datetime) or isinstance(right, datetime):
        left, right = (datetime.fromisoformat(each.isoformat()) for each in (left, right))
    return left, right
