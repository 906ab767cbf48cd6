"""The vectorised twin of weights (meaning.md 4): all schemes and filters, from arrays of counts.

weights.py computes the six schemes of old from dictionaries, without numpy; this one reaches all of a treebank.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SCHEMES = ("raw_count", "probability", "pmi", "ppmi", "lmi", "log_dice", "log_likelihood")
OF_PMI = ("pmi", "ppmi", "lmi")


@dataclass(frozen=True)
class Table:
    """Counts #⟨w,τ,w'⟩ as equally long columns of row numbers, and what is known of the lexemes and paths numbered."""

    lexeme: Ints
    path: Ints
    context: Ints
    count: Ints
    lexemes: list[str]
    frequency: Ints
    paths: list[str]
    order: Ints

    def sums(self, *columns: Ints) -> Ints:
        """The counts summed over the rows that agree in the columns, for each row: a marginal of meaning.md 4.1."""
        key = np.zeros_like(self.count)
        for column in columns:
            key = key * (1 + column.max(initial=0)) + column
        _, group = np.unique(key, return_inverse=True)
        return np.rint(np.bincount(group, weights=self.count)).astype(np.int64)[group]

    def key(self, chosen: Ints | None = None) -> Ints:
        """One number for each row, or each chosen row: (lexeme, path, context)."""
        key = (self.lexeme * len(self.paths) + self.path) * len(self.lexemes) + self.context
        return key if chosen is None else key[chosen]


def _powers(table: Table, of_feature: Ints, scope: str, cds: float) -> Floats:
    """For each row Σ n_τw'^α over the features of its path, or over all features (sum_of_powers)."""
    feature = table.path * len(table.lexemes) + table.context
    _, first = np.unique(feature, return_index=True)
    group = table.path if scope == "path" else np.zeros_like(table.path)
    sums = np.bincount(group[first], weights=of_feature[first].astype(np.float64) ** cds)
    return np.asarray(sums[group], dtype=np.float64)


def _pmi(table: Table, *, cds: float = 1.0, cds_total: str = "sum_of_powers", scope: str = "path") -> Floats:
    """ln( n · T / (n_wτ · n_τw'^α) ), T = n_τ^α or the sum of powers; n_w and N in place of n_wτ and n_τ in all."""
    of_feature = table.sums(table.path, table.context)
    inside = scope == "path"
    of_word = table.sums(table.lexeme, table.path) if inside else table.sums(table.lexeme)
    if cds_total == "sum_of_powers":
        log_total = np.log(_powers(table, of_feature, scope, cds))
    else:
        log_total = cds * np.log(table.sums(table.path) if inside else table.sums())
    own: Floats = np.log(table.count) - np.log(of_word)
    return own + log_total - cds * np.log(of_feature)


def _bent(x: NDArray[np.longdouble]) -> NDArray[np.longdouble]:
    """(1 + x) ln(1 + x) − x, which is 1 at −1; by its series Σ (−x)^k / (k (k − 1)) near 0, where the terms cancel."""
    found = np.ones_like(x)
    far = (x > -1) & (np.abs(x) >= 0.1)
    found[far] = (1 + x[far]) * np.log1p(x[far]) - x[far]
    near = np.abs(x) < 0.1
    little, series = x[near], np.zeros_like(x[near])
    for k in range(21, 1, -1):
        series = np.longdouble(1) / (k * (k - 1)) - little * series
    found[near] = little**2 * series
    return found


def g_squared(n: Ints, of_word: Ints, of_feature: Ints, total: Ints) -> Floats:
    """Signed G² = 2 Σ O ln(O/E) of the 2×2 tables of these counts.

    As Σ (O − E) is 0, G² is also 2 Σ [O ln(O/E) − (O − E)], whose four terms are all ≥ 0: E · bent((O − E) / E).
    Every O − E is ±D with D · n_τ = n · n_τ − n_wτ · n_τw', a whole number, so nothing is lost near 0.
    """
    difference = n * total - of_word * of_feature
    g = np.zeros(n.shape, dtype=np.longdouble)
    for row, row_sign in ((of_word, 1), (total - of_word, -1)):
        for column, column_sign in ((of_feature, 1), (total - of_feature, -1)):
            product = (row * column).astype(np.longdouble)
            some = product > 0  # where a margin is 0, O is 0 too and the cell adds nothing
            x = row_sign * column_sign * difference[some] / product[some]
            g[some] += 2 * product[some] / total[some] * _bent(x)
    return np.asarray(np.sign(difference) * g, dtype=np.float64)


def _log_likelihood(table: Table) -> Floats:
    """Dunning's signed G² within the path."""
    of_word, of_feature = table.sums(table.lexeme, table.path), table.sums(table.path, table.context)
    return g_squared(table.count, of_word, of_feature, table.sums(table.path))


def _log_dice(table: Table) -> Floats:
    """14 + log2( 2n / (n_wτ + n_τw') )."""
    both = table.sums(table.lexeme, table.path) + table.sums(table.path, table.context)
    return np.asarray(14 + np.log2(2 * table.count / both), dtype=np.float64)


def _all_weights(table: Table, scheme: str, shift: float, smoothing: dict[str, Any]) -> Floats:
    """The scheme's weight of every row, nothing hidden."""
    if scheme in OF_PMI:
        pmi = _pmi(table, **smoothing) - np.log(shift)
        return np.asarray(table.count * pmi if scheme == "lmi" else pmi, dtype=np.float64)
    plain: dict[str, Callable[[], Floats]] = {
        "raw_count": lambda: table.count.astype(np.float64),
        "probability": lambda: table.count / table.sums(table.lexeme),
        "log_dice": lambda: _log_dice(table),
        "log_likelihood": lambda: _log_likelihood(table),
    }
    return plain[scheme]()


def _ranks(texts: list[str]) -> Ints:
    """The place of each text in the order of their code points."""
    return np.unique(np.array(texts, dtype=np.str_), return_inverse=True)[1].astype(np.int64)


def _heaviest(table: Table, rows: Ints, weights: Floats, most: int, *, along_paths: bool) -> Bools:
    """Whether a row is among the `most` heaviest of its lexeme, or of its lexeme along its path.

    Ties (12 digits) by frequency, context, path.
    """
    context, path, lexeme = table.context[rows], table.path[rows], table.lexeme[rows]
    texts = (_ranks(table.paths)[path], _ranks(table.lexemes)[context])
    group = lexeme * len(table.paths) + path if along_paths else lexeme
    ranked = np.lexsort((*texts, -table.frequency[context], -np.round(weights, 12), group))
    in_order = group[ranked]
    place = np.arange(rows.size) - np.searchsorted(in_order, in_order)
    kept: Bools = np.zeros(rows.size, dtype=np.bool_)
    kept[ranked[place < most]] = True
    return kept


def weigh(
    table: Table,
    scheme: str,
    *,
    shift: float = 1.0,
    min_count: int = 0,
    min_feature_count: int = 0,
    max_order: int | None = None,
    min_frequency: int = 0,
    top_features: int | None = None,
    top_features_per_path: int | None = None,
    **smoothing: Any,
) -> tuple[Ints, Floats]:
    """The rows of the table that the filters leave, and their weights (meaning.md 4.2); the marginals stay whole."""
    weights = _all_weights(table, scheme, shift, smoothing)
    shown = (table.count >= min_count) & (table.sums(table.path, table.context) >= min_feature_count)
    shown &= table.frequency[table.lexeme] >= min_frequency
    if max_order is not None:
        shown &= table.order[table.path] <= max_order
    if scheme == "ppmi":
        shown &= weights > 0
    rows = np.flatnonzero(shown).astype(np.int64)
    kept: Bools = np.ones(rows.size, dtype=np.bool_)
    for most, along_paths in ((top_features, False), (top_features_per_path, True)):
        if most is not None:
            kept &= _heaviest(table, rows, weights[rows], most, along_paths=along_paths)
    return rows[kept], weights[rows[kept]]
