"""The path functions of SQL beside their twins, and the laws that they keep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb.store.database import Database
from aptdb.store.statements import literal
from support.strategies import paths, sequences
from twins.paths import inverse, is_valid, offset, order, reduce


@given(st.lists(sequences(), min_size=1, max_size=60))
def test_functions_of_one_path(memory: Database, texts: list[str]) -> None:
    rows = memory.rows(
        "SELECT path_reduce(p), path_inverse(p), path_order(p), path_is_valid(p) "
        f"FROM (SELECT unnest({literal(texts)}) AS p)"
    )
    assert [tuple(row) for row in rows] == [
        (reduce(text), inverse(text), order(text), is_valid(text)) for text in texts
    ]


@given(st.lists(st.tuples(paths(), paths()), min_size=1, max_size=60))
def test_offset(memory: Database, pairs: list[tuple[str, str]]) -> None:
    rows = memory.rows(f"SELECT path_offset(pair[1], pair[2]) FROM (SELECT unnest({literal(pairs)}) AS pair)")
    assert [row[0] for row in rows] == [offset(path, delta) for path, delta in pairs]


KNOWN = """
path_reduce('') = '', path_reduce('ε') = '', path_reduce('<amod>amod') = '', path_inverse('') = '',
path_inverse('<amod>obj>nsubj') = '<nsubj<obj>amod', path_offset('', '') = '', path_offset('ε', 'ε') = '',
path_offset('', '<amod') = '>amod', path_offset('<amod<nsubj', '<amod<obj') IS NULL,
path_order('') = 0, path_order('<a<b>b>c') = 2, path_is_valid(''), path_is_valid('ε'), NOT path_is_valid('>a<a'),
NOT path_is_valid('<a>a'), NOT path_is_valid('amod'), NOT path_is_valid('<'), NOT path_is_valid('<<a'),
path_reduce(NULL) IS NULL, path_inverse(NULL) IS NULL, path_order(NULL) IS NULL, path_offset(NULL, '') IS NULL,
path_offset('', NULL) IS NULL, path_is_valid(NULL) IS NULL"""


def test_known_answers(memory: Database) -> None:
    [answers] = memory.rows(f"SELECT {KNOWN}")
    assert [*answers] == [True] * 24


@pytest.mark.thorough
@given(st.lists(sequences(), min_size=1, max_size=30))
def test_laws_of_one_path(memory: Database, texts: list[str]) -> None:
    failing = memory.rows(
        "SELECT p FROM (SELECT unnest($texts) AS p) WHERE path_reduce(path_reduce(p)) <> path_reduce(p) "
        "OR path_inverse(path_inverse(p)) <> p OR path_reduce(p || path_inverse(p)) <> '' "
        "OR path_order(p) <> path_order(path_inverse(p))",
        {"texts": texts},
    )
    assert not failing


@pytest.mark.thorough
@given(st.lists(st.tuples(paths(), paths()), min_size=1, max_size=60))
def test_laws_of_offsets(memory: Database, pairs: list[tuple[str, str]]) -> None:
    """Offset by ε changes nothing; offset there and back gives the same node, where it survives the way there."""
    failing = memory.rows(
        "WITH pair AS (SELECT path_reduce(moved[1]) AS p, path_reduce(moved[2]) AS delta "
        f"FROM (SELECT unnest({literal(pairs)}) AS moved)) "
        "SELECT * FROM pair WHERE path_is_valid(p) AND path_is_valid(delta) AND (path_offset(p, '') <> p "
        "OR path_offset(path_offset(p, delta), path_inverse(delta)) <> p)"
    )
    assert not failing
