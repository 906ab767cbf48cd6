"""Packed trees as SVG: the box of each node, and trees side by side with captions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aptdb.core.display import how_many
from aptdb.pictures.layout import LABEL, TRUNK, Block, Context, Node, Placed, Size, laid_out
from aptdb.pictures.svg_elements import (
    FONT,
    OF_WORDS,
    element,
    fitting,
    number,
    plain,
    plain_lines,
    rules,
    text_of,
    width_of,
)

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
        """Return how much of a box is filled for a weight, from 0 to 1."""
        return min(1.0, abs(weight) / self.heaviest) if self.heaviest else 0.0


def size_of(node: Node) -> tuple[float, float, float]:
    """Return the width and height of a box with its label, and the width of the label."""
    label = width_of(label_of(node), SMALL) + 4 if node.step else 0.0
    texts = [width_of(text, size, bold=bool(node.own)) for text, size in texts_of(node)]
    width = max(NARROWEST, *(text + 2 * PAD for text in texts), label)
    if node.step.startswith("<") and node.downs:
        width = max(width, label + BESIDE)
    return width, box_height(node) + (LABEL if node.step else 0), label


def box_height(node: Node) -> float:
    """Return the height of a box without its label."""
    return max(1, len(texts_of(node))) * LINE + PAD


def texts_of(node: Node) -> list[tuple[str, float]]:
    """Return the lines in a box, with the sizes of their fonts."""
    title = [(fitting(node.title, SMALL, WIDEST), SMALL)] if node.title else []
    more = [(f"+ {how_many(node.more, 'other')}", SMALL)] if node.more else []
    return [*title, *((shown(each.lexeme), SIZE) for each in node.contexts), *more]


def shown(lexeme: str) -> str:
    """Return a lexeme as far as there is room for it: its part of speech stays."""
    if width_of(lexeme, SIZE) <= WIDEST:
        return lexeme
    lemma, slash, pos = lexeme.rpartition("/")
    tail = f"{slash}{pos}" if slash and width_of(pos, SIZE) < WIDEST / 2 else ""
    return fitting(lemma if tail else lexeme, SIZE, WIDEST - width_of(tail, SIZE)) + tail


def label_of(node: Node) -> str:
    """Return the relation of the edge to a node, with its direction."""
    step = node.step
    return fitting(f"{'↑' if step.startswith('<') else '↓'} {step[1:]}", SMALL, WIDEST)


def drawn(placed: Placed, scale: Scale, words: Mapping[int, int]) -> str:
    """Return a box with its contexts and its label. words: the colour of each word of a phrase, by its number."""
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
    """Return a line of a box: the lexeme, on a bar as long as its weight, in the colours of the words that bring it."""
    bars, begin, room = [], x + 2, (width - 4) * scale.share(context.weight)
    shares = {number: share for number, share in context.shares.items() if share} or {0: context.weight}
    whole = sum(map(abs, shares.values()))
    for which, share in shares.items():
        length = room * abs(share) / whole if whole else 0.0
        kind = f"word{words[which] % len(OF_WORDS) + 1}" if which in words else "bar"
        kind = f"{kind} minus" if share < 0 else kind
        opacity = 0.45 if which in words else 0.8
        if length >= THINNEST:
            bars.append(element("rect", x=begin, y=y + 1, width=length, height=LINE - 2, kind=kind, opacity=opacity))
        begin += length
    brought = "".join(f"; word {number}: {share:.3f}" for number, share in context.shares.items())
    about = f"{context.lexeme}: {context.weight:.3f}{brought}"
    lexeme = shown(context.lexeme)
    return [*bars, text_of(lexeme, x + PAD, y + LINE - 5, SIZE, "lexeme", about=about, bold=bold, is_lexeme=True)]


MARGIN = 16.0
BETWEEN = 36.0  # panels
CAPTION = 26.0  # the height of one
SQUARE = 10.0  # of the legend


@dataclass(frozen=True)
class Panel:
    """A packed tree, and what is written above it."""

    tree: Node
    caption: str = ""


@dataclass(frozen=True)
class Part:
    """What is drawn of a panel: elements whose left top corner is 0, 0, and their size."""

    text: str
    width: float
    height: float


def picture(rows: Sequence[Sequence[Part]], title: str, about: str, words: Sequence[str] = ()) -> str:
    """Return the SVG of rows of parts. about: the same in words. words: those of a phrase, for the legend."""
    top, parts, widest = MARGIN, [], 0.0
    if words:
        text, width = legend(words)
        parts.append(moved(text, MARGIN, top))
        top, widest = top + LINE + 8, width
    for row in rows:
        along = MARGIN
        for part in row:
            parts.append(moved(part.text, along, top))
            along += part.width + BETWEEN
        widest = max(widest, along - BETWEEN - MARGIN)
        top += max(part.height for part in row) + BETWEEN
    width, height = widest + 2 * MARGIN, top - BETWEEN + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="aptdb-drawing" role="img" '
            f'width="{number(width)}" height="{number(height)}" '
            f'viewBox="0 0 {number(width)} {number(height)}">',
            f"<title>{plain(title)}</title>",
            f"<desc>{plain_lines(about)}</desc>",
            f"<style>{rules(FONT)}</style>",
            element("rect", kind="ground", width=width, height=height),
            *parts,
            "</svg>\n",
        ]
    )


def moved(text: str, x: float, y: float) -> str:
    """Elements elsewhere."""
    return f'<g transform="translate({number(x)},{number(y)})">\n{text}\n</g>'


def part_of(panel: Panel, scale: Scale, colours: Mapping[int, int], size: Size = size_of) -> Part:
    """Return a panel as it is drawn. colours: those of the words of a phrase, by their numbers. size: of each box."""
    block = laid_out(panel.tree, size)
    top = CAPTION if panel.caption else 0.0
    caption = [text_of(panel.caption, 0, SIZE, SIZE, "lexeme", bold=True)] if panel.caption else []
    inside = moved("\n".join([*lines_of(block), *(drawn(placed, scale, colours) for placed in block.placed)]), 0, top)
    width = max(block.width, width_of(panel.caption, SIZE, bold=True))
    return Part("\n".join([*caption, inside]), width, block.height + top)


def lines_of(block: Block) -> list[str]:
    """Return the edges, those of one direction as one path."""
    found = []
    for up, kind in ((True, "line up"), (False, "line down")):
        path = "".join(
            f"M{number(line.x1)} {number(line.y1)}L{number(line.x2)} {number(line.y2)}"
            for line in block.lines
            if line.up == up
        )
        if path:
            found.append(element("path", kind=kind, d=path))
    return found


def legend(words: Sequence[str]) -> tuple[str, float]:
    """Return the words of a phrase, each with its colour; and how wide that is."""
    along, parts = 0.0, []
    for place, word in enumerate(words):
        kind = f"word{place % len(OF_WORDS) + 1}"
        parts.append(element("rect", x=along, y=1, width=SQUARE, height=SQUARE, kind=kind, opacity=0.6))
        text = fitting(word, SIZE, 200)
        parts.append(text_of(text, along + SQUARE + 5, SQUARE, SIZE, "lexeme", about=word, is_lexeme=True))
        along += SQUARE + 5 + width_of(text, SIZE) + 18
    return "\n".join(parts), along
