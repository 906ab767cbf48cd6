"""Composed APTs that are stored: they serve like lexemes, apart from the counts."""

import io
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from aptdb import Lexicon
from aptdb.core.errors import QuestionError, StaleDataWarning
from support.corpora import noun_phrase
from support.lexicons import copied, lexicon_of
from support.runs import thorough
from twins.trees import conllu

pytestmark = pytest.mark.thorough

PHRASE = "dog/N[amod old/A]"
PAIRS = [pair.split() for pair in ("dog old", "dog small", "cat old", "cat sly", "hen small", "hen old", "dog sly")]


HIDING = "SELECT path, context, weight FROM ppmi WHERE lexeme = 'pig/N' ORDER BY path, round(weight, 12) DESC, context"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few noun phrases, and in it the entry old_dog; to be copied."""
    file = tmp_path_factory.mktemp("made") / "farm.duckdb"
    with Lexicon.open(lexicon_of(file, {"farm": [noun_phrase(*pair) for pair in PAIRS]})) as lexicon:
        assert lexicon.save("old_dog", PHRASE) == len(lexicon.compose(PHRASE))
    return file


@pytest.fixture
def farm(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return copied(made, tmp_path)


@pytest.fixture
def lexicon(farm: Path) -> Iterator[Lexicon]:
    """The copy, open."""
    with Lexicon.open(farm) as opened:
        yield opened


def test_an_entry_is_what_was_composed(lexicon: Lexicon) -> None:
    composed = lexicon.compose(PHRASE).rows
    assert lexicon.apt("old_dog").rows == composed
    assert lexicon.sql("SELECT path, context, weight FROM entry_weights ORDER BY path, weight DESC, context").rows == (
        sorted(composed, key=lambda row: (row[0], -row[2], row[1]))
    )
    listed = lexicon.stored.entries().rows
    assert listed == [("old_dog", "N", PHRASE, "ppmi", "", len(composed), "stored")]
    for x in ("cat/N", "hen/N[amod small/A]"):
        assert lexicon.similarity("old_dog", x) == lexicon.similarity(PHRASE, x)
    for phi in ("harmonic", "probability"):
        assert lexicon.similarity("old_dog", "cat/N", phi=phi) == lexicon.similarity(PHRASE, "cat/N", phi=phi)
    ours, theirs = (lexicon.neighbours(x, min_frequency=1).rows for x in ("old_dog", PHRASE))
    assert ours == theirs
    assert lexicon.similarity("old_dog", PHRASE) == pytest.approx(1)
    assert lexicon.explain("old_dog", "cat/N").rows == lexicon.explain(PHRASE, "cat/N").rows


def test_an_entry_is_no_lexeme(lexicon: Lexicon) -> None:
    assert lexicon.sql("FROM lexemes WHERE lexeme = 'old_dog'").rows == []
    assert lexicon.sql("SELECT count(*) FROM ppmi WHERE lexeme = 'old_dog'").rows == [(0,)]
    assert "old_dog" not in lexicon.neighbours("dog/N", top=50, min_frequency=1).column("lexeme")


@pytest.mark.parametrize("kept", [True, *thorough([False])])
def test_entries_are_ranked_among_lexemes(lexicon: Lexicon, kept: bool) -> None:
    lexicon.weigh("mine", keep=kept)
    lexicon.save("small_hen", "hen/N[amod small/A]", weights="mine")
    for x in ("dog/N", "cat/N[amod old/A]", "old_dog"):
        among = {
            which: lexicon.neighbours(x, top=50, min_frequency=1, among=which, weights="mine").rows
            for which in ("lexemes", "entries", "all")
        }
        assert sorted(among["all"]) == sorted([*among["lexemes"], *among["entries"]])
        assert {row[0] for row in among["entries"]} == {"old_dog", "small_hen"} - {x}
        for name, value in among["entries"]:
            assert lexicon.similarity(x, name, weights="mine") == pytest.approx(value, rel=1e-9)
        values = [row[1] for row in among["all"]]
        assert values == sorted(values, reverse=True)
    several = lexicon.neighbours_each(["dog/N", "old_dog"], among="entries", weights="mine").rows
    assert [row[:2] for row in several][-1] == ("old_dog", "small_hen")


def test_an_entry_is_a_word_of_phrases(lexicon: Lexicon) -> None:
    composed = lexicon.compose("old_dog[amod sly/A]", merge="sum").rows
    whole = lexicon.compose("dog/N[amod old/A, amod sly/A]", merge="sum").rows
    assert [row[:2] for row in composed] == [row[:2] for row in whole]
    assert [row[2] for row in composed] == pytest.approx([row[2] for row in whole])
    lexicon.save("sly_old_dog", "old_dog[amod sly/A]")
    assert lexicon.apt("sly_old_dog").rows == composed
    assert "old_dog" in lexicon.compose_each(["old_dog", "cat/N"]).column("phrase")


def test_an_entry_keeps_to_its_weights(lexicon: Lexicon) -> None:
    assert lexicon.neighbours("dog/N", among="entries", shift=1.5, min_frequency=1).rows == []
    lexicon.save("old_cat", "cat/N[amod old/A]", shift=1.5, cds=0.75, merge="max")
    lexicon.weigh("mine", shift=1.5, cds=0.75)
    assert lexicon.apt("old_cat", weights="mine").rows == lexicon.apt("old_cat", shift=1.5, cds=0.75).rows
    assert lexicon.stored.entries().rows[0][3:5] == ("ppmi, cds := 0.75, shift := 1.5", "merge := 'max'")
    with pytest.raises(QuestionError, match=r"^old_dog was composed and stored with ppmi; ask"):
        lexicon.compose_each(["dog/N", "old_dog", "old_cat"], cds=0.5)


def test_entries_of_stale_entries_are_refreshed_with_them(lexicon: Lexicon) -> None:
    """Also one that was stored after the last addition, of one that was stored before."""
    lexicon.add(io.BytesIO(conllu([noun_phrase("dog", "new")]).encode()), name="more")
    lexicon.save("very_old_dog", "old_dog[amod sly/A]", merge="sum")
    assert lexicon.stored.entries().column("state") == ["stale", "stored"]
    assert lexicon.stored.refresh(kind="entries") == {"entries": ["old_dog", "very_old_dog"]}
    assert lexicon.stored.entries().column("state") == ["stored", "stored"]


def test_a_name_is_given_anew_refreshed_and_forgotten(lexicon: Lexicon) -> None:
    lexicon.save("both", "old_dog[amod sly/A]")
    lexicon.save("old_dog", PHRASE, merge="max")
    assert lexicon.apt("old_dog").rows == lexicon.compose(PHRASE, merge="max").rows
    lexicon.add(io.BytesIO(conllu([noun_phrase("dog", "old")] * 3).encode()), name="more")
    assert set(lexicon.stored.entries().column("state")) == {"stale"}
    with pytest.warns(
        StaleDataWarning, match=r"old_dog was composed before the lexicon last changed.*aptdb refresh .* old_dog"
    ):
        before = lexicon.apt("old_dog").rows
    with pytest.warns(StaleDataWarning, match="composed before"):
        assert lexicon.neighbours("dog/N", among="all", min_frequency=1).rows
    assert before != lexicon.compose(PHRASE, merge="max").rows
    assert lexicon.stored.refresh("old_dog", kind="entries") == {"entries": ["old_dog"]}
    assert lexicon.stored.refresh(kind="entries") == {"entries": ["both"]}
    assert lexicon.apt("old_dog").rows == lexicon.compose(PHRASE, merge="max").rows
    assert lexicon.apt("both").rows == lexicon.compose("old_dog[amod sly/A]").rows
    lexicon.stored.forget("both", kind="entries")
    assert lexicon.sql("SELECT DISTINCT entry FROM entry_weights").rows == [("old_dog",)]
    lexicon.stored.forget("old_dog", kind="entries")
    assert lexicon.stored.entries().rows == lexicon.sql("FROM entry_weights").rows == []


def test_in_plain_sql(farm: Path) -> None:
    with duckdb.connect(str(farm), read_only=True) as client:
        assert client.sql("FROM neighbours('old_dog', among := 'all', min_frequency := 1)").fetchall()
        asked = "WITH words AS (SELECT unnest(['old_dog', 'cat/N']) AS lexeme) FROM similarity_each('words')"
        assert client.sql(asked).fetchall()[0][:2] == ("old_dog", "cat/N")


def test_what_entries_are_composed_of_comes_before_them(lexicon: Lexicon) -> None:
    lexicon.save("sly_old_dog", "old_dog[amod sly/A]")
    lexicon.save("small_sly_old_dog", "sly_old_dog[amod small/A]")
    lexicon.save("old_dog", PHRASE, merge="max")
    assert lexicon.stored.entries().column("state") == ["stored", "stale", "stale"]
    assert lexicon.stored.refresh("small_sly_old_dog", kind="entries") == {
        "entries": ["sly_old_dog", "small_sly_old_dog"]
    }
    assert lexicon.apt("sly_old_dog").rows == lexicon.compose("old_dog[amod sly/A]").rows
    assert set(lexicon.stored.entries().column("state")) == {"stored"}
    lexicon.add(io.BytesIO(conllu([noun_phrase("dog", "old")] * 3).encode()), name="more")
    assert lexicon.stored.refresh(kind="entries") == {"entries": ["old_dog", "sly_old_dog", "small_sly_old_dog"]}
    assert lexicon.apt("small_sly_old_dog").rows == lexicon.compose("sly_old_dog[amod small/A]").rows
    assert len(lexicon.stored.entries("sly_old_dog")) == 1


def test_what_cannot_be_composed_any_more_is_named(lexicon: Lexicon) -> None:
    lexicon.weigh("mine", shift=1.5)
    lexicon.save("cat", "cat/N[amod old/A]", weights="mine")
    lexicon.stored.forget("mine", kind="weightings")
    lexicon.add(io.BytesIO(conllu([noun_phrase("dog", "old")]).encode()), name="more")
    said = r"cat cannot be composed again: .*mine.*; delete it: aptdb forget LEXICON; made again: old_dog$"
    with pytest.raises(QuestionError, match=said):
        lexicon.stored.refresh(kind="entries")
    assert lexicon.stored.refresh("old_dog", kind="entries") == {}


def test_an_entry_is_not_composed_first(lexicon: Lexicon) -> None:
    assert lexicon.apt("old_dog", pipeline="compose-first").rows == lexicon.apt("old_dog").rows


def test_an_entry_is_anchored_where_its_parts_are(lexicon: Lexicon) -> None:
    lexicon.save("sly_old_dog", "old_dog[amod sly/A]")
    lexicon.save("unknown", "pig/N[amod sly/A]", missing="skip")
    assert lexicon.stored.entries().column("pos") == ["N", "N", "N"]
    near = lexicon.neighbours("sly_old_dog", phi="probability", min_frequency=1)
    assert near.rows == lexicon.neighbours("old_dog[amod sly/A]", phi="probability", min_frequency=1).rows
    assert near.rows
    smoothed = lexicon.compose("old_dog[amod sly/A]", smooth="offset:2", alpha=1)
    plain = dict_of(lexicon.compose("old_dog[amod sly/A]").rows)
    assert sum(dict_of(smoothed.rows).values()) > sum(plain.values()) + 0.1


def test_an_entry_is_not_smoothed(lexicon: Lexicon) -> None:
    for smooth, alpha in (("static:3", None), ("offset:3", 5), ("window:1", 0)):
        given = {"smooth": smooth, **({} if alpha is None else {"alpha": alpha})}
        found, stored = (dict_of(lexicon.apt("old_dog", **more).rows) for more in (given, {}))  # type: ignore[arg-type]
        assert found == pytest.approx(stored)


def dict_of(rows: object) -> dict[tuple[str, str], float]:
    """An APT's weights by feature."""
    return {(row[0], row[1]): row[2] for row in rows}  # type: ignore[attr-defined]


def test_a_lexeme_of_the_same_name_hides_an_entry(lexicon: Lexicon) -> None:
    lexicon.save("pig/N", PHRASE)
    lexicon.add(io.BytesIO(conllu([noun_phrase("pig", "old")]).encode()), name="more")
    assert lexicon.stored.entries("pig/N").column("state") == ["hidden"]
    assert lexicon.stored.refresh(kind="entries") == {"entries": ["old_dog", "pig/N"]}
    assert lexicon.apt("pig/N").rows == lexicon.sql(HIDING).rows
    assert "pig/N" not in lexicon.neighbours("dog/N", among="entries", min_frequency=1).column("lexeme")


def test_entries_of_a_real_lexicon(english: Path, tmp_path: Path) -> None:
    """Hundreds of features, streamed through every question that takes them."""
    file = tmp_path / "english.duckdb"
    file.write_bytes(english.read_bytes())
    phrase = "house/NOUN[amod green/ADJ]"
    with Lexicon.open(file) as lexicon:
        lexicon.save("green_house", phrase)
        composed = lexicon.compose(phrase).rows
        assert lexicon.apt("green_house").rows == composed
        assert lexicon.sql("SELECT path, count(*) FROM apt('green_house') GROUP BY path").rows
        for question in (lexicon.diff, lexicon.explain):
            assert question("green_house", "home/NOUN").rows == question(phrase, "home/NOUN").rows
        assert lexicon.apt("green_house", context="internal").column("path").count("") > 0
        among = lexicon.neighbours("house/NOUN", among="all", top=1).rows
        assert among == [("green_house", lexicon.similarity("house/NOUN", "green_house"))]
        assert lexicon.compose("green_house[amod big/ADJ]", smooth="static:3", merge="min").rows


def test_numbers_of_numpy_are_numbers(lexicon: Lexicon) -> None:
    lexicon.save("cat", "cat/N[amod old/A]", shift=np.float64(1.5), min_count=np.int64(1), aligned=np.bool_(True))  # type: ignore[arg-type]
    assert lexicon.apt("cat", shift=1.5, min_count=1).rows


def test_odd_names(lexicon: Lexicon) -> None:
    lexicon.save('it\'s "old" \\ α', PHRASE)
    assert lexicon.apt('it\'s "old" \\ α').rows == lexicon.compose(PHRASE).rows
    assert lexicon.apt("old_dog", smooth="static:3").column("context") == lexicon.apt("old_dog").column("context")
