"""Write questions in SQL: lexemes, phrases, several questions, and calls of macros."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from aptdb.core.errors import QuestionError
from aptdb.core.phrase import Phrase, Word
from aptdb.core.question_parameters import refuse_other_parameters
from aptdb.store.statements import SqlText, literal

Question = str | Phrase | Sequence[Word]
Questions = Iterable[Question] | Mapping[str, Question]


def write_question(x: Question) -> str | list[Word]:
    """Return a lexeme or phrase as SQL takes it. Text that ends with ] is a phrase, any other text is a lexeme."""
    if isinstance(x, str):
        return Phrase.parse(x).words() if x.endswith("]") else x
    if isinstance(x, Phrase):
        return x.words() if x.dependents else x.lexeme
    try:
        return [{"lexeme": word["lexeme"], "delta": word["delta"]} for word in x]
    except (KeyError, TypeError) as error:
        raise QuestionError("a phrase is a list of words, each with lexeme and delta") from error


def split_phrase(x: Question) -> list[Word]:
    """Return the words of a phrase; a lexeme is a phrase of one word."""
    words = write_question(x)
    return [{"lexeme": words, "delta": ""}] if isinstance(words, str) else words


def list_questions(questions: Questions) -> list[dict[str, object]]:
    """Return questions as a table for SQL: a row a word, with the name of its question.

    In a mapping the name is the key; else it is the question as written, or for a list of words its number, from 1.
    """
    pairs = (
        questions.items()
        if isinstance(questions, Mapping)
        else ((name_question(x, n), x) for n, x in enumerate(refuse_single_question(questions), 1))
    )
    called: dict[str, list[Word]] = {}
    for key, question in pairs:
        name, words = str(key), split_phrase(question)
        if not words:
            raise QuestionError(f"{name} is an empty phrase; a phrase has at least one word")
        if called.setdefault(name, words) != words:
            raise QuestionError(f"two questions are called {name}; use a mapping to give them different names")
    return [
        {"phrase": name, **word, "position": position}
        for name, words in called.items()
        for position, word in enumerate(words, 1)
    ]


def refuse_single_question(questions: Iterable[Question]) -> Iterable[Question]:
    """Return questions unchanged. Raise QuestionError if it is a single question."""
    if isinstance(questions, str | Phrase) or not isinstance(questions, Iterable):
        raise QuestionError("expected a list of questions, or a mapping from names to questions")
    return questions


def pairs_of(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Return pairs of names of questions, as a table for SQL."""
    try:
        return [{"a": str(a), "b": str(b)} for a, b in pairs]
    except (TypeError, ValueError) as error:
        raise QuestionError("pairs must be a list of pairs of names of questions, e.g. [('tea', 'hot tea')]") from error


def name_question(question: Question, number: int) -> str:
    """Return the default name of a question."""
    return str(question) if isinstance(question, str | Phrase) else str(number)


def call(name: str, arguments: Sequence[object], parameters: Mapping[str, object], macro: str | None = None) -> SqlText:
    """Return the SQL call of a question's macro, or of another macro with the same parameters.

    Raises QuestionError for a parameter that the question does not take; of a value of another type the macro says so.
    """
    refuse_other_parameters(name, parameters)
    named = [f"{parameter} := {literal(value)}" for parameter, value in parameters.items()]
    return SqlText(f"{macro or name}({', '.join([*map(literal, arguments), *named])})")


def relations_in(*asked: object) -> set[str]:
    """Return the relations in questions, given as by `words_of`."""
    deltas = {str(word["delta"]) for each in asked if not isinstance(each, str) for word in cast(list[Word], each)}
    return {step for delta in deltas for step in re.findall("[<>]([^<>]+)", delta)}


def lexemes_in_questions(*asked: object) -> set[str]:
    """Return the lexemes in questions, given as by `words_of`, `phrase_of` or `rows_of`."""
    found: set[str] = set()
    for each in asked:
        found |= {each} if isinstance(each, str) else {str(word["lexeme"]) for word in cast(list[Word], each)}
    return found
