"""DuckDB's engine alone: its Python package adds relations, and importing those takes 120 ms of CPU at each command.

The package has the same connections and errors. `with_relations` imports it, where its methods are used.
"""

from aptdb.store.interrupts import interrupts_held

with interrupts_held():  # an exception while the engine is imported would end Python by a signal
    import _duckdb as duckdb

__all__ = ["duckdb", "with_relations"]


def with_relations(connection: duckdb.DuckDBPyConnection) -> "duckdb.DuckDBPyConnection":
    """Return a connection with the methods of DuckDB's package: sql(), and register() for Arrow tables."""
    with interrupts_held():
        import duckdb  # noqa: F401 (it adds them)

    return connection
