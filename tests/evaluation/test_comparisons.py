"""Settings that are compared: halves, paired intervals beside numpy's, accuracy within pairs, and what is stored."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from aptdb import InterpretationWarning, Lexicon, QuestionError
from aptdb.core.phrase import Phrase
from aptdb.evaluation.datasets import DataSet, Item, read_dataset
from aptdb.evaluation.evaluate import Setting, compare_settings, halves
from aptdb.evaluation.resampling import RESAMPLES, agreement
from aptdb.evaluation.scoring import Judgement, Measured, averaged, difference, measure
from aptdb.evaluation.views import notes_on, readable
from support.commands import ask
from support.corpora import tree
from support.lexicons import lexicon_of
from support.runs import examples

WORDS = [f"w{number}" for number in range(14)]


def pairs_of(ratings: list[int]) -> DataSet:
    """A data set of pairs of words."""
    items = (
        Item("all", Phrase(f"{word}/"), Phrase("x/"), ((None, float(at)),))
        for word, at in zip(WORDS, ratings, strict=True)
    )
    return DataSet("pairs", "word-pairs", tuple(items))


def measured(data: DataSet, scores: list[float], lacking: set[int], missing: str) -> Measured:
    """ρ of scores; the items at some places lack a word."""
    judgements = [Judgement(item, (item.a.lexeme,) if at in lacking else ()) for at, item in enumerate(data.items)]
    named = {each.pair(): score for each, score in zip(judgements, scores, strict=True)}
    (found,) = measure(data, judgements, named, method="mean", missing=missing, seed=3)
    return found


@examples(20)
@given(
    st.lists(st.integers(0, 3), min_size=14, max_size=14),
    st.lists(st.integers(0, 9), min_size=14, max_size=14),
    st.lists(st.integers(0, 9), min_size=14, max_size=14),
    st.sets(st.integers(0, 13), max_size=4),
)
def test_paired_intervals_are_numpys(ratings: list[int], one: list[int], other: list[int], lacking: set[int]) -> None:
    """The twin draws the same items for both, repeats them, and lets scipy rank them."""
    data = pairs_of(ratings)
    first = measured(data, [*map(float, one)], lacking, "skip_item")
    second = measured(data, [*map(float, other)], set(), "skip_item")
    value, low, high = difference(first, second)
    kept = [at for at in range(14) if at not in lacking]
    columns = [np.array([values[at] for at in kept], dtype=float) for values in (one, other, ratings)]

    def rho(scores: Any, people: Any) -> float:
        constant = len(set(scores)) == 1 or len(set(people)) == 1
        return np.nan if constant else float(spearmanr(scores, people).statistic)

    expected = rho(columns[0], columns[2]) - rho(columns[1], columns[2])
    if np.isnan(expected):
        assert value is None
        return
    assert value == pytest.approx(expected)
    chance, drawn = np.random.default_rng(3), []
    for _ in range(RESAMPLES):
        places = chance.integers(0, len(kept), len(kept))
        x, y, people = (column[places] for column in columns)
        drawn.append(rho(x, people) - rho(y, people))
    defined = [each for each in drawn if not np.isnan(each)]
    if len(defined) >= 0.95 * RESAMPLES:
        assert (low, high) == pytest.approx(tuple(np.quantile(defined, [0.025, 0.975])))
    else:
        assert low is None


def test_agreement_by_hand() -> None:
    rated = [[(0.5, [("p", 1)]), (0.2, [("p", 5)])], [(0.1, [("p", 1)]), (0.3, [("p", 7)])], [(0.1, [("p", 2)])] * 2]
    assert agreement(rated[:2], 1).rho == 0
    assert agreement(rated[1:], 1).rho == 1
    assert agreement([rated[1], [(0.4, [("p", 3)]), (0.4, [("p", 2)])]], 1).rho == 0.5
    assert agreement(rated[2:], 1).undefined == "no two items share a phrase and have different mean ratings"
    low, high = agreement([*rated[:2] * 8], 1).low, agreement([*rated[:2] * 8], 1).high
    assert low is not None
    assert high is not None
    assert -1 < low < 0 < high < 1


@examples(20)
@given(st.integers(0, 99), st.integers(2, 14))
def test_halves_have_half_of_each_part(seed: int, number: int) -> None:
    items = tuple(
        Item(part, Phrase(f"{word}/"), Phrase(f"{at}/"), ((None, 1.0),))
        for part in ("n", "v")
        for word in WORDS[:number]
        for at in (0, 1)
    )
    for format, share in (("word-pairs", 2), ("verb-landmark", 1)):
        data = DataSet("some", format, items)
        chosen, rest = halves(data, seed)
        assert sorted(map(str, (*chosen.items, *rest.items))) == sorted(map(str, items))
        assert halves(data, seed) == (chosen, rest)
        groups = {str(item.a) for item in chosen.items if item.part == "n"}
        if format == "verb-landmark":
            assert len(groups) == number // 2
            assert not groups & {str(item.a) for item in rest.items if item.part == "n"}
        else:
            assert sum(item.part == "n" for item in chosen.items) == share * number // 2


def test_a_difference_is_from_the_setting_that_is_named() -> None:
    """And the setting that was chosen elsewhere is the best, whatever it does here."""
    data = pairs_of([*range(14)])
    tried = [
        Setting({}, {"all": measured(data, [float(at) for at in order], set(), "zero")}, choosing)
        for order, choosing in (([*range(14)], 0.1), ([1, 0, *range(2, 14)], 0.9), ([*range(14)][::-1], 0.3))
    ]
    rhos = [each.rho("all") or 0.0 for each in tried]
    for against, place in ((None, 0), ("best", 0), ("first", 0), (3, 2)):
        rows = compare_settings(tried, "all", against, by_choosing=False)
        assert [row["difference"] for row in rows] == pytest.approx([rho - rhos[place] for rho in rhos])
        assert [row["best"] for row in rows] == [True, False, False]
    rows = compare_settings([*tried, Setting({}, "it fails")], "all", None, by_choosing=True)
    assert [row["best"] for row in rows] == [False, True, False, False]
    assert [row["choosing_rho"] for row in rows] == [0.1, 0.9, 0.3, None]
    assert [row["tried"] for row in rows] == [4] * 4
    assert rows[3]["difference"] is None


def test_averages_differ_by_the_mean_difference_of_their_parts() -> None:
    data = pairs_of([*range(14)])
    orders = ([*range(14)], [1, 0, *range(2, 14)], [*range(14)][::-1])
    first, second, third = (measured(data, [float(at) for at in order], set(), "zero") for order in orders)
    value, *interval = difference(averaged([first, second]), averaged([third, first]))
    apart = [difference(*pair)[0] or 0.0 for pair in ((first, third), (second, first))]
    assert value == pytest.approx(sum(apart) / 2)
    assert None not in interval


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few sentences."""
    words = [("green", "leaf"), ("green", "shoot"), ("long", "shoot"), ("long", "tour"), ("old", "leaf")]
    sentences = [
        tree(f"{adjective} {adjective} ADJ 2 amod, {noun} {noun} NOUN 3 nsubj, {verb} {verb} VERB 0 root")
        for (adjective, noun), verb in zip(words, ("grow", "fall", "grow", "begin", "fall"), strict=True)
    ]
    return lexicon_of(tmp_path_factory.mktemp("said") / "said", {"said": sentences})


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A data set of pairs of these words."""
    file = tmp_path / "pairs.txt"
    file.write_text("leaf-n shoot-n 5\nleaf-n tour-n 1\nshoot-n tour-n 4\ngrow-v fall-v 3\ngrow-v begin-v 2\n")
    return file


@pytest.mark.thorough
def test_settings_are_chosen_on_one_half_and_reported_on_the_other(said: Path, pairs: Path) -> None:
    with Lexicon.open(said) as lexicon:
        answer = lexicon.eval.evaluate(
            pairs,
            settings=[{"shift": 1.5}, {"weights": "raw_count"}, {"phi": "harmonic", "shift": 1}],
            choose_on="half",
        )
        whole = [row for row in answer if row["part"] == "all"]
        assert [row["shift"] for row in whole] == [1.5, None, 1]
        assert {row["tried"] for row in answer} == {3}
        chosen, rest = halves(read_dataset(pairs), 1)
        assert {row["items"] for row in whole} == {len(rest.items)}
        alone = lexicon.eval.evaluate(rest, weights="raw_count", record=False)
        assert [row["rho"] for row in alone] == [row["rho"] for row in answer if row["weights"] == "raw_count"]
        choosing = lexicon.eval.evaluate(chosen, weights="raw_count", record=False)
        assert whole[1]["choosing_rho"] == next(row["rho"] for row in choosing if row["part"] == "all")
        stored = lexicon.eval.evaluations()
        assert all("chosen_on := 'half', tried := 3" in row["parameters"] for row in stored)
        assert "3 settings tried; * was chosen on items other than these" in notes_on(answer)
        assert readable(answer).columns[:2] == ("setting", "weights")
        grid = lexicon.eval.evaluate(pairs, shift=[1, 1.5], record=False)
        assert (
            "2 settings tried; the best of several looks better than it is (--choose-on half avoids this)"
            in notes_on(grid)
        )


def test_a_data_set_does_not_choose_for_itself(said: Path, pairs: Path) -> None:
    with Lexicon.open(said) as lexicon:
        with pytest.raises(QuestionError, match="settings would be chosen and reported on"):
            lexicon.eval.evaluate(pairs, shift=[1, 2], choose_on=[pairs])
        with pytest.raises(QuestionError, match="too few items to choose on half"):
            lexicon.eval.evaluate(
                DataSet("one", "word-pairs", read_dataset(pairs).items[:1]), shift=[1, 2], choose_on="half"
            )


@pytest.mark.thorough
def test_comparisons_by_commands(said: Path, pairs: Path) -> None:
    done = ask("eval", "ratings", said, pairs, "--setting", "shift=1.5", "--setting", "default", "--against", "1")
    assert done.stdout.splitlines()[0].endswith("shift\tbest\tdifference\tdifference_low\tdifference_high")
    for setting, expected in (
        ("shift=1,shift=2", "shift is given twice, as 1 and 2"),
        ("shft=1", "unknown parameter shft"),
        ("shift", "'shift' is not NAME=VALUE, e.g. shift=10"),
        ("aligned=maybe", "aligned is 'maybe'; expected true or false"),
    ):
        assert expected in ask("eval", "ratings", said, pairs, "--setting", setting).stderr


@pytest.mark.thorough
def test_verbs_with_landmarks_are_known_without_a_header(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text(
        "draw man sword pull 6\ndraw man sword attract 2\nmeet team goal visit 1\nmeet team goal satisfy 7\n"
    )
    with pytest.warns(InterpretationWarning, match="read as verb, subject, object, landmark, rating"):
        data = read_dataset(file)
    assert data.format == "verb-landmark"
    assert str(data.items[0].a) == "draw/VERB[nsubj man/NOUN, obj sword/NOUN]"
