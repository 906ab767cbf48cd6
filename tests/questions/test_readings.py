"""Words as people type them, read as phrases (meaning.md 7.6): the likeliest trees, what is said and refused."""

import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import InterpretationWarning, Lexicon, Phrase, QuestionError
from aptdb.questions.phrase_parser import KEPT, Choice, likeliest
from aptdb.questions.readings import list_typed_texts
from aptdb.store.statements import statement
from support.cases import read_cases, read_values
from support.clients import no_warnings
from support.commands import ask
from support.corpora import COUNTS, corpus_file, tree
from support.lexicons import Counted, lexicon_of
from support.runs import examples
from twins.readings import all_readings, splits, trees
from twins.trees import Token, conllu

CHASES = [
    tree("Dogs dog NOUN 2 nsubj, chase chase VERB 0 root, cats cat NOUN 2 obj"),
    tree(
        "A a DET 3 det, small small ADJ 3 amod, dog dog NOUN 4 nsubj, chases chase VERB 0 root, birds bird NOUN 4 obj"
    ),
    tree("The the DET 2 det, chase chase NOUN 3 nsubj, ended end VERB 0 root"),
    tree("small small ADJ 2 amod, cats cat NOUN 3 nsubj, sleep sleep VERB 0 root"),
]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of a few sentences, open."""
    with Lexicon.open(lexicon_of(tmp_path_factory.mktemp("read") / "l.duckdb", {"chases": CHASES})) as opened:
        yield opened


@given(st.integers(1, 4), st.integers(0, 10**9))
@examples(40)
def test_the_likeliest_trees_are_those_of_all_trees(size: int, seed: int) -> None:
    random = Random(seed)
    weights = [[random.uniform(-3, 0) for _ in range(random.randint(1, 2))] for _ in range(size)]
    roots = [[random.uniform(-3, 0) for _ in word] for word in weights]
    known: dict[object, list[tuple[float, str]]] = {}

    def arcs(head: Choice, dependent: Choice, between: Sequence[Choice] | None) -> list[tuple[float, str]]:
        key = (head, dependent, between if between is None else tuple(between))
        found = [(random.uniform(-5, 0), relation) for relation in "xy"[: random.randint(0, 2)]]
        return known.setdefault(key, found)

    expected = all_readings(weights, roots, arcs)
    found = likeliest(weights, roots, arcs)
    assert [each.score for each in found] == pytest.approx([reading[0] for reading in expected[:KEPT]])
    for one, (_, choices, heads, _) in zip(found, expected, strict=False):
        above = {arc.dependent: arc.head[0] + 1 for arc in one.arcs}
        assert [above.get(choice, 0) for choice in choices] == [*heads]


def test_how_many_trees_there_are() -> None:
    assert [len([*trees(size)]) for size in range(1, 5)] == [1, 2, 7, 30]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(*read_cases("questions/readings"))
def test_what_words_are_read_as(lexicon: Lexicon, text: str, phrase: str) -> None:
    found = lexicon.read(text)
    assert str(found[0].phrase) == phrase
    assert [each.share for each in found] == sorted((each.share for each in found), reverse=True)
    with pytest.warns(InterpretationWarning, match=" → ") as said:
        answer = lexicon.apt(text)
    assert str(said[0].message).splitlines()[0] == f"{text} → {found[0]}"
    assert answer == lexicon.apt(found[0].phrase)


def test_words_are_numbered_as_they_are_typed(lexicon: Lexicon) -> None:
    assert [word["lexeme"] for word in lexicon.read("dogs chase cats")[0].phrase.words()] == [
        "dog/NOUN", "chase/VERB", "cat/NOUN"
    ]  # fmt: skip


@pytest.mark.thorough
def test_each_question_reads_words(lexicon: Lexicon) -> None:
    dog = Phrase.parse("dog/NOUN[amod small/ADJ]")
    with pytest.warns(InterpretationWarning, match=r"^small dog → dog/NOUN\[amod small/ADJ\] \(amod 1\)"):
        assert lexicon.neighbours("small dog", top=2) == lexicon.neighbours(dog, top=2)
    with pytest.warns(InterpretationWarning, match=" → "):
        assert lexicon.similarity("small dog", "cats") == lexicon.similarity(dog, "cat/NOUN")
    with pytest.warns(InterpretationWarning, match=" → "):
        answer = lexicon.compose_each(["small dog", "dog/NOUN"])
    assert {*answer.column("phrase")} == {"small dog", "dog/NOUN"}
    assert answer == lexicon.compose_each({"small dog": dog, "dog/NOUN": "dog/NOUN"})


@pytest.mark.thorough
def test_questions_of_one_lexeme_read_a_word(lexicon: Lexicon) -> None:
    chase = r"^chase → chase/VERB \(1 token written so\)\nor chase/NOUN \(1 token written so\)$"
    with pytest.warns(InterpretationWarning, match=chase):
        assert lexicon.sketch("chase", min_count=1) == lexicon.sketch("chase/VERB", min_count=1)
    with pytest.warns(InterpretationWarning, match="^cats → "):
        assert lexicon.sketch_diff("dog/NOUN", "cats") == lexicon.sketch_diff("dog/NOUN", "cat/NOUN")
    with pytest.warns(InterpretationWarning, match="^dogs → "):
        assert lexicon.evidence("chase/VERB", None, "dogs") == lexicon.evidence("chase/VERB", None, "dog/NOUN")
    for question in (lexicon.frames, partial(lexicon.counts_by, by="corpus")):
        with pytest.warns(InterpretationWarning, match="^dogs → "):
            assert question("dogs") == question("dog/NOUN")


@pytest.mark.thorough
def test_words_on_the_command_line(lexicon: Lexicon) -> None:
    """They are told of once, though what a sketch leaves out is asked for apart."""
    answer = ask("sketch", lexicon.file, "cats", "--min-count", "1")
    assert answer.stderr.count("cats → cat/NOUN (2 tokens written so)") == 1
    assert answer.stdout == ask("sketch", lexicon.file, "cat/NOUN", "--min-count", "1").stdout
    answer = ask("evidence", lexicon.file, "cats", "*", "dogs")
    assert answer.stderr.count("→") == 2
    assert answer.stdout == ask("evidence", lexicon.file, "cat/NOUN", "*", "dog/NOUN").stdout


@pytest.mark.thorough
def test_lexemes_and_brackets_stay_what_they_are(tmp_path: Path) -> None:
    """Also where they look like words: a lexeme with a space, an entry, one without a part of speech."""
    with Lexicon.open(tmp_path / "l.duckdb", create=True, lexeme="{lemma}") as plain:
        spaced = [[Token("New York", "new york", "PROPN", "_", 0, "root")], *CHASES]
        plain.add(io.BytesIO(conllu(spaced).encode()), name="spaced")
        plain.save("small dog", "dog[amod small]")
        with no_warnings():
            for text in ("dog", "new york", "small dog", "dog[amod small]"):
                plain.apt(text)
        assert str(plain.read("small cats")[0].phrase) == "cat[amod small]"


@pytest.mark.thorough
def test_what_the_lexicon_leaves_out(tmp_path: Path) -> None:
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"chases": CHASES}, exclude_upos=("DET",))) as without:
        found = without.read("a small dog")[0]
        assert (str(found.phrase), found.left_out) == ("dog/NOUN[amod small/ADJ]", ("a",))
        assert str(found) == "dog/NOUN[amod small/ADJ] (amod 1, without a)"
        with pytest.raises(QuestionError, match=r"^'a' has no word that this lexicon counts; a phrase is written as"):
            without.read("a")


@pytest.mark.thorough
def test_counts_without_trees_are_read_by_lemma(tmp_path: Path) -> None:
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"counts.tsv": COUNTS.encode()})) as counted:
        assert str(counted.read("dog bark")[0].phrase) == "bark/VERB[nsubj dog/NOUN]"


@pytest.mark.thorough
def test_joined_words_are_one(tmp_path: Path) -> None:
    mayor = tree("New new PROPN 2 compound, York york PROPN 3 nmod, mayor mayor NOUN 0 root")
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"mayor": [mayor, *CHASES]}, join=("compound",))) as joining:
        assert str(joining.read("new york mayor")[0].phrase) == "mayor/NOUN[nmod new_york/PROPN]"


@pytest.mark.thorough
def test_on_the_command_line(lexicon: Lexicon) -> None:
    shown = ask("apt", lexicon.file, "small dog", "--readings", "--format", "csv")
    assert shown.stdout.splitlines()[:1] == ["phrase,share,counts"]
    assert shown.stdout.splitlines()[1].startswith("dog/NOUN[amod small/ADJ],")
    found = ask("neighbours", lexicon.file, "small dog", "dogs chase cats")
    assert "aptdb: small dog → dog/NOUN[amod small/ADJ] (amod 1)\n" in found.stderr
    assert {line.split("\t")[0] for line in found.stdout.splitlines()} == {"question", "small dog", "dogs chase cats"}
    assert "→" not in ask("neighbours", lexicon.file, "dog/NOUN[amod small/ADJ]").stderr


def test_plain_names_are_not_looked_for_among_words(lexicon: Lexicon) -> None:
    session = lexicon._session
    assert (
        list_typed_texts(
            session, ["dog/NOUN", "dgo/NOUN", "dog/NOUN[amod small/ADJ]", "", " \n", "a\0b", "dog/NOUN[amod"]
        )
        == []
    )


@pytest.mark.thorough
def test_phrases_of_a_treebank(english: Path) -> None:
    """Of what people wrote, eight in nine adjectives with a noun are read as they are annotated."""
    corpus_file("en_gum")
    pairs = (
        "open door, red wine, high school, young people, last year, new york, red car, old man, cold water, good idea"
    )
    with Lexicon.open(english) as opened:
        found = [str(opened.read(each.strip())[0].phrase) for each in pairs.split(",")]
    assert sum("[amod " in each for each in found) >= 8


PIECES = (*read_values("questions/pieces_of_contractions"),)
TYPED = ("doesn't", "Can’t", "mother's", "cannot", "n't", "don't")


@pytest.mark.thorough
@examples(60)
@given(st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6), min_size=1, max_size=5))
def test_how_contractions_are_split(counted: Counted, sentences: list[list[str]]) -> None:
    """Beside all runs of tokens. (What never stands side by side has its own test.)"""
    as_trees = [
        [Token(form, form, "X", "_", 0 if place == 0 else 1, "dep") for place, form in enumerate(sentence)]
        for sentence in sentences
    ]
    rows = [
        (word, tuple(parts), times, alone)
        for word, parts, times, alone in counted(as_trees).rows(
            statement("questions/readings/split"), {"words": [*TYPED]}
        )
    ]
    for word in TYPED:
        expected = splits(sentences, word)
        alone = sum(times for parts, times in expected.items() if len(parts) == 1)
        found = {parts: (times, whole) for each, parts, times, whole in rows if each == word}
        if expected:
            assert found == {parts: (times, alone) for parts, times in expected.items()}


SPLIT = """\
1-2\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdoes\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tmatter\tmatter\tVERB\t_\t_\t0\troot\t_\t_

1-2\tLondon's\t_\t_\t_\t_\t_\t_\t_\t_
1\tLondon\tLondon\tPROPN\t_\t_\t3\tnmod\t_\t_
2\t's\t's\tPART\t_\t_\t1\tcase\t_\t_
3\thouse\thouse\tNOUN\t_\t_\t0\troot\t_\t_

1\tmother\tmother\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\twhispers\twhisper\tVERB\t_\t_\t0\troot\t_\t_

1\tmother\tmother\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\twhispered\twhisper\tVERB\t_\t_\t0\troot\t_\t_

1\tA\ta\tDET\t_\t_\t2\tdet\t_\t_
2\twhisper\twhisper\tNOUN\t_\t_\t0\troot\t_\t_

1\twhisper\twhisper\tNOUN\t_\t_\t0\troot\t_\t_

1\tmother\tmother\tNOUN\t_\t_\t3\tnmod\t_\t_
2\t's\t's\tPART\t_\t_\t1\tcase\t_\t_
3\thouse\thouse\tNOUN\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture(scope="module")
def contracted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of words that are split, open."""
    with Lexicon.open(
        lexicon_of(tmp_path_factory.mktemp("contracted") / "l.duckdb", {"split": SPLIT.encode()})
    ) as opened:
        yield opened


@pytest.mark.parametrize(*read_cases("questions/contractions"))
def test_contractions_are_split_as_in_the_trees(contracted: Lexicon, text: str, phrase: str) -> None:
    assert str(contracted.read(text)[0].phrase) == phrase


def test_which_lexeme_a_word_is_taken_for_and_which_others_there_are(contracted: Lexicon) -> None:
    said = r"^whisper → whisper/NOUN \(2 tokens written so\)\nor whisper/VERB \(1 token written so\)$"
    with pytest.warns(InterpretationWarning, match=said):
        assert contracted.evidence("whisper") == contracted.evidence("whisper/NOUN")


@pytest.mark.thorough
def test_capitals_where_the_lexicon_is_in_lower_case(contracted: Lexicon, tmp_path: Path) -> None:
    with pytest.warns(InterpretationWarning, match=r"^London/PROPN → london/PROPN \(this lexicon is in lower case\)$"):
        assert contracted.evidence("London/PROPN") == contracted.evidence("london/PROPN")
    brackets = "House/NOUN[nmod London/PROPN]"
    for phrase in (brackets, Phrase.parse(brackets)):
        with pytest.warns(InterpretationWarning, match=r"→ house/NOUN\[nmod london/PROPN\] \(this"):
            assert contracted.apt(phrase) == contracted.apt(
                brackets.lower().replace("noun", "NOUN").replace("propn", "PROPN")
            )
    with pytest.raises(QuestionError, match=r"^no lexeme Paris/PROPN"):
        contracted.evidence("Paris/PROPN")
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"split": SPLIT.encode()}, lowercase=False)) as cased:
        assert len(cased.evidence("London/PROPN")) == 1
        with pytest.raises(QuestionError, match=r"^no lexeme Mother/NOUN; did you mean mother/NOUN"):
            cased.evidence("Mother/NOUN")
