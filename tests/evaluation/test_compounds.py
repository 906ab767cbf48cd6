"""How literal compounds are, and what entails what: numbers by hand, beside SciPy, and on data sets."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from aptdb import Lexicon, QuestionError
from aptdb.evaluation.resampling import average_precision, correlated, partially_correlated, with_interval
from support.commands import ask
from support.runs import examples


def of(*values: float) -> Any:
    """An array of numbers."""
    return np.array(values, dtype=np.float64)


def test_average_precision_of_five_by_hand() -> None:
    """By score: yes, no, yes, no, yes: (1/1 + 2/3 + 3/5) / 3. Equal scores are one place, the last of them."""
    labels = of(1, 0, 1, 0, 1)
    assert average_precision(of(5, 4, 3, 2, 1), labels) == pytest.approx((1 + 2 / 3 + 3 / 5) / 3)
    assert average_precision(of(5, 3, 3, 3, 1), labels) == pytest.approx((1 + 2 / 4 + 3 / 5) / 3)
    assert average_precision(of(0, 0, 0, 0, 0), labels) == pytest.approx(3 / 5)
    assert math.isnan(average_precision(of(1, 2), of(0, 0)))


def test_partial_rho_of_five_by_hand() -> None:
    """Ranks 1 to 5; the squares of their differences: 4 of a and b, 2 of a and c, 2 of b and c. ρ is 1 − 6·d/120."""
    a, b, c = of(1, 2, 3, 4, 5), of(20, 10, 30, 50, 40), of(1, 2, 3, 5, 4)
    ab, ac, bc = 1 - 6 * 4 / 120, 1 - 6 * 2 / 120, 1 - 6 * 2 / 120
    expected = (ab - ac * bc) / math.sqrt((1 - ac**2) * (1 - bc**2))
    assert correlated(a, b) == pytest.approx(ab)
    assert partially_correlated(a, b, c) == pytest.approx(expected)
    assert math.isnan(partially_correlated(a, b, b))
    assert math.isnan(correlated(a, of(1, 1, 1, 1, 1)))


def residuals(values: Any, given_values: Any) -> Any:
    """What a line through the ranks of the second column leaves of those of the first."""
    one, other = rankdata(values), rankdata(given_values)
    slope, base = np.polyfit(other, one, 1)
    return one - (slope * other + base)


numbers = st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=6, max_size=20)


@examples(50)
@given(numbers)
def test_correlations_are_those_of_scipy(rows: list[tuple[int, int, int]]) -> None:
    """The partial ρ is the correlation of what regression leaves of the ranks."""
    a, b, c = (of(*column) for column in zip(*rows, strict=True))
    if min(map(np.ptp, (a, b, c))) == 0:
        return
    assert correlated(a, b) == pytest.approx(float(spearmanr(a, b).statistic))
    one, other = residuals(a, c), residuals(b, c)
    if min(float(one @ one), float(other @ other)) > 1e-9:
        expected = float(one @ other) / math.sqrt(float(one @ one) * float(other @ other))
        assert partially_correlated(a, b, c) == pytest.approx(expected, abs=1e-9)


def test_an_interval_needs_what_can_be_measured() -> None:
    assert [*with_interval(correlated, [of(*range(20)), of(*range(20))], 1)] == pytest.approx([1, 1, 1])
    assert with_interval(correlated, [of(), of()], 1) == (None, None, None)
    assert with_interval(correlated, [of(1, 2), of(1, 2)], 1)[1:] == (None, None)


COMPOUNDS = [("state", "council"), ("world", "part"), ("minority", "community"), ("rose", "leaf"), ("bean", "leaf"),
             ("lemon", "soup"), ("string", "band"), ("hockey", "field")]  # fmt: skip


@pytest.mark.thorough
def test_compounds_beside_their_frequency(demo: Path, tmp_path: Path) -> None:
    """Each row is ρ of what compositionality gives of the compounds that occur."""
    ratings_of = [(at, at % 3, at * at % 7) for at in range(len(COMPOUNDS))]
    rated = [(*words, *own) for words, own in zip(COMPOUNDS, ratings_of, strict=True)]
    file = tmp_path / "compounds.tsv"
    lines = ["\t".join(map(str, row)) for row in [*rated, ("no", "leaf", 1, 1, 1), ("leaf", "part", 1, 1, 1)]]
    file.write_text("\n".join(lines), encoding="utf-8")
    with Lexicon.open(demo) as lexicon:
        answer = lexicon.eval.evaluate(file, merge="min")
        phrases = [f"{two}/NOUN[compound {one}/NOUN]" for one, two in COMPOUNDS]
        observed = lexicon.compositionality(phrases, merge="min")
        with pytest.raises(QuestionError, match=r"merge is .*; with this data set it is one value"):
            lexicon.eval.evaluate(file, merge=["min", "sum"])
        with pytest.raises(QuestionError, match=r"compounds.tsv is of compounds, which takes no method; leave it out"):
            lexicon.eval.evaluate(file, method="mean")
        with pytest.raises(QuestionError, match="evaluate takes no anchor with this data set"):
            lexicon.eval.evaluate(file, anchor=1)
    assert len(answer) == 12
    for row in answer:
        ratings = of(*(each[("dependent", "head", "compound").index(row["part"])] for each in ratings_of))
        values = of(*observed.column(row["score"]))
        assert row["rho"] == pytest.approx(float(spearmanr(values, ratings).statistic))
        if row["score"] != "log_frequency":
            frequency = of(*observed.column("log_frequency"))
            assert row["partial"] == pytest.approx(partially_correlated(values, ratings, frequency))
        assert (row["items"], row["missing"], row["absent"]) == (8, 1, 1)
        assert row["occurrences"] == sum(observed.column("occurrences"))
    assert "8 compounds of 10 occur, 47 times in all" in ask("eval", "ratings", demo, file, "--format", "table").stderr


@pytest.mark.thorough
def test_entailment_beside_frequency(demo: Path, tmp_path: Path) -> None:
    """Each row is made of the similarities of its pairs, one by one."""
    pairs = [("rose", "flower", "yes"), ("leaf", "part", "no"), ("soup", "food", "yes"), ("band", "soup", "no")]
    file = tmp_path / "pairs.tsv"
    lines = ["word1\tword2\tlabel", *map("\t".join, pairs), "nosuch\tleaf\tno"]
    file.write_text("\n".join(lines), encoding="utf-8")
    with Lexicon.open(demo) as lexicon:
        known = [each for each in pairs if all(f"{word}/NOUN" in lexicon for word in each[:2])]
        answer = {row["score"]: row for row in lexicon.eval.evaluate(file, shift=2)}
        assert [*answer][-4:] == ["cosine", "frequency", "cosine_frequency", "base_rate"]
        labels = of(*(label == "yes" for *_, label in known))
        scores = [*answer][:-3]
        for score in scores:
            values, turned = (
                of(*(lexicon.similarity(*each, measure=score, shift=2) or 0 for each in asked))
                for asked in (
                    [(f"{a}/NOUN", f"{b}/NOUN") for a, b, _ in known],
                    [(f"{b}/NOUN", f"{a}/NOUN") for a, b, _ in known],
                )
            )
            assert answer[score]["average_precision"] == pytest.approx(average_precision(values, labels))
            right = [a > b or (a == b) / 2 for a, b, label in zip(values, turned, labels, strict=True) if label]
            assert answer[score]["direction"] == (None if score == "cosine" else sum(right) / len(right))
        often = of(*(math.log(lexicon[f"{b}/NOUN"].frequency / lexicon[f"{a}/NOUN"].frequency) for a, b, _ in known))
        assert answer["frequency"]["average_precision"] == pytest.approx(average_precision(often, labels))
        assert answer["base_rate"]["average_precision"] == labels.mean()
        numbers = [answer["cl"][name] for name in ("items", "positive", "missing")]
        assert numbers == [len(known), int(labels.sum()), 5 - len(known)]
        assert lexicon.eval.evaluate(file, measure="apinc").column("score") == [
            "apinc", "cosine", "frequency", "cosine_frequency", "base_rate"
        ]  # fmt: skip
    assert "direction is the share" in ask("eval", "ratings", demo, file, "--format", "table").stderr


@pytest.mark.thorough
def test_graded_entailment_beside_frequency(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "graded.tsv"
    with Lexicon.open(demo) as lexicon:
        nouns = lexicon.lexemes(pos="NOUN", top=10).column("lexeme")
        pairs = [*zip(nouns, nouns[3:], strict=False)]
        ratings = of(*(float(3 * number % 7) for number in range(len(pairs))))
        lines = [f"{a}\t{b}\t{rating}" for (a, b), rating in zip(pairs, ratings, strict=True)]
        file.write_text("\n".join(["word1\tword2\tscore", *lines, "nosuch/NOUN\tleaf/NOUN\t9"]), encoding="utf-8")
        answer = {row["score"]: row for row in lexicon.eval.evaluate(file, format="graded-entailment", shift=2)}
        often = of(*(math.log(lexicon[b].frequency / lexicon[a].frequency) for a, b in pairs))
        values = of(*(lexicon.similarity(a, b, measure="cl", shift=2) or 0 for a, b in pairs))
        with pytest.raises(QuestionError, match=r"graded.tsv is of graded-entailment, which takes no method"):
            lexicon.eval.evaluate(file, format="graded-entailment", method="mean")
    assert [*answer][-4:] == ["bal_apinc", "cosine", "frequency", "cosine_frequency"]
    assert answer["frequency"]["rho"] == pytest.approx(float(spearmanr(often, ratings).statistic))
    assert answer["frequency"]["partial"] is None
    assert answer["cl"]["rho"] == pytest.approx(float(spearmanr(values, ratings).statistic))
    assert answer["cl"]["partial"] == pytest.approx(partially_correlated(values, ratings, often))
    assert [answer["cl"][name] for name in ("items", "missing")] == [len(pairs), 1]
    table = ask("eval", "ratings", demo, file, "--as", "graded-entailment", "--format", "table")
    assert "partial: ρ given frequency" in table.stderr
