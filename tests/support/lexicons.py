"""Lexicons of a few sentences, in memory and in files, and whether two of them hold the same."""

import io
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon
from aptdb.core.settings import Settings
from aptdb.corpus.sources import Source
from aptdb.counting.count_trees import count_source
from aptdb.store import open_files, schema
from aptdb.store.database import Database, in_memory
from aptdb.store.definitions import made
from aptdb.store.statements import SqlText
from twins.trees import Token, conllu

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
    "sentence_metadata",
    "sentence",
    "document_metadata",
    "document",
    "corpus",
)

LARGEST = 2_000_000  # characters of what a lexicon is made of that is kept for others

Sentences = Sequence[list[Token]]
Counted = Callable[..., Database]
Once = Callable[[str, Callable[[Path], object]], Path]


@contextmanager
def new_lexicon(file: Path | str, source: Any, name: str | None = None, **given: Any) -> Iterator[Lexicon]:
    """Yield the lexicon in a file, made if it is not there, with one corpus more: bytes, or what else can be added."""
    with Lexicon.open(file, create=True) as lexicon:
        lexicon.add(io.BytesIO(source) if isinstance(source, bytes) else source, name=name, **given)
        yield lexicon


def make_lexicon(file: Path | str, source: Any, name: str | None = None, **given: Any) -> Path:
    """Make a lexicon as new_lexicon does, and return its file."""
    with new_lexicon(file, source, name, **given):
        return Path(file)


@contextmanager
def lexicon_in_memory() -> Iterator[Database]:
    """A database in memory, to be counted into again and again."""
    database = in_memory()
    with database.transaction():
        schema.create(database, Settings())
        schema.install_definitions(database)
    yield database
    database.close()


def count_into(memory: Database, *parts: Sentences, **given: Any) -> Database:
    """Empty a lexicon in memory, give it settings and count sentences into it."""
    settings = Settings(**given)
    with memory.transaction():
        for table in STORED:
            memory.run(f"DELETE FROM _store.{table}")
        columns = schema.settings_as_columns(settings)
        memory.run(f"UPDATE _store.settings SET {', '.join(f'{name} = ${name}' for name in columns)}", columns)
        memory.run(f"CREATE OR REPLACE MACRO _store.longest_path() AS {settings.order}")
    for number, sentences in enumerate(parts):
        stream = io.BytesIO(conllu(list(sentences)).encode())
        with pytest.MonkeyPatch.context() as patch, memory.transaction():
            # The macros are those of any content, and to make them anew takes longer than to count so little.
            patch.setattr(schema, "renew", lambda _: None)
            count_source(memory, settings, Source(stream), name=str(number), again=True)
    return memory


def record_spaces(database: Database) -> None:
    """Make the macros anew that have the spaces of a lexicon: `renew` makes all that have values of it."""
    (facts,) = made("store/define/space_facts")
    recorded = schema.recorded_spaces(database).items()
    database.run(facts.filled({f"recorded_{name}": SqlText(value) for name, value in recorded}))


def triples(database: Database, relation: str = "cooccurrences") -> dict[tuple[str, str, str], Any]:
    """Lexeme, path, context and the value of a relation, as the twin has them."""
    return {(row[0], row[1], row[2]): row[3] for row in database.rows(f"FROM {relation}")}


def direct_triples(database: Database) -> dict[tuple[str, str, str], int]:
    """Return lexeme, path, context and the direct count, as the twin has them."""
    return triples(database, "(SELECT lexeme, path, context, direct FROM cooccurrences WHERE direct > 0)")


# Every table of the store as text, without the numbers that are only names; they are the same where the lexicons are.
TABLES = {
    "lexeme": "SELECT text, lemma, pos, frequency, cooccurrences, merged FROM _store.lexeme",
    "path": "SELECT p.text, p.path_order, i.text, p.count, p.merged FROM _store.path AS p JOIN _store.path AS i "
    "ON i.id = p.inverse_id",
    "node": "SELECT l.text, p.text, n.count, n.merged FROM _store.node AS n "
    "JOIN _store.lexeme AS l ON l.id = n.lexeme_id JOIN _store.path AS p ON p.id = n.path_id",
    "cooccurrence": "FROM cooccurrences",
    "corpus": "SELECT name, source, sha256, sentences, tokens, kind, skipped FROM _store.corpus",
    "word": "SELECT w.form, w.lemma, w.upos, w.xpos, w.feats, l.text FROM _store.word AS w "
    "LEFT JOIN _store.lexeme AS l ON l.id = w.lexeme_id",
    "relation": "SELECT text, label FROM _store.relation",
    "token": "SELECT c.name, s.sent_id, t.position, w.form, w.lemma, w.upos, w.xpos, w.feats, t.head, r.text, "
    "t.space_after "
    "FROM _store.token AS t JOIN _store.sentence AS s ON s.id = t.sentence_id JOIN _store.corpus AS c "
    "ON c.id = s.corpus_id JOIN _store.word AS w ON w.id = t.word_id JOIN _store.relation AS r ON r.id = t.relation_id",
    "documents": "FROM documents",
    "sentences": "SELECT * EXCLUDE (sentence, sentence_number) FROM sentences",
    "joined": "SELECT s.sent_id, j.position, j.top, w.form FROM _store.joined AS j JOIN _store.word AS w "
    "ON w.id = j.word_id JOIN _store.sentence AS s ON s.id = j.sentence_id",
    "given_count": "SELECT c.name, l.text, p.text, o.text, g.count FROM _store.given_count AS g "
    "JOIN _store.corpus AS c ON c.id = g.corpus_id JOIN _store.lexeme AS l ON l.id = g.lexeme_id "
    "JOIN _store.path AS p ON p.id = g.path_id JOIN _store.lexeme AS o ON o.id = g.context_id",
}


def assert_same(one: Path, other: Path, *, but: tuple[str, ...] = ()) -> None:
    """Two lexicons hold the same, table for table."""
    with closing(Database(one, read_only=True)) as a, closing(Database(other, read_only=True)) as b:
        for table, query in TABLES.items():
            if table not in but:
                summed = f"SELECT count(*), bit_xor(hash(t)), sum(hash(t)) FROM ({query}) AS t"
                if a.rows(summed) != b.rows(summed):
                    mine, theirs = a.rows(f"{query} ORDER BY ALL"), b.rows(f"{query} ORDER BY ALL")
                    assert (table, mine) == (table, theirs)


@cache
def made_before() -> Path:
    """The folder where all workers keep the small lexicons that they have made, by what these are made of."""
    folder = Path(os.environ["APTDB_CACHE"], "lexicons")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def copied(file: Path, place: Path) -> Path:
    """A copy of a lexicon that is ours, in a folder or a file; it is not looked through again, which takes .3 s."""
    copy = Path(shutil.copy(file, place))
    open_files.record_verified(copy)
    return copy


def lexicon_of(file: Path, parts: dict[str, Any], **given_settings: Any) -> Path:
    """A lexicon of sentences, or bytes, by the names of corpora; one that any worker has made is copied."""
    contents = {name: part if isinstance(part, bytes) else conllu(part).encode() for name, part in parts.items()}
    made_of = repr((contents, given_settings))
    made = made_before() / sha256(made_of.encode()).hexdigest()
    if made.exists():
        return copied(made, file)
    with Lexicon.open(file, create=True, **given_settings) as lexicon:
        for name, content in contents.items():
            lexicon.add(io.BytesIO(content), name=name, again=True)
    if len(made_of) < LARGEST:
        half = made.with_name(f"{made.name}-{os.getpid()}")
        shutil.copy(file, half)
        half.rename(made)
    return file


def sound(file: Path) -> bool:
    """Whether a lexicon passes verify."""
    with Lexicon.open(file) as lexicon:
        return lexicon.verify().rows == []


def marginals_that_differ(database: Database) -> list[Any]:
    """Rows of the marginals and totals that are not the sums of the counts, and triples without a mirror image."""
    return list(
        database.rows(
            "(SELECT lexeme_id, path_id, sum(count), sum(merged) FROM _store.cooccurrence GROUP BY ALL "
            "EXCEPT SELECT lexeme_id, path_id, count, merged FROM _store.node) UNION ALL "
            "(SELECT lexeme_id, path_id, count, merged FROM _store.node EXCEPT "
            "SELECT lexeme_id, path_id, sum(count), sum(merged) FROM _store.cooccurrence GROUP BY ALL) UNION ALL "
            "(SELECT 0, path_id, sum(count), sum(merged) FROM _store.cooccurrence GROUP BY ALL "
            "EXCEPT SELECT 0, id, count, merged FROM _store.path) UNION ALL "
            "(SELECT 0, lexeme_id, sum(count), sum(merged) FROM _store.cooccurrence GROUP BY ALL "
            "EXCEPT SELECT 0, id, cooccurrences, merged FROM _store.lexeme) UNION ALL "
            "(SELECT lexeme_id, path_id, count, merged FROM _store.cooccurrence EXCEPT "
            "SELECT c.context_id, p.inverse_id, c.count, c.merged "
            "FROM _store.cooccurrence AS c JOIN _store.path AS p ON p.id = c.path_id)"
        )
    )
