"""Metadata of documents and sentences: its kinds, their types, and their storage.

Each kind has a column of its own, so that SQL reads it by its name and in its type.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aptdb.core.errors import AptError, CorpusError, UnknownDocument, UnusedSetting, warn
from aptdb.corpus.tabular import by_name
from aptdb.store import schema
from aptdb.store.database import Database, in_memory
from aptdb.store.definitions import BEFORE_METADATA
from aptdb.store.statements import SqlText, identifier, literal, statement

LEVELS = ("document", "sentence")
TAKEN = {level: (*BEFORE_METADATA[f"{level}s"], f"{level}_id") for level in LEVELS}
CALLED = {"BIGINT": "a whole number", "DOUBLE": "a number", "DATE": "a date (2026-11-22)", "VARCHAR": "text"}
COPY = {"document": "counting/metadata/copy_documents", "sentence": "counting/metadata/copy_sentences"}
SHOWN = 3  # how many names of documents a message shows
Columns = dict[str, dict[str, str]]  # by level and name, the type


@dataclass(frozen=True)
class Given:
    """Metadata that is given with an addition, besides comments in the corpus.

    tags: values for all documents, by name. table: rows of document, name, value, or None. documents: all documents of
    the table. place: the name of the table in messages. sentence_names: comments of sentences to keep.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    table: list[tuple[str, str, str]] | None = None
    documents: frozenset[str] = frozenset()
    place: str = ""
    sentence_names: tuple[str, ...] = ()


def given_metadata(meta: Any, tags: Any, sentence_meta: Any) -> Given:
    """Return the metadata that is given with an addition, checked. Raise CorpusError."""
    if not isinstance(tags, Mapping | None):
        raise CorpusError(f"tags is {tags!r:.60}; expected a dictionary of values by name, e.g. {{'period': '1890s'}}")
    if not isinstance(meta, str | Path | None):
        raise CorpusError(f"meta is {meta!r:.60}; expected the name of a file")
    names: Any = () if sentence_meta is None else sentence_meta
    if not isinstance(names, list | tuple | set) or not all(map(is_name, names)):
        raise CorpusError(f"sentence_meta is {names!r:.60}; expected a list of names of comments, e.g. ['speaker']")
    found = {name: "" if value is None else one_line(value) for name, value in (tags or {}).items()}
    for name, value in found.items():
        if not is_name(name) or not value or not is_unicode(value):
            raise CorpusError(f"a tag is a name and a value, e.g. period=1890s; one is {name!r} = {value!r:.40}")
    names = tuple(dict.fromkeys(names))
    if meta is None:
        return Given(found, sentence_names=names)
    documents, table = table_rows(Path(meta))
    return Given(found, table, documents, str(meta), names)


def is_name(name: Any) -> bool:
    """Return whether a kind of metadata, and so a column, can have this name."""
    return isinstance(name, str) and name == name.strip() != "" and name.isprintable() and "=" not in name


def is_unicode(text: str) -> bool:
    """Return whether a text can be stored: arguments of a command may be arbitrary bytes."""
    return not any("\ud800" <= each <= "\udfff" for each in text)


def one_line(value: Any) -> str:
    """Return a value as text in one line."""
    return " ".join(str(value).split())


def kept_comments(names: Iterable[str]) -> str:
    """Return the pattern of comments that are kept."""
    wanted = "|".join(map(re.escape, ("sent_id", *names)))
    return rf"^#\s*(newdoc|meta::|({wanted})\s*=)"


def table_rows(file: Path) -> tuple[frozenset[str], list[tuple[str, str, str]]]:
    """Return the metadata in a table: the names of documents, and rows of document, name, value. Raise CorpusError.

    One column is called document; every other column is a kind of metadata. An empty cell is no value.
    """
    readers: dict[str, Callable[[Path], tuple[list[str], list[Any]]]] = {
        ".csv": csv_table,
        ".tsv": csv_table,
        ".parquet": parquet_table,
    }
    if file.suffix.lower() not in readers:
        raise CorpusError(f"{file}: metadata is a table in a file that ends with {', '.join(readers)}")
    if not file.is_file():
        raise CorpusError(f"{file}: no such file")
    columns, rows = readers[file.suffix.lower()](file)
    refuse_columns(file, columns)
    at = next(place for place, name in enumerate(columns) if name.lower() == "document")
    documents: set[str] = set()
    found: list[tuple[str, str, str]] = []
    for row in rows:
        document = one_line(row[at])
        if not document or document in documents:
            problem = f"document {document} is there twice" if document else "a row names no document"
            raise CorpusError(f"{file}: {problem}; a row is a document")
        documents.add(document)
        cells = zip(columns, map(one_line, row), strict=True)
        found += [(document, name, value) for place, (name, value) in enumerate(cells) if place != at and value]
    return frozenset(documents), found


def refuse_columns(file: Path, columns: Sequence[str]) -> None:
    """Raise CorpusError if the columns of a table cannot be metadata of documents."""
    lower = [name.lower() for name in columns]
    if "document" not in lower:
        raise CorpusError(f"{file} has no column document; it has {', '.join(columns) or 'none'}")
    if len(columns) == 1:
        raise CorpusError(f"{file} has no column but document; add a column of metadata")
    for place, name in enumerate(columns):
        if not is_name(name):
            raise CorpusError(f"{file}: a column is called {name!r}; a name has no = and no spaces around it")
        if lower.index(lower[place]) != place:
            raise CorpusError(f"{file}: two columns are called {columns[lower.index(lower[place])]} and {name}")


def csv_table(file: Path) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of a text table. In .csv quotation marks quote, in .tsv they are ordinary."""
    is_csv = file.suffix.lower() == ".csv"
    how: dict[str, Any] = {"strict": True} if is_csv else {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.reader(opened, **how)
            columns = next(reader, [])
            rows = []
            for row in reader:
                if row and len(row) != len(columns):
                    raise CorpusError(f"{file}:{reader.line_num}: {len(row)} cells; the header has {len(columns)}")
                rows += [row] if row else []
    except UnicodeDecodeError as error:
        raise CorpusError(f"{file} cannot be read: it is not UTF-8") from error
    except (OSError, csv.Error) as error:
        raise CorpusError(f"{file} cannot be read as a table: {error}") from error
    return columns, rows


def parquet_table(file: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and rows of a Parquet table as text; '' for NULL."""
    with closing(in_memory()) as scratch:
        try:
            asked = statement("counting/metadata/parquet_rows", file=by_name(file))
            columns = [str(name) for name, *_ in scratch.rows(f"DESCRIBE {asked}")]
            return columns, scratch.rows(asked)
        except AptError as error:
            raise CorpusError(f"{file} cannot be read as a table: {' '.join(str(error).split()):.200}") from error


def settle(database: Database, given: Given, corpus: str) -> None:
    """Collect all metadata of the documents and sentences of the corpus in a draft.

    Raises CorpusError for a name that is both in comments and in an option. Warns of documents that occur only in the
    table or only in the corpus.
    """
    in_comments = {name for (name,) in database.rows("SELECT DISTINCT name FROM _store.said WHERE level = 'document'")}
    in_table = {name for _, name, _ in given.table or ()}
    for name in sorted(given.tags.keys() & in_table):
        raise CorpusError(f"{name} is given twice: as a tag, and by {given.place}; choose one")
    for name in sorted(in_comments & (given.tags.keys() | in_table)):
        whose = "as a tag" if name in given.tags else f"by {given.place}"
        raise CorpusError(f"{name} is given {whose}, and by comments (# meta::{name}) of {corpus}; choose another name")
    if given.table is not None:
        tell_of_documents(database, given, corpus)
    tell_of_comments(database, given, corpus)
    rows = [{"document": None, "name": name, "value": value} for name, value in given.tags.items()]
    rows += [{"document": each, "name": name, "value": value} for each, name, value in given.table or ()]
    listed = {"given": json.dumps(rows, ensure_ascii=False)}
    database.run(statement("counting/metadata/add_given"), listed)
    database.run(statement("counting/metadata/add_elsewhere"), listed)
    database.run(statement("counting/metadata/settled"))


def tell_of_documents(database: Database, given: Given, corpus: str) -> None:
    """Warn of documents that occur only in the table or only in the corpus."""
    there = {
        name for (name,) in database.rows("SELECT name FROM _store.document WHERE corpus_id = getvariable('corpus_id')")
    }
    both = ((f"{corpus} has no document", given.documents - there), (f"{given.place} lacks", there - given.documents))
    for whose, lacking in both:
        if lacking:
            names = ", ".join(sorted(lacking)[:SHOWN])
            more = f" and {len(lacking) - SHOWN:,} more" if len(lacking) > SHOWN else ""
            warn(f"{whose} {names}{more}", UnknownDocument)


def tell_of_comments(database: Database, given: Given, corpus: str) -> None:
    """Warn of requested comments that no sentence has."""
    in_comments = {name for (name,) in database.rows("SELECT DISTINCT name FROM _store.said WHERE level = 'sentence'")}
    for name in given.sentence_names:
        if name not in in_comments:
            warn(f"--sentence-meta: no sentence of {corpus} has a comment # {name} = …", UnusedSetting)


def bring(lexicon: Database, draft: Database, store: SqlText, corpus: str) -> None:
    """Move the metadata of a draft into the lexicon, within its transaction.

    Raises CorpusError for a kind whose name is taken, or whose type differs from the stored one.
    """
    kinds = draft.rows(statement("counting/metadata/kinds"))
    known = columns_of(lexicon)
    new: Columns = {level: {} for level in LEVELS}
    for level, name, kind, *unlike in kinds:
        if not is_name(name):
            raise CorpusError(f"{corpus} calls metadata of a {level} {name!r}; a name has no odd characters in it")
        refuse_clash(level, name, {**known[level], **new[level]}, corpus)
        there = known[level].get(name)
        if there is None:
            new[level][name] = kind
        elif not fits(kind, there, is_number=unlike[1] is None):
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


def fits(kind: str, there: str, *, is_number: bool) -> bool:
    """Return whether values of one type fit into a column of another.

    is_number: whether a DOUBLE keeps all their digits.
    """
    return there in (kind, "VARCHAR") or ((kind, there) == ("BIGINT", "DOUBLE") and is_number)


def refuse_clash(level: str, name: str, known: Mapping[str, str], corpus: str) -> None:
    """Raise CorpusError for the name of an existing column, or one that differs from it only in case."""
    others = {each.lower(): each for each in (*TAKEN[level], *known) if each != name}
    if name in TAKEN[level] or name.lower() in others:
        raise CorpusError(
            f"{corpus} calls metadata of a {level} {name!r}, and there is a column "
            f"{others.get(name.lower(), name)}; give it another name"
        )


def columns_of(database: Database, name: str | None = None) -> Columns:
    """Return the kinds of metadata in a lexicon, or in an attached database."""
    called = database.name() if name is None else name
    found: Columns = {level: {} for level in LEVELS}
    for table, column, kind in database.rows(statement("counting/metadata/columns", database=called)):
        found[table.removesuffix("_metadata")][column] = kind
    return found


def add_columns(database: Database, new: Columns) -> None:
    """Add a column for each new kind, and show it in the public views."""
    for level, columns in new.items():
        for name, kind in columns.items():
            database.run(f"ALTER TABLE _store.{level}_metadata ADD COLUMN {identifier(name)} {kind}")
    if any(new.values()):
        schema.show_metadata(database)


def copy(database: Database, corpora: Iterable[tuple[int, int, str]], file: Path, chosen: SqlText) -> None:
    """Copy the metadata of corpora from the attached lexicon. corpora: their ids there and here, and names.

    chosen: the statement that selects the ids of the copied sentences. Raises CorpusError if a kind has another type
    here.
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
            elif kind != there and (kind, there) not in (("BIGINT", "VARCHAR"), ("DATE", "VARCHAR")):
                # As text a DOUBLE is not what was written, and a DOUBLE may not keep all digits of a whole number.
                raise CorpusError(
                    f"{name} is {CALLED[there]} in this lexicon, and {CALLED[kind]} in {file}; add its corpora to this "
                    "lexicon from their files"
                )
    add_columns(database, new)
    for number, own, _ in corpora:
        for level in LEVELS:
            how = {"chosen": chosen} if level == "sentence" else {}
            database.run(statement(COPY[level], **how), {"corpus": number, "own": own})
    drop_unused(database)


def drop_unused(database: Database) -> None:
    """Drop columns without values."""
    gone = False
    for level, columns in columns_of(database).items():
        for name in columns:
            table, kind = SqlText(f"{level}_metadata"), SqlText(identifier(name))
            if not database.value(statement("counting/metadata/is_used", table=table, kind=kind)):
                database.run(f"ALTER TABLE _store.{level}_metadata DROP COLUMN {identifier(name)}")
                gone = True
    if gone:
        schema.show_metadata(database)
