"""How answers show themselves: as a table of text in a terminal, and as one of HTML in a notebook or on a page.

HTML has no colours of its own but a share of those around it, so that it is read in the light and in the dark.
"""

import math
import re
import shutil
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

SHOWN = 10  # rows
LONGEST, SHORTEST = 60, 8  # letters of a cell in a terminal, where there is room, and where there is little
GAP = "  "
SHORT_DIGEST = 12
NUMERIC = ("DOUBLE", "FLOAT", "DECIMAL", "BIGINT", "INTEGER", "HUGEINT", "SMALLINT", "TINYINT", "U")
# What a terminal would obey instead of showing it, and halves of surrogate pairs, which nothing can write.
UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# A concordance: keywords stand one below the other, with so many letters on each side; the rest is left out.
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
    """What is shown of an answer: columns, whether each is aligned on the right, rows of text, and a note below."""

    columns: Sequence[str]
    right: Sequence[bool]
    rows: Sequence[Sequence[str]]
    note: str


def view(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> View:
    """Return the first rows of an answer, and how many more there are.

    Of a concordance, the columns that make it one.
    """
    shown = [list(map(cell, columns, row)) for row in rows[:SHOWN]]
    right, note = [is_numeric(kind) for kind in types], rest(len(rows))
    if not {*KEYWORD_IN_CONTEXT} <= {*columns}:
        return View([*map(on_one_line, columns)], right, shown, note)
    kept = [
        place
        for place, name in enumerate(columns)
        if name in OF_CONCORDANCE and (name in KEYWORD_IN_CONTEXT or any(row[place] for row in shown))
    ]
    left_out = [name for place, name in enumerate(columns) if place not in kept]
    return View(
        [columns[place] for place in kept],
        [columns[place] == "before" for place in kept],
        [[beside(columns[place], row[place]) for place in kept] for row in shown],
        f"{note}; not shown: {', '.join(left_out)}" if left_out else note,
    )


def beside(column: str, text: str) -> str:
    """Return what stands beside a keyword, as much as there is room for; other columns whole."""
    if len(text) <= BESIDE or column not in ("before", "after"):
        return text
    return f"…{text[-BESIDE:]}" if column == "before" else f"{text[:BESIDE]}…"


def is_numeric(kind: str) -> bool:
    """Return whether values of a DuckDB type are numbers, which are aligned on the right."""
    return kind.startswith(NUMERIC) and not kind.startswith(("UUID", "UNION")) and not kind.endswith("]")


def cell(column: str, value: Any) -> str:
    """Return a value as a table shows it: numbers with four digits, ε for the empty path, nothing for NULL."""
    if value is None:
        return ""
    if column == "path" and value == "":
        return "ε"
    if column == "sha256":
        return str(value)[:SHORT_DIGEST]
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return f"{value:.4f}" if isinstance(value, float) else on_one_line(str(value))


def on_one_line(text: str) -> str:
    """Return the same text; what cannot be shown in a line is written as Python escapes it."""
    return UNSHOWN.sub(lambda found: ascii(found[0])[1:-1], text)


def how_many(count: int, what: str) -> str:
    """Return a number of things in words, e.g. 1 row or 2,000 rows."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def rest(rows: int) -> str:
    """Return what is said below a table: how many rows there are, or how many more than it shows."""
    return how_many(rows, "row") if rows <= SHOWN else f"{rows - SHOWN:,} more of {rows:,} rows"


def text_table(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return the first rows as lines of text, each column as wide as what it holds, and how many more there are.

    Long cells are cut off; where the table would be wider than the terminal, shorter ones too.
    """
    from rich.cells import cell_len

    seen, room = view(columns, types, rows), terminal_width()
    for longest in range(LONGEST, SHORTEST - 1, -1):
        shown = [[shortened(text, longest) for text in row] for row in seen.rows]
        widths = [max(map(cell_len, column)) for column in zip(seen.columns, *shown, strict=True)]
        if sum(widths) + len(GAP) * len(widths) <= room:
            break
    lines = [padded(seen.columns, seen.right, widths), GAP.join("─" * width for width in widths)]
    return "\n".join([*lines, *(padded(row, seen.right, widths) for row in shown), f"({seen.note})"])


def padded(texts: Iterable[str], right: Iterable[bool], widths: Iterable[int]) -> str:
    """Return a line of cells."""
    from rich.cells import cell_len

    filled = []
    for text, is_right, width in zip(texts, right, widths, strict=True):
        blank = " " * (width - cell_len(text))
        filled.append(blank + text if is_right else text + blank)
    return GAP.join(filled).rstrip()


def terminal_width() -> float:
    """Return how many letters a line of the terminal has; without one, as many as are needed."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if is_terminal else math.inf


def shortened(text: str, longest: int) -> str:
    """Return a text that is not longer than so many letters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def html_answer(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return the first rows of an answer, and how many more there are; a table that is too wide is scrolled."""
    seen = view(columns, types, rows)
    table = html_table(seen.columns, seen.right, seen.rows)
    return f'<div style="overflow-x:auto">{table}</div>\n{html_note(seen.note)}'


def html_table(columns: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]]) -> str:
    """Return rows of text as a table of HTML; all texts are escaped."""

    def line(tag: str, texts: Iterable[str], more: str = "") -> str:
        cells = (
            html_cell(tag, text, (RIGHT if each else LEFT) + more) for text, each in zip(texts, right, strict=True)
        )
        return f'<tr style="background:none">{"".join(cells)}</tr>'

    body = "\n".join(line("td", row) for row in rows)
    head = line("th", columns, RULE)
    return (
        f'<table style="border-collapse:collapse;margin:0.3em 0">\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n'
        "</table>"
    )


def html_cell(tag: str, text: str, style: str) -> str:
    """Return a cell; a long text in it is broken into lines, but not into many."""
    return f'<{tag} style="{style}{BROKEN if len(text) > WRAPPED else WHOLE}">{escape(text)}</{tag}>'


def html_note(text: str) -> str:
    """Return a line of small print."""
    return f'<div style="font-size:0.9em;{FAINT}">{escape(text)}</div>'


PATIENCE = 1.0  # seconds before anything is shown
PAUSE = 0.2  # seconds between two states of the bar


def shell() -> Any:
    """IPython's shell, where code runs in one; else None."""
    ipython = sys.modules.get("IPython")
    get = getattr(ipython, "get_ipython", None)
    return None if get is None else get()


def in_notebook() -> bool:
    """Return whether what is shown goes to a notebook: code runs in a kernel of IPython, not in a terminal."""
    return getattr(shell(), "kernel", None) is not None


def rendered(error: BaseException) -> list[str]:
    """Return the lines that IPython shows of an error: one sentence, and the line of code that it is about.

    A notebook shows above it, folded away, all that led there; after `%xmode Verbose` it is shown in full.
    """
    own = shell()
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
    """Return the last line of code outside of this package that led to an error, with its number.

    Nothing if there is none.
    """
    package, found = str(Path(__file__).parents[1]), ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(package):
            break
        found = f"line {frame.lineno}: {frame.line}" if frame.line else ""
    return found


def show_folded(error: BaseException) -> None:
    """Show all that led to an error, folded away."""
    from IPython.display import HTML, display

    whole = escape("".join(traceback.format_exception(error)))
    small = "font-size:0.9em;opacity:0.7"
    display(HTML(f'<details style="{small}"><summary>where this error came from</summary><pre>{whole}</pre></details>'))


@contextmanager
def progress_bar(what: str) -> Iterator[Any]:
    """Return what to pass as progress: a bar after the first second, which is gone at the end.

    It is called with how many of how many are done, or with the Progress of an addition.
    """
    shown = Bar(what)
    try:
        yield shown.follow
    finally:
        shown.end()


class Bar:
    """A bar in the output of a cell."""

    def __init__(self, what: str) -> None:
        self.what, self.begun, self.due, self.handle = what, time.monotonic(), 0.0, None

    def follow(self, *now: Any) -> None:
        """Show how far it has come, if it is time to."""
        if (moment := time.monotonic()) < max(self.begun + PATIENCE, self.due):
            return
        self.due = moment + PAUSE
        self.show(self.html(*now))

    def html(self, *now: Any) -> str:
        """Return a bar, with what it counts beside it."""
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
        """Put HTML in the place of the bar."""
        from IPython.display import HTML, display

        if self.handle is None:
            self.handle = display(HTML(html), display_id=True)
        else:
            self.handle.update(HTML(html))

    def end(self) -> None:
        """Take the bar away."""
        if self.handle is not None:
            self.show("")
