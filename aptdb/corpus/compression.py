"""Unpack gzip, bzip2, xz, lzma and zstd while reading, recognised by their first bytes, never by name.

Each format is a sequence of members (in zstd: frames) to the end of the data. Data that is cut off, damaged, or
followed by other data is refused, never taken as complete.
"""

import bz2
import io
import lzma
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from aptdb.core.errors import CorpusError

PACKED_BYTES = 128 << 10  # passed to a decompressor at once
UNPACKED_BYTES = 1 << 20
ZSTD_BYTES = 1 << 10  # passed to the package zstandard at once; not more than 32 MB unpacked
HEAD_BYTES = 6  # the longest of the marks below
LONGEST_WINDOW = 31  # as `zstd --ultra --long=31` needs (a logarithm)

ARCHIVES = {b"PK\x03\x04": "a zip archive", b"7z\xbc\xaf": "a 7z archive", b"\x1f\x9d": "packed with compress (.Z)"}


class Readable(Protocol):
    """A binary stream."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes; b'' only at the end."""


class Member(Protocol):
    """A decompressor for one member, as in bz2 and lzma."""

    @property
    def eof(self) -> bool:
        """Return whether the member is complete."""

    @property
    def needs_input(self) -> bool:
        """Return whether all data so far is unpacked."""

    @property
    def unused_data(self) -> bytes:
        """Return the data after the end of the member."""

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """Take more data, and return up to `max_length` unpacked bytes."""


@dataclass(frozen=True)
class Packing:
    """A compression format. mark: its first bytes. padded: whether zeros may follow its members."""

    name: str
    mark: re.Pattern[bytes]
    member: Callable[[], Member]
    errors: tuple[type[Exception], ...]
    padded: bool = False


def unpack_stream(raw: io.BufferedReader, place: str) -> Readable:
    """Return unpacked data as a stream; other data is not changed.

    Raises CorpusError: at once for an archive, or for zstd without a library; while reading, for damaged or truncated
    data.
    """
    head = raw.read(HEAD_BYTES)
    for mark, kind in ARCHIVES.items():
        if head.startswith(mark):
            raise CorpusError(f"{place} is {kind}; unpack it first, and name the files in it")
    if ZSTD_MARK.match(head):
        return io.BufferedReader(Unpacking(raw, head, zstd(place), place), UNPACKED_BYTES)
    for packing in PACKINGS:
        if packing.mark.match(head):
            return io.BufferedReader(Unpacking(raw, head, packing, place), UNPACKED_BYTES)
    return Plain(head, raw)


class Plain:
    """A stream after its first bytes were read: peeking would fail with pipes that give few bytes at once."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head = head
        self._rest = rest

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes; all if size is negative."""
        if not self._head:
            return self._rest.read(size)
        head = self._head if size < 0 else self._head[:size]
        self._head = self._head[len(head) :]
        return head + self._rest.read(size - len(head) if size >= 0 else -1)


class Unpacking(io.RawIOBase):
    """A stream of the unpacked bytes of all members."""

    def __init__(self, raw: io.BufferedReader, head: bytes, packing: Packing, place: str) -> None:
        self._raw = raw
        self._packed = head
        self._packing = packing
        self._place = place
        self._member = packing.member()
        self._ready = memoryview(b"")
        self._ended = False

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with unpacked bytes; return 0 only at the end. Raise CorpusError if the file is damaged."""
        while not self._ready and not self._ended:
            self._ready = memoryview(self._next(len(buffer)))
        given = self._ready[: len(buffer)]
        buffer[: len(given)] = given
        self._ready = self._ready[len(given) :]
        return len(given)

    def _next(self, most: int) -> bytes:
        """Return more unpacked bytes, or b''; set a flag at the end."""
        if self._member.eof:
            self._packed = self._after_member()
            if not self._packed:
                self._ended = True
                return b""
            self._member = self._packing.member()
        elif not self._packed and self._member.needs_input:
            self._packed = self._raw.read(PACKED_BYTES)
            if not self._packed:
                raise self._damaged("it ends in the middle")
        packed, self._packed = self._packed, b""
        try:
            return self._member.decompress(packed, most)
        except self._packing.errors as error:
            raise self._damaged(error) from error

    def _after_member(self) -> bytes:
        """Return the data after a complete member, without padding."""
        packed = self._member.unused_data or self._raw.read(PACKED_BYTES)
        while self._packing.padded and packed and not packed.strip(b"\0"):
            packed = self._raw.read(PACKED_BYTES)
        return packed.lstrip(b"\0") if self._packing.padded else packed

    def _damaged(self, problem: object) -> CorpusError:
        shown = " ".join(str(problem).split())
        return CorpusError(
            f"{self._place}: the {self._packing.name} data is damaged or cut off ({shown}); fetch the file again"
        )


class GzipMember:
    """A decompressor for one member of gzip, like those of bz2 and lzma."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        """Return whether the member is complete and its checksum right."""
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        """Return whether all data so far is unpacked."""
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """Return the data after the end of the member."""
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """Take more data, and return up to `max_length` unpacked bytes."""
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(max_length, 0))


class ZstandardMember:
    """A decompressor for one frame of zstd, by the package zstandard, which returns all bytes of its input at once.

    Its input is short: four bytes can be 128 KB unpacked.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._packed = memoryview(b"")

    @property
    def eof(self) -> bool:
        """Return whether the frame is complete."""
        return bool(self._inner.eof)

    @property
    def needs_input(self) -> bool:
        """Return whether all data so far is unpacked."""
        return not self._packed

    @property
    def unused_data(self) -> bytes:
        """Return the data after the end of the frame."""
        return bytes(self._inner.unused_data) + bytes(self._packed)

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """Take more data, and give the unpacked bytes of a part of it."""
        packed = memoryview(bytes(self._packed) + data) if data else self._packed
        self._packed = packed[ZSTD_BYTES:]
        return bytes(self._inner.decompress(packed[:ZSTD_BYTES]))


def zstd(place: str) -> Packing:
    """Return a decompressor of zstd from Python's own library or a package. Raise CorpusError without either."""
    from importlib import import_module

    try:
        own = import_module("compression.zstd")  # Python 3.14
    except ImportError:
        return zstd_by_package(place)
    longest = {own.DecompressionParameter.window_log_max: LONGEST_WINDOW}
    return Packing("zstd", ZSTD_MARK, lambda: own.ZstdDecompressor(options=longest), (own.ZstdError,))


def zstd_by_package(place: str) -> Packing:
    """Return a decompressor of zstd from the package zstandard. Raise CorpusError if it is not installed."""
    try:
        import zstandard
    except ImportError as error:
        raise CorpusError(f"{place} is packed with zstd; install: pip install 'aptdb[zstd]'") from error

    def member() -> Member:
        frames = zstandard.ZstdDecompressor(max_window_size=1 << LONGEST_WINDOW)
        return ZstandardMember(frames.decompressobj())

    return Packing("zstd", ZSTD_MARK, member, (zstandard.ZstdError,))


# A frame, or a skippable frame, with which parallel compressors begin.
ZSTD_MARK = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
PACKINGS = (
    Packing("gzip", re.compile(rb"\x1f\x8b"), GzipMember, (zlib.error, EOFError), padded=True),
    Packing("bzip2", re.compile(rb"BZh[1-9]"), bz2.BZ2Decompressor, (OSError, EOFError, ValueError)),
    Packing("xz", re.compile(rb"\xfd7zXZ"), lzma.LZMADecompressor, (lzma.LZMAError, EOFError), padded=True),
    Packing("lzma", re.compile(rb"\x5d\x00\x00"), lzma.LZMADecompressor, (lzma.LZMAError, EOFError)),
)
