"""A picture in SVG: packed trees side by side and one below the other, each with a caption."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aptdb.pictures.boxes import LINE, SIZE, Scale, drawn, size_of
from aptdb.pictures.layout import Block, Size, laid_out
from aptdb.pictures.letters import FONT, fitting, width_of
from aptdb.pictures.marks import element, number, plain, plain_lines, text_of
from aptdb.pictures.packed_tree import Node
from aptdb.pictures.style import OF_WORDS, rules

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
    """The SVG of rows of parts. about: the same in words. words: those of a phrase, for the legend."""
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
    """A panel as it is drawn. colours: those of the words of a phrase, by their numbers. size: of each box."""
    block = laid_out(panel.tree, size)
    top = CAPTION if panel.caption else 0.0
    caption = [text_of(panel.caption, 0, SIZE, SIZE, "lexeme", bold=True)] if panel.caption else []
    inside = moved("\n".join([*lines_of(block), *(drawn(placed, scale, colours) for placed in block.placed)]), 0, top)
    width = max(block.width, width_of(panel.caption, SIZE, bold=True))
    return Part("\n".join([*caption, inside]), width, block.height + top)


def lines_of(block: Block) -> list[str]:
    """The edges, those of one direction as one path."""
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
    """The words of a phrase, each with its colour; and how wide that is."""
    along, parts = 0.0, []
    for place, word in enumerate(words):
        kind = f"word{place % len(OF_WORDS) + 1}"
        parts.append(element("rect", x=along, y=1, width=SQUARE, height=SQUARE, kind=kind, opacity=0.6))
        text = fitting(word, SIZE, 200)
        parts.append(text_of(text, along + SQUARE + 5, SQUARE, SIZE, "lexeme", about=word, is_lexeme=True))
        along += SQUARE + 5 + width_of(text, SIZE) + 18
    return "\n".join(parts), along
