"""Count trees: those of a source while it is read, and those stored in a lexicon."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from aptdb.core.errors import LexiconError
from aptdb.core.one_line import name_first
from aptdb.core.settings import LONGEST_SENTENCE, Settings
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.joined_files import JoinedFiles, JointHandler, RefusedFilesError
from aptdb.corpus.sources import Chunk, Source
from aptdb.counting import metadata, steps
from aptdb.counting.count_pairs import CountedPairs, merge_added
from aptdb.counting.metadata import Given
from aptdb.counting.reading import chunks_as_tokens, code_chunk, limit_sentences, refuse_rootless_word, set_settings
from aptdb.counting.staging import (
    Addition,
    Draft,
    NewCorpus,
    OpenDocument,
    Progress,
    next_corpus,
    note_sentences,
    note_tokens,
    open_draft,
    place_parts,
    record_new_corpora,
    refuse_names_of_others,
    refuse_useless,
    refusing_all,
    tell_of_all,
    tell_of_chunk,
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
    with_misc: bool = True,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Addition:
    """Add one source, within the caller's transaction. Raise CorpusError, which names file and line.

    given: metadata of its documents that is not in its comments. with_misc: whether MISC and DEPS are stored.
    """
    corpus = NewCorpus(next_corpus(database), name or source.name, source, with_misc)
    handler = handler or FaultHandler()
    try:
        how: dict[str, Any] = {"again": again, "longest": longest, "given": given, "progress": progress}
        count_new_trees(database, settings, source, [corpus], handler=handler, **how)
    except RefusedFilesError as refused:
        raise refused.why[0] from None
    corpus.skipped = handler.skipped
    return record_new_corpora(database, [corpus])[0]


def count_joined(
    database: Database,
    settings: Settings,
    joined: JoinedFiles,
    names: Sequence[str],
    *,
    handler: JointHandler,
    with_misc: bool = True,
    **how: Any,
) -> list[Addition]:
    """Add joined files as corpora of these names, within the caller's transaction. how: see `count_source`.

    Raises RefusedFilesError, with the files that cannot be added, before anything is counted.
    """
    first = next_corpus(database)
    named = enumerate(zip(names, joined.files, strict=True), first)
    corpora = [NewCorpus(number, name, file, with_misc) for number, (name, file) in named]
    count_new_trees(database, settings, joined, corpora, handler=handler, **how)
    for at, skipped in handler.skipped.items():
        corpora[at].skipped = skipped
    return record_new_corpora(database, corpora)


def count_new_trees(
    database: Database,
    settings: Settings,
    source: Source | JoinedFiles,
    corpora: Sequence[NewCorpus],
    *,
    again: bool,
    handler: FaultHandler | JointHandler,
    longest: int,
    given: Given | None,
    progress: Callable[[Progress], None],
) -> None:
    """Add the trees of a source that is one corpus, or of joined files that are one each. Raise RefusedFilesError."""
    refuse_names_of_others(database, corpora)
    with refusing_all(corpora):
        given, before = metadata.as_before(database, given or Given())
    with open_draft(database, whole=bool(settings.join)) as draft:  # joined words are looked for among all
        begin_corpora(draft, given)
        pairs = CountedPairs(draft.database, settings)
        how: dict[str, Any] = {"handler": handler, "longest": longest, "comments": given.comments, "known": draft.known}
        how["with_misc"] = corpora[0].has_misc
        open_ = OpenDocument(corpora[0].name)
        with closing(chunks_as_tokens(draft.database, settings, source, **how)) as chunks:
            for chunk, found in chunks:
                place_parts(draft.database, source, corpora, open_)
                note_tokens(draft.database, corpora, found)
                if len(corpora) > 1:  # there is only this chunk, and what is refused now is not counted
                    refuse_useless(database, corpora, handler, again=again)
                open_ = keep_sentences(draft)
                if found:
                    count_chunk(draft, settings, source, chunk, pairs, handler)
                tell_of_chunk(source, corpora, chunk, progress)
        refuse_useless(database, corpora, handler, again=again)
        tell_of_all(corpora, progress)
        columns = metadata.collect_metadata(database, draft.database, given, corpora, before)
        pairs.fold()
        note_sentences(draft.database, corpora)
        draft.bring_trees()
        merge_added(draft.bring_counts(1))
        metadata.move_metadata(database, draft.store, columns, name_first([each.name for each in corpora], 1))


def begin_corpora(draft: Draft, given: Given) -> None:
    """Set the variables of new corpora in a draft."""
    draft.database.set(
        documents_before=draft.documents_before, sentence_meta=given.comments or SqlText("[]::VARCHAR[]")
    )
    draft.database.run(statement("counting/keep/said"))


def keep_sentences(draft: Draft) -> OpenDocument:
    """Store the sentences and documents of a chunk; the last document continues in the next chunk.

    Returns it, and how many have begun. Where all sentences are left out, metadata of documents still holds for those
    that follow.
    """
    draft.database.set(sentences_before=draft.last_sentence())
    run_steps(draft.database, steps.KEEP_SENTENCES)
    return OpenDocument(*draft.database.rows(statement("counting/keep/open_document"))[0])


def count_chunk(
    draft: Draft,
    settings: Settings,
    source: Source | JoinedFiles,
    chunk: Chunk,
    pairs: CountedPairs,
    handler: FaultHandler | JointHandler,
) -> None:
    """Store and count the current chunk."""
    database = draft.database
    keep_and_pack(database, settings)
    if database.value("SELECT (SELECT count(*) FROM packed) < (SELECT count(*) FROM node)"):
        refuse_rootless_word(database, source, chunk, FaultHandler(mend=handler.mend))
    pairs.count()


OTHER = '"/other"._store'  # the store of a lexicon that is attached
EVERY = SqlText("true")
CHOSEN = SqlText("token.sentence_id IN (SELECT sentence_id FROM _store.chosen_sentence)")


def stored_chunks(
    database: Database,
    settings: Settings,
    store: str,
    corpora: Sequence[int],
    *,
    longest: int | None = None,
    chosen: SqlText = EVERY,
    with_misc: bool = False,
) -> Iterator[None]:
    """Read the stored trees of corpora, chunk by chunk, into `token` and `node`, under these settings.

    chosen: a condition on the ids of their sentences. longest: the maximum number of words of a sentence, and a
    thousandth of its pairs of words; None for any number. with_misc: whether MISC and DEPS are read. Raises
    LexiconError.
    """
    set_settings(database, settings)
    database.set(with_misc=with_misc)
    if len(corpora) > 1:  # between their sentences there may be others
        database.set(stored_corpora=corpora)
        own = in_store("counting/stored_trees/sentences", store)
        chosen = SqlText(f"{chosen} AND token.sentence_id IN ({own})")
    which = {"store": SqlText(store), "chosen": chosen}
    for first, last in database.rows(statement("counting/stored_trees/parts", **which), {"corpora": corpora}):
        database.set(first_sentence=first, last_sentence=last)
        database.run(statement("counting/stored_trees/stored_line", **which))
        if longest is not None:
            refuse_long(database, store, longest)
        refuse_no_tree(database, store)
        code_chunk(database, settings)
        yield


def refuse_damaged(database: Database, store: str, file: Path, names: Sequence[str] | None = None) -> None:
    """Raise LexiconError if the stored trees of corpora are not those that they recorded. file: their lexicon.

    They must be as many sentences and tokens, each once, of words, relations and documents that are there. names: the
    corpora; None for all.
    """
    asked = {"corpora": None if names is None else [*names]}
    for corpus, problem in database.rows(in_store("counting/stored_trees/damage", store), asked):
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
    for _ in stored_chunks(draft.database, settings, draft.own, [*corpora], chosen=chosen):
        run_steps(draft.database, steps.PACK)
        pairs.count()
        follow(int(draft.database.value("SELECT count(*) FROM token")))
    pairs.fold()
    return pairs


def choose_sentences(draft: Draft, store: str, choice: SqlText) -> list[int]:
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
    how: dict[str, Any] = {"longest": longest, "chosen": chosen, "with_misc": True}
    for _ in stored_chunks(database, settings, OTHER, [corpus_id], **how):
        database.set(sentences_before=draft.last_sentence())
        database.run(in_store("counting/stored_trees/copy_sentences", OTHER))
        keep_and_pack(database, settings)
        pairs.count()


def in_store(name: str, store: str) -> str:
    """Return a statement with the name of a store filled in."""
    return statement(name, store=SqlText(store))
