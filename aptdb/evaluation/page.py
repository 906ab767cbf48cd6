"""A page of HTML that needs no other file: headings, tables and pictures."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

from aptdb.pictures.charts import COLOURS_OF_SCREENS, drawn, of_screen
from aptdb.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CSS = (
    COLOURS_OF_SCREENS
    + """
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 66rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; border-bottom: 1px solid var(--faint); }
h3 { font-size: 1rem; }
table { border-collapse: collapse; margin: 0.8rem 0; font-size: 0.9rem; display: block; overflow-x: auto; }
th, td { padding: 0.2rem 0.9rem 0.2rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid var(--faint); font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
p.note { opacity: 0.75; font-size: 0.9rem; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; }
.beside > * { max-width: 100%; } .beside > :last-child { flex: 1 1 24rem; }
figure { margin: 0.8rem 0; } svg { max-width: 100%; height: auto; }
"""
)
NUMERIC = ("DOUBLE", "BIGINT", "INTEGER", "HUGEINT")


def page(title: str, sections: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A page with sections; each has a heading and pieces of HTML."""
    body = "\n".join(section(*each) for each in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n"
        "</body>\n</html>\n"
    )


def section(head: str, pieces: Sequence[str]) -> str:
    """A part of the page below a heading."""
    return "\n".join(["<section>", f"<h2>{escape(head)}</h2>", *pieces, "</section>"])


def subheading(text: str) -> str:
    """A heading within a section."""
    return f"<h3>{escape(text)}</h3>"


def table(answer: Result) -> str:
    """An answer as a table: numbers are on the right, ρ has four digits, and the empty path is ε."""
    numeric = [kind.startswith(NUMERIC) for kind in answer.types]
    head = "".join(cell_of("th", escape(name), right) for name, right in zip(answer.columns, numeric, strict=True))
    rows = "\n".join(f"<tr>{row_of(answer.columns, row, numeric)}</tr>" for row in answer.rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def row_of(columns: Sequence[str], row: Sequence[Any], numeric: Sequence[bool]) -> str:
    """The cells of a row."""
    cells = zip(columns, row, numeric, strict=True)
    return "".join(cell_of("td", shown(name, value), right) for name, value, right in cells)


def cell_of(kind: str, content: str, right: bool) -> str:
    """A cell of a table."""
    return f'<{kind} class="number">{content}</{kind}>' if right else f"<{kind}>{content}</{kind}>"


def shown(column: str, value: Any) -> str:
    """A value as text in a table."""
    if value is None:
        return ""
    if column == "path" and value == "":
        return "ε"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def note(text: str) -> str:
    """A note."""
    return f'<p class="note">{escape(text)}</p>'


def said(text: str) -> str:
    """A sentence or more."""
    return f"<p>{escape(text)}</p>"


def beside(*pieces: str) -> str:
    """Pieces beside each other where there is room, else one below the other."""
    return f'<div class="beside">{"".join(f"<div>{each}</div>" for each in pieces)}</div>'


def picture(figure: "Figure", told: str) -> str:
    """A picture inside the page, in its colours, with a description for those who cannot see it."""
    svg = of_screen(drawn(figure, "svg").decode())
    return f'<figure role="img" aria-label="{escape(told)}">{svg[svg.index("<svg") :]}</figure>'
