"""Columns that conditions and groupings name, functions of them, and numbers as text."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from aptdb.core.errors import QuestionError
from aptdb.store.statements import identifier

Names = Callable[["Column"], str]  # how SQL writes a column
FUNCTIONS = ("year", "month", "decade", "century", "bin", "round")  # of dates; from decade on, also of numbers
CASTS = dict.fromkeys(("INTEGER", "INT", "BIGINT"), "integer")
CASTS |= dict.fromkeys(("DOUBLE", "FLOAT", "REAL"), "double")  # what SQL's types are called as functions
ARE = ", ".join((*FUNCTIONS, "::INTEGER", "::DOUBLE"))
CALL = re.compile(r"\s*(\w+)\s*\((.*?)(?:,\s*([-+.0-9]+)\s*)?\)\s*", re.DOTALL)
CAST = re.compile(r"(.*)::\s*(\w+)\s*", re.DOTALL)
MOST_DIGITS = 15  # of a number that is rounded
BIGINTS = range(-(2**63), 2**63)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class Column:
    """A column of documents or sentences, by name, or a function of it, '' for none; argument: a number beside it."""

    name: str
    function: str = ""
    argument: int | float | None = None

    def written(self, names: Names) -> str:
        """Return the column as SQL."""
        return names(self)

    def shown(self) -> str:
        """Return the column as messages show it."""
        return self._called(self.name)

    def text(self) -> str:
        """Return the column as conditions are stored, e.g. century("date") or "age"::INTEGER."""
        return self._called(identifier(self.name))

    def _called(self, name: str) -> str:
        """Return the function of a name as SQL writes it."""
        if self.function in CASTS.values():
            return f"{name}::{self.function.upper()}"
        beside = "" if self.argument is None else f", {self.argument}"
        return f"{self.function}({name}{beside})" if self.function else name


def column_of(text: str) -> Column:
    """Return the column that a text such as genre, bin(age, 12) or age::INTEGER means. Raise QuestionError."""
    if cast := CAST.fullmatch(text):
        if cast[2].upper() not in CASTS:
            raise QuestionError(f"no type {cast[2]}; there is {ARE}")
        return Column(cast[1].strip(), CASTS[cast[2].upper()])
    call = CALL.fullmatch(text)
    if call is None:
        return Column(text)
    if call[1].lower() not in FUNCTIONS:
        raise QuestionError(f"no function {call[1]}; there is {ARE}")
    return function_of(call[2].strip(), call[1].lower(), None if call[3] is None else parse_number(call[3]))


def function_of(name: str, function: str, argument: int | float | None) -> Column:
    """Return the function of a column. Raise QuestionError if its argument is missing, is wrong, or is none of its."""
    found = Column(name, function, argument)
    if function == "bin" and (argument is None or argument <= 0):
        raise QuestionError(f"{found.shown()}: a bin has a width above 0; write e.g. bin({name}, 10)")
    if function == "round" and argument not in (None, *range(-MOST_DIGITS, MOST_DIGITS + 1)):
        raise QuestionError(f"{found.shown()}: a number is rounded to a whole number of digits, -15 to 15")
    if function not in ("bin", "round") and argument is not None:
        raise QuestionError(f"{found.shown()}: {function} takes a column alone")
    return found


def parse_number(text: str) -> int | float | None:
    """Return a number as it is written; None for other text, and for numbers that are too large.

    Of metadata, _store.number_of in sql/questions/define/grouping.sql decides it alike.
    """
    plain = text.replace("_", "")
    if not NUMBER.fullmatch(plain) or not math.isfinite(float(plain)):
        return None
    is_whole = plain.lstrip("+-").isdigit() and abs(float(plain)) <= BIGINTS.stop
    return whole if is_whole and (whole := int(plain)) in BIGINTS else float(plain)
