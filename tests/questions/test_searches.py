"""Words as people search them: patterns, regular expressions and forms, beside a search word by word."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import AptError, Lexicon, QuestionError, WithoutTrees
from support.commands import ask
from support.corpora import COUNTS
from support.lexicons import Counted
from support.runs import examples
from support.strategies import normalisations, spelt_corpora
from twins import searches
from twins.counting import Rules
from twins.trees import Token, conllu

TEXTS = (
    "*", "c*", "?at*", "*/N", "a?t/V", "/[ac].*/", "/.*a.*\\/V/", "/(?i)BEE.*/", "form:cats", "form:C*",
    "form:/.*[st]/", "form:é*", "_/N", "cat/N", "b*e/PUNCT", "form:*_*",
)  # fmt: skip


def text(value: str | None) -> str:
    """A text, or NULL, as SQL writes it."""
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


@examples(60)
@given(
    spelt_corpora(),
    normalisations(),
    st.sampled_from(TEXTS),
    st.none() | st.sampled_from(TEXTS),
    st.booleans(),
    st.data(),
)
def test_hits_are_those_of_the_twin(
    counted: Counted,
    sentences: list[list[Token]],
    settings: dict[str, Any],
    lexeme: str,
    context: str | None,
    with_path: bool,
    data: st.DataObject,
) -> None:
    database = counted(sentences, **settings)
    lemmas = dict(database.rows("SELECT lexeme, lemma FROM lexemes"))
    paths = [path for (path,) in database.rows("SELECT path FROM paths ORDER BY path")]
    path = data.draw(st.sampled_from(paths)) if with_path and paths else None
    asked = ", ".join(map(text, (lexeme, path, context)))
    known = [*searches.words(sentences, Rules(**settings))]
    every = [each for each in (lexeme, context) if each is not None]
    if not all(any(searches.is_asked(each, word, lemmas) for word in known) for each in every):
        with pytest.raises(AptError, match=r"no (lexeme|form) "):
            database.rows(f"FROM evidence({asked})")
        return
    found = database.rows(f"SELECT sentence[2:]::INTEGER - 1, position, context_position FROM evidence({asked})")
    expected = searches.hits(sentences, lemmas, lexeme, path, context, **settings)
    assert sorted(map(tuple, found)) == expected
    counts = database.rows(f"SELECT sum(count), sum(lexeme_count) FROM counts_by({asked})")
    assert counts == [(len(expected), sum(searches.is_asked(lexeme, word, lemmas) for word in known))]


def word(form: str, lemma: str, upos: str, head: int, relation: str) -> Token:
    """A token without an XPOS."""
    return Token(form, lemma, upos, "_", head, relation)


SENTENCES = [
    [
        word("Whispers", "whisper", "NOUN", 2, "nsubj"),
        word("mean", "mean", "VERB", 0, "root"),
        word("meanness", "meanness", "NOUN", 2, "obj"),
        word("*", "*", "PUNCT", 2, "punct"),
    ],
    [
        word("He", "he", "PRON", 2, "nsubj"),
        word("whispered", "whisper", "VERB", 0, "root"),
        word("?", "?", "PUNCT", 2, "punct"),
    ],
]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of a few sentences, open."""
    with Lexicon.open(tmp_path_factory.mktemp("searches") / "l.duckdb", create=True) as opened:
        opened.add(io.BytesIO(conllu(SENTENCES).encode()), name="few")
        yield opened


@pytest.mark.parametrize(
    ("lexeme", "keywords"),
    [
        ("whisp?r", ["Whispers", "whispered"]),
        ("*ness", ["meanness"]),
        ("*/PUNCT", ["*"]),
        ("?/PUNCT", ["?"]),
        ("*/*PUNCT", ["*", "?"]),
        ("/(whisper|mean)/", ["Whispers", "mean", "whispered"]),
        ("form:Whispered", ["whispered"]),
        ("form:mean*", ["mean", "meanness"]),
        ("form:?", ["*", "?"]),
    ],
)
def test_what_is_found(lexicon: Lexicon, lexeme: str, keywords: list[str]) -> None:
    """A text that is itself a lexeme is that lexeme, whatever signs it has."""
    assert lexicon.evidence(lexeme).column("keyword") == keywords
    assert lexicon.counts_by(lexeme).column("count") == [len(keywords)]
    assert lexicon.sql("FROM evidence($lexeme, NULL, NULL)", {"lexeme": lexeme}) == lexicon.evidence(lexeme)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("*nezz",), r"^no lexeme is like \*nezz, nor one that is spelt nearly so; .* forms: form:\*nezz$"),
        (("whispe?s",), r"^no lexeme is like whispe\?s; there is whisper/NOUN, whisper/VERB; a pattern is of"),
        (("form:whisprr",), "^no form is whisprr; there is whisper/NOUN, whisper/VERB$"),
        (("he/PRON", None, "/[/"), r"^/\[/ is not a regular expression: missing \]"),
        (("form:/[/",), r"^form:/\[/ is not a regular expression: missing \]"),
        (("mean/VERB", None, "*x*"), r"^no lexeme is like \*x\*"),
    ],
)
def test_what_is_not_found(lexicon: Lexicon, asked: tuple[str | None, ...], said: str) -> None:
    for question in (lexicon.evidence, lexicon.counts_by):
        with pytest.raises(QuestionError, match=said):
            question(*asked)


def test_a_star_is_never_dropped(lexicon: Lexicon) -> None:
    """Questions of one lexeme or of a phrase take no patterns."""
    for question in (lexicon.sketch, lexicon.frames, lexicon.neighbours):
        with pytest.raises(QuestionError, match=r"^no lexeme \*mean"):
            question("*mean")
    with pytest.raises(QuestionError, match=r"^no word \*mean for 'he \*mean'"):
        lexicon.neighbours("he *mean")


def test_patterns_on_the_command_line(lexicon: Lexicon) -> None:
    shown = ask("evidence", lexicon.file, "whisp?r", "--format", "tsv")
    assert shown.stdout.count("whisper/") == 2
    assert shown.stderr == ""
    none = ask("evidence", lexicon.file, "whisp?r", "<obj", "*ness")
    assert "no sentence has whisp?r with *ness along <obj" in none.stderr
    assert ask("counts-by", lexicon.file, "form:whispered").stdout.splitlines()[1].split("\t")[1] == "1"


def test_patterns_where_counts_have_no_trees(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Lexicon.open(tmp_path_factory.mktemp("counts") / "l.duckdb", create=True) as counts:
        counts.add(io.BytesIO(COUNTS.encode()), name="counts.tsv")
        with pytest.warns(WithoutTrees, match="from counts.tsv, which came as counts"):
            assert not len(counts.evidence("d*g"))
