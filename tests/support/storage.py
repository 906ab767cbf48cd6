"""Files as other versions of DuckDB write them."""

import struct
from pathlib import Path

import duckdb

BLOCK = 4096  # the head of a file: one block that names its version, then two of its state
VERSION_AT, WRITER_AT, STORAGE_AT, CHECKSUM = 12, 52, 56, 8
FACTOR, FIRST, WORD = 0xBF58476D1CE4E5B9, 5381, (1 << 64) - 1


def checksum(block: bytes) -> int:
    """DuckDB's checksum of what follows it in a block of the head."""
    found = FIRST
    for (word,) in struct.iter_unpack("<Q", block):
        found ^= (word * FACTOR) & WORD
    return found


def of_version(
    content: bytes, *, writer: str = "v99.1.0", storage: int | None = None, head: int | None = None
) -> bytes:
    """A file with another writer and storage version in its head; head: the older place of the latter."""
    changed = bytearray(content)
    struct.pack_into("32s", changed, WRITER_AT, writer.encode())
    if head is not None:
        struct.pack_into("<Q", changed, VERSION_AT, head)
    for block in range(3):
        if block and storage is not None:
            struct.pack_into("<I", changed, block * BLOCK + STORAGE_AT, storage)
        own = checksum(bytes(changed[block * BLOCK + CHECKSUM : (block + 1) * BLOCK]))
        struct.pack_into("<Q", changed, block * BLOCK, own)
    return bytes(changed)


def written_for(file: Path, copy: Path, version: str) -> Path:
    """A copy of a database that older versions of DuckDB can read."""
    with duckdb.connect() as client:
        client.execute(f"ATTACH '{file}' AS whole (READ_ONLY)")
        client.execute(f"ATTACH '{copy}' AS older (STORAGE_VERSION '{version}')")
        client.execute("COPY FROM DATABASE whole TO older")
    return copy


def exported(file: Path, folder: Path) -> Path:
    """A folder that DuckDB has exported."""
    with duckdb.connect() as client:
        client.execute(f"ATTACH '{file}' AS english (READ_ONLY)")
        client.execute("USE english")
        client.execute(f"EXPORT DATABASE '{folder}' (FORMAT parquet)")
    return folder
