"""The hooks of pytest, and the fixtures that several modules share; what else they share is in support.

There are two runs. The quick one, plain `pytest`, tests everything, with a few random examples, moments and files of
each kind. The thorough one, `pytest -m thorough`, runs what is marked so and every random test with all its examples.
"""

import fcntl
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

from aptdb import Lexicon
from aptdb.store import schema
from aptdb.store.database import Database
from support.corpora import corpus_file
from support.lexicons import STORED, Counted, Once, count_into, lexicon_in_memory

settings.register_profile("aptdb", deadline=None, print_blob=True)
settings.load_profile("aptdb")


def pytest_configure(config: pytest.Config) -> None:
    """Take all examples in the thorough run; APTDB_EXAMPLES=10 takes ten times as many in either.

    Where Python is told to keep no compiled modules, the commands that tests run keep theirs in a folder of this run:
    there are hundreds, and each would compile all anew.
    """
    if is_thorough(config):
        os.environ.setdefault("APTDB_EXAMPLES", "1")
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        folder = tempfile.TemporaryDirectory(prefix="aptdb-compiled-")
        config.add_cleanup(folder.cleanup)
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name


def is_thorough(config: pytest.Config) -> bool:
    """Whether -m asks for the thorough tests."""
    asked = str(config.option.markexpr)
    return "thorough" in asked and "not thorough" not in asked


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark those on whole treebanks as thorough tests, and every random one too where all examples are taken.

    Likewise two in three of the cases of a sampled test.
    """
    cases: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker("sampled"):
            name = item.nodeid.partition("[")[0]
            if cases[name] % 3:
                item.add_marker("thorough")
            cases[name] += 1
        if "english" in getattr(item, "fixturenames", ()):
            item.add_marker("thorough")
        if "APTDB_EXAMPLES" in os.environ and is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("thorough")


@pytest.fixture(scope="session")
def memory() -> Iterator[Database]:
    """A lexicon in memory that tests fill as they like."""
    with lexicon_in_memory() as database:
        yield database


@pytest.fixture
def emptied(memory: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """The lexicon in memory, with nothing in it; what is added must be undone."""
    monkeypatch.setattr(schema, "renew", lambda _: None)
    with memory.transaction():
        for table in STORED:
            memory.run(f"DELETE FROM _store.{table}")
    return memory


@pytest.fixture(scope="session")
def counted(memory: Database) -> Counted:
    """A function that counts sentences into that lexicon, and nothing else."""
    return partial(count_into, memory)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """A function that has a file made by the first worker that asks for it, and gives a copy to each."""
    ours = tmp_path_factory.mktemp("once")
    everyones = ours.parents[1] if "PYTEST_XDIST_WORKER" in os.environ else ours

    def copy(name: str, make: Callable[[Path], object]) -> Path:
        made = everyones / f"made-{name}"
        with made.with_name(f"{made.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                make(ours / name)
                shutil.move(ours / name, made)
        return ours / name if (ours / name).exists() else Path(shutil.copy(made, ours / name))

    return copy


@pytest.fixture(scope="session")
def english(once: Once) -> Path:
    """A lexicon of both treebanks, at order 2."""
    files = [corpus_file("en_ewt"), corpus_file("en_gum")]

    def make(file: Path) -> None:
        with Lexicon.open(file, create=True) as lexicon:
            for each in files:
                lexicon.add(each)

    return once("english.duckdb", make)
