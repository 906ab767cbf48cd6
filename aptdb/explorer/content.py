"""What a page is made of: facts, tables, pictures, lines of a concordance; how they look is in the templates."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aptdb.display import how_many
from aptdb.explorer.asked import Asked


@dataclass(frozen=True)
class Cell:
    """A cell of a table. share: how long its bar is, from 0 to 1. is_lexeme: whether the text is one.

    is_faint: whether it stands back.
    """

    text: str
    href: str = ""
    share: float | None = None
    is_lexeme: bool = False
    is_faint: bool = False


@dataclass(frozen=True)
class Table:
    """A table. columns: their names, and whether they stand on the right."""

    columns: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a concordance: where it is, what stands before the keyword and after it, and the whole sentence."""

    place: str
    before: str
    keyword: str
    after: str
    text: str
    context: Cell | None = None


@dataclass(frozen=True)
class Picture:
    """A picture in SVG, and the same as text."""

    svg: str
    told: str


@dataclass(frozen=True)
class Link:
    """A link. is_here: whether it leads to what is shown now."""

    text: str
    href: str
    is_here: bool = False


@dataclass(frozen=True)
class Piece:
    """A part of a page with a heading of its own.

    shape: its template. content: what that shows. asked: how it was asked. notes: what is to be said of it.
    """

    shape: str
    heading: str
    content: Any
    asked: Sequence[Asked] = ()
    notes: Sequence[str] = ()
    links: Sequence[Link] = ()


@dataclass(frozen=True)
class Place:
    """A piece that is yet to be made: its name, its heading, and where it is."""

    name: str
    heading: str
    href: str = ""


@dataclass(frozen=True)
class Page:
    """A page: what it is about, facts, links in groups, and its pieces, made or yet to be made."""

    title: str
    kind: str = ""
    facts: Sequence[Cell] = ()
    groups: Sequence[tuple[str, Sequence[Link]]] = ()
    pieces: Sequence[Piece | Place] = ()
    notes: Sequence[str] = ()
    query: str = ""
    form: dict[str, Any] = field(default_factory=dict)
    template: str = "page.html"


def number(value: float | None, digits: int = 4) -> str:
    """A number as people read it."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def tokens(count: int) -> str:
    """A number of tokens in words."""
    return how_many(count, "token")


def shares(values: Sequence[float | None]) -> list[float | None]:
    """How long the bars of some values are: the largest has a whole one."""
    most = max((abs(each) for each in values if each is not None), default=0.0)
    return [None if each is None or not most else abs(each) / most for each in values]
