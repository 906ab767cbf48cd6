"""Check that the tables of a lexicon can be read, and that rows refer to existing rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aptdb.core.errors import AptError, LexiconError, NoRoomError
from aptdb.counting import metadata
from aptdb.store.database import Database
from aptdb.store.lazy_imports import tables
from aptdb.store.statements import SqlText, identifier, statement

OF_WEIGHTING = {"weight": "weight of", "size": "size under"}  # kinds of difference that are about a weighting


@dataclass(frozen=True)
class Difference:
    """A wrong row: its kind, its weighting (if any), the value found, and the value expected."""

    kind: str
    weighting: str | None
    row: str
    found: str
    expected: str

    def cells(self) -> tuple[str, str, str, str]:
        """Return the columns what, row, found and expected."""
        what = f"{OF_WEIGHTING[self.kind]} {self.weighting}" if self.weighting else self.kind
        return what, self.row, self.found, self.expected


def find_inconsistent_rows(
    database: Database, check: str, *, weighting: str | None = None, **values: Any
) -> list[Difference]:
    """Return the rows that a check finds; values fill the statement."""
    return as_differences(database.rows(statement(check, **values)), weighting)


def as_differences(rows: list[tuple[Any, ...]], weighting: str | None = None) -> list[Difference]:
    """Return rows of (what, row, found, expected) as differences, in order."""
    texts = sorted(tuple(map(str, row)) for row in rows)
    return [Difference(what, weighting, row, found, expected) for what, row, found, expected in texts]


# The types of columns, as SQLAlchemy and DuckDB name them.
TYPES = {
    "String": "VARCHAR",
    "Integer": "INTEGER",
    "BigInteger": "BIGINT",
    "Double": "DOUBLE",
    "Boolean": "BOOLEAN",
    "DateTime": "TIMESTAMP",
    "REAL": "FLOAT",
    "SmallInteger": "SMALLINT",
    "TextByName": "MAP(VARCHAR, VARCHAR)",
}


def type_of(kind: Any) -> str:
    """Return the type of a column as DuckDB names it."""
    return f"{type_of(kind.item_type)}[]" if hasattr(kind, "item_type") else TYPES[type(kind).__name__]


def table_keys() -> list[tuple[str, str]]:
    """Return the declared keys as pairs of table and columns.

    Counts and marginals have none: duplicates among them are found when they are compared.
    """
    return [(table.name, key) for table in tables.metadata.sorted_tables for key in table.info.get(tables.KEYS, ())]


def list_references() -> list[tuple[str, str, str]]:
    """Return the declared references as table, column and what the column refers to: a table, or a kind of `derived`.

    Kept weights that are stale may be of deleted lexemes; other weights are compared row by row.
    """
    return [
        (table.name, column.name, column.info[tables.REFERS_TO])
        for table in tables.metadata.sorted_tables
        for column in table.columns
        if tables.REFERS_TO in column.info
    ]


def broken_tables(database: Database) -> list[Difference]:
    """Return faults that make other checks impossible: the first kind that occurs.

    Wrong columns, or NULL in them; foreign macros and views; duplicate rows; rows that refer to missing rows. Raises
    LexiconError if a table cannot be read.
    """
    for check in (other_columns, absent_values, broken_rows):
        if found := [*check(database)]:
            return found
    return []


def other_columns(database: Database) -> list[Difference]:
    """Return columns that differ from the declared ones."""
    expected = [
        {"table_name": table.name, "column_name": column.name, "data_type": type_of(column.type)}
        for table in tables.metadata.sorted_tables
        for column in table.columns
    ]
    return as_differences(database.rows(statement("counting/consistency/columns", expected=expected)))


def absent_values(database: Database) -> Iterator[Difference]:
    """Yield columns that contain NULL although they must not.

    Reads all of every table; raises LexiconError if that fails.
    """
    kinds = metadata.read_metadata_columns(database)
    for table in tables.metadata.sorted_tables:
        never = [column.name for column in table.columns if not column.nullable]
        absent = ", ".join(f"count(*) FILTER (WHERE {identifier(name)} IS NULL)" for name in never)
        names = [*(column.name for column in table.columns), *kinds.get(table.name.removesuffix("_metadata"), ())]
        columns = ", ".join(map(identifier, names if table.name.endswith("_metadata") else names[: len(table.columns)]))
        parts = {"table": SqlText(table.name), "columns": SqlText(columns), "absent": SqlText(absent)}
        try:
            row = database.rows(statement("counting/consistency/content", **parts))[0]
        except NoRoomError:
            raise
        except AptError as error:
            why = str(error).rpartition("use a backup copy: ")[2]
            raise LexiconError(
                f"{database.file} is damaged: its table {table.name} cannot be read; use a backup copy: {why}"
            ) from error
        for name, found in zip(never, row[1:], strict=True):
            if found:
                yield Difference("table", None, f"{table.name} {name}", f"NULL in {found} rows", "never NULL")


def broken_rows(database: Database) -> Iterator[Difference]:
    """Yield duplicate rows, and rows that refer to missing rows; the kind is the table."""
    twice = "counting/consistency/duplicates"
    questions = [statement(twice, table=SqlText(table), key=SqlText(key)) for table, key in table_keys()]
    known_tables = {table.name for table in tables.metadata.sorted_tables}
    for table, column, reference in list_references():
        known = reference if reference in known_tables else f"derived WHERE kind = '{reference}'"
        names = {"table": table, "referring": column, "reference": reference, "known": known}
        questions.append(
            statement("counting/consistency/orphans", **{key: SqlText(each) for key, each in names.items()})
        )
    for question in questions:
        yield from as_differences(database.rows(question))
    yield from find_inconsistent_rows(database, "counting/consistency/settings")
