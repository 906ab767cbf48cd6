"""The answer of an evaluation: rows for people, and beside them what each was evaluated with, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aptdb.evaluation import grid
from aptdb.result import Result

COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "method": "VARCHAR", "merge": "VARCHAR", "weights": "VARCHAR",
    "parameters": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "items": "BIGINT",
    "missing": "BIGINT", "empty": "BIGINT", "undefined": "VARCHAR",
}  # fmt: skip
IN_COLUMNS = ("method", "merge", "weights")  # the parameters of an evaluation that have a column


@dataclass(frozen=True, eq=False, repr=False)
class Evaluated(Result):
    """Rows of evaluations. shown: for each row, the parameters that its column `parameters` writes as text."""

    shown: Sequence[Mapping[str, Any]] = ()


def as_result(
    rows: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Any]], axes: Mapping[str, Sequence[Any]]
) -> Evaluated:
    """Rows of evaluations as an answer; a grid has a column for each parameter that varies, and marks the best rows."""
    columns = dict(COLUMNS)
    if axes:
        varied = {name: sql_type(values) for name, values in axes.items() if name not in {*IN_COLUMNS, "missing"}}
        columns |= {**varied, **({"missing_as": "VARCHAR"} if "missing" in axes else {}), "best": "BOOLEAN"}
        rows = [{**row, "best": each} for row, each in zip(rows, grid.best(rows), strict=True)]
    cells = [tuple(row[name] for name in columns) for row in rows]
    return Evaluated(tuple(columns), tuple(columns.values()), cells, shown)


def sql_type(values: Sequence[Any]) -> str:
    """DuckDB's type for the values of a parameter."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds <= {int, float}:
        return "DOUBLE" if float in kinds else "BIGINT"
    return "VARCHAR"
