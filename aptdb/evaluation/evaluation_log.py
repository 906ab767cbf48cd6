"""What evaluations came to, as the lexicon keeps it: written down, and found again."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import sqlalchemy as sa

from aptdb.errors import AptError, InUseError, NotRecorded, warn
from aptdb.questions.weightings import now
from aptdb.store.database import Database
from aptdb.store.statements import statement
from aptdb.store.tables import evaluation
from aptdb.store.version import __version__

PATIENCE = 10.0  # seconds that another process may take
Row = dict[str, Any]
Writing = Callable[[], AbstractContextManager[Database]]  # gives the database within one transaction


def content_of(database: Database, weights: str) -> tuple[str, bool]:
    """The lexicon and the weights as a digest; and whether that tells what they are, or they are the user's own."""
    content, known = database.rows(statement("questions/content"), {"weights": weights})[0]
    return str(content), bool(known)


def found(database: Database, question: Mapping[str, Any], content: str) -> list[Row]:
    """The rows of an evaluation that was made of the same, by the table's columns; none where there is none."""
    rows = database.run(sa.select(evaluation).where(same(question, content)).order_by(evaluation.c.id))
    return [dict(row) for row in rows.mappings().all()]


def patiently(open_database: Callable[[], Database]) -> Database:
    """A database for reading; another process that writes an evaluation down keeps it for a moment only."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return open_database()
        except InUseError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


class Notebook:
    """Writes evaluations down in a lexicon; where it cannot, it says so once and tries no more."""

    def __init__(self, writing: Writing, *, wanted: bool) -> None:
        self.writing = writing
        self.wanted = wanted

    def record(self, rows: Sequence[Row], question: Mapping[str, Any], content: str, *, known: bool) -> None:
        """Write an evaluation down; known: in the place of one that was made of the same."""
        if not self.wanted:
            return
        try:
            with self.writing() as database:
                write(database, rows, question, content, known=known)
        except AptError as error:
            self.wanted = False
            warn(f"this is not written down in the lexicon: {error}", NotRecorded)


def write(database: Database, rows: Sequence[Row], question: Mapping[str, Any], content: str, *, known: bool) -> None:
    """Write the rows of an evaluation, within the caller's transaction."""
    if known:
        database.run(sa.delete(evaluation).where(same(question, content)))
    last = database.value(sa.select(sa.func.max(evaluation.c.id))) or 0
    tokens = int(database.value(statement("evaluation/tokens")))
    made = {"question": as_text(question), "content": content, "tokens": tokens}
    for number, row in enumerate(rows, 1):
        of_row = {"id": last + number, "evaluated_at": now(), "version": __version__}
        database.run(evaluation.insert(), {**row, **made, **of_row})


def same(question: Mapping[str, Any], content: str) -> sa.ColumnElement[bool]:
    """The condition that an evaluation was made of the same, by this version."""
    of_the_same = (evaluation.c.question == as_text(question)) & (evaluation.c.content == content)
    return of_the_same & (evaluation.c.version == __version__)


def as_text(question: Mapping[str, Any]) -> str:
    """What an evaluation was made with, as it is stored."""
    return json.dumps(question, sort_keys=True)
