"""Sequences in CQL: their matches are those of the twin; strategies are those that CQP documents."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.core.errors import InterpretationWarning, QuestionError
from aptdb.counting.patterns import SEQUENCE
from aptdb.store.statements import literal
from support.lexicons import new_lexicon
from support.parsed_gifts import TEXT, words_of
from support.runs import examples
from twins import sequence_matches
from twins.sequence_matches import Part

BOOK = "the/DET old/ADJ book/NOUN on/ADP the/DET table/NOUN in/ADP the/DET room/NOUN"
NOUN_GROUP = '[upos="DET"]? [upos="ADJ"]* [upos="NOUN"] ([upos="ADP"] [upos="DET"]? [upos="ADJ"]* [upos="NOUN"])*'
# The example of the manual of CQP, of how strategies differ.
STRATEGIES = {
    "": ["the old book", "the table", "the room"],
    "(?standard)": ["the old book", "the table", "the room"],
    "(?shortest)": ["book", "table", "room"],
    "(?longest)": ["the old book on the table in the room"],
}
# What is written, and the stretches that are found: the sentence, the first and the last position.
ASKED: dict[str, list[tuple[int, int, int]]] = {
    '[lemma="give"]': [(1, 2, 2), (2, 3, 3)],
    '"gave" "her"': [(1, 2, 3)],
    '[lemma="give"] [tag="PRON|ADP"]': [(1, 2, 3), (2, 3, 4)],
    '[(upos="VERB" | upos="AUX") & !(xpos="VBD" | lemma="x.*")]': [(2, 3, 3)],
    '[Tense="Past" & upos!="AUX"]': [(1, 2, 2), (2, 3, 3)],
    '[Case="Nom|Acc"]': [(1, 1, 1), (1, 3, 3)],
    '[misc.Gloss="dedit"]': [(1, 2, 2)],
    '[feats="Number=Plur"]': [(1, 5, 5), (2, 1, 1)],
    '<s> [upos="NOUN"]': [(2, 1, 1)],
    '[upos="NOUN"] </s>': [(1, 5, 5)],
    '<s> [upos="PRON"] []* [upos="NOUN"] </s>': [(1, 1, 5)],
    '(<s> | [lemma="be"]) [lemma="apple|give"]': [(2, 1, 1), (2, 2, 3)],
    '1:[upos="PRON"] []+ 2:[upos="PRON"] & 1.xpos = 2.xpos': [(1, 1, 3)],
    '[lemma="GIVE"%c] within s': [(1, 2, 2), (2, 3, 3)],
    '[form="gàve"%d]': [(1, 2, 2)],
    '[upos="ADJ"]{0,2} [upos="NOUN"]  # a comment': [(1, 4, 5), (2, 1, 1)],
    '(?all) [upos="ADJ"]{0,2} [upos="NOUN"]': [(1, 4, 5), (1, 5, 5), (2, 1, 1)],
    '[upos="VERB"] ([upos="PRON"] | [upos="ADP"]){1,2} [upos="ADJ"]': [(1, 2, 4)],
}  # fmt: skip
WRONG = {
    '["x"]': "expected an attribute, as lemma=",
    '[misc.Gloss]': "expected = or != at character 12",
    '[form="gave."%l]': "no token has form gave",
    '[upos="VERB" upos="AUX"]': "expected &, | or ] at character",
    '[lemma="giwe"]': "no token has lemma giwe; did you mean give?",
    '[lemma="(x"]': "(x is not a regular expression: missing )",
    '[upos="VERB"] within doc': "a match is always within a sentence",
    '<p> [upos="VERB"]': "expected <s> or </s>",
    '[upos="VERB"] <s>': "no token can match, because <s> begins",
    '(?first) [upos="VERB"]': "no strategy first; expected (?standard), (?shortest), (?longest), (?all)",
    '[upos="VERB"] containing [upos="X"]': "expected a token, a group, a label with :",
    '[upos="VERB"]{,}': "expected a number of times",
    '[upos="VERB"]{1001}': "more than 1000 tokens",
    '([upos="VERB"]': "expected ) at character",
    '1:[upos="VERB"] 1:[upos="X"]': "the label 1 is given twice",
    '1:[upos="VERB"] & 2.lemma = 1.lemma': "expected a label of the query",
    '_a:[upos="VERB"]': "a label begins with a letter or a number",
    '[lemma="give"%x]': "%x is unknown; expected %c (capitals), %d (accents) or %l",
}  # fmt: skip


# What is said of a sequence in JSON, beside two nodes, A and B, and what is wrong with it.
NO_SEQUENCE: dict[str, dict[str, Any]] = {
    "has no first or no last state": {},
    "next of the sequence has pairs of states": {"next": [[1]]},
    "one has a state that is not there": {"next": [[1, 3]]},
    "first or last of the sequence, or at_start": {"first": [1, 7]},
    "no node C in the pattern": {"states": ["A", "C"]},
    "a node of the pattern is in no state": {"states": ["A"], "first": [1], "last": [1], "next": []},
    "the strategy is fast": {"strategy": "fast"},
    'an item of first is "1"': {"first": ["1"]},
    "a pattern has no begin": {"begin": [1]},
}


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of the two sentences of the patterns of trees."""
    with new_lexicon(tmp_path_factory.mktemp("gifts") / "gifts.duckdb", TEXT.encode(), name="gifts") as made:
        yield made


def stretches(lexicon: Lexicon, query: str) -> list[tuple[int, int, int]]:
    """The matches of a query: the sentence, the first and the last position."""
    found = [(number, [each["position"] for each in tokens]) for *_, tokens, number in lexicon.matches(query).rows]
    assert all(positions == [*range(positions[0], positions[-1] + 1)] for _, positions in found)
    return [(number, positions[0], positions[-1]) for number, positions in found]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("written", ASKED)
def test_stretches_of_what_is_written(lexicon: Lexicon, written: str) -> None:
    assert SEQUENCE.fullmatch(written)
    assert stretches(lexicon, written) == ASKED[written]


@pytest.mark.parametrize("written", WRONG)
def test_what_is_wrong_is_refused(lexicon: Lexicon, written: str) -> None:
    with pytest.raises(QuestionError) as refused:
        lexicon.evidence(written)
    assert WRONG[written] in str(refused.value)


@pytest.mark.parametrize("why", NO_SEQUENCE)
def test_json_that_is_no_sequence_is_refused(lexicon: Lexicon, why: str) -> None:
    right = {"states": ["A", "B"], "first": [1], "next": [[1, 2]], "last": [2]}
    nodes = [{"name": name, "tests": [[{"attribute": "upos", "value": "VERB"}]]} for name in "AB"]
    wrong = {"nodes": nodes, "sequence": {**right, **NO_SEQUENCE[why]} if NO_SEQUENCE[why] else {"states": ["A", "B"]}}
    with pytest.raises(QuestionError) as refused:
        lexicon.sql(f"FROM matches(pattern({literal(json.dumps(wrong))}))")
    assert why in str(refused.value)


@pytest.mark.thorough
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_strategies_are_those_of_cqp(tmp_path_factory: pytest.TempPathFactory, strategy: str) -> None:
    words = [each.split("/") for each in BOOK.split()]
    text = "".join(f"{n}\t{form}\t{form}\t{tag}\t_\t_\t{n - 1}\tdep\t_\t_\n" for n, (form, tag) in enumerate(words, 1))
    with new_lexicon(tmp_path_factory.mktemp("book") / "book.duckdb", f"{text}\n".encode(), name="book") as lexicon:
        assert lexicon.evidence(f"{strategy} {NOUN_GROUP}").column("keyword") == STRATEGIES[strategy]


def test_a_row_has_labels(lexicon: Lexicon) -> None:
    (row,) = lexicon.matches('subject:[upos="PRON"] verb:[lemma="give"] []').rows
    assert [(each["name"], each["form"]) for each in row[4]] == [("subject", "He"), ("verb", "gave"), (None, "her")]
    shown = lexicon.evidence('subject:[upos="PRON"] verb:[lemma="give"] []')
    assert shown.column("text") == ["[He gave her] red apples"]


def test_the_first_matches_are_those_of_all(lexicon: Lexicon) -> None:
    for pattern in ('(?all) [lemma!="be"]{1,3} [upos="NOUN"]?', "pattern { A -> B }"):
        found = lexicon.matches(pattern)
        assert found.column("match") == [*range(1, len(found) + 1)]
        assert lexicon.matches(pattern, top=3).rows == found.rows[:3]


def test_capitals_are_said(lexicon: Lexicon) -> None:
    with pytest.warns(InterpretationWarning, match="capitals make no difference in forms: GAVE is also gave"):
        assert len(lexicon.evidence('"GAVE"')) == 1


@pytest.mark.thorough
def test_sql_takes_all_stretches_of_cql(lexicon: Lexicon) -> None:
    for query in ('[upos="ADJ"]? [upos="NOUN"]', '[lemma="give"] []{0,2} [upos="PRON|ADP"]?'):
        found = lexicon.sql("FROM evidence(cql($query), NULL, NULL)", {"query": query})
        assert sorted(map(str, found.rows)) == sorted(map(str, lexicon.evidence(f"(?all) {query}").rows))


# Random queries
VALUES = {"upos": ["NOUN", "VERB|AUX", "PRON"], "lemma": ["give", "apple|he", "..?"], "Number": ["Plur", ".*"]}


def token_tests() -> st.SearchStrategy[Part]:
    """A test of a token, of parts that are joined by and, or and not."""
    single = st.sampled_from([*VALUES]).flatmap(
        lambda key: st.tuples(
            st.just("test"), st.just(key.replace("Number", "feats.Number")), st.sampled_from(VALUES[key]), st.booleans()
        )
    )
    return st.recursive(
        single,
        lambda inner: st.one_of(
            st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=2)),
            st.tuples(st.just("not"), inner),
        ),
        max_leaves=3,
    )


def parts() -> st.SearchStrategy[Part]:
    """A part of a query, without labels."""
    token = st.tuples(st.just("token"), st.one_of(st.just(("any",)), token_tests()), st.just(""))
    ends: st.SearchStrategy[Any] = st.sampled_from([("<s>",), ("</s>",)])
    times = st.sampled_from([(0, 1), (0, None), (1, None), (2, 2), (1, 2), (2, None)])
    return st.recursive(
        st.one_of(token, token, token, ends),
        lambda inner: st.one_of(
            st.tuples(st.just("series"), st.lists(inner, min_size=2, max_size=3)),
            st.tuples(st.just("either"), st.lists(inner, min_size=2, max_size=2)),
            st.builds(lambda part, many: ("times", part, *many), inner, times),
        ),
        max_leaves=5,
    )


@st.composite
def queries(draw: Any) -> tuple[Part, list[tuple[str, str, bool]]]:
    """A query, and what is compared in it."""
    middle = draw(parts())
    if not draw(st.booleans()):
        return ("series", [("token", draw(token_tests()), ""), middle]), []
    named = [("token", draw(token_tests()), label) for label in ("a", "b")]
    key = draw(st.sampled_from(["upos", "lemma", "feats.Number"]))
    return ("series", [named[0], middle, ("times", named[1], 0, 1)]), [(f"a.{key}", f"b.{key}", draw(st.booleans()))]


@examples(60)
@given(query=queries(), strategy=st.sampled_from(["standard", "shortest", "longest", "all"]))
def test_stretches_are_those_of_the_twin(
    lexicon: Lexicon, query: tuple[Part, list[tuple[str, str, bool]]], strategy: str
) -> None:
    part, same = query
    compared = " & ".join(f"{one} {'!=' if negated else '='} {other}" for one, other, negated in same)
    text = f"(?{strategy}) {sequence_matches.written(part)}" + (f" & {compared}" if compared else "")
    expected = sequence_matches.matches(part, same, strategy, words_of(lexicon))
    try:
        found = stretches(lexicon, text)
    except QuestionError as error:
        assert any(said in str(error) for said in ("no token has ", "no token can match", "may match any tokens"))
        assert "may match any" in str(error) or expected == []
        return
    assert found == expected


def test_a_lexicon_in_lower_case_finds_the_same(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Lexicon.open(tmp_path_factory.mktemp("low") / "low.duckdb", create=True, lowercase=True) as lexicon:
        lexicon.add(io.BytesIO(TEXT.encode()), name="low")
        assert stretches(lexicon, '"he" "gave"') == [(1, 1, 2)]
