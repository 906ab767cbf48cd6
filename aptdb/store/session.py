"""Opens the file of a lexicon for reading, renewed where it needs be, and says what stands in the way."""

from pathlib import Path

from aptdb.errors import LexiconError
from aptdb.store import schema
from aptdb.store.database import Database


def leave_nothing(file: Path) -> None:
    """Take away a file that a failing addition has made."""
    for each in (file, file.with_name(f"{file.name}.wal")):
        each.unlink(missing_ok=True)


def open_database(file: Path, *, create: bool, confined: bool = False) -> Database | None:
    """The database of a lexicon, for reading, with today's macros and views; None where it is to be made."""
    if not file.exists():
        if not create:
            raise LexiconError(f"no lexicon {file}; make one with: aptdb add {file} FILE.conllu")
        refuse_folder(file)
        return None
    if file.is_dir():
        refuse_folder(file)
    database = Database(file, read_only=True, confined=confined)
    try:
        if create and schema.is_empty(database):
            database.close()
            return None
        schema.check_revision(database)
        if schema.definitions_differ(database):
            database.close()
            database = with_new_definitions(file, confined=confined)
    except BaseException:
        database.close()
        raise
    return database


def with_new_definitions(file: Path, *, confined: bool) -> Database:
    """Bring the macros and views of a lexicon to this version's, and open it again for reading."""
    try:
        writable = Database(file, read_only=False)
    except LexiconError as error:
        raise LexiconError(
            f"{file} has the macros of another version, to be renewed when it is opened; {error}"
        ) from error
    try:
        schema.migrate(writable)
    finally:
        writable.close()
    return Database(file, read_only=True, confined=confined)


def refuse_folder(file: Path) -> None:
    """Raise LexiconError where a file cannot be in that place."""
    if file.is_dir():
        raise LexiconError(f"{file} is a folder; name a file, as {file / 'lexicon.duckdb'}")
    if file.stem == "_store":
        raise LexiconError(f"{file}: a lexicon cannot be called _store, as its own tables are; name another file")
    if not file.parent.is_dir():
        raise LexiconError(f"no folder {file.parent}; make it first, or name another place")
