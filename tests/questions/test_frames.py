"""Subcategorisation frames, beside the twin's nodes; and `aptdb sql` from files and with parameters."""

import re
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.store.statements import literal
from support.commands import ask
from support.corpora import TREES
from support.lexicons import Counted, lexicon_of
from support.runs import examples
from support.strategies import corpora, normalisations, spelt_corpora
from twins import frames
from twins.counting import Rules
from twins.trees import Token

RELATIONS = {"r": "obl", "s": "case", "t": "fixed", "r:x": "aux:pass", "s:y": "case:gen"}


@pytest.mark.thorough
@examples(50)
@given(
    corpora(),
    st.sampled_from(({}, {"join": ["fixed"]}, {"exclude_relations": ["case:gen"]}, {"relations": "universal"})),
    st.sampled_from((None, [], ["obl"], ["obl", "case"])),
)
def test_frames_are_those_of_the_twin(
    counted: Counted, sentences: list[list[Token]], given_settings: dict[str, Any], left_out: list[str] | None
) -> None:
    sentences = [[token._replace(relation=RELATIONS[token.relation]) for token in each] for each in sentences]
    database = counted(sentences, **given_settings)
    known = {label for (label,) in database.rows("SELECT label FROM _store.relation")}
    if left_out is not None and not {*left_out} <= known:
        left_out = []
    expected = frames.frames(sentences, left_out, Rules(**given_settings))
    for lexeme, counts in expected.items():
        given_list = "NULL" if left_out is None else f"{left_out}::VARCHAR[]"
        rows = database.rows(f"FROM frames({literal(lexeme)}, leave_out := {given_list})")
        assert {frame: count for frame, count, _, _ in rows} == counts
        assert rows == sorted(rows, key=lambda row: (-row[1], row[0]))
        assert sum(share for _, _, share, _ in rows) == pytest.approx(1)
        assert all("[" in example for *_, example in rows)


@pytest.mark.thorough
@examples(20)
@given(spelt_corpora(), normalisations())
def test_frames_are_those_of_the_nodes(
    counted: Counted, sentences: list[list[Token]], given_settings: dict[str, Any]
) -> None:
    """Under all settings; no relation is one that has an adposition, or is left out by default."""
    database = counted(sentences, **given_settings)
    for lexeme, counts in frames.frames(sentences, None, Rules(**given_settings)).items():
        rows = database.rows(f"FROM frames({literal(lexeme)})")
        assert {frame: count for frame, count, _, _ in rows} == counts
        assert database.rows(f"FROM frames({literal(lexeme)}, top := 1)") == rows[:1]


def test_frames_of_a_treebank(english: Path) -> None:
    """The frames of a few verbs beside the twin, from the trees in both files."""
    with Lexicon.open(english) as lexicon:
        for lexeme in ("give/VERB", "come/VERB", "rely/VERB"):
            trees = sentences_with(lexicon, lexeme)
            for left_out in (None, ["punct"]):
                expected = frames.frames(trees, left_out, Rules())[lexeme]
                found = lexicon.frames(lexeme, left_out)
                counts = {re.sub(r"(\b(?:obl|nmod))\[[A-Z][a-z]+\]", r"\1", row["frame"]): 0 for row in found}
                for row in found:  # the twin knows no features, so no cases
                    counts[re.sub(r"(\b(?:obl|nmod))\[[A-Z][a-z]+\]", r"\1", row["frame"])] += row["count"]
                assert counts == expected


def sentences_with(lexicon: Lexicon, lexeme: str) -> list[list[Token]]:
    """The trees of all sentences with a lexeme."""
    rows = lexicon.sql(
        "SELECT sentence, form, lemma, upos, xpos, head, relation FROM tokens "
        "SEMI JOIN (SELECT sentence FROM tokens WHERE lexeme = $lexeme) USING (sentence) ORDER BY sentence, position",
        {"lexeme": lexeme},
    ).rows
    return [[Token(*row[1:]) for row in tree] for _, tree in groupby(rows, key=itemgetter(0))]


MIXED = """\
1\tEr\ter\tPRON\t_\tCase=Nom\t2\tnsubj\t_\t_
2\tgab\tgeben\tVERB\t_\t_\t0\troot\t_\t_
3\tGästen\tGast\tNOUN\t_\tCase=Dat\t2\tobl\t_\t_
4\twegen\twegen\tADP\t_\t_\t6\tcase\t_\t_
5\tdes\tder\tADP\t_\t_\t4\tfixed\t_\t_
6\tRegens\tRegen\tNOUN\t_\tCase=Gen\t2\tobl\t_\t_
7\theute\theute\tADV\t_\t_\t2\tadvmod\t_\t_
8\tmit\tMit\tADP\t_\t_\t2\tprep\t_\t_
9\tTee\tTee\tNOUN\t_\t_\t8\tpobj\t_\t_
10\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


def test_adpositions_and_cases(tmp_path: Path) -> None:
    """An adposition of two words; a case where there is none; Stanford's prep; and what has nothing below it."""
    file = lexicon_of(tmp_path / "l.duckdb", {"mixed": MIXED.encode()})
    with Lexicon.open(file) as lexicon:
        ((frame, count, share, example),) = lexicon.frames("geben/VERB").rows
        assert frame == "nsubj obl[Dat] obl[wegen_der+Gen] prep[mit]"
        assert (count, share, example[:8]) == (1, 1, "Er [gab]")
        assert lexicon.frames("heute/ADV").column("frame") == ["(no arguments)"]
        assert lexicon.frames("regen/NOUN").column("frame") == ["(no arguments)"]  # its own adposition is grammar
        every = "advmod nsubj obl[Dat] obl[wegen_der+Gen] prep[mit] punct"
        assert lexicon.frames("geben/VERB", []).column("frame") == [every]
        assert lexicon.sql("FROM frames('geben/VERB', leave_out := [])").column("frame") == [every]
        assert lexicon.sql("FROM frames('geben/VERB')").column("frame") == [frame]
    for lexeme, shown in (("geben/VERB", frame), ("regen/NOUN", "(no arguments)")):
        assert ask("frames", file, lexeme, "--format", "csv").stdout.splitlines()[1].startswith(f"{shown},1,1.0,")


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few sentences."""
    return lexicon_of(tmp_path_factory.mktemp("trees") / "l.duckdb", {"trees": TREES})


def test_frames_on_a_terminal(trees: Path) -> None:
    shown = ask("frames", trees, "dog/NOUN", "--leave-out", "", "--format", "tsv").stdout
    assert shown.splitlines()[0] == "frame\tcount\tshare\texample"


def test_a_query_from_a_file_with_parameters(trees: Path, tmp_path: Path) -> None:
    query = tmp_path / "query.sql"
    query.write_text("SELECT $word AS word, $number + 1 AS number, $code AS code", encoding="utf-8")
    given_ = ("-p", "word=dog", "-p", "number=2", "--parameter", "code=007")
    assert ask("sql", trees, "--file", query, *given_, "--format", "tsv").stdout == "word\tnumber\tcode\ndog\t3\t007\n"
    quoted = ask("sql", trees, "SELECT typeof($code) AS kind", "-p", "code='7'", "--format", "tsv")
    assert quoted.stdout == "kind\nVARCHAR\n"
