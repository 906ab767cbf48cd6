"""Draw APTs as the paper does: packed trees (figure 2), moved anchors (figure 3), composed phrases (figure 4)."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from aptdb.core.count_parameters import Drawn
from aptdb.core.errors import QuestionError, warn, warnings_heard
from aptdb.core.phrase import Phrase, Word
from aptdb.pictures.arcs import draw_arcs_of_trees
from aptdb.pictures.choice import (
    Choice,
    can_be_alone,
    choice_of,
    choose_nodes,
    chosen_each,
    in_colour,
    is_aligned,
    move_apt,
    note_on,
    own_nodes,
    parameters_of_one_word,
    way_back,
    with_shares,
    with_usual_parameters,
)
from aptdb.pictures.drawing import ANCHOR, Drawing, as_made, text_tree
from aptdb.pictures.layout import Node, Size, tree_of
from aptdb.pictures.svg_tree import Panel, measure_box, render_panel, render_picture
from aptdb.questions.calls import Question, lexemes_in_questions, write_question
from aptdb.questions.inventory import known_or_refused
from aptdb.questions.readings import as_read
from aptdb.questions.senses import shares_of_senses
from aptdb.store.session import Session


def draw(
    session: Session, x: Question, *, steps: bool = False, senses: bool = False, **parameters: Unpack[Drawn]
) -> Drawing:
    """Draw the APT of a lexeme or phrase: a packed tree (the paper's figure 2), or of a phrase figure 4.

    Each box is a node, with its heaviest contexts on bars that show their weights, ups above the anchor, downs below
    it. The nodes of a phrase's own tree are grey, and the bars have the colours of the words that contribute. steps:
    for a phrase, also show its composition (figure 3): each word's APT, and the APT moved to the phrase's anchor.
    senses: draw the stored senses of a lexeme side by side.
    Without weights these are lmi, which is high for what is both typical and frequent. Rare contexts are left out where
    the lexicon is large, as in sketches, unless min_count is given. An entry has the weights that it was stored with.
    The drawing's note says both. Raises QuestionError.
    """
    with warnings_heard() as heard:  # a picture asks several questions, of which each may warn
        drawing = draw_for_parameters(session, x, steps, senses, dict(parameters))
    for message, category in heard.items():
        warn(message, category)
    return drawing


def draw_for_parameters(session: Session, x: Question, steps: bool, senses: bool, given: dict[str, Any]) -> Drawing:
    """Return the drawing for parameters that may be changed."""
    for name, value in (("steps", steps), ("senses", senses)):
        if not isinstance(value, bool):
            raise QuestionError(f"{name} is {value!r:.60}; expected True or False")
    choice = choice_of(session, given)
    asked = write_question(as_read(session, x, given))
    if senses:
        if steps or not isinstance(asked, str):
            raise QuestionError("senses are drawn of a lexeme, e.g. mouse/NOUN, without steps")
        return of_senses(session, asked, choice, given)
    if not has_entry(session, asked):  # an entry has the weights with which it was stored
        with_usual_parameters(session, given)
    if isinstance(asked, str) or len(asked) == 1:
        if steps:
            raise QuestionError("steps needs a phrase, e.g. 'clothes/NOUN[amod dry/ADJ]'; a lexeme has none")
        title = asked if isinstance(asked, str) else asked[0]["lexeme"]
        return of_nodes(title, choose_nodes(session, asked, choice, given), given)
    if steps and not can_be_alone(given):
        raise QuestionError("steps cannot be drawn with smooth := 'offset:N' or pipeline := 'compose-first'")
    words = [{**word, "delta": "" if word["delta"] == "ε" else word["delta"]} for word in asked]
    title = str(x) if isinstance(x, str | Phrase) else ", ".join(word["lexeme"] for word in words)
    return draw_phrase(session, title, words, choice, given, steps=steps)


def has_entry(session: Session, asked: "str | list[Word]") -> bool:
    """Return whether a word of a question is an entry."""
    entries = {name for (name,) in session.reading().rows("SELECT entry FROM entries WHERE state <> 'hidden'")}
    return not entries.isdisjoint(lexemes_in_questions(asked))


def of_nodes(title: str, nodes: Sequence[Node], given: Mapping[str, Any]) -> Drawing:
    """Return the drawing of the chosen nodes of one lexeme."""
    return make_drawing(title, [[Panel(with_anchor(nodes))]], {}, measure_box, note_on(given))


def of_senses(session: Session, lexeme: str, choice: Choice, given: Mapping[str, Any]) -> Drawing:
    """Return the drawing of the stored senses of a lexeme, each under its name and its share of the occurrences."""
    panels = [
        Panel(
            with_anchor(choose_nodes(session, name, choice, given)), name if share is None else f"{name}, {share:.0%}"
        )
        for name, share in shares_of_senses(session, lexeme).items()
    ]
    return make_drawing(lexeme, [panels], {}, measure_box, note_on(given))


def draw_each(session: Session, lexemes: Sequence[str]) -> dict[str, Drawing]:
    """Return the drawings of several lexemes, each as `draw` draws it without parameters."""
    given: dict[str, Any] = {}
    choice = choice_of(session, given)
    with_usual_parameters(session, given)
    found = chosen_each(session, lexemes, choice, given)
    return {each: of_nodes(each, found[each], given) for each in lexemes}


def draw_phrase(
    session: Session, title: str, words: list[Word], choice: Choice, given: Mapping[str, Any], *, steps: bool
) -> Drawing:
    """Return the drawing of a phrase, with its composition."""
    own = own_nodes(session, words, given)
    nodes = [replace(node, own=own.get(node.path, ())) for node in choose_nodes(session, words, choice, given, [*own])]
    merged = with_anchor(with_shares(session, words, nodes, given))
    rows = steps_of(session, words, nodes, choice, given, merged) if steps else [[Panel(merged)]]
    colours = {number: word["lexeme"] for number, word in enumerate(words, 1)} if can_be_alone(given) else {}
    size = as_large_as([panel.tree for row in rows[1:] for panel in row]) if steps else measure_box
    return make_drawing(title, rows, colours, size, note_on(given))


def steps_of(
    session: Session, words: list[Word], nodes: Sequence[Node], choice: Choice, given: Mapping[str, Any], merged: Node
) -> list[list[Panel]]:
    """Return the composition of a phrase: a row of the words' APTs, one of these moved, and the merged one."""
    each = []
    for number, word in enumerate(words, 1):
        found = [
            in_colour(node, number)
            for node in choose_nodes(session, word["lexeme"], choice, parameters_of_one_word(given))
        ]
        each.append(Panel(with_anchor(found), word["lexeme"]))
    beside, back = list[Panel](), str(session.reading().value(f"SELECT {way_back(words, given)}"))
    for number, word in enumerate(words, 1):
        found = move_apt(session, words, number, nodes, choice.top, given)
        ways = [way for way in (word["delta"], back) if way and is_aligned(given)]
        along = f"moved along {' and on along '.join(ways)}" if ways else "as it is"
        beside.append(Panel(with_anchor(found), f"{word['lexeme']}, {along}"))
    return [each, beside, [Panel(merged, "merged")]]


def make_drawing(
    title: str, rows: Sequence[Sequence[Panel]], words: Mapping[int, str], size: Size, note: str
) -> Drawing:
    """Return the drawing of rows of panels. words: the numbers of words that have colours.

    size: of boxes after the first row. note: about all of it, which is written below.
    """
    panels = [panel for row in rows for panel in row]
    heaviest = heaviest_of([panel.tree for panel in panels], {title, *words.values()})
    colours = {number: place for place, number in enumerate(words)}

    def as_text(width: float) -> str:
        named = ([*([panel.caption] if panel.caption else []), text_tree(panel.tree, width)] for panel in panels)
        return "\n\n".join(map("\n".join, named))

    parts = [
        [render_panel(panel, heaviest, colours, size if place else measure_box) for panel in row]
        for place, row in enumerate(rows)
    ]
    nodes = sum(1 for _ in panels[-1].tree)
    svg = render_picture(parts, title, as_text(math.inf), [*words.values()], note)
    return Drawing(title, nodes, as_text, as_made(svg), note)


def heaviest_of(trees: Sequence[Node], words: Collection[str]) -> float:
    """Return the weight of a full bar: the heaviest of any context but the words themselves.

    A word meets itself at ε with each token, so that beside it all else would be short.
    """
    contexts = [each for tree in trees for node in tree for each in node.contexts]
    others = [abs(each.weight) for each in contexts if each.lexeme not in words]
    return max(others or [abs(each.weight) for each in contexts], default=0.0)


def with_anchor(nodes: Sequence[Node]) -> Node:
    """Return the tree of nodes below the anchor; the anchor alone if there are none."""
    return tree_of([replace(node, title="" if node.path else ANCHOR) for node in nodes] or [Node("", title=ANCHOR)])


def as_large_as(trees: Sequence[Node]) -> Size:
    """Return the size of a box that fits the same node in several trees."""
    largest: dict[str, tuple[float, float, float]] = {}
    for tree in trees:
        for node in tree:
            sizes = [measure_box(node), largest.get(node.path, (0.0, 0.0, 0.0))]
            largest[node.path] = tuple(map(max, zip(*sizes, strict=True)))
    return lambda node: largest[node.path]


def draw_trees(session: Session, phrases: Sequence[Question]) -> Drawing:
    """Draw the dependency trees of phrases, words in a row with arcs above them (the paper's figure 1).

    phrases: each a Phrase, its text in brackets, or words. Raises QuestionError.
    """
    if not isinstance(phrases, list | tuple) or not phrases:
        raise QuestionError("phrases is a list of phrases, one or more, e.g. ['clothes/NOUN[amod dry/ADJ]']")
    return draw_arcs_of_trees([as_tree(session, as_read(session, each, {})) for each in phrases])


def as_tree(session: Session, x: Question) -> Phrase:
    """Return a phrase as a tree. Raise QuestionError for words with offsets, and for an invalid lexeme."""
    if isinstance(x, str):
        return Phrase.parse(x) if x.endswith("]") else Phrase(known_or_refused(session, x).lexeme)
    if not isinstance(x, Phrase):
        raise QuestionError("expected a Phrase or its text, e.g. 'clothes/NOUN[amod dry/ADJ]'")
    return x
