r"""Cases of tests as data: tests/ROOM/cases/NAME.csv, a row a case, called ROOM/NAME.

A column holds text, in which \n, \t, \r and \\ are escaped; one whose name ends with = holds literals of Python. The
column note says why a case is there, and is handed to nobody.
"""

import ast
import csv
import re
from pathlib import Path
from typing import Any

ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def read_cases(table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the names of the columns of a table and its rows, as `parametrize` takes them."""
    room, name = table.split("/")
    with (Path(__file__).parents[1] / room / "cases" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        columns, *rows = csv.reader(file)
    kept = [place for place, column in enumerate(columns) if column != "note"]
    return [columns[place].rstrip("=") for place in kept], [
        tuple(read_cell(columns[place], row[place]) for place in kept) for row in rows
    ]


def read_cell(column: str, cell: str) -> Any:
    """Return what a cell of a column stands for."""
    if column.endswith("="):
        return ast.literal_eval(cell)
    return re.sub(r"\\(.)", lambda found: ESCAPED[found[1]], cell)


def read_table(table: str) -> dict[str, Any]:
    """Return the rows of a table by their first column: what is in the second, or in all others."""
    return {first: rest[0] if len(rest) == 1 else tuple(rest) for first, *rest in read_cases(table)[1]}


def read_values(table: str) -> list[Any]:
    """Return the values of a table of one column."""
    return [value for (value,) in read_cases(table)[1]]
