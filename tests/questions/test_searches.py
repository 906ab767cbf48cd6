"""Words as people search them: patterns, regular expressions and forms, beside a search word by word."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import AptError, InterpretationWarning, Lexicon, Phrase, QuestionError
from aptdb.store.database import Database
from support.cases import read_cases
from support.commands import ask
from support.corpora import tree
from support.lexicons import Counted, lexicon_of
from support.runs import examples
from support.strategies import corpora, normalisations, spelt_corpora
from twins import searches
from twins.counting import Rules
from twins.trees import Token

TEXTS = (
    "*", "c*", "?at*", "*/N", "a?t/V", "/[ac].*/", "/.*a.*\\/V/", "/(?i)BEE.*/", "form:cats", "form:C*",
    "form:/.*[st]/", "form:é*", "_/N", "cat/N", "b*e/PUNCT", "form:*_*",
)  # fmt: skip


def text(value: str | None) -> str:
    """A text, or NULL, as SQL writes it."""
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


@pytest.mark.thorough
@examples(60, 4)
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
    places = "sentence[2:]::INTEGER - 1, position, context_position"
    found = database.rows(f"SELECT {places} FROM evidence({asked}, counts := 'packed')")
    expected = searches.hits(sentences, lemmas, lexeme, path, context, **settings)
    assert sorted(map(tuple, found)) == expected
    counts = database.rows(f"SELECT sum(count), sum(lexeme_count) FROM counts_by({asked}, counts := 'packed')")
    assert counts == [(len(expected), sum(searches.is_asked(lexeme, word, lemmas) for word in known))]


SENTENCES = [
    tree("Whispers whisper NOUN 2 nsubj, mean mean VERB 0 root, meanness meanness NOUN 2 obj, * * PUNCT 2 punct"),
    tree("He he PRON 2 nsubj, whispered whisper VERB 0 root, ? ? PUNCT 2 punct"),
]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of a few sentences, open."""
    with Lexicon.open(lexicon_of(tmp_path_factory.mktemp("searches") / "l.duckdb", {"few": SENTENCES})) as opened:
        yield opened


@pytest.mark.sampled(3)
@pytest.mark.parametrize(*read_cases("questions/found"))
def test_what_is_found(lexicon: Lexicon, lexeme: str, keywords: list[str]) -> None:
    """A text that is itself a lexeme is that lexeme, whatever signs it has."""
    found = lexicon.evidence(lexeme)
    assert found.column("keyword") == keywords
    assert lexicon.counts_by(lexeme).column("count") == [len(keywords)]
    assert lexicon.sql("FROM evidence($lexeme, NULL, NULL)", {"lexeme": lexeme}) == found


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore:.* → |capitals make no difference:aptdb.InterpretationWarning")
@pytest.mark.parametrize(*read_cases("questions/capitals"))
def test_capitals_of_forms_and_of_queries(lexicon: Lexicon, lexeme: str, query: str, keywords: list[str]) -> None:
    """The same letters after form: and in a test of form."""
    assert lexicon.evidence(lexeme).column("keyword") == lexicon.evidence(query).column("keyword") == keywords
    assert lexicon.sql("FROM evidence(cql($query), NULL, NULL)", {"query": query}).column("keyword") == keywords


@pytest.mark.thorough
def test_composed_letters(counted: Counted) -> None:
    """A letter is found, composed or not, however it is asked for."""
    database = counted([tree(f"{form} {form} NOUN 0 root") for form in ("\u00c9t\u00e9", "E\u0301te\u0301")])
    for form in ("\u00e9t\u00e9", "e\u0301te\u0301", "\u00e9*", "/(?-i)E\u0301.*/"):
        assert len(database.rows("FROM evidence('form:' || $form, NULL, NULL)", {"form": form})) == 2
    for form in ("\u00e9t\u00e9", "e\u0301te\u0301", "\u00e9.*", "(?-i)E\u0301.*"):
        query = f'[form="{form}"]'
        assert len(database.rows("FROM evidence(cql($query), NULL, NULL)", {"query": query})) == 2


@pytest.mark.thorough
def test_any_word_on_the_command_line(lexicon: Lexicon) -> None:
    """What the help says that * stands for; and that capitals of forms make no difference, unless (?-i) says so."""
    for form, rows in (("form:WHISPERS", 1), ('[form="WHISPERS"]', 1), ('[upos="verb"%c]', 2)):
        assert ask("evidence", lexicon.file, form, "--format", "tsv").stdout.count("\n") == rows + 1
    assert "no token has form (?-i)WHISPERS" in ask("evidence", lexicon.file, '[form="(?-i)WHISPERS"]').stderr
    for question, rows in {("*",): 7, ("*", ">obj"): 1, ("*", "*", "mean/VERB"): 4, ("*", ">obj", "meanness/NOUN"): 1,
                           ("mean/VERB", "*", "*"): 1, ("mean/VERB", "*"): 1, ("*", "*", "*"): 7}.items():  # fmt: skip
        assert ask("evidence", lexicon.file, *question, "--format", "tsv").stdout.count("\n") == rows + 1
        assert ask("counts-by", lexicon.file, *question, "--format", "tsv").stdout.splitlines()[1].split("\t")[1] == (
            str(rows)
        )


@pytest.mark.thorough
def test_merged_pairs_of_a_pattern(genres: Path) -> None:
    """As many as evidence of packed counts has beside the direct ones."""
    with Lexicon.open(genres) as lexicon:
        for triple in ((None, "<amod", "*s/NOUN"), ("a*", "<amod", "*s")):
            merged = [row["pair"] for row in lexicon.evidence(*triple, counts="packed")].count("merged")
            assert lexicon.count_packed_only(*triple) == merged
        assert lexicon.count_packed_only(None, "<amod", "*s/NOUN") > 0


def test_patterns_on_the_command_line(lexicon: Lexicon) -> None:
    shown = ask("evidence", lexicon.file, "whisp?r", "--format", "tsv")
    assert shown.stdout.count("whisper/") == 2
    assert shown.stderr == ""
    assert ask("counts-by", lexicon.file, "form:whispered").stdout.splitlines()[1].split("\t")[1] == "1"


def token_tests() -> st.SearchStrategy[searches.Test]:
    """A test with few values, so that it often passes."""
    values = {
        "form": ("Ant|Bee", "Cat", ".*t", "_", "(?i)ant|cat"),
        "word": ("A/B", "[ab].*"),
        "lemma": ("ant", "cat|ant", ".*/b", "[^a]*"),
        "upos": ("N", "V|N", "PUNCT", ".*"),
        "xpos": ("x", "y"),
        "deprel": ("r", "r:x|s", ".:.", "t"),
        "feats": ("_", "Number=Plur"),
    }
    return st.sampled_from([*values]).flatmap(
        lambda name: st.builds(searches.Test, st.just(name), st.booleans(), st.sampled_from(values[name]))
    )


def queries() -> st.SearchStrategy[list[searches.Element]]:
    """A few elements, of which one that must come has a test."""
    times = st.sampled_from(((1, 1), (1, 1), (0, 1), (0, 2), (1, 3), (2, 2)))
    elements = st.builds(
        lambda tests, many: searches.Element(tuple(tests), *many), st.lists(token_tests(), max_size=2), times
    )
    return st.lists(elements, min_size=1, max_size=4).filter(
        lambda query: any(element.tests and element.fewest for element in query)
    )


def shown(sentence: list[Token], begin: int, end: int) -> tuple[str, str]:
    """A sequence as evidence shows it: by itself, and in its sentence."""
    forms = [token.form for token in sentence]
    words = " ".join(forms[begin - 1 : end])
    return words, " ".join([*forms[: begin - 1], f"[{words}]", *forms[end:]])


def first_unmet(database: Database, query: list[searches.Element]) -> str | None:
    """The first tag or relation, with its alternatives, that no word of the lexicon has; None for an expression."""
    known: dict[str, set[str]] = {"deprel": {each for (each,) in database.rows("SELECT text FROM _store.relation")}}
    for tag in ("upos", "xpos"):
        known[tag] = {each for (each,) in database.rows(f"SELECT {tag} FROM _store.word")}
    tests = [test for element in query for test in element.tests if known.get(test.attribute)]
    named = [test for test in tests if test.pattern.replace(":", "").replace("|", "").isalnum()]
    unmet = [test for test in named if not known[test.attribute] & {*test.pattern.split("|")}]
    return f"{unmet[0].attribute} {unmet[0].pattern.split('|')[0]}" if unmet else None


def none_passes(sentences: list[list[Token]], query: list[searches.Element]) -> bool:
    """Whether some test that a query needs, no negated one, is passed by no token at all."""
    tests = [test for element in query if element.fewest for test in element.tests if not test.negated]
    tokens = [token for sentence in sentences for token in sentence]
    return any(not any(searches.passes(each, searches.Element((test,), 1, 1)) for each in tokens) for test in tests)


@pytest.mark.thorough
@examples(50, 4)
@given(corpora(), queries(), st.sampled_from(((), ("r",), ("s", "t"))))
def test_sequences_are_those_of_the_twin(
    counted: Counted, sentences: list[list[Token]], query: list[searches.Element], join: tuple[str, ...]
) -> None:
    """Of tokens as they are in the file, also where tokens are joined."""
    database = counted(sentences, lowercase=False, join=join)
    asked = text(searches.written(query))
    expected = searches.sequences(sentences, query)
    columns = "sentence[2:]::INTEGER - 1, position, keyword, text"
    if none_passes(sentences, query):
        with pytest.raises(QuestionError, match="no token has "):
            database.rows(f"FROM evidence(cql({asked}), NULL, NULL)")
        return
    if unmet := first_unmet(database, query):
        with pytest.raises(QuestionError, match=f"^no token has {unmet}; "):
            database.rows(f"FROM evidence(cql({asked}), NULL, NULL)")
        return
    rows = database.rows(f"SELECT {columns} FROM evidence(cql({asked}), NULL, NULL)")
    assert sorted(rows) == [(number, begin, *shown(sentences[number], begin, end)) for number, begin, end in expected]
    assert database.rows(f"SELECT sum(count) FROM counts_by(cql({asked}))") == [(len(expected),)]


@pytest.mark.thorough
def test_quoted_text_counts_for_no_limit(lexicon: Lexicon) -> None:
    """Signs of the query in an expression are text; and each limit itself may be reached."""
    tests = " & ".join([r'form="[^={1,2}\"[]*?"'] * 60)
    assert len(lexicon.evidence(f"[{tests}]", top=100)) == len(lexicon.evidence('[form=".*"]', top=100)) == 7
    assert len(lexicon.evidence('[upos="VERB"]' + "[]?" * 10)) > 0


@pytest.mark.thorough
def test_sequences_in_a_subcorpus_and_on_the_command_line(lexicon: Lexicon) -> None:
    query = '[upos="NOUN|PRON"] [upos="VERB"] []?'
    table = ask("evidence", lexicon.file, query, "--format", "table", "--top", "2")
    assert "Whispers mean" in table.stdout
    assert ask("counts-by", lexicon.file, query).stdout.splitlines()[1].split("\t")[1] == "2"
    assert ask("counts-by", lexicon.file, f"(?all) {query}").stdout.splitlines()[1].split("\t")[1] == "4"
    lexicon.subcorpus("second", "sent_id IS NULL AND corpus = 'few'")
    assert len(lexicon.evidence(f"(?all) {query}", subcorpus="second", best=True)) == 2
    lexicon.stored.forget("second", kind="subcorpora")
    assert lexicon.evidence('[upos="PRON" & lemma="mean"]').rows == []


SHAPES = ((), (0,), (0, 0), (0, 1), (0, 0, 1), (0, 0, 0))  # the places of the heads of the words after the root


def in_sql(parts: list[searches.Part]) -> str:
    """A phrase as SQL takes it."""

    def delta(part: searches.Part) -> str:
        return "" if part.head is None else f"<{part.relation}{delta(parts[part.head])}"

    return "[" + ", ".join(f"{{'lexeme': {text(part.lexeme)}, 'delta': '{delta(part)}'}}" for part in parts) + "]"


@pytest.mark.thorough
@examples(30, 4)
@given(corpora(6), st.sampled_from(SHAPES), st.sampled_from(((), ("r",), ("s", "t"))), st.data())
def test_occurrences_of_phrases_are_those_of_the_twin(
    counted: Counted, sentences: list[list[Token]], shape: tuple[int, ...], join: tuple[str, ...], data: st.DataObject
) -> None:
    database = counted(sentences, join=join)
    lexemes = st.sampled_from([lexeme for (lexeme,) in database.rows("SELECT lexeme FROM lexemes ORDER BY lexeme")])
    relations = st.sampled_from(("r", "s", "t", "r:x"))
    parts = [searches.Part(data.draw(lexemes), "", None)]
    parts += [searches.Part(data.draw(lexemes), data.draw(relations), head) for head in shape]
    paths = "".join(path for (path,) in database.rows("SELECT path FROM paths"))
    if any(f"<{part.relation}" not in re.split(r"(?=[<>])", paths) for part in parts[1:]):
        with pytest.raises(AptError, match=r"no relation |more than one word of the phrase may be the head of"):
            database.rows(f"FROM evidence({in_sql(parts)}, NULL, NULL)")
        assert searches.occurrences(sentences, parts, join=join) == []
        return
    if shape == (0, 0, 1) and parts[1].relation == parts[2].relation:
        with pytest.raises(AptError, match="more than one word of the phrase may be the head of"):
            database.rows(f"FROM evidence({in_sql(parts)}, NULL, NULL)")
        return
    expected = searches.occurrences(sentences, parts, join=join)
    found = database.rows(f"SELECT sentence[2:]::INTEGER - 1, position FROM evidence({in_sql(parts)}, NULL, NULL)")
    assert found == expected
    assert database.rows(f"SELECT sum(count) FROM counts_by({in_sql(parts)})") == [(len(expected),)]


def test_phrases_in_brackets_and_as_typed_words(lexicon: Lexicon) -> None:
    phrase = "mean/VERB[nsubj whisper/NOUN]"
    found = lexicon.evidence(phrase)
    assert found.column("keyword") == ["mean"]
    assert found == lexicon.evidence(Phrase.parse(phrase))
    with pytest.warns(InterpretationWarning, match=r"^whispers mean → mean/VERB\[nsubj whisper/NOUN\]"):
        assert found == lexicon.evidence("whispers mean")
    assert lexicon.counts_by(phrase).rows == [("few", 1, 7, 1e6 / 7, None, None)]
    assert "[mean]" in ask("evidence", lexicon.file, phrase, "--format", "tsv").stdout
    assert "→ mean/VERB" in ask("evidence", lexicon.file, "whispers mean").stderr
