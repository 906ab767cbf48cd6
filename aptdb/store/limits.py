"""Limits of a connection: its memory, its temporary folder, and the files that it may reach.

Everything finishes within the least memory, only slower: what does not fit goes to temporary files.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from aptdb.core.errors import LexiconError
from aptdb.store.file_writing import with_log
from aptdb.store.statements import literal

MEMORY, TEMP = "APTDB_MEMORY", "APTDB_TEMP"  # variables of the environment
SIZE = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<unit>[kmgt]?)(?P<binary>i?)b?", re.IGNORECASE)
UNITS = ("", "k", "m", "g", "t")
LEAST = 256_000_000  # bytes; with fewer, DuckDB cannot work
USUAL = 1_000_000_000  # bytes, and a quarter of the machine's memory where that is more
SHARE = 4
OF_DUCKDB = 0.8
LEAST_OF_DUCKDB = 250_000_000  # bytes
OF_GROUP = Path("/sys/fs/cgroup/memory.max")  # what Linux lets a container have


@dataclass(frozen=True)
class Limits:
    """memory: bytes, of the process. temp: the folder of DuckDB's temporary files; None: beside the lexicon."""

    memory: int
    temp: Path | None = None

    def shown(self) -> str:
        """Return the memory as people write it."""
        return f"{self.memory // 10**6}MB"

    def of_duckdb(self) -> str:
        """Return what of it DuckDB may use for its buffers; Python, text that is read, and plans need the rest."""
        return f"{int(self.memory * OF_DUCKDB) // 10**6}MB"


_chosen: ContextVar[Limits | None] = ContextVar("limits", default=None)


def limits(memory: str | int | None = None, temp: str | Path | None = None) -> Limits:
    """Return the limits that are given; where one is not, that of the command, of the environment, or of the machine.

    memory: a size, e.g. 2GB, or a number of bytes. Raises LexiconError if a limit cannot be kept.
    """
    chosen, environment = _chosen.get(), os.environ
    if memory is None and temp is None and chosen:
        return chosen
    size = memory if memory is not None else (environment.get(MEMORY) or None)
    folder = temp if temp is not None else (environment.get(TEMP) or None)
    return Limits(
        chosen.memory if chosen and memory is None else usual() if size is None else in_bytes(size),
        chosen.temp if chosen and temp is None else None if folder is None else existing(Path(folder)),
    )


@contextmanager
def chosen(given: Mapping[str, str | None]) -> Iterator[None]:
    """Keep to these limits (memory, temp) within the block, wherever no others are given."""
    before = _chosen.set(limits(**given))
    try:
        yield
    finally:
        _chosen.reset(before)


def in_bytes(size: str | int) -> int:
    """Return a size as a number of bytes. Raises LexiconError if it is none, or too small."""
    found = SIZE.fullmatch(str(size).strip())
    if not found:
        raise LexiconError(f"memory is {size!r}; expected a size, e.g. 2GB or 500MB")
    base = 1024 if found["binary"] else 1000
    number = int(float(found["number"]) * base ** UNITS.index(found["unit"].lower()))
    if number < LEAST:
        raise LexiconError(f"memory is {size}; the least is {LEAST // 10**6}MB")
    return number


def usual() -> int:
    """Return what suits the machine: a quarter of its memory, or of what the process may have of it.

    Never less than 1 GB.
    """
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    with suppress(OSError, ValueError):
        whole = min(whole, int(OF_GROUP.read_text(encoding="ascii")))
    return max(USUAL, whole // SHARE)


def existing(folder: Path) -> Path:
    """Return a folder for temporary files. Raises LexiconError if there is none."""
    if not folder.is_dir():
        raise LexiconError(f"no folder {folder} for temporary files; make it first, or name another place")
    return folder.absolute()


def confine(
    run: Callable[[str], list[tuple[Any, ...]]], file: Path, files: Sequence[Path], folders: Sequence[Path]
) -> None:
    """Let statements reach these files and folders only. This cannot be undone while the file is open.

    run: runs a statement on the connection, and gives its rows. Raises LexiconError if another connection of this
    process to the file lets it reach others.
    """
    try:
        for setting, places in (("allowed_paths", files), ("allowed_directories", folders)):
            run(f"SET {setting} = {literal([str(each.absolute()) for each in places])}")
        run("SET enable_external_access = false")
    except duckdb.InvalidInputException:  # another connection of this process has done it
        asked = "SELECT current_setting('allowed_paths'), current_setting('enable_external_access')"
        allowed, is_open = run(asked)[0]
        own = {str(each.absolute()) for each in with_log(file)}
        if folders or is_open or {*allowed} - own != {str(each.absolute()) for each in files} - own:
            said = f"{file} is already open in this process with other files; close it there first"
            raise LexiconError(said) from None
