"""Rewrite counts and marginals in sorted order, slice by slice, and return unused space.

Rows that a transaction updates stay in memory until it ends; rows that it inserts do not.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from aptdb.core.errors import AptError, LexiconError
from aptdb.store.database import Database
from aptdb.store.file_writing import as_private_as, delete_left, name_until, with_log
from aptdb.store.lexicon_file import leave_nothing, put_database_in_place
from aptdb.store.limits import Limits
from aptdb.store.statements import SqlText, identifier, literal, statement

LEAST_ROWS = 2_000_000  # of a slice
BYTES_OF_ROW = 250  # of memory for a co-occurrence of a slice, while it is joined and sorted
TABLES = {"cooccurrence": "store/again/empty_cooccurrence", "node": "store/again/empty_node"}


def rows_of_slice(database: Database, bytes_of_row: int | None = None) -> int:
    """Return the number of rows that fit into memory at once."""
    return max(LEAST_ROWS, database.limits.memory // (bytes_of_row or BYTES_OF_ROW))


def slices(
    database: Database, bytes_of_row: int | None = None, table: str = "_store.cooccurrence", most: int | None = None
) -> list[tuple[int, int]]:
    """Return the first and last lexeme of each slice of a table, so that all slices have about as many rows.

    most: the most rows of a slice, however much memory there is.
    """
    rows = rows_of_slice(database, bytes_of_row)
    how = {"slice_rows": min(rows, most or rows), "table": SqlText(table)}
    return [(int(first), int(last)) for first, last in database.rows(statement("store/slices", **how))]


def write_again(database: Database, slices_: Iterable[tuple[int, int]], of_slice: str) -> None:
    """Rewrite the tables in the order of lexeme, path and context.

    of_slice: a script that makes the views cooccurrence_of_slice and node_of_slice for the lexemes from first_lexeme to
    last_lexeme (variables of DuckDB); last_node is the number of nodes in the slices before. Tables instead of views
    would not do: a transaction keeps all of them until it ends.
    """
    for empty in TABLES.values():
        database.run(statement(empty))
    database.set(first_lexeme=0, last_lexeme=0, last_node=0)
    database.run(of_slice)
    written = dict.fromkeys(TABLES, 0)
    for first, last in slices_:
        database.set(first_lexeme=first, last_lexeme=last, last_node=written["node"])
        for table, empty in TABLES.items():
            rows = int(database.value(statement("store/again/put_slice", table=SqlText(table))))
            if not rows and not written[table]:
                # In DuckDB 2.0.0 a transaction does not see rows that it inserts into an empty table after no rows.
                database.run(statement(empty))
            written[table] += rows
    refuse_unseen_rows(database, written)
    database.run(statement("store/again/in_place"))
    note_runs(database, 0)


def refuse_unseen_rows(database: Database, written: Mapping[str, int]) -> None:
    """Raise LexiconError if a scan does not find all rows that were written."""
    for table, rows in written.items():
        seen = int(database.value(statement("store/again/rows_seen", table=SqlText(table))))
        if seen != rows:
            raise LexiconError(
                f"{database.file}: DuckDB finds {seen:,} of {rows:,} rows of {table} that were written, so nothing is "
                "changed; please report this"
            )


RUNS = 20  # additions after which one APT takes about twice as long as in a sorted lexicon
COPY = "/compacted"  # no file, and so no database, can have this name
LEAST_WASTE = 1 << 20  # fewer unused bytes are not worth the work
WASTE = 0.05  # the share of free blocks in a file; blocks that are half empty waste about five times as much
CHEAP = 64 << 20  # bytes that are rewritten within a second: cheap enough after any addition
NOT_OURS = "belongs to another user, so a smaller copy cannot replace it; let its owner run: aptdb compact"

OTHER_NAMES = (
    "has other names (hard links), under which the larger file would stay as it is now; delete them, or make a copy: "
    "aptdb backup"
)


def note_run(database: Database) -> bool:
    """Record an addition, and sort the counts after many of them; return whether they were sorted."""
    runs = 1 + int(database.value("SELECT runs FROM _store.settings"))
    note_runs(database, runs)
    if runs > RUNS:
        sort_stored_counts(database)
    return runs > RUNS


def note_runs(database: Database, runs: int) -> None:
    """Record how many additions there were since the counts were last sorted."""
    database.run("UPDATE _store.settings SET runs = $runs", {"runs": runs})


def sort_stored_counts(database: Database) -> None:
    """Sort the counts and marginals, within the caller's transaction."""
    write_again(database, slices(database), statement("store/again/in_order"))


def is_wasteful(database: Database) -> bool:
    """Write what was committed into the file; return whether much of it is unused, and giving that back is cheap.

    Errors are ignored: the log keeps what could not be written, and the file can be compacted another time.
    """
    delete_left(database.file.resolve(), "compacted", is_alone=True)
    try:
        database.apart("CHECKPOINT")
        return wastes(*database.rows(statement("store/space"))[0])
    except AptError:
        return False


def wastes(used: int, free: int) -> bool:
    """Return whether enough bytes of a file are unused, and it is small enough to be written again at once."""
    return free > max(LEAST_WASTE, WASTE * used) and used < CHEAP


def give_back(file: Path, limits: Limits, *, at_any_cost: bool, asked: bool = False) -> bool:
    """Rewrite the file if much of it is unused, and replace it; return whether this was done.

    DuckDB reuses free space but never shrinks the file. Meanwhile no other process can open the file; after any error
    the file is unchanged. at_any_cost: also if the file is large, or little of it is unused. asked: raise errors;
    otherwise ignore them, because the file can be compacted another time.
    """
    place = file.resolve()
    new, is_copied = name_until(place, "compacted"), False
    try:
        with (
            as_private_as(place),
            closing(Database(place, read_only=False, limits=limits, reach=with_log(new))) as database,
        ):
            delete_left(place, "compacted", is_alone=True)
            database.run("CHECKPOINT")  # a log that is left would be made again in the smaller file
            used, free = database.rows(statement("store/space"))[0]
            if not free or not (wastes(used, free) or at_any_cost):
                return False
            Database(new, read_only=False).close()
            why = OTHER_NAMES if place.stat().st_nlink > 1 else "" if is_given_rights_of(place, new) else NOT_OURS
            if why and asked:
                raise LexiconError(f"{file} {why}")
            if why:
                return False
            if is_copied := copy_database(database, new):
                put_database_in_place(new, file, database)
                return True
    except OSError as error:
        if asked:
            raise LexiconError(f"{file} cannot be written: {error.strerror or error}") from error
    except AptError:
        if asked or (is_copied and not new.exists()):
            raise
    finally:
        leave_nothing(new)
    return False


def is_given_rights_of(file: Path, new: Path) -> bool:
    """Give a new file the owner, group and mode of another; return whether that was allowed.

    This is done while the new file is empty, so that nobody can read it who could not read the old one. Where the owner
    cannot be kept, the old file stays: replacing it would take it from its owner, and overwriting it in place could
    lose it.
    """
    theirs, ours = file.stat(), new.stat()
    if (theirs.st_uid, theirs.st_gid) != (ours.st_uid, ours.st_gid):
        try:
            os.chown(new, theirs.st_uid, theirs.st_gid)
        except PermissionError:
            return False
    new.chmod(stat.S_IMODE(theirs.st_mode))
    return True


def copy_database(database: Database, new: Path) -> bool:
    """Copy a whole database into a new file; return whether the copy has the same objects and numbers of rows."""
    name = str(database.value("SELECT current_database()"))
    database.run(f"ATTACH {literal(str(new))} AS {identifier(COPY)}")
    database.run(f"COPY FROM DATABASE {identifier(name)} TO {identifier(COPY)}")
    same = content(database, name) == content(database, COPY)
    database.run(f"DETACH {identifier(COPY)}")
    return same


def content(database: Database, name: str) -> list[str]:
    """Return the contents of a database as text: its objects, and the row count of each table."""
    objects = database.rows(statement("store/objects", database=name))
    tables = database.rows(statement("store/tables", database=name))
    names = [f"{identifier(name)}.{identifier(schema)}.{identifier(table)}" for schema, table in tables]
    sizes = [database.value(statement("store/size", table=SqlText(table))) for table in names]
    return [*(str(row[0]) for row in objects), *(f"{size} rows" for size in sizes)]
