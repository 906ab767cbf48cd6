"""Takes a corpus out of a lexicon again: exactly what it added, and what was there for it alone."""

import sqlalchemy as sa

from aptdb.counting import counts_only
from aptdb.counting.corpora import corpus_called
from aptdb.counting.count_pairs import grown
from aptdb.counting.stored_trees import count_own
from aptdb.errors import LexiconError
from aptdb.settings import Settings
from aptdb.store import tables
from aptdb.store.database import Database
from aptdb.store.session import MEMORY, Session
from aptdb.store.statements import statement


def remove(session: Session, corpus: str) -> None:
    """Take a corpus out again: exactly what it added. Raises CorpusError where there is none of that name."""
    with session.writing(MEMORY) as database:
        take_out(database, session.settings, corpus)


def take_out(database: Database, settings: Settings, name: str) -> None:
    """Take a corpus out, within the transaction that the caller has begun.

    Its counts are what its stored trees (or its own counts) come to now. Raises CorpusError where there is no such
    corpus, and LexiconError where the lexicon's counts are not those of its trees.
    """
    found = corpus_called(database, name)
    database.set(corpus_id=found.id)
    if found.kind == "counts":
        counts_only.take_out(database, found.id)
    else:
        count_own(database, settings, found.id).merge(sign=-1)
        database.run(statement("counting/remove/forget_trees"))
    if database.value(statement("counting/remove/wrong_counts")):
        raise LexiconError(
            f"{database.file}: the counts are not those of the stored trees, so that nothing was removed; "
            f"see what differs with: aptdb verify {database.file}"
        )
    database.run(sa.delete(tables.corpus).where(tables.corpus.c.id == found.id))
    grown(database)
