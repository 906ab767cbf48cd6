"""A value that no lexeme, word or path has is an error or a note that says what there is, never an empty answer."""

import io
import re
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import aptdb
from aptdb import IncompleteDataWarning, Lexicon, NoMatchWarning, QuestionError
from support.cases import read_cases
from support.clients import no_warnings
from support.commands import ask
from support.corpora import noun_phrase
from support.lexicons import lexicon_of, new_lexicon
from twins.trees import Token, conllu

SENTENCES = [noun_phrase(noun, adjective) for noun in ("dog", "cat", "dog") for adjective in ("small", "big")]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small and big dogs and cats."""
    file = tmp_path_factory.mktemp("animals") / "animals.duckdb"
    lexicon_of(file, {"animals": SENTENCES})
    return file


@pytest.mark.thorough
def test_spellings_and_names_that_look_alike(tmp_path: Path) -> None:
    """A letter with its accent apart."""
    composed, decomposed = (noun_phrase("caf" + accent, "small") for accent in ("é", "e\u0301"))
    with new_lexicon(tmp_path / "l.duckdb", conllu([composed]).encode(), name="1") as lexicon:
        with pytest.warns(IncompleteDataWarning, match=r"two lexemes that look the same .*: café/N; --nfc makes"):
            lexicon.add(io.BytesIO(conllu([decomposed]).encode()), name="2")
        lexicon.add(io.BytesIO(conllu([decomposed, composed]).encode()), name="3")  # nothing new


@pytest.mark.thorough
def test_settings(tmp_path: Path) -> None:
    """They are noted once, when the lexicon gets its first corpus."""
    corpus, said = conllu(SENTENCES).encode(), "--pos-map: no word of animals has the part of speech JJ; it has A, N"
    settings: dict[str, Any] = {"pos_map": {"JJ": "A"}}
    with Lexicon.open(tmp_path / "l.duckdb", create=True, **settings) as lexicon:
        with pytest.warns(NoMatchWarning, match=said):
            lexicon.add(io.BytesIO(corpus), name="animals")
        lexicon.add(io.BytesIO(corpus), name="again", again=True)
        with no_warnings():
            lexicon.rebuild(tmp_path / "same.duckdb", order=1)
    with (
        new_lexicon(tmp_path / "plain.duckdb", corpus, name="animals") as lexicon,
        pytest.warns(NoMatchWarning, match=said.replace("animals", "plain.duckdb")),
    ):
        lexicon.rebuild(tmp_path / "new.duckdb", **settings)


@pytest.mark.thorough
@pytest.mark.parametrize(*read_cases("questions/settings_that_leave_all_or_nothing"))
def test_settings_that_leave_all_or_nothing(tmp_path: Path, settings: dict[str, Any], said: str | None) -> None:
    """They are noted with the first corpus, and when a lexicon is made anew with them."""
    corpus, heard = conllu(SENTENCES).encode(), []
    for name in ("made", "plain"):
        with (
            Lexicon.open(tmp_path / name, create=True, **(settings if name == "made" else {})) as lexicon,
            warnings.catch_warnings(record=True) as found,
        ):
            warnings.simplefilter("always")
            for again in (False, True):
                lexicon.add(io.BytesIO(corpus), name="again" if again else "animals", again=again)
            lexicon.rebuild(tmp_path / f"{name}-again", **settings)
        heard += [str(each.message) for each in found if each.category is NoMatchWarning]
    assert heard == ([said, said.replace("animals", "plain-again")] if said else [])


@pytest.mark.thorough
def test_a_setting_that_another_takes_away(tmp_path: Path) -> None:
    """Once A is called ADJ, nothing is left out by its old name."""
    with Lexicon.open(tmp_path / "l.duckdb", create=True, exclude_upos=("A",)) as lexicon:
        lexicon.add(io.BytesIO(conllu(SENTENCES).encode()), name="animals")
        with pytest.warns(NoMatchWarning, match="--exclude-upos: no word of l.duckdb has the part of speech A;"):
            lexicon.rebuild(tmp_path / "new.duckdb", pos_map={"A": "ADJ"})
        with pytest.warns(NoMatchWarning, match="--lexeme: no word of l.duckdb has the feature Numbr;"):
            lexicon.rebuild(tmp_path / "other.duckdb", lexeme="{lemma}/{feats:Numbr}")


@pytest.mark.thorough
def test_words_without_a_lemma(tmp_path: Path) -> None:
    """Many are told of, where lexemes are made of lemmas; a few are not, nor a word that is _ itself."""
    torn = [Token("dogs", "_", "N", "_", 0, "root"), Token("big", "big", "A", "_", 1, "amod")]
    many, few = conllu([torn] * 10), conllu([torn, *[[torn[1]._replace(head=0, relation="root")]] * 200])
    said = r"^many: 10 of 20 words have no lemma, and are counted as _; a lexicon of forms has them apart: --lexeme"
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        with pytest.warns(IncompleteDataWarning, match=said):
            lexicon.add(io.BytesIO(many.encode()), name="many")
        with no_warnings():
            lexicon.add(io.BytesIO(few.encode()), name="few")
            lexicon.add(io.BytesIO(conllu([[torn[0]._replace(form="_")]]).encode()), name="underscore")
    with warnings.catch_warnings(), Lexicon.open(tmp_path / "f.duckdb", create=True, lexeme="{form}/{upos}") as lexicon:
        warnings.simplefilter("error")
        lexicon.add(io.BytesIO(many.encode()), name="many")
    (tmp_path / "many.conllu").write_text(many)
    assert "words without a lemma\t10\n" in ask("verify", tmp_path / "many.conllu", "--format", "tsv").stdout


TAGS = read_cases("questions/words_without_tags")[1]


@pytest.mark.sampled(6)
@pytest.mark.extra
@pytest.mark.parametrize(("lemma", "upos", "xpos", "lexeme", "said", "instead", "mend"), TAGS)
def test_words_without_a_tag(
    tmp_path: Path, lemma: str, upos: str, xpos: str, lexeme: str, said: str | None, instead: str, mend: str
) -> None:
    """Those of which lexemes are made are told of, by add, sync and count, with a template that has others."""
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    (tmp_path / "x.conllu").write_text(conllu([[Token("form", lemma, upos, xpos, 0, "root")]] * 10))
    heard = []
    for way in ("add", "sync", "count"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if way == "count":
                aptdb.count_corpora([tmp_path / "x.conllu"], tmp_path / "counts", lexeme=lexeme)
            else:
                with Lexicon.open(tmp_path / f"{way}.duckdb", create=True, lexeme=lexeme) as lexicon:
                    getattr(lexicon, way)(tmp_path / "x.conllu")
        heard.append(
            [str(each.message).partition(": ")[2] for each in caught if each.category is IncompleteDataWarning]
        )
    mends = f"a lexicon of {instead} has them apart" if instead else "without it"
    expected = [f"10 of 10 words have {said}, and are counted as _; {mends}: --lexeme '{mend}'"] if said else []
    assert heard == [expected] * 3


@pytest.mark.thorough
def test_names_with_quotes(tmp_path: Path) -> None:
    """They are looked up as they are, also where settings name others."""
    sentence = [Token("a", "a", 'N"', "_", 0, "root"), Token("b", "b", "A'", "_", 1, 'a"m$.[0]')]
    settings: dict[str, Any] = {"relation_map": {'a"m$.[0]': "am"}, "pos_map": {'N"': "N"}, "exclude_upos": ["A'"]}
    with no_warnings(), Lexicon.open(tmp_path / "l.duckdb", create=True, **settings) as lexicon:
        assert lexicon.add(io.BytesIO(conllu([sentence]).encode()), name="quotes").tokens == 2
    with Lexicon.open(tmp_path / "plain.duckdb", create=True) as lexicon:
        assert lexicon.add(io.BytesIO(conllu([sentence]).encode()), name="quotes").tokens == 2


@pytest.mark.thorough
def test_settings_that_are_used(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"relation_map": {"amod": "mod"}, "exclude_relations": ("mod",), "pos_map": {"A": "X"}}
    with no_warnings(), Lexicon.open(tmp_path / "l.duckdb", create=True, exclude_upos=("X",), **settings) as lexicon:
        lexicon.add(io.BytesIO(conllu(SENTENCES).encode()), name="animals")


@pytest.mark.thorough
def test_options_that_name_nothing(file: Path, tmp_path: Path) -> None:
    """A file of words without a word."""
    (tmp_path / "none.txt").write_text("# no words\n")
    (tmp_path / "a.conllu").write_text(conllu(SENTENCES))
    told = ask("add", str(tmp_path / "l.duckdb"), tmp_path / "a.conllu", "--stop-list", tmp_path / "none.txt").stderr
    assert "none.txt has no words; nothing is left out by it" in told


@pytest.mark.thorough
def test_a_relation_that_is_counted_within_longer_paths_alone(tmp_path: Path) -> None:
    """Where no dependent by a relation is a lexeme, only what is below it is met along it."""
    sentence = [
        Token("runs", "run", "V", "_", 0, "root"),
        Token("of", "of", "P", "_", 1, "case"),
        Token("dogs", "dog", "N", "_", 2, "obj"),
    ]
    with Lexicon.open(tmp_path / "l.duckdb", create=True, exclude_upos=["P"]) as lexicon:
        lexicon.add(io.BytesIO(conllu([sentence]).encode()), name="runs")
        assert len(lexicon.evidence("run/V", ">case>obj", "dog/N")) == 1
        phrase = [{"lexeme": "run/V", "delta": ""}, {"lexeme": "dog/N", "delta": "<obj<case"}]
        assert lexicon.similarity(phrase, "run/V", weights="raw_count") is not None
        with pytest.raises(QuestionError, match=r"no relation cas; did you mean case\?"):
            lexicon.evidence("run/V", ">cas>obj", "dog/N")


def test_numbers_of_other_types_are_taken(file: Path) -> None:
    with Lexicon.open(file) as lexicon:
        expected = lexicon.neighbours("dog/N", top=3, head_weight=0.25, aligned=True).rows
        for quarter in (np.float32(0.25), Decimal("0.25")):
            given: dict[str, Any] = {"top": np.int64(3), "head_weight": quarter, "aligned": np.bool_(True)}
            assert lexicon.neighbours("dog/N", **given).rows == expected


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dogs, 45 of them big; twice the parser has taken the adjective for the head."""
    file = tmp_path_factory.mktemp("noisy") / "noisy.duckdb"
    wrong = [Token("big", "big", "A", "_", 0, "root"), Token("old", "old", "A", "_", 1, "amod")]
    sentences = [noun_phrase("dog", "big")] * 45 + [wrong] * 2 + [noun_phrase("cat", "old")] * 10
    lexicon_of(file, {"noisy": sentences})
    return file


@pytest.mark.thorough
def test_a_path_that_runs_the_wrong_way(noisy: Path) -> None:
    """A little noise does not hide it."""
    phrase = "[{'lexeme': 'dog/N', 'delta': ''}, {'lexeme': 'big/A', 'delta': '>amod'}]"
    said = "big/A occurs 45 times along <amod, and 2 along >amod (packed counts)"
    with duckdb.connect(str(noisy), read_only=True) as client:
        with pytest.raises(duckdb.Error, match=re.escape(f"{said}; the delta of a word is the path from it")):
            client.sql(f"FROM compose({phrase})").fetchall()
        assert client.sql(f"FROM compose({phrase}, missing := 'skip')").fetchall()
        assert client.sql(f"FROM compose({phrase.replace('>', '<')})").fetchall()
        number = "USING (sentence_number)"
        joined = f"FROM evidence('cat/N', '>amod', NULL) JOIN tokens {number} JOIN sentences {number}"
        assert client.sql(f"SELECT count(*), any_value(sentences.text) {joined}").fetchall() == [(20, "old cat")]
    with Lexicon.open(noisy) as lexicon:
        with pytest.warns(NoMatchWarning, match=re.escape(said)):
            assert len(lexicon.evidence("big/A", ">amod").rows) == 2
        with pytest.warns(NoMatchWarning, match="old/A occurs 12 times along <amod, and never along >amod"):
            assert lexicon.evidence("old/A", ">amod").rows == []
        with no_warnings():
            assert lexicon.evidence("big/A", "<amod").rows
        turned = "dog/N occurs 45 times along >amod, and never along <amod (packed counts)"
        with pytest.raises(QuestionError, match=re.escape(turned)):
            lexicon.compose("big/A[amod dog/N]")
    assert said in ask("evidence", noisy, "big/A", ">amod").stderr
    assert turned in ask("apt", noisy, "big/A[amod dog/N]").stderr


def test_lemmas_and_numbers_of_sentences_join(tmp_path: Path) -> None:
    """Norms in lower case find Dog by the lemmas of lexemes; a row of evidence finds its sentence."""
    file = tmp_path / "l.duckdb"
    with Lexicon.open(lexicon_of(file, {"dogs": [[Token("Dogs", "Dog", "N", "_", 0, "root")]] * 2})) as lexicon:
        found = lexicon.evidence("dog/N")
        assert found.column("sentence_number") == [1, 2]
    with duckdb.connect(str(file), read_only=True) as client:
        norms = "FROM (VALUES ('dog', 4.9)) AS norm (lemma, rating) JOIN"
        joined = client.sql(f"SELECT lemma, tokens.lemma {norms} lexemes USING (lemma) JOIN tokens USING (lexeme)")
        assert joined.fetchall() == [("dog", "Dog")] * 2
        assert client.sql(f"{norms} tokens USING (lemma)").fetchall() == []
    shown = ask("evidence", file, "dog/N", "--format", "csv").stdout.splitlines()
    assert (shown[0].split(",")[-1], shown[1].split(",")[-1]) == ("sentence_number", "1")
