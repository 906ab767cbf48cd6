"""Parse conditions of subcorpora, and columns that conditions and groupings name, with functions of them.

The text of a condition becomes a small tree, by DuckDB's grammar, and the tree becomes SQL.

Only the tree is run, never the user's text: it contains columns, values, comparisons and connectives.
"""

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.store.database import in_memory
from aptdb.store.statements import identifier, literal, refuse_no_text, statement

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
            raise QuestionError(f"a column has no type {cast[2]}; it has {ARE}")
        return Column(cast[1].strip(), CASTS[cast[2].upper()])
    if (call := CALL.fullmatch(text)) is None:
        return Column(text)
    if call[1].lower() not in FUNCTIONS:
        raise QuestionError(f"a column has no function {call[1]}; it has {ARE}")
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


@dataclass(frozen=True)
class Value:
    """A literal value in a condition."""

    value: str | int | float | bool | date | datetime | None

    def written(self, names: Names | None = None) -> str:
        """Return the value as SQL. A float has an exponent: without one, DuckDB reads a DECIMAL."""
        if isinstance(self.value, date):
            is_time = isinstance(self.value, datetime)
            kind, text = ("TIMESTAMP", str(self.value)) if is_time else ("DATE", self.value.isoformat())
            return f"{kind} {literal(text)}"
        if isinstance(self.value, float):
            text = repr(self.value)
            return text if "e" in text else f"{text}e0"
        return literal(self.value)


Operand = Column | Value
PATTERNS = ("LIKE", "ILIKE")


class Condition(ABC):
    """A condition that is true, false or unknown for a sentence."""

    @abstractmethod
    def written(self, names: Names) -> str:
        """Return the condition as SQL writes it."""

    def text(self) -> str:
        """Return the condition as it is stored and shown: the same for all texts with the same tree."""
        return self.written(Column.text)


@dataclass(frozen=True)
class Comparison(Condition):
    """A comparison of columns and values by a word of SQL: =, LIKE, IN, BETWEEN, IS NULL; "" is a truth value."""

    word: str
    operands: tuple[Operand, ...]

    def written(self, names: Names, negated: str = "") -> str:
        """Return the condition as SQL. negated: NOT where the words take it in their midst, as NOT LIKE."""
        first, *others = (each.written(names) for each in self.operands)
        if self.word == "IN":
            return f"{first} {negated}IN ({', '.join(others)})"
        if self.word == "IS NULL":
            return f"{first} IS {negated}NULL"
        return f"{first} {negated}{self.word} {' AND '.join(others)}" if others else first


@dataclass(frozen=True)
class Not(Condition):
    """The negation of a condition."""

    part: Condition

    def written(self, names: Names) -> str:
        """Return the condition as SQL: IS NOT NULL, NOT IN, …, else NOT (…)."""
        if isinstance(self.part, Comparison) and self.part.word in ("BETWEEN", "IN", "IS NULL", *PATTERNS):
            return self.part.written(names, "NOT ")
        return f"NOT ({self.part.written(names)})"


@dataclass(frozen=True)
class Several(Condition):
    """Conditions joined by AND or OR (word)."""

    word: str
    parts: tuple[Condition, ...]

    def written(self, names: Names) -> str:
        """Return the condition as SQL, with brackets around what is joined otherwise."""
        texts = [(each, each.written(names)) for each in self.parts]
        return f" {self.word} ".join(f"({text})" if isinstance(each, Several) else text for each, text in texts)


@dataclass(frozen=True)
class HasMatch(Condition):
    """A sentence has a match of a pattern, as matches('VERB[obj PRON]')."""

    pattern: str

    def written(self, names: Names) -> str:
        """Return the condition as it is stored; lexicons look for its sentences first (IsOneOf)."""
        return f"matches({literal(self.pattern)})"


@dataclass(frozen=True)
class IsOneOf(Condition):
    """A sentence is one of those named, by their ids with commas between them."""

    ids: str

    def written(self, names: Names) -> str:
        """Return the condition as SQL."""
        return f"sentence.id IN (SELECT unnest(string_split({literal(self.ids)}, ',')::INTEGER[]))"


def join_conditions(word: str, parts: tuple[Condition, ...]) -> Several:
    """Return conditions joined by a word; nested ones with the same word are flattened."""
    flat: list[Condition] = []
    for each in parts:
        flat += each.parts if isinstance(each, Several) and each.word == word else (each,)
    return Several(word, tuple(flat))


LONGEST = 100_000  # characters
DEEPEST = 100  # conditions within conditions
BRACKETS = re.compile(rf"(\(\s*){{{DEEPEST + 1}}}")  # DuckDB takes half a minute to find 20,000 too many
SHOWN = 40  # characters of what is refused
EXAMPLE = "e.g. genre = 'fiction' AND year < 1900"
TAKES = (
    "it takes columns, values, comparisons, AND, OR, NOT, IN, LIKE, BETWEEN, IS NULL, matches('…') with a pattern, "
    f"and of columns {ARE}"
)
BEFORE = len("SELECT 1 WHERE (") + 1  # characters before the text in a tree
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?", re.ASCII)

# DuckDB's names for what a condition takes.
COMPARED = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "<>",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
    "COMPARE_DISTINCT_FROM": "IS DISTINCT FROM",
    "COMPARE_NOT_DISTINCT_FROM": "IS NOT DISTINCT FROM",
}
JOINED = {"CONJUNCTION_AND": "AND", "CONJUNCTION_OR": "OR"}
LIKE = {"~~": "LIKE", "!~~": "LIKE", "~~*": "ILIKE", "!~~*": "ILIKE"}  # those with ! are negated

# How messages call other things, by DuckDB's class of them.
REFUSED = {
    "FUNCTION": "no such functions or operators",
    "SUBQUERY": "no subqueries",
    "CAST": "no casts and no IS TRUE",
    "STAR": "no *",
    "LAMBDA": "no lambdas",
    "PARAMETER": "no parameters",
    "CASE": "no CASE",
    "COLLATE": "no COLLATE",
}


def parse_condition(text: str) -> Condition:
    """Return the tree of a condition. Raise QuestionError for text that is not a simple condition."""
    refuse_text(text)
    found = Reader(text.encode()).condition(syntax_tree(text), 0)
    refuse_text(found.text())
    return found


def refuse_text(text: str) -> None:
    """Raise QuestionError for text that cannot be a condition, or could not be read again once stored."""
    if not isinstance(text, str) or not text.strip():
        raise QuestionError(f"the condition is empty; write {EXAMPLE}")
    if "\0" in text:
        raise QuestionError("the condition has the character NUL, which no document has; leave it out")
    if len(text) > LONGEST:
        raise QuestionError(f"the condition has {len(text):,} characters; at most {LONGEST:,}")
    refuse_no_text(text)
    if BRACKETS.search(text):
        raise too_deep()


def syntax_tree(text: str) -> Any:
    """Return DuckDB's tree of the only expression in a text. Raise QuestionError if there is more in the text.

    The text must be one expression both with brackets around it and without. So it can neither close our bracket nor go
    on after the expression.
    """
    with closing(in_memory()) as scratch:
        ((bare, bracketed),) = scratch.rows(statement("counting/subcorpus/syntax_trees"), {"text": text})
    try:
        trees = json.loads(bare), json.loads(bracketed)
    except RecursionError:
        raise too_deep() from None
    for tree in trees:
        if "depth" in tree.get("error_message", ""):
            raise too_deep()
    if trees[0]["error"] and trees[0]["error_type"] == "parser":
        raise QuestionError(
            f"{shorten_condition(text)} is not a condition: {trees[0]['error_message']:.200}; write {EXAMPLE}"
        )
    if trees[0]["error"] or trees[1]["error"]:
        raise QuestionError(f"{shorten_condition(text)} is more than a condition; leave out the rest, also ;")
    return trees[1]["statements"][0]["node"]["where_clause"]


def too_deep() -> QuestionError:
    """Return the error for a condition that is nested too deeply."""
    return QuestionError(f"the condition is nested more than {DEEPEST} deep; write it with fewer brackets")


def shorten_condition(text: str) -> str:
    """Return a text in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


@dataclass(frozen=True)
class Reader:
    """Makes our tree from DuckDB's. source: the text of the condition, for messages."""

    source: bytes

    def quoted(self, node: Any) -> str:
        """Return the text of a node of DuckDB's tree; '' if its position is unknown."""
        start = node.get("query_location", 0) - BEFORE
        if not 0 <= start < len(self.source):
            return ""
        return shorten_condition(self.source[start : start + node["query_location_length"]].decode(errors="replace"))

    def refused(self, node: Any, why: str = "") -> QuestionError:
        """Return the error for something that conditions do not allow."""
        what = why or f"takes {REFUSED.get(node['class'], 'no such thing')}"
        quoted = self.quoted(node)
        return QuestionError(f"a condition {what}{quoted and f': {quoted}'}; {TAKES}")

    def condition(self, node: Any, depth: int) -> Condition:
        """Return a node as a condition."""
        if depth > DEEPEST:
            raise too_deep()
        kind = node["type"]
        if kind in JOINED:
            return join_conditions(JOINED[kind], tuple(self.condition(each, depth + 1) for each in node["children"]))
        if kind == "OPERATOR_NOT":
            return Not(self.condition(node["children"][0], depth + 1))
        return self.plain(node)

    def plain(self, node: Any) -> Condition:
        """Return a node as a condition without nested conditions."""
        kind = node["type"]
        if kind in COMPARED:
            return Comparison(COMPARED[kind], self.operands(node, node["left"], node["right"]))
        if kind == "COMPARE_BETWEEN":
            subject, lower = self.operands(node, node["input"], node["lower"])
            return Comparison("BETWEEN", (subject, lower, self.operands(node, node["input"], node["upper"])[1]))
        if kind == "COMPARE_IN":
            column, *values = node["children"]
            return Comparison("IN", (self.column(column), *map(self.value, values)))
        if kind in ("OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL"):
            found = Comparison("IS NULL", (self.column(node["children"][0]),))
            return found if kind == "OPERATOR_IS_NULL" else Not(found)
        return self.like(node) if kind == "FUNCTION" and not is_function(node) else self.truth(node)

    def like(self, node: Any) -> Condition:
        """Return a comparison with a pattern, or matches('…'), which are functions to DuckDB."""
        if node["function_name"].lower() == "matches" and len(node["arguments"]) == 1:
            if not isinstance(text := self.value(node["arguments"][0]["expression"]).value, str):
                raise QuestionError(f"{self.quoted(node)}: a pattern is text in quotes, as matches('VERB[obj PRON]')")
            return HasMatch(text)
        if node["function_name"] not in LIKE or not node["is_operator"]:
            raise self.refused(node)
        column, pattern = (each["expression"] for each in node["arguments"])
        value = self.value(pattern)
        if not isinstance(value.value, str):
            raise QuestionError(f"LIKE {self.quoted(pattern)}: a pattern is text in quotes, e.g. LIKE 'news%'")
        found = Comparison(LIKE[node["function_name"]], (self.column(column), value))
        return Not(found) if node["function_name"].startswith("!") else found

    def truth(self, node: Any) -> Condition:
        """Return a constant condition: true, false, or NULL."""
        operand = self.operand(node)
        if isinstance(operand, Column):
            raise QuestionError(f"{operand.shown()} alone is not a condition; compare it, {EXAMPLE}")
        if not isinstance(operand.value, bool | None):
            raise QuestionError(f"{operand.written()} alone is not a condition; compare a column with it, {EXAMPLE}")
        return Comparison("", (operand,))

    def operands(self, whole: Any, *nodes: Any) -> tuple[Operand, ...]:
        """Return the operands of a comparison, at least one of which is a column."""
        found = tuple(map(self.operand, nodes))
        if not any(isinstance(each, Column) for each in found):
            raise self.refused(whole, "needs a column in each comparison")
        return found

    def operand(self, node: Any) -> Operand:
        """Return a column or a value."""
        return self.column(node) if node["class"] == "COLUMN_REF" or is_function(node) else self.value(node)

    def column(self, node: Any) -> Column:
        """Return a column, by its bare name, or a function of one."""
        if is_cast(node):
            return Column(self.column(node["child"]).name, CASTS[node["type_expr"]["type_name"].upper()])
        if is_function(node):
            column, *beside = (each["expression"] for each in node["arguments"]) if node["arguments"] else ({},)
            if column.get("class") != "COLUMN_REF" or beside[1:]:
                raise self.refused(node, "needs a column in a function, e.g. year(date) or bin(age, 10)")
            argument = self.value(beside[0]).value if beside else None
            if isinstance(argument, str | bool | date):
                raise self.refused(node, "needs a number beside the column in a function, e.g. bin(age, 10)")
            return function_of(self.column(column).name, node["function_name"].lower(), argument)
        if node["class"] != "COLUMN_REF":
            raise self.refused(node, "needs a column here" if node["class"] == "CONSTANT" else "")
        if len(node["column_names"]) != 1:
            raise self.refused(node, "needs names of columns without a dot, or in double quotes")
        return Column(node["column_names"][0])

    def value(self, node: Any) -> Value:
        """Return a value."""
        if node["class"] == "CAST" and node["type_expr"]["type_name"].upper() in ("DATE", "TIMESTAMP"):
            is_text = node["child"].get("literal", {}).get("kind") == "STRING"
            if node["try_cast"] or not is_text:
                raise self.refused(node)
            return Value(parse_moment(node["type_expr"]["type_name"].upper(), node["child"]["literal"]["text"]))
        if node["class"] == "COLUMN_REF":
            raise self.refused(node, "needs a value here, with '…' around text")
        if node["class"] != "CONSTANT":
            raise self.refused(node)
        kind, text = node["literal"]["kind"], node["literal"]["text"]
        if kind == "STRING":
            return Value(text)
        if kind in ("BOOLEAN", "NULL_LITERAL"):
            return Value(text == "true" if text else None)
        found = parse_number(text) if kind in ("INTEGER", "NUMERIC") else None
        if found is None:
            raise self.refused(node, "takes no such value")
        return Value(found)


def is_function(node: Any) -> bool:
    """Return whether a node of DuckDB's tree is a function that conditions have, or the cast of a column."""
    is_called = node["class"] == "FUNCTION" and not node["is_operator"] and not node["schema"]
    return is_cast(node) or (is_called and node["function_name"].lower() in FUNCTIONS)


def is_cast(node: Any) -> bool:
    """Return whether a node of DuckDB's tree makes a number of a column."""
    is_of_column = node["class"] == "CAST" and not node["try_cast"] and node["child"]["class"] == "COLUMN_REF"
    return is_of_column and node["type_expr"]["type_name"].upper() in CASTS


def parse_moment(kind: str, text: str) -> date | datetime:
    """Return a date, or a time on a date. Raises QuestionError."""
    try:
        if DAY.fullmatch(text):
            day = date.fromisoformat(text)
            return day if kind == "DATE" else datetime(day.year, day.month, day.day)
        if kind == "TIMESTAMP" and MOMENT.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        pass
    example = "1999-01-31" if kind == "DATE" else "1999-01-31 12:00:00"
    raise QuestionError(f"{kind} '{shorten_condition(text)}' is invalid; write e.g. {kind} '{example}'")
