"""What a table of a page shows: its rows filtered, in order and cut, row by row. Imports nothing of aptdb."""

from typing import Any

Row = tuple[str, int, float]  # a lexeme, a count, a score


def shown(rows: list[Row], sort: str, has: str, pos: str, least: int, top: int) -> list[Row]:
    """The rows that are shown. sort: lexeme, count or score, with - for the greatest first; '' as they come."""
    found: list[Row] = []
    for row in rows:
        lemma, _, tag = row[0].rpartition("/")
        if has.lower() in f"{lemma}/{tag}".lower() and pos in ("", tag) and row[1] >= least:
            found.append(row)
    place = {"lexeme": 0, "count": 1, "score": 2}.get(sort.strip("-"))
    if place is not None:
        by: Any = lambda row: row[place].lower() if place == 0 else row[place]  # noqa: E731
        found.sort(key=by, reverse=sort.startswith("-"))
    return found[:top]
