"""The SQL of a question, shown in place of its answer."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import QUESTIONS
from aptdb.store.statements import identifier, literal

_raising: ContextVar[bool] = ContextVar("raising", default=False)
# What a client can ask: questions, and the relations that list what a lexicon has.
ASKED = re.compile(rf"\b({'|'.join(QUESTIONS)}|_store\.key_phrase|_store\.key_match)\(|^FROM (?!_store)\w+\b")


class QuestionInSql(Exception):  # noqa: N818 - no error: it ends a question
    """The SQL of a question, raised in place of its answer."""


@contextmanager
def raising_sql(*, wanted: bool = True) -> Iterator[None]:
    """Raise the SQL of the first question in the block (QuestionInSql), and do not answer it.

    wanted: False for a block whose questions are answered in any case, as another one needs their answers.
    """
    token = _raising.set(wanted)
    try:
        yield
    finally:
        _raising.reset(token)


def is_sql_wanted() -> bool:
    """Return whether the SQL of a question is wanted in place of its answer."""
    return _raising.get()


def refuse_changes() -> None:
    """Raise QuestionError for a change where only the SQL of a question is wanted."""
    if is_sql_wanted():
        raise QuestionError("this changes the lexicon, so there is no query to show")


def raise_sql_if_wanted(query: str, values: Mapping[str, Any] | None, attached: Mapping[str, Path]) -> None:
    """Raise the SQL of a question, with its values in it and what it needs attached, where it is wanted."""
    if is_sql_wanted() and ASKED.search(query):
        given = values or {}
        filled = re.sub(r"\$(\w+)", lambda named: literal(given[named[1]]) if named[1] in given else named[0], query)
        files = [f"ATTACH {literal(str(file))} AS {identifier(name)} (READ_ONLY);\n" for name, file in attached.items()]
        raise QuestionInSql("".join(files) + filled)
