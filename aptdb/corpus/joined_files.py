"""Small files of text that are read as one chunk: each is still a corpus of its own, with faults and lines of its own.

What reads a chunk takes some tenths of a second, however small it is; what is done for each of its files, little.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, groupby
from pathlib import Path
from typing import NoReturn

from aptdb.core.errors import CorpusError
from aptdb.core.one_line import name_first
from aptdb.core.settings import Settings
from aptdb.corpus import sources
from aptdb.corpus.dialects import DIALECTS, Dialect, refuse_lacking_columns, warn_of_columns
from aptdb.corpus.faults import Fault, FaultHandler, Invalid
from aptdb.corpus.sources import Chunk, Gaps, Source


class RefusedFilesError(Exception):
    """Files of a joint addition that cannot be added, by their places among them, and why."""

    def __init__(self, why: dict[int, CorpusError]) -> None:
        super().__init__(why)
        self.why = why


def refuse(why: dict[int, CorpusError]) -> None:
    """Raise RefusedFilesError if some corpora cannot be added. why: the errors, by their places among them."""
    if why:
        raise RefusedFilesError(why)


@dataclass(frozen=True)
class SmallFile:
    """A file that was read whole; its name, place, origin and digest are those of its source.

    dialect: how its words are written; files that are joined have one dialect.
    """

    file: str
    name: str
    place: str
    origin: str
    digest: str
    size: int | None
    chunk: Chunk
    dialect: Dialect

    @property
    def bytes_read(self) -> int:
        """Return the number of (packed) bytes that were read, which are all."""
        return self.chunk.bytes_read

    def where(self, chunk: Chunk, line: int) -> str:
        """Return the position of a line (from 0) for messages."""
        return f"{self.place}:{chunk.line_in_source(line) + 1}"


def small_file(file: str) -> SmallFile | None:
    """Return a file of trees as text, read whole; None if it is something else, or longer than a chunk.

    Raises CorpusError if it cannot be read, or declares columns wrongly.
    """
    if file == "-" or Path(file).is_dir() or (Path(file).is_file() and Path(file).stat().st_size > sources.CHUNK_BYTES):
        return None
    with Source(file) as opened:
        if (chunk := opened.only_chunk()) is None:
            return None
        dialect = opened.dialect_in(chunk) or DIALECTS[0]
        named = (opened.name, opened.place, opened.origin, opened.digest, opened.size)
        return SmallFile(file, *named, chunk, dialect)


class JoinedFiles:
    """Small files as one source of a single chunk. A blank line follows each, so that no sentence goes on in the next.

    firsts: the first line of each file in the chunk.
    """

    is_of_this_thread = True  # they are read already

    def __init__(self, files: Sequence[SmallFile]) -> None:
        self.files = files
        self.place = self.name = name_first([each.place for each in files], 1)
        self.size = self.bytes_read = sum(each.chunk.bytes_read for each in files)
        lines = (each.chunk.content.count(b"\n") + 1 for each in files)
        self.firsts = [0, *accumulate(lines)][:-1]

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunk of all files."""
        content = b"\n".join([*(each.chunk.content for each in self.files), b""])
        yield Chunk(content, 0, 0, Gaps([], []), self.bytes_read)

    def dialect_in(self, _: Chunk) -> Dialect:
        """Return the dialect of the files, which is that of each."""
        return self.files[0].dialect

    def accept(self, dialect: Dialect, settings: Settings) -> None:
        """Warn of declared columns that are not read. Raise RefusedFilesError if one is missing, which all lack."""
        why: dict[int, CorpusError] = {}
        for at, each in enumerate(self.files):
            try:
                refuse_lacking_columns(dialect, settings, each.place)
            except CorpusError as error:
                why[at] = error
        refuse(why)
        warn_of_columns(dialect, self.place)

    def at(self, line: int) -> int:
        """Return the place of the file among these that a line of the chunk is in."""
        return bisect_right(self.firsts, line) - 1

    def where(self, chunk: Chunk, line: int) -> str:
        """Return the position of a line of the chunk (from 0) for messages."""
        found = self.at(line)
        return self.files[found].where(self.files[found].chunk, line - self.firsts[found])


@dataclass
class JointHandler:
    """Handles the faults of joined files, those of each as `own` handles them.

    After reading, `skipped` has the numbers of skipped sentences, by the place of their file and by kind.
    """

    joined: JoinedFiles
    own: FaultHandler
    skipped: dict[int, Counter[str]] = field(default_factory=dict)

    @property
    def skip(self) -> bool:
        """Return whether invalid sentences are left out."""
        return self.own.skip

    @property
    def mend(self) -> str:
        """Return the end of the message of a fault."""
        return self.own.mend

    def refuse(self, _: object, chunk: Chunk, fault: Fault) -> NoReturn:
        """Raise RefusedFilesError for the file that a fault is in."""
        problem = CorpusError(f"{self.joined.where(chunk, fault.line)}: {fault.problem}")
        raise RefusedFilesError({self.joined.at(fault.line): problem})

    def leave_out(self, _: object, chunk: Chunk, invalid: Sequence[Invalid], declaration: bytes = b"") -> None:
        """Count, report and write down the invalid sentences of each file. declaration: see `FaultHandler`.

        Raises RefusedFilesError, with the first fault of each file, if they must not be skipped.
        """
        why: dict[int, CorpusError] = {}
        ordered = sorted(invalid, key=lambda sentence: sentence.first)
        for at, those in groupby(ordered, key=lambda sentence: self.joined.at(sentence.first)):
            file, handler = self.joined.files[at], replace(self.own, skipped=Counter())
            try:
                own = [moved_up(each, self.joined.firsts[at]) for each in those]
                handler.leave_out(file, file.chunk, own, declaration)
            except CorpusError as error:
                why[at] = error
            self.skipped[at] = handler.skipped
        refuse(why)


def moved_up(sentence: Invalid, lines: int) -> Invalid:
    """Return an invalid sentence with its lines numbered from another beginning."""
    faults = [fault._replace(line=fault.line - lines) for fault in sentence.faults]
    return Invalid(sentence.first - lines, sentence.last - lines, faults)
