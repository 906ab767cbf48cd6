"""Check that the tables, macros and views of a lexicon are those of this version, by their own text.

A lexicon may come from a stranger. The digest of definitions in its settings may be false; the text of the definitions
cannot be. DuckDB stores that text in a normal form, so it is compared with a lexicon that is made in memory for this
purpose.

The catalog shows neither the defaults of a macro's parameters nor each of its overloads. So the statements that DuckDB
exports are compared, exported from a copy without rows, because an export writes all rows.
"""

import re
from collections.abc import Mapping
from contextlib import closing
from functools import cache, lru_cache
from hashlib import sha256

from aptdb.core.errors import LexiconError, QuestionError
from aptdb.core.settings import Settings
from aptdb.store import schema, user_cache, version
from aptdb.store.counts_location import VIEW as VIEW_OF_COUNTS
from aptdb.store.counts_location import CountsPlace, counts_in
from aptdb.store.database import Database, in_memory
from aptdb.store.definitions import definitions_digest, recording_definitions
from aptdb.store.duckdb_errors import EXPORT, first_paragraph, version_in
from aptdb.store.lazy_imports import duckdb
from aptdb.store.statements import SqlText, identifier, literal, statement
from aptdb.store.temporary_folders import scratch_folder

Objects = dict[str, str]  # by kind and name, a digest of the text

STAMP = "@stamp@"  # stands for the stamp that each lexicon has of its own
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
VIEW = re.compile(r'^CREATE VIEW [\w."]+ AS ')  # before the query of a view, unless it renames columns

# An exported schema: where a statement begins, and the name of a macro. Text within a statement may look like another
# one; that can make a macro of ours look like a stranger's, but not the other way round.
BEGINS = re.compile(r"^(?=CREATE )", re.MULTILINE)
NAMED = re.compile(r'CREATE MACRO (?:("(?:[^"]|"")*"|\w+)\.)?("(?:[^"]|"")*"|\w+) \(')
COPY = "aptdb's copy without rows"
METADATA_TYPES = ("BIGINT", "DOUBLE", "DATE", "VARCHAR")  # of metadata, as counting/metadata makes them
KEPT = 20  # lexicons whose recording macros are remembered; to make them takes as long as to compare them
OUR_STORAGE = (2, 0)  # the first version of DuckDB whose storage keeps aptdb's macros


def refuse_wrong_totals(database: Database) -> None:
    """Raise LexiconError if counts of a lexicon are gone, below 0, or do not sum to the same in all tables.

    What is added to such counts would make them look right again. Where the counts are in a folder, nothing is summed.
    """
    if counts_in(database) is None and (found := database.first(statement("store/wrong_totals"))):
        raise LexiconError(
            f"{database.file} was damaged, or changed by another program: its table {version.SCHEMA}.{found.counts} "
            f"{found.found}, and the others {found.expected}, so nothing is written; use a backup copy, or see what "
            f"differs with: aptdb verify {database.file}"
        )


def strangers(database: Database, counts: CountsPlace | None = None) -> list[str]:
    """Return the objects that differ from those of this version, by name, and those that are missing.

    counts: the folder with the counts of the lexicon, if there is one: then its view is one of ours.

    Other objects in our schema count too, also triggers and indexes on its tables. Names are compared without regard to
    case, as DuckDB does.
    """
    found, (known, _) = objects_of(database), read_known_lexicon()
    expected = {**known, **recording_objects(database), **({VIEW_OF_COUNTS: digest(counts.view())} if counts else {})}
    ours = {split_object_key(each) for each in expected}
    added = {
        each
        for each in found
        if split_object_key(each) in ours or split_object_key(each).startswith(f"{version.SCHEMA}.")
    }
    expected_here = {each for each in expected if each in found or not each.startswith("view main.") or each in known}
    differing = {split_object_key(each) for each in expected_here | added if found.get(each) != expected.get(each)}
    differing |= {called for called, _ in database.rows(statement("store/attachments"))}
    return sorted(differing)


def refuse_foreign(database: Database) -> None:
    """Raise LexiconError if what a lexicon holds could change what our SQL means, before anything of it is read.

    That is a macro or type that hides one of DuckDB's, and a table of ours with another column, type, default or
    constraint than this version's. Only the catalog is read. Of other versions no default and no constraint is known.
    """
    refuse_hiding(database)
    for table, clause in database.rows(statement("store/clauses")):
        raise schema.changed_by_others(database, f"its table {version.SCHEMA}.{table} has {first_paragraph(clause)}")
    if database.rows(statement("store/has_lexicon")) and schema.revision(database) == version.REVISION:
        refuse_other_tables(database)


def refuse_hiding(database: Database) -> None:
    """Raise LexiconError if a user's macro or type hides one of DuckDB's, in any case of letters."""
    for called, name, dropped in database.rows(statement("store/hiding")):
        raise LexiconError(
            f"{database.file} has a {called} {name} of its own, which hides DuckDB's; drop it in any DuckDB client: "
            f"DROP {dropped} {identifier(name)}"
        )


def refuse_older_storage(database: Database) -> None:
    """Raise LexiconError if a file with other macros than aptdb's has a storage that changes aptdb's own."""
    storage = str(database.value(statement("store/storage")))
    if version_in(storage) < OUR_STORAGE:
        raise LexiconError(
            f"{database.file} has a storage of DuckDB {storage}, which does not keep aptdb's macros as they are; in "
            f"DuckDB, {EXPORT}, then: aptdb migrate NEW.duckdb --exported FOLDER"
        )


def refuse_other_tables(database: Database) -> None:
    """Raise LexiconError if a table is not as this version makes it; tables of metadata have a column for each kind."""
    found, (_, known) = dict(database.rows(statement("store/table_texts"))), read_known_lexicon()
    kinds = database.rows(statement("store/metadata_columns"))
    expected = {**known, **with_metadata(database, kinds)} if kinds else known
    for table, text in found.items():
        if table in expected and text != expected[table]:
            raise schema.changed_by_others(
                database, f"its table {version.SCHEMA}.{table} has other columns, types or constraints than aptdb's"
            )


def with_metadata(database: Database, kinds: list[tuple[str, str, str]]) -> Mapping[str, str]:
    """Return the statements of tables of metadata with columns for these kinds, as DuckDB writes them.

    kinds: table, name and type of each. Raises LexiconError for a kind that aptdb does not make.
    """
    for table, name, kind in kinds:
        if kind not in METADATA_TYPES:
            column = f"{first_paragraph(name)} in {version.SCHEMA}.{table}"
            raise schema.changed_by_others(database, f"its metadata {column} have the type {first_paragraph(kind)}")
        if not name.isprintable():
            raise schema.changed_by_others(database, f"it has metadata with the name {name!r}")
    with closing(in_memory()) as memory:
        memory.apart(f"CREATE SCHEMA {version.SCHEMA}")
        for level in ("document", "sentence"):
            table = f"{level}_metadata"
            columns = [f"{identifier(name)} {kind}" for of, name, kind in kinds if of == table]
            own = ", ".join([f"{level}_id INTEGER NOT NULL", *columns])
            memory.apart(f"CREATE TABLE {version.SCHEMA}.{table} ({own})")
        return dict(memory.rows(statement("store/table_texts")))


def objects_of(database: Database) -> Objects:
    """Return the macros and views of a lexicon, each with a digest of its text."""
    stamp = str(database.value("SELECT stamp FROM _store.settings"))
    stamp = stamp if UUID.fullmatch(stamp) else STAMP  # any other text could hide what a macro does
    views = database.rows(statement("store/views"))
    texts = {make_object_key("view", space, name): VIEW.sub("", text, count=1) for space, name, text in views}
    return macros_of(database, stamp) | {key: digest(text.replace(stamp, STAMP)) for key, text in texts.items()}


def macros_of(database: Database, stamp: str) -> Objects:
    """Return the macros of a database by name, each with a digest of all its overloads."""
    found: dict[str, list[str]] = {}
    for text in BEGINS.split(exported(database)):
        if named := NAMED.match(text):
            key = make_object_key("macro", unquote_identifier(named[1] or "main"), unquote_identifier(named[2]))
            found.setdefault(key, []).append(text.rstrip())
    return {key: digest("\n".join(sorted(texts)).replace(stamp, STAMP)) for key, texts in found.items()}


def exported(database: Database) -> str:
    """Return the statements that DuckDB exports for a database, without those for tables.

    Raises LexiconError if DuckDB cannot export it.
    """
    own, copy = identifier(database.value("SELECT system.main.current_database()")), identifier(COPY)
    folder = database.scratch
    try:
        with scratch_folder(folder):
            database.apart(f"ATTACH ':memory:' AS {copy} (READ_WRITE)")
            try:
                database.apart(f"COPY FROM DATABASE {own} TO {copy} (SCHEMA)")
                database.apart(f"USE {copy}")
                for space, table in database.rows(statement("store/copied_tables")):
                    database.apart(f"DROP TABLE {identifier(space)}.{identifier(table)} CASCADE")
                database.apart(f"EXPORT DATABASE {literal(str(folder / 'schema'))} (FORMAT csv)")
            finally:
                database.apart(f"USE {own}")
                database.apart(f"DETACH {copy}")
            return (folder / "schema" / "schema.sql").read_text(encoding="utf-8")
    except QuestionError as error:
        raise LexiconError(f"the macros in {database.file} cannot be read: {error}") from None


def unquote_identifier(name: str) -> str:
    """Return a name in SQL without its quotation marks."""
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def digest(text: str) -> str:
    """Return the digest of a text."""
    return sha256(text.encode()).hexdigest()[:32]


def make_object_key(kind: str, space: str, name: str) -> str:
    """Return the key of an object: its kind, schema and name, whose case means nothing to DuckDB."""
    return f"{kind} {space}.{name}".lower()


def split_object_key(key: str) -> str:
    """Return the schema and name of an object from its key."""
    return key.split(" ", maxsplit=1)[1]


def recording_objects(database: Database) -> Objects:
    """Return the macros and views that depend on this lexicon's weightings, entries, subcorpora and direct counts.

    A view may have been dropped.
    """
    names = [name for (name,) in database.rows("SELECT name FROM _store.derived WHERE kind = 'weighting'")]
    if not names and not database.value(statement("store/records_something"), {"usual_order": Settings().order}):
        return {}
    queries = {name: f"SELECT * FROM _store.weighting_as_text({literal(name)});" for name in names}  # noqa: S608
    views = {f"view main.{name}": digest(query) for name, query in queries.items()}  # as DuckDB writes them
    return {**recording_macros(tuple(schema.recorded_as_sql(database).items())), **views}


@lru_cache(KEPT)
def recording_macros(recorded: tuple[tuple[str, str], ...]) -> Objects:
    """Return the macros that contain recorded values, and those in the same files."""
    wanted = recording_definitions()
    values = {"stamp": STAMP, **dict(recorded)}
    with closing(in_memory()) as database:
        database.run(f"CREATE SCHEMA {version.SCHEMA}")
        database.run(wanted.filled({name: SqlText(values[name]) for name in wanted.placeholders}))
        return macros_of(database, STAMP)


@cache
def read_known_lexicon() -> tuple[Objects, dict[str, str]]:
    """Return the macros and views of a lexicon without weightings and entries, and the statements of its tables.

    The statements are as DuckDB writes them, by the names of the tables, without metadata. Making such a lexicon takes
    as long as a whole question, so the result is cached.
    """
    name = f"lexicon-{version.REVISION}-{definitions_digest()[:16]}-{duckdb.__version__}"
    if kept := user_cache.read_cached(name):
        objects, texts = kept
        return objects, texts
    with closing(in_memory()) as database:
        with database.transaction():
            schema.create(database, Settings())
            schema.install_definitions(database)
        found = objects_of(database), dict(database.rows(statement("store/table_texts")))
    user_cache.write_cached(name, found)
    return found
