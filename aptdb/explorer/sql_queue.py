"""Queries of strangers, one after another: whose turn it is, processes that wait for a query, and queries that run on.

A visitor has a few queries at a time, so that those of one do not hold up another's. A query that takes long is a job,
which a page looks at again and again; it ends when nobody does.
"""

import asyncio
import os
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from aptdb.core.errors import QuestionError
from aptdb.explorer.sql_box import Answered, Confined, SqlLimits

MOST, OF_ONE = 4, 2  # queries at a time, and of one visitor
WAITING = 50  # queries of one visitor that wait
LONG, LATER = 2.0, 15  # seconds after which all others come first, and how much
ENOUGH = 5.0  # seconds after which a query gives way to those that wait
LEAST_LONG, MOST_LONG = 2, 20  # queries that take longer
IDLE = 600.0  # seconds that a process is kept for a query
LOOK, TICK = 1.0, 0.2  # seconds between two looks at processes, and at a query
UNSEEN = 10.0  # seconds after which a job ends that no page looks at


@dataclass(eq=False)
class Ticket:
    """A place in the queue.

    is_free: set when its turn has come. gives_way: set when it is over. begun: when its turn came.
    """

    visitor: str
    is_free: asyncio.Event = field(default_factory=asyncio.Event)
    gives_way: asyncio.Event = field(default_factory=asyncio.Event)
    begun: float = 0.0


def room_for_long(memory: int) -> int:
    """Return how many queries may run on after their first seconds: half of the machine's memory has room for them."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return LEAST_LONG
    return max(LEAST_LONG, min(MOST_LONG, whole // 2 // memory - MOST))


class Turnstile:
    """A queue: those who ask in their order, but for visitors who have their share already.

    most: queries at a time. of_one: those of one visitor. more: how many of those that take long do not count.
    """

    def __init__(self, most: int = MOST, of_one: int = OF_ONE, more: int = LEAST_LONG) -> None:
        self._most, self._of_one, self._more = most, of_one, more
        self._running: list[Ticket] = []
        self._waiting: list[Ticket] = []

    @asynccontextmanager
    async def turn(self, ticket: Ticket) -> AsyncIterator[None]:
        """Wait for a turn, and hold it within the block."""
        self._waiting.append(ticket)
        self._advance()
        try:
            await ticket.is_free.wait()
            yield
        finally:
            (self._running if ticket.is_free.is_set() else self._waiting).remove(ticket)
            self._advance()

    def before(self, ticket: Ticket) -> int:
        """Return the place of a query in the queue, from 1; 0 if it runs."""
        return self._waiting.index(ticket) + 1 if ticket in self._waiting else 0

    def of(self, visitor: str) -> int:
        """Return the number of queries of a visitor that wait."""
        return sum(each.visitor == visitor for each in self._waiting)

    def _advance(self) -> None:
        """Let all begin who can: of those with the fewest running queries, the first."""
        loop = asyncio.get_running_loop()
        while self._is_room(loop.time()):
            having = Counter(each.visitor for each in self._running)
            free = [each for each in self._waiting if having[each.visitor] < self._of_one]
            if not free:
                return
            first = min(free, key=lambda each: having[each.visitor])
            self._waiting.remove(first)
            self._running.append(first)
            first.begun = loop.time()
            first.is_free.set()
            for seconds in (LONG, ENOUGH):
                loop.call_later(seconds * 1.01, self._advance)
        self._make_room(loop.time())

    def _make_room(self, now: float) -> None:
        """If all places are taken and others wait, let the query that has run longest give way, after some seconds."""
        if self._waiting and len(self._running) >= self._most + self._more:
            oldest = min(self._running, key=lambda each: each.begun)
            if now - oldest.begun > ENOUGH:
                oldest.gives_way.set()

    def _is_room(self, now: float) -> bool:
        """Return whether another query may begin."""
        short = sum(now - each.begun < LONG for each in self._running)
        return short < self._most and len(self._running) < self._most + self._more


class Kept:
    """A confined process that is open on the copy before a query comes, and another after each query.

    current: a function that returns the copy.
    """

    def __init__(self, current: Callable[[], Path], limits: SqlLimits) -> None:
        self._current, self._limits = current, limits
        self._ready: Confined | None = None
        self._begun: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._used = 0.0

    def warm(self) -> None:
        """Begin to keep a process ready, if none is."""
        self._used = time.monotonic()
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._look())
        if self._begun is None or self._begun.done():
            self._begun = asyncio.create_task(self._start())

    async def taken(self, file: Path) -> Confined:
        """Return a process that is open on a copy, which the caller ends. Raise QuestionError."""
        self._used = time.monotonic()
        if self._begun is not None and self._ready is None:
            await asyncio.wait({self._begun})
        found, self._ready = self._ready, None
        if found is not None and (found.file != file or not found.is_alive):
            await found.end()
            found = None
        return found or await Confined.started(file, self._limits)

    async def _start(self) -> None:
        """Start the process, and wait until it is ready."""
        if self._ready is None:
            with suppress(Exception):  # whoever asks gets the error
                self._ready = await Confined.started(self._current(), self._limits)

    async def _look(self) -> None:
        """Replace the process when there is a new copy, and end it when nobody has asked for long."""
        while time.monotonic() - self._used < IDLE:
            await asyncio.sleep(LOOK)
            if self._ready is not None and (self._ready.file != self._current() or not self._ready.is_alive):
                await self._end()
                self._begun = asyncio.create_task(self._start())
        await self._end()

    async def _end(self) -> None:
        """End the process that is ready."""
        found, self._ready = self._ready, None
        if found is not None:
            await found.end()

    async def close(self) -> None:
        """End everything."""
        for each in (self._watch, self._begun):
            if each is not None:
                each.cancel()
                with suppress(asyncio.CancelledError):
                    await each
        await self._end()


@dataclass(eq=False)
class Job:
    """A query that runs or waits. seen: when a page has looked at it."""

    name: str
    query: str
    ticket: Ticket
    task: "asyncio.Task[Answered]"
    seen: float


class Jobs:
    """All queries that run or wait."""

    def __init__(self, kept: Kept, holding: Callable[[], AsyncIterator[Path]], memory: int) -> None:
        """Begin without jobs. holding: a block in which the copy exists. memory: what a query may have."""
        self._kept, self._holding = kept, holding
        self.queue = Turnstile(more=room_for_long(memory))
        self._jobs: dict[str, Job] = {}

    def begin(self, visitor: str, query: str, limits: SqlLimits) -> Job:
        """Begin a query. Raise QuestionError if too many of this visitor wait."""
        if (many := self.queue.of(visitor)) >= WAITING:
            raise QuestionError(f"{many} queries of yours wait already; ask again when they are answered")
        ticket, name = Ticket(visitor), secrets.token_urlsafe(12)

        async def run() -> Answered:
            async with self.queue.turn(ticket):
                return await self._asked(query, limits, ticket)

        task = asyncio.create_task(run())
        job = self._jobs[name] = Job(name, query, ticket, task, time.monotonic())
        self._look_later(job)
        return job

    async def _asked(self, query: str, limits: SqlLimits, ticket: Ticket) -> Answered:
        """Return the answer to a query, and have another process ready for the next. Raise QuestionError."""
        async for file in self._holding():
            process = await self._kept.taken(file)
            self._kept.warm()
            late = asyncio.get_running_loop().call_later(LONG, behind_all, process.pid)
            asked = asyncio.create_task(process.answer(query, limits))
            over = asyncio.create_task(ticket.gives_way.wait())
            try:
                await asyncio.wait({asked, over}, return_when=asyncio.FIRST_COMPLETED)
                if asked.done():
                    return asked.result()
                raise QuestionError(
                    f"the query was stopped after {ENOUGH:g} seconds, because others wait; ask it later"
                )
            finally:
                for each in (late, over, asked):
                    each.cancel()
                await process.end()
        raise AssertionError("a copy is always held")

    def found(self, name: str, visitor: str, query: str) -> Job | None:
        """Return a visitor's job by its name; None if it has ended, or is another's."""
        job = self._jobs.get(name)
        return job if job and (job.ticket.visitor, job.query) == (visitor, query) else None

    async def looked_at(self, job: Job, gone: Coroutine[Any, Any, None], longest: float) -> Answered | None:
        """Return the answer to a query; None if it has none after some seconds.

        gone: ends when whoever asks goes away; then the query is stopped. Raises QuestionError, and HTTPException.
        """
        leaving, until = asyncio.create_task(gone), time.monotonic() + longest
        try:
            while not job.task.done() and not leaving.done():
                job.seen = time.monotonic()
                if job.seen >= until:
                    return None
                await asyncio.wait({job.task, leaving}, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
        is_done = job.task.done() and not job.task.cancelled()
        self.end(job)
        if not is_done:
            raise HTTPException(499, "gone")
        return job.task.result()

    def end(self, job: Job) -> None:
        """Forget a job, and stop it if it runs."""
        self._jobs.pop(job.name, None)
        job.task.cancel()

    def _look_later(self, job: Job) -> None:
        """End a job that no page looks at any more."""
        if self._jobs.get(job.name) is not job:
            return
        if time.monotonic() - job.seen > UNSEEN:
            self.end(job)
        else:
            asyncio.get_running_loop().call_later(LOOK, self._look_later, job)

    async def close(self) -> None:
        """Stop all."""
        jobs = [*self._jobs.values()]
        for each in jobs:
            self.end(each)
        await asyncio.gather(*(each.task for each in jobs), return_exceptions=True)
        await self._kept.close()


def behind_all(pid: int) -> None:
    """Let all other processes come before the processes of a group."""
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PGRP, pid, LATER)
