"""Writes the counts and marginals again, slice by slice, a slice being the rows of some lexemes.

What a transaction updates stays in memory until its end, and what it writes new does not.
"""

from collections.abc import Iterable, Mapping

from aptdb.errors import LexiconError
from aptdb.store.database import Database
from aptdb.store.lazily import tables
from aptdb.store.literals import SqlText
from aptdb.store.statements import statement

LEAST_ROWS = 2_000_000  # of a slice
BYTES_OF_ROW = 250  # of memory for a co-occurrence of a slice, while it is joined and sorted
TABLES = ("cooccurrence", "node")


def rows_of_slice(database: Database, bytes_of_row: int | None = None) -> int:
    """How many rows are worked on at once, so that they fit the memory."""
    return max(LEAST_ROWS, database.limits.memory // (bytes_of_row or BYTES_OF_ROW))


def slices(database: Database, bytes_of_row: int | None = None, table: str = "cooccurrence") -> list[tuple[int, int]]:
    """The lexemes of each slice of a table, from the first to the last, by the rows that it has of them."""
    how = {"slice_rows": rows_of_slice(database, bytes_of_row), "table": SqlText(table)}
    return [(int(first), int(last)) for first, last in database.rows(statement("store/slices", **how))]


def write_again(database: Database, slices_: Iterable[tuple[int, int]], of_slice: str) -> None:
    """Write the tables again, in the order of lexeme, path and context.

    of_slice: makes the views cooccurrence_of_slice and node_of_slice, of the lexemes from first_lexeme to last_lexeme
    (variables of DuckDB), where last_node is the number of nodes in the slices before. Tables would not do: a
    transaction keeps all of them to its end.
    """
    database.run(statement("store/again/empty"))
    database.set(first_lexeme=0, last_lexeme=0, last_node=0)
    database.run(of_slice)
    written = dict.fromkeys(TABLES, 0)
    for first, last in slices_:
        database.set(first_lexeme=first, last_lexeme=last, last_node=written["node"])
        for table in TABLES:
            written[table] += put_slice(database, table, is_first=not written[table])
    refuse_unseen(database, written)
    database.run(statement("store/again/in_place"))
    database.run(tables.settings.update(), {"runs": 0})


def put_slice(database: Database, table: str, *, is_first: bool) -> int:
    """Write the rows of a slice; returns how many.

    In DuckDB 2.0.0 a transaction does not see what it inserts into an empty table after an INSERT of no rows.
    """
    if is_first and not database.value(statement("store/again/rows_of_slice", table=SqlText(table))):
        return 0
    return int(database.value(statement("store/again/put_slice", table=SqlText(table))))


def refuse_unseen(database: Database, written: Mapping[str, int]) -> None:
    """Raise LexiconError if scans do not find all rows that were written."""
    for table, rows in written.items():
        seen = int(database.value(statement("store/again/rows_seen", table=SqlText(table))))
        if seen != rows:
            raise LexiconError(
                f"{database.file}: DuckDB finds {seen:,} of {rows:,} rows of {table} that were written, so nothing is "
                "changed; please report this"
            )
