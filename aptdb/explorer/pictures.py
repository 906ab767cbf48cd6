"""Pictures within pages: drawings whose style is the page's own, and a line over time."""

import math
import re
from collections.abc import Sequence

from aptdb.pictures.letters import FONT
from aptdb.pictures.marks import number, plain
from aptdb.pictures.style import rules

OWN_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)
WIDTH, HEIGHT, SIDE, BELOW, ABOVE = 640.0, 200.0, 60.0, 24.0, 12.0
LABELS = 8  # on the axis of time


def embedded(svg: str) -> str:
    """A drawing without a style sheet of its own: pages refuse styles that are not in their files."""
    return OWN_STYLE.sub("", svg, count=1)


def style_of_drawings() -> str:
    """The style sheet of all drawings."""
    return rules(FONT)


def line_chart(names: Sequence[str], values: Sequence[float], unit: str) -> str:
    """Values in their order as a line in SVG, from 0 up."""
    most = nice(max(values, default=0.0))
    across = (WIDTH - 2 * SIDE) / max(len(values) - 1, 1)
    down = HEIGHT - BELOW - ABOVE
    points = [(SIDE + across * n, ABOVE + down * (1 - value / most)) for n, value in enumerate(values)]
    line = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    dots = "".join(
        f'<circle class="dot" cx="{number(x)}" cy="{number(y)}" r="3"><title>{plain(name)}: {value:,.1f}</title>'
        "</circle>"
        for (x, y), name, value in zip(points, names, values, strict=True)
    )
    step = max(1, math.ceil(len(names) / LABELS))
    below = "".join(
        f'<text x="{number(points[n][0])}" y="{number(HEIGHT - 6)}" text-anchor="middle">{plain(names[n])}</text>'
        for n in range(0, len(names), step)
    )
    grid = "".join(
        f'<line class="grid" x1="{number(SIDE)}" x2="{number(WIDTH - SIDE)}" y1="{number(y)}" y2="{number(y)}"/>'
        f'<text x="{number(SIDE - 6)}" y="{number(y + 4)}" text-anchor="end">{value:,g}</text>'
        for value, y in ((most * share, ABOVE + down * (1 - share)) for share in (0.0, 0.5, 1.0))
    )
    return (
        f'<svg class="aptdb-line" role="img" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" height="{HEIGHT:g}">'
        f'<title>{plain(unit)}</title>{grid}<polyline points="{line}"/>{dots}{below}</svg>'
    )


def nice(most: float) -> float:
    """A round number that is not below another: 1, 2 or 5 times a power of ten."""
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most * (1 - 1e-9))
