"""Numbers with bootstrap intervals: Spearman's ρ by three methods, also partial, average precision, and means."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from aptdb.core.errors import QuestionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

WITHIN_PAIRS = "within-pairs"
METHODS = ("all", "per-participant", "mean")  # by the points that are correlated
ALL_METHODS = (*METHODS, WITHIN_PAIRS)
RESAMPLES = 1000
INTERVAL = (0.025, 0.975)

Rated = tuple[float, Sequence[tuple[str | None, float]]]  # an item: the model's score, and people's ratings


@dataclass(frozen=True)
class Correlation:
    """ρ with its 95 % interval, and its values in the resamples; undefined says why rho is None.

    The interval is between the 2.5th and the 97.5th percentile of ρ over 1,000 resamples of the items. There is none if
    ρ is undefined in more than 50 of them.
    """

    rho: float | None
    low: float | None
    high: float | None
    resampled: "Floats"
    undefined: str | None = None


def correlation(items: Sequence[Rated], method: str, seed: int) -> Correlation:
    """Return Spearman's ρ of scores and ratings.

    method: `all`, every rating is a point (Mitchell & Lapata); `per-participant`, the mean ρ of all participants
    (Turney 2012); `mean`, one point for each item, with the mean of its ratings. Resamples draw items at random, with
    all their ratings; seed makes them reproducible. Raises QuestionError for another method.
    """
    import numpy as np

    refuse_seed(seed)
    points = Points.of(items, method)
    rho = points.rho(np.ones(len(items), dtype=np.int64))
    if np.isnan(rho):
        return Correlation(None, None, None, np.full(RESAMPLES, np.nan), why_undefined(items, method))
    resampled = resample(lambda drawn: points.rho(np.bincount(drawn, minlength=len(items))), len(items), seed)
    return Correlation(rho, *interval(resampled), resampled)


def resample(measure: "Callable[[Ints], float]", size: int, seed: int) -> "Floats":
    """Return a number as measured on each of many samples: of so many rows, drawn by their places with repetition."""
    import numpy as np

    chance = np.random.default_rng(seed)
    return np.array([measure(chance.integers(0, size, size)) for _ in range(RESAMPLES)])


def interval(resampled: "Floats") -> tuple[float | None, float | None]:
    """Return the 95 % interval of a number over resamples; None if it is undefined (NaN) in too many of them."""
    import numpy as np

    defined = resampled[~np.isnan(resampled)]
    if defined.size < 0.95 * resampled.size:
        return None, None
    low, high = np.quantile(defined, INTERVAL)
    return float(low), float(high)


def average(parts: Sequence[Correlation], names: Sequence[str]) -> Correlation:
    """Return the mean ρ of several parts, each resampled by itself; undefined if ρ of one part is undefined."""
    import numpy as np

    rhos = [part.rho for part in parts if part.rho is not None]
    lacking = [name for name, part in zip(names, parts, strict=True) if part.rho is None]
    resampled = np.mean([part.resampled for part in parts], axis=0)
    if lacking:
        return Correlation(None, None, None, resampled, f"ρ of {', '.join(lacking)} is undefined")
    return Correlation(float(np.mean(rhos)), *interval(resampled), resampled)


@dataclass(frozen=True)
class Points:
    """Points to correlate, in groups that are correlated separately; arrays of shape (points,).

    item: the item of a point. group: the number of its group, from 0. model and people: the rank of its value among the
    distinct values of its group; the numbering continues from one group to the next.
    """

    item: "Ints"
    group: "Ints"
    model: "Ints"
    people: "Ints"

    @classmethod
    def of(cls, items: Sequence[Rated], method: str) -> "Points":
        """Return the points of a method for some items."""
        import numpy as np

        if method not in METHODS:
            raise QuestionError(f"method is {method!r}; expected {', '.join(METHODS)}")
        if method == "mean":
            items = [(score, [(None, mean_of_ratings(ratings))]) for score, ratings in items]
        rows = [(at, who, score, value) for at, (score, ratings) in enumerate(items) for who, value in ratings]
        item, named, scores, values = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
        names = {who: number for number, who in enumerate(dict.fromkeys(named))}
        by_participant = method == "per-participant"
        group = np.array([names[who] if by_participant else 0 for who in named], dtype=np.int64)
        return cls(
            np.array(item, dtype=np.int64),
            group,
            places_in_groups(np.array(scores, dtype=np.float64), group),
            places_in_groups(np.array(values, dtype=np.float64), group),
        )

    def rho(self, times: "Ints") -> float:
        """Return the mean ρ of the groups, each item with its number of repetitions; NaN if no group has one.

        The rank of a value is the mean of the places of its points. The bootstrap calls this a thousand times:
        repeating the points and ranking them with scipy takes ten times as long.
        """
        import numpy as np

        if not self.item.size:
            return np.nan
        weight = times[self.item].astype(np.float64)
        sizes = np.bincount(self.group, weight)
        ends = np.cumsum(sizes)
        middle = (ends - sizes / 2)[self.group]
        one, other = (rank_points(values, weight) - middle for values in (self.model, self.people))
        shared, square, other_square = (
            np.bincount(self.group, weight * product) for product in (one * other, one * one, other * other)
        )
        spread = np.sqrt(square * other_square)
        defined = spread > 0
        return float(np.mean(shared[defined] / spread[defined])) if defined.any() else np.nan


def agreement(groups: Sequence[Sequence[Rated]], seed: int) -> Correlation:
    """Return the mean ρ within pairs of items of the same group whose mean ratings differ.

    In a pair it is 1 if the model orders the two as people do, −1 if it orders them otherwise, and 0 if they score
    alike; so the accuracy is half of the mean plus one half. Resamples draw groups.
    """
    import numpy as np

    refuse_seed(seed)
    agreeing = [list(agreements(group)) for group in groups]
    sums, sizes = (np.array([of(each) for each in agreeing], dtype=np.float64) for of in (sum, len))
    if not sizes.sum():
        why = "no two items share a phrase and have different mean ratings"
        return Correlation(None, None, None, np.full(RESAMPLES, np.nan), why)

    def mean_of_pairs(drawn: "Ints") -> float:
        pairs = sizes[drawn].sum()
        return float(sums[drawn].sum() / pairs) if pairs else np.nan

    resampled = resample(mean_of_pairs, len(groups), seed)
    return Correlation(float(sums.sum() / sizes.sum()), *interval(resampled), resampled)


def agreements(group: Sequence[Rated]) -> Iterator[int]:
    """Yield 1, 0 or −1 for each two items that people rate differently: whether the model orders them as people do."""
    for (one, of_one), (other, of_other) in combinations(group, 2):
        people = mean_of_ratings(of_one) - mean_of_ratings(of_other)
        if people:
            yield (one > other) - (one < other) if people > 0 else (other > one) - (other < one)


def refuse_seed(seed: object) -> None:
    """Raise QuestionError for an impossible seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise QuestionError(f"seed is {seed!r}; expected a whole number, 0 or more")


def mean_of_ratings(ratings: Sequence[tuple[str | None, float]]) -> float:
    """Return the mean of ratings, independent of their order."""
    return math.fsum(value for _, value in ratings) / len(ratings)


def why_undefined(items: Sequence[Rated], method: str) -> str:
    """Return why ρ is undefined."""
    if len(items) < 2:  # noqa: PLR2004
        return f"ρ needs two items, but there {'is one' if items else 'is none'}"
    scores = {score for score, _ in items}
    if len(scores) == 1:
        return f"the model gives all {len(items)} items the same score, {scores.pop():.4g}, so nothing is ranked"
    if len({value for _, ratings in items for _, value in ratings}) == 1:
        return f"people gave all {len(items)} items the same rating, so nothing is ranked"
    if method == "mean":
        return f"people gave all {len(items)} items the same mean rating, so nothing is ranked"
    return "no participant rated items of different scores differently"


def places_in_groups(values: "Floats", group: "Ints") -> "Ints":
    """Return the place of each value among the distinct values of all groups, group by group."""
    import numpy as np

    if not values.size:
        return np.array([], dtype=np.int64)
    order = np.lexsort((values, group))
    changes = (np.diff(values[order]) != 0) | (np.diff(group[order]) != 0)
    places = np.empty(values.size, dtype=np.int64)
    places[order] = np.concatenate([[0], np.cumsum(changes)])
    return places


def rank_points(places: "Ints", weight: "Floats") -> "Floats":
    """Return the rank of each point minus ½, from the place of its value and its number of repetitions."""
    import numpy as np

    sizes = np.bincount(places, weight)
    middle: Floats = np.cumsum(sizes) - sizes / 2
    return middle[places]


# Numbers of columns
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
    resampled = resample(lambda drawn: measure(*(column[drawn] for column in columns)), size, seed)
    return (float(found), *interval(resampled))


def correlated(a: "Floats", b: "Floats") -> float:
    """Return Spearman's ρ; NaN where one of the two is constant."""
    import numpy as np

    one_group = np.zeros(len(a), dtype=np.int64)
    places = (np.unique(each, return_inverse=True)[1] for each in (a, b))
    return Points(np.arange(len(a)), one_group, *places).rho(np.ones(len(a), dtype=np.int64))


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


def mean_with_interval(values: "Sequence[float] | Floats", seed: int) -> Value:
    """Return a mean with its interval."""
    import numpy as np

    return with_interval(lambda drawn: float(drawn.mean()), [np.array(values, dtype=float)], seed)
