"""Conditions of subcorpora: beside a twin of SQL's logic, and what is not a condition."""

import random
import warnings
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import NoMatchWarning, QuestionError
from aptdb.counting.condition_parser import Comparison, Condition, Not, Several, Value, join_conditions
from aptdb.counting.conditions import check_condition, chosen_sentences, divide_by_column, parse_condition
from aptdb.store.database import Database
from support.cases import read_cases
from support.clients import change_file
from support.lexicons import lexicon_of, make_lexicon
from support.runs import examples
from twins.conditions import holds

WORDS = "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
WITHOUT: dict[str, Any] = dict.fromkeys(
    ("document", "sent_id", "genre", "year", "weight", "day", "order", "value", "Ünï", "speaker")
)
DOCUMENTS: dict[str, dict[str, Any]] = {
    "one": {"genre": "fiction", "year": 1890, "weight": 0.3, "day": date(1999, 1, 31), "order": "it's"},
    "two": {"genre": "News%", "year": 1900, "weight": 1890.0, "order": 'a"b', "value": 7},
    "three": {"genre": "news", "day": date(2000, 2, 29), "Ünï": "É"},
    "four": {"year": 1905, "weight": 2.5, "value": 1905},
    "five": {},
}
SENTENCES: list[dict[str, Any]] = [{"sent_id": "s1", "speaker": "Ann"}, {"sent_id": "s2"}, {"speaker": "Bo"}]
ROWS: list[dict[str, Any]] = [
    {**WITHOUT, "corpus": "c", "document": name, **said, **sentence}
    for name, said in DOCUMENTS.items()
    for sentence in SENTENCES
]
# What was added before documents were stored is in none.
ROWS[-1] = {**WITHOUT, "corpus": "c", "speaker": "Bo"}
TEXTS = ("genre", "order", "document", "sent_id", "corpus", "speaker", "Ünï")
NUMBERS = ("year", "weight", "value")


def conllu() -> str:
    """The rows as a corpus."""
    parts = []
    for name, said in DOCUMENTS.items():
        parts.append(f"# newdoc id = {name}\n" + "".join(f"# meta::{kind} = {value}\n" for kind, value in said.items()))
        for sentence in SENTENCES:
            parts.append("".join(f"# {kind} = {value}\n" for kind, value in sentence.items()) + WORDS)
    return "".join(parts)


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A lexicon of these rows; the ids of its sentences are their places, from 1."""
    file = tmp_path_factory.mktemp("conditions") / "l.duckdb"
    make_lexicon(file, conllu().encode(), name="c", sentence_meta=["speaker"])
    change_file(file, "UPDATE _store.sentence SET document_id = NULL WHERE id = ?", [len(ROWS)])
    with closing(Database(file, read_only=True)) as database:
        yield database


def chosen(database: Database, condition: Condition) -> list[int]:
    """The sentences of a condition."""
    return sorted(number for (number,) in database.rows(chosen_sentences(database, condition)))


def column(*names: str) -> st.SearchStrategy[Any]:
    """One of some columns."""
    return st.tuples(st.just("column"), st.sampled_from(names))


def value(*values: Any) -> st.SearchStrategy[Any]:
    """One of some values."""
    return st.tuples(st.just("value"), st.sampled_from((*values, None)))


def of_time(function: str, *names: str) -> st.SearchStrategy[Any]:
    """A function of one of some columns."""
    return st.tuples(st.just("of_time"), st.tuples(st.just(function), st.sampled_from(names)))


# Columns with columns or values that they can be compared with, in any order.
KINDS = (
    (column(*TEXTS), value("fiction", "news", "News%", "é", "it's", "", 'a"b', "s1", "c", "two", "$x @y@ --")),
    (column(*NUMBERS), value(1890, 1900, 0.3, -2, 1e300, 2**70, "1905", "2.5")),
    (column("day"), value(date(1999, 1, 31), datetime(1999, 1, 31, 12), "2000-02-29")),
    (of_time("year", "day"), value(1999, 2000, "1999", 1999.5)),
    (of_time("month", "day"), value(1, 2, 12)),
    (of_time("decade", "day", "year"), value(1890, 1900, 1990, 2000)),
    (of_time("century", "day", "year"), value(19, 20, 21)),
)
ABOUT = st.sampled_from(KINDS)
PATTERNS = st.sampled_from(("%e%", "news_", "News%", "_", "É", "é", "", "it's", "100%", "\\", "f.*"))


@st.composite
def comparisons(draw: st.DrawFn) -> Any:
    """A condition with no others in it, as the twin has it."""
    columns, values = draw(ABOUT)
    kind = draw(
        st.sampled_from(("=", "<>", "<", "<=", ">", ">=", "distinct", "alike", "between", "in", "null", "like"))
    )
    first, second = draw(columns), draw(st.one_of(columns, values))
    if kind == "null":
        return "null", first
    if kind == "like":
        return draw(st.sampled_from(("like", "ilike"))), draw(column(*TEXTS)), ("value", draw(PATTERNS))
    if kind == "in":
        return "in", first, draw(st.lists(values, min_size=1, max_size=3))
    if kind == "between":
        return ("between", first, second, draw(values)) if draw(st.booleans()) else ("between", second, first, first)
    return (kind, first, second) if draw(st.booleans()) else (kind, second, first)


CONDITIONS = st.recursive(
    st.one_of(comparisons(), st.tuples(st.just("truth"), st.sampled_from((True, False, None)))),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(("and", "or")), st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=8,
)
WORDS_OF = {"distinct": "is distinct from", "alike": "is not distinct from", "null": "is null"}
SPACES = (" ", "  ", "\n", "\t", " /* OR */ ", " -- AND\n")


class Writer:
    """Writes a condition of the twin as people may: with spaces, brackets and capitals anywhere."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def together(self, *parts: str) -> str:
        """Parts with spaces between them."""
        return "".join(part for each in parts for part in (each, self.random.choice(SPACES)))

    def word(self, text: str) -> str:
        """Words of SQL."""
        how = self.random.choice((str.upper, str.lower, str.title))
        return self.together(*map(how, text.split()))

    def operand(self, operand: Any) -> str:
        """A column or a value."""
        kind, what = operand
        if kind == "of_time":
            return self.random.choice((str.upper, str.lower))(what[0]) + f"({self.operand(('column', what[1]))})"
        if kind == "column":
            must = what in ("order", "Ünï")
            name = what if what == "Ünï" else self.random.choice((str.upper, str.lower))(what)
            return f'"{name}"' if must or self.random.random() < 0.3 else name
        if isinstance(what, date):
            return self.word("timestamp" if isinstance(what, datetime) else "date") + f"'{what}'"
        text = "'" + what.replace("'", "''") + "'" if isinstance(what, str) else repr(what)
        text = "null" if what is None else text
        return f"({text})" if self.random.random() < 0.2 else text

    def written(self, condition: Any) -> str:
        """A condition, in brackets where it needs them, and elsewhere at times."""
        kind, *parts = condition
        if kind == "truth":
            return self.word("null" if parts[0] is None else str(parts[0]))
        if kind == "not":
            text = self.together(self.word("not"), f"({self.written(parts[0])})")
        elif kind in ("and", "or"):
            text = self.word(kind).join(f"({self.written(each)})" for each in parts[0])
        elif kind == "in":
            listed = ",".join(map(self.operand, parts[1]))
            text = self.together(self.operand(parts[0]), self.word(kind), f"({listed})")
        else:
            first, *others = (self.together(self.operand(each)) for each in parts)
            text = self.together(first, self.word(WORDS_OF.get(kind, kind)), self.word("and").join(others))
        return self.together("(", text, ")") if self.random.random() < 0.2 else text


@pytest.mark.thorough
@examples(400)
@given(CONDITIONS, st.integers(0, 10**6))
def test_conditions_choose_what_the_twin_chooses(lexicon: Database, condition: Any, seed: int) -> None:
    """However they are written; and their text is a condition with the same tree."""
    tree = parse_condition(Writer(seed).written(condition))
    assert chosen(lexicon, tree) == [place for place, row in enumerate(ROWS, 1) if holds(condition, row)]
    again = parse_condition(tree.text())
    assert (again, again.text()) == (tree, tree.text())
    assert "\n" not in tree.text()


LONG = [
    ("(" * 90 + "a = 1" + ")" * 90, '"a" = 1'),
    ("NOT " * 90 + "a = 1", None),
    ("sent_id IN (" + ", ".join(f"'x{number}'" for number in range(5000)) + ")", None),
    (" OR ".join(["a = 1 AND b = 2"] * 1000), None),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("text", "canonical"), [*read_cases("counting/texts_of_conditions")[1], *LONG])
def test_the_text_of_a_condition_is_always_the_same(text: str, canonical: str | None) -> None:
    found = parse_condition(text).text()
    assert canonical is None or found == canonical
    assert parse_condition(found).text() == found


@pytest.mark.parametrize(*read_cases("counting/conditions_that_do_not_fit"))
def test_what_does_not_fit_the_lexicon_is_refused(lexicon: Database, text: str, said: str) -> None:
    """When it is checked, and where it was not."""
    condition = parse_condition(text)
    for use in (check_condition, chosen_sentences):
        with pytest.raises(QuestionError, match=said):
            use(lexicon, condition)


@pytest.mark.parametrize(("text", "mend"), [("genre = 5", " '5'"), ("genre = true", ""), ("day = 1999", "")])
def test_only_a_number_beside_text_is_mended_by_quotes(lexicon: Database, text: str, mend: str) -> None:
    with pytest.raises(QuestionError) as error:
        check_condition(lexicon, parse_condition(text))
    assert str(error.value).partition("; write")[1:] == (("; write", mend) if mend else ("", ""))


@pytest.mark.parametrize(*read_cases("counting/values_of_no_sentence"))
def test_values_that_no_sentence_has_are_told(lexicon: Database, text: str, said: list[str]) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_condition(lexicon, parse_condition(text))
    assert [str(each.message) for each in told] == said
    assert all(each.category is NoMatchWarning for each in told)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*WITHOUT, "corpus", "YEAR"])
def test_by_has_a_condition_for_each_value(lexicon: Database, name: str) -> None:
    """Which chooses the sentences that have it; the others are counted."""
    kind = name.lower() if name.isascii() else name
    found, without = divide_by_column(lexicon, name)
    values = {row[kind] for row in ROWS}
    assert [value for value, _ in found] == sorted(values - {None})
    for each, condition in found:
        assert chosen(lexicon, parse_condition(condition.text())) == [
            i for i, row in enumerate(ROWS, 1) if row[kind] == each
        ]
    assert without == sum(row[kind] is None for row in ROWS)


def test_by_refuses_unknown_columns(lexicon: Database) -> None:
    with pytest.raises(QuestionError, match="no column yaer; did you mean year"):
        divide_by_column(lexicon, "yaer")


@pytest.mark.thorough
def test_a_name_of_documents_and_of_sentences_is_ambiguous(tmp_path: Path) -> None:
    """Also where documents have what is a column of sentences; the columns of tables are in nobody's way."""
    said = ("# newdoc id = one\n# meta::speaker = Ann\n# meta::sent_id = x\n# meta::id = 1\n"
            "# meta::sentence_id = 7\n# meta::value = 5\n# speaker = Bo\n# sent_id = s\n")  # fmt: skip
    file = tmp_path / "l.duckdb"
    make_lexicon(file, (said + WORDS).encode(), name="c", sentence_meta=["speaker"])
    with closing(Database(file, read_only=True)) as database:
        for name in ("Speaker", "sent_id"):
            with pytest.raises(QuestionError, match=f"{name} is ambiguous"):
                check_condition(database, parse_condition(f"{name} = 'Ann'"))
        assert chosen(database, parse_condition("id = 1 AND sentence_id = 7 AND value = 5")) == [1]
        assert [value for value, _ in divide_by_column(database, "value")[0]] == [5]


@pytest.mark.thorough
def test_a_long_list_of_values_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "l.duckdb"
    sentences = "".join(f"# sent_id = x{number}\n{WORDS}" for number in range(30))
    lexicon_of(file, {"c": sentences.encode()})
    with (
        closing(Database(file, read_only=True)) as database,
        pytest.warns(NoMatchWarning, match=r"'y'; its values are x0, x1, x10, .* and 10 more$"),
    ):
        check_condition(database, parse_condition("sent_id = 'y'"))


def test_trees_of_the_same_kind_are_joined() -> None:
    """So that brackets make no difference."""
    truth = Comparison("", (Value(True),))
    assert join_conditions("AND", (truth, Several("AND", (truth, truth)))) == Several("AND", (truth,) * 3)
    assert join_conditions("AND", (truth, Several("OR", (truth, truth)))).text() == "true AND (true OR true)"
    between = parse_condition("NOT a BETWEEN 1 AND 2")
    assert isinstance(between, Not)
    assert isinstance(between.part, Comparison)
    assert between.part.word == "BETWEEN"
