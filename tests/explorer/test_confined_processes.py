"""Confined processes start as copies of one that has imported all, or alone; each ends when it should."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from aptdb import QuestionError
from aptdb.explorer import confined, sql_queue
from aptdb.explorer.sql_box import Answered, SqlLimits
from aptdb.explorer.sql_queue import CAN_COPY, Job, Starter
from support.runs import thorough

SOON = 30.0  # seconds
LIMITS = SqlLimits(seconds=20.0, memory=600_000_000)
FOREVER = "SELECT count(*) FROM range(10000000000) AS a, range(1000) AS b"
VALUES = """SELECT NULL, 1.50, 'a', 0.5::DOUBLE, 'inf'::DOUBLE, true, -0.0::DOUBLE, 1180591620717411303424::HUGEINT,
1::UNION(n INT)"""
SECRET = "APTDB_TEST_SECRET"
needs_copies = pytest.mark.skipif(not CAN_COPY, reason="no process can be copied here")


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Starter]:
    """A starter, begun where SIGCHLD is ignored, a variable is secret, and the folder has modules of somebody else."""
    folder = tmp_path_factory.mktemp("folder")
    for name in ("json", "duckdb", "aptdb"):
        (folder / f"{name}.py").write_text("raise SystemExit", encoding="utf-8")
    made = Starter()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv(SECRET, "42")
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        try:
            made.warm()
        finally:
            signal.signal(signal.SIGCHLD, before)
    yield made
    made.close()


def descendants(pid: int) -> set[int]:
    """The processes that a process has begun, and theirs, which run."""
    parents = dict[int, int]()
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = each.read_text().rpartition(") ")[2].split()[:2]
            if state != "Z":
                parents[int(each.parent.name)] = int(parent)
    found, more = set[int](), {pid}
    while more:
        more = {child for child, parent in parents.items() if parent in more}
        found |= more
    return found


def copies_of(starter: Starter) -> set[int]:
    """The copies that run: two processes for each query, one of which waits for the end of the other."""
    return descendants(original_of(starter).pid)


def original_of(starter: Starter) -> "subprocess.Popen[bytes]":
    """The process of which all are copies."""
    assert starter._original is not None
    return starter._original


def assert_ended(processes: set[int]) -> None:
    """Processes end soon."""
    until = time.monotonic() + SOON
    while running := {each for each in processes if each in descendants(1)}:
        assert time.monotonic() < until, running
        time.sleep(0.02)


async def begun(
    starter: Starter, file: Path, query: str = FOREVER, limits: SqlLimits = LIMITS
) -> "tuple[asyncio.Task[Answered], int, set[int]]":
    """Begin a query; its task, its process, and with it what ends that."""
    begins = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(starter.answer(file, query, limits, begins.set_result))
    await asyncio.wait({task, begins}, return_when=asyncio.FIRST_COMPLETED)
    pid = begins.result()
    above = {each for each in descendants(os.getpid()) if pid in descendants(each)}
    return task, pid, {pid} | above - ({starter._original.pid} if starter._original else set())


async def stopped(task: "asyncio.Task[Any]") -> None:
    """Stop a query."""
    task.cancel()
    await asyncio.wait({task})


async def rows(starter: Starter, file: Path, query: str = "SELECT 40 + 2 AS x") -> object:
    """The rows of an answer."""
    return (await starter.answer(file, query, LIMITS)).rows


@pytest.mark.parametrize("can_copy", [True, *thorough([False])])
def test_each_answers_one_query_and_ends(
    starter: Starter, demo: Path, monkeypatch: pytest.MonkeyPatch, can_copy: bool
) -> None:
    """Copies or not; what runs is killed, and nothing is left."""
    monkeypatch.setattr(sql_queue, "CAN_COPY", CAN_COPY and can_copy)

    async def asked(starter: Starter) -> None:
        long, _, its_own = await begun(starter, demo)
        assert await rows(starter, demo) == [[42]]
        with pytest.raises(QuestionError, match=r"took longer than 0\.3 seconds"):
            await starter.answer(demo, FOREVER, SqlLimits(seconds=0.3, memory=LIMITS.memory))
        assert not long.done()
        assert await rows(starter, demo, VALUES) == [[None, "1.50", "a", 0.5, "inf", "True", -0.0, 2**70, "1"]]
        with pytest.raises(QuestionError, match="larger than can be shown"):
            await starter.answer(demo, f"SELECT 1 AS {'x' * 80_000}", SqlLimits(size=10, memory=LIMITS.memory))
        await stopped(long)
        assert_ended(its_own)

    if can_copy:
        asyncio.run(asked(starter))
        assert_ended(copies_of(starter))  # also what was just being made ready
    else:
        alone = Starter()
        asyncio.run(asked(alone))
        assert alone._original is None


def test_a_file_that_is_no_lexicon_says_so(starter: Starter, tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r"no lexicon"):
        asyncio.run(rows(starter, tmp_path / "nothing.duckdb"))


@needs_copies
def test_what_a_process_has(starter: Starter, demo: Path) -> None:
    """It has little memory, no files, its own connection, low priority; and no variables, folder or modules of ours."""

    async def asked() -> None:
        found = [await begun(starter, demo) for _ in range(2)]
        sockets = list[set[str]]()
        for _, query, processes in found:
            assert len(processes) == 2  # the query, and what kills it
            place = Path(f"/proc/{query}")
            assert SECRET.encode() not in (place / "environ").read_bytes()
            assert (place / "cwd").readlink() == demo.parent.resolve()
            sockets.append({name for each in (place / "fd").iterdir() if "socket" in (name := os.readlink(each))})
            said = (place / "limits").read_text()
            for each in (
                "Max open files +0 ",
                "Max file size +0 ",
                "Max core file size +0 ",
                "Max data size +1000000000 ",
            ):
                assert re.search(each, said), said
            assert os.getpriority(os.PRIO_PROCESS, query) >= confined.POLITE
            job = Job("a visitor", FOREVER, asyncio.Semaphore())
            job.begin(query)
            job.stand_behind_all()
            assert os.getpriority(os.PRIO_PROCESS, query) >= sql_queue.LATER
        assert [len(each) for each in sockets] == [1, 1]
        assert sockets[0].isdisjoint(sockets[1])
        for task, _, _ in found:
            await stopped(task)

    asyncio.run(asked())


@pytest.mark.thorough
@needs_copies
def test_copies_end_with_their_connections_alone(demo: Path) -> None:
    """Where the original is killed, those that run go on, and the next query begins another."""
    starter = Starter()

    async def asked() -> None:
        running, _, its_own = await begun(starter, demo)
        original_of(starter).kill()
        original_of(starter).wait()
        assert await rows(starter, demo) == [[42]]
        assert not running.done()
        await stopped(running)
        assert_ended(its_own)
        cut = asyncio.create_task(rows(starter, demo))
        await asyncio.sleep(0.01)
        await stopped(cut)

    asyncio.run(asked())
    assert_ended(copies_of(starter))
    starter.close()


SERVER = """
import asyncio, sys
from pathlib import Path
from typing import Any
from aptdb.explorer.sql_box import SqlLimits
from aptdb.explorer.sql_queue import Starter
begin = lambda _: print("begun", flush=True)
asyncio.run(Starter().answer(Path(sys.argv[1]), sys.argv[2], SqlLimits(), begin))
"""


@pytest.mark.thorough
@needs_copies
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left_of_a_server_that_is_killed(demo: Path, number: int) -> None:
    """A query of hours ends with it, and so does the original; no folder of theirs stays."""
    with subprocess.Popen([sys.executable, "-c", SERVER, str(demo), FOREVER], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"begun\n"
        until = time.monotonic() + SOON
        while len(processes := descendants(server.pid)) < 5:  # the original, what runs, what is ready, what ends those
            assert time.monotonic() < until, processes
            time.sleep(0.02)
        server.send_signal(number)
        server.wait()
    assert_ended(processes)


@needs_copies
def test_where_the_system_has_no_room_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection closes, and the original goes on."""

    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    before = signal.getsignal(signal.SIGCHLD)
    requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ends = [socket.socketpair() for _ in range(2)]
    try:
        with requests:
            for _, given in ends:
                with given:
                    socket.send_fds(requests, [b"/"], [given.fileno()])
        with theirs:
            confined.copy_for_each(theirs)
    finally:
        signal.signal(signal.SIGCHLD, before)
    for ours, _ in ends:
        with ours:
            assert ours.recv(1) == b""


@needs_copies
def test_a_copy_that_dies_or_hangs_harms_no_other(starter: Starter, demo: Path) -> None:
    """Whether that is the query, or what would end it."""

    async def asked() -> None:
        (one, pid, of_one), (other, _, of_other), (third, of_third, its_own) = [
            await begun(starter, demo) for _ in range(3)
        ]
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(QuestionError, match="was stopped"):
            await one
        assert_ended(of_one)
        keeper = next(each for each in of_other if descendants(each))
        os.kill(keeper, signal.SIGSTOP)
        other.cancel()
        (killed,) = its_own - {of_third}
        os.kill(killed, signal.SIGKILL)
        assert await rows(starter, demo) == [[42]]
        os.kill(keeper, signal.SIGCONT)
        await asyncio.wait({other})
        assert_ended(of_other)
        assert not third.done()
        await stopped(third)
        assert_ended(its_own)

    asyncio.run(asked())


async def ready(starter: Starter, running: set[int]) -> set[int]:
    """The process that waits for a query, and what ends it, besides those that run."""
    async with asyncio.timeout(SOON):
        while len(found := copies_of(starter) - running) != 2 or not any(map(is_limited, found)):  # others may end
            await asyncio.sleep(0.02)
    return found


def is_limited(process: int) -> bool:
    """Whether a process has its limits, which it sets last."""
    with suppress(OSError):
        return re.search("Max core file size +0 ", Path(f"/proc/{process}/limits").read_text()) is not None
    return False


@needs_copies
def test_one_process_is_ready_for_one_query(
    starter: Starter, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is used once, and replaced; not for another file; where it has died, another answers; it ends in time."""
    other = tmp_path / "other.duckdb"
    shutil.copyfile(demo, other)

    async def asked() -> None:
        assert await rows(starter, demo) == [[42]]
        first = await ready(starter, set())
        long, _, its_own = await begun(starter, demo)
        assert its_own == first
        second = await ready(starter, first)
        elsewhere, _, of_elsewhere = await begun(starter, other)
        assert of_elsewhere.isdisjoint(first | second)
        running = its_own | of_elsewhere
        third = await ready(starter, running | second)
        for each in third:
            os.kill(each, signal.SIGKILL)
        assert await rows(starter, other) == [[42]]
        monkeypatch.setattr(sql_queue, "IDLE", 0.01)
        assert await rows(starter, other) == [[42]]
        async with asyncio.timeout(SOON):
            while copies_of(starter) != running:
                await asyncio.sleep(0.02)
        assert not long.done()
        await asyncio.gather(stopped(long), stopped(elsewhere))

    asyncio.run(asked())
    assert_ended(copies_of(starter))


@pytest.mark.thorough
@needs_copies
def test_an_original_that_hangs_is_replaced(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starter = Starter()
    starter.warm()
    original = original_of(starter)
    original.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(sql_queue, "START", 0.2 - LIMITS.seconds)
    with pytest.raises(QuestionError, match="did not start in time"):
        asyncio.run(rows(starter, demo))
    monkeypatch.undo()
    original.wait()
    assert asyncio.run(rows(starter, demo)) == [[42]]
    starter.close()
