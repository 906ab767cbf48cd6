"""The six schemes beside their twin, formulas worked by hand, and what is refused."""

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.store.database import Database
from support.lexicons import Counted, triples
from support.runs import examples
from support.strategies import corpora
from support.weights import OF_PMI, SCHEMES, arguments, limit_to, near, weightings
from twins.counting import count
from twins.trees import Token
from twins.weights import weigh


@examples(20, 2)
@given(corpora(), st.integers(1, 3), st.lists(weightings(), min_size=1, max_size=6))
def test_weights_equal_the_twin(
    counted: Counted, sentences: list[list[Token]], order: int, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    database = counted(sentences, order=order)
    counts = count(sentences, order=order)
    direct = count(sentences, order=order, direct=True)
    for scheme, drawn in asked:
        parameters = limit_to(counts, drawn, order)
        near(triples(database, f"{scheme}({arguments(parameters)})"), weigh(counts, scheme, **parameters))
        of_direct = f"{scheme}({arguments({**parameters, 'counts': 'direct'})})"
        near(triples(database, of_direct), weigh(direct, scheme, **parameters))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_view_is_its_function_with_the_defaults(counted: Counted, scheme: str) -> None:
    database = counted([[Token("a", "a", "N", "_", 0, "root"), Token("b", "b", "N", "_", 1, "r")]])
    assert triples(database, scheme) == triples(database, f"{scheme}()")


def test_weights_of_a_real_lexicon(english: Path) -> None:
    """All of 200,000 weights of one scheme beside numbers computed from the text view by the formula itself."""
    with Lexicon.open(english) as lexicon:
        rows = lexicon.sql(
            "WITH counts AS (FROM cooccurrences), "
            "own AS (SELECT lexeme, path, sum(count) AS n FROM counts GROUP BY ALL), "
            "feature AS (SELECT path, context, sum(count) AS n FROM counts GROUP BY ALL), "
            "total AS (SELECT path, sum(count) AS n FROM counts GROUP BY ALL) "
            "SELECT max(abs(w.weight - ln(c.count * pow(t.n, 0.75) / (o.n * pow(f.n, 0.75))))) AS worst, count(*) AS n "
            "FROM pmi(cds := 0.75, cds_total := 'power_of_sum') AS w JOIN counts AS c USING (lexeme, path, context) "
            "JOIN own AS o USING (lexeme, path) "
            "JOIN feature AS f USING (path, context) JOIN total AS t USING (path) WHERE f.n > 20"
        ).rows
        assert rows[0][0] < 1e-9
        assert rows[0][1] > 200_000


@pytest.mark.thorough
def test_formulas_worked_by_hand(counted: Counted) -> None:
    """Two trees: a <r- b, and a <r- b -s-> (nothing); so ⟨b, <r, a⟩ is counted twice of twice.

    a           a          c
    └─r─ b      └─r─ b     └─r─ d
    """
    pair = [Token("a", "a", "N", "_", 0, "root"), Token("b", "b", "N", "_", 1, "r")]
    other = [Token("c", "c", "N", "_", 0, "root"), Token("d", "d", "N", "_", 1, "r")]
    database = counted([pair, pair, other], order=1)
    key = ("b/N", "<r", "a/N")
    # n 2, n_wτ 2, n_τw' 2, n_τ 3, n_w 4 (two ε, two <r), N 12
    assert triples(database, "raw_count")[key] == 2
    assert triples(database, "probability")[key] == 0.5
    assert triples(database, "pmi")[key] == pytest.approx(math.log(2 * 3 / (2 * 2)))
    assert triples(database, "pmi(shift := 5)")[key] == pytest.approx(math.log(1.5) - math.log(5))
    assert triples(database, "pmi(scope := 'all')")[key] == pytest.approx(math.log(2 * 12 / (4 * 2)))
    assert triples(database, "pmi(cds := 0.5, cds_total := 'power_of_sum')")[key] == pytest.approx(
        math.log(2 * 3**0.5 / (2 * 2**0.5))
    )
    summed = 2**0.5 + 1**0.5
    for said in ("", ", cds_total := 'sum_of_powers'"):
        assert triples(database, f"pmi(cds := 0.5{said})")[key] == pytest.approx(math.log(2 * summed / (2 * 2**0.5)))
    assert triples(database, "lmi")[key] == pytest.approx(2 * math.log(1.5))
    assert triples(database, "log_dice")[key] == 14
    assert key not in triples(database, "ppmi(shift := 5)")


@pytest.mark.thorough
@examples(10)
@given(corpora(), st.sampled_from(OF_PMI), st.sampled_from(("path", "all")))
def test_the_two_totals_agree_without_smoothing(
    counted: Counted, sentences: list[list[Token]], scheme: str, scope: str
) -> None:
    database = counted(sentences)
    near(
        triples(database, f"{scheme}(cds_total := 'sum_of_powers', scope := '{scope}')"),
        triples(database, f"{scheme}(cds_total := 'power_of_sum', scope := '{scope}')"),
    )


def test_filters_hide_rows_and_leave_marginals_whole(english: Path) -> None:
    with Lexicon.open(english) as lexicon:
        changed = lexicon.sql(
            "SELECT count(*) FROM ppmi(min_feature_count := 50, min_count := 2, max_order := 1) AS f "
            "JOIN ppmi AS w USING (lexeme, path, context) WHERE f.weight <> w.weight"
        ).rows
        assert changed == [(0,)]


def test_a_lexicon_with_nothing_in_it_is_weighed(memory: Database, counted: Counted) -> None:
    counted()
    for scheme in SCHEMES:
        assert triples(memory, scheme) == {}
