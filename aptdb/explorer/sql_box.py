"""The SQL box: limits of a query, the answer of a confined process, and the pages that show it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from aptdb.core.display import is_numeric
from aptdb.core.errors import QuestionError
from aptdb.core.one_line import on_one_line
from aptdb.explorer.content import Cell, Link, Links, Page, Piece, Table
from aptdb.explorer.table_tools import FILES
from aptdb.lexicon import Lexicon


@dataclass(frozen=True)
class SqlLimits:
    """Limits of a query, or of what tools ask: seconds, bytes of memory, rows and bytes of its answer."""

    seconds: float = 20.0
    memory: int = 1_000_000_000
    rows: int = 1000
    size: int = 20_000_000


def limits_of_file(limits: SqlLimits) -> SqlLimits:
    """Return the limits of an answer that is downloaded."""
    return replace(limits, rows=limits.rows * 100, size=limits.size * 5)


LONGEST = 100_000  # letters of a query


@dataclass(frozen=True)
class Answered:
    """An answer: values are numbers, text, or None. notes: notes on it. left_out: why rows are missing, or ''."""

    columns: Sequence[str]
    types: Sequence[str]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str]
    left_out: str = ""


def refuse_cut_answer(answer: Answered | None) -> Answered:
    """Return an answer that has all its rows, as a file must. Raise QuestionError for another."""
    if answer is None or answer.left_out:
        many, why = (f"{len(answer.rows):,} rows", answer.left_out) if answer else ("no rows", "it is not there")
        raise QuestionError(f"the answer has more than {many}: {why}; ask for less, e.g. with LIMIT")
    return answer


LONGEST_CELL = 500  # letters of a cell that is shown
FIRST = (
    "-- The most frequent nouns.\n"
    "SELECT lexeme, frequency FROM lexemes WHERE pos = 'NOUN' ORDER BY frequency DESC LIMIT 20",
    "-- How long paths are, and how often they are counted.\n"
    "SELECT path_order, count(*) AS paths, sum(count) AS counts FROM paths GROUP BY ALL ORDER BY path_order",
)


def offered(lexicon: Lexicon) -> Table:
    """Return the public relations and macros, each with an example."""
    found = lexicon.sql("SELECT name, kind, meaning, example FROM aptdb_help ORDER BY kind, name")
    rows = list[tuple[Cell, ...]]()
    for row in found:
        query = row["example"] or ""
        if query and not re.match(r"(FROM|SELECT|WITH)\b", query):
            query = f"SELECT {query}"
        rows.append((Cell(row["name"], Links().sql(query) if query else ""), Cell(row["kind"]), Cell(row["meaning"])))
    return Table((("name", False), ("kind", False), ("meaning", False)), rows)


def example_queries(lexicon: Lexicon) -> list[str]:
    """Return some queries to begin with."""
    frequent = next(iter(lexicon), None)
    if frequent is None:
        return [*FIRST]
    named = frequent.replace("'", "''")
    return [*FIRST, f"-- Its contexts, the heaviest first.\nFROM apt('{named}') ORDER BY weight DESC LIMIT 20"]


def waiting_page(query: str, before: int, seconds: float, limits: SqlLimits, links: Links, job: str) -> Page:
    """Return the page of a query that is not answered yet. before: the queries whose turn comes before."""
    if before:
        said = f"Your query waits: it is number {before} in the queue."
    else:
        said = f"Your query has run for {seconds:.0f} of {limits.seconds:.0f} seconds."
    cancel = Link("Stop it", links.page("sql", q=query, job=job, cancel="1"))
    form = {"query": query, "said": said, "cancel": cancel, "again": links.page("sql", q=query, job=job)}
    return Page("SQL", "SQL", form=form, template="sql_waiting.html")


def sql_page(query: str, answer: Answered | None, error: str, links: Links, table: Table, begin: Sequence[str]) -> Page:
    """Return the page of SQL."""
    pieces = [] if answer is None else [answer_piece(query, answer, links)]
    form = {
        "query": query or begin[0],
        "error": error,
        "offered": table,
        "examples": [Link(each.partition("\n")[0].removeprefix("-- "), links.sql(each)) for each in begin],
    }
    return Page("SQL", "SQL", pieces=pieces, form=form, template="sql.html")


def answer_piece(query: str, answer: Answered, links: Links) -> Piece:
    """Return the answer as a table, with links to it as files."""
    columns = [(on_one_line(name), is_numeric(kind)) for name, kind in zip(answer.columns, answer.types, strict=True)]
    rows = [
        [make_result_cell(name, value, links) for (name, _), value in zip(columns, row, strict=True)]
        for row in answer.rows
    ]
    notes = [*answer.notes, f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"]
    files = [Link(f"as {each.upper()}", links.page(f"sql.{each}", q=query)) for each in FILES]
    return Piece("table", "Answer", Table(columns, rows), (), notes, files)


def make_result_cell(column: str, value: Any, links: Links) -> Cell:
    """Return a value as a cell; lexemes link to their pages."""
    if value is None:
        return Cell("NULL", is_faint=True)
    text = str(value) or ("ε" if column == "path" else "")
    shown = text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}…"
    is_lexeme = column in ("lexeme", "context", "neighbour") and len(text) <= LONGEST_CELL
    return Cell(shown, links.lexeme(text) if is_lexeme else "", is_lexeme=is_lexeme)
