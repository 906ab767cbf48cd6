"""Counts the stored trees of a lexicon, this one or an attached one, as if their file was read again."""

from collections.abc import Iterable, Iterator

from aptdb.counting import steps
from aptdb.counting.count_pairs import PairCounts
from aptdb.counting.draft import Draft
from aptdb.counting.reading import code, limit_sentences, set_settings
from aptdb.counting.steps import keep_and_pack, run_steps
from aptdb.errors import LexiconError
from aptdb.settings import Settings
from aptdb.store.database import Database
from aptdb.store.literals import SqlText
from aptdb.store.statements import statement

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
    """Read the stored trees of a corpus, one chunk after another, into `token` and `node`, with these settings.

    chosen: which of its sentences, as a condition on their ids. longest: words of a sentence, at most, and a thousandth
    of the pairs that it may have; None for any number. Raises LexiconError.
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


def refuse_long(database: Database, store: str, longest: int) -> None:
    """Raise LexiconError if a stored sentence has too many words, or pairs of words, to be counted."""
    limit_sentences(database, longest)
    run_steps(database, steps.LONG)
    found = database.run(in_store("counting/stored_trees/first_too_long", store)).first()
    if found:
        raise LexiconError(
            f"sentence {found.sentence} (corpus {found.corpus}) has {found.words:,} words and {found.pairs:,} pairs of "
            f"words to count; at most {longest:,} and a thousand times as many are allowed; raise this with "
            "--max-sentence"
        )


def refuse_no_tree(database: Database, store: str) -> None:
    """Raise LexiconError if stored words are not a tree, naming the first that is wrong."""
    run_steps(database, steps.CIRCLES)
    found = database.run(in_store("counting/stored_trees/first_no_tree", store)).first()
    if found:
        raise LexiconError(
            f"the stored trees are damaged: the head of word {found.position} of sentence {found.sentence} (corpus "
            f"{found.corpus}) leads to no root; use a backup copy, or add that corpus to a new lexicon"
        )


def count_own(draft: Draft, settings: Settings, corpus_id: int) -> PairCounts:
    """Count the trees of a corpus of the lexicon."""
    pairs = PairCounts(draft, settings)
    for _ in stored_chunks(draft.database, settings, draft.own, corpus_id):
        run_steps(draft.database, steps.PACK)
        pairs.count()
    return pairs


def choose(draft: Draft, store: str, choice: SqlText) -> list[int]:
    """Note in a draft which sentences of a store are counted; returns the ids of the corpora that they are of.

    choice: the statement that gives their ids.
    """
    draft.database.run(statement("counting/part/chosen", choice=choice))
    return [int(row[0]) for row in draft.database.rows(in_store("counting/part/corpora", store))]


def count_chosen(draft: Draft, settings: Settings, corpora: Iterable[int]) -> PairCounts:
    """Count those trees of the lexicon that were chosen."""
    pairs = PairCounts(draft, settings)
    for each in corpora:
        for _ in stored_chunks(draft.database, settings, draft.own, each, chosen=CHOSEN):
            run_steps(draft.database, steps.PACK)
            pairs.count()
    return pairs


def copy_trees(
    draft: Draft,
    settings: Settings,
    corpus_id: int,
    own_id: int,
    pairs: PairCounts,
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
    """A statement about a store, of this lexicon or another."""
    return statement(name, store=SqlText(store))
