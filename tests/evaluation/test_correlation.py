"""Spearman's ρ in three manners beside scipy's on the same points, worked by hand, and its intervals."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from aptdb.evaluation.resampling import METHODS, Points, Rated, average, correlation
from support.cases import read_cases
from support.runs import examples

PEOPLE = ("p1", "p2", "p3")
# Three items, rated by two people: p1 as the model has it, p2 with the last two exchanged.
BY_HAND: list[Rated] = [(0.1, [("p1", 1), ("p2", 1)]), (0.2, [("p1", 2), ("p2", 3)]), (0.3, [("p1", 3), ("p2", 2)])]
SOLVED = {
    "all": 12
    / 16,  # ranks 1½ 3½ 5½ 1½ 3½ 5½ and 1½ 3½ 5½ 1½ 5½ 3½, less 3½: the products come to 12, the squares to 16
    "per-participant": (1 + 0.5) / 2,
    "mean": 1.5 / 3**0.5,  # ratings 1, 2½, 2½: ranks less their mean −1 ½ ½ beside −1 0 1
}


@st.composite
def rated(draw: st.DrawFn) -> list[Rated]:
    """Items, each with a score of few different ones and the ratings of some people."""
    rating = st.dictionaries(st.sampled_from(PEOPLE), st.integers(1, 4), min_size=1)
    items = draw(st.lists(st.tuples(st.sampled_from((0.0, 0.25, 0.5, 0.75)), rating), min_size=1, max_size=8))
    return [(score, list(ratings.items())) for score, ratings in items]


def by_scipy(items: list[Rated], method: str) -> float | None:
    """The twin: the points written out, and scipy's ρ of them."""
    groups: dict[str | None, list[tuple[float, float]]] = {}
    for score, ratings in items:
        mean = sum(value for _, value in ratings) / len(ratings)
        for who, value in [(None, mean)] if method == "mean" else ratings:
            groups.setdefault(who if method == "per-participant" else None, []).append((score, value))
    defined = [
        float(spearmanr([score for score, _ in points], [value for _, value in points]).statistic)
        for points in groups.values()
        if all(len(set(column)) > 1 for column in zip(*points, strict=True))
    ]
    return sum(defined) / len(defined) if defined else None


@pytest.mark.parametrize("method", METHODS)
@examples(100)
@given(items=rated())
def test_rho_is_scipys(method: str, items: list[Rated]) -> None:
    found, expected = correlation(items, method, 1), by_scipy(items, method)
    assert (found.rho is None) == (expected is None) == (found.undefined is not None)
    assert found.rho == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@examples(100)
@given(items=rated(), times=st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_a_resample_is_the_items_so_many_times(method: str, items: list[Rated], times: list[int]) -> None:
    repeated = [item for item, number in zip(items, times, strict=False) for _ in range(number)]
    assume(repeated)
    rho = Points.of(items, method).rho(np.array(times[: len(items)]))
    expected = by_scipy(repeated, method)
    assert rho == pytest.approx(np.nan if expected is None else expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("method", METHODS)
def test_worked_by_hand(method: str) -> None:
    assert correlation(BY_HAND, method, 1).rho == pytest.approx(SOLVED[method], abs=1e-12)


@pytest.mark.parametrize(*read_cases("evaluation/undefined"))
def test_what_is_undefined_says_why(items: list[Rated], why: str) -> None:
    for method in METHODS:
        found = correlation(items, method, 1)
        assert (found.rho, found.low, found.high, found.undefined) == (None, None, None, why)


def test_means_that_are_all_the_same() -> None:
    items: list[Rated] = [(0.0, [("p1", 1), ("p2", 3)]), (0.5, [("p1", 2), ("p2", 2)])]
    assert (
        correlation(items, "mean", 1).undefined == "people gave all 2 items the same mean rating, so nothing is ranked"
    )


def test_participants_of_whom_none_ranks_anything() -> None:
    items: list[Rated] = [(0.0, [("p1", 1)]), (0.5, [("p2", 2)])]
    found = correlation(items, "per-participant", 1)
    assert found.undefined == "no participant rated items of different scores differently"
    assert correlation(items, "all", 1).rho == pytest.approx(1)


def test_intervals() -> None:
    chance = np.random.default_rng(3)
    items: list[Rated] = [(score, [("p", score + chance.normal(0, 0.5))]) for score in chance.uniform(0, 1, 60)]
    one, same, other = (correlation(items, "all", seed) for seed in (1, 1, 2))
    assert (one.low, one.high) == (same.low, same.high) != (other.low, other.high)
    assert one.low is not None
    assert one.high is not None
    assert one.rho is not None
    assert -1 <= one.low < one.rho < one.high <= 1
    assert one.resampled.shape == (1000,)
    # Fisher's approximation of the same interval
    half = 1.96 * 1.06 / (60 - 3) ** 0.5
    assert one.low == pytest.approx(np.tanh(np.arctanh(one.rho) - half), abs=0.06)
    assert one.high == pytest.approx(np.tanh(np.arctanh(one.rho) + half), abs=0.06)
    # Where more resamples are undefined than an interval leaves out, there is none.
    barely: list[Rated] = [(float(number == 0), [("p", number)]) for number in range(9)]
    assert correlation(barely, "all", 1).rho is not None
    assert correlation(barely, "all", 1).low is None
    perfect: list[Rated] = [(number, [("p", number)]) for number in range(9)]
    assert correlation(perfect, "all", 1).low == pytest.approx(1)


def test_an_average() -> None:
    one, other = correlation(BY_HAND, "all", 1), correlation(BY_HAND, "mean", 2)
    both = average([one, other], ["one", "other"])
    assert both.rho == pytest.approx((SOLVED["all"] + SOLVED["mean"]) / 2)
    nothing = correlation([], "all", 1)
    assert average([one, nothing], ["one", "other"]).undefined == "ρ of other is undefined"
