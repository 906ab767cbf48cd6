"""Shows sentences on a terminal: a concordance as wide as it is, with the keyword and the context in colour."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aptdb.commands.output import GAP, Looks, told_width
from aptdb.result import Result

if TYPE_CHECKING:
    from rich.text import Text

BESIDE = 44  # columns before and after the keyword, where no terminal says how many there are
LEAST_BESIDE, MOST_BESIDE = 16, 70
KEYWORD, CONTEXT = "bold red", "bold magenta"  # to be read on black and on white
ELLIPSIS = "…"
IN_BRACES = re.compile(r"\{[^{}]+\}")


def keyword_look(text: str) -> "Text":
    """A keyword in its colour."""
    from rich.text import Text

    return Text(text, style=KEYWORD)


def context_look(text: str) -> "Text":
    """A context in its colour."""
    from rich.text import Text

    return Text(text, style=CONTEXT)


LOOKS: Looks = {"keyword": keyword_look, "context": context_look}


def sentences(answer: Result) -> Result:
    """The columns of a terminal where both words are known, and marked in the text."""
    return answer.but(*(name for name in answer.columns if name not in ("corpus", "sentence", "text")))


def looks_of_sentences(answer: Result) -> Looks:
    """The [lexeme] and the {context} of each sentence in their colours."""
    from rich.text import Text

    def look(text: str) -> Text:
        shown = Text(text)
        for begin, end, style in marks.get(text, ()):
            shown.stylize(style, begin, end)
        return shown

    marks = {row["text"]: marks_of(row) for row in answer}
    return {"text": look}


def marks_of(row: Mapping[str, Any]) -> list[tuple[int, int, str]]:
    """Where the keyword and the context stand in the text of a row, with their styles.

    The text may have brackets and braces of its own: ours are those without which it is what stands before the keyword,
    the keyword, and what stands after it.
    """
    text, plain = row["text"], letters(row["before"] + row["keyword"] + row["after"])
    for keyword in re.finditer(re.escape(f"[{row['keyword']}]"), text):
        for context in IN_BRACES.finditer(text):
            ours = {keyword.start(), keyword.end() - 1, context.start(), context.end() - 1}
            if letters(each for place, each in enumerate(text) if place not in ours) == plain:
                return [(*keyword.span(), KEYWORD), (*context.span(), CONTEXT)]
    return []


def letters(text: Iterable[str]) -> str:
    """A text without white space."""
    return "".join(each for each in text if not each.isspace())


def concordance(answer: Result, most: int) -> Result:
    """So many lines, cut so that the keywords stand one below the other and each fits on one line."""
    shown = [row for row, _ in zip(answer, range(most), strict=False)]
    with_context = any(row["context"] for row in shown)
    width = told_width(sys.stdout)
    longest = None if width is None else max(width // 5, len("sentence"))
    places = [row["sentence"] if longest is None else last_of(row["sentence"], longest) for row in shown]
    known = [["sentence", *places], ["keyword", *(row["keyword"] for row in shown)]]
    known += [["context", *(row["context"] for row in shown)]] if with_context else []
    beside = room_beside(width, known)
    before = min(beside, max((size(row["before"]) for row in shown), default=0))
    rows = [
        (
            place,
            *([row["context"]] if with_context else []),
            to_the_right(row["before"], before),
            row["keyword"],
            first_of(row["after"], beside),
        )
        for place, row in zip(places, shown, strict=True)
    ]
    columns = ("sentence", *(["context"] if with_context else []), "before", "keyword", "after")
    return Result(columns, ("VARCHAR",) * len(columns), rows)


def room_beside(width: int | None, columns: Sequence[Sequence[str]]) -> int:
    """How many columns are left on either side of the keyword, beside the columns of the table that are known."""
    if width is None:
        return BESIDE
    taken = sum(max(map(size, column), default=0) + GAP for column in columns)
    return min(max((width - taken - 2 * GAP) // 2, LEAST_BESIDE), MOST_BESIDE)


def size(text: str) -> int:
    """How many columns a text takes on a terminal."""
    from rich.cells import cell_len

    return cell_len(text)


def first_of(text: str, width: int) -> str:
    """The beginning of a text that fits so many columns."""
    while size(text) > width:
        text = text[: max(width, 0)] if len(text) > width else text[:-1]
    return text


def last_of(text: str, width: int) -> str:
    """A text that fits so many columns, without its beginning if it is too long."""
    return text if size(text) <= width else ELLIPSIS + end_of(text, width - 1)


def end_of(text: str, width: int) -> str:
    """The end of a text that fits so many columns."""
    return first_of(text[::-1], width)[::-1]


def to_the_right(text: str, width: int) -> str:
    """The end of a text that fits so many columns, with blanks before it where it is shorter."""
    end = end_of(text, width)
    return " " * (width - size(end)) + end
