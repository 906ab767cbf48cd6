"""Lays word sketches out for a terminal: columns side by side, as many as its width takes."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from aptdb.commands.output import UNBOUND_WIDTH, can_write, cell
from aptdb.commands.pager import paged
from aptdb.core.result import Result

if TYPE_CHECKING:
    from rich.text import Text

GAP = 3  # characters between two columns
LEAST = 36  # the least width of a column: 2 go on 80 characters, 3 on 120
WIDEST = 56  # in a wider one the eye loses the line
MOST = 3  # columns
NARROW = 66  # a terminal on which three columns go one below the other

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of a column: words at the left, numbers or a path at the right."""

    words: str
    right: str = ""
    style: str = ""


@dataclass(frozen=True)
class Numbers:
    """How the numbers of rows are written: the name of each column, its form, and its width."""

    columns: tuple[tuple[str, str, int], ...]

    def of(self, row: Row) -> str:
        """Return the numbers of a row."""
        return " ".join(written(form, row[name]).rjust(width) for name, form, width in self.columns)

    def names(self) -> str:
        """Return what stands above them."""
        return " ".join(name.rjust(width) for name, _, width in self.columns)


def numbers_in(answer: Result, counts: Sequence[str], scores: Sequence[str], *, named: bool = False) -> Numbers:
    """Return the numbers of an answer. named: whether their names stand above them."""
    values = [abs(value) for name in scores for value in answer.column(name) if value is not None]
    digits = 4 if max(values, default=1) < 1 else 2
    forms = [*((name, "{:,}") for name in counts), *((name, f"{{:.{digits}f}}") for name in scores)]
    return Numbers(
        tuple(
            (name, form, max([len(name) * named, *(len(written(form, each)) for each in answer.column(name))]))
            for name, form in forms
        )
    )


def written(form: str, value: Any) -> str:
    """Return a number as text; NULL is empty."""
    return "" if value is None else form.format(value)


def width_of_page() -> int:
    """Return the width of the terminal; of what is none, that of tables."""
    if not (sys.stdout.isatty() or "COLUMNS" in os.environ):
        return UNBOUND_WIDTH
    from rich.console import Console

    return Console(file=sys.stdout).width


def columns_of(width: int) -> int:
    """Return how many columns a page of this width has."""
    return max(1, min(MOST, (width + GAP) // (LEAST + GAP)))


def sketch_page(answer: Result, width: int) -> list["Text"]:
    """Return a sketch: a block for each relation, with its contexts, counts and scores."""
    number = columns_of(width)
    each = min(WIDEST, (width - GAP * (number - 1)) // number)
    numbers = numbers_in(answer, ["count"], ["score"], named=True)
    blocks = [[*heading(rows[0], each), *contexts(rows, numbers)] for rows in by_relation(answer)]
    lines = beside([[Line("", numbers.names(), "dim")]] * min(number, len(blocks)), each)
    for first in range(0, len(blocks), number):
        lines += beside(blocks[first : first + number], each) + beside([[Line("")]], 0)
    return lines


def example_page(answer: Result, width: int) -> list["Text"]:
    """Return a sketch with the best sentence of each context below it."""
    width = min(width, 2 * WIDEST)
    numbers = numbers_in(answer, ["count"], ["score"], named=True)
    lines = beside([[Line("", numbers.names(), "dim")]], width)
    for rows in by_relation(answer):
        block = heading(rows[0], width)
        for row, line in zip(rows, contexts(rows, numbers), strict=True):
            sentence = wrap(cell("example", row["example"]), width - 4) or ["(no sentence)"]
            block += [line, *(Line(f"    {each}", style="dim") for each in sentence)]
        lines += beside([[*block, Line("")]], width)
    return lines


def diff_page(answer: Result, width: int, sides: tuple[str, str]) -> list["Text"]:
    """Return two sketches: of each relation what only one has, what both have, and what only the other has."""
    third = min(WIDEST, (width - 2 * GAP) // 3)
    each = min(width, WIDEST) if width < NARROW else third
    whole = min(width, 3 * each + 2 * GAP)
    scores = ["score_a", "score_b"] if each >= LEAST else []
    kinds = (
        ("a", f"only {sides[0]}", numbers_in(answer, ["count_a"], scores[:1])),
        ("both", "both", numbers_in(answer, ["count_a", "count_b"], scores)),
        ("b", f"only {sides[1]}", numbers_in(answer, ["count_b"], scores[1:])),
    )
    lines = []
    for rows in by_relation(answer):
        blocks = [
            [Line(name, style="underline"), *contexts([row for row in rows if row["meets"] == kind], numbers)]
            for kind, name, numbers in kinds
        ]
        lines += beside([heading(rows[0], whole)], whole)
        for part in [blocks] if width >= NARROW else [[block] for block in blocks if block[1:]]:
            lines += beside(part, each)
        lines += beside([[Line("")]], 0)
    return lines


def by_relation(answer: Result) -> list[list[dict[str, Any]]]:
    """Return the rows of a sketch, relation by relation."""
    return [list(rows) for _, rows in groupby(answer, key=lambda row: row["path"])]


def heading(row: Row, width: int) -> list[Line]:
    """Return the relation in words, and its path where that is not the same."""
    words, path = cell("relation", row["relation"]), cell("path", row["path"])
    if words == path:
        return [Line(path, style="bold")]
    *first, last = wrap(words, width)
    lines = [Line(each, style="bold") for each in first]
    if len(last) + 2 + len(path) > width:
        return [*lines, Line(last, style="bold"), Line("", path, "bold")]
    return [*lines, Line(last, path, "bold")]


def contexts(rows: Sequence[Row], numbers: Numbers) -> list[Line]:
    """Return a line for each row: its context and its numbers."""
    return [Line(f"  {cell('context', row['context'])}", numbers.of(row)) for row in rows]


def beside(blocks: Sequence[Sequence[Line]], width: int) -> list["Text"]:
    """Blocks side by side as lines, each so wide."""
    from rich.text import Text

    lines = []
    for row in zip_longest(*blocks, fillvalue=Line("")):
        parts = [laid_out(line, width) for line in row]
        line = Text(" " * GAP).join(parts)
        line.rstrip()
        lines.append(line)
    return lines


def laid_out(line: Line, width: int) -> "Text":
    """Return a line as wide as its column; words that do not fit beside the right end in a sign for more."""
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
    """Write lines to stdout, as they are."""
    from rich.console import Console

    with paged() as out:
        console = Console(file=out, highlight=False, width=width)
        for line in lines:
            console.print(line, soft_wrap=True)
