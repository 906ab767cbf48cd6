"""Files of other versions of DuckDB: what cannot be used is said, and goes through an export."""

import lzma
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb import IncompleteDataWarning, Lexicon, LexiconError
from support.clients import ask_file, change_file
from support.lexicons import assert_same, make_lexicon, new_lexicon
from support.runs import thorough
from support.storage import exported, of_version, written_for

OLD = Path(__file__).parents[1] / "old"
OTHER = os.environ.get("APTDB_OTHER_PYTHON")  # one that has another version of DuckDB
NEW_CORPUS = OLD / "more.conllu"


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon with weights that are kept, and an entry."""
    file = tmp_path_factory.mktemp("storage") / "today.duckdb"
    with new_lexicon(file, OLD / "corpus.conllu") as made:
        made.weigh("shifted", shift=1.5, keep=True)
        made.save("dry_clothes", "clothes/NOUN[amod dry/ADJ]")
    return file


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database of DuckDB."""
    file = tmp_path_factory.mktemp("plain") / "plain.duckdb"
    duckdb.connect(str(file)).close()
    return file.read_bytes()


def answers(file: Path) -> list[object]:
    """What a lexicon answers."""
    with Lexicon.open(file) as opened:
        asked = [opened.neighbours("dog/NOUN", weights="shifted"), opened.apt("dry_clothes"), opened.verify()]
        return [each.rows for each in asked]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"storage": 99}, "has storage version 99 of DuckDB, written by 99.1.0, which is too new for DuckDB"),
        ({"head": 1234}, "has storage version 1234 of DuckDB, written by 99.1.0, which is too new for DuckDB"),
        ({"head": 60, "writer": "v0.8.1"}, "has storage version 60 of DuckDB, written by 0.8.1, which DuckDB"),
        ({"storage": 60, "writer": "v0.8.1"}, "has storage version 60 of DuckDB, written by 0.8.1, which DuckDB"),
        ({"head": 60, "writer": "\1"}, "has storage version 60 of DuckDB, written by another version, which DuckDB"),
    ],
)
def test_a_file_that_duckdb_does_not_read_says_why(
    plain: bytes, tmp_path: Path, how: dict[str, Any], said: str
) -> None:
    file = tmp_path / "other.duckdb"
    file.write_bytes(of_version(plain, **how))
    for opening in (Lexicon.open, Lexicon.migrate):
        with pytest.raises(LexiconError) as refused:
            opening(file)
        message = str(refused.value)
        assert message.startswith(f"{file} {said} {duckdb.__version__}")
        mend = "pip install -U aptdb duckdb" if "too new" in said else "aptdb migrate NEW.duckdb --exported FOLDER"
        assert message.endswith(mend)


def test_a_newer_file_that_looks_damaged_says_both(plain: bytes, tmp_path: Path) -> None:
    file = tmp_path / "other.duckdb"
    content = bytearray(of_version(plain))
    content[0] ^= 1  # as where the checksum is computed otherwise
    file.write_bytes(content)
    with pytest.raises(LexiconError, match=r"was written by DuckDB 99\.1\.0, which is too new .*; or it is damaged: "):
        Lexicon.open(file)


@pytest.mark.thorough
@pytest.mark.parametrize("version", ["v1.5.0", "v1.4.0"])  # older ones cannot store the types of macros' parameters
def test_an_older_storage_is_refused_with_its_mend(lexicon: Path, tmp_path: Path, version: str) -> None:
    """Macros come out of it otherwise than they went in, so that nobody could know whether they are aptdb's."""
    file = written_for(lexicon, tmp_path / "older.duckdb", version)
    before = file.read_bytes()
    with pytest.raises(LexiconError) as refused:
        Lexicon.open(file)
    assert str(refused.value).startswith(f"{file} has a storage of DuckDB {version}+, which does not keep")
    assert str(refused.value).endswith("aptdb migrate NEW.duckdb --exported FOLDER")
    assert file.read_bytes() == before
    Lexicon.migrate(tmp_path / "new.duckdb", exported=exported(file, tmp_path / "folder"))
    assert answers(tmp_path / "new.duckdb") == answers(lexicon)


def check_use(file: Path, lexicon: Path, folder: Path) -> None:
    """A file answers as a lexicon does, and grows as it does."""
    assert answers(file) == answers(lexicon)
    copy = Path(shutil.copy(lexicon, folder / "copy.duckdb"))
    for each in (file, copy):
        with Lexicon.open(each) as opened:
            opened.add(NEW_CORPUS)
            opened.compact()
            assert each == copy or not opened.verify().rows
    assert_same(file, copy, but=("corpus",))


@pytest.mark.thorough
def test_import_database_is_refused_with_its_mend(lexicon: Path, tmp_path: Path) -> None:
    """DuckDB makes public macros before the private ones that they name, so that it stops, and leaves an empty file."""
    folder, file = exported(lexicon, tmp_path / "folder"), tmp_path / "imported.duckdb"
    with duckdb.connect(str(file)) as client, pytest.raises(duckdb.CatalogException, match="or_aptdb_migrate_exported"):
        client.execute(f"IMPORT DATABASE '{folder}'")
    with pytest.raises(LexiconError, match=r"is empty: .*IMPORT DATABASE, .*--exported FOLDER"):
        Lexicon.open(file)


@pytest.mark.thorough
def test_a_database_is_copied_whole(lexicon: Path, tmp_path: Path) -> None:
    file = tmp_path / "copy.duckdb"
    with duckdb.connect() as client:
        client.execute(f"ATTACH '{lexicon}' AS whole (READ_ONLY); ATTACH '{file}' AS copied")
        client.execute("COPY FROM DATABASE whole TO copied")
    assert answers(file) == answers(lexicon)


@pytest.mark.thorough
def test_an_exported_lexicon_is_what_it_was(lexicon: Path, tmp_path: Path) -> None:
    found = Lexicon.migrate(tmp_path / "new.duckdb", exported=exported(lexicon, tmp_path / "folder"))
    assert [(found,)] == ask_file(lexicon, "FROM _store.alembic_version")
    check_use(tmp_path / "new.duckdb", lexicon, tmp_path)


@pytest.mark.thorough
def test_metadata_come_out_of_an_export(tmp_path: Path) -> None:
    """Each kind is a column that the table has not when it is made."""
    old, new = tmp_path / "old.duckdb", tmp_path / "new.duckdb"
    corpus = "# newdoc id = a\n# meta::year = 1999\n# speaker = Ada\n1\tdog\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    make_lexicon(old, corpus.encode(), name="dogs", sentence_meta=["speaker"], tags={"genre": "ficción"})
    Lexicon.migrate(new, exported=exported(old, tmp_path / "folder"))
    for question in ("FROM documents", "FROM sentences", "SELECT typeof(year) FROM documents"):
        with Lexicon.open(old) as before, Lexicon.open(new) as after:
            assert before.sql(question).rows == after.sql(question).rows != []
    other = tmp_path / "folder" / "_store_document_metadata.parquet"
    with duckdb.connect() as client:
        client.execute(f"COPY (SELECT *, [1] AS odd FROM '{other}') TO '{other}.2' (FORMAT parquet)")
    Path(f"{other}.2").replace(other)
    with pytest.raises(LexiconError, match=r"no.* the table document_metadata of a lexicon: odd has the type INTEGER"):
        Lexicon.migrate(tmp_path / "odd.duckdb", exported=tmp_path / "folder")


@pytest.mark.thorough
@pytest.mark.parametrize("schema", ["0001", *thorough(["0009", "0015"])])
def test_an_exported_older_lexicon_is_what_it_is_once_migrated(schema: str, tmp_path: Path) -> None:
    file, new = tmp_path / "old.duckdb", tmp_path / "new.duckdb"
    file.write_bytes(lzma.decompress((OLD / f"{schema}.duckdb.xz").read_bytes()))
    change_file(file, "CREATE TABLE my_own AS SELECT 1 AS x")
    folder = exported(file, tmp_path / "folder")
    with pytest.warns(IncompleteDataWarning, match="folder has tables that are not aptdb's, and stay there: my_own$"):
        assert Lexicon.migrate(new, exported=folder) == schema
    assert not list(tmp_path.glob("new.duckdb?*"))
    Lexicon.migrate(file)
    assert_same(new, file)
    with Lexicon.open(new) as opened:
        assert not opened.verify().rows


@pytest.mark.thorough
def test_what_is_no_exported_lexicon_is_refused(lexicon: Path, tmp_path: Path) -> None:
    folder, new = exported(lexicon, tmp_path / "folder"), tmp_path / "new.duckdb"
    revision, word = folder / "_store_alembic_version.parquet", folder / "_store_word.parquet"
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: None, "no folder no_such; export the lexicon into one with: EXPORT DATABASE"),
        (
            lambda: shutil.copy(folder / "_store_path.parquet", word),
            "_store_word.parquet is not the table word of a lexicon",
        ),
        (word.unlink, "folder lacks _store_word.parquet"),
        (
            lambda: duckdb.execute(f"COPY (SELECT '9999' AS version_num) TO '{revision}'"),
            "folder has schema 9999, which this",
        ),
        (lambda: revision.write_bytes(b"PAR1"), "_store_alembic_version.parquet cannot be read"),
        (revision.unlink, "folder is no exported lexicon: it has no _store_alembic_version.parquet"),
    ]
    for number, (act, said) in enumerate(cases):
        act()
        with pytest.raises(LexiconError) as refused:
            Lexicon.migrate(new, exported=folder if number else "no_such")
        assert said in str(refused.value)
        assert not list(tmp_path.glob("new.duckdb*"))
    with pytest.raises(LexiconError, match="exists already"):
        Lexicon.migrate(lexicon, exported=exported(lexicon, tmp_path / "again"))


@pytest.mark.thorough
@pytest.mark.skipif(OTHER is None, reason="APTDB_OTHER_PYTHON names no Python with another DuckDB")
def test_another_version_of_duckdb_writes_and_exports_what_this_one_takes(lexicon: Path, tmp_path: Path) -> None:
    """Another DuckDB, e.g. 1.5, copies a lexicon into a file of its own, and exports that."""
    before = written_for(lexicon, tmp_path / "before.duckdb", "v1.5.0")
    file, folder = tmp_path / "other.duckdb", tmp_path / "folder"
    code = f"""import duckdb
client = duckdb.connect()
client.execute("ATTACH '{before}' AS before (READ_ONLY)")
client.execute("ATTACH '{file}' AS other (STORAGE_VERSION 'v1.5.0')")
client.execute("COPY FROM DATABASE before TO other")
client.execute("USE other")
client.execute("EXPORT DATABASE '{folder}' (FORMAT parquet)")
print(client.execute("SELECT count(*) FROM neighbours('dog/NOUN', top := 1)").fetchall()[0][0], duckdb.__version__)
"""
    done = subprocess.run([str(OTHER), "-c", code], capture_output=True, text=True, check=True)
    rows, version = done.stdout.split()
    assert rows == "1"
    assert version != duckdb.__version__
    with pytest.raises(LexiconError, match="--exported FOLDER"):
        Lexicon.open(file)
    Lexicon.migrate(tmp_path / "new.duckdb", exported=folder)
    check_use(tmp_path / "new.duckdb", lexicon, tmp_path)
