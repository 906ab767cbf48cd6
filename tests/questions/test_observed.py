"""Phrases as they are observed: beside the twin that walks the trees, as entries, and beside their parts."""

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.core.errors import IncompleteDataWarning, QuestionError
from support.clients import change_file
from support.commands import ask
from support.lexicons import Counted, copied, new_lexicon
from support.runs import examples
from support.strategies import corpora
from support.weights import near
from twins import observed
from twins.counting import Rules, count, pairs
from twins.searches import Part, occurrences, places
from twins.trees import Token
from twins.vectors import cosine, features

GREEN = "shoot/NOUN[amod green/ADJ]"
SHAPES = ((), (0,), (0, 0), (0, 1))  # the places of the heads of the words after the root


def in_sql(parts: list[Part]) -> str:
    """A phrase as SQL takes it."""

    def delta(part: Part) -> str:
        return "" if part.head is None else f"<{part.relation}{delta(parts[part.head])}"

    return "[" + ", ".join(f"{{'lexeme': '{part.lexeme}', 'delta': '{delta(part)}'}}" for part in parts) + "]"


@pytest.mark.thorough
@examples(30, 4)
@given(corpora(7), st.sampled_from(SHAPES), st.sampled_from(((), ("s",))), st.integers(0, 3), st.data())
def test_what_is_observed_is_what_the_twin_counts(
    counted: Counted,
    sentences: list[list[Token]],
    shape: tuple[int, ...],
    join: tuple[str, ...],
    order: int,
    data: st.DataObject,
) -> None:
    database = counted(sentences, join=join, order=order)
    lexemes = st.sampled_from([lexeme for (lexeme,) in database.rows("SELECT lexeme FROM lexemes ORDER BY lexeme")])
    labels = [label for (label,) in database.rows("SELECT DISTINCT label FROM _store.relation ORDER BY label")]
    relations = st.sampled_from([label for label in labels if label not in join and order > 0] or ["r"])
    parts = [Part(data.draw(lexemes), "", None)]
    parts += [Part(data.draw(lexemes), data.draw(relations), head) for head in shape]
    paths = {path for (path,) in database.rows("SELECT path FROM paths")}
    if not {f"<{part.relation}" for part in parts[1:]} <= paths:
        with pytest.raises(QuestionError, match="no relation "):
            database.rows(f"FROM observed({in_sql(parts)})")
        return
    for direct in (False, True):
        expected = observed.counts(sentences, parts, direct=direct, join=join, order=order)
        options = f"counts := '{'direct' if direct else 'packed'}'"
        rows = database.rows(f"FROM observed({in_sql(parts)}, weights := 'raw_count', {options})")
        assert {(path, context): n for path, context, n, _ in rows} == expected
        assert [n for *_, n, _ in rows] == [weight for *_, weight in rows]
        whole = count(sentences, direct=direct, join=join, order=order)
        weighed = database.rows(f"SELECT path, context, weight FROM observed({in_sql(parts)}, shift := 1.5, {options})")
        near({row[:2]: row[2] for row in weighed}, observed.weights(whole, expected, 1.5))
    if parts[1:]:
        name, times = parts[0].lexeme, len(occurrences(sentences, parts, join=join))
        assert expected["", name] == times


@pytest.mark.thorough
@examples(40, 4)
@given(corpora(7), st.sampled_from(((), ("s",))), st.booleans(), st.booleans(), st.data())
def test_words_are_compared_where_they_occur_elsewhere(
    counted: Counted,
    sentences: list[list[Token]],
    join: tuple[str, ...],
    direct: bool,
    all_occurrences: bool,
    data: st.DataObject,
) -> None:
    """Beside the twin that counts head and dependent again, without the nodes of the phrase."""
    database = counted(sentences, join=join, order=2)
    arcs = "SELECT lexeme, path, context FROM cooccurrences JOIN paths USING (path) WHERE starts_with(path, '>') "
    found = database.rows(f"{arcs} AND path_order = 1 AND paths.direct > 0 ORDER BY ALL")
    if not found:
        return
    head, path, dependent = data.draw(st.sampled_from(found))
    phrase = [Part(head, "", None), Part(dependent, path[1:], 0)]
    whole = count(sentences, direct=direct, join=join, order=2)
    seen = observed.counts(sentences, phrase, direct=direct, join=join, order=2)
    taken_out = [] if all_occurrences else phrase
    words = []
    for lexeme in (head, dependent):
        own = Counter({triple[1:]: n for triple, n in whole.items() if triple[0] == lexeme})
        left = observed.elsewhere(sentences, phrase, lexeme, direct=direct, join=join, order=2) if taken_out else own
        words.append(observed.weights(whole, left))
    asked = (
        f"WITH t AS (SELECT 'p' AS phrase, unnest({[head, dependent]}) AS lexeme, "
        f"unnest(['', '<{path[1:]}']) AS delta) FROM compositionality('t', "
        f"counts := '{'direct' if direct else 'packed'}', own_occurrences := {all_occurrences})"
    )
    if all_occurrences and not all(words):
        with pytest.raises(QuestionError, match="nothing is left of"):
            database.rows(asked)
        return
    row = database.rows(asked)[0]
    own_apt, inside = observed.weights(whole, seen), features(whole)
    composed = observed.summed(words[0], words[1], path[1:]) if all(words) else {}
    for similarity, apt in zip(row[3:6], (composed, *words), strict=True):
        expected = cosine(own_apt, {feature: weight for feature, weight in apt.items() if feature in inside})
        assert similarity == (None if expected is None else pytest.approx(expected, abs=1e-9))
    nodes = {(number, node) for number, chosen in places(sentences, phrase, join=join) for node in chosen}
    for lexeme, times in zip((head, dependent), row[6:], strict=True):
        own_nodes = {(pair.sentence, pair.x) for pair in pairs(sentences, Rules(join=join)) if pair.triple[0] == lexeme}
        assert times == len(own_nodes - (nodes if taken_out else set()))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("asked", [2, 3, 5, 6])
def test_words_that_ask_for_the_same(counted: Counted, asked: int) -> None:
    """As many as there are, of 30 too; not each order and choice of them, which would never end."""
    words = [Token("Dogs", "dog", "NOUN", "x", 0 if number == 0 else 1, "r") for number in range(6)]
    sentences = [words, [*words, Token("Cats", "cat", "NOUN", "x", 1, "r")]]
    parts = [Part("dog/NOUN", "", None), *[Part("dog/NOUN", "r", 0)] * (asked - 1), Part("cat/NOUN", "r", 0)]
    many = [*words[:1], *words[1:2] * 30]
    database = counted([*sentences, many])
    rows = database.rows(f"FROM observed({in_sql(parts)}, weights := 'raw_count')")
    assert {(path, context): n for path, context, n, _ in rows} == observed.counts(sentences, parts)
    for more, found in ((29, 1), (30, 1), (31, 0)):
        of_dogs = in_sql([Part("dog/NOUN", "", None), *[Part("dog/NOUN", "r", 0)] * more])
        assert len(database.rows(f"FROM evidence({of_dogs}, NULL, NULL)")) == found


def test_one_word_is_observed_as_it_is_counted(demo: Path) -> None:
    with Lexicon.open(demo) as lexicon:
        for counts in ("packed", "direct"):
            observed_of_one = lexicon.observed([{"lexeme": "shoot/NOUN", "delta": ""}], counts=counts)
            assert observed_of_one.but("count").rows == lexicon.apt("shoot/NOUN", counts=counts).rows


@pytest.mark.thorough
def test_an_entry_may_be_observed(demo: Path, tmp_path: Path) -> None:
    """Stored, it is asked about like a lexeme; it is refreshed by counting again, and verified so."""
    file = copied(demo, tmp_path / "demo.duckdb")
    with Lexicon.open(file) as lexicon:
        shown = lexicon.observed(GREEN)
        assert lexicon.save("green_shoot", GREEN, observed=True) == len(shown)
        assert lexicon.apt("green_shoot").rows == shown.but("count").rows
        assert lexicon.stored.entries().rows == [
            ("green_shoot", "NOUN", GREEN, "ppmi", "observed", len(shown), "stored")
        ]
        assert shown.occurrences == len(lexicon.evidence(GREEN)) > 0
        ((name, times, logarithm, *similarities, _, _),) = lexicon.compositionality([GREEN], own_occurrences=True).rows
        assert (name, times, logarithm) == (GREEN, shown.occurrences, pytest.approx(math.log(times)))
        for other, value in zip((GREEN, "shoot/NOUN", "green/ADJ"), similarities, strict=True):
            assert lexicon.similarity("green_shoot", other) == value
        assert lexicon.verify().rows == []
        lexicon.add([[{"form": "x", "lemma": "x", "upos": "X", "head": 0, "deprel": "root"}]], name="more")
        assert lexicon.stored.refresh(kind="entries") == {"entries": ["green_shoot"]}
        assert lexicon.apt("green_shoot").rows == lexicon.observed(GREEN).but("count").rows
    change_file(file, "UPDATE _store.entry_weight SET weight = weight + 1 WHERE path = ''")
    with Lexicon.open(file) as lexicon:
        assert {*lexicon.verify().column("what")} == {"weight of the entry"}


@pytest.mark.thorough
def test_many_phrases_are_compared_as_each(demo: Path) -> None:
    """All in one query give what each gives; of words that are lacking, there is nothing to say."""
    phrases = [GREEN, "work/NOUN[amod literary/ADJ]", "leaf/NOUN[amod musical/ADJ]"]
    with Lexicon.open(demo) as lexicon:
        together = lexicon.compositionality(phrases, merge="min", measure="lin").rows
        assert together == [lexicon.compositionality([each], merge="min", measure="lin").rows[0] for each in phrases]
        lacking = lexicon.compositionality({"none": "shoot/NOUN[amod unsaid/ADJ]"}, missing="skip").rows
        assert lacking == [("none", 0, None, None, None, None, lexicon["shoot/NOUN"].frequency, None)]


@pytest.mark.thorough
def test_trees_that_are_added_to_counts_are_observed(tmp_path: Path) -> None:
    rows = "lexeme\tpath\tcontext\tcount\na/N\t>r\tb/N\t2\nb/N\t<r\ta/N\t2\n"
    (tmp_path / "c.tsv").write_text(rows, encoding="utf-8")
    with new_lexicon(tmp_path / "counts.duckdb", tmp_path / "c.tsv") as lexicon:
        lexicon.add([[{"form": "x", "lemma": "x", "upos": "X", "head": 0, "deprel": "root"}]], name="more")
        with (
            pytest.warns(IncompleteDataWarning, match="was added as counts"),
            pytest.warns(IncompleteDataWarning, match="the phrase "),
        ):
            lexicon.observed("a/N[r b/N]")


@pytest.mark.thorough
def test_the_commands(demo: Path, tmp_path: Path) -> None:
    file = copied(demo, tmp_path / "demo.duckdb")
    shown = ask("apt", file, GREEN, "--observed", "--per-path", "1", "--format", "table")
    assert "the phrase occurs 6 times" in shown.stderr
    assert "aptdb: green_shoot is stored" in ask("apt", file, GREEN, "--observed", "--save", "green_shoot").stderr
    table = ask("compositionality", file, GREEN, "work/NOUN[amod literary/ADJ]", "--format", "csv").stdout
    names = "phrase,occurrences,log_frequency,composed,head,dependent,head_occurrences,dependent_occurrences\n"
    assert table.startswith(names)
    assert "own occ" not in ask("compositionality", file, GREEN, "--own-occurrences", "--format", "table").stderr


@pytest.mark.thorough
def test_a_word_that_occurs_nowhere_else(tmp_path: Path) -> None:
    """Hong is only in Hong Kong: it has no vector, nor has what is composed of it; other phrases have"""
    trees = [("hong", "kong"), ("hong", "kong"), ("old", "kong"), ("old", "dog"), ("old", "dog"), ("new", "dog")]
    words = "".join(f"1\t{a}\t{a}\tA\t_\t_\t2\tr\t_\t_\n2\t{b}\t{b}\tN\t_\t_\t0\troot\t_\t_\n\n" for a, b in trees)
    (tmp_path / "c.conllu").write_text(words, encoding="utf-8")
    with new_lexicon(tmp_path / "l.duckdb", tmp_path / "c.conllu") as lexicon:
        hong, old = lexicon.compositionality(["kong/N[r hong/A]", "dog/N[r old/A]"], weights="raw_count")
        assert (hong["composed"], hong["dependent"]) == (None, None)
        assert hong["head"] > 0
        assert (hong["head_occurrences"], hong["dependent_occurrences"]) == (1, 0)
        assert old["composed"] > 0
        in_sql = "SELECT 'x' AS phrase, unnest(['kong/N', 'hong/A']) AS lexeme, unnest(['', '<r']) AS delta"
        alone = lexicon.sql(f"WITH t AS ({in_sql}) FROM compositionality('t', weights := 'raw_count')").rows
        assert [row[1:] for row in alone] == [tuple(hong.values())[1:]]
        every = lexicon.compositionality(["kong/N[r hong/A]"], weights="raw_count", own_occurrences=True)[0]
        assert (every["head_occurrences"], every["dependent_occurrences"]) == (3, 2)
        skipped = lexicon.compositionality(["kong/N[r hong/A]"], weights="raw_count", missing="skip")[0]
        assert skipped["composed"] == skipped["head"]
        for given in ({"smooth": "static:1"}, {"pipeline": "compose-first"}, {"phi": "harmonic"}):
            assert lexicon.compositionality(["dog/N[r old/A]"], **given)[0]["occurrences"] == 2  # type: ignore[arg-type]
    shown = ask(
        "compositionality", tmp_path / "l.duckdb", "kong/N[r hong/A]", "--weights", "raw_count", "--format", "csv"
    )
    assert shown.stdout.splitlines()[1].endswith(",1,0")
