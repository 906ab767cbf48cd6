"""Plots of comparisons: counts by kind of text or by what is found, key items, and two sketches beside each other."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from rich.cells import cell_len

from aptdb.core.count_parameters import Keyness, SketchingPair
from aptdb.core.errors import AptWarning, QuestionError, warn
from aptdb.core.one_line import on_one_line
from aptdb.core.question_parameters import Counted
from aptdb.core.result import Result
from aptdb.pictures.drawing import LONGEST, SHORTEST, Drawing, draw_text_bar, format_four_digits, text_bars
from aptdb.pictures.interval_charts import (
    COLOURS,
    POISSON,
    Block,
    Measured,
    bars_figure,
    mirrored_figure,
    poisson_limits,
    series_figure,
)
from aptdb.pictures.plots import as_drawing
from aptdb.questions.calls import Question
from aptdb.questions.frequencies import counts_by, keyness
from aptdb.questions.query import sketch_diff
from aptdb.store.session import Session

Row = Mapping[str, Any]
PER_MILLION = "per million tokens"
NORMAL = 1.959963984540054  # standard errors to each end of such an interval
MOST_ROWS = 50
KEY_ITEMS = 15  # of each side
RELATIONS, OF_EACH = 5, 3  # of sketches
ABSENT = f"{POISSON}; items that do not occur have no point"
OF_RATIOS = (
    "95 % intervals of the ratio of two Poisson rates (normal, of its logarithm), as if occurrences were independent; "
    "none where a count is 0"
)


def plot_counts_by(
    session: Session,
    lexeme: Question | None = None,
    path: str | None = None,
    context: str | None = None,
    **parameters: Unpack[Counted],
) -> Drawing:
    """Plot the frequency of an item by kind of text, or by what it is, per million tokens, with 95 % intervals.

    Parameters as of `counts_by`. by may name two things, "year, 1.lemma": then the second are series, as lines where
    the first are numbers. Intervals are those of Poisson (Garwood 1936). Raises QuestionError.
    """
    found = counts_by(session, lexeme, path, context, **parameters)
    item = " ".join(str(each) for each in (lexeme, path, context) if each is not None) or "*"
    by = parameters.get("by", "corpus")
    if not found.rows:
        raise QuestionError(f"nothing to plot: {item} is not found, or not that often")
    return draw_counts(found, f"{item} by {by}", by)


def draw_counts(found: Result, title: str, by: str) -> Drawing:
    """Return the plot of an answer of `counts_by`. by: what it is counted by. Raise QuestionError."""
    parts = found.columns[: found.columns.index("count")]
    if len(parts) > 2:  # noqa: PLR2004
        raise QuestionError(f"a plot takes one or two things in by; {by} has {len(parts)}")
    rows = [row for row in found if row["tokens"]]
    if len(parts) == 1:
        items = [measure_count(row, parts[0]) for row in most_of_rows(rows, parts[0], MOST_ROWS)]
        blocks = [("", items)]
        return as_drawing(
            title,
            lambda: bars_figure(blocks, PER_MILLION, POISSON, by),
            len(items),
            lambda width: write_measured(blocks, width, POISSON),
        )
    return draw_series(rows, parts[0], parts[1], title)


def draw_series(found: Sequence[Row], first: str, second: str, title: str) -> Drawing:
    """Return the plot of counts by two things: those of the second are series along the first."""
    rows = most_of_rows(found, second, len(COLOURS))
    numbers = {name_value(row, first): as_number(row[first]) for row in rows if row[first] is not None}
    is_axis = bool(numbers) and None not in numbers.values()
    if is_axis:
        if any(row[first] is None for row in rows):
            warn(f"items without {first} are left out of the plot", AptWarning)
        places = {name: number or 0.0 for name, number in sorted(numbers.items(), key=lambda each: each[1] or 0.0)}
    else:
        rows = most_of_rows(rows, first, MOST_ROWS)
        places = {name: float(n) for n, name in enumerate(dict.fromkeys(name_value(row, first) for row in rows))}
    of = {(name_value(row, second), name_value(row, first)): measure_count(row, first) for row in rows}
    sums = sum_counts(rows, second)
    names = sorted(sums, key=lambda name: (-sums[name], name))
    # A line is broken where a series has no value.
    series = {
        name: [
            (place, of.get((name, each), Measured(each, math.nan)))
            for each, place in places.items()
            if is_axis or (name, each) in of
        ]
        for name in names
    }
    blocks = [(name, [item for _, item in points if not math.isnan(item.value)]) for name, points in series.items()]
    return as_drawing(
        title,
        lambda: series_figure(series, first, PER_MILLION, [] if is_axis else [*places], ABSENT),
        sum(len(items) for _, items in blocks),
        lambda width: write_measured(blocks, width, ABSENT),
    )


def sum_counts(rows: Sequence[Row], column: str) -> dict[str, int]:
    """Return the sum of the counts of each value of a column, by its name."""
    sums: dict[str, int] = {}
    for row in rows:
        sums[name_value(row, column)] = sums.get(name_value(row, column), 0) + row["count"]
    return sums


def name_value(row: Row, column: str) -> str:
    """Return the value of a column as a name."""
    return "none" if row[column] is None else str(row[column])


def as_number(value: Any) -> float | None:
    """Return a value as a finite number, None if it is none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def most_of_rows(rows: Sequence[Row], column: str, most: int) -> list[Row]:
    """Return the rows of the most frequent values of a column, in their order; warn if some are left out."""
    sums = sum_counts(rows, column)
    if len(sums) > most:
        warn(f"the {most} most frequent of {len(sums):,} values of {column} are plotted", AptWarning)
    kept = {*sorted(sums, key=lambda name: -sums[name])[:most]}
    return [row for row in rows if name_value(row, column) in kept]


def measure_count(row: Row, column: str) -> Measured:
    """Return the frequency in a row, per million tokens, with its interval; a column names it."""
    return Measured(name_value(row, column), row["per_million"], *poisson_limits(row["count"], row["tokens"]))


def plot_keyness(
    session: Session, a: str | None = None, b: str | None = None, **parameters: Unpack[Keyness]
) -> Drawing:
    """Plot what is typical of a subcorpus, and what is not: bars of the log ratio to both sides, with 95 % intervals.

    Parameters as of `keyness`, with the 15 surest of each side. Raises QuestionError.
    """
    given: dict[str, Any] = {"top": KEY_ITEMS, **parameters}
    sides = [True] if parameters.get("negative") else [False, True]
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for negative in sides:
        for row in keyness(session, a, b, **{**given, "negative": negative}):
            rows[row["lexeme"], row["path"], row["context"]] = row
    name, other = a or "this lexicon", b or parameters.get("other") or "the rest"
    return draw_key_items([*rows.values()], name, other)


def draw_key_items(rows: Sequence[Row], a: str, b: str) -> Drawing:
    """Return the plot of rows of keyness, also of phrases and patterns. Raise QuestionError if none has a ratio."""
    items = [(measure_ratio(row), row) for row in rows if row["log_ratio"] is not None]
    blocks: list[Block] = [
        (f"more frequent in {a}", [item for item, row in items if row["per_million_a"] >= row["per_million_b"]]),
        (f"less frequent in {a}", [item for item, row in items if row["per_million_a"] < row["per_million_b"]]),
    ]
    blocks = [block for block in blocks if block[1]]
    if not blocks:
        raise QuestionError(f"nothing to plot: no item of {a} has a log ratio under these parameters")
    return as_drawing(
        f"keyness of {a}, compared with {b}",
        lambda: bars_figure(blocks, "log ratio (base 2)", OF_RATIOS),
        len(items),
        lambda width: write_measured(blocks, width, OF_RATIOS, digits=2),
    )


def measure_ratio(row: Row) -> Measured:
    """Return the log ratio of a key item, with its interval where both counts are above 0."""
    of = [row[name] for name in ("item", "phrase", "lexeme", "path", "context") if row.get(name) is not None]
    name, ratio = " ".join(str(each) for each in of if each != ""), row["log_ratio"]
    if not (row["count_a"] and row["count_b"]):
        return Measured(name, ratio)
    error = NORMAL * math.sqrt(1 / row["count_a"] + 1 / row["count_b"]) / math.log(2)
    return Measured(name, ratio, ratio - error, ratio + error)


def plot_sketch_diff(session: Session, a: str, b: str | None = None, **parameters: Unpack[SketchingPair]) -> Drawing:
    """Plot two word sketches, relation by relation: scores of the first to the left, of the second to the right.

    Parameters as of `sketch_diff`, with 3 collocates of each kind of 5 relations. Raises QuestionError.
    """
    given: SketchingPair = {"top_relations": RELATIONS, "top": OF_EACH, **parameters}
    found = sketch_diff(session, a, b, **given)
    if not found.rows:
        raise QuestionError(f"no collocate of {a if b is None else f'{a} or {b}'} is left under these parameters")
    sides = (a, b) if b is not None and a != b else tuple(
        f"{a} in {given.get(name) or 'all'}" for name in ("subcorpus", "subcorpus_b")
    )  # fmt: skip
    return draw_sketch_pair(found, (sides[0], sides[1]), given.get("score", "log_dice"))


def draw_sketch_pair(found: Result, sides: tuple[str, str], score: str) -> Drawing:
    """Return the plot of an answer of `sketch_diff`, whose sides have these names."""
    blocks: dict[str, list[tuple[str, float | None, float | None]]] = {}
    for row in found:
        blocks.setdefault(row["relation"], []).append((row["context"], row["score_a"], row["score_b"]))
    return as_drawing(
        f"sketches of {sides[0]} and {sides[1]}",
        lambda: mirrored_figure([*blocks.items()], sides, score),
        len(found),
        lambda width: write_mirrored([*blocks.items()], sides, width),
    )


# Text
def write_measured(blocks: Sequence[Block], width: float, caption: str, digits: int = 1) -> str:
    """Return bars as lines of text, with their intervals beside the names, and a caption."""

    def name_with_interval(item: Measured) -> str:
        ends = "" if item.low is None or item.high is None else f"  {item.low:,.{digits}f}–{item.high:,.{digits}f}"
        return f"{item.name or 'ε'}{ends}"

    bars = [(heading, [(name_with_interval(item), item.value) for item in items]) for heading, items in blocks]
    return f"{text_bars(bars, width)}\n({caption})"


def write_mirrored(
    blocks: Sequence[tuple[str, Sequence[tuple[str, float | None, float | None]]]], sides: tuple[str, str], width: float
) -> str:
    """Return two bars a line, to both sides of the middle, below the names of the sides; names stand first."""
    items = [item for _, below in blocks for item in below]
    widest = max(cell_len(on_one_line(item[0])) for item in items)
    values = [value for item in items for value in item[1:] if value is not None]
    most, digits = (
        max(map(abs, values), default=0.0),
        max((len(format_four_digits(value)) for value in values), default=0),
    )
    room = int(max(SHORTEST, min(LONGEST / 2, (width - widest - 2 * digits - 5) / 2)))
    left, right = map(on_one_line, sides)
    lines = [f"{' ' * (widest + max(2, 3 + digits + room - cell_len(left)))}{left}│{right}"]
    for heading, below in blocks:
        lines += [heading] if heading else []
        for name, a, b in below:
            text = on_one_line(name)
            bar = draw_text_bar(None if a is None else round(a / most * room) * most / room, most, room) if most else ""
            beside = f"{format_four_digits(a):>{digits}} {bar:>{room}}│{draw_text_bar(b, most, room)}"
            after = f" {format_four_digits(b)}" if b is not None else ""
            lines.append(f"{text}{' ' * (widest - cell_len(text))}  {beside}{after}".rstrip())
    return "\n".join(lines)
