"""Puts the counts in order again, which additions leave in runs, and gives back space that nothing uses any more."""

import os
import shutil
from contextlib import closing, suppress
from pathlib import Path

import sqlalchemy as sa

from aptdb.errors import AptError, LexiconError
from aptdb.store import tables
from aptdb.store.database import Database, interrupts_held
from aptdb.store.literals import SqlText, identifier, literal
from aptdb.store.statements import statement

RUNS = 20  # additions after which one APT takes some twice as long as in a lexicon that was made at once
COPY = "/compacted"  # as no file can be called, nor, by its file, a database
LEAST_WASTE = 1 << 19  # bytes that are not worth the while
WASTE = 0.05  # of what the file holds, in whole blocks that are free; those that are half empty waste five times that
CHEAP = 64 << 20  # bytes that are written anew within a second, so that it may be done after any addition
MEMORY = "1GB"


def note_run(database: Database) -> bool:
    """Take note of an addition, and sort the counts anew where there were many; returns whether that was done."""
    runs = 1 + int(database.value(sa.select(tables.settings.c.runs)))
    database.run(tables.settings.update(), {"runs": runs})
    if runs > RUNS:
        compact(database)
    return runs > RUNS


def compact(database: Database) -> None:
    """Sort the counts and marginals anew, within the transaction that the caller has begun."""
    database.run(statement("store/cooccurrences"))
    database.run(tables.settings.update(), {"runs": 0})


def give_back(file: Path, *, at_any_cost: bool, asked: bool = False) -> bool:
    """Write the file anew where much of it is unused, and put the new one in its place; returns whether it was done.

    DuckDB uses free space again but leaves it in the file. Nobody else can have the file meanwhile; where anything
    goes wrong it stays as it is. at_any_cost: also where the file is large, or little of it unused. asked: raise what
    keeps it from being done; where nobody asked for it, it is done another time.
    """
    place = file.resolve()
    new = place.with_name(f"{place.name}.compacted")
    try:
        with closing(Database(place, read_only=False, memory_limit=MEMORY)) as database:
            used, free = database.rows(statement("store/space"))[0]
            wasteful = free > max(LEAST_WASTE, WASTE * used) and used < CHEAP
            if not free or not (wasteful or at_any_cost):
                return False
            new.unlink(missing_ok=True)
            if copied(database, new):
                with interrupts_held():
                    shutil.copymode(place, new)
                    os.replace(new, place)
                return True
    except OSError as error:
        if asked:
            raise LexiconError(f"{file} cannot be written: {error.strerror or error}") from error
    except AptError:
        if asked:
            raise
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
            new.with_name(f"{new.name}.wal").unlink(missing_ok=True)
    return False


def copied(database: Database, new: Path) -> bool:
    """Copy all that a database holds into a new file; returns whether the two are the same."""
    name = str(database.value("SELECT current_database()"))
    database.run(f"ATTACH {literal(str(new))} AS {identifier(COPY)}")
    database.run(f"COPY FROM DATABASE {identifier(name)} TO {identifier(COPY)}")
    database.end_questions()
    same = content(database, name) == content(database, COPY)
    database.end_questions()
    database.run(f"DETACH {identifier(COPY)}")
    return same


def content(database: Database, name: str) -> list[str]:
    """What a database holds, as text: its objects, and how many rows each table has."""
    objects = database.rows(statement("store/objects", database=name))
    tables = database.rows(statement("store/tables", database=name))
    names = [f"{identifier(name)}.{identifier(schema)}.{identifier(table)}" for schema, table in tables]
    sizes = [database.value(statement("store/size", table=SqlText(table))) for table in names]
    return [*(str(row[0]) for row in objects), *(f"{size} rows" for size in sizes)]
