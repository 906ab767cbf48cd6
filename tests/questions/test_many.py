"""Several questions at once, whole thesauri, and differences: beside single questions and short twins."""

import io
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aptdb import Lexicon, Phrase, QuestionError
from aptdb.questions import thesaurus
from aptdb.store.statements import literal
from support.clients import change_file
from support.commands import ask
from support.corpora import noun_phrase
from support.lexicons import Counted, copied, lexicon_of
from support.questions import PARAMETERS, as_sql, phrases, tags
from support.runs import examples, thorough
from support.strategies import corpora
from support.weights import arguments, limit_to
from twins.composition import apt, compose
from twins.counting import count, frequencies
from twins.questions import X
from twins.trees import Token, conllu
from twins.weights import Apt

WORDS = ("dog", "cat", "cow", "hen")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few noun phrases, to be copied."""
    pairs = [
        (noun, adjective) for noun in WORDS for adjective in ("old", "small", noun[:2]) if noun + adjective != "henold"
    ]
    file = tmp_path_factory.mktemp("made") / "farm.duckdb"
    lexicon_of(file, {"farm": [noun_phrase(*pair) for pair in pairs]})
    return file


@pytest.fixture
def farm(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return copied(made, tmp_path)


def comma(parameters: dict[str, Any]) -> str:
    """Parameters after a first argument. A word of which the weights leave nothing is an empty APT."""
    return f", {arguments({'missing': 'empty', **parameters})}"


@pytest.mark.thorough
@examples(10)
@given(corpora(most=8), st.data())
def test_several_at_once_are_each_by_itself(
    counted: Counted, sentences: list[list[Token]], data: st.DataObject
) -> None:
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    lexemes = st.sampled_from(sorted({key[0] for key in counts}))
    asked = {str(n): data.draw(st.one_of(lexemes, phrases(counts))) for n in range(data.draw(st.integers(1, 4)))}
    parameters = limit_to(counts, data.draw(PARAMETERS)) | {"phi": data.draw(st.sampled_from(("constant", "harmonic")))}
    parameters.pop("anchor", None)
    own = {"pos": data.draw(tags(counts)), "min_frequency": 1, "top": 3}
    words = [
        {"phrase": name, "lexeme": lexeme, "delta": delta, "position": position}
        for name, x in asked.items()
        for position, (lexeme, delta) in enumerate([(x, "")] if isinstance(x, str) else x, 1)
    ]
    table = f"WITH asked AS (SELECT unnest({literal(words)}, max_depth := 2))"
    rows = database.rows(f"{table} FROM neighbours_each('asked'{comma({**parameters, **own})})")
    for name, x in asked.items():
        lexeme = x[0][0] if len(x) == 1 and isinstance(x, list) and not x[0][1] else x
        alone = database.rows(f"FROM neighbours({as_sql(lexeme)}{comma({**parameters, **own})})")
        beside = [row[1:] for row in rows if row[0] == name]
        assert [row[0] for row in beside] == [row[0] for row in alone]
        assert all(math.isclose(one[1], other[1], rel_tol=1e-9) for one, other in zip(beside, alone, strict=True))


@pytest.mark.thorough
def test_a_table_of_questions(farm: Path) -> None:
    """Columns that may be left out are: phrase (each lexeme is a question), delta (the root's) and position."""
    with duckdb.connect(str(farm), read_only=True) as client:
        client.execute("CREATE TEMP TABLE words AS SELECT unnest(['cat/N', 'dog/N', 'cat/N']) AS lexeme")
        rows = client.sql("FROM neighbours_each('words', top := 1)").fetchall()
        assert [row[0] for row in rows] == ["cat/N", "dog/N"]
        client.execute(
            "CREATE TEMP TABLE trees AS FROM (VALUES (7, 'dog/N', NULL), (7, 'old/A', '<amod'), (3, 'cat/N', '')) "
            "AS tree(phrase, lexeme, delta)"
        )
        rows = client.sql("FROM neighbours_each('trees', pos := 'N', top := 9)").fetchall()
        assert [row[0] for row in rows if row[1] == "dog/N"] == ["7", "3"]
        assert "cat/N" not in [row[1] for row in rows if row[0] == "3"]
        rows = client.sql("FROM neighbours_each('trees', anchor := 2, top := 1)").fetchall()
        assert [row[0] for row in rows] == ["7", "3"]
        assert rows[0][1].endswith("/A")
        client.execute("DELETE FROM trees WHERE lexeme = 'old/A'")
        assert client.sql("WITH a AS (SELECT '' AS lexeme WHERE false) FROM neighbours_each('a')").fetchall() == []


@pytest.mark.thorough
def test_from_python(farm: Path) -> None:
    phrase = Phrase.parse("dog/N[amod old/A]")
    with Lexicon.open(farm) as lexicon:
        asked = lexicon.neighbours_each(["cat/N", phrase, "dog/N[amod old/A]", phrase.words()], top=1)
        assert asked.columns == ("question", "lexeme", "similarity")
        assert asked.column("question") == ["cat/N", "dog/N[amod old/A]", "4"]
        called = lexicon.neighbours_each({"a cat": "cat/N", "an old dog": phrase}, top=1)
        assert called.column("question") == ["a cat", "an old dog"]
        assert len(lexicon.neighbours_each([])) == 0
        assert lexicon.plausible("dog/N[amod _/A]", (x for x in ["old/A"])).column("lexeme") == ["old/A"]  # type: ignore[arg-type]
        one, two = lexicon.similarity_each({1: "cat/N", 2: phrase}, [(1, 2), (2, 1)]).rows  # type: ignore[dict-item,list-item]
        assert one == ("1", "2", lexicon.similarity("cat/N", phrase))
        assert two == ("2", "1", one[2])
        assert lexicon.compose_each({1: phrase}).column("phrase")[0] == "1"  # type: ignore[dict-item]
        pairs = [(a, b) for a, b, _ in lexicon.similarity_each(["cat/N", phrase, "dog/N", "hen/N"]).rows]
        assert pairs == [*combinations(["cat/N", str(phrase), "dog/N", "hen/N"], 2)]


@pytest.mark.thorough
def test_a_thesaurus_is_the_neighbours_of_every_lexeme(farm: Path, tmp_path: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        frequent = lexicon.sql("SELECT lexeme FROM lexemes WHERE frequency >= 2 ORDER BY frequency DESC, lexeme")
        expected = [
            (word, near, f"{similarity:.9f}")
            for word in frequent.column("lexeme")
            for near, similarity in lexicon.neighbours(word, top=2, min_frequency=2, phi="harmonic").rows
        ]
        for ending in ("tsv", "parquet"):
            file = tmp_path / f"thesaurus.{ending}"
            assert lexicon.thesaurus(file, top=2, min_frequency=2, phi="harmonic") == len(expected)
            source = f"'{file}'" if ending == "parquet" else f"read_csv('{file}', delim = '\t', quote = '')"
            with duckdb.connect() as client:
                rows = client.execute(f"FROM {source}").fetchall()
            assert [(row[0], row[1], f"{row[2]:.9f}") for row in rows] == expected
            assert not file.with_name(f"{file.name}.parts").exists()


@pytest.mark.thorough
def test_a_thesaurus_goes_on_with_other_memory(farm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that are finished stay, others are cut as the new call would cut them; the file is the same."""
    file, whole = tmp_path / "thesaurus.tsv", tmp_path / "whole.tsv"

    def stop(done: int, total: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    with Lexicon.open(farm) as lexicon:
        lexicon.thesaurus(whole)
        for size in (3, 2):
            for name in ("LARGEST_PART", "PART_OF_PRODUCTS"):
                monkeypatch.setattr(thesaurus, name, size)
            with pytest.raises(KeyboardInterrupt):
                lexicon.thesaurus(file, progress=stop)
            assert [part.stem for part in (tmp_path / "thesaurus.tsv.parts").glob("*.parquet")] == ["000000000"]
        begins: list[int] = []
        lexicon.thesaurus(file, progress=lambda done, total: begins.append(done))
        assert begins[:3] == [0, 3, 4]
        assert file.read_bytes() == whole.read_bytes()
        lexicon.thesaurus(tmp_path / "own.tsv", weights="raw_count")
        assert [*tmp_path.glob("*.parts")] == []


@pytest.mark.thorough
def test_a_stopped_thesaurus_promises_only_what_is_there(
    farm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(thesaurus, "write_part", interrupted)
    stopped = ask("neighbours", farm, "--all", "-o", tmp_path / "thesaurus.tsv")
    assert stopped.stderr.endswith("aptdb: stopped; nothing is stored; the same command starts again\n")
    assert [*tmp_path.glob("thesaurus*")] == []


@pytest.mark.thorough
def test_a_thesaurus_that_was_stopped_goes_on(farm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thesaurus, "LARGEST_PART", 2)
    monkeypatch.setattr(thesaurus, "PART_OF_PRODUCTS", 2)
    file, whole = tmp_path / "thesaurus.tsv", tmp_path / "whole.tsv"

    def stop(done: int, total: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with Lexicon.open(farm) as lexicon:
        lexicon.thesaurus(whole)
        with pytest.raises(KeyboardInterrupt):
            lexicon.thesaurus(file, progress=stop)
        parts = tmp_path / "thesaurus.tsv.parts"
        done = {part.name: part.stat().st_mtime_ns for part in parts.glob("*.parquet")}
        assert len(done) == 2
        assert not file.exists()
        with pytest.raises(QuestionError, match=r"parts of a thesaurus with other top; delete the folder"):
            lexicon.thesaurus(file, top=3)
        calls: list[tuple[int, int]] = []
        lexicon.thesaurus(file, progress=lambda done, total: calls.append((done, total)))
        assert calls[-1][0] == calls[-1][1]
        assert file.read_bytes() == whole.read_bytes()
        with pytest.raises(KeyboardInterrupt):
            lexicon.thesaurus(tmp_path / "other.tsv", progress=stop)
        lexicon.weigh("unrelated", shift=3)
        with pytest.raises(KeyboardInterrupt):
            lexicon.thesaurus(tmp_path / "other.tsv", progress=stop)
        lexicon.add(io.BytesIO(conllu([noun_phrase("pig", "old")]).encode()), name="more")
        with pytest.raises(QuestionError, match="from before the lexicon or its weights changed"):
            lexicon.thesaurus(tmp_path / "other.tsv")


@pytest.mark.thorough
@examples(10)
@given(corpora(most=8), st.data())
def test_a_difference_equals_its_twin(counted: Counted, sentences: list[list[Token]], data: st.DataObject) -> None:
    database = counted(sentences)
    counts = count(sentences)
    assume(counts)
    lexemes = st.sampled_from(sorted({key[0] for key in counts}))
    a, b = (data.draw(st.one_of(lexemes, phrases(counts))) for _ in "ab")
    scheme = data.draw(st.sampled_from(("ppmi", "pmi", "raw_count")))
    lean = data.draw(st.sampled_from((1, 1.5, 2)))
    found = database.rows(
        f"FROM diff({as_sql(a)}, {as_sql(b)}, lean := {lean}, per_path := NULL, weights := '{scheme}', "
        "missing := 'empty')"
    )
    one, other = (own_apt(sentences, x, scheme) for x in (a, b))
    expected = {
        feature: (
            leaning(max(one.get(feature, 0), 0), max(other.get(feature, 0), 0), lean),
            one.get(feature),
            other.get(feature),
        )
        for feature in one.keys() | other.keys()
        if one.get(feature, 0) > 1e-12 or other.get(feature, 0) > 1e-12
    }
    assert {(row[0], row[2]) for row in found} >= expected.keys()
    for path, leans, context, weight_a, weight_b in found:
        if max(weight_a or 0, weight_b or 0) > 1e-12:
            wanted = expected[path, context]
            assert leans == wanted[0] or near_tie(weight_a, weight_b, lean)
            assert (weight_a is None, weight_b is None) == (wanted[1] is None, wanted[2] is None)
            assert math.isclose(weight_a or 0, wanted[1] or 0, rel_tol=1e-9, abs_tol=1e-12)
            assert math.isclose(weight_b or 0, wanted[2] or 0, rel_tol=1e-9, abs_tol=1e-12)
    assert [(row[0], "a both b".index(row[1])) for row in found] == sorted(
        (row[0], "a both b".index(row[1])) for row in found
    )


def own_apt(sentences: list[list[Token]], x: X, scheme: str) -> Apt:
    """The APT of a lexeme or phrase. A word of which the weights leave nothing is an empty APT."""
    counts, often = count(sentences), frequencies(sentences)
    if isinstance(x, str):
        return apt(counts, often, x, weights=scheme)
    return compose(counts, often, x, weights=scheme, missing="empty")


def leaning(a: float, b: float, lean: float) -> str:
    """To which of two weights a feature leans."""
    if a > b and a >= lean * b:
        return "a"
    return "b" if b > a and b >= lean * a else "both"


def near_tie(a: float | None, b: float | None, lean: float) -> bool:
    """Whether rounding alone may decide."""
    low, high = sorted((a or 0, b or 0))
    return math.isclose(high, lean * low, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.thorough
def test_a_difference_shows_the_clearest_of_each_path(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        rows = lexicon.diff("dog/N", "hen/N", weights="raw_count", max_order=1).rows
        assert rows == [
            ("", "a", "dog/N", 3.0, None),
            ("", "b", "hen/N", None, 2.0),
            (">amod", "a", "do/A", 1.0, None),
            (">amod", "a", "old/A", 1.0, None),
            (">amod", "both", "small/A", 1.0, 1.0),
            (">amod", "b", "he/A", None, 1.0),
        ]
        one = lexicon.diff("dog/N", "hen/N", weights="raw_count", max_order=1, per_path=1).rows
        assert one == [row for row in rows if row[2] != "old/A"]


@pytest.mark.parametrize("confined", [True, *thorough([False])])
def test_the_file_that_is_named_is_written(farm: Path, tmp_path: Path, confined: bool) -> None:
    with Lexicon.open(farm, confined=confined) as lexicon:
        lexicon.thesaurus(tmp_path / "thesaurus.tsv")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["farm.duckdb", "thesaurus.tsv"]


@pytest.mark.thorough
def test_a_thesaurus_leaves_what_is_not_its_own(farm: Path, tmp_path: Path) -> None:
    folder = tmp_path / "thesaurus.tsv.parts"
    folder.mkdir()
    (folder / "precious.txt").write_text("mine", encoding="utf-8")
    with Lexicon.open(farm) as lexicon:
        with pytest.raises(QuestionError, match="has no parts of a thesaurus"):
            lexicon.thesaurus(tmp_path / "thesaurus.tsv")
        (folder / "plan.json").write_text("", encoding="utf-8")
        with pytest.raises(QuestionError, match="has no parts of a thesaurus"):
            lexicon.thesaurus(tmp_path / "thesaurus.tsv")
    assert (folder / "precious.txt").exists()


@pytest.mark.thorough
def test_a_thesaurus_of_ones_own_weights_begins_anew(
    farm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be others by now."""

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr(thesaurus, "LARGEST_PART", 2)
    monkeypatch.setattr(thesaurus, "PART_OF_PRODUCTS", 2)
    change_file(farm, "CREATE VIEW mine AS FROM ppmi")
    with Lexicon.open(farm) as lexicon:
        with pytest.raises(KeyboardInterrupt):
            lexicon.thesaurus(tmp_path / "own.tsv", weights="mine", progress=stop)
        assert not (tmp_path / "own.tsv.parts").exists()
        assert lexicon.thesaurus(tmp_path / "own.tsv", weights="mine") > 0
        assert not (tmp_path / "own.tsv.parts").exists()
