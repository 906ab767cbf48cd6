"""The words of a text that somebody types, and the lexemes that each may be."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple
from unicodedata import normalize

from aptdb.errors import QuestionError
from aptdb.store.session import Session
from aptdb.store.statements import statement

JOINED = 4  # words that may be one lexeme, at most
LEXEMES = 4  # of a word, at most
EXAMPLE = "a phrase is written as 'dog/NOUN[amod small/ADJ]'"
AROUND = re.compile(r"^\W+|\W+$")  # punctuation around a word


class Lexeme(NamedTuple):
    """A lexeme that a typed word may be. tokens: how many that are written so it has."""

    id: int
    text: str
    pos: str | None
    frequency: int
    tokens: int


class TypedWord(NamedTuple):
    """A word as it was typed, and the lexemes that it may be, the likeliest first; none where it is not counted."""

    text: str
    lexemes: list[Lexeme]


Analyses = Mapping[str, list[Lexeme]]


def typed_words(session: Session, text: str) -> list[TypedWord]:
    """The words of a text, those together that the lexicon joins. Raises QuestionError for one that it lacks."""
    pieces = [normalize("NFC", piece) for piece in text.split()]
    pieces = [piece if "/" in piece else AROUND.sub("", piece) or piece for piece in pieces]
    longest = JOINED if session.settings.join else 1
    runs = ["_".join(pieces[at : at + size]) for at in range(len(pieces)) for size in range(1, longest + 1)]
    analyses = analyses_of(session, sorted({*runs}))
    words, at = [], 0
    while at < len(pieces):
        sizes = range(min(longest, len(pieces) - at), 0, -1)
        size = next((size for size in sizes if "_".join(pieces[at : at + size]) in analyses), 0)
        if not size:
            raise no_lexeme(session, pieces[at], text)
        word = "_".join(pieces[at : at + size])
        words.append(TypedWord(" ".join(pieces[at : at + size]), analyses[word]))
        at += size
    return words


def analyses_of(session: Session, words: Sequence[str]) -> Analyses:
    """The lexemes of each word that is there; none where most tokens that are written so are left out."""
    rows = session.reading().rows(statement("questions/readings/analysis"), {"words": words})
    found: dict[str, list[Lexeme]] = {}
    for word, group in groupby(rows, key=lambda row: str(row[0])):
        lexemes = [None if row[1] is None else Lexeme(*row[1:]) for row in group]
        found[word] = [] if lexemes[0] is None else [each for each in lexemes if each][:LEXEMES]
    return found


def no_lexeme(session: Session, word: str, text: str) -> QuestionError:
    """What to say of a word that the lexicon lacks."""
    near = [name for (name,) in session.reading().rows(statement("questions/readings/near"), {"word": word})]
    there = f"there is {', '.join(near)}" if near else "nor one that is spelt nearly so"
    return QuestionError(f"no word {word} for {text!r}; {there}; {EXAMPLE}")
