"""Plans: filters of a reader's reach the scans of the tables, lexemes need nothing of phrases, and all stay small."""

import io
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from aptdb import Lexicon
from aptdb.core.schemes import SCHEMES
from support.clients import list_operators
from support.corpora import noun_phrase
from support.lexicons import new_lexicon
from support.runs import thorough
from twins.trees import conllu

FILTERS = {
    "lexeme = 'dog/N'": ["Filters: text = 'dog/N'"],
    "lexeme IN ('dog/N', 'cat/N')": ["optional: (text IN ('dog/N', 'cat/N'))"],
    "path = '<amod'": ["Filters: text = '<amod'"],
    "context = 'dog/N' AND path = '<amod'": ["Filters: text = 'dog/N'", "Filters: text = '<amod'"],
}
PHRASE = "[{'lexeme': 'dog/N', 'delta': ''}, {'lexeme': 'big/A', 'delta': '<amod'}]"
OPERATORS = {  # which no noise changes; who brings a number down writes the new one here
    "SELECT similarity('dog/N', 'cat/N')": 159,
    "FROM neighbours('dog/N')": 258,
    "FROM apt('dog/N')": 104,
    f"FROM compose({PHRASE})": 303,
    "FROM sketch('dog/N')": 259,
    "FROM evidence('dog/N', NULL, NULL)": 263,
    "FROM ppmi WHERE lexeme = 'dog/N'": 15,
}
OTHERS = [*sorted({*SCHEMES} - {"raw_count", "ppmi"}), "ppmi(shift := 2)", "shifted", "stored"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A client that knows nothing of aptdb, and shows plans after they were improved."""
    file = tmp_path_factory.mktemp("animals") / "animals.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        corpus = [noun_phrase(noun, adjective) for noun in ("dog", "cat") for adjective in ("small", "big")]
        lexicon.add(io.BytesIO(conllu(corpus).encode()), name="animals")
        lexicon.weigh("shifted", shift=1.1)
        lexicon.weigh("stored", shift=1.1, keep=True)
    with duckdb.connect(str(file), read_only=True) as opened:
        opened.execute("SET explain_output = 'optimized_only'")
        yield opened


@pytest.mark.parametrize("condition", FILTERS)
@pytest.mark.parametrize("relation", ["raw_count", "ppmi", *thorough(OTHERS)])
def test_filters_reach_the_scans(client: duckdb.DuckDBPyConnection, relation: str, condition: str) -> None:
    plan = str(client.execute(f"EXPLAIN FROM {relation} WHERE {condition}").fetchall()[0][1])
    for looked_up in FILTERS[condition]:
        assert looked_up in plan
    assert not [each for each in ("CTE", "Union", "Semi") if each in plan]
    scans = plan.count("Table: animals._store.")
    nodes = plan.count("_store.node")
    assert scans <= 7  # co-occurrences, two lexemes, a path, two nodes, and the settings
    assert nodes == {"raw_count": 0, "probability": 0, "stored": 1}.get(relation.partition("(")[0], 2)


@pytest.mark.parametrize("question", ["FROM apt({})", "SELECT similarity({}, 'dog/N')", "FROM neighbours({})"])
def test_only_questions_about_phrases_look_at_relations(client: duckdb.DuckDBPyConnection, question: str) -> None:
    """To plan that takes as long as all the rest."""
    plans = [str(client.execute(f"EXPLAIN {question.format(of)}").fetchall()[0][1]) for of in ("'cat/N'", PHRASE)]
    assert [" times along " in plan for plan in plans] == [False, True]
    assert not any("entry_weight" in plan for plan in plans)  # nor at entries, where there are none


def test_plans_stay_small(client: duckdb.DuckDBPyConnection) -> None:
    found = {query: len(list_operators(client, query)) for query in OPERATORS}
    assert not {query: most for query, most in found.items() if most > OPERATORS[query]}


def test_each_row_reads_its_own_nodes(client: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A question about each row of a table joins no table of the lexicon with all of its rows, beside entries too."""
    with new_lexicon(tmp_path / "entries.duckdb", conllu([noun_phrase("dog", "big")]).encode()) as lexicon:
        lexicon.save("big_dog", "dog/N[amod big/A]")
    with duckdb.connect(str(tmp_path / "entries.duckdb"), read_only=True) as with_entries:
        with_entries.execute("SET explain_output = 'optimized_only'")
        for asked in (client, with_entries):
            found = list_operators(asked, "SELECT similarity('dog/N', lexeme) FROM lexemes()")
            crossed = [below for each in found if each["name"] == "CROSS_PRODUCT" for below in each["children"]]
            assert crossed
            tables = {str(each["extra_info"].get("Table")).rpartition(".")[2] for each in crossed}
            assert not tables & {"node", "cooccurrence", "entry_weight"}
