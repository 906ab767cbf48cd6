"""Bring an older lexicon up to date: its tables, and the direct counts, which are counted from its stored trees."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from aptdb.core.errors import AptWarning, warn
from aptdb.counting.count_pairs import merge_added
from aptdb.counting.count_trees import count_stored
from aptdb.counting.exported import restore_exported
from aptdb.counting.staging import open_draft
from aptdb.counting.subcorpora import count_again
from aptdb.store import compaction, schema, verified_files
from aptdb.store.lazy_imports import sa, tables
from aptdb.store.session import Session, migrate_tables
from aptdb.store.statements import statement

Follow = Callable[[int, int], None]  # called with tokens counted and in all


def migrate(file: str | Path, *, exported: str | Path | None = None, progress: Follow = lambda *_: None) -> str:
    """Update an older lexicon to this version; return its former schema.

    First its tables, then its direct counts, each completely or not at all. If the second was stopped, questions are
    answered from packed counts, and `verify` refuses the lexicon until the next call has counted them. exported: the
    folder into which another version of DuckDB exported the lexicon, of which a new file is made. Raises LexiconError.
    """
    if exported is not None and (others := restore_exported(Path(file), Path(exported))):
        warn(f"{exported} has tables that are not aptdb's, and stay there: {', '.join(others)}", AptWarning)
    found = migrate_tables(Path(file))
    with closing(Session(Path(file), create=False, confined=True, given={})) as session:
        if count_direct(session, progress):
            session.let_go()
            compaction.give_back(session.file, session.limits, at_any_cost=True)
            verified_files.record_verified(session.file)
    return found


def count_direct(session: Session, progress: Follow) -> bool:
    """Count the direct counts of all corpora with trees that have none, and of subcorpora, in one transaction.

    Returns whether there were any. All counts are rewritten, so that the file has unused space afterwards.
    """
    if session.is_empty() or not (corpora := dict(session.reading().rows(statement("counting/without_direct")))):
        return False
    done, total = 0, sum(corpora.values())

    def follow(tokens: int) -> None:
        nonlocal done
        done += tokens
        progress(done, total)

    with session.writing() as database:
        with open_draft(database) as draft:
            count_stored(draft, session.settings, corpora, follow=follow)
            merge_added(draft.bring_counts(0, sign_of_merged=1))
        if database.value(statement("counting/remove/wrong_counts")):
            raise schema.changed_by_others(database, "its counts do not match its stored trees")
        database.run(sa.update(tables.corpus).where(tables.corpus.c.id.in_(corpora)).values(has_direct=True))
        count_again(database, session.settings)
        schema.renew(database)
    return True
