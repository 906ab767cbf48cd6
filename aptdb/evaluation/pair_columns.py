"""Find the columns of pairs of words: the words, their parts of speech and the rating, with or without a header."""

import re
from collections.abc import Sequence

from aptdb.core.errors import DataSetError
from aptdb.evaluation.dataset_columns import (
    Row,
    at_fault,
    cell_of,
    first_number,
    has_tag,
    is_number,
    tag_of,
)

HEAD = re.compile(r"word|^w\W?[12]|score|rating|human|mean|sim|relat|gold|judg|value|^pos$|.[12]$", re.IGNORECASE)
FIRST, SECOND = (re.compile(rf"(word|w|item|noun|verb|adj)[\W_]*{place}", re.IGNORECASE) for place in (1, 2))
POS = re.compile(r"^pos|^tag|part.?of.?speech", re.IGNORECASE)
SCORE = re.compile(
    r"((avg|average|mean)[\W_]*)?(score|rating|judge?ment)|gold|similarity|relatedness|mean|human.*|simlex.*|value",
    re.IGNORECASE,
)
PAIR = {"one": FIRST, "two": SECOND, "score": SCORE}
WORDS = ("one", "two")
BOTH_TAGGED = 4  # the column of the score if each of two words has a tag


def pair_columns(name: str, rows: list[Row]) -> tuple[dict[str, int | None], list[Row]]:
    """Return the columns of words, parts of speech (None: nowhere) and score; and the rows below the header.

    Raises DataSetError if the first row is neither a header nor like the others.
    """
    head = rows[0][1]
    named = {which: place_of(kind, head) for which, kind in PAIR.items()}
    if named["one"] is None or named["two"] is None:
        score = first_number(rows) or 2
        body = below_names(name, rows, score)
        return {"one": 0, "two": 1, "score": score, "pos": None, "pos2": None} | places_of_tags(body, score), body
    body, words = rows[1:], {named["one"], named["two"]}
    refuse_uneven(name, rows)
    tags = [at for at, cell in enumerate(head) if POS.search(cell) and at not in words]
    named["score"] = score_column(name, rows, {*words, *tags})
    placed = {"pos": tags[0], "pos2": tags[-1]} if tags else {"pos": None, "pos2": None}
    return {**named, **placed}, body


def refuse_uneven(name: str, rows: list[Row]) -> None:
    """Raise DataSetError if two columns have the same name, or a row has more columns than the header."""
    place, head = rows[0]
    names = [cell.lower() for cell in head if cell]
    if twice := next((cell for cell in names if names.count(cell) > 1), None):
        raise at_fault(name, place, f"two columns are called {twice}; give each column a name of its own")
    for place, cells in rows[1:]:
        if any(cells[len(head) :]):
            raise at_fault(name, place, f"{len(cells)} columns, but the header has {len(head)}")


def score_column(name: str, rows: list[Row], others: set[int | None]) -> int:
    """Return the column of the ratings: by its name in the header, or the only one with numbers.

    others: the columns of words and tags. Raises DataSetError if several columns are possible.
    """
    place, head = rows[0]
    free = [at for at in range(len(head)) if at not in others]
    found = [at for at in free if SCORE.fullmatch(head[at])]
    found = found or [at for at in free if is_number(cell_at(rows[1][1], at))]
    if len(found) > 1:
        several = ", ".join(head[at] for at in found)
        raise at_fault(name, place, f"each may be the rating: {several}; call one score, or leave the others out")
    return found[0] if found else len(head) - 1


def place_of(kind: re.Pattern[str], head: Sequence[str]) -> int | None:
    """Return the first column in a header with such a name."""
    return next((at for at, cell in enumerate(head) if kind.fullmatch(cell)), None)


def places_of_tags(rows: Sequence[Row], score: int) -> dict[str, int | None]:
    """Return the columns of the parts of speech if each row begins with two words and there is no header.

    Return () if there are none.
    """
    if score == BOTH_TAGGED:
        return {"two": 2, "pos": 1, "pos2": 3} if all_tags(rows, 1, 3) else {"pos": 2, "pos2": 3}
    if score == BOTH_TAGGED - 1:
        return {"pos": 2, "pos2": 2}
    return {"pos": score + 1, "pos2": score + 1} if all_tags(rows, score + 1) else {}


def all_tags(rows: Sequence[Row], *places: int) -> bool:
    """Return whether these columns have parts of speech in all rows."""
    return all(tag_of(cell_at(cells, at)) for _, cells in rows for at in places)


def cell_at(cells: Sequence[str], at: int | None) -> str:
    """Return the text in a column, or ''."""
    return cells[at] if at is not None and at < len(cells) else ""


def tag_in(name: str, place: int, cells: list[str], at: int | None) -> str:
    """Return the part of speech in a column. Raise DataSetError for other text."""
    text = cell_of(name, place, cells, at or 0)
    tag = tag_of(text)
    if tag is None:
        raise at_fault(name, place, f"{text!r} is not a part of speech; expected n, v, a, r, or a tag, e.g. NOUN")
    return tag


def below_names(name: str, rows: list[Row], score: int) -> list[Row]:
    """Return the rows of pairs, without a header. Raise DataSetError if the first row is neither."""
    place, cells = rows[0]
    if is_number(cell_at(cells, score)):
        return rows
    if not any(HEAD.search(cell) for cell in cells):
        raise at_fault(name, place, f"{cells[-1]!r} is not a rating, and this is not a header like word1, word2, score")
    return rows[1:]


def all_have_tags(name: str, words: Sequence[str]) -> bool:
    """Return whether all words end with their part of speech. Raise DataSetError if most do, but not all."""
    bare = [word for word in words if not has_tag(word)]
    if bare and len(bare) < len(words) / 2:
        raise DataSetError(f"{name}: {bare[0]!r} has no part of speech, but most words here do, e.g. dog-n or dog/NOUN")
    return not bare
