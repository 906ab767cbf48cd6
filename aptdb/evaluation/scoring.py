"""Score a model against human ratings: ρ on each part of a data set, and how far two settings differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.evaluation.datasets import WITH_LANDMARK, DataSet, Item
from aptdb.evaluation.resampling import (
    ALL_METHODS,
    WITHIN_PAIRS,
    Correlation,
    Rated,
    Value,
    agreement,
    average,
    correlation,
    interval,
)
from aptdb.store.old_names import newer

WAYS_WITH_MISSING = ("skip_unknown", "zero", "skip_item")
WHOLE = "all"  # the name of all parts together
AVERAGE = "average"  # the mean ρ of the parts, as in the paper's table 5

NOTHING_KNOWN = (
    "the lexicon lacks words of all {} items; if it has other tags, name them with --tags, a tag for words without one "
    "with --pos, other spellings with --variants"
)

NOTHING_LEFT = "all {} items have a word that the lexicon lacks or that has no features under these weights"

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


def difference(one: Measured, other: Measured) -> Value:
    """Return how much higher ρ of one setting is than that of another, on the items that both scored; and its interval.

    Both are resampled alike: the draws follow from the seed and the number of items.
    """
    import numpy as np

    if one.parts:
        found = [on_shared(*pair) for pair in zip(one.parts, other.parts, strict=True)]
        firsts, seconds = (average([pair[side] for pair in found], [""] * len(found)) for side in (0, 1))
    else:
        firsts, seconds = on_shared(one, other)
    if firsts.rho is None or seconds.rho is None:
        return None, None, None
    return (firsts.rho - seconds.rho, *interval(np.subtract(firsts.resampled, seconds.resampled)))


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
