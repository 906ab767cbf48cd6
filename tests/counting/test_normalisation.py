"""Lexemes and trees as the settings make them, beside the twin of those rules; and the same trees recounted."""

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import AptError, CorpusError, Lexicon, SettingsError
from aptdb.core.settings import Settings
from support.corpora import tree
from support.lexicons import Counted, direct_triples, marginals_that_differ, triples
from support.runs import examples
from support.strategies import normalisations, spelt_corpora
from twins import counting
from twins.counting import count
from twins.trees import Token, conllu


@pytest.mark.thorough
@examples(50)
@given(spelt_corpora(), spelt_corpora(most=2), normalisations())
def test_counts_equal_the_twin(
    counted: Counted, first: list[list[Token]], second: list[list[Token]], given_settings: dict[str, Any]
) -> None:
    database = counted(first, second, **given_settings)
    sentences = [*first, *second]
    assert triples(database) == count(sentences, **given_settings)
    assert direct_triples(database) == count(sentences, **given_settings, direct=True)
    frequencies = dict(map(tuple, database.rows("SELECT lexeme, frequency FROM lexemes")))
    assert frequencies == counting.frequencies(sentences, **given_settings)
    assert not marginals_that_differ(database)


NEW_YORK = tree(
    "He he PRON 2 nsubj, lives live VERB 0 root, in in ADP 5 case, New New PROPN 5 compound, York York PROPN 2 obl"
)


@pytest.mark.thorough
def test_relations_are_renamed_before_they_are_checked(tmp_path: Path) -> None:
    """A name that no relation can have, and none at all, are renamed; the lexicon is not counted again without that."""
    renamed, file = {"<dobj>": "dobj_gap", "_": "dep"}, tmp_path / "renamed.duckdb"
    words = [("dog", "<dobj>", 2), ("run", "root", 0), ("now", "_", 2)]
    text = conllu([[Token(word, word, "X", "_", head, relation) for word, relation, head in words]])
    with Lexicon.open(file, create=True, relation_map=renamed) as lexicon:
        lexicon.add(io.BytesIO(text.encode()), name="x")
        for path, context in ((">dobj_gap", "dog/X"), (">dep", "now/X")):
            assert lexicon.count("run/X", path, context) == 1
        assert [row["relation"] for row in lexicon.sql("FROM tokens ORDER BY position")] == ["<dobj>", "root", "_"]
        assert not lexicon.verify().rows
        lexicon.rebuild(tmp_path / "again.duckdb", order=1)
        with pytest.raises(AptError, match=r"has a relation '<dobj>'; .* \(--relation-map renames it\)$"):
            lexicon.rebuild(tmp_path / "wrong.duckdb", relation_map={})
    with Lexicon.open(tmp_path / "o.duckdb", create=True, relation_map={"<mod>": "m"}) as lexicon:  # noqa: SIM117
        with pytest.raises(CorpusError, match=r"DEPREL is '<dobj>'; a relation is .* \(--relation-map renames it\)"):
            lexicon.add(io.BytesIO(text.encode()), name="x")


def test_joined_words_are_one_lexeme(counted: Counted) -> None:
    database = counted([NEW_YORK], join=("compound",))
    assert ("new_york/PROPN", 1) in database.rows("SELECT lexeme, frequency FROM lexemes")
    assert triples(database)["new_york/PROPN", ">case", "in/ADP"] == 1
    assert not database.rows("FROM lexemes WHERE lemma IN ('new', 'york')")


@pytest.mark.thorough
def test_part_of_joined_words_becomes_a_lexeme_when_it_stands_alone(counted: Counted) -> None:
    alone = [Token("York", "York", "PROPN", "_", 0, "root")]
    database = counted([NEW_YORK], [alone], join=("compound",))
    assert ("york/PROPN", 1) in database.rows("SELECT lexeme, frequency FROM lexemes")


@pytest.mark.thorough
@examples(10)
@given(spelt_corpora(), normalisations(), st.data())
def test_settings_are_those_that_the_lexicon_was_made_with(
    tmp_path_factory: pytest.TempPathFactory,
    sentences: list[list[Token]],
    given_settings: dict[str, Any],
    data: st.DataObject,
) -> None:
    file = tmp_path_factory.mktemp("settings") / "l.duckdb"
    with Lexicon.open(file, create=True, **given_settings) as lexicon:
        lexicon.add(io.BytesIO(conllu(sentences).encode()), name="first")
        assert lexicon.settings == Settings(**given_settings)
    with Lexicon.open(file, **given_settings) as lexicon:
        assert lexicon.settings == Settings(**given_settings)
    with pytest.raises(SettingsError, match="the lexicon has min_token_length"):
        Lexicon.open(file, min_token_length=99)
