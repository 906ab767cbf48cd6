"""Arrow schemas of the rows that pass between steps: pieces of files, sentences, counts, and reports."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import LexiconError

if TYPE_CHECKING:
    import pyarrow as pa

# By column, its type as SQL has it: of Spark, where `mapInArrow` wants it so, and of Arrow.
PIECES = {
    "file": "string", "piece": "int", "begin": "bigint", "end": "bigint", "size": "bigint", "packed": "boolean",
    "length": "bigint", "dialect": "string",
}  # fmt: skip
SENTENCES = {
    "file": "string", "piece": "int", "dialect": "string", "line": "bigint", "text": "binary", "said": "string"
}  # fmt: skip
COUNTED = {"lexeme": "string", "path": "string", "context": "string", "count": "bigint", "direct": "bigint"}
FILES = {"file": "string", "said": "string"}


def schema(columns: dict[str, str]) -> "pa.Schema":
    """Return an Arrow schema. Raise LexiconError if pyarrow is not installed."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise LexiconError("counting into a folder needs pyarrow: pip install 'aptdb[arrow]'") from error
    types = {
        "string": pa.string(), "int": pa.int32(), "bigint": pa.int64(), "binary": pa.binary(), "boolean": pa.bool_()
    }  # fmt: skip
    return pa.schema([(name, types[kind]) for name, kind in columns.items()])


def ddl(columns: dict[str, str]) -> str:
    """Return the schema as Spark's DDL."""
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def nested(pieces: Sequence[tuple[Any, ...]]) -> str:
    """Return pieces (PIECES) as one text, which an engine keeps together as a task."""
    return json.dumps([list(each) for each in pieces])


def unnested(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """Yield the pieces of such texts (in FILES, files), one by one."""
    for each in batches:
        for text in each["file"].to_pylist():
            for piece in json.loads(text):
                yield batch(PIECES, *([value] for value in piece))


def batch(columns: dict[str, str], *values: object) -> "pa.RecordBatch":
    """Return a batch of columns of the same length."""
    import pyarrow as pa

    wanted = schema(columns)
    arrays = [pa.array(each, kind) for each, kind in zip(values, wanted.types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=wanted)
