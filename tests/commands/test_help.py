"""What the file says of itself: comments on relations, columns and macros, and `aptdb_help`, in a bare client."""

import io
import re
from pathlib import Path

import duckdb
import pytest

from aptdb import Lexicon
from aptdb.core.parameters import declared, describe_values
from aptdb.core.question_parameters import QUESTIONS
from aptdb.core.schemes import SCHEMES, OfPmi, OfSubcorpus, OfWeighting
from aptdb.store.definitions import list_described_objects
from aptdb.store.statements import literal
from support.corpora import noun_phrase
from twins.trees import conllu

OF_PMI = {*declared(OfPmi)}
ROWS = "SELECT 'x' AS phrase, 'leaf/NOUN' AS lexeme, '' AS delta"
EMPTY = {"entries", "entry_weights", "weightings", "evaluations", "space_vectors", "senses", "sense_occurrences"}
REFUSED = {"sense_features": "has no stored senses"}  # where nothing was stored


@pytest.mark.sampled(6)
@pytest.mark.parametrize("entry", list_described_objects(), ids=lambda entry: f"{entry.kind} {entry.name}")
def test_every_example_runs(demo: Path, entry: object) -> None:
    with duckdb.connect(str(demo), read_only=True) as client:
        name, kind = entry.name, entry.kind  # type: ignore[attr-defined]
        told = "SELECT example, meaning FROM aptdb_help WHERE name = $name AND kind = $kind"
        (example, meaning), *others = client.execute(told, {"name": name, "kind": kind}).fetchall()
        assert not others
        assert meaning.removesuffix(")").endswith(".")
        assert "_store" not in meaning + example
        assert name in example
        if name in REFUSED:
            with pytest.raises(duckdb.Error, match=REFUSED[name]):
                client.execute(example).fetchall()
            return
        rows = client.execute(example).fetchall()
        assert bool(rows) is (name not in EMPTY)
        assert len(rows) <= 20


def not_said(file: Path) -> list[str]:
    """Public relations, macros and columns without a comment, or whose entry in `aptdb_help` is missing or wrong."""
    with duckdb.connect(str(file), read_only=True) as client:
        found = client.execute(
            "SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal"
        )
        lacking = [name for name, comment in found.fetchall() if not comment]
        found = client.execute(
            "SELECT function_name, function_type, parameters, comment FROM duckdb_functions() "
            "WHERE schema_name = 'main' AND NOT internal AND database_name = current_database()"
        )
        entries = {
            (name, kind): (parameters, columns, meaning, example)
            for name, kind, parameters, columns, meaning, example in client.execute("FROM aptdb_help").fetchall()
        }
        for name, kind, parameters, comment in found.fetchall():
            known = entries.get((name, "table function" if kind == "table_macro" else "function"))
            refused = OF_PMI if name in SCHEMES and not SCHEMES[name].of_pmi else set()
            taken = [each for each in parameters if each not in refused]
            if known is None or [each.split(" := ")[0] for each in known[0].split(", ")] != taken:
                lacking.append(f"entry of {name}")
            elif comment != known[2] + (f"\nColumns: {known[1]}" if known[1] else "") + f"\nExample: {known[3]}":
                lacking.append(name)
        columns = client.execute(
            "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' AND comment IS NULL "
            "AND NOT internal"
        )
        return lacking + [f"{table}.{column}" for table, column in columns.fetchall()]


def test_each_parameter_is_explained_by_its_declaration(demo: Path) -> None:
    """Each parameter of each function in the catalog has one row, with the values and the default that are declared."""
    with duckdb.connect(str(demo), read_only=True) as client:
        taken = client.execute(
            "SELECT function_name, unnest(parameters) FROM duckdb_functions() WHERE schema_name = 'main' "
            "AND NOT internal AND database_name = current_database()"
        ).fetchall()
        rows = client.execute("FROM aptdb_parameters WHERE function <> 'notation'").fetchall()
    refused = {(name, each) for name, scheme in SCHEMES.items() if not scheme.of_pmi for each in OF_PMI}
    assert sorted((function, name) for function, name, *_ in rows) == sorted({*taken} - refused)
    for function, name, meaning, accepts, default, if_null in rows:
        assert meaning.endswith("."), (function, name)
        assert all((accepts, default, if_null)), (function, name)
        dictionary = OfWeighting if function in SCHEMES else QUESTIONS.get(function, OfSubcorpus)
        if (parameter := declared(dictionary).get(name)) is None:
            continue
        assert accepts == describe_values(dictionary, name)
        if parameter.default is not None:
            assert default == literal(parameter.default)
        elif "[default" in parameter.help:
            assert parameter.help.endswith(f"[default: {default}]")


@pytest.mark.parametrize(
    ("asked", "if_null"),
    [
        ("sketch('shoot/NOUN', top := NULL)", "all"),
        ("sketch('shoot/NOUN', max_order := NULL)", "an error"),
        ("diff('shoot/NOUN', 'leaf/NOUN', per_path := NULL)", "all"),
        ("neighbours('shoot/NOUN', top := NULL)", "an error"),
        ("neighbours(x := NULL)", "an error"),
        ("frames('shoot/NOUN', leave_out := NULL)", "function words, adverbs, punctuation, conjuncts and parataxis"),
        ("evidence('shoot/NOUN', path := NULL)", "any path"),
    ],
)
def test_null_does_what_is_said(demo: Path, asked: str, if_null: str) -> None:
    function, name = re.match(r"(\w+)\(.*?(\w+) := NULL", asked).groups()  # type: ignore[union-attr]
    with duckdb.connect(str(demo), read_only=True) as client:
        said = "SELECT if_null FROM aptdb_parameters WHERE function = $function AND parameter = $name"
        assert client.execute(said, {"function": function, "name": name}).fetchall() == [(if_null,)]
        if if_null == "an error":
            with pytest.raises(duckdb.InvalidInputException, match=f"^Invalid Input Error: ({name} is NULL|no lexeme)"):
                client.execute(f"FROM {asked}").fetchall()
        else:
            assert client.execute(f"FROM {asked}").fetchall()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("FROM neighbours()", "no lexeme is given; write one, as 'dog/NOUN'"),
        ("FROM sketch(relations := 'amod')", r"relations is 'amod'; expected a list, as \['amod'"),
        ("FROM neighbours('shoot/NOUN', weights := 'tfidf')", "weights is 'tfidf'; expected raw_count, .*columns"),
        ("SELECT similarity('shoot/NOUN', 'leaf/NOUN', weights => 'logdice')", r"did you mean log_dice\?"),
    ],
)
def test_what_is_wrong_is_said_in_any_client(demo: Path, query: str, message: str) -> None:
    with duckdb.connect(str(demo), read_only=True) as client, pytest.raises(duckdb.Error, match=message):
        client.execute(query).fetchall()


@pytest.mark.parametrize(
    "query",
    [
        "WITH mine AS (FROM ppmi) FROM neighbours('shoot/NOUN', weights := 'mine')",
        "WITH own AS (WITH k AS (FROM ppmi) FROM neighbours('shoot/NOUN', weights := 'k')) FROM own",
        "FROM neighbours('shoot/NOUN', weights := 'kept')",
        "FROM of_view",
    ],
)
def test_weights_of_ones_own_are_found(demo: Path, query: str) -> None:
    with duckdb.connect(str(demo), read_only=True) as client:
        client.execute("CREATE TEMP TABLE kept AS FROM ppmi")
        client.execute(
            "CREATE TEMP VIEW of_view AS WITH k AS (FROM ppmi) FROM neighbours('shoot/NOUN', weights := 'k')"
        )
        found = client.execute("FROM neighbours('shoot/NOUN')").fetchall()
        assert client.execute(query).fetchall() == client.sql(query).fetchall() == found


def test_weights_that_there_are_not_leave_a_connection_as_it_was(demo: Path) -> None:
    """Python's connection.sql() plans a query whose text DuckDB cannot say."""
    with duckdb.connect(str(demo), read_only=True) as client:
        with pytest.raises(duckdb.CatalogException, match="Table with name tfidf does not exist"):
            client.sql("FROM neighbours('shoot/NOUN', weights := 'tfidf')")
        assert client.sql("FROM lexemes(top := 1)").fetchall()


# Calls of table functions whose examples have none that stands alone.
CALLS = {
    "compositionality": f"WITH t AS ({ROWS}) FROM compositionality('t')",
    "keyness": "FROM keyness('x')",
    "phrase_keyness": "FROM phrase_keyness('leaf/NOUN', 'x')",
    "pattern_keyness": "FROM pattern_keyness(pattern('{\"nodes\": [{\"name\": \"N\"}]}'), 'N.lemma', 'x')",
    "trend": "FROM trend('leaf/NOUN')",
    **{f"{each}_each": f"WITH t AS ({ROWS}) FROM {each}_each('t')" for each in ("compose", "similarity", "neighbours")},
}


@pytest.mark.thorough
def test_columns_are_those_of_a_row(demo: Path) -> None:
    """Their names and types; what metadata adds is said in words."""
    with duckdb.connect(str(demo), read_only=True) as client:
        for entry in list_described_objects():
            call = re.search(rf"\b{entry.name}\((?:[^()]|\([^()]*\))*\)", entry.example)
            asked = f"FROM {entry.name if entry.kind == 'view' or call is None else call[0]}"
            if entry.kind == "function":
                assert entry.columns == ""
                continue
            rows = client.execute(f"DESCRIBE {CALLS.get(entry.name, asked)}").fetchall()
            found = ", ".join(f"{name} {kind}" for name, kind, *_ in rows)
            wanted = entry.columns.removesuffix(", and one for each kind of metadata")
            assert (entry.name, found[: len(wanted)] if wanted != entry.columns else found) == (entry.name, wanted)


def test_everything_public_has_a_comment(demo: Path) -> None:
    assert not_said(demo) == []


@pytest.mark.thorough
def test_comments_stay_when_definitions_are_made_anew(tmp_path: Path) -> None:
    """An addition, a weighting and an entry make macros again, a kind of metadata makes views again."""
    file = tmp_path / "l.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        for number, adjective in enumerate(("small", "big")):
            text = conllu([noun_phrase("dog", adjective), noun_phrase("cat", adjective)])
            lexicon.add(io.BytesIO(text.encode()), name=str(number), tags={"kind": "made"} if number else None)
            lexicon.weigh(f"mine{number}", shift=2)
        lexicon.save("big_dog", "dog/N[amod big/A]", merge="sum")
    assert set(not_said(file)) == {"documents.kind"} | {
        f"mine{number}.{column}" for number in (0, 1) for column in ("lexeme", "path", "context", "weight")
    }
