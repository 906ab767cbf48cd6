"""The plain twin of keyness (meaning.md 7.4): two counts in two subcorpora, and many tests at once."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from math import erfc, log2, sqrt


def g2(a: int, b: int, tokens_a: int, tokens_b: int) -> float:
    """2 Σ O ln(O/E) over the two counts, with sixty digits, as its terms all but cancel where both are near E."""
    with localcontext(prec=60):
        expected = [Decimal(tokens) * (a + b) / (tokens_a + tokens_b) for tokens in (tokens_a, tokens_b)]
        cells = zip((Decimal(a), Decimal(b)), expected, strict=True)
        return float(2 * sum((count * (count / e).ln() for count, e in cells if count), Decimal(0)))


def log_ratio(a: int, b: int, tokens_a: int, tokens_b: int) -> float | None:
    """The logarithm of how many times as frequent it is in a, where a count of 0 stands as one half.

    None where one half says that it is as frequent where it is not, or more so, and where it is nowhere.
    """
    with_half = log2((a or 0.5) * tokens_b / ((b or 0.5) * tokens_a))
    side = a * tokens_b - b * tokens_a
    return None if 0 in (a, b) and with_half * side <= 0 else with_half


def p_value(g: float) -> float:
    """How likely a χ² with one degree of freedom is to be as large."""
    return erfc(sqrt(g / 2))


def q_values(p_values: Sequence[float]) -> list[float]:
    """Benjamini & Hochberg: the least share of false discoveries at which a test is one of those discovered.

    At the limit p all tests with at most that p are discovered, and of them len(p_values) * p are false by chance.
    """
    shares = {p: p * len(p_values) / sum(other <= p for other in p_values) for p in p_values}
    return [min(share for limit, share in shares.items() if limit >= p) for p in p_values]
