"""Senses: against their twin, what they are of, what is stored and refused, how they grow stale and are verified."""

import io
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import IncompleteDataWarning, Lexicon, QuestionError, StaleDataWarning
from aptdb.questions import senses
from aptdb.questions.matrices import choose_first_centres, clusters
from aptdb.store.database import Database
from support.cases import read_cases
from support.commands import ask
from support.corpora import tree
from support.lexicons import copied
from support.runs import examples
from twins import senses as twin
from twins.trees import Token, conllu

pytestmark = pytest.mark.filterwarnings(
    "ignore:with .* tokens a space:aptdb.IncompleteDataWarning",
    "ignore:.* (too few for|have no sense):aptdb.IncompleteDataWarning",
    "ignore:.* which each corpus before has:aptdb.IncompleteDataWarning",
)
ANIMAL = (("small", "furry", "hungry"), ("eat", "fear", "chase"), ("cat", "cheese", "owl"))
DEVICE = (("wireless", "optical", "broken"), ("click", "move", "drag"), ("button", "cursor", "window"))
PLACE = (("old", "quiet", "narrow"), ("border", "cross", "meet"), ("square", "river", "park"))


def clause(noun: str, kind: tuple[tuple[str, ...], ...], chance: random.Random) -> list[Token]:
    """A sentence of a noun with an adjective, a verb and an object of a kind."""
    adjective, verb, thing = (chance.choice(each) for each in kind)
    rest = f"{verb} {verb} VERB 0 root, {thing} {thing} NOUN 3 obj"
    return tree(f"{adjective} {adjective} ADJ 2 amod, {noun} {noun} NOUN 3 nsubj, {rest}")


def text() -> list[list[Token]]:
    """Mice of both kinds, rats of the one, keyboards of the other; streets."""
    chance = random.Random(7)
    nouns = [("mouse", ANIMAL), ("mouse", DEVICE), ("rat", ANIMAL), ("keyboard", DEVICE)]
    nouns += [("street", PLACE), ("road", PLACE)]
    return [clause(noun, kind, chance) for _ in range(30) for noun, kind in nouns]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of this text with a space, to be copied."""
    file = tmp_path_factory.mktemp("senses") / "made.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        half = len(text()) // 2
        parts = {1990: conllu(text()[:half]), 2000: conllu(text()[half:])}
        said = "".join(f"# newdoc id = {year}\n# meta::year = {year}\n{part}" for year, part in parts.items())
        lexicon.add(io.BytesIO(said.encode()), name="mice")
        lexicon.reduce("words", dimensions=12, shift=1.0, min_feature_count=2)
    return file


@pytest.fixture
def own(made: Path, tmp_path: Path) -> Path:
    """A copy of it to write into."""
    return copied(made, tmp_path / "own.duckdb")


UNIT = st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(lambda each: sum(map(abs, each)) > 0.1).map(twin.unit)


@examples(100)
@given(st.lists(UNIT, min_size=1, max_size=12), st.integers(1, 4), st.sampled_from((0.2, 0.7, 1.0)), st.integers(0, 3))
def test_groups_are_those_of_the_twin(vectors: list[list[float]], number: int, alike: float, seed: int) -> None:
    """From their centres nothing moves; no two are alike; the largest comes first; and each has a vector."""
    found, centres = clusters(np.array(vectors), number, alike, seed)
    expected, moved = twin.groups(vectors, centres.tolist())
    near = np.array(vectors) @ centres.T
    chosen = near[np.arange(len(vectors)), found]
    assert np.allclose(chosen, near[np.arange(len(vectors)), expected], atol=1e-9)  # of two as near, either
    assert np.allclose(centres, moved, atol=1e-6) or found.tolist() != expected
    cosines = centres @ centres.T
    assert (cosines[~np.eye(len(centres), dtype=bool)] < alike + 1e-9).all()
    sizes = np.bincount(found, minlength=len(centres))
    assert sizes.tolist() == sorted(sizes.tolist(), reverse=True)
    assert sizes.min() > 0
    again = clusters(np.array(vectors), number, alike, seed)
    assert np.array_equal(found, again[0])


@pytest.mark.parametrize("seed", range(5))
def test_groups_begin_with_vectors_that_differ(seed: int) -> None:
    """One that equals a chosen one is never drawn, also where there is no other."""
    vectors, chance = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.random.default_rng(seed)
    assert {*map(tuple, choose_first_centres(vectors, 2, chance))} == {(1, 0), (0, 1)}
    assert len(choose_first_centres(vectors[:3], 2, chance)) == 1


def test_two_kinds_of_mice(made: Path) -> None:
    with Lexicon.open(made) as lexicon:
        found = lexicon.senses("mouse/NOUN", groups=2, top=3, examples=1)
    assert found.columns == ("sense", "occurrences", "share", "features", "neighbours", "examples")
    assert found.column("occurrences") == [30, 30]
    assert found.column("share") == [0.5, 0.5]
    near = {neighbours.split(", ")[0] for neighbours in found.column("neighbours")}
    assert near == {"rat/NOUN", "keyboard/NOUN"}
    words = [{context.partition("/")[0] for _, context in sense.features} for sense in found.described]
    kinds = [{word for part in kind for word in part} for kind in (ANIMAL, DEVICE)]
    assert sorted(next(n for n, kind in enumerate(kinds) if own <= kind) for own in words) == [0, 1]


def test_occurrences_are_those_of_the_twin(own: Path) -> None:
    with Lexicon.open(own) as lexicon:
        lexicon.save_senses("mouse/NOUN", groups=2)
        weights = {
            (path, context): weight
            for path, context, weight in lexicon.sql(
                "SELECT path, context, weight FROM ppmi WHERE lexeme = 'mouse/NOUN' AND weight > 0"
            ).rows
        }
        projections = {
            (path, context): vector
            for path, context, vector in lexicon.sql(
                "SELECT path.text, lexeme.text, projection FROM _store.space_feature "
                "JOIN _store.path ON path.id = path_id JOIN _store.lexeme ON lexeme.id = context_id"
            ).rows
        }
        centres = [vector for (vector,) in lexicon.sql("SELECT vector FROM _store.sense ORDER BY number").rows]
        stored = lexicon.sql("SELECT sentence, position, sense, similarity FROM sense_occurrences").rows
    known = {feature: weight for feature, weight in weights.items() if feature in projections}
    vectors = twin.occurrences(text(), "mouse/NOUN", known, projections)
    first = min(sentence for sentence, *_ in stored)
    assert {(sentence - first, position) for sentence, position, *_ in stored} == {
        (sentence - min(each for each, _ in vectors), position) for sentence, position in vectors
    }
    shift = first - min(each for each, _ in vectors)
    for sentence, position, sense, similarity in stored:
        vector = vectors[sentence - shift, position]
        near = [twin.dot(vector, centre) for centre in centres]
        assert similarity == pytest.approx(max(near), abs=1e-4)
        assert sense == 1 + near.index(max(near))


@pytest.mark.thorough
def test_a_sense_is_asked_about_as_a_lexeme_is(own: Path) -> None:
    with Lexicon.open(own) as lexicon:
        lexicon.save_senses("mouse/NOUN", groups=2)
        assert len(lexicon.evidence("mouse/NOUN#1").rows) == 30
        assert lexicon.counts_by("mouse/NOUN#1", by="corpus").column("count") == [30]
        assert sum(lexicon.frames("mouse/NOUN#1").column("count")) == 30
        sketch = lexicon.sketch("mouse/NOUN#1", examples=True)
        in_sketch = {row["context"] for row in sketch if "[mouse]" in row["example"]}
        differ = {row["context"]: row["meets"] for row in lexicon.sketch_diff("mouse/NOUN#1", "mouse/NOUN#2", top=9)}
        assert in_sketch == {context for context, meets in differ.items() if meets == "a"}
        assert lexicon.left_out_of_sketch("mouse/NOUN#1") == lexicon.left_out_of_sketch("mouse/NOUN")
        assert len(lexicon.subcorpora_by("year")) == 2
        trend = lexicon.trend("mouse/NOUN#1")
        assert "to_first" in lexicon.trend("mouse/NOUN").columns
        assert "to_first" not in trend.columns  # an entry is the same in all periods
        assert trend.column("count") == lexicon.counts_by("mouse/NOUN#1", by="year").column("count")
        assert sum(trend.column("count")) == 30
        [row] = lexicon.phrase_keyness(["mouse/NOUN#1"], "1990", "2000")
        assert [row["count_a"], row["count_b"]] == trend.column("count")


@pytest.mark.thorough
def test_examples_of_a_sense_are_the_best_of_those_near_its_centre(own: Path) -> None:
    with Lexicon.open(own) as lexicon:
        lexicon.save_senses("mouse/NOUN", groups=2)
        for number, *_, said in lexicon.senses("mouse/NOUN").rows:
            near = dict[str, float]()
            said_so = f"sense_occurrences JOIN sentences USING (sentence) WHERE sense = {number} ORDER BY sentence"
            for row in lexicon.sql(f"FROM {said_so}"):
                near[row["text"]] = max(row["similarity"], near.get(row["text"], 0))
            nearest = sorted(near, key=lambda text: -near[text])[: max(3, -(-len(near) // 4))]
            shown = said.split(" || ")
            assert len(shown) == 3
            assert {*shown} <= {*nearest}


@pytest.mark.thorough
def test_stored_senses_are_asked_like_lexemes_and_grow_stale(own: Path) -> None:
    with Lexicon.open(own) as lexicon:
        assert lexicon.save_senses("mouse/NOUN", groups=2) == ["mouse/NOUN#1", "mouse/NOUN#2"]
        assert lexicon.sql("SELECT entry, occurrences, state FROM senses").rows == [
            ("mouse/NOUN#1", 30, "kept"),
            ("mouse/NOUN#2", 30, "kept"),
        ]
        shown = lexicon.senses("mouse/NOUN", top=2)
        assert shown.rows == lexicon.senses("mouse/NOUN", groups=2, top=2).rows
        nearest = {lexicon.neighbours(f"mouse/NOUN#{each}", min_frequency=1, top=2).rows[1][0] for each in (1, 2)}
        assert "keyboard/NOUN" in nearest
        assert len(nearest) == 2
        assert lexicon.plot.apt("mouse/NOUN#1").note == "ppmi of packed counts"
        drawn = str(lexicon.plot.apt("mouse/NOUN", senses=True, max_nodes=2))
        shares = {f"mouse/NOUN#{number}, {share:.0%}" for number, _, share, *_ in shown.rows}
        assert {line for line in drawn.splitlines() if line.startswith("mouse/NOUN#")} == shares
        with pytest.raises(
            QuestionError, match=r"no senses of rat/NOUN .* of mouse/NOUN; .*: aptdb senses LEXICON rat"
        ):
            lexicon.plot.apt("rat/NOUN", senses=True)
        told = lexicon.sql("FROM sense_features('mouse/NOUN', top := 2)")
        features = [f"{path} {context}" for _, path, context, *_ in told.rows]
        assert ", ".join(features[:2]) == shown.rows[0][3]
        assert lexicon.verify().rows == []
        lexicon.add(io.BytesIO(conllu(text()[:5]).encode()), name="more")
        assert lexicon.sql("SELECT DISTINCT state FROM senses").rows == [("stale",)]
        for ask_of in (lexicon.evidence, lexicon.sketch, lexicon.counts_by, lexicon.frames):
            with pytest.raises(
                QuestionError, match="the senses of mouse/NOUN are stale, because the lexicon or their space"
            ):
                ask_of("mouse/NOUN#1")
        with (
            pytest.warns(StaleDataWarning, match="found before the lexicon or their space changed"),
            pytest.warns(StaleDataWarning, match="the space words was made before"),
        ):
            lexicon.senses("mouse/NOUN")
        lexicon.stored.refresh(kind="spaces")
        with pytest.warns(StaleDataWarning, match="mouse/NOUN#[12] is a stale sense"):
            assert lexicon.stored.refresh(kind="entries") == {}
        with pytest.raises(QuestionError, match="the senses of mouse/NOUN are stale"):
            lexicon.sql("FROM sense_features('mouse/NOUN')")
        assert lexicon.stored.refresh(kind="senses") == {"senses": ["mouse/NOUN"]}
        assert sum(lexicon.sql("SELECT occurrences FROM senses").column("occurrences")) == 62
        assert lexicon.verify().rows == []
        assert len(lexicon.stored.refresh("mouse/NOUN#1", kind="entries")) <= 1
        lexicon.stored.forget("mouse/NOUN", kind="senses")
        assert lexicon.sql("FROM senses").rows == lexicon.stored.entries().rows == []
        assert lexicon.sql("FROM sense_occurrences").rows == []


@pytest.mark.thorough
def test_senses_are_stale_when_their_space_changes(own: Path) -> None:
    with Lexicon.open(own) as lexicon:
        for change in (
            lambda: lexicon.stored.refresh("words", kind="spaces"),
            lambda: lexicon.stored.forget("words", kind="spaces"),
        ):
            lexicon.save_senses("mouse/NOUN", groups=2)
            change()
            assert lexicon.sql("SELECT DISTINCT state FROM senses").rows == [("stale",)]
        with (
            pytest.warns(StaleDataWarning, match="the senses of mouse"),
            pytest.raises(QuestionError, match="none is stored; make one by: aptdb reduce"),
        ):
            lexicon.senses("mouse/NOUN")


@pytest.mark.thorough
def test_what_senses_leave_out_is_said(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Occurrences without a feature of the space, groups that would be too small, and what does not fit."""
    lone = [[Token("mouse", "mouse", "NOUN", "_", 0, "root")]] * 3
    with Lexicon.open(own) as lexicon:
        lexicon.add(io.BytesIO(conllu(lone).encode()), name="lone")
        with pytest.warns(StaleDataWarning, match="the space words was made before the lexicon last changed"):
            lexicon.senses("mouse/NOUN")
        lexicon.stored.refresh(kind="spaces")
        with pytest.warns(IncompleteDataWarning) as heard:
            lexicon.senses("mouse/NOUN", groups=8)
        said = [str(each.message) for each in heard if each.category is IncompleteDataWarning]
        assert said == [
            "60 occurrences of mouse/NOUN are too few for 8 groups of 10 or more; grouping begins with 6",
            "3 of 63 occurrences of mouse/NOUN have no sense: none of their contexts is a feature of the space words",
        ]
        lexicon.save_senses("mouse/NOUN", groups=2)
        shares = [round(30 / 63, 6)] * 2  # of all occurrences
        assert lexicon.senses("mouse/NOUN").column("share") == shares
        assert lexicon.sql("SELECT share FROM senses").column("share") == shares
        monkeypatch.setattr(senses, "BYTES_OF_OCCURRENCE", 10**9)
        with pytest.raises(QuestionError, match=r"the 63 occurrences of mouse/NOUN need about 63\.0 GB of memory"):
            lexicon.senses("mouse/NOUN", groups=2)


@pytest.mark.thorough
def test_the_command(own: Path) -> None:
    assert ask("senses", own, "mouse", "--groups", "2", "--top", "2").stdout.startswith("sense\toccurrences\tshare\t")
    assert (
        "stored: mouse/NOUN#1, mouse/NOUN#2; use each like a lexeme"
        in ask("senses", own, "mouse/NOUN", "--save").stderr
    )
    assert ask("stored", own, "senses").stdout.count("mouse/NOUN#") == 2
    assert "nothing is stale" in ask("refresh", own, "--kind", "senses").stderr
    assert f"aptdb stored {own} senses lists those with stored senses" in ask("senses", own).stderr
    assert "it has no effect" in ask("senses", own, "mouse/NOUN", "--save", "--top", "2").stderr
    page = ask("senses", own, "mouse/NOUN", "--format", "table").stdout
    assert "1  50%" in page
    assert "near: " in page
    assert "mouse/NOUN is deleted" in ask("forget", own, "mouse/NOUN").stderr


@pytest.mark.thorough
@pytest.mark.parametrize(*read_cases("questions/damaged_senses"))
def test_damage_is_found(own: Path, damage: str, said: str) -> None:
    with Lexicon.open(own) as lexicon:
        lexicon.save_senses("mouse/NOUN", groups=2)
    database = Database(own, read_only=False)
    database.run(damage)
    database.close()
    with Lexicon.open(own) as lexicon:
        found = [row for row in lexicon.verify().rows if row[0] == "sense"]
    assert any(said in str(row) for row in found), found
