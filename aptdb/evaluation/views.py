"""Evaluations as a person reads them: what all have in common said once, and a grid with a row for each combination."""

from collections.abc import Sequence
from typing import Any

from aptdb.evaluation.correlation import METHODS
from aptdb.result import Result

COMMON = ("dataset", "method", "merge", "weights", "parameters")
POINTS = dict(
    zip(METHODS, ("each rating is a point", "the mean over participants", "each item is a point"), strict=True)
)
WITH_MISSING = {
    "there": "a word that the lexicon lacks contributes nothing",
    "zero": "an item scores 0 where the lexicon lacks a word",
    "skip": "items are left out where the lexicon lacks a word",
}
SHORT = {"adjectivenouns": "AN", "compoundnouns": "NN", "verbobjects": "VO"}  # the paper's heads of table 5
UNDEFINED = "undefined"
MISSING = "missing := "
FEW = 5  # names that are all said


def readable(answer: Result) -> Result:
    """An evaluation without what all rows have in common; of a grid, its combinations with ρ by part."""
    if "best" in answer.columns:
        return by_combination(answer)
    rows = answer.but(*COMMON, "undefined")
    return with_undefined(rows)


def with_undefined(answer: Result) -> Result:
    """The same with a word for ρ where it is undefined."""
    at = answer.columns.index("rho")
    rows = [(*row[:at], UNDEFINED if row[at] is None else row[at], *row[at + 1 :]) for row in answer.rows]
    return Result(answer.columns, answer.types, rows)


def by_combination(answer: Result) -> Result:
    """A grid with a row for each combination and a column for each part, where * marks the best."""
    axes = axes_of(answer)
    parts = list(dict.fromkeys(answer.column("part")))
    cells: dict[tuple[Any, ...], dict[str, str]] = {}
    for row in answer:
        rho = UNDEFINED if row["rho"] is None else f"{row['rho']:.4f}"
        cells.setdefault(tuple(row[axis] for axis in axes), {})[row["part"]] = rho + (" *" if row["best"] else "  ")
    columns = (*(axis.removesuffix("_as") for axis in axes), *(SHORT.get(part, part) for part in parts))
    kinds = dict(zip(answer.columns, answer.types, strict=True))
    types = (*(kinds[axis] for axis in axes), *("DOUBLE" for _ in parts))
    rows = [(*map(shown, chosen), *(of[part] for part in parts)) for chosen, of in cells.items()]
    return Result(columns, types, rows)


def shown(value: Any) -> str:
    """A value of a parameter as a person writes it; what was left out is the default."""
    if value is None:
        return "default"
    return f"{value:g}" if isinstance(value, float) else str(value)


def axes_of(answer: Result) -> list[str]:
    """The columns of what a grid varies: those that only a grid has, and of an evaluation's own those that differ."""
    own = [name for name in answer.columns[answer.columns.index("undefined") + 1 :] if name != "best"]
    return [*(name for name in ("weights", "merge", "method") if len(set(answer.column(name))) > 1), *own]


def said_of(answer: Result) -> list[str]:
    """What is to be said beside the rows: what they have in common, and why ρ is undefined where it is."""
    rows = list(answer)
    if not rows:
        return []
    common = [
        f"merge {rows[0]['merge']}" if rows[0]["merge"] and same(rows, "merge") else "",
        str(rows[0]["weights"]) if same(rows, "weights") else "",
        in_common(rows),
        POINTS[rows[0]["method"]] if same(rows, "method") else "",
        *ways_with_missing(rows),
    ]
    said = [f"{rows[0]['dataset']}: {'; '.join(each for each in common if each)}"]
    without = [called(row, answer) for row in rows if row["rho"] is not None and row["low"] is None]
    why = "ρ is undefined in more than 50 of its 1,000 resamples"
    whys: dict[str, list[str]] = {}
    for row in rows:
        if row["undefined"]:
            whys.setdefault(row["undefined"], []).append(called(row, answer))
    return [
        *said,
        *(f"ρ is undefined of {shortened(names)}: {why}" for why, names in whys.items()),
        *([f"there is no interval of {shortened(without)}: {why}"] if without else []),
    ]


def called(row: dict[str, Any], answer: Result) -> str:
    """What a row is called: its part, and in a grid its combination."""
    axes = axes_of(answer) if "best" in answer.columns else []
    return " ".join([row["part"], *(f"{axis.removesuffix('_as')} {shown(row[axis])}" for axis in axes)])


def shortened(names: Sequence[str]) -> str:
    """Names with commas between them, of many the first."""
    return ", ".join(names) if len(names) <= FEW else f"{', '.join(names[:FEW])} and {len(names) - FEW} more"


def in_common(rows: Sequence[dict[str, Any]]) -> str:
    """The parameters that all rows have, but for what becomes of missing words."""
    lists = [str(row["parameters"]).split(", ") for row in rows]
    return ", ".join(each for each in lists[0] if all(each in other for other in lists) and MISSING not in each)


def ways_with_missing(rows: Sequence[dict[str, Any]]) -> list[str]:
    """What became of items that miss a word, where it became the same of all."""
    ways = {str(row["parameters"]).rpartition(MISSING)[2].strip("'") for row in rows}
    return [WITH_MISSING[way] for way in ways] if len(ways) == 1 else []


def same(rows: Sequence[dict[str, Any]], name: str) -> bool:
    """Whether all rows have the same in a column."""
    return len({row[name] for row in rows}) == 1


def as_in_the_paper(answer: Result) -> Result:
    """Correlations with a row for each model and a column for each part, the paper's own in brackets."""
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
    """ρ as it is measured here; nothing where it is not."""
    if row["items"] is None:
        return ""
    return UNDEFINED if row["rho"] is None else f"{row['rho']:.3f}"


def lists_for_reading(answer: Result) -> Result:
    """Lists of neighbours, how each is composed in one word or two."""
    rows = []
    for row in answer:
        how = "" if row["merge"] is None else f"{row['merge']}, {'aligned' if row['aligned'] else 'unaligned'}"
        measured = row["measured"] if row["lacking"] is None else f"(no {row['lacking']} in this lexicon)"
        rows.append((row["table"], row["phrase"], how, measured, row["paper"], row["shared"]))
    columns = ("table", "phrase", "composed by", "measured", "paper", "shared")
    return Result(columns, ("BIGINT", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "BIGINT"), rows)
