"""Lexical substitution: GAP beside its twin, files in the form of SemEval 2007, and a small set made up of the demo."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import DataSetError, IncompleteDataWarning, Lexicon, QuestionError
from aptdb.corpus import raw_text
from aptdb.evaluation.substitute_scores import (
    Seen,
    generalised_average_precision,
    read_gold,
    read_seen,
    take_words_around,
)
from support.commands import ask
from support.runs import examples
from twins import substitution as twin

ROWS = ("1\tgreen\tgreen\tADJ\t_\t_\t2\tamod\t_\t_", "2\tshoots\tshoot\tNOUN\t_\t_\t3\tnsubj\t_\t_",
    "3\twither\twither\tVERB\t_\t_\t0\troot\t_\t_")  # fmt: skip
XML = """<?xml version="1.0"?><corpus lang="english">
<lexelt item="shoot.n">
<instance id="7"><context>green <head>shoots</head> wither &amp; die</context></instance></lexelt>
</corpus>"""
GOLD = "shoot.n 7 :: leaf 3;flower 1;young plant 2;\nshoot.n 8 :: film 2;\nleaf.n 9 :: nosuchword 2;\n"


class OfSpaces:
    """A parser that hangs each word from the one before it."""

    def sentences(self, texts: list[str]) -> Iterator[list[list[str]]]:
        """Yield the sentences of each text, of which there is one."""
        for text in texts:
            rows = enumerate(text.split(), 1)
            yield [
                [f"{at}\t{word}\t{word}\tX\t_\t_\t{at - 1}\t{'dep' if at > 1 else 'root'}\t_\t_" for at, word in rows]
            ]


def in_conllu(item: str, target: int) -> str:
    """The sentence as CoNLL-U, for an item."""
    return "\n".join([f"# instance = {item}", f"# target = {target}", *ROWS, "", ""])


@examples(200)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6).filter(
        lambda e: any(w for _, w in e)
    )
)
def test_gap_is_that_of_the_twin(ranked: list[tuple[int, int]]) -> None:
    scores, weights = [float(score) for score, _ in ranked], [float(weight) for _, weight in ranked]
    assert generalised_average_precision(scores, weights) == pytest.approx(twin.gap(scores, weights))


def test_gap_by_hand() -> None:
    """Of 3, 0 and 2 in this order: (3 + 5/3) / (3 + 5/2)."""
    assert generalised_average_precision([0.9, 0.5, 0.1], [3, 0, 2]) == pytest.approx((3 + 5 / 3) / (3 + 5 / 2))
    assert generalised_average_precision([1, 1], [0, 2]) == 0.5  # of two that score alike the worse comes first


def test_gold(tmp_path: Path) -> None:
    file = tmp_path / "gold.txt"
    file.write_text(
        "bright.a 1 :: intelligent 3;very clever 2;\n\nbright.a 2 ::\nside.n 3 :: edge 1;\n", encoding="utf-8"
    )
    assert [(each.item, each.word, each.pos, each.given) for each in read_gold(file)] == [
        ("bright.a 1", "bright", "ADJ", {"intelligent": 3, "very clever": 2}),
        ("side.n 3", "side", "NOUN", {"edge": 1}),
    ]


def test_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsed, as XML, and between tabs: the same word is the target."""
    file = tmp_path / "sentences"
    file.write_text(in_conllu("shoot.n 7", 2), encoding="utf-8")
    assert read_seen(file, None) == [Seen("shoot.n 7", ROWS, 2)]
    monkeypatch.setitem(raw_text.PARSERS, "spaces", lambda *_: OfSpaces())
    for text in (XML, "shoot.n\t7\t1\tgreen shoots wither & die\n"):
        file.write_text(text, encoding="utf-8")
        [found] = read_seen(file, "spaces:x")
        assert (found.item, found.target) == ("shoot.n 7", 2)
        assert [row.split("\t")[1] for row in found.lines] == ["green", "shoots", "wither", "&", "die"]
        with pytest.raises(DataSetError, match=r"sentences is not CoNLL-U with comments .* name a parser"):
            read_seen(file, None)
    file.write_text("shoot.n\t7\t9\tgreen shoots\n", encoding="utf-8")
    with pytest.raises(DataSetError, match="sentences:1: expected four columns"):
        read_seen(file, "spaces:x")
    file.write_text(XML.replace("head>", "h>"), encoding="utf-8")
    with pytest.raises(DataSetError, match="instance 7 has no lexelt, or no <head> in its context"):
        read_seen(file, "spaces:x")


def test_words_around() -> None:
    """Of a chain of five, two steps either way; a word without a lexeme hides what is above it."""
    tree = {at: (at, f"w{at}", at - 1, f"r{at}") for at in range(1, 6)}
    assert take_words_around(tree, 4, 2) == [
        {"lexeme": "w4", "delta": "<r4<r3"}, {"lexeme": "w2", "delta": ""}, {"lexeme": "w3", "delta": "<r3"},
        {"lexeme": "w5", "delta": "<r5<r4<r3"},
    ]  # fmt: skip
    assert take_words_around({**tree, 3: (3, None, 2, "r3")}, 4, 2) == [
        {"lexeme": "w4", "delta": ""},
        {"lexeme": "w5", "delta": "<r5"},
    ]


@pytest.mark.thorough
def test_substitutes_beside_those_of_people(demo: Path, tmp_path: Path) -> None:
    gold, sentences = tmp_path / "gold.txt", tmp_path / "sentences.conllu"
    gold.write_text(f"{GOLD}leaf.n 10 :: green thing 2;\n", encoding="utf-8")
    seen = in_conllu("shoot.n 7", 2) + in_conllu("leaf.n 9", 2)
    sentences.write_text(seen + in_conllu("leaf.n 11", 2), encoding="utf-8")
    phrase = "wither/VERB[nsubj shoot/NOUN[amod green/ADJ]]"
    with Lexicon.open(demo) as lexicon:
        with pytest.warns(IncompleteDataWarning, match="left out, because nobody gave substitutes: leaf.n 11"):
            found = lexicon.eval.rate_substitutes(gold, sentences, merge="min")
        sentences.write_text(seen, encoding="utf-8")
        best = lexicon.substitutes(phrase, anchor=2, merge="min", top=1).rows[0][0]
        pool = ["film/NOUN", "flower/NOUN", "leaf/NOUN"]
        known = [each for each in pool if each in lexicon]
        scores = [
            [lexicon.similarity(asked, each, anchor=1, merge="min") or 0 if each in known else 0.0 for each in pool]
            for asked in ([{"lexeme": "shoot/NOUN", "delta": "<nsubj"}, {"lexeme": "green/ADJ", "delta": "<amod<nsubj"},
                {"lexeme": "wither/VERB", "delta": ""}], "shoot/NOUN")
        ]  # fmt: skip
        with pytest.raises(QuestionError, match="rate_substitutes takes no anchor"):
            lexicon.eval.rate_substitutes(gold, sentences, anchor=2)
        with pytest.raises(QuestionError, match="similarity_each takes no tops"):
            lexicon.eval.rate_substitutes(gold, sentences, tops=2)  # type: ignore[call-arg]
    first, second = found
    assert (first["item"], first["lexeme"], first["best"], first["words"]) == ("shoot.n 7", "shoot/NOUN", best, 3)
    assert first["right"] == (best in ("leaf/NOUN", "flower/NOUN"))
    assert [first["gap"], first["gap_alone"]] == pytest.approx([twin.gap(each, [0, 1, 3]) for each in scores])
    assert (second["item"], second["candidates"], second["gap"]) == ("leaf.n 9", 1, 1.0)
    assert found.missing == ("shoot.n 8", "leaf.n 10")
    assert found.gap[0] == pytest.approx((first["gap"] + 1) / 2)
    said = ask("eval", "substitutes", demo, gold, sentences, "--merge", "min").stderr
    assert "2 items: GAP " in said
    assert "a counted word or a substitute of one word is missing: shoot.n 8, leaf.n 10" in said
