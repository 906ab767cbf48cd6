"""The twin of change (meaning.md 7.5) with numpy: Theil and Sen, Mann and Kendall, quasi-Poisson regression."""

from collections.abc import Iterable
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np
from scipy import stats

from twins.tables import Floats


class Trend(NamedTuple):
    """What is told of a series; None where nothing follows from its points."""

    periods: int
    slope: float | None
    intercept: float | None
    mann_kendall: int | None
    tau: float | None
    z: float | None
    p_value: float | None


def trend(points: Iterable[tuple[float, float]]) -> Trend:
    """The trend of a series of periods and values."""
    period, value = np.array(list(points), dtype=np.float64).reshape(-1, 2).T
    n = len(period)
    if n < 2:
        return Trend(n, None, None, None, None, None, None)
    time, change = (np.subtract.outer(each, each) for each in (period, value))
    onwards = time > 0
    s = int(np.sign(change)[onwards].sum())
    slope = float(np.median(change[onwards] / time[onwards])) if onwards.any() else None
    intercept = None if slope is None else float(np.median(value) - slope * np.median(period))
    apart = np.count_nonzero(time) * np.count_nonzero(change)
    if not apart:
        return Trend(n, slope, intercept, s, None, None, None)
    z = float((s - np.sign(s)) / sqrt(variance(np.sign(time), np.sign(change))))
    return Trend(n, slope, intercept, s, float(2 * s / sqrt(apart)), z, erfc(abs(z) / sqrt(2)))


def variance(time: Floats, change: Floats) -> float:
    """The variance of S if all orders of the values are as likely, from the signs of all differences (Daniels 1944).

    S is half the sum of the products of signs. Of the products of two of them those with one point in common, and
    those with both, have the same mean; the rest cancel.
    """
    n = len(time)
    shared = [float((each.sum(axis=1) ** 2).sum() - (each**2).sum()) for each in (time, change)]
    both = [float((each**2).sum()) for each in (time, change)]
    of_one = shared[0] * shared[1] / (n * (n - 1) * (n - 2)) if n > 2 else 0.0
    return of_one + both[0] * both[1] / (2 * n * (n - 1))


def growth(period: list[float], count: list[int], size: list[int]) -> tuple[float, float | None]:
    """The growth in a unit of time and the p-value of none: Newton's steps to the best Poisson fit, then the t test.

    Where all frequencies are alike, nothing is to be tested.
    """
    if all(y * size[0] == count[0] * n for y, n in zip(count, size, strict=True)):
        return 0.0, None
    y, n, time = (np.array(each, dtype=np.float64) for each in (count, size, period))
    x = np.column_stack([np.ones_like(y), (time - time.mean()) / np.ptp(time)])
    best = np.array([np.log(y.sum() / n.sum()), 0.0])
    for _ in range(50):
        fitted = n * np.exp(x @ best)
        best = best + np.linalg.solve(x.T * fitted @ x, x.T @ (y - fitted))
    fitted = n * np.exp(x @ best)
    freedom = len(y) - 2
    scale = float(((y - fitted) ** 2 / fitted).sum()) / freedom
    error = float(np.sqrt(scale * np.linalg.inv(x.T * fitted @ x)[1, 1]))
    return float(np.expm1(best[1] / np.ptp(time))), float(2 * stats.t.sf(abs(best[1]) / error, freedom))
