"""What is said of documents and sentences beside their trees: its kinds, their types, and where it is kept.

Each kind has a column of its own, so that SQL reads it by its name and with its type.
"""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aptdb.corpus.tabular import by_name
from aptdb.errors import AptError, CorpusError, UnknownDocument, warn
from aptdb.store import schema
from aptdb.store.database import Database, in_memory
from aptdb.store.literals import SqlText, identifier, literal
from aptdb.store.public import BEFORE_METADATA
from aptdb.store.statements import statement

LEVELS = ("document", "sentence")
TAKEN = {level: BEFORE_METADATA[f"{level}s"] for level in LEVELS}
CALLED = {"BIGINT": "a whole number", "DOUBLE": "a number", "DATE": "a date (2026-11-22)", "VARCHAR": "text"}
COPY = {"document": "counting/metadata/copy_documents", "sentence": "counting/metadata/copy_sentences"}
SHOWN = 3  # how many names of documents a message shows
Columns = dict[str, dict[str, str]]  # by level and name, the type


@dataclass(frozen=True)
class Given:
    """What is given for the documents of a corpus, beside what its comments say.

    tags: values of all documents, by name. table: rows of document, name, value; None if there is none. place: how
    messages name the table. sentence_names: which comments of sentences are kept.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    table: list[tuple[str, str, str]] | None = None
    place: str = ""
    sentence_names: tuple[str, ...] = ()


def given_metadata(meta: Any, tags: Any, sentence_meta: Any) -> Given:
    """What is given with an addition, read and checked. Raises CorpusError."""
    if not isinstance(tags, Mapping | None):
        raise CorpusError(f"tags is {tags!r:.60}; it is a dictionary of values by name, e.g. {{'period': '1890s'}}")
    names = () if sentence_meta is None else sentence_meta
    if isinstance(names, str) or not all(isinstance(each, str) and is_name(each) for each in names):
        raise CorpusError(f"sentence_meta is {names!r:.60}; it is a list of names of comments, e.g. ['speaker']")
    found = {str(name).strip(): one_line(value) for name, value in (tags or {}).items()}
    for name, value in found.items():
        if not is_name(name) or not value:
            raise CorpusError(f"a tag is a name and a value, e.g. period=1890s; one is {name!r} = {value!r:.40}")
    table = None if meta is None else table_rows(Path(meta))
    return Given(found, table, "" if meta is None else str(meta), tuple(dict.fromkeys(names)))


def is_name(name: str) -> bool:
    """Whether a comment, and so a column, can be called so."""
    return bool(name) and name == name.strip() and name.isprintable() and "=" not in name


def one_line(value: Any) -> str:
    """A value as text in one line."""
    return " ".join(str(value).split())


def kept_comments(names: Iterable[str]) -> str:
    """The pattern of the comments that something is kept of."""
    wanted = "|".join(map(re.escape, ("sent_id", *names)))
    return rf"^#\s*(newdoc|meta::|({wanted})\s*=)"


def table_rows(file: Path) -> list[tuple[str, str, str]]:
    """What a file says of documents: rows of document, name, value. Raises CorpusError.

    Its first column that is called so names the document; every other column is a kind of metadata. An empty cell says
    nothing.
    """
    if not file.is_file():
        raise CorpusError(f"{file}: no such file")
    read = reader_of(file)
    with closing(in_memory()) as scratch:
        try:
            columns = [str(name) for name, *_ in scratch.rows(f"DESCRIBE FROM {read}")]
            called = [name for name in columns if name.lower() == "document"]
            if not called:
                raise CorpusError(f"{file} has no column document; it has {', '.join(columns)}")
            if len(columns) == 1:
                raise CorpusError(f"{file} has no column beside document, so it says nothing")
            parts = {"read": SqlText(read), "document": SqlText(identifier(called[0]))}
            names = scratch.rows(statement("counting/metadata/table_documents", **parts))
            rows = scratch.rows(statement("counting/metadata/given_rows", **parts))
        except CorpusError:
            raise
        except AptError as error:
            raise CorpusError(f"{file} cannot be read as a table: {' '.join(str(error).split()):.200}") from error
    seen: set[str] = set()
    for (name,) in names:
        if name is None or name in seen:
            problem = "a row names no document" if name is None else f"document {name} is there twice"
            raise CorpusError(f"{file}: {problem}; a row is a document")
        seen.add(name)
    for name in columns:
        if not is_name(name):
            raise CorpusError(f"{file}: a column is called {name!r}; a name has no = and no spaces around it")
    return [(str(document), str(name), one_line(value)) for document, name, value in rows if one_line(value)]


def reader_of(file: Path) -> str:
    """The call that reads a table of text, by the end of the file's name. Raises CorpusError for any other."""
    name = literal(by_name(file))
    readers = {
        ".csv": f"read_csv({name}, all_varchar := true, header := true, delim := ',')",
        ".tsv": f"read_csv({name}, all_varchar := true, header := true, delim := E'\\t')",
        ".parquet": f"read_parquet({name})",
    }
    if file.suffix.lower() not in readers:
        raise CorpusError(f"{file}: metadata is a table in a file that ends with {', '.join(readers)}")
    return readers[file.suffix.lower()]


def settle(database: Database, given: Given, corpus: str) -> None:
    """Put together all that is said of the documents and sentences of the corpus in a draft.

    Raises CorpusError for a name that both the comments and an option give. Warns of documents that only a table has,
    or lacks.
    """
    said = {name for (name,) in database.rows("SELECT DISTINCT name FROM _store.said WHERE level = 'document'")}
    in_table = {name for _, name, _ in given.table or ()}
    for name in sorted(given.tags.keys() & in_table):
        raise CorpusError(f"{name} is given twice: as a tag, and by {given.place}; choose one")
    for name in sorted(said & (given.tags.keys() | in_table)):
        whose = "as a tag" if name in given.tags else f"by {given.place}"
        raise CorpusError(f"{name} is given {whose}, and by comments (# meta::{name}) of {corpus}; call it otherwise")
    if given.table is not None:
        tell_of_documents(database, given, corpus)
    rows = [{"document": None, "name": name, "value": value} for name, value in given.tags.items()]
    rows += [{"document": each, "name": name, "value": value} for each, name, value in given.table or ()]
    if rows:
        database.run(statement("counting/metadata/add_given"), {"given": json.dumps(rows, ensure_ascii=False)})
    database.run(statement("counting/metadata/settled"))


def tell_of_documents(database: Database, given: Given, corpus: str) -> None:
    """Warn of documents that a table has and the corpus lacks, or the other way round."""
    there = {
        name for (name,) in database.rows("SELECT name FROM _store.document WHERE corpus_id = getvariable('corpus_id')")
    }
    listed = {document for document, _, _ in given.table or ()}
    for whose, lacking in ((f"{corpus} has no document", listed - there), (f"{given.place} lacks", there - listed)):
        if lacking:
            names = ", ".join(sorted(lacking)[:SHOWN])
            more = f" and {len(lacking) - SHOWN:,} more" if len(lacking) > SHOWN else ""
            warn(f"{whose} {names}{more}", UnknownDocument)


def bring(lexicon: Database, draft: Database, store: SqlText, corpus: str) -> None:
    """Put what a draft has settled into the lexicon, within its transaction.

    Raises CorpusError for a kind that is called as a column of ours, or is of another type than before.
    """
    kinds = draft.rows(statement("counting/metadata/kinds"))
    known = columns_of(lexicon)
    new: Columns = {level: {} for level in LEVELS}
    for level, name, kind, *unlike in kinds:
        refuse_clash(level, name, {**known[level], **new[level]}, corpus)
        there = known[level].get(name)
        if there is None:
            new[level][name] = kind
        elif not fits(kind, there):
            value = dict(zip(("BIGINT", "DOUBLE", "DATE"), unlike, strict=True))[there]
            raise CorpusError(
                f"{name} is {CALLED[there]} in this lexicon, but {value!r:.60} in {corpus}; give it another name or "
                "other values"
            )
    add_columns(lexicon, new)
    for level in LEVELS:
        names = [(name, {**known[level], **new[level]}[name]) for of, name, *_ in kinds if of == level]
        if names:
            values = ", ".join(
                f"max(value) FILTER (name = {literal(name)})::{kind} AS {identifier(name)}" for name, kind in names
            )
            parts = {"draft": store, "level": SqlText(level), "values": SqlText(values)}
            lexicon.run(statement("counting/metadata/bring", **parts))


def fits(kind: str, there: str) -> bool:
    """Whether values of a type can stand in a column of another."""
    return there in (kind, "VARCHAR") or (kind, there) == ("BIGINT", "DOUBLE")


def refuse_clash(level: str, name: str, known: Mapping[str, str], corpus: str) -> None:
    """Raise CorpusError for a name that is that of another column, or differs from it in case alone."""
    others = {each.lower(): each for each in (*TAKEN[level], *known) if each != name}
    if name in TAKEN[level] or name.lower() in others:
        raise CorpusError(
            f"{corpus} calls metadata of a {level} {name!r}, and there is a column "
            f"{others.get(name.lower(), name)}; give it another name"
        )


def columns_of(database: Database, name: str | None = None) -> Columns:
    """The kinds of metadata in a lexicon, or in an attached database of this name."""
    called = database.name() if name is None else name
    found: Columns = {level: {} for level in LEVELS}
    for table, column, kind in database.rows(statement("counting/metadata/columns", database=called)):
        found[table.removesuffix("_metadata")][column] = kind
    return found


def add_columns(database: Database, new: Columns) -> None:
    """Give each new kind its column; the public views show it at once."""
    for level, columns in new.items():
        for name, kind in columns.items():
            database.run(f"ALTER TABLE _store.{level}_metadata ADD COLUMN {identifier(name)} {kind}")
    if any(new.values()):
        schema.show_metadata(database)


def copy(database: Database, corpora: Iterable[tuple[int, int, str]], file: Path) -> None:
    """Copy what the attached lexicon says of the documents and sentences of corpora: ids there and here, and names.

    Raises CorpusError where a kind has another type here.
    """
    theirs, known = columns_of(database, "/other"), columns_of(database)
    if not any(theirs.values()):
        return
    new: Columns = {level: {} for level in LEVELS}
    for level, columns in theirs.items():
        for name, kind in columns.items():
            refuse_clash(level, name, {**known[level], **new[level]}, str(file))
            there = known[level].get(name)
            if there is None:
                new[level][name] = kind
            elif not fits(kind, there):
                raise CorpusError(f"{name} is {CALLED[there]} in this lexicon, and {CALLED[kind]} in {file}")
    add_columns(database, new)
    for number, own, _ in corpora:
        for level in LEVELS:
            database.run(statement(COPY[level]), {"corpus": number, "own": own})
    drop_unused(database)


def drop_unused(database: Database) -> None:
    """Take away the columns under which nothing is said any more."""
    gone = False
    for level, columns in columns_of(database).items():
        for name in columns:
            table, kind = SqlText(f"{level}_metadata"), SqlText(identifier(name))
            if not database.value(statement("counting/metadata/is_used", table=table, kind=kind)):
                database.run(f"ALTER TABLE _store.{level}_metadata DROP COLUMN {identifier(name)}")
                gone = True
    if gone:
        schema.show_metadata(database)
