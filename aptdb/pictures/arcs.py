"""Draw dependency trees as the paper does (figures 1 and 5): words in a row, with arcs above them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from aptdb.core.phrase import Phrase
from aptdb.pictures.drawing import Drawing, as_made
from aptdb.pictures.svg_tree import (
    SIZE,
    SMALL,
    Part,
    cut_lexeme,
    element,
    fitting,
    render_picture,
    render_text,
    width_of,
    write_path,
)

APART, SLOT = 16.0, 7.0  # between words, and between the ends of arcs at a word
HIGH, ROUND, HEAD = 19.0, 7.0, 3.5  # an arc above another, its corners, and the head of its arrow
WIDEST = 160.0  # labels
NAMED = 34.0  # what the letter of a tree takes


@dataclass(frozen=True)
class Arc:
    """An arc from a head to a dependent, by their positions in the row."""

    head: int
    dependent: int
    relation: str

    @property
    def ends(self) -> tuple[int, int]:
        """Return its left and its right end."""
        return min(self.head, self.dependent), max(self.head, self.dependent)

    @property
    def label(self) -> str:
        """Return its relation, cut to the available width."""
        return fitting(self.relation, SMALL, WIDEST)


def draw_arcs_of_trees(phrases: Sequence[Phrase]) -> Drawing:
    """Return the drawing of phrases' trees, each with its words in order; several are labelled (a), (b), …."""
    names = [f"({label_position(place)})" for place in range(len(phrases))] if len(phrases) > 1 else [""]
    parts = [[tree_part(phrase, name)] for phrase, name in zip(phrases, names, strict=True)]
    as_text = "\n\n".join(f"{name}\n{each.tree()}".strip() for name, each in zip(names, phrases, strict=True))
    title = str(phrases[0]) if len(phrases) == 1 else f"{len(phrases)} trees"
    nodes = sum(len(walked(phrase)) for phrase in phrases)
    return Drawing(title, nodes, lambda _: as_text, as_made(render_picture(parts, title, as_text)))


def label_position(place: int) -> str:
    """Return the label of a position: a to z, then aa, ab, …."""
    before, last = divmod(place, len(ascii_lowercase))
    return (label_position(before - 1) if before else "") + ascii_lowercase[last]


def tree_part(phrase: Phrase, name: str) -> Part:
    """Return the drawing of one tree."""
    words, arcs = arrange_words(phrase)
    levels = levels_of(arcs)
    lefts = lefts_of(words, arcs)
    left = NAMED if name else 0.0
    base = HIGH * max(levels.values(), default=0) + SLOT
    texts = [
        render_text(cut_lexeme(word), left + x, base + SIZE, SIZE, "lexeme", about=word, is_lexeme=True)
        for word, x in zip(words, lefts, strict=True)
    ]
    if name:
        texts.append(render_text(name, 0, base + SIZE, SIZE, "faint"))
    drawn = [arc_of(arc, arcs, levels, words, lefts, left, base) for arc in arcs]
    return Part(
        "\n".join([*drawn, *texts]), left + lefts[-1] + width_of(cut_lexeme(words[-1]), SIZE), base + SIZE + SLOT
    )


@dataclass(frozen=True)
class Token:
    """A token of a sentence: its form, its part of speech, the position of its head from 0, and its relation to it.

    head: None at a root.
    """

    form: str
    upos: str
    head: int | None
    relation: str


def sentence_tree(tokens: Sequence[Token], title: str, marked: Mapping[int, int]) -> Drawing:
    """Return the drawing of a sentence's tree. marked: the number of a colour for some positions, from 0."""
    arcs = [Arc(each.head, at, each.relation) for at, each in enumerate(tokens) if each.head is not None]
    levels = levels_of(arcs)
    words = [each.form if width_of(each.form, SIZE) >= width_of(each.upos, SIZE) else each.upos for each in tokens]
    lefts = lefts_of(words, arcs)
    base = HIGH * max(levels.values(), default=0) + SLOT
    parts = [mark_group("arc", arc.dependent, [arc_of(arc, arcs, levels, words, lefts, 0.0, base)]) for arc in arcs]
    for at, (token, word, x) in enumerate(zip(tokens, words, lefts, strict=True)):
        middle = x + width_of(cut_lexeme(word), SIZE) / 2
        parts.append(mark_group("token", at, token_of(token, middle, base, marked.get(at))))
    width = lefts[-1] + width_of(cut_lexeme(words[-1]), SIZE)
    text = "\n".join(describe_token(at, tokens) for at in range(len(tokens)))
    svg = render_picture([[Part("\n".join(parts), width, base + 2 * SIZE + SLOT)]], title, text)
    return Drawing(title, len(tokens), lambda _: text, as_made(svg))


def mark_group(kind: str, at: int, parts: Sequence[str]) -> str:
    """Return parts as a group that scripts find: a token at a place, or the arc to it."""
    return "\n".join([f'<g class="{kind}" data-at="{at}">', *parts, "</g>"])


def token_of(token: Token, middle: float, base: float, colour: int | None) -> list[str]:
    """Return a token below its arcs: its form, on a coloured ground if it is marked, and its part of speech."""
    form = cut_lexeme(token.form)
    wide, narrow = width_of(form, SIZE), width_of(token.upos, SMALL)
    x, kind = middle - wide / 2 - 3, f"word{colour}"
    ground = element("rect", kind=kind, x=x, y=base + 1, width=wide + 6, height=SIZE + 4, rx=3, opacity=0.45)
    return [
        *([] if colour is None else [ground]),
        render_text(form, middle - wide / 2, base + SIZE, SIZE, "lexeme", about=token.form),
        render_text(token.upos, middle - narrow / 2, base + 2 * SIZE + 2, SMALL, "faint"),
    ]


def describe_token(at: int, tokens: Sequence[Token]) -> str:
    """Return a token of a sentence as text, with its relation and its head."""
    token = tokens[at]
    above = "" if token.head is None else f" of {token.head + 1} {tokens[token.head].form}"
    return f"{at + 1} {token.form}/{token.upos}: {token.relation}{above}"


def arrange_words(phrase: Phrase) -> tuple[list[str], list[Arc]]:
    """Return the words of a phrase in their order, and the arcs between them."""
    edges = [*walked(phrase)]
    order = sorted(range(len(edges)), key=lambda each: edges[each][0].number)
    place = {each: at for at, each in enumerate(order)}
    arcs = [
        Arc(place[head], place[each], relation) for each, (_, head, relation) in enumerate(edges) if head is not None
    ]
    return [edges[each][0].lexeme for each in order], arcs


def walked(phrase: Phrase) -> list[tuple[Phrase, int | None, str]]:
    """Return a phrase and all words below it, each with the position of its head in this list, and its relation."""
    found: list[tuple[Phrase, int | None, str]] = [(phrase, None, "")]
    for head, (word, _, _) in enumerate(found):
        found += [(dependent, head, relation) for relation, dependent in word.dependents]
    return found


def levels_of(arcs: Sequence[Arc]) -> dict[Arc, int]:
    """Return the height of each arc: above all arcs that it spans, with overlapping arcs on different levels."""
    levels: dict[Arc, int] = {}
    for arc in sorted(arcs, key=lambda each: (each.ends[1] - each.ends[0], each.ends)):
        begin, end = arc.ends
        taken = {level for other, level in levels.items() if other.ends[0] < end and begin < other.ends[1]}
        levels[arc] = max(taken, default=0) + 1
    return levels


def lefts_of(words: Sequence[str], arcs: Sequence[Arc]) -> list[float]:
    """Return the left edge of each word, with room for words and labels."""
    lefts = [0.0]
    for word in words[:-1]:
        lefts.append(lefts[-1] + width_of(cut_lexeme(word), SIZE) + APART)
    for arc in sorted(arcs, key=lambda each: (each.ends[1] - each.ends[0], each.ends)):
        begin, end = (find_arc_end(place, arc, arcs, words, lefts) for place in arc.ends)
        lacking = width_of(arc.label, SMALL) + 2 * ROUND - (end - begin)
        if lacking > 0:
            lefts[arc.ends[1] :] = [x + lacking for x in lefts[arc.ends[1] :]]
    return lefts


def find_arc_end(place: int, arc: Arc, arcs: Sequence[Arc], words: Sequence[str], lefts: Sequence[float]) -> float:
    """Return the horizontal position where an arc ends above the word at a place.

    Each arc has its own slot there; of two on one side the longer is the inner one.
    """
    to_left = sorted((each for each in arcs if each.ends[1] == place), key=lambda each: -each.ends[0])
    to_right = sorted((each for each in arcs if each.ends[0] == place), key=lambda each: -each.ends[1])
    slots = [*to_left, *to_right]
    middle = lefts[place] + width_of(cut_lexeme(words[place]), SIZE) / 2
    return middle + (slots.index(arc) - (len(slots) - 1) / 2) * SLOT


def arc_of(
    arc: Arc,
    arcs: Sequence[Arc],
    levels: dict[Arc, int],
    words: Sequence[str],
    lefts: Sequence[float],
    left: float,
    base: float,
) -> str:
    """Return an arc with its arrow, at the dependent, and its label."""
    begin, end = (left + find_arc_end(place, arc, arcs, words, lefts) for place in arc.ends)
    low, high = base - HEAD, base + SLOT / 2 - HIGH * levels[arc]
    lower = high + ROUND
    rise = write_path("M", begin, low, "V", lower, "Q", begin, high, begin + ROUND, high)
    fall = write_path("H", end - ROUND, "Q", end, high, end, lower, "V", low)
    tip = end if arc.dependent > arc.head else begin
    arrow = write_path("M", tip - HEAD, low - HEAD, "L", tip, base, "L", tip + HEAD, low - HEAD)
    label = arc.label
    middle = (begin + end - width_of(label, SMALL)) / 2
    return "\n".join(
        [
            element("path", kind="line down", d=rise + fall),
            element("path", kind="line down", d=arrow),
            render_text(label, middle, high - 3, SMALL, "label", about=arc.relation),
        ]
    )
