"""A value that no lexeme, word or path has is an error or a note that says what there is, never an empty answer."""

import io
import re
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import duckdb
import numpy as np
import pytest

import aptdb
from aptdb import (
    AllLeftOut,
    AptError,
    Lexicon,
    NoSuchText,
    QuestionError,
    SpeltTwice,
    UnusedSetting,
    WithoutLemmas,
    WithoutTags,
)
from support.commands import ask
from support.corpora import noun_phrase
from twins.trees import Token, conllu

SENTENCES = [noun_phrase(noun, adjective) for noun in ("dog", "cat", "dog") for adjective in ("small", "big")]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small and big dogs and cats."""
    file = tmp_path_factory.mktemp("animals") / "animals.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        lexicon.add(io.BytesIO(conllu(SENTENCES).encode()), name="animals")
    return file


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("neighbours('dog/N', pos := 'NUON')", "no lexeme has the part of speech NUON; there is A, N, or same, or any"),
        ("neighbours('dog/N', pos := 'n')", "no lexeme has the part of speech n; there is A, N, or same, or any"),
        (
            "neighbours('dog/N', min_frequency := 5)",
            "no lexeme occurs so often; the most frequent, dog/N, occurs 4 tim",
        ),
        ("evidence('dog/N', '>amd', 'small/A')", "no relation amd; there is amod"),
        ("evidence('dog/N', '>amod<amod>acl', 'small/A')", "no path >amod<amod>acl; a path is reduced"),
        ("evidence('dog/N', '>amod>acl', 'small/A')", "no relation acl; there is amod"),
        ("evidence(cql('[upos=\"AB\"]'), NULL, NULL)", "no token has upos AB; there is [AN], [AN]$"),
        ('counts_by(cql(\'[lemma="dog"] [deprel!="nominal"]\'), NULL, NULL)', "has deprel nominal; there is amod"),
        (
            "plausible([{'lexeme': 'dog/N', 'delta': ''}, {'lexeme': '_/A', 'delta': '<amod'}], pos := 'B')",
            "part of spe",
        ),
        (
            "plausible([{'lexeme': 'dog/N', 'delta': ''}, {'lexeme': '_/B', 'delta': '<amod'}])",
            "no lexeme has the part of speech B; there is A, N",
        ),
        ("neighbours('')", "no lexeme '', nor one that is spelt nearly so"),
        ("evidence('', NULL, NULL)", "no lexeme '', nor one that is spelt nearly so"),
    ],
)
def test_questions(file: Path, question: str, said: str) -> None:
    with (
        duckdb.connect(str(file), read_only=True) as client,
        pytest.raises(duckdb.Error, match=said.replace("(", r"\(")),
    ):
        client.sql(f"FROM {question}").fetchall()
    with Lexicon.open(file) as lexicon, pytest.raises(QuestionError, match=said):
        lexicon.sql(f"FROM {question}")


def test_limits_that_leave_nothing_are_refused(file: Path) -> None:
    """Also paths longer than any."""
    refused = {
        "ppmi(shift := 1e300)": "shift is 1e+300; expected 1 to 1e9",
        "ppmi(max_order := 9)": "max_order is 9; the lexicon counts to 2",
        "apt('dog/N', max_order := 3)": "max_order is 3; the lexicon counts to 2",
        "neighbours('dog/N', min_count := 9)": "min_count is 9, and nothing is counted so often; the largest is 4",
        "sketch('dog/N', min_count := 9)": "min_count is 9, and nothing is counted so often; the largest is 4",
    }
    with Lexicon.open(file) as lexicon:
        for question, said in refused.items():
            with pytest.raises(QuestionError, match=re.escape(said)):
                lexicon.sql(f"FROM {question}")
        for ask_of in (lexicon.apt, lexicon.neighbours):
            with pytest.warns(AllLeftOut, match=r"\(min_count 3\)$"):
                assert ask_of("cat/N", min_count=3).rows == []
        with pytest.warns(AllLeftOut, match=r"no similarity: one of the two has no features \(shift 1000\)"):
            assert lexicon.similarity("dog/N", "cat/N", shift=1000) is None
        with pytest.warns(NoSuchText, match="no lexeme is like 'DOG'; words are in lower case here"):
            assert lexicon.lexemes("DOG").rows == []


@pytest.mark.thorough
def test_spellings_and_names_that_look_alike(tmp_path: Path) -> None:
    """A letter with its accent apart; a subcorpus with other capitals."""
    composed, decomposed = (noun_phrase("caf" + accent, "small") for accent in ("é", "e\u0301"))
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        lexicon.add(io.BytesIO(conllu([composed]).encode()), name="1")
        with pytest.warns(SpeltTwice, match=r"two lexemes that look the same .*: café/N; --nfc makes"):
            lexicon.add(io.BytesIO(conllu([decomposed]).encode()), name="2")
        lexicon.add(io.BytesIO(conllu([decomposed, composed]).encode()), name="3")  # nothing new
        lexicon.subcorpus("First", "corpus = '1'")
        with pytest.raises(QuestionError, match="first differs from the subcorpus First by capitals alone"):
            lexicon.subcorpus("first", "corpus = '2'")


@pytest.mark.thorough
def test_a_thesaurus(file: Path, tmp_path: Path) -> None:
    for parameters, said in (
        ({"pos": "NUON"}, "the part of speech NUON"),
        ({"min_frequency": 10**6}, "occurs 4 times"),
    ):
        with Lexicon.open(file) as lexicon, pytest.raises(QuestionError, match=said):
            lexicon.thesaurus(tmp_path / "near.tsv", **parameters)
        assert not (tmp_path / "near.tsv").exists()


@pytest.mark.thorough
def test_what_there_is_and_is_not_near(file: Path) -> None:
    """Nothing is near where nothing is; top 0 and a frequency that nothing has are something else."""
    assert "no neighbours" not in ask("neighbours", str(file), "dog/N", "--top", "0").stderr
    told = ask("neighbours", str(file), "dog/N", "--min-frequency", "1000000").stderr
    assert "min_frequency is 1000000, and no lexeme occurs so often; the most frequent, dog/N, occurs 4 times" in told


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"join": ("amod", "compond")}, "--join: no word of animals has the relation compond; there is amod, root"),
        ({"exclude_upos": ("PUNC",)}, "--exclude-upos: no word of animals has the part of speech PUNC; there is A, N"),
        (
            {"exclude_relations": ("amd",)},
            "--exclude-relations: no word of animals has the relation amd; there is amod",
        ),
        ({"relation_map": {"dobj": "obj"}}, "--relation-map: no word of animals has the relation dobj; there is amod"),
        ({"pos_map": {"JJ": "A"}}, "--pos-map: no word of animals has the part of speech JJ; there is A, N"),
    ],
)
def test_settings(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    """They are noted once, when the lexicon gets its first corpus."""
    corpus = conllu(SENTENCES).encode()
    with Lexicon.open(tmp_path / "l.duckdb", create=True, **settings) as lexicon:
        with pytest.warns(UnusedSetting, match=said):
            lexicon.add(io.BytesIO(corpus), name="animals")
        lexicon.add(io.BytesIO(corpus), name="again", again=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lexicon.rebuild(tmp_path / "same.duckdb", order=1)
    with Lexicon.open(tmp_path / "plain.duckdb", create=True) as lexicon:
        lexicon.add(io.BytesIO(corpus), name="animals")
        with pytest.warns(UnusedSetting, match=said.replace("animals", "plain.duckdb")):
            lexicon.rebuild(tmp_path / "new.duckdb", **settings)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"min_token_length": 9, "exclude_upos": ("A",)},
            "animals: all words are left out, so that nothing is counted (exclude-upos A, min-token-length 9)",
        ),
        (
            {"stop_list": ("bird", "small"), "exclude_upos": ("A",)},
            "--stop-list: it leaves out no word of animals that would be counted without it",
        ),
        ({"stemmer": "german"}, "--stemmer: lexemes are made of {lemma}/{upos}, without {stem}; nothing is stemmed"),
        ({"stop_list": ("Dog", "bird")}, None),
        ({"stop_list": ("dog",), "pos_map": {"A": "N", "N": "Q"}, "exclude_upos": ("N",)}, None),
        ({"min_token_length": 4}, None),
        ({"lexeme": "{form}", "stemmer": "english"}, None),
    ],
)
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
        heard += [str(each.message) for each in found if each.category is UnusedSetting]
    assert heard == ([said, said.replace("animals", "plain-again")] if said else [])


@pytest.mark.thorough
def test_a_setting_that_another_takes_away(tmp_path: Path) -> None:
    """Once A is called ADJ, nothing is left out by its old name."""
    with Lexicon.open(tmp_path / "l.duckdb", create=True, exclude_upos=("A",)) as lexicon:
        lexicon.add(io.BytesIO(conllu(SENTENCES).encode()), name="animals")
        with pytest.warns(UnusedSetting, match="--exclude-upos: no word of l.duckdb has the part of speech A;"):
            lexicon.rebuild(tmp_path / "new.duckdb", pos_map={"A": "ADJ"})
        with pytest.warns(UnusedSetting, match="--lexeme: no word of l.duckdb has the feature Numbr;"):
            lexicon.rebuild(tmp_path / "other.duckdb", lexeme="{lemma}/{feats:Numbr}")


@pytest.mark.thorough
def test_words_without_a_lemma(tmp_path: Path) -> None:
    """Many are told of, where lexemes are made of lemmas; a few are not, nor a word that is _ itself."""
    torn = [Token("dogs", "_", "N", "_", 0, "root"), Token("big", "big", "A", "_", 1, "amod")]
    many, few = conllu([torn] * 10), conllu([torn, *[[torn[1]._replace(head=0, relation="root")]] * 200])
    said = r"^many: 10 of 20 words have no lemma, and are counted as _; a lexicon of forms has them apart: --lexeme"
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        with pytest.warns(WithoutLemmas, match=said):
            lexicon.add(io.BytesIO(many.encode()), name="many")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lexicon.add(io.BytesIO(few.encode()), name="few")
            lexicon.add(io.BytesIO(conllu([[torn[0]._replace(form="_")]]).encode()), name="underscore")
    with warnings.catch_warnings(), Lexicon.open(tmp_path / "f.duckdb", create=True, lexeme="{form}/{upos}") as lexicon:
        warnings.simplefilter("error")
        lexicon.add(io.BytesIO(many.encode()), name="many")
    (tmp_path / "many.conllu").write_text(many)
    assert "words without a lemma\t10\n" in ask("check", tmp_path / "many.conllu", "--format", "tsv").stdout


TAGS = [
    (
        "x",
        "_",
        "X",
        "{lemma}/{upos}",
        "no UPOS",
        "XPOS",
        "{lemma}/{xpos}",
    ),
    ("x", "_", "_", "{lemma}/{upos}", "no UPOS", "", "{lemma}"),
    (
        "x",
        "U",
        "_",
        "{lemma}/{xpos}",
        "no XPOS",
        "UPOS",
        "{lemma}/{upos}",
    ),
    ("_", "_", "_", "{form}/{upos}", "no UPOS", "", "{form}"),
    ("x", "_", "_", "{lemma}", None, "", ""),
    ("x", "U", "_", "{lemma}/{upos}", None, "", ""),
]


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
        heard.append([str(each.message).partition(": ")[2] for each in caught if each.category is WithoutTags])
    mends = f"a lexicon of {instead} has them apart" if instead else "without it"
    expected = [f"10 of 10 words have {said}, and are counted as _; {mends}: --lexeme '{mend}'"] if said else []
    assert heard == [expected] * 3


@pytest.mark.thorough
def test_names_with_quotes(tmp_path: Path) -> None:
    """They are looked up as they are, also where settings name others."""
    sentence = [Token("a", "a", 'N"', "_", 0, "root"), Token("b", "b", "A'", "_", 1, 'a"m$.[0]')]
    settings: dict[str, Any] = {"relation_map": {'a"m$.[0]': "am"}, "pos_map": {'N"': "N"}, "exclude_upos": ["A'"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Lexicon.open(tmp_path / "l.duckdb", create=True, **settings) as lexicon:
            assert lexicon.add(io.BytesIO(conllu([sentence]).encode()), name="quotes").tokens == 2
    with Lexicon.open(tmp_path / "plain.duckdb", create=True) as lexicon:
        assert lexicon.add(io.BytesIO(conllu([sentence]).encode()), name="quotes").tokens == 2


@pytest.mark.thorough
def test_settings_that_are_used(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"relation_map": {"amod": "mod"}, "exclude_relations": ("mod",), "pos_map": {"A": "X"}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Lexicon.open(tmp_path / "l.duckdb", create=True, exclude_upos=("X",), **settings) as lexicon:
            lexicon.add(io.BytesIO(conllu(SENTENCES).encode()), name="animals")


def test_the_empty_path_in_sql(file: Path) -> None:
    with Lexicon.open(file) as lexicon:
        for condition in ("path = 'ε'", "path IN ('ε')", "path<>'ε'"):
            with pytest.warns(NoSuchText, match="in SQL the path ε is the empty text: path = ''"):
                lexicon.sql(f"SELECT count(*) FROM ppmi WHERE {condition}")
        assert lexicon.sql("SELECT count(*) FROM lexemes WHERE lexeme = 'ε'").rows == [(0,)]


@pytest.mark.thorough
def test_words_in_sequences_that_no_token_has(tmp_path: Path) -> None:
    """A word that is spelt wrongly is noted; one that the lexicon has is not, nor is one that a token must not be."""
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        for name, sentences in (("first", SENTENCES), ("second", SENTENCES[:2])):
            lexicon.add(io.BytesIO(conllu(sentences).encode()), name=name)
        lexicon.subcorpus("first", "corpus = 'first'")
        asked: tuple[Callable[[str], Any], ...] = (
            lexicon.evidence,
            lexicon.counts_by,
            lambda query: lexicon.phrase_keyness([query, "dog/N"], "first"),
        )
        for ask_of in asked:
            with pytest.warns(NoSuchText, match=r'^no token has lemma="dgo"; there is dog/N$'):
                ask_of('[lemma="dgo"]')
            with pytest.warns(NoSuchText, match='^no token has feats="Case=Nom"$'):
                ask_of('[upos="A"] [lemma="dog" & feats="Case=Nom"]')
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                ask_of('[lemma="dog|cta"] [lemma!="dgo"]{0,2} [form="dog"]?')


def test_counts_of_names_that_the_lexicon_lacks(file: Path) -> None:
    """An unknown lexeme, context or relation is no count of 0; a triple that never occurs is."""
    with Lexicon.open(file) as lexicon:
        unknown: tuple[tuple[Callable[[], Any], str], ...] = (
            (lambda: lexicon.count("dgo/N", ">amod", "big/A"), "no lexeme dgo/N; there is dog/N"),
            (lambda: lexicon.count("dog/N", ">amod", ""), "no lexeme '', nor one"),
            (lambda: lexicon.count("dog/N", ">amd", "big/A"), "no relation amd; there is amod"),
            (lambda: lexicon.merged("dog/N", ">amod", "bigg/A"), "no lexeme bigg/A; there is big/A"),
            (lambda: lexicon.ways("dgo/N", "big/A"), "no lexeme dgo/N; there is dog/N"),
            (lambda: lexicon.left_out("dgo/N"), "no lexeme dgo/N; there is dog/N"),
        )
        for ask_of, said in unknown:
            with pytest.raises(QuestionError, match=said):
                ask_of()
        assert lexicon.count("dog/N", "<amod", "big/A") == 0
        assert lexicon.merged("d*", "<amod", "big/A") == 0
        assert lexicon.ways("dog/N", "cat/N") == []


def test_no_question_has_no_answer_and_no_note(file: Path) -> None:
    with Lexicon.open(file) as lexicon, warnings.catch_warnings():
        warnings.simplefilter("error")
        for ask_of in (lexicon.neighbours_each, lexicon.compose_each, lexicon.similarity_each):
            assert ask_of([]).rows == []


def test_options_that_name_nothing(file: Path, tmp_path: Path) -> None:
    """An empty name between commas; a file of words without a word; a size, by the option that it is given to."""
    told = ask("sketch", str(file), "dog/N", "--relations", "amod,").stderr
    assert "'amod,' has a comma with no name before or after it" in told
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
        with pytest.raises(QuestionError, match="no relation cas; there is"):
            lexicon.evidence("run/V", ">cas>obj", "dog/N")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("neighbours('dog/N', top := 2.7)", "top is 2.7"),
        ("neighbours('dog/N', top := 'nan'::DOUBLE)", "top is nan"),
        ("neighbours('dog/N', min_frequency := 1.5)", "min_frequency is 1.5"),
        ("neighbours('dog/N', anchor := 0.6)", "anchor is 0.6"),
        ("apt('dog/N', top_features := 1.5)", "top_features is 1.5"),
        ("apt('dog/N', min_count := 0.5)", "min_count is 0.5"),
        ("apt('dog/N', max_order := 0.5)", "max_order is 0.5"),
        ("explain('dog/N', 'dog/N', top := 1.5)", "top is 1.5"),
        ("diff('dog/N', 'dog/N', per_path := 1.5)", "per_path is 1.5"),
    ],
)
def test_numbers_that_are_not_whole(file: Path, question: str, said: str) -> None:
    """Cut or rounded in silence, each would answer another question."""
    with Lexicon.open(file) as lexicon:
        with pytest.raises(QuestionError, match=f"^{said}; expected a whole number$"):
            lexicon.sql(f"FROM {question}")
        assert lexicon.sql("SELECT count(*) FROM apt('dog/N', min_count := 1.0)").rows[0][0] > 0


def test_values_of_another_type_are_named(file: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"pos": 5}, "pos is 5; expected text"),
        ({"measure": 5}, "measure is 5; expected cosine, lin"),
        ({"min_frequency": "ten"}, "min_frequency is 'ten'; expected a whole number"),
        ({"head_weight": "x"}, "head_weight is 'x'; expected a number"),
        ({"aligned": "x"}, "aligned is 'x'; expected true or false"),
        ({"top": True}, "top is True; expected a whole number"),
        ({"top": "3"}, "top is '3'; expected a whole number"),
        ({"top": [3]}, r"top is \[3\]; expected a whole number"),
    ]
    with Lexicon.open(file) as lexicon:
        for parameters, said in wrong:
            with pytest.raises(QuestionError, match=f"^{said}"):
                lexicon.neighbours("dog/N", **parameters)
        expected = lexicon.neighbours("dog/N", top=3, head_weight=0.25, aligned=True).rows
        for quarter in (np.float32(0.25), Decimal("0.25")):
            given: dict[str, Any] = {"top": np.int64(3), "head_weight": quarter, "aligned": np.bool_(True)}
            assert lexicon.neighbours("dog/N", **given).rows == expected
        with pytest.raises(QuestionError, match="no subcorpus 1990"):
            lexicon.neighbours("dog/N", subcorpus=1990)  # type: ignore[arg-type]


def test_arguments_of_another_kind_are_named(file: Path, tmp_path: Path) -> None:
    """What a function would end with in Python's words, or DuckDB's, is one line, and nothing is half done."""
    long, opened = "x" * 100_000, cast(Callable[[object], Lexicon], Lexicon.open)
    wrong: list[tuple[Callable[[Any], object], str]] = [
        (lambda it: it.frames(b"dog"), "lexeme is b'dog'; expected text"),
        (lambda it: it.weigh(3), "name is 3; expected text"),
        (lambda it: it.plausible("_/N[amod dog/N]", 1.5), "candidates is 1.5; expected a list of lexemes"),
        (lambda it: it.remove(tmp_path), "corpus is PosixPath\\('.*; expected text"),
        (lambda it: it.add("\ud800"), r"'\\ud800' cannot be the name of a file"),
        (lambda it: it.add(long), "xxx… cannot be the name of a file; it is too long"),
        (lambda it: it.merge("\0"), r"'\\x00' cannot be the name of a file"),
        (lambda it: it.merge(None), "other is None; expected the name of a file"),
        (lambda it: it.add(file, skip_invalid=True, rejects="\ud800"), r"'\\ud800' cannot be the name of a file"),
        (lambda it: it.evaluate(None), "source is None; expected the name of a file"),
        (lambda it: it.rebuild(tmp_path / long), "cannot be the name of a file; it is too long"),
        (lambda _: opened(None), "file is None; expected the name of a file"),
        (lambda _: opened(b"x"), "file is b'x'; expected the name of a file"),
        (lambda _: opened(long), "cannot be the name of a file; it is too long"),
    ]
    with Lexicon.open(file) as lexicon:
        for ask, said in wrong:
            with pytest.raises(AptError, match=said):
                ask(lexicon)


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dogs, 45 of them big; twice the parser has taken the adjective for the head."""
    file = tmp_path_factory.mktemp("noisy") / "noisy.duckdb"
    wrong = [Token("big", "big", "A", "_", 0, "root"), Token("old", "old", "A", "_", 1, "amod")]
    sentences = [noun_phrase("dog", "big")] * 45 + [wrong] * 2 + [noun_phrase("cat", "old")] * 10
    with Lexicon.open(file, create=True) as lexicon:
        lexicon.add(io.BytesIO(conllu(sentences).encode()), name="noisy")
    return file


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
        with pytest.warns(NoSuchText, match=re.escape(said)):
            assert len(lexicon.evidence("big/A", ">amod").rows) == 2
        with pytest.warns(NoSuchText, match="old/A occurs 12 times along <amod, and never along >amod"):
            assert lexicon.evidence("old/A", ">amod").rows == []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert lexicon.evidence("big/A", "<amod").rows
    assert said in ask("evidence", noisy, "big/A", ">amod").stderr
