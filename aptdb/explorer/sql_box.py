"""Runs one SELECT in a process of its own, and kills it at its limits of time, memory, rows and bytes."""

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.explorer.helper_processes import PYTHON, environment


@dataclass(frozen=True)
class SqlLimits:
    """What a query may have: seconds, bytes of memory, rows and bytes of its answer."""

    seconds: float = 20.0
    memory: int = 1_000_000_000
    rows: int = 1000
    size: int = 20_000_000


LONGEST = 100_000  # letters of a query
OF_STREAM = 1 << 16
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "PYTHONPATH", "XDG_CACHE_HOME")


@dataclass(frozen=True)
class Answered:
    """An answer, all values as text. notes: what is to be said of it. left_out: why it has not all rows, if so."""

    columns: Sequence[str]
    types: Sequence[str]
    rows: Sequence[Sequence[str | None]]
    notes: Sequence[str]
    left_out: str = ""


async def ask(file: Path, query: str, limits: SqlLimits) -> Answered:
    """Return the answer to a SELECT. Raises QuestionError if it is none, does not run, or reaches a limit.

    The process ends in any case, also where whoever waits for the answer goes away.
    """
    if len(query) > LONGEST:
        raise QuestionError(f"the query has {len(query):,} letters; it may have {LONGEST:,}")
    asked = {
        "file": str(file),
        "query": query,
        "rows": limits.rows,
        "memory": limits.memory,
        "bytes": limits.size,
        "seconds": limits.seconds,
    }
    process = await asyncio.create_subprocess_exec(
        *PYTHON,
        "aptdb.explorer.confined",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={name: value for name, value in environment().items() if name in KEPT},
        cwd=file.parent,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(limits.seconds):
            return await heard(process, f"{json.dumps(asked)}\n".encode(), limits)
    except TimeoutError:
        said = (
            f"the query took longer than {limits.seconds:g} seconds, and was stopped; ask for less, or ask it in DuckDB"
        )
        raise QuestionError(said) from None
    finally:
        kill(process)
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


def kill(process: asyncio.subprocess.Process) -> None:
    """End a process, and all that it may have begun."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


async def heard(process: asyncio.subprocess.Process, asked: bytes, limits: SqlLimits) -> Answered:
    """Return what the process answers. Raises QuestionError."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(asked)
    with suppress(ConnectionError):
        await process.stdin.drain()
    pieces, size = [], 0
    while piece := await process.stdout.read(OF_STREAM):
        pieces.append(piece)
        size += len(piece)
        if size > 2 * limits.size + OF_STREAM:
            raise QuestionError("the answer is larger than can be shown; select fewer columns or rows")
    lines = [json.loads(line) for line in b"".join(pieces).splitlines()]
    if lines and isinstance(lines[-1], dict) and "error" in lines[-1]:
        raise QuestionError(str(lines[-1]["error"]))
    if not lines or not isinstance(lines[-1], dict) or "end" not in lines[-1]:
        said = f"the query needed more than it may have ({limits.memory // 10**6:,} MB), and was stopped"
        raise QuestionError(said)
    return answered(lines, limits)


def answered(lines: Sequence[Any], limits: SqlLimits) -> Answered:
    """Return lines of the process as an answer."""
    head, *rows, end = lines
    notes, left_out = [str(each) for each in end["notes"]], ""
    if end["more"]:
        left_out = "all would be too large" if end.get("cut") else f"a query here gives up to {limits.rows:,}"
        notes.append(f"These are the first {len(rows):,} rows; {left_out}.")
    return Answered(head["columns"], head["types"], rows, notes, left_out)
