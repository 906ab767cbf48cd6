"""The sparkline in the head of a word's page: how frequent it is at each time, or in each genre or corpus."""

from collections.abc import Sequence

from aptdb.core.errors import QuestionError
from aptdb.counting.condition_parser import parse_number
from aptdb.explorer.content import Asking, only_given, shares
from aptdb.explorer.lookups import list_metadata_columns, read_lexeme_in_address, time_of
from aptdb.lexicon import Lexicon
from aptdb.pictures.svg_tree import format_length as length

GENRES = ("genre", "register", "text_type", "category", "domain")  # columns that tell kinds of text apart
WIDTH, HEIGHT, BROADEST = 120.0, 24.0, 8.0
COLOUR = "#5f95c9"  # seen on a white page, and on a black one


def genre_of(columns: Sequence[str]) -> str | None:
    """Return the column of genres; None without one."""
    return next((each for each in GENRES if each in columns), None)


def choose_sparkline(lexicon: Lexicon) -> str | None:
    """Return what the sparkline tells apart: times, else genres, else corpora; None if there is nothing to tell."""
    columns = list_metadata_columns(lexicon)
    return time_of(columns) or genre_of(columns) or ("corpus" if len(lexicon.corpora()) > 1 else None)


def draw_sparkline(asking: Asking) -> str:
    """Return the frequency per million by time, genre or corpus as bars in SVG, from 0. Raise QuestionError."""
    (x, subcorpus), by = read_lexeme_in_address(asking), choose_sparkline(asking.lexicon)
    if by is None:
        raise QuestionError("the lexicon has one corpus, whose documents say neither their time nor their genre")
    found = [
        row for row in asking.lexicon.counts_by(x, **only_given(by=by, subcorpus=subcorpus)) if row["value"] is not None
    ]
    times = [parse_number(str(row["value"])) for row in found]
    at = [each for each in times if each is not None]
    if len(at) < len(found) or not at:
        at = [float(each) for each in range(len(found))]
    breadth = min(BROADEST, max(0.8 * WIDTH / max(len(found), 1), 1.5))
    step = (WIDTH - breadth) / ((max(at) - min(at)) or 1.0) if at else 0.0
    bars = "".join(
        f'<rect x="{length((place - min(at)) * step)}" y="{length(HEIGHT * (1 - share))}" '
        f'width="{length(breadth)}" height="{length(HEIGHT * share)}" fill="{COLOUR}"/>'
        for place, share in zip(at, shares([row["per_million"] for row in found]), strict=True)
        if share
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT + 1:g}">{bars}'
        f'<rect y="{HEIGHT:g}" width="{WIDTH:g}" height="1" fill="#888"/></svg>'
    )
