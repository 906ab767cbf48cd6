"""most_similar and doesnt_match: against their twin, on a treebank, as laws, and what is refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.store.statements import literal
from support.corpora import MORE, TREES, corpus_file
from support.lexicons import Counted, lexicon_of, new_lexicon
from support.questions import tags
from support.runs import examples
from support.strategies import corpora
from support.weights import FILTERS, SMOOTHING, arguments, limit_to, near
from twins import alike
from twins.counting import count, frequencies
from twins.trees import Token

pytestmark = pytest.mark.thorough

PARAMETERS = st.fixed_dictionaries({}, optional={**FILTERS, **SMOOTHING, "weights": st.sampled_from(("ppmi", "pmi"))})
SKIP = "missing := 'empty'"  # a word of which the weights leave nothing is no error, as it is none for the twin


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of a few noun phrases."""
    file = lexicon_of(tmp_path_factory.mktemp("small") / "small.duckdb", {"trees": TREES, "more": MORE})
    with Lexicon.open(file) as opened:
        yield opened


@examples(40)
@given(corpora(), PARAMETERS, st.data())
def test_what_is_like_several(
    counted: Counted, sentences: list[list[Token]], parameters: dict[str, Any], data: st.DataObject
) -> None:
    database, counts = counted(sentences), count(sentences)
    parameters = limit_to(counts, parameters)
    lexemes = sorted({lexeme for lexeme, _, _ in counts})
    assume(lexemes)
    named = data.draw(st.lists(st.sampled_from(lexemes), min_size=1, max_size=4, unique=True))
    cut = data.draw(st.integers(0, len(named)))
    pos, top = data.draw(tags(counts)), data.draw(st.integers(1, 5))
    signs = dict.fromkeys(named[:cut], 1) | dict.fromkeys(named[cut:], -1)
    asked = f"{literal(named[:cut])}, {literal(named[cut:])}"
    own = arguments({"pos": pos, "top": top, "min_frequency": 1, **parameters})
    found = dict(map(tuple, database.rows(f"FROM most_similar({asked}, {own}, {SKIP})")))
    expected = alike.most_similar(counts, frequencies(sentences), signs, pos=pos, top=99, **parameters)
    assert len(found) == min(top, len(expected))
    assert found.keys() <= {*dict(expected)}
    worst = min(found.values(), default=0.0)
    assert all(value <= worst + 1e-9 for word, value in expected if word not in found)  # ties may fall either way
    near(found, {word: value for word, value in expected if word in found})


@examples(40)
@given(corpora(), PARAMETERS, st.data())
def test_what_matches_least(
    counted: Counted, sentences: list[list[Token]], parameters: dict[str, Any], data: st.DataObject
) -> None:
    database, counts = counted(sentences), count(sentences)
    parameters = limit_to(counts, parameters)
    lexemes = sorted({lexeme for lexeme, _, _ in counts})
    assume(len(lexemes) >= 3)
    named = data.draw(st.lists(st.sampled_from(lexemes), min_size=3, max_size=5, unique=True))
    own = arguments(parameters)
    rows = database.rows(f"FROM doesnt_match({literal(named)}, {own}{', ' if own else ''}{SKIP})")
    expected = alike.matches(counts, frequencies(sentences), named, **parameters)
    assert {word for word, _ in rows} == {*named}
    empty = {word for word, value in expected.items() if value is None}
    assert {word for word, value in rows if value is None} == empty
    known = [value for _, value in rows if value is not None]
    assert known == sorted(known)
    near(
        {word: value for word, value in rows if value is not None},
        {word: value for word, value in expected.items() if value is not None},
    )


def test_of_one_lexeme_it_is_its_neighbours(lexicon: Lexicon) -> None:
    for parameters in ({}, {"weights": "log_dice", "pos": "any"}, {"min_frequency": 2, "top": 1}):
        asked: Any = parameters
        assert lexicon.most_similar("dog/NOUN", **asked) == lexicon.neighbours("dog/NOUN", **asked)


def test_who_is_named_is_not_found_and_order_does_not_matter(lexicon: Lexicon) -> None:
    own: Any = {"pos": "any", "min_frequency": 1}
    found = lexicon.most_similar(["dog/NOUN", "cat/NOUN"], "floor/NOUN", **own)
    assert not {*found.column("lexeme")} & {"dog/NOUN", "cat/NOUN", "floor/NOUN"}
    assert found == lexicon.most_similar(["cat/NOUN", "dog/NOUN", "cat/NOUN"], ["floor/NOUN"], **own)
    assert len(lexicon.most_similar("dog/NOUN", topn=1)) == 1


def test_what_does_not_match(lexicon: Lexicon) -> None:
    named = ["dog/NOUN", "cat/NOUN", "creak/VERB"]
    assert lexicon.doesnt_match(named) == lexicon.doesnt_match(reversed(named)) == "creak/VERB"
    assert lexicon.sql("SELECT lexeme FROM doesnt_match(['dog/NOUN', 'cat/NOUN', 'creak/VERB'])")[0] == {
        "lexeme": "creak/VERB"
    }


def test_on_a_treebank(tmp_path: Path) -> None:
    """The similarity to a mean is that of the parts: cos(a + b, c) = (cos(a, c) + cos(b, c)) / |a + b|."""
    source = corpus_file("en_ewt")
    with new_lexicon(tmp_path / "ewt.duckdb", source, name="ewt") as lexicon:
        both = ["dog/NOUN", "cat/NOUN"]
        found = lexicon.most_similar(both, topn=50)
        between = lexicon.similarity(*both) or 0.0
        for row in found:
            alone = [lexicon.similarity(each, row["lexeme"]) or 0.0 for each in both]
            assert row["similarity"] == pytest.approx(sum(alone) / (2 + 2 * between) ** 0.5, rel=1e-8)
        assert lexicon.doesnt_match(["monday/PROPN", "tuesday/PROPN", "friday/PROPN", "dog/NOUN"]) == "dog/NOUN"
