"""Word sketches and lists of lexemes: beside their twins, in words, and as people see them."""

import fnmatch
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.commands.sketches import count_page_columns
from aptdb.core.errors import QuestionError
from aptdb.store.statements import literal as quoted
from support.animals import ANIMALS, sentence
from support.clients import change_file
from support.commands import ask
from support.corpora import COUNTS, TREES
from support.lexicons import Counted, copied, lexicon_of
from support.runs import examples
from support.strategies import corpora
from twins import sketches
from twins.counting import count, frequencies
from twins.trees import Token

NOTE = "aptdb: direct counts, of pairs in the trees themselves; --counts packed shows those of packed trees\n"
SCORES = ("log_dice", "ppmi", "pmi", "lmi", "raw_count", "probability")
TOPS = st.sampled_from((None, 1, 2, 5))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some sentences about dogs and cats."""
    return lexicon_of(tmp_path_factory.mktemp("animals") / "animals.duckdb", {"animals": ANIMALS, "more": TREES})


@pytest.fixture(scope="module")
def animals(file: Path) -> Iterator[Lexicon]:
    """Their lexicon."""
    with Lexicon.open(file) as lexicon:
        yield lexicon


@st.composite
def asked(draw: st.DrawFn) -> dict[str, Any]:
    """Parameters of a sketch, as the twin takes them."""
    return {
        "score": draw(st.sampled_from(SCORES)),
        "max_order": draw(st.integers(0, 2)),
        "top": draw(TOPS),
        "top_relations": draw(TOPS),
        "min_count": draw(st.integers(1, 2)),
        "everything": draw(st.booleans()),
        "counts": draw(st.sampled_from(("packed", "direct"))),
    }


def written(parameters: dict[str, Any]) -> str:
    """Parameters in SQL."""
    return ", ".join(f"{name} := {'NULL' if value is None else repr(value)}" for name, value in parameters.items())


def alike(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> bool:
    """Whether two lists of rows are the same but for rounding of scores."""
    return len(found) == len(expected) and all(
        one == other or (isinstance(one, float | int) and one == pytest.approx(other, rel=1e-9, abs=1e-9))
        for row, wanted in zip(found, expected, strict=True)
        for one, other in zip(row, wanted, strict=True)
    )


@examples(40, 3)
@given(corpora(), asked(), st.data())
def test_a_sketch_equals_the_twin(
    counted: Counted, sentences: list[list[Token]], parameters: dict[str, Any], data: st.DataObject
) -> None:
    database, known = counted(sentences), frequencies(sentences)
    of = parameters["counts"]
    counts = count(sentences, direct=of == "direct")
    parameters["min_count"] = min(parameters["min_count"], max(counts.values(), default=1))  # more is refused
    a, b = (data.draw(st.sampled_from(sorted(known))) for _ in range(2))
    labels = [label for (label,) in database.rows("SELECT label FROM _store.relation WHERE label <> 'root'")]
    named = data.draw(st.none() | st.lists(st.sampled_from(["ε", *labels]), min_size=1, max_size=2))
    if named is not None and {*named} - {"ε"} <= {path[1:] for _, path, _ in counts if path.count("<") == 1}:
        parameters["relations"] = named
    rows = database.rows(f"FROM sketch({quoted(a)}, {written(parameters)})")
    if parameters.pop("counts") == "direct" and parameters["score"] == "log_dice":
        assert rows == database.rows(f"FROM sketch({quoted(a)}, {written(parameters)})")  # they are the default
    expected: list[Any] = [*sketches.sketch(counts, known, a, **parameters)]
    assert alike([(path, *rest) for path, _, *rest in rows], expected)
    if a != b:
        rows = database.rows(f"FROM sketch_diff({quoted(a)}, {quoted(b)}, {written({**parameters, 'counts': of})})")
        expected = [*sketches.sketch_diff(counts, known, a, b, **parameters)]
        assert alike([(path, *rest) for path, _, *rest in rows], expected)


@pytest.mark.thorough
@examples(20)
@given(corpora(), st.integers(1, 2), st.data())
def test_examples_are_the_best_evidence(
    counted: Counted, sentences: list[list[Token]], order: int, data: st.DataObject
) -> None:
    database = counted(sentences)
    word = data.draw(st.sampled_from(sorted(frequencies(sentences))))
    shown = f"max_order := {order}, everything := true, top := NULL"
    rows = database.rows(f"FROM sketch({quoted(word)}, {shown}, examples := true)")
    assert [row[:-1] for row in rows] == database.rows(f"FROM sketch({quoted(word)}, {shown})")
    for path, _, context, _, _, example in rows:
        best = f"evidence({quoted(word)}, {quoted(path)}, {quoted(context)}, best := true, top := 1)"
        assert database.rows(f"SELECT text FROM {best}") == [(example,)]


@pytest.mark.thorough
@pytest.mark.parametrize("score", ["log_dice", "lmi", "raw_count"])
def test_scores_are_weights_of_direct_counts(genres: Path, score: Any) -> None:
    """On a treebank, along every path; the view of logDice, of packed counts, differs from both."""
    with Lexicon.open(genres) as lexicon:
        rows = lexicon.sketch("question/NOUN", score=score, max_order=2, everything=True, min_count=1, top=None)
        scores = {(row["path"], row["context"]): row["score"] for row in rows}
        asked = f"SELECT path, context, weight FROM {score}"
        of_one = "WHERE lexeme = 'question/NOUN' AND path IN (SELECT path FROM paths WHERE path_order <= 2)"
        direct = lexicon.sql(f"{asked}(counts := 'direct') {of_one}")
        weights = {(path, context): weight for path, context, weight in direct.rows}
        assert scores == pytest.approx(weights)
        assert len(scores) > 50
        packed = {(path, context): weight for path, context, weight in lexicon.sql(f"{asked} {of_one}").rows}
        assert score != "log_dice" or packed != pytest.approx(weights)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("score", "everything"), [("log_dice", True), ("pmi", False), ("raw_count", True)])
def test_words_near_by_are_those_of_the_twin(animals: Lexicon, score: Any, everything: bool) -> None:
    tokens = [*animals.sql("SELECT sentence, position, lexeme FROM tokens")]
    frequency = Counter(row["lexeme"] for row in tokens if row["lexeme"])
    met: Counter[str] = Counter()
    for one in tokens:
        for other in tokens:
            near = one["sentence"] == other["sentence"] and 0 < abs(one["position"] - other["position"]) <= 2
            if one["lexeme"] == "dog/NOUN" and near and other["lexeme"]:
                met[other["lexeme"]] += 1
    found = animals.sketch("dog/NOUN", span=2, score=score, everything=everything, top=None, min_count=1)
    if everything:
        assert dict(zip(found.column("context"), found.column("count"), strict=True)) == met
    assert set(found.column("relation")) == {"within 2"}
    for row in found:
        both, own, other_count = row["count"], frequency["dog/NOUN"], frequency[row["context"]]
        assert row["score"] == pytest.approx({
            "raw_count": both, "log_dice": 14 + math.log2(2 * both / (own + other_count)),
            "pmi": math.log(both * len(tokens) / (4 * own * other_count)),
        }[score])  # fmt: skip
    with pytest.raises(QuestionError, match="span takes all words near by, whatever their path, so no relations"):
        animals.sketch("dog/NOUN", span=2, relations=["amod"])


def test_relations_in_words(animals: Lexicon) -> None:
    shown = animals.sketch("dog/NOUN", max_order=2, everything=True)
    words = dict(zip(shown.column("path"), shown.column("relation"), strict=True))
    expected = {
        "": "dog itself, and words in its place",
        ">amod": "adjectives that modify dog",
        ">det": "determiners of dog",
        "<obj": "verbs with dog as object",
        "<nsubj": "predicates with dog as subject",
        "<nsubj>obj": "objects of predicates with dog as subject",
        "<nmod:of": "nouns that dog modifies (nmod:of)",
        "<nmod:of>amod": "adjectives that modify nouns that dog modifies (nmod:of)",
        ">conj": "what is joined to dog",
        ">xyz": ">xyz",
    }
    assert {path: words[path] for path in expected} == expected


def test_every_relation_in_words_is_told_once(animals: Lexicon) -> None:
    """No two relations of a direction have the same words, but for those of the two standards, and each has its %."""
    rows = animals.sql("SELECT relation, up, down FROM _store.relation_words").rows
    assert len({relation for relation, *_ in rows}) == len(rows)
    assert all(words.count("%") == 1 for _, *both in rows for words in both)
    universal = animals.sql("SELECT relation, up, down FROM _store.universal_words").rows
    for direction in (1, 2):
        assert len({row[direction] for row in universal}) == len(universal)


def test_what_is_left_out(animals: Lexicon) -> None:
    paths = {*animals.sketch("dog/NOUN").column("path")}
    assert {">det", ">case", ""}.isdisjoint(paths)
    everything = {*animals.sketch("dog/NOUN", everything=True).column("path")}
    assert everything == paths | {">det", ">case", ""}
    assert animals.left_out_of_sketch("dog/NOUN").rows == [(2, 0, 1, "direct", None)]
    assert animals.left_out_of_sketch("dog/NOUN", min_count=2, everything=True).rows[0][0] == 0
    assert {*animals.sketch("dog/NOUN", relations=["ε", ">amod"]).column("path")} == {"", ">amod"}
    assert {*animals.sketch("dog/NOUN", relations=["obj"], max_order=2).column("path")} >= {"<obj", "<obj>nsubj"}


def test_two_sketches(animals: Lexicon) -> None:
    rows = animals.sketch_diff("dog/NOUN", "cat/NOUN", relations=["amod"])
    assert {(row["meets"], row["context"]) for row in rows} == {
        ("a", "big/ADJ"), ("a", "good/ADJ"), ("both", "small/ADJ"),
    }  # fmt: skip
    assert {*rows.column("relation")} == {"adjectives that modify dog/cat"}
    turned = animals.sketch_diff("cat/NOUN", "dog/NOUN", relations=["amod"])
    assert {row["context"] for row in turned if row["meets"] == "b"} == {"big/ADJ", "good/ADJ"}


@pytest.mark.thorough
def test_one_word_in_two_subcorpora(file: Path, tmp_path: Path) -> None:
    copy = copied(file, tmp_path)
    with Lexicon.open(copy) as lexicon:
        lexicon.subcorpus("animals", "corpus = 'animals'")
        lexicon.subcorpus("more", "corpus = 'more'")
        rows = lexicon.sketch_diff("dog/NOUN", subcorpus="animals", subcorpus_b="more", relations=["amod"]).rows
        assert [row[2:6] for row in rows] == [("a", "big/ADJ", 2, 0), ("b", "good/ADJ", 0, 1), ("b", "small/ADJ", 0, 1)]
        alone = lexicon.sketch("dog/NOUN", subcorpus="more")
    small = lexicon_of(tmp_path / "more.duckdb", {"more": TREES})
    with Lexicon.open(small) as lexicon:
        assert lexicon.sketch("dog/NOUN") == alone


@pytest.mark.thorough
def test_counts_without_trees_have_no_examples(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        (tmp_path / "counts.tsv").write_text(COUNTS, encoding="utf-8")
        lexicon.add(tmp_path / "counts.tsv")
        assert lexicon.sketch("dog/NOUN", examples=True).column("example") == [None]


@pytest.mark.thorough
@examples(30)
@given(corpora(), st.text("ab*?ntcev/NV", max_size=4), st.booleans())
def test_lexemes_like_a_pattern(counted: Counted, sentences: list[list[Token]], pattern: str, is_glob: bool) -> None:
    database, known = counted(sentences), frequencies(sentences)
    expression = fnmatch.translate(pattern) if is_glob else re.escape(pattern)
    given_ = quoted(pattern if is_glob else re.sub(r"([*?])", r"\\\1", pattern))
    like = {
        lexeme: number
        for lexeme, number in known.items()
        if re.fullmatch(expression, lexeme) or re.fullmatch(expression, lexeme.rpartition("/")[0])
    }
    rows = database.rows(f"FROM lexemes(pattern := {given_}, regex := {not is_glob})")
    assert [(row[0], row[3]) for row in rows] == sorted(like.items(), key=lambda item: (-item[1], item[0]))
    tagged = database.rows(f"FROM lexemes(pattern := {given_}, regex := {not is_glob}, sort := 'lexeme', top := 2)")
    assert [row[0] for row in tagged] == sorted(like)[:2]


def test_lexemes_of_a_form(animals: Lexicon) -> None:
    """Capitals make no difference, and each lexeme that is written so is listed with all its tokens."""
    written = animals.sql("SELECT DISTINCT lexeme FROM tokens WHERE lower(form) LIKE '%dog%' AND lexeme IS NOT NULL")
    assert {*animals.lexemes("form:*DOG*").column("lexeme")} == {*written.column("lexeme")}
    assert animals.lexemes("form:dog", pos="NOUN").rows == [("dog/NOUN", "dog", "NOUN", 6)]
    with pytest.warns(match="no form is dgo"):
        assert animals.lexemes("form:dgo").rows == []


def test_lexemes_with_brackets_and_tags(animals: Lexicon) -> None:
    assert animals.lexemes("[brown]/X").column("lexeme") == ["[brown]/X"]
    assert animals.lexemes("[bd]*").column("lemma") == ["dog", "big", "dogs"]
    assert animals.lexemes("dog", pos="NOUN").rows == [("dog/NOUN", "dog", "NOUN", 6)]
    assert animals.lexemes("d.g|cat", regex=True).column("lemma") == ["dog", "cat"]
    assert animals.lexemes(pos="DET", min_frequency=1, sort="lexeme").column("lemma") == ["a", "the"]
    assert animals.lexemes("?", pos="DET").column("lemma") == ["a"]


# On a terminal
@pytest.mark.parametrize(("width", "columns"), [(40, 1), (70, 1), (80, 2), (119, 3), (120, 3), (200, 3)])
def test_columns_of_a_terminal(width: int, columns: int) -> None:
    assert count_page_columns(width) == columns if width != 119 else count_page_columns(width) in (2, 3)


@pytest.mark.thorough
@pytest.mark.parametrize("width", [30, 50, 80, 120, 200])
@pytest.mark.parametrize(
    "command",
    [
        ("sketch", "dog/NOUN", "--order", "2", "--all"),
        ("sketch", "dog/NOUN", "--examples"),
        ("sketch", "dog/NOUN", "--against", "cat/NOUN"),
    ],
)
def test_pages_fit_the_terminal(
    file: Path, width: int, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    found = ask(command[0], file, *command[1:], "--format", "table")
    assert found.exit_code == 0
    assert max(map(len, found.stdout.splitlines())) <= width
    assert "big/ADJ" in found.stdout


@pytest.mark.thorough
def test_a_sketch_as_people_see_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    found = ask("sketch", file, "dog/NOUN", "--relations", "amod,<obj", "--format", "table")
    assert found.stdout.splitlines() == [
        "                           count score                              count score",
        "adjectives that modify dog       >amod   verbs with dog as object          <obj",
        "  big/ADJ                      2 13.42     eat/VERB                     1 14.00",
        "  good/ADJ                     1 12.68",
        "  small/ADJ                    1 12.19",
        "",
    ]
    assert found.stderr == NOTE
    shown = ask("sketch", file, "dog/NOUN", "--relations", "amod", "--format", "tsv").stdout
    assert shown.splitlines()[0] == "path\trelation\tcontext\tcount\tscore"


@pytest.mark.thorough
def test_what_a_terminal_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    found = ask("sketch", file, "dog/NOUN", "--format", "table")
    assert "the 4 strongest of 6 relations; --top-relations N shows more" in found.stderr
    assert "left out: ε and 2 function words (DET, PUNCT, ...); --all shows them" in found.stderr
    assert (
        ask("lexemes", file, "dog", "--pos", "NOUN").stdout == "lexeme\tlemma\tpos\tfrequency\ndog/NOUN\tdog\tNOUN\t6\n"
    )


def test_a_sketch_of_a_real_lexicon(english: Path) -> None:
    """Its counts and scores are those of the views; and what a linguist expects of *dog* is there."""
    with Lexicon.open(english) as lexicon:
        rows = lexicon.sketch("dog/NOUN", top=None, everything=True, relations=["amod", "obj", "nsubj", "conj"])
        known = {
            row[1:3]: row[3:]
            for row in lexicon.sql(
                "SELECT s.lexeme, s.path, s.context, c.direct, s.weight FROM log_dice(counts := 'direct') AS s "
                "JOIN cooccurrences AS c USING (lexeme, path, context) WHERE s.lexeme = 'dog/NOUN'"
            ).rows
        }
        assert rows.rows
        for path, _, context, number, score in rows.rows:
            assert known[path, context] == (number, pytest.approx(score))
        assert "walk/VERB" in lexicon.sketch("dog/NOUN", relations=["<obj"]).column("context")
        assert "cat/NOUN" in lexicon.sketch("dog/NOUN", relations=[">conj"]).column("context")
        text = lexicon.sketch("dog/NOUN", relations=["<obj"], examples=True, top=3).column("example")
        assert all("[dog" in each.lower() for each in text)


@pytest.mark.thorough
def test_stanford_labels_have_words(tmp_path: Path) -> None:
    tree = sentence(("dogs", "NNS", 2, "nsubjpass"), ("chased", "VBN", 0, "root"), ("cats", "NNS", 2, "dobj"))
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"stanford": [tree]})) as lexicon:
        words = lexicon.sketch("chased/VBN").column("relation")
    assert sorted(words) == ["objects of chased", "passive subjects of chased"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("tokens", "least"), [(499_999, 1), (500_000, 2), (5_000_000, 3), (30_000_000, 4), (100_000_000, 5)]
)
def test_the_default_of_min_count_follows_the_size(file: Path, tmp_path: Path, tokens: int, least: int) -> None:
    large = copied(file, tmp_path / "large.duckdb")
    change_file(large, f"UPDATE _store.corpus SET tokens = CASE id WHEN 1 THEN {tokens} ELSE 0 END")
    with Lexicon.open(large) as lexicon:
        assert lexicon.left_out_of_sketch("dog/NOUN").column("least_count") == [least]
        shown = lexicon.sketch("dog/NOUN", everything=True)
        assert {row["count"] >= least for row in shown} <= {True}
        assert [*shown] == [*lexicon.sketch("dog/NOUN", everything=True, min_count=least)]
