"""Counts the trees of one source."""

from collections.abc import Callable
from contextlib import closing

from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import metadata, steps
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
from aptdb.counting.metadata import Given
from aptdb.counting.reading import LONGEST_SENTENCE, chunks_as_tokens, refuse_circle
from aptdb.counting.steps import keep_and_pack, run_steps
from aptdb.errors import CorpusError
from aptdb.settings import Settings
from aptdb.store.database import Database
from aptdb.store.literals import SqlText
from aptdb.store.statements import statement


def count_source(
    database: Database,
    settings: Settings,
    source: Source,
    *,
    name: str | None = None,
    again: bool = False,
    handler: FaultHandler | None = None,
    longest: int = LONGEST_SENTENCE,
    given: Given | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Addition:
    """Add one source, within the caller's transaction. Raises CorpusError, which names file and line.

    given: what is said of its documents beside their comments.
    """
    corpus, handler, given = name or source.name, handler or FaultHandler(), given or Given()
    refuse_name(database, corpus)
    before = last_sentence(database)
    corpus_id = next_corpus(database)
    with drafting(database) as draft:
        begin_corpus(draft, corpus_id, corpus, given)
        pairs, tokens = PairCounts(draft, settings), 0
        reading = chunks_as_tokens(
            draft.database, settings, source, handler=handler, longest=longest, comments=given.sentence_names
        )
        with closing(reading) as chunks:
            for chunk, found in chunks:
                keep_sentences(draft)
                if found:
                    count_chunk(draft, settings, source, chunk, pairs)
                tokens += found
                progress(Progress(corpus, source.bytes_read, source.size, tokens))
        if not tokens:
            raise CorpusError(f"{source.place}: no valid sentence{left_out(handler)}")
        if not again:
            refuse_content(database, source)
        metadata.settle(draft.database, given, corpus)
        pairs.bring()
        metadata.bring(database, draft.database, draft.store, corpus)
    sentences = last_sentence(database) - before
    counted = {"id": corpus_id, "name": corpus, "sentences": sentences, "tokens": tokens, "kind": "trees"}
    note_corpus(database, {**counted, "skipped": handler.skipped.total()}, source)
    grown(database)
    return Addition(corpus, sentences, tokens, dict(handler.skipped))


def begin_corpus(draft: Draft, corpus_id: int, corpus: str, given: Given) -> None:
    """Tell the statements of a draft which corpus it is; its first document is called like it, if nothing is said."""
    draft.database.set(
        corpus_id=corpus_id,
        corpus_name=corpus,
        open_document=corpus,
        documents_begun=0,
        documents_before=draft.documents_before,
        sentence_meta=list(given.sentence_names) or SqlText("[]::VARCHAR[]"),
    )
    draft.database.run(statement("counting/keep/said"))


def left_out(handler: FaultHandler) -> str:
    """What to say if nothing is left of a source."""
    if handler.skipped:
        return f"; {handler.skipped.total():,} were skipped"
    return "; CoNLL-U has a line of 10 columns for each word"


def keep_sentences(draft: Draft) -> None:
    """Store the sentences of a chunk and their documents; the last one goes on in the next chunk.

    Where all sentences are left out, what is said of documents still holds for those that follow.
    """
    database = draft.database
    database.set(sentences_before=draft.last_sentence())
    run_steps(database, steps.KEEP_SENTENCES)
    last, begun = database.rows(statement("counting/keep/open_document"))[0]
    database.set(open_document=last, documents_begun=begun)


def count_chunk(draft: Draft, settings: Settings, source: Source, chunk: Chunk, pairs: PairCounts) -> None:
    """Store and count the chunk that was read."""
    database = draft.database
    keep_and_pack(database, settings)
    if database.value("SELECT (SELECT count(*) FROM packed) < (SELECT count(*) FROM node)"):
        refuse_circle(database, source, chunk)
    pairs.count()
