"""Counts the trees of one source into a lexicon."""

from collections.abc import Callable
from contextlib import closing

from aptdb.corpus.faults import Screen
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import steps
from aptdb.counting.corpora import (
    Addition,
    Progress,
    last_sentence,
    next_corpus,
    note_corpus,
    refuse_content,
    refuse_name,
)
from aptdb.counting.count_pairs import Tally, grown
from aptdb.counting.reading import LONGEST_SENTENCE, chunks_as_tokens, refuse_circle
from aptdb.counting.steps import keep_and_pack, run_steps
from aptdb.errors import CorpusError
from aptdb.settings import Settings
from aptdb.store.database import Database


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
