"""Charts: bars and curves. They need matplotlib, an optional package."""

import io
from typing import TYPE_CHECKING, Any

from aptdb.errors import QuestionError
from aptdb.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
NEEDS_MATPLOTLIB = "pictures need matplotlib"
ROW_HEIGHT = 0.24  # inches of a row in a chart of rows
ON_PAGE = 4.7  # inches of a picture on a page: letters are as large as they should be on a screen of 500 pixels


def need_matplotlib() -> None:
    """Raise QuestionError if matplotlib is not installed."""
    if not can_draw():
        raise QuestionError(f"{NEEDS_MATPLOTLIB}; install it with: pip install 'aptdb[plot]'")


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def drawn(figure: "Figure", format: str) -> bytes:
    """A picture as the bytes of a png or svg file. The same picture always gives the same bytes."""
    import matplotlib

    content = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(content, format=format, dpi=160, metadata={"Date": None} if format == "svg" else None)
    return content.getvalue()


def of_screen(svg: str) -> str:
    """The same picture in SVG in the colours of the screen, which COLOURS_OF_SCREENS defines."""
    for colour, variable in BY_SCREEN.items():
        svg = svg.replace(colour, variable)
    return svg


def curve(points: Result, across: str, up: str, told_across: str, told_up: str) -> "Figure":
    """A curve on logarithmic axes, by two columns of its points and their labels."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(ON_PAGE, 3.0), layout="constrained")
        axes = figure.subplots()
        axes.loglog(points.column(across), points.column(up), color=BLUE, linewidth=1.6)
        axes.set_xlabel(told_across)
        axes.set_ylabel(told_up)
        axes.grid(color=FAINT, linewidth=0.4)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:,.0f}")
            axis.set_minor_formatter("")
    return figure


def bars(answer: Result, name: str, value: str) -> "Figure":
    """A bar in each row: one column names it, another is its length."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(ON_PAGE, ROW_HEIGHT * len(answer) + 0.9), layout="constrained")
        axes = figure.subplots()
        axes.barh(range(len(answer)), answer.column(value), color=BLUE, height=0.7)
        axes.set_yticks(range(len(answer)), [each or "ε" for each in answer.column(name)])
        axes.set_ylim(len(answer) - 0.4, -0.6)
        axes.tick_params(length=0)
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_xlabel(value)
    return figure
