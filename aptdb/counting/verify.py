"""Checks a lexicon: counts its stored trees again, and reports every row that differs."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptdb.counting.merge import attach, merge_attached
from aptdb.result import Result
from aptdb.settings import Settings
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.files import with_log
from aptdb.store.literals import SqlText, literal
from aptdb.store.scratch import scratch_folder
from aptdb.store.session import Session
from aptdb.store.statements import statement
from aptdb.store.tables import metadata

MEMORY = "1GB"  # for DuckDB's own buffers; what does not fit goes to disk
COLUMNS = ("what", "row", "found", "expected")
# The keys of each table. Counts and marginals that are there twice are found when they are compared.
KEYS = (
    ("corpus", "id"),
    ("corpus", "name"),
    ("sentence", "id"),
    ("token", "sentence_id, position"),
    ("joined", "sentence_id, position"),
    ("word", "id"),
    ("word", "form, lemma, upos, xpos"),
    ("relation", "id"),
    ("relation", "text"),
    ("lexeme", "id"),
    ("lexeme", "text"),
    ("path", "id"),
    ("path", "text"),
    ("node", "id"),
    ("given_count", "corpus_id, lexeme_id, path_id, context_id"),
)
# The columns of each table that are ids of rows in another table.
REFERENCES = (
    ("sentence", "corpus_id", "corpus"),
    ("token", "sentence_id", "sentence"),
    ("token", "word_id", "word"),
    ("token", "relation_id", "relation"),
    ("joined", "sentence_id", "sentence"),
    ("joined", "word_id", "word"),
    ("word", "lexeme_id", "lexeme"),
    ("node", "lexeme_id", "lexeme"),
    ("node", "path_id", "path"),
    ("cooccurrence", "lexeme_id", "lexeme"),
    ("cooccurrence", "path_id", "path"),
    ("cooccurrence", "context_id", "lexeme"),
    ("given_count", "corpus_id", "corpus"),
    ("given_count", "lexeme_id", "lexeme"),
    ("given_count", "path_id", "path"),
    ("given_count", "context_id", "lexeme"),
)
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
)
OF_WEIGHTING = {"weight": "weight of", "size": "size under"}  # kinds of difference that are about a weighting
Follow = Callable[[int, int], None]


@dataclass(frozen=True)
class Difference:
    """A row that is wrong: its kind, its weighting (if it belongs to one), what was found and what was expected."""

    kind: str
    weighting: str | None
    row: str
    found: str
    expected: str

    def cells(self) -> tuple[str, str, str, str]:
        """The columns what, row, found, expected."""
        what = f"{OF_WEIGHTING[self.kind]} {self.weighting}" if self.weighting else self.kind
        return what, self.row, self.found, self.expected


@dataclass(frozen=True, eq=False)
class Verified(Result):
    """Rows that differ. differences: the same rows as data."""

    differences: tuple[Difference, ...] = ()


def verify(session: Session, *, progress: Follow = lambda *_: None) -> Verified:
    """What is wrong in a lexicon: rows of what, row, found, expected; none if the lexicon is sound.

    Counts the stored trees again. Compares marginals and totals with the sums of counts, counts with those from their
    other end, and kept weights with their definitions. The file is only read.
    """
    session.reading()
    session.let_go()
    found = tuple(differences(session.file, session.settings, progress))
    return Verified(COLUMNS, ("VARCHAR",) * len(COLUMNS), [each.cells() for each in found], found)


def differences(file: Path, settings: Settings, progress: Follow) -> Iterator[Difference]:
    """What differs from what it must be.

    Counts must be those of the stored trees and of corpora of counts; marginals and totals must be sums of counts;
    counts must be symmetric under inverse paths; kept weights must match their definition. progress is told how many
    tokens of how many are counted. The file is only read. If rows are there twice, or refer to missing rows, nothing
    else is checked. Raises LexiconError if the file or the stored trees are damaged.
    """
    with closing(Database(file, read_only=True, memory_limit=MEMORY)) as database:
        read_all(database)
        broken = [*broken_rows(database)]
    if broken:
        yield from broken
        return
    with scratch_folder() as folder:
        again = Path(folder, "recount.duckdb")
        recount(file, settings, again, progress)
        with closing(
            Database(file, read_only=True, memory_limit=MEMORY, temporary=folder, reach=with_log(again))
        ) as database:
            database.run(f'ATTACH {literal(str(again))} AS "/recount" (READ_ONLY)')
            database.run(statement("counting/verify/ids"))
            for check in CHECKS:
                yield from rows_of(database, check, {})
            for number, name, scheme, phi in database.rows(statement("counting/verify/kept")):
                of_weights, of_sizes = {"id": number, "name": name, "scheme": scheme}, {"id": number, "phi": phi}
                yield from rows_of(database, "counting/verify/weights", of_weights, weighting=name)
                yield from rows_of(database, "counting/verify/sizes", of_sizes, weighting=name)


def read_all(database: Database) -> None:
    """Read every table, also those that nothing is compared with. Raises LexiconError if a block is damaged."""
    for table in metadata.sorted_tables:
        database.value(statement("counting/verify/read", table=SqlText(table.name)))


def broken_rows(database: Database) -> Iterator[Difference]:
    """Rows that are there twice, or refer to rows that are not there; the kind is the table."""
    questions = [statement("counting/verify/duplicates", table=SqlText(table), key=SqlText(key)) for table, key in KEYS]
    for table, column, reference in REFERENCES:
        names = {"table": SqlText(table), "column": SqlText(column), "reference": SqlText(reference)}
        questions.append(statement("counting/verify/orphans", **names))
    for question in questions:
        yield from as_differences(database.rows(question))


def rows_of(
    database: Database, check: str, parameters: dict[str, Any], weighting: str | None = None
) -> list[Difference]:
    """The rows that a check finds."""
    return as_differences(database.rows(statement(check), parameters), weighting)


def as_differences(rows: list[tuple[Any, ...]], weighting: str | None = None) -> list[Difference]:
    """Rows of what, row, found, expected as differences, in order."""
    texts = sorted(tuple(map(str, row)) for row in rows)
    return [Difference(what, weighting, row, found, expected) for what, row, found, expected in texts]


def recount(file: Path, settings: Settings, again: Path, progress: Follow) -> None:
    """Count the trees of a lexicon into a new one."""
    with (
        closing(Database(again, read_only=False, memory_limit=MEMORY, reach=with_log(file))) as database,
        database.transaction(),
    ):
        schema.create(database, settings)
        attach(database, file)
        merge_attached(database, settings, file, prefix="", progress=progress)
