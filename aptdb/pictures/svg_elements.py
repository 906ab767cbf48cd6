"""Elements of SVG: the style of pictures, widths of texts, escaped elements."""

import re
import unicodedata
from html import escape

from aptdb.core.display import on_one_line

# The colours of words of a phrase: told apart by most who see few colours (Okabe & Ito 2008), black and yellow aside.
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


def rules(font: str) -> str:
    """Return the style sheet of a picture."""
    own = [f"{INSIDE} .word{number}{{fill:{colour}}}" for number, colour in enumerate(OF_WORDS, 1)]
    light = [f"{INSIDE} {name}{{{style}}}" for name, style in LIGHT.items()]
    dark = "".join(f"{INSIDE} {name}{{{style}}}" for name, style in DARK.items())
    all_texts = f"{INSIDE} text{{font-family:{font}}}"
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
    """Return how wide a letter is, in hundredths of the size of the font."""
    place = ord(letter) - FIRST
    if 0 <= place < len(WIDTHS):
        return WIDTHS[place]
    if unicodedata.category(letter) in WITHOUT_WIDTH:
        return 0
    return FULL if unicodedata.east_asian_width(letter) in "WF" or place > ord("\uffff") else OTHER


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text is at most, in the unit of the size of its font."""
    return sum(map(letter_width, text)) * size / 100 * (BOLDER if bold else 1)


def fitting(text: str, size: float, widest: float) -> str:
    """As much of a text as fits, with … where something is left out."""
    if width_of(text, size) <= widest:
        return text
    kept = ""
    for letter in text:
        if width_of(f"{kept}{letter}…", size) > widest:
            break
        kept += letter
    return f"{kept}…"


NO_CHARACTER = re.compile("[\ufffe\uffff]")


def plain(text: str) -> str:
    """Return a text as XML can hold it."""
    return escape(characters(text))


def characters(text: str) -> str:
    """Return a text of nothing but characters, on one line."""
    return NO_CHARACTER.sub("\ufffd", on_one_line(text))


def plain_lines(text: str) -> str:
    """Return lines of text as XML can hold them."""
    return "\n".join(map(plain, text.splitlines()))


def number(value: float) -> str:
    """Return a length, as short as it can be written."""
    return f"{value:.1f}".removesuffix(".0")


def element(tag: str, kind: str = "", about: str = "", **attributes: float | str) -> str:
    """Return an element without text. kind: its classes. about: what a reader sees who points at it."""
    named = {"class": kind, **attributes} if kind else attributes
    said = " ".join(
        f'{name.replace("_", "-")}="{plain(value) if isinstance(value, str) else number_of(name, value)}"'
        for name, value in named.items()
    )
    return f"<{tag} {said}><title>{plain(about)}</title></{tag}>" if about else f"<{tag} {said}/>"


def number_of(name: str, value: float) -> str:
    """Return a number as an attribute has it: lengths in tenths, all else in hundredths."""
    return f"{value:.2f}" if name == "opacity" else number(value)


def text_of(
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
    """Return a line of text. is_lexeme: its part of speech stands back. ground: it covers an edge that it stands on."""
    lemma, slash, pos = text.rpartition("/") if is_lexeme else (text, "", "")
    inside = f'{plain(lemma)}<tspan class="faint">{plain(slash + pos)}</tspan>' if lemma and slash else plain(text)
    title = f"<title>{plain(about)}</title>" if about else ""
    weight = ' font-weight="bold"' if bold else ""
    kinds = f"{kind} over" if ground else kind
    return (
        f'<text class="{kinds}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{weight}>'
        f"{title}{inside}</text>"
    )
