"""Tables that are sorted, filtered, cut to some rows, and written as files; all of it stands in the address."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import chain, count
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.settings import lower_letters
from aptdb.counting.condition_parser import parse_number as number_in
from aptdb.explorer.content import Cell, Link, Links, Piece, Table
from aptdb.explorer.page_settings import FILE_ROWS, MOST_ROWS, View

STEPS = (10, 20, 50, 100, 200, 500, MOST_ROWS)  # rows of a table
FILES = {"csv": "text/csv; charset=utf-8; header=present", "tsv": "text/tab-separated-values; charset=utf-8",
         "json": "application/json"}  # fmt: skip
WHOLE = "ε"  # the empty path, in addresses

Row = Sequence[Cell]


Field = tuple[str, str, str, bool]  # of a filter: its name in addresses, its label, its value, whether it is a number


@dataclass(frozen=True)
class Tools:
    """What can be done with the tables of a piece.

    action: the address that the filter asks. kept: parameters that it keeps. more: the address of more rows, and
    their number. pages: links to the rows before and after these. files: the addresses of files with all rows, by
    format. copied: that of the rows that are shown. all: the address without sorting and filters; '' if there are
    none. is_filtered: whether rows are left out by the filter. most: rows that a file has of each table.
    """

    action: str
    fields: Sequence[Field]
    kept: Mapping[str, str]
    more: str
    rows: int
    pages: Sequence[Link]
    files: Mapping[str, str]
    copied: str
    all: str
    is_filtered: bool
    most: int = FILE_ROWS


def arranged(piece: Piece, page: str, links: Links, given: Mapping[str, str], view: View) -> Piece:
    """Return a piece whose tables are sorted and filtered as an address says, with links to do otherwise.

    Raises QuestionError for an unknown column.
    """
    tables, own, base = tables_of_piece(piece), f"{piece.name}.", f"{page}/{piece.name}"
    if not tables or all(each.is_side_by_side for each in tables) or not links.page(base, **given):
        return piece
    kept = {name: value for name, value in given.items() if value}
    others = {name: value for name, value in kept.items() if not name.startswith(own)}

    def address(ending: str = "", **parts: str | int | None) -> str:
        """Return the address of the piece with other parts of its view."""
        return links.page(f"{base}{ending}", **kept | {f"{own}{part}": value for part, value in parts.items()})

    shown = [each for table in tables if (each := shown_rows(table, view, f"{own}sort")).rows]
    shown = [link_table(address, each, view) for each in shown]
    most = view.top or piece.rows
    is_full = bool(most) and piece.shape != "trend" and any(len(each.rows) >= most for each in shown)
    now = most or max((len(each.rows) for each in shown), default=0)
    step = next((each for each in STEPS if each > now), 0) if is_full else 0
    pages = [Link(f"{most} before", address(top=most, page=view.page - 1))] if view.page > 1 else []
    if is_full and (piece.shape != "blocks" or len(shown) == 1):
        pages.append(Link(f"Next {most}", address(top=most, page=view.page + 1)))
    tools = Tools(
        links.page(base),
        fields_of(piece.name, view, tables),
        {name: value for name, value in kept.items() if name in others or name.endswith((".sort", ".only"))},
        address(top=step, page=None) if step and view.page == 1 else "",
        step,
        pages,
        {each: address(f".{each}", top=None, page=None) for each in FILES},
        address(".tsv", top=now, page=None),
        links.page(base, **others) if len(others) < len(kept) else "",
        bool(view.has or view.pos or view.least),
    )
    notes = [*piece.notes, *([] if shown else ["No row passes this filter."])]
    return replace(piece, content=with_tables(piece, shown), tools=tools, notes=notes)


def tables_of_piece(piece: Piece) -> list[Table]:
    """Return the tables of a piece."""
    found: dict[str, Callable[[Any], list[Table]]] = {
        "blocks": lambda it: [*it[0], *it[1]], "tables": list, "cards": lambda it: [table for _, table in it],
        "table": lambda it: [it], "trend": lambda it: [it[1]],
    }  # fmt: skip
    return found[piece.shape](piece.content) if piece.shape in found else []


def with_tables(piece: Piece, tables: Sequence[Table]) -> Any:
    """Return the content of a piece with other tables in place of its own."""
    if piece.shape == "blocks":
        first = max(len(piece.content[0]), 1)
        return tables[:first], tables[first:]
    if piece.shape == "tables":
        return tables
    table = tables[0] if tables else replace(tables_of_piece(piece)[0], rows=())
    return table if piece.shape == "table" else (piece.content[0], table)


def key_of_column(name: str) -> str:
    """Return a column's name in addresses."""
    return name.casefold().replace(" ", "-")


def shown_rows(table: Table, view: View, name: str) -> Table:
    """Return the rows of a table that a view shows, in its order. name: of its order, in addresses."""
    if table.is_side_by_side or (view.only is not None and table.path is not None and table.path != view.only):
        return table if table.is_side_by_side else replace(table, rows=(), foot=())
    rows = [row for row in table.rows if is_kept(row, view)]
    if view.sort:
        rows = in_order(table, rows, view.sort, name)
    foot = table.foot if rows and not view.is_chosen else ()
    if view.page > 1 and view.top:
        return replace(table, rows=rows[(view.page - 1) * view.top : view.page * view.top], foot=foot)
    return replace(table, rows=rows[: table.most or view.top], foot=foot)


def is_kept(row: Row, view: View) -> bool:
    """Return whether a row passes the filter."""
    lexemes = [each.text for each in row if each.is_lexeme and each.text]
    if view.pos and not any(each.rpartition("/")[2] == view.pos for each in lexemes):
        return False
    counts = [each.value or 0 for each in row if each.is_count]
    if view.least and counts and max(counts) < view.least:
        return False
    return not view.has or any(is_like(each, view.has) for each in lexemes or [row[0].text])


def is_like(text: str, wanted: str) -> bool:
    """Return whether a text has a part, or is like a pattern with * and ?."""
    text, wanted = lower_letters(text), lower_letters(wanted)
    if not {*wanted} & {*"*?"}:
        return wanted in text
    pattern = wanted.replace("[", "[[]")
    return fnmatchcase(text, pattern) or fnmatchcase(text.rpartition("/")[0], pattern)


def in_order(table: Table, rows: Sequence[Row], sort: str, name: str) -> list[Row]:
    """Return rows in the order of a column. Raise QuestionError if the table has none of that name."""
    keys = [key_of_column(column) for column, _ in table.columns]
    wanted = sort.removeprefix("-")
    if wanted not in keys:
        raise QuestionError(f"{name} is {sort!r:.60}; expected {', '.join(keys)}, or one with - to reverse it")
    place, turned = keys.index(wanted), sort.startswith("-")
    there = [row for row in rows if (row[place].value is not None) == table.columns[place][1] and row[place].text]
    known = {id(each) for each in there}
    rest = [row for row in rows if id(row) not in known]

    def order(row: Row) -> Any:
        if table.columns[place][1]:
            return row[place].value
        text = row[place].text
        as_number = number_in(text)  # ages and years are in the order of numbers, before other text
        return (as_number is None, as_number or 0, lower_letters(text))

    return [*sorted(there, key=order, reverse=turned), *rest]


def link_table(address: Callable[..., str], table: Table, view: View) -> Table:
    """Return a table whose heads lead to it sorted, numbers from the greatest down first, and its caption to it alone.

    address: a function that returns the address of the piece with other parts of its view.
    """
    heads = []
    for title, is_number in table.columns:
        down, up = f"-{key_of_column(title)}", key_of_column(title)
        first, second = (down, up) if is_number else (up, down)
        href = "" if not title or table.is_side_by_side else address(sort=second if view.sort == first else first)
        heads.append((href, {up: "ascending", down: "descending"}.get(view.sort, "") if href else ""))
    is_alone = table.path is None or view.only is not None or not table.caption
    return replace(table, heads=heads, href=table.href if is_alone else address(only=table.path or WHOLE, top=50))


def fields_of(name: str, view: View, tables: Sequence[Table]) -> list[Field]:
    """Return the fields of a filter; of counts and parts of speech where tables have them."""
    cells = [cell for table in tables for row in table.rows for cell in row]
    found = [(f"{name}.has", "Text", view.has, False)]
    if any(each.is_lexeme for each in cells) or view.pos:
        found.append((f"{name}.pos", "Part of speech", view.pos, False))
    if any(each.is_count for each in cells) or view.least:
        found.append((f"{name}.least", "Least count", str(view.least or ""), True))
    return [*found, (f"{name}.top", "Rows", str(view.top or ""), True)]


def as_file(piece: Piece, format: str) -> str:
    """Return the tables of a piece as CSV, TSV or JSON, with numbers that are not rounded."""
    return write_rows(*flatten_tables(tables_of_piece(piece)), format)


def write_rows(names: Sequence[str], rows: Sequence[Sequence[Any]], format: str) -> str:
    """Return named rows as CSV, TSV or JSON. Names that occur twice are numbered."""
    names = apart(names)
    if format == "json":
        return json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False, indent=1)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n") if format == "csv" else csv.writer(out, "excel-tab")
    writer.writerow(names)
    writer.writerows([["" if each is None else each for each in row] for row in rows])
    return out.getvalue()


def apart(names: Sequence[str], form: str = "{} ({})") -> list[str]:
    """Return names, those that occur again with their number."""
    found: dict[str, None] = {}
    for name in names:
        ways = chain([name], (form.format(name, number) for number in count(2)))
        found[next(each for each in ways if each not in found)] = None
    return [*found]


def flatten_tables(tables: Sequence[Table]) -> tuple[list[str], list[list[Any]]]:
    """Return the names and rows of several tables as one; the columns that tell them apart come first."""
    if not tables:
        return [], []
    first = tables[0]
    names = [*first.key, *(name for name, _ in first.columns)]
    rows = [
        [*table.key.values(), *(each.text if each.value is None else each.value for each in row)]
        for table in tables
        for row in (*table.rows, *table.foot)
    ]
    return names, [[None if each == "" else each for each in row] for row in rows]
