"""Questions of direct counts: each is answered as by a lexicon that has those counts and no others."""

import io
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon, LexiconError, QuestionError
from aptdb.core.errors import IncompleteDataWarning
from aptdb.core.result import Result
from support.animals import ANIMALS
from support.cases import read_table
from support.clients import change_file
from support.commands import ask
from support.corpora import COUNTS, corpus_file, tree, unpacked
from support.lexicons import lexicon_of
from support.runs import thorough
from twins.counting import count

pytestmark = pytest.mark.thorough

# Two clauses that are joined by the same relation: packed, each verb has both subjects.
JOINED = [
    tree(
        "go go VERB 0 root, he he PRON 3 nsubj, came come VERB 1 conj, she she PRON 5 nsubj, saw see VERB 1 conj, "
        "dog dog NOUN 5 obj, cat cat NOUN 3 obj"
    )
]
FEW: dict[str, Any] = {"min_frequency": 1, "pos": "any"}
QUESTIONS: dict[str, tuple[str, list[Any], dict[str, Any]]] = read_table("questions/of_direct_counts")


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of trees."""
    with Lexicon.open(lexicon_of(tmp_path_factory.mktemp("trees") / "trees.duckdb", {"a": ANIMALS, "b": JOINED})) as it:
        yield it


@pytest.fixture(scope="module")
def direct_only(trees: Lexicon, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon whose packed counts are the direct ones of the other."""
    lines = [
        "\t".join(map(str, row)) for row in trees.sql("SELECT * EXCLUDE (count) FROM cooccurrences").rows if row[3]
    ]
    content = "\n".join(["lexeme\tpath\tcontext\tcount", *lines, ""])
    with Lexicon.open(
        lexicon_of(tmp_path_factory.mktemp("direct") / "direct.duckdb", {"direct": content.encode()})
    ) as it:
        yield it


@cache
def asked(lexicon: Lexicon, name: str, **parameters: Any) -> Any:
    """Return the rows of a question, or its value; none of these lexicons changes."""
    question, arguments, own = QUESTIONS[name]
    found = getattr(lexicon, question)(*arguments, **own, **parameters)
    return found.rows if isinstance(found, Result) else found


@pytest.mark.parametrize("name", QUESTIONS)
def test_direct_counts_are_asked_like_any(trees: Lexicon, direct_only: Lexicon, name: str) -> None:
    found = asked(trees, name, counts="direct")
    assert found
    assert found == asked(direct_only, name, counts="packed")
    assert found != asked(trees, name, counts="packed")


def test_a_weighting_keeps_direct_counts(trees: Lexicon, direct_only: Lexicon) -> None:
    trees.weigh("direct_ppmi", counts="direct", keep=True)
    assert trees.stored.weightings()[0]["parameters"] == "counts := 'direct'"
    assert trees.neighbours("dog/NOUN", weights="direct_ppmi", **FEW).rows == asked(direct_only, "neighbours")
    with pytest.raises(QuestionError, match="direct_ppmi takes no counts"):
        trees.neighbours("dog/NOUN", weights="direct_ppmi", counts="packed")


def test_what_each_question_takes_by_default(trees: Lexicon) -> None:
    """Direct counts where counts are shown, packed ones where they are weighed."""
    for name in QUESTIONS:
        default = "direct" if name.startswith("sketch") else "packed"
        assert asked(trees, name) == asked(trees, name, counts=default)
    packed, direct = (count(JOINED, direct=each)["come/VERB", ">nsubj", "she/PRON"] for each in (False, True))
    assert (packed, direct) == (1, 0)
    said = "come/VERB", ">nsubj", "she/PRON"
    assert not trees.evidence(*said).rows
    assert trees.evidence(*said, counts="packed").column("pair") == ["merged"]
    assert sum(trees.counts_by(*said).column("count")) == 0
    assert sum(trees.counts_by(*said, counts="packed").column("count")) == 1
    assert dict(trees.info().rows)["direct nsubj"] == "4; packed 6 (+50%)"  # of two verbs, each has both subjects


def test_counts_without_direct_ones_say_so(tmp_path: Path) -> None:
    """Packed counts are shown instead, unless direct ones are asked for by name, or a subcorpus, which has trees."""
    file = lexicon_of(tmp_path / "mixed.duckdb", {"b": JOINED, "counts": COUNTS.encode()})
    with Lexicon.open(file) as lexicon:
        assert lexicon.sql("SELECT DISTINCT direct FROM cooccurrences").rows == [(None,)]
        assert dict(lexicon.sql("SELECT corpus, has_direct FROM corpora").rows) == {"b": True, "counts": False}
        assert (
            lexicon.sketch("dog/NOUN", everything=True).rows
            == lexicon.sketch("dog/NOUN", everything=True, counts="packed").rows
        )
        with pytest.warns(IncompleteDataWarning, match="was added as counts"):
            lexicon.subcorpus("b", "corpus = 'b'")
        assert ("<obj", "come/VERB") not in {
            (row["path"], row["context"]) for row in lexicon.sketch("dog/NOUN", subcorpus="b")
        }


def test_files_of_counts_with_direct_ones(tmp_path: Path) -> None:
    header = "lexeme\tpath\tcontext\tcount\tdirect\n"
    (tmp_path / "counts.tsv").write_text(header + "a/N\tε\ta/N\t5\t3\n", encoding="utf-8")
    assert ask("add", tmp_path / "new.duckdb", tmp_path / "counts.tsv").exit_code == 0
    with Lexicon.open(tmp_path / "new.duckdb") as lexicon:  # the tokens are those that meet themselves
        assert lexicon.sql("SELECT lexeme, frequency FROM lexemes").rows == [("a/N", 3)]


def arcs_in(text: str) -> tuple[Counter[tuple[str, str, str]], Counter[str]]:
    """Return the arcs of a treebank from both ends, and its lexemes, read line by line and without a tree."""
    found: Counter[tuple[str, str, str]] = Counter()
    lexemes: Counter[str] = Counter()
    for sentence in text.split("\n\n"):
        rows = [line.split("\t") for line in sentence.split("\n") if line[:1].isdigit()]
        words = {row[0]: f"{row[2].lower()}/{row[3]}" for row in rows if row[0].isdigit()}
        lexemes.update(words.values())
        for number, _, _, _, _, _, head, relation, *_ in rows:
            if number in words and head != "0":
                found[words[number], f"<{relation}", words[head]] += 1
                found[words[head], f">{relation}", words[number]] += 1
    return found, lexemes


@pytest.mark.parametrize("corpus", ["en_ewt", "ja_gsd_dev", "he_htb_small", *thorough(["en_novels_2m"])])
def test_sketches_are_what_the_file_has(tmp_path: Path, corpus: str) -> None:
    """Ten sketches: every number, and nothing left out."""
    arcs, lexemes = arcs_in(unpacked(corpus).decode())
    words = [word for word, _ in lexemes.most_common() if word.endswith(("/NOUN", "/VERB"))][5:100:10]
    with Lexicon.open(tmp_path / "l.duckdb", create=True, order=1) as lexicon:
        lexicon.add(corpus_file(corpus))
        for word in words:
            rows = lexicon.sketch(word, everything=True, top=None, min_count=1, score="raw_count")
            found = {(row["path"], row["context"]): row["count"] for row in rows if row["path"]}
            assert found == {(path, other): n for (own, path, other), n in arcs.items() if own == word}
    assert len(words) == 10


def test_two_sketches_have_counts_of_one_sort(tmp_path: Path) -> None:
    """Packed ones on both sides, if direct ones are not known of one; also where the whole is beside a subcorpus."""
    file = lexicon_of(tmp_path / "mixed.duckdb", {"b": JOINED, "counts": COUNTS.encode()})
    with Lexicon.open(file) as lexicon:
        with pytest.warns(IncompleteDataWarning, match="was added as counts"):
            lexicon.subcorpus("b", "corpus = 'b'")
        for sides in ({"subcorpus_b": "b"}, {"subcorpus": "b"}):
            given: dict[str, Any] = {**sides, "everything": True}
            if "subcorpus" in sides:
                given["subcorpus_b"] = None
                assert (
                    lexicon.sketch_diff("come/VERB", "see/VERB", **given).rows
                    == lexicon.sketch_diff("come/VERB", "see/VERB", **given, counts="direct").rows
                )
            else:
                assert (
                    lexicon.sketch_diff("come/VERB", **given).rows
                    == lexicon.sketch_diff("come/VERB", **given, counts="packed").rows
                )


@pytest.mark.filterwarnings("ignore:the stored weights:aptdb.StaleDataWarning")
def test_direct_weights_are_refused_when_they_are_not_known_any_more(tmp_path: Path) -> None:
    file = lexicon_of(tmp_path / "l.duckdb", {"b": JOINED})
    problem = "there are no direct counts of counts"
    with Lexicon.open(file) as lexicon:
        lexicon.weigh("of_direct", counts="direct", keep=True)
        lexicon.add(io.BytesIO(COUNTS.encode()), name="counts")
        with pytest.raises(QuestionError, match=problem):
            lexicon.sql("FROM of_direct")
        with pytest.raises(QuestionError, match=problem):
            lexicon.stored.refresh("of_direct", kind="weightings")
        assert lexicon.verify().rows == []
        lexicon.remove("counts")
        lexicon.stored.refresh("of_direct", kind="weightings")
        assert lexicon.sql("FROM of_direct").rows


@pytest.mark.filterwarnings("ignore:.* had other macros or views")
def test_what_a_corpus_records_is_verified(tmp_path: Path) -> None:
    file = lexicon_of(tmp_path / "l.duckdb", {"b": JOINED})
    change_file(file, "UPDATE _store.corpus SET has_direct = false")
    with Lexicon.open(file) as lexicon, pytest.raises(LexiconError, match="count them first: aptdb migrate"):
        lexicon.verify()
