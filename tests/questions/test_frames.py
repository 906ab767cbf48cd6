"""Subcategorisation frames, beside the twin's nodes; and `aptdb sql` from files and with parameters."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from aptdb import Lexicon, QuestionError
from support.commands import ask
from support.corpora import TREES
from support.lexicons import Counted, lexicon_of
from support.runs import examples
from support.strategies import normalisations, spelt_corpora
from twins.counting import Rules, normalised
from twins.trees import Token


@pytest.mark.thorough
@examples(20)
@given(spelt_corpora(), normalisations())
def test_frames_are_those_of_the_nodes(
    counted: Counted, sentences: list[list[Token]], given_settings: dict[str, Any]
) -> None:
    database = counted(sentences, **given_settings)
    rules = Rules(**given_settings)
    frames: dict[str, Counter[str]] = defaultdict(Counter)
    without: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        nodes, lexemes = normalised(sentence, rules)
        for place, lexeme in lexemes.items():
            labels = sorted(node.relation for node in nodes.values() if node.head == place)
            frames[lexeme][" ".join(labels)] += 1
            without[lexeme][" ".join(label for label in labels if label != "r")] += 1
    known = {label for (label,) in database.rows("SELECT label FROM _store.relation")}
    for lexeme, counts in frames.items():
        quoted = lexeme.replace("'", "''")
        rows = database.rows(f"FROM frames('{quoted}', leave_out := [])")
        assert {frame: count for frame, count, _, _ in rows} == counts
        assert rows == sorted(rows, key=lambda row: (-row[1], row[0]))
        assert sum(share for _, _, share, _ in rows) == pytest.approx(1)
        assert all("[" in example for *_, example in rows)
        assert database.rows(f"FROM frames('{quoted}', leave_out := [], top := 1)") == rows[:1]
        if "r" in known:
            rows = database.rows(f"FROM frames('{quoted}', leave_out := ['r'])")
            assert {frame: count for frame, count, _, _ in rows} == without[lexeme]


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few sentences."""
    return lexicon_of(tmp_path_factory.mktemp("trees") / "l.duckdb", {"trees": TREES})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((None,), "the lexeme is NULL"),
        (("dgo/NOUN",), "no lexeme dgo/NOUN; there is dog/NOUN"),
        (("dog/NOUN", ["amodd"]), "no relation amodd; there is amod"),
        (("dog/NOUN", "det"), r"leave_out is 'det'; expected a list of relations"),
        (("dog/NOUN", None), r"leave_out is None; expected a list of relations"),
    ],
)
def test_what_has_no_frames(trees: Path, arguments: tuple[Any, ...], said: str) -> None:
    with Lexicon.open(trees) as lexicon, pytest.raises(QuestionError, match=said):
        lexicon.frames(*arguments)


def test_frames_on_a_terminal(trees: Path) -> None:
    shown = ask("frames", trees, "dog/NOUN", "--leave-out", "", "--format", "tsv").stdout
    assert shown.splitlines()[0] == "frame\tcount\tshare\texample"
    assert "no relation amodd" in ask("frames", trees, "dog/NOUN", "--leave-out", "amodd").stderr


def test_a_query_from_a_file_with_parameters(trees: Path, tmp_path: Path) -> None:
    query = tmp_path / "query.sql"
    query.write_text("SELECT $word AS word, $number + 1 AS number, $code AS code", encoding="utf-8")
    given_ = ("-p", "word=dog", "-p", "number=2", "--parameter", "code=007")
    assert ask("sql", trees, "--file", query, *given_, "--format", "tsv").stdout == "word\tnumber\tcode\ndog\t3\t007\n"
    quoted = ask("sql", trees, "SELECT typeof($code) AS kind", "-p", "code='7'", "--format", "tsv")
    assert quoted.stdout == "kind\nVARCHAR\n"
    for more, said in (
        (("SELECT 1", "--file", query), "give the query, or a --file that has it"),
        ((), "give the query, or a --file that has it"),
        (("--file", tmp_path / "none.sql"), "none.sql cannot be read: No such file"),
        (("SELECT 1", "-p", "word"), "'word' is not NAME=VALUE"),
        (("SELECT 1", "-p", "a=1", "-p", "a=2"), "a is 1 and 2; give one"),
    ):
        found = ask("sql", trees, *more)
        assert found.exit_code
        assert said in " ".join(found.stderr.split())
