"""--show-sql: what it prints is asked by DuckDB alone, and gives the answer of the command."""

import shlex
from pathlib import Path

import duckdb
import pytest

from support.commands import ask

ASKED = (
    "evidence FILE dog/NOUN --top 3",
    'evidence FILE \'[upos="ADJ"]+ 1:[upos="NOUN"]\'',
    "evidence FILE 'NOUN[amod *]' --tokens",
    "counts-by FILE 'NOUN[amod *, !det]'",
    "frames FILE 'VERB[nsubj NOUN]'",
    "apt FILE 'dog/NOUN[amod small/ADJ]' --observed --per-path 2",
    "apt FILE dog/NOUN",
    "neighbours FILE 'small dog' --top 2",
    "neighbours FILE dog/NOUN cat/NOUN --top 2",
    "sketch FILE dog/NOUN",
    "lexemes FILE 'd*'",
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("asked", ASKED)
def test_the_sql_gives_the_answer(plain: Path, asked: str) -> None:
    words = [str(plain) if each == "FILE" else each for each in shlex.split(asked)]
    answer = ask(*words, "--format", "jsonl").stdout.splitlines()
    told = ask(*words, "--show-sql").stdout
    assert told.endswith(";\n")
    with duckdb.connect(str(plain), read_only=True) as client:
        assert len(client.execute(told).fetchall()) == len(answer) > 0


@pytest.mark.thorough
@pytest.mark.filterwarnings(
    "ignore:.* (was counted with other settings|is annotated otherwise):aptdb.IncompleteDataWarning"
)
@pytest.mark.parametrize("asked", [["--phrase", "NOUN[amod *]"], ["--top", "5"], ["--of", "terms"]])
def test_a_lexicon_beside_is_attached(plain: Path, farm: Path, asked: list[str]) -> None:
    beside = ["keyness", str(plain), "--other", str(farm), *asked]
    answer = ask(*beside, "--format", "jsonl").stdout.splitlines()
    told = ask(*beside, "--show-sql").stdout
    with duckdb.connect(str(plain), read_only=True) as client:
        assert len(client.execute(told).fetchall()) == len(answer) > 0


def test_what_is_no_question_is_said(plain: Path) -> None:
    found = ask("apt", plain, "small dog", "--readings", "--show-sql")
    assert (found.exit_code, found.stdout) == (1, "")
    assert "this answer has no SQL to show" in found.stderr


def test_what_changes_a_lexicon_is_not_done(plain: Path) -> None:
    before = plain.read_bytes()
    found = ask("subcorpus", plain, "dogs", "--where-matches", "NOUN[amod *]", "--show-sql")
    assert found.exit_code == 2  # it has no answer, and no such option
    found = ask("weigh", plain, "mine", "ppmi", "--format", "tsv", "--show-sql")
    assert found.exit_code != 0
    assert plain.read_bytes() == before
