"""Show evaluations as tables for people, and as plots (with matplotlib, an optional package)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import QuestionError
from aptdb.core.one_line import name_first
from aptdb.core.result import Result
from aptdb.evaluation.evaluate import CHOSEN, DIFFERENCES, overall
from aptdb.evaluation.resampling import ALL_METHODS, WITHIN_PAIRS
from aptdb.evaluation.task import Evaluated, assignments
from aptdb.pictures.charts import BLUE, FAINT, INK, ON_PAGE, ORANGE, ROW_HEIGHT, STYLE, draw_figure, need_matplotlib
from aptdb.store.file_writing import overwrite_file

COMMON = ("dataset", "method", "merge", "weights", "parameters")
POINTS = dict(
    zip(
        ALL_METHODS,
        (
            "each rating is a point",
            "the mean over participants",
            "each item is a point",
            "the mean over pairs of items of the same phrase",
        ),
        strict=True,
    )
)
WITH_MISSING = {
    "skip_unknown": "a word that the lexicon lacks contributes nothing",
    "zero": "an item that lacks a word scores 0",
    "skip_item": "items that lack a word are left out",
}
SHORT = {"adjectivenouns": "AN", "compoundnouns": "NN", "verbobjects": "VO"}  # as in the paper's table 5
UNDEFINED = "undefined"
FEW = 5  # names that are all listed


def readable(answer: Result) -> Result:
    """Return an evaluation without common values; for a grid, its combinations with ρ for each part."""
    if "difference" in answer.columns:
        return by_setting(answer)
    if "best" in answer.columns:
        return by_combination(answer)
    return with_undefined(answer.but(*COMMON, "undefined"))


def with_undefined(answer: Result) -> Result:
    """Return an evaluation with a word in place of each undefined ρ."""
    at = answer.columns.index("rho")
    rows = [(*row[:at], UNDEFINED if row[at] is None else row[at], *row[at + 1 :]) for row in answer.rows]
    return Result(answer.columns, answer.types, rows)


def by_combination(answer: Result) -> Result:
    """Return a grid with a row for each combination and a column for each part; * marks the best."""
    axes = list_varied_columns(answer)
    parts = list(dict.fromkeys(answer.column("part")))
    cells: dict[tuple[Any, ...], dict[str, str]] = {}
    for row in answer:
        rho = UNDEFINED if row["rho"] is None else f"{row['rho']:.4f}"
        cells.setdefault(tuple(row[axis] for axis in axes), {})[row["part"]] = rho + (" *" if row["best"] else "  ")
    columns = (*(axis.removesuffix("_as") for axis in axes), *(SHORT.get(part, part) for part in parts))
    kinds = dict(zip(answer.columns, answer.types, strict=True))
    types = (*(kinds[axis] for axis in axes), *("DOUBLE" for _ in parts))
    rows = [(*map(format_parameter, chosen), *(of[part] for part in parts)) for chosen, of in cells.items()]
    return Result(columns, types, rows)


def by_setting(answer: Result) -> Result:
    """Return compared settings, a row for each, on all items or the average of their parts; * marks the best."""
    axes, whole = list_varied_columns(answer), overall(answer.column("part"))
    rows = [row for row in answer if row["part"] == whole]
    kinds = dict(zip(answer.columns, answer.types, strict=True))
    numbers = [name for name in ("choosing_rho", "rho", "low", "high", *DIFFERENCES) if name in answer.columns]
    columns = ("setting", *(axis.removesuffix("_as") for axis in axes), *numbers, "items", "best")
    types = ("BIGINT", *(kinds[axis] for axis in axes), *("DOUBLE" for _ in numbers), "BIGINT", "VARCHAR")
    cells = [
        (
            place,
            *(format_parameter(row[axis]) for axis in axes),
            *(UNDEFINED if row[name] is None and name == "rho" else row[name] for name in numbers),
            row["items"],
            "*" if row["best"] else "",
        )
        for place, row in enumerate(rows, 1)
    ]
    return Result(columns, types, cells)


def format_parameter(value: Any) -> str:
    """Return the value of a parameter as text; None is the default."""
    if value is None:
        return "default"
    return f"{value:g}" if isinstance(value, float) else str(value)


def list_varied_columns(answer: Result) -> list[str]:
    """Return the columns that a grid varies."""
    others = {"best", *DIFFERENCES, *CHOSEN}
    own = [name for name in answer.columns[answer.columns.index("undefined") + 1 :] if name not in others]
    return [*(name for name in ("weights", "merge", "method") if len(set(answer.column(name))) > 1), *own]


def notes_on(answer: Evaluated) -> list[str]:
    """Return notes on the rows: common values, and why some ρ are undefined."""
    rows = list(answer)
    if not rows:
        return []
    ways = {each["missing"] for each in answer.shown}
    common = [
        f"merge {rows[0]['merge']}" if rows[0]["merge"] and is_same_in_all(rows, "merge") else "",
        str(rows[0]["weights"]) if is_same_in_all(rows, "weights") else "",
        in_common(answer.shown),
        POINTS[rows[0]["method"]] if is_same_in_all(rows, "method") else "",
        WITH_MISSING[ways.pop()] if len(ways) == 1 else "",
    ]
    common_values = f"{rows[0]['dataset']}: {'; '.join(each for each in common if each)}"
    return [*most_missing(rows), common_values, *undefined_in(rows, answer), *accuracies(rows), *how_many_tried(answer)]


def accuracies(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the accuracy of a single setting within pairs, which is half of its ρ plus one half."""
    if len(rows) != 1 or rows[0]["method"] != WITHIN_PAIRS or rows[0]["rho"] is None:
        return []
    rho, low, high = (None if rows[0][name] is None else (1 + rows[0][name]) / 2 for name in ("rho", "low", "high"))
    interval = "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"
    return [f"within pairs {rho:.3f}{interval} are ordered as people order them; chance is .500"]


def how_many_tried(answer: Result) -> list[str]:
    """Return how many settings were tried, and that the best of several looks better than it is."""
    if "best" not in answer.columns:
        return []
    whole = overall(answer.column("part"))
    tried = sum(part == whole for part in answer.column("part"))
    many = f"{tried} setting{'' if tried == 1 else 's'} tried"
    if "tried" in answer.columns:
        return [f"{many}; * was chosen on items other than these"]
    return [] if tried == 1 else [f"{many}; the best of several looks better than it is (--choose-on half avoids this)"]


def most_missing(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the warning that more than half of a part's items lack a word."""
    found: dict[str, tuple[int, int]] = {}
    for row in rows:
        left_out = row["missing"] if "'skip_item'" in row["parameters"] else 0
        items = row["items"] + left_out
        if row["missing"] > items / 2 and row["missing"] > found.get(row["part"], (0, 0))[0]:
            found[row["part"]] = row["missing"], items
    counts = [
        f"{missing} of {items} items{'' if part == 'all' else f' of {part}'}"
        for part, (missing, items) in found.items()
    ]
    if not counts:
        return []
    warning = "do not trust ρ: " if any(row["rho"] is not None for row in rows) else ""
    return [f"{warning}{name_first(counts, FEW)} lack a word; --verbose lists them"]


def undefined_in(rows: Sequence[dict[str, Any]], answer: Result) -> list[str]:
    """Return which ρ are undefined or have no interval, and why."""
    without = [name_row(row, answer) for row in rows if row["rho"] is not None and row["low"] is None]
    why = "ρ is undefined in more than 50 of its 1,000 resamples"
    whys: dict[str, list[str]] = {}
    for row in rows:
        if row["undefined"]:
            whys.setdefault(row["undefined"], []).append(name_row(row, answer))
    return [
        *(f"ρ is undefined of {name_first(names, FEW)}: {why}" for why, names in whys.items()),
        *([f"there is no interval of {name_first(without, FEW)}: {why}"] if without else []),
    ]


def name_row(row: dict[str, Any], answer: Result) -> str:
    """Return the name of a row: its part, and in a grid its combination."""
    axes = list_varied_columns(answer) if "best" in answer.columns else []
    return " ".join([row["part"], *(f"{axis.removesuffix('_as')} {format_parameter(row[axis])}" for axis in axes)])


def in_common(shown: Sequence[Mapping[str, Any]]) -> str:
    """Return the parameters that all rows share, except `missing`, which has a sentence of its own."""
    shared = {name: value for name, value in shown[0].items() if all(each.get(name) == value for each in shown)}
    return ", ".join(assignments({name: value for name, value in shared.items() if name != "missing"}))


def is_same_in_all(rows: Sequence[dict[str, Any]], name: str) -> bool:
    """Return whether all rows have the same value in a column."""
    return len({row[name] for row in rows}) == 1


def as_in_the_paper(answer: Result) -> Result:
    """Return correlations with a row for each model and a column for each part; the paper's values in brackets."""
    parts = list(dict.fromkeys(row["part"] for row in answer if row["paper"] is not None))
    shown = [row for row in answer if row["part"] in parts]
    widths = {part: max(len(measured_in(row)) for row in shown if row["part"] == part) for part in parts}
    cells: dict[str, dict[str, str]] = {}
    for row in shown:
        paper = "" if row["paper"] is None else f"({row['paper']})"
        cells.setdefault(row["model"], {})[row["part"]] = f"{measured_in(row):{widths[row['part']]}} {paper}".rstrip()
    columns = ("model", *(SHORT.get(part, "ρ" if part == "all" else part) for part in parts))
    rows = [(model, *(of.get(part, "") for part in parts)) for model, of in cells.items()]
    return Result(columns, ("VARCHAR",) * len(columns), rows)


def measured_in(row: dict[str, Any]) -> str:
    """Return ρ as measured here; '' if it is not measured."""
    if row["items"] is None:
        return ""
    return UNDEFINED if row["rho"] is None else f"{row['rho']:.3f}"


def lists_for_reading(answer: Result) -> Result:
    """Return lists of neighbours, each with its composition in words."""
    rows = []
    for row in answer:
        how = "" if row["merge"] is None else f"{row['merge']}, {'aligned' if row['aligned'] else 'unaligned'}"
        measured = row["measured"] if row["lacking"] is None else f"(no {row['lacking']} in this lexicon)"
        rows.append((row["table"], row["phrase"], how, measured, row["paper"], row["shared"]))
    columns = ("table", "phrase", "composed by", "measured", "paper", "shared")
    return Result(columns, ("BIGINT", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "BIGINT"), rows)


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
        raise QuestionError(f"{file} must end with .png or .svg")
    if not file.parent.is_dir():
        raise QuestionError(f"no folder {file.parent}; make it first, or name another place")
    need_matplotlib()


def plot_evaluations(answer: Evaluated, file: Path) -> None:
    """Draw evaluations, or a grid, into a .png or .svg file. Raises QuestionError if it cannot be written."""
    overwrite_file(file, draw_figure(figure_of_evaluations(answer), file.suffix.removeprefix(".")))


def figure_of_evaluations(answer: Evaluated) -> "Figure":
    """Draw ρ with intervals: for a grid, one chart for each part; else a single chart with a row for each part."""
    rows = list(answer)
    title = notes_on(answer)[0] if rows else ""
    if "best" not in answer.columns:
        return charts({"": rows}, [row["part"] for row in rows], title)
    axes = list_varied_columns(answer)
    parts: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        parts.setdefault(row["part"], []).append(row)
    labels = [
        "  ".join(f"{axis.removesuffix('_as')} {format_parameter(row[axis])}" for axis in axes)
        for row in next(iter(parts.values()), [])
    ]
    return charts(parts, labels, f"{title}; the best is orange")


def chart_on_page(rows: Sequence[dict[str, Any]], labels: Sequence[str]) -> "Figure":
    """Return a chart as wide as a page, with wrapped labels."""
    broken = [fill(label, LABEL_ON_PAGE) for label in labels]
    widest = max((len(line) for label in broken for line in label.split("\n")), default=1)
    return charts({"": rows}, broken, "", width=ON_PAGE - LABEL * widest)


def charts(
    parts: Mapping[str, Sequence[dict[str, Any]]], labels: Sequence[str], title: str, *, width: float = WIDTH
) -> "Figure":
    """Return charts side by side, with the same rows. width: of one in inches, without labels."""
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
    """Draw a point and its interval in each row; a word instead if ρ is undefined."""
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
