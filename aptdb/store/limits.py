"""Limits of a connection: memory, temporary folder, waiting, and the files that it may read and write.

Everything finishes within the smallest memory limit, only slower: temporary files hold the rest.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptdb.core.errors import LexiconError
from aptdb.store.file_writing import refuse_no_utf8, with_log
from aptdb.store.lazy_imports import duckdb
from aptdb.store.statements import literal

MEMORY, TEMP, WAIT = "APTDB_MEMORY", "APTDB_TEMP", "APTDB_WAIT"  # variables of the environment
SIZE = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<unit>[kmgt]?)(?P<binary>i?)b?", re.IGNORECASE)
UNITS = ("", "k", "m", "g", "t")
LEAST = 256_000_000  # bytes; with fewer, DuckDB cannot work
USUAL = 1_000_000_000  # bytes, and a quarter of the machine's memory where that is more
SHARE = 4
OF_DUCKDB = 0.8
LEAST_OF_DUCKDB = 250_000_000  # bytes
LONGEST = 604_800  # seconds to wait: a week
OF_GROUP = Path("/sys/fs/cgroup/memory.max")  # what Linux lets a container have


@dataclass(frozen=True)
class Limits:
    """Limits of a connection.

    memory: bytes of the process. temp: the temporary folder; None: beside the lexicon. wait: seconds to wait for a file
    that another process has open.
    """

    memory: int
    temp: Path | None = None
    wait: float = 0

    def shown(self) -> str:
        """Return the memory limit as text, e.g. 2.0 GB."""
        return f"{self.memory // 10**6}MB"

    def of_duckdb(self) -> str:
        """Return DuckDB's share of the memory in bytes; the rest is for Python, input text and query plans."""
        return f"{int(self.memory * OF_DUCKDB) // 10**6}MB"


_chosen: ContextVar[Limits | None] = ContextVar("limits", default=None)


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def limits(memory: str | int | None = None, temp: str | Path | None = None, wait: str | float | None = None) -> Limits:
    """Return the given limits; missing ones come from the command, the environment, or the machine.

    memory: a size, e.g. 2GB, or a number of bytes. wait: seconds. Raises LexiconError for an impossible limit.
    """
    chosen, environment = _chosen.get(), os.environ
    if memory is None and temp is None and wait is None and chosen:
        return chosen
    size = memory if memory is not None else (environment.get(MEMORY) or None)
    folder = temp if temp is not None else (environment.get(TEMP) or None)
    patience = wait if wait is not None else (environment.get(WAIT) or None)
    return Limits(
        chosen.memory if chosen and memory is None else usual() if size is None else in_bytes(size),
        chosen.temp if chosen and temp is None else None if folder is None else existing(Path(folder)),
        chosen.wait if chosen and wait is None else 0 if patience is None else in_seconds(patience),
    )


@contextmanager
def choose_limits(given: Mapping[str, str | None]) -> Iterator[None]:
    """Use these limits (memory, temp, wait) as defaults within the block."""
    with use_limits(limits(**given)):
        yield


@contextmanager
def use_limits(found: Limits) -> Iterator[None]:
    """Use these limits for whatever opens a file within the block and names none."""
    before = _chosen.set(found)
    try:
        yield
    finally:
        _chosen.reset(before)


def in_seconds(wait: str | float) -> float:
    """Return a number of seconds. Raise LexiconError if it is not one, or below 0."""
    with suppress(TypeError, ValueError):
        if 0 <= float(wait) <= LONGEST:
            return float(wait)
    raise LexiconError(f"wait is {wait!r:.40}; expected a number of seconds, 0 to {LONGEST:,}")


def in_bytes(size: str | int, what: str = "memory") -> int:
    """Return a size as a number of bytes. Raise LexiconError, which names what it is of, if it is none or too small."""
    found = SIZE.fullmatch(str(size).strip())
    if not found:
        raise LexiconError(f"{what} is {size!r}; expected a size, e.g. 2GB or 500MB")
    base = 1024 if found["binary"] else 1000
    number = int(float(found["number"]) * base ** UNITS.index(found["unit"].lower()))
    if number < LEAST:
        raise LexiconError(f"{what} is {size}; the least is {LEAST // 10**6}MB")
    return number


def usual() -> int:
    """Return the default limit of memory: a quarter of the machine's memory, or of the process's limit.

    It is never less than 1 GB.
    """
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    with suppress(OSError, ValueError):
        whole = min(whole, int(OF_GROUP.read_text(encoding="ascii")))
    return max(USUAL, whole // SHARE)


def existing(folder: Path) -> Path:
    """Return a folder for temporary files. Raise LexiconError if it does not exist."""
    if not folder.is_dir():
        raise LexiconError(f"no folder {folder} for temporary files; make it first, or name another place")
    refuse_no_utf8(folder.absolute())
    return folder.absolute()


def confine(
    run: Callable[[str], list[tuple[Any, ...]]], file: Path, files: Sequence[Path], folders: Sequence[Path]
) -> None:
    """Restrict statements to these files and folders. This cannot be undone while the file is open.

    run: a function that runs a statement on the connection and returns its rows. Raises LexiconError if another
    connection of this process to the file has wider access.
    """
    for each in (*files, *folders):
        refuse_no_utf8(each.absolute())
    try:
        for setting, places in (("allowed_paths", files), ("allowed_directories", folders)):
            run(f"SET {setting} = {literal([str(each.absolute()) for each in places])}")
        run("SET enable_external_access = false")
    except duckdb.InvalidInputException:  # another connection of this process has done it
        asked = (
            "SELECT system.main.current_setting('allowed_paths'), system.main.current_setting('enable_external_access')"
        )
        allowed, is_open = run(asked)[0]
        own = {str(each.absolute()) for each in with_log(file)}
        if folders or is_open or {*allowed} - own != {str(each.absolute()) for each in files} - own:
            message = f"{file} is already open in this process with other files; close it there first"
            raise LexiconError(message) from None
