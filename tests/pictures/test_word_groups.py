"""Neighbours in groups: Chinese Whispers on graphs whose groups are known, and the picture."""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.pictures.plots import edges_of, whispers
from support.runs import examples


def test_two_cliques_are_two_groups() -> None:
    """Also where a weak edge joins them."""
    edges = {frozenset(pair): 1.0 for clique in ("abcd", "xyz") for pair in combinations(clique, 2)}
    for seed in range(5):
        assert whispers("axbyczd", edges | {frozenset("ax"): 0.5}, seed) == [[*"abcd"], [*"xyz"]]
    assert whispers("abcdqxyz", edges, 1)[-1] == ["q"]  # without an edge, alone


@examples(100)
@given(st.dictionaries(st.sampled_from([*combinations("abcdefg", 2)]), st.floats(0.1, 1)), st.integers(0, 3))
def test_each_is_where_its_edges_weigh_most(weights: dict[tuple[str, str], float], seed: int) -> None:
    edges = {frozenset(pair): weight for pair, weight in weights.items()}
    groups = whispers("abcdefg", edges, seed)
    assert sorted(name for group in groups for name in group) == [*"abcdefg"]
    assert groups == whispers("abcdefg", dict(reversed(edges.items())), seed)
    for group in groups:
        for name in group:
            sums = [sum(edges.get(frozenset((name, other)), 0) for other in each if other != name) for each in groups]
            assert sums[groups.index(group)] >= max(sums) - 1e-8


def test_edges_lead_to_the_nearest() -> None:
    alike = {frozenset("ab"): 0.9, frozenset("ac"): 0.5, frozenset("bc"): 0.4, frozenset("ad"): 0.0}
    alike |= {frozenset("bd"): 0.0, frozenset("cd"): 0.1}
    assert edges_of("abcd", alike, 1) == {frozenset("ab"): 0.9, frozenset("ac"): 0.5, frozenset("cd"): 0.1}


@pytest.mark.thorough
def test_the_picture(demo: Path) -> None:
    pytest.importorskip("matplotlib")
    with Lexicon.open(demo) as lexicon:
        drawing = lexicon.plot.groups("shoot/NOUN", top=12)
        names = [name for line in str(drawing).splitlines() for name in line.partition("  ")[2].split(", ")]
        assert sorted(names) == sorted(lexicon.neighbours("shoot/NOUN", top=12).column("lexeme"))
        assert drawing.nodes == 12
        assert all(name in drawing.svg for name in names)
        assert str(lexicon.plot.groups("shoot/NOUN", top=1)) == f"1  {names[0]}"
