"""What is stored under a name: one list of all kinds, made again in one go, and deleted by name or pattern."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from aptdb import Lexicon, QuestionError
from aptdb.questions import stored
from aptdb.store.database import Database
from support.corpora import noun_phrase
from support.lexicons import copied, new_lexicon
from twins.trees import conllu

IGNORED = ("IncompleteDataWarning",)
pytestmark = pytest.mark.filterwarnings(*(f"ignore::aptdb.{each}" for each in IGNORED))
NOUNS = {"dog": ("small", "old", "big"), "cat": ("small", "lazy", "big"), "bank": ("old", "rich", "wet", "green")}
PHRASES = [noun_phrase(noun, each) for noun, adjectives in NOUNS.items() for each in adjectives for _ in range(6)]
MORE = conllu([noun_phrase("dog", "lazy"), noun_phrase("bank", "wet")]).encode()
ALL = [
    ("subcorpora", "first", "kept"), ("subcorpora", "words", "kept"), ("weightings", "of_first", "kept"),
    ("weightings", "plain", "computed"), ("spaces", "words", "kept"), ("senses", "bank/N", "kept"),
    ("entries", "bank/N#1", "kept"), ("entries", "old dog", "kept"), ("entries", "very old dog", "kept"),
]  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon with something of each kind; a subcorpus and a space have the same name."""
    file = tmp_path_factory.mktemp("stored") / "made.duckdb"
    with new_lexicon(file, conllu(PHRASES).encode(), name="first") as lexicon:
        for name in ("first", "words"):
            lexicon.subcorpus(name, "corpus = 'first'")
        lexicon.weigh("of_first", scheme="ppmi", subcorpus="first", keep=True)
        lexicon.weigh("plain", scheme="pmi")
        lexicon.save("old dog", "dog/N[amod old/A]")
        lexicon.save("very old dog", [{"lexeme": "old dog", "delta": ""}, {"lexeme": "big/A", "delta": "<amod"}])
        lexicon.reduce("words", window=0, dimensions=6, shift=1.0, min_frequency=1, min_feature_count=1, pos="N,A")
        lexicon.save_senses("bank/N", groups=2)
    return file


@pytest.fixture
def lexicon(made: Path, tmp_path: Path) -> Iterator[Lexicon]:
    """A copy of it."""
    with Lexicon.open(copied(made, tmp_path / "own.duckdb")) as opened:
        yield opened


def listed(lexicon: Lexicon) -> list[tuple[str, str, str]]:
    """What is stored: kind, name and state of each."""
    return [(row["kind"], row["name"], row["state"]) for row in lexicon.stored.list()]


def test_all_kinds_are_in_one_list(lexicon: Lexicon) -> None:
    assert listed(lexicon) == ALL
    asked = {(row["kind"], row["name"]): row["asked"] for row in lexicon.stored.list()}
    assert asked["subcorpora", "first"] == "\"corpus\" = 'first'"
    assert asked["weightings", "plain"] == "phi := constant, scheme := pmi"
    assert asked["entries", "old dog"].startswith("dog/N[amod old/A]")
    assert asked["entries", "bank/N#1"] == "bank/N, sense 1"
    assert "dimensions := 6" in asked["spaces", "words"]
    for kind in stored.KINDS:
        assert len(getattr(lexicon.stored, kind)()) >= len([each for each, _, _ in ALL if each == kind])


@pytest.mark.thorough
def test_all_that_is_stale_is_made_again_in_order(lexicon: Lexicon) -> None:
    lexicon.add(io.BytesIO(MORE * 3), name="more")
    assert {state for _, _, state in listed(lexicon)} == {"stale", "computed"}
    assert lexicon.stored.refresh() == {
        "subcorpora": ["first", "words"],
        "weightings": ["of_first"],
        "spaces": ["words"],
        "senses": ["bank/N"],
        "entries": ["old dog", "very old dog"],
    }
    assert [(kind, name) for kind, name, state in listed(lexicon) if state == "stale"] == []
    assert lexicon.stored.refresh() == {}
    assert lexicon.stored.refresh("old dog") == {}
    seen: list[int] = []
    assert lexicon.stored.refresh("words", "spaces", progress=lambda done, _: seen.append(done)) == {
        "spaces": ["words"]
    }
    assert seen
    assert lexicon.stored.refresh() == {"senses": ["bank/N"]}
    assert lexicon.verify().rows == []


@pytest.mark.thorough
def test_what_cannot_be_made_again_holds_nothing_else_up(lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon.add(io.BytesIO(MORE * 3), name="more")

    def fail(database: Database, *_: object) -> None:
        raise QuestionError("too few words for a space")

    monkeypatch.setattr("aptdb.questions.spaces.store_space", fail)
    said = "too few words.*; the senses of bank/N are of the space words, which is stale; also made again: subcorpora"
    with pytest.warns(match="is a stale sense"), pytest.raises(QuestionError, match=said):
        lexicon.stored.refresh()
    stale = [(kind, name) for kind, name, state in listed(lexicon) if state == "stale"]
    expected = [("spaces", "words"), ("senses", "bank/N"), ("entries", "bank/N#1")]
    assert stale == expected


@pytest.mark.thorough
def test_names_and_patterns_are_forgotten(lexicon: Lexicon) -> None:
    with pytest.raises(QuestionError, match="first; delete it first: aptdb forget LEXICON of_first --kind weightings"):
        lexicon.stored.forget("fir*")
    with pytest.raises(QuestionError, match="old dog is part of very old dog; delete the latter first"):
        lexicon.stored.forget("old dog")
    assert lexicon.stored.forget("*dog") == ["old dog", "very old dog"]
    assert lexicon.stored.forget("OF_first") == ["of_first"]
    assert lexicon.stored.forget("bank/N") == ["bank/N"]
    assert lexicon.stored.forget("fir*") == ["first"]
    assert lexicon.stored.forget("words", "spaces") == ["words"]
    assert listed(lexicon) == [("subcorpora", "words", "kept"), ("weightings", "plain", "computed")]


@pytest.mark.thorough
@pytest.mark.parametrize("act", ["refresh", "forget"])
def test_names_that_say_too_little(lexicon: Lexicon, act: str) -> None:
    asked = getattr(lexicon.stored, act)
    both = (
        "^words is the name of several: subcorpora and spaces; give the kind, kind := 'subcorpora' or kind := 'spaces'$"
    )
    near = r"^nothing is stored under the name wrods; available: words \(subcorpora, spaces\), first \(subcorpora\), of"
    for name, kind, said in [
        ("words", None, both),
        ("wrods", None, near),
        ("wrods", "spaces", "^no space wrods; available: words$"),
        ("old do", "entries", "^no entry old do; available: old dog, very old dog, bank/N#1"),
        ("cat/N", "senses", "^no senses of cat/N are stored, only of bank/N"),
        ("words", "space", "^kind is 'space'; expected subcorpora, weightings, spaces, senses, entries$"),
    ]:
        with pytest.raises(QuestionError, match=said):
            asked(name, kind)
    with pytest.raises(QuestionError, match=r"^w\* is the name of several"):
        lexicon.stored.forget("w*")
