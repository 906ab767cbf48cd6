"""What the tests share: corpora where they are there, and lexicons made of a few sentences at once.

There are two runs. The quick one, plain `pytest`, tests everything, with a few random examples, moments and files of
each kind. The thorough one, `pytest -m thorough`, runs what is marked so and every random test with all its examples.
"""

import fcntl
import gzip
import io
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings
from twin import Token, conllu

from aptdb import Lexicon
from aptdb.corpus.sources import Source
from aptdb.counting.parsed_trees import count_source
from aptdb.settings import Settings
from aptdb.store import schema
from aptdb.store.database import Database, in_memory

settings.register_profile("aptdb", deadline=None, print_blob=True)
settings.load_profile("aptdb")
QUICK = 5  # the quick run takes a fifth of the examples, but never fewer than the next
FEWEST = 2

SHARED = Path(__file__).parents[2] / "shared"
STORED = (
    "given_count",
    "joined",
    "cooccurrence",
    "node",
    "path",
    "lexeme",
    "token",
    "relation",
    "word",
    "sentence",
    "corpus",
)

Sentences = Sequence[list[Token]]
Counted = Callable[..., Database]
Once = Callable[[str, Callable[[Path], object]], Path]


def pytest_configure(config: pytest.Config) -> None:
    """Take all examples in the thorough run; APTDB_EXAMPLES=10 takes ten times as many in either."""
    if is_thorough(config):
        os.environ.setdefault("APTDB_EXAMPLES", "1")


def is_thorough(config: pytest.Config) -> bool:
    """Whether -m asks for the thorough tests."""
    asked = str(config.option.markexpr)
    return "thorough" in asked and "not thorough" not in asked


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every random test as a thorough one too where all examples are taken."""
    for item in items:
        if "APTDB_EXAMPLES" in os.environ and is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("thorough")


def examples(all_of_them: int) -> settings:
    """So many random examples of a test in the thorough run, a few of them in the quick one."""
    times = os.environ.get("APTDB_EXAMPLES")
    return settings(max_examples=all_of_them * int(times) if times else max(all_of_them // QUICK, FEWEST))


def thorough(values: Iterable[Any]) -> list[Any]:
    """Values of a parameter, or of several, that the thorough run alone takes."""
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.thorough) for each in values
    ]


def corpus_file(name: str) -> Path:
    """A shared corpus; the test skips, saying so, where it is missing."""
    file = SHARED / "corpora" / f"{name}.conllu.gz"
    if not file.exists():
        pytest.skip(f"the corpus {file.name} is not beside this checkout (../shared/corpora)")
    return file


def unpacked(name: str) -> bytes:
    """The bytes of a shared corpus."""
    return gzip.decompress(corpus_file(name).read_bytes())


@contextmanager
def lexicon_in_memory() -> Iterator[Database]:
    """A database in memory, to be counted into again and again."""
    database = in_memory()
    with database.transaction():
        schema.create(database, Settings())
        schema.install(database)
    yield database
    database.close()


def count_into(memory: Database, *parts: Sentences, **given: Any) -> Database:
    """Empty a lexicon in memory, give it settings and count sentences into it."""
    settings = Settings(**given)
    with memory.transaction():
        for table in STORED:
            memory.run(f"DELETE FROM _store.{table}")
        for number, sentences in enumerate(parts):
            stream = io.BytesIO(conllu(list(sentences)).encode())
            with pytest.MonkeyPatch.context() as patch:
                # The macros are those of any content, and to make them anew takes longer than to count so little.
                patch.setattr(schema, "renew", lambda _: None)
                count_source(memory, settings, Source(stream), name=str(number), again=True)
    return memory


@pytest.fixture(scope="session")
def memory() -> Iterator[Database]:
    """A lexicon in memory that tests fill as they like."""
    with lexicon_in_memory() as database:
        yield database


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


def triples(database: Database, relation: str = "cooccurrences") -> dict[tuple[str, str, str], Any]:
    """Lexeme, path, context and the value of a relation, as the twin has them."""
    return {(row[0], row[1], row[2]): row[3] for row in database.rows(f"FROM {relation}")}
