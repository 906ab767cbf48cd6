"""Patterns of trees: their matches are those of the twin; the notations say the same; what is wrong is refused."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.core.errors import QuestionError
from aptdb.counting.patterns import read_pattern
from aptdb.store.statements import literal
from support.cases import read_cases
from support.corpora import corpus_file, unpacked
from support.lexicons import new_lexicon
from support.parsed_gifts import TEXT, words_of
from support.runs import examples
from twins.tree_matches import Word, matches

# What is written, and the matches: the sentence and the positions of the nodes.
ASKED: dict[str, list[tuple[int, ...]]] = {
    "pattern { V [upos=VERB] }": [(1, 2), (2, 3)],
    "pattern { V [lemma=give, upos=VERB]; V -[obj]-> O }": [(1, 2, 5)],
    "pattern { V -[obj|iobj]-> O; V << O }": [(1, 2, 3), (1, 2, 5)],
    "pattern { e: V -[^obj|iobj]-> O; V [upos=VERB]; O << V }": [(1, 2, 1), (2, 3, 1), (2, 3, 2)],
    'pattern { V [form="GAVE"] }': [(1, 2)],
    'pattern { V [lemma=re"g.*"]; V -> O; O [feats.Number] }  % a comment': [(1, 2, 5), (2, 3, 1)],
    "pattern { N [Case <> Nom] }": [(1, 3)],
    "pattern { N [upos=PRON, !Gloss]; N < M; M [upos=VERB|ADJ] }": [(1, 1, 2), (1, 3, 4)],
    "pattern { N [upos=ADJ]|[upos=AUX, Tense=Past] }": [(1, 4), (2, 2)],
    "pattern { V [upos=VERB] } without { V -[aux:pass]-> * }": [(1, 2)],
    "pattern { V -[obj]-> O; V -[iobj]-> I } without { O << I }": [(1, 2, 5, 3)],
    "pattern { V -[obj]-> O; V -[iobj]-> I } without { V -[obj]-> O; I << O }": [],
    "pattern { N -[E:nsubj]-> S }": [(1, 2, 1), (1, 4, 1)],
    'pattern { N [upos=NOUN|PRON] } without { N [upos=PRON, Case=Nom|Acc] } without { N [xpos=re"NN"] }': [
        (1, 5),
        (2, 1),
    ],
    "pattern { N [upos=NOUN|PRON] } without { N.Case = Nom }": [(1, 3), (1, 5), (2, 1)],
    "pattern { V [upos=VERB]; V -> N } without { V [xpos=VBD]; N [upos=NOUN|PRON]; V -[obj|nsubj]-> N }": [
        (1, 2, 3),
        (2, 3, 1),
        (2, 3, 2),
        (2, 3, 4),
    ],
    "pattern { V [upos=VERB] } without { V [Tense=Past]; V -[obj]-> O; O [misc.Gloss] }": [(2, 3)],
    "pattern { N [upos=NOUN|PRON] } without { N [!Case] }": [(1, 1), (1, 3)],
    "pattern { N [misc.Number=2] }": [(1, 5)],
    "pattern { A [upos=PRON]; B [upos=PRON]; A.upos = B.upos; A << B }": [(1, 1, 3)],
    "pattern { A [upos=PRON]; B [upos=NOUN]; A.xpos <> B.xpos; B >> A }": [(1, 1, 5), (1, 3, 5)],
    "pattern { A [upos=PRON]; A.Case = Nom }": [(1, 1)],
    "pattern { V -[1=nsubj]-> S; V [upos=VERB] }": [(1, 2, 1), (2, 3, 1)],
    "pattern { V -[1=aux|nsubj, 2=pass]-> S; V [upos=VERB] }": [(2, 3, 1), (2, 3, 2)],
    "VERB[obj *]": [(1, 2, 5)],
    "give/VERB[<nsubj* *]": [(1, 2, 1), (2, 3, 1)],
    "VERB[>nsubj* *]": [],
    "VERB[!aux:pass]": [(1, 2)],
    "VERB[!<aux:pass]": [(1, 2)],
    "VERB[!>aux:pass]": [(1, 2), (2, 3)],
    "PRON{Case<>Nom}": [(1, 3)],
    "PRON{Case!=Nom}": [(1, 3)],
    "VERB[iobj|obj *]": [(1, 2, 3), (1, 2, 5)],
    "VERB[!obj PRON, iobj PRON]": [(1, 2, 3)],
    "VERB[iobj *, !iobj PRON]": [],
    "VERB[iobj|obj *, !iobj PRON{Case=Nom}]": [(1, 2, 3), (1, 2, 5)],
    "VERB[iobj *, !iobj]": [],
    "VERB[!aux:pass AUX{Tense=Past}]": [(1, 2)],
    "VERB[!aux:pass VERB, !obj NOUN[amod *]]": [(2, 3)],
    "VERB{Tense=Past}[compound:prt *]": [(2, 3, 4)],
    "VERB[iobj PRON{Case=Acc|Nom}, obj *le/NOUN[amod ADJ|AUX]]": [(1, 2, 3, 5, 4)],
    "form:apples|/b.*/{Tense}": [(2, 2)],
}
WRONG = {
    "pattern { V [upos=VERB] V -> O }": "expected ; or } at character 25, where 'V -> O }' is",
    "pattern { V [upos=] }": "expected a value, as VERB",
    "pattern { V -[obj]- O }": "expected ]-> at character",
    "pattern { [upos=VERB] }": "expected the name of a node",
    "pattern { V [upos=VERB]; V }": "expected [, ->, -[, <, << or . after a node",
    "pattern { V [upos=VERB] } with { V -> O }": "with { … } is not taken; write what must be there in pattern",
    "global { is_projective }": "global { … } is not taken",
    "pattern { N -[root]-> V }": "root is not an edge between words; write N [deprel=root]",
    "pattern { N -[E:obj|obj]-> V }": "an edge is basic, or enhanced",
    "pattern { V [upos=VREB] }": "no token has upos VREB; did you mean VERB?",
    "pattern { V [uops=VERB] }": "no attribute uops",
    "pattern { V [Number=Plur] }": "Number is in FEATS and in MISC; write feats.Number or misc.Number",
    "pattern { V [feats.Gloss=x] }": "no token has Gloss in FEATS",
    "pattern { V [upos=VERB]; V -> V }": "the node V is linked to itself",
    "pattern { e: A -> B; f: A -> C; e << f }": "e names an edge; edges have no order",
    "pattern { e: A -> B; e.label = obj }": "e names an edge",
    "pattern { A << A }": "the node A is linked to itself",
    "pattern { A -> B; A.misc.Gloss = B.misc.Gloss }": "values of misc.Gloss are not compared; those of form",
    "pattern { A -> B; A.feats.Foo = B.feats.Foo }": "no token has Foo in FEATS",
    "pattern { V [Tense=past] }": "no token has feats.Tense past; did you mean Past?",
    "pattern { V [SpaceAfter=No] }": "SpaceAfter is stored as space_after of tokens",
    'pattern { V [lemma=re"(un"] }': "(un is not a regular expression: missing )",
    "pattern { V -[E:^nsubj]-> S }": "any enhanced one but nsubj is -[^E:nsubj]->",
    "VERB{Tense=Past}|AUX": "alternatives, which stand before {…}",
    "without { V -> O }": "a request has a pattern with a node",
    "VERB[obj PRN]": "no token has upos PRN; did you mean PRON?",
    "VERB[objj *]": "no token has deprel objj; did you mean obj?",
    "VERB[obj *": "expected , or ] at character",
    "VERB[]": "expected a relation",
    "give[obj *]": "a word is written as give/VERB, /give/ or form:give",
    "give/VRB[obj *]": "no token has lexeme give/VRB",
    "*ity/NOUN{Number=Plur}": "Number is in FEATS and in MISC",
    "VERB[nosuch* *]": "no token has deprel nosuch.*",
    "patern { V [upos=VERB] }": "a request has no patern { … }; write pattern { … }",
    "pattern { V -[E:nsubjj]-> S }": "no token has the enhanced relation nsubjj",
    "VERB{Tense=Past": "expected , or } at character",
    "VERB[!obj NOUN[!det]]": "! within another ! is not allowed",
    'pattern { N [form=re"[A-Z].*"] }': "capitals make no difference in forms",
}
# JSON that is no pattern, written for SQL.
NO_PATTERN = {
    '{"nodes": [{"name": "N", "tests": [[]]}]}': "an item of tests is []",
    '{"nodes": [{"name": "N", "tests": [{"attribute": "upos", "value": "NOUN"}]}]}': "an item of tests is {",
    '{"nodes": ["N"]}': 'an item of nodes is "N", a VARCHAR',
    '{"nodes": [{"name": "N"}], "edges": "N"}': 'edges is "N", a VARCHAR',
    '{"nodes": [{"name": "N"}], "without": [{}]}': "a block of without is empty",
    '{"nodes": [{"name": "N"}], "same": [{"left": "N.lemma", "right": "Q.lemma"}]}': "no node Q in the pattern",
    '{"nodes": [{"name": "N"}, {"name": "N"}]}': "a node of the pattern has no name, or two have one",
    '{"nodes": [{"name": "N"}], "edgs": []}': "a pattern has no edgs",
    json.dumps({"nodes": [{"name": str(number)} for number in range(61)]}): "has 61 nodes; at most 60",
    json.dumps({"nodes": [{"name": "N", "tests": [[{"attribute": "upos", "value": "NOUN"}]] * 61}]}): "has 61 tests",
    '{"nodes": [{"name": "N"}], "shared": true}': "shared is said of a block of without",
    "VERB": "the pattern is not JSON",
    "[1]": "the pattern has no nodes",
}


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of two sentences."""
    with new_lexicon(tmp_path_factory.mktemp("gifts") / "gifts.duckdb", TEXT.encode(), name="gifts") as made:
        yield made


def positions(lexicon: Lexicon, pattern: str) -> list[tuple[int, ...]]:
    """The matches of a pattern in SQL: the sentence and the positions of the nodes."""
    asked = f"SELECT sentence_number, tokens FROM matches(pattern({literal(pattern)}))"
    return sorted((number, *(each["position"] for each in tokens)) for number, tokens in lexicon.sql(asked).rows)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("written", ASKED)
def test_matches_of_what_is_written(lexicon: Lexicon, written: str) -> None:
    pattern = read_pattern(lexicon._session.reading(), written)
    assert positions(lexicon, json.dumps(pattern)) == ASKED[written]
    assert matches(pattern, words_of(lexicon)) == ASKED[written]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("written", [*ASKED][::6])
def test_questions_count_the_matches(lexicon: Lexicon, written: str) -> None:
    rows = [len(each.rows) for each in (lexicon.matches(written), lexicon.evidence(written))]
    assert rows == [len(ASKED[written])] * 2
    assert sum(lexicon.counts_by(written).column("count")) == len(ASKED[written])


@pytest.mark.parametrize("written", WRONG)
def test_what_is_wrong_is_refused(lexicon: Lexicon, written: str) -> None:
    with pytest.raises(QuestionError) as refused:
        lexicon.evidence(written)
    assert WRONG[written] in str(refused.value)


@pytest.mark.parametrize("written", NO_PATTERN)
def test_json_that_is_no_pattern_is_refused(lexicon: Lexicon, written: str) -> None:
    with pytest.raises(QuestionError) as refused:
        positions(lexicon, written)
    assert NO_PATTERN[written] in str(refused.value)


def test_a_row_has_the_tokens_by_name(lexicon: Lexicon) -> None:
    (row,) = lexicon.matches("pattern { V -[iobj]-> I }").rows
    assert row[:4] == ("gifts", "gifts", "#1", 1)
    assert [tuple(each.values()) for each in row[4]] == [("V", 2, "gave", "give/VERB"), ("I", 3, "her", "she/PRON")]
    shown = lexicon.evidence("pattern { V -[iobj]-> I }")
    assert shown.column("text") == ["He [gave] {her} red apples"]
    assert [*shown.column("lexeme"), *shown.column("context")] == ["give/VERB", "she/PRON"]


@pytest.mark.thorough
def test_what_a_lexicon_has_not_is_no_empty_answer(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "bare.duckdb", TEXT.encode(), name="bare", without_misc=True) as lexicon:
        for written in ("pattern { N [misc.Gloss] }", "pattern { N -[E:nsubj]-> S }"):
            with pytest.raises(QuestionError, match="is not stored in this lexicon"):
                lexicon.matches(written)


def test_no_pattern_of_trees_is_refused(lexicon: Lexicon) -> None:
    assert len(lexicon.matches("give/VERB").rows) == 2
    assert len(lexicon.matches("give/VERB[obj apple/NOUN]").rows) == 1  # elsewhere a phrase, which is counted
    with pytest.raises(QuestionError, match="the pattern is ''; expected text"):
        lexicon.matches("")


def test_a_phrase_of_lexemes_without_tags_is_no_pattern(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "bare.duckdb", create=True, lexeme="{lemma}") as lexicon:
        lexicon.add(io.BytesIO(TEXT.encode()), name="bare")
        assert len(lexicon.evidence("give[obj apple]").rows) == 1
        with pytest.raises(QuestionError, match="no lexeme aple; did you mean apple"):
            lexicon.evidence("give[obj aple]")


@pytest.mark.parametrize("question", ["apt", "neighbours", "compose"])
@pytest.mark.parametrize("written", ["VERB[obj *]", "pattern { V [upos=VERB] }"])
def test_other_questions_say_that_they_take_none(lexicon: Lexicon, question: str, written: str) -> None:
    with pytest.raises(QuestionError, match="pattern"):
        getattr(lexicon, question)(written)


@pytest.mark.thorough
def test_the_counts_of_two_patterns_are_compared(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "time.duckdb", TEXT.encode(), name="time", tags={"year": "1900"}) as lexicon:
        assert lexicon.trend("VERB[obj *]", against="VERB[aux:pass *]").column("count") == [1]
        assert lexicon.trend('[upos="VERB"]', against='[upos="AUX"]').column("count") == [2]


COUNTED = read_cases("questions/counted_patterns")[1]


@pytest.mark.thorough
@pytest.mark.parametrize("corpus", sorted({corpus for _, corpus, _ in COUNTED}))
def test_counts_are_those_of_programs_for_each_question(tmp_path: Path, corpus: str) -> None:
    """Each was counted by a program that somebody wrote for it who had not seen aptdb. (Several roots are no fault.)"""
    with new_lexicon(tmp_path / "real.duckdb", corpus_file(corpus), name="real", skip_invalid=True) as lexicon:
        asked = {written: int(count) for written, own, count in COUNTED if own == corpus}
        assert {written: len(lexicon.matches(written).rows) for written in asked} == asked


VALUES = {
    "form": ["the", "of"],
    "lemma": ["be", "a.*"],
    "upos": ["NOUN", "VERB|ADJ", "PRON"],
    "xpos": ["NN", "VB.*"],
    "deprel": ["nsubj", "det", "conj"],
    "feats.Number": ["Sing", "Plur"],
    "feats.VerbForm": ["Fin", ".*"],
    "misc.Entity": [r"\(.*", ".*"],
    "lexeme": [".*/NOUN"],
}


@pytest.fixture(scope="module")
def gum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Lexicon, list[list[Word]]]]:
    """A lexicon of sentences of GUM, and its tokens."""
    text = b"\n\n".join(unpacked("en_gum").split(b"\n\n")[:25]) + b"\n\n"
    with new_lexicon(tmp_path_factory.mktemp("gum") / "gum.duckdb", text, name="gum") as made:
        yield made, words_of(made)


@st.composite
def blocks(draw: Any, known: list[str], new: list[str]) -> dict[str, Any]:
    """A block of a pattern: nodes of new names with tests, and links between these and those known."""
    some, names = st.integers(0, 2), [*known, *new]

    def test() -> dict[str, Any]:
        attribute = draw(st.sampled_from(sorted(VALUES)))
        return {"attribute": attribute, "value": draw(st.sampled_from(VALUES[attribute])), "not": draw(st.booleans())}

    def ends(most: int) -> list[list[str]]:
        return [draw(st.permutations(names))[:2] for _ in range(draw(st.integers(0, most)) if len(names) > 1 else 0)]

    relation = st.one_of(st.none(), st.sampled_from([*VALUES["deprel"], "nsubj.*|obj"]))
    return {
        "nodes": [
            {"name": name, "tests": [[test() for _ in range(1 + draw(some) // 2)] for _ in range(draw(some))]}
            for name in new
        ],
        "edges": [
            {"head": a, "dependent": b, "relation": draw(relation), "enhanced": draw(st.integers(0, 5)) == 0}
            for a, b in ends(2)
        ],
        "order": [{"first": a, "then": b, "next": draw(st.booleans())} for a, b in ends(1)],
        "same": [{"left": f"{a}.upos", "right": f"{b}.upos", "not": draw(st.booleans())} for a, b in ends(1)],
    }


@examples(60, 3)
@given(data=st.data())
def test_matches_are_those_of_the_twin(gum: tuple[Lexicon, list[list[Word]]], data: st.DataObject) -> None:
    lexicon, sentences = gum
    names = ["A", "B", "C"][: data.draw(st.integers(1, 3))]
    pattern = data.draw(blocks([], names))
    if data.draw(st.booleans()):
        without = data.draw(blocks(names, ["X", "Y"][: data.draw(st.integers(0, 2))]))
        if data.draw(st.booleans()):
            without["nodes"] += data.draw(blocks([], names[:1]))["nodes"]
        without |= {"shared": True} if any(without.values()) and data.draw(st.booleans()) else {}
        pattern |= {"without": [without]} if any(without.values()) else {}
    assert positions(lexicon, json.dumps(pattern)) == matches(pattern, sentences)
