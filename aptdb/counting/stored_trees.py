"""Counts trees that a lexicon stores, its own or one that is attached, as if they were read from their file again."""

from collections.abc import Iterator

from aptdb.counting import steps
from aptdb.counting.corpora import last_sentence
from aptdb.counting.count_pairs import Tally
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
    """Read the stored trees of a corpus, chunk after chunk, into `token` and `node`, by these settings."""
    set_settings(database, settings)
    for first, last in database.rows(in_store("counting/stored_trees/parts", store), {"corpus": corpus_id}):
        database.set(first_sentence=first, last_sentence=last)
        database.run(in_store("counting/stored_trees/stored_line", store))
        refuse_no_tree(database, store)
        code(database, settings)
        yield


def refuse_no_tree(database: Database, store: str) -> None:
    """Raise LexiconError where stored words are no tree, naming the first that is at fault."""
    run_steps(database, steps.CIRCLES)
    found = database.run(in_store("counting/stored_trees/first_no_tree", store)).first()
    if found:
        raise LexiconError(
            f"the stored trees are damaged: the head of word {found.position} of sentence {found.sentence} (corpus "
            f"{found.corpus}) leads to no root; take the lexicon from a copy, or add that corpus to a new one"
        )


def count_own(database: Database, settings: Settings, corpus_id: int) -> Tally:
    """Count the trees of one of the lexicon's own corpora, without a change to the lexicon."""
    tally = Tally(database, settings)
    for _ in stored_chunks(database, settings, OWN, corpus_id):
        run_steps(database, steps.PACK)
        tally.count()
    return tally


def copy_trees(database: Database, settings: Settings, corpus_id: int, own_id: int, tally: Tally) -> None:
    """Store and count the trees of a corpus of the attached lexicon, as the corpus own_id of this one."""
    database.set(corpus_id=own_id)
    for _ in stored_chunks(database, settings, OTHER, corpus_id):
        database.set(sentences_before=last_sentence(database))
        database.run(in_store("counting/stored_trees/copy_sentences", OTHER))
        keep_and_pack(database, settings)
        tally.count()


def in_store(name: str, store: str) -> str:
    """A statement about a store, this lexicon's or another's."""
    return statement(name, store=SqlText(store))
