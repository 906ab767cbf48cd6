"""Every weight and every measure beside numpy and SciPy: random tables of counts, random vectors, a real lexicon."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from aptdb.core.errors import QuestionError
from aptdb.store.database import Database
from aptdb.store.statements import literal
from support.lexicons import STORED
from support.runs import examples, thorough
from support.weights import arguments
from twins import measures
from twins.measures import MEASURES, contributions, splits_a_tie, tells_apart
from twins.tables import OF_PMI, SCHEMES, Floats, Ints, Table, weigh

LEXEMES = ["b/N", "a/N", "c/N", "d/V", "é/V"]
PATHS = ["", "<r", ">r", "<r>s", "<s>r", "<é<r", ">r>é"]  # after ε in pairs, each with its inverse
INVERSE = [0, 2, 1, 4, 3, 6, 5]
ORDER = [0, 1, 1, 2, 2, 2, 2]
OUTSIDE = [
    ("<zz", "a/N"),
    ("<r", "nobody/N"),
]  # features that no lexeme is counted with, which weights of one's own have
FEATURES = [*OUTSIDE, *((path, context) for path in PATHS for context in LEXEMES)]
TAKING = ("cosine", "euclidean")  # negative weights too
REFUSING = sorted(MEASURES.keys() - {*TAKING})
SYMMETRIC = ("cosine", "lin", "jaccard", "dice", "jensen_shannon", "euclidean")


# Random tables of counts
def table_of(dense: Ints, frequency: list[int]) -> Table:
    """The table of an array [lexeme, path, context]."""
    lexeme, path, context = (places.astype(np.int64) for places in np.nonzero(dense))
    counts = dense[lexeme, path, context]
    return Table(lexeme, path, context, counts, LEXEMES, np.array(frequency), PATHS, np.array(ORDER))


def mirrored(half: Ints) -> Ints:
    """Counts [lexeme, path, context] from those along ε and the first of each pair of paths: ⟨w,τ,w'⟩ = ⟨w',τ⁻¹,w⟩."""
    dense = np.zeros((len(LEXEMES), len(PATHS), len(LEXEMES)), dtype=np.int64)
    dense[:, 0] = np.triu(half[0]) + np.triu(half[0], 1).T
    for number, counts in enumerate(half[1:]):
        dense[:, 2 * number + 1] = counts
        dense[:, 2 * number + 2] = counts.T
    return dense


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A symmetric table, every lexeme co-occurring with itself at ε; counts small, or of all sizes up to a million."""
    most = draw(st.sampled_from((2, 9, 1_000_000)))
    size = len(LEXEMES) ** 2 * 4
    cell = st.one_of(st.just(0), st.integers(0, most))
    half = np.array(draw(st.lists(cell, min_size=size, max_size=size)), dtype=np.int64).reshape(4, 5, 5)
    frequency = draw(st.lists(st.integers(1, 4), min_size=5, max_size=5))
    half[0] += np.diag(frequency)
    return table_of(mirrored(half), frequency)


def insert(database: Database, name: str, *columns: Any) -> None:
    """Rows of a table of the store, from its columns in their order."""
    lists = {f"c{number}": np.asarray(column).tolist() for number, column in enumerate(columns)}
    unnested = ", ".join(f"unnest(${parameter})" for parameter in lists)
    merged = ", 0" if name in STORED else ""
    database.run(f"INSERT INTO _store.{name} SELECT {unnested}{merged}", lists)


def fill(database: Database, table: Table) -> None:
    """Make the table the whole of the lexicon; its ids are the numbers of the table, from 1."""
    lexemes, paths = len(LEXEMES), len(PATHS)
    nodes, node = np.unique(table.lexeme * paths + table.path, return_inverse=True)
    with database.transaction():
        for name in STORED:
            database.run(f"DELETE FROM _store.{name}")
        of_word = np.bincount(table.lexeme, table.count, lexemes).astype(int)
        lemmas, tags = zip(*(text.split("/") for text in LEXEMES), strict=True)
        insert(database, "lexeme", np.arange(lexemes) + 1, LEXEMES, lemmas, tags, table.frequency, of_word)
        of_path = np.bincount(table.path, table.count, paths).astype(int)
        insert(database, "path", np.arange(paths) + 1, PATHS, ORDER, np.array(INVERSE) + 1, of_path)
        of_node = np.bincount(node, table.count).astype(int)
        insert(database, "node", np.arange(nodes.size) + 1, nodes // paths + 1, nodes % paths + 1, of_node)
        insert(database, "cooccurrence", table.lexeme + 1, table.path + 1, table.context + 1, table.count)


def close(found: float | None, expected: float | None) -> bool:
    """Equal to 1e-9 of the value, or 0 but for rounding."""
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)


FILTERS = {
    "min_count": st.integers(0, 4),
    "min_feature_count": st.integers(0, 20),
    "max_order": st.integers(0, 2),
    "min_frequency": st.integers(0, 5),
    "top_features": st.integers(1, 6),
    "top_features_per_path": st.integers(1, 3),
}
HEAVIEST = {"top_features", "top_features_per_path"}
OF_PATHS = {"scope", "max_order", "top_features_per_path"}
SMOOTHING = {
    "cds": st.sampled_from((1.0, 0.75, 0.5, 0.1)),
    "cds_total": st.sampled_from(("power_of_sum", "sum_of_powers")),
    "scope": st.sampled_from(("path", "all")),
    "shift": st.sampled_from((1, 2.5, 10)),
}


@st.composite
def weightings(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A scheme and some of the parameters that it takes."""
    scheme = draw(st.sampled_from(SCHEMES))
    taken = {**FILTERS, **(SMOOTHING if scheme in OF_PMI else {})}
    return scheme, draw(st.fixed_dictionaries({}, optional=taken))


def as_dict(table: Table, rows: Ints, weights: Floats) -> dict[tuple[str, str, str], float]:
    """The twin's weights by text."""
    texts = (
        (table.lexemes[w], table.paths[t], table.lexemes[c])
        for w, t, c in zip(table.lexeme[rows], table.path[rows], table.context[rows], strict=True)
    )
    return dict(zip(texts, weights.tolist(), strict=True))


@pytest.mark.thorough
@examples(12)
@given(tables(), st.lists(weightings(), min_size=1, max_size=6))
def test_every_scheme_on_random_counts(memory: Database, table: Table, asked: list[tuple[str, dict[str, Any]]]) -> None:
    fill(memory, table)
    for scheme, parameters in asked:
        whole = weigh(table, scheme, **{**parameters, **dict.fromkeys(HEAVIEST)})[1]
        assume(not parameters.keys() & HEAVIEST or not splits_a_tie(whole))
        expected = as_dict(table, *weigh(table, scheme, **parameters))
        rows = memory.rows(f"FROM {scheme}({arguments(parameters)})")
        found = {(row[0], row[1], row[2]): row[3] for row in rows}
        assert len(found) == len(rows)
        for key in found.keys() | expected.keys():  # a ppmi of 0 but for rounding may be no row
            assert close(found.get(key, 0.0), expected.get(key, 0.0)), (scheme, parameters, key)


def without_paths(table: Table) -> Table:
    """The table of #⟨w, *, w'⟩: all paths are ε."""
    key, group = np.unique(table.lexeme * len(table.lexemes) + table.context, return_inverse=True)
    count = np.rint(np.bincount(group, weights=table.count)).astype(np.int64)
    lexeme, context = key // len(table.lexemes), key % len(table.lexemes)
    return Table(lexeme, np.zeros_like(key), context, count, table.lexemes, table.frequency, [""], np.array([0]))


@pytest.mark.thorough
@examples(12)
@given(tables(), st.lists(weightings(), min_size=1, max_size=4))
def test_every_scheme_without_paths(memory: Database, table: Table, asked: list[tuple[str, dict[str, Any]]]) -> None:
    fill(memory, table)
    flat = without_paths(table)
    for scheme, given_parameters in asked:
        parameters = {key: value for key, value in given_parameters.items() if key not in OF_PATHS}
        whole = weigh(flat, scheme, **{**parameters, "top_features": None})[1]
        assume("top_features" not in parameters or not splits_a_tie(whole))
        expected = as_dict(flat, *weigh(flat, scheme, **parameters))
        rows = memory.rows(f"FROM untyped({arguments({'weights': scheme, **parameters})})")
        found = {(row[0], row[1], row[2]): row[3] for row in rows}
        assert len(found) == len(rows)
        for key in found.keys() | expected.keys():
            assert close(found.get(key, 0.0), expected.get(key, 0.0)), (scheme, parameters, key)


@examples(12)
@given(
    st.lists(st.integers(1, 30_000), min_size=25, max_size=25),
    st.integers(-1, 1),
    st.lists(st.integers(1, 4), min_size=5, max_size=5),
)
def test_log_likelihood_near_independence(memory: Database, sizes: list[int], more: int, frequency: list[int]) -> None:
    """Along <r the counts are products, independent but for one cell that has `more`: G² is 0 or close to it."""
    half = np.zeros((4, 5, 5), dtype=np.int64)
    half[0] = np.diag(frequency)
    half[1] = np.outer(sizes[:5], sizes[5:10])
    half[1, 0, 0] += more
    table = table_of(mirrored(half), frequency)
    fill(memory, table)
    expected = as_dict(table, *weigh(table, "log_likelihood"))
    for *key, found in memory.rows("FROM log_likelihood"):
        assert close(found, expected[key[0], key[1], key[2]]), (key, found)


# Vectors of the user's own
@pytest.fixture(scope="module")
def full(memory: Database) -> Database:
    """A lexicon in which every lexeme is counted with every feature; b/N and c/N are equally frequent."""
    fill(memory, table_of(mirrored(np.ones((4, 5, 5), dtype=np.int64)), [3, 4, 3, 1, 1]))
    return memory


VALUES = st.one_of(st.integers(0, 3).map(float), st.floats(0.001, 1000))


@st.composite
def vectors(draw: st.DrawFn, values: st.SearchStrategy[float] = VALUES) -> Floats:
    """A vector over FEATURES with few of them."""
    vector = np.zeros(len(FEATURES))
    for place, value in draw(st.dictionaries(st.integers(0, len(FEATURES) - 1), values, max_size=12)).items():
        vector[place] = value
    return vector


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Two vectors: any, an empty one, with one feature in common, identical, with nothing in common."""
    a, b = draw(vectors()), draw(vectors())
    kind = draw(st.sampled_from(("any", "any", "any", "empty", "one shared", "identical", "disjoint")))
    if kind == "empty":
        return (a, 0 * b) if draw(st.booleans()) else (0 * a, b)
    if kind == "identical":
        return a, a.copy()
    if kind != "any":
        b[a != 0] = 0
    if kind == "one shared":
        place = draw(st.integers(0, len(FEATURES) - 1))
        a[place], b[place] = draw(st.floats(0.001, 1000)), draw(st.floats(0.001, 1000))
    return a, b


def mine(**named: Floats) -> str:
    """A WITH clause of the vectors of a/N, b/N ... as weights, and some zeros."""
    rows = [
        (f"{name}/N", *FEATURES[place], float(vector[place]))
        for name, vector in named.items()
        for place in range(len(FEATURES))
        if vector[place] != 0 or place % 5 == 0
    ]
    values = ", ".join("(" + ", ".join(literal(value) for value in row) + ")" for row in rows)
    return f"WITH mine AS (SELECT * FROM (VALUES {values}) AS t (lexeme, path, context, weight)) "


def similarity(database: Database, a: Floats, b: Floats, measure: str) -> Any:
    """The similarity of a/N and b/N."""
    asked = f"similarity('a/N', 'b/N', weights := 'mine', measure := '{measure}')"
    return database.rows(f"{mine(a=a, b=b)} SELECT {asked}")[0][0]


@pytest.mark.thorough
@examples(8)
@given(pairs())
def test_similarity(full: Database, both: tuple[Floats, Floats]) -> None:
    assume(tells_apart(*both))
    asked = ", ".join(f"similarity('a/N', 'b/N', weights := 'mine', measure := '{name}')" for name in MEASURES)
    found = full.rows(f"{mine(a=both[0], b=both[1])} SELECT {asked}")[0]
    for measure, value in zip(MEASURES, found, strict=True):
        assert close(value, measures.similarity(*both, measure)), measure


@examples(10)
@given(pairs(), vectors(), st.sampled_from(sorted(MEASURES)), st.integers(1, 3))
def test_neighbours(full: Database, both: tuple[Floats, Floats], c: Floats, measure: str, top: int) -> None:
    a, b = both
    assume(tells_apart(a, b) and tells_apart(a, c))
    expected = [(name, measures.similarity(a, other, measure) or 0.0) for name, other in (("b/N", b), ("c/N", c))]
    assume(not splits_a_tie(np.array([value for _, value in expected])))
    assume(all(value > 1e-12 or value == 0 for _, value in expected))
    expected.sort(key=lambda row: (-round(row[1], 12), row[0]))  # b/N and c/N are equally frequent
    asked = f"neighbours('a/N', weights := 'mine', measure := '{measure}', top := {top})"
    found = full.rows(f"{mine(a=a, b=b, c=c)} FROM {asked}")
    wanted = [row for row in expected if row[1] > 0][:top]
    assert [name for name, _ in found] == [name for name, _ in wanted]
    assert all(close(value, other) for (_, value), (_, other) in zip(found, wanted, strict=True))


def explained(a: Floats, b: Floats, measure: str, top: int) -> list[tuple[Any, ...]]:
    """What explain is to say: path, context, the weight of each, the contribution; the rest in one row."""
    parts = contributions(a, b, measure)
    frequency = dict(zip(LEXEMES, (3, 4, 3, 1, 1), strict=True))
    shared = np.flatnonzero((a != 0) & (b != 0))
    rows: list[tuple[Any, ...]] = [(*FEATURES[i], a[i], b[i], parts[i]) for i in shared]
    rows.sort(key=lambda row: (-round(row[4], 12), -frequency.get(row[1], -1), row[1], row[0]))
    rest = [math.fsum(row[column] for row in rows[top:]) for column in (2, 3, 4)]
    return rows[:top] + ([(None, None, *rest)] if rows[top:] else [])


def check_explanation(database: Database, a: Floats, b: Floats, measure: str, top: int) -> None:
    """The rows of explain are the twin's, and the contributions add up to the similarity."""
    assume(tells_apart(a, b))
    assume(not splits_a_tie(contributions(a, b, measure)))
    asked = f"explain('a/N', 'b/N', weights := 'mine', measure := '{measure}', top := {top})"
    path, context, *numbers = "path", "context", "weight_a", "weight_b", "contribution"
    names, _, found = database.table(f"{mine(a=a, b=b)} FROM {asked}")
    assert names == (path, context, *numbers)
    expected = explained(a, b, measure, top)
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    for row, other in zip(found, expected, strict=True):
        assert all(close(value, wanted) for value, wanted in zip(row[2:], other[2:], strict=True)), (row, other)
    if found:
        parts = [row[4] for row in found]
        rounded = 1e-9 * math.fsum(map(abs, parts))  # each has ten digits, and they may cancel one another out
        assert math.isclose(math.fsum(parts), measures.similarity(a, b, measure) or 0, abs_tol=rounded + 1e-12)


@examples(10)
@given(pairs(), st.sampled_from(sorted(MEASURES)), st.integers(1, 6))
def test_explain(full: Database, both: tuple[Floats, Floats], measure: str, top: int) -> None:
    check_explanation(full, *both, measure, top)


# Negative weights
SIGNED = st.one_of(st.integers(-3, 3).map(float), st.floats(0.001, 1000), st.floats(-1000, -0.001))


@pytest.mark.thorough
@examples(8)
@given(vectors(SIGNED), vectors(SIGNED), st.integers(1, 6))
def test_the_cosine_takes_negative_weights(full: Database, a: Floats, b: Floats, top: int) -> None:
    assert close(similarity(full, a, b, "cosine"), measures.similarity(a, b, "cosine"))
    check_explanation(full, a, b, "cosine", top)


@pytest.mark.thorough
@pytest.mark.parametrize("measure", REFUSING)
@pytest.mark.parametrize("asked", ["SELECT similarity('a/N', 'b/N', {})", "FROM explain('a/N', 'b/N', {})"])
@examples(3)
@given(vectors(), vectors(), st.integers(0, len(FEATURES) - 1), st.booleans())
def test_the_others_refuse_negative_weights(
    full: Database, asked: str, measure: str, a: Floats, b: Floats, place: int, first: bool
) -> None:
    (a if first else b)[place] = -0.5
    assume(a.any() and b.any())
    with pytest.raises(QuestionError, match="takes no negative weights"):
        full.rows(mine(a=a, b=b) + asked.format(f"weights := 'mine', measure := '{measure}'"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("measure", REFUSING)
@pytest.mark.parametrize("negative", ["a", "b"])
def test_neighbours_refuse_negative_weights(full: Database, measure: str, negative: str) -> None:
    given = {"a": of(1, 2), "b": of(3, 4)}
    given[negative][1] = -1
    with pytest.raises(QuestionError, match="takes no negative weights"):
        full.rows(f"{mine(**given)} FROM neighbours('a/N', weights := 'mine', measure := '{measure}')")


# By hand
def of(*values: float) -> Floats:
    """A vector whose first features have these values."""
    vector = np.zeros(len(FEATURES))
    vector[: len(values)] = values
    return vector


# a = (1, 2, 4, 0), b = (3, 1, 0, 2): shared are the first two; Σa = 7, Σb = 6, Σmin = 1 + 1, Σmax = 3 + 2 + 4 + 2
A, B = (1, 2, 4, 0), (3, 1, 0, 2)
BY_HAND = {
    "cosine": (1 * 3 + 2 * 1) / (math.sqrt(1 + 4 + 16) * math.sqrt(9 + 1 + 4)),
    "lin": ((1 + 3) + (2 + 1)) / (7 + 6),
    "jaccard": 2 / 11,
    "dice": 2 * 2 / (7 + 6),
    "weeds_precision": (1 + 2) / 7,
    "weeds_recall": (3 + 1) / 6,
    "cl": 2 / 7,
    "inv_cl": math.sqrt(2 / 7 * (1 - 2 / 6)),
    "euclidean": 1 / (1 + math.sqrt(4 + 1 + 16 + 4)),
    # by rank in a: 4 (not in b), 2, 1; by rank in b: 3, 2, 1. The 2 is half of two that is in b, 3rd of three there
    "apinc": (1 / 2 * (1 - 3 / 4) + 2 / 3 * (1 - 1 / 4)) / 3,
    "bal_apinc": math.sqrt(7 / 13 * (1 / 2 * (1 - 3 / 4) + 2 / 3 * (1 - 1 / 4)) / 3),
    # p = (1, 2, 4, 0) / 7, q = (3, 1, 0, 2) / 6, m = (27, 19, 24, 14) / 84 halfway between them
    "jensen_shannon": 1
    - 1 / 2 * (1 / 7 * math.log2(12 / 27) + 2 / 7 * math.log2(24 / 19) + 4 / 7 * math.log2(2))
    - 1 / 2 * (3 / 6 * math.log2(42 / 27) + 1 / 6 * math.log2(14 / 19) + 2 / 6 * math.log2(2)),
}


def test_every_measure_is_worked_by_hand() -> None:
    assert BY_HAND.keys() == MEASURES.keys()


@pytest.mark.parametrize("measure", MEASURES)
def test_measures_by_hand(full: Database, measure: str) -> None:
    assert measures.similarity(of(*A), of(*B), measure) == pytest.approx(BY_HAND[measure], rel=1e-12)
    assert similarity(full, of(*A), of(*B), measure) == pytest.approx(BY_HAND[measure], rel=1e-9)


@pytest.mark.thorough
def test_the_distance_of_equal_vectors_is_none_and_all_are_ranked(full: Database) -> None:
    """Equal vectors are exactly 1 alike; what shares nothing with the lexeme is ranked under euclidean alone."""
    a, apart = of(0.1, 0.2, 0.3), of(0, 0, 0, 7)
    assert similarity(full, a, a.copy(), "euclidean") == 1
    asked = "neighbours('a/N', weights := 'mine', measure := '{}')"
    rows = full.rows(f"{mine(a=a, b=a.copy(), c=apart)} FROM {asked.format('euclidean')}")
    assert rows[0] == ("b/N", 1.0)
    assert [row[0] for row in rows] == ["b/N", "c/N"]
    assert [row[0] for row in full.rows(f"{mine(a=a, b=a.copy(), c=apart)} FROM {asked.format('cosine')}")] == ["b/N"]


@pytest.mark.thorough
def test_the_order_of_the_words_matters_to_six(full: Database) -> None:
    """Turned round: precision and recall change places, cl is 2/6, inv_cl √(2/6 · (1 − 2/7))."""
    turned = {measure: similarity(full, of(*B), of(*A), measure) for measure in MEASURES}
    assert {measure for measure in MEASURES if not close(turned[measure], BY_HAND[measure])} == (
        MEASURES.keys() - set(SYMMETRIC)
    )
    assert close(turned["weeds_precision"], BY_HAND["weeds_recall"])
    assert close(turned["weeds_recall"], BY_HAND["weeds_precision"])
    assert close(turned["cl"], 2 / 6)
    assert close(turned["apinc"], (1 * (1 - 3 / 4) + 2 / 3 * (1 - 2 / 4)) / 3)
    assert close(turned["inv_cl"], math.sqrt(2 / 6 * (1 - 2 / 7)))


@pytest.mark.thorough
@examples(2)
@given(pairs())
def test_turned_round(full: Database, both: tuple[Floats, Floats]) -> None:
    partner = {name: name for name in SYMMETRIC} | {
        "weeds_precision": "weeds_recall",
        "weeds_recall": "weeds_precision",
    }
    asked = ", ".join(
        f"similarity('a/N', 'b/N', weights := 'mine', measure := '{name}'), "
        f"similarity('b/N', 'a/N', weights := 'mine', measure := '{other}')"
        for name, other in partner.items()
    )
    found = full.rows(f"{mine(a=both[0], b=both[1])} SELECT {asked}")[0]
    assert all(close(one, other) for one, other in zip(found[::2], found[1::2], strict=True))


@pytest.mark.sampled(10)
@pytest.mark.parametrize("measure", MEASURES)
@examples(5)
@given(vectors())
def test_of_a_vector_and_itself(full: Database, measure: str, a: Floats) -> None:
    assume(a.any())
    by_rank = {"apinc", "bal_apinc"}  # which leave 1 to no vector
    expected = measures.similarity(a, a, measure) if measure in by_rank else 1.0
    assert close(similarity(full, a, a, measure), 0.0 if measure == "inv_cl" else expected)


def test_inclusion_of_five_features_by_hand(full: Database) -> None:
    """a = (5, 4, 3, 2, 2), b = (1, 0, 6, 6, 2): the two last of a are both 5th, the two first of b both 2nd.

    Of the features of a that b has, the 1st has 1 of 1 before it, the 3rd 2 of 3, and both 5ths 4 of 5; b has them at
    the 4th, 2nd, 2nd and 3rd place of 4.
    """
    expected = (1 * (1 - 4 / 5) + 2 / 3 * (1 - 2 / 5) + 4 / 5 * (1 - 2 / 5) + 4 / 5 * (1 - 3 / 5)) / 5
    a, b = of(5, 4, 3, 2, 2), of(1, 0, 6, 6, 2)
    assert similarity(full, a, b, "apinc") == pytest.approx(expected, rel=1e-9)
    lin = (5 + 3 + 2 + 2 + 1 + 6 + 6 + 2) / (16 + 15)
    assert similarity(full, a, b, "bal_apinc") == pytest.approx(math.sqrt(lin * expected), rel=1e-9)


def test_log_likelihood_by_hand(memory: Database) -> None:
    """Along <r: b with a 3 times, b with c once, d with a 2 times, d with c 4 times.

            a   c   all          expected: row · column / 10
    b       3   1    4           4 · 5 / 10 = 2     2
    d       2   4    6           6 · 5 / 10 = 3     3
    all     5   5   10
    """
    b, a, c, d = 0, 1, 2, 3
    half = np.zeros((4, 5, 5), dtype=np.int64)
    half[0] = np.eye(5)
    half[1, b, a], half[1, b, c], half[1, d, a], half[1, d, c] = 3, 1, 2, 4
    fill(memory, table_of(mirrored(half), [1] * 5))
    rows = {tuple(row[:3]): row[3] for row in memory.rows("FROM log_likelihood WHERE path = '<r'")}
    g = 2 * (3 * math.log(3 / 2) + 1 * math.log(1 / 2) + 2 * math.log(2 / 3) + 4 * math.log(4 / 3))
    assert g == pytest.approx(chi2_contingency([[3, 1], [2, 4]], correction=False, lambda_="log-likelihood").statistic)
    assert rows == {
        ("b/N", "<r", "a/N"): pytest.approx(g, rel=1e-12),  # 3 > 2
        ("b/N", "<r", "c/N"): pytest.approx(-g, rel=1e-12),  # 1 < 2
        ("d/V", "<r", "a/N"): pytest.approx(-g, rel=1e-12),  # 2 < 3
        ("d/V", "<r", "c/N"): pytest.approx(g, rel=1e-12),  # 4 > 3
    }


# A real lexicon
@pytest.fixture(scope="module")
def real(english: Path) -> Iterator[tuple[duckdb.DuckDBPyConnection, Table]]:
    """The lexicon of both treebanks and all its counts; ids count from 0 here, gaps included."""
    connection = duckdb.connect(str(english), read_only=True)
    ask = connection.execute
    columns = ask("SELECT lexeme_id, path_id, context_id, count FROM _store.cooccurrence").fetchnumpy()
    lexeme, path, context, count = (np.asarray(column).astype(np.int64) for column in columns.values())
    words = {row[0]: row[1:] for row in ask("SELECT id, text, frequency FROM _store.lexeme").fetchall()}
    ways = {row[0]: row[1:] for row in ask("SELECT id, text, path_order FROM _store.path").fetchall()}
    lexemes, frequency = zip(*(words.get(i, ("", 0)) for i in range(max(words) + 1)), strict=True)
    paths, order = zip(*(ways.get(i, ("", 0)) for i in range(max(ways) + 1)), strict=True)
    table = Table(lexeme, path, context, count, list(lexemes), np.array(frequency), list(paths), np.array(order))
    yield connection, table
    connection.close()


REAL: list[tuple[str, dict[str, Any]]] = [
    *((scheme, {}) for scheme in SCHEMES),
    ("pmi", {"cds": 0.75, "cds_total": "sum_of_powers", "shift": 5}),
    ("pmi", {"cds": 0.75, "scope": "all"}),
    ("lmi", {"cds": 0.5, "cds_total": "sum_of_powers", "scope": "all"}),
    ("ppmi", {"min_frequency": 20, "min_count": 2, "min_feature_count": 10, "max_order": 1}),
]


def weights_by_id(connection: duckdb.DuckDBPyConnection, table: Table, relation: str) -> tuple[Ints, Floats]:
    """The keys and weights of a relation, in the order of the keys."""
    found = connection.execute(
        "SELECT l.id, p.id, c.id, w.weight "
        f"FROM {relation} AS w JOIN _store.lexeme AS l ON l.text = w.lexeme "
        "JOIN _store.path AS p ON p.text = w.path JOIN _store.lexeme AS c ON c.text = w.context"
    ).fetchnumpy()
    lexeme, path, context, weight = (np.asarray(column) for column in found.values())
    key = (lexeme.astype(np.int64) * len(table.paths) + path) * len(table.lexemes) + context
    ranked = np.argsort(key)
    return key[ranked], weight[ranked].astype(np.float64)


@pytest.mark.parametrize(("scheme", "parameters"), [REAL[-1], *thorough(REAL[:-1])])
def test_every_weight_of_a_real_lexicon(
    real: tuple[duckdb.DuckDBPyConnection, Table], scheme: str, parameters: dict[str, Any]
) -> None:
    connection, table = real
    keys, found = weights_by_id(connection, table, f"{scheme}({arguments(parameters)})")
    rows, weights = weigh(table, scheme, **parameters)
    ranked = np.argsort(table.key(rows))
    expected, wanted = table.key(rows)[ranked], weights[ranked]
    # What only one of them has is a ppmi of 0 but for rounding.
    assert np.all(np.abs(wanted[~np.isin(expected, keys)]) < 1e-12)
    assert np.all(np.abs(found[~np.isin(keys, expected)]) < 1e-12)
    _, mine, other = np.intersect1d(keys, expected, assume_unique=True, return_indices=True)
    assert mine.size > 1000
    # (The totals that smoothed counts are compared with are sums of thousands of powers, here in another order.)
    np.testing.assert_allclose(found[mine], wanted[other], rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("scheme", ["raw_count", *thorough(["ppmi", "log_likelihood"])])
def test_the_heaviest_features_of_a_real_lexicon(real: tuple[duckdb.DuckDBPyConnection, Table], scheme: str) -> None:
    """Weights equal but for rounding may change places: so the weights by lexeme, not the features; all of counts."""
    connection, table = real
    parameters = {"top_features": 7, "min_frequency": 3}
    keys, found = weights_by_id(connection, table, f"{scheme}({arguments(parameters)})")
    rows, weights = weigh(table, scheme, **parameters)
    if scheme == "ppmi":  # one of 0 but for rounding may be no row
        keys, found = keys[found > 1e-12], found[found > 1e-12]
        rows, weights = rows[weights > 1e-12], weights[weights > 1e-12]
    lexeme = keys // (len(table.paths) * len(table.lexemes))
    ours, theirs = np.lexsort((found, lexeme)), np.lexsort((weights, table.lexeme[rows]))
    assert np.array_equal(lexeme[ours], table.lexeme[rows][theirs])
    np.testing.assert_allclose(found[ours], weights[theirs], rtol=1e-9, atol=1e-12)
    if scheme == "raw_count":
        assert np.array_equal(keys, np.sort(table.key(rows)))
