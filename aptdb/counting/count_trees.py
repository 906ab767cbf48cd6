"""Count trees: those of a source while it is read, and those stored in a lexicon."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from aptdb.core.errors import CorpusError, LexiconError
from aptdb.core.settings import LONGEST_SENTENCE, Settings
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import metadata, steps
from aptdb.counting.count_pairs import CountedPairs, grown, merge_added
from aptdb.counting.metadata import Given
from aptdb.counting.reading import (
    chunks_as_tokens,
    code,
    limit_sentences,
    refuse_circle,
    set_settings,
)
from aptdb.counting.staging import (
    Addition,
    Draft,
    Progress,
    drafting,
    last_sentence,
    next_corpus,
    note_corpus,
    refuse_content,
    refuse_name,
)
from aptdb.counting.steps import keep_and_pack, run_steps
from aptdb.store.database import Database
from aptdb.store.statements import SqlText, statement


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
    """Add one source, within the caller's transaction. Raise CorpusError, which names file and line.

    given: metadata of its documents that is not in its comments.
    """
    corpus, handler, given = name or source.name, handler or FaultHandler(), given or Given()
    refuse_name(database, corpus)
    before = last_sentence(database)
    corpus_id = next_corpus(database)
    given, remembered = metadata.as_before(database, given)
    with drafting(database, whole=bool(settings.join)) as draft:  # joined words are looked for among all
        begin_corpus(draft, corpus_id, corpus, given)
        pairs, tokens = CountedPairs(draft.database, settings), 0
        reading = chunks_as_tokens(
            draft.database,
            settings,
            source,
            handler=handler,
            longest=longest,
            comments=given.comments,
            known=draft.known,
        )
        with closing(reading) as chunks:
            for chunk, found in chunks:
                keep_sentences(draft)
                if found:
                    count_chunk(draft, settings, source, chunk, pairs, handler)
                tokens += found
                not_all = chunk.bytes_read if source.size is None else min(chunk.bytes_read, source.size - 1)
                progress(Progress(corpus, not_all, source.size, tokens))
        refuse_empty(source, tokens, handler)
        progress(Progress(corpus, source.bytes_read, source.size, tokens))
        if not again:
            refuse_content(database, source)
        metadata.settle(draft.database, given, corpus, source.name, remembered)
        pairs.fold()
        draft.bring_trees()
        merge_added(draft.bring_counts(1))
        metadata.bring(database, draft.database, draft.store, corpus)
    sentences = last_sentence(database) - before
    counted = {"id": corpus_id, "name": corpus, "sentences": sentences, "tokens": tokens}
    how = {"kind": "trees", "has_direct": True, "skipped": handler.skipped.total()}
    note_corpus(database, {**counted, **how}, source)
    grown(database)
    return Addition(corpus, sentences, tokens, dict(handler.skipped))


def begin_corpus(draft: Draft, corpus_id: int, corpus: str, given: Given) -> None:
    """Set the variables of a corpus in a draft; without comments its only document has the name of the corpus."""
    draft.database.set(
        corpus_id=corpus_id,
        corpus_name=corpus,
        open_document=corpus,
        documents_begun=0,
        documents_before=draft.documents_before,
        sentence_meta=given.comments or SqlText("[]::VARCHAR[]"),
    )
    draft.database.run(statement("counting/keep/said"))


def refuse_empty(source: Source, tokens: int, handler: FaultHandler) -> None:
    """Raise CorpusError if a source has no token to count."""
    if not tokens:
        raise CorpusError(f"{source.place}: no valid sentence{left_out(handler)}")


def left_out(handler: FaultHandler) -> str:
    """Return the end of the error for a source without valid sentences."""
    if handler.skipped:
        return f"; {handler.skipped.total():,} were skipped"
    return "; CoNLL-U has a line of 10 columns for each word"


def keep_sentences(draft: Draft) -> None:
    """Store the sentences and documents of a chunk; the last document continues in the next chunk.

    Where all sentences are left out, metadata of documents still holds for those that follow.
    """
    database = draft.database
    database.set(sentences_before=draft.last_sentence())
    run_steps(database, steps.KEEP_SENTENCES)
    last, begun = database.rows(statement("counting/keep/open_document"))[0]
    database.set(open_document=last, documents_begun=begun)


def count_chunk(
    draft: Draft, settings: Settings, source: Source, chunk: Chunk, pairs: CountedPairs, handler: FaultHandler
) -> None:
    """Store and count the current chunk."""
    database = draft.database
    keep_and_pack(database, settings)
    if database.value("SELECT (SELECT count(*) FROM packed) < (SELECT count(*) FROM node)"):
        refuse_circle(database, source, chunk, FaultHandler(mend=handler.mend))
    pairs.count()


OTHER = '"/other"._store'  # the store of a lexicon that is attached
EVERY = SqlText("true")
CHOSEN = SqlText("token.sentence_id IN (SELECT sentence_id FROM _store.chosen_sentence)")


def stored_chunks(
    database: Database,
    settings: Settings,
    store: str,
    corpus_id: int,
    *,
    longest: int | None = None,
    chosen: SqlText = EVERY,
) -> Iterator[None]:
    """Read the stored trees of a corpus, chunk by chunk, into `token` and `node`, under these settings.

    chosen: a condition on the ids of its sentences. longest: the maximum number of words of a sentence, and a
    thousandth of its pairs of words; None for any number. Raises LexiconError.
    """
    set_settings(database, settings)
    which = {"store": SqlText(store), "chosen": chosen}
    for first, last in database.rows(statement("counting/stored_trees/parts", **which), {"corpus": corpus_id}):
        database.set(first_sentence=first, last_sentence=last)
        database.run(statement("counting/stored_trees/stored_line", **which))
        if longest is not None:
            refuse_long(database, store, longest)
        refuse_no_tree(database, store)
        code(database, settings)
        yield


def refuse_damaged(database: Database, store: str, file: Path, name: str | None = None) -> None:
    """Raise LexiconError if the stored trees of a corpus are not those that it recorded. file: their lexicon.

    They must be as many sentences and tokens, each once, of words, relations and documents that are there. name: the
    corpus; None for all.
    """
    for corpus, problem in database.rows(in_store("counting/stored_trees/damage", store), {"corpus": name}):
        raise LexiconError(
            f"{file}: the stored trees of corpus {corpus} are damaged: {problem}; use a backup copy, or add that "
            "corpus to a new lexicon"
        )


def refuse_long(database: Database, store: str, longest: int) -> None:
    """Raise LexiconError if a stored sentence has too many words or pairs of words to count."""
    limit_sentences(database, longest)
    run_steps(database, steps.LONG)
    found = database.first(in_store("counting/stored_trees/first_too_long", store))
    if found:
        raise LexiconError(
            f"sentence {found.sentence} (corpus {found.corpus}) has {found.words:,} words and {found.pairs:,} pairs of "
            f"words to count; at most {longest:,} and a thousand times as many are allowed; raise this with "
            "--max-sentence"
        )


def refuse_no_tree(database: Database, store: str) -> None:
    """Raise LexiconError for the first stored words that do not form a tree."""
    run_steps(database, steps.CIRCLES)
    found = database.first(in_store("counting/stored_trees/first_no_tree", store))
    if found:
        raise LexiconError(
            f"the stored trees are damaged: the head of word {found.position} of sentence {found.sentence} (corpus "
            f"{found.corpus}) leads to no root; use a backup copy, or add that corpus to a new lexicon"
        )


def count_stored(
    draft: Draft,
    settings: Settings,
    corpora: Iterable[int],
    *,
    chosen: SqlText = EVERY,
    follow: Callable[[int], None] = lambda tokens: None,
) -> CountedPairs:
    """Count the trees of corpora of the lexicon; return the counts, summed.

    chosen: see `stored_chunks`. follow: called with the tokens of each chunk that was counted.
    """
    pairs = CountedPairs(draft.database, settings)
    for each in corpora:
        for _ in stored_chunks(draft.database, settings, draft.own, each, chosen=chosen):
            run_steps(draft.database, steps.PACK)
            pairs.count()
            follow(int(draft.database.value("SELECT count(*) FROM token")))
    pairs.fold()
    return pairs


def choose(draft: Draft, store: str, choice: SqlText) -> list[int]:
    """Store the ids of the chosen sentences in a draft; return the ids of their corpora.

    choice: the statement that selects the sentences.
    """
    draft.database.run(statement("counting/subcorpus/chosen", choice=choice))
    return [int(row[0]) for row in draft.database.rows(in_store("counting/subcorpus/corpora", store))]


def copy_trees(
    draft: Draft,
    settings: Settings,
    corpus_id: int,
    own_id: int,
    pairs: CountedPairs,
    *,
    longest: int,
    chosen: SqlText = EVERY,
) -> None:
    """Store and count the trees of a corpus of the attached lexicon, as the corpus own_id of this one."""
    database = draft.database
    database.set(corpus_id=own_id)
    asked = {"corpus": corpus_id, "before": draft.documents_before}
    database.run(statement("counting/stored_trees/copy_documents", store=SqlText(OTHER), chosen=chosen), asked)
    for _ in stored_chunks(database, settings, OTHER, corpus_id, longest=longest, chosen=chosen):
        database.set(sentences_before=draft.last_sentence())
        database.run(in_store("counting/stored_trees/copy_sentences", OTHER))
        keep_and_pack(database, settings)
        pairs.count()


def in_store(name: str, store: str) -> str:
    """Return a statement with the name of a store filled in."""
    return statement(name, store=SqlText(store))
