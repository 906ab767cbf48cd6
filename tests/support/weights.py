"""What tests of weights share: random weightings, and when two tables of weights are the same."""

import math
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from aptdb.store.statements import literal

SCHEMES = ("raw_count", "probability", "pmi", "ppmi", "lmi", "log_dice")
OF_PMI = ("pmi", "ppmi", "lmi")

FILTERS = {
    "min_count": st.integers(0, 3),
    "min_feature_count": st.integers(0, 4),
    "max_order": st.integers(0, 2),  # to which lexicons count; a higher one is refused
}
SMOOTHING = {
    "cds": st.sampled_from((1.0, 0.75, 0.5)),
    "cds_total": st.sampled_from(("power_of_sum", "sum_of_powers")),
    "scope": st.sampled_from(("path", "all")),
    "shift": st.sampled_from((1, 2.5, 10)),
}


@st.composite
def weightings(draw: st.DrawFn, schemes: tuple[str, ...] = SCHEMES) -> tuple[str, dict[str, Any]]:
    """A scheme and some of the parameters that it takes."""
    scheme = draw(st.sampled_from(schemes))
    taken = {**FILTERS, **(SMOOTHING if scheme in OF_PMI else {})}
    return scheme, draw(st.fixed_dictionaries({}, optional=taken))


def limit_to(counts: Mapping[Any, int], parameters: Mapping[str, Any], order: int = 2) -> dict[str, Any]:
    """Return parameters with no limit above what a lexicon of this order and these counts has, which is refused."""
    most = {"max_order": order, "min_count": max(counts.values(), default=1)}
    return {name: min(value, most.get(name, value)) for name, value in parameters.items()}


def arguments(parameters: dict[str, Any]) -> str:
    """Parameters as SQL writes them."""
    return ", ".join(f"{name} := {literal(value)}" for name, value in parameters.items())


def near(found: dict[Any, float], expected: dict[Any, float]) -> None:
    """The same rows with the same weights to 1e-9, but for rows whose weight is 0 but for rounding."""
    for key in found.keys() | expected.keys():
        assert math.isclose(found.get(key, 0.0), expected.get(key, 0.0), rel_tol=1e-9, abs_tol=1e-12), key
