"""Plain DuckDB clients, which know nothing of aptdb; and a block without warnings."""

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb


def ask_file(file: Path | str, query: str, *values: Any) -> list[Any]:
    """Return the rows that a client gets that can only read."""
    with duckdb.connect(str(file), read_only=True) as client:
        return client.execute(query, *values).fetchall()


def change_file(file: Path | str, statement: str, *values: Any) -> None:
    """Run statements as a client that can write."""
    with duckdb.connect(str(file)) as client:
        client.execute(statement, *values)


@contextmanager
def no_warnings() -> Iterator[None]:
    """Make every warning within a block an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def list_operators(client: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """Return all operators in the plan of a query."""
    found = json.loads(client.cursor().execute(f"EXPLAIN (FORMAT json) {query}").fetchall()[0][1])  # of the last plan
    for each in found:  # grows while it is read
        found += each["children"]
    return [*found]
