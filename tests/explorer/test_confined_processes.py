"""Confined processes start as copies of one that has imported all, or alone; each ends when it should."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from aptdb import QuestionError
from aptdb.explorer import confined, confined_processes
from aptdb.explorer.confined_processes import Confined, Starter
from aptdb.explorer.sql_box import SqlLimits
from aptdb.explorer.sql_queue import Jobs
from aptdb.store.file_locks import is_running
from support.lexicons import copied
from support.runs import thorough

SOON = 30.0  # seconds
LIMITS = SqlLimits(seconds=20.0, memory=600_000_000)
FOREVER = "SELECT count(*) FROM range(10000000000) AS a, range(1000) AS b"


def starting(asked: Callable[[Starter], Awaitable[None]]) -> None:
    """Ask a starter, and close it."""

    async def run() -> None:
        starter = Starter(LIMITS)
        try:
            await asked(starter)
        finally:
            await starter.close()

    asyncio.run(run())


@pytest.mark.parametrize("how", ["left", "gives_way", "begins_again"])
def test_a_query_that_is_stopped_ends_as_it_should(demo: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Its answer is still waited for then, and two may not read from one process: that was an error of the server."""
    ended: list[Confined] = []
    end = Confined.end

    async def noted(process: Confined) -> None:
        await end(process)
        if process.pid:  # it may be ended before it has said its own
            ended.append(process)

    async def holding() -> AsyncIterator[Path]:
        yield demo

    async def asked(starter: Starter) -> None:
        jobs = Jobs(starter, holding, LIMITS.memory)
        job = jobs.begin("visitor", FOREVER, LIMITS)
        while not job.ticket.asked:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.1)  # now its answer is waited for
        monkeypatch.setattr(Confined, "end", noted)
        if how == "left":
            jobs.end(job)
        else:
            getattr(job.ticket, how).set()
            while how == "begins_again" and not ended:
                assert not job.task.done()
                await asyncio.sleep(0.02)
            if how == "begins_again":
                jobs.end(job)
        with pytest.raises(QuestionError if how == "gives_way" else asyncio.CancelledError):
            await job.task
        assert ended
        assert all(has_ended(each) for each in ended)

    starting(asked)


def has_ended(process: Confined) -> bool:
    """Whether a process ends soon."""
    until = time.monotonic() + SOON
    while is_running(process.pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_running(process.pid)


@pytest.mark.parametrize("can_copy", [True, *thorough([False])])
def test_each_answers_one_query_and_ends(demo: Path, monkeypatch: pytest.MonkeyPatch, can_copy: bool) -> None:
    """Copies or not; what runs is killed, and nothing is left."""
    monkeypatch.setattr(confined_processes, "CAN_COPY", confined_processes.CAN_COPY and can_copy)

    async def asked(starter: Starter) -> None:
        one, other, third = [await starter.started(demo) for _ in range(3)]
        assert len({each.pid for each in (one, other, third)}) == 3
        assert (await one.answer("SELECT 40 + 2 AS x", LIMITS)).rows == [["42"]]
        with pytest.raises(QuestionError, match=r"took longer than 0\.3 seconds"):
            await other.answer(FOREVER, SqlLimits(seconds=0.3, memory=LIMITS.memory))
        for each in (one, other):
            await each.end()
            assert has_ended(each)
        assert is_running(third.pid)
        assert (await third.answer("SELECT 1 AS x", LIMITS)).rows == [["1"]]
        await third.end()

    starting(asked)


@pytest.mark.thorough
def test_one_is_ready_for_the_next(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken once, and not if it has ended, is open on another copy, or has waited for long."""
    other_copy = copied(demo, tmp_path / "other.duckdb")

    async def ready(starter: Starter) -> Confined:
        async with asyncio.timeout(SOON):
            while starter._ready is None:
                await asyncio.sleep(0.01)
        return starter._ready

    async def asked(starter: Starter) -> None:
        first = await starter.taken(demo)
        kept = await ready(starter)
        second = await starter.taken(demo)
        assert second is kept
        dead = await ready(starter)
        os.kill(dead.pid, signal.SIGKILL)
        while dead.is_alive:
            await asyncio.sleep(0.01)
        third = await starter.taken(demo)
        elsewhere = await ready(starter)
        fourth = await starter.taken(other_copy)
        assert has_ended(elsewhere)
        assert len({each.pid for each in (first, second, dead, third, elsewhere, fourth)}) == 6
        for each in (first, second, third, fourth):
            assert (await each.answer("SELECT 1 AS x", LIMITS)).rows == [["1"]]
            await each.end()
        await ready(starter)
        monkeypatch.setattr(confined_processes, "IDLE", 0.05)
        fifth = await starter.taken(other_copy)
        idle = await ready(starter)
        await asyncio.sleep(0.1)
        assert has_ended(idle)
        assert starter._ready is None
        await fifth.end()
        await (await starter.taken(demo)).end()  # what is being started is ended with the starter

    starting(asked)


def test_a_file_that_is_no_lexicon_says_so(tmp_path: Path) -> None:
    async def asked(starter: Starter) -> None:
        with pytest.raises(QuestionError, match=r"no lexicon"):
            await starter.started(tmp_path / "nothing.duckdb")

    starting(asked)


@pytest.mark.thorough
@pytest.mark.skipif(not confined_processes.CAN_COPY, reason="no process can be copied here")
def test_copies_end_with_what_they_are_copies_of(demo: Path) -> None:
    """When the starter closes, when the original is killed (the next begins another), and when nobody waits."""

    async def asked(starter: Starter) -> None:
        kept = await starter.started(demo)
        original = starter._original
        assert original is not None
        os.kill(original._process.pid, signal.SIGKILL)
        original._process.wait()
        later = await starter.started(demo)
        assert starter._original is not original
        assert (await later.answer("SELECT 1 AS x", LIMITS)).rows == [["1"]]
        await kept.end()  # it waits for its query, whose end it sees
        assert has_ended(kept)
        running = await starter.started(demo)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(running.answer(FOREVER, LIMITS), 0.3)
        cut = asyncio.create_task(starter.started(demo))
        await asyncio.sleep(0)
        cut.cancel()
        await asyncio.gather(cut, return_exceptions=True)
        await starter.close()
        for each in (running, later):
            assert has_ended(each)
            await each.end()  # which closes what led to it

    starting(asked)


@pytest.mark.skipif(not confined_processes.CAN_COPY, reason="no process can be copied here")
def test_where_the_system_has_no_room_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection closes, and the original goes on."""

    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    requests, theirs = socket.socketpair()
    ours, given = socket.socketpair()
    with requests, ours:
        with given:
            socket.send_fds(requests, [b'{"start": "/"}\n{"kill": 1}\n'], [given.fileno()])
        requests.shutdown(socket.SHUT_WR)
        with theirs:
            confined.serve_copies(theirs)
        assert ours.recv(1) == b""


@pytest.mark.skipif(not confined_processes.CAN_COPY, reason="no process can be copied here")
def test_a_copy_that_takes_long_to_die_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only at the end are all waited for."""
    processes, acts = iter([4_000_001, 4_000_002]), list[tuple[object, ...]]()

    def waited(process: int, options: int) -> tuple[int, int]:
        acts.append(("wait", process, options))
        return 0, 0

    monkeypatch.setattr(os, "fork", lambda: next(processes))
    monkeypatch.setattr(os, "setpgid", lambda *_: None)
    monkeypatch.setattr(os, "killpg", lambda process, _: acts.append(("kill", process)))
    monkeypatch.setattr(os, "waitpid", waited)
    requests, theirs = socket.socketpair()
    with requests, theirs:
        for line, given in ((b'{"start": "/"}\n', 1), (b'{"kill": 4000001}\n', 0), (b'{"start": "/"}\n', 1)):
            ours, end = socket.socketpair()
            with ours, end:
                socket.send_fds(requests, [line], [end.fileno()] * given)
        requests.shutdown(socket.SHUT_WR)
        confined.serve_copies(theirs)
    assert acts.index(("kill", 4_000_001)) < acts.index(("kill", 4_000_002))
    assert next(processes, None) is None
    before = acts[: acts.index(("kill", 4_000_002))]
    assert {act[2] for act in before if act[0] == "wait"} <= {os.WNOHANG}
    assert acts[-2:] == [("wait", 4_000_001, 0), ("wait", 4_000_002, 0)]


@pytest.mark.skipif(not confined_processes.CAN_COPY, reason="no process can be copied here")
def test_a_copy_that_dies_harms_no_other(demo: Path) -> None:
    """Even where the server was started with SIGCHLD ignored, and also just before it is asked."""

    async def asked(starter: Starter) -> None:
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        try:
            starter.warm()
        finally:
            signal.signal(signal.SIGCHLD, before)
        one, other = [await starter.started(demo) for _ in range(2)]
        os.kill(one.pid, signal.SIGKILL)
        with pytest.raises(QuestionError, match="was stopped"):
            await one.answer("SELECT 1 AS x", LIMITS)
        third = await starter.started(demo)
        for each in (other, third):
            assert (await each.answer("SELECT 1 AS x", LIMITS)).rows == [["1"]]
        for each in (one, other, third):
            await each.end()

    starting(asked)


@pytest.mark.thorough
@pytest.mark.skipif(not confined_processes.CAN_COPY, reason="no process can be copied here")
def test_an_original_that_hangs_is_replaced(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked(starter: Starter) -> None:
        starter.warm()
        original = starter._original
        assert original is not None
        os.kill(original._process.pid, signal.SIGSTOP)
        monkeypatch.setattr(confined_processes, "START", 0.2 - LIMITS.seconds)
        with pytest.raises(QuestionError, match="did not start in time"):
            await starter.started(demo)
        monkeypatch.undo()
        original._process.wait()
        process = await starter.started(demo)
        assert (await process.answer("SELECT 1 AS x", LIMITS)).rows == [["1"]]
        await process.end()

    starting(asked)


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are seen in /proc")
def test_a_copy_has_its_own_connection_and_no_other(demo: Path) -> None:
    async def asked(starter: Starter) -> None:
        found = [await starter.started(demo) for _ in range(2)]
        sockets = [
            {name for each in Path(f"/proc/{process.pid}/fd").iterdir() if "socket" in (name := os.readlink(each))}
            for process in found
        ]
        assert [len(each) for each in sockets] == [1, 1]
        assert sockets[0].isdisjoint(sockets[1])
        for each in found:
            await each.end()

    starting(asked)
