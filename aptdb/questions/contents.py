"""What a lexicon holds, as Python's containers are asked: whether it has a lexeme, how many, and which."""

from collections.abc import Iterator
from dataclasses import dataclass

from aptdb.errors import NoSuchLexemeError
from aptdb.store.session import Session
from aptdb.store.statements import statement


@dataclass(frozen=True)
class Known:
    """A lexeme of a lexicon, its two parts, and the number of its tokens."""

    lexeme: str
    lemma: str
    pos: str | None
    frequency: int


def known(session: Session, lexeme: object) -> Known | None:
    """What is known of a lexeme; None where the lexicon lacks it, or it is no text."""
    if not isinstance(lexeme, str) or session.is_empty():
        return None
    for row in session.reading().rows(statement("questions/lexeme"), {"lexeme": lexeme}):
        return Known(*row)
    return None


def known_or_refused(session: Session, lexeme: object) -> Known:
    """What is known of a lexeme. Raises NoSuchLexemeError, which says what it may have meant."""
    found = known(session, lexeme)
    if found is not None:
        return found
    if not isinstance(lexeme, str):
        raise NoSuchLexemeError(f"{lexeme!r:.60} is no lexeme; a lexeme is text, e.g. 'dog/NOUN'")
    if session.is_empty():
        raise NoSuchLexemeError(f"no lexeme {lexeme}; {session.file} is empty, add a corpus first")
    if lexeme.endswith("]"):
        raise NoSuchLexemeError(f"{lexeme} is a phrase, not a lexeme; ask about it with .neighbours, .apt or .compose")
    near = session.reading().value(statement("questions/near_lexemes"), {"lexeme": lexeme})
    there = f"; there is {near}" if near else ", nor one that is spelt nearly so"
    raise NoSuchLexemeError(f"no lexeme {lexeme}{there}")


def size(session: Session) -> int:
    """How many lexemes there are."""
    return 0 if session.is_empty() else int(session.reading().value(statement("questions/number_of_lexemes")))


def by_frequency(session: Session) -> Iterator[str]:
    """The lexemes, the most frequent first; ties by text."""
    rows = [] if session.is_empty() else session.reading().rows(statement("questions/lexemes_by_frequency"))
    return (lexeme for (lexeme,) in rows)
