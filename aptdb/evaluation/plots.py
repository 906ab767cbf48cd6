"""Pictures of evaluations and of the contents of a lexicon. They need matplotlib, an optional package."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from aptdb.errors import QuestionError
from aptdb.evaluation.outcome import Evaluated
from aptdb.evaluation.views import axes_of, said_of, shown
from aptdb.result import Result
from aptdb.store.files import overwrite

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg")
INK, FAINT, BLUE, ORANGE = "#222222", "#c8c8c8", "#3b6ea5", "#c8641e"
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
LETTERS = 13  # letters in an inch of a title
WIDTH = 3.0  # inches of one chart
ON_PAGE = 4.7  # inches of a picture on a page: letters are as large as they should be on a screen of 500 pixels
LABEL = 0.075  # inches of a letter of a label
LABEL_ON_PAGE = 30  # letters in a line of a label on a page


def refuse_plot(file: Path) -> None:
    """Raise QuestionError if no picture can be drawn, or not in a file of that name."""
    if file.suffix not in ENDINGS:
        raise QuestionError(f"{file} ends with neither .png nor .svg; the ending decides what is drawn")
    if not file.parent.is_dir():
        raise QuestionError(f"no folder {file.parent}; make it first, or name another place")
    need_matplotlib()


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


def plot_evaluations(answer: Evaluated, file: Path) -> None:
    """Draw evaluations, or a grid, into a .png or .svg file."""
    save(figure_of_evaluations(answer), file)


def save(figure: "Figure", file: Path) -> None:
    """Write a picture, completely or not at all. Raises QuestionError if it cannot be written."""
    overwrite(file, drawn(figure, file.suffix.removeprefix(".")))


def drawn(figure: "Figure", format: str) -> bytes:
    """A picture as the bytes of a png or svg file. The same picture always gives the same bytes."""
    import matplotlib

    content = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(content, format=format, dpi=160, metadata={"Date": None} if format == "svg" else None)
    return content.getvalue()


def figure_of_evaluations(answer: Evaluated) -> "Figure":
    """ρ with its interval: a chart for each part of a grid, a row a combination; else one chart, a row a part."""
    rows = list(answer)
    title = said_of(answer)[0] if rows else ""
    if "best" not in answer.columns:
        return charts({"": rows}, [row["part"] for row in rows], title)
    axes = axes_of(answer)
    parts: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        parts.setdefault(row["part"], []).append(row)
    labels = [
        "  ".join(f"{axis.removesuffix('_as')} {shown(row[axis])}" for axis in axes)
        for row in next(iter(parts.values()), [])
    ]
    return charts(parts, labels, f"{title}; the best is orange")


def chart_on_page(rows: Sequence[dict[str, Any]], labels: Sequence[str]) -> "Figure":
    """A chart as wide as a page, whose labels are broken into lines."""
    broken = [fill(label, LABEL_ON_PAGE) for label in labels]
    widest = max((len(line) for label in broken for line in label.split("\n")), default=1)
    return charts({"": rows}, broken, "", width=ON_PAGE - LABEL * widest)


def charts(
    parts: Mapping[str, Sequence[dict[str, Any]]], labels: Sequence[str], title: str, *, width: float = WIDTH
) -> "Figure":
    """Charts side by side, with the same rows. width: the inches of one, without labels, which may have lines."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        widest = max((len(line) for label in labels for line in label.split("\n")), default=1)
        lines = max((label.count("\n") for label in labels), default=0) + 1
        size = (width * max(len(parts), 1) + LABEL * widest, ROW_HEIGHT * len(labels) * (1 + lines) / 2 + 1.2)
        figure = Figure(figsize=size, layout="constrained")
        plots = figure.subplots(1, max(len(parts), 1), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (part, rows) in zip(plots, parts.items(), strict=False):
            chart_of_rows(axes, rows)
            axes.set_title(part)
            axes.set_xlabel("Spearman's ρ, 95 % interval")
        plots[0].set_yticks(range(len(labels)), labels)
        plots[0].set_ylim(len(labels) - 0.5, -0.5)
        figure.suptitle(fill(title, int(LETTERS * size[0])), x=0, ha="left", fontsize=9)
    return figure


def chart_of_rows(axes: "Axes", rows: Sequence[dict[str, Any]]) -> None:
    """A point and its interval in each row; a word instead if ρ is undefined."""
    axes.axvline(0, color=FAINT, linewidth=0.8)
    axes.tick_params(length=0)
    for place, row in enumerate(rows):
        if row["rho"] is None:
            axes.annotate("undefined", (0, place), xytext=(4, 0), textcoords="offset points", va="center", color=INK)
            continue
        colour = ORANGE if row.get("best") else BLUE
        if row["low"] is not None:
            axes.plot([row["low"], row["high"]], [place, place], color=colour, linewidth=1.2, alpha=0.5)
        axes.plot(row["rho"], place, "o", color=colour, markersize=4)


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
