"""The processes of this machine, as Linux tells of them."""

import os
from collections.abc import Iterator
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")


def commands() -> Iterator[tuple[int, str]]:
    """All processes, with their commands."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield int(each.parent.name), each.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue


def parent_of(process: int) -> int:
    """The parent of a process; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def commands_below(top: int) -> Iterator[tuple[int, str]]:
    """The processes that one has started, or those that it has started, with their commands."""
    for process, command in commands():
        above = process
        while above > 1:
            above = parent_of(above)
            if above == top:
                yield process, command
                break


def memory_of(process: int) -> int:
    """The memory that a process has now, in bytes; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
    except OSError:
        return 0
