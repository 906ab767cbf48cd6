"""Reduced spaces: against their twin, on the made-up corpus, what is refused, how they grow stale and are verified."""

import io
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.stats import spearmanr

from aptdb import (
    IncompleteDataWarning,
    InterpretationWarning,
    Lexicon,
    LexiconError,
    NoSuchLexemeError,
    QuestionError,
    StaleDataWarning,
)
from aptdb.explorer import phrase_pieces, word_pieces
from aptdb.explorer.content import Asking, Links
from aptdb.explorer.lookups import usual_space
from aptdb.explorer.page_settings import How, View, choices, read_page_settings, with_usual_space
from aptdb.questions import matrices, spaces, thesaurus
from aptdb.questions.matrices import followed
from aptdb.store.database import Database
from aptdb.store.derived import SPACE
from aptdb.store.statements import literal
from support.cases import read_values
from support.clients import list_operators
from support.commands import ask
from support.corpora import noun_phrase
from support.lexicons import Counted, copied, record_spaces
from support.runs import examples, thorough
from support.strategies import corpora
from twins.counting import count, frequencies
from twins.spaces import Space, WindowedSpace
from twins.trees import Token, conllu

NEAR = 2e-4  # what whole numbers for projections, and six decimals, leave
PHRASE = "shoot/NOUN[amod green/ADJ]"
pytestmark = pytest.mark.filterwarnings("ignore:with .* tokens a space:aptdb.IncompleteDataWarning")


def table(file: Path, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query past aptdb."""
    database = Database(file, read_only=True)
    try:
        return database.rows(query)
    finally:
        database.close()


def change(file: Path, query: str) -> None:
    """Write to a file past aptdb."""
    database = Database(file, read_only=False)
    try:
        database.run(query)
    finally:
        database.close()


GREEN_SHOOT = "[{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}]"


@pytest.fixture(scope="module")
def made(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lexicon of the demo with a space, to be copied."""
    file = copied(demo, tmp_path_factory.mktemp("spaces") / "made.duckdb")
    with Lexicon.open(file) as lexicon:
        lexicon.reduce("words", dimensions=20, window=0)
    return file


@pytest.fixture(scope="module")
def opened(made: Path) -> Iterator[Lexicon]:
    """The same, opened for reading."""
    with Lexicon.open(made) as lexicon:
        yield lexicon


def test_plans_stay_small(made: Path) -> None:
    """What a lexeme asks of a space is planned for that space: of one without a window nothing about windows is."""
    most = {
        "FROM neighbours('shoot/NOUN', space := 'words')": 184,
        "SELECT similarity('shoot/NOUN', 'tree/NOUN', space := 'words')": 147,
    }
    with duckdb.connect(str(made), read_only=True) as client:
        client.execute("SET explain_output = 'optimized_only'")
        found = {query: len(list_operators(client, query)) for query in most}
    assert not {query: operators for query, operators in found.items() if operators > most[query]}


@pytest.mark.parametrize(
    "query",
    [
        "FROM apt('shoot/NOUN', space := 'wrods')",
        f"FROM compose({GREEN_SHOOT}, space := 'wrods')",
        *thorough(
            [
                "FROM neighbours('shoot/NOUN', space := 'wrods')",
                "SELECT similarity('shoot/NOUN', 'tree/NOUN', space := 'wrods')",
                "FROM explain('shoot/NOUN', 'tree/NOUN', space := 'wrods')",
                f"FROM contextualise({GREEN_SHOOT}, space := 'wrods')",
                "FROM doesnt_match(['shoot/NOUN', 'tree/NOUN', 'leaf/NOUN'], space := 'wrods')",
            ]
        ),
    ],
)
def test_no_question_is_silent_about_an_unknown_space(made: Path, demo: Path, query: str) -> None:
    """DuckDB leaves out whatever can have no row, and so its checks, too."""
    for file, said in ((made, "available: words"), (demo, "none is stored")):
        with (
            duckdb.connect(str(file), read_only=True) as client,
            pytest.raises(duckdb.Error, match=f"no space wrods; {said}"),
        ):
            client.execute(query).fetchall()


@pytest.fixture
def own(made: Path, tmp_path: Path) -> Path:
    """A copy of the same to write into."""
    return copied(made, tmp_path / "own.duckdb")


PARAMETERS = st.fixed_dictionaries(
    {
        "shift": st.sampled_from((1.0, 1.5)),
        "power": st.sampled_from((0, 0.5, 1)),
        "order": st.integers(0, 2),
        "min_frequency": st.sampled_from((1, 1, 2)),
        "min_feature_count": st.sampled_from((1, 2)),
        "dimensions": st.integers(1, 4),
    }
)


def rows_of_phrases(asked: list[list[tuple[str, str]]]) -> list[dict[str, str | int]]:
    """Phrases of (lexeme, delta) as the table that a question takes, called by their numbers."""
    return [
        {"phrase": str(number), "lexeme": lexeme, "delta": delta, "position": place}
        for number, phrase in enumerate(asked)
        for place, (lexeme, delta) in enumerate(phrase)
    ]


def assert_similar(found: list[tuple[Any, ...]], vectors: list[Any]) -> None:
    """Similarities of phrases by their numbers are the products of the twin's vectors, NULL where it has none."""
    for a, b, similarity in found:
        one, other = vectors[int(a)], vectors[int(b)]
        if one is None or other is None:
            assert similarity is None
        else:
            assert similarity == pytest.approx(float(one @ other), abs=NEAR)


@pytest.mark.thorough
@examples(40)
@given(corpora(most=8), PARAMETERS, st.sampled_from(("N,V", "N,V,PUNCT")), st.data())
def test_similarities_are_those_of_the_twin(
    counted: Counted, sentences: list[list[Token]], parameters: dict[str, Any], pos: str, data: st.DataObject
) -> None:
    database, counts = counted(sentences), count(sentences)
    known = {name: value for name, value in parameters.items() if name != "order"}
    twin = Space(counts, frequencies(sentences), pos.split(","), max_order=parameters["order"], **known)
    k = parameters["dimensions"]
    assume(len(twin.lexemes) >= spaces.FEWEST and k < min(len(twin.lexemes), len(twin.features)))
    after = twin.singular[k] if k < len(twin.singular) else 0
    assume(twin.singular[k - 1] > 0.05 and twin.singular[k - 1] - after > 0.01)
    lexemes = sorted(frequencies(sentences))
    deltas = sorted({path for _, path, _ in counts if path})[:6]
    word = st.tuples(st.sampled_from(lexemes), st.sampled_from(["", *deltas]))
    asked = [[(each, "")] for each in lexemes] + data.draw(st.lists(st.lists(word, min_size=2, max_size=3), max_size=4))
    head_weight = data.draw(st.sampled_from((0.5, 0.3)))
    rows = rows_of_phrases(asked)
    with database.transaction():
        tags = [tag for tag in pos.split(",") if any(each.endswith(f"/{tag}") for each in lexemes)]
        spaces.store_space(database, 2, "tried", {**parameters, "pos": ",".join(tags), "window": 0})
        record_spaces(database)
        question = "phrase, lexeme, delta, position FROM (SELECT unnest(each, max_depth := 1) FROM "
        found = database.rows(
            f"WITH t AS (SELECT {question}(SELECT unnest({literal(rows)}) AS each))) "
            f"FROM similarity_each('t', space := 'tried', missing := 'empty', head_weight := {head_weight})"
        )
        features = database.rows(
            f"WITH t AS (SELECT {question}(SELECT unnest({literal(rows)}) AS each))) "
            f"FROM compose_each('t', space := 'tried', missing := 'empty', head_weight := {head_weight})"
        )
        SPACE.forget(database, "tried")
    vectors = [twin.vector(phrase, head_weight if len(phrase) > 1 else 0.5) for phrase in asked]
    assert len(found) == len(asked) * (len(asked) - 1) // 2
    assert_similar(found, vectors)
    composed: list[dict[tuple[str, str], float]] = [{} for _ in asked]
    for name, path, context, weight in features:
        composed[int(name)][path, context] = weight
    for vector, apt in zip(vectors, composed, strict=True):
        expected = {} if vector is None else twin.expected(vector)
        assert apt.keys() <= expected.keys()
        for feature, weight in expected.items():
            if abs(weight - 0.01) > 1e-3:
                assert apt.get(feature, 0) == pytest.approx(weight if weight > 0.01 else 0, abs=1e-3)


@pytest.mark.thorough
@examples(30)
@given(corpora(most=8), st.integers(1, 4), st.sampled_from((0.5, 0.2, 1)), st.integers(1, 3), st.data())
def test_halves_are_those_of_the_twin(
    counted: Counted, sentences: list[list[Token]], window: int, share: float, dimensions: int, data: st.DataObject
) -> None:
    database, counts, known = counted(sentences), count(sentences), frequencies(sentences)
    asked_of: dict[str, Any] = {
        "shift": 1.0,
        "power": 0,
        "min_frequency": 1,
        "min_feature_count": 1,
        "dimensions": dimensions,
    }
    trees = Space(counts, known, ("N", "V"), max_order=2, **asked_of)
    assume(len(trees.lexemes) >= spaces.FEWEST and dimensions < min(len(trees.lexemes), len(trees.features)))
    twin = WindowedSpace(trees, sentences, known, window, share)
    for each in (trees.singular, twin.singular):
        assume(each[dimensions - 1] > 0.05 and each[dimensions - 1] - [*each, 0.0][dimensions] > 0.01)
    lexemes, deltas = sorted(known), sorted({path for _, path, _ in counts if path})[:6]
    word = st.tuples(st.sampled_from(lexemes), st.sampled_from(["", *deltas]))
    asked = [[(each, "")] for each in lexemes] + data.draw(st.lists(st.lists(word, min_size=2, max_size=3), max_size=4))
    rows = rows_of_phrases(asked)
    with database.transaction():
        tags = ",".join(sorted({each.rsplit("/", 1)[1] for each in trees.lexemes}))
        given_to = {**asked_of, "pos": tags, "window": window, "window_share": share}
        spaces.store_space(database, 2, "tried", given_to)
        record_spaces(database)
        found = database.rows(
            f"WITH t AS (SELECT each.* FROM (SELECT unnest({literal(rows)}) AS each)) "
            "FROM similarity_each('t', space := 'tried', missing := 'empty')"
        )
        SPACE.forget(database, "tried")
    vectors = [twin.vector(phrase) for phrase in asked]
    assert_similar(found, vectors)


def test_neighbours_are_those_of_numpy(opened: Lexicon) -> None:
    stored = {row[0]: np.array(row[1]) for row in opened.sql("SELECT lexeme, vector FROM space_vectors").rows}
    known = {row[0]: row[1] for row in opened.sql("SELECT lexeme, frequency FROM lexemes").rows}
    for pos, tag in (("same", "/NOUN"), ("any", "")):
        expected = sorted(
            (-round(float(vector @ stored["shoot/NOUN"]), 6), -known[lexeme], lexeme)
            for lexeme, vector in stored.items()
            if lexeme != "shoot/NOUN" and lexeme.endswith(tag) and known[lexeme] >= 2
        )
        found = opened.neighbours("shoot/NOUN", space="words", pos=pos, top=8).rows
        assert [value for _, value in found] == pytest.approx([-value for value, _, _ in expected[:8]], abs=2e-6)
        assert {lexeme for lexeme, _ in found[:4]} <= {lexeme for _, _, lexeme in expected[:6]}
    each = opened.neighbours_each(["shoot/NOUN", PHRASE], space="words", top=3).rows
    one, other = (opened.neighbours(x, space="words", top=3).rows for x in ("shoot/NOUN", PHRASE))
    assert [row[1:] for row in each] == [*one, *other]


def test_two_threads_read_each_vector_once(own: Path) -> None:
    """Each the 2,048 rows that the other leaves out; the demo has fewer."""
    change(
        own,
        "INSERT INTO _store.space_vector SELECT any_value(space_id), made.id, [1] FROM _store.space_vector, "
        "range(1_000_000, 1_009_000) AS made(id) GROUP BY made.id",
    )
    found = table(own, "SELECT count(*), sum(lexeme_id) FROM _store.vectors_among('lexemes', 'words')")
    assert found == table(own, "SELECT count(*), sum(lexeme_id) FROM _store.space_vector")
    assert found[0][0] > 9_000


def test_vectors_in_memory_are_those_of_sql(opened: Lexicon) -> None:
    found = opened.stored.vectors("words")
    assert found.matrix.shape == (len(found), 20)
    for lexeme in ("shoot/NOUN", "leaf/NOUN"):
        asked = opened.neighbours(lexeme, space="words", min_frequency=2, top=5).rows
        near: list[Any] = [(name, pytest.approx(value, abs=2e-6)) for name, value in asked]
        assert found.most_similar(lexeme, top=5) == near
    assert found.similarity("shoot/NOUN", "leaf/NOUN") == pytest.approx(
        opened.similarity("shoot/NOUN", "leaf/NOUN", space="words"), abs=2e-6
    )
    both = opened.most_similar(["shoot/NOUN", "leaf/NOUN"], ["tour/NOUN"], space="words", top=3, min_frequency=2).rows
    expected: list[Any] = [(name, pytest.approx(value, abs=2e-6)) for name, value in both]
    assert found.most_similar(["shoot/NOUN", "leaf/NOUN"], "tour/NOUN", top=3) == expected
    assert len(found.most_similar("shoot/NOUN", top=len(found), pos="any")) == len(found) - 1
    assert ["shoot/NOUN" in found, "shot/NOUN" in found] == [True, False]
    with pytest.raises(NoSuchLexemeError, match="no vector of shot/NOUN; did you mean shoot/NOUN"):
        found["shot/NOUN"]
    for wrong, said in (
        ({"pos": "NUON"}, "no vector is of pos NUON; expected ADJ, .*, same or any"),
        ({"negative": ["shoot/NOUN"]}, "shoot/NOUN is both positive and negative; give it only once"),
        ({"top": 0}, "top is 0; expected a whole number, 1 or more"),
    ):
        with pytest.raises(QuestionError, match=said):
            found.most_similar("shoot/NOUN", **wrong)


def test_the_progress_of_a_decomposition_rises_and_does_not_end() -> None:
    said: list[int] = []
    watched = followed(csr_array(np.ones((100, 100))), 2, lambda done, _: said.append(done))
    for _ in range(500):
        watched.matvec(np.ones(100))
    assert said == sorted(said)
    assert 0 < said[0] < said[100] < said[-1] < 100 * 100


def test_a_space_that_is_not_there_fits_nowhere(made: Path) -> None:
    database = Database(made, read_only=True)
    try:
        assert [matrices.space_fits(database, name) for name in ("words", "wrds", None)] == [True, False, False]
    finally:
        database.close()


def test_commands_and_sql_answer_like_python(made: Path, opened: Lexicon) -> None:
    value = opened.similarity(PHRASE, "leaf/NOUN", space="words")
    assert ask("similarity", made, PHRASE, "leaf/NOUN", "--space", "words").stdout.split() == ["similarity", str(value)]
    words = "[{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}]"
    in_sql = f"SELECT similarity({words}, 'leaf/NOUN', space := 'words')"
    assert opened.sql(in_sql).rows == [(value,)]
    shown = ask("neighbours", made, "shoot/NOUN", "--space", "WORDS", "--top", "2").stdout.splitlines()[1:]
    expected = opened.sql("FROM neighbours('shoot/NOUN', space := 'words', top := 2)").rows
    assert [tuple(line.split("\t")) for line in shown] == [(lexeme, str(value)) for lexeme, value in expected]
    assert "words" in ask("stored", made, "spaces").stdout


@pytest.mark.thorough
def test_what_is_like_several_is_that_of_numpy(opened: Lexicon) -> None:
    stored = {row[0]: np.array(row[1]) for row in opened.sql("SELECT lexeme, vector FROM space_vectors").rows}
    plus, minus = ["shoot/NOUN", "leaf/NOUN"], ["tour/NOUN"]
    mean = sum(stored[each] for each in plus) - stored[minus[0]]
    mean = mean / np.linalg.norm(mean)
    others = [float(v @ mean) for w, v in stored.items() if w.endswith("/NOUN") and w not in plus + minus]
    found = opened.most_similar(plus, minus, space="words", top=5)
    assert [value for _, value in found.rows] == pytest.approx(sorted(others, reverse=True)[:5], abs=2e-6)
    assert [float(stored[lexeme] @ mean) for lexeme, _ in found.rows] == pytest.approx(sorted(others)[:-6:-1], abs=2e-6)
    all_three = np.array([stored[each] for each in (*plus, *minus)])
    likeness = all_three @ (all_three.sum(axis=0) / np.linalg.norm(all_three.sum(axis=0)))
    assert opened.doesnt_match([*plus, *minus], space="words") == [*plus, *minus][int(likeness.argmin())]


@pytest.mark.thorough
def test_words_in_context_and_gaps_are_asked_in_a_space(opened: Lexicon) -> None:
    """Each is that of neighbours and similarity, which are numpy's."""
    found = opened.contextualise(PHRASE, space="words", top=2)
    for anchor, lexeme in ((1, "shoot/NOUN"), (2, "green/ADJ")):
        rows = [row for row in found if row["anchor"] == anchor]
        alone = opened.neighbours(lexeme, space="words", top=2).rows
        assert [(row["alone"], row["similarity"]) for row in rows] == alone
        there = opened.neighbours(PHRASE, space="words", top=2, anchor=anchor).rows
        assert [(row["in_context"], row["similarity_there"]) for row in rows] == there
    gap = "_/NOUN[amod green/ADJ]"
    best = opened.plausible(gap, space="words", top=3).rows
    assert opened.plausible(gap, [lexeme for lexeme, _ in best], space="words").rows == best
    named = opened.plausible(gap, ["tour/NOUN", "leaf/NOUN"], space="words").rows
    assert named == sorted(named, key=lambda row: -row[1])
    with pytest.raises(QuestionError, match=r"the/DET has no feature of the space words.*skip"):
        opened.compose("shoot/NOUN[det the/DET]", space="words")
    with pytest.raises(QuestionError, match="has only vectors of lexemes that occur 2 times or more"):
        opened.neighbours("shoot/NOUN", space="words", min_frequency=1)


def projections(lexicon: Lexicon) -> dict[tuple[str, str], Any]:
    """Return what one unit of the weight of each feature adds to a vector."""
    return {
        (path, context): np.array(projection) * scale
        for path, context, scale, projection in lexicon.sql(
            "SELECT path.text, lexeme.text, scale, projection FROM _store.space_feature AS feature "
            "JOIN _store.path ON path.id = path_id JOIN _store.lexeme ON lexeme.id = context_id"
        ).rows
    }


def unit(vector: Any) -> Any:
    """Return a vector of length 1."""
    return vector / np.linalg.norm(vector)


def test_a_space_expects_what_a_word_was_not_met_with(made: Path, opened: Lexicon) -> None:
    """The rows of both are those of numpy's pseudo-inverse, and the settings of the space are its own."""
    projected = projections(opened)
    inverse = np.linalg.pinv(np.array([*projected.values()]))
    stored = dict(opened.sql("SELECT lexeme, vector FROM space_vectors").rows)
    row = dict(zip(projected, np.array(stored["leaf/NOUN"]) @ inverse, strict=True))
    found = {(path, context): weight for path, context, weight in opened.apt("leaf/NOUN", space="words").rows}
    assert found == pytest.approx({key: value for key, value in row.items() if value >= 0.01}, abs=2e-5)
    assert found.keys() - {(path, context) for path, context, _ in opened.apt("leaf/NOUN").rows}
    whole = opened.compose(PHRASE, space="words").rows
    assert [row[1:] for row in opened.compose_each([PHRASE], space="words").rows] == whole
    shown = ask("apt", made, PHRASE, "--space", "words", "--per-path", "1").stdout.splitlines()[1:]
    first = {path: (context, weight) for path, context, weight in reversed(whole)}
    assert [tuple(line.split("\t")) for line in shown] == [(path, a, str(w)) for path, (a, w) in sorted(first.items())]


@pytest.mark.thorough
def test_a_subcorpus_is_projected_into_the_space_of_all(own: Path) -> None:
    a, b = "shoot/NOUN", "leaf/NOUN"
    with Lexicon.open(own) as lexicon:
        lexicon.subcorpus("all_of_it", "corpus = 'demo'")
        lexicon.subcorpus("some", "sent_id LIKE '%1' OR sent_id LIKE '%2'")
        whole = lexicon.similarity(a, PHRASE, space="words")
        assert lexicon.similarity(a, PHRASE, space="words", subcorpus="all_of_it") == pytest.approx(whole, abs=NEAR)
        projected = projections(lexicon)
        vectors = {}
        for lexeme, name in ((a, "some"), (b, "some"), (b, "all_of_it")):
            apt = lexicon.apt(lexeme, shift=3, subcorpus=name).rows
            vectors[lexeme, name] = unit(sum(w * projected[path, c] for path, c, w in apt if (path, c) in projected))
        for name in ("some", "all_of_it"):
            asked: dict[str, Any] = {"space": "words", "subcorpus": "some", "subcorpus_b": name}
            expected = vectors[a, "some"] @ vectors[b, name]
            assert lexicon.similarity(a, b, **asked) == pytest.approx(expected, abs=NEAR)
            explained = lexicon.explain(a, b, top=2, **asked)
            assert sum(explained.column("contribution")) == pytest.approx(expected, abs=NEAR)
        best = lexicon.plausible("_/NOUN[amod green/ADJ]", space="words", subcorpus="some", top=3).rows
        named = [lexeme for lexeme, _ in best]
        assert lexicon.plausible("_/NOUN[amod green/ADJ]", named, space="words", subcorpus="some").rows == best
        stored = dict(lexicon.sql("SELECT lexeme, vector FROM space_vectors").rows)
        for lexeme, value in lexicon.neighbours(a, space="words", subcorpus="some", top=5).rows:
            assert value == pytest.approx(vectors[a, "some"] @ np.array(stored[lexeme]), abs=NEAR)


@pytest.mark.thorough
def test_entries_are_asked_and_ranked_in_a_space(own: Path) -> None:
    """An entry is to a space what a lexeme with its weights would be."""
    with Lexicon.open(own) as lexicon:
        lexicon.save("green_shoot", PHRASE)
        projected = projections(lexicon)
        weights = lexicon.sql(
            "SELECT path, context, weight - ln(3) FROM entry_weights WHERE entry = 'green_shoot'"
        ).rows
        vector = unit(sum(w * projected[path, c] for path, c, w in weights if w > 0 and (path, c) in projected))
        stored = dict(lexicon.sql("SELECT lexeme, vector FROM space_vectors").rows)
        expected = float(vector @ np.array(stored["leaf/NOUN"]))
        assert lexicon.similarity("green_shoot", "leaf/NOUN", space="words") == pytest.approx(expected, abs=NEAR)
        ranked = dict(lexicon.neighbours("leaf/NOUN", space="words", among="all", top=500).rows)
        assert ranked["green_shoot"] == pytest.approx(expected, abs=NEAR)
        assert [row[0] for row in lexicon.neighbours("leaf/NOUN", space="words", among="entries").rows] == [
            "green_shoot"
        ]
        assert "green_shoot" not in dict(lexicon.neighbours("green_shoot", space="words", among="all", top=500).rows)


@pytest.mark.thorough
def test_observed_phrases_are_compared_with_their_parts_in_a_space(own: Path) -> None:
    """With all occurrences, as an entry is; without a phrase's own, as numpy projects what is left of its head."""
    with Lexicon.open(own) as lexicon:
        lexicon.save("green_shoot", PHRASE, observed=True)
        ((_, times, _, *every, _, _),) = lexicon.compositionality([PHRASE], space="words", own_occurrences=True).rows
        parts = (PHRASE, "shoot/NOUN", "green/ADJ")
        assert every == [lexicon.similarity("green_shoot", other, space="words") for other in parts]
        seen = {(path, context): count for path, context, count, _ in lexicon.observed(PHRASE).rows}
        pmi = lexicon.apt("shoot/NOUN", weights="pmi", show_counts=True)
        left, paths = {}, Counter[str]()
        for row in pmi:
            feature = row["path"], row["context"]
            own_count = times if feature == (">amod", "green/ADJ") else seen.get(feature, 0)
            left[feature] = row["count"] - own_count
            paths[row["path"]] += row["count"]
            paths[f"left {row['path']}"] += left[feature]
        weights = {
            (path, context): weight + math.log(left[path, context] * paths[path] / count / paths[f"left {path}"] / 3)
            for path, context, weight, count in zip(
                *map(pmi.column, ("path", "context", "weight", "count")), strict=True
            )
            if left[path, context]
        }
        projected = projections(lexicon)
        shoot = unit(sum(w * projected[each] for each, w in weights.items() if w > 0 and each in projected))
        whole = lexicon.observed(PHRASE, shift=3).rows
        phrase = unit(sum(w * projected[path, c] for path, c, _, w in whole if (path, c) in projected))
        elsewhere = lexicon.compositionality([PHRASE], space="words")[0]
        assert elsewhere["head"] == pytest.approx(float(phrase @ shoot), abs=NEAR)
        assert elsewhere["head"] != pytest.approx(every[1], abs=NEAR)


def test_compounds_are_compared_in_a_space(opened: Lexicon, tmp_path: Path) -> None:
    compounds = [("state", "council"), ("world", "part"), ("rose", "leaf"), ("bean", "leaf"), ("lemon", "soup")]
    lines = [f"{a} {b},{number % 2},{number // 2 % 2},1" for number, (a, b) in enumerate(compounds)]
    (tmp_path / "judged.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.warns(InterpretationWarning, match="whose mean is its rating"):
        answer = opened.eval.evaluate(tmp_path / "judged.csv", space="words")
    found = opened.compositionality([f"{b}/NOUN[compound {a}/NOUN]" for a, b in compounds], space="words")
    means = [(number % 2 + number // 2 % 2 + 1) / 3 for number in range(5)]
    for row in answer:
        assert row["rho"] == pytest.approx(float(spearmanr(found.column(row["score"]), means).statistic))
    with (
        pytest.warns(InterpretationWarning, match="mean"),
        pytest.raises(QuestionError, match="the space words takes no merge"),
    ):
        opened.eval.evaluate(tmp_path / "judged.csv", space="words", merge="min")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "parameters", [{"top": 3}, {"pos": "any", "top": 4}, {"pos": "NOUN", "min_frequency": 3}, {"top": 0}, {"top": 500}]
)
def test_a_thesaurus_in_a_space_is_its_neighbours(
    opened: Lexicon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parameters: dict[str, Any]
) -> None:
    monkeypatch.setattr(matrices, "AT_ONCE", 7)
    monkeypatch.setattr(thesaurus, "PART_OF_PRODUCTS", 20)
    opened.thesaurus(tmp_path / "found.tsv", space="words", **parameters)
    monkeypatch.setattr(thesaurus, "products_of", lambda *_: None)
    opened.thesaurus(tmp_path / "in_sql.tsv", space="words", **parameters)
    text = (tmp_path / "found.tsv").read_text()
    assert text == (tmp_path / "in_sql.tsv").read_text()
    lines = [line.split("\t") for line in text.splitlines()[1:]]
    found = [(neighbour, float(value)) for lexeme, neighbour, value in lines if lexeme == "shoot/NOUN"]
    assert found == opened.neighbours("shoot/NOUN", space="words", **parameters).rows
    assert len(lines) > len(found) or not found


@given(st.integers(0, 9), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_the_nearest_are_those_of_a_sort_with_all_ties(top: int, candidates: int, seed: int) -> None:
    similarities = np.random.default_rng(seed).integers(-3, 4, (5, candidates)).astype("f4") / 4
    rows, columns = matrices.nearest(similarities, top)
    found = {*zip(rows.tolist(), columns.tolist(), strict=True)}
    for row, values in enumerate(similarities.tolist()):
        least = sorted(values)[-min(top + 1, candidates)]
        assert {column for column, value in enumerate(values) if value >= max(least, 0)} == {
            column for asked, column in found if asked == row
        }


@pytest.mark.thorough
def test_what_is_exported_is_read_by_others(opened: Lexicon, tmp_path: Path) -> None:
    """By numpy and, where it is installed, gensim; and the projection makes the vectors."""
    rows = opened.sql("SELECT lexeme, vector FROM space_vectors").rows
    stored = {lexeme: np.array(vector, dtype=np.float32) for lexeme, vector in rows}
    opened.export(tmp_path / "words.npy", space="words")
    names = (tmp_path / "words.rows").read_text().splitlines()
    vectors = np.load(tmp_path / "words.npy")
    assert {name: vector.tolist() for name, vector in zip(names, vectors, strict=True)} == {
        name: vector.tolist() for name, vector in stored.items()
    }
    features = (tmp_path / "words.cols").read_text().splitlines()
    projection = np.load(tmp_path / "words.projection.npy")
    apt = {f"{path or 'ε'}|{context}": weight for path, context, weight in opened.apt("leaf/NOUN", shift=3).rows}
    made = np.array([apt.get(name, 0) for name in features]) @ projection
    assert made / np.linalg.norm(made) == pytest.approx(stored["leaf/NOUN"], abs=1e-5)
    opened.export(tmp_path / "all.safetensors", space="words")
    content = (tmp_path / "all.safetensors").read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    first, last = header["projection"]["data_offsets"]
    read = np.frombuffer(content[8 + size :][first:last], "<f4").reshape(header["projection"]["shape"])
    assert (read == projection).all()
    assert header["__metadata__"]["dimensions"] == "20"
    opened.export(tmp_path / "a.vec", space="words")
    opened.export(tmp_path / "a.bin", space="words")
    models = pytest.importorskip("gensim.models")
    for file, is_binary in (("a.vec", False), ("a.bin", True)):
        model = models.KeyedVectors.load_word2vec_format(str(tmp_path / file), binary=is_binary)
        assert model["leaf/NOUN"] == pytest.approx(stored["leaf/NOUN"])
        best = opened.neighbours("leaf/NOUN", space="words", pos="any", top=1).rows[0]
        assert model.most_similar("leaf/NOUN", topn=1)[0][1] >= best[1] - 1e-5


@pytest.mark.thorough
def test_dimensions_are_explained_by_what_both_share(opened: Lexicon) -> None:
    """The twin projects each feature by itself, with numpy."""
    stored = {row[0]: np.array(row[1]) for row in opened.sql("SELECT lexeme, vector FROM space_vectors").rows}
    projected = projections(opened)
    a, b = "shoot/NOUN", "leaf/NOUN"
    parts = []
    for lexeme in (a, b):
        apt = {(path, context): weight for path, context, weight in opened.apt(lexeme, shift=3).rows}
        brought = {feature: weight * projected[feature] for feature, weight in apt.items() if feature in projected}
        parts.append(brought)
    found = opened.explain(a, b, space="words", top=3)
    assert found.columns == ("dimension", "features", "weight_a", "weight_b", "contribution")
    assert sum(found.column("contribution")) == pytest.approx(opened.similarity(a, b, space="words"), abs=1e-5)
    products = stored[a] * stored[b]
    assert [row["dimension"] - 1 for row in list(found)[:3]] == [*np.argsort(-products)[:3]]
    assert list(found)[3]["dimension"] is None
    sizes = [np.linalg.norm(sum(each.values())) for each in parts]
    for row in list(found)[:3]:
        at = row["dimension"] - 1
        assert (row["weight_a"], row["weight_b"]) == (stored[a][at], stored[b][at])
        least = {
            f"{path} {context}".strip(): min(
                parts[0][path, context][at] * np.sign(stored[a][at]) / sizes[0],
                parts[1][path, context][at] * np.sign(stored[b][at]) / sizes[1],
            )
            for path, context in parts[0].keys() & parts[1].keys()
        }
        shown = row["features"].split(", ")
        best = sorted((value for value in least.values() if value > 0), reverse=True)[:5]
        assert [least[feature] for feature in shown] == pytest.approx(best, abs=1e-6)


@pytest.mark.thorough
def test_one_thread_and_two_find_the_same_without_python(own: Path) -> None:
    answers = []
    for threads in (1, 2):
        with duckdb.connect(str(own), read_only=True, config={"threads": threads}) as client:
            near = client.execute("FROM neighbours('shoot/NOUN', pos := 'any', top := 50, space := 'words')").fetchall()
            behind = client.execute("FROM explain('shoot/NOUN', 'leaf/NOUN', top := 5, space := 'words')").fetchall()
            answers.append((near, behind))
    assert answers[0] == answers[1]
    assert len(answers[0][0]) == 50


def test_pages_offer_the_spaces_that_are_there(opened: Lexicon, demo: Path) -> None:
    offered = {each.name: each.values for each in choices(opened, "lexeme", {})}
    assert offered["space"] == ["words"]
    assert choices(opened, "lexeme", {}, "words")[4].values == ["words", "all features"]
    assert read_page_settings(opened, "lexeme", {"space": "words"}) == {"space": "words"}
    with pytest.raises(QuestionError, match="no space word; available: words"):
        read_page_settings(opened, "lexeme", {"space": "word"})
    for page, x, space in (
        *(("lexeme", "leaf", "words"), ("phrase", PHRASE, "words"), ("lexeme", "the/DET", None)),
        *(("lexeme", "leafs/NOUN", None), ("compare", "leaf/NOUN", None), ("phrase", "green shoot", "words")),
        *(("phrase", "shoot/NOUN[det the/DET]", "words"), ("phrase", "shoot/NOUN[", None)),
    ):
        assert usual_space(opened, page, x) == space
    assert with_usual_space({"score": "pmi"}, "words") == {"score": "pmi", "space": "words"}
    for settings in ({"shift": 2.0}, {"space": "other"}):
        assert with_usual_space(settings, "words") == settings
    assert with_usual_space({"space": "all features", "score": "pmi"}, "words") == {"score": "pmi"}
    with Lexicon.open(demo) as without:
        assert usual_space(without, "lexeme", "leaf/NOUN") is None
        assert "space" not in {each.name for each in choices(without, "lexeme", {})}
        with pytest.raises(QuestionError, match="no space words; none is stored"):
            read_page_settings(without, "lexeme", {"space": "words"})


@pytest.mark.thorough
def test_pieces_of_pages_in_a_space(opened: Lexicon) -> None:
    """A least count below the space's, and words without a feature of it, are no errors; a note names the space."""
    how = How({"space": "words"}, View(least=1))
    found = word_pieces.make_near_piece(Asking(opened, Links(), {"x": "leaf/NOUN"}, how=how))
    assert found.asked[0].parameters["min_frequency"] == 2
    phrase = "shoot/NOUN[det the/DET]"
    made = [
        make(Asking(opened, Links(), {"x": phrase}, how=how))
        for make in (phrase_pieces.make_phrase_neighbours_piece, phrase_pieces.show_words)
    ]
    for each in (found, *made):
        assert "in the reduced space words" in each.notes[0]
        tables = each.content if isinstance(each.content, list) else [each.content]
        assert all(table.rows for table in tables[:1])
    assert made[0].asked[0].parameters["missing"] == "skip"


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_space(own: Path) -> None:
    query = "SELECT md5(string_agg(vector::VARCHAR, ' ' ORDER BY lexeme)) FROM space_vectors"
    before = table(own, query)
    with Lexicon.open(own) as lexicon:
        with pytest.warns(IncompleteDataWarning, match="60,002 tokens"):
            lexicon.reduce("words", dimensions=20, window=0)
        assert table(own, query) == before
        lexicon.reduce("words", dimensions=5)
        before = table(own, query)
        lexicon.reduce("words", dimensions=5)
    assert table(own, query) == before


@pytest.mark.thorough
def test_both_ways_to_decompose_give_the_same_vectors(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PROPACK, which decomposes a window, and ARPACK, where PROPACK's vectors would be too many."""
    found, taken, propack = [], list[bool](), spaces.decompose_in_one_run

    def watched(rows: Any, plan: spaces.Plan, progress: matrices.Follow) -> Any:
        taken.append(spaces.MOST_VECTORS * plan.dimensions < min(rows.shape))
        return propack(rows, plan, progress)

    monkeypatch.setattr(spaces, "decompose_in_one_run", watched)
    with Lexicon.open(own) as lexicon:
        for most in (spaces.MOST_VECTORS, 1_000, 1):  # enough, too many, too few
            monkeypatch.setattr(spaces, "MOST_VECTORS", most)
            lexicon.reduce("words", dimensions=5)
            found.append(np.array(lexicon.sql("SELECT vector FROM space_vectors ORDER BY lexeme").column("vector")))
    assert taken == [True, False, True]
    assert np.abs(found[0] - found[1]).max() < 1e-5
    assert np.abs(found[2] - found[1]).max() < 1e-5


@pytest.mark.thorough
def test_a_window_is_of_sentences(own: Path, counts: Path, tmp_path: Path) -> None:
    with Lexicon.open(own) as lexicon:
        lexicon.reduce("near", dimensions=20, window=3, window_share=0.3)
        made = next(row for row in lexicon.stored.spaces() if row["space"] == "near")
        assert (made["window_tokens"], made["window_share"], made["dimensions"] > 20) == (3, 0.3, True)
        assert not lexicon.verify().rows
        phrase = lexicon.similarity(PHRASE, "leaf/NOUN", space="near")
        assert "~" in lexicon.apt("shoot/NOUN", space="near").column("path")
        lexicon.subcorpus("all_of_it", "corpus = 'demo'")
        again = lexicon.similarity(PHRASE, "leaf/NOUN", space="near", subcorpus="all_of_it", subcorpus_b="all_of_it")
        assert again == pytest.approx(phrase, abs=1e-4)
        assert lexicon.stored.refresh("near")
        assert next(row["window_share"] for row in lexicon.stored.spaces() if row["space"] == "near") == 0.3
    none = "only counts, without sentences, so a space of it has no window"
    with Lexicon.open(copied(counts, tmp_path / "counts.duckdb")) as lexicon:
        with pytest.raises(QuestionError, match=none):
            lexicon.reduce("near", window=3, min_frequency=1, pos="NOUN")
        with pytest.warns(IncompleteDataWarning, match=none), pytest.raises(QuestionError, match="too few for a space"):
            lexicon.reduce("near", min_frequency=1, pos="NOUN")


@pytest.mark.thorough
def test_a_space_grows_stale_and_is_made_again(own: Path) -> None:
    more = conllu([noun_phrase("dragon", "green")] * 9).encode()
    with Lexicon.open(own) as lexicon:
        before = lexicon.similarity("shoot/NOUN", "leaf/NOUN", space="words")
        lexicon.add(io.BytesIO(more), name="more")
        with pytest.warns(StaleDataWarning, match="aptdb refresh .* words$"):
            assert lexicon.similarity("shoot/NOUN", "leaf/NOUN", space="words") == before
        with pytest.warns(StaleDataWarning, match="the space words was made before"):
            assert lexicon.thesaurus(own.with_suffix(".tsv"), space="words", top=1)
        with pytest.warns(StaleDataWarning, match="the space words was made before"):
            assert lexicon.sql("FROM neighbours('shoot/NOUN', SPACE := 'Words', top := 2)").rows
        assert [row["state"] for row in lexicon.stored.spaces()] == ["stale"]
        lexicon.remove("more")
        assert not lexicon.verify().rows
        assert lexicon.stored.refresh(kind="spaces") == {"spaces": ["words"]}
        assert [(row["state"], row["dimensions"]) for row in lexicon.stored.spaces()] == [("kept", 20)]
        assert lexicon.similarity("shoot/NOUN", "leaf/NOUN", space="words") == pytest.approx(before, abs=1e-5)
        assert lexicon.stored.refresh(kind="spaces") == {}
    assert ask("forget", own, "words").exit_code == 0
    assert [
        table(own, f"SELECT count(*) FROM _store.{each}") for each in ("derived", "space_vector", "space_feature")
    ] == [[(0,)]] * 3


@pytest.mark.thorough
def test_a_space_of_a_candidate_is_made_again_without_a_window(own: Path) -> None:
    """They were made so by default, so that nothing is recorded of it."""
    change(own, "UPDATE _store.derived SET asked = map_from_entries([('dimensions', '20')]), state = 'stale'")
    before = table(own, "SELECT lexeme, vector FROM space_vectors ORDER BY lexeme")
    with Lexicon.open(own) as lexicon:
        assert lexicon.stored.refresh(kind="spaces") == {"spaces": ["words"]}
    assert table(own, "SELECT lexeme, vector FROM space_vectors ORDER BY lexeme") == before


@pytest.mark.thorough
def test_an_emptied_lexicon_says_nothing_of_counts(own: Path, recwarn: pytest.WarningsRecorder) -> None:
    with Lexicon.open(own) as lexicon:
        lexicon.remove("demo")
        with pytest.raises(QuestionError, match="it has none"):
            lexicon.reduce("other")
    assert "only counts" not in " ".join(str(each.message) for each in recwarn)


DAMAGE = read_values("questions/damaged_spaces")


@pytest.mark.thorough
@pytest.mark.parametrize("statement", DAMAGE)
def test_verify_finds_a_damaged_space(own: Path, statement: str) -> None:
    change(own, statement)
    with Lexicon.open(own) as lexicon:
        assert lexicon.verify().rows


@pytest.mark.parametrize("statement", DAMAGE[:2])
@pytest.mark.thorough
def test_a_damaged_space_gives_no_wrong_answer(own: Path, statement: str) -> None:
    change(own, statement)
    with Lexicon.open(own) as lexicon, pytest.raises((QuestionError, LexiconError)):
        lexicon.neighbours("shoot/NOUN", space="words", top=1000, pos="any")
