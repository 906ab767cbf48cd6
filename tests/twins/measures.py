"""The vectorised twin of the measures (meaning.md 6): of two dense vectors, where 0 is no feature.

But for the cosine, the vectors are nowhere negative. vectors.py has the cosine of two dictionaries, as composition
needs it.
"""

from collections.abc import Callable

import numpy as np
from scipy.spatial import distance

from twins.tables import Bools, Floats
from twins.weights import Apt


def _cosine(a: Floats, b: Floats) -> float:
    """The cosine."""
    return 1 - float(distance.cosine(a, b))


def _shared(a: Floats, b: Floats) -> Bools:
    """A ∩ B: the features of both."""
    return np.asarray((a != 0) & (b != 0), dtype=np.bool_)


def _lin(a: Floats, b: Floats) -> float:
    """Σ_{A∩B} (a + b) / (Σa + Σb)."""
    return float((a + b)[_shared(a, b)].sum() / (a.sum() + b.sum()))


def _jaccard(a: Floats, b: Floats) -> float:
    """Σ min / Σ max."""
    return float(np.minimum(a, b).sum() / np.maximum(a, b).sum())


def _dice(a: Floats, b: Floats) -> float:
    """2 Σ min / (Σa + Σb), which is 1 − Bray and Curtis's distance Σ|a − b| / Σ(a + b)."""
    return 1 - float(distance.braycurtis(a, b))


def _weeds_precision(a: Floats, b: Floats) -> float:
    """Σ_{A∩B} a / Σa."""
    return float(a[_shared(a, b)].sum() / a.sum())


def _weeds_recall(a: Floats, b: Floats) -> float:
    """Σ_{A∩B} b / Σb."""
    return float(b[_shared(a, b)].sum() / b.sum())


def _cl(a: Floats, b: Floats) -> float:
    """Σ min / Σa."""
    return float(np.minimum(a, b).sum() / a.sum())


def _inv_cl(a: Floats, b: Floats) -> float:
    """√( cl(a, b) · (1 − cl(b, a)) ), where 1 − cl(b, a) = Σ max(b − a, 0) / Σb loses nothing near 0."""
    return float(np.sqrt(_cl(a, b) * (np.maximum(b - a, 0).sum() / b.sum())))


def _jensen_shannon(a: Floats, b: Floats) -> float:
    """1 − JSD in bits; SciPy gives the root of JSD, and no number where rounding makes 0 negative."""
    with np.errstate(invalid="ignore"):
        root = float(distance.jensenshannon(a, b, base=2))
    return 1.0 if np.isnan(root) else 1 - root**2


def _euclidean(a: Floats, b: Floats) -> float:
    """1 / (1 + |a − b|)."""
    return 1 / (1 + float(distance.euclidean(a, b)))


def _ranks(a: Floats) -> list[int]:
    """How many features weigh at least as much as each, to twelve decimals."""
    return [sum(round(other, 12) >= round(value, 12) > 0 for other in a.tolist()) for value in a.tolist()]


def _included(a: Floats, b: Floats) -> list[float]:
    """What each feature adds to APinc (Kotlerman et al. 2010): P(r) · rel(f) / |A|, 0 for those that B lacks."""
    rank_a, rank_b, both = _ranks(a), _ranks(b), _shared(a, b).tolist()
    size_a, size_b = int((a != 0).sum()), int((b != 0).sum())
    return [
        sum(other and rank_a[place] <= rank_a[at] for place, other in enumerate(both))
        / rank_a[at]
        * (1 - rank_b[at] / (size_b + 1))
        / size_a
        if is_shared
        else 0.0
        for at, is_shared in enumerate(both)
    ]


def _apinc(a: Floats, b: Floats) -> float:
    """APinc."""
    return sum(_included(a, b))


def _bal_apinc(a: Floats, b: Floats) -> float:
    """√( lin · APinc )."""
    return float(np.sqrt(_lin(a, b) * _apinc(a, b)))


def tells_apart(a: Floats, b: Floats) -> bool:
    """Whether two vectors are equal, or so far apart that rounding their squares leaves their distance nine digits."""
    apart = float(distance.euclidean(a, b))
    return apart == 0 or apart > 1e-3 * float(np.linalg.norm(a) + np.linalg.norm(b))


MEASURES: dict[str, Callable[[Floats, Floats], float]] = {
    "cosine": _cosine,
    "lin": _lin,
    "jaccard": _jaccard,
    "dice": _dice,
    "weeds_precision": _weeds_precision,
    "weeds_recall": _weeds_recall,
    "cl": _cl,
    "inv_cl": _inv_cl,
    "jensen_shannon": _jensen_shannon,
    "euclidean": _euclidean,
    "apinc": _apinc,
    "bal_apinc": _bal_apinc,
}


def similarity(a: Floats, b: Floats, measure: str) -> float | None:
    """The measure of two vectors, None where one is empty."""
    return MEASURES[measure](a, b) if a.any() and b.any() else None


def _overlap_in_bits(p: Floats, q: Floats) -> Floats:
    """½ (p log2((p + q) / p) + q log2((p + q) / q)): what adds up to 1 − JSD, 0 where p or q is 0."""
    both, terms = (p > 0) & (q > 0), np.zeros_like(p)
    x, y = p[both], q[both]
    terms[both] = (x * np.log2((x + y) / x) + y * np.log2((x + y) / y)) / 2
    return terms


def contributions(a: Floats, b: Floats, measure: str) -> Floats:
    """What each shared feature adds to the measure, 0 elsewhere; for inv_cl and euclidean its share of the score."""
    least, shared = np.minimum(a, b), _shared(a, b)
    terms: dict[str, Callable[[], Floats]] = {
        "cosine": lambda: a * b / (np.linalg.norm(a) * np.linalg.norm(b)),
        "lin": lambda: (a + b) / (a.sum() + b.sum()),
        "jaccard": lambda: least / np.maximum(a, b).sum(),
        "dice": lambda: 2 * least / (a.sum() + b.sum()),
        "weeds_precision": lambda: a / a.sum(),
        "weeds_recall": lambda: b / b.sum(),
        "cl": lambda: least / a.sum(),
        "inv_cl": lambda: _inv_cl(a, b) * least / least.sum(),
        "euclidean": lambda: _euclidean(a, b) * a * b / (a * b).sum(),
        "apinc": lambda: np.array(_included(a, b)),
        "bal_apinc": lambda: _bal_apinc(a, b) * np.array(_included(a, b)) / _apinc(a, b),
        "jensen_shannon": lambda: _overlap_in_bits(a / a.sum(), b / b.sum()),
    }
    return np.where(shared, terms[measure](), 0.0) if shared.any() else np.zeros_like(a)


def lacking(a: Apt, b: Apt, *, shares: bool = False) -> Apt:
    """The features of a that b lacks, with their weights, or the shares that these have of all of a."""
    whole = sum(a.values()) if shares else 1
    return {feature: weight / whole for feature, weight in a.items() if feature not in b}


# Ties
def splits_a_tie(values: Floats) -> bool:
    """Whether rounding to 12 digits parts values that are equal but for rounding: their order is then not fixed."""
    ascending = np.sort(values)
    apart = np.diff(ascending) > 1e-11 + 1e-12 * np.abs(ascending[1:])
    return values.size > 0 and np.unique(np.round(values, 12)).size != 1 + np.count_nonzero(apart)
