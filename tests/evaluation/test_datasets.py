"""Data sets of all forms, recognised and named, as their publishers write them; and what is wrong with others."""

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from aptdb import DataSetError
from aptdb.evaluation.datasets import DataSet, read_dataset
from support.corpora import SHARED

ML2010 = """participant type ver s1lemma1 s1lemma2 s2lemma1 s2lemma2 rating
p1 verbobjects 2 knowledge use influence exercise 5
p2 verbobjects 2 knowledge use influence exercise 6
p1 adjectivenouns 1 social activity economic condition 3
p3 compoundnouns 1 tv set bedroom window 1
"""
ML2008 = """participant verb noun landmark input hilo
p20 stray thought roam 7 low
p21 stray thought roam 2 low
p20 stray eye roam 7 high
"""
LANDMARKS = """participant verb subject object landmark input hilo
p1 provide family home supply 2 LOW
p2 provide family home supply 4 LOW
"""
SENTENCES = (
    "subject1 verb1 object1 subject2 verb2 object2 score\nman pull rope dog chase cat 2\nman pull rope boy tug rope 6\n"
)
SIMLEX = """word1	word2	POS	SimLex999	conc(w1)	conc(w2)
old	new	A	1.58	2.72	2.81
go	come	V	2.42	3.5	3.9
wife	husband	N	2.30	5	5.1
"""


def read(folder: Path, text: str, **how: Any) -> DataSet:
    """A data set of such a text."""
    file = folder / "set.txt"
    file.write_text(text, encoding="utf-8")
    return read_dataset(file, **how)


def shown(data: DataSet) -> list[tuple[object, ...]]:
    """Its items as texts and numbers."""
    return [(item.part, str(item.a), str(item.b), [value for _, value in item.ratings]) for item in data.items]


def test_mitchell_and_lapata_2010(tmp_path: Path) -> None:
    data = read(tmp_path, ML2010)
    assert data.format == "ml2010"
    assert shown(data) == [
        ("verbobjects", "use/VERB[obj knowledge/NOUN]", "exercise/VERB[obj influence/NOUN]", [5, 6]),
        ("adjectivenouns", "activity/NOUN[amod social/ADJ]", "condition/NOUN[amod economic/ADJ]", [3]),
        ("compoundnouns", "set/NOUN[compound tv/NOUN]", "window/NOUN[compound bedroom/NOUN]", [1]),
    ]
    assert data.parts() == ["adjectivenouns", "compoundnouns", "verbobjects"]
    assert data.items[0].ratings == (("p1", 5), ("p2", 6))
    assert data.has_phrases()
    assert data.has_participants()
    headless = read(tmp_path, ML2010.partition("\n")[2])
    assert headless.items == data.items


def test_mitchell_and_lapata_2008(tmp_path: Path) -> None:
    data = read(tmp_path, ML2008)
    assert data.format == "ml2008"
    assert shown(data) == [
        ("all", "stray/VERB[nsubj thought/NOUN]", "roam/VERB", [7, 2]),
        ("all", "stray/VERB[nsubj eye/NOUN]", "roam/VERB", [7]),
    ]
    assert read(tmp_path, ML2008.partition("\n")[2]).items == data.items
    both = read(tmp_path, ML2008, landmark_in_context=True)
    assert str(both.items[1].b) == "roam/VERB[nsubj eye/NOUN]"


def test_mitchell_and_lapata_2008_in_other_columns(tmp_path: Path) -> None:
    """As a head names them; without one, by the participants in front, or by what the ratings were to be."""
    expected = [("all", "glow/VERB[nsubj fire/NOUN]", "burn/VERB", [7])]
    for text in (
        "participant noun verb landmark input hilo\np1 fire glow burn 7 high\n",
        "verb landmark noun input\nglow burn fire 7\n",
    ):
        assert shown(read(tmp_path, text)) == expected
    for row in ("p{} glow fire burn 7", "p{} glow fire burn 7 HIGH"):
        data = read(tmp_path, f"{row.format(1)}\n{row.format(2)}\n")
        assert (data.format, shown(data)) == ("ml2008", [("all", "glow/VERB[nsubj fire/NOUN]", "burn/VERB", [7, 7])])


def test_transitive_sentences_with_a_landmark(tmp_path: Path) -> None:
    data = read(tmp_path, LANDMARKS)
    assert (data.format, data.has_participants()) == ("verb-landmark", True)
    assert shown(data) == [("all", "provide/VERB[nsubj family/NOUN, obj home/NOUN]", "supply/VERB", [2, 4])]
    headless = read(tmp_path, LANDMARKS.partition("\n")[2])
    assert headless.items == data.items
    text = "provide family home supply 2\nprovide family home leave 4\n"
    plain = read(tmp_path, text, format="verb-landmark", landmark_in_context=True)
    assert (plain.format, plain.has_participants()) == ("verb-landmark", False)
    assert shown(plain)[1][2] == "leave/VERB[nsubj family/NOUN, obj home/NOUN]"


@pytest.mark.parametrize("text", [SENTENCES, SENTENCES.partition("\n")[2], SENTENCES.replace(" ", "\t")])
def test_two_transitive_sentences(tmp_path: Path, text: str) -> None:
    data = read(tmp_path, text, format=None if "score" in text else "sentence-pairs")
    assert data.format == "sentence-pairs"
    assert shown(data)[1] == (
        "all", "pull/VERB[nsubj man/NOUN, obj rope/NOUN]", "tug/VERB[nsubj boy/NOUN, obj rope/NOUN]", [6],
    )  # fmt: skip


def test_sentences_with_participants(tmp_path: Path) -> None:
    head = "sentence_id annotator_id subject1 verb1 object1 subject2 verb2 object2 score"
    data = read(tmp_path, f"{head}\n1 a1 man pull rope dog chase cat 2\n1 a2 man pull rope dog chase cat 3\n")
    assert data.format == "sentence-pairs"
    assert data.items[0].ratings == (("a1", 2), ("a2", 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("love\tsex\t6.77\r\ntiger\tcat\t7.35\r\n", [("love/", "sex/", 6.77), ("tiger/", "cat/", 7.35)]),
        ("love sex 6.77\ntiger cat 7.35\n", [("love/", "sex/", 6.77), ("tiger/", "cat/", 7.35)]),
        ("Word 1,Word 2,Human (mean),1,2\nlove,sex,6.77,9,6\n", [("love/", "sex/", 6.77)]),
        ('word1;word2;score\n"love";sex;6.77\n', [("love/", "sex/", 6.77)]),
        ("sun-n sunlight-n 50\nsunny-j run-v 3\n", [("sun/NOUN", "sunlight/NOUN", 50), ("sunny/ADJ", "run/VERB", 3)]),
        ("sun_n sunlight_n 50\nsun_n run_v 3\n", [("sun/NOUN", "sunlight/NOUN", 50), ("sun/NOUN", "run/VERB", 3)]),
        ("sun/NOUN e-mail/NOUN 5\n# a comment\n\nsun/NOUN run/VERB 3\n",
         [("sun/NOUN", "e-mail/NOUN", 5), ("sun/NOUN", "run/VERB", 3)]),
        ("plan-b sun 5\nsun run 3\n", [("plan-b/", "sun/", 5), ("sun/", "run/", 3)]),
        ("take\tremove\tV\t6.81\tSYNONYMS\nwalk\ttrail\tV\t4.81\tCOHYPONYMS\n",
         [("take/VERB", "remove/VERB", 6.81), ("walk/VERB", "trail/VERB", 4.81)]),
        ("dog n cat n 7\nrun v dog n 2\n", [("dog/NOUN", "cat/NOUN", 7), ("run/VERB", "dog/NOUN", 2)]),
        ("dog-NNS cat-NN 7\nrun-vbd fast-JJR 6\n", [("dog/NOUN", "cat/NOUN", 7), ("run/VERB", "fast/ADJ", 6)]),
        ("word1,pos1,word2,pos2,score\ndog,n,run,v,3\nred,a,car,n,5\n",
         [("dog/NOUN", "run/VERB", 3), ("red/ADJ", "car/NOUN", 5)]),
        ("w1 w2 pos1 pos2 score\ndog run n v 3\nred car a n 5\n",
         [("dog/NOUN", "run/VERB", 3), ("red/ADJ", "car/NOUN", 5)]),
        ("dog run n v 3\nred car a n 5\n", [("dog/NOUN", "run/VERB", 3), ("red/ADJ", "car/NOUN", 5)]),
        ("w1 w2 score pos\ndog cat 3 n\nrun walk 5 v\n", [("dog/NOUN", "cat/NOUN", 3), ("run/VERB", "walk/VERB", 5)]),
        ("dog cat 3 n\nrun walk 5 v\n", [("dog/NOUN", "cat/NOUN", 3), ("run/VERB", "walk/VERB", 5)]),
        ("pos,w1,w2,score\nn,dog,cat,3\nv,run,walk,5\n", [("dog/NOUN", "cat/NOUN", 3), ("run/VERB", "walk/VERB", 5)]),
        ("can/AUX must/AUX 3\nand_cconj or_cconj 4\n", [("can/AUX", "must/AUX", 3), ("and/CCONJ", "or/CCONJ", 4)]),
        ("id,word1,word2,score\n1,dog,cat,7\n2,man,woman,6\n", [("dog/", "cat/", 7), ("man/", "woman/", 6)]),
        ('"\tcomposition\t2\nlove\tsex\t6\n', [('"/', "composition/", 2), ("love/", "sex/", 6)]),
        ("w1\tw2\tPOS\tgold\nlove\tsex\tN\t6\n", [("love/NOUN", "sex/NOUN", 6)]),
        ("\ufefflove sex 6\ntiger cat -7.5e-1\n", [("love/", "sex/", 6), ("tiger/", "cat/", -0.75)]),
    ],
)  # fmt: skip
def test_pairs_of_words(tmp_path: Path, text: str, expected: list[tuple[str, str, float]]) -> None:
    data = read(tmp_path, text)
    assert data.format == "word-pairs"
    assert [(item.a.lexeme, item.b.lexeme, item.ratings[0][1]) for item in data.items] == expected
    assert not data.has_phrases()
    assert not data.has_participants()


def test_parts_of_speech_are_parts(tmp_path: Path) -> None:
    data = read(tmp_path, SIMLEX)
    assert data.parts() == ["ADJ", "VERB", "NOUN"]
    assert shown(data)[1] == ("VERB", "go/VERB", "come/VERB", [2.42])


@pytest.mark.parametrize(
    ("name", "form", "items", "ratings"),
    [("ml2010", "ml2010", 324, 5832), ("ml2008", "ml2008", 120, 3600), ("ws353", "word-pairs", 352, 353)],
)
def test_the_real_ones(name: str, form: str, items: int, ratings: int) -> None:
    """ws353 has 353 lines and one pair twice."""
    file = SHARED / "datasets" / f"{name}.txt"
    if not file.exists():
        pytest.skip(f"{file.name} is not beside this checkout (../shared/datasets)")
    data = read_dataset(file)
    assert (data.name, data.format, len(data.items)) == (f"{name}.txt", form, items)
    assert sum(len(item.ratings) for item in data.items) == ratings


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"love sex 6.77\ntiger cat 7.35\n")))
    assert read_dataset("-").name == "stdin"


@pytest.mark.parametrize(
    "text",
    [
        "provide family home supply 2\nprovide company goods leave 4\n",
        SENTENCES.partition("\n")[2],
        "squishing squirt 5.88 7 7 6\nundated undatable 5.83 10 9 8\n",
    ],
)
def test_the_number_of_columns_tells_nothing(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataSetError, match="unknown format: neither a header nor the content tells what"):
        read(tmp_path, text)


def test_pairs_with_yes_or_no(tmp_path: Path) -> None:
    data = read(tmp_path, "word1\tword2\tlabel\tfold\nbookmark\tperformer\tFalse\tval\ndog\tanimal\tTrue\ttest\n")
    assert data.format == "entailment"
    assert [(item.part, str(item.a), str(item.b), item.ratings) for item in data.items] == [
        ("val", "bookmark/", "performer/", ((None, 0.0),)),
        ("test", "dog/", "animal/", ((None, 1.0),)),
    ]
    assert read(tmp_path, "w1,w2,label\ndog-n,cat-n,no\ndog-n,pet-n,yes\n").parts() == ["all"]
    with pytest.raises(DataSetError, match=r"set.txt:3: 'maybe' is not a label; expected true, false, yes, no, 1, 0"):
        read(tmp_path, "word1\tword2\tlabel\na\tb\tyes\nc\td\tmaybe\n", format="entailment")
    with pytest.raises(DataSetError, match="expected a header with the columns word1, word2, label"):
        read(tmp_path, "a\tb\tyes\nc\td\tno\n", format="entailment")


def test_compounds_with_three_ratings(tmp_path: Path) -> None:
    data = read(tmp_path, "end\tuser\t3.87\t4.87\t4.25\nfiring\tline\t1.6\t1.7\t1.7\n")
    assert (data.format, data.parts()) == ("compounds", ["dependent", "head", "compound"])
    assert [str(item.a) for item in data.items[::3]] == [
        "user/NOUN[compound end/NOUN]",
        "line/NOUN[compound firing/NOUN]",
    ]
    assert [item.ratings[0][1] for item in data.items[:3]] == [3.87, 4.87, 4.25]
    with pytest.raises(DataSetError, match=r"set.txt:2: expected two words and three ratings"):
        read(tmp_path, "end\tuser\t3.87\t4.87\t4.25\nfiring\tline\t1.6\n", format="compounds")


def test_a_label_may_be_a_rating(tmp_path: Path) -> None:
    data = read(tmp_path, "word1\tword2\tlabel\ndog\tcat\t0.5\nsun\tmoon\t0.7\n")
    assert [item.ratings for item in data.items] == [((None, 0.5),), ((None, 0.7),)]


def test_a_rating_beside_other_numbers(tmp_path: Path) -> None:
    """It is found by its name, wherever it stands; and cells without a name may be empty."""
    data = read(tmp_path, "word1,word2,sd,mean_score\nold,new,0.5,9,\ngo,come,0.7,3\n")
    assert [each[3] for each in shown(data)] == [[9.0], [3.0]]


def test_hyperlex(tmp_path: Path) -> None:
    head = "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORE_1\n"
    data = read(tmp_path, f"{head}dog animal N hyp-1 5.9 9.8 0.3 6\nboy girl N cohyp 0.5 0.8 0.9 0\n")
    assert shown(data)[0][3] == [5.9]


def test_a_format_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "set.txt").write_text(ML2010, encoding="utf-8")
    assert read_dataset(tmp_path / "set.txt", format="ml2010").format == "ml2010"
