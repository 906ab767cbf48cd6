"""Twins that compute the same in two ways, one plain and one with numpy, beside each other."""

import math
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from aptdb.core.composition import Composition
from aptdb.core.parameters import list_allowed_values
from aptdb.core.schemes import SCHEMES
from aptdb.core.vector_parameters import Measuring
from support.runs import examples
from support.strategies import corpora
from support.weights import near, weightings
from twins import tables, weights
from twins.composition import VALUES
from twins.counting import count, frequencies
from twins.measures import MEASURES, similarity
from twins.paths import order
from twins.trees import Token
from twins.vectors import cosine


def test_every_value_that_is_declared_has_a_twin() -> None:
    """So that one without a formula of its own is found: it would be computed as another."""
    assert {*SCHEMES} == {*tables.SCHEMES}
    assert {*list_allowed_values(Measuring, "measure")} == {*MEASURES}
    assert {*list_allowed_values(Composition, "merge")} == {*VALUES["merge"]}


def as_table(sentences: list[list[Token]]) -> tables.Table:
    """What the sentences are counted as, in columns of numbers."""
    counts, often = count(sentences), frequencies(sentences)
    lexemes, paths = sorted(often), sorted({path for _, path, _ in counts})
    return tables.Table(
        lexeme=np.array([lexemes.index(word) for word, _, _ in counts], dtype=np.int64),
        path=np.array([paths.index(path) for _, path, _ in counts], dtype=np.int64),
        context=np.array([lexemes.index(context) for _, _, context in counts], dtype=np.int64),
        count=np.array([*counts.values()], dtype=np.int64),
        lexemes=lexemes,
        frequency=np.array([often[word] for word in lexemes], dtype=np.int64),
        paths=paths,
        order=np.array([order(path) for path in paths], dtype=np.int64),
    )


@examples(50)
@given(corpora(), weightings())
def test_weights_from_dictionaries_and_from_arrays(
    sentences: list[list[Token]], asked: tuple[str, dict[str, Any]]
) -> None:
    scheme, parameters = asked
    table = as_table(sentences)
    rows, values = tables.weigh(table, scheme, **parameters)
    places = zip(table.lexeme[rows], table.path[rows], table.context[rows], strict=True)
    texts = [(table.lexemes[word], table.paths[path], table.lexemes[context]) for word, path, context in places]
    found = dict(zip(texts, values.tolist(), strict=True))
    near(found, weights.weigh(count(sentences), scheme, **parameters))


@examples(50)
@given(corpora(), weightings(), st.data())
def test_the_cosine_of_dictionaries_and_of_arrays(
    sentences: list[list[Token]], asked: tuple[str, dict[str, Any]], data: st.DataObject
) -> None:
    scheme, parameters = asked
    weighed = weights.weigh(count(sentences), scheme, **parameters)
    lexemes = sorted({word for word, _, _ in weighed})
    assume(lexemes)
    a, b = (weights.apt_of(weighed, data.draw(st.sampled_from(lexemes))) for _ in "ab")
    features = sorted({(path, context) for _, path, context in weighed})
    one, other = (np.array([apt.get(feature, 0.0) for feature in features]) for apt in (a, b))
    assume(one.any() and other.any())  # a weight of 0 is a feature of the dictionary, and none of the array
    expected = similarity(one, other, "cosine")
    assert math.isclose(cosine(a, b) or 0.0, expected or 0.0, rel_tol=1e-9, abs_tol=1e-9)
