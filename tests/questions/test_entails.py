"""What of a word or phrase another lacks: beside the twin's APTs, and beside weeds_precision."""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aptdb import Lexicon
from support.commands import ask
from support.lexicons import Counted
from support.runs import examples
from support.strategies import corpora
from support.weights import near
from twins.counting import count
from twins.measures import lacking
from twins.trees import Token
from twins.weights import apt_of, weigh

pytestmark = pytest.mark.thorough


@examples(40, 4)
@given(corpora(), st.sampled_from((1.0, 1.5)), st.data())
def test_what_is_lacking_is_what_the_twin_finds(
    counted: Counted, sentences: list[list[Token]], shift: float, data: st.DataObject
) -> None:
    counts = count(sentences)
    weights = weigh(counts, "ppmi", shift=shift)
    lexemes = sorted({word for word, _, _ in counts})
    a, b = (data.draw(st.sampled_from(lexemes)) for _ in "ab")
    own, other = apt_of(weights, a), apt_of(weights, b)
    assume(own)
    database = counted(sentences)
    rows = database.rows(f"FROM entails('{a}', '{b}', shift := {shift}, top := 1000)")
    near({(path, context): weight for path, context, weight, _ in rows}, lacking(own, other))
    near({(path, context): share for path, context, _, share in rows}, lacking(own, other, shares=True))
    assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)
    if other:
        precision = database.value(f"SELECT similarity('{a}', '{b}', shift := {shift}, measure := 'weeds_precision')")
        assert sum(row[3] for row in rows) == pytest.approx(1 - precision, abs=1e-9)


def test_shares_add_up_and_phrases_are_asked(demo: Path) -> None:
    """The last row has what is not shown; composed by min, a phrase lacks nothing that its head has."""
    with Lexicon.open(demo) as lexicon:
        for a, b in (("shoot/NOUN", "leaf/NOUN"), ("shoot/NOUN[amod green/ADJ]", "leaf/NOUN")):
            found = lexicon.entails(a, b, top=3)
            assert [row["context"] is None for row in found] == [False, False, False, True]
            precision = lexicon.similarity(a, b, measure="weeds_precision")
            assert sum(found.column("share")) == pytest.approx(1 - (precision or 0))
        assert lexicon.entails("shoot/NOUN[amod green/ADJ]", "shoot/NOUN", merge="min").rows == []
        assert lexicon.entails("shoot/NOUN", "leaf/NOUN", top=0).column("context") == [None]


def test_the_command_tells_both_ways(demo: Path) -> None:
    shown = ask("explain", demo, "shoot/NOUN", "leaf/NOUN", "--entailment", "--format", "table", "--top", "2").stderr
    with Lexicon.open(demo) as lexicon:
        for measure in ("weeds_precision", "apinc"):
            there = lexicon.similarity("shoot/NOUN", "leaf/NOUN", measure=measure)
            back = lexicon.similarity("leaf/NOUN", "shoot/NOUN", measure=measure)
            assert f"{measure} {there:.4f}; the other way {back:.4f}" in shown
