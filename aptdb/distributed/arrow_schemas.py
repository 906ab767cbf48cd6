"""The rows that go from step to step, as Arrow: pieces of files, sentences, counts, and what is said of them."""

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
COUNTED = {"lexeme": "string", "path": "string", "context": "string", "count": "bigint"}
FILES = {"file": "string", "said": "string"}


def schema(columns: dict[str, str]) -> "pa.Schema":
    """Return the schema of Arrow. Raises LexiconError if pyarrow is not installed."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise LexiconError("counting into a folder needs pyarrow: pip install 'aptdb[arrow]'") from error
    types = {
        "string": pa.string(), "int": pa.int32(), "bigint": pa.int64(), "binary": pa.binary(), "boolean": pa.bool_()
    }  # fmt: skip
    return pa.schema([(name, types[kind]) for name, kind in columns.items()])


def ddl(columns: dict[str, str]) -> str:
    """Return the same as Spark writes it."""
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def nested(pieces: Sequence[tuple[Any, ...]]) -> str:
    """Pieces (PIECES) as one text: a task that can go anywhere as a whole."""
    return json.dumps([list(each) for each in pieces])


def unnested(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """Yield the pieces of such texts (in FILES, as files), one by one."""
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
