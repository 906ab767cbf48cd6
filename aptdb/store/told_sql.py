"""The SQL of a question, told in place of its answer."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import QUESTIONS
from aptdb.store.statements import literal

_telling: ContextVar[bool] = ContextVar("telling", default=False)
# What a client can ask: questions, and the relations that list what a lexicon has.
ASKED = re.compile(rf"\b({'|'.join(QUESTIONS)})\(|^FROM (?!_store)\w+\b")


class SqlTold(Exception):  # noqa: N818 - no error: it ends a question without an answer
    """A question is not answered, but told as SQL."""


@contextmanager
def telling_sql() -> Iterator[None]:
    """Tell the first question in the block as SQL, by raising SqlTold."""
    token = _telling.set(True)
    try:
        yield
    finally:
        _telling.reset(token)


def refuse_to_change() -> None:
    """Raise QuestionError for a change where a question is to be told."""
    if _telling.get():
        raise QuestionError("this changes the lexicon, and is no question to be shown in SQL")


def tell_if_wanted(query: str, values: Mapping[str, Any] | None) -> None:
    """Raise SqlTold for a question that is to be told, with its values in it."""
    if _telling.get() and ASKED.search(query):
        given = values or {}
        raise SqlTold(
            re.sub(r"\$(\w+)", lambda named: literal(given[named[1]]) if named[1] in given else named[0], query)
        )
