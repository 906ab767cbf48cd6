"""Packed trees as SVG: the box of each node, and trees side by side with captions."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from aptdb.core.display import how_many
from aptdb.core.one_line import on_one_line
from aptdb.pictures.layout import LABEL, TRUNK, Block, Context, Node, Placed, Size, lay_out_tree

# The colours of words of a phrase, safe for most colour blindness (Okabe & Ito 2008), without black and yellow.
OF_WORDS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f00", "#8c6bb1")

INSIDE = ".aptdb-drawing"  # a picture may stand in a page whose own elements must not change
LIGHT = {
    ".ground": "fill:#ffffff",
    ".box": "fill:#ffffff;stroke:#9aa3ad;stroke-width:1",
    ".anchor": "stroke:#1a1a1a;stroke-width:2",
    ".own": "fill:#e6e8eb",
    ".empty": "stroke-dasharray:3 3",
    ".lexeme": "fill:#1a1a1a",
    ".faint": "fill:#49525c",
    ".bar": "fill:#b9d3ee",
    ".minus": "fill-opacity:0.15;stroke:#b0302a;stroke-dasharray:2 2",
    ".line": "fill:none;stroke:#9aa3ad;stroke-width:1.2",
    ".up": "stroke:#b0603a",
    ".down": "stroke:#3a7ab0",
    ".label": "fill:#33475b;font-style:italic",
}
DARK = {
    ".ground": "fill:#16191d",
    ".box": "fill:#1e2329;stroke:#6b7683",
    ".anchor": "stroke:#f2f2f2",
    ".own": "fill:#39414a",
    ".lexeme": "fill:#f2f2f2",
    ".faint": "fill:#bcc5ce",
    ".bar": "fill:#2f5275",
    ".up": "stroke:#e0936c",
    ".down": "stroke:#77b3e6",
    ".label": "fill:#c3d0dd",
}


def write_style_sheet() -> str:
    """Return the style sheet of all pictures of trees."""
    own = [f"{INSIDE} .word{number}{{fill:{colour}}}" for number, colour in enumerate(OF_WORDS, 1)]
    light = [f"{INSIDE} {name}{{{style}}}" for name, style in LIGHT.items()]
    dark = "".join(f"{INSIDE} {name}{{{style}}}" for name, style in DARK.items())
    all_texts = f"{INSIDE} text{{font-family:{FONT}}}"
    return f"{all_texts}{''.join([*light, *own])}@media(prefers-color-scheme:dark){{{dark}}}"


FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
# Hundredths of the size of the font, from the space to the tilde, of DejaVu Sans, the widest of them.
WIDTHS = (
    32, 41, 47, 84, 64, 95, 78, 28, 41, 41, 50, 84, 34, 37, 34, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 36, 36,
    84, 84, 84, 53, 100, 70, 69, 70, 77, 63, 61, 77, 75, 33, 33, 70, 57, 90, 75, 79, 66, 79, 69, 65, 61, 73, 70, 99,
    69, 65, 69, 41, 34, 41, 84, 50, 50, 61, 64, 55, 64, 62, 39, 64, 64, 31, 31, 60, 31, 97, 64, 62, 64, 64, 44, 54,
    43, 64, 59, 83, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
FIRST = 32
OTHER, FULL = 85, 110  # any other letter, and one that is as wide as high
BOLDER = 1.12  # how much wider texts in bold are
WITHOUT_WIDTH = ("Mn", "Me", "Cf")


def letter_width(letter: str) -> int:
    """Return the width of a letter, in hundredths of the font size."""
    place = ord(letter) - FIRST
    if 0 <= place < len(WIDTHS):
        return WIDTHS[place]
    if unicodedata.category(letter) in WITHOUT_WIDTH:
        return 0
    return FULL if unicodedata.east_asian_width(letter) in "WF" or place > ord("\uffff") else OTHER


@lru_cache(1 << 16)
def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the maximum width of a text, in the unit of its font size."""
    return sum(map(letter_width, text)) * size / 100 * (BOLDER if bold else 1)


def fitting(text: str, size: float, widest: float) -> str:
    """Return as much of a text as fits, with … for the rest."""
    if width_of(text, size) <= widest:
        return text
    kept = ""
    for letter in text:
        if width_of(f"{kept}{letter}…", size) > widest:
            break
        kept += letter
    return f"{kept}…"


NO_CHARACTER = re.compile("[\ufffe\uffff]")


def write_xml(text: str) -> str:
    """Return a text as XML has it, on one line, without control characters."""
    return escape(drop_controls(text))


def drop_controls(text: str) -> str:
    """Return a text without control characters, on one line."""
    return NO_CHARACTER.sub("\ufffd", on_one_line(text))


def plain_lines(text: str) -> str:
    """Return lines of text without characters that XML forbids."""
    return "\n".join(map(write_xml, text.splitlines()))


def format_length(value: float) -> str:
    """Return a length in its shortest form."""
    return f"{value:.1f}".removesuffix(".0")


def write_path(*parts: str | float) -> str:
    """Return the steps of a path in SVG: letters, and lengths in their shortest form, as in M1.5 2V3."""
    text = ""
    for part in parts:
        between = " " if text[-1:].isdigit() and not isinstance(part, str) else ""
        text += part if isinstance(part, str) else f"{between}{format_length(part)}"
    return text


def element(tag: str, kind: str = "", about: str = "", **attributes: float | str) -> str:
    """Return an SVG element without text. kind: its classes. about: its tooltip."""
    named = {"class": kind, **attributes} if kind else attributes
    written = " ".join(
        f'{name.replace("_", "-")}="{write_xml(value) if isinstance(value, str) else number_of(name, value)}"'
        for name, value in named.items()
    )
    return f"<{tag} {written}><title>{write_xml(about)}</title></{tag}>" if about else f"<{tag} {written}/>"


def number_of(name: str, value: float) -> str:
    """Return a number as an attribute: lengths in tenths, all others in hundredths."""
    return f"{value:.2f}" if name == "opacity" else format_length(value)


def render_text(
    text: str,
    x: float,
    y: float,
    size: float,
    kind: str,
    *,
    about: str = "",
    bold: bool = False,
    is_lexeme: bool = False,
    ground: bool = False,
) -> str:
    """Return a line of text. is_lexeme: the part of speech is paler. ground: it covers the edge behind it."""
    lemma, slash, pos = text.rpartition("/") if is_lexeme else (text, "", "")
    inside = (
        f'{write_xml(lemma)}<tspan class="faint">{write_xml(slash + pos)}</tspan>'
        if lemma and slash
        else write_xml(text)
    )
    title = f"<title>{write_xml(about)}</title>" if about else ""
    weight = ' font-weight="bold"' if bold else ""
    kinds = f"{kind} over" if ground else kind
    place = f'x="{format_length(x)}" y="{format_length(y)}" font-size="{format_length(size)}"'
    return f'<text class="{kinds}" {place}{weight}>{title}{inside}</text>'


SIZE, SMALL = 12.0, 10.5  # of fonts
LINE = 17.0  # the height of a line of text
PAD = 7.0
NARROWEST, WIDEST = 36.0, 190.0  # boxes
THINNEST = 0.05  # parts of bars
BESIDE = 2 * TRUNK + 8  # beside the label of an edge, where edges to downs pass


def measure_box(node: Node) -> tuple[float, float, float]:
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
    return [*title, *((cut_lexeme(each.lexeme), SIZE) for each in node.contexts), *more]


def cut_lexeme(lexeme: str) -> str:
    """Return a lexeme cut to the available width; its part of speech stays."""
    if width_of(lexeme, SIZE) <= WIDEST:
        return lexeme
    lemma, slash, pos = lexeme.rpartition("/")
    tail = f"{slash}{pos}" if slash and width_of(pos, SIZE) < WIDEST / 2 else ""
    return fitting(lemma if tail else lexeme, SIZE, WIDEST - width_of(tail, SIZE)) + tail


def label_of(node: Node) -> str:
    """Return the relation of the edge to a node, with its direction."""
    step = node.step
    return fitting(f"{'↑' if step.startswith('<') else '↓'} {step[1:]}", SMALL, WIDEST)


def render_box(placed: Placed, heaviest: float, words: Mapping[int, int]) -> str:
    """Return a box with its contexts and its label. words: the colour of each word of a phrase, by number.

    heaviest: the weight of a full bar.
    """
    node, x = placed.node, placed.x
    is_up = node.step.startswith("<")
    y = placed.y + (LABEL if node.step and not is_up else 0)
    height = placed.height - (LABEL if node.step else 0)
    is_kind = {"box": True, "anchor": not node.path, "own": bool(node.own), "empty": not node.contexts}
    kinds = [kind for kind, holds in is_kind.items() if holds]
    parts = [element("rect", x=x, y=y, width=placed.width, height=height, rx=4, kind=" ".join(kinds))]
    line = y + PAD / 2
    if node.title:
        parts.append(render_text(fitting(node.title, SMALL, WIDEST), x + PAD, line + LINE - 5, SMALL, "faint"))
        line += LINE
    for context in node.contexts:
        parts += render_context(context, x, line, placed.width, heaviest, words, bold=context.lexeme in node.own)
        line += LINE
    if node.more:
        parts.append(render_text(f"+ {how_many(node.more, 'other')}", x + PAD, line + LINE - 5, SMALL, "faint"))
    if node.step:
        under = y + height + LABEL - 4 if is_up else y - 4
        at = x + 2 if is_up and node.downs else placed.x + placed.width / 2 - measure_box(node)[2] / 2 + 2
        parts.append(render_text(label_of(node), at, under, SMALL, "label", about=node.step[1:], ground=True))
    return "\n".join(parts)


def render_context(
    context: Context, x: float, y: float, width: float, heaviest: float, words: Mapping[int, int], *, bold: bool
) -> list[str]:
    """Return a line of a box: the lexeme, on a bar of its weight, in the colours of the contributing words."""
    bars, begin = [], x + 2
    room = (width - 4) * min(1.0, abs(context.weight) / heaviest) if heaviest else 0.0
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
    lexeme = cut_lexeme(context.lexeme)
    return [*bars, render_text(lexeme, x + PAD, y + LINE - 5, SIZE, "lexeme", about=about, bold=bold, is_lexeme=True)]


MARGIN = 16.0
BETWEEN = 36.0  # panels
PAGE = 2**0.5  # the height of a page by its width
CAPTION = 26.0  # the height of one
SQUARE = 10.0  # of the legend


@dataclass(frozen=True)
class Panel:
    """A packed tree, and its caption."""

    tree: Node
    caption: str = ""


@dataclass(frozen=True)
class Part:
    """A drawn panel: elements with the top left corner at 0, 0, and their size."""

    text: str
    width: float
    height: float


def render_picture(
    rows: Sequence[Sequence[Part]], title: str, about: str, words: Sequence[str] = (), note: str = ""
) -> str:
    """Return the SVG of rows of parts, which are cut where that fits a page better.

    about: a description. words: those of a phrase, for the legend. note: a line below all.
    """
    top, parts, widest = MARGIN, [], 0.0
    if words:
        text, width = legend(words)
        parts.append(move_elements(text, MARGIN, top))
        top, widest = top + LINE + 8, width
    for row in as_page(rows):
        along = MARGIN
        for part in row:
            parts.append(move_elements(part.text, along, top))
            along += part.width + BETWEEN
        widest = max(widest, along - BETWEEN - MARGIN)
        top += max(part.height for part in row) + BETWEEN
    bottom = top - BETWEEN
    if note:
        bottom += LINE + 4
        parts.append(render_text(note, MARGIN, bottom, SMALL, "faint"))
        widest = max(widest, width_of(note, SMALL))
    width, height = widest + 2 * MARGIN, bottom + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="aptdb-drawing" role="img" '
            f'width="{format_length(width)}" height="{format_length(height)}" '
            f'viewBox="0 0 {format_length(width)} {format_length(height)}">',
            f"<title>{write_xml(title)}</title>",
            f"<desc>{plain_lines(about)}</desc>",
            f"<style>{write_style_sheet()}</style>",
            element("rect", kind="ground", width=width, height=height),
            *parts,
            "</svg>\n",
        ]
    )


def as_page(rows: Sequence[Sequence[Part]]) -> list[list[Part]]:
    """Return rows cut into more rows, so that the picture is as narrow as can be and not higher than a page as wide."""
    runs = [row[begin:end] for row in rows for begin in range(len(row)) for end in range(begin + 1, len(row) + 1)]
    widest = max(part.width for row in rows for part in row)
    for width in sorted({across(run) for run in runs if across(run) >= widest}):
        cut = [some for row in rows for some in arrange_parts_in_width(row, width)]
        if sum(max(part.height for part in row) + BETWEEN for row in cut) <= PAGE * max(map(across, cut)):
            return cut
    return [[*row] for row in rows]


def across(row: Sequence[Part]) -> float:
    """Return the width of a row of parts."""
    return sum(part.width + BETWEEN for part in row) - BETWEEN


def arrange_parts_in_width(row: Sequence[Part], width: float) -> list[list[Part]]:
    """Return parts in rows, in order, as many in each as fit a width."""
    rows: list[list[Part]] = [[]]
    for part in row:
        if rows[-1] and across([*rows[-1], part]) > width:
            rows.append([])
        rows[-1].append(part)
    return rows


def move_elements(text: str, x: float, y: float) -> str:
    """Return elements moved by an offset."""
    return f'<g transform="translate({format_length(x)},{format_length(y)})">\n{text}\n</g>'


def render_panel(panel: Panel, heaviest: float, colours: Mapping[int, int], size: Size = measure_box) -> Part:
    """Return a drawn panel. heaviest: the weight of a full bar.

    colours: of the words of a phrase, by number. size: of each box.
    """
    block = lay_out_tree(panel.tree, size)
    top = CAPTION if panel.caption else 0.0
    caption = [render_text(panel.caption, 0, SIZE, SIZE, "lexeme", bold=True)] if panel.caption else []
    inside = move_elements(
        "\n".join([*render_edges(block), *(render_box(placed, heaviest, colours) for placed in block.placed)]), 0, top
    )
    width = max(block.width, width_of(panel.caption, SIZE, bold=True))
    return Part("\n".join([*caption, inside]), width, block.height + top)


def render_edges(block: Block) -> list[str]:
    """Return the edges as SVG paths, one for ups and one for downs."""
    found = []
    for up, kind in ((True, "line up"), (False, "line down")):
        path = "".join(
            f"M{format_length(line.x1)} {format_length(line.y1)}L{format_length(line.x2)} {format_length(line.y2)}"
            for line in block.lines
            if line.up == up
        )
        if path:
            found.append(element("path", kind=kind, d=path))
    return found


def legend(words: Sequence[str]) -> tuple[str, float]:
    """Return the words of a phrase with their colours, and the width of the legend."""
    along, parts = 0.0, []
    for place, word in enumerate(words):
        kind = f"word{place % len(OF_WORDS) + 1}"
        parts.append(element("rect", x=along, y=1, width=SQUARE, height=SQUARE, kind=kind, opacity=0.6))
        text = fitting(word, SIZE, 200)
        parts.append(render_text(text, along + SQUARE + 5, SQUARE, SIZE, "lexeme", about=word, is_lexeme=True))
        along += SQUARE + 5 + width_of(text, SIZE) + 18
    return "\n".join(parts), along
