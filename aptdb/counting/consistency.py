"""Check that the tables of a lexicon can be read, and that rows refer to existing rows."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from aptdb.core.errors import AptError, LexiconError, NoRoomError
from aptdb.core.settings import Settings
from aptdb.counting import metadata
from aptdb.store import schema
from aptdb.store.database import Database, in_memory
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


Column = tuple[str, str, str, bool]  # of a table: both names, the type, and whether it may be NULL

KEYS = re.compile(r"^-- keys: (.*)\nCREATE TABLE _store\.(\w+)", re.MULTILINE)
REFERENCES = {
    "context_id": "lexeme",
    "inverse_id": "path",
    "misc_id": "annotation",
    "deps_id": "annotation",
}  # where that is not what the column is called
# Ids that refer to nothing, or may be of what is gone: kept weights that are stale may be of deleted lexemes, and the
# counts of subcorpora are compared row by row.
UNCHECKED = {
    ("sentence", "sent_id"),
    *(("kept_weight", "feature_id"), ("kept_weight", "lexeme_id"), ("kept_size", "lexeme_id")),
    *(("subcorpus_sentence", "sentence_id"), ("subcorpus_path", "inverse_id")),
    *(("subcorpus_node", "lexeme_id"), ("subcorpus_node", "path_id")),
    *(("subcorpus_cooccurrence", column) for column in ("lexeme_id", "path_id", "context_id")),
}


@cache
def declared_columns() -> Sequence[Column]:
    """Return the columns of all tables of a lexicon, in order, as DuckDB makes those that are declared."""
    with closing(in_memory()) as memory, memory.transaction():
        schema.create(memory, Settings())
        return memory.rows(statement("counting/consistency/declared"))


def table_keys() -> list[tuple[str, str]]:
    """Return the declared keys as pairs of table and columns.

    Counts and marginals have none: duplicates among them are found when they are compared.
    """
    found = KEYS.findall(schema.declared_tables())
    return [(table, key) for keys, table in sorted(found, key=itemgetter(1)) for key in keys.split("; ")]


def list_references() -> list[tuple[str, str, str]]:
    """Return references as table, column and what the column refers to: a table, or a kind of `derived`."""
    return [
        (table, column, REFERENCES.get(column, column.removesuffix("_id")))
        for table, column, *_ in declared_columns()
        if column.endswith("_id") and (table, column) not in UNCHECKED
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
    names = ("table_name", "column_name", "data_type")
    expected = [dict(zip(names, column, strict=False)) for column in declared_columns()]
    return as_differences(database.rows(statement("counting/consistency/columns", expected=expected)))


def absent_values(database: Database) -> Iterator[Difference]:
    """Yield columns that contain NULL although they must not.

    Reads all of every table; raises LexiconError if that fails.
    """
    kinds = metadata.read_metadata_columns(database)
    for table, columns_of_it in groupby(declared_columns(), key=itemgetter(0)):
        own = [*columns_of_it]
        never = [name for _, name, _, is_optional in own if not is_optional]
        absent = ", ".join(f"count(*) FILTER (WHERE {identifier(name)} IS NULL)" for name in never)
        names = [*(name for _, name, *_ in own), *kinds.get(table.removesuffix("_metadata"), ())]
        columns = ", ".join(map(identifier, names if table.endswith("_metadata") else names[: len(own)]))
        parts = {"table": SqlText(table), "columns": SqlText(columns), "absent": SqlText(absent)}
        try:
            row = database.rows(statement("counting/consistency/content", **parts))[0]
        except NoRoomError:
            raise
        except AptError as error:
            why = str(error).rpartition("use a backup copy: ")[2]
            raise LexiconError(
                f"{database.file} is damaged: its table {table} cannot be read; use a backup copy: {why}"
            ) from error
        for name, found in zip(never, row[1:], strict=True):
            if found:
                yield Difference("table", None, f"{table} {name}", f"NULL in {found} rows", "never NULL")


def broken_rows(database: Database) -> Iterator[Difference]:
    """Yield duplicate rows, and rows that refer to missing rows; the kind is the table."""
    twice = "counting/consistency/duplicates"
    questions = [statement(twice, table=SqlText(table), key=SqlText(key)) for table, key in table_keys()]
    known_tables = {table for table, *_ in declared_columns()}
    for table, column, reference in list_references():
        known = reference if reference in known_tables else f"derived WHERE kind = '{reference}'"
        if (table, column) == ("space_feature", "path_id"):
            known += " UNION ALL SELECT 0"  # ~, the path of windows
        names = {"table": table, "referring": column, "reference": reference, "known": known}
        questions.append(
            statement("counting/consistency/orphans", **{key: SqlText(each) for key, each in names.items()})
        )
    for question in questions:
        yield from as_differences(database.rows(question))
    yield from find_inconsistent_rows(database, "counting/consistency/settings")
