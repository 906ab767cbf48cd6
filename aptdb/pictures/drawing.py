"""Drawings: SVG, text, and files; and what is drawn as lines of text for a terminal: bars, and packed trees."""

import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.cells import cell_len

from aptdb.core.errors import QuestionError
from aptdb.core.one_line import on_one_line
from aptdb.pictures.layout import Node
from aptdb.pictures.svg_tree import write_xml
from aptdb.store.file_writing import overwrite_file

ENDINGS = (".svg", ".html", ".png", ".pdf")
ENDINGS_OF_SVG = ENDINGS[:2]
DENSITY = 144.0  # pixels of an inch of a PNG
PAGE = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
    "<title>{title}</title>\n<style>body{{margin:0;background:light-dark(#fff,#16191d);color-scheme:light dark}}"
    "svg{{display:block;margin:auto;max-width:none}}</style>\n{svg}</html>\n"
)
LONGEST, SHORTEST = 40, 5  # bars, in letters
ANCHOR = "anchor"  # the name of the node where a word stands
FULL, SHADE, EIGHTHS = "█", "░", " ▏▎▍▌▋▊▉"


@dataclass(frozen=True)
class Drawing:
    """A picture; a notebook shows it.

    title: its title. nodes: the number of nodes or items. as_text: a function that returns lines of a given width;
    str() does not limit the width. made: a function that returns it as svg, png or pdf. note: which weights it shows,
    and what is left out. retitle: a function that returns a plot with another title; None of what is no plot.
    """

    title: str
    nodes: int
    as_text: Callable[[float], str]
    made: Callable[[str], bytes]
    note: str = ""
    retitle: "Callable[[str], Drawing] | None" = None

    @property
    def svg(self) -> str:
        """Return the picture as SVG."""
        return self.made("svg").decode()

    def with_title(self, title: str) -> "Drawing":
        """Return a plot with another title. Raise QuestionError for what is no plot."""
        if self.retitle is None:
            raise QuestionError(f"{self.title} is drawn without a title")
        return self.retitle(title)

    def with_metadata(self, lines: Sequence[str]) -> "Drawing":
        """Return the drawing with lines of text in the element metadata of its SVG, which a page of HTML has, too."""

        def make(kind: str) -> bytes:
            if kind != "svg":
                return self.made(kind)
            before, end, after = self.svg.rpartition("</svg>")
            text = "\n".join(map(write_xml, lines))
            return f"{before}<metadata>{text}</metadata>{end}{after}".encode()

        return replace(self, made=make)

    def save(self, file: str | Path) -> None:
        """Write the picture to a file, by its ending: .svg, .html, .png or .pdf. Raise QuestionError."""
        if not isinstance(file, str | Path):
            raise QuestionError(f"{file!r:.60} is not the name of a file")
        place = Path(file)
        overwrite_file(place, self.content(find_picture_ending(place)))

    def content(self, ending: str) -> bytes:
        """Return the content of a file with this ending."""
        if ending == ".html":
            from html import escape

            return PAGE.format(title=escape(self.title), svg=self.svg).encode()
        return self.made(ending.removeprefix("."))

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.as_text(math.inf)

    def __repr__(self) -> str:
        return f"<Drawing of {self.title}>"


def as_made(svg: str) -> Callable[[str], bytes]:
    """Return a function that converts an SVG picture to another format."""
    return lambda kind: svg.encode() if kind == "svg" else printed(svg, kind)


def find_picture_ending(file: Path) -> str:
    """Return the ending of a file. Raise QuestionError for an unknown one."""
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise QuestionError(
            f"{file} is not a file of a picture; its name ends with {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        )
    return ending


def printed(svg: str, kind: str) -> bytes:
    """Return the picture as png or pdf. Raise QuestionError if the converter is not installed."""
    try:
        import typst
    except ImportError as error:
        raise QuestionError(
            f".{kind} needs typst; install it with: pip install 'aptdb[draw]', or write .svg or .html"
        ) from error
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.typ"
        page.write_text('#set page(width: auto, height: auto, margin: 0pt)\n#image("page.svg")\n', encoding="utf-8")
        page.with_suffix(".svg").write_text(svg, encoding="utf-8")
        return typst.compile(page, format="png" if kind == "png" else "pdf", ppi=DENSITY)


# Text
def text_bars(blocks: Sequence[tuple[str, Sequence[tuple[str, float | None]]]], width: float) -> str:
    """Return blocks of bars as lines, each block below its heading, in a number of columns."""
    named = [(on_one_line(name), value) for _, bars in blocks for name, value in bars]
    widest = max((cell_len(name) for name, _ in named), default=0)
    values = [format_four_digits(value) for _, value in named]
    digits = max(map(len, values), default=0)
    most = max((abs(value) for _, value in named if value is not None), default=0.0)
    room = int(max(SHORTEST, min(LONGEST, width - widest - digits - 3)))
    lines = []
    for heading, bars in blocks:
        lines += [heading] if heading else []
        for name, value in bars:
            text = on_one_line(name)
            filled, bar = text + " " * (widest - cell_len(text)), draw_text_bar(value, most, room)
            lines.append(f"{filled}  {format_four_digits(value):>{digits}} {bar}".rstrip())
    return "\n".join(lines)


def format_four_digits(value: float | None) -> str:
    """Return a value with four digits, or a whole number; '' for None."""
    if value is None:
        return ""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4f}"


def draw_text_bar(value: float | None, most: float, room: int) -> str:
    """Return the bar of a value, in eighths of a character; shaded for negative values."""
    if value is not None and value < 0:
        return SHADE * round(-value / most * room)
    eighths = round(abs(value or 0.0) / most * room * len(EIGHTHS)) if most else 0
    return FULL * (eighths // len(EIGHTHS)) + EIGHTHS[eighths % len(EIGHTHS)].strip()


def text_tree(anchor: Node, width: float = math.inf) -> str:
    """Return a line for each node below its parent: its step, and as many contexts as fit."""
    return "\n".join(draw_text_tree(anchor, width))


def draw_text_tree(node: Node, width: float, before: str = "", below: str = "") -> Iterator[str]:
    """Yield the lines of a tree. before: the text before its first line.

    below: the text before the lines of the nodes beyond it.
    """
    step = f"{'↑' if node.step.startswith('<') else '↓'}{on_one_line(node.step[1:])}" if node.step else ANCHOR
    contexts = [f"{on_one_line(each.lexeme)} {each.weight:.2f}" for each in node.contexts]
    yield with_contexts(f"{before}{step} ", contexts, node.more, width)
    beyond = [*node.ups, *node.downs]
    for place, each in enumerate(beyond, 1):
        branch, further = ("└─ ", "   ") if place == len(beyond) else ("├─ ", "│  ")
        yield from draw_text_tree(each, width, below + branch, below + further)


def with_contexts(line: str, contexts: Sequence[str], more: int, width: float) -> str:
    """Return a line with as many contexts as fit, at least one, and the number of the others."""
    shown_line = line
    for place, context in enumerate(contexts):
        left = more + len(contexts) - place - 1
        longer = f"{shown_line} {context}{',' if left else ''}"
        if place and cell_len(f"{longer} +{left:,}" if left else longer) > width:
            return f"{shown_line} +{left + 1:,}"
        shown_line = longer
    return f"{shown_line} +{more:,}" if more else shown_line.rstrip()
