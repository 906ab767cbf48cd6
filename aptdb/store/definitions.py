"""The macros and views that live in every lexicon, in load order."""

import os
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from aptdb.core.schemes import SCHEMES
from aptdb.store import user_cache
from aptdb.store.lazy_imports import tables
from aptdb.store.placeholders import OPTIONS, TYPES, kind_of_option, parts
from aptdb.store.public_sql import COLUMNS, IN_RELATION, Public, public_in
from aptdb.store.sql_text import SqlText
from aptdb.store.statements import PLACEHOLDER, Statement, read_text, resource

HELP = "store/define/help"  # what the other definitions say of themselves

# The one load order: a macro's names are checked when it is created, so each file stands on those before it.
DEFINITIONS = (
    "store/define/path_steps",
    "store/define/path_functions",
    "store/define/guard",
    "store/define/subcorpus_id",
    "store/define/of_subcorpus",
    "store/define/subcorpora",
    "store/define/counts",
    "store/define/treebank",
    "store/define/metadata",
    "questions/define/options",
    "questions/define/option",
    "questions/define/option_checks",
    "questions/define/lexemes",
    "questions/define/log_likelihood",
    "questions/define/entries",
    "questions/define/scheme_weights",
    "questions/define/weights_of",
    "questions/define/schemes",
    "questions/define/scheme",
    "questions/define/scheme_view",
    "questions/define/untyped",
    "questions/define/weightings",
    "questions/define/phrase",
    "questions/define/questions",
    "questions/define/about",
    "questions/define/relations",
    "questions/define/composition",
    "questions/define/measures",
    "questions/define/dimensions",
    "questions/define/candidates",
    "questions/define/ranking",
    "questions/define/smoothing",
    "questions/define/offsets",
    "questions/define/merge_rules",
    "questions/define/moved_apts",
    "questions/define/merged_apt",
    "questions/define/composed",
    "questions/define/apt",
    "questions/define/vectors",
    "questions/define/similarity",
    "questions/define/neighbours",
    "questions/define/most_similar",
    "questions/define/products",
    "questions/define/contextualise",
    "questions/define/plausible",
    "questions/define/explain",
    "questions/define/diff",
    "questions/define/keyness",
    "questions/define/trend_statistics",
    "questions/define/concordance",
    "questions/define/evidence",
    "questions/define/frames",
    "questions/define/relation_words",
    "questions/define/sketch",
    "questions/define/sketch_diff",
    "questions/define/counts_by",
    "questions/define/key_items",
    "evaluation/define/evaluations",
    HELP,
)

PRIVATE = re.compile(r'CREATE OR REPLACE (MACRO|VIEW) _store\."?([a-z_]+)"?(?:\([^()]*\))? AS( TABLE)?\b')

SCALAR = re.compile(r"CREATE OR REPLACE MACRO \S+?\([^()]*\) AS\s+(?!TABLE\b)(?:[^;']|'[^']*')*;")

# One statement of several, with the comments above it: all up to a semicolon outside of comments and quotes.
ONE = re.compile(r"""(?:--[^\n]*|'(?:[^']|'')*'|"[^"]*"|[^;])+""")

# What is a lexicon's own: the stamp of its content, and what its weightings record of each property.
OWN = {
    "stamp",
    *(f"recorded_{name}" for name in (*OPTIONS, "scheme", "phi", "kept", "entries", "subcorpora", "subcorpus_ids")),
}


@cache
def definitions(*, own_only: bool = False) -> Statement:
    """Return all macros and views of a lexicon in load order, with placeholders where its own belong.

    own_only: no others than those that have such a placeholder.
    """
    text = "\n".join(f"{each.text};" for name in DEFINITIONS for each in made(name))
    if own_only:
        text = "".join(f"{each};" for each in ONE.findall(text) if PLACEHOLDER.search(each))
    return Statement("definitions", text, frozenset(PLACEHOLDER.findall(text)))


@cache
def recording_definitions() -> Statement:
    """Return the scalar macros of those files in which what is recorded is written.

    They need no table and no other file.
    """
    files = ["\n".join(f"{each.text};" for each in made(name)) for name in DEFINITIONS]
    text = "\n".join(macro for file in files if "@recorded_" in file for macro in SCALAR.findall(file))
    return Statement("recording definitions", text, frozenset(PLACEHOLDER.findall(text)))


@cache
def made_again() -> dict[str, list[dict[str, SqlText]]]:
    """Definitions that are made again and again, each time with other values at these placeholders."""
    return {
        "store/define/of_subcorpus": [
            {
                "table": SqlText(table.name),
                "columns": SqlText(", ".join(column.name for column in table.columns)),
                "row": SqlText(row),
            }
            for table, row in tables.COUNTED.items()
        ],
        "questions/define/option": [
            {
                "name": SqlText(name),
                "kind": SqlText(TYPES[kind_of_option(name)]),
                "recorded_option": SqlText(f"@recorded_{name}@"),
            }
            for name in OPTIONS
        ],
        "questions/define/scheme": [
            {"scheme": SqlText(name), "meaning": SqlText(scheme.meaning)} for name, scheme in SCHEMES.items()
        ],
        "questions/define/scheme_view": [
            {"scheme": SqlText(name), "meaning": SqlText(scheme.meaning)} for name, scheme in SCHEMES.items()
        ],
    }


def made(name: str) -> list[Statement]:
    """Return a definition with what it has in common with others in place.

    Several where it is made for each of something.
    """
    common = parts()
    if name == HELP:
        common = {**common, "help_rows": SqlText(",\n    ".join(each.row() for each in described()))}
    found = []
    for values in made_again().get(name, [{}]):
        read = read_text(name, frozenset({*common, *values, *OWN}))
        found.append(read.with_some({**common, **values}))
    return found


@cache
def described() -> list[Public]:
    """Return what is public, and described by definitions; those of `aptdb_help` itself come last."""
    texts = [made_of.text for name in DEFINITIONS if name != HELP for made_of in made(name)]
    return [each for text in (*texts, read_text(HELP, frozenset({"help_rows"})).text) for each in public_in(text)]


@cache
def private_objects() -> frozenset[tuple[str, str]]:
    """Return the macros and views of the private schema, by what each is dropped as, e.g. MACRO TABLE, and its name."""
    return frozenset((kind + is_table, name) for kind, name, is_table in PRIVATE.findall(definitions().text))


@cache
def definitions_digest() -> str:
    """Return what tells whether a lexicon holds these definitions or others.

    Remembered while no file of ours changes.
    """
    of_files, name = digest_of_files(), f"definitions-{user_cache.INSTALLATION}"
    found = user_cache.read(name)
    if isinstance(found, list) and found[:1] == [of_files]:
        return str(found[-1])
    said = repr([COLUMNS, IN_RELATION])
    digest = sha256(f"{definitions().text}{said}".encode()).hexdigest()
    user_cache.write(name, [of_files, digest])
    return digest


def digest_of_files() -> str:
    """Return what changes when a file that definitions are made from, Python's or SQL's, is written or replaced."""
    found = []
    folders = [Path(__file__).parent.parent, resource("sql")]
    for folder in folders:
        for each in os.scandir(folder):
            if each.is_dir():
                folders.append(Path(each))
            elif each.name.endswith((".py", ".sql")):
                status = each.stat()
                found.append([each.path, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns])
    return sha256(repr(sorted(found)).encode()).hexdigest()
