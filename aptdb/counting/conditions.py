"""Conditions of subcorpora: check them against a lexicon, and find the sentences that match.

A condition is text in a small part of SQL's grammar. Its tree (`condition_parser`) is checked and written as SQL again.
It may name the corpus, the document and the sent_id of a sentence, and metadata of its document or of the sentence.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import IncompleteDataWarning, InterpretationWarning, NoMatchWarning, QuestionError, warn
from aptdb.counting.condition_parser import (
    PATTERNS,
    Column,
    Comparison,
    Condition,
    HasMatch,
    IsOneOf,
    Not,
    Operand,
    Several,
    Value,
    column_of,
    join_conditions,
    parse_condition,
    parse_moment,
    parse_number,
    refuse_text,
    shorten_condition,
)
from aptdb.counting.metadata import CALLED, LEVELS, read_metadata_columns
from aptdb.counting.patterns import write_pattern
from aptdb.store.database import Database
from aptdb.store.statements import SqlText, identifier, literal, statement

__all__ = ["Condition", "check_condition", "chosen_sentences", "divide_by_column", "parse_condition"]

VALUES_SHOWN = 20
TOLD = 3  # how many values that are not there a warning names
NUMBERS = ("BIGINT", "DOUBLE")
A_NUMBER = "a number"
NAMING = ("=", "<>", "IS NOT DISTINCT FROM", "IS DISTINCT FROM", *PATTERNS)  # comparisons with what should be there
# The values that a function of times can have, a little more than these, and what a value beyond them mistakes.
RANGES = {
    "year": (-9999, 9999, "a year has up to four digits"),
    "month": (0, 13, "months are 1 to 12"),
    "century": (-99, 99, "a century is a number such as 19, for 1801 to 1900"),
}
ORDERS = ("<", "<=", ">", ">=")
TAKEN = {"year": "a date", "month": "a date", "decade": "a date or a year", "century": "a date or a year"}


@dataclass(frozen=True)
class Placed:
    """A column that conditions may name: its spelling, its place in sql/counting/subcorpus, and its type."""

    name: str
    place: SqlText
    kind: str


OWN = (
    Placed("corpus", SqlText("corpus.name"), "VARCHAR"),
    Placed("document", SqlText("document.name"), "VARCHAR"),
    Placed("sent_id", SqlText("sentence.sent_id"), "VARCHAR"),
)


def check_condition(database: Database, condition: Condition) -> None:
    """Raise QuestionError for a condition that does not fit a lexicon. Warn of values that no sentence has."""
    columns = Columns(database)
    asked: dict[tuple[Placed, str], list[str]] = {}
    comparisons = [*list_comparisons(columns.fitted(condition))]
    operands = (each for left, how, right in comparisons if "DISTINCT" not in how for each in (left, right))
    for function in dict.fromkeys(each for each in operands if isinstance(each, Column) and each.function):
        columns.warn_of_left_out(function)
    for left, operator, right in comparisons:
        column, value = (left, right) if isinstance(left, Column) else (right, left)
        if not isinstance(column, Column) or not isinstance(value, Value):
            continue
        if value.value is None and "DISTINCT" not in operator:
            warn(f"NULL is neither equal nor unequal to anything; write {column.shown()} IS [NOT] NULL", NoMatchWarning)
        elif isinstance(value.value, str) and operator in NAMING:
            how = operator if operator in PATTERNS else "="
            asked.setdefault((columns.found(column), how), []).append(value.value)
        elif isinstance(value.value, str) and operator in ORDERS:
            columns.warn_of_letters(column, value.value)
    for (placed, how), texts in asked.items():
        warn_of_absent_values(database, placed, how, texts)


def chosen_sentences(database: Database, condition: Condition, store: SqlText | str = "_store") -> SqlText:
    """Return the statement that selects the ids of the matching sentences, as sentence_id.

    store: the name of the lexicon's store in the connection that runs it. Raises QuestionError if the condition does
    not fit the lexicon.
    """
    columns = Columns(database, store, finds_matches=True)
    written = columns.fitted(condition).written(lambda column: columns.found(column).place)
    return statement("counting/subcorpus/choose", condition=SqlText(written), store=SqlText(store))


def divide_by_column(database: Database, column: str) -> tuple[list[tuple[Any, Condition]], int]:
    """Return the values of a column in order, each with its condition, and the number of sentences without a value.

    column: its name, or a function of it, e.g. century(date). Raises QuestionError for an unknown column. Warns of
    values that a function leaves out.
    """
    columns = Columns(database)
    meant = columns.meant(column)
    placed = columns.found(meant)
    found: list[tuple[Any, Condition]] = []
    without = 0
    for value, sentences in database.rows(statement("counting/subcorpus/values", kind=placed.place)):
        if value is None:
            without = int(sentences)
        else:
            condition = Comparison("=", (meant, Value(value)))
            refuse_text(condition.text())
            found.append((value, condition))
    return found, without


def fold_column_name(name: str) -> str:
    """Return a name as DuckDB compares column names: ASCII letters in lower case, others unchanged."""
    return "".join(each.lower() if each.isascii() else each for each in name)


class Columns:
    """The columns that conditions may name in a lexicon."""

    def __init__(self, database: Database, store: SqlText | str = "_store", *, finds_matches: bool = False) -> None:
        """Look up the metadata of documents and sentences. store: the name of the store whose macros are called.

        finds_matches: whether conditions of patterns become those of the sentences that have a match.
        """
        self.database = database
        self.store = store
        self.finds_matches = finds_matches
        self._fits: dict[Column, Any] = {}  # the row of statement fit, by column and function
        self._placed: dict[str, list[Placed]] = {}
        kinds = read_metadata_columns(database)
        for each in OWN:
            self._placed.setdefault(each.name, []).append(each)
        for level in LEVELS:
            for name, kind in kinds[level].items():
                placed = Placed(name, SqlText(f"of_{level}.{identifier(name)}"), kind)
                self._placed.setdefault(fold_column_name(name), []).append(placed)

    def meant(self, text: str) -> Column:
        """Return the column that a text names, or the function of one, spelt as the lexicon spells it."""
        column = Column(text) if fold_column_name(text) in self._placed else column_of(text)
        return replace(column, name=self._named(column.name).name)

    def found(self, column: Column) -> Placed:
        """Return a column, or the function of one. Raise QuestionError for one that is unknown or does not fit."""
        placed = self._named(column.name)
        if not column.function:
            return placed
        text, needed = replace(column, name=placed.name).shown(), TAKEN.get(column.function, A_NUMBER)
        fits = {"DATE": column.function in TAKEN, "VARCHAR": self._count_fits(column).fit > 0}
        if not fits.get(placed.kind, column.function not in ("year", "month")):
            raise QuestionError(f"{text}: {placed.name} is {CALLED[placed.kind]}; {column.function} takes {needed}")
        argument = column.argument
        is_whole = column.function not in ("double", "bin", "round") or (
            (argument or 0) <= 0 if column.function == "round" else float(argument or 0.5).is_integer()
        )
        kind = "BIGINT" if is_whole else "DOUBLE"
        return Placed(text, SqlText(f"{called_function(column, placed.place, self.store)}::{kind}"), kind)

    def _count_fits(self, column: Column) -> Any:
        """Count the sentences with a value that a function takes (fit), and with another (left_out), and keep the row.

        example: the first value that it does not take.
        """
        key = replace(column, name=self._named(column.name).name)
        if key not in self._fits:
            known = statement("counting/subcorpus/values", kind=self._named(column.name).place)
            fits = SqlText(called_function(column, "value", "_store"))
            self._fits[key] = self.database.first(statement("counting/subcorpus/fit", known=known, fits=fits))
        return self._fits[key]

    def warn_of_left_out(self, column: Column) -> None:
        """Warn of the sentences that are left out because a function of their values is nothing."""
        if (fit := self._count_fits(column)).left_out:
            needed = TAKEN.get(column.function, A_NUMBER)
            are = "is" if fit.left_out == 1 else "are"
            why = f"{column.name} there is not {needed}, as {shorten_condition(str(fit.example))}"
            warn(f"{how_many(fit.left_out, 'sentence')} {are} left out: {why}", IncompleteDataWarning)

    def _named(self, name: str) -> Placed:
        """Return the column of a name. Raise QuestionError if there is none, or if the name is ambiguous."""
        placed = self._placed.get(fold_column_name(name))
        if placed is None:
            raise QuestionError(f"no column {name}; {self._near(name)}")
        if len(placed) > 1:
            raise QuestionError(
                f"{name} is ambiguous: documents and sentences have metadata of this name; rename one of them in its "
                "corpus, and add that again"
            )
        return placed[0]

    def _near(self, name: str) -> str:
        """Return columns with similar names, else all columns."""
        names = sorted(each.name for several in self._placed.values() for each in several[:1])
        rows = find_near_values(self.database, name, SqlText(f"SELECT unnest({literal(names)}) AS value"))
        meant = [each for each, is_near, _ in rows if is_near]
        if meant:
            return f"did you mean {', '.join(meant)}?"
        known = list_known_names([each for each, *_ in rows], len(names))
        return f"the columns are {known}; text stands in single quotes, e.g. '{shorten_condition(name)}'"

    def fitted(self, condition: Condition) -> Condition:
        """Return the condition with values cast to the types of the columns. Raise QuestionError if they do not fit."""
        match condition:
            case Several(word, parts):
                return join_conditions(word, tuple(map(self.fitted, parts)))
            case Not(part):
                return Not(self.fitted(part))
            case Comparison("BETWEEN", (subject, lower, upper)):
                limits = Comparison(">=", (subject, lower)), Comparison("<=", (subject, upper))
                return join_conditions("AND", tuple(map(self.fitted, limits)))
            case Comparison("IN", (Column() as subject, *values)):
                return self._fitted_list(subject, values)
            case Comparison("LIKE" | "ILIKE", (Column() as subject, _)):
                placed = self.found(subject)
                if placed.kind != "VARCHAR":
                    raise QuestionError(f"{placed.name} is {CALLED[placed.kind]}; LIKE compares text")
            case Comparison("IS NULL", (Column() as subject,)):
                self.found(subject)
            case Comparison(operator, (left, right)):
                pairs = ((left, right), (right, left))
                left, right = (self._as_number(a, b) if isinstance(a, Column) else a for a, b in pairs)
                fit = self._fitting(right, left, operator), self._fitting(left, right, operator)
                return Comparison(operator, fit)
        return self._searched(condition) if isinstance(condition, HasMatch) else condition

    def _fitted_list(self, subject: Column, values: Sequence[Operand]) -> Condition:
        """Return the condition that a column has one of some values, cast to its type."""
        self.found(subject)
        for each in values:
            subject = self._as_number(subject, each)
        fitted = (self._fitted_value(subject, each) for each in values if isinstance(each, Value))
        return Comparison("IN", (subject, *fitted))

    def _searched(self, condition: HasMatch) -> Condition:
        """Return a condition of a pattern as that of its sentences, where these are to be found."""
        pattern = write_pattern(self.database, condition.pattern)
        if not self.finds_matches:
            return condition
        return IsOneOf(self.database.value(statement("counting/pattern/sentences", pattern=pattern)) or "-1")

    def _as_number(self, column: Column, other: Operand) -> Column:
        """Return a column of text as one of numbers if it is compared with a number, and some of its values are."""
        if column.function or self.found(column).kind != "VARCHAR":
            return column
        if isinstance(other, Value):
            is_number = other.value is not None and show_value(other.value) == A_NUMBER
        else:
            is_number = self.found(other).kind in NUMBERS
        as_number = replace(column, function="double")
        return as_number if is_number and self._count_fits(as_number).fit else column

    def warn_of_letters(self, column: Column, text: str) -> None:
        """Warn if a column and a text are compared letter by letter, though both have numbers, or begin with them."""
        placed = self.found(column)
        if placed.kind != "VARCHAR":
            return
        said = f"{column.shown()} and {literal(text)} are compared as text, letter by letter"
        if parse_number(text) is not None and self._count_fits(replace(column, function="double")).fit:
            warn(f"{said}; without quotes they are compared as numbers", InterpretationWarning)
            return
        known = statement("counting/subcorpus/values", kind=placed.place)
        for (value,) in self.database.rows(statement("counting/subcorpus/out_of_order", known=known), {"text": text}):
            first, last = sorted((str(value), text))
            warn(f"{said}: {shorten_condition(first)} is less than {shorten_condition(last)}", InterpretationWarning)

    def _fitting(self, other: Operand, operand: Operand, operator: str) -> Operand:
        """Return an operand cast to the type of the other one; one of the two is a column."""
        if isinstance(operand, Value):
            return self._fitted_value(other, operand, operator) if isinstance(other, Column) else operand
        if isinstance(other, Column):
            here, there = self.found(operand), self.found(other)
            if here.kind != there.kind and not {here.kind, there.kind} <= {*NUMBERS}:
                types = f"{here.name} is {CALLED[here.kind]}, and {there.name} is {CALLED[there.kind]}"
                raise QuestionError(f"{types}; compare columns of one type")
        return operand

    def _fitted_value(self, column: Column, value: Value, operator: str = "=") -> Value:
        """Return a value in the type of a column; text may be a number or a date. Raise QuestionError."""
        placed, plain = self.found(column), value.value
        if plain is None or (placed.kind == "VARCHAR" and isinstance(plain, str)):
            return value
        if placed.kind in NUMBERS:
            read = parse_number(plain) if isinstance(plain, str) else plain
            if isinstance(read, int | float) and not isinstance(read, bool):
                refuse_beyond(column, read)
                return Value(read)
        if placed.kind == "DATE":
            read_day = day_of(plain) if isinstance(plain, str) else plain
            if isinstance(read_day, date):
                return Value(read_day)
        text = shorten_condition(str(plain) if isinstance(plain, float) else value.written())
        mend = ""
        if placed.kind == "VARCHAR" and show_value(plain) == A_NUMBER:
            example = self._count_fits(replace(column, function="double")).example if operator in ORDERS else None
            mend = f"; none of its values is one, as {shorten_condition(example)}" if example else f"; write '{plain}'"
        raise QuestionError(f"{placed.name} is {CALLED[placed.kind]}, and {text} is {show_value(plain)}{mend}")


def refuse_beyond(column: Column, value: float) -> None:
    """Raise QuestionError for a value that a function of times never has, e.g. decade(date) = 1890."""
    if column.function == "decade" and value % 10:
        raise QuestionError(f"{column.shown()} is never {value}; a decade is its first year: {int(value // 10 * 10)}")
    least, most, mend = RANGES.get(column.function, (value, value, ""))
    if not least <= value <= most:
        raise QuestionError(f"{column.shown()} is never near {value}; {mend}")


def called_function(column: Column, place: str, store: str) -> str:
    """Return the function of a column as SQL. place: the column's; store: the name of the store of its macros."""
    text = f"({place})::VARCHAR"
    given = f"{literal(column.function)}, {text}, {store}.number_of({text}), {literal(column.argument)}"
    return f"{store}.function_of({given})"


def day_of(text: str) -> date | None:
    """Return a text as a date; None if it is not a date."""
    try:
        return parse_moment("DATE", text)
    except QuestionError:
        return None


def show_value(value: Any) -> str:
    """Return a value as messages show it."""
    kinds = ((bool, "true or false"), (str, "text"), (date, "a date"))
    return next((name for kind, name in kinds if isinstance(value, kind)), A_NUMBER)


def list_comparisons(condition: Condition) -> Iterator[tuple[Operand, str, Operand]]:
    """Yield all comparisons in a condition, as operand, operator, operand; items of a list as equalities."""
    match condition:
        case Several(_, parts):
            for each in parts:
                yield from list_comparisons(each)
        case Not(part):
            yield from list_comparisons(part)
        case Comparison("IN", (subject, *values)):
            yield from ((subject, "=", each) for each in values)
        case Comparison(operator, (left, right)):
            yield left, operator, right


def find_near_values(database: Database, text: str, known: SqlText) -> list[tuple[str, bool, int]]:
    """Return values similar to a text, then others; which of them are similar, and the number of all values."""
    found = database.rows(statement("counting/subcorpus/near", known=known, most=VALUES_SHOWN), {"text": text})
    return [(str(value), bool(is_near), int(total)) for value, is_near, total in found]


def list_known_names(names: list[str], total: int) -> str:
    """Return names as text, cut if there are many."""
    more = f" and {total - len(names):,} more" if total > len(names) else ""
    return (", ".join(map(shorten_condition, names)) or "none") + more


def warn_of_absent_values(database: Database, placed: Placed, how: str, texts: list[str]) -> None:
    """Warn of texts or patterns that no sentence has in a column, and suggest existing texts. how: =, LIKE or ILIKE."""
    known = statement("counting/subcorpus/values", kind=placed.place)
    query = statement("counting/subcorpus/lacking", known=known, fits=SqlText(f"known.value {how} asked.value"))
    found = [each for (each,) in database.rows(query, {"texts": texts})]
    if found:
        rows = find_near_values(database, found[0], known)
        lacking = list_known_names([literal(each) for each in found[:TOLD]], len(found))
        there = list_known_names([value for value, *_ in rows], rows[0][2] if rows else 0)
        named = placed.name if how == "=" else f"{placed.name} {how}"
        warn(f"no sentence has {named} {lacking}; its values are {there}", NoMatchWarning)
