"""Threads that share a lexicon: each is answered as if it were alone; and the threads that statements are run in."""

import io
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aptdb import AptError, InUseError, Lexicon, LexiconError
from aptdb.store.database import Database, in_memory
from aptdb.store.interrupts import interrupts_raised, run_interruptibly, send
from support.animals import ANIMALS
from support.lexicons import make_lexicon, new_lexicon
from support.runs import HANGS, thorough
from twins.trees import conllu

WORDS = ("dog/NOUN", "cat/NOUN")
QUESTIONS: list[Callable[[Lexicon], Any]] = [
    *(lambda lexicon, word=word: lexicon.apt(word).rows for word in WORDS),
    *(lambda lexicon, word=word: lexicon.neighbours(word, min_frequency=1, pos="any").rows for word in WORDS),
    *(lambda lexicon, word=word: lexicon.evidence(word).rows for word in WORDS),
    *(lambda lexicon, word=word: lexicon[word].frequency for word in WORDS),
    lambda lexicon: lexicon.similarity(*WORDS),
    lambda lexicon: lexicon.sketch("dog/NOUN").rows,
    lambda lexicon: lexicon.sql("SELECT count(*), sum(frequency) FROM lexemes").rows,
    lambda lexicon: (len(lexicon), [*lexicon][:3], "dog/NOUN" in lexicon),
]
THREADS = 8


def text(name: str) -> bytes:
    """A corpus with a document of this name."""
    return f"# newdoc id = {name}\n{conllu(ANIMALS)}".encode()


@pytest.fixture
def lexicon(tmp_path: Path) -> Iterator[Lexicon]:
    """A lexicon that is open."""
    with new_lexicon(tmp_path / "l.duckdb", text("first"), name="first") as opened:
        yield opened


@pytest.mark.thorough
def test_threads_that_open_a_lexicon_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a Lexicon of its own; nobody has verified the file before, or the cache has forgotten it since."""
    cache, file = tmp_path / "cache", tmp_path / "l.duckdb"
    monkeypatch.setenv("APTDB_CACHE", str(cache))
    make_lexicon(file, text("first"), name="first")
    file.touch()

    def ask_once(number: int) -> int:
        with Lexicon.open(file) as own, Lexicon.open(file, confined=True):
            if number % 3 == 0:
                file.touch()  # as whoever makes backups may do
            elif number % 3 == 1:
                for each in cache.iterdir():
                    each.unlink(missing_ok=True)
            assert own.info().rows
            return own["dog/NOUN"].frequency

    with ThreadPoolExecutor(THREADS) as threads:
        found = [*threads.map(ask_once, range(THREADS))]
    assert len(set(found)) == 1
    with Lexicon.open(file) as alone:  # nothing is left open, so it can be written
        alone.remove("first")


@pytest.mark.thorough
def test_a_file_that_takes_the_place_of_an_open_one(lexicon: Lexicon, tmp_path: Path) -> None:
    """DuckDB would read the old one under the new one's name."""
    new = tmp_path / "new.duckdb"
    make_lexicon(new, text("second"), name="second")
    assert lexicon.corpora().column("name") == ["first"]
    new.replace(lexicon.file)
    with pytest.raises(LexiconError, match=r"l\.duckdb was replaced while this process has it open; close it there"):
        Lexicon.open(lexicon.file)
    lexicon.close()
    with Lexicon.open(lexicon.file) as again:
        assert again.corpora().column("name") == ["second"]


class Slow(io.BytesIO):
    """A corpus that says when it is read, and waits before it goes on."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.begun, self.go_on = threading.Event(), threading.Event()

    def read(self, size: int | None = -1) -> bytes:
        self.begun.set()
        assert self.go_on.wait(30)
        return super().read(size)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [12, *thorough([30]), *thorough([250])])
def test_each_thread_is_answered_as_if_alone(lexicon: Lexicon, number: int) -> None:
    """Questions of many kinds at once, and after an addition anew."""
    for name in ("second", None):
        alone = [ask(lexicon) for ask in QUESTIONS]
        asked = random.Random(1).choices(range(len(QUESTIONS)), k=number)
        with ThreadPoolExecutor(THREADS) as threads:
            answers = list(threads.map(lambda place: QUESTIONS[place](lexicon), asked))
        assert answers == [alone[place] for place in asked]
        if name:
            lexicon.add(io.BytesIO(text(name)), name=name)


@pytest.mark.thorough
def test_who_writes_is_alone(lexicon: Lexicon) -> None:
    """Another thread that writes or asks meanwhile gets one clear error, and can ask afterwards."""
    corpus = Slow(text("second"))
    with ThreadPoolExecutor(1) as threads:
        adding = threads.submit(lexicon.add, corpus, name="second")
        assert corpus.begun.wait(30)
        for at_once in (lambda: lexicon.add(io.BytesIO(text("third")), name="third"), lambda: lexicon.apt("dog/NOUN")):
            with pytest.raises(InUseError, match=r"l.duckdb is being written by another thread of this program; ask"):
                at_once()
        corpus.go_on.set()
        adding.result()
    lexicon.add(io.BytesIO(text("third")), name="third")
    assert lexicon.corpora().column("name") == ["first", "second", "third"]


@pytest.mark.thorough
def test_who_writes_waits_for_questions(lexicon: Lexicon) -> None:
    """The question is answered in full, and what closes the lexicon waits for it too."""
    begun, query = threading.Event(), "SELECT count(*) FROM range(3000000) AS a (i) WHERE sqrt(i) + sin(i) > 9"
    wanted = lexicon.sql(query).rows

    def ask() -> Any:
        with lexicon._session.asking():
            begun.set()
            return lexicon.sql(query).rows

    for at_once in (lambda: lexicon.add(io.BytesIO(text("second")), name="second"), lexicon.close):
        begun.clear()
        with ThreadPoolExecutor(1) as threads:
            asking = threads.submit(ask)
            assert begun.wait(30)
            at_once()
            assert asking.result() == wanted
    with pytest.raises(LexiconError, match="is closed; open it again"):
        lexicon.apt("dog/NOUN")


def test_interrupt_stops_the_questions_of_all_threads(lexicon: Lexicon) -> None:
    endless = "SELECT count(*) FROM range(100000000) AS a (i), range(10000) AS b (j) WHERE sin(i * j) > 2"
    with ThreadPoolExecutor(2) as threads:
        asking = [threads.submit(lexicon.sql, endless) for _ in range(2)]
        while any(each.running() for each in asking):
            lexicon.interrupt()
        assert [type(each.exception()) for each in asking] == [KeyboardInterrupt] * 2


@pytest.mark.thorough
def test_several_that_write_beside_readers_that_end(lexicon: Lexicon) -> None:
    """One of them writes; a connection of a thread that has ended does not stand in its way."""
    outcomes: list[object] = []

    def add(name: str) -> None:
        try:
            outcomes.append(lexicon.add(io.BytesIO(text(name)), name=name).corpus)
        except AptError as error:
            outcomes.append(error)

    def ask() -> None:
        with suppress(InUseError):
            lexicon.lexemes()

    for run in range(2):
        threads = [threading.Thread(target=add, args=(f"{run}{each}",)) for each in "abc"]
        threads += [threading.Thread(target=ask) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert {type(each) for each in outcomes} <= {str, InUseError}
    written = [each for each in outcomes if isinstance(each, str)]
    assert written
    assert lexicon.corpora().column("name") == ["first", *written]


def nothing() -> None:
    """Interrupts nothing."""


def test_statements_are_run_in_one_thread_after_another() -> None:
    threads = {run_interruptibly(threading.get_ident, nothing) for _ in range(3)}
    assert len(threads) == 1
    assert threads != {threading.get_ident()}


def test_a_thread_that_goes_on_after_an_interrupt_is_not_used_again() -> None:
    ended, hanging = threading.Event(), list[int]()

    def work() -> None:
        hanging.append(threading.get_ident())
        time.sleep(0.2)  # until the main thread waits
        send(signal.SIGINT)
        ended.wait(HANGS)

    with interrupts_raised(), pytest.raises(KeyboardInterrupt):
        run_interruptibly(work, nothing, patience=0.01)
    assert run_interruptibly(threading.get_ident, nothing) not in hanging
    ended.set()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_child_uses_no_thread_of_its_parent() -> None:
    code = """import os, signal
from aptdb.store.interrupts import run_interruptibly
run_interruptibly(int, int)
child = os.fork()
signal.alarm(30)
run_interruptibly(int, int)
if child:
    raise SystemExit(os.waitpid(child, 0)[1])
os._exit(0)"""
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False)
    assert ended.returncode == 0


@pytest.mark.extra
@pytest.mark.parametrize(
    "ask", [lambda database: database.value("SELECT 1"), lambda database: database.run("SELECT 1")]
)
def test_an_answer_that_was_not_read_to_its_end(ask: Callable[[Database], object]) -> None:
    """It does not stand in the way of the next, which DuckDB would refuse."""
    pytest.importorskip("pyarrow")
    with closing(in_memory()) as database:
        ask(database)
        assert database.arrow("SELECT 2 AS n").to_pylist() == [{"n": 2}]
        ask(database)
        database.bring("three", {"n": np.array([3])})
        assert database.value("FROM three") == 3


def test_ctrl_c_while_a_lexicon_is_closed(lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is heard when all is closed, so that the lexicon can be asked again."""
    close = Database.close

    def interrupted(self: Database) -> None:
        signal.raise_signal(signal.SIGINT)
        close(self)

    before = lexicon.apt("dog/NOUN").rows
    monkeypatch.setattr(Database, "close", interrupted)
    with pytest.raises(KeyboardInterrupt), interrupts_raised():
        lexicon._session.let_go()
    monkeypatch.undo()
    assert lexicon.apt("dog/NOUN").rows == before
