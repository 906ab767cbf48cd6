"""Elements of SVG. All texts are escaped, and no character is in them that XML cannot have."""

import re
from html import escape

from aptdb.display import on_one_line

NO_CHARACTER = re.compile("[\ufffe\uffff]")


def plain(text: str) -> str:
    """A text as XML can hold it."""
    return escape(characters(text))


def characters(text: str) -> str:
    """A text of nothing but characters, on one line."""
    return NO_CHARACTER.sub("\ufffd", on_one_line(text))


def plain_lines(text: str) -> str:
    """Lines of text as XML can hold them."""
    return "\n".join(map(plain, text.splitlines()))


def number(value: float) -> str:
    """A length, as short as it can be written."""
    return f"{value:.1f}".removesuffix(".0")


def element(tag: str, kind: str = "", about: str = "", **attributes: float | str) -> str:
    """An element without text. kind: its classes. about: what a reader sees who points at it."""
    named = {"class": kind, **attributes} if kind else attributes
    said = " ".join(
        f'{name.replace("_", "-")}="{plain(value) if isinstance(value, str) else number_of(name, value)}"'
        for name, value in named.items()
    )
    return f"<{tag} {said}><title>{plain(about)}</title></{tag}>" if about else f"<{tag} {said}/>"


def number_of(name: str, value: float) -> str:
    """A number as an attribute has it: lengths in tenths, all else in hundredths."""
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
    """A line of text. is_lexeme: its part of speech stands back. ground: it covers an edge that it stands on."""
    lemma, slash, pos = text.rpartition("/") if is_lexeme else (text, "", "")
    inside = f'{plain(lemma)}<tspan class="faint">{plain(slash + pos)}</tspan>' if lemma and slash else plain(text)
    title = f"<title>{plain(about)}</title>" if about else ""
    weight = ' font-weight="bold"' if bold else ""
    kinds = f"{kind} over" if ground else kind
    return (
        f'<text class="{kinds}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{weight}>'
        f"{title}{inside}</text>"
    )
