"""Counts the stored trees of a lexicon, this one or an attached one, as if their file was read again."""

from collections.abc import Iterator

from aptdb.counting import steps
from aptdb.counting.corpora import last_sentence
from aptdb.counting.count_pairs import PairCounts
from aptdb.counting.reading import code, set_settings
from aptdb.counting.steps import keep_and_pack, run_steps
from aptdb.errors import LexiconError
from aptdb.settings import Settings
from aptdb.store.database import Database
from aptdb.store.literals import SqlText
from aptdb.store.statements import statement

OWN = "_store"
OTHER = '"/other"._store'  # the store of a lexicon that is attached


def stored_chunks(database: Database, settings: Settings, store: str, corpus_id: int) -> Iterator[None]:
    """Read the stored trees of a corpus, one chunk after another, into `token` and `node`, with these settings."""
    set_settings(database, settings)
    for first, last in database.rows(in_store("counting/stored_trees/parts", store), {"corpus": corpus_id}):
        database.set(first_sentence=first, last_sentence=last)
        database.run(in_store("counting/stored_trees/stored_line", store))
        refuse_no_tree(database, store)
        code(database, settings)
        yield


def refuse_no_tree(database: Database, store: str) -> None:
    """Raise LexiconError if stored words are not a tree, naming the first that is wrong."""
    run_steps(database, steps.CIRCLES)
    found = database.run(in_store("counting/stored_trees/first_no_tree", store)).first()
    if found:
        raise LexiconError(
            f"the stored trees are damaged: the head of word {found.position} of sentence {found.sentence} (corpus "
            f"{found.corpus}) leads to no root; use a backup copy, or add that corpus to a new lexicon"
        )


def count_own(database: Database, settings: Settings, corpus_id: int) -> PairCounts:
    """Count the trees of a corpus of this lexicon, without changing the lexicon."""
    pairs = PairCounts(database, settings)
    for _ in stored_chunks(database, settings, OWN, corpus_id):
        run_steps(database, steps.PACK)
        pairs.count()
    return pairs


def copy_trees(database: Database, settings: Settings, corpus_id: int, own_id: int, pairs: PairCounts) -> None:
    """Store and count the trees of a corpus of the attached lexicon, as the corpus own_id of this one."""
    database.set(corpus_id=own_id)
    for _ in stored_chunks(database, settings, OTHER, corpus_id):
        database.set(sentences_before=last_sentence(database))
        database.run(in_store("counting/stored_trees/copy_sentences", OTHER))
        keep_and_pack(database, settings)
        pairs.count()


def in_store(name: str, store: str) -> str:
    """A statement about a store, of this lexicon or another."""
    return statement(name, store=SqlText(store))
