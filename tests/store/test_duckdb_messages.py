"""DuckDB's words about a query never reach people: ours say which name is wrong, and which one is near."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aptdb import Lexicon, QuestionError
from aptdb.store.duckdb_messages import in_our_words
from support.corpora import DOGS
from support.lexicons import Once

WRONG = {
    "FROM ppmm": "no table or view ppmm; did you mean ppmi?",
    "FROM apt('dog/NOUN', weights := 'ppm')": "no table or view ppm; did you mean ppmi?",
    "FROM zzzz": "no table or view zzzz; FROM aptdb_help lists what there is",
    "FROM neighbors('dog/NOUN')": "no function neighbors; did you mean neighbours?",
    "SELECT lexme FROM lexemes": "no column lexme; did you mean lexeme?",
    "SELECT n.lexme FROM nodes AS n": "no column lexme",
    "FROM pud.nodes": "no schema pud; if it is another lexicon or DuckDB file, attach it first",
    "FROM apt('dog/NOUN', shfit := 1)": "apt takes no shfit; did you mean shift?",
    "FROM ppmi(shfit := 2)": "ppmi takes no shfit; did you mean shift?",
    "SELECT similarity('a', 'b', mesure := '(')": "similarity takes no mesure; did you mean measure?",
    "FROM sketch('dog/NOUN', leave_out := 'amod')": "sketch takes no leave_out; it takes relations, max_order, ",
    "FROM frames('run/VERB', leave_out := 'amod')": "leave_out is 'amod'; expected a list, as ['amod', 'nsubj']",
    "FROM frames('run/VERB', leaveout := ['amod'])": "frames takes no leaveout; did you mean leave_out?",
    "FROM explain('dog/NOUN')": "explain takes a, b, and by name, as in top := …: top, space, measure, ",
    "FROM apt('dog/NOUN', max_order := 'x')": "max_order is 'x'; expected a whole number",
    "FROM apt('dog/NOUN', shift := 'x')": "shift is 'x'; expected a number",
    "FROM sketch('dog/NOUN', relations := 3)": "relations is 3; expected a list, as ['amod', 'nsubj']",
    "FROM counts_by('dog/NOUN', by := ['x'])": "by is ['x']; expected text",
    "FROM apt('dog/NOUN', weights := 3)": "weights is 3; expected text",
    "FROM apt('dog/NOUN', weights := '')": "'' stands where the name of weights or of a table does",
    "FROM neighbours('dog/NOUN', measure := 1)": "measure is 1; expected text",
    "FROM neighbours('dog/NOUN', measure := true)": "measure is true; expected text",
    "FROM neighbours('dog/NOUN', measure := lin)": "measure is lin, which is no column; write text in quotes: 'lin'",
    "FROM neighbours('dog/NOUN', top := n)": "no column n",
    "FROM neighbours_each(3)": "a value of type INTEGER stands where the name of a table does, as in 'lexemes'",
    "FROM neighbours('dog/NOUN', top := 99999999999999999999)": "top is 99999999999999999999; that is too large or to",
    "FROM neighbours('dog/NOUN', top := 'nan')": "top is nan; expected a whole number",
    "FROM cooccurrences(subcorpus := ['x'])": "a list stands where text is expected",
    "FROM sketch('dog/NOUN', relations := [5])": "a list holds values of another type; expected a list, as ['amod', '",
    "FROM neighbours('dog/NOUN', weights := 'x''y\"z')": "no weighting, table or view is called x'y\"z",
    "FROM duckdb_secrets()": "is out of reach: a question reads its lexicon",
    "FROM read_text('/etc/*')": "/etc/* is out of reach: a question reads its lexicon, and DuckDB files that are attac",
    "FROM similarity_each(NULL)": "NULL stands where the name of a table does",
    "FROM similarity_each('lexemes', pairs := 'lexemes')": "no question NULL in the table; a pair (a, b)",
    "SELECT 300::TINYINT": "300 is too large or too small for a whole number",
    "SELECT 9223372036854775807 * 2": "9223372036854775807 * 2 leaves the range of whole numbers; write one as a",
    "SELECT list_transform(3, x -> x)": "a value stands where a list does; expected a list, as ['amod', 'nsubj']",
    "SELECT unnest('a')": "a value of type VARCHAR stands where a list does; expected a list",
    "SELECT lower([1])": "lower takes no INTEGER[]",
    "SELECT DATE 'x'": "invalid date field format",
    "FROM nodes WHERE count = 'x'": "'x' is not a whole number",
    "SELECT path_order(5)": "a value of type INTEGER stands where text is expected",
    "FROM frames('dog/NOUN', leave_out := [5])": "a value of type INTEGER stands where text is expected",
    "FROM frames(['x'])": "a value of type VARCHAR[] stands where text is expected",
    "FROM evidence('dog/NOUN', ['<obj'], NULL)": "a list stands where text is expected",
    "SELECT [1] = 1": "a value of type INTEGER stands where a list, as ['amod', 'nsubj'] does",
    "FROM apt('dog/NOUN', max_order := concat('x'))": "values of type VARCHAR and INTEGER cannot be compared",
}


@pytest.fixture(scope="module")
def dogs(once: Once) -> Iterator[Lexicon]:
    def make(file: Path) -> None:
        with Lexicon.open(file, create=True) as lexicon:
            lexicon.add(io.BytesIO(DOGS.encode()), name="dogs")

    with Lexicon.open(once("told-dogs.duckdb", make)) as lexicon:
        yield lexicon


def test_what_is_wrong_in_a_query_is_told_in_our_words(dogs: Lexicon) -> None:
    for query, said in WRONG.items():
        with pytest.raises(QuestionError) as refusal:
            dogs.sql(query)
        assert said in str(refusal.value), query
        assert not re.search("Binder Error|Catalog Error|Candidate|explicit|INT64|Did you mean", str(refusal.value))


def test_values_of_names_in_a_query(dogs: Lexicon) -> None:
    """One that is missing, one too many, and one that is no text in UTF-8."""
    for query, values, said in (
        ("SELECT $a, $b, '$c'", {"a": 1}, "the query has $b, without a value; give it: -p b=VALUE (in Python {'b': "),
        ("SELECT $a, '$c'", {"a": 1, "c": 2, "d": 3}, "the query has no $c, $d; there is $a"),
        ("SELECT 1", {"a": 1}, "the query has no $name, and a value is given"),
        ("SELECT $a", {"a": "\ud800"}, "a text is not UTF-8: surrogate '\\ud800' at position 0 is not allowed"),
    ):
        with pytest.raises(QuestionError) as refusal:
            dogs.sql(query, values)
        assert str(refusal.value).startswith(said), query


def test_python_suggests_the_near_parameter(dogs: Lexicon) -> None:
    with pytest.raises(QuestionError, match="neighbours takes no mesure; did you mean measure\\? It takes aligned, "):
        dogs.neighbours("dog/NOUN", mesure="cosine")  # type: ignore[call-arg]


def test_other_messages_stay() -> None:
    for text in ("Parser Error: syntax error", "a message of ours", "Binder Error: something else", ""):
        assert in_our_words(text, "FROM apt('x', shift := 1") == text
