"""Table functions whose argument is a column of another table: refused while planned, or as fast as for each value."""

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from aptdb.store.definitions import list_described_objects
from support.cases import read_cases
from support.corpora import noun_phrase
from support.lexicons import make_lexicon
from twins.trees import conllu

NOUNS = (("dog", "small"), ("cat", "small"), ("dog", "big"), ("floor", "clean"), ("house", "clean"))
PARAMETERS = {
    each.name: each.parameters for each in list_described_objects() if each.kind == "table function" and each.parameters
}
TAKEN = {name: [each.split()[0].strip('"') for each in listed.split(", ")] for name, listed in PARAMETERS.items()}
# Arguments that may be columns: then a question takes as long as for each value alone.
BY_ROW = {("evidence", "lexeme"), ("counts_by", "lexeme"), ("frames", "lexeme"), ("lexemes", "pattern")}
BY_DUCKDB = {("sketch", "examples")}  # refused in DuckDB's words, because it chooses what is planned
REFUSED = [(name, each) for name, taken in TAKEN.items() for each in taken if (name, each) not in BY_ROW | BY_DUCKDB]
# A number may stand for text; NULL, or a list; what is asked for.
OF_ANY_TYPE = (
    "subcorpus", "subcorpus_b", "smooth", "a", "b", "negative", "against", "x", "phrase", "lexeme", "relations",
    "leave_out", "candidates",
)  # fmt: skip
FOR_MANY = {"neighbours": "neighbours_each('t')", "apt": "compose_each('t')", "compose": "compose_each('t')"}
WORD = "(SELECT 'dog/N' AS w, 1::BIGINT AS n, 0.5::DOUBLE AS x, true AS b, ['det'] AS l) AS t"
COLUMN = {"VARCHAR": "w", "BIGINT": "n", "DOUBLE": "x", "BOOLEAN": "b", "VARCHAR[]": "l"}  # of the type of a parameter
PHRASE = "[{'lexeme': 'dog/N', 'delta': ''}, {'lexeme': 'small/A', 'delta': '<amod'}]"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("columns") / "animals.duckdb"
    return make_lexicon(file, conllu([noun_phrase(*each) for each in NOUNS]).encode(), name="animals")


@pytest.fixture(scope="module")
def client(file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A client that knows nothing of aptdb."""
    with duckdb.connect(str(file), read_only=True) as opened:
        yield opened


def called(name: str, parameter: str, value: str) -> str:
    """A call of a table function with one argument; those that it needs are constants."""
    needed = [each for each in TAKEN[name] if not re.search(rf'\b{each}"?(?: [A-Z[\]]+)? :=', PARAMETERS[name])]
    given = dict.fromkeys(needed, "'dog/N'") | {parameter: value}
    listed = ", ".join(f'"{each}" := {text}' for each, text in given.items())
    return f"{name}({listed})"


def test_all_take_part(client: duckdb.DuckDBPyConnection) -> None:
    """Every public table function with a parameter is in the table, by the catalog of a lexicon."""
    found = client.execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() WHERE schema_name = 'main' AND NOT internal "
        "AND function_type = 'table_macro' AND len(parameters) > 0"
    ).fetchall()
    assert {name for (name,) in found} == TAKEN.keys()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted({name for name, _ in REFUSED}))
def test_a_column_is_refused(client: duckdb.DuckDBPyConnection, name: str) -> None:
    """In each argument, however it is written, while the question is planned; the error names the way on."""
    types = dict(
        client.execute(
            "SELECT parameter, any_value(type) FROM (SELECT unnest(parameters) AS parameter, "
            "unnest(parameter_types) AS type FROM duckdb_functions() "
            "WHERE function_name IN ($name, 'parameters_of_weights')) GROUP BY parameter",
            {"name": name},
        ).fetchall()
    )
    for parameter in (each for of, each in REFUSED if of == name):
        column = COLUMN[types[parameter] or "VARCHAR"]
        others = () if types[parameter] else ("lower(t.w)", "[t.w]", "{'a': t.w}")
        as_it_is = (f"t.{column}", column, f"(SELECT t.{column})", f"CASE WHEN w = '' THEN {column} END")
        for written in (*as_it_is, *others):
            with pytest.raises(duckdb.Error, match=f"'{name} takes constants, not columns; ") as refused:
                client.execute(f"EXPLAIN FROM {WORD}, {called(name, parameter, written)}")
            assert FOR_MANY.get(name, "call it once for each value") in str(refused.value)


@pytest.mark.parametrize("name", [name for name in TAKEN if ":=" in PARAMETERS[name]])
def test_a_value_of_another_type_is_refused(client: duckdb.DuckDBPyConnection, name: str) -> None:
    """While the question is planned, before anything fails by it, with a list of what is taken."""
    for parameter in TAKEN[name]:
        if re.search(rf'\b{parameter}"?(?: [A-Z[\]]+)? :=', PARAMETERS[name]) and parameter not in OF_ANY_TYPE:
            with pytest.raises(duckdb.Error, match="does not support the supplied arguments") as refused:
                client.execute(f"EXPLAIN FROM {called(name, parameter, 'INTERVAL 1 DAY')}")
            assert re.search(rf"\b{parameter} (?:BIGINT|DOUBLE|VARCHAR|BOOLEAN)", str(refused.value))


@pytest.mark.parametrize(*read_cases("questions/columns"))
def test_a_column_is_asked_about(client: duckdb.DuckDBPyConnection, question: str) -> None:
    """A question about each row of a table is the question about each value."""
    words = "(VALUES ('dog/N'), ('cat/N')) AS t (w)"
    found = client.execute(f"SELECT t.w, answer.* FROM {words}, LATERAL {question} AS answer").fetchall()
    expected = [
        (word, *row)
        for word in ("dog/N", "cat/N")
        for row in client.execute(f"FROM {question.replace('t.w', repr(word))}").fetchall()
    ]
    assert expected
    assert sorted(map(repr, found)) == sorted(map(repr, expected))


def test_one_is_refused_by_duckdb(client: duckdb.DuckDBPyConnection) -> None:
    for name, parameter in BY_DUCKDB:
        with pytest.raises(duckdb.Error, match=r'cannot use column "t\.b"'):
            client.execute(f"EXPLAIN FROM {WORD}, {called(name, parameter, 't.b')}")


def test_a_column_hidden_in_a_subquery(client: duckdb.DuckDBPyConnection) -> None:
    """DuckDB's own refusal, before anything is counted; a subquery with a table of its own is a constant."""
    with pytest.raises(duckdb.Error, match="Positional join in correlated subqueries"):
        client.execute(f"FROM {WORD}, neighbours((SELECT max(lexeme) FROM lexemes WHERE lexeme = t.w))")
    assert client.execute(f"FROM {WORD}, neighbours((SELECT max(lexeme) FROM lexemes), pos := 'any')").fetchall()


@pytest.mark.sampled(8)
@pytest.mark.parametrize(*read_cases("questions/constants"))
def test_what_is_constant_is_asked(client: duckdb.DuckDBPyConnection, value: str, parameters: list[str] | None) -> None:
    """Constants, however they are written; also of phrases, numbers and names, and beside another table."""
    client.execute("SET VARIABLE word = 'dog/N'")
    for question in ("neighbours({}, pos := 'any')", "apt({})", "sketch({}, min_count := 1)", "explain({}, 'cat/N')"):
        wanted = client.execute(f"FROM {question.format(repr('dog/N'))}").fetchall()
        assert wanted
        assert client.execute(f"FROM {question.format(value)}", parameters).fetchall() == wanted
        beside = client.execute(f"SELECT a.* FROM {WORD}, {question.format(value)} AS a", parameters).fetchall()
        assert sorted(map(repr, beside)) == sorted(map(repr, wanted))


def test_other_arguments_that_are_constant(client: duckdb.DuckDBPyConnection) -> None:
    for written in ("anchor := (SELECT 1)", "top := (SELECT 2)", "pos := 'a' || 'ny'", "shift := 2 * 1"):
        assert client.execute(f"FROM neighbours({PHRASE}, {written})").description
    client.execute("PREPARE asked AS FROM neighbours($word, top := $top, pos := 'any')")
    assert len(client.execute("EXECUTE asked(word := 'dog/N', top := 1)").fetchall()) == 1


def test_a_macro_of_the_user(file: Path, tmp_path: Path) -> None:
    """May hand its parameter on: it is what stands there when it is called."""
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(file.read_bytes())
    with duckdb.connect(str(copy)) as client:
        client.execute("CREATE MACRO near(word) AS TABLE (FROM neighbours(word, pos := 'any'))")
        assert client.execute("FROM near('dog/N')").fetchall()
        with pytest.raises(duckdb.Error, match="neighbours takes constants"):
            client.execute(f"FROM {WORD}, near(t.w)")
