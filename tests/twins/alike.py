"""The twin of questions about several lexemes together: their mean, what is like it, and what matches it least."""

from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from typing import Any

from twins.questions import vector
from twins.vectors import Frequencies, Ranked, cosine, pos_of, ranked
from twins.weights import Apt, Counts


def unit(apt: Apt) -> Apt:
    """Return the vector made as long as any other; an empty one stays empty."""
    length = sqrt(fsum(value**2 for value in apt.values()))
    return {feature: value / length for feature, value in apt.items()}


def total(vectors: Sequence[tuple[int, Apt]]) -> Apt:
    """Return the sum of unit vectors, each times its sign."""
    every: dict[Any, list[float]] = {}
    for sign, apt in vectors:
        for feature, value in unit(apt).items():
            every.setdefault(feature, []).append(sign * value)
    return {feature: fsum(values) for feature, values in every.items() if fsum(values) != 0}


def most_similar(
    counts: Counts, frequencies: Frequencies, signs: Mapping[str, int], *, pos: str, top: int, **parameters: Any
) -> Ranked:
    """Return the lexemes nearest to the sum, without those that are in it; pos `same` is that of the first."""
    vectors = [(sign, vector(counts, frequencies, lexeme, **parameters)) for lexeme, sign in signs.items()]
    wanted = pos_of(next(iter(signs))) if pos == "same" else pos
    found = ranked(counts, frequencies, total(vectors), pos=wanted, min_frequency=1, **parameters)
    return [(lexeme, value) for lexeme, value in found if lexeme not in signs][:top]


def matches(
    counts: Counts, frequencies: Frequencies, lexemes: Sequence[str], **parameters: Any
) -> dict[str, float | None]:
    """Return how like the sum of all each lexeme is."""
    vectors = {lexeme: vector(counts, frequencies, lexeme, **parameters) for lexeme in lexemes}
    whole = total([(1, apt) for apt in vectors.values()])
    return {lexeme: cosine(whole, apt) for lexeme, apt in vectors.items()}
