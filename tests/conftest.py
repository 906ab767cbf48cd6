"""The hooks of pytest, and the fixtures that several modules share; what else they share is in support.

There are two runs. The quick one, plain `pytest`, tests everything, with a few random examples, moments and files of
each kind. The thorough one, `pytest -m thorough`, runs all the rest, and all examples of random tests; `--share 10`
takes a tenth of its cases. Both draw by the hash of the commit.
"""

import fcntl
import os
import shutil
import signal
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from aptdb import Lexicon
from aptdb.commands import notes
from aptdb.corpus import demo_corpus
from aptdb.store import compaction, open_files, schema
from aptdb.store.database import Database
from support import runs
from support.animals import ANIMALS
from support.corpora import COUNTS, GENRES, corpus_file, documents_of
from support.corpora import TREES as SENTENCES
from support.farm import TREES, make_farm
from support.lexicons import STORED, Counted, Once, count_into, lexicon_in_memory, lexicon_of, made_before, new_lexicon
from support.refusals import OpenLexicons
from twins.trees import conllu

SAMPLE = 3  # of so many cases of a sampled test, the quick run takes one, if the mark says nothing

LEAST_WASTE = compaction.LEAST_WASTE
UNREACHED = 1 << 30  # unused bytes in a file of any test: to rewrite a small file after an addition takes .3 s


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take a share of the cases."""
    parser.addoption("--share", type=int, default=1, metavar="N", help="run one in N of the cases, drawn by the seed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the run, and keep what aptdb and Python cache in a folder of it, which all workers and commands share.

    How long a random example takes to draw only says how busy the machine is. Where Python is told to keep no compiled
    modules, each of hundreds of commands would compile all anew.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # below nohup it is ignored, also by programs that tests begin
    runs.THOROUGH = runs.is_thorough(config)
    compaction.LEAST_WASTE = LEAST_WASTE if runs.THOROUGH else UNREACHED
    notes.PATIENT = runs.HANGS  # what takes long on a busy machine is not said where tests read what is said
    few = 100 if runs.THOROUGH else runs.FEW
    slow = [HealthCheck.too_slow]
    settings.register_profile("aptdb", deadline=None, max_examples=few, print_blob=True, suppress_health_check=slow)
    settings.load_profile("aptdb")
    os.environ[runs.SEED] = runs.read_seed()  # of all workers
    config.option.hypothesis_seed = config.option.hypothesis_seed or str(runs.draw_number(os.environ[runs.SEED], ""))
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


def pytest_report_header() -> str:
    """Name the seed of this run."""
    return f"drawn by {runs.SEED}={os.environ[runs.SEED]}"


def cache_of(config: pytest.Config) -> pytest.Cache | None:
    """The cache of pytest; none with `-p no:cacheprovider`, where the configuration does not even name it."""
    return getattr(config, "cache", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as thorough tests on whole treebanks and most cases of sampled tests, and take the share that is asked for.

    Random tests are in both runs, with few and with all examples.
    """
    cases: Counter[str] = Counter()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if sampled := item.get_closest_marker("sampled"):
            if cases[name] % (sampled.args[0] if sampled.args else SAMPLE):
                item.add_marker("thorough")
            cases[name] += 1
        if "english" in getattr(item, "fixturenames", ()) or (runs.THOROUGH and is_hypothesis_test(function_of(item))):
            item.add_marker("thorough")
    share, seed = config.option.share, os.environ[runs.SEED]
    if share > 1:
        left = [item for item in items if runs.draw_number(seed, item.nodeid) % share]
        config.hook.pytest_deselected(items=left)
        unwanted = {*map(id, left)}
        items[:] = [item for item in items if id(item) not in unwanted]


def function_of(item: pytest.Item) -> object:
    """Return the function of a test, or None."""
    return getattr(item, "obj", None)


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
            open_files.record_verified(ours / name)  # to look through its macros takes half a second
        return ours / name

    return copy


@pytest.fixture(scope="session")
def demo(once: Once) -> Path:
    """The lexicon of the demo, which nobody writes into."""
    corpus = "".join(demo_corpus.corpus()).encode()
    return once("demo.duckdb", lambda file: lexicon_of(file, {"demo": corpus}))


@pytest.fixture(scope="session")
def farm(once: Once) -> Path:
    """The lexicon of the farm with all that is derived from counts, which nobody writes into."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a space of so little text
        return once("farm.duckdb", make_farm)


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sentences of the farm alone, which nobody writes into."""
    return lexicon_of(tmp_path_factory.mktemp("plain") / "plain.duckdb", {"farm": TREES})


@pytest.fixture(scope="session")
def animals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few sentences about animals, which nobody writes into."""
    made_of = {"trees": SENTENCES, "animals": ANIMALS}
    return lexicon_of(tmp_path_factory.mktemp("animals") / "animals.duckdb", made_of)


@pytest.fixture(scope="session")
def counts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of counts alone, without trees, which nobody writes into."""
    return lexicon_of(tmp_path_factory.mktemp("counts") / "counts.duckdb", {"counts.tsv": COUNTS.encode()})


@pytest.fixture(scope="module")
def open_lexicons(request: pytest.FixtureRequest) -> Iterator[OpenLexicons]:
    """The lexicons that rows of a refusals.csv ask. Another table has commands that write, which they would refuse."""
    with ExitStack() as closing:
        yield OpenLexicons(request, closing)


@pytest.fixture(scope="session")
def genres(once: Once) -> Path:
    """A lexicon of some of GUM, with its genres as subcorpora."""

    def make(file: Path) -> None:
        with new_lexicon(file, b"".join(map(documents_of, GENRES)), name="gum") as lexicon:
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


@pytest.fixture(scope="session")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lexicon of most of the explorer's pages: two corpora, of two years, with a subcorpus of each year.

    A module with a lexicon of its own calls it zoo too.
    """
    file = tmp_path_factory.mktemp("zoo") / "zoo.duckdb"
    texts = {
        "old": f"# newdoc id = a\n# meta::year = 1990\n{conllu([*SENTENCES, *ANIMALS])}",
        "new": f"# newdoc id = b\n# meta::year = 2000\n{conllu(ANIMALS * 2)}",
    }
    lexicon_of(file, {name: text.encode() for name, text in texts.items()})
    with Lexicon.open(file) as lexicon:
        lexicon.subcorpora_by("year")
    return file


@pytest.fixture(scope="module")
def opened(zoo: Path) -> Iterator[Lexicon]:
    """The zoo, opened."""
    with Lexicon.open(zoo) as lexicon:
        yield lexicon


@pytest.fixture(scope="module")
def server(zoo: Path) -> Iterator[object]:
    """The explorer of the zoo."""
    from support.served import served  # the quick run may have no web framework

    with served(zoo) as running:
        yield running
