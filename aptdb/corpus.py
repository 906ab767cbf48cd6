"""A source of CoNLL-U as a stream of chunks: whole sentences, some megabytes at a time, with the line they begin at.

Nothing of a line's content is read here; SQL does that (`sql/count`). What is looked at is what SQL could not: the
packing, and where sentences end.
"""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Protocol

from aptdb.errors import CorpusError

CHUNK_BYTES = 32 << 20  # about half a million tokens: large enough for SQL to run at speed, small enough for the caches
READ_BYTES = 1 << 20  # read at once: copied while it is in the caches
LONGEST_SENTENCE_BYTES = 256 << 20
GZIP_MAGIC = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"


class Hasher(Protocol):
    """What hashlib gives."""

    def update(self, data: bytes, /) -> None:
        """Take in more bytes."""

    def hexdigest(self) -> str:
        """The digest of all bytes so far."""


@dataclass(frozen=True)
class Chunk:
    """Whole sentences as bytes, with \\n at each line's end, and the number of lines before them."""

    content: bytes
    lines_before: int


class Source:
    """A file, `-` for standard input, or an open binary stream; unpacked where it is gzip, whatever its name.

    name: what a corpus of it is called. place: how messages call it. digest: sha256 of the unpacked bytes, once read.
    """

    def __init__(self, source: str | Path | BinaryIO) -> None:
        self._source = source
        self._hash: Hasher = sha256()
        self.size: int | None = None
        self.bytes_read = 0
        if isinstance(source, str | Path):
            self.place = "stdin" if str(source) == "-" else str(source)
            self.name = Path(self.place).name
        else:
            self.place = self.name = str(getattr(source, "name", None) or "stream")

    @property
    def digest(self) -> str:
        """sha256 of the unpacked bytes read so far, in hexadecimal."""
        return self._hash.hexdigest()

    def chunks(self) -> Iterator[Chunk]:
        """The whole source, cut between sentences. Raises CorpusError where it cannot be read."""
        rest, lines_before = b"", 0
        for block in self._blocks():
            cut = block.rfind(b"\n\n") + 2
            if cut > 1:
                content = b"".join((rest, memoryview(block)[:cut]))
                yield Chunk(content, lines_before)
                lines_before += content.count(b"\n")
                rest = block[cut:]
            else:
                rest += block
                self._refuse_endless(rest, lines_before)
        if rest:
            yield Chunk(rest if rest.endswith(b"\n") else rest + b"\n", lines_before)

    def where(self, chunk: Chunk, line: int) -> str:
        """How messages call a line of a chunk, counted from 0."""
        return f"{self.place}:{chunk.lines_before + line + 1}"

    def _refuse_endless(self, sentence: bytes, lines_before: int) -> None:
        if len(sentence) > LONGEST_SENTENCE_BYTES:
            raise CorpusError(
                f"{self.place}:{lines_before + 1}: no blank line in {len(sentence) >> 20} MB; "
                "CoNLL-U has one after each sentence"
            )

    def _blocks(self) -> Iterator[bytes]:
        """Unpacked bytes with CRLF as \\n and no byte order mark, hashed as they were."""
        first, carried = True, b""
        with self._open() as stream:
            for block in self._read(stream):
                self._hash.update(block)
                text = carried + (block.removeprefix(BOM) if first else block)
                first = False
                carried = b"\r" if text.endswith(b"\r") else b""
                text = text.removesuffix(b"\r") if carried else text
                yield text.replace(b"\r\n", b"\n") if b"\r" in text else text
        if carried:
            yield carried

    def _read(self, stream: BinaryIO) -> Iterator[bytes]:
        raw = io.BufferedReader(Counted(stream, self), max(CHUNK_BYTES >> 3, 8))
        try:
            packed = raw.peek(2)[:2] == GZIP_MAGIC
            unpacked = gzip.GzipFile(fileobj=raw) if packed else raw
            while block := unpacked.read(CHUNK_BYTES):
                yield block
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise CorpusError(
                f"{self.place}: the gzip data is damaged or cut off ({error}); fetch the file again"
            ) from error
        except OSError as error:
            raise CorpusError(f"{self.place}: cannot be read: {error.strerror or error}") from error

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        if not isinstance(self._source, str | Path):
            yield self._source
        elif str(self._source) == "-":
            if sys.stdin is None:
                raise CorpusError("stdin is closed; there is nothing to read")
            # Without the buffer, whose lock Python wants at its end, while a thread may be waiting in it.
            yield getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        else:
            try:
                stream = Path(self._source).open("rb")  # noqa: SIM115 (closed below; only opening may fail so)
            except FileNotFoundError as error:
                raise CorpusError(f"{self.place}: no such file") from error
            except IsADirectoryError as error:
                raise CorpusError(f"{self.place} is a folder; name the files in it") from error
            except OSError as error:
                raise CorpusError(f"{self.place}: cannot be read: {error.strerror}") from error
            with stream:
                self.size = Path(self._source).stat().st_size or None
                yield stream


class Counted(io.RawIOBase):
    """A stream that tells its source how far it has been read, packed bytes as they are."""

    def __init__(self, stream: BinaryIO, source: Source) -> None:
        self._stream = stream
        self._source = source

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer from the stream."""
        data = self._stream.read(min(len(buffer), READ_BYTES))
        if not isinstance(data, bytes):
            raise CorpusError(f"{self._source.place} gives text, not bytes; open it in binary mode")
        buffer[: len(data)] = data
        self._source.bytes_read += len(data)
        return len(data)
