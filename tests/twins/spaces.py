"""The twin of reduced spaces (meaning.md 6.7): a dense decomposition of ppmi, its projections and sums; windows."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from twins.counting import Rules, normalised
from twins.paths import offset, order
from twins.trees import Corpus
from twins.vectors import Frequencies, pos_of
from twins.weights import Counts, Feature, apt_of, marginal, weigh

Array = NDArray[np.float64]


class Space:
    """A reduced space of counts. singular: all singular values of its weights, the largest first."""

    def __init__(
        self,
        counts: Counts,
        frequencies: Frequencies,
        tags: Collection[str],
        *,
        dimensions: int,
        shift: float,
        power: float,
        max_order: int,
        min_frequency: int,
        min_feature_count: int,
    ) -> None:
        self.weights = weigh(counts, "ppmi", shift=shift)
        met = marginal(counts, 1, 2)
        self.features = sorted(
            (path, context)
            for (path, context), n in met.items()
            if n >= min_feature_count and order(path) <= max_order and pos_of(context) in tags
        )
        self.place = {feature: number for number, feature in enumerate(self.features)}
        self.lexemes = sorted(w for w, n in frequencies.items() if n >= min_frequency and pos_of(w) in tags)
        rows = np.array([self.row(apt_of(self.weights, w)) for w in self.lexemes]).reshape(
            len(self.lexemes), len(self.features)
        )
        sizes = np.linalg.norm(rows, axis=1, keepdims=True) if rows.size else np.ones((len(rows), 1))
        rows = rows / np.where(sizes > 0, sizes, 1)
        self.singular: Array = np.zeros(1)
        if rows.size:
            _, self.singular, features = np.linalg.svd(rows, full_matrices=False)
            self.projection = features[:dimensions].T * np.maximum(self.singular[:dimensions], 1e-12) ** (power - 1)

    def row(self, apt: Mapping[Feature, float]) -> Array:
        """Return the weights of an APT for the features of the space."""
        found = np.zeros(len(self.features))
        for feature, weight in apt.items():
            if feature in self.place:
                found[self.place[feature]] = weight
        return found

    def has(self, path: str, context: str, nothing: float) -> bool:
        """Return whether a feature has a projection."""
        place = self.place.get((path, context))
        return place is not None and float(np.abs(self.projection[place]).max()) > nothing

    def vector(self, phrase: Sequence[tuple[str, str]], head_weight: float = 0.5) -> Array | None:
        """Return the vector of a phrase of (lexeme, delta): the sum of those of its words, moved; None if it has none.

        Each is of length 1, and counts as head_weight says.
        """
        nothing = 1e-9 * float(np.abs(self.projection).max())
        total = np.zeros(self.projection.shape[1])
        for lexeme, delta in phrase:
            moved = {
                (path, context): weight
                for (at, context), weight in apt_of(self.weights, lexeme).items()
                if self.has(at, context, nothing) and (path := offset(at, delta)) is not None
            }
            part = self.row(moved) @ self.projection
            size = np.linalg.norm(part)
            if size > nothing:
                total += part / size * (head_weight if delta == "" else 1 - head_weight)
        size = np.linalg.norm(total)
        return total / size if size > 1e-9 else None

    def expected(self, vector: Array) -> dict[Feature, float]:
        """Return the features that the space expects of a vector, and how much: the row whose projection it is."""
        row = vector @ np.linalg.pinv(self.projection)
        return {feature: float(weight) for feature, weight in zip(self.features, row, strict=True)}


def unit(vector: Array) -> Array:
    """Return a vector of length 1; nothing of one that is nothing."""
    size = np.linalg.norm(vector)
    return vector / size if size > 1e-9 else np.zeros_like(vector)


def near_weights(
    sentences: Corpus, frequencies: Frequencies, contexts: Sequence[str], window: int
) -> dict[str, dict[str, float]]:
    """Return ppmi of each lexeme and the contexts that stand within the window, by how near, contexts to the .75."""
    found: dict[str, Counter[str]] = {}
    for sentence in sentences:
        _, lexemes = normalised(sentence, Rules())
        for place, lexeme in lexemes.items():
            for other, context in lexemes.items():
                if other != place and abs(other - place) <= window and context in contexts:
                    met = found.setdefault(lexeme, Counter())
                    met[context] += (window + 1 - abs(other - place)) / window  # type: ignore[assignment]
    smoothed = {context: frequencies[context] ** 0.75 for context in contexts}
    whole = sum(smoothed.values())
    return {
        lexeme: {
            context: weight
            for context, n in met.items()
            if (weight := log(n / met.total() / (smoothed[context] / whole))) > 0
        }
        for lexeme, met in found.items()
    }


class WindowedSpace:
    """A reduced space with a window: beside a space of trees, a decomposition of near words, and their share."""

    def __init__(self, trees: Space, sentences: Corpus, frequencies: Frequencies, window: int, share: float) -> None:
        self.trees, self.share = trees, share
        self.weights = near_weights(sentences, frequencies, trees.lexemes, window)
        rows = np.array([unit(self.row(lexeme)) for lexeme in trees.lexemes]).reshape(-1, len(trees.lexemes))
        _, self.singular, features = np.linalg.svd(rows, full_matrices=False)
        dimensions = trees.projection.shape[1]
        self.projection = features[:dimensions].T / np.maximum(self.singular[:dimensions], 1e-12)

    def row(self, lexeme: str) -> Array:
        """Return the weights of what stands near a lexeme."""
        near = self.weights.get(lexeme, {})
        return np.array([near.get(context, 0.0) for context in self.trees.lexemes])

    def join(self, along_paths: Array, near: Array) -> Array:
        """Return a vector of two halves, each of length 1 and with its share; the whole is of length 1."""
        halves = [np.sqrt(1 - self.share) * unit(along_paths), np.sqrt(self.share) * unit(near)]
        return unit(np.concatenate(halves))

    def vector(self, phrase: Sequence[tuple[str, str]]) -> Array | None:
        """Return the vector of a phrase of (lexeme, delta), as that of a space; near words stay where they are."""
        dimensions = self.trees.projection.shape[1]
        total = np.zeros(dimensions + self.projection.shape[1])
        for lexeme, delta in phrase:
            alone = self.trees.vector([(lexeme, delta)])
            total += self.join(np.zeros(dimensions) if alone is None else alone, self.row(lexeme) @ self.projection)
        found = self.join(total[:dimensions], total[dimensions:])
        return found if found.any() else None
