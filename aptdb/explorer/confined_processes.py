"""Confined processes, as the server starts, asks and ends them.

To import all modules takes longer than most queries. Where the system can copy a process (POSIX except macOS, whose
libraries do not support fork), one process imports them once, and each query has a copy of it.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from aptdb.core.errors import QuestionError
from aptdb.explorer.helper_processes import PYTHON, make_environment
from aptdb.explorer.sql_box import LONGEST, OF_STREAM, Answered, SqlLimits, hear_confined_process
from aptdb.store.verified_files import known_state

IDLE = 60.0  # seconds that a process is ready; it holds a copy of the lexicon, also one that is deleted
START = 20.0  # seconds until a process is ready, besides those of a query
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "PYTHONPATH", "XDG_CACHE_HOME", "APTDB_CACHE")
PROGRAM = (*PYTHON, "aptdb.explorer.confined")
CAN_COPY = hasattr(os, "fork") and hasattr(socket, "send_fds") and sys.platform != "darwin"


def kept_environment() -> dict[str, str]:
    """Return the environment of confined processes."""
    return {name: value for name, value in make_environment().items() if name in KEPT}


class Starter:
    """Starts confined processes."""

    def __init__(self, limits: SqlLimits) -> None:
        self._limits = limits
        self._original: Original | None = None
        self._ready: Confined | None = None
        self._keeping: asyncio.Task[None] | None = None

    def warm(self) -> None:
        """Begin to import what the processes need. Where the system has no room for it now, do nothing."""
        if self._original is not None and not self._original.is_alive:
            self._original.end()
            self._original = None
        if CAN_COPY and self._original is None:
            with suppress(OSError):
                self._original = Original()

    async def taken(self, file: Path) -> "Confined":
        """Return the process that is ready, or else a new one, as `started`; and start another to be ready."""
        found, self._ready = self._ready, None
        if found is not None and self._keeping is not None:
            self._keeping.cancel()  # it only waits until the process has been ready for long
            self._keeping = None
        if found is not None and (found.file != file or not found.is_alive):
            await found.end()
            found = None
        made = found or await self.started(file)
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.create_task(self._keep(file))
        return made

    async def _keep(self, file: Path) -> None:
        """Have a process ready for a while."""
        with suppress(QuestionError):  # whoever asks next is told why
            made = self._ready = await self.started(file)
            await asyncio.sleep(IDLE)
            if self._ready is made:
                self._ready = None
                await made.end()

    async def started(self, file: Path) -> "Confined":
        """Return a new process that is open on a copy of a lexicon, which the caller ends.

        Raises QuestionError if it cannot be started, or takes too long.
        """
        self.warm()
        original = self._original
        try:
            made = await (Confined.alone(file) if original is None else original.copied(file))
        except OSError as error:
            raise QuestionError("SQL cannot be started here; try again later") from error
        try:
            await made.open(self._limits)
        except BaseException as error:
            if isinstance(error, TimeoutError) and original and not made.pid:
                original.kill()  # it hangs
            await made.end()
            if isinstance(error, TimeoutError):
                raise QuestionError("SQL did not start in time; try again later") from None
            raise
        return made

    async def close(self) -> None:
        """End the process that is ready, and all that are copies of another."""
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        if self._ready is not None:
            await self._ready.end()
        if self._original is not None:
            await asyncio.to_thread(self._original.end)


class Original:
    """A process that has imported all modules, and is copied for each query. Its copies end with it."""

    def __init__(self) -> None:
        self._requests, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*PROGRAM, "--copied"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=kept_environment(),
                process_group=0,  # as `alone` has it
            )

    @property
    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self._process.poll() is None

    async def copied(self, file: Path) -> "Confined":
        """Return a copy of the process. Raise OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._ask({"start": str(file.parent)}, theirs)
            except OSError:
                ours.close()
                raise
        return Confined(file, *await asyncio.open_connection(sock=ours, limit=OF_STREAM), self)

    def kill_copy(self, pid: int) -> None:
        """Kill a copy and its children."""
        with suppress(OSError):  # the process has ended
            self._ask({"kill": pid})

    def kill(self) -> None:
        """Kill the process alone: its copies end when their connections do."""
        self._process.kill()

    def _ask(self, what: dict[str, Any], *sockets: socket.socket) -> None:
        """Send a line to the process, with connections."""
        socket.send_fds(self._requests, [f"{json.dumps(what)}\n".encode()], [each.fileno() for each in sockets])

    def end(self) -> None:
        """End the process, which then kills its copies."""
        self._requests.close()
        try:
            self._process.wait(START)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Confined:
    """A confined process that is open on a copy, for one query."""

    def __init__(
        self,
        file: Path,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        origin: "Original | asyncio.subprocess.Process",
    ) -> None:
        self.file, self._reader, self._writer, self._origin = file, reader, writer, origin
        self.pid = 0

    @classmethod
    async def alone(cls, file: Path) -> Self:
        """Return a new process that is no copy of another."""
        process = await asyncio.create_subprocess_exec(
            *PROGRAM,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=kept_environment(),
            cwd=file.parent,
            process_group=0,  # in a session of its own, Linux would take no notice of its priority (autogroup)
        )
        assert process.stdin is not None
        assert process.stdout is not None
        return cls(file, process.stdout, process.stdin, process)

    @property
    def is_alive(self) -> bool:
        """Return whether the process is still connected."""
        return not self._reader.at_eof() and self._reader.exception() is None

    async def open(self, limits: SqlLimits) -> None:
        """Let the process open the copy. Raise QuestionError if it cannot, and TimeoutError if it takes too long."""
        try:
            async with asyncio.timeout(START + limits.seconds):
                how = {"memory": limits.memory, "seconds": limits.seconds, "verified": known_state(self.file)}
                await self._write({"file": str(self.file), **how})
                self.pid = (await self._line()).get("pid", 0)
                said = await self._line()
        except ConnectionError:
            said = {}
        if not said.get("ready"):
            raise QuestionError(str(said.get("error", "SQL cannot be started here")))

    async def _line(self) -> dict[str, Any]:
        """Return the next line of the process; an empty one at its end."""
        return dict(json.loads(await self._reader.readline() or b"{}"))

    async def _write(self, what: dict[str, Any]) -> None:
        """Write a line to the process."""
        self._writer.write(f"{json.dumps(what)}\n".encode())
        with suppress(ConnectionError):
            await self._writer.drain()

    async def answer(self, query: str, limits: SqlLimits) -> Answered:
        """Return the answer to a SELECT. Raises QuestionError if it is none, does not run, or reaches a limit."""
        if len(query) > LONGEST:
            raise QuestionError(f"the query has {len(query):,} letters; it may have {LONGEST:,}")
        try:
            async with asyncio.timeout(limits.seconds):
                await self._write({"query": query, "rows": limits.rows, "bytes": limits.size})
                return await hear_confined_process(self._reader, limits)
        except TimeoutError:
            long = f"the query took longer than {limits.seconds:g} seconds, and was stopped"
            raise QuestionError(f"{long}; ask for less, or ask it in DuckDB") from None

    async def end(self) -> None:
        """End the process, whatever it does. When its output ends, the system has taken back its memory."""
        try:
            with suppress(OSError):
                self._writer.write_eof()  # by which it ends too, where its process id is not known
            if isinstance(self._origin, Original):
                self._origin.kill_copy(self.pid)
            else:
                kill(self._origin)
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(START):
                    while await self._reader.read(OF_STREAM):
                        pass
        finally:
            self._writer.close()
        if not isinstance(self._origin, Original):
            await self._origin.wait()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


def kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process and its children."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
