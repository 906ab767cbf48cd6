"""Write answers: a table on a terminal, TSV into a pipe, or the requested format; long ones page by page."""

import csv
import json
import math
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from io import StringIO
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, TextIO

from aptdb.commands.answer_headers import write_header
from aptdb.core.display import round_number
from aptdb.core.errors import AptError
from aptdb.core.one_line import NOT_SHOWN, on_one_line
from aptdb.core.result import Result

if TYPE_CHECKING:
    from rich.text import Text

# Default options of less: end at once if all fits on one screen, keep colours, and leave the text on the screen;
# lines that are too long are cut at the edge of the screen, and the arrow keys move along them.
LESS = "FRXS"
NONE = ("", "cat")

_allowed: ContextVar[bool] = ContextVar("allowed", default=True)


class Page(StringIO):
    """A buffer that behaves like the terminal: tables have its width and colours."""

    def isatty(self) -> bool:
        """Return true."""
        return True


@contextmanager
def allow_paging(allowed: bool) -> Iterator[None]:
    """Allow or forbid paging within the block."""
    token = _allowed.set(allowed)
    try:
        yield
    finally:
        _allowed.reset(token)


@contextmanager
def open_page() -> Iterator[TextIO]:
    """Yield the stream for an answer: stdout, or a page that is shown at the end of the block."""
    program = find_pager()
    if not program:
        yield sys.stdout
        return
    page = Page()
    yield page
    text = page.getvalue()
    if text.count("\n") >= shutil.get_terminal_size().lines:  # one of which the prompt takes
        show_with(program, text)
    else:
        sys.stdout.write(text)


def find_pager() -> list[str]:
    """Return the pager program with its arguments; [] if there is no terminal, or paging is not wanted."""
    if not _allowed.get() or sys.stdout is None or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return []
    configured = os.environ.get("APTDB_PAGER", os.environ.get("PAGER"))
    if configured is None:
        return ["less"] if shutil.which("less") else []
    try:
        return [] if configured.strip() in NONE else shlex.split(configured)
    except ValueError:  # a quotation mark is missing
        return []


def show_with(program: list[str], text: str) -> None:
    """Show a text with a program, which handles Ctrl-C meanwhile. If it is missing, write the text."""
    import subprocess

    environment = {"LESS": LESS, "LESSCHARSET": "utf-8", "LV": "-c", **os.environ}
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        try:
            shown = subprocess.Popen(program, stdin=subprocess.PIPE, env=environment)
        except OSError:
            sys.stdout.write(text)
            return
        with suppress(OSError):  # it was left before the end
            shown.communicate(text.encode(sys.stdout.encoding or "utf-8", errors="backslashreplace"))
        shown.wait()
    finally:
        signal.signal(signal.SIGINT, before)


SHORT_DIGEST = 12  # characters of a digest in a table: enough to tell files apart
UNBOUND_WIDTH = 200  # the width of a table that is not for a terminal
EMPTY_PATH = "ε"
FOLDED = 18  # a longer text may be folded in a table
GAP = 3  # characters between two columns
TIGHT_GAP = 2  # of a tight table


class AnswerFormat(StrEnum):
    """The formats of an answer."""

    table = "table"
    csv = "csv"
    tsv = "tsv"
    json = "json"
    jsonl = "jsonl"
    markdown = "markdown"
    latex = "latex"


ROUNDED = (AnswerFormat.table, AnswerFormat.markdown, AnswerFormat.latex)  # formats for people
Looks = Mapping[str, Callable[[str], "Text"]]  # how a table shows the text of a column


def show(
    result: Result,
    format: AnswerFormat | None,
    absent: Mapping[str, str] | None = None,
    looks: Looks | None = None,
    *,
    tight: bool = False,
) -> None:
    """Write an answer to stdout: in the given format, else as a table on a terminal and as TSV into a pipe.

    A terminal pages a long answer. absent: the text for NULL in tables, by column; other columns are empty. looks:
    colours of a table, by column. tight: less space between the columns of a table.
    """
    with open_page() as out:
        chosen = choose_format(format)
        shown = fill_nulls(result, absent or {}) if chosen in ROUNDED else result
        if chosen is AnswerFormat.table:
            write_table(shown, out, looks or {}, tight=tight)
        else:
            write_data(shown, chosen, out)


def choose_format(format: AnswerFormat | None) -> AnswerFormat:
    """Return the format of an answer: the given one, else a table on a terminal and TSV into a pipe."""
    if sys.stdout is None:
        raise AptError("stdout is closed, so the answer cannot be written")
    return format or (AnswerFormat.table if sys.stdout.isatty() else AnswerFormat.tsv)


def fill_nulls(result: Result, absent: Mapping[str, str]) -> Result:
    """Return rows with words in place of NULL in some columns."""
    if not absent:
        return result
    rows = [
        tuple(absent.get(name) if value is None else value for name, value in zip(result.columns, row, strict=True))
        for row in result.rows
    ]
    return Result(result.columns, result.types, rows)


def head_kinds(answer: Result, by: str, *, alone: bool) -> Result:
    """Return counts by kind with `by` above the kinds, without columns that are empty throughout.

    alone: whether a lexeme is counted without a context: its lexeme_count would repeat its count.
    """
    beside = ("lexeme_count", "context_count")
    shown = answer.but(*(name for name in beside if alone or {*answer.column(name)} == {None}))
    return Result((by, *shown.columns[1:]), shown.types, shown.rows)


def write_table(result: Result, out: TextIO, looks: Looks | None = None, *, tight: bool = False) -> None:
    """Write aligned columns; numbers have four digits, the empty path is ε, times and digests are short."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = [
        [format_output_cell(name, value) for name, value in zip(result.columns, row, strict=True)]
        for row in result.rows
    ]
    columns = [*map(on_one_line, result.columns)]
    least = least_widths(columns, rows)
    # On a narrower terminal lines run over its edge: rich would drop the last columns.
    width = known_width(out) or UNBOUND_WIDTH
    console = Console(file=out, highlight=False, width=max(width, table_width(least, tight=tight)))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=tight, show_edge=not tight)
    for name, kind, narrowest in zip(columns, result.types, least, strict=True):
        numeric = kind.startswith(("DOUBLE", "FLOAT", "DECIMAL", "BIGINT", "INTEGER", "HUGEINT", "U"))
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold", min_width=narrowest)
    for row in rows:
        table.add_row(*((looks or {}).get(name, Text)(text) for name, text in zip(result.columns, row, strict=True)))
    console.print(table)


def table_width(widths: Sequence[int], *, tight: bool = False) -> int:
    """Return the width of a table with columns of these widths."""
    return sum(widths) + (TIGHT_GAP * (len(widths) - 1) if tight else GAP * len(widths))


def width_of_page() -> int:
    """Return the width of the terminal; without one, that of tables."""
    return known_width(sys.stdout) or UNBOUND_WIDTH


def known_width(out: TextIO) -> int | None:
    """Return the width for a table: of the terminal, or of COLUMNS; None if both are unknown."""
    from rich.console import Console

    return Console(file=out).width if out.isatty() or "COLUMNS" in os.environ else None


OBEYED = re.compile(f"(?![\t\n]){NOT_SHOWN.pattern}")  # by a terminal; tabs and line ends are shown


def least_widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the minimum width of each column: that of its widest cell or name; long texts are folded."""
    widest = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    return [max(len(name), min(wide, FOLDED)) for name, wide in zip(columns, widest, strict=True)]


def format_output_cell(column: str, value: Any) -> str:
    """Return a value as text for a table."""
    if column == "path" and value == "":
        return EMPTY_PATH if can_write(EMPTY_PATH) else '""'
    if column == "sha256":
        return on_one_line(str(value))[:SHORT_DIGEST]
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d}"
    if isinstance(value, float):
        return round_number(column, value)
    return OBEYED.sub(lambda found: ascii(found[0])[1:-1], format_plainly(value))


def can_write(text: str) -> bool:
    """Return whether the output's encoding has these characters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def format_plainly(value: Any) -> str:
    """Return a value as full text; NULL is ''."""
    return "" if value is None else str(value)


def write_data(result: Result, format: AnswerFormat, out: TextIO) -> None:
    """Write data in a format, without a change but on a terminal, which would obey some characters."""
    if not out.isatty():
        write_with_header(result, format, out)
        return
    text = StringIO()
    write_with_header(result, format, text)
    is_json = format in (AnswerFormat.json, AnswerFormat.jsonl)

    def escape(found: re.Match[str]) -> str:
        return f"\\u{ord(found[0]):04x}" if is_json else ascii(found[0])[1:-1]

    out.write(OBEYED.sub(escape, text.getvalue()))


def write_with_header(result: Result, format: AnswerFormat, out: TextIO) -> None:
    """Write data in a format, after how they were made if that is asked for."""
    begin, end = write_header(format)
    out.write(begin)
    WRITERS[format](result, out)
    out.write(end)


def write_csv(result: Result, out: TextIO) -> None:
    """Write comma-separated values, quoted if necessary."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows(chain([result.columns], ([format_plainly(value) for value in row] for row in result.rows)))


IN_TSV = {ord("\t"): "\\t", ord("\r"): "\\r", ord("\n"): "\\n"}


def write_tsv(result: Result, out: TextIO) -> None:
    """Write tab-separated values; a tab or line end inside a value becomes \t or \n."""
    for row in chain([result.columns], result.rows):
        cells = [format_plainly(value) for value in row]
        line = "\t".join(cells)
        if line.count("\t") >= len(cells) or "\n" in line or "\r" in line:
            line = "\t".join(cell.translate(IN_TSV) for cell in cells)
        out.write(f"{line}\n")


def write_json(result: Result, out: TextIO) -> None:
    """Write an array of objects."""
    out.write("[")
    for number, row in enumerate(result):
        out.write((",\n " if number else "\n ") + json_text(row))
    out.write("\n]\n" if len(result) else "]\n")


def write_jsonl(result: Result, out: TextIO) -> None:
    """Write an object a line."""
    out.writelines(json_text(row) + "\n" for row in result)


def write_markdown(result: Result, out: TextIO) -> None:
    """Write a pipe table, with numbers as in a table on a terminal."""
    out.write(result.to_markdown())


def write_latex(result: Result, out: TextIO) -> None:
    """Write a tabular with the rules of booktabs, with numbers as in a table on a terminal."""
    out.write(result.to_latex())


def json_text(row: dict[str, Any]) -> str:
    """Return a row as a JSON object; numbers that JSON cannot write are null."""
    return json.dumps({name: value_as_json(value) for name, value in row.items()}, ensure_ascii=False, default=str)


def value_as_json(value: Any) -> Any:
    """Return a value that JSON can write: numbers as numbers, nan and infinity as null."""
    if isinstance(value, list | tuple):
        return [value_as_json(each) for each in value]
    if isinstance(value, Decimal):
        value = float(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


WRITERS: dict[AnswerFormat, Callable[[Result, TextIO], None]] = {
    AnswerFormat.table: write_table,
    AnswerFormat.csv: write_csv,
    AnswerFormat.tsv: write_tsv,
    AnswerFormat.json: write_json,
    AnswerFormat.jsonl: write_jsonl,
    AnswerFormat.markdown: write_markdown,
    AnswerFormat.latex: write_latex,
}


# Pages in columns, for a terminal
WIDEST = 56  # of a column: in a wider one the eye loses the line


@dataclass(frozen=True)
class Line:
    """A line of a column: words on the left, numbers or a path on the right."""

    words: str
    right: str = ""
    style: str = ""


def put_blocks_side_by_side(blocks: Sequence[Sequence[Line]], width: int) -> list["Text"]:
    """Return blocks side by side as lines of a given width."""
    from rich.text import Text

    lines = []
    for row in zip_longest(*blocks, fillvalue=Line("")):
        parts = [pad_line(line, width) for line in row]
        line = Text(" " * GAP).join(parts)
        line.rstrip()
        lines.append(line)
    return lines


def pad_line(line: Line, width: int) -> "Text":
    """Return a line padded to its column; words that leave no room for the right end are cut."""
    from rich.cells import cell_len, set_cell_size
    from rich.text import Text

    room = width - (cell_len(line.right) + 1 if line.right else 0)
    words = line.words
    if cell_len(words) > room > 0:
        sign = "…" if can_write("…") else "~"
        words = set_cell_size(words, room - 1) + sign
    found = Text(words, style="bold" if line.style == "bold" else line.style)
    found.append(" " * max(0, width - cell_len(words) - cell_len(line.right)), style="none")
    return found.append(line.right, style="dim" if line.style in ("bold", "dim") else "none")


def print_lines(lines: Sequence["Text"], width: int) -> None:
    """Write lines to stdout."""
    from rich.console import Console

    with open_page() as out:
        console = Console(file=out, highlight=False, width=width)
        for line in lines:
            console.print(line, soft_wrap=True)
