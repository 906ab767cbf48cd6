"""Lexicons whose counts stay in a folder of counts: a view reads the folder's files in place of a table.

Such a lexicon may come from a stranger. So it may read the folder only after the manifest was checked: it must be the
one that the lexicon was made from, and all files must lie in the folder.
"""

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from aptdb.core.errors import AptWarning, CorpusError, LexiconError, QuestionError, warn
from aptdb.store.counts_folder import MANIFEST, Manifest, check_sizes, read_manifest
from aptdb.store.database import Database
from aptdb.store.open_files import State, connect_again, fingerprint_file, path_as_key
from aptdb.store.statements import SqlText, literal, statement

VIEW = "view _store.cooccurrence"  # what the view is called among the objects of a lexicon


@dataclass(frozen=True)
class Recorded:
    """The folder that a lexicon records: its path, its path relative to the lexicon, and the digest of its manifest."""

    folder: str
    relative_folder: str
    digest: str

    def places(self, file: Path) -> list[Path]:
        """Return possible places of the folder: its path, the path relative to the lexicon, or beside it."""
        beside = file.absolute().parent
        found = (Path(self.folder), beside / self.relative_folder, beside / Path(self.folder).name)
        return list(dict.fromkeys(Path(os.path.normpath(each)) for each in found))


@dataclass(frozen=True)
class CountsPlace:
    """The folder with the counts of a lexicon, and its manifest. was: its former path, if it has moved."""

    folder: Path
    manifest: Manifest
    was: Path | None = None

    @property
    def files(self) -> list[Path]:
        """Return the files of co-occurrences, in the order of their lexemes."""
        return [self.folder / each.path for each in self.manifest.of("cooccurrences")]

    def view(self) -> str:
        """Return the definition of the view, as DuckDB writes it."""
        files = ", ".join(literal(str(each)) for each in self.files)
        merged = "(count - direct)" if self.manifest.has_direct else "CAST(0 AS BIGINT)"
        return (
            f"SELECT lexeme_id, path_id, context_id, count, {merged} AS merged "  # noqa: S608
            f"FROM read_parquet(list_value({files}), (hive_partitioning = false));"
        )

    def shown(self) -> str:
        """Return the place as text."""
        return f"{self.folder}, {len(self.files)} files"


# What lexicons say, by their files and what changes when one is written.
_recorded: dict[str, tuple[State, Recorded | None]] = {}


def read_recorded_folder(database: Database) -> Recorded | None:
    """Return the folder that a lexicon records for its counts; None if the lexicon has its own counts."""
    is_there = (
        "SELECT count(*) FROM system.main.duckdb_tables() WHERE schema_name = '_store' AND table_name = 'opened' "
        "AND database_name = system.main.current_database()"
    )
    if not database.value(is_there):
        return None
    rows = database.rows("SELECT folder, relative_folder, digest FROM _store.opened LIMIT 2")
    if len(rows) > 1 or any("\0" in str(each) for row in rows for each in row):
        raise LexiconError(
            f"{database.file} was damaged, or changed by another program: it has its counts in no folder"
        )
    return Recorded(*map(str, rows[0])) if rows else None


def is_folder_remembered(file: Path) -> bool:
    """Return whether the folder of a lexicon was looked up before."""
    return _recorded.get(path_as_key(file), ([], None))[0] == fingerprint_file(file) != []


def remember_folder(database: Database) -> Recorded | None:
    """Return the folder that a lexicon records, and remember it until the lexicon's file changes."""
    state = fingerprint_file(database.file)
    found = read_recorded_folder(database)
    _recorded[path_as_key(database.file)] = (state, found)
    return found


def find_counts_folder(file: Path) -> CountsPlace | None:
    """Return the folder with the counts of a lexicon; None if it has its own. Raise LexiconError."""
    if is_folder_remembered(file):
        found = _recorded[path_as_key(file)][1]
    else:
        with closing(connect_again(file) or Database(file, read_only=True)) as database:
            found = remember_folder(database)
    return None if found is None else locate_folder(file, found)


def counts_in(database: Database) -> CountsPlace | None:
    """Return the folder with the counts of an open lexicon; None if it has its own. Raise LexiconError."""
    found = remember_folder(database)
    return None if found is None else locate_folder(database.file, found)


def reach_of(counts: CountsPlace | None) -> list[Path]:
    """Return the files that questions read."""
    return counts.files if counts else []


def locate_folder(file: Path, found: Recorded) -> CountsPlace:
    """Return the folder that a lexicon records. Raise LexiconError if it is missing or incomplete."""
    places = found.places(file)
    for each in places:
        if not (each / MANIFEST).is_file():
            continue
        try:
            manifest = read_manifest(each)
            if manifest.digest != found.digest:
                continue
            check_sizes(each, manifest)
        except CorpusError as error:
            raise LexiconError(f"{file} has its counts in a folder: {error}") from error
        root = Path(os.path.realpath(each))
        return CountsPlace(root, manifest, None if str(root) == found.folder else Path(found.folder))
    tried = " or ".join(str(each) for each in places[:2])
    raise LexiconError(
        f"{file}: its folder of counts was not found at {tried}; name it: aptdb add {file} COUNTS/ --in-place"
    )


def drop_attachments(database: Database) -> None:
    """Drop triggers and indexes on our tables, which aptdb never makes, before writing to the tables."""
    for _, dropped in database.rows(statement("store/attachments")):
        database.run(f"DROP {dropped}")


def put_view(database: Database, counts: CountsPlace) -> None:
    """Make the view over the files of a folder, and record the folder."""
    drop_attachments(database)
    files = [str(each) for each in counts.files]
    merged = SqlText("count - direct" if counts.manifest.has_direct else "CAST(0 AS BIGINT)")
    database.run(statement("store/view_of_counts", files=files, merged=merged))
    relative = os.path.relpath(counts.folder, os.path.realpath(database.file.absolute().parent))
    database.run("DELETE FROM _store.opened")
    row = {"folder": str(counts.folder), "relative_folder": relative, "digest": counts.manifest.digest}
    database.put("opened", row)


def point(file: Path, counts: CountsPlace) -> None:
    """Record the present place of the counts in a lexicon. Raise LexiconError if the lexicon cannot be written."""
    try:
        with closing(Database(file, read_only=False, reach=counts.files)) as database, database.transaction():
            put_view(database, counts)
    except QuestionError as error:
        raise LexiconError(f"{file} cannot read its counts in {counts.folder}: {error}") from error
    except LexiconError as error:
        message = (
            f"{file} has its counts in {counts.was}, and they are in {counts.folder} now, which must be noted in it"
        )
        raise LexiconError(f"{message}; {error}") from error


def follow(file: Path, counts: CountsPlace | None) -> CountsPlace | None:
    """Return the folder; if it has moved, record the new place in the lexicon and warn."""
    if counts is None or counts.was is None:
        return counts
    point(file, counts)
    warn(f"{file}: its counts were in {counts.was}, and are read in {counts.folder} now", AptWarning)
    return CountsPlace(counts.folder, counts.manifest)


def refuse_counts_elsewhere(file: Path, counts: CountsPlace | None, what: str) -> None:
    """Raise LexiconError if the counts are in a folder. what: the reason, in words."""
    if counts is not None:
        raise LexiconError(
            f"{file} has its counts in {counts.folder}, so {what}; import them into a lexicon: "
            f"aptdb add NEW {counts.folder}"
        )
