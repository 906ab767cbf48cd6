"""Combinations of parameters, and which of them are best."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from aptdb.errors import QuestionError

Combination = dict[str, Any]


def axes_of(parameters: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The parameters with several values, as lists. Raises QuestionError for an empty list."""
    axes = {
        name: list(dict.fromkeys(normal(name, each) for each in value))
        for name, value in parameters.items()
        if isinstance(value, Iterable) and not isinstance(value, str)
    }
    for name, values in axes.items():
        if not values:
            raise QuestionError(f"{name} is an empty list; give it a value, or several")
    return axes


def normal(name: str, value: Any) -> Any:
    """A value in one spelling: 10.0 becomes 10, and numbers of numpy become Python's. Raises QuestionError."""
    if hasattr(value, "item"):
        value = value.item()
    if value is not None and not isinstance(value, str | int | float):
        raise QuestionError(f"{name} is {value!r}; it is a number or a name, or a list of them")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def combinations(parameters: Mapping[str, Any]) -> list[Combination]:
    """All combinations of the given values; the last parameter changes first."""
    axes = axes_of(parameters)
    values = [axes[name] if name in axes else [normal(name, value)] for name, value in parameters.items()]
    return [dict(zip(parameters, chosen, strict=True)) for chosen in product(*values)]


def best(rows: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Whether each row has the highest ρ of all rows that can be compared with it.

    These have the same part, the same method and the same way with missing words; otherwise the points differ.
    """
    highest: dict[tuple[Any, ...], float] = {}
    for row in rows:
        if row["rho"] is not None:
            highest[points_of(row)] = max(highest.get(points_of(row), row["rho"]), row["rho"])
    return [row["rho"] is not None and row["rho"] == highest[points_of(row)] for row in rows]


def points_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What decides on which points a row's ρ is measured."""
    return row["part"], row["method"], row["missing_as"]
