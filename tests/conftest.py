"""What the tests share: corpora where they are there, and lexicons made of a few sentences at once."""

import gzip
import io
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from twin import Token, conllu

from aptdb import Lexicon
from aptdb.corpus.sources import Source
from aptdb.counting.parsed_trees import count_source
from aptdb.settings import Settings
from aptdb.store import schema
from aptdb.store.database import Database

settings.register_profile("aptdb", deadline=None, print_blob=True)
settings.load_profile("aptdb")
EXAMPLES = int(os.environ.get("APTDB_EXAMPLES", "1"))

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


def examples(few: int) -> settings:
    """So many random examples of a test, as a run has time for; APTDB_EXAMPLES=10 makes them ten times more."""
    return settings(max_examples=few * EXAMPLES)


def corpus_file(name: str) -> Path:
    """A shared corpus; the test skips, saying so, where it is missing."""
    file = SHARED / "corpora" / f"{name}.conllu.gz"
    if not file.exists():
        pytest.skip(f"the corpus {file.name} is not beside this checkout (../shared/corpora)")
    return file


def unpacked(name: str) -> bytes:
    """The bytes of a shared corpus."""
    return gzip.decompress(corpus_file(name).read_bytes())


@pytest.fixture(scope="session")
def memory() -> Iterator[Database]:
    """A database in memory, to be counted into again and again."""
    database = Database(Path(":memory:"), read_only=False)
    with database.transaction():
        schema.create(database, Settings())
        schema.install(database)
    yield database
    database.close()


@pytest.fixture(scope="session")
def counted(memory: Database) -> Counted:
    """A function that empties the lexicon in memory, gives it settings and counts sentences into it."""

    def count(*parts: Sentences, **given: Any) -> Database:
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

    return count


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of both treebanks, at order 2."""
    files = [corpus_file("en_ewt"), corpus_file("en_gum")]
    file = tmp_path_factory.mktemp("english") / "english.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        for each in files:
            lexicon.add(each)
    return file


def triples(database: Database, relation: str = "cooccurrences") -> dict[tuple[str, str, str], Any]:
    """Lexeme, path, context and the value of a relation, as the twin has them."""
    return {(row[0], row[1], row[2]): row[3] for row in database.rows(f"FROM {relation}")}
