"""Bring an older lexicon up to date: its tables, and the direct counts, which are counted from its stored trees.

Where this version of DuckDB cannot read its file, a new one is made of the tables that another version exported. Only
rows are taken: tables, macros and views are made by aptdb, so that nothing runs that stands in the folder.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from aptdb.core.errors import IncompleteDataWarning, LexiconError, QuestionError, warn
from aptdb.counting.count_pairs import merge_added
from aptdb.counting.count_trees import count_stored
from aptdb.counting.staging import open_draft
from aptdb.counting.subcorpora import count_again
from aptdb.store import compaction, open_files, schema, version
from aptdb.store.database import Database
from aptdb.store.duckdb_errors import EXPORT
from aptdb.store.integrity import METADATA_TYPES
from aptdb.store.lexicon_file import making_file
from aptdb.store.limits import limits
from aptdb.store.session import Session, migrate_tables
from aptdb.store.statements import identifier, statement

Follow = Callable[[int, int], None]  # called with tokens counted and in all


def migrate(file: str | Path, *, exported: str | Path | None = None, progress: Follow = lambda *_: None) -> str:
    """Update an older lexicon to this version; return its former schema.

    First its tables, then its direct counts, each completely or not at all. If the second was stopped, questions are
    answered from packed counts, and `verify` refuses the lexicon until the next call has counted them. exported: the
    folder into which another version of DuckDB exported the lexicon, of which a new file is made. Raises LexiconError.
    """
    if exported is not None and (others := restore_exported(Path(file), Path(exported))):
        warn(f"{exported} has tables that are not aptdb's, and stay there: {', '.join(others)}", IncompleteDataWarning)
    found = migrate_tables(Path(file))
    with closing(Session(Path(file), create=False, confined=True, given={})) as session:
        if count_direct(session, progress):
            session.let_go()
            compaction.give_back(session.file, session.limits, at_any_cost=True)
            open_files.record_verified(session.file)
    return found


def count_direct(session: Session, progress: Follow) -> bool:
    """Count the direct counts of all corpora with trees that have none, and of subcorpora, in one transaction.

    Returns whether there were any. All counts are rewritten, so that the file has unused space afterwards.
    """
    if session.is_empty() or not (corpora := dict(session.reading().rows(statement("counting/without_direct")))):
        return False
    done, total = 0, sum(corpora.values())

    def follow(tokens: int) -> None:
        nonlocal done
        done += tokens
        progress(done, total)

    with session.writing() as database:
        with open_draft(database) as draft:
            count_stored(draft, session.settings, corpora, follow=follow)
            merge_added(draft.bring_counts(0, sign_of_merged=1))
        if database.value(statement("counting/remove/wrong_counts")):
            raise schema.changed_by_others(database, "its counts do not match its stored trees")
        database.run("UPDATE _store.corpus SET has_direct = true WHERE list_contains($ids, id)", {"ids": [*corpora]})
        count_again(database, session.settings)
        schema.renew(database)
    return True


PREFIX = "_store_"  # of the files of aptdb's tables
WITH_KINDS = ("document_metadata", "sentence_metadata")  # tables that have a column for each kind of metadata


def restore_exported(file: Path, folder: Path) -> list[str]:
    """Make a lexicon of an exported folder, with the tables of its time; return the names of tables of others.

    The lexicon is made completely or not at all. Raises LexiconError.
    """
    files = exported_files(folder)
    own = {name.removeprefix(PREFIX): each for name, each in files.items() if name.startswith(PREFIX)}
    if schema.REVISION_TABLE not in own:
        raise LexiconError(
            f"{folder} is no exported lexicon: it has no {PREFIX}{schema.REVISION_TABLE}.parquet; make it by: {EXPORT}"
        )
    with (
        making_file(file, own[schema.REVISION_TABLE], limits(), [*own.values()]) as (database, _),
        database.transaction(),
    ):
        revision = read_exported_revision(database, own.pop(schema.REVISION_TABLE))
        if revision not in schema.known_revisions():
            raise LexiconError(
                f"{folder} has schema {revision}, which this version of aptdb does not know; update aptdb"
            )
        database.run(f"CREATE SCHEMA {version.SCHEMA}")
        schema.run_migrations(database, to=revision)
        fill_tables(database, own, folder)
        if revision == version.REVISION:  # else they are of another version anyway
            database.run("UPDATE _store.settings SET definitions = ''")
    return sorted(name for name in files if not name.startswith(PREFIX))


def exported_files(folder: Path) -> dict[str, Path]:
    """Return the Parquet files of a folder by their names without the ending. Raise LexiconError if there is none."""
    if not folder.is_dir():
        raise LexiconError(f"no folder {folder}; export the lexicon into one with: {EXPORT}")
    found = {each.stem: each.absolute() for each in sorted(folder.glob("*.parquet"))}
    if not found:
        raise LexiconError(f"{folder} has no Parquet files; export the lexicon with: {EXPORT}")
    return found


def read_exported_revision(database: Database, file: Path) -> str:
    """Return the revision of the schema that exported tables have. Raise LexiconError if the file has none."""
    try:
        rows = database.rows(statement("store/exported_revision", file=str(file)))
    except QuestionError as error:
        raise LexiconError(f"{file} cannot be read: {error}") from error
    if len(rows) != 1:
        raise LexiconError(f"{file} has {len(rows)} rows; an exported lexicon has one")
    return str(rows[0][0])


def fill_tables(database: Database, files: dict[str, Path], folder: Path) -> None:
    """Fill each table from its file. Raise LexiconError if a file is missing, or has other columns."""
    for (table,) in database.rows(statement("store/own_tables")):
        if table == schema.REVISION_TABLE:
            continue
        if table not in files:
            why = (
                "; counts in a folder of their own are not exported: open that again" if table == "cooccurrence" else ""
            )
            raise LexiconError(f"{folder} lacks {PREFIX}{table}.parquet{why}")
        try:
            if table in WITH_KINDS:
                add_kinds(database, table, files[table])
            database.run(statement("store/from_exported", table=identifier(table), file=str(files[table])))
        except QuestionError as error:
            raise LexiconError(f"{files[table]} is not the table {table} of a lexicon: {error}") from error


def add_kinds(database: Database, table: str, file: Path) -> None:
    """Add a column for each kind of metadata in a file. Raise LexiconError for a type that metadata never has."""
    own = database.table(f"FROM {version.SCHEMA}.{identifier(table)} LIMIT 0")[0]
    for name, kind, *_ in database.rows(statement("store/exported_columns", file=str(file))):
        if name in own:
            continue
        if kind not in METADATA_TYPES:
            raise LexiconError(f"{file} is not the table {table} of a lexicon: {name:.60} has the type {kind:.60}")
        database.run(f"ALTER TABLE {version.SCHEMA}.{identifier(table)} ADD COLUMN {identifier(name)} {kind}")
