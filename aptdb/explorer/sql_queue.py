"""Queries of strangers, one after another: whose turn it is, and queries that run on.

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
from aptdb.explorer.confined_processes import Starter
from aptdb.explorer.sql_box import Answered, SqlLimits

MOST, OF_ONE = 4, 2  # queries at a time, and of one visitor
WAITING = 50  # queries of one visitor that wait
LONG, LATER = 0.3, 15  # seconds after which all others come first, and how much
ENOUGH = 5.0  # seconds after which a long query gives way to those that wait
LEAST_LONG, MOST_LONG = 2, 20  # queries that take longer
LOOK, TICK = 1.0, 0.2  # seconds between two looks at processes, and at a query
UNSEEN = 10.0  # seconds after which a job ends that no page looks at


@dataclass(eq=False)
class Ticket:
    """A place in the queue.

    is_free: set when its turn has come. gives_way: set when it is over for good. begins_again: set when it is over
    because others wait, and comes again later. begun: when its turn came. asked: when its query was sent, or 0.
    is_long: whether it has had its first moment, and needs one of the places for long queries. is_last: whether it has
    the place for whoever came last.
    """

    visitor: str
    is_free: asyncio.Event = field(default_factory=asyncio.Event)
    gives_way: asyncio.Event = field(default_factory=asyncio.Event)
    begins_again: asyncio.Event = field(default_factory=asyncio.Event)
    begun: float = 0.0
    asked: float = 0.0
    is_long: bool = False
    is_last: bool = False

    def is_over(self, now: float) -> bool:
        """Return whether it has had its first moment."""
        return bool(self.asked) and now - self.asked >= LONG


def room_for_long(memory: int) -> int:
    """Return how many queries may run on after their first moment: half of the machine's memory has room for them."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return LEAST_LONG
    return max(LEAST_LONG, min(MOST_LONG, whole // 2 // memory - MOST))


class Turnstile:
    """A queue: those who ask in their order, but for visitors who have their share already.

    Each query has a place for a moment; whichever takes longer moves to one of the places for long queries, or, where
    none is free and others wait, begins again when there is one. Of the places for a moment one is for whoever came
    last: so a query that is short is answered at once, however many long ones came before it.

    most: queries that have their first moment. of_one: queries of one visitor. more: places for long queries.
    """

    def __init__(self, most: int = MOST, of_one: int = OF_ONE, more: int = LEAST_LONG) -> None:
        self._most, self._of_one, self._more = most, of_one, more
        self._running: list[Ticket] = []
        self._waiting: list[Ticket] = []

    @asynccontextmanager
    async def turn(self, ticket: Ticket) -> AsyncIterator[None]:
        """Wait for a turn, and hold it within the block."""
        for each in (ticket.is_free, ticket.begins_again):
            each.clear()
        ticket.asked, ticket.is_last = 0.0, False
        self._waiting.append(ticket)
        self._advance()
        try:
            await ticket.is_free.wait()
            yield
        finally:
            (self._running if ticket.is_free.is_set() else self._waiting).remove(ticket)
            self._advance()

    def sent(self, ticket: Ticket) -> None:
        """Note that the query of a ticket is sent: its moment begins."""
        loop = asyncio.get_running_loop()
        ticket.asked = loop.time()
        for seconds in (LONG, ENOUGH):
            loop.call_later(seconds * 1.01, self._advance)

    def before(self, ticket: Ticket) -> int:
        """Return the place of a query in the queue, from 1; 0 if it runs."""
        return self._waiting.index(ticket) + 1 if ticket in self._waiting else 0

    def of(self, visitor: str) -> int:
        """Return the number of queries of a visitor that wait."""
        return sum(each.visitor == visitor for each in self._waiting)

    def is_alone(self) -> bool:
        """Return whether there is one query at most."""
        return len(self._running) + len(self._waiting) <= 1

    def _advance(self) -> None:
        """Let all begin who can."""
        now = asyncio.get_running_loop().time()
        for each in self._of(is_long=False):
            each.is_long = each.is_over(now) and len(self._of(is_long=True)) < self._more
        self._make_room(now)
        while (first := self._next(is_long=False) or self._next(is_long=True)) is not None:
            self._waiting.remove(first)
            self._running.append(first)
            first.begun = now
            first.is_free.set()

    def _of(self, *, is_long: bool) -> list[Ticket]:
        """Return the running queries of the one kind or the other."""
        return [each for each in self._running if each.is_long == is_long]

    def _free(self, *, is_long: bool) -> list[Ticket]:
        """Return the waiting queries of a kind whose visitors have not their share, those with the fewest first."""
        having = Counter(each.visitor for each in self._running)
        free = [each for each in self._waiting if each.is_long == is_long and having[each.visitor] < self._of_one]
        return sorted(free, key=lambda each: having[each.visitor])

    def _next(self, *, is_long: bool) -> Ticket | None:
        """Return the query of a kind that can begin; None if none can."""
        running, free = self._of(is_long=is_long), self._free(is_long=is_long)
        if not free or len(running) >= (self._more if is_long else self._most):
            return None
        if is_long or any(each.is_last for each in running):
            return free[0]
        fewest = sum(each.visitor == free[0].visitor for each in self._running)
        last = [each for each in free if sum(other.visitor == each.visitor for other in self._running) == fewest][-1]
        last.is_last = True
        return last

    def _make_room(self, now: float) -> None:
        """Let queries that have had their moment begin again later, if others wait for theirs.

        If others wait for the places of long queries, the one that has run longest gives way, after some seconds.
        """
        over = [each for each in self._of(is_long=False) if each.is_over(now)]
        wanting = len(self._of(is_long=False)) + len(self._free(is_long=False)) - self._most
        for each in over[: max(wanting, 0)]:
            each.is_long = True  # where it will wait; its place is free at once, since its process may take long to end
            each.begins_again.set()
        long = [each for each in self._of(is_long=True) if each.asked and not each.begins_again.is_set()]
        if self._free(is_long=True) and not any(each.gives_way.is_set() for each in long):
            oldest = min(long, key=lambda each: each.asked, default=None)
            if oldest is not None and now - oldest.asked > ENOUGH:
                oldest.gives_way.set()


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

    def __init__(self, starter: Starter, holding: Callable[[], AsyncIterator[Path]], memory: int) -> None:
        """Begin without jobs. holding: a block in which the copy exists. memory: what a query may have."""
        self._starter, self._holding = starter, holding
        self.queue = Turnstile(more=room_for_long(memory))
        self._jobs: dict[str, Job] = {}

    def begin(self, visitor: str, query: str, limits: SqlLimits) -> Job:
        """Begin a query. Raise QuestionError if too many of this visitor wait."""
        if (many := self.queue.of(visitor)) >= WAITING:
            raise QuestionError(f"{many} queries of yours wait already; ask again when they are answered")
        ticket, name = Ticket(visitor), secrets.token_urlsafe(12)

        async def run() -> Answered:
            while True:
                async with self.queue.turn(ticket):
                    if (found := await self._asked(query, limits, ticket)) is not None:
                        return found

        task = asyncio.create_task(run())
        job = self._jobs[name] = Job(name, query, ticket, task, time.monotonic())
        self._look_later(job)
        return job

    async def _asked(self, query: str, limits: SqlLimits, ticket: Ticket) -> Answered | None:
        """Return the answer to a query. Raise QuestionError.

        None: the query begins again later, because others wait.
        """
        async for file in self._holding():
            start = self._starter.taken if ticket.is_last else self._starter.started
            process = await start(file)
            self.queue.sent(ticket)
            asked = asyncio.create_task(process.answer(query, limits))
            over = {asyncio.create_task(each.wait()) for each in (ticket.gives_way, ticket.begins_again)}
            try:
                while not (await asyncio.wait({asked, *over}, timeout=LONG, return_when=asyncio.FIRST_COMPLETED))[0]:
                    if not self.queue.is_alone():  # beside other programs it is not the last
                        behind_all(process.pid)
                if asked.done():
                    return asked.result()
                if ticket.begins_again.is_set():
                    return None
                raise QuestionError(
                    f"the query was stopped after {ENOUGH:g} seconds, because others wait; ask it later"
                )
            finally:
                for each in (asked, *over):
                    each.cancel()
                try:
                    await asyncio.gather(asked, *over, return_exceptions=True)  # until then it reads, and only one may
                finally:
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
        await self._starter.close()


def behind_all(pid: int) -> None:
    """Let all other processes come before the processes of a group."""
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PGRP, pid, LATER)
