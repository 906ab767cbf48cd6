"""The condition of a part of a corpus as a small tree, and how SQL writes it.

A tree is all that is ever run of what a user wrote: it has nothing but columns, values and what joins them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from aptdb.store.literals import identifier, literal

Names = Callable[[str], str]  # how SQL writes the name of a column


@dataclass(frozen=True)
class Column:
    """A column of documents or sentences, by its name."""

    name: str

    def written(self, names: Names) -> str:
        """Its name as SQL writes it."""
        return names(self.name)


@dataclass(frozen=True)
class Value:
    """A value that a condition names."""

    value: str | int | float | bool | date | datetime | None

    def written(self, names: Names | None = None) -> str:
        """The value as SQL writes it. A float has an exponent: without one, DuckDB reads a DECIMAL."""
        if isinstance(self.value, date):
            is_time = isinstance(self.value, datetime)
            kind, text = ("TIMESTAMP", str(self.value)) if is_time else ("DATE", self.value.isoformat())
            return f"{kind} {literal(text)}"
        if isinstance(self.value, float):
            text = repr(self.value)
            return text if "e" in text else f"{text}e0"
        return literal(self.value)


Operand = Column | Value


class Condition(ABC):
    """What holds, or does not hold, or is unknown, of a sentence."""

    @abstractmethod
    def written(self, names: Names) -> str:
        """The condition as SQL writes it."""

    def text(self) -> str:
        """The condition as it is stored and shown: alike for all texts that have the same tree."""
        return self.written(identifier)


@dataclass(frozen=True)
class Truth(Condition):
    """true, false, or NULL."""

    value: bool | None

    def written(self, names: Names) -> str:
        """As SQL writes it."""
        return literal(self.value)


@dataclass(frozen=True)
class Comparison(Condition):
    """Two operands, compared by an operator, e.g. = or IS DISTINCT FROM."""

    left: Operand
    operator: str
    right: Operand

    def written(self, names: Names) -> str:
        """As SQL writes it."""
        return f"{self.left.written(names)} {self.operator} {self.right.written(names)}"


@dataclass(frozen=True)
class Between(Condition):
    """An operand that lies between two others, or is one of them."""

    subject: Operand
    lower: Operand
    upper: Operand

    def written(self, names: Names, negated: str = "") -> str:
        """As SQL writes it."""
        limits = f"{self.lower.written(names)} AND {self.upper.written(names)}"
        return f"{self.subject.written(names)} {negated}BETWEEN {limits}"


@dataclass(frozen=True)
class Among(Condition):
    """A column that has one of several values."""

    subject: Column
    values: tuple[Value, ...]

    def written(self, names: Names, negated: str = "") -> str:
        """As SQL writes it."""
        return f"{self.subject.written(names)} {negated}IN ({', '.join(each.written() for each in self.values)})"


@dataclass(frozen=True)
class Like(Condition):
    """A column of text that is like a pattern; any_case: whether capital letters are the same as small ones."""

    subject: Column
    pattern: str
    any_case: bool

    def written(self, names: Names, negated: str = "") -> str:
        """As SQL writes it."""
        operator = "ILIKE" if self.any_case else "LIKE"
        return f"{self.subject.written(names)} {negated}{operator} {literal(self.pattern)}"


@dataclass(frozen=True)
class IsNull(Condition):
    """A column without a value."""

    subject: Column

    def written(self, names: Names, negated: str = "") -> str:
        """As SQL writes it."""
        return f"{self.subject.written(names)} IS {negated}NULL"


@dataclass(frozen=True)
class Not(Condition):
    """The opposite of a condition."""

    part: Condition

    def written(self, names: Names) -> str:
        """As SQL writes it: IS NOT NULL, NOT IN, …, else NOT (…)."""
        if isinstance(self.part, Between | Among | Like | IsNull):
            return self.part.written(names, "NOT ")
        return f"NOT ({self.part.written(names)})"


@dataclass(frozen=True)
class Several(Condition):
    """Conditions that are joined; word: AND or OR."""

    word: str
    parts: tuple[Condition, ...]

    def written(self, names: Names) -> str:
        """As SQL writes it, with brackets around what is joined otherwise."""
        texts = [(each, each.written(names)) for each in self.parts]
        return f" {self.word} ".join(f"({text})" if isinstance(each, Several) else text for each, text in texts)


def joined(word: str, parts: tuple[Condition, ...]) -> Several:
    """Conditions joined by a word; those that it joins already stand side by side with the others."""
    flat: list[Condition] = []
    for each in parts:
        flat += each.parts if isinstance(each, Several) and each.word == word else (each,)
    return Several(word, tuple(flat))
