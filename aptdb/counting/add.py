"""Counts one source into a lexicon: what goes in, under which name, and that it goes in once."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from aptdb.corpus.faults import Screen
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import steps
from aptdb.counting.count_pairs import Tally, grown
from aptdb.counting.reading import LONGEST_SENTENCE, chunks_as_tokens, refuse_circle
from aptdb.counting.steps import keep_and_pack, run_steps
from aptdb.errors import CorpusError
from aptdb.settings import Settings
from aptdb.store import tables
from aptdb.store.database import Database
from aptdb.store.version import __version__


@dataclass(frozen=True)
class Addition:
    """What one source has added; skipped: the sentences at fault that were left out, by kind."""

    corpus: str
    sentences: int
    tokens: int
    skipped: dict[str, int] = field(default_factory=dict)


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
    screen: Screen | None = None,
    longest: int = LONGEST_SENTENCE,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Addition:
    """Add one source, within the transaction that the caller has begun. Raises CorpusError, naming file and line."""
    corpus, screen = name or source.name, screen or Screen()
    refuse_name(database, corpus)
    before = last_sentence(database)
    corpus_id = next_corpus(database)
    database.set(corpus_id=corpus_id)
    tally, tokens = Tally(database, settings), 0
    with closing(chunks_as_tokens(database, settings, source, screen=screen, longest=longest)) as chunks:
        for chunk, found in chunks:
            if found:
                count_chunk(database, settings, source, chunk, tally)
            tokens += found
            progress(Progress(corpus, source.bytes_read, source.size, tokens))
    if not tokens:
        raise CorpusError(f"{source.place}: no sentence in it{left_out(screen)}")
    if not again:
        refuse_content(database, source)
    tally.merge()
    sentences = last_sentence(database) - before
    counted = {"id": corpus_id, "name": corpus, "sentences": sentences, "tokens": tokens, "kind": "trees"}
    note_corpus(database, {**counted, "skipped": screen.skipped.total()}, source)
    grown(database)
    return Addition(corpus, sentences, tokens, dict(screen.skipped))


def left_out(screen: Screen) -> str:
    """What to add where nothing is left of a source."""
    if screen.skipped:
        return f" that is not at fault; {screen.skipped.total():,} were skipped"
    return "; CoNLL-U has a line of 10 columns for each word"


def count_chunk(database: Database, settings: Settings, source: Source, chunk: Chunk, tally: Tally) -> None:
    """Store and count the chunk that has been read."""
    database.set(sentences_before=last_sentence(database))
    run_steps(database, steps.KEEP_SENTENCES)
    keep_and_pack(database, settings)
    if database.value("SELECT (SELECT count(*) FROM packed) < (SELECT count(*) FROM node)"):
        refuse_circle(database, source, chunk)
    tally.count()


def note_corpus(database: Database, what: dict[str, Any], source: Source) -> None:
    """Record a corpus that went in."""
    origin = {"source": source.place, "sha256": source.digest}
    when = {"added_at": datetime.now(UTC).replace(tzinfo=None), "version": __version__}
    database.run(tables.corpus.insert(), {**what, **origin, **when})


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


def next_corpus(database: Database) -> int:
    """The id of the next corpus."""
    return 1 + int(database.value(sa.select(sa.func.max(tables.corpus.c.id))) or 0)


def last_sentence(database: Database) -> int:
    """The id of the last sentence, 0 where there is none."""
    return int(database.value(sa.select(sa.func.max(tables.sentence.c.id))) or 0)
