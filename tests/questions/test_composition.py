"""Composition beside its twin, under all its parameters, on random lexicons and trees; and the laws it keeps."""

import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aptdb import Lexicon, QuestionError
from aptdb.store.database import Database
from aptdb.store.statements import literal
from support.lexicons import Counted, count_into, lexicon_in_memory
from support.questions import EMPTY, MERGES, PARAMETERS, Deltas, as_sql, features, phrases, tags
from support.runs import examples
from support.strategies import corpora
from support.weights import arguments, limit_to, near
from twins.composition import compose, offset_apt
from twins.counting import count, frequencies
from twins.paths import inverse, is_valid, offset, reduce
from twins.questions import neighbours, plausible, similarity
from twins.trees import Token
from twins.weights import Counts

UNKNOWN = "zebra/N"
SMOOTHING = st.one_of(
    st.builds("static:{}".format, st.integers(1, 4)),
    st.builds("offset:{}".format, st.integers(1, 4)),
    st.sampled_from(("window:0", "window:0.05", "window:0.5", "window:2")),
)
MANNER = st.fixed_dictionaries(
    {"missing": st.sampled_from(("skip", "skip_unknown", "empty"))},
    optional={
        "strategy": st.sampled_from(("one-step", "left-to-right")),
        "context": st.sampled_from(("internal", "external")),
        "head_weight": st.sampled_from((0.1, 0.5, 0.75)),
        "unit": st.booleans(),
        "pipeline": st.sampled_from(("compose-first", "compose-second")),
    },
)
SMOOTHED = st.fixed_dictionaries({"smooth": SMOOTHING}, optional={"alpha": st.sampled_from((0.5, 1, 7))})


@st.composite
def manners(draw: st.DrawFn, phrase: Deltas, counts: Counts, order: int = 2) -> dict[str, Any]:
    """Parameters of composition that a phrase can be asked with: higher limits than there is are refused."""
    parameters = limit_to(counts, {**draw(PARAMETERS), **draw(MANNER)}, order)
    if draw(st.booleans()):
        parameters |= draw(SMOOTHED)
    parameters["anchor"] = min(parameters.get("anchor", 0), len(phrase))
    if parameters.get("pipeline") == "compose-first":
        parameters.pop("unit", None)
        parameters.pop("weights", None)
        parameters.pop("scope", None)
    if parameters.get("strategy") == "left-to-right" and not walkable(phrase):
        del parameters["strategy"]
    return parameters


def walkable(phrase: Deltas) -> bool:
    """Whether there is a path from each of the words to every other, whichever are left out."""
    return all(is_valid(reduce(a + inverse(b))) for (_, a) in phrase for (_, b) in phrase)


@st.composite
def gapped(draw: st.DrawFn, counts: Counts) -> Deltas:
    """A phrase in which a word may be one that the lexicon lacks."""
    phrase = draw(phrases(counts))
    unknown = draw(st.integers(0, 5))
    return [(UNKNOWN if place == unknown else lexeme, delta) for place, (lexeme, delta) in enumerate(phrase)]


@examples(40, 3)
@given(corpora(most=6), st.integers(1, 3), st.data())
def test_compose_equals_its_twin(
    counted: Counted, sentences: list[list[Token]], order: int, data: st.DataObject
) -> None:
    database = counted(sentences, order=order)
    counts, often = count(sentences, order=order), frequencies(sentences, order=order)
    assume(counts)
    for _ in range(2):
        phrase = data.draw(gapped(counts))
        parameters = data.draw(manners(phrase, counts, order))
        near(
            features(database, f"compose({as_sql(phrase)}, {arguments(parameters)})"),
            compose(counts, often, phrase, **parameters),
        )


@examples(20, 2)
@given(corpora(most=8), st.integers(1, 3), st.data())
def test_similarity_and_neighbours_equal_their_twins(
    counted: Counted, sentences: list[list[Token]], order: int, data: st.DataObject
) -> None:
    database = counted(sentences, order=order)
    counts, often = count(sentences, order=order), frequencies(sentences, order=order)
    assume(counts)
    lexemes = st.sampled_from([*sorted(often), UNKNOWN])
    a, b = (data.draw(st.one_of(lexemes, gapped(counts))) for _ in "ab")
    words = [*(a if isinstance(a, list) else []), *(b if isinstance(b, list) else [])]
    parameters = data.draw(manners(words, counts, order))
    parameters |= {"anchor": 0, "phi": data.draw(st.sampled_from(("constant", "harmonic", "probability")))}
    if isinstance(b, list):
        parameters["anchor_b"] = data.draw(st.integers(0, len(b)))
    found = database.value(f"SELECT similarity({as_sql(a)}, {as_sql(b)}, {arguments(parameters)})")
    expected = similarity(counts, often, a, b, **parameters)
    assert (found is None) == (expected is None)
    assert found is None or math.isclose(found, expected or 0, rel_tol=1e-9, abs_tol=1e-9)
    parameters.pop("anchor_b", None)
    own: dict[str, Any] = {"top": 50, "pos": data.draw(tags(counts)), "min_frequency": 1}
    rows = database.rows(f"FROM neighbours({as_sql(a)}, {arguments({**parameters, **own})})")
    near({row[0]: row[1] for row in rows}, dict(neighbours(counts, often, a, **own, **parameters)))
    assert all(first[1] >= second[1] - 1e-12 for first, second in pairwise(rows))


@pytest.mark.thorough
@examples(10)
@given(corpora(most=8), st.data())
def test_what_fills_a_gap_equals_its_twin(counted: Counted, sentences: list[list[Token]], data: st.DataObject) -> None:
    database = counted(sentences)
    counts, often = count(sentences), frequencies(sentences)
    phrase = data.draw(phrases(counts)) if counts else []
    assume(len(phrase) > 1 and not any(lexeme.startswith("_/") for lexeme, _ in phrase))
    gap = data.draw(st.integers(0, len(phrase) - 1))
    phrase[gap] = ("_/N", phrase[gap][1])
    parameters = data.draw(manners(phrase, counts))
    del parameters["anchor"]
    parameters["phi"] = data.draw(st.sampled_from(("constant", "harmonic")))
    candidates = data.draw(st.lists(st.sampled_from(sorted(often)), min_size=1, max_size=3, unique=True))
    asked = f"candidates := {literal(candidates)}, {arguments(parameters)}"
    rows = database.rows(f"FROM plausible({as_sql(phrase)}, {asked})")
    expected = dict(plausible(counts, often, phrase, gap, candidates, **parameters))
    assert {row[0] for row in rows} == set(candidates)
    near({row[0]: row[1] or 0.0 for row in rows}, {word: value or 0.0 for word, value in expected.items()})
    values = [-1 if row[1] is None else row[1] for row in rows]
    assert all(first >= second - 1e-12 for first, second in pairwise(values))


@st.composite
def tree_phrases(draw: st.DrawFn, counts: Counts) -> Deltas:
    """The words of a random tree, in any order: every way to the root's word goes up."""
    lexemes = st.sampled_from(sorted({key[0] for key in counts}))
    ways = [""]
    for _ in range(draw(st.integers(1, 3))):
        ways.append(f"<{draw(st.sampled_from(('r', 's')))}{draw(st.sampled_from(ways))}")
    return [(draw(lexemes), way) for way in draw(st.permutations(ways))]


@pytest.mark.thorough
@examples(12)
@given(corpora(), st.data())
def test_left_to_right_agrees_with_one_step_on_every_tree(
    counted: Counted, sentences: list[list[Token]], data: st.DataObject
) -> None:
    """For all merges, seen from any word: no way through a tree drops what the way to its root keeps.

    They cannot agree to the last digit of a sum, which is added in another order; and left to right is not defined
    where the words are of no one tree, with no path from one to the next.
    """
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    phrase = data.draw(tree_phrases(counts))
    for merge in MERGES:
        anchor, scheme = data.draw(st.integers(0, len(phrase))), data.draw(st.sampled_from(("ppmi", "pmi")))
        asked = f"compose({as_sql(phrase)}, merge := '{merge}', anchor := {anchor}, weights := '{scheme}', {EMPTY}"
        near(features(database, f"{asked}, strategy := 'left-to-right')"), features(database, f"{asked})"))


@pytest.mark.thorough
@examples(10)
@given(corpora(), st.data())
def test_a_word_in_its_context(counted: Counted, sentences: list[list[Token]], data: st.DataObject) -> None:
    """The paper's equations 10 and 11: the head's is the phrase's, and each word's, moved back, gives the phrase's.

    (On the paths that survive both ways.) Internal and external context are parts of the whole.
    """
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    phrase = data.draw(tree_phrases(counts))
    asked = f"compose({as_sql(phrase)}, {EMPTY}"
    whole = features(database, f"{asked})")
    for number, (_, delta) in enumerate(phrase, 1):
        word = features(database, f"{asked}, anchor := {number})")
        if not delta:
            near(word, whole)
        survive = {tw: weight for tw, weight in whole.items() if offset(tw[0], inverse(delta)) is not None}
        near(offset_apt(word, delta), survive)
    inside, outside = (features(database, f"{asked}, context := '{part}')") for part in ("internal", "external"))
    assert not inside.keys() & outside.keys()
    near(inside | outside, whole)


def clause(subject: str, verb: str, direct: str) -> list[Token]:
    """The subject does something to the object."""
    words = (("the", "DET", 2, "det"), (subject, "NOUN", 3, "nsubj"), (verb, "VERB", 0, "root"))
    rest = (("the", "DET", 5, "det"), (direct, "NOUN", 3, "obj"))
    return [Token(form, form, pos, "_", head, relation) for form, pos, head, relation in (*words, *rest)]


@pytest.fixture(scope="module")
def chases() -> Iterator[Database]:
    """Some corpus in which it matters who chases whom."""
    sentences = [
        clause("dog", "chase", "cat"),
        clause("dog", "bark", "moon"),
        clause("cat", "climb", "tree"),
        clause("man", "feed", "dog"),
        clause("man", "stroke", "cat"),
        [Token("glass", "glass", "NOUN", "_", 2, "compound"), Token("door", "door", "NOUN", "_", 0, "root")],
        [Token("window", "window", "NOUN", "_", 2, "compound"), Token("pane", "pane", "NOUN", "_", 0, "root")],
        clause("man", "break", "glass"),
        clause("man", "open", "window"),
    ]
    with lexicon_in_memory() as memory:
        yield count_into(memory, sentences)


def sentence(subject: str, direct: str) -> Deltas:
    """The words of "the SUBJECT chased the OBJECT"."""
    ways = (("the/DET", "<det<nsubj"), (f"{subject}/NOUN", "<nsubj"), ("chase/VERB", ""))
    return [*ways, ("the/DET", "<det<obj"), (f"{direct}/NOUN", "<obj")]


@pytest.mark.thorough
def test_who_does_what_to_whom_matters_where_words_are_aligned(chases: Database) -> None:
    one, other = sentence("dog", "cat"), sentence("cat", "dog")
    for merge in ("sum", "max"):
        asked = "compose({}, merge := '{}', aligned := {}, weights := 'pmi')".format
        assert features(chases, asked(as_sql(one), merge, True)) != features(chases, asked(as_sql(other), merge, True))
        near(features(chases, asked(as_sql(one), merge, False)), features(chases, asked(as_sql(other), merge, False)))


@pytest.mark.thorough
def test_a_glass_window_is_no_window_glass(chases: Database) -> None:
    window = [("window/NOUN", ""), ("glass/NOUN", "<compound")]
    glass = [("glass/NOUN", ""), ("window/NOUN", "<compound")]
    assert features(chases, f"compose({as_sql(window)})") != features(chases, f"compose({as_sql(glass)})")
    near(
        features(chases, f"compose({as_sql(window)}, aligned := false)"),
        features(chases, f"compose({as_sql(glass)}, aligned := false)"),
    )


@pytest.mark.thorough
def test_a_word_without_an_apt_may_be_skipped(chases: Database) -> None:
    phrase = as_sql([("dog/NOUN", ""), ("shaggy/ADJ", "<amod")])
    bare, twice = as_sql([("dog/NOUN", ""), ("bark/VERB", "<compound")]), "min_count := 2, weights := 'raw_count'"
    alone = features(chases, "apt('dog/NOUN')")
    assert features(chases, f"compose({phrase}, merge := 'min', missing := 'skip')") == alone
    assert features(chases, f"compose({phrase}, merge := 'min', missing := 'empty')") == {}
    assert features(chases, f"compose({phrase}, merge := 'min', missing := 'skip_unknown')") == alone
    assert features(chases, f"compose({bare}, {twice}, merge := 'min', missing := 'skip_unknown')") == {}
    assert features(chases, f"compose({bare}, {twice}, merge := 'min', missing := 'skip')") != {}
    assert features(chases, f"compose({phrase}, missing := 'empty')") == alone
    assert features(chases, "apt('shaggy/ADJ', missing := 'skip')") == {}
    assert chases.rows("FROM neighbours('shaggy/ADJ', missing := 'skip')") == []
    assert chases.value("SELECT similarity('shaggy/ADJ', 'dog/NOUN', missing := 'skip')") is None


@pytest.mark.thorough
def test_offset_inference_among_weights_of_ones_own(chases: Database) -> None:
    """A path that the lexicon lacks may be one that it has, once it has moved."""
    own = (
        "WITH own AS (SELECT lexeme, path, context, weight FROM pmi UNION ALL "
        "SELECT 'bark/VERB', '<q' || path, context, weight FROM pmi WHERE lexeme = 'dog/NOUN') "
    )
    phrase = as_sql([("moon/NOUN", ""), ("bark/VERB", "<q")])
    asked = f"{phrase}, weights := 'own', merge := 'max'"
    near = chases.rows(f"{own} FROM neighbours({as_sql([('bark/VERB', '<q')])}, pos := 'NOUN', weights := 'own')")
    assert near[0][0] == "dog/NOUN"
    plain, smoothed = (
        chases.rows(f"{own} FROM compose({asked}, missing := 'skip'{more})")
        for more in ("", ", smooth := 'offset:1', alpha := 1")
    )
    assert len(smoothed) > len(plain)


@pytest.mark.thorough
def test_who_chases_is_more_plausible_than_who_is_fed(chases: Database) -> None:
    asked = as_sql([("chase/VERB", ""), ("_/NOUN", "<nsubj"), ("cat/NOUN", "<obj")])
    candidates = "candidates := ['dog/NOUN', 'moon/NOUN'], weights := 'raw_count'"
    rows = chases.rows(f"FROM plausible({asked}, {candidates})")
    assert rows[0][0] == "dog/NOUN"
    best = chases.rows(f"FROM plausible({asked}, weights := 'raw_count', min_frequency := 1, top := 20)")
    assert set(rows) <= set(best)
    assert {row[0].rpartition("/")[2] for row in best} == {"NOUN"}


@pytest.mark.thorough
@examples(5)
@given(corpora(most=8), st.data())
def test_phrases_at_once_are_each_by_itself(
    counted: Counted, sentences: list[list[Token]], data: st.DataObject
) -> None:
    """compose_each and similarity_each beside compose and similarity, and contextualise beside neighbours."""
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    asked = {str(n): data.draw(gapped(counts)) for n in range(data.draw(st.integers(2, 4)))}
    parameters = data.draw(manners([word for phrase in asked.values() for word in phrase], counts))
    del parameters["anchor"]
    given = arguments(parameters)
    words = [
        {"phrase": name, "lexeme": lexeme, "delta": delta, "position": position}
        for name, phrase in asked.items()
        for position, (lexeme, delta) in enumerate(phrase, 1)
    ]
    table = f"WITH asked AS (SELECT unnest({literal(words)}, max_depth := 2))"
    rows = database.rows(f"{table} FROM compose_each('asked', {given})")
    for name, phrase in asked.items():
        alone = features(database, f"compose({as_sql(phrase)}, {given})")
        near({(row[1], row[2]): row[3] for row in rows if row[0] == name}, alone)
    pairs = database.rows(f"{table} FROM similarity_each('asked', {given})")
    assert [row[:2] for row in pairs] == [(a, b) for a in asked for b in asked if a < b]
    for a, b, found in pairs[:2]:
        one, other = (x[0][0] if len(x) == 1 else x for x in (asked[a], asked[b]))
        alone_too = database.value(f"SELECT similarity({as_sql(one)}, {as_sql(other)}, {given})")
        assert (found is None) == (alone_too is None)
        assert found is None or math.isclose(found, alone_too, rel_tol=1e-9, abs_tol=1e-9)
    beside = database.rows(f"FROM contextualise({as_sql(asked['0'])}, {given}, min_frequency := 1, top := 3)")
    for number, (lexeme, _) in enumerate(asked["0"], 1):
        of_word = [row for row in beside if row[0] == number]
        assert all(row[1] == lexeme for row in of_word)
        own = f"{given}, min_frequency := 1, top := 3"
        alone_rows = database.rows(f"FROM neighbours({as_sql(lexeme)}, {own})")
        there = database.rows(f"FROM neighbours({as_sql(asked['0'])}, {own}, anchor := {number})")
        same_rows([row[2:4] for row in of_word if row[2]], alone_rows)
        same_rows([row[4:6] for row in of_word if row[4]], there)


def same_rows(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    """The same lexemes in the same order, with similarities that are the same but for rounding."""
    assert [row[0] for row in found] == [row[0] for row in expected]
    assert all(math.isclose(a[1], b[1], rel_tol=1e-9) for a, b in zip(found, expected, strict=True))


@pytest.mark.thorough
def test_of_several_words_without_an_apt_the_first_is_named(chases: Database) -> None:
    """By phrase, and in a phrase by place."""
    noun, verb = ("dog/NOUN", ""), ("bark/VERB", "<compound")
    asked = {"1": [noun, verb], "2": [noun, ("stroke/VERB", "<compound")]}
    for questions in (asked, {"1": asked["2"], "2": asked["1"]}):
        words = [
            {"phrase": name, "lexeme": lexeme, "delta": delta, "position": place}
            for name, phrase in questions.items()
            for place, (lexeme, delta) in enumerate(phrase, 1)
        ]
        table = f"WITH asked AS (SELECT unnest({literal(words)}, max_depth := 2))"
        with pytest.raises(QuestionError, match=f"{questions['1'][1][0]} has no features"):
            chases.rows(f"{table} FROM compose_each('asked', min_count := 2, weights := 'raw_count')")


@pytest.mark.thorough
def test_pairs_by_name(chases: Database) -> None:
    words = [{"phrase": name, "lexeme": f"{name}/NOUN", "delta": ""} for name in ("dog", "cat", "man")]
    table = f"WITH words AS (SELECT unnest({literal(words)}, max_depth := 2)), pairs AS (FROM (VALUES @) AS p(a, b))"
    asked = f"{table} FROM similarity_each('words', pairs := 'pairs')"
    rows = chases.rows(asked.replace("@", "('man', 'dog'), ('dog', 'man'), ('man', 'dog')"))
    assert [row[:2] for row in rows] == [("man", "dog"), ("dog", "man"), ("man", "dog")]
    assert rows[0][2] == rows[1][2] == chases.value("SELECT similarity('man/NOUN', 'dog/NOUN')")


def test_smoothing_keeps_what_min_does_not(english: Path) -> None:
    """On the treebanks, *min* of these adjectives and nouns keeps nothing but punctuation and the like."""
    phrases = {name: f"{noun}/NOUN[amod {name}/ADJ]" for name, noun in (("wooden", "floor"), ("dry", "clothes"))}
    with Lexicon.open(english) as lexicon:
        bare = lexicon.compose_each(phrases, merge="min", min_feature_count=10)
        for smooth in ("static:30", "offset:30", "window:0.01"):
            smoothed = lexicon.compose_each(phrases, merge="min", min_feature_count=10, smooth=smooth)
            for name in phrases:
                kept = smoothed.column("phrase").count(name)
                assert kept > bare.column("phrase").count(name), (smooth, name)
