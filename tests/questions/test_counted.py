"""Counts and frequencies beside weights and similarities are those that the lexicon counts."""

from collections.abc import Iterator
from typing import Any

import pytest

from aptdb import Lexicon
from support.corpora import MORE, TREES
from support.lexicons import lexicon_of
from support.runs import thorough


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """Dogs and cats, also in a subcorpus, and an entry."""
    file = lexicon_of(tmp_path_factory.mktemp("counted") / "l.duckdb", {"trees": TREES, "more": MORE})
    with Lexicon.open(file) as opened:
        opened.subcorpus("more", "corpus = 'more'")
        opened.weigh("of_more", subcorpus="more")
        opened.save("old_dog", "dog/NOUN[amod old/ADJ]")
        yield opened


def counts(lexicon: Lexicon, subcorpus: str | None) -> dict[tuple[Any, ...], int]:
    """All counts of a subcorpus."""
    named = "NULL" if subcorpus is None else f"'{subcorpus}'"
    return {row[:3]: row[3] for row in lexicon.sql(f"FROM cooccurrences(subcorpus := {named})").rows}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("asked", "subcorpus"), [({"subcorpus": "more"}, "more"), *thorough([({}, None), ({"weights": "of_more"}, "more")])]
)
def test_counts_and_frequencies(lexicon: Lexicon, asked: dict[str, Any], subcorpus: str | None) -> None:
    known = counts(lexicon, subcorpus)
    frequency = {row["lexeme"]: row["frequency"] for row in lexicon.lexemes(subcorpus=subcorpus)}
    apt = lexicon.apt("dog/NOUN", show_counts=True, per_path=2, **asked)
    assert apt.but("count", "direct") == lexicon.apt("dog/NOUN", per_path=2, **asked)
    assert all(row["count"] == known["dog/NOUN", row["path"], row["context"]] for row in apt)
    near = lexicon.neighbours("dog/NOUN", frequencies=True, pos="any", **asked)
    assert near.but("frequency") == lexicon.neighbours("dog/NOUN", pos="any", **asked)
    assert [*near]
    assert all(row["frequency"] == frequency[row["lexeme"]] for row in near)
    each = lexicon.neighbours_each(["dog/NOUN", "cat/NOUN"], frequencies=True, pos="any", **asked)
    assert each.but("frequency") == lexicon.neighbours_each(["dog/NOUN", "cat/NOUN"], pos="any", **asked)
    diff = lexicon.diff("dog/NOUN", "cat/NOUN", show_counts=True, **asked)
    assert diff.but("count_a", "count_b", "direct_a", "direct_b") == lexicon.diff("dog/NOUN", "cat/NOUN", **asked)
    for row in diff:
        assert row["count_a"] == known.get(("dog/NOUN", row["path"], row["context"]))
        assert row["count_b"] == known.get(("cat/NOUN", row["path"], row["context"]))


def test_two_subcorpora(lexicon: Lexicon) -> None:
    rows = lexicon.diff("dog/NOUN", "dog/NOUN", subcorpus_b="more", show_counts=True)
    whole, subcorpus = counts(lexicon, None), counts(lexicon, "more")
    for row in rows:
        key = ("dog/NOUN", row["path"], row["context"])
        assert (row["count_a"], row["count_b"]) == (whole.get(key), subcorpus.get(key))


def test_an_entry_has_no_frequency(lexicon: Lexicon) -> None:
    near = lexicon.neighbours("dog/NOUN", among="entries", frequencies=True, pos="any")
    assert near.rows[0][0] == "old_dog"
    assert near.column("frequency") == [None]
