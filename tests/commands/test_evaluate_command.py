"""`aptdb eval ratings` as a person reads it, as a program does, and as a picture."""

import re
import sys
from pathlib import Path

import pytest

from support.cases import read_cases
from support.commands import ask
from support.corpora import MORE, TREES
from support.lexicons import lexicon_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a lexicon, l.duckdb, and a data set, set.txt."""
    monkeypatch.chdir(tmp_path)
    lexicon_of(tmp_path / "l.duckdb", {"<said>": [*TREES, *MORE]})
    (tmp_path / "set.txt").write_text("dog cat 6\ndog floor 2\ncat floor 1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.thorough
def test_what_an_evaluation_shows(folder: Path) -> None:
    shown = ask("eval", "ratings", "l.duckdb", "set.txt", "--format", "table", "--verbose")
    assert re.search(r"^ part +rho +low +high +items +missing +empty *$", shown.stdout, re.MULTILINE)
    assert shown.stderr.splitlines() == [
        "aptdb: set.txt: ppmi; each rating is a point; a word that the lexicon lacks contributes nothing",
        "aptdb: there is no interval of all: ρ is undefined in more than 50 of its 1,000 resamples",
        "aptdb: no item lacks a word",
    ]
    piped = ask("eval", "ratings", "l.duckdb", "set.txt", "--shift", "9")
    head, row = (line.split("\t") for line in piped.stdout.splitlines())
    assert dict(zip(head, row, strict=True))["rho"] == "undefined"
    assert piped.stderr.startswith("aptdb: 3 of 3 items lack a word; --verbose lists them")
    assert "aptdb: ρ is undefined of all: all 3 items have a word that the lexicon lacks or that has" in piped.stderr
    told = ask("eval", "ratings", "l.duckdb", "set.txt", "--method", "mean", "--shift", "9", "--format", "json").stdout
    assert '"rho": null' in told


@pytest.mark.thorough
def test_what_a_grid_shows(folder: Path) -> None:
    grid = [
        "eval",
        "ratings",
        "l.duckdb",
        "set.txt",
        "--measure",
        "cosine,lin",
        "--max-order",
        "0,2",
        "--missing",
        "there,skip_item",
    ]
    shown = ask(*grid, "--format", "table").stdout.splitlines()
    assert shown[1].split() == ["max_order", "measure", "missing", "all"]
    assert len([line for line in shown if "cosine" in line or "lin" in line]) == 8
    assert any(line.rstrip().endswith("*") for line in shown)
    rows = ask(*grid, "--format", "csv").stdout.splitlines()
    assert rows[0].endswith("undefined,max_order,measure,missing_as,best")
    assert len(rows) == 9


@pytest.mark.thorough
def test_the_evaluations_that_were_made(folder: Path) -> None:
    assert ask("stored", "l.duckdb", "evaluations").stdout.count("\n") == 1
    ask("eval", "ratings", "l.duckdb", "set.txt")
    ask("eval", "ratings", "l.duckdb", "set.txt", "--shift", "2", "--no-record")
    assert ask("stored", "l.duckdb", "evaluations").stdout.splitlines()[1].startswith("set.txt\tall\tall\t\tppmi\t")
    assert ask("stored", "l.duckdb", "evaluations").stdout.count("\n") == 2


@pytest.mark.thorough
def test_items_that_miss_a_word_are_named(folder: Path) -> None:
    (folder / "set.txt").write_text("dog cat 6\ndog moon 2\nsun moon 1\n", encoding="utf-8")
    told = ask("eval", "ratings", "l.duckdb", "set.txt", "--missing", "skip_item", "--verbose", "--pos", "NOUN").stderr
    assert told.splitlines()[-3:] == [
        "aptdb: dog/NOUN – moon/NOUN lacks moon/NOUN",
        "aptdb: sun/NOUN – moon/NOUN lacks sun/NOUN, moon/NOUN",
        "aptdb: 2 items lack a word",
    ]


@pytest.mark.parametrize(*read_cases("commands/wrong_evaluations"))
def test_wrong_usage(folder: Path, options: list[str], said: str) -> None:
    answer = ask("eval", "ratings", "l.duckdb", "set.txt", *options)
    assert answer.exit_code == 2
    assert said in " ".join(answer.stderr.split())


def test_a_file_of_no_variants(folder: Path) -> None:
    answer = ask("eval", "ratings", "l.duckdb", "set.txt", "--variants", "set.txt")
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
    assert answer.stderr.startswith("aptdb: set.txt:1: 'dog cat 6' is one spelling; expected all")


# Pictures
@pytest.mark.thorough
def test_a_plot_of_an_evaluation_and_of_a_grid(folder: Path) -> None:
    for options, name, within in (
        ([], "one.svg", ["Spearman's ρ", ">all<"]),
        (["--shift", "1,2", "--measure", "cosine,lin"], "grid.svg", ["shift 2  measure lin", ">all<"]),
        (["--shift", "9"], "nothing.svg", ["undefined"]),
    ):
        assert ask("eval", "ratings", "l.duckdb", "set.txt", *options, "-o", name).exit_code == 0
        text = (folder / name).read_text(encoding="utf-8")
        assert text.startswith("<?xml")
        for each in within:
            assert each in text
        before = (folder / name).read_bytes()
        ask("eval", "ratings", "l.duckdb", "set.txt", *options, "-o", name)
        assert (folder / name).read_bytes() == before
    assert ask("eval", "ratings", "l.duckdb", "set.txt", "-o", "one.png").exit_code == 0
    assert (folder / "one.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.thorough
def test_without_matplotlib(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = ask("eval", "ratings", "l.duckdb", "set.txt", "-o", "p.png")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert "pip install 'aptdb[plot]'" in answer.stderr
    assert ask("eval", "ratings", "l.duckdb", "set.txt").exit_code == 0
