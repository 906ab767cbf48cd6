"""The sparkline in the head of a word's page: how frequent it is at each time, or in each genre or corpus."""

from collections.abc import Sequence

from aptdb.core.errors import QuestionError
from aptdb.counting.condition_parser import parse_number
from aptdb.explorer.content import Asking, only_given, shares
from aptdb.explorer.lookups import list_metadata_columns, read_lexeme_in_address, time_of
from aptdb.lexicon import Lexicon

GENRES = ("genre", "register", "text_type", "category", "domain")  # columns that tell kinds of text apart
WIDTH, HEIGHT, BROADEST = 120.0, 24.0, 8.0


def find_genre(columns: Sequence[str]) -> str | None:
    """Return the column of genres; None without one."""
    return next((each for each in GENRES if each in columns), None)


def choose_sparkline(lexicon: Lexicon) -> str | None:
    """Return the column whose values the sparkline compares: times, else genres, else corpora; None for one corpus."""
    columns = list_metadata_columns(lexicon)
    return time_of(columns) or find_genre(columns) or ("corpus" if len(lexicon.corpora()) > 1 else None)


def draw_sparkline(asking: Asking) -> str:
    """Return the frequency per million by time, genre or corpus as bars in SVG, from 0. Raise QuestionError."""
    (x, subcorpus), by = read_lexeme_in_address(asking), choose_sparkline(asking.lexicon)
    if by is None:
        raise QuestionError("the lexicon has one corpus, whose documents say neither their time nor their genre")
    counts = asking.lexicon.counts_by(x, **only_given(by=by, subcorpus=subcorpus))
    found = [row for row in counts if row["value"] is not None]
    times = [parse_number(str(row["value"])) for row in found]
    at = [float(place) if None in times else each or 0.0 for place, each in enumerate(times)] or [0.0]
    breadth = min(BROADEST, max(0.8 * WIDTH / len(at), 1.5))
    step = (WIDTH - breadth) / ((max(at) - min(at)) or 1.0)
    bars = "".join(
        f"M{(place - min(at)) * step:.1f} {HEIGHT:g}v{-HEIGHT * share:.1f}h{breadth:.1f}V{HEIGHT:g}"
        for place, share in zip(at, shares([row["per_million"] for row in found]), strict=False)
        if share
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT + 1:g}"><path d="{bars}" '
        f'fill="#5f95c9"/><path d="M0 {HEIGHT:g}h{WIDTH:g}v1H0" fill="#888"/></svg>'
    )  # colours that are seen on a white page, and on a black one
