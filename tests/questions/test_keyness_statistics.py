"""Keyness and change beside their twins and SciPy, as any client of DuckDB finds them in a lexicon."""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

from support.cases import read_cases
from support.lexicons import make_lexicon
from support.runs import examples
from twins import change, keyness
from twins.trees import Token, conllu

COLUMNS = ["place", "count_a", "count_b", "per_million_a", "per_million_b", "g2", "log_ratio", "p_value", "q_value"]
TREND = ["periods", "slope", "intercept", "mann_kendall", "tau", "z", "p_value"]

Pair = tuple[int, int]
Point = tuple[float, float]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A lexicon of one word, opened without aptdb."""
    file = tmp_path_factory.mktemp("keyness") / "small.duckdb"
    corpus = file.with_suffix(".conllu")
    corpus.write_text(conllu([[Token("a", "a", "N", "_", 0, "root")]]), encoding="utf-8")
    make_lexicon(file, corpus)
    with duckdb.connect(str(file), read_only=True) as opened:
        yield opened


def asked(client: duckdb.DuckDBPyConnection, query: str, values: Any) -> list[dict[str, Any]]:
    """The rows of a query by the names of its columns."""
    found = client.execute(query, values)
    return [dict(zip([name for name, *_ in found.description or ()], row, strict=True)) for row in found.fetchall()]


def close(found: float | None, expected: float | None, rel: float = 1e-9, least: float = 1e-12) -> bool:
    """Whether both are undefined, or the same but for rounding."""
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=rel, abs_tol=least)


# Keyness
def found_keyness(
    client: duckdb.DuckDBPyConnection, counts: Sequence[tuple[int | None, int | None]], sizes: str, at_least: int
) -> list[dict[str, Any]]:
    """The rows of _store.keyness_of for counts in two subcorpora, in their order."""
    rows = asked(
        client,
        "WITH _counts AS (SELECT generate_subscripts($a, 1) AS place, unnest($a::BIGINT[]) AS count_a, "
        f"unnest($b::BIGINT[]) AS count_b) FROM _store.keyness_of('_counts', {sizes}, {at_least}) ORDER BY place",
        {"a": [a for a, _ in counts], "b": [b for _, b in counts]},
    )
    assert [row["place"] for row in rows] == [*range(1, len(counts) + 1)]
    return rows


@pytest.mark.thorough
def test_the_tail_of_the_normal_distribution(client: duckdb.DuckDBPyConnection) -> None:
    """To the last digits, of which exp loses z² in its own; also where one approximation takes over from another."""
    ends = [side * end * math.sqrt(2) for end in (15 / 32, 4) for side in (1 - 1e-15, 1, 1 + 1e-15)]
    deviates = [*np.linspace(0, 37, 5000).tolist(), *ends, 1e-300, 1e-9, -0.5, -3, -30.0]
    found = client.execute("SELECT _store.normal_tail(unnest($1::DOUBLE[]))", [deviates]).fetchall()
    expected = 2 * stats.norm.sf(np.abs(deviates))
    lost = np.abs([p for (p,) in found] / expected - 1)
    assert np.all(lost <= np.minimum(1e-12, 1e-15 * (1 + np.square(deviates))))
    assert np.max(np.abs(stats.chi2.sf(np.square(deviates), 1) / expected - 1)) < 1e-12


def test_the_ends_of_the_normal_distribution(client: duckdb.DuckDBPyConnection) -> None:
    ends = "0, 40, 1e200, 'inf'::DOUBLE, NULL"
    found = client.execute(f"SELECT list_transform([{ends}], lambda z: _store.normal_tail(z))").fetchone()
    assert found == ([1.0, 0.0, 0.0, 0.0, None],)


counts_in_subcorpora = st.one_of(st.just(0), st.integers(0, 12), st.integers(0, 10**9))
tables_of_counts = st.lists(st.tuples(counts_in_subcorpora, counts_in_subcorpora), min_size=1, max_size=40)
sizes_of_subcorpora = st.one_of(st.integers(1, 100), st.integers(10**6, 10**12))


@pytest.mark.thorough
@examples(100)
@given(tables_of_counts, sizes_of_subcorpora, sizes_of_subcorpora, st.integers(0, 20))
@example([(1, 10**9), (10**9, 1), (0, 10**9), (0, 1), (1, 0), (0, 0), (7, 7), (7, 7)], 10**9, 10**9, 1)
@example([(3, 0)], 10, 10, 4)  # no item is tested
@example([(1000, 2000), (1001, 2000), (10**9, 2 * 10**9 + 1)], 10**11, 2 * 10**11, 1)  # as often, or nearly
@example([(1, 2), (2, 4), (3, 6), (5, 1)], 10**3, 2 * 10**3, 1)  # pairs of counts that are alike in G²
def test_keyness_equals_the_twin(
    client: duckdb.DuckDBPyConnection, counts: list[Pair], tokens_a: int, tokens_b: int, at_least: int
) -> None:
    rows = found_keyness(client, counts, f"{tokens_a}, {tokens_b}", at_least)
    tested = [row["p_value"] for row in rows if row["count_a"] + row["count_b"] >= at_least]
    q_values = dict(zip(tested, keyness.q_values(tested), strict=True))
    for (a, b), row in zip(counts, rows, strict=True):
        assert [*row] == COLUMNS
        assert (row["count_a"], row["count_b"]) == (a, b)
        g2 = keyness.g2(a, b, tokens_a, tokens_b)
        assert close(row["g2"], g2)
        assert close(row["p_value"], keyness.p_value(g2), 1e-8, 1e-300)
        assert close(row["q_value"], q_values[row["p_value"]] if a + b >= at_least else None, 1e-9, 1e-300)
        assert close(row["log_ratio"], keyness.log_ratio(a, b, tokens_a, tokens_b))
        assert close(row["per_million_a"], a * 1e6 / tokens_a)
        assert close(row["per_million_b"], b * 1e6 / tokens_b)


@examples(50)
@given(tables_of_counts, sizes_of_subcorpora, sizes_of_subcorpora)
def test_keyness_equals_scipy(
    client: duckdb.DuckDBPyConnection, counts: list[Pair], tokens_a: int, tokens_b: int
) -> None:
    """SciPy takes no item that occurs nowhere, and loses digits where a count is nearly what is expected."""
    counts = [pair for pair in counts if any(pair)]
    assume(counts)
    rows = found_keyness(client, counts, f"{tokens_a}, {tokens_b}", 0)
    for (a, b), row in zip(counts, rows, strict=True):
        expected = [tokens / (tokens_a + tokens_b) * (a + b) for tokens in (tokens_a, tokens_b)]
        g2, _ = stats.power_divergence([a, b], expected, lambda_="log-likelihood")
        assert close(row["g2"], float(g2), 1e-9, 1e-14 * (a + b))
        assert close(row["p_value"], float(stats.chi2.sf(row["g2"], 1)), 1e-10, 1e-300)
    discovered = stats.false_discovery_control([row["p_value"] for row in rows], method="bh")
    for row, q_value in zip(rows, discovered, strict=True):
        assert close(row["q_value"], float(q_value), 1e-10, 1e-300)


def test_keyness_worked_by_hand(client: duckdb.DuckDBPyConnection) -> None:
    """Twice as often in a subcorpus of the same size: E is 15, and G² = 2 (20 ln(4/3) + 10 ln(2/3))."""
    twice, only, alike = found_keyness(client, [(20, 10), (4, 0), (5, 5)], "1000, 1000", 1)
    assert close(twice["g2"], 2 * (20 * math.log(4 / 3) + 10 * math.log(2 / 3)))
    assert (twice["per_million_a"], twice["log_ratio"]) == (20_000, pytest.approx(1))
    assert close(only["g2"], 8 * math.log(2))
    assert only["log_ratio"] == pytest.approx(3)  # 4 beside ½
    assert (alike["g2"], alike["log_ratio"], alike["p_value"], alike["q_value"]) == (0, 0, 1, 1)
    assert only["q_value"] == pytest.approx(3 * only["p_value"])  # the strongest of three tests


def test_a_log_ratio_has_the_direction_of_the_frequencies(client: duckdb.DuckDBPyConnection) -> None:
    """½ in 1,000 tokens is more than 20 in 100,000, so a word that is rarer there has no log ratio; one of 60 has."""
    rows = found_keyness(client, [(0, 20), (0, 50), (0, 60), (1, 50), (1, 0), (0, 0)], "1000, 100000", 0)
    assert [row["log_ratio"] for row in rows[:2]] == [None, None]
    assert [row["log_ratio"] for row in rows[2:5]] == pytest.approx([math.log2(5 / 6), 1, math.log2(200)])
    assert rows[5]["log_ratio"] is None
    assert all(row["per_million_a"] < row["per_million_b"] for row in rows[:3])


@pytest.mark.parametrize("sizes", ["0, 5", "5, 0", "0, 0", "NULL, 5", "-5, 5"])
def test_a_subcorpus_without_tokens_has_no_keyness(client: duckdb.DuckDBPyConnection, sizes: str) -> None:
    for row in found_keyness(client, [(3, 1), (0, 2)], sizes, 1):
        assert [row[name] for name in COLUMNS[3:]] == [None] * 6


def test_an_item_without_a_count_is_kept_and_not_tested(client: duckdb.DuckDBPyConnection) -> None:
    counted, lacking = found_keyness(client, [(3, 1), (None, 2)], "9, 9", 1)
    assert counted["q_value"] == counted["p_value"]
    assert (lacking["g2"], lacking["p_value"], lacking["q_value"]) == (None, None, None)


def test_sizes_may_be_asked_of_the_lexicon(client: duckdb.DuckDBPyConnection) -> None:
    """A caller of the macro has them from another relation."""
    sizes = "(SELECT sum(n) FROM range(5) AS numbers (n)), (SELECT 30)"
    assert found_keyness(client, [(3, 1)], sizes, 1) == found_keyness(client, [(3, 1)], "10, 30", 1)


@pytest.mark.thorough
@given(st.lists(st.one_of(st.floats(0, 1), st.sampled_from((0.0, 0.01, 0.5))), min_size=1, max_size=20))
def test_the_twin_of_the_false_discovery_rate_equals_scipy(p_values: list[float]) -> None:
    assert keyness.q_values(p_values) == pytest.approx(stats.false_discovery_control(p_values, method="bh"))


# Change
def found_trends(client: duckdb.DuckDBPyConnection, series: dict[Any, list[Any]]) -> dict[Any, dict[str, Any]]:
    """The rows of _store.trend_of by series."""
    rows = asked(
        client,
        "WITH _points AS (SELECT unnest($series) AS series, unnest($period::DOUBLE[]) AS period, "
        "unnest($value::DOUBLE[]) AS value) FROM _store.trend_of('_points')",
        {
            "series": [name for name, points in series.items() for _ in points],
            "period": [period for points in series.values() for period, _ in points],
            "value": [value for points in series.values() for _, value in points],
        },
    )
    assert len(rows) == len(series)
    return {row.pop("series"): row for row in rows}


few = st.integers(-3, 4).map(float)  # many ties
numbers_of_series = st.floats(-1e6, 1e6).map(lambda number: round(number, 6))
series_of_points = st.one_of(
    st.lists(st.tuples(few, few), min_size=1, max_size=12),
    st.lists(st.tuples(few, numbers_of_series), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(1500, 2100).map(float), numbers_of_series), min_size=1, max_size=30),
)


@examples(100)
@given(st.lists(series_of_points, min_size=1, max_size=5))
@example([[(1.0, 2.0)], [(1.0, 2.0), (2.0, 1.0)], [(1.0, 2.0), (1.0, 3.0)], [(1.0, 5.0), (2.0, 5.0), (3.0, 5.0)]])
@example([[(0.0, -0.0), (-0.0, 0.0), (1.0, 1.0)]])
def test_trends_equal_the_twin(client: duckdb.DuckDBPyConnection, series: list[list[Point]]) -> None:
    rows = found_trends(client, {str(number): points for number, points in enumerate(series)})
    for number, points in enumerate(series):
        row, expected = rows[str(number)], change.trend(points)
        assert [*row] == TREND
        for name, value in expected._asdict().items():
            assert close(row[name], value), (points, name)


@pytest.mark.thorough
@examples(100)
@given(series_of_points)
@example([(0.0, 0.0), *[(1.0, 1.0)] * 4])
def test_trends_equal_scipy(client: duckdb.DuckDBPyConnection, points: list[Point]) -> None:
    """SciPy's z of τ has no continuity correction, S in place of S − 1; of two points it divides by 0."""
    assume(len(points) > 2)
    period, value = zip(*points, strict=True)
    assume(len({*period}) > 1 and len({*value}) > 1)
    row = found_trends(client, {"one": points})["one"]
    with np.errstate(invalid="ignore"):  # of its confidence interval, which has no variance here
        slope, intercept, *_ = stats.theilslopes(value, period)
    tau, p_value = stats.kendalltau(period, value, method="asymptotic")
    assert close(row["slope"], float(slope))
    assert close(row["intercept"], float(intercept), least=1e-8)
    assert close(row["tau"], float(tau))
    s = row["mann_kendall"]
    if abs(s) > 1:
        assert close(2 * float(stats.norm.sf(abs(row["z"] * s / (s - math.copysign(1, s))))), float(p_value))
    else:
        assert (row["z"], row["p_value"]) == (0, 1)


@examples(50)
@given(st.lists(st.tuples(few, few), min_size=2, max_size=6))
def test_the_variance_of_the_twin_is_that_of_all_orders(points: list[Point]) -> None:
    period, values = zip(*points, strict=True)
    time = np.sign(np.subtract.outer(period, period))
    orders = [np.sign(np.subtract.outer(order, order)) for order in permutations(values)]
    every_s = [(time * each).sum() / 2 for each in orders]
    assert change.variance(time, orders[0]) == pytest.approx(np.mean(np.square(every_s)))


def test_trend_worked_by_hand(client: duckdb.DuckDBPyConnection) -> None:
    """Five values that only rise: S is all 10 pairs, its variance 5·4·15 / 18, and z = 9 / √(50/3)."""
    rising = [(1900.0, 1.0), (1910.0, 2.0), (1920.0, 4.0), (1930.0, 7.0), (1940.0, 11.0)]
    row = found_trends(client, {"up": rising})["up"]
    assert (row["periods"], row["mann_kendall"], row["tau"]) == (5, 10, 1)
    assert close(row["slope"], 0.25)  # the median of .1 .15 .2 .2 .25 .25 .3 .3 .35 .4
    assert close(row["intercept"], 4 - 0.25 * 1920)
    assert close(row["z"], 9 / math.sqrt(50 / 3))


def test_points_that_are_no_numbers_do_not_count(client: duckdb.DuckDBPyConnection) -> None:
    good = [(1.0, 2.0), (2.0, 5.0), (4.0, 4.0)]
    bad = [(3.0, None), (None, 1.0), (3.0, math.nan), (math.inf, 1.0)]
    rows = found_trends(client, {"good": good, "mixed": [*bad, *good], "bad": bad})
    assert rows["mixed"] == rows["good"]
    assert rows["bad"] == {**dict.fromkeys(TREND), "periods": 0}


def test_a_series_may_be_of_any_type_and_have_no_name(client: duckdb.DuckDBPyConnection) -> None:
    rising, falling = [(1.0, 1.0), (2.0, 2.0)], [(1.0, 4.0), (2.0, 2.0)]
    rows = found_trends(client, {None: rising, 7: falling})
    assert (rows[None]["slope"], rows[7]["slope"]) == (1, -2)


@pytest.mark.parametrize(*read_cases("questions/numbers_of_periods"))
def test_the_number_of_a_period(client: duckdb.DuckDBPyConnection, period: str, number: float | None) -> None:
    assert client.execute(f"SELECT _store.period_number({period})").fetchone() == (number,)


# What GLM of statsmodels 0.15.0 gives: family Poisson, offset log(size), fit(scale="X2", use_t=True).
BY_STATSMODELS = (*read_cases("questions/growth_by_statsmodels")[1],)


def found_growth(client: duckdb.DuckDBPyConnection, *points: Sequence[float]) -> tuple[float | None, float | None]:
    """The row of _store.growth_of, of periods, counts and sizes."""
    query = (
        "WITH _points AS MATERIALIZED (SELECT unnest($1::DOUBLE[]) AS period, unnest($2::BIGINT[]) AS count, "
        "unnest($3::BIGINT[]) AS size) FROM _store.growth_of('_points')"
    )
    (row,) = client.execute(query, [list(each) for each in points]).fetchall()
    return row


@pytest.mark.parametrize(("period", "count", "size", "growth", "p_value"), BY_STATSMODELS)
def test_growth_equals_statsmodels(
    client: duckdb.DuckDBPyConnection,
    period: list[float],
    count: list[int],
    size: list[int],
    growth: float,
    p_value: float,
) -> None:
    """And so does the twin."""
    for found in (found_growth(client, period, count, size), change.growth(period, count, size)):
        assert [close(found[0], growth), close(found[1], p_value)] == [True, True]


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(1000, 9000)), min_size=3, max_size=8),
    st.sampled_from([0.1, 1, 25]),
)
@examples(20)
def test_growth_equals_the_twin(client: duckdb.DuckDBPyConnection, rows: list[tuple[int, int]], step: float) -> None:
    period, count, size = [n * step for n in range(len(rows))], [y for y, _ in rows], [n for _, n in rows]
    growth, p_value = found_growth(client, period, count, size)
    expected = change.growth(period, count, size)
    assert close(growth, expected[0], rel=1e-7, least=1e-9)
    assert close(p_value, expected[1], rel=1e-5, least=1e-9) or (expected[1] is not None and expected[1] < 1e-6)


@given(st.integers(1, 50), st.integers(51, 9000), st.integers(3, 8), st.sampled_from([0.1, 1, 25]))
@examples(5)
def test_growth_of_what_stays_the_same(
    client: duckdb.DuckDBPyConnection, count: int, size: int, periods: int, step: float
) -> None:
    """It is none, and nothing is left that it could be tested by."""
    growth, p_value = found_growth(client, [n * step for n in range(periods)], [count] * periods, [size] * periods)
    assert (close(growth, 0, least=1e-9), p_value) == (True, None)


@pytest.mark.parametrize(
    "points",
    [
        ([], [], []), ([1], [3], [10]), ([1, 2, 3], [0, 0, 0], [10, 10, 10]), ([1, 1, 1], [1, 2, 3], [10, 10, 10]),
        ([1, 2, 3], [0, 0, 5], [10, 10, 10]),
    ],
)  # fmt: skip
def test_no_growth_follows(client: duckdb.DuckDBPyConnection, points: tuple[list[float], ...]) -> None:
    """From no counts, from one period, or where the growth that fits best is infinite."""
    assert found_growth(client, *points) == (None, None)


@pytest.mark.parametrize(
    ("t", "freedom"), [(0, 3), (0.1, 3), (1, 3), (2, 1), (-2.5, 4), (50, 8), (-3, 100), (1.2, 1000), (30, 400)]
)
def test_the_tail_of_t(client: duckdb.DuckDBPyConnection, t: float, freedom: int) -> None:
    (found,) = client.execute("SELECT _store.t_tail($1::DOUBLE, $2::BIGINT)", [t, freedom]).fetchone() or (None,)
    assert close(found, float(2 * stats.t.sf(abs(t), freedom)), rel=1e-8, least=0)


@pytest.mark.parametrize(("count", "size"), [(0, 1), (1, 1), (15, 15), (3, 10), (0, 50), (499, 500), (7, 100_000)])
def test_the_interval_of_a_share(client: duckdb.DuckDBPyConnection, count: int, size: int) -> None:
    """Beside SciPy; of nothing there is none."""
    expected = stats.binomtest(count, size).proportion_ci(method="wilson")
    query = "SELECT _store.wilson($1, $2, -1), _store.wilson($1, $2, 1), _store.wilson(0, 0, 1)"
    low, high, none = client.execute(query, [count, size]).fetchone() or (None, None, None)
    assert [close(low, float(expected.low)), close(high, float(expected.high)), none] == [True, True, None]
    assert 0 <= low <= high <= 1
