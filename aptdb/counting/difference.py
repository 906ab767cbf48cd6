"""What verify finds: rows that are not what they must be."""

from dataclasses import dataclass
from typing import Any

from aptdb.store.database import Database
from aptdb.store.statements import statement

OF_WEIGHTING = {"weight": "weight of", "size": "size under"}  # kinds of difference that are about a weighting


@dataclass(frozen=True)
class Difference:
    """A row that is wrong: its kind, its weighting (if it belongs to one), what was found and what was expected."""

    kind: str
    weighting: str | None
    row: str
    found: str
    expected: str

    def cells(self) -> tuple[str, str, str, str]:
        """The columns what, row, found, expected."""
        what = f"{OF_WEIGHTING[self.kind]} {self.weighting}" if self.weighting else self.kind
        return what, self.row, self.found, self.expected


def rows_of(database: Database, check: str, *, weighting: str | None = None, **values: Any) -> list[Difference]:
    """The rows that a check finds; values: those of the statement."""
    return as_differences(database.rows(statement(check, **values)), weighting)


def as_differences(rows: list[tuple[Any, ...]], weighting: str | None = None) -> list[Difference]:
    """Rows of what, row, found, expected as differences, in order."""
    texts = sorted(tuple(map(str, row)) for row in rows)
    return [Difference(what, weighting, row, found, expected) for what, row, found, expected in texts]
