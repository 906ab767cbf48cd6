"""The twin of generalised average precision (meaning.md 7.8): of all orders that scores allow, the worst."""

from collections.abc import Sequence
from itertools import pairwise, permutations


def precision(weights: Sequence[float]) -> float:
    """The sum, over the places i that have a weight, of the mean of the first i weights."""
    return sum(sum(weights[:i]) / i for i in range(1, len(weights) + 1) if weights[i - 1] > 0)


def gap(scores: Sequence[float], weights: Sequence[float]) -> float:
    """The least precision of any order by scores, beside the greatest of any order at all."""
    orders = [*permutations(zip(scores, weights, strict=True))]
    by_scores = [order for order in orders if all(a[0] >= b[0] for a, b in pairwise(order))]
    worst = min(precision([weight for _, weight in order]) for order in by_scores)
    return worst / max(precision([weight for _, weight in order]) for order in orders)
