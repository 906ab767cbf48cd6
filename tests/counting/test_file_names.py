"""Corpora in files of any name: one file, one corpus, one report, and what is not UTF-8 is shown escaped."""

import os
import sys
from pathlib import Path

import duckdb
import pytest

from aptdb import CorpusError, Lexicon
from aptdb.core.one_line import escape_bytes, on_one_line
from aptdb.corpus.corpus_files import corpus_files
from aptdb.corpus.raw_text import text_files
from support.cases import read_cases, read_table
from support.commands import ask
from support.corpora import noun_phrase
from twins.trees import conllu

pytestmark = pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="all names of files are Unicode there")

# Names as they are in the folder, and of their corpora.
NAMES = read_table("counting/file_names")


def write(file: Path, number: int) -> None:
    """A file of one phrase, like no other."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(conllu([noun_phrase(f"noun{number}", f"adjective{number}")]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of all files."""
    for number, name in enumerate(NAMES):
        write(tmp_path / "corpora" / os.fsdecode(name), number)
    return tmp_path / "corpora"


@pytest.mark.thorough
def test_each_file_is_a_corpus(tmp_path: Path, folder: Path) -> None:
    """It is added, kept, skipped, replaced, renamed and removed by its name, with what is in it alone."""
    file, again = tmp_path / "l.duckdb", tmp_path / "again.duckdb"
    assert ask("add", file, folder).exit_code == 0
    with Lexicon.open(file) as lexicon:
        assert sorted(lexicon.corpora().column("name")) == sorted(NAMES.values())
        assert {*lexicon.sync(folder).column("action")} == {"kept"}
        assert lexicon.evidence("noun1/N", None, None).column("document") == [r"caf\xe9.conllu"]
        write(folder / os.fsdecode(b"caf\xe9.conllu"), 90)
        (folder / os.fsdecode(b"caf\xe8.conllu")).rename(folder / os.fsdecode(b"th\xe8.conllu"))
        done = {row[0]: row[1] for row in lexicon.sync(folder, delete=True).rows if row[1] != "kept"}
        assert done == {r"caf\xe9.conllu": "replaced", r"th\xe8.conllu": "renamed"}
        lexicon.remove(os.fsdecode(b"d\xe9/in.conllu"))
        assert r"d\xe9/in.conllu" not in lexicon.corpora().column("name")
        assert lexicon.verify().rows == []
    assert "already" not in ask("add", again, *folder.glob("*.conllu")).stderr
    assert (twice := ask("add", file, folder)).stderr.count("was added before; skipped") == len(NAMES) - 1
    assert (twice.exit_code, set("\x1b") & set(twice.stderr)) == (0, set())


@pytest.mark.thorough
def test_what_is_said_of_a_file(tmp_path: Path) -> None:
    """Its name stands escaped in messages, in what was rejected and in metadata; tables of metadata may have any."""
    bad, good = tmp_path / os.fsdecode(b"bad\xe9.conllu"), tmp_path / os.fsdecode(b"good\xe9.conllu")
    table, rejects = tmp_path / os.fsdecode(b"m\xe9.parquet"), tmp_path / os.fsdecode(b"r\xe9")
    write(good, 1)
    bad.write_text("1\tx\n\n" + good.read_text().replace("noun1", "noun2"))
    said = ask("add", tmp_path / "l.duckdb", bad).stderr
    assert r"bad\xe9.conllu:1: 2 columns" in said
    assert ask("add", tmp_path / "l.duckdb", bad, "--skip-invalid", "--rejects", rejects).exit_code == 0
    assert r"bad\xe9.conllu:1" in rejects.read_text()
    assert r"bad\xe9.conllu" in ask("verify", bad).stdout
    duckdb.sql(rf"COPY (SELECT 'good\xe9.conllu' AS document, 'x' AS period) TO '{tmp_path / 'm.parquet'}'")
    (tmp_path / "m.parquet").rename(table)
    how: list[str | Path] = ["--meta", table, "--meta-from", r"file:^(?P<kind>.*)\.conllu"]
    assert ask("add", tmp_path / "l.duckdb", good, *how).exit_code == 0
    with Lexicon.open(tmp_path / "l.duckdb") as lexicon:
        assert lexicon.sql("SELECT period, kind FROM documents WHERE kind IS NOT NULL").rows == [("x", r"good\xe9")]


@pytest.mark.thorough
@pytest.mark.extra
def test_tables_and_counts(tmp_path: Path) -> None:
    """Parquet is read; folders of counts are read by DuckDB, by names in UTF-8, so that they fail and others go on."""
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    folder = tmp_path / "in"
    write(folder / "a.conllu", 1)
    words = "SELECT 's' AS sentence, 1 AS id, 'x' AS form, 'x' AS lemma, 'NOUN' AS upos, 0 AS head, 'root' AS deprel"
    duckdb.sql(f"COPY ({words}) TO '{folder / 't.parquet'}'")
    (folder / "t.parquet").rename(folder / os.fsdecode(b"t\xe9.parquet"))
    assert ask("count", folder / "a.conllu", "-o", tmp_path / "counts").exit_code == 0
    (tmp_path / "counts").rename(folder / os.fsdecode(b"c\xe9"))
    found = ask("sync", tmp_path / "l.duckdb", folder)
    assert (found.exit_code, found.stderr.splitlines()[-1]) == (3, "aptdb: 2 added, 1 failed")
    assert r"c\xe9: the name of this folder, or of one it is in, is not UTF-8; rename it" in found.stdout
    assert (
        r"t\xe9.parquet: the name of this file is not UTF-8" in ask("count", folder / "t*", "-o", tmp_path / "c").stderr
    )


def test_names_that_are_equal_when_they_are_escaped(tmp_path: Path) -> None:
    for name in (b"c/caf\xe9.conllu", rb"c/caf\xe9.conllu", b"t/t\xe9.txt", rb"t/t\xe9.txt"):
        write(tmp_path / os.fsdecode(name), len(name))
    for read, folder in ((corpus_files, "c"), (text_files, "t")):
        with pytest.raises(CorpusError, match=r"two files have the name .*\\xe9.*; rename it"):
            read([str(tmp_path / folder)])
    assert text_files([str(tmp_path / "t" / os.fsdecode(b"t\xe9.txt"))])[0][1] == r"t\xe9"


@pytest.mark.parametrize(*read_cases("counting/escapes"))
def test_escapes(text: str, escaped: str, on_a_line: str) -> None:
    assert (escape_bytes(text), on_one_line(text)) == (escaped, on_a_line)
