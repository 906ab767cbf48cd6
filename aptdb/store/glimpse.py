"""A short look into a lexicon: one question, for a reader who waits for a few words.

`Database` does more, and takes longer to import than such a question may take. What it keeps from strangers' files is
kept here too: this reads one file, and reaches no other.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

CONFINED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "lock_configuration": "true",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "memory_limit": "1GB",
}


def glimpse(file: Path, query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a query on a file. Raises OSError or duckdb.Error if it cannot be asked."""
    import duckdb

    if not file.is_file():  # opening a pipe would wait for its other end
        raise FileNotFoundError(file)
    with duckdb.connect(str(file), read_only=True, config=CONFINED) as client:
        return client.execute(query, dict(values)).fetchall()
