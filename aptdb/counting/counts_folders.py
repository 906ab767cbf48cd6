"""Add a folder of counts as one corpus, or open it in place as a small lexicon.

The whole folder is checked before anything is written: its files, and their contents. The rows go from the files into
the tables by joins on lexemes and paths alone.
"""

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptdb.core.errors import AptError, CorpusError, LexiconError, NoRoomError
from aptdb.core.one_line import HALF_PAIR, escape_bytes
from aptdb.core.settings import Settings
from aptdb.counting.count_pairs import LARGEST_BIGINT, LARGEST_ID, mark_all_stale
from aptdb.counting.counts_only import merge_given, with_functions_of_paths
from aptdb.counting.reading import set_settings
from aptdb.counting.staging import Addition, next_corpus, note_corpora, refuse_content, refuse_name_of_corpus
from aptdb.counting.steps import run_steps
from aptdb.counting.stored_corpora import refuse_settings, replacing
from aptdb.store import integrity, schema
from aptdb.store.counts_folder import (
    MANIFEST,
    MEND,
    TABLES,
    CountsFile,
    Manifest,
    check_whole,
    read_manifest,
    refuse_elsewhere,
)
from aptdb.store.counts_location import CountsPlace, point, put_view, remember_folder
from aptdb.store.database import Database
from aptdb.store.lexicon_file import making, refuse_folder
from aptdb.store.limits import limits
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, statement

MOST_TOKENS = 10**15  # of a manifest
# What rows of co-occurrences can have that is wrong, by the column of the statement that counts such rows.
FAULTS = {
    "below_one": "a count below 1",
    "unknown": "an id that the tables lack",
    "above_count": "a direct count below 0, above the count, or along ε between two lexemes",
    "misnamed": "a lexeme or path that is not that of its id",
}


@dataclass(frozen=True)
class CountsFolder:
    """A folder of counts: its name as given, its place, its manifest, and what is recorded as the source, if given."""

    place: str
    root: Path
    manifest: Manifest
    given_origin: str | None = None

    @property
    def digest(self) -> str:
        """Return the digest of the counts."""
        return self.manifest.sha256

    @property
    def name(self) -> str:
        """Return the name of the corpus."""
        return self.root.name

    @property
    def origin(self) -> str:
        """Return what is recorded as the source."""
        return self.name if self.given_origin is None else self.given_origin

    def files(self, table: str) -> list[str]:
        """Return the files of a table that have rows, in order."""
        return [self.file(each) for each in self.manifest.of(table)]

    def file(self, each: CountsFile) -> str:
        """Return the path of a file for DuckDB."""
        return str(self.root / each.path)

    def wrong(self, problem: str, where: str) -> CorpusError:
        """Return the error for a fault in a table or file of the folder."""
        return CorpusError(f"{Path(self.place, where)}: {problem}; {MEND}")

    @property
    def direct(self) -> SqlText:
        """Return the column of direct counts, or that of counts if the tables have none."""
        return SqlText("direct" if self.manifest.has_direct else "count")

    def noted(self) -> dict[str, Any]:
        """Return the record of the folder as a corpus."""
        manifest = self.manifest
        skipped = sum(manifest.skipped.values())
        known = {"kind": "counts", "has_direct": manifest.has_direct}
        return {**known, "sentences": manifest.sentences, "tokens": manifest.tokens, "skipped": skipped}


def folder_at(place: str | Path, origin: str | None = None) -> CountsFolder:
    """Return the folder of counts at a path.

    Raises CorpusError if it is incomplete, has more nodes than there are numbers, or DuckDB cannot read its name.
    """
    if HALF_PAIR.search(root := os.path.realpath(place)):
        raise CorpusError(f"{root}: the name of this folder, or of one it is in, is not UTF-8; rename it")
    found = CountsFolder(escape_bytes(str(place)), Path(root), read_manifest(Path(place)), origin)
    if found.manifest.nodes > LARGEST_ID:
        nodes = f"it has {found.manifest.nodes:,} nodes, and a lexicon takes {LARGEST_ID:,}"
        raise CorpusError(f"{found.place}: {nodes}; count it in two, with a lower order, or --exclude-upos PUNCT,X")
    return found


def add_folder(
    session: Session,
    place: str | Path,
    *,
    name: str | None,
    again: bool,
    replace: bool = False,
    origin: str | None = None,
) -> Addition:
    """Add a folder of counts as one corpus. Raises CorpusError, SettingsError and LexiconError."""
    folder = folder_at(place, origin)
    manifest, corpus = folder.manifest, name or folder.name
    if not session.file.exists():
        manifest.settings.refuse_others(session.given, folder.place)
    files = [folder.root / each.path for each in manifest.files]
    with session.growing(settings=manifest.settings, reach=files) as database:
        refuse_settings(session.settings, manifest.settings, Path(folder.place), "aptdb count FILES -o COUNTS")
        with replacing(database, session.settings, [corpus], replace=replace):
            refuse_name_of_corpus(database, corpus)
            if not again:
                refuse_content(database, folder)
            check_whole(Path(place), manifest)
            with_functions_of_paths(database)
            check_tables(database, session.settings, folder)
            refuse_too_many(database, folder)
            add_checked_tables(database, folder, corpus)
        mark_all_stale(database)
    return Addition(corpus, manifest.sentences, manifest.tokens, dict(manifest.skipped))


def check_tables(database: Database, settings: Settings, folder: CountsFolder) -> None:
    """Raise CorpusError for the first fault in the tables of a folder.

    Leaves its lexemes, paths and nodes in `folder_lexeme`, `folder_path` and `folder_node`.
    """
    set_settings(database, settings)
    try:
        refuse_columns_of_counts(database, folder)
        lexemes = SqlText("direct" if folder.manifest.has_direct else "cooccurrences")
        of = {table: folder.files(table) for table in ("lexemes", "paths", "nodes")}
        database.run(statement("counting/folder/tables", **of, direct=folder.direct, direct_of_lexemes=lexemes))
        firsts = {"lexemes": "counting/folder/first_wrong_lexeme", "paths": "counting/folder/first_wrong_path"}
        for table, first in firsts.items():
            if found := database.first(statement(first)):
                raise folder.wrong(f"row {found.row}: {found.problem}", table)
        check_counts(database, folder)
        if wrong := database.first(statement("counting/folder/first_wrong_sum")):
            problem = f"{wrong.text:.60} has {wrong.counts} of {wrong.said:,}, and its nodes {wrong.summed:,}"
            raise folder.wrong(problem, f"{wrong.what}s")
        if lexeme := database.first(statement("counting/folder/first_wrong_frequency")):
            met = f"meets itself along ε {lexeme.met:,} times"
            problem = f"row {lexeme.row}: it has {lexeme.frequency:,} tokens, and {met}"
            raise folder.wrong(problem, "lexemes")
        refuse_tokens(settings, folder, int(database.value("SELECT coalesce(sum(frequency), 0) FROM folder_lexeme")))
    except (CorpusError, NoRoomError):
        raise
    except AptError as error:
        raise CorpusError(f"{folder.place} cannot be read: {error}") from error


def refuse_tokens(settings: Settings, folder: CountsFolder, counted: int) -> None:
    """Raise CorpusError if a manifest has another number of tokens than its lexemes. counted: the tokens of these."""
    tokens = folder.manifest.tokens
    leaves_out = settings.exclude_upos or settings.stop_list or settings.min_token_length or settings.join
    if tokens < counted or tokens > MOST_TOKENS or (tokens > counted and not leaves_out):
        raise folder.wrong(f"tokens is {tokens:,}, and its lexemes have {counted:,}", MANIFEST)


def refuse_columns_of_counts(database: Database, folder: CountsFolder) -> None:
    """Raise CorpusError if a file lacks a column, or has it in another type."""
    for table, columns in TABLES.items():
        known = {name: kind for name, kind in columns.items() if name != "direct" or folder.manifest.has_direct}
        expected = [{"name": name, "type": kind} for name, kind in known.items()]
        asked = statement("counting/folder/columns", files=folder.files(table), expected=expected)
        if found := database.first(asked):
            where = str(Path(found.file_name).relative_to(folder.root))
            raise folder.wrong(f"{found.name} has the type {found.found:.40}, not {found.expected}", where)


def check_counts(database: Database, folder: CountsFolder) -> None:
    """Raise CorpusError if counts are invalid, unordered, asymmetric, or differ from the manifest."""
    manifest = folder.manifest
    database.set(lexemes=manifest.lexemes, has_direct=manifest.has_direct)
    total = one_way = other_way = nodes = digest = 0
    for each in manifest.of("cooccurrences"):
        what = {"file": folder.file(each), "direct": folder.direct}
        found = database.first(statement("counting/folder/file", **what))
        refuse_file_of_counts(database, folder, each, vars(found))
        total, one_way, other_way = total + found.total, one_way + found.one_way, other_way + found.other_way
        of_file = database.first(statement("counting/folder/nodes_of_file", **what))
        nodes, digest = nodes + of_file.nodes, digest + of_file.digest
    if one_way != other_way:
        raise folder.wrong("the counts are not symmetric", "cooccurrences")
    if total != manifest.count:
        raise folder.wrong(f"the counts sum to {total:,}, not {manifest.count:,}", "cooccurrences")
    if [(nodes, digest)] != database.rows(statement("counting/folder/nodes")):
        raise folder.wrong("they are not the sums of the counts", "nodes")


def refuse_file_of_counts(database: Database, folder: CountsFolder, file: CountsFile, found: dict[str, int]) -> None:
    """Raise CorpusError if the rows of a file differ from the manifest, or one of them is invalid."""
    for name in ("rows", "first", "last"):
        if found[name] != getattr(file, name):
            raise folder.wrong(f"{name} is {found[name]}, not {getattr(file, name)}", file.path)
    for name, what in FAULTS.items():
        if found[name]:
            raise folder.wrong(f"{found[name]:,} of its {file.rows:,} rows have {what}", file.path)
    if late := database.value(statement("counting/folder/out_of_order", file=folder.file(file))):
        raise folder.wrong(f"row {late:,} is out of order", file.path)


def refuse_too_many(database: Database, folder: CountsFolder) -> None:
    """Raise CorpusError if the counts of folder and lexicon together exceed the range of the tables."""
    there = int(database.value("SELECT coalesce(sum(count), 0) FROM _store.path"))
    if there + folder.manifest.count > LARGEST_BIGINT:
        raise CorpusError(f"{folder.place}: its counts and those of the lexicon sum to more than 2⁶³ − 1")


def add_checked_tables(database: Database, folder: CountsFolder, name: str) -> None:
    """Add the checked tables as a corpus."""
    corpus_id = next_corpus(database)
    database.set(corpus_id=corpus_id)
    run_steps(database, ("folder/met_lexeme", "code/add_lexemes", "folder/add"))
    for file in folder.files("cooccurrences"):
        database.run(statement("counting/folder/give", file=file, direct=folder.direct))
    merge_given(database, corpus_id, 1)
    refuse_unseen_counts(database, folder)
    note_corpora(database, [({"id": corpus_id, "name": name, **folder.noted()}, folder)])


def refuse_unseen_counts(database: Database, folder: CountsFolder) -> None:
    """Raise LexiconError if the transaction did not see all rows that it wrote."""
    seen = database.first(statement("counting/folder/seen"))
    if (seen.counts, seen.tokens) != (folder.manifest.count, seen.expected):
        raise LexiconError(
            f"{database.file}: DuckDB shows counts of {seen.counts:,} and {seen.tokens:,} tokens, where counts of "
            f"{folder.manifest.count:,} and {seen.expected:,} tokens were written; nothing is changed, please report "
            "this"
        )


def open_counts(folder: str | Path, lexicon: str | Path) -> Addition:
    """Make a lexicon whose counts stay in a folder that `aptdb count` made; return its corpus.

    The lexicon can be asked like any other, as long as the folder exists. It finds the folder again if both are moved
    together, or if the folder is moved beside the lexicon. If the lexicon exists already, with the same counts, it
    reads them in this folder from now on. Nothing can be added to it. Raises CorpusError for an invalid folder, and
    LexiconError.

    >>> aptdb.open_counts("counts", "web.duckdb")
    """
    refuse_elsewhere(str(folder))
    found, file = folder_at(folder), Path(lexicon)
    check_whole(found.root, found.manifest)
    counts = CountsPlace(found.root, found.manifest)
    if file.exists():
        point_again(file, counts)
    else:
        make_lexicon_of_folder(file, found, counts)
    return Addition(found.name, found.manifest.sentences, found.manifest.tokens, dict(found.manifest.skipped))


def point_again(file: Path, counts: CountsPlace) -> None:
    """Change the folder of an existing lexicon. Raise LexiconError if it was made of other counts."""
    refuse_folder(file)
    with closing(Database(file, read_only=True)) as database:
        integrity.refuse_foreign(database)
        schema.check_revision(database)
        recorded = remember_folder(database)
    if recorded is None:
        raise LexiconError(f"{file} exists already, and has counts itself; delete it, or name another file")
    if recorded.digest != counts.manifest.digest:
        raise LexiconError(f"{file} exists already, and is of other counts; delete it, or name another file")
    point(file, counts)


def make_lexicon_of_folder(file: Path, folder: CountsFolder, counts: CountsPlace) -> None:
    """Make the lexicon of a folder, completely or not at all."""
    settings, files = folder.manifest.settings, [folder.root / each.path for each in folder.manifest.files]
    with making(file, settings, folder.root / MANIFEST, limits(), files) as database:
        database.run(statement("counting/folder/no_counts"))
        put_view(database, counts)
        schema.install_definitions(database)
        check_tables(database, settings, folder)
        database.run(statement("counting/folder/open"))
        note_corpora(database, [({"id": 1, "name": folder.name, **folder.noted()}, folder)])
        mark_all_stale(database)
