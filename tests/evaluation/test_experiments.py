"""The paper's experiments: its figures as it prints them, and a lexicon beside them; pictures, and the report."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from aptdb import DataSetError, Lexicon, Names
from aptdb.core.result import Result
from aptdb.evaluation.experiments import NEIGHBOURS, PARTS, TABLE_5, TABLE_6
from aptdb.evaluation.views import as_in_the_paper
from support.commands import ask
from support.corpora import SHARED
from support.judgements import EXPECTED, TYPES, shared_dataset
from support.runs import HANGS


@pytest.fixture(scope="module")
def paper() -> str:
    """The paper's section 5."""
    found = [*(SHARED / "paper").glob("*.tex")]
    if not found:
        pytest.skip("the paper is not beside this checkout (../shared/paper)")
    text = found[0].read_text(encoding="utf-8")
    return text[text.index(r"\section{Experiments}") :]


def plain(tex: str) -> str:
    """A cell of a table as text."""
    bare = re.sub(r"\\(qquad|mbox|bf|tt|cite|namecite|hline|merge_)|[{}$]|\\\\.*", " ", tex)
    return " ".join(bare.replace(r"\&", "&").replace(r"\_", "_").split())


def cells_of_table(paper: str, label: str) -> list[list[str]]:
    """The rows of the table with a label, as texts."""
    (found,) = (each for each in re.findall(r"\\begin{tabular}.*?\\label{[^}]*}", paper, re.DOTALL) if label in each)
    body = re.split(r"\\end{tabular}", found)[0]
    rows = re.split(r"\\\\(?:\[\w+\])?", body)
    return [[plain(cell) for cell in re.split(r"(?<!\\)&", row.rpartition(r"\hline")[2])] for row in rows]


@pytest.mark.parametrize(("table", "label"), [(2, "tab:shoot-sum"), (3, "tab:shoot-min"), (4, "tab:summin")])
def test_the_papers_neighbours_are_as_it_prints_them(paper: str, table: int, label: str) -> None:
    """Cell by cell, from left to right: the noun alone, then its phrases."""
    lists = [row for row in cells_of_table(paper, label) if len(row) == 5 and len(row[0].split()) > 5]
    printed = [cell.removeprefix("shot ").split() for row in lists for cell in row]
    ours = [each for each in NEIGHBOURS if each.table == table]
    assert len(ours) == len(printed) == 5 * len(lists)
    for each, cell in zip(ours, printed, strict=True):
        assert [*each.neighbours][-len(cell) :] == cell
        assert len(each.neighbours) == 10
    heads = [(None, None), ("sum", True), ("sum", True), ("sum", False), ("sum", False)]
    other = {2: heads, 3: [(merge and "min", aligned) for merge, aligned in heads]}
    as_headed = other.get(table, [*heads[:3], ("min", True), ("min", True)])
    assert [(each.merge, each.aligned) for each in ours] == as_headed * len(lists)


def test_the_papers_table_5_is_as_it_prints_it(paper: str) -> None:
    """The rows that we have, in its order, with their four figures."""
    rows = [row for row in cells_of_table(paper, "tab:ml2010ml") if len(row) == 5 and row[4]]
    printed = [(row[0], row[1:]) for row in rows if re.match(r"[-\d]|NaN", row[4])]
    ours = [(each.model, [each.rho[part] for part in PARTS]) for each in TABLE_5 if each.rho]
    assert [figures for _, figures in printed] == [figures for _, figures in ours]
    assert [head.replace(" ", "")[:11] for head, _ in printed[:4]] == [
        f"{PRINTED[model[:3]]},k={model[9:]}"[:11] for model, _ in ours[:4]
    ]


def test_the_papers_table_6_is_as_it_prints_it(paper: str) -> None:
    rows = [row for row in cells_of_table(paper, "tab:ml2008ml") if len(row) == 2 and re.match(r"\d", row[1])]
    ours = [(each.model, each.rho["all"]) for each in TABLE_6 if each.rho]
    assert [re.sub("[ -]+", "–", row[1]) for row in rows] == [figure for _, figure in ours]
    assert [row[0].replace(" ", "") for row in rows[:4]] == [
        f"{PRINTED[model[:3]]},k={model.partition('k = ')[2]}" for model, _ in ours[:4]
    ]


PRINTED = {"min": r"\MIN", "sum": r"\SUMMING"}  # what the paper calls the two


# On the treebanks
@pytest.mark.thorough
def test_table_5(english: Path) -> None:
    dataset = shared_dataset("ml2010.txt")
    begun = time.monotonic()
    with Lexicon.open(english) as lexicon:
        answer = lexicon.eval.table_5(dataset, record=False)
    assert time.monotonic() - begun < HANGS
    rows = {(row["model"], row["part"]): row for row in answer}
    for (merge, shift, missing), expected in EXPECTED.items():
        if missing == "skip_unknown":
            found = [rows[f"{merge}, k = {shift}", part] for part in TYPES]
            assert [row["rho"] for row in found] == pytest.approx(expected, abs=0.001)
    assert rows["min, k = 10", "adjectivenouns"]["paper"] == "NaN"
    assert rows["humans (M&L 2010)", "verbobjects"]["rho"] is None
    assert rows["humans (M&L 2010)", "verbobjects"]["paper"] == "0.55"
    assert {row["tokens"] for row in answer} == {490_131}
    assert {(row["paper_corpus"], row["paper_tokens"]) for row in answer} == {("BNC", 100_000_000)}


@pytest.mark.thorough
def test_table_6(english: Path, tmp_path: Path) -> None:
    some = tmp_path / "ml2008.txt"
    lines = shared_dataset("ml2008.txt").read_text(encoding="utf-8").splitlines()
    some.write_text("\n".join(lines[:300]), encoding="utf-8")
    with Lexicon.open(english) as lexicon:
        rows = {row["model"]: row for row in lexicon.eval.table_6(some, record=False)}
        (alone,) = lexicon.eval.evaluate(some, merge="min", record=False)
    assert rows["min, k = 1"]["rho"] == alone["rho"]
    assert rows["sum, k = 10"]["paper"] == "0.26"
    assert rows["untyped, mult (Dinu et al. 2013)"]["rho"] is not None
    assert rows["lexical function (Dinu et al. 2013)"]["paper"] == "0.23–0.26"


def test_tables_2_to_4(english: Path) -> None:
    with Lexicon.open(english) as lexicon:
        answer = lexicon.eval.tables_2_to_4()
        composed = lexicon.neighbours(
            "group/NOUN[amod ethnic/ADJ]", pipeline="compose-first", cds=0.75, merge="min", aligned=True
        )
        alone = lexicon.neighbours("shoot/NOUN", cds=0.75)
    rows = {(row["table"], row["phrase"], row["merge"], row["aligned"]): row for row in answer}
    assert len(rows) == len(NEIGHBOURS)
    ethnic = rows[4, "ethnic group", "min", True]
    assert ethnic["measured"].split(", ") == [lexeme.removesuffix("/NOUN") for lexeme in composed.column("lexeme")]
    assert ethnic["paper"].startswith("group, community, organization")
    assert ethnic["shared"] == len({*ethnic["measured"].split(", ")} & {*ethnic["paper"].split(", ")})
    shoot = rows[2, "shoot", None, None]
    assert shoot["measured"].split(", ") == [lexeme.removesuffix("/NOUN") for lexeme in alone.column("lexeme")]
    lacking = rows[3, "six-week shoot", "min", False]
    assert (lacking["measured"], lacking["shared"], lacking["lacking"]) == (None, None, "six-week/ADJ")


def test_a_spelling_makes_up_for_a_word_that_is_lacking(english: Path) -> None:
    with Lexicon.open(english) as lexicon:
        answer = lexicon.eval.tables_2_to_4(names=Names(spellings=[["six-week", "long"]]))
    assert not any(row["lacking"] for row in answer)


def test_another_data_set_is_refused(english: Path) -> None:
    with Lexicon.open(english) as lexicon, pytest.raises(DataSetError, match=r"ml2008.txt:1: 6 columns; a line has 8"):
        lexicon.eval.table_5(shared_dataset("ml2008.txt"))


def test_a_data_set_that_is_not_there(english: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    answer = ask("eval", "paper", english, "table-5")
    assert answer.exit_code == 1
    assert answer.stderr.startswith(
        "aptdb: no file ml2010.txt; table-5 needs the data set of Mitchell & Lapata of 2010"
    )
    assert answer.stderr.count("\n") == 1


@pytest.mark.thorough
def test_what_table_6_shows(english: Path) -> None:
    dataset = shared_dataset("ml2008.txt")
    shown = ask("eval", "paper", english, "table-6", dataset, "--no-record", "--format", "table")
    assert re.search(r"^ humans \(M&L 2008\) +\(0.40\) *$", shown.stdout, re.MULTILINE)
    assert re.search(r"^ sum, k = 10 +-?0\.\d{3} +\(0.26\) *$", shown.stdout, re.MULTILINE)
    assert "490,131 tokens here; the paper's concat has about 2,800,000,000" in shown.stderr
    piped = ask("eval", "paper", english, "table-6", dataset, "--no-record").stdout.splitlines()
    assert piped[0].split("\t")[-3:] == ["tokens", "paper_corpus", "paper_tokens"]


def test_rows_as_the_papers_tables_have_them() -> None:
    columns = ("model", "part", "rho", "paper", "items")
    rows: list[tuple[Any, ...]] = [
        ("sum", "adjectivenouns", 0.36, "0.47", 3),
        ("sum", "average", None, "0.41", 3),
        ("humans", "average", None, "0.52", None),
        ("sum", "all", 0.2, None, 3),
    ]
    answer = as_in_the_paper(Result(columns, ("VARCHAR",) * 5, rows))
    assert answer.columns == ("model", "AN", "average")
    assert answer.rows == [("sum", "0.360 (0.47)", "undefined (0.41)"), ("humans", "", "          (0.52)")]
