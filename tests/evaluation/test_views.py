"""How people see evaluations: rows, grids, compared settings and what is noted, by hand and without a lexicon."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from aptdb.core.phrase import Phrase
from aptdb.evaluation import other_scores
from aptdb.evaluation.datasets import Item
from aptdb.evaluation.evaluate import DIFFERENCES
from aptdb.evaluation.resampling import average_precision, correlated, partially_correlated
from aptdb.evaluation.scoring import Judgement
from aptdb.evaluation.task import Evaluated, Task, as_result
from aptdb.evaluation.views import as_in_the_paper, lists_for_reading, notes_on, readable

PAIRS = (("rose", "flower"), ("flower", "rose"), ("leaf", "part"), ("soup", "food"), ("band", "soup"))
FEW_RESAMPLES = "ρ is undefined in more than 50 of its 1,000 resamples"


def row(part: str, rho: float | None, low: float | None = None, **others: Any) -> dict[str, Any]:
    """A row of an evaluation, as it is stored."""
    common = {
        "dataset": "pairs",
        "method": "all",
        "merge": "sum",
        "weights": "ppmi",
        "parameters": "",
        "missing_as": "",
    }
    numbers = {"rho": rho, "low": low, "high": None if low is None else 1.0, "items": 8, "missing": 0, "empty": 0}
    return {**common, "part": part, **numbers, "undefined": None, **others}


def evaluated(rows: list[dict[str, Any]], axes: dict[str, list[Any]], **shown: Any) -> Evaluated:
    """An evaluation of these rows; axes: what varies."""
    return as_result(rows, [{"missing": "zero", **shown} for _ in rows], axes)


def test_a_single_evaluation_has_no_common_columns() -> None:
    answer = evaluated([row("all", 0.5, 0.1), row("verbs", None, undefined="all ratings are the same")], {}, shift=2)
    found = readable(answer)
    assert found.columns == ("part", "rho", "low", "high", "items", "missing", "empty")
    assert found.column("rho") == [0.5, "undefined"]
    assert notes_on(answer) == [
        "pairs: merge sum; ppmi; shift := 2; each rating is a point; an item that lacks a word scores 0",
        "ρ is undefined of verbs: all ratings are the same",
    ]
    assert notes_on(Evaluated(answer.columns, answer.types, [])) == []


def test_a_grid_has_a_row_for_each_combination() -> None:
    rows = [
        row(part, rho, low, shift=shift, merge=merge)
        for merge, shift, *rhos in (("sum", 1.5, 0.1, 0.4), ("sum", None, 0.3, None), ("min", 1.5, 0.3, 0.2))
        for part, rho, low in zip(("adjectivenouns", "all"), rhos, (None, 0.0), strict=True)
    ]
    answer = evaluated(rows, {"shift": [1.5, None]})
    found = readable(answer)
    assert found.columns == ("merge", "shift", "AN", "all")
    assert [*map(tuple, found.rows)] == [
        ("sum", "1.5", "0.1000  ", "0.4000 *"), ("sum", "default", "0.3000 *", "undefined  "),
        ("min", "1.5", "0.3000 *", "0.2000  "),
    ]  # fmt: skip
    notes = notes_on(answer)
    without = ", ".join(f"adjectivenouns {each}" for each in ("merge sum shift 1.5", "merge sum shift default"))
    assert f"there is no interval of {without}, adjectivenouns merge min shift 1.5: {FEW_RESAMPLES}" in notes
    assert notes[-1] == "3 settings tried; the best of several looks better than it is (--choose-on half avoids this)"
    assert "merge" not in notes[0]


def test_compared_settings_are_numbered() -> None:
    rows = [
        row("all", rho, 0.0, shift=shift, best=best, **dict.fromkeys(DIFFERENCES, difference))
        for rho, shift, best, difference in ((0.4, 1, True, None), (None, 2, False, -0.25))
    ]
    answer = as_result([*rows, row("nouns", 0.1, best=False, shift=1, **dict.fromkeys(DIFFERENCES))],
        [{"missing": "zero"}] * 3, {"shift": [1, 2]}, DIFFERENCES)  # fmt: skip
    found = readable(answer)
    assert found.columns == ("setting", "shift", "rho", "low", "high", *DIFFERENCES, "items", "best")
    assert [row[:3] for row in found.rows] == [(1, "1", 0.4), (2, "2", "undefined")]
    assert found.column("difference") == [None, -0.25]
    assert found.column("best") == ["*", ""]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("all", 0.5, 0.0, missing=5)], "do not trust ρ: 5 of 8 items lack a word; --verbose lists them"),
        ([row("all", None, missing=5)], "5 of 8 items lack a word; --verbose lists them"),
        ([row("all", 0.5, 0.0, missing=4)], None),
        ([row("nouns", 0.5, 0.0, missing=9, parameters="missing := 'skip_item'")],
         "do not trust ρ: 9 of 17 items of nouns lack a word; --verbose lists them"),
        ([row("all", 0.5, 0.0, missing=5, parameters="missing := 'skip_item'")], None),
        ([row(f"p{n}", 0.5, 0.0, missing=5) for n in range(7)],
         f"do not trust ρ: {', '.join(f'5 of 8 items of p{n}' for n in range(5))} and 2 more lack a word; --verbose "
         "lists them"),
    ],
)  # fmt: skip
def test_it_is_noted_that_more_than_half_lack_a_word(rows: list[dict[str, Any]], said: str | None) -> None:
    assert [note for note in notes_on(evaluated(rows, {})) if "lack a word" in note] == ([said] if said else [])


def test_the_accuracy_within_pairs_is_noted() -> None:
    method = "within-pairs"
    said = "within pairs 0.750 [0.500, 1.000] are ordered as people order them; chance is .500"
    assert notes_on(evaluated([row("all", 0.5, 0.0, method=method)], {}))[-1] == said
    assert said.replace(" [0.500, 1.000]", "") in notes_on(evaluated([row("all", 0.5, method=method)], {}))
    two = [row("all", 0.5, 0.0, method=method), row("verbs", 0.5, 0.0, method=method)]
    assert not any("chance" in note for note in notes_on(evaluated(two, {})))


def test_correlations_beside_those_of_the_paper() -> None:
    rows = [{"model": model, "part": part, "rho": rho, "paper": paper, "items": items}
        for model, part, rho, paper, items in (
            ("sum", "verbobjects", 0.12345, 0.3, 9), ("sum", "all", None, 0.25, 9), ("sum", "other", 0.1, None, 9),
            ("min", "verbobjects", None, None, None), ("min", "all", -0.5, None, 9),
        )]  # fmt: skip
    found = as_in_the_paper(cast(Any, rows))
    assert found.columns == ("model", "VO", "ρ")
    assert [*map(tuple, found.rows)] == [("sum", "0.123 (0.3)", "undefined (0.25)"), ("min", "", "-0.500")]


def test_lists_of_neighbours_for_reading() -> None:
    common = {"table": 4, "phrase": "wet dog", "paper": "a b", "shared": 1, "measured": "a c"}
    rows = [
        {**common, "merge": "sum", "aligned": True, "lacking": None},
        {**common, "merge": "min", "aligned": False, "lacking": "wet/ADJ"},
        {**common, "merge": None, "aligned": None, "lacking": None},
    ]
    assert [row[2:4] for row in lists_for_reading(cast(Any, rows)).rows] == [
        ("sum, aligned", "a c"), ("min, unaligned", "(no wet/ADJ in this lexicon)"), ("", "a c")
    ]  # fmt: skip


def entailed(labels: tuple[float, ...]) -> tuple[Task, list[Judgement], dict[str, dict[tuple[str, str], float | None]]]:
    """Pairs with what people say of them, of which the last lacks a word, and scores of the others."""
    items = [
        Item("all", Phrase(f"{a}/N"), Phrase(f"{b}/N"), ((None, label),))
        for (a, b), label in zip(PAIRS, labels, strict=True)
    ]
    judgements = [Judgement(item, ("band/N",) if item is items[-1] else ()) for item in items]
    pairs = [pair for each in judgements[:-1] for pair in (each.pair(), each.pair()[::-1])]
    scores: dict[str, dict[tuple[str, str], float | None]] = {
        "cl": {pair: at % 3 / 4 for at, pair in enumerate(pairs)},
        "cosine": dict.fromkeys(pairs, 0.5),
        "frequency": {pair: at % 5 - 1.0 for at, pair in enumerate(pairs)},
    }
    scores["cl"][judgements[2].pair()] = None
    task = cast(Task, SimpleNamespace(data=SimpleNamespace(name="pairs"), seed=1))
    return task, judgements, scores


def test_entailment_of_pairs_by_hand() -> None:
    task, judgements, scores = entailed((1.0, 0.0, 0.0, 1.0, 1.0))
    labels = np.array([1.0, 0.0, 0.0, 1.0])
    rows = [
        dict(zip(other_scores.COLUMNS, each, strict=True))
        for each in other_scores.rows_of_entailment(task, "all", judgements, scores)
    ]
    assert [each["score"] for each in rows] == ["cl", "cosine", "frequency", "base_rate"]
    assert {(each["items"], each["positive"], each["missing"]) for each in rows} == {(4, 2, 1)}
    assert [each["empty"] for each in rows] == [1, 0, 0, 0]
    for each in rows[:3]:
        values, turned = (
            np.array([scores[each["score"]][pair] or 0.0 for pair in pairs])
            for pairs in ([j.pair() for j in judgements[:4]], [j.pair()[::-1] for j in judgements[:4]])
        )
        assert each["average_precision"] == pytest.approx(average_precision(values, labels))
        right = [(a > b) + (a == b) / 2 for a, b, label in zip(values, turned, labels, strict=True) if label]
        assert each["direction"] == (None if each["score"] == "cosine" else pytest.approx(sum(right) / 2))
    assert rows[3]["average_precision"] == 0.5


def test_graded_entailment_by_hand() -> None:
    task, judgements, scores = entailed((1.0, 3.0, 2.0, 5.0, 4.0))
    rated = np.array([1.0, 3.0, 2.0, 5.0])
    of = {name: np.array([scores[name][j.pair()] or 0.0 for j in judgements[:4]]) for name in scores}
    for each in other_scores.graded_rows(task, "all", judgements, scores):
        found = dict(zip(other_scores.GRADED_COLUMNS, each, strict=True))
        name = found["score"]
        assert (found["items"], found["missing"], found["empty"]) == (4, 1, int(name == "cl"))
        if name == "cosine":
            assert found["rho"] is None
            continue
        assert found["rho"] == pytest.approx(correlated(of[name], rated))
        partial = partially_correlated(of[name], rated, of["frequency"])
        assert found["partial"] == (None if name == "frequency" else pytest.approx(partial))
