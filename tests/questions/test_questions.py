"""apt, compose, neighbours and similarity: laws they keep, weights of one's own, and what is refused."""

from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aptdb.store.database import Database
from aptdb.store.statements import literal
from support.corpora import tree
from support.lexicons import Counted, count_into, lexicon_in_memory
from support.questions import EMPTY, MERGES, as_sql, features, phrases
from support.runs import examples
from support.strategies import corpora
from support.weights import near
from twins.composition import offset_apt
from twins.counting import count
from twins.paths import inverse, offset
from twins.trees import Token
from twins.weights import apt_of, weigh


@pytest.mark.thorough
@examples(4)
@given(corpora(), st.data())
def test_an_apt_is_the_rows_of_the_scheme_and_a_phrase_of_one_word(
    counted: Counted, sentences: list[list[Token]], data: st.DataObject
) -> None:
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    lexeme = data.draw(st.sampled_from(sorted({key[0] for key in counts})))
    for scheme in ("raw_count", "probability", "pmi", "ppmi", "lmi", "log_dice"):
        apt = features(database, f"apt({literal(lexeme)}, weights := '{scheme}')")
        near(apt, apt_of(weigh(counts, scheme), lexeme))
        for merge in ("sum", "min", "max", "mult", "smooth_mult"):
            near(
                features(
                    database, f"compose({as_sql([(lexeme, '')])}, merge := '{merge}', weights := '{scheme}', {EMPTY})"
                ),
                apt,
            )
        positive = {key: value for key, value in apt.items() if value > 0}
        one_word = f"{as_sql([(lexeme, '')])}, merge := 'intersective_add', weights := '{scheme}', {EMPTY}"
        near(features(database, f"compose({one_word})"), positive)


@pytest.mark.thorough
@examples(10)
@given(corpora(), st.data())
def test_laws_of_merging(counted: Counted, sentences: list[list[Token]], data: st.DataObject) -> None:
    """The order of words does not matter; max is at least min; a word in its context, moved back, is the phrase."""
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    phrase = data.draw(phrases(counts))
    for merge in MERGES:
        near(
            features(database, f"compose({as_sql(phrase)}, merge := '{merge}', {EMPTY})"),
            features(database, f"compose({as_sql(phrase[::-1])}, merge := '{merge}', {EMPTY})"),
        )
    whole = features(database, f"compose({as_sql(phrase)}, {EMPTY})")
    for number, (_, delta) in enumerate(phrase, 1):
        moved = features(database, f"compose({as_sql(phrase)}, anchor := {number}, {EMPTY})")
        near(
            {key: value for key, value in whole.items() if offset(key[0], inverse(delta)) is not None},
            offset_apt(moved, delta),
        )


@pytest.mark.thorough
@examples(10)
@given(corpora(), st.data())
def test_weights_of_ones_own(counted: Counted, sentences: list[list[Token]], data: st.DataObject) -> None:
    """A CTE of the scheme's text gives what the scheme gives by ids; rows that the lexicon has no ids for are kept."""
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    phrase = data.draw(phrases(counts))
    own = "WITH mine AS (FROM pmi) "
    for call in (
        f"compose({as_sql(phrase)}, merge := 'min', {EMPTY}",
        f"neighbours({as_sql(phrase)}, min_frequency := 1, phi := 'harmonic', {EMPTY}",
        f"neighbours({as_sql(phrase[0][0])}, min_frequency := 1, phi := 'probability'",
    ):
        ours = database.rows(f"{own} FROM {call}, weights := 'mine')")
        theirs = database.rows(f"FROM {call}, weights := 'pmi')")
        near({tuple(row)[:-1]: row[-1] for row in ours}, {tuple(row)[:-1]: row[-1] for row in theirs})
    strange = (
        f"WITH mine AS (SELECT {literal(phrase[0][0])} AS lexeme, '<new' AS path, 'nobody/X' AS context, 2.0 AS weight)"
    )
    rows = database.rows(f"{strange} FROM apt({literal(phrase[0][0])}, weights := 'mine')")
    assert [tuple(row) for row in rows] == [("<new", "nobody/X", 2.0)]
    rows = database.rows(f"{strange} FROM compose({as_sql([(phrase[0][0], '<new')])}, weights := 'mine')")
    assert [tuple(row) for row in rows] == [("", "nobody/X", 2.0)]


def small(counted: Counted) -> Database:
    """dry/ADJ and clothes/NOUN, fold/VERB and a second dry.

    fold -obj-> clothes -amod-> dry;   dry (VERB, alone)
    """
    folding = "fold fold VERB 0 root, dry dry ADJ 3 amod, clothes clothes NOUN 1 obj"
    return counted([tree(folding), tree("dry dry VERB 0 root")])


@pytest.fixture(scope="module")
def clothes() -> Iterator[Database]:
    """The same, in a database of its own that is counted into once."""
    with lexicon_in_memory() as memory:
        yield small(partial(count_into, memory))


PHRASE = "[{'lexeme': 'clothes/NOUN', 'delta': ''}, {'lexeme': 'dry/ADJ', 'delta': '<amod'}]"


@pytest.mark.thorough
def test_epsilon_is_accepted_on_input(counted: Counted) -> None:
    database = small(counted)
    epsilon = PHRASE.replace("'delta': ''", "'delta': 'ε'")
    assert features(database, f"compose({epsilon})") == features(database, f"compose({PHRASE})")
    assert database.rows(f"FROM neighbours({epsilon}, min_frequency := 1)")


@pytest.mark.thorough
def test_the_same_answer_every_time(counted: Counted) -> None:
    database = small(counted)
    answers = {str(database.rows("FROM neighbours('dry/ADJ', pos := 'any', min_frequency := 1)")) for _ in range(5)}
    assert len(answers) == 1


@pytest.mark.thorough
def test_a_users_names_do_not_stand_in_for_the_stores(counted: Counted) -> None:
    """CTEs and temporary tables called lexeme, path or cooccurrence change nothing."""
    database = small(counted)
    expected = features(database, f"compose({PHRASE})")
    taken = ("lexeme", "path", "node", "cooccurrence", "settings", "corpus")
    mine = f"WITH {', '.join(f'{name} AS (SELECT 1)' for name in taken)}"
    rows = database.rows(f"{mine} FROM compose({PHRASE})")
    assert {(row[0], row[1]): row[2] for row in rows} == expected
    database.run("CREATE TEMP TABLE lexeme AS SELECT 1 AS id")
    try:
        assert features(database, f"compose({PHRASE})") == expected
    finally:
        database.run("DROP TABLE temp.lexeme")


def test_paths_that_are_null(counted: Counted) -> None:
    """A path that path_offset drops does not come back at the anchor."""
    database = small(counted)
    moved = "WITH moved AS (SELECT lexeme, path_offset(path, '<amod') AS path, context, weight FROM raw_count) "
    rows = database.rows(f"{moved} FROM apt('clothes/NOUN', weights := 'moved')")
    assert ("", "fold/VERB") not in {(row[0], row[1]) for row in rows}
