"""Substitutes for one word of a phrase, which is marked in typed words, or named by its number."""

import re
from typing import Unpack

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import Substituting
from aptdb.core.result import Result
from aptdb.questions.calls import Question, call, split_phrase
from aptdb.questions.execute import ask_weighed
from aptdb.questions.phrase_parser import typed_words
from aptdb.questions.query import warned_if_empty
from aptdb.questions.readings import as_read
from aptdb.store.session import Session

MARKED = re.compile(r"(?<!\S)\[([^\[\]\s]+)\](?!\S)")
EXAMPLE = "mark one word, as in 'dogs [chase] cats', or name it by anchor"


def substitutes(session: Session, phrase: Question, **parameters: Unpack[Substituting]) -> Result:
    """Return the lexemes that could stand in the place of a word: rows of lexeme, similarity, reasons, the best first.

    phrase: typed words, one of them marked, as in `dogs [chase] cats`; or a phrase in which anchor names the word, 0
    for the root's. It is composed and seen from this word, and lexemes are ranked by their similarity to it, the word
    itself left out. reasons: up to three features that they share. Raises QuestionError.
    """
    given = dict(parameters)
    if isinstance(phrase, str) and MARKED.search(phrase):
        if given.get("anchor"):
            both = f"{phrase!r:.60} has a word marked, and anchor is {given['anchor']}"
            raise QuestionError(f"{both}; give one of the two")
        phrase, given["anchor"] = unmarked(session, phrase)
    words = split_phrase(as_read(session, phrase, given))
    found = ask_weighed(session, f"FROM {call('substitutes', [words], given)}", given, asked=[words])
    return warned_if_empty(found, "no other lexeme shares a feature with the word in this phrase", given)


def unmarked(session: Session, text: str) -> tuple[str, int]:
    """Return typed words without the mark, and the number of the marked word among those that the lexicon counts."""
    marked = MARKED.findall(text)
    if len(marked) > 1:
        raise QuestionError(f"{text!r:.60} has {len(marked)} words marked; {EXAMPLE}")
    before = text[: MARKED.search(text).start()]  # type: ignore[union-attr]
    whole = MARKED.sub(lambda found: found[1], text)
    place = len(typed_words(session, before)) if before.strip() else 0
    words = typed_words(session, whole)
    if place >= len(words) or words[place].text != marked[0] or not words[place].lexemes:
        raise QuestionError(f"{marked[0]} is no word by itself that this lexicon counts; {EXAMPLE}")
    return whole, 1 + sum(bool(word.lexemes) for word in words[:place])
