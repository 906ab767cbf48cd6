"""Subcorpora: each is what a lexicon of its sentences alone is."""

import io
import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon, QuestionError
from aptdb.core.schemes import SCHEMES
from aptdb.store.derived import SUBCORPUS, Kind
from support.cases import read_cases, read_values
from support.clients import change_file
from support.commands import ask
from support.corpora import documents_of
from support.lexicons import copied, new_lexicon
from support.runs import THOROUGH, examples
from support.strategies import corpora
from support.terminals import shown
from twins.trees import Token, conllu

GENRES = ("a", "b", "c")
MANY = 8 if THOROUGH else 4  # questions of a subcorpus
MARGINALS = ("lexemes", "cooccurrences", "paths", "nodes", "features")
FILTERED = "cds := 0.75, shift := 1.5, min_feature_count := 2, max_order := 1"
# Questions about the lexemes x and y, and the phrase p of the two.
QUESTIONS = (*read_values("counting/questions_of_subcorpora"),)


def text_of(sentences: list[tuple[str, list[Token]]]) -> bytes:
    """Sentences as CoNLL-U, each in the document of its genre, and called by its words."""
    subcorpora, before = [], None
    for genre, words in sentences:
        document = "" if genre == before else f"# newdoc id = {genre}\n# meta::genre = {genre}\n"
        subcorpora.append(f"{document}# sent_id = {abs(hash(tuple(words)))}\n{conllu([words])}")
        before = genre
    return "".join(subcorpora).encode()


def lexicon_of(folder: str, name: str, sentences: list[tuple[str, list[Token]]], **given: Any) -> Lexicon:
    """A lexicon of sentences."""
    lexicon = Lexicon.open(Path(folder, f"{name}.duckdb"), create=True, **given)
    lexicon.add(io.BytesIO(text_of(sentences)), name="corpus")
    return lexicon


def answer(lexicon: Lexicon, query: str, subcorpus: str | None) -> Any:
    """The rows of a query with a place for the subcorpus; an error is an answer too, without the subcorpus's name."""
    asked = query.replace("{}", "" if subcorpus is None else f"subcorpus := '{subcorpus}'").replace(", )", ")")
    try:
        return lexicon.sql(asked).rows
    except QuestionError as error:
        return str(error).replace(f" in the subcorpus {subcorpus}", "")


def assert_subcorpus(whole: Lexicon, subcorpus: str, alone: Lexicon, queries: Sequence[str]) -> None:
    """A subcorpus answers as the lexicon of its sentences does."""
    for query in queries:
        assert answer(whole, query, subcorpus) == answer(alone, query, None), query


def counted(schemes: tuple[str, ...] = tuple(SCHEMES)) -> tuple[str, ...]:
    """Queries for all that is counted and weighed."""
    shown = "SELECT lexeme, path, context, round(weight, 9) FROM"
    every = [f"FROM {name}({{}}) ORDER BY ALL" for name in MARGINALS]
    every += [f"{shown} {scheme}({{}}) ORDER BY ALL" for scheme in schemes]
    every += [
        f"{shown} ppmi({FILTERED}, {{}}) ORDER BY ALL",
        f"{shown} pmi(scope := 'all', cds := 0.5, {{}}) ORDER BY ALL",
        f"{shown} log_dice(top_features := 2, {{}}) ORDER BY ALL",
        f"{shown} ppmi(top_features_per_path := 1, min_frequency := 2, min_count := 1, {{}}) ORDER BY ALL",
    ]
    return tuple(every)


@pytest.mark.thorough
@examples(4)
@given(corpora(7, 8), st.lists(st.sampled_from(GENRES), min_size=8, max_size=8), st.sampled_from((1, 2, 3)), st.data())
def test_a_subcorpus_is_a_lexicon_of_its_sentences(
    sentences: list[list[Token]], genres: list[str], order: int, data: st.DataObject
) -> None:
    """All counts, marginals and weights, and all that is asked of them; again after an addition and a refresh."""
    said = [*zip(genres, sentences, strict=False)]
    genre = data.draw(st.sampled_from(sorted({each for each, _ in said})))
    wanted = [each for each in said if each[0] == genre]
    with TemporaryDirectory() as folder:
        whole = lexicon_of(folder, "whole", said, order=order)
        alone = lexicon_of(folder, "alone", wanted, order=order)
        whole.subcorpus("one", f"genre = '{genre}'")
        queries = [*counted()]
        known = alone.sql("SELECT lexeme FROM lexemes ORDER BY frequency DESC, lexeme LIMIT 2").column("lexeme")
        if known:
            x, y = known[0], known[-1]
            p = f"[{{'lexeme': '{x}', 'delta': ''}}, {{'lexeme': '{y}', 'delta': '<r'}}]"
            queries += [
                each.replace("(x", f"('{x}'").replace(" y", f" '{y}'").replace("(p", f"({p}") for each in QUESTIONS
            ]
        drawn = data.draw(st.lists(st.sampled_from(queries), min_size=MANY, max_size=MANY, unique=True))
        assert_subcorpus(whole, "one", alone, drawn)
        whole.add(io.BytesIO(text_of(wanted)), name="more", again=True)
        alone.add(io.BytesIO(text_of(wanted)), name="more", again=True)
        assert "the subcorpus one is stale" in answer(whole, "FROM raw_count({})", "one")
        assert whole.stored.refresh(kind="subcorpora") == {"subcorpora": ["one"]}
        assert_subcorpus(whole, "one", alone, counted(("raw_count", "ppmi")))
        assert whole.verify().rows == []
        for each in (whole, alone):
            each.close()


@pytest.mark.thorough
@examples(4)
@given(corpora(7, 6), st.data())
def test_subcorpora_add_up(sentences: list[list[Token]], data: st.DataObject) -> None:
    """Counts of subcorpora that have no sentence in common, and all together, are those of the whole."""
    said = [(data.draw(st.sampled_from(GENRES)), each) for each in sentences]
    with TemporaryDirectory() as folder, lexicon_of(folder, "whole", said) as lexicon:
        names = lexicon.subcorpora_by("genre")
        assert names == sorted({genre for genre, _ in said})
        every = " UNION ALL ".join(f"FROM raw_count(subcorpus := '{name}')" for name in names)
        added = "SELECT lexeme, path, context, sum(weight) FROM ({}) GROUP BY ALL ORDER BY ALL"
        assert lexicon.sql(added.format(every)).rows == lexicon.sql(added.format("FROM raw_count")).rows
        assert lexicon.sql("SELECT sum(tokens)::BIGINT FROM subcorpora").rows == [(sum(map(len, sentences)),)]


@pytest.mark.thorough
@pytest.mark.parametrize("genre", ["fiction", "conversation"])
def test_genres_of_gum(genres: Path, tmp_path: Path, genre: str) -> None:
    """Each is a lexicon of those documents alone, which is made of their lines."""
    questions = (
        "FROM neighbours('say/VERB', {})",
        "FROM neighbours('time/NOUN', measure := 'lin', phi := 'harmonic', {})",
        "SELECT * EXCLUDE (sentence_number) FROM evidence('time/NOUN', '>amod', NULL, {})",
        "FROM frames('say/VERB', {})",
    )
    with Lexicon.open(genres) as whole, Lexicon.open(tmp_path / "alone.duckdb", create=True) as alone:
        alone.add(io.BytesIO(documents_of(genre)), name="gum")
        assert_subcorpus(whole, genre, alone, (*counted(), *questions))
        whole.rebuild(tmp_path / "rebuilt.duckdb", where=f"genre = '{genre}'")
        with Lexicon.open(tmp_path / "rebuilt.duckdb") as rebuilt:
            for query in (
                *counted(("raw_count",)),
                "SELECT * EXCLUDE (sentence) FROM tokens ORDER BY sentence, position",
            ):
                assert answer(rebuilt, query, None) == answer(alone, query, None)
            said = "SELECT * EXCLUDE (corpus) FROM documents WHERE genre = '{}' ORDER BY document"
            assert {*rebuilt.sql(said.format(genre)).column("document")} == {
                *whole.sql(said.format(genre)).column("document")
            }
            assert rebuilt.verify().rows == []


@pytest.mark.thorough
def test_one_word_in_two_subcorpora(genres: Path) -> None:
    """The cosine of what a word is in one subcorpus and in another, from their weights; and what sets them apart."""
    with Lexicon.open(genres) as lexicon:
        weights = [
            {(p, c): w for p, c, w in lexicon.sql(f"FROM apt('man/NOUN', subcorpus := '{subcorpus}')").rows}
            for subcorpus in ("fiction", "conversation")
        ]
        both = sum(weights[0][each] * weights[1][each] for each in weights[0].keys() & weights[1].keys())
        cosine = both / math.prod(math.sqrt(sum(w * w for w in each.values())) for each in weights)
        asked: dict[str, Any] = {"subcorpus": "fiction", "subcorpus_b": "conversation"}
        assert lexicon.similarity("man/NOUN", "man/NOUN", **asked) == pytest.approx(cosine, abs=1e-9)
        contributions = lexicon.explain("man/NOUN", "man/NOUN", top=100, **asked).column("contribution")
        assert sum(contributions) == pytest.approx(cosine, abs=1e-8)
        for row in lexicon.diff("man/NOUN", "man/NOUN", per_path=None, **asked):
            of_each = [each.get((row["path"], row["context"])) for each in weights]
            assert of_each == [pytest.approx(row["weight_a"]), pytest.approx(row["weight_b"])]
        of_whole = lexicon.similarity("man/NOUN", "man/NOUN", subcorpus_b="fiction")
        assert of_whole is not None
        assert 0 < of_whole < 1


@pytest.mark.thorough
def test_weightings_of_a_subcorpus(genres: Path, tmp_path: Path) -> None:
    """They answer as the subcorpus itself; kept ones too, and stale ones after the subcorpus was counted anew."""
    file = tmp_path / "own.duckdb"
    file.write_bytes(genres.read_bytes())
    with Lexicon.open(file) as lexicon:
        expected = lexicon.neighbours("say/VERB", subcorpus="fiction", shift=2).rows
        lexicon.weigh("of_fiction", shift=2, subcorpus="fiction", keep=True)
        lexicon.weigh("of_all", shift=2, keep=True)
        assert lexicon.neighbours("say/VERB", weights="of_fiction").rows == expected
        assert lexicon.neighbours("say/VERB", weights="of_all", subcorpus="fiction").rows == expected
        assert lexicon.neighbours("say/VERB", weights="of_all").rows != expected
        assert lexicon.sql("SELECT count(*) FROM of_fiction").rows[0][0] > 0
        assert lexicon.verify().rows == []
        said = "of_fiction takes no subcorpus; it takes no parameters, because the name stands"
        with pytest.raises(QuestionError, match=said):
            lexicon.neighbours("say/VERB", weights="of_fiction", subcorpus="news")
        with pytest.raises(QuestionError, match=said):
            lexicon.similarity("say/VERB", "say/VERB", weights="of_fiction", subcorpus_b="news")
        with pytest.raises(QuestionError, match="the weighting of_fiction is of the subcorpus fiction"):
            lexicon.stored.forget("fiction", kind="subcorpora")
        lexicon.stored.refresh("fiction", kind="subcorpora")
        assert dict(lexicon.sql("SELECT name, state FROM weightings").rows) == {"of_all": "kept", "of_fiction": "stale"}
        lexicon.stored.forget("of_fiction", kind="weightings")
        lexicon.stored.forget("fiction", kind="subcorpora")
        with pytest.raises(QuestionError, match="no subcorpus fiction; available: academic, conv"):
            lexicon.stored.forget("fiction", kind="subcorpora")


@pytest.mark.thorough
@pytest.mark.parametrize(*read_cases("counting/damaged_subcorpora"))
def test_a_subcorpus_that_somebody_changed(made_once: Path, tmp_path: Path, change: str, row: str) -> None:
    """Verify finds every value of a subcorpus that is other than its sentences make it."""
    file = copied(made_once, tmp_path)
    change_file(file, change)
    found = ask("verify", file)
    assert (found.exit_code, row in found.stdout) == (1, True)
    assert "count the subcorpora again: aptdb refresh" in found.stderr


@pytest.mark.thorough
def test_a_thesaurus_and_an_export_of_a_subcorpus(genres: Path, tmp_path: Path) -> None:
    with Lexicon.open(genres) as lexicon:
        several: tuple[dict[str, Any], ...] = ({}, {"measure": "lin"})
        for more in several:
            rows = lexicon.thesaurus(
                tmp_path / f"{len(more)}.tsv", subcorpus="fiction", top=3, min_frequency=20, **more
            )
            lines = (tmp_path / f"{len(more)}.tsv").read_text(encoding="utf-8").splitlines()[1:]
            found = [(a, b, float(s)) for a, b, s in (line.split("\t") for line in lines)]
            assert rows == len(found) > 20
            for lexeme in {a for a, *_ in found[:9]}:
                own = lexicon.neighbours(lexeme, subcorpus="fiction", top=3, min_frequency=20, **more).rows
                assert [(b, pytest.approx(s)) for a, b, s in found if a == lexeme] == own
        lexicon.export(tmp_path / "w.parquet", subcorpus="fiction", weights="raw_count")
        with duckdb.connect() as plain:
            exported = plain.execute(
                "FROM read_parquet($file) ORDER BY ALL", {"file": f"{tmp_path}/w.parquet"}
            ).fetchall()
        assert exported == lexicon.sql("FROM raw_count(subcorpus := 'fiction') ORDER BY ALL").rows


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two genres, and the subcorpus a."""
    word = Token("x", "x", "N", "x", 0, "r")
    folder = tmp_path_factory.mktemp("made")
    with lexicon_of(str(folder), "made", [("a", [word]), ("b", [word._replace(lemma="y")])]) as lexicon:
        lexicon.subcorpus("a", "genre = 'a'")
    return folder / "made.duckdb"


@pytest.fixture
def made(made_once: Path, tmp_path: Path) -> Lexicon:
    """A copy of it."""
    return Lexicon.open(copied(made_once, tmp_path))


@pytest.mark.thorough
def test_subcorpora_of_a_lexicon_that_changes(made: Lexicon, tmp_path: Path) -> None:
    """Nothing is answered from a stale subcorpus; one that is empty by now says so; the same again is no error."""
    with made as lexicon:
        lexicon.subcorpus("a", "genre = 'a'")
        lexicon.remove("corpus")
        with pytest.raises(QuestionError, match="the subcorpus a is stale, because"):
            lexicon.apt("x/N", subcorpus="a")
        lexicon.add(io.BytesIO(text_of([("b", [Token("x", "x", "N", "x", 0, "r")])])), name="other")
        with pytest.raises(QuestionError, match="no sentence fits"):
            lexicon.stored.refresh(kind="subcorpora")
        lexicon.stored.forget("a", kind="subcorpora")
        assert lexicon.stored.subcorpora().rows == []


@pytest.mark.thorough
def test_subcorpora_on_a_terminal(made: Lexicon) -> None:
    file = made.file
    made.close()
    assert "2 subcorpora: genre a, genre b" in ask("subcorpus", file, "--by", "genre", "--prefix", "genre ").stderr
    assert "b is stored; use it by --subcorpus b" in ask("subcorpus", file, "b", "--where", "genre = 'b'").stderr
    shown = ask("stored", file, "subcorpora", "--format", "tsv").stdout.splitlines()
    assert [line.split("\t")[0] for line in shown] == ["subcorpus", "a", "b", "genre a", "genre b"]
    assert ask("apt", file, "x/N", "--weights", "raw_count", "--subcorpus", "a", "--format", "tsv").stdout.splitlines()[
        1:
    ]
    lacking = ask("evidence", file, "x/N", ">r", "--subcorpus", "a").stderr
    assert "no sentence of the subcorpus a has it" in lacking or "no relation" in lacking
    assert "nothing is stale" in ask("refresh", file).stderr
    assert "b is deleted" in ask("forget", file, "b").stderr


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A lexicon of 51 documents, each in a year of its own."""
    words = conllu([[Token("x", "x", "N", "x", 0, "r")]])
    text = "".join(f"# newdoc id = d{year}\n# meta::year = {year}\n{words}" for year in range(1900, 1951))
    with new_lexicon(tmp_path / "many.duckdb", text.encode(), name="c") as lexicon:
        lexicon.subcorpus("other", "year < 1910")
    return tmp_path / "many.duckdb"


@pytest.mark.thorough
def test_many_subcorpora_are_made_after_a_yes(many: Path) -> None:
    """Without a terminal with --yes alone; on a terminal after an answer. A pattern forgets them."""
    refused = ask("subcorpus", many, "--by", "year", "--prefix", "year_")
    assert refused.exit_code == 1
    assert "aptdb: year has 51 values, so there would be as many subcorpora; --yes makes them\n" in refused.stderr
    declined = shown(["subcorpus", str(many), "--by", "year"], many.parent, typed="n\n")
    assert "year has 51 values, so there would be as many subcorpora. Make them? [y/N]" in declined
    with Lexicon.open(many) as lexicon:
        assert lexicon.stored.subcorpora().column("subcorpus") == ["other"]
    few = ask("subcorpus", many, "--by", "decade(year)", "--prefix", "year_")
    assert "6 subcorpora: year_1900, year_1910, year_1920, year_1930, year_1940, year_1950" in few.stderr
    declined = shown(["forget", str(many), "year_19[0-2]0"], many.parent, typed="n\n")
    names = "year_19[0-2]0 matches 3 subcorpora: year_1900, year_1910, year_1920"
    assert f"{names}. Delete them? [y/N]" in " ".join(declined.split())
    assert f"{names}; --yes deletes them" in ask("forget", many, "year_19[0-2]0").stderr
    gone = ask("forget", many, "year_19[0-2]0", "--yes")
    assert "aptdb: year_1900, year_1910, year_1920 are deleted\n" in gone.stderr  # after a slow second another line
    none = ask("forget", many, "yaer_*", "--kind", "subcorpora")
    assert none.exit_code == 1
    assert "aptdb: no subcorpus yaer_*; available: other, year_1930, year_1940, year_1950\n" in none.stderr
    with Lexicon.open(many) as lexicon:
        lexicon.weigh("of_1940", subcorpus="year_1940")
        with pytest.raises(QuestionError, match="the weighting of_1940 is of the subcorpus year_1940; delete it first"):
            lexicon.stored.forget("year_*", kind="subcorpora")
        assert len(lexicon.stored.subcorpora()) == 4
    assert ask("subcorpus", many, "x", "--where", "year = 1900", "--yes").exit_code == 2


@pytest.mark.thorough
def test_many_subcorpora_with_yes(many: Path) -> None:
    assert "51 subcorpora: 1900, 1901" in ask("subcorpus", many, "--by", "year", "--yes").stderr


@pytest.mark.thorough
def test_what_cannot_be_made_again_leaves_the_rest(tmp_path: Path) -> None:
    """A subcorpus without sentences, and what is asked of it; until then all is sound, though it is stale."""
    sentences = [("a", [Token("Dogs", "dog", "NOUN", "x", 0, "root")])]
    with lexicon_of(str(tmp_path), "lexicon", sentences) as lexicon:
        lexicon.add(io.BytesIO(text_of([("b", sentences[0][1])])), name="other")
        for genre in "ab":
            lexicon.subcorpus(genre, f"genre = '{genre}'")
            lexicon.weigh(f"of_{genre}", subcorpus=genre, keep=genre == "a")
        lexicon.weigh("of_all", keep=True)
        lexicon.save("dog_a", "dog/NOUN", weights="raw_count", subcorpus="a")
        lexicon.save("dog_all", "dog/NOUN", weights="raw_count")
        lexicon.remove("corpus")
        assert lexicon.verify().rows == []
        with pytest.raises(
            QuestionError, match=r"^no sentence fits .* so the subcorpus a would be empty; .*; made again: b$"
        ):
            lexicon.stored.refresh(kind="subcorpora")
        with pytest.raises(QuestionError, match=r"^of_a: the subcorpus a is stale, .*; made again: of_all$"):
            lexicon.stored.refresh(kind="weightings")
        with pytest.raises(QuestionError, match=r"^dog_a cannot be composed again: .*; made again: dog_all$"):
            lexicon.stored.refresh(kind="entries")
        assert lexicon.stored.subcorpora().column("state") == ["stale", "kept"]
        assert dict(lexicon.sql("SELECT name, state FROM weightings").rows) == {
            "of_a": "stale",
            "of_b": "computed",
            "of_all": "kept",
        }
        assert lexicon.stored.entries().column("state") == ["stale", "stored"]
        assert lexicon.verify().rows == []


def test_of_many_subcorpora_the_first_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"s{number}" for number in range(30)]
    monkeypatch.setattr(Kind, "find", lambda *_: None)
    monkeypatch.setattr(Kind, "names", lambda *_: names)
    with pytest.raises(QuestionError, match=r"; available: " + ", ".join(names[:20]) + " and .* more$"):
        SUBCORPUS.get(cast(Any, None), "x*")
