"""Compares a model's scores with people's ratings: a row for each part of a data set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aptdb.errors import QuestionError
from aptdb.evaluation.correlation import METHODS, Correlation, Rated, average, correlation
from aptdb.evaluation.datasets import DataSet, Item

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
    """An item in the lexicon's own lexemes; those that the lexicon lacks, and those of which its weights leave none."""

    item: Item
    unknown: tuple[str, ...]
    hidden: tuple[str, ...] = ()

    @property
    def lacking(self) -> tuple[str, ...]:
        """The words without an APT."""
        return (*self.unknown, *self.hidden)

    def lexemes(self) -> set[str]:
        """The lexemes of both sides."""
        return {str(word["lexeme"]) for side in (self.item.a, self.item.b) for word in side.words()}

    def pair(self) -> tuple[str, str]:
        """The names of the two sides that are compared."""
        return str(self.item.a), str(self.item.b)


@dataclass(frozen=True)
class Measured:
    """ρ on one part of a data set; how many items were scored, lack a word, and score 0 because of an empty vector."""

    part: str
    correlation: Correlation
    items: int
    missing: int
    empty: int

    def values(self) -> dict[str, Any]:
        """By the columns of `evaluations`."""
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
    """Ways with missing words by the names that they have today; there is the old name of skip_unknown."""
    if isinstance(missing, str) or not isinstance(missing, Sequence):
        return "skip_unknown" if missing == "there" else missing
    return ["skip_unknown" if each == "there" else each for each in missing]


def measure(
    data: DataSet, judgements: Sequence[Judgement], scores: Scores, *, method: str, missing: str, seed: int
) -> list[Measured]:
    """ρ on each part of a data set and on all of it; for Mitchell & Lapata 2010 also the average of the parts.

    missing: what to do with an item that lacks a word: `skip_unknown`, the word contributes nothing, as in phrases;
    `zero`, the item scores 0; `skip_item`, the item is left out. There is no ρ where all items lack a word. Raises
    QuestionError.
    """
    refuse_method(data, method, missing)
    names = data.parts()
    parts = [
        measured(name, [each for each in judgements if each.item.part == name], scores, method, missing, seed + number)
        for number, name in enumerate(names)
    ]
    if names == [WHOLE]:
        return parts
    whole = measured(WHOLE, judgements, scores, method, missing, seed)
    return [*parts, whole, *([averaged(parts)] if data.format == "ml2010" else [])]


def refuse_method(data: DataSet, method: str, missing: str) -> None:
    """Raise QuestionError for a method, or a way with missing words, that does not fit a data set."""
    if method not in METHODS:
        raise QuestionError(f"method is {method!r}; it is {', '.join(METHODS)}")
    if missing not in WAYS_WITH_MISSING:
        about_words = "; skip leaves a word out of a phrase, skip_item its item" if missing == "skip" else ""
        raise QuestionError(f"missing is {missing!r}; it is {', '.join(WAYS_WITH_MISSING)}{about_words}")
    if method == "per-participant" and not data.has_participants():
        raise QuestionError(f"{data.name} does not name its participants; choose the method all or mean")


def parts_of(data: DataSet) -> list[str]:
    """The parts on which ρ is measured, in order."""
    names = data.parts()
    if names == [WHOLE]:
        return names
    return [*names, WHOLE, *([AVERAGE] if data.format == "ml2010" else [])]


def nothing(part: str, why: str) -> dict[str, Any]:
    """The values of a part on which nothing could be measured."""
    found = {"rho": None, "low": None, "high": None, "undefined": why}
    return {"part": part, **found, "items": 0, "missing": 0, "empty": 0}


def measured(
    part: str, judgements: Sequence[Judgement], scores: Scores, method: str, missing: str, seed: int
) -> Measured:
    """ρ on the items of one part."""
    lacking = [each for each in judgements if each.lacking]
    scored = [each for each in judgements if not (each.lacking and missing == "skip_item")]
    zero = {each.pair() for each in lacking} if missing == "zero" else set()
    empty = [each for each in scored if each.pair() not in zero and scores[each.pair()] is None]
    rated: list[Rated] = [
        (0.0 if each.pair() in zero else scores[each.pair()] or 0.0, each.item.ratings) for each in scored
    ]
    found = correlation(rated, method, seed)
    if lacking and len(lacking) == len(judgements):
        why = NOTHING_KNOWN if all(each.unknown for each in lacking) else NOTHING_LEFT
        found = replace(found, rho=None, low=None, high=None, undefined=why.format(len(lacking)))
    return Measured(part, found, len(scored), len(lacking), len(empty))


def averaged(parts: Sequence[Measured]) -> Measured:
    """The mean ρ of several parts, and their items together."""
    items, missing, empty = (sum(getattr(part, name) for part in parts) for name in ("items", "missing", "empty"))
    found = average([part.correlation for part in parts], [part.part for part in parts])
    return Measured(AVERAGE, found, items, missing, empty)
