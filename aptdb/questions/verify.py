"""Checks a lexicon: counts its stored trees again, and reports every row that differs."""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from aptdb.core.errors import CorpusError, QuestionError
from aptdb.core.result import Result
from aptdb.counting import subcorpora
from aptdb.counting.conditions import parsed
from aptdb.counting.consistency import Difference, broken_tables, rows_of
from aptdb.counting.count_trees import OTHER
from aptdb.counting.reading import LONGEST_SENTENCE
from aptdb.counting.stored_corpora import attach, merge_attached
from aptdb.questions.verify_derived import wrong_entries, wrong_evaluations, wrong_subcorpora, wrong_weightings
from aptdb.store import schema
from aptdb.store.counts_folder import TABLES, check_whole
from aptdb.store.counts_location import CountsPlace, reach_of
from aptdb.store.database import Database
from aptdb.store.file_writing import scratch_folder, with_log
from aptdb.store.limits import Limits
from aptdb.store.session import Session
from aptdb.store.sql_text import literal
from aptdb.store.statements import statement

COLUMNS = ("what", "row", "found", "expected")
CHECKS = (
    "counting/verify/counts",
    "counting/verify/lexemes",
    "counting/verify/words",
    "counting/verify/relations",
    "counting/verify/joined",
    "counting/verify/nodes",
    "counting/verify/totals",
    "counting/verify/paths",
    "counting/verify/symmetry",
    "counting/verify/corpora",
    "counting/verify/documents",
    "counting/verify/kinds",
    "counting/verify/given",
)
# Those of a lexicon whose counts are in a folder: the others compare with stored trees.
CHECKS_ELSEWHERE = (
    "counting/verify/nodes",
    "counting/verify/totals",
    "counting/verify/paths",
    "counting/verify/symmetry",
)
Follow = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Result):
    """Rows that differ. differences: the same rows as data."""

    differences: tuple[Difference, ...] = ()


def verify(session: Session, *, max_sentence: int = LONGEST_SENTENCE, progress: Follow = lambda *_: None) -> Verified:
    """Return what is wrong in a lexicon: rows of what, row, found, expected; none if the lexicon is sound.

    Counts the stored trees again. Compares marginals and totals with the sums of counts, counts with those from their
    other end, kept weights with their definitions, and entries with what their phrases compose to; and reads every
    column of every table. Where the counts are in a folder, that is checked too. The file is only read. max_sentence:
    see `Lexicon.add`. Raises LexiconError if a table cannot be read, or a sentence is too long.
    """
    session.reading()
    counts = session.counts()
    session.let_go()
    found = tuple(differences(session, counts, max_sentence, progress))
    return Verified(COLUMNS, ("VARCHAR",) * len(COLUMNS), [each.cells() for each in found], found)


def differences(session: Session, counts: CountsPlace | None, longest: int, progress: Follow) -> Iterator[Difference]:
    """Yield what differs from what it must be.

    Counts must be those of the stored trees and of corpora of counts; marginals and totals must be sums of counts;
    counts must be symmetric under inverse paths; kept weights must match their definition, and entries their phrases,
    where they are not stale. progress is told how many tokens of how many are counted. The file is only read. If
    tables are not ours, or rows are there twice or refer to missing rows, nothing else is checked. Raises LexiconError
    if a table cannot be read, or the stored trees are damaged.
    """
    file = session.file
    with closing(Database(file, read_only=True, limits=session.limits, reach=reach_of(counts))) as database:
        broken = broken_tables(database)
    if broken or counts:
        yield from broken or differences_elsewhere(session, counts)
        return
    with scratch_folder() as folder:
        again = Path(folder, "recount.duckdb")
        recount(session, again, longest, progress)
        here = Limits(session.limits.memory, session.limits.temp or folder)  # the lexicon's own may be read-only
        with closing(Database(file, read_only=True, limits=here, reach=with_log(again))) as database:
            database.run(f'ATTACH {literal(str(again))} AS "/recount" (READ_ONLY)')
            database.run(statement("counting/verify/ids"))
            for check in CHECKS:
                yield from rows_of(database, check)
            yield from wrong_subcorpora(database)
            yield from wrong_derived(database)


def differences_elsewhere(session: Session, counts: CountsPlace | None) -> Iterator[Difference]:
    """Yield what differs in a lexicon whose counts are in a folder, and in that folder; there are no trees to count."""
    assert counts is not None
    try:
        check_whole(counts.folder, counts.manifest)
    except CorpusError as error:
        yield Difference("folder of counts", None, str(counts.folder), str(error), "whole")
        return
    files = {table: [str(counts.folder / each.path) for each in counts.manifest.of(table)] for table in TABLES}
    reach = [Path(each) for of_table in files.values() for each in of_table]
    with closing(Database(session.file, read_only=True, limits=session.limits, reach=reach)) as database:
        for check in CHECKS_ELSEWHERE:
            yield from rows_of(database, check)
        yield from rows_of(database, "counting/verify/opened", lexemes=files["lexemes"], paths=files["paths"])
        yield from wrong_derived(database)


def wrong_derived(database: Database) -> Iterator[Difference]:
    """Weightings, entries and evaluations that are not what is made of the counts."""
    yield from wrong_weightings(database)
    yield from wrong_entries(database)
    yield from wrong_evaluations(database)


def recount(session: Session, again: Path, longest: int, progress: Follow) -> None:
    """Count the trees of a lexicon into a new one."""
    with (
        closing(Database(again, read_only=False, limits=session.limits, reach=with_log(session.file))) as database,
        database.transaction(),
    ):
        schema.create(database, session.settings)
        attach(database, session.file)
        merge_attached(
            database, session.settings, session.file, prefix="", longest=longest, progress=progress, checked=False
        )
        database.run(f"INSERT INTO _store.subcorpus FROM {OTHER}.subcorpus WHERE state = {literal('kept')}")
    recount_subcorpora(again, session)


def recount_subcorpora(again: Path, session: Session) -> None:
    """Count the subcorpora that are kept again; those that cannot be are left out."""
    with closing(Database(again, read_only=False, limits=session.limits)) as database:
        for name, text in database.rows("SELECT name, condition FROM _store.subcorpus ORDER BY name"):
            with database.transaction(), suppress(QuestionError):
                subcorpora.keep(database, session.settings, name, parsed(text))
