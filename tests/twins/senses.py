"""The plain twin of senses: occurrences as vectors, and spherical k-means from given centres (meaning.md 6.9)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt

from twins.counting import Rules, pairs
from twins.trees import Corpus
from twins.weights import Triple

Vector = Sequence[float]


def unit(vector: Vector) -> list[float]:
    """The vector with length 1; one of zeros as it is."""
    size = sqrt(sum(value * value for value in vector))
    return [value / size for value in vector] if size else [*vector]


def dot(one: Vector, other: Vector) -> float:
    """The sum of the products."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def occurrences(
    sentences: Corpus,
    lexeme: str,
    weights: Mapping[tuple[str, str], float],
    projections: Mapping[tuple[str, str], Vector],
) -> dict[tuple[int, int], list[float]]:
    """The vector of each occurrence, by the number of its sentence and its position: its features, each of length 1,
    times the lexeme's weights. Left out are occurrences without any.
    """
    met: dict[tuple[int, int], set[tuple[str, str]]] = {}
    for pair in pairs(sentences, Rules()):
        word, path, context = pair.triple
        if word == lexeme and path and pair.is_direct:
            met.setdefault((pair.sentence, pair.x), set()).add((path, context))
    found = {}
    for place, features in met.items():
        parts = [[weights[each] * value for value in unit(projections[each])] for each in features & {*weights}]
        if parts and any(total := [sum(values) for values in zip(*parts, strict=True)]):
            found[place] = unit(total)
    return found


def groups(vectors: Sequence[Vector], centres: Sequence[Vector]) -> tuple[list[int], list[list[float]]]:
    """The group of each vector, and the centres, when nothing changes any more (Dhillon & Modha 2001)."""
    now: list[list[float]] = [[*each] for each in centres]
    before: list[int] = []
    while True:
        nearest = [max(range(len(now)), key=lambda each: dot(vector, now[each])) for vector in vectors]
        if nearest == before:
            return nearest, now
        before = nearest
        for each in range(len(now)):
            own = [vector for vector, group in zip(vectors, nearest, strict=True) if group == each]
            if own:
                now[each] = unit([sum(values) for values in zip(*own, strict=True)])


def by_sense(
    sentences: Corpus, lexeme: str, senses: Mapping[tuple[int, int], str], *, direct: bool = False
) -> Counter[Triple]:
    """The co-occurrences, those of the lexeme counted under the name of the sense of each occurrence (its sentence,
    from 0, and position). As a context the lexeme is itself.
    """
    return Counter(
        (senses.get((pair.sentence, pair.x), pair.triple[0]), *pair.triple[1:])
        for pair in pairs(sentences, Rules())
        if pair.is_direct or not direct
    )


def hits_of_sense(
    sentences: Corpus, lexeme: str, sense: str, senses: Mapping[tuple[int, int], str], path: str, context: str
) -> list[tuple[int, int, int]]:
    """The pairs of a sense and a context along a path: sentence, position of either."""
    return sorted(
        (pair.sentence, pair.x, pair.y)
        for pair in pairs(sentences, Rules())
        if pair.triple == (lexeme, path, context) and senses.get((pair.sentence, pair.x)) == sense
    )
