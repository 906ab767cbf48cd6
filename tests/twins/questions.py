"""The twin of questions (meaning.md 6 and 7): vectors of lexemes and phrases, similarity, neighbours, plausibility."""

from collections.abc import Iterable
from typing import Any

from twins import vectors
from twins.composition import OF_PHRASES, Phrase, apt, compose, known_in, root_of
from twins.vectors import Frequencies, Ranked, cosine, pos_of, ranked
from twins.weights import Apt, Counts

X = str | Phrase  # what a question is about (meaning.md 7.1)


def _anchored_at(x: X, anchor: int) -> str | None:
    """Return the word that x is anchored at, None for a phrase without a root's word."""
    if isinstance(x, str):
        return x
    return x[anchor - 1][0] if anchor else root_of(x)


def vector(counts: Counts, frequencies: Frequencies, x: X, *, phi: str = "constant", **parameters: Any) -> Apt:
    """Return the vector of a lexeme or phrase."""
    if isinstance(x, str):
        found = apt(counts, frequencies, x, **parameters)
    else:
        found = compose(counts, frequencies, x, **parameters)
    word = _anchored_at(x, parameters.get("anchor", 0))
    if phi == "probability" and word is None:
        raise ValueError(f"no word with delta ε: {x}")
    unknown = phi == "probability" and word not in known_in(counts)
    return {} if unknown else vectors.vector(counts, found, phi, word or "")


def similarity(
    counts: Counts,
    frequencies: Frequencies,
    a: X,
    b: X,
    *,
    phi: str = "constant",
    anchor: int = 0,
    anchor_b: int | None = None,
    **parameters: Any,
) -> float | None:
    """Return the cosine of two lexemes or phrases, None where a vector is empty."""
    of_b = anchor if anchor_b is None else anchor_b
    return cosine(
        vector(counts, frequencies, a, phi=phi, anchor=anchor, **parameters),
        vector(counts, frequencies, b, phi=phi, anchor=of_b, **parameters),
    )


def neighbours(
    counts: Counts,
    frequencies: Frequencies,
    x: X,
    *,
    top: int = 10,
    pos: str = "same",
    min_frequency: int | None = None,
    phi: str = "constant",
    **parameters: Any,
) -> Ranked:
    """Return the lexemes, not smoothed, that are most similar; ties by frequency, then by text."""
    own = vector(counts, frequencies, x, phi=phi, **parameters)
    word = _anchored_at(x, parameters.get("anchor", 0)) or ""
    of_x = OF_PHRASES | {"missing", "smooth", "alpha"}
    rest = {name: value for name, value in parameters.items() if name not in of_x}
    wanted = pos_of(word) if pos == "same" else pos
    found = ranked(counts, frequencies, own, pos=wanted, min_frequency=min_frequency, phi=phi, **rest)
    return [(w, value) for w, value in found if w != x][:top]


def plausible(
    counts: Counts, frequencies: Frequencies, phrase: Phrase, gap: int, candidates: Iterable[str], **parameters: Any
) -> list[tuple[str, float | None]]:
    """Return each candidate's similarity to what the other words of the phrase make its gap look like."""
    if not 0 <= gap < len(phrase):
        raise ValueError(f"no word {gap} in {phrase}")
    seen = vector(counts, frequencies, phrase, anchor=gap + 1, gap=gap, **parameters)
    rest = {name: value for name, value in parameters.items() if name not in {"smooth", "alpha"}}
    return [(word, cosine(seen, vector(counts, frequencies, word, **rest))) for word in candidates]
