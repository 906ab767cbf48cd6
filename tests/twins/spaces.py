"""The twin of reduced spaces (meaning.md 6.7): a dense decomposition of ppmi, its projections and sums."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from twins.paths import offset, order
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
                if (path := offset(at, delta)) is not None
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
