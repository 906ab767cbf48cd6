"""The results of evaluations, stored in the lexicon and found again."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from aptdb.core.errors import AptError, InUseError, NotRecorded, warn
from aptdb.questions.weightings import now
from aptdb.store.database import Database
from aptdb.store.lazy_imports import sa, tables
from aptdb.store.statements import statement
from aptdb.store.version import __version__

PATIENCE = 10.0  # how many seconds to wait for another process
Row = dict[str, Any]
Writing = Callable[[], AbstractContextManager[Database]]  # gives the database within one transaction


def content_of(database: Database, weights: str) -> tuple[str, bool]:
    """Return a digest of lexicon and weights, and whether it identifies them, as it does not the user's own."""
    content, known = database.rows(statement("questions/content"), {"weights": weights})[0]
    return str(content), bool(known)


def found(database: Database, question: Mapping[str, Any], content: str) -> list[Row]:
    """Return the stored rows of the same evaluation, by the columns of the table; empty if there is none."""
    rows = database.run(sa.select(tables.evaluation).where(same(question, content)).order_by(tables.evaluation.c.id))
    return [dict(row) for row in rows.mappings().all()]


def patiently(open_database: Callable[[], Database]) -> Database:
    """Return a database for reading. If another process is storing an evaluation, wait for a moment."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return open_database()
        except InUseError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


class EvaluationLog:
    """Stores evaluations in a lexicon. If that fails, it warns once and does not try again."""

    def __init__(self, writing: Writing, *, wanted: bool) -> None:
        self.writing = writing
        self.wanted = wanted

    def record(self, rows: Sequence[Row], question: Mapping[str, Any], content: str, *, known: bool) -> None:
        """Store an evaluation. known: it replaces the same evaluation stored before."""
        if not self.wanted:
            return
        try:
            with self.writing() as database:
                write(database, rows, question, content, known=known)
        except AptError as error:
            self.wanted = False
            warn(f"this evaluation is not stored in the lexicon: {error}", NotRecorded)


def write(database: Database, rows: Sequence[Row], question: Mapping[str, Any], content: str, *, known: bool) -> None:
    """Write the rows of an evaluation, in the caller's transaction."""
    if known:
        database.run(sa.delete(tables.evaluation).where(same(question, content)))
    last = database.value(sa.select(sa.func.max(tables.evaluation.c.id))) or 0
    tokens = int(database.value(statement("evaluation/tokens")))
    made = {"question": as_text(question), "content": content, "tokens": tokens}
    for number, row in enumerate(rows, 1):
        of_row = {"id": last + number, "evaluated_at": now(), "version": __version__}
        database.run(tables.evaluation.insert(), {**row, **made, **of_row})


def same(question: Mapping[str, Any], content: str) -> "sa.ColumnElement[bool]":
    """Return the condition that a stored evaluation is the same, and made by this version."""
    of_the_same = (tables.evaluation.c.question == as_text(question)) & (tables.evaluation.c.content == content)
    return of_the_same & (tables.evaluation.c.version == __version__)


def as_text(question: Mapping[str, Any]) -> str:
    """Return what an evaluation was made with, as text to store."""
    return json.dumps(question, sort_keys=True)
