"""Charts of pages, as SVG whose colours are those of the page, with values where the pointer is."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import Template
from typing import Any

from aptdb.core.display import how_many
from aptdb.pictures.charts import without_outliers
from aptdb.pictures.svg_tree import format_length as length
from aptdb.pictures.svg_tree import write_xml

WIDTH, PLOT, SIDE, ROW = 760.0, 220.0, 60.0, 17.0
LABELS = 9  # on the axis of time
ON_MAP = 20  # names for which a map has its least size
MAP_WIDTH, MAP_HEIGHT, MARGIN, LETTER, LINE, DOT = 720.0, 440.0, 40.0, 7.0, 12.0, 4.0
BARS_WIDTH, BARS, BROADEST = 120.0, 24.0, 8.0  # of a sparkline
TITLES = {"per_million": ("per million tokens", "per million", 1), "share": ("share of both", "of both", 4)}
COLOURS = {  # on a light page, and on a dark one
    "page": ("#ffffff", "#16191d"), "ink": ("#1a1a1a", "#f0f0f0"), "faint": ("#525c66", "#b3bcc5"),
    "rule": ("#d5dae0", "#3a424b"), "blue": ("#2f6ca8", "#7db4ea"), "orange": ("#b8560f", "#f0a060"),
    "green": ("#007d5a", "#4cc79c"), "purple": ("#9a4f83", "#e0a3c8"), "olive": ("#7f6a00", "#d8bd4a"),
    "grey": ("#5b6670", "#aab6c2"),
}  # fmt: skip
RULES = Template("""
.aptdb-line text { fill: $faint; font-size: 11px; }
.aptdb-line polyline { fill: none; stroke: currentColor; stroke-width: 2; }
.aptdb-line polygon { fill: currentColor; opacity: 0.16; }
.aptdb-line .dot { fill: currentColor; }
.aptdb-line .grid { stroke: $rule; }
.aptdb-line .band { fill: transparent; }
.aptdb-line .name, .aptdb-line .value, .aptdb-map .at text { fill: $ink; font-size: 12px; }
.aptdb-line .value { visibility: hidden; }
.aptdb-line .at:hover .value { visibility: visible; }
.aptdb-line .at:hover .dot, .aptdb-map .at:focus .dot { r: 6px; }
.aptdb-line .at:hover .band { fill: $faint; opacity: 0.12; }
.series1 { color: $blue; }
.series2 { color: $orange; }
.series3 { color: $green; }
.series4 { color: $purple; }
.series5 { color: $olive; }
.series6 { color: $grey; }
.aptdb-map .crowded:not(:hover, :focus) text { visibility: hidden; }
.aptdb-map .crowded:is(:hover, :focus) text { paint-order: stroke; stroke: $page; stroke-width: 4px; }
.aptdb-map .at.own text { font-weight: 650; }
.aptdb-map .at.own .dot { fill: $orange; }
.aptdb-map .at:hover text { fill: currentColor; text-decoration: underline; }
""")
Place = tuple[float, float]  # in a picture
Box = tuple[float, float, float, float]


def write_chart_style(*, in_file: bool = False) -> str:
    """Return the style sheet of charts: of a page that is light or dark, or of a file that is light."""
    of_page = {name: f"light-dark({light}, {dark})" for name, (light, dark) in COLOURS.items()}
    of_file = {name: light for name, (light, _) in COLOURS.items()}
    return RULES.substitute(of_file if in_file else of_page)


def write_chart(kind: str, width: float, height: float, inside: str) -> str:
    """Return a chart as SVG, which is whole as a file, too. An image of times has no links, as a map has."""
    role = ' role="img"' if kind == "times" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="aptdb-line {kind}"{role} viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="system-ui, sans-serif">'
        f"<style>svg {{ background: white; }}{write_chart_style(in_file=True)}</style>{inside}</svg>"
    )


@dataclass(frozen=True)
class Plane:
    """Where times and frequencies stand in a plot. first, last: the times. step, most: of the axis of frequencies."""

    first: float
    last: float
    step: float
    most: float
    top: float

    def at(self, period: float, value: float) -> Place:
        """Return the place of a frequency at a time."""
        share = (period - self.first) / (self.last - self.first) if self.last > self.first else 0.5
        return SIDE + (WIDTH - 2 * SIDE) * share, self.top + PLOT * (1 - value / self.most)

    def axes(self) -> str:
        """Return the axes in SVG: round times below, frequencies at the left."""
        rows = [(self.at(self.first, self.step * n)[1], self.step * n) for n in range(round(self.most / self.step) + 1)]
        step = round_up_nicely((self.last - self.first) / LABELS) if self.last > self.first else 1.0
        step = max(step, 1.0) if self.first.is_integer() and self.last.is_integer() else step
        times = [n * step for n in range(math.ceil(self.first / step), math.floor(self.last / step) + 1)]
        low = self.top + PLOT
        return "".join(
            f'<line class="grid" x1="{SIDE:g}" x2="{WIDTH - SIDE:g}" y1="{length(y)}" y2="{length(y)}"/>'
            f'<text x="{SIDE - 6:g}" y="{length(y + 4)}" text-anchor="end">{value:,g}</text>'
            for y, value in rows
        ) + "".join(
            f'<line class="grid" x1="{length(x)}" x2="{length(x)}" y1="{low:g}" y2="{low + 4:g}"/>'
            f'<text x="{length(x)}" y="{low + 18:g}" text-anchor="middle">{time:g}</text>'
            for x, time in ((self.at(time, 0)[0], time) for time in times or [self.first])
        )


def draw_time_chart(
    series: Mapping[str, Sequence[Mapping[str, Any]]],
    limits: Mapping[str, Sequence[tuple[float, float]]],
    by: str,
    column: str = "per_million",
) -> str:
    """Return series as lines with bands in SVG, from 0 up, at their times; names above, with values at the pointer.

    by: the title of the axis of times. column: per_million, or share.
    """
    title, unit, digits = TITLES[column]
    periods = sorted({row["period"] for rows in series.values() for row in rows})
    greatest = max(high for ends in limits.values() for _, high in ends)
    most = (step := round_up_nicely(greatest / 4)) * math.ceil(greatest / step)
    plane = Plane(float(periods[0]), float(periods[-1]), step, most, 14 + ROW * (len(series) + 1))
    drawn, height = [plane.axes()], plane.top + PLOT + 40
    drawn.append(f'<text x="{SIDE / 2:g}" y="{plane.top - 8:g}">{title}</text>')
    drawn.append(f'<text x="{WIDTH / 2:g}" y="{height - 4:g}" text-anchor="middle">{write_xml(by)}</text>')
    said: dict[float, list[str]] = {each: [] for each in periods}
    for number, (name, rows) in enumerate(series.items(), 1):
        high = 12 + ROW * (number - 1)
        ends = [plane.at(row["period"], end[0]) for row, end in zip(rows, limits[name], strict=True)]
        ends += [plane.at(row["period"], end[1]) for row, end in zip(rows, limits[name], strict=True)][::-1]
        points = [plane.at(row["period"], row[column]) for row in rows]
        drawn.append(
            f'<g class="series{number}"><polygon points="{join_points(ends)}"/>'
            f'<polyline points="{join_points(points)}"/>'
            f'<rect class="dot" x="{SIDE:g}" y="{high - 9:g}" width="10" height="10"/></g>'
            f'<text class="name" x="{SIDE + 16:g}" y="{high:g}">{write_xml(name)}</text>'
        )
        for row, (x, y), (low, top) in zip(rows, points, limits[name], strict=True):
            said[row["period"]].append(
                f'<circle class="dot series{number}" cx="{length(x)}" cy="{length(y)}" r="3"/><text class="value" '
                f'x="{WIDTH - SIDE:g}" y="{high:g}" text-anchor="end">{row["value"]}: {row[column]:,.{digits}f} {unit} '
                f"({low:,.{digits}f}–{top:,.{digits}f}), {how_many(row['count'], 'token')}</text>"
            )
    across = [plane.at(each, 0)[0] for each in periods]
    edges = [SIDE - 20, *((a + b) / 2 for a, b in pairwise(across)), WIDTH - SIDE + 20]
    drawn += [
        f'<g class="at"><rect class="band" x="{length(left)}" y="0" width="{length(right - left)}" '
        f'height="{height:g}"/>{"".join(inside)}</g>'
        for (left, right), inside in zip(pairwise(edges), said.values(), strict=True)
    ]
    return write_chart("times", WIDTH, height, f"<title>{title}</title>{''.join(drawn)}")


def join_points(points: Sequence[tuple[float, float]]) -> str:
    """Return points as SVG has them."""
    return " ".join(f"{length(x)},{length(y)}" for x, y in points)


def round_up_nicely(most: float) -> float:
    """Return the next round number: 1, 2 or 5 times a power of ten."""
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most * (1 - 1e-9))


def draw_map_chart(
    own: str,
    places: Mapping[str, Place],
    labels: Mapping[str, str],
    addresses: Mapping[str, str],
    groups: Mapping[str, int],
) -> str:
    """Return names at their places in SVG; those far out come nearer. labels: what is shown where the pointer is."""
    near, _ = without_outliers(places)
    larger = min(1.9, max(1.0, (len(places) / ON_MAP) ** 0.3))  # for many words
    width, height = MAP_WIDTH * larger, MAP_HEIGHT * larger
    lows = [min(each[axis] for each in near.values()) for axis in (0, 1)]
    breadths = [max(each[axis] for each in near.values()) - lows[axis] for axis in (0, 1)]
    room = (width - 4 * MARGIN, height - 2 * MARGIN)
    scale = min(most / (breadth or 1.0) for most, breadth in zip(room, breadths, strict=True))
    left = (width - breadths[0] * scale) / 2
    points = {
        name: (left + (each[0] - lows[0]) * scale, height - MARGIN - (each[1] - lows[1]) * scale)
        for name, each in near.items()
    }
    taken = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in points.values()]
    tags = {name.rpartition("/")[2] if "/" in name else "" for name in points}
    shown = {name: name.rpartition("/")[0] if tags not in ({""}, set()) and len(tags) == 1 else name for name in points}
    drawn = []
    for name, point in points.items():
        kind = f"at series{groups[name]}{' own' if name == own else ''}"
        drawn.append(draw_named_point(shown[name], point, labels[name], addresses[name], taken, kind, width))
    return write_chart("aptdb-map", width, height, "".join(drawn))


def draw_named_point(name: str, point: Place, label: str, href: str, taken: list[Box], kind: str, width: float) -> str:
    """Return a point with its name beside it, hidden where it would cover another. taken: boxes, which grow."""
    x, y = point
    breadth = len(name) * LETTER
    sides = [(7.0, 4.0, "start"), (-7.0, 4.0, "end"), (0.0, -7.0, "middle"), (0.0, 16.0, "middle")]
    sides += [(6.0, -5.0, "start"), (6.0, 14.0, "start"), (-6.0, -5.0, "end"), (-6.0, 14.0, "end")]

    def box(side: tuple[float, float, str]) -> Box:
        left = x + side[0] - breadth * {"start": 0.0, "middle": 0.5, "end": 1.0}[side[2]]
        return left, y + side[1] - LINE + 3, left + breadth, y + side[1] + 3

    def covered(side: tuple[float, float, str]) -> int:
        a = box(side)
        outside = int(a[0] < 0 or a[2] > width)
        return outside + sum(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for b in taken)

    best = min(sides, key=covered)
    is_own = kind.endswith(" own")
    if is_own or not covered(best):
        taken.append(box(best))
    else:
        kind += " crowded"
    inside = (
        f"<title>{write_xml(label)}</title>"
        f'<circle class="dot" cx="{length(x)}" cy="{length(y)}" r="{5 if is_own else 4}"/>'
        f'<text x="{length(x + best[0])}" y="{length(y + best[1])}" text-anchor="{best[2]}">{write_xml(name)}</text>'
    )
    return f'<a class="{kind}" href="{write_xml(href)}">{inside}</a>' if href else f'<g class="{kind}">{inside}</g>'


def draw_sparkline(values: Sequence[float | None], at: Sequence[float | None]) -> str:
    """Return values as bars in SVG, from 0, without an axis. at: their places."""
    places, greatest = [each or 0.0 for each in at] or [0.0], max((each or 0.0 for each in values), default=0.0) or 1.0
    breadth = min(BROADEST, max(0.8 * BARS_WIDTH / len(places), 1.5))
    step = (BARS_WIDTH - breadth) / ((max(places) - min(places)) or 1.0)
    bars = "".join(
        f"M{(place - min(places)) * step:.1f} {BARS:g}v{-BARS * value / greatest:.1f}h{breadth:.1f}V{BARS:g}"
        for place, value in zip(places, values, strict=False)
        if value
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {BARS_WIDTH:g} {BARS + 1:g}"><path d="{bars}" '
        f'fill="#5f95c9"/><path d="M0 {BARS:g}h{BARS_WIDTH:g}v1H0" fill="#888"/></svg>'
    )  # colours that are seen on a white page, and on a black one
