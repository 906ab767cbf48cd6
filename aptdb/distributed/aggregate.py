"""Aggregate the counts of tasks into the tables of a counts folder: the same steps and SQL on every engine."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Protocol

from aptdb.distributed.counting_task import How
from aptdb.distributed.input_splits import Piece
from aptdb.store import version
from aptdb.store.database import in_memory
from aptdb.store.statements import SqlText, statement

if TYPE_CHECKING:
    import pyarrow as pa


TABLES = {  # of a folder: the query that each is the answer of, and the columns that its rows are sorted by
    "cooccurrences": ("distributed/cooccurrences", ("lexeme_id", "path_id", "context_id")),
    "nodes": ("distributed/nodes", ("lexeme_id", "path_id")),
    "lexemes": ("distributed/lexemes", ("lexeme_id",)),
    "paths": ("distributed/paths", ("path_id",)),
}
IN_PARTS = ("cooccurrences", "nodes")
FUNCTIONS_OF_PATHS = ("path_steps", "path_functions")


class Engine(Protocol):
    """An engine that counts, aggregates and writes. Statements refer to relations by name."""

    def count(self, pieces: Sequence[Piece], how: How, summing: SqlText) -> None:
        """Count pieces of files, and keep the summed counts as the relation `summed`. Raise AptError."""

    def keep(self, name: str, query: SqlText) -> None:
        """Keep the answer of a query as a relation."""

    def see(self, name: str, query: SqlText) -> None:
        """Make a query a relation."""

    def answer(self, query: SqlText) -> "pa.Table":
        """Return the small answer of a query."""

    def put(self, name: str, table: "pa.Table") -> None:
        """Make a small table a relation."""

    def write(self, name: str, query: SqlText, sorted_by: Sequence[str], parts: int | None) -> None:
        """Write the answer of a query as a table of the folder, sorted, and partitioned by its column part."""

    def described(self, files: Sequence[str]) -> list[str]:
        """Return the descriptions of files by `files.described`, in order."""


def gather(engine: Engine, pieces: Sequence[Piece], how: How, parts: int) -> "tuple[pa.Table, int]":
    """Count pieces and write the tables of a folder. Raise AptError.

    Returns the reports of tasks with their numbers, and the sum of all counts.
    """
    engine.count(pieces, how, statement("distributed/summed"))
    reports = engine.answer(statement("distributed/said"))
    paths = numbered_paths(engine.answer(statement("distributed/counted_path")))
    engine.put("numbered_path", paths)
    engine.see("both_ways", statement("distributed/both_ways"))
    engine.keep("counted_node", statement("distributed/counted_node"))
    engine.keep("numbered_lexeme", statement("distributed/numbered_lexeme", parts=parts))
    for table, (query, columns) in TABLES.items():
        engine.write(table, statement(query), columns, parts if table in IN_PARTS else None)
    return reports, sum(paths["count"].to_pylist())


def numbered_paths(counted_path: "pa.Table") -> "pa.Table":
    """Return paths with their numbers, inverses and orders. They are few, so they are numbered here."""
    with closing(in_memory()) as database:
        database.run(f"CREATE SCHEMA {version.SCHEMA}")
        for each in FUNCTIONS_OF_PATHS:
            database.run(statement(f"store/define/{each}"))
        database.bring("counted_path", counted_path)
        return database.arrow(statement("distributed/numbered_path"))
