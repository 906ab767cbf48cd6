"""Lexicons that a stranger has crafted: one object of the catalog is changed, by a seed, its name in any case."""

import random
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import duckdb

EVIL = "run for a stranger"  # what is shown where something of a stranger's was run
RUNS = f"error('{EVIL}')"


class Crafted(NamedTuple):
    """A change: what is changed, and the statements that do it."""

    name: str
    statements: tuple[str, ...]


class Catalog(NamedTuple):
    """The names of a lexicon's objects, and those of DuckDB. columns: by table; macros, views: with their schemas."""

    columns: dict[str, list[str]]
    texts: dict[str, str]
    macros: list[tuple[str, str, str, list[str]]]
    views: list[tuple[str, str]]
    functions: list[tuple[str, str]]
    types: list[str]


def catalog(client: duckdb.DuckDBPyConnection) -> Catalog:
    """What an open lexicon holds."""

    def rows(query: str) -> list[Any]:
        return client.execute(query).fetchall()

    columns: dict[str, list[str]] = {}
    texts: dict[str, str] = dict(
        rows("SELECT table_name, sql FROM duckdb_tables() WHERE schema_name = '_store' ORDER BY table_name")
    )
    of_columns = "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = '_store' ORDER BY ALL"
    for table, column in rows(of_columns):
        if table in texts:
            columns.setdefault(table, []).append(column)
    macros = (
        "SELECT DISTINCT ON (schema_name, function_name) schema_name, function_name, function_type, parameters "
        "FROM duckdb_functions() WHERE NOT internal ORDER BY ALL"
    )
    views = "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
    functions = "SELECT DISTINCT function_name, function_type FROM duckdb_functions() WHERE internal ORDER BY ALL"
    return Catalog(
        columns,
        texts,
        [(space, name, kind, [*parameters]) for space, name, kind, parameters in rows(macros)],
        [(space, name) for space, name in rows(views)],
        [(name, kind) for name, kind in rows(functions)],
        ["JSON"],  # the types that are built in cannot be made at all
    )


def crafted(seed: int, found: Catalog, kinds: "tuple[Kind, ...] | None" = None) -> Crafted:
    """The change of a seed, one of these kinds."""
    dice = random.Random(seed)
    kind = dice.choice(kinds or (*REFUSED, *BROUGHT_BACK, *HARMLESS))
    return Crafted(f"{seed}: {kind.__name__}", tuple(kind(dice, found)))


def cased(dice: random.Random, name: str) -> str:
    """A name with each letter in any case, quoted."""
    letters = "".join(dice.choice((each.lower(), each.upper())) for each in name)
    return '"' + letters.replace('"', '""') + '"'


Kind = Callable[[random.Random, Catalog], list[str]]


def hiding_macro(dice: random.Random, found: Catalog) -> list[str]:
    name, kind = dice.choice(found.functions)
    parameters = ", ".join("abc"[: dice.randint(0, 3)])
    body = f"TABLE SELECT '{EVIL}' AS x" if "table" in kind or dice.random() < 0.2 else dice.choice(("1.0", RUNS))
    return [f"CREATE MACRO {cased(dice, name)}({parameters}) AS {body}"]


def hiding_type(dice: random.Random, found: Catalog) -> list[str]:
    return [f"CREATE TYPE {cased(dice, dice.choice(found.types))} AS ENUM ('{EVIL}')"]


def table_of(dice: random.Random, found: Catalog) -> str:
    return dice.choice([*found.columns])


def view_of(dice: random.Random, found: Catalog) -> str:
    space, name = dice.choice(found.views)
    return f"{space}.{cased(dice, name)}"


def default(dice: random.Random, found: Catalog) -> list[str]:
    table = table_of(dice, found)
    column = cased(dice, dice.choice(found.columns[table]))
    return [f"ALTER TABLE _store.{table} ALTER COLUMN {column} SET DEFAULT {dice.choice((RUNS, 'random()', '3'))}"]


def nullable(dice: random.Random, found: Catalog) -> list[str]:
    table = dice.choice([each for each, text in found.texts.items() if "NOT NULL" in text])
    column = dice.choice(re.findall(r'([\w"]+) \w+(?:\[\])?(?: USING COMPRESSION \w+)? NOT NULL', found.texts[table]))
    return [f"ALTER TABLE _store.{table} ALTER COLUMN {column} DROP NOT NULL"]


def column_more(dice: random.Random, found: Catalog) -> list[str]:
    table = table_of(dice, found)
    name, kind = ("more", "INTEGER") if "metadata" not in table else ("sent\x1b[31m", "VARCHAR")
    return [f"ALTER TABLE _store.{table} ADD COLUMN {cased(dice, name)} {kind}"]


def column_renamed(dice: random.Random, found: Catalog) -> list[str]:
    table = table_of(dice, found)
    own = found.columns[table]
    column = dice.choice([each for each in own if each.endswith("_id")] if table.endswith("_metadata") else own)
    new = dice.choice((column.capitalize(), column.upper(), f"{column}s"))
    return [f'ALTER TABLE _store.{table} RENAME COLUMN "{column}" TO "{new}"']


def table_renamed(dice: random.Random, found: Catalog) -> list[str]:
    table = table_of(dice, found)
    return [f'ALTER TABLE _store.{table} RENAME TO "{dice.choice((table.upper(), table.capitalize(), table + "s"))}"']


def table_replaced(dice: random.Random, found: Catalog) -> list[str]:
    """A table with a generated column, a check, a key, a collation or other types."""
    table = dice.choice([each for each in found.texts if each != "alembic_version"])
    text = found.texts[table].rstrip(";").replace(f'"{table}"', table).replace(f"_store.{table}(", "_store.crafted(", 1)
    column = dice.choice(found.columns[table])
    text = dice.choice((
        text[:-1] + f', CHECK("{column}" IS NOT NULL OR {RUNS} IS NULL))',
        text[:-1] + f", crafted INTEGER GENERATED ALWAYS AS ({RUNS}::INTEGER))",
        text[:-1] + f', UNIQUE("{column}"))', re.sub("INTEGER|VARCHAR", dice.choice(("BLOB", "BIGINT[]")), text),
        text.replace("VARCHAR", "VARCHAR COLLATE NOCASE") if "VARCHAR" in text else text[:-1] + ", CHECK(1 = 1))",
    ))  # fmt: skip
    return [text, f"DROP TABLE _store.{table}", f"ALTER TABLE _store.crafted RENAME TO {table}"]


def macro_replaced(dice: random.Random, found: Catalog) -> list[str]:
    space, name, kind, parameters = dice.choice(found.macros)
    body = f"TABLE SELECT '{EVIL}' AS lexeme, 1.0 AS similarity" if kind == "table_macro" else f"'{EVIL}'"
    listed = ", ".join(f'"{each}"' if at == 0 else f'"{each}" := NULL' for at, each in enumerate(parameters))
    return [f"CREATE OR REPLACE MACRO {space}.{cased(dice, name)}({listed}) AS {body}"]


def macro_dropped(dice: random.Random, found: Catalog) -> list[str]:
    space, name, kind, _ = dice.choice(found.macros)
    return [f"DROP MACRO{' TABLE' if kind == 'table_macro' else ''} {space}.{cased(dice, name)}"]


def macro_more(dice: random.Random, found: Catalog) -> list[str]:
    return [f"CREATE MACRO _store.{cased(dice, 'more')}(x) AS {RUNS}"]


def view_replaced(dice: random.Random, found: Catalog) -> list[str]:
    return [f"CREATE OR REPLACE VIEW {view_of(dice, found)} AS SELECT '{EVIL}' AS lexeme, 1.0 AS weight"]


def view_dropped(dice: random.Random, found: Catalog) -> list[str]:
    dropped = view_of(dice, found)
    while "mine" in dropped.lower():  # the view of a weighting may be dropped: the weighting stays
        dropped = view_of(dice, found)
    return [f"DROP VIEW {dropped}"]


def index(dice: random.Random, found: Catalog) -> list[str]:
    table = table_of(dice, found)
    columns = [each for each in found.columns[table] if each not in ("projection", "vector")]  # arrays have none
    return [f'CREATE INDEX {cased(dice, "evil")} ON _store.{table} ("{dice.choice(columns)}")']


def comment(dice: random.Random, found: Catalog) -> list[str]:
    table = table_of(dice, found)
    of = dice.choice((
        f"TABLE _store.{table}", f"VIEW {view_of(dice, found)}",
        f'COLUMN _store.{table}."{dice.choice(found.columns[table])}"',
    ))  # fmt: skip
    return [f"COMMENT ON {of} IS '{EVIL} \x1b[31m'"]


def users_own(dice: random.Random, _: Catalog) -> list[str]:
    name = cased(dice, f"mine{dice.randrange(100)}")
    return [
        dice.choice((
            f"CREATE TABLE {name} (a INTEGER DEFAULT ({RUNS}::INTEGER), b INTEGER CHECK (b > 0))",
            f"CREATE VIEW {name} AS SELECT {RUNS} AS weight", f"CREATE MACRO {name}(x) AS {RUNS}",
            f"CREATE MACRO {name}(x) AS TABLE SELECT {RUNS}", f"CREATE SEQUENCE {name}",
            f"CREATE TYPE {name} AS ENUM ('{EVIL}')", f"CREATE TABLE _store.{name} (a INTEGER)",
            f"CREATE SCHEMA {name}",
        ))
    ]  # fmt: skip


REFUSED: tuple[Kind, ...] = (
    hiding_macro, hiding_type, default, nullable, column_more, column_renamed, table_renamed,
    table_replaced,
)  # fmt: skip
BROUGHT_BACK: tuple[Kind, ...] = (macro_replaced, macro_dropped, macro_more, view_replaced, view_dropped, index)
HARMLESS: tuple[Kind, ...] = (comment, users_own)
