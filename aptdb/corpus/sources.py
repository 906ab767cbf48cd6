"""A source of parsed text as a stream of chunks: complete sentences, some megabytes at a time, with line numbers.

Other formats are turned into CoNLL (`parsed`, `tabular`). SQL reads the content of lines (`sql/counting/read.sql`).
This module does what SQL cannot: it unpacks, and finds the ends of sentences.
"""

import io
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from aptdb.core.errors import CorpusError, refuse_no_file_name
from aptdb.core.one_line import escape_bytes
from aptdb.core.settings import Settings
from aptdb.corpus.compression import Plain, Readable, unpack_stream
from aptdb.corpus.dialects import Dialect, accept_columns, dialect_of
from aptdb.corpus.parsed import ParsedText, find_kind_of_source, place_in
from aptdb.corpus.tabular import (
    BOM,
    HEADER_BYTES,
    CorpusKind,
    as_parquet,
    column_types,
    escape_file_name,
    is_header,
    is_table,
    kind_of_table,
    refuse_near_header,
    table_as_conllu,
)
from aptdb.store.database import in_memory
from aptdb.store.temporary_folders import room_for_scratch

CHUNK_BYTES = 32 << 20  # about half a million tokens: large enough for SQL to run at speed, small enough for the caches
READ_BYTES = 1 << 20  # read at once: it is copied while it is still in the caches
LONGEST_SENTENCE_BYTES = 256 << 20
TAIL_BYTES = 64 << 10  # where the last sentence is looked for first
COMMENTS_BYTES = 32 << 20  # of comments alone, or blank lines, may be kept from what follows
NO_COMMENT = re.compile(rb"^[^#\n]", re.MULTILINE)
MANY_BLANK_LINES = b"\n" * 16


@dataclass(frozen=True)
class Chunk:
    """Complete sentences as bytes, lines ending in \n, and the number of lines and sentences before them.

    gaps: positions of omitted blank lines. Sentences are counted only in text that we make ourselves. bytes_read: how
    much of the source, packed, was read when the chunk was complete.
    """

    content: bytes
    lines_before: int
    sentences_before: int
    gaps: "Gaps"
    bytes_read: int = 0

    def line_in_source(self, line: int) -> int:
        """Return the number of a line in its source; both are counted from 0."""
        found = bisect_right(self.gaps.lines, line)
        return self.lines_before + line + (self.gaps.left_out[found - 1] if found else 0)


class Gaps(NamedTuple):
    """Lines of a text (from 0) before which blank lines are omitted, and the number of omitted lines up to there."""

    lines: list[int]
    left_out: list[int]


class Source:
    """A corpus that is read once.

    source: a file, `-` for standard input, or an open binary stream, of CoNLL or of a table of trees or counts, packed
    or not, whatever its name; a table (pyarrow, or any object with an Arrow stream); or an iterable of sentences, also
    documents of spaCy and Stanza. name: the name of the corpus. place: the name of the source in messages. origin: what
    is recorded as the source, by default its name, because a copy need not say where its maker had it. digest: the
    sha256 of the unpacked bytes, after reading; for tables of trees and for sentences, of the CoNLL-U made from them;
    for tables of counts, of their Parquet.
    """

    firsts = (0,)  # the first line of a corpus in a chunk; joined files are several

    def __init__(self, source: Any, origin: str | None = None) -> None:
        self._source = source
        self._kind = find_kind_of_source(source)
        self._hash = sha256()
        self._stack = ExitStack()
        self._text: Readable | None = None
        self._made = self._kind in {"parsed", "table"}  # whether we make its lines ourselves
        self.size: int | None = None
        self.bytes_read = 0
        if self._kind == "file":
            # The name of a file need not be UTF-8, but we show and store it as UTF-8.
            self.place = "stdin" if str(source) == "-" else escape_bytes(str(source))
            refuse_no_file_name("source", source, CorpusError)
        else:
            named = {"stream": "stream", "table": "table", "parsed": "sentences"}[self._kind]
            self.place = str(getattr(source, "name", None) or named)
        self.name = Path(self.place).name or self.place
        self.origin = self.name if origin is None else origin

    def __enter__(self) -> "Source":
        """Return the source itself; everything that it opens is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close everything that it opened, and delete temporary files."""
        self._stack.close()

    @property
    def digest(self) -> str:
        """Return the sha256 of the unpacked bytes read so far, in hexadecimal."""
        return self._hash.hexdigest()

    def digest_of_all(self) -> str:
        """Return the digest of the whole source; read it to the end."""
        if self.corpus_kind() == "counts":
            with self._stack:
                for _ in self._packed_blocks() if self._kind == "table" else self._blocks():
                    pass
                return self.digest
        for _ in self.chunks():
            pass
        return self.digest

    @property
    def is_of_this_thread(self) -> bool:
        """Return whether reading runs the caller's own code, which may not work in another thread."""
        return self._kind == "parsed"

    def corpus_kind(self) -> CorpusKind:
        """Return 'trees' or 'counts', recognised by the beginning. Raise CorpusError if it cannot be read."""
        if self._kind == "parsed":
            return "trees"
        if self._kind == "table":
            return self._kind_of_table(self._source)
        with self._errors_named():
            self._text = self._stack.enter_context(self._opened())
            head = read_fully(self._text, HEADER_BYTES)
        self._text = Plain(head, self._text)
        if is_table(head):
            table = self._stack.enter_context(as_parquet(self._plain_file() or self._text, self.place))
            self._source, self._kind, self._made = table, "table", True
            return self._kind_of_table(table)
        refuse_near_header(head, self.place)
        return "counts" if is_header(head) else "trees"

    def _kind_of_table(self, table: Any) -> CorpusKind:
        """Return 'trees' or 'counts', by the columns of a table."""
        parquet = self._stack.enter_context(as_parquet(table, self.place))
        self._source = parquet
        with closing(in_memory()) as scratch:
            scratch.set(table_file=escape_file_name(parquet))
            return kind_of_table(column_types(scratch, self.place), self.place)

    def chunks(self) -> Iterator[Chunk]:
        """Yield the whole source, cut between sentences. Raise CorpusError if it cannot be read."""
        rest, lines, sentences = b"", 0, 0
        for block in self._blocks():
            cut = end_of_sentences(block, int(bool(rest)))
            content = b"".join((rest, memoryview(block)[:cut])) if cut else rest + block
            rest = block[cut:] if cut else b""
            if not cut and (cut := end_of_sentences(content, 0)):  # the last sentence began in the rest
                content, rest = content[:cut], content[cut:]
            if cut:
                yield from chunk_of(content, lines, sentences, self.bytes_read)
                lines += content.count(b"\n")
                sentences += content.count(b"\n\n") if self._made else 0
            else:
                rest = content
                self._refuse_endless(rest, lines)
        if rest:
            content = rest if rest.endswith(b"\n") else rest + b"\n"
            yield from chunk_of(content, lines, sentences, self.bytes_read)

    def dialect_in(self, chunk: Chunk) -> Dialect | None:
        """Return the dialect of CoNLL by the beginning of a chunk; None where there is no word in it.

        Raises CorpusError for a declaration that is no list of columns.
        """
        return dialect_of(chunk.content, lambda line: self.where(chunk, line))

    def accept(self, dialect: Dialect, settings: Settings) -> None:
        """Warn of declared columns that are not read. Raise CorpusError for one that is missing."""
        accept_columns(dialect, settings, self.place)

    def only_chunk(self) -> Chunk | None:
        """Return a text of trees as one chunk, without blank lines an empty one; None if it is longer, or no text.

        Raises CorpusError if it cannot be read.
        """
        if self.corpus_kind() == "counts" or self._made:
            return None
        content = b""
        for block in self._blocks():
            content += block
            if len(content) > CHUNK_BYTES:
                return None
        if content and not content.endswith(b"\n"):
            content += b"\n"
        return next(chunk_of(content, 0, 0, self.bytes_read), Chunk(b"", 0, 0, Gaps([], []), self.bytes_read))

    def copied(self, folder: Path) -> tuple[Path, bool]:
        """Copy counts into a folder; return the file, and whether it is Parquet. Raise CorpusError on failure."""
        is_parquet = self._kind == "table"
        copy = folder / ("counts.parquet" if is_parquet else "counts.tsv")
        with self._stack, copy.open("wb") as out:
            for block in self._packed_blocks() if is_parquet else self._blocks():
                with room_for_scratch():
                    out.write(block)
        return copy, is_parquet

    def _packed_blocks(self) -> Iterator[bytes]:
        """Yield the bytes of a table, hashed."""
        with self._errors_named(), Path(self._source).open("rb") as table:
            while block := table.read(READ_BYTES):
                self._hash.update(block)
                yield block

    def where(self, chunk: Chunk, line: int) -> str:
        """Return the position of a line of a chunk (from 0) for messages."""
        if self._made:
            return f"{self.place}: {place_in(chunk.content, line, chunk.sentences_before)}"
        return f"{self.place}:{chunk.line_in_source(line) + 1}"

    def _refuse_endless(self, sentence: bytes, lines_before: int) -> None:
        if len(sentence) > LONGEST_SENTENCE_BYTES:
            raise CorpusError(
                f"{self.place}:{lines_before + 1}: no blank line in {len(sentence) >> 20} MB; "
                "CoNLL-U has one after each sentence"
            )

    def _blocks(self) -> Iterator[bytes]:
        """Yield unpacked bytes, hashed, then with \n in place of CRLF and without byte order mark."""
        first, carried = True, b""
        with self._stack, self._read() as stream:
            while block := self._next(stream):
                self._hash.update(block)
                text = carried + (block.removeprefix(BOM) if first else block)
                first = False
                carried = b"\r" if text.endswith(b"\r") else b""
                text = text.removesuffix(b"\r") if carried else text
                yield text.replace(b"\r\n", b"\n") if b"\r" in text else text
        if carried:
            yield carried

    @contextmanager
    def _read(self) -> Iterator[Readable]:
        """Yield the unpacked text."""
        if self._kind == "parsed":
            yield ParsedText(self._source, self.place)
        elif self._kind == "table":
            with table_as_conllu(self._source, self.place) as file, file.open("rb") as text:
                self.size = None
                yield text
        else:
            if self._text is None:
                self.corpus_kind()
            assert self._text is not None
            yield self._text

    def _next(self, stream: Readable) -> bytes:
        """Return the next block. Translate errors, except those of the caller's own code."""
        if self._kind == "parsed":
            return stream.read(CHUNK_BYTES)
        with self._errors_named():
            return read_fully(stream, CHUNK_BYTES)

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CorpusError(f"{self.place}: cannot be read: {error.strerror or error}") from error

    def _plain_file(self) -> Path | None:
        """Return the file of an unpacked table, which needs no copy; else None."""
        if not isinstance(self._source, str | Path) or not Path(self._source).is_file():
            return None
        with Path(self._source).open("rb") as file:
            return Path(self._source) if is_table(file.read(8)) else None

    @contextmanager
    def _opened(self) -> Iterator[Readable]:
        """Yield the bytes of a file or stream, unpacked."""
        with self._raw() as stream:
            yield unpack_stream(io.BufferedReader(Counted(stream, self), max(CHUNK_BYTES >> 3, 8)), self.place)

    @contextmanager
    def _raw(self) -> Iterator[BinaryIO]:
        if not isinstance(self._source, str | Path):
            yield self._source
        elif str(self._source) == "-":
            if sys.stdin is None:
                raise CorpusError("stdin is closed; there is nothing to read")
            # Without the buffer: at exit Python needs its lock, which a thread that still reads would hold.
            yield getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        else:
            try:
                stream = Path(self._source).open("rb")  # noqa: SIM115 (closed below; only opening may fail so)
            except FileNotFoundError as error:
                raise CorpusError(f"{self.place}: no such file") from error
            except IsADirectoryError as error:
                raise CorpusError(f"{self.place} is a folder; name the files in it") from error
            with stream:
                self.size = Path(self._source).stat().st_size or None
                yield stream


class Counted(io.RawIOBase):
    """A stream that reports the number of (packed) bytes read to its source."""

    def __init__(self, stream: BinaryIO, source: Source) -> None:
        self._stream = stream
        self._source = source

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer from the stream."""
        data = self._stream.read(min(len(buffer), READ_BYTES))
        if not isinstance(data, bytes):
            raise CorpusError(f"{self._source.place} gives text, not bytes; open it in binary mode")
        buffer[: len(data)] = data
        self._source.bytes_read += len(data)
        return len(data)


def read_fully(stream: Readable, size: int) -> bytes:
    """Return `size` bytes, or all that are left. A pipe gives them in small pieces."""
    parts, wanted = [], size
    while wanted and (part := stream.read(wanted)):
        parts.append(part)
        wanted -= len(part)
    return b"".join(parts)


def end_of_sentences(block: bytes, first: int) -> int:
    """Return the end of the last blank line after a sentence, so that comments stay with the next; 0 if there is none.

    first: where the first line begins, or 1 if the block begins within a line.
    """
    end, size = block.rfind(b"\n\n") + 2, TAIL_BYTES
    while end > 1:
        begin = max(end - size, first)
        if lines := [each.start() for each in NO_COMMENT.finditer(block, begin, end)]:
            return block.find(b"\n\n", lines[-1]) + 2
        if begin == first:
            return end if end - first >= COMMENTS_BYTES else 0
        size <<= 4
    return 0


def chunk_of(content: bytes, lines: int, sentences: int, bytes_read: int) -> Iterator[Chunk]:
    """Yield a text as a chunk, with the number of lines and sentences before it, and of bytes of the source read.

    Yields nothing if all lines are blank.
    """
    squeezed, gaps = content, Gaps([], [])
    if MANY_BLANK_LINES in content:
        squeezed, gaps = without_many_blank_lines(content)
    if len(squeezed) >= len(MANY_BLANK_LINES) or squeezed.strip(b"\n"):
        yield Chunk(squeezed, lines, sentences, gaps, bytes_read)


def without_many_blank_lines(content: bytes) -> tuple[bytes, Gaps]:
    """Return a text with one blank line in place of very many: each would cost as much as a word."""
    parts, gaps, done, kept, left_out = [], Gaps([], []), 0, 0, 0
    for run in re.finditer(MANY_BLANK_LINES + rb"\n*", content):
        end = run.start() + 2
        parts.append(content[done:end])
        kept += content.count(b"\n", done, end)
        left_out += run.end() - end
        gaps.lines.append(kept)
        gaps.left_out.append(left_out)
        done = run.end()
    return b"".join((*parts, content[done:])), gaps
