"""Charts of comparisons: bars with intervals, bars to both sides, and several series. They need matplotlib."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from aptdb.pictures.charts import (
    BLUE,
    FAINT,
    INK,
    MILLION,
    ON_PAGE,
    ORANGE,
    ROW_HEIGHT,
    TICKS,
    WIDEST_TITLE,
    styled_figure,
)
from aptdb.pictures.svg_tree import drop_controls

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = (BLUE, ORANGE, "#3f8f5f", "#9a5fb0", "#a58b1e", "#c2477a")  # of series: to be read on light and on dark
MARKS = "osD^vP"
CAPTION = 7  # the size of the letters of a caption
WHISKER: dict[str, Any] = {"linestyle": "none", "capsize": 2}
PALE = 0.35  # how much of its colour a bar below zero has, where sides are words
POISSON = "95 % intervals: Poisson, exact (Garwood 1936), as if occurrences were independent"
OUTSIDE = 0.025  # the probability beyond each end of such an interval
HEADED = 0.9  # inches for a title and an axis


@dataclass(frozen=True)
class Measured:
    """A named value with its interval; low and high are None where it has none."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None

    def errors(self) -> tuple[float, float]:
        """Return how far the interval reaches below and above the value."""
        low, high = (self.value if each is None else each for each in (self.low, self.high))
        return max(0.0, self.value - low), max(0.0, high - self.value)


Block = tuple[str, Sequence[Measured]]


def error_bars(items: Sequence[Measured]) -> list[list[float]]:
    """Return how far intervals reach below values, and how far above, each of shape (items,)."""
    return [list(each) for each in zip(*(item.errors() for item in items), strict=True)]


def poisson_limits(count: int, tokens: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a frequency per million tokens, for a Poisson distribution (Garwood 1936)."""
    from scipy.special import gammaincinv

    low = float(gammaincinv(count, OUTSIDE)) if count else 0.0
    return low * MILLION / tokens, float(gammaincinv(count + 1, 1 - OUTSIDE)) * MILLION / tokens


def add_caption(figure: "Figure", caption: str) -> "Figure":
    """Write small print below a figure, at the left; return the figure."""
    if caption:
        text = "\n".join(wrap(drop_controls(caption), int(WIDEST_TITLE * 1.4)))
        figure.supxlabel(text, x=0.01, ha="left", fontsize=CAPTION, color=INK)
    return figure


def name_rows(axes: "Axes", blocks: Sequence[tuple[str, Sequence[str]]]) -> list[int]:
    """Write names below bold headings along the axis of rows; return the place of each name."""
    rows = [
        row for heading, names in blocks for row in ([(heading, True)] if heading else []) + [(n, False) for n in names]
    ]
    axes.set_yticks(range(len(rows)), [drop_controls(name) or "ε" for name, _ in rows])
    for (_, is_heading), label in zip(rows, axes.get_yticklabels(), strict=True):
        label.set_fontweight("bold" if is_heading else "normal")
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(length=0)
    return [place for place, (_, is_heading) in enumerate(rows) if not is_heading]


def count_chart_rows(blocks: Sequence[tuple[str, Sequence[object]]]) -> int:
    """Return the number of rows of blocks, with their headings."""
    return sum(len(items) + bool(heading) for heading, items in blocks)


def bars_figure(blocks: Sequence[Block], label: str, caption: str, along: str = "") -> "Figure":
    """Return a figure of bars with their intervals, block by block; bars below zero have another colour.

    label, along: the names of the axes of values and of rows.
    """
    from matplotlib.ticker import MaxNLocator

    items = [item for _, below in blocks for item in below]
    with styled_figure(ON_PAGE, ROW_HEIGHT * count_chart_rows(blocks) + HEADED, layout="constrained") as figure:
        axes = figure.subplots()
        places = name_rows(axes, [(heading, [item.name for item in below]) for heading, below in blocks])
        colours = [ORANGE if item.value < 0 else BLUE for item in items]
        axes.barh(places, [item.value for item in items], color=colours, height=0.7)
        measured = [(item, place) for item, place in zip(items, places, strict=True) if item.low is not None]
        if measured:
            with_interval, rows = zip(*measured, strict=True)
            values = [item.value for item in with_interval]
            axes.errorbar(values, rows, xerr=error_bars(with_interval), color=INK, elinewidth=0.8, **WHISKER)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.xaxis.set_major_locator(MaxNLocator(TICKS))
        axes.set(xlabel=label, ylabel=along)
        add_caption(figure, caption)
    return figure


def mirrored_figure(
    blocks: Sequence[tuple[str, Sequence[tuple[str, float | None, float | None]]]], sides: tuple[str, str], label: str
) -> "Figure":
    """Return a figure of two bars a row: that of the first side to the left, that of the second to the right.

    A value below zero is a pale bar of its length.
    """
    from matplotlib.ticker import MaxNLocator

    items = [item for _, below in blocks for item in below]
    with styled_figure(
        1.2 * ON_PAGE, ROW_HEIGHT * count_chart_rows(blocks) + HEADED + 0.2, layout="constrained"
    ) as figure:
        axes = figure.subplots()
        places = name_rows(axes, [(heading, [item[0] for item in below]) for heading, below in blocks])
        shown = []
        of_sides = [a or 0.0 for _, a, _ in items], [b or 0.0 for _, _, b in items]
        for values, sign, colour in zip(of_sides, (-1, 1), (BLUE, ORANGE), strict=True):
            bars = axes.barh(places, [sign * abs(value) for value in values], color=colour, height=0.7)
            for bar, value in zip(bars, values, strict=True):
                bar.set_alpha(PALE if value < 0 else 1.0)
            shown.append(bars)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.xaxis.set_major_locator(MaxNLocator(TICKS, symmetric=True))
        axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
        most = max(abs(end) for end in axes.get_xlim())
        axes.set(xlim=(-most, most), xlabel=label)
        add_legend(axes, shown, [f"← {sides[0]}", f"{sides[1]} →"])
    return figure


def series_figure(
    series: Mapping[str, Sequence[tuple[float, Measured]]], label: str, value: str, names: Sequence[str], caption: str
) -> "Figure":
    """Return a figure of several series with their intervals, one beside the other.

    names: of what stands along the axis, which are rows then; without them it is an axis of numbers, with lines.
    """
    from matplotlib.ticker import MaxNLocator

    height = ROW_HEIGHT * max(1.0, 0.6 * len(series)) * len(names) + HEADED + 0.4 if names else 3.2
    with styled_figure(ON_PAGE, height, layout="constrained") as figure:
        axes = figure.subplots()
        shown = [
            draw_series_on(axes, points, place, len(series), rows=bool(names))
            for place, points in enumerate(series.values())
        ]
        if names:
            name_rows(axes, [("", names)])
            axes.set_xlim(left=0)
        else:
            whole = all(float(x).is_integer() for points in series.values() for x, _ in points)
            axes.xaxis.set_major_locator(MaxNLocator(integer=whole))
            axes.set_ylim(bottom=0)
        axes.set(xlabel=value if names else label, ylabel=label if names else value)
        axes.grid(axis="x" if names else "both", color=FAINT, linewidth=0.4)
        add_legend(axes, shown, [*series])
        add_caption(figure, caption)
    return figure


def draw_series_on(
    axes: "Axes", points: Sequence[tuple[float, Measured]], number: int, count: int, *, rows: bool
) -> Any:
    """Draw a series as points with whiskers, in rows or joined by a line; return what the legend shows.

    In rows, those of a series stand a little below those of the one before.
    """
    values, errors = [item.value for _, item in points], error_bars([item for _, item in points])
    how: dict[str, Any] = {"elinewidth": 0.8, "capsize": 2, "markersize": 4, "linewidth": 1.2, "marker": MARKS[number]}
    if not rows:
        return axes.errorbar([x for x, _ in points], values, yerr=errors, color=COLOURS[number], **how)
    places = [x + 0.7 * ((number + 0.5) / count - 0.5) for x, _ in points]
    return axes.errorbar(values, places, xerr=errors, color=COLOURS[number], **{**how, "linestyle": "none"})


def add_legend(axes: "Axes", shown: Sequence[Any], names: Sequence[str]) -> None:
    """Write the names of what is shown above the axes."""
    numbers = [*map(str, range(len(shown)))]
    legend = axes.legend(shown, numbers, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(drop_controls(name))  # now, as a label that begins with _ would be left out
