"""Kinds of metadata that are text, and have numbers: compared as numbers, grouped by functions, the rest left out."""

import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from aptdb import AptWarning, IncompleteDataWarning, InterpretationWarning, Lexicon
from aptdb.counting.conditions import check_condition, chosen_sentences, parse_condition
from support.cases import read_values
from support.commands import ask
from support.lexicons import new_lexicon

AGES = (*read_values("counting/ages"),)
NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
NUMBERS = [float(age) for age in AGES if NUMBER.fullmatch(age) and math.isfinite(float(age))]
# Also nan, inf, 1_0 and 1e999; '' is no value.
LEFT_OUT = "^5 sentences are left out: age there is not a (number|date or a year), as 1,5$"


def away(value: float) -> float:
    """Rounded, halves away from 0."""
    return math.copysign(math.floor(abs(value) + 0.5), value)


def sentences_of(*ages: str) -> str:
    """A sentence for each age."""
    return "".join(f"# age = {age}\n1\tDog\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n" for age in ages)


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A sentence for each age."""
    with new_lexicon(
        tmp_path_factory.mktemp("aged") / "l.duckdb", sentences_of(*AGES).encode(), name="c", sentence_meta=["age"]
    ) as lexicon:
        yield lexicon


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("where", "holds"),
    [
        ("age < 30", lambda age: age < 30),
        ("NOT age < 30", lambda age: age >= 30),
        ("30 >= age", lambda age: age <= 30),
        ("age = 100", lambda age: age == 100),
        ("age <> 100", lambda age: age != 100),
        ("age BETWEEN -2 AND 5", lambda age: -2 <= age <= 5),
        ("age IN (9.5, '7', 1e2)", lambda age: age in (9.5, 7, 100)),
        ("age::DOUBLE < '30'", lambda age: age < 30),
        ("bin(age, 12) = -12", lambda age: -12 <= age < 0),
        ("bin(age, .1) = .3", lambda age: age == 0.3),
        ("age::INTEGER = -2", lambda age: away(age) == -2),
        ("round(age, 1) = 10.2", lambda age: age == 10.2),
        ("round(age, -1) = 10", lambda age: 5 <= age < 15),
        ("decade(age) = -10", lambda age: -10 <= age < 0),
    ],
)
def test_comparisons_with_numbers_are_of_numbers(aged: Lexicon, where: str, holds: Callable[[float], bool]) -> None:
    """As it is written, and as it is stored."""
    database = aged._session.reading()
    for text in (where, parse_condition(where).text()):
        with pytest.warns(IncompleteDataWarning, match=LEFT_OUT):
            check_condition(database, parse_condition(text))
        assert len(database.rows(chosen_sentences(database, parse_condition(text)))) == sum(map(holds, NUMBERS))


def test_text_is_compared_as_text(aged: Lexicon) -> None:
    with pytest.warns(
        InterpretationWarning, match="^age and '30' are compared as text, letter by letter; without quotes"
    ):
        aged.subcorpus("x", "age < '30'")
    assert aged.sql("SELECT sentences FROM subcorpora").rows == [(sum("" < age < "30" for age in AGES),)]
    aged.stored.forget("x", kind="subcorpora")


@pytest.mark.thorough
def test_ages_in_years_and_months_are_no_numbers(tmp_path: Path) -> None:
    """'10;00' < '2;06' in letters, of which there is a note; nobody is advised to compare them so."""
    file = tmp_path / "l.duckdb"
    with new_lexicon(file, sentences_of("2;01", "2;06", "10;00").encode(), name="c", sentence_meta=["age"]) as lexicon:
        with pytest.warns(
            InterpretationWarning, match="^age and '2;06' are compared as text, .*: 10;00 is less than 2;06$"
        ):
            lexicon.subcorpus("young", "age < '2;06'")
        lexicon.subcorpus("later", "age > '0;06'")  # in the order of letters as in that of ages
        assert lexicon.sql("SELECT subcorpus, sentences FROM subcorpora").rows == [("later", 3), ("young", 2)]
    refused = ask("subcorpus", file, "x", "--where", "age < 30")
    assert "age is text, and 30 is a number; none of its values is one, as 10;00" in refused.stderr


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("by", "function"),
    [
        ("bin(age, 12)", lambda age: math.floor(age / 12) * 12),
        (" BIN( Age , 2.5 ) ", lambda age: math.floor(age / 2.5) * 2.5),
        ("round(age)", away),
        ("age::INTEGER", away),
        ("age :: int", away),
        ("age::DOUBLE", lambda age: age),
        ("decade(age)", lambda age: age // 10 * 10),
    ],
)
def test_groups_by_functions_of_numbers(aged: Lexicon, by: str, function: Callable[[float], float]) -> None:
    """In Python, by the command, in SQL alone, as periods, and as subcorpora; in the order of numbers."""
    wanted = Counter(map(function, NUMBERS))
    with pytest.warns(
        IncompleteDataWarning, match="^5 sentences are in the row without a value: 1,5 is not what .* takes$"
    ):
        rows = aged.counts_by("dog/NOUN", by=by).rows
    assert [(float(value), count) for value, count, *_ in rows[:-1]] == sorted(wanted.items())
    assert rows[-1][:2] == (None, len(AGES) - len(NUMBERS))
    assert aged.sql(f"FROM counts_by('dog/NOUN', by := '{by}')").rows == rows
    with pytest.warns(IncompleteDataWarning, match="^5 sentences are left out: 1,5 is not a time$"):
        assert aged.trend("dog/NOUN", by=by).column("period") == sorted(wanted)
    if "INTEGER" in by:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AptWarning)
            names = aged.subcorpora_by(by, "age_")
        assert names == [f"age_{value:.0f}" for value in sorted(wanted)]
        assert aged.sql("SELECT sentences FROM subcorpora ORDER BY subcorpus").rows == [
            (count,) for _, count in sorted((f"age_{value:.0f}", count) for value, count in wanted.items())
        ]
        aged.stored.forget("*", kind="subcorpora")


@pytest.mark.thorough
def test_a_condition_is_answered_by_the_command(tmp_path: Path) -> None:
    """Also in another lexicon, which takes the sentences that a condition holds of."""
    file = tmp_path / "a.conllu"
    file.write_text(
        "".join(f"# age = {age}\n1\tDog\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n" for age in ("9", "100", "nan"))
    )
    assert ask("add", tmp_path / "a.duckdb", file, "--sentence-meta", "age").exit_code == 0
    kept = ask("subcorpus", tmp_path / "a.duckdb", "young", "--where", "age < 30")
    assert (kept.exit_code, "1 sentence is left out: age there is not a number, as nan" in kept.stderr) == (0, True)
    made = ask("rebuild", tmp_path / "a.duckdb", "-o", tmp_path / "b.duckdb", "--where", "bin(age, 12) = 96")
    assert made.exit_code == 0, made.stderr
    with closing(duckdb.connect(str(tmp_path / "b.duckdb"), read_only=True)) as client:
        assert client.sql("SELECT age FROM sentences").fetchall() == [("100",)]


@pytest.mark.parametrize("text", [*AGES, " 5 ", "--1", "1e", "٣", "1.2.3", "1e-3"])
def test_what_is_a_number(aged: Lexicon, text: str) -> None:
    plain = text.strip()
    wanted = float(plain) if NUMBER.fullmatch(plain) and math.isfinite(float(plain)) else None
    assert aged._session.reading().rows("SELECT _store.number_of($text)", {"text": text}) == [(wanted,)]
