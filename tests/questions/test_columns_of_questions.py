"""Questions about the values of columns: a NULL, an unknown word, prepared parameters, text with brackets."""

from collections.abc import Iterator

import duckdb
import pytest

from support.cases import read_cases
from support.corpora import noun_phrase
from support.lexicons import lexicon_of

SENTENCES = [
    noun_phrase(noun, adjective)
    for noun, adjective in (("dog", "small"), ("cat", "small"), ("dog", "big"), ("floor", "clean"), ("house", "clean"))
]
ADJECTIVE = "{'lexeme': 'small/A', 'delta': '<amod'}"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A client that knows nothing of aptdb."""
    file = tmp_path_factory.mktemp("animals") / "animals.duckdb"
    lexicon_of(file, {"animals": SENTENCES})
    with duckdb.connect(str(file), read_only=True) as opened:
        yield opened


@pytest.mark.thorough
def test_null_gives_null(client: duckdb.DuckDBPyConnection) -> None:
    pairs = "(VALUES ('dog/N', 'cat/N'), ('dog/N', NULL), (NULL, 'cat/N'), (NULL, NULL)) AS t (a, b)"
    for measure in ("cosine", "lin", "jaccard", "euclidean", "jensen_shannon"):
        rows = client.execute(f"SELECT similarity(a, b, measure := '{measure}') FROM {pairs}").fetchall()
        assert [row[0] is None for row in rows] == [False, True, True, True]
    assert client.execute("SELECT similarity('dog/N', NULL)").fetchall() == [(None,)]


@pytest.mark.thorough
def test_an_unknown_word_may_be_skipped(client: duckdb.DuckDBPyConnection) -> None:
    pairs = "(VALUES ('dog/N', 'cat/N'), ('dog/N', 'cot/N')) AS t (a, b)"
    rows = client.execute(f"SELECT similarity(a, b, missing := 'skip') FROM {pairs}").fetchall()
    assert [row[0] is None for row in rows] == [False, True]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(*read_cases("questions/prepared"))
def test_prepared_parameters(client: duckdb.DuckDBPyConnection, question: str, values: list[str]) -> None:
    client.execute(f"PREPARE asked AS {question}")
    shown = ", ".join(f"'{value}'" for value in values)
    prepared = client.execute(f"EXECUTE asked({shown})").fetchall()
    direct = client.execute(question.replace("?", "{}").format(*(f"'{value}'" for value in values))).fetchall()
    assert sorted(prepared) == sorted(direct) == sorted(client.execute(question, values).fetchall())
    assert prepared


def test_rules_of_composition_in_columns(client: duckdb.DuckDBPyConnection) -> None:
    """Those that decide nothing of the plan, and of lexemes all."""
    phrase = f"[{{'lexeme': 'dog/N', 'delta': ''}}, {ADJECTIVE}]"
    rules = [("'sum'", "true"), ("'max'", "false"), ("'max'", "true")]
    ask = f"SELECT similarity({phrase}, 'dog/N', merge := "
    each = [client.execute(f"{ask}{merge}, aligned := {aligned})").fetchone() for merge, aligned in rules]
    table = ", ".join(f"({number}, {merge}, {aligned})" for number, (merge, aligned) in enumerate(rules))
    in_columns = f"{ask}m, aligned := a) FROM (VALUES {table}) AS t (n, m, a) ORDER BY n"
    assert client.execute(in_columns).fetchall() == each
    assert len({*each}) > 1
    of_lexemes = (
        "unit := a, head_weight := n / 4.0 + 0.1, strategy := CASE WHEN a THEN 'one-step' ELSE 'left-to-right' END"
    )
    ask_of_lexemes = f"SELECT similarity('dog/N', 'cat/N', {of_lexemes}) FROM (VALUES {table}) AS t (n, m, a)"
    assert {*client.execute(ask_of_lexemes).fetchall()} == {
        *client.execute("SELECT similarity('dog/N', 'cat/N')").fetchall()
    }


@pytest.mark.thorough
@pytest.mark.parametrize("question", ["apt", "compose", "neighbours", "contextualise"])
def test_words_as_tuples_and_under_other_spellings(client: duckdb.DuckDBPyConnection, question: str) -> None:
    """Names of fields are as SQL takes them, whatever their case and order; a tuple has a lexeme and a delta."""
    phrases = (
        "[('dog/N', ''), ('small/A', '<amod')]",
        "[{'delta': '', 'lexeme': 'dog/N'}, {'delta': '<amod', 'lexeme': 'small/A'}]",
        "[{'LEXEME': 'dog/N', 'Delta': ''}, {'LEXEME': 'small/A', 'Delta': '<amod'}]",
    )
    usual = client.execute(f"FROM {question}([{{'lexeme': 'dog/N', 'delta': ''}}, {ADJECTIVE}])").fetchall()
    for phrase in phrases:
        found = client.execute(f"FROM {question}({phrase})").fetchall()
        assert sorted(map(repr, found)) == sorted(map(repr, usual))
