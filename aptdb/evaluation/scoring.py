"""Score a model against human ratings: Spearman's ρ by three methods, with bootstrap intervals."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import QuestionError
from aptdb.evaluation.datasets import WITH_LANDMARK, DataSet, Item
from aptdb.store.old_names import newer

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


@dataclass(frozen=True)
class Difference:
    """How much higher one ρ is than another on the same items, with its 95 % interval over the same resamples."""

    value: float | None
    low: float | None
    high: float | None


def correlation(items: Sequence[Rated], method: str, seed: int) -> Correlation:
    """Return Spearman's ρ of scores and ratings.

    method: `all`, every rating is a point (Mitchell & Lapata); `per-participant`, the mean ρ of all participants
    (Turney 2012); `mean`, one point for each item, with the mean of its ratings. Resamples draw items at random, with
    all their ratings; seed makes them reproducible. Raises QuestionError for another method.
    """
    import numpy as np

    refuse_seed(seed)
    points = Points.of(items, method)
    once = np.ones(len(items), dtype=np.int64)
    rho = points.rho(once)
    if rho is None:
        return Correlation(None, None, None, np.full(RESAMPLES, np.nan), why_undefined(items, method))
    chance = np.random.default_rng(seed)
    drawn = (chance.integers(0, len(items), len(items)) for _ in range(RESAMPLES))
    found = (points.rho(np.bincount(each, minlength=len(items))) for each in drawn)
    resampled = np.array([np.nan if each is None else each for each in found])
    return Correlation(rho, *interval(resampled), resampled)


def interval(resampled: "Floats") -> tuple[float | None, float | None]:
    """Return the 95 % interval of ρ over resamples; None if too many of them are undefined."""
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

    def rho(self, times: "Ints") -> float | None:
        """Return the mean ρ of the groups, each item with its number of repetitions; None if no group has one.

        The rank of a value is the mean of the places of its points. The bootstrap calls this a thousand times:
        repeating the points and ranking them with scipy takes ten times as long.
        """
        import numpy as np

        if not self.item.size:
            return None
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
        return float(np.mean(shared[defined] / spread[defined])) if defined.any() else None


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
    chance = np.random.default_rng(seed)
    drawn = chance.integers(0, len(groups), (RESAMPLES, len(groups)))
    pairs = sizes[drawn].sum(axis=1)
    resampled = np.divide(sums[drawn].sum(axis=1), pairs, out=np.full(RESAMPLES, np.nan), where=pairs > 0)
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


WAYS_WITH_MISSING = ("skip_unknown", "zero", "skip_item")
WHOLE = "all"  # the name of all parts together
AVERAGE = "average"  # the mean ρ of the parts, as in the paper's table 5

NOTHING_KNOWN = (
    "the lexicon lacks words of all {} items; if it has other tags, name them with --tags, a tag for words without one "
    "with --pos, other spellings with --variants"
)

NOTHING_LEFT = "all {} items have a word that the lexicon lacks, or of which nothing is left under these weights"

Scores = Mapping[tuple[str, str], float | None]  # by the names of the two sides; None if a vector is empty


@dataclass(frozen=True)
class Judgement:
    """An item in the lexicon's lexemes, with those that the lexicon lacks or the weights hide."""

    item: Item
    unknown: tuple[str, ...]
    hidden: tuple[str, ...] = ()

    @property
    def lacking(self) -> tuple[str, ...]:
        """Return the words without an APT."""
        return (*self.unknown, *self.hidden)

    def lexemes(self) -> set[str]:
        """Return the lexemes of both sides."""
        return {str(word["lexeme"]) for side in (self.item.a, self.item.b) for word in side.words()}

    def pair(self) -> tuple[str, str]:
        """Return the names of the two sides that are compared."""
        return str(self.item.a), str(self.item.b)


Key = tuple[str, str, str]  # an item: its part, and the names of its two sides


@dataclass(frozen=True)
class Measured:
    """ρ on one part of a data set; the numbers of items that were scored, lack a word, or have an empty vector.

    rated: the items that were scored, for comparisons; parts: those whose mean this is. method, seed: how ρ was found.
    """

    part: str
    correlation: Correlation
    items: int
    missing: int
    empty: int
    rated: Mapping[Key, Rated] = field(default_factory=dict)
    parts: tuple["Measured", ...] = ()
    method: str = "all"
    seed: int = 0

    def values(self) -> dict[str, Any]:
        """Return the values by the columns of `evaluations`."""
        found = self.correlation
        return {
            "part": self.part,
            "rho": found.rho,
            "low": found.low,
            "high": found.high,
            "items": self.items,
            "missing": self.missing,
            "empty": self.empty,
            "undefined": found.undefined,
        }


def by_new_names(missing: str | Sequence[str]) -> str | Sequence[str]:
    """Return treatments of missing words under their new names, with a warning for old ones."""
    if isinstance(missing, str):
        return newer("python", "missing", missing)
    if not isinstance(missing, Sequence):
        return missing
    return [newer("python", "missing", each) for each in missing]


def measure(
    data: DataSet, judgements: Sequence[Judgement], scores: Scores, *, method: str, missing: str, seed: int
) -> list[Measured]:
    """Return ρ on each part of a data set and on all of it; for Mitchell & Lapata 2010 also the average.

    missing: how to treat an item that lacks a word: `skip_unknown`, the word contributes nothing, as in phrases;
    `zero`, the item scores 0; `skip_item`, the item is left out. There is no ρ where all items lack a word. Raises
    QuestionError.
    """
    refuse_method(data, method, missing)
    names = data.parts()
    parts = [
        correlate_part(
            name, [each for each in judgements if each.item.part == name], scores, method, missing, seed + number
        )
        for number, name in enumerate(names)
    ]
    if names == [WHOLE]:
        return parts
    whole = correlate_part(WHOLE, judgements, scores, method, missing, seed)
    return [*parts, whole, *([averaged(parts)] if data.format == "ml2010" else [])]


def refuse_method(data: DataSet, method: str, missing: str) -> None:
    """Raise QuestionError for a method, or a treatment of missing words, that does not fit a data set."""
    if method not in ALL_METHODS:
        raise QuestionError(f"method is {method!r}; expected {', '.join(ALL_METHODS)}")
    if missing not in WAYS_WITH_MISSING:
        about_words = "; skip leaves a word out of a phrase, skip_item its item" if missing == "skip" else ""
        raise QuestionError(f"missing is {missing!r}; expected {', '.join(WAYS_WITH_MISSING)}{about_words}")
    if method == WITHIN_PAIRS and data.format not in WITH_LANDMARK:
        raise QuestionError(
            f"{data.name} is {data.format}; {WITHIN_PAIRS} compares landmarks of the same verb in context, in "
            f"{' and '.join(WITH_LANDMARK)}"
        )
    if method == "per-participant" and not data.has_participants():
        raise QuestionError(f"{data.name} does not name its participants; choose the method all or mean")


def list_parts(data: DataSet) -> list[str]:
    """Return the parts on which ρ is measured, in order."""
    names = data.parts()
    if names == [WHOLE]:
        return names
    return [*names, WHOLE, *([AVERAGE] if data.format == "ml2010" else [])]


def nothing(part: str, why: str) -> dict[str, Any]:
    """Return the values of a part that could not be measured."""
    found = {"rho": None, "low": None, "high": None, "undefined": why}
    return {"part": part, **found, "items": 0, "missing": 0, "empty": 0}


def correlate_part(
    part: str, judgements: Sequence[Judgement], scores: Scores, method: str, missing: str, seed: int
) -> Measured:
    """Return ρ on the items of one part."""
    lacking = [each for each in judgements if each.lacking]
    scored = [each for each in judgements if not (each.lacking and missing == "skip_item")]
    zero = {each.pair() for each in lacking} if missing == "zero" else set()
    empty = [each for each in scored if each.pair() not in zero and scores[each.pair()] is None]
    rated: list[Rated] = [
        (0.0 if each.pair() in zero else scores[each.pair()] or 0.0, each.item.ratings) for each in scored
    ]
    by_item = {(each.item.part, *each.pair()): rated for each, rated in zip(scored, rated, strict=True)}
    found = of_method(by_item, method, seed)
    if lacking and len(lacking) == len(judgements):
        why = NOTHING_KNOWN if all(each.unknown for each in lacking) else NOTHING_LEFT
        found = replace(found, rho=None, low=None, high=None, undefined=why.format(len(lacking)))
    return Measured(part, found, len(scored), len(lacking), len(empty), by_item, (), method, seed)


def of_method(rated: Mapping[Key, Rated], method: str, seed: int) -> Correlation:
    """Return ρ of items by a method; within pairs, of those that share their first side."""
    if method != WITHIN_PAIRS:
        return correlation([*rated.values()], method, seed)
    groups: dict[tuple[str, str], list[Rated]] = {}
    for (part, a, _), each in rated.items():
        groups.setdefault((part, a), []).append(each)
    return agreement([*groups.values()], seed)


def difference(one: Measured, other: Measured) -> Difference:
    """Return how much higher ρ of one setting is than that of another, on the items that both scored.

    Both are resampled alike: the draws follow from the seed and the number of items.
    """
    import numpy as np

    if one.parts:
        found = [on_shared(*pair) for pair in zip(one.parts, other.parts, strict=True)]
        firsts, seconds = (average([pair[side] for pair in found], [""] * len(found)) for side in (0, 1))
    else:
        firsts, seconds = on_shared(one, other)
    if firsts.rho is None or seconds.rho is None:
        return Difference(None, None, None)
    return Difference(firsts.rho - seconds.rho, *interval(np.subtract(firsts.resampled, seconds.resampled)))


def on_shared(one: Measured, other: Measured) -> tuple[Correlation, Correlation]:
    """Return ρ of two settings on the items that both scored."""
    if one.rated.keys() == other.rated.keys():
        return one.correlation, other.correlation
    shared = [key for key in one.rated if key in other.rated]
    first, second = (
        of_method({key: each.rated[key] for key in shared}, each.method, each.seed) for each in (one, other)
    )
    return first, second


def averaged(parts: Sequence[Measured]) -> Measured:
    """Return the mean ρ of several parts, and their items together."""
    items, missing, empty = (sum(getattr(part, name) for part in parts) for name in ("items", "missing", "empty"))
    found = average([part.correlation for part in parts], [part.part for part in parts])
    return Measured(AVERAGE, found, items, missing, empty, parts=tuple(parts))
