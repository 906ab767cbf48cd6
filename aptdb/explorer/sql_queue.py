"""Queries of strangers: the processes that answer them, whose turn it is, and queries that run on.

A visitor has a few queries at a time, so that those of one do not hold up another's. A query that takes long is a job,
which a page looks at again and again; it ends when nobody does.
"""

import asyncio
import json
import os
import secrets
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any
from weakref import WeakValueDictionary

from aptdb.core.errors import QuestionError
from aptdb.explorer.helper_processes import PYTHON, make_environment
from aptdb.explorer.sql_box import LONGEST, Answered, SqlLimits
from aptdb.store.open_files import known_state

PAUSE = 0.05  # seconds until the next process is made: a short query has its answer
IDLE = 60.0  # seconds that a process is ready; it holds a copy of the lexicon, also one that is deleted
START = 20.0  # seconds until a process is ready, besides those of a query
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "PYTHONPATH", "XDG_CACHE_HOME", "APTDB_CACHE")
PROGRAM = (*PYTHON, "aptdb.explorer.confined")
CAN_COPY = sys.platform == "linux"  # the libraries of macOS do not support fork
OF_STREAM = 1 << 16  # bytes of an answer besides its rows
MOST, OF_ONE = 4, 2  # queries that have their moment, and queries of one visitor at a time
WAITING = 50  # queries of one visitor that wait
LONG, LATER = 0.3, 15  # seconds of a query's moment, and how much others come first afterwards
ENOUGH = 5.0  # seconds after which a long query gives way to those that wait
LEAST_LONG, MOST_LONG = 2, 20  # queries that take longer than their moment
TICK = 0.1  # seconds between two looks at a query
UNSEEN = 10.0  # seconds after which a job ends that no page looks at
STOPPED = "the query was stopped, as you wanted"
Origin = socket.socket | asyncio.subprocess.Process  # what ends a process: its connection, or itself
Question = tuple[str, SqlLimits, Callable[[int], None]]  # a query, and what is called with its process when it begins


@dataclass(eq=False)
class Confined:
    """A process for one query: what it opens, its query once there is one, and the task that starts and ends it."""

    opening: dict[str, Any]
    question: "asyncio.Future[Question]"
    task: "asyncio.Task[Answered | None]"

    async def ask(self, question: Question) -> Answered | None:
        """Return the answer; None if the process has ended without being asked. Raise QuestionError."""
        if self.task.done():
            return None
        self.question.set_result(question)
        return await self.task


class Starter:
    """Starts confined processes: copies of one that has imported all, where the system can copy one."""

    def __init__(self) -> None:
        self._original: Popen[bytes] | None = None
        self._requests: socket.socket | None = None
        self._kept: Confined | None = None

    def warm(self) -> None:
        """Begin to import what the processes need. Where the system has no room for it now, do nothing."""
        if CAN_COPY and (self._original is None or self._original.poll() is not None):
            self._end_original()
            self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._requests.setblocking(False)  # an original that takes no more hangs
            with theirs, suppress(OSError):
                program, kept = [*PROGRAM, "--copied"], keep_environment()
                self._original = Popen(
                    program, stdin=theirs.fileno(), stdout=DEVNULL, stderr=DEVNULL, env=kept, process_group=0
                )

    def close(self) -> None:
        """End what is ready, and the original."""
        if self._kept is not None:
            self._kept.task.cancel()
        self._end_original()

    def _end_original(self) -> None:
        """End the original. Each copy ends with its connection."""
        if self._requests is not None:
            self._requests.close()
        if self._original is not None:
            self._original.kill()
            self._original.wait()

    async def answer(
        self, file: Path, query: str, limits: SqlLimits, begin: Callable[[int], None] = lambda _: None
    ) -> Answered:
        """Return the answer to a SELECT. Raise QuestionError if it is none, does not run, or reaches a limit.

        begin: called with the process id when the query begins. Whatever happens, its process has ended afterwards.
        """
        if len(query) > LONGEST:
            raise QuestionError(f"the query has {len(query):,} letters; it may have {LONGEST:,}")
        opening = {"file": str(file), "verified": known_state(file), "memory": limits.memory, "seconds": limits.seconds}
        kept, self._kept = self._kept, self._begin(opening)
        found = None
        if kept is not None and kept.opening == opening:
            found = await kept.ask((query, limits, begin))
        elif kept is not None:
            kept.task.cancel()
        found = found or await self._begin(opening).ask((query, limits, begin))
        if found is None:
            raise QuestionError("SQL cannot be started here")
        return found

    def _begin(self, opening: dict[str, Any]) -> Confined:
        """Begin to start a process: soon, or at once when it is asked."""
        question = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._live(opening, question))
        task.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may have asked
        return Confined(opening, question, task)

    async def _live(self, opening: dict[str, Any], question: "asyncio.Future[Question]") -> Answered | None:
        """Start a process, and return its answer; None if it ends without being asked. Raise QuestionError.

        Whatever happens, the process has ended afterwards.
        """
        await asyncio.wait({question}, timeout=PAUSE)
        try:
            reader, writer, origin = await self._connect(Path(opening["file"]).parent)
        except OSError as error:
            raise QuestionError("SQL cannot be started; try again later") from error
        try:
            writer.write(f"{json.dumps(opening)}\n".encode())
            async with asyncio.timeout(START + opening["seconds"]):
                said = await read_said(reader, OF_STREAM)
            if "ready" not in said:
                raise QuestionError(str(said.get("error", "SQL cannot be started here")))
            await asyncio.wait({question}, timeout=IDLE)
            if not question.done() or reader.at_eof() or reader.exception():
                return None
            return await ask_confined_process(reader, writer, int(said["ready"]), question.result())
        except TimeoutError:
            if self._original is not None:
                self._original.kill()  # it hangs
            raise QuestionError("SQL did not start in time; try again later") from None
        finally:
            await end_confined(reader, writer, origin)

    async def _connect(self, folder: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, Origin]:
        """Return what a new process in a folder says and hears, and what ends it. Raise OSError."""
        self.warm()
        if self._requests is None:
            start = partial(asyncio.create_subprocess_exec, *PROGRAM, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
            process = await start(env=keep_environment(), cwd=folder, process_group=0)
            assert process.stdin is not None
            assert process.stdout is not None
            return process.stdout, process.stdin, process
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._requests, [os.fsencode(folder)], [theirs.fileno()])
            return *await asyncio.open_connection(sock=ours), ours
        except BaseException:  # also where whoever asks has left
            ours.close()
            raise


def keep_environment() -> dict[str, str]:
    """Return the environment of confined processes."""
    return {name: value for name, value in make_environment().items() if name in KEPT}


async def ask_confined_process(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pid: int, question: Question
) -> Answered:
    """Return what a process that is ready answers. Raise QuestionError."""
    query, limits, begin = question
    writer.write(f"{json.dumps({'query': query, 'rows': limits.rows, 'size': limits.size})}\n".encode())
    begin(pid)
    try:
        async with asyncio.timeout(limits.seconds):
            said = await read_said(reader, 2 * limits.size + OF_STREAM)
    except TimeoutError:
        long = f"the query took longer than {limits.seconds:g} seconds, and was stopped"
        raise QuestionError(f"{long}; ask for less, or ask it in DuckDB") from None
    except ValueError:
        raise QuestionError("the answer is larger than can be shown; select fewer columns or rows") from None
    if "columns" in said:
        return Answered(**said)
    much = f"the query needed more memory than it may use ({limits.memory // 10**6:,} MB), and was stopped"
    raise QuestionError(str(said.get("error", much)))


async def read_said(reader: asyncio.StreamReader, longest: int) -> dict[str, Any]:
    """Return the next line of a process, which waits after it; an empty one at its end. Raise ValueError if too long.

    The end may come before all was sent.
    """
    said = bytearray()
    with suppress(ConnectionError):
        while not said.endswith(b"\n") and (piece := await reader.read(OF_STREAM)):
            said += piece
            if len(said) > longest:
                raise ValueError(longest)
    return dict(json.loads(said)) if said.endswith(b"\n") else {}


async def end_confined(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, origin: Origin) -> None:
    """End a process, whatever it does. When its output ends, the system has taken back its memory."""
    with suppress(OSError):
        if isinstance(origin, socket.socket):
            origin.shutdown(socket.SHUT_WR)  # then it is killed
        elif origin.returncode is None:
            os.killpg(origin.pid, signal.SIGKILL) if hasattr(os, "killpg") else origin.kill()
    try:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(START):
                while await reader.read(OF_STREAM):
                    pass
    finally:
        if not writer.is_closing():
            writer.transport.abort()  # to close it would wait for who takes no more
    with suppress(OSError):
        await writer.wait_closed()
    if not isinstance(origin, socket.socket):
        await origin.wait()


@dataclass(eq=False)
class Job:
    """A query that runs or waits.

    share: the places of its visitor. begun: when its turn came, or 0. asked: when its process, pid, got it, or 0. seen:
    when a page has looked at it.
    """

    visitor: str
    query: str
    share: asyncio.Semaphore
    name: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    begun: float = 0.0
    asked: float = 0.0
    pid: int = 0
    seen: float = 0.0
    task: "asyncio.Task[Answered]" = field(init=False)

    def begin(self, pid: int) -> None:
        """Note that a process has got the query."""
        self.asked, self.pid = asyncio.get_running_loop().time(), pid

    def stand_behind_all(self) -> None:
        """Let all other processes come before this query, where the system can."""
        if hasattr(os, "setpriority"):
            with suppress(OSError):
                os.setpriority(os.PRIO_PGRP, self.pid, LATER)


class Places:
    """Places for queries. Whoever came first is next, but one place may be for whoever came last."""

    def __init__(self, many: int, *, has_last: bool) -> None:
        self._many, self._has_last = many, has_last
        self._last: Job | None = None
        self.running, self.waiting = list[Job](), dict[Job, asyncio.Event]()

    @asynccontextmanager
    async def hold(self, job: Job) -> AsyncIterator[None]:
        """Wait for a place, and hold it within the block."""
        turn = self.waiting[job] = asyncio.Event()
        self._advance()
        try:
            await turn.wait()
            yield
        finally:
            self.waiting.pop(job, None)
            self.leave(job)

    def take(self, job: Job) -> bool:
        """Return whether there is a place at once, which the query then has."""
        if is_free := len(self.running) < self._many:
            self.running.append(job)
        return is_free

    def leave(self, job: Job) -> None:
        """Let go of a place."""
        if job in self.running:
            self.running.remove(job)
        self._advance()

    def _advance(self) -> None:
        """Give free places to those who wait."""
        while self.waiting:
            is_last = self._has_last and self._last not in self.running
            if not self.take(job := [*self.waiting][-1 if is_last else 0]):
                return
            self._last = job if is_last else self._last
            self.waiting.pop(job).set()


class Jobs:
    """All queries that run or wait."""

    def __init__(self, holding: Callable[[], AbstractContextManager[Path]], memory: int) -> None:
        """Begin without jobs. holding: a block in which the copy exists. memory: what a query may have."""
        self.starter, self._holding = Starter(), holding
        self._moments, self._long = Places(MOST, has_last=True), Places(room_for_long(memory), has_last=False)
        self._jobs: dict[str, Job] = {}
        self._shares: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def begin(self, visitor: str, query: str, limits: SqlLimits) -> Job:
        """Begin a query. Raise QuestionError if too many of this visitor wait."""
        many = sum(each.visitor == visitor and not each.begun for each in self._jobs.values())
        if many >= WAITING:
            raise QuestionError(f"{many} of your queries are waiting; run this one when they are answered")
        job = Job(visitor, query, self._shares.setdefault(visitor, asyncio.Semaphore(OF_ONE)))
        job.task = asyncio.create_task(self._answer(job, limits))
        job.task.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may look at it any more
        self._jobs[job.name] = job
        return job

    async def _answer(self, job: Job, limits: SqlLimits) -> Answered:
        """Return the answer to a query: in its moment, or else in a place for long ones. Raise QuestionError."""
        async with job.share:
            async with self._moments.hold(job):
                found = await self._run(job, limits)
            while found is None:
                async with self._long.hold(job):
                    found = await self._run(job, limits)
            return found

    async def _run(self, job: Job, limits: SqlLimits) -> Answered | None:
        """Return the answer to a query; None where others wait and it begins again later. Raise QuestionError."""
        loop = asyncio.get_running_loop()
        job.begun = loop.time()
        with self._holding() as file:
            task = asyncio.create_task(self.starter.answer(file, job.query, limits, job.begin))
            try:
                while not (await asyncio.wait({task}, timeout=TICK))[0]:
                    seconds = loop.time() - job.asked if job.asked else 0.0
                    if seconds > LONG and len(self._jobs) > 1:  # beside other programs alone it is not the last
                        job.stand_behind_all()
                    is_over = seconds > LONG and job in self._moments.running
                    if is_over and (self._long.take(job) or self._moments.waiting):
                        self._moments.leave(job)  # also before its process has ended, which may take long
                        if job not in self._long.running:
                            return None
                    if seconds > ENOUGH and self._long.waiting and self._long.running[0] is job:
                        why = f"after {ENOUGH:g} seconds, because others wait; ask it later"
                        raise QuestionError(f"the query was stopped {why}")
                return task.result()
            finally:
                task.cancel()
                try:
                    await asyncio.wait({task})
                finally:  # also where whoever asked leaves twice
                    job.begun = job.asked = 0.0
                    self._long.leave(job)

    def place_of(self, job: Job) -> int:
        """Return the place of a query in the queue, from 1; 0 if it runs."""
        waiting = [each for each in self._jobs.values() if not each.begun]
        return waiting.index(job) + 1 if job in waiting else 0

    def found(self, name: str, visitor: str, query: str) -> Job | None:
        """Return a visitor's job by its name; None if it has ended, or is another's."""
        job = self._jobs.get(name)
        return job if job and (job.visitor, job.query) == (visitor, query) else None

    async def looked_at(self, job: Job, gone: Coroutine[Any, Any, None], longest: float) -> Answered | None:
        """Return the answer to a query; None if it has none after some seconds.

        gone: ends when whoever asks goes away; then the query is stopped. Raises QuestionError.
        """
        loop, leaving = asyncio.get_running_loop(), asyncio.create_task(gone)
        until = loop.time() + longest
        try:
            while not job.task.done() and not leaving.done():
                job.seen = loop.time()
                if job.seen >= until:
                    loop.call_later(UNSEEN + TICK, self._end_unseen, job)
                    return None
                await asyncio.wait({job.task, leaving}, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self.end(job)
            raise
        finally:
            leaving.cancel()
        self.end(job)
        if job.task.cancelled() or not job.task.done():
            raise QuestionError(STOPPED)
        return job.task.result()

    def end(self, job: Job) -> None:
        """Forget a job, and stop it if it runs."""
        if self._jobs.pop(job.name, None) is not None:  # what is being stopped is not disturbed
            job.task.cancel()

    def _end_unseen(self, job: Job) -> None:
        """End a job that no page has looked at since."""
        if asyncio.get_running_loop().time() - job.seen > UNSEEN:
            self.end(job)

    async def close(self) -> None:
        """Stop all."""
        jobs = [*self._jobs.values()]
        for each in jobs:
            self.end(each)
        await asyncio.gather(*(each.task for each in jobs), return_exceptions=True)
        self.starter.close()


def room_for_long(memory: int) -> int:
    """Return how many queries may run on after their first moment: half of the machine's memory has room for them."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return LEAST_LONG
    return max(LEAST_LONG, min(MOST_LONG, whole // 2 // memory - MOST))
