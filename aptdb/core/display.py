"""Show answers: as a table of text in a terminal, as a table of HTML in a notebook or on a page.

The HTML has no colours of its own. It uses shades of the surrounding colours, so that it is readable in light and dark.
"""

import math
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from aptdb.core.one_line import on_one_line

SHOWN = 10  # rows
LONGEST, SHORTEST = 60, 8  # letters of a cell in a terminal, where there is room, and where there is little
GAP = "  "
SHORT_DIGEST = 12
NUMERIC = ("DOUBLE", "FLOAT", "DECIMAL", "BIGINT", "INTEGER", "HUGEINT", "SMALLINT", "TINYINT", "U")
PROBABILITIES = ("p_value", "q_value", "growth_p")  # columns
SMALLEST = 1e-6  # probability in a table
PLAIN = 1e-3  # the least probability with four digits in a table; smaller ones are as 2.4e-5
# A concordance: aligned keywords, with these characters on each side.
KEYWORD_IN_CONTEXT = ("before", "keyword", "after")
OF_CONCORDANCE = ("sentence", "path", "context", *KEYWORD_IN_CONTEXT)
BESIDE = 40

FAINT = "opacity:0.7"
RULE = ";border-bottom:1px solid color-mix(in srgb, currentColor 30%, transparent)"
CELL = "padding:0.15em 0.8em 0.15em 0;vertical-align:top;"
LEFT, RIGHT = f"{CELL}text-align:left", f"{CELL}text-align:right"
WRAPPED = 50  # letters; a text that is longer is broken into lines
WHOLE, BROKEN = ";white-space:nowrap", ";min-width:24em;max-width:40em"


@dataclass(frozen=True)
class View:
    """The displayed part of an answer: columns, whether each is right-aligned, rows of text, and a note."""

    columns: Sequence[str]
    right: Sequence[bool]
    rows: Sequence[Sequence[str]]
    note: str


def cut_rows(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> View:
    """Return the first rows of an answer, and the number of the others.

    Of a concordance only the columns of text are shown.
    """
    shown = [list(map(format_cell, columns, row)) for row in rows[:SHOWN]]
    right = [is_numeric(kind) for kind in types]
    number = len(rows)
    note = how_many(number, "row") if number <= SHOWN else f"{number - SHOWN:,} more of {number:,} rows"
    if not {*KEYWORD_IN_CONTEXT} <= {*columns}:
        return View([*map(on_one_line, columns)], right, shown, note)
    kept = [
        place
        for place, name in enumerate(columns)
        if name in OF_CONCORDANCE and (name in KEYWORD_IN_CONTEXT or any(row[place] for row in shown))
    ]
    left_out = [on_one_line(name) for place, name in enumerate(columns) if place not in kept]
    return View(
        [columns[place] for place in kept],
        [columns[place] == "before" for place in kept],
        [[cut_beside_keyword(columns[place], row[place]) for place in kept] for row in shown],
        f"{note}; not shown: {', '.join(left_out)}" if left_out else note,
    )


def cut_beside_keyword(column: str, text: str) -> str:
    """Return the context of a keyword, cut to the space that is left; other columns are not cut."""
    if len(text) <= BESIDE or column not in ("before", "after"):
        return text
    return f"…{text[-BESIDE:]}" if column == "before" else f"{text[:BESIDE]}…"


def is_numeric(kind: str) -> bool:
    """Return whether a DuckDB type is a number; numbers are right-aligned."""
    return kind.startswith(NUMERIC) and not kind.startswith(("UUID", "UNION")) and not kind.endswith("]")


def format_cell(column: str, value: Any) -> str:
    """Return the text of a table cell: numbers with four digits, ε for the empty path, '' for NULL."""
    if value is None:
        return ""
    if column == "path" and value == "":
        return "ε"
    if column == "sha256":
        return on_one_line(str(value))[:SHORT_DIGEST]
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return f"{value:.4f}" if isinstance(value, float) else on_one_line(str(value))


def round_number(column: str, value: float) -> str:
    """Return a number of a column as a table shows it: with four digits, or as a probability."""
    return format_probability(value) if column in PROBABILITIES else f"{value:.4f}"


def format_probability(value: float) -> str:
    """Return a probability with digits that say something: 0.0213, 2.4e-5, < 1e-6."""
    if value < SMALLEST:
        return f"< {SMALLEST:.0e}".replace("e-0", "e-")
    return f"{value:.4f}" if value >= PLAIN else f"{value:.1e}".replace("e-0", "e-")


def how_many(count: int, what: str, several: str = "") -> str:
    """Return a count with its noun, e.g. 1 row or 2,000 rows; several: an irregular plural."""
    return f"{count:,} {what if count == 1 else several or what + 's'}"


def text_table(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return the first rows as lines of text with aligned columns, and the number of the other rows.

    Long cells are cut. Where the table would be wider than the terminal, shorter cells are cut too.
    """
    from rich.cells import cell_len

    seen, room = cut_rows(columns, types, rows), terminal_width()
    for longest in range(LONGEST, SHORTEST - 1, -1):
        shown = [[text if len(text) <= longest else f"{text[: longest - 1]}…" for text in row] for row in seen.rows]
        widths = [max(map(cell_len, column)) for column in zip(seen.columns, *shown, strict=True)]
        if sum(widths) + len(GAP) * len(widths) <= room:
            break
    lines = [pad_table_line(seen.columns, seen.right, widths), GAP.join("─" * width for width in widths)]
    return "\n".join([*lines, *(pad_table_line(row, seen.right, widths) for row in shown), f"({seen.note})"])


def pad_table_line(texts: Iterable[str], right: Iterable[bool], widths: Iterable[int], gap: str = GAP) -> str:
    """Return one line of padded cells, with a gap between them."""
    from rich.cells import cell_len

    filled = []
    for text, is_right, width in zip(texts, right, widths, strict=True):
        blank = " " * (width - cell_len(text))
        filled.append(blank + text if is_right else text + blank)
    return gap.join(filled).rstrip() if gap == GAP else gap.join(filled)


def terminal_width() -> float:
    """Return the width of the terminal in characters; without a terminal, the width that the text needs."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if is_terminal else math.inf


def html_answer(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return the first rows of an answer as HTML, with the number of the other rows; a wide table can be scrolled."""
    seen = cut_rows(columns, types, rows)
    table = html_table(seen.columns, seen.right, seen.rows)
    return f'<div style="overflow-x:auto">{table}</div>\n{html_note(seen.note)}'


def html_table(columns: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]]) -> str:
    """Return rows of text as an HTML table; all texts are escaped, and a long one is broken into a few lines."""

    def line(tag: str, texts: Iterable[str], more: str = "") -> str:
        cells = ""
        for text, is_right in zip(texts, right, strict=True):
            style = (RIGHT if is_right else LEFT) + more + (BROKEN if len(text) > WRAPPED else WHOLE)
            cells += f'<{tag} style="{style}">{escape(text)}</{tag}>'
        return f'<tr style="background:none">{cells}</tr>'

    body = "\n".join(line("td", row) for row in rows)
    head = line("th", columns, RULE)
    return (
        f'<table style="border-collapse:collapse;margin:0.3em 0">\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n'
        "</table>"
    )


def html_note(text: str) -> str:
    """Return a line of small print."""
    return f'<div style="font-size:0.9em;{FAINT}">{escape(text)}</div>'


PATIENCE = 1.0  # seconds before anything is shown
PAUSE = 0.2  # seconds between two states of the bar


def find_ipython_shell() -> Any:
    """Return IPython's shell if the code runs in one; else None."""
    ipython = sys.modules.get("IPython")
    get = getattr(ipython, "get_ipython", None)
    return None if get is None else get()


def in_notebook() -> bool:
    """Return whether the code runs in a Jupyter kernel, and not in a terminal."""
    return getattr(find_ipython_shell(), "kernel", None) is not None


def render_error(error: BaseException) -> list[str]:
    """Return the lines that IPython shows for an error: one sentence, and the user's line of code.

    A notebook shows the traceback above it, folded; after `%xmode Verbose` it is shown in full.
    """
    own = find_ipython_shell()
    if getattr(getattr(own, "InteractiveTB", None), "mode", None) == "Verbose":
        return list(own.InteractiveTB.structured_traceback(type(error), error, error.__traceback__))
    sentence = f"\x1b[31m{type(error).__name__}\x1b[0m: {error}"
    line = line_of_user(error)
    if in_notebook() and not getattr(error, "is_folded", False):  # IPython asks twice
        with suppress(Exception):  # the sentence is what matters
            show_folded(error)
            error.is_folded = True  # type: ignore[attr-defined]
    return [sentence, *([f"    {line}"] if line else [])]


def line_of_user(error: BaseException) -> str:
    """Return the last line of the user's own code that led to an error, with its number, or '' without one."""
    package, found = str(Path(__file__).parents[1]), ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(package):
            break
        found = f"line {frame.lineno}: {frame.line}" if frame.line else ""
    return found


def show_folded(error: BaseException) -> None:
    """Show the traceback of an error, folded."""
    from IPython.display import HTML, display

    whole = escape("".join(traceback.format_exception(error)))
    small = "font-size:0.9em;opacity:0.7"
    display(HTML(f'<details style="{small}"><summary>where this error came from</summary><pre>{whole}</pre></details>'))


class Bar:
    """A progress bar in the output of a notebook cell: shown after the first second of a block, and gone at its end.

    The block gets a callback, which is called as callback(done, total), or with the Progress of an addition.
    """

    def __init__(self, what: str) -> None:
        self.what, self.begun, self.due, self.handle = what, time.monotonic(), 0.0, None

    def __enter__(self) -> Callable[..., None]:
        return self.follow

    def __exit__(self, *_: object) -> None:
        if self.handle is not None:
            self.show("")

    def follow(self, *now: Any) -> None:
        """Update the bar, at most a few times a second."""
        if (moment := time.monotonic()) < max(self.begun + PATIENCE, self.due):
            return
        self.due = moment + PAUSE
        self.show(self.html(*now))

    def html(self, *now: Any) -> str:
        """Return the bar as HTML, with its numbers."""
        if len(now) == 1:
            (addition,) = now
            name, done, total = addition.corpus, addition.bytes_read, addition.size
            counted = f"{addition.tokens:,} tokens"
        else:
            (done, total), name = now, self.what
            counted = f"{done:,} of {total:,}"
        ends = f' value="{min(done, total)}" max="{total}"' if total else ""
        seconds = f"{time.monotonic() - self.begun:.0f} s"
        return f"<div>{escape(name)} <progress{ends}></progress> {counted}, {seconds}</div>"

    def show(self, html: str) -> None:
        """Show HTML in place of the bar."""
        from IPython.display import HTML, display

        if self.handle is None:
            self.handle = display(HTML(html), display_id=True)
        else:
            self.handle.update(HTML(html))
