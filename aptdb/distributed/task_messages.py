"""What tasks are given and give: Arrow batches of rows, and errors and invalid sentences as text.

Every engine passes them on. The rows are pieces of files, sentences, counts, and reports.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from aptdb.core import errors
from aptdb.core.errors import AptError, CorpusError, LexiconError
from aptdb.corpus.faults import Fault, FaultHandler, write_rejected
from aptdb.corpus.sources import Chunk

if TYPE_CHECKING:
    import pyarrow as pa

# By column, its type as SQL has it.
PIECES = {
    "file": "string", "piece": "int", "begin": "bigint", "end": "bigint", "size": "bigint", "packed": "boolean",
    "length": "bigint", "dialect": "string",
}  # fmt: skip
SENTENCES = {
    "file": "string", "piece": "int", "dialect": "string", "line": "bigint", "text": "binary", "said": "string"
}  # fmt: skip
COUNTED = {"lexeme": "string", "path": "string", "context": "string", "count": "bigint", "direct": "bigint"}


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


def batch(columns: dict[str, str], *values: object) -> "pa.RecordBatch":
    """Return a batch of columns of the same length."""
    import pyarrow as pa

    wanted = schema(columns)
    arrays = [pa.array(each, kind) for each, kind in zip(values, wanted.types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=wanted)


def tokens_counted(batch: "pa.RecordBatch") -> int:
    """Return the tokens that the reports in a batch (COUNTED) tell of."""
    reports = batch.filter(batch["lexeme"].is_null())["context"].to_pylist()
    return sum(json.loads(each).get("tokens", 0) for each in reports)


MARK = "aptdb refuses: "
MARKED = re.compile(re.escape(MARK) + r"(\{.*?\})(?=\s*$|\s*\\n|\s*\n)", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """A line of a piece of a file, counted from 0."""

    file: str
    piece: int
    line: int


@dataclass(frozen=True)
class Refusal:
    """An AptError as text. kind: the name of its class. place: the wrong line, if the message names none."""

    kind: str
    message: str
    place: Place | None = None

    def error(self, message: str) -> AptError:
        """Return the AptError with a message."""
        kind = getattr(errors, self.kind, CorpusError)
        return kind(message) if isinstance(kind, type) and issubclass(kind, AptError) else CorpusError(message)


class InvalidSentenceError(CorpusError):
    """A sentence that must not be skipped."""

    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(problem)
        self.place = place


class TaskRefusedError(Exception):
    """Carries an AptError out of a task."""


@contextmanager
def carried() -> Iterator[None]:
    """Turn AptErrors into text within the block."""
    try:
        yield
    except AptError as error:
        place = error.place if isinstance(error, InvalidSentenceError) else None
        kind = CorpusError.__name__ if place else type(error).__name__
        raise TaskRefusedError(MARK + json.dumps(asdict(Refusal(kind, str(error), place)))) from error


def refusal_in(text: str) -> Refusal | None:
    """Return the first refusal in an engine's report of a failed task; None if it failed otherwise."""
    for found in MARKED.findall(text):
        try:
            carried_error = json.loads(found)
            return Refusal(
                carried_error["kind"],
                carried_error["message"],
                carried_error["place"] and Place(**carried_error["place"]),
            )
        except (KeyError, TypeError, ValueError):
            continue
    return None


BYTES = "latin-1"  # any bytes as text, for JSON: they need not be UTF-8


class Placed(Protocol):
    """An object that knows the position of a chunk's lines."""

    def place_of(self, line: int) -> Place:
        """Return the position of a line of the text in its file."""

    def where(self, chunk: Chunk, line: int) -> str:
        """Return the name of a line for messages."""


class Faults(FaultHandler):
    """Skips invalid sentences, or raises InvalidSentenceError. rejected: skipped sentences in JSON, if kept."""

    def __init__(self, skip: bool, *, keep_rejects: bool = False) -> None:
        super().__init__(skip)
        self.rejected: list[str] = []
        self._keep = keep_rejects

    def refuse(self, source: Placed, chunk: Chunk, fault: Fault, mend: str = "") -> NoReturn:  # type: ignore[override]
        """Raise InvalidSentenceError for a fault."""
        raise InvalidSentenceError(source.place_of(fault.line), fault.problem + mend)

    def keeps_rejects(self) -> bool:
        """Return whether skipped sentences are kept."""
        return self._keep

    def set_aside(  # type: ignore[override]
        self, source: Placed, chunk: Chunk, faults: Sequence[Fault], content: bytes
    ) -> None:
        """Keep a skipped sentence in JSON, if they are kept: its position, its faults, and its text."""
        if self._keep:
            places = [source.place_of(fault.line) for fault in faults]
            problems = [[place.line, fault.kind, fault.problem] for place, fault in zip(places, faults, strict=True)]
            kept = {"rejected": [*astuple(places[0])], "faults": problems, "content": content.decode(BYTES)}
            self.rejected.append(json.dumps(kept))


def write_rejects(
    file: Path, rejects: Iterable[dict[str, Any]], files: Sequence[str], where: Callable[[Place], str]
) -> None:
    """Write the skipped sentences to a file, with the reasons; without any, no file is made.

    files: the corpus, in order. Raises CorpusError.
    """
    number = {name: place for place, name in enumerate(files)}
    ordered = sorted(rejects, key=lambda each: (number[each["rejected"][0]], *each["rejected"][1:]))
    if not ordered:
        return
    try:
        with file.open("ab") as out:
            for each in ordered:
                name, piece, _ = each["rejected"]
                faults = [
                    (where(Place(name, piece, line)), Fault(line, kind, problem, 1))
                    for line, kind, problem in each["faults"]
                ]
                out.write(write_rejected(faults, str(each["content"]).encode(BYTES)))
    except OSError as error:
        raise CorpusError(f"the folder is made, but {file} cannot be written: {error.strerror}") from error
