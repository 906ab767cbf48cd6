"""Combinations of parameters, and which of them does best."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from aptdb.errors import QuestionError

Combination = dict[str, Any]


def axes_of(parameters: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The parameters of which several values are given, as lists. Raises QuestionError for an empty list."""
    axes = {name: [*map(settled, value)] for name, value in parameters.items() if isinstance(value, list | tuple)}
    for name, values in axes.items():
        if not values:
            raise QuestionError(f"{name} is an empty list; give it a value, or several")
    return {name: list(dict.fromkeys(values)) for name, values in axes.items()}


def settled(value: Any) -> Any:
    """A value as it is told from others: 10.0 is 10."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def combinations(parameters: Mapping[str, Any]) -> list[Combination]:
    """All combinations of the values that are given; the last parameter changes first."""
    axes = axes_of(parameters)
    values = [axes[name] if name in axes else [settled(value)] for name, value in parameters.items()]
    return [dict(zip(parameters, chosen, strict=True)) for chosen in product(*values)]


def best(rows: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Whether each row has the highest ρ of all that are about its part."""
    highest: dict[str, float] = {}
    for row in rows:
        if row["rho"] is not None:
            highest[row["part"]] = max(highest.get(row["part"], row["rho"]), row["rho"])
    return [row["rho"] is not None and row["rho"] == highest[row["part"]] for row in rows]
