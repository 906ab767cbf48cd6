"""The page of SQL: a box, what it answers, and what there is to ask."""

import re
from collections.abc import Sequence

from aptdb.core.display import is_numeric, on_one_line
from aptdb.explorer.content import Cell, Link, Page, Piece, Table
from aptdb.explorer.links import Links
from aptdb.explorer.sql_box import Answered
from aptdb.lexicon import Lexicon

LONGEST = 500  # letters of a cell that is shown
FIRST = (
    "-- The most frequent nouns.\n"
    "SELECT lexeme, frequency FROM lexemes WHERE pos = 'NOUN' ORDER BY frequency DESC LIMIT 20",
    "-- How long paths are, and how often they are counted.\n"
    "SELECT path_order, count(*) AS paths, sum(count) AS counts FROM paths GROUP BY ALL ORDER BY path_order",
)


def offered(lexicon: Lexicon) -> Table:
    """Return what the lexicon offers to SQL, each with an example that can be asked."""
    found = lexicon.sql("SELECT name, kind, meaning, example FROM aptdb_help ORDER BY kind, name")
    rows = [
        (
            Cell(row["name"], Links().sql(as_select(row["example"])) if row["example"] else ""),
            Cell(row["kind"]),
            Cell(row["meaning"]),
        )
        for row in found
    ]
    return Table((("name", False), ("kind", False), ("meaning", False)), rows)


def examples(lexicon: Lexicon) -> list[str]:
    """Return some queries to begin with."""
    frequent = next(iter(lexicon), None)
    if frequent is None:
        return [*FIRST]
    named = frequent.replace("'", "''")
    return [*FIRST, f"-- What it meets, the heaviest first.\nFROM apt('{named}') ORDER BY weight DESC LIMIT 20"]


def as_select(example: str) -> str:
    """Return an example as a statement."""
    return example if re.match(r"(FROM|SELECT|WITH)\b", example) else f"SELECT {example}"


def sql_page(query: str, answer: Answered | None, error: str, links: Links, table: Table, begin: Sequence[str]) -> Page:
    """Return the page of SQL."""
    pieces = [] if answer is None else [answer_piece(query, answer, links)]
    form = {
        "query": query or begin[0],
        "error": error,
        "offered": table,
        "examples": [Link(first_line(each), links.sql(each)) for each in begin],
    }
    return Page("SQL", "SQL", pieces=pieces, form=form, template="sql.html")


def first_line(query: str) -> str:
    """Return what a query is for, by the comment that it begins with."""
    return query.partition("\n")[0].removeprefix("-- ")


def answer_piece(query: str, answer: Answered, links: Links) -> Piece:
    """Return the answer as a table, with a link to the same as CSV."""
    columns = [(on_one_line(name), is_numeric(kind)) for name, kind in zip(answer.columns, answer.types, strict=True)]
    rows = [[cell(name, value, links) for (name, _), value in zip(columns, row, strict=True)] for row in answer.rows]
    notes = [*answer.notes, f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"]
    return Piece("table", "Answer", Table(columns, rows), (), notes, [Link("as CSV", links.page("sql.csv", q=query))])


def cell(column: str, value: str | None, links: Links) -> Cell:
    """Return a value; lexemes lead to their pages."""
    if value is None:
        return Cell("NULL", is_faint=True)
    text = "ε" if column == "path" and not value else value
    shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    is_lexeme = column in ("lexeme", "context", "neighbour") and len(text) <= LONGEST
    return Cell(shown, links.lexeme(value) if is_lexeme else "", is_lexeme=is_lexeme)
