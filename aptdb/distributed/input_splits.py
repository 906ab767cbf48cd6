"""Split input files into pieces, and read a piece as Arrow batches of sentences.

A piece is a range of bytes of a file, and may begin and end within a sentence: its sentences begin after its first
blank line, and end with the blank line after its last sentence, in the next piece. A packed file is one piece.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from aptdb.core.errors import CorpusError
from aptdb.core.one_line import HALF_PAIR
from aptdb.corpus.compression import PACKINGS, ZSTD_MARK, Readable, unpack_stream
from aptdb.corpus.corpus_files import corpora_among, corpus_files
from aptdb.corpus.dialects import DIALECTS, Dialect, dialect_of
from aptdb.corpus.sources import LONGEST_SENTENCE_BYTES, read_fully
from aptdb.corpus.tabular import BOM, HEADER_BYTES, is_header, is_table
from aptdb.distributed import task_messages
from aptdb.distributed.task_messages import carried

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

LONGEST_SAID = 200  # characters of what a library says
SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
SAME = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfs": "abfss"}  # names that Hadoop has for the same


def is_remote(place: str) -> bool:
    """Return whether a name belongs to another file system, e.g. s3://bucket/corpus."""
    found = SCHEME.match(place)
    return found is not None and found[1].lower() != "file"


def local_path(place: str) -> Path:
    """Return the path of a place on this machine."""
    return Path(place.partition("://")[2]) if SCHEME.match(place) else Path(place)


def everywhere(place: str) -> str:
    """Return a name that is valid in processes with other working folders. Raise CorpusError for invalid text."""
    if HALF_PAIR.search(place):
        raise CorpusError(f"{place}: the name of this file is not UTF-8; rename it")
    return place if is_remote(place) else str(local_path(place).absolute())


def file_system(place: str) -> "tuple[FileSystem, str]":
    """Return the file system of a place, and the path in it. Raise CorpusError if it cannot be reached."""
    from pyarrow import fs

    if not is_remote(place):
        return fs.LocalFileSystem(), str(local_path(place).absolute())
    scheme = str(SCHEME.match(place)[1]).lower()  # type: ignore[index]
    named = SAME.get(scheme, scheme) + place[len(scheme) :]
    try:
        found = fs.FileSystem.from_uri(named)
        return found[0], found[1]
    except (OSError, ValueError, NotImplementedError) as error:
        return by_fsspec(place, scheme, error)


def by_fsspec(place: str, scheme: str, problem: Exception) -> "tuple[FileSystem, str]":
    """Return the file system by fsspec, which knows more kinds if it is installed."""
    from pyarrow import fs

    try:
        import fsspec

        found = fsspec.core.url_to_fs(place)
        if isinstance(problem, OSError) and not found[0].exists(found[1].partition("/")[0]):
            raise problem  # pyarrow knows this kind, and said why
    except (ImportError, ValueError, OSError) as error:
        message = " ".join(str(problem).split())[:LONGEST_SAID]
        need = "Hadoop's library" if scheme in ("hdfs", "viewfs") else f"a package of fsspec for {scheme}://"
        lacks = unset_here(place) or f"; this machine may lack {need}"
        raise CorpusError(f"{place}: cannot be reached{lacks} ({message})") from error
    return fs.PyFileSystem(fs.FSSpecHandler(found[0])), found[1]


def unset_here(place: str) -> str:
    """Return which settings of the environment, by which a file system may be reached, are not there."""
    ways = ("AWS_ACCESS_KEY_ID", "AWS_ENDPOINT_URL") if place.lower().startswith("s3") else ()
    unset = [name for name in ways if name not in os.environ]
    return f"; not set on this machine: {', '.join(unset)}" if unset else ""


def open_seekable(place: str) -> Any:
    """Return a seekable file for reading. Raise CorpusError."""
    try:
        if not is_remote(place):
            return local_path(place).open("rb")
        system, path = file_system(place)
        return system.open_input_file(path)
    except FileNotFoundError as error:
        raise CorpusError(f"{place}: no such file") from error
    except OSError as error:
        raise CorpusError(f"{place}: cannot be read: {error.strerror or error}{unset_here(place)}") from error


PIECE_BYTES = 32 << 20  # of the file, or of what is unpacked of it: as long as hashes are to stay the same
BLOCK_BYTES = 2 << 20
BEFORE = 3  # bytes before a place that tell whether a blank line ends there
BLANK = re.compile(rb"\r?\n")
END_OF_BLANK = re.compile(rb"(?<=\n)\r?\n")


class Piece(NamedTuple):
    """A piece of a file, by its first byte and the one after its last; packed files are one piece.

    size: the size of pieces. length: that of the file. dialect: the name of the file's dialect.
    """

    file: str
    piece: int
    begin: int
    end: int
    size: int
    packed: bool
    length: int
    dialect: str


def read_sentence_batches(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """Yield the sentences of pieces (PIECES), in order, as batches (SENTENCES); each of one piece.

    A row: a sentence as bytes that end with a blank line, and the number of lines before it in its piece; the last row
    of a piece has no text, but a report about the piece.
    """
    with carried():
        for each in batches:
            for piece in each.to_pylist():
                yield from of_piece(Piece(**piece))


def of_piece(piece: Piece) -> "Iterator[pa.RecordBatch]":
    """Yield the sentences of a piece. Raises CorpusError, which names the file."""
    reading = Reading(piece)
    with closing(open_seekable(piece.file)) as file:
        try:
            refuse_changed(piece, file.seek(0, 2))
            file.seek(0)
            for content in reading.contents(file):
                yield reading.batch(content)
            if not piece.packed:
                refuse_changed(piece, piece.length + reading.hashes.taken - (piece.end - piece.begin))
        except OSError as error:
            raise CorpusError(f"{piece.file}: cannot be read: {error.strerror or error}") from error
    report = {"file": piece.file, "piece": piece.piece, "lines": reading.lines, "sentences": reading.sentences}
    report["hashes"] = reading.hashes.done()
    yield reading.rows([reading.lines], [None], json.dumps(report))


def refuse_changed(piece: Piece, length: int) -> None:
    """Raise CorpusError for a file whose length has changed since it was cut into pieces."""
    if length != piece.length:
        raise CorpusError(f"{piece.file}: has changed while it was counted; count it again when it no longer changes")


class Reading:
    """The state of reading a piece: its lines and sentences so far, and the hashes of its bytes."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.lines = 0
        self.sentences = 0
        self.hashes = Hashes(piece.size)

    def contents(self, file: Any) -> Iterator[bytes]:
        """Yield the text of a piece: whole sentences, as many at once as were read."""
        piece = self.piece
        if piece.packed:
            yield from self._cut(unpack_stream(file, piece.file), 0, 1 << 62)
            return
        start = max(piece.begin - BEFORE, 0)
        file.seek(start)
        yield from self._cut(file, start, piece.end)

    def _cut(self, stream: Readable, start: int, end: int) -> Iterator[bytes]:
        """Yield the sentences that begin in the piece. start: the position of the stream. end: the end of the piece."""
        begun, rest, place = self.piece.begin == 0, b"", start  # place: of the first byte of rest
        while block := read_fully(stream, BLOCK_BYTES):
            self._hash(block, place + len(rest), end)
            rest += block
            if not begun:
                first = end_of_blank(rest, self.piece.begin - place, begins_line=place == 0)
                if first is None:
                    place, rest = place + len(rest) - BEFORE, rest[-BEFORE:]
                    if place >= end:
                        return
                    continue
                begun, rest, place = True, rest[first:], place + first
            if place >= end:
                return
            last = end_of_blank(rest, end - place, begins_line=True) if place + len(rest) >= end else None
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
        """Hash the bytes of a block that belong to the piece."""
        own = memoryview(block)[max(self.piece.begin - place, 0) : max(end - place, 0)]
        self.hashes.take(own)

    def batch(self, content: bytes) -> "pa.RecordBatch":
        """Return the sentences of a text as rows, with lines ending in \n."""
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

    def rows(self, lines: list[int], texts: list[Any], report: str | None = None) -> "pa.RecordBatch":
        """Return rows of the piece."""
        same = ([each] * len(lines) for each in (self.piece.file, self.piece.piece, self.piece.dialect))
        return task_messages.batch(task_messages.SENTENCES, *same, lines, texts, [report] * len(lines))


def lines_before(piece: Piece) -> int:
    """Return the number of lines before the first sentence of a piece; read the file up to there."""
    if not piece.begin:
        return 0
    before = Reading(piece._replace(piece=0, begin=0, end=piece.begin))
    with closing(open_seekable(piece.file)) as file:
        return sum(content.count(b"\n") for content in before.contents(file))


def end_of_blank(content: bytes, least: int, *, begins_line: bool) -> int | None:
    """Return the end of the first blank line that ends after a position; None if there is none.

    begins_line: whether the content begins a line, so that its first line may be blank.
    """
    if begins_line and (blank := BLANK.match(content)) and blank.end() >= least:
        return blank.end()
    for found in END_OF_BLANK.finditer(content, max(least - BEFORE, 0)):
        if found.end() >= least:
            return found.end()
    return None


class Hashes:
    """Hashes of consecutive ranges of bytes of equal size."""

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
        """Return the hashes, in order."""
        if self._left < self._size:
            self._end()
        return self._found


FIRST_BYTES = 64 << 10
LONGEST_BEGINNING = 32 << 20  # bytes without any word; a file may begin with comments


def list_named_files(arguments: Sequence[str]) -> list[str]:
    """Return the named files, also by folders and, on this machine, by patterns. Raise CorpusError."""
    found: list[str] = []
    if not arguments:
        raise CorpusError("no files; name some")
    for each in arguments:
        if str(each) == "-":
            raise CorpusError("standard input cannot be counted by several tasks; name files, or use aptdb add")
    here = [str(local_path(str(each))) for each in arguments if not is_remote(str(each))]
    found += [file for file, _ in corpus_files(here)] if here else []
    for each in arguments:
        if is_remote(str(each)):
            found += remote_files(str(each))
    return found


def remote_files(place: str) -> list[str]:
    """Return a file of another file system, or the corpora in a folder there and below. Raise CorpusError."""
    from pyarrow import fs

    system, path = file_system(place)
    try:
        info = system.get_file_info(path)
        if info.type == fs.FileType.File:
            return [place]
        below = system.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
    except OSError as error:
        raise CorpusError(f"{place}: cannot be read: {error.strerror or error}{unset_here(place)}") from error
    root = PurePosixPath(path)
    names = sorted(each.path for each in below if each.type == fs.FileType.File)
    found = corpora_among([PurePosixPath(each).relative_to(root) for each in names], place)
    if not found:
        raise CorpusError(f"{place}: no corpus there, neither a file nor a folder with some")
    return [f"{place.rstrip('/')}/{name}" for name in found]


def cut_file(file: str) -> list[Piece]:
    """Return the pieces of a file, under its name everywhere; a packed file is one. Raise CorpusError if not CoNLL."""
    if not is_remote(file) and local_path(file).exists() and not local_path(file).is_file():
        raise CorpusError(f"{file} is not a file that several tasks can read; write it to one, or use aptdb add")
    size, name = PIECE_BYTES, everywhere(file)
    with closing(open_seekable(file)) as content:
        head = content.read(HEADER_BYTES)
        length = content.seek(0, 2)
        content.seek(0)
        if not head:
            raise CorpusError(f"{file}: is empty; leave it out")
        if is_table(head) or is_header(head):
            raise CorpusError(f"{file} is a table; count reads CoNLL-U, and aptdb add takes tables")
        packed = bool(ZSTD_MARK.match(head) or any(each.mark.match(head) for each in PACKINGS))
        dialect = dialect_at_beginning(unpack_stream(content, file), file).name
    ends = [length] if packed else [min(begin + size, length) for begin in range(0, length, size)]
    return [Piece(name, number, number * size, end, size, packed, length, dialect) for number, end in enumerate(ends)]


def dialect_at_beginning(text: Readable, file: str) -> Dialect:
    """Return the dialect at the beginning of a text; the default without a word. Raise CorpusError, naming the file."""
    begin, found, ended = b"", None, False
    while found is None and not ended and len(begin) < LONGEST_BEGINNING:
        block = read_fully(text, FIRST_BYTES)
        begin, ended = begin + (block or b"\n"), not block
        lines = begin[: begin.rfind(b"\n") + 1].removeprefix(BOM).replace(b"\r\n", b"\n")
        found = dialect_of(lines, lambda line: f"{file}:{line + 1}")
    return found or DIALECTS[0]


def in_tasks(pieces: Sequence[Piece], tasks: int) -> list[list[Piece]]:
    """Return the pieces in a number of tasks of about the same size, or fewer; neighbours stay together."""
    total, done = sum(each.end - each.begin for each in pieces), 0
    found: list[list[Piece]] = [[] for _ in range(tasks)]
    for piece in pieces:
        found[done * tasks // total].append(piece)
        done += piece.end - piece.begin
    return [each for each in found if each]
