"""Weights of one's own: FEATS are their features, each has one weight, and every weight is a number."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aptdb.store.database import Database
from aptdb.store.statements import literal
from support.corpora import noun_phrase
from support.lexicons import Counted, count_into, lexicon_in_memory, lexicon_of
from support.questions import EMPTY, as_sql
from support.runs import examples
from support.strategies import corpora
from twins.composition import merge_apts, offset_apt
from twins.counting import count
from twins.trees import Token
from twins.vectors import cosine

Own = dict[str, dict[tuple[str, str], float]]  # by lexeme, the weights of its features

NEW = [("<amod", "nobody/X"), ("<new", "nobody/X"), ("<old>new", "somebody/X"), ("", "nobody/X")]


def named(own: Own) -> str:
    """The weights as a common table expression called mine."""
    rows = [(word, path, context, weight) for word, apt in own.items() for (path, context), weight in apt.items()]
    values = ", ".join(f"({', '.join(literal(value) for value in row)}::DOUBLE)" for row in rows)
    return f"WITH mine(lexeme, path, context, weight) AS (VALUES {values}) "


@st.composite
def own_weights(draw: st.DrawFn, known: list[tuple[str, str, str]]) -> Own:
    """Weights of some lexemes for features that the lexicon has, and for others."""
    features = [(path, context) for _, path, context in known] + NEW
    lexemes = sorted({lexeme for lexeme, _, _ in known})
    apts = st.dictionaries(st.sampled_from(features), st.integers(1, 9).map(float), min_size=1, max_size=6)
    return draw(st.dictionaries(st.sampled_from(lexemes), apts, min_size=2))


def order(path: str) -> int:
    """The number of steps of a reduced path."""
    return path.count("<") + path.count(">")


SENTENCES = [noun_phrase(noun, adjective) for noun in ("dog", "cat") for adjective in ("small", "big")]


@pytest.fixture(scope="module")
def animals() -> Iterator[Database]:
    """Dogs and cats, small and big, in memory."""
    with lexicon_in_memory() as memory:
        yield partial(count_into, memory)(SENTENCES)


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    """The same in a file."""
    return lexicon_of(tmp_path / "animals.duckdb", {"animals": SENTENCES})


@pytest.mark.thorough
@examples(20)
@given(corpora(), st.data())
def test_all_their_features_are_dimensions(counted: Counted, sentences: list[list[Token]], data: st.DataObject) -> None:
    """Similarities of lexemes and of phrases are those of the weights given, whatever the lexicon counts."""
    database = counted(sentences)
    counts = count(sentences)
    assume(len({key[0] for key in counts}) > 1)
    own = data.draw(own_weights(sorted(counts)))
    phi = data.draw(st.sampled_from(["constant", "harmonic"]))
    feats = {feature for apt in own.values() for feature in apt}

    def vector(apt: dict[tuple[str, str], float]) -> dict[tuple[str, str], float]:
        kept = {feature: weight for feature, weight in apt.items() if feature in feats}
        return {(p, c): w / (max(order(p), 1) if phi == "harmonic" else 1) for (p, c), w in kept.items()}

    a, b = list(own)[:2]
    asked = f"weights := 'mine', phi := '{phi}'"
    near = cosine(vector(own[a]), vector(own[b]))
    assert database.value(f"{named(own)} SELECT similarity({literal(a)}, {literal(b)}, {asked})") == pytest.approx(near)
    delta = data.draw(st.sampled_from(["<new", "<amod", ">old"]))
    phrase = [(a, ""), (b, delta)]
    composed = vector(merge_apts([own[a], offset_apt(own[b], delta)], "sum"))
    for word in own:
        found = database.value(
            f"{named(own)} SELECT similarity({as_sql(phrase)}, {literal(word)}, merge := 'sum', {EMPTY}, {asked})"
        )
        assert found == pytest.approx(cosine(composed, vector(own[word])))
    rows = database.rows(
        f"{named(own)} FROM neighbours({literal(a)}, {asked}, pos := 'any', min_frequency := 1, top := 100)"
    )
    expected = {word: cosine(vector(own[a]), vector(own[word])) for word in own if word != a}
    assert dict(map(tuple, rows)) == {word: pytest.approx(value) for word, value in expected.items() if value}
    shown = database.rows(f"{named(own)} FROM explain({literal(a)}, {literal(b)}, top := 100, {asked})")
    assert {(row[0], row[1]) for row in shown} == set(own[a]) & set(own[b])


@pytest.mark.thorough
def test_the_weights_of_two_lexicons(lexicon: Path, tmp_path: Path) -> None:
    """A word is compared with what it is in another lexicon, in an ordinary client."""
    lexicon_of(tmp_path / "other.duckdb", {"other": [noun_phrase("dog", "small"), noun_phrase("dog", "odd")]})
    with duckdb.connect(str(lexicon)) as client:
        client.execute(f"ATTACH '{tmp_path / 'other.duckdb'}' AS other")
        client.execute("USE other")
        theirs = {(p, c): w for x, p, c, w in client.sql("FROM raw_count").fetchall() if x == "dog/N"}
        client.execute("CREATE TEMP TABLE theirs AS FROM raw_count WHERE lexeme = 'dog/N'")
        client.execute(f"USE {lexicon.stem}")
        ours = {(p, c): w for x, p, c, w in client.sql("FROM raw_count").fetchall() if x == "dog/N"}
        found = client.sql(
            "WITH joint AS (FROM raw_count WHERE lexeme = 'dog/N' UNION ALL "
            "SELECT 'cat/N', path, context, weight FROM theirs) "
            "SELECT similarity('dog/N', 'cat/N', weights := 'joint')"
        ).fetchall()
    assert any(c == "odd/A" for _, c in theirs)
    assert found[0][0] == pytest.approx(cosine(ours, theirs))
