"""What is imported when it is first used: any module, and all of DuckDB's package but its engine.

The package adds relations to the engine, and importing those takes 120 ms of CPU at each command. It has the same
connections and errors; `with_relations` imports it, where its methods are used.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from aptdb.store.interrupts import interrupts_held

with interrupts_held():  # an exception while the engine is imported would end Python by a signal
    import _duckdb as duckdb

__all__ = ["Late", "duckdb", "with_relations"]


def with_relations(connection: duckdb.DuckDBPyConnection) -> "duckdb.DuckDBPyConnection":
    """Return a connection with the methods of DuckDB's package: sql(), and register() for Arrow tables."""
    with interrupts_held():
        import duckdb  # noqa: F401 (it adds them)

    return connection


class Late(ModuleType):
    """A stand-in for a module: it imports the module when an attribute is first used.

    Signals are delayed meanwhile: a half-imported module would break the clean-up after Ctrl-C.
    """

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the module."""
        if self.__name__ not in sys.modules:
            with interrupts_held():
                import_module(self.__name__)
        return getattr(import_module(self.__name__), name)
