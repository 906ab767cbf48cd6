"""The box of a node, with its contexts and the label of its edge: how large it is, and how it is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass

from aptdb.display import how_many
from aptdb.pictures.layout import LABEL, TRUNK, Placed
from aptdb.pictures.letters import fitting, width_of
from aptdb.pictures.marks import element, text_of
from aptdb.pictures.packed_tree import Context, Node
from aptdb.pictures.style import OF_WORDS

SIZE, SMALL = 12.0, 10.5  # of fonts
LINE = 17.0  # the height of a line of text
PAD = 7.0
NARROWEST, WIDEST = 36.0, 190.0  # boxes
THINNEST = 0.05  # parts of bars
BESIDE = 2 * TRUNK + 8  # beside the label of an edge, where edges to downs pass


@dataclass(frozen=True)
class Scale:
    """What fills a box: the heaviest weight of a picture, or of all that stand together."""

    heaviest: float

    def share(self, weight: float) -> float:
        """How much of a box is filled for a weight, from 0 to 1."""
        return min(1.0, abs(weight) / self.heaviest) if self.heaviest else 0.0


def size_of(node: Node) -> tuple[float, float, float]:
    """The width and height of a box with its label, and the width of the label."""
    label = width_of(label_of(node), SMALL) + 4 if node.step else 0.0
    texts = [width_of(text, size, bold=bool(node.own)) for text, size in texts_of(node)]
    width = max(NARROWEST, *(text + 2 * PAD for text in texts), label)
    if node.step.startswith("<") and node.downs:
        width = max(width, label + BESIDE)
    return width, box_height(node) + (LABEL if node.step else 0), label


def box_height(node: Node) -> float:
    """The height of a box without its label."""
    return max(1, len(texts_of(node))) * LINE + PAD


def texts_of(node: Node) -> list[tuple[str, float]]:
    """The lines in a box, with the sizes of their fonts."""
    title = [(fitting(node.title, SMALL, WIDEST), SMALL)] if node.title else []
    more = [(f"+ {how_many(node.more, 'other')}", SMALL)] if node.more else []
    return [*title, *((shown(each.lexeme), SIZE) for each in node.contexts), *more]


def shown(lexeme: str) -> str:
    """A lexeme as far as there is room for it: its part of speech stays."""
    if width_of(lexeme, SIZE) <= WIDEST:
        return lexeme
    lemma, slash, pos = lexeme.rpartition("/")
    tail = f"{slash}{pos}" if slash and width_of(pos, SIZE) < WIDEST / 2 else ""
    return fitting(lemma if tail else lexeme, SIZE, WIDEST - width_of(tail, SIZE)) + tail


def label_of(node: Node) -> str:
    """The relation of the edge to a node, with its direction."""
    step = node.step
    return fitting(f"{'↑' if step.startswith('<') else '↓'} {step[1:]}", SMALL, WIDEST)


def drawn(placed: Placed, scale: Scale, words: Mapping[int, int]) -> str:
    """A box with its contexts and its label. words: the colour of each word of a phrase, by its number."""
    node, x = placed.node, placed.x
    is_up = node.step.startswith("<")
    y = placed.y + (LABEL if node.step and not is_up else 0)
    height = placed.height - (LABEL if node.step else 0)
    is_kind = {"box": True, "anchor": not node.path, "own": bool(node.own), "empty": not node.contexts}
    kinds = [kind for kind, holds in is_kind.items() if holds]
    parts = [element("rect", x=x, y=y, width=placed.width, height=height, rx=4, kind=" ".join(kinds))]
    line = y + PAD / 2
    if node.title:
        parts.append(text_of(fitting(node.title, SMALL, WIDEST), x + PAD, line + LINE - 5, SMALL, "faint"))
        line += LINE
    for context in node.contexts:
        parts += context_of(context, x, line, placed.width, scale, words, bold=context.lexeme in node.own)
        line += LINE
    if node.more:
        parts.append(text_of(f"+ {how_many(node.more, 'other')}", x + PAD, line + LINE - 5, SMALL, "faint"))
    if node.step:
        under = y + height + LABEL - 4 if is_up else y - 4
        at = x + 2 if is_up and node.downs else placed.x + placed.width / 2 - size_of(node)[2] / 2 + 2
        parts.append(text_of(label_of(node), at, under, SMALL, "label", about=node.step[1:], ground=True))
    return "\n".join(parts)


def context_of(
    context: Context, x: float, y: float, width: float, scale: Scale, words: Mapping[int, int], *, bold: bool
) -> list[str]:
    """A line of a box: the lexeme, on a bar as long as its weight, in the colours of the words that bring it."""
    bars, begin, room = [], x + 2, (width - 4) * scale.share(context.weight)
    shares = {number: share for number, share in context.shares.items() if share} or {0: context.weight}
    whole = sum(map(abs, shares.values()))
    for number, share in shares.items():
        length = room * abs(share) / whole if whole else 0.0
        kind = f"word{words[number] % len(OF_WORDS) + 1}" if number in words else "bar"
        kind = f"{kind} minus" if share < 0 else kind
        opacity = 0.45 if number in words else 0.8
        if length >= THINNEST:
            bars.append(element("rect", x=begin, y=y + 1, width=length, height=LINE - 2, kind=kind, opacity=opacity))
        begin += length
    brought = "".join(f"; word {number}: {share:.3f}" for number, share in context.shares.items())
    about = f"{context.lexeme}: {context.weight:.3f}{brought}"
    lexeme = shown(context.lexeme)
    return [*bars, text_of(lexeme, x + PAD, y + LINE - 5, SIZE, "lexeme", about=about, bold=bold, is_lexeme=True)]
