"""The pieces of a phrase's page: sentences, neighbours, tree, what its words contribute, how it is used."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from aptdb.core.phrase import Phrase
from aptdb.explorer.content import Asked, Asking, Cell, Links, Picture, Piece, Table, figure, only_given
from aptdb.explorer.lookups import read_phrase_in_address
from aptdb.explorer.page_settings import least_of, of_space, with_bare_words
from aptdb.explorer.word_pieces import evidence_as_lines, kept, neighbour_table
from aptdb.store.statements import literal

BARE = ", without the words of the phrase that it has no feature of"
OUTSIDE = (
    "Head and dependent are counted where they occur outside the phrase; a word that occurs nowhere else has no value."
)
SENTENCES = 10
NEIGHBOURS = 15
OF_WORDS = 10  # neighbours of each word
COLUMNS = (
    ("alone", False), ("similarity", True), ("in the phrase", False), ("similarity", True),
    ("unaligned", False), ("similarity", True),
)  # fmt: skip


def make_phrase_evidence_piece(asking: Asking) -> Piece:
    """Return good examples of a phrase."""
    x, subcorpus = read_phrase_in_address(asking)
    question = Asked("evidence", (x, None, None), only_given(top=SENTENCES, best=True, subcorpus=subcorpus))
    lines = evidence_as_lines(question.answer(asking.lexicon), asking.links)
    return Piece("concordance", "Sentences", lines, [question])


def make_phrase_neighbours_piece(asking: Asking) -> Piece:
    """Return the neighbours of the phrase: with its words aligned, and unaligned, and what differs between the two."""
    lexicon, how, view = asking.lexicon, asking.how, asking.how.view
    x, subcorpus = read_phrase_in_address(asking)
    least, most = least_of(lexicon, how), view.top or NEIGHBOURS
    given = only_given(top=view.depth(NEIGHBOURS), subcorpus=subcorpus, pos=view.pos or None, min_frequency=least)
    given |= how.of("neighbours") | with_bare_words(how)
    questions = [Asked("neighbours", (x,), given | more) for more in ({}, {"aligned": False})]
    found = [each.answer(lexicon, **kept(asking.weights, subcorpus, how)) for each in questions]
    aligned, unaligned = (each.column("lexeme") for each in found)
    marks = (mark_changes(aligned, unaligned, "new"), mark_changes(unaligned, aligned, "gone"))
    tables = []
    for caption, rows, marked in zip(("aligned", "unaligned"), found, marks, strict=True):
        table = neighbour_table(asking, x, rows, caption)
        marked_rows = [(replace(row[0], mark=mark), *row[1:]) for row, mark in zip(table.rows, marked, strict=True)]
        tables.append(replace(table, rows=marked_rows, key={"words": caption}, most=most))
    changes = f"Marked is what aligning the words changes: new or gone among the first {max(map(len, found))}, "
    notes = [*of_space(how, BARE), f"{changes}or so many places up or down."]
    return Piece("tables", "Neighbours of the phrase", tables, questions, notes, rows=most)


def mark_changes(ranked: Sequence[str], beside: Sequence[str], alone: str) -> list[str]:
    """Return how each place of a ranking differs from another: places up or down, or alone if only this one has it.

    Of a ranking that is left (alone is `gone`), places that both have are not marked.
    """
    places = {each: place for place, each in enumerate(beside)}
    moved = [places[each] - place if each in places else None for place, each in enumerate(ranked)]
    arrows = [alone if by is None else f"{'↑' if by > 0 else '↓'}{abs(by)}" if by else "" for by in moved]
    return [each if each == alone or alone != "gone" else "" for each in arrows]


def show_words(asking: Asking) -> Piece:
    """Return the neighbours of each word alone, in the phrase, and in the unaligned phrase."""
    how = asking.how
    x, subcorpus = read_phrase_in_address(asking)
    given = only_given(top=OF_WORDS, subcorpus=subcorpus) | how.of("contextualise") | with_bare_words(how)
    questions = [Asked("contextualise", (x,), given), Asked("contextualise", (x,), {**given, "aligned": False})]
    faster = kept(asking.weights, subcorpus, how)
    aligned, unaligned = (each.answer(asking.lexicon, **faster) for each in questions)
    tables = []
    for anchor, word in enumerate((each["lexeme"] for each in Phrase.parse(x).words()), 1):
        own, beside = ([row.values() for row in rows if row["anchor"] == anchor] for rows in (aligned, unaligned))
        rows = []
        for (_, _, *seen), (*_, there, similarity) in zip_longest(own, beside, fillvalue=("", "", "", None, "", None)):
            pairs = (seen[:2], seen[2:], (there, similarity))
            rows.append([cell for pair in pairs for cell in link_neighbour(asking.links, subcorpus, *pair)])
        tables.append(Table(COLUMNS, rows, word, is_side_by_side=True))
    return Piece("tables", "Neighbours of its words", tables, questions, of_space(how, BARE))


def link_neighbour(links: Links, subcorpus: str | None, lexeme: str | None, similarity: Any) -> tuple[Cell, Cell]:
    """Return a neighbour and its similarity; two empty cells if there is none."""
    href = links.lexeme(lexeme, subcorpus) if lexeme else ""
    return Cell(lexeme or "", href, is_lexeme=True), figure(similarity)


def make_phrase_tree_piece(asking: Asking) -> Piece:
    """Return the dependency tree of a phrase."""
    x, _ = read_phrase_in_address(asking)
    found = asking.lexicon.plot.trees([x])
    words = literal(Phrase.parse(x).words())
    question = Asked(
        "plot.apt", (x,), {"tree": True}, f"SELECT unnest({words}, recursive := true)", f"lexicon.plot.trees([{x!r}])"
    )
    return Piece("picture", "Tree", Picture(found.svg, str(found)), [question])


def make_observed_piece(asking: Asking) -> Piece:
    """Return how a phrase is used where it occurs: beside its composition, its head and its dependent."""
    x, subcorpus = read_phrase_in_address(asking)
    given = only_given(subcorpus=subcorpus)
    named = "".join(f", {name}={value!r}" for name, value in given.items())
    python = f"lexicon.compositionality([{x!r}]{named})"
    question = Asked("compositionality", (x,), given, python=python, has_sql=False)
    row = asking.lexicon.compositionality([x], **given)[0]
    kinds = (("its composition", "composed"), ("its head alone", "head"), ("its dependent alone", "dependent"))
    rows = [(Cell(words), figure(row[name], 4)) for words, name in kinds if row["occurrences"]]
    notes = [OUTSIDE] if rows else ["It does not occur in the trees."]
    return Piece("table", "As it is used", Table((("beside", False), ("similarity", True)), rows), [question], notes)
