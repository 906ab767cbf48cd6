"""Counts without trees, read from Parquet: what is kept of their text, and which line is refused."""

from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import CorpusError
from aptdb.core.settings import MAX_ORDER, Settings
from aptdb.corpus.sources import Source
from aptdb.counting.check import check
from aptdb.counting.counts_only import add_counts
from aptdb.store import schema
from aptdb.store.database import in_memory
from support.runs import examples
from twins import given_counts
from twins.given_counts import Line
from twins.paths import inverse

LEXEMES = ("a/X", "b/X", "c/Y")
PATHS = ("", "ε", "<r", ">r", "<r>s", "<s>r", "<r<s", ">s>r")
WRONG: dict[int, list[str]] = {
    0: ["", "/X", "b"],
    1: ["<r>r", "r", ">r<s", "<" * 2, "<r" * (MAX_ORDER + 1)],
    3: ["0", "-1"],
}


def written(lines: list[Line], file: Path, number: str = "BIGINT") -> Path:
    """Write lines of counts as Parquet. number: the type of the counts."""
    with duckdb.connect() as client:
        client.execute(
            f"CREATE TABLE t (lexeme VARCHAR, path VARCHAR, context VARCHAR, count {number}, file_row_number INTEGER)"
        )
        client.executemany("INSERT INTO t VALUES (?, ?, ?, ?, 7)", lines)
        kept = "*" if number == "VARCHAR" else "* EXCLUDE (file_row_number)"
        client.execute(f"COPY (SELECT {kept} FROM t) TO '{file}' (FORMAT parquet)")
    return file


@st.composite
def many_lines(draw: st.DrawFn) -> list[Line]:
    """Return lines of counts: symmetric ones, some of them in two, in any order, with a fault or two or none."""
    lines: list[Line] = []
    for _ in range(draw(st.integers(1, 6))):
        lexeme, path, context = (draw(st.sampled_from(each)) for each in (LEXEMES, PATHS, LEXEMES))
        count = str(draw(st.integers(1, 3)))
        lines += [(lexeme, path, context, count), (context, inverse(path), lexeme, count)]
    lines = draw(st.permutations(lines))
    for _ in range(draw(st.integers(0, 2))):
        which, column = draw(st.integers(0, len(lines) - 1)), draw(st.sampled_from([0, 1, 2, 3, 3]))
        fault = draw(st.sampled_from([*WRONG.get(column, WRONG[0]), *(["4"] if column == 3 else [])]))
        lines[which] = tuple(fault if number == column else each for number, each in enumerate(lines[which]))  # type: ignore[assignment]
    return lines


@pytest.mark.thorough
@examples(50)
@given(many_lines(), st.sampled_from(["BIGINT", "VARCHAR"]))
def test_the_first_wrong_line(tmp_path_factory: pytest.TempPathFactory, lines: list[Line], number: str) -> None:
    """It is named by its number, whichever of its columns is wrong; right lines are summed."""
    file = written(lines, tmp_path_factory.mktemp("given") / "c.parquet", number)
    wrong = given_counts.first_wrong(lines, MAX_ORDER)
    if wrong:
        with pytest.raises(CorpusError, match=rf"c\.parquet, row {wrong}: "):
            check(file)
        return
    summed, found = given_counts.sums(lines), dict(check(file))
    assert (int(found["co-occurrences"]), int(found["sum of counts"])) == (len(summed), summed.total())


def test_text_of_parquet_is_not_kept(tmp_path: Path) -> None:
    """Each lexeme and path is read once; the rows are numbers."""
    lines = [(a, path, b, "1") for a in LEXEMES for b in LEXEMES for path in ("<r", ">r")]
    file = written(lines, tmp_path / "c.parquet")
    with closing(in_memory()) as scratch, Source(file) as source, scratch.transaction():
        schema.create(scratch, Settings())
        assert source.corpus_kind() == "counts"
        add_counts(scratch, Settings(), source, name=None, again=True)
        texts = scratch.rows(
            "SELECT DISTINCT table_name FROM duckdb_columns() WHERE data_type = 'VARCHAR' "
            "AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE temporary)"
        )
        rows = {name: scratch.value(f"SELECT count(*) FROM {name}") for (name,) in texts}
        assert scratch.value("SELECT count(*) FROM counts_coded") == len(lines)
    assert rows["counts_lexeme"] == len(LEXEMES)
    assert max(rows.values()) == len(LEXEMES)
