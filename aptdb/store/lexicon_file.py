"""The file of a lexicon: where it can be, and how it is created completely or not at all."""

import errno
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from aptdb.core.errors import AptError, InUseError, LexiconError
from aptdb.core.settings import Settings
from aptdb.store import open_files, schema
from aptdb.store.attached import MARK, MARK_AT
from aptdb.store.database import Database
from aptdb.store.file_writing import (
    FIRST_BLOCKS,
    as_private_as,
    before_opening,
    delete_if_there,
    failures_named,
    parent_of,
    put_in_place,
    refuse_name_of_log,
    refuse_old_log,
    replace_file,
    target_of,
    with_log,
)
from aptdb.store.interrupts import interrupts_held
from aptdb.store.limits import Limits
from aptdb.store.schema import template

OWNERS = stat.S_IRUSR | stat.S_IWUSR


@contextmanager
def making(
    file: Path, settings: Settings, source: Path, limits: Limits, reach: Iterable[Path] = ()
) -> Iterator[Database]:
    """Yield the database of a new lexicon, within a transaction; for the rest see `making_file`."""
    with making_file(file, source, limits, reach) as (database, copied), database.transaction():
        schema.make_empty_lexicon(database, settings, copied)
        yield database
    open_files.record_verified(file, is_summed=True)  # all that is in it is ours


@contextmanager
def making_file(
    file: Path, source: Path, limits: Limits, reach: Iterable[Path]
) -> Iterator[tuple[Database, Path | None]]:
    """Yield the empty database of a new file, created completely or not at all, and the template of lexicons.

    reach: other files it may read. The new file is readable only by those who can read the file `source`. Until it is
    complete it has a temporary name; a file that a killed process left under that name is overwritten.
    """
    refuse_existing_file(file)
    place = target_of(file)
    unfinished, database, copied = place.with_name(f"{place.name}.unfinished"), None, template()
    refuse_unfinished_of_others(unfinished, file)
    try:
        with as_private_as(source):
            with interrupts_held():
                reached = [*with_log(source), *reach, *(with_log(copied) if copied else [])]
                database = emptied(unfinished, limits, reached)
                # A killed process may have left one that more may read.
                unfinished.chmod(stat.S_IMODE(unfinished.stat().st_mode) & (source.stat().st_mode | OWNERS))
            with closing(database):
                yield database, copied
                database.run("CHECKPOINT")  # all of it is in this file, and none in another beside it
        put_database_in_place(unfinished, file)
    except BaseException as error:
        with interrupts_held():
            if database:
                database.close()
                leave_nothing(unfinished)
        if isinstance(error, AptError):
            raise type(error)(str(error).replace(str(unfinished), str(file))) from error
        raise


def refuse_unfinished_of_others(unfinished: Path, file: Path) -> None:
    """Raise LexiconError if the temporary name belongs to a file that is not an unfinished lexicon.

    Raises InUseError if another process is writing that file.
    """
    if not unfinished.is_symlink() and (not unfinished.exists() or is_not_begun(unfinished)):
        return
    if unfinished.is_file() and not unfinished.is_symlink() and unfinished.stat().st_nlink > 1:
        unfinished.unlink()  # who was killed had given the lexicon its name, by which it stays
        return
    try:
        if not unfinished.is_symlink():
            with closing(Database(unfinished, read_only=False)) as database:
                if schema.is_empty(database) or schema.revision(database) is not None:
                    return
    except InUseError as error:
        raise InUseError(str(error).replace(str(unfinished), str(file))) from error
    except LexiconError:
        pass
    raise LexiconError(f"{unfinished} is in the way, and is not an unfinished lexicon; move it, or name another file")


def emptied(unfinished: Path, limits: Limits, reach: Iterable[Path]) -> Database:
    """Return the database of an unfinished file, emptied. Raise InUseError if another process has opened the file."""
    database = growing_file(unfinished, limits, reach)
    if not schema.is_empty(database):  # it was complete, and had no time to get its name
        database.close()
        leave_nothing(unfinished)
        database = growing_file(unfinished, limits, reach)
    return database


def put_database_in_place(made: Path, file: Path, older: Database | None = None) -> None:
    """Give a complete database its name, and open it there. Raise LexiconError.

    older: the database that it replaces, which is open, so that no other process writes it meanwhile; it is closed.
    """

    def replace_older(new: Path, old: Path) -> None:
        try:
            replace_file(new, old)
        except PermissionError:  # on Windows no open file can be replaced
            before = before_opening(old, 0)
            if older:
                older.close()
            if before_opening(old, 0) != before:
                raise InUseError(f"{file} has just been changed by another process; try again") from None
            replace_file(new, old)

    def open_new() -> None:
        if older:
            older.close()
        with suppress(InUseError):  # another process has opened it already
            Database(file, read_only=True).close()

    refuse_old_log(file)
    with failures_named(file, LexiconError):
        put_in_place([made], [file], replace_older if older else None, open_new)


def growing_file(file: Path, limits: Limits, reach: Iterable[Path]) -> Database:
    """Return the database of a file for writing; create the file if it is missing or was only just begun."""
    try:
        return Database(file, read_only=False, limits=limits, reach=reach)
    except InUseError:
        raise
    except LexiconError:
        if not is_not_begun(file):
            raise
    target_of(file).unlink(missing_ok=True)
    return Database(file, read_only=False, limits=limits, reach=reach)


def is_not_begun(file: Path) -> bool:
    """Return whether a file has only the first blocks of a database, as when DuckDB was killed while creating it."""
    if not file.is_file() or file.stat().st_size >= FIRST_BLOCKS:
        return False
    with file.open("rb") as opened:
        begin = opened.read(len(MARK) + MARK_AT)
    return not begin or begin[MARK_AT:] == MARK


def leave_nothing(file: Path) -> None:
    """Delete a file that a failed addition created. If that fails too, the addition's error is raised."""
    place = target_of(file)
    for each in (place, place.with_name(f"{place.name}.wal")):
        delete_if_there(each)


def no_lexicon(file: Path) -> LexiconError:
    """Return the error that a lexicon does not exist."""
    if is_in_circle(file):
        return link_in_circle(file)
    return LexiconError(f"no lexicon {file}; make one with: aptdb add {file} FILE.conllu")


def is_in_circle(file: Path) -> bool:
    """Return whether links lead from a path back to it."""
    try:
        file.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def link_in_circle(file: Path) -> LexiconError:
    """Return the error that links lead from a path back to it."""
    return LexiconError(f"{file}: a link of this path leads back to itself; name another file")


def refuse_folder(file: Path) -> None:
    """Raise LexiconError if no file can be at this path."""
    if is_in_circle(file):
        raise link_in_circle(file)
    if file.is_dir():
        raise LexiconError(f"{file} is a folder; name a file, e.g. {file / 'lexicon.duckdb'}")
    if file.exists() and not file.is_file():
        raise LexiconError(f"{file} is neither a file nor a place for one; name another file")
    if "?" in str(file):
        raise LexiconError(f"{file}: DuckDB cannot keep a database under a name with a ?; name another file")
    if file.stem == "_store":
        raise LexiconError(f"{file}: a lexicon cannot be called _store, because its own tables are; name another file")
    if not (folder := parent_of(file)).is_dir():
        raise LexiconError(f"no folder {folder}; make it first, or name another place")


def refuse_place_of_lexicon(file: Path) -> None:
    """Raise LexiconError if nothing can be added to a lexicon at this path, there already or new."""
    refuse_folder(file)
    if not file.exists() or is_not_begun(file):
        refuse_name_of_log(file)
        refuse_old_log(file)


def refuse_existing_file(file: Path) -> None:
    """Raise LexiconError if a new lexicon cannot be created at this path."""
    refuse_folder(file)
    if file.exists():
        raise LexiconError(f"{file} exists already; delete it, or name another file")
    refuse_name_of_log(file)
    refuse_old_log(file)
