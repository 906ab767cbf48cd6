"""The hooks of pytest, and the fixtures that several modules share; what else they share is in support.

There are three runs. The quick one, plain `pytest`, tests everything, with a few random examples, moments and files of
each kind. The thorough one, `pytest -m thorough`, runs a case of each test that is marked so, e.g. of all on whole
treebanks. The whole one, `APTDB_EXAMPLES=1 pytest -m thorough`, has all their cases, and all examples of random ones.
"""

import fcntl
import io
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from aptdb import Lexicon
from aptdb.corpus import demo_corpus
from aptdb.store import compaction, schema, verified_files
from aptdb.store.database import Database
from support.corpora import GENRES, corpus_file, documents_of
from support.lexicons import STORED, Counted, Once, count_into, lexicon_in_memory, lexicon_of, made_before
from support.runs import FEW, WHOLE

SKIPPED = "aptdb/skipped"  # where the cache of pytest has what the last run skipped
SKIPPED_NOW: set[str] = set()
WANTING = re.compile("could not import|not installed|needs|comes with")  # in the reason of a skip: a package is missing

SAMPLE = 3  # of so many cases of a sampled test, the quick run takes one, if the mark says nothing

LEAST_WASTE = compaction.LEAST_WASTE
UNREACHED = 1 << 30  # unused bytes in a file of any test: to rewrite a small file after an addition takes .3 s

# The same examples each time, so that a change is judged by itself; the whole run searches for new ones. How long an
# example takes to draw only says how busy the machine is.
settings.register_profile(
    "aptdb",
    deadline=None,
    max_examples=100 if WHOLE else FEW,
    print_blob=True,
    derandomize=not WHOLE,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("aptdb")


def pytest_configure(config: pytest.Config) -> None:
    """Keep what aptdb and Python cache in a folder of this run, which all workers and commands share.

    Where Python is told to keep no compiled modules, each of hundreds of commands would compile all anew.
    """
    compaction.LEAST_WASTE = LEAST_WASTE if WHOLE else UNREACHED
    if hasattr(config, "workerinput"):
        made_before()  # tests may set the variable that it reads
        return
    folder = tempfile.TemporaryDirectory(prefix="aptdb-cache-")
    config.add_cleanup(folder.cleanup)
    os.environ["APTDB_CACHE"] = folder.name
    made_before()
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None) and (cache := cache_of(config)):
        # Kept for later runs: to compile the tests, and what they import, takes each worker seconds.
        os.environ["PYTHONPYCACHEPREFIX"] = str(cache.mkdir("compiled"))


def cache_of(config: pytest.Config) -> pytest.Cache | None:
    """The cache of pytest; none with `-p no:cacheprovider`, where the configuration does not even name it."""
    return getattr(config, "cache", None)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a module that is skipped as a whole."""
    note_skipped(report)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that is skipped."""
    note_skipped(report)


def note_skipped(report: pytest.CollectReport | pytest.TestReport) -> None:
    """Note what is skipped for want of a package, so that `-m skipped` can run it where the package is."""
    if report.skipped and isinstance(report.longrepr, tuple) and WANTING.search(str(report.longrepr[2])):
        SKIPPED_NOW.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Remember what was skipped, for the next run."""
    config = session.config
    cache = cache_of(config)
    if cache and not hasattr(config, "workerinput") and "skipped" not in str(config.option.markexpr):
        cache.set(SKIPPED, sorted(SKIPPED_NOW))


def is_thorough(config: pytest.Config) -> bool:
    """Whether -m asks for the thorough tests."""
    asked = str(config.option.markexpr)
    return "thorough" in asked and "not thorough" not in asked


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as thorough those on whole treebanks and most cases of sampled tests; in the whole run all random ones too.

    The thorough run takes one case of each test; every case, or none, where the mark says so.
    """
    cases: Counter[str] = Counter()
    cache = cache_of(config)
    before = {*cache.get(SKIPPED, [])} if cache else set()
    for item in items:
        if {item.nodeid, item.nodeid.partition("::")[0]} & before:
            item.add_marker("skipped")
        if sampled := item.get_closest_marker("sampled"):
            if cases[name_of(item)] % (sampled.args[0] if sampled.args else SAMPLE):
                item.add_marker("thorough")
            cases[name_of(item)] += 1
        if "english" in getattr(item, "fixturenames", ()) or (WHOLE and is_hypothesis_test(getattr(item, "obj", None))):
            item.add_marker("thorough")
    if is_thorough(config) and not WHOLE:
        leave_out(config, items, [*of_the_whole_run(items)])


def name_of(item: pytest.Item) -> str:
    """The name of a test without that of its case."""
    return item.nodeid.partition("[")[0]


def of_the_whole_run(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The cases of each thorough test after the first, where not every case is wanted; and tests marked so."""
    seen = set[str]()
    for item in items:
        if thorough := item.get_closest_marker("thorough"):
            if (name_of(item) in seen and "every case" not in thorough.args) or "whole run" in thorough.args:
                yield item
            seen.add(name_of(item))


def leave_out(config: pytest.Config, items: list[pytest.Item], left: list[pytest.Item]) -> None:
    """Take some tests out of those that are run, and count them among those deselected."""
    config.hook.pytest_deselected(items=left)
    unwanted = {id(item) for item in left}
    items[:] = [item for item in items if id(item) not in unwanted]


@pytest.fixture
def rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are rewritten after additions, as in use."""
    monkeypatch.setattr(compaction, "LEAST_WASTE", LEAST_WASTE)


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
        if not (ours / name).exists():
            shutil.copy(made, ours / name)
            verified_files.note(ours / name)  # to look through its macros takes half a second
        return ours / name

    return copy


@pytest.fixture(scope="session")
def demo(once: Once) -> Path:
    """The lexicon of the demo, which nobody writes into."""
    corpus = "".join(demo_corpus.corpus()).encode()
    return once("demo.duckdb", lambda file: lexicon_of(file, {"demo": corpus}))


@pytest.fixture(scope="session")
def genres(once: Once) -> Path:
    """A lexicon of some of GUM, with its genres as subcorpora."""

    def make(file: Path) -> None:
        with Lexicon.open(file, create=True) as lexicon:
            lexicon.add(io.BytesIO(b"".join(map(documents_of, GENRES))), name="gum")
            lexicon.subcorpora_by("genre")

    return once("genres.duckdb", make)


@pytest.fixture(scope="session")
def english(once: Once) -> Path:
    """A lexicon of both treebanks, at order 2."""
    files = [corpus_file("en_ewt"), corpus_file("en_gum")]

    def make(file: Path) -> None:
        with Lexicon.open(file, create=True) as lexicon:
            for each in files:
                lexicon.add(each)

    return once("english.duckdb", make)
