"""Takes a corpus out of a lexicon again: exactly what it added, and what was there for it alone."""

import sqlalchemy as sa

from aptdb.counting import counts_only
from aptdb.counting.count_pairs import grown
from aptdb.counting.stored_trees import count_own
from aptdb.errors import CorpusError, LexiconError
from aptdb.settings import Settings
from aptdb.store import tables
from aptdb.store.database import Database
from aptdb.store.statements import statement


def remove(database: Database, settings: Settings, name: str) -> None:
    """Take a corpus out, within the transaction that the caller has begun.

    Its counts are what its stored trees (or its own counts) come to now. Raises CorpusError where there is no such
    corpus, and LexiconError where the lexicon's counts are not those of its trees.
    """
    found = corpus(database, name)
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


def corpus(database: Database, name: str) -> sa.Row[tuple[int, str]]:
    """The id and kind of a corpus. Raises CorpusError, with the names there are."""
    table = tables.corpus
    found = database.run(sa.select(table.c.id, table.c.kind).where(table.c.name == name)).first()
    if found is None:
        names = [row[0] for row in database.rows(statement("store/corpora"))]
        raise CorpusError(f"no corpus {name}; there is {', '.join(names) or 'none'}")
    return found
