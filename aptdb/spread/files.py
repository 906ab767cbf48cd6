"""Describes the files of a counts folder: what they hold, how long they are, and their hashes."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from aptdb.errors import LexiconError
from aptdb.spread import rows
from aptdb.spread.places import opened
from aptdb.spread.refusals import carried

if TYPE_CHECKING:
    import pyarrow as pa

KEY = ("lexeme_id", "path_id", "context_id")
ROWS_AT_ONCE = 1 << 20
READ_BYTES = 1 << 20


def described(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """What files of Parquet (rows.FILES, nothing said) hold: the same with it in JSON.

    Raises TaskRefusedError where rows are not in order, or a row stands twice.
    """
    with carried():
        for each in batches:
            files = each["file"].to_pylist()
            yield rows.batch(rows.FILES, files, [json.dumps(description(file)) for file in files])


def description(file: str) -> dict[str, Any]:
    """The length, hash and rows of a file, and its first and last lexeme by their numbers, if it has some."""
    import pyarrow.parquet as pq

    digest, length = sha256(), 0
    with closing(opened(file)) as content:
        while block := content.read(READ_BYTES):
            digest.update(block)
            length += len(block)
        content.seek(0)
        table = pq.ParquetFile(content)
        key = [name for name in KEY if name in table.schema_arrow.names]
        bounds = first_and_last(table, key, file) if "lexeme_id" in key and table.metadata.num_rows else (None, None)
        number = table.metadata.num_rows
    return {"bytes": length, "sha256": digest.hexdigest(), "rows": number, "first": bounds[0], "last": bounds[1]}


def first_and_last(table: Any, key: list[str], file: str) -> tuple[int, int]:
    """The first and the last lexeme of a table. Raises LexiconError if rows are not in strict order of the key."""
    import numpy as np

    first: Any = None
    before: list[Any] | None = None
    for batch in table.iter_batches(ROWS_AT_ONCE, columns=key):
        columns = [batch[name].to_numpy() for name in key]
        if before is not None:
            columns = [np.concatenate(([last], column)) for last, column in zip(before, columns, strict=True)]
        grows, same = np.zeros(len(columns[0]) - 1, bool), np.ones(len(columns[0]) - 1, bool)
        for column in columns:
            grows |= same & (column[:-1] < column[1:])
            same &= column[:-1] == column[1:]
        if not grows.all():
            raise LexiconError(f"{file}: its rows were not written in order, or twice; please report this")
        before = [column[-1] for column in columns]
        first = columns[0][0] if first is None else first
    return int(first), int(before[0] if before else first)
