"""Numbers with bootstrap intervals: rank correlations, also partial ones, average precision, and shares."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aptdb.evaluation.scoring import RESAMPLES, interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Value = tuple[float | None, float | None, float | None]  # a number and its 95 % interval; None where undefined


def with_interval(measure: Callable[..., float], columns: Sequence["Floats"], seed: int) -> Value:
    """Return a number that is measured on columns of equal length, with its interval over resamples of their rows.

    measure: returns NaN where the number is undefined. There is no interval if it is undefined in more than 5 % of the
    resamples.
    """
    import numpy as np

    size = len(columns[0])
    found = measure(*columns) if size else np.nan
    if np.isnan(found):
        return None, None, None
    chance = np.random.default_rng(seed)
    drawn = (chance.integers(0, size, size) for _ in range(RESAMPLES))
    resampled = np.array([measure(*(column[each] for column in columns)) for each in drawn])
    return (float(found), *interval(resampled))


def rank_values(values: "Floats") -> "Floats":
    """Return the ranks of values from 1; equal ones share the mean of their places."""
    import numpy as np

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    shared: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return shared


def correlated(a: "Floats", b: "Floats") -> float:
    """Return Spearman's ρ; NaN where one of the two is constant."""
    import numpy as np

    one, other = (each - each.mean() for each in (rank_values(a), rank_values(b)))
    spread = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / spread if spread > 0 else np.nan


def partially_correlated(a: "Floats", b: "Floats", given: "Floats") -> float:
    """Return the partial ρ of a and b: what is left of it where the ranks of a third column are held fixed."""
    import numpy as np

    ab, ac, bc = correlated(a, b), correlated(a, given), correlated(b, given)
    left = (1 - ac**2) * (1 - bc**2)
    return float((ab - ac * bc) / np.sqrt(left)) if left > 1e-12 else np.nan  # noqa: PLR2004


def average_precision(scores: "Floats", labels: "Floats") -> float:
    """Return the mean, over the items labelled 1, of the share labelled 1 among those that score at least as much.

    NaN where no item is labelled 1.
    """
    import numpy as np

    if not labels.sum():
        return np.nan
    order = np.argsort(-scores, kind="stable")
    ranked, positive = scores[order], np.cumsum(labels[order])
    last = np.searchsorted(-ranked, -ranked, side="right") - 1  # the last item that scores the same
    return float(np.sum(labels[order] * positive[last] / (last + 1)) / labels.sum())


def mean_of_values(values: "Floats") -> float:
    """Return the mean."""
    return float(values.mean())
