"""Where a lexeme occurs, what changes over time, and a map of neighbours: plots with values where the pointer is."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from aptdb.core.display import how_many
from aptdb.core.errors import QuestionError
from aptdb.core.result import Result
from aptdb.explorer.content import (
    Asked,
    Asking,
    Cell,
    Head,
    Link,
    Links,
    Page,
    Picture,
    Piece,
    Table,
    count_cell,
    figure,
    format_thousands,
    only_given,
    shares,
)
from aptdb.explorer.content import Place as LaterPiece
from aptdb.explorer.lookups import (
    TIMES,
    frequencies_of,
    list_kept_subcorpora,
    list_metadata_columns,
    read_lexeme_in_address,
    refuse_unknown_value,
    time_of,
)
from aptdb.explorer.table_tools import key_of_column
from aptdb.explorer.word_pieces import NONE, kept
from aptdb.pictures.charts import without_outliers
from aptdb.pictures.interval_charts import poisson_limits
from aptdb.pictures.plots import ONE_WAY, edges_of, project_on_plane, whispers
from aptdb.pictures.svg_tree import format_length as length
from aptdb.pictures.svg_tree import write_xml

WIDTH, PLOT, SIDE, ROW = 760.0, 220.0, 60.0, 17.0
LABELS = 9  # on the axis of time
MOST_SERIES = 6  # which colours tell apart
NO_TIME = f"no document says its time; a column called {', '.join(TIMES)} would"
ON_MAP, MOST_ON_MAP = 20, 300  # neighbours
EDGES, GROUPS = 2, 6  # of a word to the most similar others; groups, each of a colour
MAP_WIDTH, MAP_HEIGHT, MARGIN, LETTER, LINE, DOT = 720.0, 440.0, 40.0, 7.0, 12.0, 4.0
Place = tuple[float, float]  # in a picture
Box = tuple[float, float, float, float]


def make_places_piece(asking: Asking) -> Piece:
    """Return the frequencies of a lexeme by corpus, or by a kind of metadata."""
    links, (x, subcorpus) = asking.links, read_lexeme_in_address(asking)
    kinds = list_metadata_columns(asking.lexicon)
    by = asking.get("by") or ("corpus" if len(asking.lexicon.corpora()) > 1 or not kinds else kinds[0])
    question = Asked("counts_by", (x,), only_given(by=by, subcorpus=subcorpus))
    found = question.answer(asking.lexicon)
    lengths = shares(found.column("per_million"), from_zero=True)
    rows = [
        (
            Cell(NONE if row["value"] is None else str(row["value"])),
            count_cell(row["count"], hits_of(links, x, subcorpus, by, row["value"])),
            Cell(format_thousands(row["tokens"]), value=row["tokens"]),
            figure(row["per_million"], 1, share=share),
        )
        for row, share in zip(found, lengths, strict=True)
    ]
    columns = ((by, False), ("count", True), ("tokens of it", True), ("per million", True))
    view = {name: value for name, value in asking.given.items() if name.startswith("places.")}
    if view.get("places.sort", "").removeprefix("-") == key_of_column(by):  # another table has no such column
        del view["places.sort"]
    others = [
        Link(f"by {each}", href, each == by)
        for each in ("corpus", *kinds)
        if (href := links.page("lexeme/places", x=x, subcorpus=subcorpus, by=each, **view))
    ]
    return Piece("table", f"Where it occurs, by {by}", Table(columns, rows), [question], (), others)


def hits_of(links: Links, x: str, subcorpus: str | None, by: str, value: object) -> str:
    """Return the address of the sentences with a lexeme in documents of a kind; None: of those that do not say it."""
    at = {} if "(" in by else {"at": by, "value": None if value is None else str(value)}  # no function of metadata
    return links.page("concordance", q=x, subcorpus=subcorpus, **at)


def trend_head(asking: Asking) -> Head:
    """Return the head of the page of changes over time."""
    lexicon, column = asking.lexicon, time_of(list_metadata_columns(asking.lexicon))
    by = asking.get("by") or column
    if by is None:
        return Head(Page("Over time", "Over time", notes=[NO_TIME]), [], asking.given)
    refuse_unknown_value("subcorpus", asking.get("subcorpus"), names := list_kept_subcorpora(lexicon))
    asked = list_asked(asking)
    frequent = [each for each in lexicon.lexemes(top=200).column("lexeme") if each.endswith(("/NOUN", "/VERB"))][:3]
    examples = [Link(", ".join(frequent), asking.links.page("trend", q="\n".join(frequent)))] if frequent else []
    times = [column, by, *(f"{each}({column})" for each in ("decade", "century") if column in ("year", "date"))]
    selects = [("by", "By", "", [*dict.fromkeys(filter(None, times))], by)]
    selects += [("subcorpus", "In", "the whole", names, asking.get("subcorpus"))] if names else []
    form = {"q": "\n".join(asked), "selects": selects}
    groups = [] if asked else [("For example", examples)]
    places = [LaterPiece("trend", f"Frequency by {by}")] if asked else []
    return Head(Page("Over time", "Over time", groups=groups, form=form, template="trend.html"), places, asking.given)


def find_time(asking: Asking) -> str:
    """Return what tells the time: what the address says, or the column of times. Raise QuestionError without one."""
    by = asking.get("by") or time_of(list_metadata_columns(asking.lexicon))
    if by is None:
        raise QuestionError(NO_TIME)
    return by


def list_asked(asking: Asking) -> list[str]:
    """Return the words and patterns of an address, each once. Raise QuestionError for too many."""
    asked = [*dict.fromkeys(each.strip() for each in (asking.get("q") or "").splitlines() if each.strip())]
    if len(asked) > MOST_SERIES:
        raise QuestionError(f"q has {len(asked)} lines; {MOST_SERIES} can be told apart in a plot")
    return [name if (name := asking.lexicon.as_lexeme(each)) in asking.lexicon else each for each in asked]


def make_times_piece(asking: Asking) -> Piece:
    """Return the frequencies of several words or patterns over time."""
    return draw_times(asking, list_asked(asking))


def make_trend_piece(asking: Asking) -> Piece:
    """Return the frequency of a lexeme over time. Raise QuestionError where no document says its time."""
    x, _ = read_lexeme_in_address(asking)
    href = asking.links.page("trend", q=x, subcorpus=asking.get("subcorpus"))
    return draw_times(asking, [x], [Link("beside other words", href)] if href else [])


def draw_times(asking: Asking, asked: Sequence[str], links: Sequence[Link] = ()) -> Piece:
    """Return frequencies over time as a plot and a table, whose last columns are the ends of the 95 % interval."""
    by, subcorpus = find_time(asking), asking.get("subcorpus")
    given = only_given(by=by, subcorpus=subcorpus)
    questions = [Asked("trend", (each,), given) for each in asked]
    found: dict[str, Result] = {each.arguments[0] or "": each.answer(asking.lexicon) for each in questions}
    there = {x: rows for x, rows in found.items() if rows.rows}
    notes = [f"{x} is in no document whose {by} is a time" for x in found if x not in there]
    several = len(asked) > 1
    for x, rows in there.items():
        if rows[0]["slope"] is not None:
            said = rise(*(rows[0][name] for name in ("slope", "growth", "growth_p")))
            notes.append(f"{x}: {said}" if several else said)
    if not there:
        return Piece("nothing", f"Frequency by {by}", None, questions, notes)
    limits = {x: [poisson_limits(row["count"], row["tokens"]) for row in rows] for x, rows in there.items()}
    cells = [
        (
            Cell(str(row["value"]), value=row["value"] if isinstance(row["value"], int) else None),
            *([Cell(x, is_lexeme=x in asking.lexicon)] if several else []),
            count_cell(row["count"], hits_of(asking.links, x, subcorpus, by, row["value"])),
            figure(row["per_million"], 1), figure(ends[0], 1), figure(ends[1], 1),
        )
        for x, rows in there.items()
        for row, ends in zip(rows, limits[x], strict=True)
    ]  # fmt: skip
    columns = [(by, False), *([("of", False)] if several else [])]
    columns += [(name, True) for name in ("count", "per million", "at least", "at most")]
    notes.append("Bands, at least, at most: 95 % intervals (Poisson), as if occurrences were independent.")
    return Piece(
        "trend", "Over time", (Picture(time_chart(there, limits), ""), Table(columns, cells)), questions, notes, links
    )


def rise(slope: float, growth: float | None, p_value: float | None) -> str:
    """Return the change of a frequency, in words, with the growth and its test, where periods weigh their tokens."""
    tested = ""
    if growth is not None and p_value is not None:
        p = "p < 0.001" if p_value < 0.0005 else f"p = {format_thousands(p_value, 3)}"  # noqa: PLR2004
        tested = f" (growth {100 * growth:+.2g} %, {p})"
    if not slope:
        return f"It neither rises nor falls{tested}."
    verb, change = "rises" if slope > 0 else "falls", format_thousands(abs(slope), 2)
    return f"It {verb} by {change} per million for each unit of the time axis{tested}."


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
        step = nice((self.last - self.first) / LABELS) if self.last > self.first else 1.0
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


def time_chart(series: Mapping[str, Result], limits: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Return series as lines with bands in SVG, from 0 up, at their times; names above, with values at the pointer."""
    periods = sorted({row["period"] for rows in series.values() for row in rows})
    greatest = max(high for ends in limits.values() for _, high in ends)
    most = (step := nice(greatest / 4)) * math.ceil(greatest / step)
    plane = Plane(float(periods[0]), float(periods[-1]), step, most, 14 + ROW * len(series))
    drawn, height = [plane.axes()], plane.top + PLOT + 24
    said: dict[float, list[str]] = {each: [] for each in periods}
    for number, (name, rows) in enumerate(series.items(), 1):
        high = 12 + ROW * (number - 1)
        ends = [plane.at(row["period"], end[0]) for row, end in zip(rows, limits[name], strict=True)]
        ends += [plane.at(row["period"], end[1]) for row, end in zip(rows, limits[name], strict=True)][::-1]
        points = [plane.at(row["period"], row["per_million"]) for row in rows]
        drawn.append(
            f'<g class="series{number}"><polygon points="{join_points(ends)}"/>'
            f'<polyline points="{join_points(points)}"/>'
            f'<rect class="dot" x="{SIDE:g}" y="{high - 9:g}" width="10" height="10"/></g>'
            f'<text class="name" x="{SIDE + 16:g}" y="{high:g}">{write_xml(name)}</text>'
        )
        for row, (x, y), (low, top) in zip(rows, points, limits[name], strict=True):
            said[row["period"]].append(
                f'<circle class="dot series{number}" cx="{length(x)}" cy="{length(y)}" r="3"/><text class="value" '
                f'x="{WIDTH - SIDE:g}" y="{high:g}" text-anchor="end">{row["value"]}: {row["per_million"]:,.1f} per '
                f"million ({low:,.1f}–{top:,.1f}), {how_many(row['count'], 'token')}</text>"
            )
    across = [plane.at(each, 0)[0] for each in periods]
    edges = [SIDE - 20, *((a + b) / 2 for a, b in pairwise(across)), WIDTH - SIDE + 20]
    drawn += [
        f'<g class="at"><rect class="band" x="{length(left)}" y="0" width="{length(right - left)}" '
        f'height="{height:g}"/>{"".join(inside)}</g>'
        for (left, right), inside in zip(pairwise(edges), said.values(), strict=True)
    ]
    return (
        f'<svg class="aptdb-line times" role="img" viewBox="0 0 {WIDTH:g} {height:g}" width="{WIDTH:g}" '
        f'height="{height:g}"><title>per million tokens</title>{"".join(drawn)}</svg>'
    )


def join_points(points: Sequence[tuple[float, float]]) -> str:
    """Return points as SVG has them."""
    return " ".join(f"{length(x)},{length(y)}" for x, y in points)


def nice(most: float) -> float:
    """Return the next round number: 1, 2 or 5 times a power of ten."""
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most * (1 - 1e-9))


def nearest_map(asking: Asking) -> Piece:
    """Return a map of a lexeme and its neighbours, precomputed if possible."""
    lexicon, links, how = asking.lexicon, asking.links, asking.how
    x, subcorpus = read_lexeme_in_address(asking)
    if (measure := how.settings.get("measure")) in ONE_WAY:
        return Piece("nothing", "Map", None, (), [f"{measure} is asymmetric; a map needs another measure, e.g. cosine"])
    own = only_given(subcorpus=subcorpus)
    faster = kept(asking.weights, subcorpus, how)
    most = min(how.view.top or ON_MAP, MOST_ON_MAP)
    near = asking.near(x) if most == ON_MAP and not own and not how.settings else None
    near = near or lexicon.neighbours(x, top=most, **own, **how.of("neighbours"), **faster)
    counts = frequencies_of(lexicon, found := list(dict.fromkeys([x, *near.column("lexeme")])), subcorpus)
    names = [each for each in found if each in counts]  # a space has neighbours that a subcorpus lacks
    if x not in counts or len(names) < len("ab"):
        why = f"{x} has no neighbour" if x in counts else f"{x} does not occur here"
        return Piece("nothing", "Map", None, (), [why])
    given = own | how.of("similarity_each")
    if "weights" in given:  # a weighting may record an asymmetric measure
        given.setdefault("measure", "cosine")
    alike = {
        frozenset((row["a"], row["b"])): row["similarity"] or 0.0
        for row in lexicon.similarity_each(names, **given, **faster)
    }
    places, share = project_on_plane(names, alike)
    to_x = {name: alike.get(frozenset((x, name)), 1.0) for name in names}
    said = {name: f"{name}: similarity to {x} {to_x[name]:.4f}, {how_many(counts[name], 'token')}" for name in names}
    group_of = find_groups(names, alike)
    addresses = {name: links.lexeme(name, subcorpus) for name in names}
    svg = map_chart(x, {name: places[name] for name in names}, said | {x: x}, addresses, group_of)
    rows = [
        (
            Cell(name, links.lexeme(name, subcorpus), is_lexeme=True),
            figure(to_x[name]),
            figure(at[0], 3),
            figure(at[1], 3),
            Cell(str(group_of[name]), value=group_of[name]),
        )
        for name, at in places.items()
    ]
    table = Table(
        (("lexeme", False), (f"similarity to {x}", True), ("across", True), ("up", True), ("group", True)),
        rows,
        most=len(rows),
    )
    call = "".join(f", {name}={value!r}" for name, value in given.items())
    question = Asked("plot.map", tuple(names), given, python=f"lexicon.plot.map({names}{call})", has_sql=False)
    notes = map_notes(share, len(found) - len(names), subcorpus)
    others = [
        Link(f"{each} words", href, each == most)
        for each in (ON_MAP, 50, 100, MOST_ON_MAP)
        if (href := links.page("lexeme/map", **{**asking.given, "map.top": str(each)}))
    ]
    return Piece("trend", "Map", (Picture(svg, ""), table), [question], notes, others)


def find_groups(names: Sequence[str], alike: Mapping[frozenset[str], float]) -> dict[str, int]:
    """Return the number of each name's group, from 1: the largest groups, which the smaller ones join."""
    groups = whispers(names, edges_of(names, alike, EDGES), 1)
    large = [tuple(each) for each in groups[:GROUPS]]
    for group in groups[GROUPS:]:
        near = [sum(alike[frozenset((a, b))] for a in group for b in each) / len(each) for each in large]
        groups[near.index(max(near))] += group
    return {name: number for number, group in enumerate(groups[:GROUPS], 1) for name in group}


def map_notes(share: float, lacking: int, subcorpus: str | None) -> list[str]:
    """Return what a map shows of the distances, and how many neighbours it leaves out."""
    notes = [
        f"Words that stand near one another are similar; the plane shows {share:.0%} of the variance of the distances. "
        f"Colours are up to {GROUPS} groups, found by Chinese Whispers; a name without room is shown at the pointer."
    ]
    if lacking:
        whose = f"in the whole lexicon that the subcorpus {subcorpus} lacks"
        notes.append(f"Left out: {how_many(lacking, 'neighbour')} {whose}.")
    return notes


def map_chart(
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
        drawn.append(named_point(shown[name], point, labels[name], addresses[name], taken, kind, width))
    return (
        f'<svg class="aptdb-line aptdb-map" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}">{"".join(drawn)}</svg>'
    )


def named_point(name: str, point: Place, label: str, href: str, taken: list[Box], kind: str, width: float) -> str:
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
