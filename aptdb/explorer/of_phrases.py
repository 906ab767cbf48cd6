"""The pieces of a phrase's page: its tree, what each word brings to its APT, its neighbours and those of its words."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from aptdb.explorer.asked import Asked, only_given
from aptdb.explorer.content import Cell, Picture, Piece, Table, number
from aptdb.explorer.links import Links
from aptdb.explorer.of_lexemes import kept, neighbour_table
from aptdb.explorer.pictures import embedded
from aptdb.lexicon import Lexicon
from aptdb.phrase import Phrase
from aptdb.store.literals import literal

NEIGHBOURS = 15
OF_WORDS = 10  # neighbours of each word
COLUMNS = (
    ("alone", False), ("similarity", True), ("in the phrase", False), ("similarity", True),
    ("unaligned", False), ("similarity", True),
)  # fmt: skip


def tree(lexicon: Lexicon, links: Links, x: str) -> Piece:
    """The dependency tree of a phrase."""
    found = lexicon.draw_trees([x])
    words = literal(Phrase.parse(x).words())
    question = Asked(
        "draw", (x,), {"tree": True}, f"SELECT unnest({words}, recursive := true)", f"lexicon.draw_trees([{x!r}])"
    )
    return Piece("picture", "Tree", Picture(embedded(found.svg), str(found)), [question])


def drawing(lexicon: Lexicon, links: Links, x: str, part: str | None, merge: str | None) -> Piece:
    """The composed APT, in the colours of the words that bring its weights."""
    question = Asked("draw", (x,), only_given(merge=merge, part=part))
    found = question.answer(lexicon)
    return Piece("picture", "What each word contributes", Picture(embedded(found.svg), found.told(100)), [question])


def neighbours(
    lexicon: Lexicon, links: Links, x: str, part: str | None, merge: str | None, weights: str | None
) -> Piece:
    """The neighbours of the phrase: with its words aligned, and with the same words as they are."""
    questions, tables = [], []
    for aligned, caption in ((None, "aligned"), (False, "unaligned")):
        question = Asked("neighbours", (x,), only_given(top=NEIGHBOURS, merge=merge, aligned=aligned, part=part))
        found = question.answer(lexicon, **kept(weights, part))
        questions.append(question)
        tables.append(neighbour_table(links, x, part, found, caption))
    return Piece("tables", "Neighbours of the phrase", tables, questions)


def words(lexicon: Lexicon, links: Links, x: str, part: str | None, merge: str | None, weights: str | None) -> Piece:
    """The neighbours of each word alone, in the phrase, and in the phrase where nothing is aligned.

    They are those that `contextualise` tells, asked one by one, which is faster where weights are kept.
    """
    given = only_given(top=OF_WORDS, merge=merge, part=part)
    more = kept(weights, part)
    tables = []
    for anchor, word in enumerate(Phrase.parse(x).words(), 1):
        alone = lexicon.neighbours(word["lexeme"], **only_given(top=OF_WORDS, part=part), **more)
        seen = [lexicon.neighbours(x, anchor=anchor, aligned=each, **given, **more) for each in (True, False)]
        rows = [
            [cell for row in beside for cell in two(links, part, row)]
            for beside in zip_longest(alone.rows, *(each.rows for each in seen), fillvalue=("", None))
        ]
        tables.append(Table(COLUMNS, rows, word["lexeme"]))
    questions = [Asked("contextualise", (x,), given), Asked("contextualise", (x,), {**given, "aligned": False})]
    return Piece("tables", "Neighbours of its words", tables, questions)


def two(links: Links, part: str | None, row: Sequence[Any]) -> tuple[Cell, Cell]:
    """A neighbour and how similar it is."""
    lexeme, similarity, *_ = row
    return Cell(lexeme, links.lexeme(lexeme, part) if lexeme else "", is_lexeme=True), Cell(number(similarity))
