"""Count sentences: Arrow batches of sentences in, Arrow batches of counted rows out. A pure function for any engine.

It counts with the statements of an addition, in a temporary store in memory. Sentences are counted in rounds: when a
round has many counts they are summed and yielded, and the next round begins empty. So memory is bounded, however many
sentences come.
"""

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aptdb.core.settings import LONGEST_SENTENCE, Settings
from aptdb.corpus.dialects import dialect_called
from aptdb.corpus.sources import Chunk, Gaps
from aptdb.counting import reading, steps
from aptdb.counting.check import count_lacking_words, names_something, written_names
from aptdb.counting.count_pairs import CountedPairs
from aptdb.counting.steps import run_steps
from aptdb.distributed import task_messages
from aptdb.distributed.task_messages import Faults, Place, carried
from aptdb.store import version
from aptdb.store.database import Database, in_memory
from aptdb.store.limits import Limits
from aptdb.store.schema import declared_tables
from aptdb.store.statements import SqlText, statement
from aptdb.store.temporary_folders import scratch_folder

if TYPE_CHECKING:
    import pyarrow as pa

MEMORY = 600_000_000  # bytes, of one task
MOST_CHUNK, LEAST_CHUNK = 32 << 20, 1 << 20  # bytes of text that are counted at once
CHUNK_SHARE = 64  # of the memory
BYTES_OF_ROW = 100  # of memory, for a row of a round
ROWS_OF_SENTENCES = 1_000  # looked at together
ROWS_OF_COUNTS = 100_000  # of a batch that is given
MET = SqlText("_store.met")
TOKENS = SqlText("(SELECT 0 AS corpus_id, word_id FROM token)")  # of one chunk, whatever corpora they are of


@dataclass(frozen=True)
class How:
    """How a task counts.

    settings: those of the lexicon. skip_invalid: whether invalid sentences are left out; keep_rejects: whether these
    are returned then. longest: words of a sentence, at most. memory: bytes that a task may use.
    """

    settings: Settings
    skip_invalid: bool = False
    keep_rejects: bool = False
    longest: int = LONGEST_SENTENCE
    memory: int = MEMORY

    def chunk_bytes(self) -> int:
        """Return the amount of text that is counted at once."""
        return min(max(self.memory // CHUNK_SHARE, LEAST_CHUNK), MOST_CHUNK)

    def rows_of_round(self) -> int:
        """Return the number of rows after which a round ends."""
        return self.memory // BYTES_OF_ROW


def count_batches(batches: "Iterable[pa.RecordBatch]", how: How) -> "Iterator[pa.RecordBatch]":
    """Yield the counts of sentences (SENTENCES) as rows (COUNTED), partly summed.

    A row is ⟨lexeme, path, context, count, direct⟩, in one direction of each path, that whose text comes first. If
    path is NULL: a lexeme and the number of its tokens. If lexeme is NULL too: a report in JSON (context) and its
    number (count): sentences and tokens counted, descriptions of pieces, skipped sentences.

    Raises TaskRefusedError, which carries an AptError, also for the first invalid sentence that must not be skipped.
    """
    with carried(), scratch_folder() as folder:
        chunks = chunks_of(batches, how.chunk_bytes())
        for first in chunks:
            with new_round(how, folder) as counting:
                counting.count(first)
                while not counting.is_full() and (chunk := next(chunks, None)) is not None:
                    counting.count(chunk)
                yield from counting.given()


@dataclass(frozen=True)
class SentencesChunk:
    """Sentences that are counted at once, of any number of files in one dialect. reports: reports about the files."""

    batches: "list[pa.RecordBatch]"
    reports: list[str]
    dialect: str

    @cached_property
    def chunk(self) -> Chunk:
        """Return the text of the sentences."""
        return Chunk(b"".join(text for each in self.batches for text in each["text"].to_pylist()), 0, 0, Gaps([], []))

    @cached_property
    def _first_lines(self) -> list[int]:
        """Return the first line of each sentence in the text."""
        lengths = (text.count(b"\n") for each in self.batches for text in each["text"].to_pylist())
        return [*accumulate(lengths, initial=0)]

    def place_of(self, line: int) -> Place:
        """Return where a line of the text is: its file and the number of the line there."""
        number = bisect_right(self._first_lines, line) - 1
        within, before = line - self._first_lines[number], number
        for each in self.batches:
            if before < each.num_rows:
                (row,) = each.select(["file", "piece", "line"]).slice(before, 1).to_pylist()
                return Place(row["file"], row["piece"], row["line"] + within)
            before -= each.num_rows
        raise IndexError(line)

    def where(self, chunk: Chunk, line: int) -> str:
        """Return the name of a line for messages."""
        place = self.place_of(line)
        return f"{place.file}: line {place.line + 1} of piece {place.piece}"


def chunks_of(batches: "Iterable[pa.RecordBatch]", most: int) -> Iterator[SentencesChunk]:
    """Yield the sentences in chunks of limited size; no chunk has files of different dialects."""
    taken: list[Any] = []
    reports: list[str] = []
    before, size = "", 0
    for dialect, each in slice_batches(batches):
        if size >= most or (taken and dialect != before):
            yield SentencesChunk(taken, reports, before)
            taken, reports, size = [], [], 0
        before = dialect
        reports += [text for text in each["said"].to_pylist() if text is not None]
        part = each.filter(each["text"].is_valid())
        if part.num_rows:
            taken.append(part)
            size += part["text"].nbytes
    if taken or reports:
        yield SentencesChunk(taken, reports, before)


def slice_batches(batches: "Iterable[pa.RecordBatch]") -> "Iterator[tuple[str, pa.RecordBatch]]":
    """Yield the rows in slices of limited length, each in one dialect, with its name."""
    for each in batches:
        dialects, begin = each["dialect"].to_pylist(), 0
        for number in range(1, len(dialects) + 1):
            ends = number == len(dialects) or dialects[number] != dialects[begin]
            if ends or number - begin >= ROWS_OF_SENTENCES:
                yield dialects[begin], each.slice(begin, number - begin)
                begin = number


@contextmanager
def new_round(how: How, folder: Path) -> Iterator["Round"]:
    """Yield a temporary store for the counts of some chunks. folder: for temporary files."""
    with closing(in_memory(Limits(how.memory, folder))) as database, scratch_folder(database.scratch) as scratch:
        database.run("SET threads = 1")
        with database.transaction():
            database.run(f"CREATE SCHEMA {version.SCHEMA}")
            database.run(declared_tables())
            database.go_on()
            reading.set_rules(database, how.settings, how.longest)
            yield Round(database, how, Path(scratch, "chunk.conllu"))


class Round:
    """The counts of some chunks. file: the file of a chunk, for DuckDB to read."""

    def __init__(self, database: Database, how: How, file: Path) -> None:
        self._database = database
        self._how = how
        self._file = file
        self._pairs = CountedPairs(database, how.settings)
        self._faults = Faults(how.skip_invalid, keep_rejects=how.keep_rejects)
        self._counts: Counter[str] = Counter()
        self._lacking: Counter[str] = Counter()  # words without a column, by its name
        self._reports: list[str] = []
        self._names = names_something(how.settings)
        database.run(statement("distributed/met"))

    def count(self, sentences: SentencesChunk) -> None:
        """Count a chunk. Raises CorpusError."""
        self._reports += sentences.reports
        if not sentences.batches:
            return
        database, settings, chunk = self._database, self._how.settings, sentences.chunk
        dialect = dialect_called(sentences.dialect)
        reading.tell_dialect(database, dialect)
        circles = reading.looks_for_circles(settings, self._faults)
        with self._file.open("wb") as file:
            reading.read_faultless(database, sentences, chunk, self._faults, file, dialect=dialect, circles=circles)
            reading.code_chunk(database, settings)
        self._counts.update(sentences=database.value("SELECT count(*) FROM sentence_span"))
        found = int(database.value("SELECT count(*) FROM token"))
        if found:
            self._counts.update(tokens=found)
            if self._names:
                database.run(statement("distributed/add_met"))
            for _, _, lacking in count_lacking_words(database, settings, TOKENS):
                self._lacking.update(lacking)
            self._count_pairs(sentences)

    def _count_pairs(self, sentences: SentencesChunk) -> None:
        run_steps(self._database, steps.PACK)
        if self._database.value(statement("distributed/in_circles")):
            reading.refuse_rootless_word(self._database, sentences, sentences.chunk, Faults(skip=False))
        self._pairs.count()

    def is_full(self) -> bool:
        """Return whether the round has enough counts to be yielded."""
        return self._pairs.rows() >= self._how.rows_of_round()

    def given(self) -> "Iterator[pa.RecordBatch]":
        """Yield all counts, summed, and all reports."""
        reports = [*self._reports, *self._faults.rejected]
        reports.append(json.dumps({**self._counts, "lacking": self._lacking, "skipped": dict(self._faults.skipped)}))
        if self._names:
            reports.append(json.dumps({"names": self._database.rows(written_names(MET))}))
        nothing = [None] * len(reports)
        yield task_messages.batch(task_messages.COUNTED, nothing, nothing, reports, [1] * len(reports), nothing)
        self._pairs.fold()
        yield from self._database.batches(
            statement("distributed/counted_rows"), ROWS_OF_COUNTS, task_messages.schema(task_messages.COUNTED)
        )
