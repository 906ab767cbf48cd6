"""Data sets of all forms, recognised and named, as their publishers write them; and what is wrong with others."""

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from warnings import catch_warnings, simplefilter

import pytest
from scipy.stats import spearmanr

from aptdb import InterpretationWarning, Lexicon
from aptdb.evaluation.datasets import read_dataset
from support.cases import read_cases
from support.corpora import SHARED


@pytest.mark.parametrize(*read_cases("evaluation/data_sets"))
def test_data_sets(
    tmp_path: Path,
    text: str,
    how: dict[str, Any],
    format: str,
    parts: list[str],
    items: list[Any],
    phrases: bool,
    participants: bool,
) -> None:
    """A format is recognised by the head of a file or by its content, and what is in each column by its name."""
    (tmp_path / "set.txt").write_text(text, encoding="utf-8")
    with catch_warnings():
        simplefilter("ignore", InterpretationWarning)
        data = read_dataset(tmp_path / "set.txt", **how)
    assert (data.format, data.parts(), data.has_phrases(), data.has_participants()) == (
        format, parts, phrases, participants
    )  # fmt: skip
    assert [(item.part, str(item.a), str(item.b), item.ratings) for item in data.items] == items


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "eat dog bone chew 5\nsee man cat spot 4\n",
            "a line is read as verb, subject, object, landmark, rating; where",
        ),
        (
            "man see cat dog eat bone 5\ndog see man man eat bone 4\n",
            "subject, verb, object, subject, verb, object, rating",
        ),
        ("hot dog,1,1\nred tape,1,0\n", "a compound and judgements, whose mean is its rating"),
        ("term1,term2,score,pos\nred tape,tape,3,n-n\n", "read as pairs, by its header: term1, term2; without pos"),
    ],
)
def test_what_only_the_shape_tells_is_said(tmp_path: Path, text: str, note: str) -> None:
    (tmp_path / "set.txt").write_text(text, encoding="utf-8")
    with pytest.warns(InterpretationWarning, match=note) as told:
        read_dataset(tmp_path / "set.txt")
    assert len(told) == 1


def test_phrases_beside_words(demo: Path, tmp_path: Path) -> None:
    """Typed phrases are read as neighbours reads them, a word beside them is its most frequent lexeme."""
    file = tmp_path / "pairs.csv"
    file.write_text(
        "green shoot,leaf,5\nleaf/NOUN[amod green/ADJ],shoot,4\nshoot,leaf,3\nno zyx,leaf,2\n", encoding="utf-8"
    )
    with Lexicon.open(demo) as lexicon:
        read = lexicon.read("green shoot")[0].phrase
        said = "1 item of 4 has phrases as people type them, read as green shoot → " + str(read)
        with pytest.warns(InterpretationWarning) as told:
            answer = lexicon.eval.evaluate(file, method="mean", record=False)
        assert [str(each.message) for each in told] == [said]
        with pytest.warns(InterpretationWarning):
            lacking = lexicon.eval.missing_words(file)
        values = [lexicon.similarity(read, "leaf/NOUN"), lexicon.similarity("leaf/NOUN[amod green/ADJ]", "shoot/NOUN"),
                  lexicon.similarity("shoot/NOUN", "leaf/NOUN"), 0.0]  # fmt: skip
    assert answer[0]["rho"] == pytest.approx(float(spearmanr([value or 0 for value in values], [5, 4, 3, 2]).statistic))
    assert (answer[0]["items"], answer[0]["missing"]) == (4, 1)
    assert [row["lexeme"] for row in lacking] == ["no zyx/?"]


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
