"""Counts without trees: what is kept of their text, which line is refused, quotes in a TSV, and triples."""

import csv
import io
import re
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import CorpusError, Lexicon
from aptdb.core.settings import MAX_ORDER, Settings
from aptdb.corpus.sources import Source
from aptdb.corpus.tabular import QuotedFields, unquote_field
from aptdb.counting.check import check
from aptdb.counting.counts_only import add_counts
from aptdb.store import schema
from aptdb.store.database import Database, in_memory
from support.commands import ask
from support.corpora import COUNTS
from support.lexicons import direct_triples, new_lexicon, triples
from support.runs import examples
from support.strategies import corpora
from twins import given_counts
from twins.counting import count
from twins.given_counts import Line
from twins.paths import inverse
from twins.trees import Sentence, Token

LEXEMES = ("a/X", "b/X", "c/Y")
PATHS = ("", "ε", "<r", ">r", "<r>s", "<s>r", "<r<s", ">s>r")
WRONG: dict[int, list[str]] = {
    0: ["", "/X", "b", " b/X", "b\u00a0/X", "b/X "],
    1: ["<r>r", "r", ">r<s", "<" * 2, "<r" * (MAX_ORDER + 1), "< r", "<r>s\u3000"],
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


@pytest.mark.thorough
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


# Quotes in a TSV
HEADER = "lexeme\tpath\tcontext\tcount\n"
NAMES = ('"', '"a', 'a"', '"a"', '""', '""a""', '"""', '""""', '"a,b"', "a", "'a'", 'a"b', "#a", '"/')


def rows_of(lexemes: list[str]) -> list[Line]:
    """Return symmetric counts of some lexemes, each with the first along a path, and with itself."""
    first = lexemes[0]
    return [
        *((each, "", each, "1") for each in lexemes),
        *((first, ">r", each, "2") for each in lexemes),
        *((each, "<r", first, "2") for each in lexemes),
    ]


def as_tsv(rows: list[Line], file: Path, how: str) -> Path:
    """Write counts as aptdb does (plain), as DuckDB, or as Python's csv in one of its ways to quote."""
    if how == "duckdb":
        with duckdb.connect() as client:
            client.execute("CREATE TABLE t (lexeme VARCHAR, path VARCHAR, context VARCHAR, count BIGINT)")
            client.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
            client.execute(f"COPY t TO '{file}' (DELIMITER '\t', HEADER)")
    elif how == "plain":
        file.write_text(HEADER + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    else:
        quoting: Any = {"minimal": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL}[how]
        with file.open("w", encoding="utf-8", newline="") as out:
            out.write(HEADER)
            csv.writer(out, delimiter="\t", quoting=quoting, lineterminator="\n").writerows(rows)
    return file


def as_read(file: Path, *, has_pos: bool) -> list[Line] | None:
    """Return the rows of a TSV as they are read; None if it is refused as ambiguous."""
    header, *lines = file.read_bytes().splitlines()
    fields = header.decode().split("\t")
    quotes = QuotedFields(fields, fields, has_pos=has_pos)
    for number, line in enumerate(lines, 2):
        quotes.take(number, line)
    try:
        read = unquote_field if quotes.are_quoted("c.tsv") else str
    except CorpusError as error:
        assert re.match(r'c\.tsv:\d+: ".*" is in quotes, which may be part of it', str(error))
        return None
    return [tuple(map(read, line.decode().split("\t"))) for line in lines]  # type: ignore[misc]


@pytest.mark.parametrize("pos", ["/X", ""])
def test_quotes_are_never_misread(tmp_path: Path, pos: str) -> None:
    """Whoever wrote a file, its lexemes are read as they were, or refused; read, where ε is quoted, or all is."""
    for names in (*combinations(NAMES, 1), *combinations(NAMES, 2), NAMES):
        rows = rows_of([f"{name}{pos}" for name in names])
        for how in ("plain", "minimal", "all"):
            found = as_read(as_tsv(rows, tmp_path / "c.tsv", how), has_pos=bool(pos))
            assert found == rows or (found is None and how != "all" and not (pos and how == "plain")), (names, how)
    assert as_read(as_tsv(rows, tmp_path / "c.tsv", "duckdb"), has_pos=bool(pos)) == rows


@pytest.mark.sampled(4)
@pytest.mark.parametrize("how", ["plain", "minimal", "all", "duckdb"])
def test_an_export_comes_back(tmp_path: Path, how: str) -> None:
    """With quotes, and without direct counts, as aptdb writes it and as others do."""
    rows = rows_of(['"/X', 'a"/X', "b/X"])
    with new_lexicon(tmp_path / "l.duckdb", as_tsv(rows, tmp_path / "c.tsv", how)) as lexicon:
        own = lexicon.sql("FROM cooccurrences ORDER BY ALL").rows
        assert {row[:4] for row in own} == {(*key, count) for key, count in given_counts.sums(rows).items()}
    for query in ("FROM cooccurrences", "SELECT count, path, context, lexeme FROM cooccurrences"):
        (tmp_path / "again").write_text(ask("sql", tmp_path / "l.duckdb", query, "--format", "tsv").stdout)
        with new_lexicon(tmp_path / f"{len(query)}.duckdb", tmp_path / "again") as again:
            assert again.sql("FROM cooccurrences ORDER BY ALL").rows == own


# Triples of head, relation and dependent
def added(content: str, **settings: Any) -> Database:
    """Return a lexicon in memory that a file of counts was added to."""
    scratch, given_settings = in_memory(), Settings(**settings)
    with Source(io.BytesIO(content.encode())) as source, scratch.transaction():
        schema.create(scratch, given_settings)
        assert source.corpus_kind() == "counts"
        add_counts(scratch, given_settings, source, name="c.tsv", again=True)
    return scratch


@pytest.mark.thorough
@examples(30)
@given(corpora(most=3))
def test_triples_are_the_direct_counts_of_arcs(sentences: list[Sentence]) -> None:
    """Made of each arc of a treebank, they give its direct counts at order 1, both ways, and nothing at ε."""

    def lexeme(word: Token) -> str:
        return f"{word.lemma.lower()}/{word.upos}"

    arcs = [
        f"{lexeme(sentence[word.head - 1])}\t{word.relation}\t{lexeme(word)}\t1\n"
        for sentence in sentences
        for word in sentence
        if word.head
    ]
    if arcs:
        expected = {key: number for key, number in count(sentences, order=1, direct=True).items() if key[1]}
        with closing(added("".join(["head\trel\tdep\tfreq\n", *arcs]), order=1)) as lexicon:
            assert direct_triples(lexicon) == triples(lexicon) == expected


@pytest.mark.thorough
def test_triples_in_any_order_of_columns(tmp_path: Path) -> None:
    """In a TSV or a table, summed; without parts of speech where the lexicon has none."""
    expected = {("bark", ">nsubj", "dog"): 3, ("dog", "<nsubj", "bark"): 3}
    tsv = "dependent\tcount\thead\tdeprel\ndog\t1\tbark\tnsubj\ndog\t2\tbark\tnsubj\n"
    with closing(added(tsv, lexeme="{lemma}")) as lexicon:
        assert direct_triples(lexicon) == triples(lexicon) == expected
    with duckdb.connect() as client:
        client.execute(
            "CREATE TABLE t AS SELECT 'dog' AS Dep, 'nsubj' AS Rel, 3::UTINYINT AS Freq, 'bark' AS Head, 1 AS x"
        )
        client.execute(f"COPY t TO '{tmp_path / 't.parquet'}' (FORMAT parquet)")
    with Lexicon.open(tmp_path / "l.duckdb", create=True, lexeme="{lemma}") as lexicon:
        lexicon.add(tmp_path / "t.parquet")
        assert {row[:3]: row[3] for row in lexicon.sql("FROM cooccurrences").rows} == expected
        assert not lexicon.verify().rows


@pytest.mark.thorough
def test_counts_that_are_merged_after_triples_are_no_triples(tmp_path: Path) -> None:
    """What a file of triples said of its columns is not said of the next corpus."""
    (tmp_path / "counts.tsv").write_text(COUNTS, encoding="utf-8")
    triple = "head\trelation\tdependent\tcount\nbark/V\tnsubj\tdog/N\t3\n"
    (tmp_path / "triples.tsv").write_text(triple, encoding="utf-8")
    with new_lexicon(tmp_path / "counts.duckdb", tmp_path / "counts.tsv") as counts:
        expected = counts.sql("FROM cooccurrences ORDER BY ALL").rows
    with new_lexicon(tmp_path / "both.duckdb", tmp_path / "triples.tsv") as both:
        both.merge(tmp_path / "counts.duckdb")
        both.remove("triples.tsv")
        assert both.sql("FROM cooccurrences ORDER BY ALL").rows == expected
