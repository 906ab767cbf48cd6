"""The twin of searches: patterns of lexemes and of forms, compared word by word, and sequences token by token."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from twins.counting import Rules, normalised, pairs
from twins.trees import Corpus, Token


class Word(NamedTuple):
    """A node that is counted: its sentence, from 0, its position, its form and its lexeme."""

    sentence: int
    position: int
    form: str
    lexeme: str


def words(sentences: Corpus, rules: Rules) -> Iterator[Word]:
    """All nodes that are lexemes."""
    for number, sentence in enumerate(sentences):
        nodes, lexemes = normalised(sentence, rules)
        for position, lexeme in lexemes.items():
            yield Word(number, position, nodes[position].form, lexeme)


def expression(pattern: str) -> str | None:
    """The regular expression that a pattern stands for; None if it is none."""
    if len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
        return pattern[1:-1]
    if "*" in pattern or "?" in pattern:
        return "".join({"*": ".*", "?": "."}.get(each, re.escape(each)) for each in pattern)
    return None


def is_form(pattern: str, form: str) -> bool:
    """Whether a form is like a regular expression, whose capitals and whose composed letters make no difference."""
    pattern, form = (unicodedata.normalize("NFC", each) for each in (pattern, form))
    return bool(re.fullmatch(pattern, form, re.IGNORECASE))


def is_asked(text: str | None, word: Word, lemmas: Mapping[str, str]) -> bool:
    """Whether a text asks for a word. lemmas: those of all lexemes."""
    if text is None:
        return True
    if text in lemmas:
        return word.lexeme == text
    if text.startswith("form:"):
        form = text.removeprefix("form:")
        return is_form(expression(form) or re.escape(form), word.form)
    pattern = expression(text)
    return pattern is not None and any(
        re.fullmatch(pattern, each, re.DOTALL) for each in (word.lexeme, lemmas[word.lexeme])
    )


def hits(
    sentences: Corpus,
    lemmas: Mapping[str, str],
    lexeme: str | None,
    path: str | None,
    context: str | None,
    /,
    **given: Any,
) -> list[tuple[int, int, int | None]]:
    """The hits of a search, by sentence, position and position of the context, sorted."""
    rules = Rules(**given)
    known = {(word.sentence, word.position): word for word in words(sentences, rules)}
    if path is None and context is None:
        return sorted((word.sentence, word.position, None) for word in known.values() if is_asked(lexeme, word, lemmas))
    return sorted(
        (pair.sentence, pair.x, pair.y)
        for pair in pairs(sentences, rules)
        if path in (None, pair.triple[1])
        and is_asked(lexeme, known[pair.sentence, pair.x], lemmas)
        and is_asked(context, known[pair.sentence, pair.y], lemmas)
    )


class Test(NamedTuple):
    """A test of a token: an attribute, whether it is !=, and the regular expression."""

    attribute: str
    negated: bool
    pattern: str


class Element(NamedTuple):
    """Tests that a token passes, all of them, and how often such a token comes, at least and at most."""

    tests: tuple[Test, ...]
    fewest: int
    most: int


Query = Sequence[Element]


def written(query: Query) -> str:
    """A query as text."""
    return " ".join(
        "["
        + " & ".join(f'{test.attribute}{"!=" if test.negated else "="}"{test.pattern}"' for test in element.tests)
        + "]"
        + {(1, 1): "", (0, 1): "?"}.get(element[1:], "{" + f"{element.fewest},{element.most}" + "}")
        for element in query
    )


def passes(token: Token, element: Element) -> bool:
    """Whether a token passes all tests of an element."""
    values = {**token._asdict(), "word": token.form, "deprel": token.relation, "feats": "_"}
    return all(
        (
            is_form(test.pattern, token.form)
            if test.attribute in FORMS
            else bool(re.fullmatch(test.pattern, values[test.attribute]))
        )
        != test.negated
        for test in element.tests
    )


FORMS = ("form", "word")  # whose capitals make no difference


def ends(tokens: Sequence[Token], begin: int, query: Query) -> set[int]:
    """Where sequences end that begin at a place and match a query: the places after their last tokens."""
    if not query:
        return {begin}
    found = ends(tokens, begin, query[1:]) if query[0].fewest == 0 else set()
    if begin < len(tokens) and query[0].most > 0 and passes(tokens[begin], query[0]):
        rest = query[0]._replace(fewest=max(query[0].fewest - 1, 0), most=query[0].most - 1)
        found |= ends(tokens, begin + 1, [rest, *query[1:]])
    return found


def sequences(sentences: Corpus, query: Query) -> list[tuple[int, int, int]]:
    """The sequences that match a query: sentence from 0, first and last position; each once, sorted."""
    return sorted(
        (number, begin + 1, end)
        for number, sentence in enumerate(sentences)
        for begin in range(len(sentence))
        for end in ends(sentence, begin, query)
        if end > begin
    )


class Part(NamedTuple):
    """A word of a phrase: its lexeme, its relation to its head, and the place of its head among the words; the root's
    are '' and None.
    """

    lexeme: str
    relation: str
    head: int | None


def places(sentences: Corpus, phrase: Sequence[Part], **given: Any) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Where a phrase is found, by trying all nodes for all words: sentence from 0, and the position of each word."""
    for number, sentence in enumerate(sentences):
        nodes, lexemes = normalised(sentence, Rules(**given))
        for chosen in permutations(lexemes, len(phrase)):
            if all(
                lexemes[node] == part.lexeme
                and (
                    part.head is None or (nodes[node].head, nodes[node].relation) == (chosen[part.head], part.relation)
                )
                for node, part in zip(chosen, phrase, strict=True)
            ):
                yield number, chosen


def occurrences(sentences: Corpus, phrase: Sequence[Part], **given: Any) -> list[tuple[int, int]]:
    """Where a phrase occurs: sentence from 0, and position of the root."""
    return sorted({(number, chosen[0]) for number, chosen in places(sentences, phrase, **given)})
