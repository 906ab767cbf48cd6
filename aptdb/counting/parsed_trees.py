"""Counts the trees of one source."""

from collections.abc import Callable
from contextlib import closing

from aptdb.corpus.faults import FaultHandler
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
from aptdb.counting.count_pairs import PairCounts, grown
from aptdb.counting.draft import Draft, drafting
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
    handler: FaultHandler | None = None,
    longest: int = LONGEST_SENTENCE,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Addition:
    """Add one source, within the caller's transaction. Raises CorpusError, which names file and line."""
    corpus, handler = name or source.name, handler or FaultHandler()
    refuse_name(database, corpus)
    before = last_sentence(database)
    corpus_id = next_corpus(database)
    with drafting(database) as draft:
        draft.database.set(corpus_id=corpus_id)
        pairs, tokens = PairCounts(draft, settings), 0
        with closing(chunks_as_tokens(draft.database, settings, source, handler=handler, longest=longest)) as chunks:
            for chunk, found in chunks:
                if found:
                    count_chunk(draft, settings, source, chunk, pairs)
                tokens += found
                progress(Progress(corpus, source.bytes_read, source.size, tokens))
        if not tokens:
            raise CorpusError(f"{source.place}: no valid sentence{left_out(handler)}")
        if not again:
            refuse_content(database, source)
        pairs.bring()
    sentences = last_sentence(database) - before
    counted = {"id": corpus_id, "name": corpus, "sentences": sentences, "tokens": tokens, "kind": "trees"}
    note_corpus(database, {**counted, "skipped": handler.skipped.total()}, source)
    grown(database)
    return Addition(corpus, sentences, tokens, dict(handler.skipped))


def left_out(handler: FaultHandler) -> str:
    """What to say if nothing is left of a source."""
    if handler.skipped:
        return f"; {handler.skipped.total():,} were skipped"
    return "; CoNLL-U has a line of 10 columns for each word"


def count_chunk(draft: Draft, settings: Settings, source: Source, chunk: Chunk, pairs: PairCounts) -> None:
    """Store and count the chunk that was read."""
    database = draft.database
    database.set(sentences_before=draft.last_sentence())
    run_steps(database, steps.KEEP_SENTENCES)
    keep_and_pack(database, settings)
    if database.value("SELECT (SELECT count(*) FROM packed) < (SELECT count(*) FROM node)"):
        refuse_circle(database, source, chunk)
    pairs.count()
