"""Proves a lexicon: it is counted anew from its stored trees, and whatever differs is named, row by row."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from aptdb.counting.merge import attach, merge_attached
from aptdb.result import Result
from aptdb.settings import Settings
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.literals import SqlText, literal
from aptdb.store.scratch import scratch_folder
from aptdb.store.session import Session
from aptdb.store.statements import statement

MEMORY = "1GB"  # for DuckDB's own buffers meanwhile; what does not fit goes to disk
COLUMNS = ("what", "row", "found", "expected")
# What a row is known by, in each table; counts and marginals that are there twice are found as they are compared.
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
# The columns of each table that are ids of rows of another.
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
OF_WEIGHTINGS = ("counting/verify/weights", "counting/verify/sizes")
Follow = Callable[[int, int], None]


def verify(session: Session, *, progress: Follow = lambda *_: None) -> Result:
    """What is otherwise than it must be: rows of what, row, found, expected; none where the lexicon is sound.

    Everything is counted anew from the stored trees; marginals and totals are compared with the sums of counts, counts
    with those from their other end, kept weights with their definitions. The file is only read.
    """
    session.reading()
    session.let_go()
    rows = [*differences(session.file, session.settings, progress)]
    return Result(COLUMNS, ("VARCHAR",) * len(COLUMNS), rows)


def differences(file: Path, settings: Settings, progress: Follow) -> Iterator[tuple[str, str, str, str]]:
    """What is otherwise than it must be: what, which row, as it is found, as it should be.

    Counts are those of the stored trees and of what came as counts; marginals and totals are sums of counts; counts are
    symmetric under inverse paths; weights that are kept are those of their definition. progress is told how many tokens
    of how many are counted anew. The file is only read. Where rows are there twice, or refer to none, nothing else is
    looked at. Raises LexiconError where the stored trees are none.
    """
    with closing(Database(file, read_only=True, memory_limit=MEMORY)) as database:
        broken = [*broken_rows(database)]
    if broken:
        yield from broken
        return
    with scratch_folder() as folder:
        again = Path(folder, "recount.duckdb")
        recount(file, settings, again, progress)
        with closing(Database(file, read_only=True, memory_limit=MEMORY)) as database:
            database.run("SET temp_directory = $folder", {"folder": str(folder)})
            database.run(f'ATTACH {literal(str(again))} AS "/recount" (READ_ONLY)')
            database.run(statement("counting/verify/ids"))
            for check in CHECKS:
                yield from rows_of(database, check, {})
            for number, name, scheme, phi in database.rows(statement("counting/verify/kept")):
                yield from rows_of(database, OF_WEIGHTINGS[0], {"id": number, "name": name, "scheme": scheme})
                yield from rows_of(database, OF_WEIGHTINGS[1], {"id": number, "name": name, "phi": phi})


def broken_rows(database: Database) -> Iterator[tuple[str, str, str, str]]:
    """What is there twice, or refers to what is not there; `what` is the table."""
    questions = [statement("counting/verify/duplicates", table=SqlText(table), key=SqlText(key)) for table, key in KEYS]
    for table, column, reference in REFERENCES:
        names = {"table": SqlText(table), "column": SqlText(column), "reference": SqlText(reference)}
        questions.append(statement("counting/verify/orphans", **names))
    for question in questions:
        yield from as_text(database.rows(question))


def rows_of(database: Database, check: str, parameters: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The rows that differ, by name."""
    return as_text(database.rows(statement(check), parameters))


def as_text(rows: list[tuple[Any, ...]]) -> list[tuple[str, str, str, str]]:
    """The same rows as text, in order."""
    return sorted((str(what), str(row), str(found), str(expected)) for what, row, found, expected in rows)


def recount(file: Path, settings: Settings, again: Path, progress: Follow) -> None:
    """Count a lexicon's trees into a new one."""
    with closing(Database(again, read_only=False, memory_limit=MEMORY)) as database, database.transaction():
        schema.create(database, settings)
        attach(database, file)
        merge_attached(database, settings, file, prefix="", progress=progress)
