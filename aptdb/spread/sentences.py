"""Reads pieces of files as Arrow batches of sentences. A sentence belongs to the piece that it begins in.

A piece is so many bytes of a file, and may begin and end within a sentence: all that it holds begins after its first
blank line, and ends with the blank line after its last sentence, in the next piece. What is packed is one piece.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from aptdb.corpus.compression import Readable, unpacked
from aptdb.corpus.sources import BOM, LONGEST_SENTENCE_BYTES, read_fully
from aptdb.errors import CorpusError
from aptdb.spread import rows
from aptdb.spread.places import opened
from aptdb.spread.refusals import carried

if TYPE_CHECKING:
    import pyarrow as pa

PIECE_BYTES = 32 << 20  # of the file, or of what is unpacked of it: as long as hashes are to stay the same
READ_BYTES = 2 << 20
BEFORE = 3  # bytes before a place that tell whether a blank line ends there
END_OF_BLANK = re.compile(rb"(?<=\n)\r?\n")


class Piece(NamedTuple):
    """A part of a file, by its first byte and the one after its last; of packed files all.

    size: that of pieces. length: that of the file. dialect: the name of that in which the file is written.
    """

    file: str
    piece: int
    begin: int
    end: int
    size: int
    packed: bool
    length: int
    dialect: str


def sentences_of(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """The sentences of pieces (rows.PIECES), in order, as batches (rows.SENTENCES); each of one piece.

    A row: a sentence as bytes that end with a blank line, and the number of lines before it in its piece; and, last of
    a piece, one without text, which says what the piece is.
    """
    with carried():
        for each in batches:
            for piece in each.to_pylist():
                yield from of_piece(Piece(**piece))


def of_piece(piece: Piece) -> "Iterator[pa.RecordBatch]":
    """The sentences of a piece. Raises CorpusError, which names the file."""
    reading = Reading(piece)
    with closing(opened(piece.file)) as file:
        try:
            refuse_changed(piece, file.seek(0, 2))
            file.seek(0)
            for content in reading.contents(file):
                yield reading.batch(content)
            if not piece.packed:
                refuse_changed(piece, piece.length + reading.hashes.taken - (piece.end - piece.begin))
        except OSError as error:
            raise CorpusError(f"{piece.file}: cannot be read: {error.strerror or error}") from error
    said = {"file": piece.file, "piece": piece.piece, "lines": reading.lines, "sentences": reading.sentences}
    said["hashes"] = reading.hashes.done()
    yield reading.rows([reading.lines], [None], json.dumps(said))


def refuse_changed(piece: Piece, length: int) -> None:
    """Raise CorpusError for a file that is not as long as it was when it was cut into pieces."""
    if length != piece.length:
        raise CorpusError(f"{piece.file}: has changed while it was counted; count it again when it stays as it is")


class Reading:
    """How far the reading of a piece has come: its lines and sentences so far, and the hashes of its bytes."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.lines = 0
        self.sentences = 0
        self.hashes = Hashes(piece.size)

    def contents(self, file: Any) -> Iterator[bytes]:
        """The text of a piece: whole sentences, so many at once as were read."""
        piece = self.piece
        if piece.packed:
            yield from self._cut(unpacked(file, piece.file), 0, 1 << 62)
            return
        start = max(piece.begin - BEFORE, 0)
        file.seek(start)
        yield from self._cut(file, start, piece.end)

    def _cut(self, stream: Readable, start: int, end: int) -> Iterator[bytes]:
        """The sentences that begin in the piece. start: where the stream stands. end: where the piece ends."""
        begun, rest, place = self.piece.begin == 0, b"", start  # place: of the first byte of rest
        while block := read_fully(stream, READ_BYTES):
            self._hash(block, place + len(rest), end)
            rest += block
            if not begun:
                first = end_of_blank(rest, self.piece.begin - place)
                if first is None:
                    place, rest = place + len(rest) - BEFORE, rest[-BEFORE:]
                    if place >= end:
                        return
                    continue
                begun, rest, place = True, rest[first:], place + first
            if place >= end:
                return
            last = end_of_blank(rest, end - place) if place + len(rest) >= end else None
            if last is not None:
                yield rest[:last]
                return
            cut = max(rest.rfind(b"\n\n") + 2, rest.rfind(b"\n\r\n") + 3)
            if cut > BEFORE and place + cut < end:
                yield rest[:cut]
                rest, place = rest[cut:], place + cut
            elif len(rest) > LONGEST_SENTENCE_BYTES:
                raise CorpusError(
                    f"{self.piece.file}: no blank line in {len(rest) >> 20} MB from byte {place:,}; CoNLL-U has one "
                    "after each sentence"
                )
        if begun and rest and place < end:
            yield rest if rest.endswith(b"\n") else rest + b"\n"

    def _hash(self, block: bytes, place: int, end: int) -> None:
        """Take the bytes of a block that are the piece's own."""
        own = memoryview(block)[max(self.piece.begin - place, 0) : max(end - place, 0)]
        self.hashes.take(own)

    def batch(self, content: bytes) -> "pa.RecordBatch":
        """The sentences of a text as rows. Lines end with \\n in them."""
        if self.piece.begin == 0 and self.lines == 0:
            content = content.removeprefix(BOM)
        if b"\r" in content:
            content = content.replace(b"\r\n", b"\n")
        texts, lines = [], []
        for part in content.split(b"\n\n"):
            text = part.lstrip(b"\n")
            if text:
                texts.append(text.removesuffix(b"\n") + b"\n\n")
                lines.append(self.lines + len(part) - len(text))
            self.lines += part.count(b"\n") + 2
        self.lines -= 2
        self.sentences += len(texts)
        return self.rows(lines, texts)

    def rows(self, lines: list[int], texts: list[Any], said: str | None = None) -> "pa.RecordBatch":
        """Rows of the piece."""
        same = ([each] * len(lines) for each in (self.piece.file, self.piece.piece, self.piece.dialect))
        return rows.batch(rows.SENTENCES, *same, lines, texts, [said] * len(lines))


def lines_before(piece: Piece) -> int:
    """How many lines of its file stand before the first sentence of a piece: reads the file up to there."""
    if not piece.begin:
        return 0
    before = Reading(piece._replace(piece=0, begin=0, end=piece.begin))
    with closing(opened(piece.file)) as file:
        return sum(content.count(b"\n") for content in before.contents(file))


def end_of_blank(content: bytes, least: int) -> int | None:
    """Where the first blank line ends, not before a place; None if none does."""
    for found in END_OF_BLANK.finditer(content, max(least - BEFORE, 0)):
        if found.end() >= least:
            return found.end()
    return None


class Hashes:
    """The hash of each piece of so many bytes of what is taken, one after another."""

    def __init__(self, size: int) -> None:
        self.taken = 0
        self._size, self._left = size, size
        self._found: list[str] = []
        self._hash = sha256()

    def take(self, content: memoryview) -> None:
        """Take more bytes."""
        self.taken += len(content)
        while content:
            part, content = content[: self._left], content[self._left :]
            self._hash.update(part)
            self._left -= len(part)
            if not self._left:
                self._end()

    def _end(self) -> None:
        self._found.append(self._hash.hexdigest())
        self._hash, self._left = sha256(), self._size

    def done(self) -> list[str]:
        """The hashes, in order."""
        if self._left < self._size:
            self._end()
        return self._found
