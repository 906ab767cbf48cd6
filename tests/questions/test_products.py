"""Thesauri by products of sparse matrices are those that SQL ranks: neighbours, ties and digits."""

import io
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from aptdb import Lexicon
from aptdb.questions import matrices, thesaurus
from aptdb.questions.matrices import largest
from support.corpora import corpus_file, noun_phrase
from support.runs import examples
from support.strategies import corpora
from twins.counting import count
from twins.trees import Token, conllu

pytest.importorskip("sparse_dot_topn")

SCHEMES = ("ppmi", "pmi", "log_dice", "raw_count")


def written(lexicon: Lexicon, file: Path, **parameters: Any) -> list[tuple[Any, ...]]:
    """The rows of a thesaurus."""
    file.unlink(missing_ok=True)
    lexicon.thesaurus(file, **parameters)
    with duckdb.connect() as client:
        return client.execute(f"FROM '{file}'").fetchall()


def in_both_ways(lexicon: Lexicon, folder: Path, **parameters: Any) -> tuple[list[Any], list[Any]]:
    """The rows of a thesaurus by products, and as SQL ranks them."""
    by_products = written(lexicon, folder / "thesaurus.parquet", **parameters)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thesaurus, "products_of", lambda *_: None)
        return by_products, written(lexicon, folder / "thesaurus.parquet", **parameters)


@pytest.mark.thorough
@examples(10)
@given(corpora(most=12), st.data())
def test_products_tell_what_sql_ranks(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[list[Token]], data: st.DataObject
) -> None:
    counts = count(sentences)
    assume(counts)
    folder = tmp_path_factory.mktemp("both")
    parts_of_speech = sorted({key[0].rpartition("/")[2] for key in counts})
    parameters = {
        "weights": data.draw(st.sampled_from(SCHEMES)),
        "pos": data.draw(st.sampled_from(("same", "any", *parts_of_speech))),
        "top": data.draw(st.integers(0, 4)),
        "min_frequency": data.draw(st.integers(1, 2)),
        "phi": data.draw(st.sampled_from(("constant", "harmonic", "probability"))),
        "context": data.draw(st.sampled_from(("all", "internal", "external"))),
    }
    with Lexicon.open(folder / "lexicon.duckdb", create=True, memory="1GB") as lexicon:
        lexicon.add(io.BytesIO(conllu(sentences).encode()), name="corpus")
        assume(lexicon.sql("SELECT max(frequency) FROM lexemes").rows[0][0] >= parameters["min_frequency"])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(matrices, "SPARE", data.draw(st.integers(1, 3)))
            patch.setattr(matrices, "AT_ONCE", data.draw(st.integers(1, 5)))
            patch.setattr(thesaurus, "PART_OF_PRODUCTS", data.draw(st.sampled_from((10, 2000))))
            found, expected = in_both_ways(lexicon, folder, **parameters)
    assert found == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "parameters",
    [{"top": 10}, {"pos": "any", "weights": "kept", "top": 25}, {"pos": "NOUN", "weights": "pmi", "min_frequency": 5}],
)
def test_the_thesaurus_of_a_treebank(tmp_path: Path, parameters: dict[str, Any]) -> None:
    with Lexicon.open(tmp_path / "lexicon.duckdb", create=True, memory="1GB") as lexicon:
        lexicon.add(corpus_file("en_ewt"))
        lexicon.weigh("kept", keep=True)
        found, expected = in_both_ways(lexicon, tmp_path, **parameters)
    assert len(found) > 100
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    # Sums of floating-point numbers differ in their sixteenth digit; of a million values, one or two are so near to the
    # middle between two of ten digits that they are rounded otherwise.
    differing = [(one, other) for one, other in zip(found, expected, strict=True) if one != other]
    assert len(differing) <= 3
    assert all(one[2] == pytest.approx(other[2], rel=1e-9) for one, other in differing)


@pytest.mark.thorough
def test_all_that_are_alike_are_told_by_frequency_and_text(tmp_path: Path) -> None:
    """More are alike than products are kept of."""
    names = [f"{letter}{other}" for letter in "zyxwvut" for other in "abcdefg"]
    with Lexicon.open(tmp_path / "lexicon.duckdb", create=True, memory="1GB") as lexicon:
        lexicon.add(io.BytesIO(conllu([noun_phrase(name, "old") for name in names]).encode()), name="alike")
        rows = written(lexicon, tmp_path / "thesaurus.parquet", weights="raw_count", top=2, min_frequency=1)
    told = [row[1] for row in rows if row[0] == "zg/N"]
    assert told == ["ta/N", "tb/N"]


def test_the_largest_values_of_a_product() -> None:
    generator = np.random.default_rng(7)
    asked, near = (csr_matrix(generator.integers(0, 2, shape) * 1.0) for shape in ((40, 12), (12, 300)))
    product = np.asarray((asked @ near).todense())
    kept: dict[int, dict[int, float]] = {row: {} for row in range(40)}
    for rows, columns, values in largest(asked, near, top=5):
        for row, column, value in zip(rows, columns, values, strict=True):
            kept[row][column] = value
    for row, line in enumerate(product):
        sixth = np.sort(line)[-6]
        needed = {column: value for column, value in enumerate(line) if value >= sixth and value > 0}
        assert needed.items() <= kept[row].items()


@pytest.mark.thorough
def test_what_does_not_fit_the_memory_is_ranked_in_sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Lexicon.open(tmp_path / "lexicon.duckdb", create=True, memory="1GB") as lexicon:
        lexicon.add(io.BytesIO(conllu([noun_phrase(name, "old") for name in "abcdefgh"]).encode()), name="few")
        expected = written(lexicon, tmp_path / "thesaurus.parquet", weights="raw_count", min_frequency=1)
        ((weights,),) = lexicon.sql("SELECT count(*) FROM cooccurrences").rows
        monkeypatch.setattr(matrices, "BYTES_OF_WEIGHT", 10**9 // 2 // weights)  # half of the memory is for others
        monkeypatch.setattr(matrices, "Products", None)
        assert written(lexicon, tmp_path / "thesaurus.parquet", weights="raw_count", min_frequency=1) == expected
        monkeypatch.setattr(matrices, "BYTES_OF_WEIGHT", 1)
        many = {"weights": "raw_count", "min_frequency": 1, "top": 10**9}
        assert written(lexicon, tmp_path / "thesaurus.parquet", **many) == expected
    assert expected


@pytest.mark.thorough
def test_without_the_library_sql_ranks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "find_spec", lambda _: None)
    monkeypatch.setattr(matrices, "Products", None)
    with Lexicon.open(tmp_path / "lexicon.duckdb", create=True, memory="1GB") as lexicon:
        lexicon.add(io.BytesIO(conllu([noun_phrase(name, "old") for name in "ab"]).encode()), name="few")
        assert written(lexicon, tmp_path / "thesaurus.parquet", weights="raw_count", min_frequency=1)
