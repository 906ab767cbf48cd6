"""Counts one source into a lexicon: the second half of the statements in `sql/count`, in their order."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from aptdb import __version__, entries, schema, tables, weightings
from aptdb.corpus import Chunk, Source
from aptdb.database import Database
from aptdb.errors import CorpusError
from aptdb.reading import chunks_as_tokens, refuse_fault, run_all
from aptdb.settings import Settings
from aptdb.statements import statement

FOLD_ROWS = 16_000_000  # counted rows, some 320 MB, past which what the chunks counted is summed in between
LARGEST_BIGINT = 2**63 - 1

# What happens to a chunk that has been read, in order: design 2. Circles are looked for once it is packed.
STORE = ("add_sentences", "add_tokens", "packed")
COUNT = ("node_lexeme", "node_pair", "path_code", "add_paths", "count_pairs")


@dataclass(frozen=True)
class Addition:
    """What one source has added."""

    corpus: str
    sentences: int
    tokens: int


@dataclass(frozen=True)
class Progress:
    """How far an addition has come: bytes read of all (None where that is not known), and what they held."""

    corpus: str
    bytes_read: int
    size: int | None
    tokens: int


def count_source(
    database: Database,
    settings: Settings,
    source: Source,
    *,
    name: str | None = None,
    again: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Addition:
    """Add one source, within the transaction that the caller has begun. Raises CorpusError, naming file and line."""
    corpus = name or source.name
    refuse_name(database, corpus)
    corpus_id = 1 + (database.value(sa.select(sa.func.max(tables.corpus.c.id))) or 0)
    before = last_sentence(database)
    database.set(
        corpus_id=corpus_id,
        sentences_before_file=before,
        max_order=settings.order,
    )
    tokens = count_chunks(database, settings, source, corpus, progress)
    if not tokens:
        raise CorpusError(f"{source.place}: no sentence in it; CoNLL-U has a line of 10 columns for each word")
    if not again:
        refuse_content(database, source)
    merge(database)
    sentences = last_sentence(database) - before
    database.run(
        tables.corpus.insert(),
        {
            "id": corpus_id,
            "name": corpus,
            "source": source.place,
            "sha256": source.digest,
            "sentences": sentences,
            "tokens": tokens,
            "added_at": datetime.now(UTC).replace(tzinfo=None),
            "version": __version__,
        },
    )
    weightings.grow_stale(database)
    entries.grow_stale(database)
    schema.renew(database)
    return Addition(corpus, sentences, tokens)


def refuse_name(database: Database, name: str) -> None:
    """Raise CorpusError where the lexicon has a corpus of that name."""
    if database.value(sa.select(tables.corpus.c.id).where(tables.corpus.c.name == name)):
        raise CorpusError(f"the lexicon has a corpus {name} already; give this one another name with --name")


def refuse_content(database: Database, source: Source) -> None:
    """Raise CorpusError where the same bytes went in before."""
    same = database.value(sa.select(tables.corpus.c.name).where(tables.corpus.c.sha256 == source.digest))
    if same:
        raise CorpusError(
            f"{source.place}: the same content is in already, as corpus {same}; to count it twice, say --again"
        )


def last_sentence(database: Database) -> int:
    """The id of the last sentence, 0 where there is none."""
    return int(database.value(sa.select(sa.func.max(tables.sentence.c.id))) or 0)


def count_chunks(
    database: Database, settings: Settings, source: Source, corpus: str, progress: Callable[[Progress], None]
) -> int:
    """Count all chunks into the table `counted`, storing their trees; returns the number of tokens."""
    tokens = counted = 0
    database.run(statement("count/counted"))
    with closing(chunks_as_tokens(database, settings, source)) as chunks:
        for chunk, found in chunks:
            if found:
                count_chunk(database, settings, source, chunk, found)
            tokens += found
            rows = int(database.value("SELECT count(*) FROM counted"))
            if rows > 2 * counted + FOLD_ROWS:
                database.run(statement("count/fold_counted"))
                counted = int(database.value("SELECT count(*) FROM counted"))
            progress(Progress(corpus, source.bytes_read, source.size, tokens))
    return tokens


def count_chunk(database: Database, settings: Settings, source: Source, chunk: Chunk, tokens: int) -> None:
    """Store and count the chunk that has been read into so many tokens."""
    database.set(sentences_before=last_sentence(database))
    run_all(database, STORE)
    if int(database.value("SELECT count(*) FROM packed")) < tokens:
        refuse_fault(database, "first_cycle", source, chunk)
    climb(database, settings)
    run_all(database, COUNT)


def climb(database: Database, settings: Settings) -> None:
    """Find the ancestors of the chunk's packed nodes, the ways up to them written as numbers in a base that fits."""
    base = 1 + int(database.value("SELECT max(id) FROM label"))
    wide = "BIGINT" if base**settings.order <= LARGEST_BIGINT else "HUGEINT"
    database.set(base=base)
    database.run_whole(statement("count/ancestor").replace("@wide@", wide))


def merge(database: Database) -> None:
    """Bring what the chunks counted into the lexicon's counts, marginals and totals."""
    run_all(database, ("fold_counted", "added"))
    empty = database.run(sa.select(tables.cooccurrence.c.count).limit(1)).first() is None
    run_all(database, ("insert_cooccurrences" if empty else "merge_cooccurrences",))
    run_all(database, ("merge_nodes", "merge_paths", "merge_lexemes"))
