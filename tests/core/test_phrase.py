"""Phrases in brackets (meaning.md 7.2): what they mean, that nothing is lost in writing them, and what is refused."""

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Phrase, PhraseError
from twins.paths import is_valid

Tree = tuple[str, list[tuple[str, "Tree"]]]  # lexeme, and the dependents with their relations

SIGNS = " \"\\[],/\t\n\u00a0éε:$'"
NAMES = st.text(SIGNS, min_size=1, max_size=6) | st.text(min_size=1, max_size=6)
LEXEMES = NAMES | st.tuples(NAMES, NAMES).map("/".join)
RELATIONS = NAMES.map(lambda name: name.replace("<", "up").replace(">", "down"))
SPACES = st.text(" \t\n", max_size=2)


def with_dependents(below: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """A word over up to three such trees."""
    return st.tuples(LEXEMES, st.lists(st.tuples(RELATIONS, below), max_size=3))


LEAVES: st.SearchStrategy[Tree] = LEXEMES.map(lambda lexeme: (lexeme, []))
TREES = st.recursive(LEAVES, with_dependents, max_leaves=8)


def phrase_of(tree: Tree, numbers: Iterator[int]) -> Phrase:
    """The phrase of a tree, its words numbered as they are written."""
    lexeme, number = tree[0], next(numbers)
    return Phrase(lexeme, tuple((relation, phrase_of(below, numbers)) for relation, below in tree[1]), number)


def deltas(tree: Tree, delta: str = "") -> list[tuple[str, str]]:
    """Each word as it is written, with its path to the root's word."""
    below = [word for relation, each in tree[1] for word in deltas(each, f"<{relation}{delta}")]
    return [(tree[0], delta), *below]


def in_quotes(text: str) -> str:
    """The text in double quotes with \\" and \\\\."""
    return '"' + "".join("\\" + sign if sign in '"\\' else sign for sign in text) + '"'


def written(tree: Tree, space: str) -> str:
    """The tree in brackets, all of it in quotes, with space wherever there may be some."""
    edges = [f"{space}{in_quotes(relation)} {written(below, space)}" for relation, below in tree[1]]
    return space + in_quotes(tree[0]) + space + (f"[{','.join(edges)}]{space}" if edges else "")


def pairs(phrase: Phrase) -> list[tuple[str, str]]:
    """The words of a phrase, by number."""
    return [(word["lexeme"], word["delta"]) for word in phrase.words()]


def deep(levels: int) -> str:
    """A chain of words."""
    return "a/B[x " * (levels - 1) + "a/B" + "]" * (levels - 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dry/ADJ", [("dry/ADJ", "")]),
        ("clothes/NOUN[amod dry/ADJ]", [("clothes/NOUN", ""), ("dry/ADJ", "<amod")]),
        (
            "fold/VERB[nsubj he/PRON, obj clothes/NOUN[amod dry/ADJ]]",
            [("fold/VERB", ""), ("he/PRON", "<nsubj"), ("clothes/NOUN", "<obj"), ("dry/ADJ", "<amod<obj")],
        ),
        ("be/VERB[nsubj:pass be/VERB]", [("be/VERB", ""), ("be/VERB", "<nsubj:pass")]),
        ("a/A[r b/B[s c/C], r d/D]", [("a/A", ""), ("b/B", "<r"), ("c/C", "<s<r"), ("d/D", "<r")]),
        ('pay/VERB[obj "30,0"/NUM]', [("pay/VERB", ""), ("30,0/NUM", "<obj")]),
        ('pay/VERB[obj "30,0/NUM"]', [("pay/VERB", ""), ("30,0/NUM", "<obj")]),
        ('"New York"/PROPN["of the" x/X]', [("New York/PROPN", ""), ("x/X", "<of the")]),
        (r'"say \"no\" \\ [yes]"/X', [(r'say "no" \ [yes]/X', "")]),
        (r"a\b/X", [(r"a\b/X", "")]),
        ("and/or/CCONJ", [("and/or/CCONJ", "")]),
        ("</SYM[punct >]", [("</SYM", ""), (">", "<punct")]),
        ("\n a/A [\tr  b/B ,s c/C ] ", [("a/A", ""), ("b/B", "<r"), ("c/C", "<s")]),
    ],
)
def test_words_of_known_phrases(text: str, words: list[tuple[str, str]]) -> None:
    phrase = Phrase.parse(text)
    assert pairs(phrase) == words
    assert Phrase.parse(str(phrase)) == phrase


@pytest.mark.parametrize(
    "text", ["fold/VERB[nsubj he/PRON, obj clothes/NOUN[amod dry/ADJ]]", '"30,0"/NUM[nmod "a b"/"N N", "r r" \\/X]']
)
def test_only_what_needs_quotes_has_them(text: str) -> None:
    assert str(Phrase.parse(text)) == text


@pytest.mark.thorough
@given(TREES)
def test_writing_loses_nothing(tree: Tree) -> None:
    phrase = phrase_of(tree, count(1))
    assert Phrase.parse(str(phrase)) == phrase


@given(TREES, SPACES)
def test_reading_what_others_write(tree: Tree, space: str) -> None:
    """Quotes where none are needed and space of any kind make no difference."""
    assert Phrase.parse(written(tree, space)) == phrase_of(tree, count(1))


@given(TREES)
def test_words_are_numbered_as_written(tree: Tree) -> None:
    assert pairs(Phrase.parse(written(tree, ""))) == deltas(tree)
    assert all(is_valid(delta) for _, delta in deltas(tree))


@given(st.text('ab/ "\\[],<>\u00a0', max_size=20))
def test_any_text_is_a_phrase_or_refused_in_one_line(text: str) -> None:
    try:
        phrase = Phrase.parse(text)
    except PhraseError as error:
        assert repr(text) in str(error)
        assert len(str(error).splitlines()) == 1
    else:
        assert Phrase.parse(str(phrase)) == phrase


@pytest.mark.parametrize("levels", [101, 300, 100_000])
def test_deeper_than_any_phrase(levels: int) -> None:
    with pytest.raises(PhraseError, match=r"^this phrase is too deep; a tree has at most 100 levels$"):
        Phrase.parse(deep(levels))


def test_the_deepest_phrase() -> None:
    assert pairs(Phrase.parse(deep(100)))[-1] == ("a/B", "<x" * 99)


def test_writing_the_deepest_phrase() -> None:
    assert Phrase.parse(str(Phrase.parse(deep(100)))) == Phrase.parse(deep(100))


# Rows of a sentence: position, lexeme, head, relation.


def test_tree_from_rows() -> None:
    """Numbered by token order: he folded dry clothes."""
    phrase = Phrase.from_rows(
        [
            (1, "he/PRON", 2, "nsubj"),
            (2, "fold/VERB", 0, "root"),
            (3, "dry/ADJ", 4, "amod"),
            (4, "clothes/NOUN", 2, "obj"),
        ]
    )
    assert str(phrase) == "fold/VERB[nsubj he/PRON, obj clothes/NOUN[amod dry/ADJ]]"
    assert phrase.number == 2
    assert pairs(phrase) == [
        ("he/PRON", "<nsubj"),
        ("fold/VERB", ""),
        ("dry/ADJ", "<amod<obj"),
        ("clothes/NOUN", "<obj"),
    ]


@given(TREES, st.randoms(use_true_random=False))
def test_rows_in_any_order_of_tokens(tree: Tree, random: Random) -> None:
    """The same words with the same deltas, numbered by position."""
    nodes: list[tuple[str, int, str, str]] = []  # lexeme, head (the number of a node, from 1), relation, delta

    def gather(below: Tree, head: int, relation: str, delta: str) -> None:
        nodes.append((below[0], head, relation, delta))
        number = len(nodes)
        for label, each in below[1]:
            gather(each, number, label, f"<{label}{delta}")

    gather(tree, 0, "root", "")
    positions = [0, *random.sample(range(1, len(nodes) + 1), len(nodes))]
    by_position = sorted((positions[number], node) for number, node in enumerate(nodes, 1))
    rows = [(position, lexeme, positions[head], relation) for position, (lexeme, head, relation, _) in by_position]
    assert pairs(Phrase.from_rows(rows)) == [(lexeme, delta) for _, (lexeme, _, _, delta) in by_position]


def test_leaves_without_a_lexeme_are_left_out() -> None:
    """Numbers close up: , dry clothes !"""
    phrase = Phrase.from_rows(
        [(1, None, 3, "punct"), (2, "dry/ADJ", 3, "amod"), (3, "clothes/NOUN", 0, "root"), (4, None, 3, "punct")]
    )
    assert phrase == Phrase("clothes/NOUN", (("amod", Phrase("dry/ADJ", (), 1)),), 2)
