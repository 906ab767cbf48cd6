"""Packed text is read whole, whatever it is packed with and called; what is cut off or damaged never passes."""

import bz2
import gzip
import io
import lzma
import random
import sys
from collections.abc import Callable

import pytest

from aptdb import CorpusError
from aptdb.corpus.compression import unpack_stream

TEXT = "".join(f"{n}\tDogs{n * n}\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n" for n in range(5_000)).encode()


def zstd_packed(data: bytes) -> bytes:
    """One frame of zstd; the test skips where the package is missing (Python 3.14 alone could do without)."""
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed; see the extra zstd")
    return bytes(zstandard.ZstdCompressor().compress(data))


def lzma_packed(data: bytes) -> bytes:
    """The format before xz."""
    return lzma.compress(data, lzma.FORMAT_ALONE)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd_packed,
    "lzma": lzma_packed,
}
packers = pytest.mark.parametrize("packing", PACKERS)
of_members = pytest.mark.parametrize("packing", [name for name in PACKERS if name != "lzma"])


def read(data: bytes, size: int = 1 << 16) -> bytes:
    """All that is read of packed data, by so many bytes."""
    stream = unpack_stream(io.BufferedReader(Trickle(data)), "here.conllu")
    parts = []
    while part := stream.read(size):
        assert len(part) <= size
        parts.append(part)
    return b"".join(parts)


class Trickle(io.RawIOBase):
    """A pipe, which gives one byte, then as much as it likes."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = self._data.read(min(len(buffer), 1 + 7 * self._data.tell()))
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize("data", [b"", b"1", b"1\tDo", TEXT])
@pytest.mark.parametrize("size", [1 << 10, 1 << 25])
def test_plain_text_is_as_it_is(data: bytes, size: int) -> None:
    assert read(data, size) == data
    assert read(data[:100], 1) == data[:100]


@packers
@pytest.mark.parametrize("size", [1 << 10, 1 << 25])
def test_packed_text_is_the_text(packing: str, size: int) -> None:
    assert read(PACKERS[packing](TEXT), size) == TEXT
    assert read(PACKERS[packing](b""), size) == b""


@of_members
def test_members_one_after_another(packing: str) -> None:
    pack = PACKERS[packing]
    assert read(pack(TEXT) + pack(b"") + pack(b"more\n")) == TEXT + b"more\n"


@pytest.mark.parametrize("packing", ["gzip", "xz"])
def test_members_padded_with_zeros(packing: str) -> None:
    pack = PACKERS[packing]
    assert read(pack(TEXT) + bytes(512) + pack(b"more\n") + bytes(512)) == TEXT + b"more\n"


def test_a_frame_of_zstd_to_be_skipped() -> None:
    skipped = b"\x53\x2a\x4d\x18\x04\x00\x00\x00abcd"
    assert read(skipped + zstd_packed(TEXT) + skipped) == TEXT


def refusal(data: bytes, packing: str) -> str:
    """What is said of data that cannot be unpacked."""
    with pytest.raises(CorpusError) as refused:
        read(data)
    said = str(refused.value)
    assert said.startswith(f"here.conllu: the {packing} data is damaged or cut off (")
    assert said.endswith("); fetch the file again")
    assert "\n" not in said
    return said


@packers
def test_what_is_cut_off(packing: str) -> None:
    packed = PACKERS[packing](TEXT)
    for length in (8, 20, len(packed) // 2, len(packed) - 9, *range(len(packed) - 5, len(packed))):
        refusal(packed[:length], packing)
    if packing != "lzma":
        refusal(packed + packed[:-1], packing)


@packers
@pytest.mark.parametrize("garbage", [b"x", b"garbage after it" * 20])
def test_what_is_followed_by_garbage(packing: str, garbage: bytes) -> None:
    refusal(PACKERS[packing](TEXT) + garbage, packing)


@packers
def test_damaged_data_is_never_other_text(packing: str) -> None:
    if packing == "lzma":
        pytest.skip("lzma has no checksum")
    packed, chance = PACKERS[packing](TEXT), random.Random(1)
    refused = 0
    for at in (chance.randrange(10, len(packed)) for _ in range(20)):
        damaged = packed[:at] + bytes([packed[at] ^ 0x55]) + packed[at + 1 :]
        try:
            assert packing == "zstd" or read(damaged) == TEXT  # zstd has a checksum only where it is asked for
        except CorpusError:
            refused += 1
    assert refused >= 18 or packing == "zstd"


def test_zstd_where_nothing_unpacks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = zstd_packed(TEXT)
    for name in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(CorpusError, match=r"is packed with zstd; install: pip install 'aptdb\[zstd\]'"):
        read(packed)


def test_zstd_of_the_standard_library(monkeypatch: pytest.MonkeyPatch) -> None:
    own = pytest.importorskip("backports.zstd", reason="backports.zstd, which is compression.zstd, is not installed")
    monkeypatch.setitem(sys.modules, "compression", own)
    monkeypatch.setitem(sys.modules, "compression.zstd", own)
    packed = own.compress(TEXT)
    assert read(packed + packed) == TEXT + TEXT
    for data in (packed[:-1], packed[:50], packed + b"x"):
        refusal(data, "zstd")


def test_a_stream_that_cannot_be_read_says_so_itself() -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        unpack_stream(io.BufferedReader(Broken()), "here")
