"""Check that the tables of a lexicon can be read, and that rows refer to existing rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aptdb.core.errors import AptError, LexiconError, NoRoomError
from aptdb.counting import metadata
from aptdb.store.database import Database
from aptdb.store.lazy_imports import tables
from aptdb.store.statements import SqlText, identifier, statement

OF_WEIGHTING = {"weight": "weight of", "size": "size under"}  # kinds of difference that are about a weighting


@dataclass(frozen=True)
class Difference:
    """A wrong row: its kind, its weighting (if any), the value found, and the value expected."""

    kind: str
    weighting: str | None
    row: str
    found: str
    expected: str

    def cells(self) -> tuple[str, str, str, str]:
        """Return the columns what, row, found and expected."""
        what = f"{OF_WEIGHTING[self.kind]} {self.weighting}" if self.weighting else self.kind
        return what, self.row, self.found, self.expected


def rows_of(database: Database, check: str, *, weighting: str | None = None, **values: Any) -> list[Difference]:
    """Return the rows that a check finds; values fill the statement."""
    return as_differences(database.rows(statement(check, **values)), weighting)


def as_differences(rows: list[tuple[Any, ...]], weighting: str | None = None) -> list[Difference]:
    """Return rows of (what, row, found, expected) as differences, in order."""
    texts = sorted(tuple(map(str, row)) for row in rows)
    return [Difference(what, weighting, row, found, expected) for what, row, found, expected in texts]


# The types of columns, as SQLAlchemy and DuckDB name them.
TYPES = {
    "String": "VARCHAR",
    "Integer": "INTEGER",
    "BigInteger": "BIGINT",
    "Double": "DOUBLE",
    "Boolean": "BOOLEAN",
    "DateTime": "TIMESTAMP",
}
# The keys of each table. Counts and marginals that are there twice are found when they are compared.
KEYS = (
    ("corpus", "id"),
    ("corpus", "name"),
    ("document", "id"),
    ("document", "corpus_id, name"),
    ("document_metadata", "document_id"),
    ("sentence", "id"),
    ("sentence_metadata", "sentence_id"),
    ("token", "sentence_id, position"),
    ("joined", "sentence_id, position"),
    ("word", "id"),
    ("word", "form, lemma, upos, xpos, feats"),
    ("relation", "id"),
    ("relation", "text"),
    ("lexeme", "id"),
    ("lexeme", "text"),
    ("path", "id"),
    ("path", "text"),
    ("node", "id"),
    ("given_count", "corpus_id, lexeme_id, path_id, context_id"),
    ("given_lexeme", "corpus_id, lexeme_id"),
    ("subcorpus", "id"),
    ("subcorpus", "name"),
    ("subcorpus_sentence", "subcorpus_id, sentence_id"),
    ("subcorpus_lexeme", "subcorpus_id, id"),
    ("subcorpus_path", "subcorpus_id, id"),
    ("subcorpus_node", "subcorpus_id, id"),
    ("weighting", "id"),
    ("weighting", "name"),
    ("kept_weight", "weighting_id, feature_id, lexeme_id"),
    ("kept_size", "weighting_id, lexeme_id"),
    ("entry", "id"),
    ("entry", "name"),
    ("entry_weight", "entry_id, path, context"),
    ("evaluation", "id"),
)
# The columns of each table that are ids of rows in another table. (Kept weights that are stale may be of lexemes that
# are gone; others are compared row by row.)
REFERENCES = (
    ("document", "corpus_id", "corpus"),
    ("document_metadata", "document_id", "document"),
    ("sentence", "corpus_id", "corpus"),
    ("sentence", "document_id", "document"),
    ("sentence_metadata", "sentence_id", "sentence"),
    ("token", "sentence_id", "sentence"),
    ("token", "word_id", "word"),
    ("token", "relation_id", "relation"),
    ("joined", "sentence_id", "sentence"),
    ("joined", "word_id", "word"),
    ("word", "lexeme_id", "lexeme"),
    ("path", "inverse_id", "path"),
    ("node", "lexeme_id", "lexeme"),
    ("node", "path_id", "path"),
    ("cooccurrence", "lexeme_id", "lexeme"),
    ("cooccurrence", "path_id", "path"),
    ("cooccurrence", "context_id", "lexeme"),
    ("subcorpus_sentence", "subcorpus_id", "subcorpus"),
    ("subcorpus_lexeme", "subcorpus_id", "subcorpus"),
    ("subcorpus_path", "subcorpus_id", "subcorpus"),
    ("subcorpus_node", "subcorpus_id", "subcorpus"),
    ("subcorpus_cooccurrence", "subcorpus_id", "subcorpus"),
    ("given_count", "corpus_id", "corpus"),
    ("given_count", "lexeme_id", "lexeme"),
    ("given_count", "path_id", "path"),
    ("given_count", "context_id", "lexeme"),
    ("given_lexeme", "corpus_id", "corpus"),
    ("given_lexeme", "lexeme_id", "lexeme"),
    ("kept_weight", "weighting_id", "weighting"),
    ("kept_size", "weighting_id", "weighting"),
    ("entry_weight", "entry_id", "entry"),
)


def broken_tables(database: Database) -> list[Difference]:
    """Return faults that make other checks impossible: the first kind that occurs.

    Wrong columns, or NULL in them; foreign macros and views; duplicate rows; rows that refer to missing rows. Raises
    LexiconError if a table cannot be read.
    """
    for check in (other_columns, absent_values, broken_rows):
        if found := [*check(database)]:
            return found
    return []


def other_columns(database: Database) -> list[Difference]:
    """Return columns that differ from the declared ones."""
    expected = [
        {"table_name": table.name, "column_name": column.name, "data_type": TYPES[type(column.type).__name__]}
        for table in tables.metadata.sorted_tables
        for column in table.columns
    ]
    return as_differences(database.rows(statement("counting/consistency/columns", expected=expected)))


def absent_values(database: Database) -> Iterator[Difference]:
    """Yield columns that contain NULL although they must not.

    Reads all of every table; raises LexiconError if that fails.
    """
    said = metadata.columns_of(database)
    for table in tables.metadata.sorted_tables:
        never = [column.name for column in table.columns if not column.nullable]
        absent = ", ".join(f"count(*) FILTER (WHERE {identifier(name)} IS NULL)" for name in never)
        names = [*(column.name for column in table.columns), *said.get(table.name.removesuffix("_metadata"), ())]
        columns = ", ".join(map(identifier, names if table.name.endswith("_metadata") else names[: len(table.columns)]))
        parts = {"table": SqlText(table.name), "columns": SqlText(columns), "absent": SqlText(absent)}
        try:
            row = database.rows(statement("counting/consistency/content", **parts))[0]
        except NoRoomError:
            raise
        except AptError as error:
            why = str(error).rpartition("use a backup copy: ")[2]
            raise LexiconError(
                f"{database.file} is damaged: its table {table.name} cannot be read; use a backup copy: {why}"
            ) from error
        for name, found in zip(never, row[1:], strict=True):
            if found:
                yield Difference("table", None, f"{table.name} {name}", f"NULL in {found} rows", "never NULL")


def broken_rows(database: Database) -> Iterator[Difference]:
    """Yield duplicate rows, and rows that refer to missing rows; the kind is the table."""
    twice = "counting/consistency/duplicates"
    questions = [statement(twice, table=SqlText(table), key=SqlText(key)) for table, key in KEYS]
    for table, column, reference in REFERENCES:
        names = {"table": SqlText(table), "referring": SqlText(column), "reference": SqlText(reference)}
        questions.append(statement("counting/consistency/orphans", **names))
    for question in questions:
        yield from as_differences(database.rows(question))
    yield from rows_of(database, "counting/consistency/settings")
