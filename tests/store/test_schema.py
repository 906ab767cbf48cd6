"""The store: migrations and the tables that are declared agree, older and newer files are told apart and mended."""

from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from aptdb import Lexicon, LexiconError
from aptdb.core.settings import Settings
from aptdb.counting.consistency import declared_columns
from aptdb.store import schema, user_cache, version
from aptdb.store.database import Database
from aptdb.store.definitions import COUNTED, ONE, definitions_with_values, digest_of_files, load_definitions
from aptdb.store.file_writing import with_log
from aptdb.store.schema import declared_tables, template
from aptdb.store.statements import resource


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A lexicon with nothing in it."""
    file = tmp_path / "empty.duckdb"
    with closing(Database(file, read_only=False)) as database, database.transaction():
        schema.create(database, Settings(order=3))
        schema.install_definitions(database)
    return file


def change(file: Path, statement: str) -> None:
    """Write to a file past aptdb."""
    with closing(Database(file, read_only=False)) as database, database.transaction():
        database.run(statement)


# Everything in a catalog that a lexicon can differ in, one line for each object.
CATALOG = {
    "tables": "SELECT schema_name, table_name, comment, sql, temporary FROM duckdb_tables()",
    "columns": "SELECT schema_name, table_name, column_index, column_name, column_default, is_nullable, data_type, "
    "numeric_precision, numeric_scale, comment FROM duckdb_columns() WHERE NOT internal",
    "constraints": "SELECT schema_name, table_name, constraint_type, constraint_text, expression, "
    "constraint_column_names, constraint_name, referenced_table, referenced_column_names FROM duckdb_constraints()",
    "indexes": "SELECT schema_name, index_name, table_name, comment, is_unique, is_primary, sql FROM duckdb_indexes()",
    "views": "SELECT schema_name, view_name, comment, column_count, sql FROM duckdb_views() WHERE NOT internal",
    "macros": "SELECT schema_name, function_name, function_type, comment, parameters, macro_definition "
    "FROM duckdb_functions() WHERE NOT internal",
    "sequences": "SELECT schema_name, sequence_name, sql FROM duckdb_sequences()",
    "types": "SELECT schema_name, type_name, logical_type FROM duckdb_types() WHERE NOT internal",
    "schemas": "SELECT schema_name, comment, sql FROM duckdb_schemas() WHERE NOT internal",
    "revision": "FROM _store.alembic_version",
}


def catalog_of(database: Database) -> dict[str, list[str]]:
    """The objects of a lexicon by their kinds, each as text, with its stamp left out."""
    stamp = database.value("SELECT stamp FROM _store.settings")
    rows = {kind: database.rows(query) for kind, query in CATALOG.items()}
    return {kind: sorted(repr(row).replace(stamp, "STAMP") for row in found) for kind, found in rows.items()}


@pytest.mark.thorough
def test_a_new_lexicon_is_what_all_migrations_make(empty: Path, tmp_path: Path) -> None:
    migrated = tmp_path / "migrated.duckdb"
    with closing(Database(migrated, read_only=False)) as database, database.transaction():
        database.run(f"CREATE SCHEMA {version.SCHEMA}")
        schema.run_migrations(database)
        own = {"uid": "", "stamp": "", "definitions": "", "created_at": datetime(2000, 1, 1), "version": "", "runs": 0}
        database.put("settings", {**own, **schema.settings_as_columns(Settings(order=3))})
        schema.install_definitions(database)
    with closing(Database(empty, read_only=True)) as new, closing(Database(migrated, read_only=True)) as old:
        found, expected = catalog_of(new), catalog_of(old)
    for kind_of_object in CATALOG:
        assert found[kind_of_object] == expected[kind_of_object], kind_of_object
    assert len(found["tables"]) == declared_tables().count("CREATE TABLE")
    assert all(found[kind_of_object] for kind_of_object in ("columns", "constraints", "views", "macros"))


@pytest.mark.thorough
def test_a_copy_of_the_template_is_what_is_made(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a template that was damaged, which is made anew; and of none, where nothing can be kept."""
    cache = tmp_path / "cache"  # a cache of its own: other tests copy the template of the run meanwhile
    cache.mkdir(mode=0o700)
    monkeypatch.setenv(user_cache.FOLDER, str(cache))
    with closing(Database(empty, read_only=True)) as database:
        expected = catalog_of(database)
    kept = template()
    assert kept
    kept.write_bytes(kept.read_bytes()[:-5000] + b"x" * 5000)
    for name in ("copy", "copy of a template that is made anew"):
        found = begun(tmp_path / f"{name}.duckdb", template())
        assert {kind: rows for kind, rows in found.items() if rows != expected[kind]} == {}


def begun(file: Path, copied: Path | None) -> dict[str, list[str]]:
    """The catalog of a new lexicon."""
    reach = with_log(copied) if copied else []
    with closing(Database(file, read_only=False, reach=reach)) as database, database.transaction():
        schema.make_empty_lexicon(database, Settings(order=3), copied)
        schema.renew(database)
    with closing(Database(file, read_only=True)) as database:
        return catalog_of(database)


@pytest.mark.thorough
def test_a_renewed_lexicon_differs_in_its_stamp_alone(empty: Path) -> None:
    with closing(Database(empty, read_only=False)) as database:
        before, stamp = catalog_of(database), database.value("SELECT stamp FROM _store.settings")
        with database.transaction():
            schema.renew(database)
        assert stamp != database.value("SELECT stamp FROM _store.settings")
        assert catalog_of(database) == before
        assert not any(stamp in repr(row) for query in CATALOG.values() for row in database.rows(query))


def test_definitions_are_taken_apart_into_single_statements() -> None:
    text = load_definitions().text
    singles = [each for each in ONE.findall(text) if each.strip()]
    assert [text.count("CREATE OR REPLACE"), text] == [len(singles), ";".join(singles) + ";"]
    assert all(each.count("CREATE OR REPLACE") == 1 for each in singles)


def test_the_columns_of_counts_are_those_that_are_declared() -> None:
    for name, (_, columns, total) in COUNTED.items():
        declared = [column for table, column, *_ in declared_columns() if table == name]
        assert [*columns.split(", "), total, "merged"] == declared


def test_definitions_are_read_from_the_cache_or_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = definitions_with_values()
    assert {"stamp", "recorded_subcorpora"} <= found.placeholders
    files = digest_of_files()
    for kept in ([files, found.text], [files, "SELECT @nonsense@;"], [files, ""], ["others", "x"], [], None, 5):
        monkeypatch.setattr(user_cache, "read_cached", lambda _, kept=kept: kept)
        definitions_with_values.cache_clear()
        assert definitions_with_values() == found


def test_the_newest_migration_is_the_one_the_code_knows() -> None:
    assert schema.known_revisions()[0] == version.REVISION


@pytest.mark.thorough
def test_up_and_down_again(empty: Path) -> None:
    with closing(Database(empty, read_only=False)) as database:
        config = Config(attributes={"connection": database.connect_sqlalchemy()})
        config.set_main_option("script_location", str(resource("migrations")))
        with database.transaction():
            command.downgrade(config, "base")
        left = database.rows("SELECT table_name FROM duckdb_tables() WHERE schema_name = '_store'")
        assert [row[0] for row in left] == ["alembic_version"]
        with database.transaction():
            command.upgrade(config, "head")
        assert schema.revision(database) == version.REVISION


@pytest.mark.thorough
def test_a_failed_migration_leaves_the_file_as_it_was(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(empty, "UPDATE _store.settings SET definitions = 'old'")

    def fail(database: Database) -> None:
        database.run("DROP VIEW lexemes")
        raise LexiconError("on purpose")

    monkeypatch.setattr(schema, "install_definitions", fail)
    with closing(Database(empty, read_only=False)) as database, pytest.raises(LexiconError, match="on purpose"):
        schema.upgrade_schema(database)
    with closing(Database(empty, read_only=True)) as database:
        assert database.rows("FROM lexemes") == []
        assert database.value("SELECT definitions FROM _store.settings") == "old"


@pytest.mark.thorough
def test_a_newer_file_is_refused_with_the_command_that_mends_it(empty: Path) -> None:
    change(empty, "UPDATE _store.alembic_version SET version_num = '9999'")
    with pytest.raises(LexiconError, match=r"newer version of aptdb .*pip install -U aptdb"):
        Lexicon.open(empty)


@pytest.mark.thorough
def test_definitions_that_differ_are_installed_anew(empty: Path) -> None:
    change(empty, "DROP MACRO path_order")
    change(empty, "UPDATE _store.settings SET definitions = 'of another version'")
    with Lexicon.open(empty) as lexicon:
        assert lexicon.sql("SELECT path_order('<a>b')").rows == [(2,)]
    with closing(Database(empty, read_only=True)) as database:
        assert not schema.definitions_differ(database)


@pytest.mark.thorough
def test_opening_writes_nothing_where_all_is_of_today(empty: Path) -> None:
    before = empty.read_bytes()
    with Lexicon.open(empty) as lexicon:
        assert lexicon.settings.order == 3
    with closing(Database(empty, read_only=False)) as database:
        assert schema.upgrade_schema(database) == version.REVISION
    assert empty.read_bytes() == before


def test_a_database_that_is_no_lexicon(tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    change(other, "CREATE TABLE mine AS SELECT 1 AS a")
    for act in attempts(other):
        with pytest.raises(LexiconError, match="is a DuckDB file but not a lexicon"):
            act()
    with closing(Database(other, read_only=True)) as database:
        assert database.rows("SHOW TABLES") == [("mine",)]


def attempts(file: Path) -> list[Callable[[], object]]:
    """The ways in to a file."""

    def migrate() -> object:
        with closing(Database(file, read_only=False)) as database:
            return schema.upgrade_schema(database)

    return [lambda: Lexicon.open(file), lambda: Lexicon.open(file, create=True), migrate]
