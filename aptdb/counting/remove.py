"""Removes a corpus from a lexicon: exactly what it added, and everything that only it used."""

from aptdb.counting import counts_only, metadata
from aptdb.counting.corpora import corpus_called
from aptdb.counting.count_pairs import grown
from aptdb.counting.draft import drafting
from aptdb.counting.stored_trees import count_own
from aptdb.errors import LexiconError
from aptdb.settings import Settings
from aptdb.store.database import Database
from aptdb.store.lazily import sa, tables
from aptdb.store.session import Session
from aptdb.store.statements import statement


def remove(session: Session, corpus: str) -> None:
    """Remove a corpus: exactly what it added. Raises CorpusError if there is no corpus of this name."""
    session.refuse_counts_elsewhere("nothing can be removed from it")
    with session.writing() as database:
        take_out(database, session.settings, corpus)


def take_out(database: Database, settings: Settings, name: str) -> None:
    """Remove a corpus, within the caller's transaction.

    Subtracts the counts of its stored trees (or its own counts). Raises CorpusError if there is no such corpus, and
    LexiconError if the counts of the lexicon do not match its trees.
    """
    found = corpus_called(database, name)
    database.set(corpus_id=found.id)
    if found.kind == "counts":
        counts_only.take_out(database, found.id)
    else:
        with drafting(database) as draft:
            count_own(draft, settings, found.id).take_out()
        database.run(statement("counting/remove/forget_trees"))
        metadata.drop_unused(database)
    if database.value(statement("counting/remove/wrong_counts")):
        raise LexiconError(
            f"{database.file}: the counts do not match the stored trees, so nothing was removed; "
            f"see the differences with: aptdb verify {database.file}"
        )
    database.run(sa.delete(tables.corpus).where(tables.corpus.c.id == found.id))
    grown(database)
