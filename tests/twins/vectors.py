"""The twin of vectors and of what is like them (meaning.md 6; paper 3)."""

from collections.abc import Callable, Collection, Mapping
from math import fsum, sqrt
from typing import Any

from twins.paths import order
from twins.weights import Apt, Counts, Feature, marginal, weigh

Frequencies = Mapping[str, int]
Ranked = list[tuple[str, float]]
CONTEXTS = ("all", "internal", "external")


def features(counts: Counts) -> set[Feature]:
    """Return FEATS(C), the features that some lexeme is counted with (meaning.md 6.1; paper 3)."""
    return {(path, context) for _, path, context in counts}


def vectors(counts: Counts, phi: str) -> Callable[[Apt, str], Apt]:
    """Return the function from an APT and the word of its anchor to its vector (meaning.md 6.1; paper 3)."""
    inside, n_w, n_wt = features(counts), marginal(counts, 0), marginal(counts, 0, 1)
    weight_of: dict[str, Callable[[str, str], float]] = {
        "constant": lambda path, lexeme: 1.0,
        "harmonic": lambda path, lexeme: 1 / max(order(path), 1),
        "probability": lambda path, lexeme: n_wt[lexeme, path] / n_w[lexeme,],
    }

    def vector_of(apt: Apt, lexeme: str) -> Apt:
        values = {tw: weight * weight_of[phi](tw[0], lexeme) for tw, weight in apt.items() if tw in inside}
        return {feature: value for feature, value in values.items() if value != 0}

    return vector_of


def vector(counts: Counts, apt: Apt, phi: str, lexeme: str) -> Apt:
    """Return the features in FEATS(C), each weight times φ(τ, w), w the word of the anchor (meaning.md 6.1)."""
    return vectors(counts, phi)(apt, lexeme)


def cosine(a: Apt, b: Apt) -> float | None:
    """Return the cosine of two vectors, None where one is empty (meaning.md 6.2)."""
    if not a or not b:
        return None
    dot = fsum(value * b.get(feature, 0.0) for feature, value in a.items())
    return dot / (sqrt(fsum(value**2 for value in a.values())) * sqrt(fsum(value**2 for value in b.values())))


def reasons(a: Apt, b: Apt, frequencies: Frequencies, most: int) -> list[str]:
    """Return the shared features with the greatest products of both weights; ties by frequency of the context, text."""
    products = {feature: round(weight * b[feature], 12) for feature, weight in a.items() if feature in b}
    order = sorted(products, key=lambda each: (-products[each], -frequencies[each[1]], each[1], each[0]))
    return [f"{path or 'ε'} {context}" for path, context in order if products[path, context] > 0][:most]


def pos_of(lexeme: str) -> str:
    """Return the part of speech: the text after the last '/'."""
    return lexeme.rpartition("/")[2]


def filtered(apt: Apt, nodes: Collection[str], context: str) -> Apt:
    """Return what the context lets through: what is at the nodes, what is not, or all."""
    if context not in CONTEXTS:
        raise ValueError(f"unknown context: {context}")
    return {tw: weight for tw, weight in apt.items() if context == "all" or (tw[0] in nodes) == (context == "internal")}


def ranked(
    counts: Counts,
    frequencies: Frequencies,
    own: Apt,
    *,
    pos: str,
    phi: str = "constant",
    context: str = "all",
    min_frequency: int | None = None,
    **scheme: Any,
) -> Ranked:
    """Rank the frequent lexemes of a part of speech by the cosine of their vectors with this one, if above 0."""
    least = min(max(sum(frequencies.values()) // 25_000, 1), 50) if min_frequency is None else min_frequency
    vector_of = vectors(counts, phi)
    by_lexeme: dict[str, Apt] = {w: {} for w, n in frequencies.items() if n >= least and pos in {"any", pos_of(w)}}
    for (w, path, other), weight in weigh(counts, scheme.pop("weights", "ppmi"), **scheme).items():
        if w in by_lexeme:
            by_lexeme[w][path, other] = weight
    others = {w: vector_of(filtered(weights, {""}, context), w) for w, weights in by_lexeme.items()}
    found = {w: cosine(own, other) or 0.0 for w, other in others.items()}
    in_order = sorted(found.items(), key=lambda row: (-round(row[1], 12), -frequencies[row[0]], row[0]))
    return [(w, value) for w, value in in_order if value > 0]
