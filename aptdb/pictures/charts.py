"""Charts: bars and curves. They need matplotlib, an optional package."""

import io
import math
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from aptdb.core.display import how_many
from aptdb.core.errors import IncompleteDataWarning, QuestionError, warn
from aptdb.core.result import Result
from aptdb.pictures.svg_tree import drop_controls, plain_lines, write_xml

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

Place = tuple[float, float]
BOXES = "Last Resort"  # a font that has a box for every letter


def find_letters(figure: "Figure") -> None:
    """Let each text of a figure take missing letters from other fonts of the machine."""
    from matplotlib.text import Text

    texts: list[Text] = [each for each in figure.findobj(Text) if isinstance(each, Text)]
    lacking = {letter for each in texts for letter in each.get_text() if not has(usual_font(), letter)}
    if not lacking:
        return
    families = ["sans-serif", *fonts_with(frozenset(lacking))]
    for each in texts:
        if lacking & {*each.get_text()}:
            each.set_fontfamily(families)


@cache
def fonts_with(letters: frozenset[str]) -> Sequence[str]:
    """Return fonts that together have most of some letters, the one with the most letters first."""
    return choose_fonts({name: {each for each in letters if has(file, each)} for name, file in installed()})


def choose_fonts(having: "dict[str, set[str]]") -> Sequence[str]:
    """Return fonts, each of which has letters that those before lack.

    having: the letters of each font.
    """
    found: list[str] = []
    left = {each for letters in having.values() for each in letters}
    while left:
        best = max(having, key=lambda name: (len(having[name] & left), name))
        found.append(best)
        left -= having[best]
    return found


@cache
def installed() -> Sequence[tuple[str, str]]:
    """Return the fonts of this machine by name, each with a file."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {each.fname for each in fontManager.ttflist}
    for file in {*findSystemFonts()} - known:  # it remembers those that were there when it was first used
        with suppress(OSError, RuntimeError):
            fontManager.addfont(file)
    upright = [each for each in fontManager.ttflist if each.style == "normal" and BOXES not in each.name]
    return [*{each.name: each.fname for each in sorted(upright, key=distance_from_regular, reverse=True)}.items()]


def distance_from_regular(font: object) -> int:
    """Return how far the weight of a font is from the regular one, negated for sorting."""
    weight = getattr(font, "weight", 400)
    usual, bold = 400, 700
    return abs(weight - usual) if isinstance(weight, int) else (0 if weight in ("normal", "regular") else bold - usual)


@cache
def usual_font() -> str:
    """Return the file of the default font of charts."""
    from matplotlib.font_manager import FontProperties, findfont

    return str(findfont(FontProperties(family=["sans-serif"])))


def has(file: str, letter: str) -> bool:
    """Return whether the font in a file has a letter; white space counts as present."""
    return letter.isspace() or ord(letter) in letters_of(file)


@cache
def letters_of(file: str) -> Iterable[int]:
    """Return the letters of the font in a file; an empty set if it cannot be read."""
    from matplotlib.ft2font import FT2Font

    try:
        return FT2Font(file).get_charmap().keys()
    except (OSError, RuntimeError):
        return ()


INK, FAINT, BLUE, ORANGE = "#222222", "#c8c8c8", "#3b6ea5", "#c8641e"
# What pictures in SVG have in their place, so that they are light where the reader's screen is dark.
COLOURS_OF_SCREENS = """:root { color-scheme: light dark; --ink: #222; --faint: #c8c8c8; --blue: #2f6ca8;
  --orange: #b8560f; --page: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --faint: #555; --blue: #7db4ea; --orange: #f0a060; --page: #16181b; }
}"""
BY_SCREEN = {INK: "var(--ink)", FAINT: "var(--faint)", BLUE: "var(--blue)", ORANGE: "var(--orange)", "#ffffff": "none"}
STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "text.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.parse_math": False,  # tags like PRP$ are not formulas
    "svg.fonttype": "none",  # text stays text, which can be searched and copied
    "svg.hashsalt": "aptdb",  # the same picture is the same file
}
STYLED = re.compile("(fill|stroke): (#[0-9a-f]{6})")
INSIDE = ".aptdb-plot"  # a picture may stand in a page whose own elements must not change
LACKING = "missing from font"  # what matplotlib says of letters
STEPS = 40  # along an arrow, which names should not cover
POINT = 3.0  # half of what a point takes, in pixels
# Where a name stands beside its point: how far across and up, in points, and which of its sides is there.
SIDES = (
    (5, 0, "left", "center"), (0, 5, "center", "bottom"), (0, -5, "center", "top"), (-5, 0, "right", "center"),
    (5, 5, "left", "bottom"), (5, -5, "left", "top"), (-5, 5, "right", "bottom"), (-5, -5, "right", "top"),
    (14, 14, "left", "bottom"), (14, -14, "left", "top"), (-14, 14, "right", "bottom"), (-14, -14, "right", "top"),
)  # fmt: skip
NEEDS_MATPLOTLIB = "pictures need matplotlib"
TICKS = 5  # on the axis of values: the names of more would touch
MILLION = 10**6
TITLE = 10  # the size of the letters of a title
WIDEST_TITLE = 60  # letters in a line
FAR = 3.0  # times as far from the middle as the median of all: a point that is farther is drawn at this distance
ROW_HEIGHT = 0.24  # inches of a row in a chart of rows
ON_PAGE = 4.7  # inches of a picture on a page: letters are as large as they should be on a screen of 500 pixels


def need_matplotlib() -> None:
    """Raise QuestionError if matplotlib is not installed."""
    if not can_draw():
        raise QuestionError(f"{NEEDS_MATPLOTLIB}; install it with: pip install 'aptdb[plot]'")


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw_figure(figure: "Figure", format: str) -> bytes:
    """Return a picture as the bytes of a png, pdf or svg file. Equal pictures give equal bytes.

    Warns of letters that no font of this machine has; in SVG they are text, for which the reader's fonts
    are used.
    """
    import matplotlib

    content = io.BytesIO()
    if format != "svg":
        find_letters(figure)
    with matplotlib.rc_context(STYLE), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        figure.savefig(content, format=format, dpi=160, metadata=dated.get(format))
    lacking = {str(each.message) for each in caught if LACKING in str(each.message)}
    if lacking and format != "svg":
        warn(
            f"{how_many(len(lacking), 'letter')} missing in this picture: no font here has them; .svg has all",
            IncompleteDataWarning,
        )
    return content.getvalue()


def of_screen(svg: str) -> str:
    """Return a picture in SVG in the colours of the screen, which COLOURS_OF_SCREENS defines."""
    return STYLED.sub(lambda found: f"{found[1]}: {BY_SCREEN.get(found[2], found[2])}", svg)


def as_picture(figure: "Figure", title: str, description: str) -> bytes:
    """Return a figure as a standalone SVG with a description."""
    svg = of_screen(draw_figure(figure, "svg").decode())
    svg = svg[svg.index("<svg") :].replace("*{stroke", f"{INSIDE} *{{stroke")
    end = svg.index(">") + 1
    style = f"<style>{COLOURS_OF_SCREENS.replace(':root', INSIDE)} {INSIDE} {{ background: var(--page); }}</style>"
    header = f"<title>{write_xml(title)}</title><desc>{plain_lines(description)}</desc>"
    return f'{svg[: end - 1]} class="{INSIDE[1:]}" role="img">{header}{style}{svg[end:]}'.encode()


def titled(figure: "Figure", title: str) -> "Figure":
    """Return a figure with a title above it, at the left."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        figure.suptitle("\n".join(wrap(drop_controls(title), WIDEST_TITLE)), x=0.01, ha="left", fontsize=TITLE)
    return figure


def rows_figure(blocks: Sequence[tuple[str, Sequence[tuple[str, float | None]]]], value: str) -> "Figure":
    """Return a figure of bars, block by block, each below its heading. value: the label of the axis."""
    rows: list[tuple[str, float | None, bool]] = []
    for heading, bars_below in blocks:
        rows += [(heading, None, True)] if heading else []
        rows += [(name, number, False) for name, number in bars_below]
    from matplotlib.ticker import MaxNLocator

    with styled_figure(ON_PAGE, ROW_HEIGHT * len(rows) + 0.9, layout="constrained") as figure:
        axes = figure.subplots()
        axes.barh(range(len(rows)), [number or 0 for _, number, _ in rows], color=BLUE, height=0.7)
        axes.set_yticks(range(len(rows)), [drop_controls(name) or "ε" for name, _, _ in rows])
        for (_, _, is_heading), label in zip(rows, axes.get_yticklabels(), strict=True):
            label.set_fontweight("bold" if is_heading else "normal")
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.tick_params(length=0)
        axes.xaxis.set_major_locator(MaxNLocator(TICKS))
        axes.set_xlabel(value)
    return figure


@contextmanager
def styled_figure(width: float, height: float, **how: Any) -> Iterator["Figure"]:
    """Yield a figure of some inches in our style, which what is drawn on it in the block has too."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        yield Figure(figsize=(width, height), **how)


def short(value: float) -> str:
    """Return a power of ten in short form for an axis: 100,000, and then 1 M."""
    return f"{value:,.0f}" if value < MILLION else f"{value / MILLION:,.0f} M"


def lines_figure(
    across: Sequence[float],
    curves: Mapping[str, Sequence[float | None]],
    label: str,
    between: Mapping[str, tuple[Sequence[float | None], Sequence[float | None]]] | None = None,
    *,
    logarithmic: bool = False,
) -> "Figure":
    """Return a figure of curves, one below the other, on the same axis. between: the intervals around some of them."""
    from matplotlib.ticker import MaxNLocator

    with styled_figure(ON_PAGE, 2.6 * len(curves), layout="constrained") as figure:
        plots = figure.subplots(len(curves), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, values) in zip(plots, curves.items(), strict=True):
            numbers = [float("nan") if each is None else each for each in values]
            if between and name in between:
                ends = ([float("nan") if each is None else each for each in end] for end in between[name])
                axes.fill_between(across, *ends, color=BLUE, alpha=0.15, linewidth=0)
            axes.plot(across, numbers, color=BLUE, linewidth=1.6, marker="" if logarithmic else "o", markersize=3)
            axes.set_ylabel(name)
            axes.grid(color=FAINT, linewidth=0.4)
            if logarithmic:
                axes.loglog()
                for axis in (axes.xaxis, axes.yaxis):
                    axis.set_major_formatter(lambda value, _: short(value))
                    axis.set_minor_formatter("")
            else:
                axes.xaxis.set_major_locator(MaxNLocator(integer=all(float(each).is_integer() for each in across)))
                axes.set_ylim(bottom=min(0.0, *(each for each in values if each is not None), 0.0))
        plots[-1].set_xlabel(label)
    return figure


def without_outliers(places: Mapping[str, Place]) -> tuple[dict[str, Place], list[str]]:
    """Return points with those far out brought near, in their directions, so that the rest has room; and their names.

    A point is far out if it is more than three times as far from the middle (the median) as half of the points are.
    """
    from statistics import median

    middle = tuple(median(place[axis] for place in places.values()) for axis in (0, 1))
    distances = {name: math.dist(place, middle) for name, place in places.items()}
    most = FAR * median(distances.values())
    far = [name for name, distance in distances.items() if distance > most > 0]
    near = dict(places)
    for name in far:
        share = most / distances[name]
        x, y = (at + (place - at) * share for at, place in zip(middle, places[name], strict=True))
        near[name] = (x, y)
    return near, far


def map_figure(places: Mapping[str, Place], arrows: Sequence[tuple[str, str]], title: str) -> "Figure":
    """Return a figure of named points on a plane, and arrows between them; ends of arrows have the arrows' colour.

    Points far out are drawn nearer, as circles, and the title names them.
    """
    ends = {end for _, end in arrows}
    places, far = without_outliers(places)
    title = f"{title}; farther out than drawn (circles): {', '.join(map(drop_controls, far))}" if far else title
    with styled_figure(1.6 * ON_PAGE, 1.2 * ON_PAGE) as figure:
        axes = figure.add_axes((0.02, 0.02, 0.96, 0.92), xticks=[], yticks=[], title=title)
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.15)
        for name, (x, y) in places.items():
            colour = ORANGE if name in ends else BLUE
            inside = "none" if name in far else colour
            axes.plot(x, y, "o", color=colour, markersize=4, markerfacecolor=inside)
        for begin, end in arrows:
            style = {"arrowstyle": "->", "color": ORANGE, "alpha": 0.6, "shrinkA": 4, "shrinkB": 4}
            axes.annotate("", places[end], xytext=places[begin], arrowprops=style)
        with any_letters():
            figure.draw_without_rendering()  # now the places on paper are known
        passed = (along(places[begin], places[end]) for begin, end in arrows)
        points = [*places.values(), *(point for arrow in passed for point in arrow)]
        taken = [box_around(axes.transData.transform(point)) for point in points]
        for name, place in places.items():
            taken.append(put_name(axes, name, place, ORANGE if name in ends else INK, taken))
    return figure


def groups_figure(edges: Collection[frozenset[str]], groups: Sequence[Sequence[str]]) -> "Figure":
    """Return a figure of names on a circle, group by group, with the edges between them.

    The names of every other group are orange, and edges within a group are darker than those between two.
    """
    of = {name: number for number, group in enumerate(groups) for name in group}
    slots = len(of) + len(groups)
    angles = {name: 2 * math.pi * (place + number) / slots for place, (name, number) in enumerate(of.items())}
    places = {name: (math.cos(angle), math.sin(angle)) for name, angle in angles.items()}
    with styled_figure(1.4 * ON_PAGE, 1.4 * ON_PAGE) as figure, any_letters():
        axes = figure.add_axes((0.02, 0.02, 0.96, 0.92), aspect="equal", xlim=(-1.6, 1.6), ylim=(-1.6, 1.6))
        axes.set_axis_off()
        for one, other in sorted(map(sorted, edges)):
            inside = of[one] == of[other]
            ends = [*zip(places[one], places[other], strict=True)]
            axes.plot(*ends, color=BLUE if inside else FAINT, alpha=0.6, linewidth=1.0 if inside else 0.6, zorder=1)
        for name, (x, y) in places.items():
            colour, turned = ORANGE if of[name] % 2 else INK, math.degrees(angles[name])
            axes.plot(x, y, "o", color=ORANGE if of[name] % 2 else BLUE, markersize=4, zorder=2)
            is_left = x < 0
            axes.text(
                1.04 * x, 1.04 * y, drop_controls(name), color=colour, rotation=turned + 180 * is_left,
                rotation_mode="anchor", ha="right" if is_left else "left", va="center"
            )  # fmt: skip
    return figure


def put_name(axes: "Axes", name: str, place: tuple[float, float], colour: str, taken: "Sequence[Bbox]") -> "Bbox":
    """Write a name beside its point, on the first side where it covers the fewest others; return its box."""
    found = []
    for side, (x, y, across, up) in enumerate(SIDES):
        text = axes.annotate(
            drop_controls(name), place, xytext=(x, y), textcoords="offset points", ha=across, va=up, color=colour
        )
        with any_letters():
            box = text.get_window_extent()
        covered = sum(box.overlaps(other) for other in taken) + (not is_within(box, axes.bbox))
        found.append((covered, side, text, box))
    best = min(found, key=lambda each: each[:2])
    for each in found:
        if each is not best:
            each[2].remove()
    return best[3]


def along(begin: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """Return points along an arrow, without its ends."""
    (x, y), (to_x, to_y) = begin, end
    parts = [step / STEPS for step in range(1, STEPS)]
    return [(x + (to_x - x) * part, y + (to_y - y) * part) for part in parts]


@contextmanager
def any_letters() -> Iterator[None]:
    """Suppress warnings about missing letters within the block."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", f".*{LACKING}")
        yield


def box_around(point: "np.ndarray[Any, Any]") -> "Bbox":
    """Return the box of a point in pixels, of shape (2,)."""
    from matplotlib.transforms import Bbox

    return Bbox.from_bounds(point[0] - POINT, point[1] - POINT, 2 * POINT, 2 * POINT)


def is_within(box: "Bbox", room: "Bbox") -> bool:
    """Return whether a box lies within another."""
    return bool(room.x0 <= box.x0 and box.x1 <= room.x1 and room.y0 <= box.y0 and box.y1 <= room.y1)


def curve(points: Result, across: str, up: str, told_across: str, told_up: str) -> "Figure":
    """Return a curve on logarithmic axes, by two columns of its points and their labels."""
    figure = lines_figure(points.column(across), {told_up: points.column(up)}, told_across, logarithmic=True)
    figure.set_figheight(3.0)
    for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis):
        axis.set_major_formatter("{x:,.0f}")
    return figure


def bars(answer: Result, name: str, value: str) -> "Figure":
    """Return a bar in each row: one column names it, another is its length."""
    figure = rows_figure([("", [*zip(answer.column(name), answer.column(value), strict=True)])], value)
    figure.axes[0].xaxis.set_major_formatter("{x:,.0f}")
    return figure
