"""Composed APTs that are stored: they serve like lexemes, apart from the counts."""

import io
from pathlib import Path

import duckdb
import pytest
from test_many import noun_phrase
from twin import conllu

from aptdb import Lexicon
from aptdb.errors import QuestionError, StaleEntry

PHRASE = "dog/N[amod old/A]"
PAIRS = [
    ("dog", "old"),
    ("dog", "small"),
    ("cat", "old"),
    ("cat", "sly"),
    ("hen", "small"),
    ("hen", "old"),
    ("dog", "sly"),
]


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    """A lexicon of a few noun phrases, and in it the entry old_dog."""
    file = tmp_path / "farm.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        lexicon.add(io.BytesIO(conllu([noun_phrase(*pair) for pair in PAIRS]).encode()), name="farm")
        assert lexicon.save("old_dog", PHRASE) == len(lexicon.compose(PHRASE))
    return file


def test_an_entry_is_what_was_composed(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        composed = lexicon.compose(PHRASE).rows
        assert lexicon.apt("old_dog").rows == composed
        assert lexicon.sql(
            "SELECT path, context, weight FROM entry_weights ORDER BY path, weight DESC, context"
        ).rows == (sorted(composed, key=lambda row: (row[0], -row[2], row[1])))
        listed = lexicon.entries().rows
        assert listed == [("old_dog", "N", PHRASE, "ppmi", "", len(composed), "stored")]
        for x in ("cat/N", "hen/N[amod small/A]"):
            assert lexicon.similarity("old_dog", x) == lexicon.similarity(PHRASE, x)
        for phi in ("harmonic", "probability"):
            assert lexicon.similarity("old_dog", "cat/N", phi=phi) == lexicon.similarity(PHRASE, "cat/N", phi=phi)
        ours, theirs = (lexicon.neighbours(x, min_frequency=1).rows for x in ("old_dog", PHRASE))
        assert ours == theirs
        assert lexicon.similarity("old_dog", PHRASE) == pytest.approx(1)
        assert lexicon.explain("old_dog", "cat/N").rows == lexicon.explain(PHRASE, "cat/N").rows


def test_an_entry_is_no_lexeme(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        assert lexicon.sql("FROM lexemes WHERE lexeme = 'old_dog'").rows == []
        assert lexicon.sql("SELECT count(*) FROM ppmi WHERE lexeme = 'old_dog'").rows == [(0,)]
        assert "old_dog" not in lexicon.neighbours("dog/N", top=50, min_frequency=1).column("lexeme")


@pytest.mark.parametrize("kept", [False, True])
def test_entries_are_ranked_among_lexemes(farm: Path, kept: bool) -> None:
    with Lexicon.open(farm) as lexicon:
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


def test_an_entry_is_a_word_of_phrases(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        composed = lexicon.compose("old_dog[amod sly/A]", merge="sum").rows
        whole = lexicon.compose("dog/N[amod old/A, amod sly/A]", merge="sum").rows
        assert [row[:2] for row in composed] == [row[:2] for row in whole]
        assert [row[2] for row in composed] == pytest.approx([row[2] for row in whole])
        lexicon.save("sly_old_dog", "old_dog[amod sly/A]")
        assert lexicon.apt("sly_old_dog").rows == composed
        assert "old_dog" in lexicon.compose_each(["old_dog", "cat/N"]).column("phrase")


def test_an_entry_keeps_to_its_weights(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        for question in (lexicon.apt, lexicon.neighbours):
            with pytest.raises(
                QuestionError, match="old_dog is stored as it was composed under ppmi; ask with these wei"
            ):
                question("old_dog", shift=5)
        assert lexicon.neighbours("dog/N", among="entries", shift=1.5, min_frequency=1).rows == []
        lexicon.save("old_cat", "cat/N[amod old/A]", shift=1.5, cds=0.75, merge="max")
        lexicon.weigh("mine", shift=1.5, cds=0.75)
        assert lexicon.apt("old_cat", weights="mine").rows == lexicon.apt("old_cat", shift=1.5, cds=0.75).rows
        assert lexicon.entries().rows[0][3:5] == ("ppmi, cds := 0.75, shift := 1.5", "merge := 'max'")


def test_a_name_is_given_anew_refreshed_and_forgotten(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        lexicon.save("both", "old_dog[amod sly/A]")
        lexicon.save("old_dog", PHRASE, merge="max")
        assert lexicon.apt("old_dog").rows == lexicon.compose(PHRASE, merge="max").rows
        lexicon.add(io.BytesIO(conllu([noun_phrase("dog", "old")] * 3).encode()), name="more")
        assert set(lexicon.entries().column("state")) == {"stale"}
        with pytest.warns(StaleEntry, match=r"old_dog was composed before the last addition.*--refresh"):
            before = lexicon.apt("old_dog").rows
        with pytest.warns(StaleEntry):
            assert lexicon.neighbours("dog/N", among="all", min_frequency=1).rows
        assert before != lexicon.compose(PHRASE, merge="max").rows
        assert lexicon.refresh_entries("old_dog") == ["old_dog"]
        assert lexicon.refresh_entries() == ["both"]
        assert lexicon.apt("old_dog").rows == lexicon.compose(PHRASE, merge="max").rows
        assert lexicon.apt("both").rows == lexicon.compose("old_dog[amod sly/A]").rows
        lexicon.forget_entry("old_dog")
        assert lexicon.sql("SELECT DISTINCT entry FROM entry_weights").rows == [("both",)]
        lexicon.forget_entry("both")
        assert lexicon.entries().rows == lexicon.sql("FROM entry_weights").rows == []
        with pytest.raises(QuestionError, match="no lexeme old_dog"):
            lexicon.apt("old_dog")
        with pytest.raises(QuestionError, match="no entry old_dog; there is none yet"):
            lexicon.forget_entry("old_dog")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dog/N", "dog/N is a lexeme of this lexicon; choose another name"),
        ("", "'' is no name for an entry"),
        (" x", "is no name for an entry; it is up to 200 characters of one line"),
        ("a\nb", "is no name for an entry"),
        ("dog/N[amod old/A]", "it reads as a file or as a phrase; try green_shoot"),
        ("@dog", "it reads as a file or as a phrase"),
    ],
)
def test_names_that_no_entry_has(farm: Path, name: str, said: str) -> None:
    with Lexicon.open(farm) as lexicon, pytest.raises(QuestionError, match=said):
        lexicon.save(name, PHRASE)


def test_a_save_that_fails_changes_nothing(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        before = lexicon.sql("FROM entry_weights").rows
        for phrase, parameters, said in (
            ("dog/N[amod blue/A]", {}, "no lexeme blue/A"),
            (PHRASE, {"shift": 1e9, "missing": "empty"}, "nothing is left of dog/N"),
            (PHRASE, {"lean": 3}, "compose takes no lean"),
        ):
            with pytest.raises(QuestionError, match=said):
                lexicon.save("old_dog", phrase, **parameters)
        assert lexicon.sql("FROM entry_weights").rows == before


def test_in_plain_sql(farm: Path) -> None:
    with duckdb.connect(str(farm), read_only=True) as client:
        assert client.sql("FROM neighbours('old_dog', among := 'all', min_frequency := 1)").fetchall()
        asked = "WITH words AS (SELECT unnest(['old_dog', 'cat/N']) AS lexeme) FROM similarity_each('words')"
        assert client.sql(asked).fetchall()[0][:2] == ("old_dog", "cat/N")
        with pytest.raises(duckdb.Error, match="among is 'none'; it is lexemes, entries or all"):
            client.sql("FROM neighbours('old_dog', among := 'none')").fetchall()


def test_odd_names(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        lexicon.save('it\'s "old" \\ α', PHRASE)
        assert lexicon.apt('it\'s "old" \\ α').rows == lexicon.compose(PHRASE).rows
        assert lexicon.apt("old_dog", smooth="static:3").column("context") == lexicon.apt("old_dog").column("context")
