"""Which lexemes there are, by patterns, and how frequent."""

from typing import Unpack

from aptdb.errors import QuestionError
from aptdb.parameters.sketches import Lexemes
from aptdb.questions.calls import call
from aptdb.result import Result
from aptdb.store.literals import literal
from aptdb.store.session import Session


def lexemes(
    session: Session, pattern: str | None = None, part: str | None = None, **parameters: Unpack[Lexemes]
) -> Result:
    """The lexemes that are like a pattern: rows of lexeme, lemma, pos, frequency, the most frequent first.

    pattern: the lexeme or its lemma, with * for any letters and ? for any one; with regex, a regular expression (RE2)
    that matches the whole of either; None for all. part: a part of the corpora. Raises QuestionError, also for a part
    of speech that no lexeme has.
    """
    if not isinstance(pattern, str | None):
        raise QuestionError(f"the pattern is {pattern!r:.60}; it is text, as 'dog*'")
    query = f"FROM {call('lexemes', [], {'part': part, 'pattern': pattern, **parameters})}"
    try:
        return session.ask(query)
    except QuestionError as error:
        if parameters.get("regex") and (wrong := why_no_regex(session, str(pattern))):
            raise QuestionError(f"{pattern!r} is no regular expression: {wrong}") from error
        raise


def why_no_regex(session: Session, pattern: str) -> str | None:
    """Why a text is no regular expression; None if it is one."""
    try:
        session.ask(f"SELECT regexp_full_match('', {literal(pattern)})")
    except QuestionError as error:
        return str(error)
    return None
