"""Data sets of all forms, recognised and named, as their publishers write them; and what is wrong with others."""

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

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
    data = read_dataset(tmp_path / "set.txt", **how)
    assert (data.format, data.parts(), data.has_phrases(), data.has_participants()) == (
        format, parts, phrases, participants
    )  # fmt: skip
    assert [(item.part, str(item.a), str(item.b), item.ratings) for item in data.items] == items


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
