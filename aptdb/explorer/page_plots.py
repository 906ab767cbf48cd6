"""Where and when a lexeme occurs, and a map of it and its neighbours: plots with values where the pointer is."""

import math
from collections.abc import Mapping, Sequence

from aptdb.core.display import how_many
from aptdb.core.errors import QuestionError
from aptdb.explorer.content import (
    Asked,
    Asking,
    Cell,
    Link,
    Links,
    Picture,
    Piece,
    Table,
    count_cell,
    figure,
    format_thousands,
    only_given,
    shares,
)
from aptdb.explorer.lookups import TIMES, frequencies_of, list_metadata_columns, read_lexeme_in_address, time_of
from aptdb.explorer.sparkline import genre_of
from aptdb.explorer.table_tools import key_of_column
from aptdb.explorer.word_pieces import NONE, kept
from aptdb.pictures.charts import without_outliers
from aptdb.pictures.plots import ONE_WAY, project_on_plane
from aptdb.pictures.svg_tree import format_length as length
from aptdb.pictures.svg_tree import write_xml

WIDTH, HEIGHT, SIDE, BELOW, ABOVE = 640.0, 200.0, 60.0, 24.0, 16.0
LABELS = 8  # on the axis of time
ON_MAP = 20  # neighbours
MAP_WIDTH, MAP_HEIGHT, MARGIN, LETTER, LINE, DOT = 720.0, 440.0, 40.0, 7.0, 12.0, 4.0
Place = tuple[float, float]
Box = tuple[float, float, float, float]


def make_places_piece(asking: Asking) -> Piece:
    """Return the frequencies of a lexeme by corpus, or by a kind of metadata."""
    links, (x, subcorpus) = asking.links, read_lexeme_in_address(asking)
    kinds = list_metadata_columns(asking.lexicon)
    usual = "corpus" if len(asking.lexicon.corpora()) > 1 or not kinds else genre_of(kinds) or kinds[0]
    by = asking.get("by") or usual
    question = Asked("counts_by", (x,), only_given(by=by, subcorpus=subcorpus))
    found = question.answer(asking.lexicon)
    lengths = shares(found.column("per_million"))
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
    return links.page("concordance", q=x, subcorpus=subcorpus, at=by, value=None if value is None else str(value))


def make_trend_piece(asking: Asking) -> Piece:
    """Return the frequency of a lexeme over time. Raise QuestionError where no document says its time."""
    by = time_of(list_metadata_columns(asking.lexicon))
    if by is None:
        raise QuestionError(f"no document has a time; it is read from a column {' or '.join(TIMES)}")
    x, subcorpus = read_lexeme_in_address(asking)
    question = Asked("trend", (x,), only_given(by=by, subcorpus=subcorpus))
    found = question.answer(asking.lexicon)
    if not found.rows:
        return Piece("nothing", "Over time", None, [question], [f"{x} is only in documents without a time in {by}"])
    rows = [
        (
            Cell(str(row["value"]), value=row["value"] if isinstance(row["value"], int) else None),
            count_cell(row["count"], hits_of(asking.links, x, subcorpus, by, row["value"])),
            figure(row["per_million"], 1),
        )
        for row in found
    ]
    columns = ((by, False), ("count", True), ("per million", True))
    first = found[0]
    notes = [rise(first["slope"], first["growth"], first["growth_p"])] if first["slope"] is not None else []
    labels = [
        f"{row['value']}: {row['per_million']:,.1f} per million, {how_many(row['count'], 'token')}" for row in found
    ]
    names = [str(each) for each in found.column("value")]
    picture = Picture(line_chart(names, found.column("per_million"), labels, "per million tokens"), "")
    return Piece("trend", "Over time", (picture, Table(columns, rows)), [question], notes)


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


def line_chart(names: Sequence[str], values: Sequence[float], labels: Sequence[str], unit: str) -> str:
    """Return values as a line in SVG, from 0 up. labels: shown where the pointer is above or below one."""
    most = nice(max(values, default=0.0))
    across = (WIDTH - 2 * SIDE) / max(len(values) - 1, 1)
    down = HEIGHT - BELOW - ABOVE
    points = [(SIDE + across * n, ABOVE + down * (1 - value / most)) for n, value in enumerate(values)]
    line = " ".join(f"{length(x)},{length(y)}" for x, y in points)
    dots = "".join(labelled_point(point, each, across) for point, each in zip(points, labels, strict=True))
    step = max(1, math.ceil(len(names) / LABELS))
    below = "".join(
        f'<text x="{length(points[n][0])}" y="{length(HEIGHT - 6)}" text-anchor="middle">{write_xml(names[n])}</text>'
        for n in range(0, len(names), step)
    )
    grid = "".join(
        f'<line class="grid" x1="{length(SIDE)}" x2="{length(WIDTH - SIDE)}" y1="{length(y)}" y2="{length(y)}"/>'
        f'<text x="{length(SIDE - 6)}" y="{length(y + 4)}" text-anchor="end">{value:,g}</text>'
        for value, y in ((most * share, ABOVE + down * (1 - share)) for share in (0.0, 0.5, 1.0))
    )
    return (
        f'<svg class="aptdb-line" role="img" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" height="{HEIGHT:g}">'
        f'<title>{write_xml(unit)}</title>{grid}<polyline points="{line}"/>{below}{dots}</svg>'
    )


def labelled_point(point: tuple[float, float], label: str, breadth: float) -> str:
    """Return a point that says its value: the whole band around it feels the pointer."""
    x, y = point
    side = "start" if x < WIDTH / 3 else "end" if x > WIDTH * 2 / 3 else "middle"
    return (
        f'<g class="at"><rect class="band" x="{length(x - breadth / 2)}" y="0" width="{length(breadth)}" '
        f'height="{HEIGHT:g}"/><circle class="dot" cx="{length(x)}" cy="{length(y)}" r="3"/>'
        f'<text class="value" x="{length(x)}" y="11" text-anchor="{side}">{write_xml(label)}</text></g>'
    )


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
    near = asking.near(x) if not own and not how.settings else None
    near = near or lexicon.neighbours(x, top=ON_MAP, **own, **how.of("neighbours"), **faster)
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
    svg = map_chart(x, places, said | {x: x}, {name: links.lexeme(name, subcorpus) for name in names})
    rows = [
        (
            Cell(name, links.lexeme(name, subcorpus), is_lexeme=True),
            figure(to_x[name]),
            figure(at[0], 3),
            figure(at[1], 3),
        )
        for name, at in places.items()
    ]
    table = Table((("lexeme", False), (f"similarity to {x}", True), ("across", True), ("up", True)), rows)
    call = "".join(f", {name}={value!r}" for name, value in given.items())
    question = Asked("plot.map", tuple(names), given, python=f"lexicon.plot.map({names}{call})", has_sql=False)
    notes = map_notes(share, len(found) - len(names), subcorpus)
    return Piece("trend", "Map", (Picture(svg, ""), table), [question], notes)


def map_notes(share: float, lacking: int, subcorpus: str | None) -> list[str]:
    """Return what a map shows of the distances, and how many neighbours it leaves out."""
    notes = [
        f"Words that stand near one another are similar; the plane shows {share:.0%} of the variance of the distances."
    ]
    if lacking:
        whose = f"in the whole lexicon that the subcorpus {subcorpus} lacks"
        notes.append(f"Left out: {how_many(lacking, 'neighbour')} {whose}.")
    return notes


def map_chart(own: str, places: Mapping[str, Place], labels: Mapping[str, str], addresses: Mapping[str, str]) -> str:
    """Return names at their places in SVG; those far out come nearer. labels: what is shown where the pointer is."""
    near, _ = without_outliers(places)
    lows = [min(each[axis] for each in near.values()) for axis in (0, 1)]
    breadths = [max(each[axis] for each in near.values()) - lows[axis] for axis in (0, 1)]
    room = (MAP_WIDTH - 4 * MARGIN, MAP_HEIGHT - 2 * MARGIN)
    scale = min(most / (breadth or 1.0) for most, breadth in zip(room, breadths, strict=True))
    left = (MAP_WIDTH - breadths[0] * scale) / 2
    points = {
        name: (left + (each[0] - lows[0]) * scale, MAP_HEIGHT - MARGIN - (each[1] - lows[1]) * scale)
        for name, each in near.items()
    }
    taken = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in points.values()]
    tags = {name.rpartition("/")[2] if "/" in name else "" for name in points}
    shown = {name: name.rpartition("/")[0] if tags not in ({""}, set()) and len(tags) == 1 else name for name in points}
    drawn = "".join(
        named_point(shown[name], points[name], labels[name], addresses[name], taken, name == own) for name in points
    )
    return (
        f'<svg class="aptdb-line aptdb-map" viewBox="0 0 {MAP_WIDTH:g} {MAP_HEIGHT:g}" width="{MAP_WIDTH:g}" '
        f'height="{MAP_HEIGHT:g}">{drawn}</svg>'
    )


def named_point(name: str, point: Place, label: str, href: str, taken: list[Box], is_own: bool) -> str:
    """Return a point with its name beside it, where it covers the fewest others. taken: boxes, which grow."""
    x, y = point
    breadth = len(name) * LETTER
    sides = [(7.0, 4.0, "start"), (-7.0, 4.0, "end"), (0.0, -7.0, "middle"), (0.0, 16.0, "middle")]
    sides += [(6.0, -5.0, "start"), (6.0, 14.0, "start"), (-6.0, -5.0, "end"), (-6.0, 14.0, "end")]

    def box(side: tuple[float, float, str]) -> Box:
        left = x + side[0] - breadth * {"start": 0.0, "middle": 0.5, "end": 1.0}[side[2]]
        return left, y + side[1] - LINE + 3, left + breadth, y + side[1] + 3

    def covered(side: tuple[float, float, str]) -> int:
        a = box(side)
        outside = int(a[0] < 0 or a[2] > MAP_WIDTH)
        return outside + sum(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for b in taken)

    best = min(sides, key=covered)
    taken.append(box(best))
    inside = (
        f"<title>{write_xml(label)}</title>"
        f'<circle class="dot" cx="{length(x)}" cy="{length(y)}" r="{5 if is_own else 4}"/>'
        f'<text x="{length(x + best[0])}" y="{length(y + best[1])}" text-anchor="{best[2]}">{write_xml(name)}</text>'
    )
    kind = "at own" if is_own else "at"
    return f'<a class="{kind}" href="{write_xml(href)}">{inside}</a>' if href else f'<g class="{kind}">{inside}</g>'
