"""Bring a file to the current schema: tables by migrations, macros and views by definitions. It counts nothing."""

import json
import os
import re
import uuid
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from aptdb.core.errors import AptError, LexiconError, SettingsError
from aptdb.core.one_line import name_first
from aptdb.core.schemes import SCHEMES
from aptdb.core.settings import READ_AS, Settings
from aptdb.store import user_cache, version
from aptdb.store.counts_location import CountsPlace, drop_attachments, put_view
from aptdb.store.counts_location import read_recorded_folder as recorded_place
from aptdb.store.database import Database
from aptdb.store.definitions import (
    comments_on,
    definitions_digest,
    definitions_with_values,
    load_definitions,
    made,
    private_objects,
    public_in,
)
from aptdb.store.duckdb_errors import INTERRUPTED, interrupts_translated
from aptdb.store.file_writing import with_log
from aptdb.store.placeholders import OPTIONS, RECORDED
from aptdb.store.statements import SqlText, Statement, identifier, literal, resource, statement
from aptdb.store.version import __version__

# The public relations that each migration brings: a user's own of the same name must not be lost to them.
BROUGHT = {
    "0002": ("weightings", "log_likelihood"),
    "0003": ("entries", "entry_weights"),
    "0005": ("evaluations",),
    "0009": ("corpora", "tokens", "sentences", "arcs", "paths", "nodes", "features", "settings"),
    "0010": ("documents", "aptdb_help"),
    "0013": ("subcorpora",),
    "0015": ("spaces", "space_vectors"),
    "0016": ("senses", "sense_occurrences"),
}

# The columns of settings that have other names than the settings: those are words of SQL.
COLUMNS = {"order": "max_order", "join": "joined_relations"}

TOLD_SUBCORPORA = 20  # names of subcorpora in an error

REVISION_TABLE = "alembic_version"  # the table that records the migration that a file is at

TEMPLATE = "aptdb_template"  # what an empty lexicon that is copied is attached as

# What aptdb calls weightings: nothing that SQL could take for anything but a name.
NAME_OF_WEIGHTING = re.compile(r"[a-z][a-z0-9_]{0,59}")


def create(database: Database, settings: Settings) -> None:
    """Make the tables of a lexicon in an empty database, within a transaction; `install` adds the definitions.

    The tables are made as declared, at the newest revision; migrations run only where an older file is updated. A test
    compares the two, object by object.
    """
    database.run(f"CREATE SCHEMA {version.SCHEMA}")
    database.run(declared_tables())
    put_settings(database, settings)


@cache
def declared_tables() -> str:
    """Return the statements that make the tables of a lexicon, with the comments that name their keys."""
    return (resource("migrations") / "tables.sql").read_text(encoding="utf-8")


def make_empty_lexicon(database: Database, settings: Settings, template: Path | None) -> None:
    """Make an empty lexicon in an empty database, within a transaction: a copy of the template, if there is one.

    Its rows are not copied: after an INSERT of no rows DuckDB would not see what the transaction inserts later.
    """
    if template is None:
        create(database, settings)
        return
    database.run(f"ATTACH {literal(str(template))} AS {TEMPLATE} (READ_ONLY)")
    database.run(f"COPY FROM DATABASE {TEMPLATE} TO {identifier(database.name())} (SCHEMA)")
    stamp = str(database.value("SELECT stamp FROM aptdb_template._store.settings"))
    put_settings(database, settings, stamp=stamp, definitions=definitions_digest())


def put_settings(database: Database, settings: Settings, *, stamp: str = "", definitions: str = "") -> None:
    """Write the settings of a new lexicon, its unique id, and the revision of its tables."""
    own = {"uid": str(uuid.uuid4()), "stamp": stamp, "definitions": definitions, "created_at": now()}
    database.put("settings", {**own, **settings_as_columns(settings), "version": __version__, "runs": 0})
    database.put(REVISION_TABLE, {"version_num": version.REVISION})


def now() -> datetime:
    """Return the time, as tables have it."""
    return datetime.now(UTC).replace(tzinfo=None)


def settings_as_columns(settings: Settings) -> dict[str, Any]:
    """Return settings by the columns of their table."""
    return {COLUMNS.get(each.name, each.name): in_column(getattr(settings, each.name)) for each in fields(settings)}


def in_column(value: Any) -> Any:
    """Return the stored value of a setting: maps and lists are JSON."""
    if isinstance(value, Mapping):
        return json.dumps(dict(value), ensure_ascii=False)
    return json.dumps(list(value), ensure_ascii=False) if isinstance(value, tuple) else value


def install_definitions(database: Database) -> None:
    """(Re)create all macros and views, drop those of other versions, and record the version of the definitions."""
    drop_attachments(database)
    run_definitions(database, load_definitions())
    show_weightings(database, recorded_weightings(database))
    own = {*private_objects(), *([("VIEW", "cooccurrence")] if recorded_place(database) else [])}
    for kind, name in database.rows(statement("store/private_objects")):
        if (kind, name) not in own:
            database.run(f"DROP {kind} {version.SCHEMA}.{identifier(name)}")
    database.run("UPDATE _store.settings SET definitions = $digest", {"digest": definitions_digest()})


def show_metadata(database: Database) -> None:
    """Recreate the views that have a column for each kind of metadata, after a kind was added or removed."""
    for each in made("store/define/metadata"):
        database.run(each.text)
        describe(database, each.text)


def renew(database: Database) -> None:
    """Recreate the macros and views that contain values of the lexicon, after these have changed.

    All definitions, if they are of another version; else those with placeholders, under a new stamp, and the views of
    weightings that have none yet: the views that there are only name their weighting.
    """
    if definitions_differ(database):
        install_definitions(database)
    else:
        run_definitions(database, definitions_with_values())
        there = {name for space, name, _ in database.rows(statement("store/views")) if space == "main"}
        show_weightings(database, [each for each in recorded_weightings(database) if each not in there])


def run_definitions(database: Database, wanted: Statement) -> None:
    """Run definitions with the recorded values of this lexicon, and under a new stamp.

    Every addition makes a new stamp. So two copies of a lexicon that have grown apart can be attached side by side, and
    each recognises its own content.
    """
    own = {"stamp": SqlText(uuid.uuid4()), **recorded_as_sql(database)}
    database.run(wanted.filled({name: own[name] for name in wanted.placeholders}))
    describe(database, wanted.text)
    database.run("UPDATE _store.settings SET stamp = $stamp", {"stamp": str(own["stamp"])})


def recorded_weightings(database: Database) -> list[str]:
    """Return the names of the recorded weightings. Raise LexiconError if one is none that aptdb records."""
    rows = database.rows("SELECT name, asked['scheme'] FROM _store.derived WHERE kind = 'weighting'")
    for name, scheme in rows:
        if not NAME_OF_WEIGHTING.fullmatch(name):
            raise changed_by_others(database, f"a weighting is called {name!r}")
        if scheme not in SCHEMES:
            raise changed_by_others(database, f"the weighting {name} has the scheme {scheme!r}")
    return [name for name, _ in rows]


def show_weightings(database: Database, names: Iterable[str]) -> None:
    """Make the views of recorded weightings."""
    for name in names:
        database.run(statement("store/weighting_view", view=identifier(name), name=name))


def describe(database: Database, definitions_text: str) -> None:
    """Comment public objects and their columns: recreating an object removes its comments."""
    made_now = public_in(definitions_text)
    columns: dict[str, list[str]] = {each.name: [] for each in made_now if each.kind == "view"}
    for relation, column in database.rows(statement("store/columns")):
        if relation in columns:
            columns[relation].append(column)
    comments = [each.statement() for each in made_now]
    comments += [each for relation, names in columns.items() for each in comments_on(relation, names)]
    database.run(";\n".join(comments))


def recorded_as_sql(database: Database) -> dict[str, SqlText]:
    """Return the recorded values of this lexicon as SQL: weightings by property, entries, spaces, subcorpora."""
    entries = database.value("SELECT count(*) FROM _store.derived WHERE kind = 'entry'")
    order = database.value("SELECT any_value(max_order) FROM _store.settings")
    found = dict.fromkeys([*OPTIONS, "scheme", "kept", *RECORDED], "NULL")
    found |= dict(database.rows(statement("questions/weightings/recorded"))) | {
        "entries": str(entries),
        "longest_path": str(order),
    }
    found |= recorded_subcorpora(database) | recorded_direct(database, order) | recorded_spaces(database)
    return {f"recorded_{name}": SqlText(value) for name, value in found.items()}


def recorded_spaces(database: Database) -> dict[str, str]:
    """Return what is recorded of spaces, as JSON with keys as `in near/window`, and which there are; each in SQL."""
    rows = database.rows("SELECT name, id, made FROM _store.derived WHERE kind = 'space' ORDER BY name")
    before = {"window": 0, "window_share": 0}  # what spaces lack that were made before there were windows
    facts = {
        f"in {name}/{fact}": value
        for name, own, made in rows
        for fact, value in {**before, "tree_dimensions": made.get("dimensions"), **made, "id": own}.items()
    }
    names = ", ".join(name for name, _, _ in rows)
    known = f"available: {names}" if names else "none is stored; make one by: aptdb reduce"
    return {"spaces": literal(json.dumps(facts)), "known_spaces": literal(known)}


def recorded_subcorpora(database: Database) -> dict[str, str]:
    """Return the ids of kept subcorpora by name, and the stale ones, as JSON in SQL; and which are kept, as text."""
    rows = database.rows("SELECT name, id, state FROM _store.derived WHERE kind = 'subcorpus' ORDER BY name")
    kept = {name: own for name, own, state in rows if state == "kept"}
    stale = [name for name, _, state in rows if state != "kept"]
    known = f"available: {name_first([*kept], TOLD_SUBCORPORA)}" if kept else "make one by: aptdb subcorpus"
    return {
        "subcorpus_ids": literal(json.dumps(kept)),
        "stale_subcorpora": literal(json.dumps(dict.fromkeys(stale, True))),
        "subcorpora": literal(known),
    }


def recorded_direct(database: Database, order: int | None) -> dict[str, str]:
    """Return the names of the corpora whose direct counts are unknown, as SQL: of all, and of those with trees.

    And whether direct counts are those of the arcs in trees. order: the most steps of a path that is counted.
    """
    rows = database.rows("SELECT name, kind, has_direct FROM _store.corpus ORDER BY id")
    lacking = [str(name) for name, _, is_known in rows if not is_known]
    of_trees = [str(name) for name, kind, is_known in rows if kind == "trees" and not is_known]
    names = {"without_direct": lacking, "trees_without_direct": of_trees}
    written = {name: literal(name_first(each, TOLD_SUBCORPORA) or None) for name, each in names.items()}
    are_arcs = bool(order) and all(kind == "trees" and is_known for _, kind, is_known in rows)
    return {**written, "counts_are_arcs": literal(are_arcs)}


def read_stored_settings(database: Database) -> Settings:
    """Return the settings of a lexicon.

    Raises LexiconError if there are none, several, or invalid ones.
    """
    columns, _, rows = database.table("FROM _store.settings")
    if len(rows) != 1:
        raise changed_by_others(database, f"it has {len(rows) or 'no'} rows of settings")
    stored = dict(zip(columns, rows[0], strict=True))
    try:
        given = {each.name: stored[COLUMNS.get(each.name, each.name)] for each in fields(Settings)}
        return Settings(**{name: json.loads(value) if name in READ_AS else value for name, value in given.items()})
    except (LookupError, RecursionError, SettingsError, TypeError, ValueError) as error:
        raise changed_by_others(database, f"its settings cannot be read ({error})") from error


def changed_by_others(database: Database, problem: str) -> LexiconError:
    """Return the error for contents that aptdb never writes."""
    return LexiconError(f"{database.file} was damaged, or changed by another program: {problem}; use a backup copy")


def revision(database: Database) -> str | None:
    """Return the schema revision of a file; None if it is not a lexicon. Raise LexiconError if it has not one."""
    found = database.value(
        "SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = $schema "
        "AND table_name = $name",
        {"schema": version.SCHEMA, "name": REVISION_TABLE},
    )
    if not found:
        return None
    versions = [version for (version,) in database.rows("SELECT version_num FROM _store.alembic_version")]
    if len(versions) != 1 or not versions[0]:
        raise changed_by_others(database, f"its table {REVISION_TABLE} has {len(versions)} rows; it must have one")
    return str(versions[0])


def is_empty(database: Database, *, made: bool = False) -> bool:
    """Return whether a database has no objects, as after a killed first addition.

    made: whether the file was missing just before, so that at most another process has made a lexicon there. Then
    macros are not looked for: DuckDB lists all its own functions with them.
    """
    objects = "SELECT count(*) FROM duckdb_{}s() WHERE NOT internal AND database_name = current_database()"
    kinds = ("table",) if made else ("table", "view", "function")
    return all(database.value(objects.format(kind)) == 0 for kind in kinds)


def stopped_early(file: Path) -> LexiconError:
    """Return the error for a lexicon left behind when the addition of its first corpus was killed."""
    return LexiconError(
        f"{file} is empty: an addition was stopped before anything was added; run its command again (if it was IMPORT "
        "DATABASE, make a lexicon of the folder with: aptdb migrate NEW.duckdb --exported FOLDER)"
    )


def check_revision(database: Database) -> None:
    """Raise LexiconError if a file is not a lexicon, or has another schema; the message names the remedy."""
    found = revision(database)
    if found is None and is_empty(database):
        raise stopped_early(database.file)
    if found is None:
        raise LexiconError(f"{database.file} is a DuckDB file but not a lexicon: it lacks the tables of one")
    if found == version.REVISION:
        refuse_lacking(database)
        return
    if found in known_revisions():
        raise LexiconError(
            f"{database.file} is of an older version (schema {found}, not {version.REVISION}); "
            f"bring it up with: aptdb migrate {database.file}"
        )
    raise LexiconError(
        f"{database.file} is of a newer version of aptdb (schema {found}; this one knows {version.REVISION}); "
        "update aptdb: pip install -U aptdb"
    )


def refuse_lacking(database: Database) -> None:
    """Raise LexiconError if a table is missing, or is a view although the counts are not in a folder."""
    there = {name for (name,) in database.rows(statement("store/own_tables"))}
    if recorded_place(database):
        there.add("cooccurrence")
    for name in sorted(re.findall(r"CREATE TABLE _store\.(\w+)", declared_tables())):
        if name not in there:
            raise changed_by_others(database, f"it has no table {version.SCHEMA}.{name}")


def definitions_differ(database: Database) -> bool:
    """Return whether the file's macros and views are of another version."""
    return bool(database.value("SELECT definitions FROM _store.settings") != definitions_digest())


def upgrade_schema(database: Database, counts: CountsPlace | None = None) -> str:
    """Bring an older file to the current tables, macros and views; return its former revision.

    counts: the folder of its counts, if they are in one. One transaction: after an error the file is unchanged. A
    current file is not touched.
    """
    found = revision(database)
    if found is None or found not in known_revisions():
        check_revision(database)
    with database.transaction():
        if found != version.REVISION:
            refuse_taken_relation(database, str(found))
            run_migrations(database)
            if counts:
                put_view(database, counts)
        if definitions_differ(database):
            install_definitions(database)
    return str(found)


def refuse_taken_relation(database: Database, found: str) -> None:
    """Raise LexiconError if the user has a relation with the name of one that the migration brings."""
    brought = {name for revision, names in BROUGHT.items() if revision > found for name in names}
    for (name,) in database.rows(statement("store/relations")):
        if name in brought:
            raise LexiconError(
                f"{database.file} has a view or table {name} of your own, where this version has one; rename yours "
                "first, in any DuckDB client"
            )


def known_revisions() -> list[str]:
    """Return all revisions, the newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory(str(resource("migrations"))).walk_revisions()]


def run_migrations(database: Database, to: str = "head") -> None:
    """Run the missing migrations on the open connection. to: the last of them; by default all."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.exc import DBAPIError

    with database.connect_sqlalchemy() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(resource("migrations")).replace("%", "%%"))
        try:
            with interrupts_translated():
                command.upgrade(config, to)
        except DBAPIError as error:
            if str(error.orig).startswith(INTERRUPTED):
                raise KeyboardInterrupt from error
            raise LexiconError(f"{database.file} could not be migrated: {error.orig}") from error


def template() -> Path | None:
    """Return the file of an empty lexicon, from which new ones are copied; None if it cannot be cached.

    Making tables, macros and views takes most of the time of a small addition; copying them takes a tenth of that.
    """
    from aptdb.store.lazy_imports import duckdb

    name = f"empty-{__version__}-{definitions_digest()[:16]}-{duckdb.__version__}"
    found = user_cache.file_of(f"{name}.duckdb")
    if found and user_cache.read_cached(name) == hash_file(found):
        return found
    return make_template(name)


def make_template(name: str) -> Path | None:
    """Make the empty lexicon under a name in the cache, with its digest beside it."""
    folder = user_cache.make_cache_folder()
    if folder is None:
        return None
    file, unfinished = folder / f"{name}.duckdb", folder / f"{name}.duckdb.{os.getpid()}"
    try:
        with suppress(OSError, AptError):
            unfinished.unlink(missing_ok=True)
            with closing(Database(unfinished, read_only=False)) as database:
                with database.transaction():
                    create(database, Settings())
                    install_definitions(database)
                database.run("CHECKPOINT")
            unfinished.chmod(0o600)
            digest = hash_file(unfinished)
            unfinished.replace(file)
            user_cache.write_cached(name, digest)
    finally:
        for each in with_log(unfinished):
            each.unlink(missing_ok=True)
    return user_cache.file_of(file.name)


def hash_file(file: Path) -> str:
    """Return the hash of a file."""
    return sha256(file.read_bytes()).hexdigest()
