"""Pictures of evaluations. They need matplotlib, an optional package."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from aptdb.errors import QuestionError
from aptdb.evaluation.outcome import Evaluated
from aptdb.evaluation.views import axes_of, said_of, shown
from aptdb.pictures.charts import BLUE, FAINT, INK, ON_PAGE, ORANGE, ROW_HEIGHT, STYLE, drawn, need_matplotlib
from aptdb.store.files import overwrite

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg")
LETTERS = 13  # letters in an inch of a title
WIDTH = 3.0  # inches of one chart
LABEL = 0.075  # inches of a letter of a label
LABEL_ON_PAGE = 30  # letters in a line of a label on a page


def refuse_plot(file: Path) -> None:
    """Raise QuestionError if no picture can be drawn, or not in a file of that name."""
    if file.suffix not in ENDINGS:
        raise QuestionError(f"{file} ends with neither .png nor .svg; the ending decides what is drawn")
    if not file.parent.is_dir():
        raise QuestionError(f"no folder {file.parent}; make it first, or name another place")
    need_matplotlib()


def plot_evaluations(answer: Evaluated, file: Path) -> None:
    """Draw evaluations, or a grid, into a .png or .svg file."""
    save(figure_of_evaluations(answer), file)


def save(figure: "Figure", file: Path) -> None:
    """Write a picture, completely or not at all. Raises QuestionError if it cannot be written."""
    overwrite(file, drawn(figure, file.suffix.removeprefix(".")))


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
