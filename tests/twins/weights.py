"""The plain twin of weights (meaning.md 4): the six schemes of old, from a dictionary of counts.

tables.py computes the same with numpy, and log_likelihood and the filters by frequency and by weight, on lexicons that
are too large for this one.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import fsum, log, log2

from twins.paths import order

Feature = tuple[str, str]  # path, context
Triple = tuple[str, str, str]  # lexeme, path, context
Counts = Mapping[Triple, int]
Apt = dict[Feature, float]


def marginal(counts: Counts, *kept: int) -> Counter[tuple[str, ...]]:
    """Sum the counts over what is not kept of ⟨0: w, 1: τ, 2: w'⟩, the stars in #⟨w,τ,*⟩ (meaning.md 4.1)."""
    sums: Counter[tuple[str, ...]] = Counter()
    for triple, n in counts.items():
        sums[tuple(triple[i] for i in kept)] += n
    return sums


def _totals(by_feature: Counter[tuple[str, ...]], cds: float, cds_total: str, scope: str) -> dict[str, float]:
    """Return for each path n_τ^α, or what cds_total and scope put in its place (meaning.md 4.2)."""
    groups: dict[str, list[int]] = defaultdict(list)
    for (path, _), n in by_feature.items():
        groups[path if scope == "path" else "all"].append(n)
    totals: dict[str, float] = {}
    for group, values in groups.items():
        powers = {"power_of_sum": sum(values) ** cds, "sum_of_powers": fsum(n**cds for n in values)}
        totals[group] = powers[cds_total]
    return {path: totals[path if scope == "path" else "all"] for path, _ in by_feature}


def _refuse(scheme: str, cds: float, cds_total: str, scope: str, shift: float) -> None:
    """Raise for what a scheme does not take and what is outside its range (meaning.md 4.2)."""
    plain = scheme in {"raw_count", "probability", "log_dice"}
    unknown = scope not in {"path", "all"} or (not plain and scheme not in {"pmi", "ppmi", "lmi"})
    not_taken = plain and (cds, cds_total, scope, shift) != (1, "sum_of_powers", "path", 1)
    if unknown or not_taken or not 0 < cds <= 1 or shift < 1:
        raise ValueError(f"{scheme}: cds {cds}, cds_total {cds_total}, scope {scope}, shift {shift}")


def weigh(
    counts: Counts,
    scheme: str,
    *,
    cds: float = 1.0,
    cds_total: str = "sum_of_powers",
    scope: str = "path",
    shift: float = 1.0,
    min_count: int = 0,
    min_feature_count: int = 0,
    max_order: int | None = None,
) -> dict[Triple, float]:
    """Return the weight of every triple that the filters leave; the marginals stay whole (meaning.md 4.1)."""
    _refuse(scheme, cds, cds_total, scope, shift)
    n_w, n_wt, n_tw = marginal(counts, 0), marginal(counts, 0, 1), marginal(counts, 1, 2)
    totals = _totals(n_tw, cds, cds_total, scope)

    def weight(w: str, t: str, context: str) -> float:
        n = counts[w, t, context]
        if scheme == "raw_count":
            return n
        if scheme == "probability":
            return n / n_w[w,]
        if scheme == "log_dice":
            return 14 + log2(2 * n / (n_wt[w, t] + n_tw[t, context]))
        of_word = n_w[w,] if scope == "all" else n_wt[w, t]
        pmi = log(n * totals[t] / (of_word * n_tw[t, context] ** cds)) - log(shift)
        return n * pmi if scheme == "lmi" else pmi

    def shown(path: str, context: str, n: int) -> bool:
        frequent = n >= min_count and n_tw[path, context] >= min_feature_count
        return frequent and (max_order is None or order(path) <= max_order)

    weights = {triple: weight(*triple) for triple, n in counts.items() if shown(*triple[1:], n)}
    return {triple: value for triple, value in weights.items() if scheme != "ppmi" or value > 0}


def apt_of(weights: Mapping[Triple, float], lexeme: str) -> Apt:
    """Return all ⟨τ, w'⟩ of the lexeme with their weights (meaning.md 1)."""
    return {(path, context): weight for (word, path, context), weight in weights.items() if word == lexeme}


def composed_ppmi(
    counts: Counts, a: Apt, *, cds: float = 1, cds_total: str = "sum_of_powers", scope: str = "path", shift: float = 1
) -> Apt:
    """Drop what is outside FEATS(C) and turn the rest, A, into ppmi (meaning.md 5.5)."""
    _refuse("ppmi", cds, cds_total, scope, shift)
    n_tw = marginal(counts, 1, 2)
    totals = _totals(n_tw, cds, cds_total, scope)
    left = {feature: weight for feature, weight in a.items() if feature in n_tw}
    nodes = {path: fsum(weight for (t, _), weight in left.items() if t == path) for path in {t for t, _ in left}}
    ratio = {(t, w): (weight / nodes[t]) / (n_tw[t, w] ** cds / totals[t]) for (t, w), weight in left.items()}
    return {feature: log(value) - log(shift) for feature, value in ratio.items() if log(value) - log(shift) > 0}
