"""The twin of word sketches (meaning.md 6.6): what a lexeme meets, path by path."""

from collections.abc import Collection, Mapping
from math import fsum, inf
from typing import NamedTuple

from twins.paths import order, steps
from twins.weights import Counts, weigh

FOR_GRAMMAR = {"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ"}


class Collocate(NamedTuple):
    """A context along a path; score is None where it is never met."""

    path: str
    context: str
    number: int
    score: float | None
    told: float


def looked_along(path: str, relations: Collection[str] | None, max_order: int, everything: bool) -> bool:
    """Return whether a sketch looks along a path."""
    if order(path) > max_order:
        return False
    if relations is None:
        return everything or path != ""
    return ("ε" if path == "" else path) in relations or any(step[1:] in relations for step in steps(path))


def collocates(
    counts: Counts,
    lexeme: str,
    *,
    score: str = "log_dice",
    relations: Collection[str] | None = None,
    max_order: int = 1,
    everything: bool = False,
) -> dict[tuple[str, str], Collocate]:
    """Return all that a sketch may show."""
    weights, lmi = weigh(counts, score), weigh(counts, "lmi")
    return {
        (path, context): Collocate(path, context, n, weights.get((w, path, context), 0.0), lmi[w, path, context])
        for (w, path, context), n in counts.items()
        if w == lexeme
        and looked_along(path, relations, max_order, everything)
        and (everything or context.rpartition("/")[2] not in FOR_GRAMMAR)
    }


def by_strength(told: Mapping[str, list[float]]) -> list[str]:
    """Return paths, first the one whose collocates tell most."""
    return sorted(told, key=lambda path: (-round(fsum(told[path]), 6), path))


def sketch(
    counts: Counts,
    frequencies: Mapping[str, int],
    lexeme: str,
    *,
    top: int | None = 10,
    top_relations: int | None = None,
    min_count: int = 1,
    score: str = "log_dice",
    relations: Collection[str] | None = None,
    max_order: int = 1,
    everything: bool = False,
) -> list[tuple[str, str, int, float | None]]:
    """Return rows of path, context, count, score."""
    every = collocates(
        counts, lexeme, score=score, relations=relations, max_order=max_order, everything=everything
    ).values()
    shown = [each for each in every if each.number >= min_count and (score != "ppmi" or each.score)]
    paths = by_strength({each.path: [one.told for one in shown if one.path == each.path] for each in shown})
    rows: list[tuple[str, str, int, float | None]] = []
    for path in paths[:top_relations]:
        best = sorted(
            (each for each in shown if each.path == path),
            key=lambda each: (-round(each.score or 0, 12), -frequencies[each.context], each.context),
        )
        rows += [(each.path, each.context, each.number, each.score) for each in best[:top]]
    return rows


def sketch_diff(
    counts: Counts,
    frequencies: Mapping[str, int],
    a: str,
    b: str,
    *,
    top: int | None = 5,
    top_relations: int | None = None,
    min_count: int = 1,
    score: str = "log_dice",
    relations: Collection[str] | None = None,
    max_order: int = 1,
    everything: bool = False,
) -> list[tuple[str, str, str, int, int, float | None, float | None]]:
    """Return rows of path, meets, context, count_a, count_b, score_a, score_b."""
    one, other = (
        collocates(counts, word, score=score, relations=relations, max_order=max_order, everything=everything)
        for word in (a, b)
    )
    nothing = Collocate("", "", 0, None, 0.0)
    pairs = {key: (one.get(key, nothing), other.get(key, nothing)) for key in {**one, **other}}
    pairs = {key: pair for key, pair in pairs.items() if max(each.number for each in pair) >= min_count}
    told = {path: [in_a.told + in_b.told for (p, _), (in_a, in_b) in pairs.items() if p == path] for path, _ in pairs}
    rows: list[tuple[str, str, str, int, int, float | None, float | None]] = []
    for path in by_strength(told)[:top_relations]:
        for meets in ("a", "both", "b"):
            best = sorted(
                (key for key, (x, y) in pairs.items() if key[0] == path and meets == kind(x, y)),
                key=lambda key: (
                    -round(max(-inf if each.score is None else each.score for each in pairs[key]), 12),
                    -frequencies[key[1]],
                    key[1],
                ),
            )[:top]
            if meets == "both":
                best.sort(key=lambda key: -round((pairs[key][0].score or 0) - (pairs[key][1].score or 0), 12))
            rows += [
                (path, meets, key[1], x.number, y.number, x.score, y.score) for key in best for x, y in [pairs[key]]
            ]
    return rows


def kind(x: Collocate, y: Collocate) -> str:
    """Return which of two a context is met by."""
    return "a" if y.score is None else "b" if x.score is None else "both"
