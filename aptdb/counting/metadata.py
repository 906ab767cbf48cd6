"""Metadata of documents and sentences: its kinds, their types, and their storage.

Each kind has a column of its own, so that SQL reads it by its name and in its type. A kind comes from comments of the
corpus, from tags, from a table, or from a pattern over names that the corpus has.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from aptdb.core.errors import CorpusError, IncompleteDataWarning, InterpretationWarning, NoMatchWarning, warn
from aptdb.core.one_line import HALF_PAIR, escape_bytes, name_first
from aptdb.corpus.joined_files import refuse
from aptdb.corpus.parsed import DOCUMENT_COMMENTS
from aptdb.counting.metadata_sources import Pattern, is_name, patterns_of, table_rows, take_from, value_in_one_line
from aptdb.counting.staging import NewCorpus, refusing_all
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.definitions import BEFORE_METADATA
from aptdb.store.statements import SqlText, identifier, literal, statement

LEVELS = ("document", "sentence")
TAKEN = {level: (*BEFORE_METADATA[f"{level}s"], f"{level}_id") for level in LEVELS}
CALLED = {"BIGINT": "a whole number", "DOUBLE": "a number", "DATE": "a date (2026-11-22)", "VARCHAR": "text"}
COPY = {"document": "counting/metadata/copy_documents", "sentence": "counting/metadata/copy_sentences"}
MOST_KINDS = 500  # of documents, and of sentences: DuckDB plans what reads them in a time that grows with their square
SHOWN = 3  # how many names of documents a message shows
Columns = dict[str, dict[str, str]]  # by level and name, the type


class Kind(NamedTuple):
    """A kind of metadata that a corpus has, the type that fits its values, and the first value of no narrower type."""

    level: str
    name: str
    type: str
    not_whole: str | None
    not_number: str | None
    not_date: str | None


class Filled(NamedTuple):
    """The columns that the metadata of new corpora fills, and those of them that the lexicon lacks."""

    filled: Columns
    new: Columns


@dataclass(frozen=True)
class Given:
    """Metadata that is given with an addition, besides comments in the corpus.

    tags: values for all documents, by name. table: rows of document, name, value, or None. documents: all documents of
    the table. place: the name of the table in messages. sentence_names: comments of sentences to keep; None for those
    that earlier additions kept. patterns: the patterns that find metadata in names and comments.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    table: list[tuple[str, str, str]] | None = None
    documents: frozenset[str] = frozenset()
    place: str = ""
    sentence_names: tuple[str, ...] | None = None
    patterns: tuple[Pattern, ...] = ()

    @property
    def comments(self) -> list[str]:
        """Return the comments of sentences that are read: those to keep, and those of patterns."""
        read = [each.comment for each in self.patterns if each.comment is not None]
        return [*dict.fromkeys([*(self.sentence_names or ()), *read])]


def given_metadata(meta: Any, tags: Any, sentence_meta: Any, meta_from: Any = None) -> Given:
    """Return the metadata that is given with an addition, checked. Raise CorpusError."""
    if not isinstance(tags, Mapping | None):
        raise CorpusError(f"tags is {tags!r:.60}; expected a dictionary of values by name, e.g. {{'period': '1890s'}}")
    if not isinstance(meta, str | Path | None):
        raise CorpusError(f"meta is {meta!r:.60}; expected the name of a file")
    names: Any = sentence_meta
    if names is not None and (not isinstance(names, list | tuple | set) or not all(map(is_name, names))):
        raise CorpusError(f"sentence_meta is {names!r:.60}; expected a list of names of comments, e.g. ['speaker']")
    found = {name: "" if value is None else value_in_one_line(value) for name, value in (tags or {}).items()}
    for name, value in found.items():
        if not is_name(name) or not value or HALF_PAIR.search(value):  # arguments of a command may be any bytes
            raise CorpusError(f"expected tags of a name and a value, e.g. period=1890s; found {name!r} = {value!r:.40}")
    names = None if names is None else tuple(dict.fromkeys(names))
    given = Given(found, sentence_names=names, patterns=tuple(map(without_taken_names, patterns_of(meta_from))))
    if meta is not None:
        documents, table = table_rows(Path(meta))
        given = replace(given, table=table, documents=documents, place=escape_bytes(str(meta)))
    refuse_given_twice(given)
    return given


def without_taken_names(pattern: Pattern) -> Pattern:
    """Return a pattern, meta_ before the names of groups that are columns of every lexicon. Warn of these."""
    taken = {name.lower() for level in LEVELS for name in TAKEN[level]}
    for name in pattern.names:
        if name.lower() in taken:
            warn(
                f"--meta-from: {name} is a column of every lexicon, so the group is kept as meta_{name}",
                InterpretationWarning,
            )
    groups = tuple(f"meta_{name}" if name.lower() in taken else name for name in pattern.groups)
    return replace(pattern, groups=groups)


def refuse_given_twice(given: Given) -> None:
    """Raise CorpusError for a group of a pattern whose name is that of another group, or given otherwise too."""
    own = {name.lower(): f"given by {given.place}" for _, name, _ in given.table or ()}
    own |= {name.lower(): "given as a tag" for name in given.tags}
    own |= {name.lower(): "a comment to keep (--sentence-meta)" for name in given.sentence_names or ()}
    for pattern in given.patterns:
        for name in pattern.names:
            if name.lower() in own:
                raise CorpusError(f"--meta-from: {name} is {own[name.lower()]}; give the group another name")
            own[name.lower()] = "the name of another group"


@dataclass(frozen=True)
class Before:
    """The kinds of metadata that a lexicon has already, and which comments are kept because earlier additions did."""

    columns: Columns
    remembered: tuple[str, ...] = ()


def as_before(database: Database, given: Given) -> tuple[Given, Before]:
    """Return what is given, with the comments that earlier additions kept if none are named; and what they kept.

    Raises CorpusError for a group of a pattern that would be a second column with the same name.
    """
    known = read_metadata_columns(database)
    for pattern in given.patterns:
        for name in pattern.names:
            others = [each for level in LEVELS for each in known[level] if (level, each) != (pattern.level, name)]
            for there in others:
                if there.lower() == name.lower():
                    raise CorpusError(
                        f"--meta-from: {name} would be metadata of a {pattern.level}, and there is a column {there} "
                        "that is not the same; give the group another name"
                    )
    if given.sentence_names is not None:
        return given, Before(known)
    found = {name for pattern in given.patterns for name in pattern.names} | {*given.tags}
    kept = tuple(name for name in known["sentence"] if name not in found)
    return replace(given, sentence_names=kept), Before(known, kept)


def kept_comments(names: Iterable[str]) -> str:
    """Return the pattern of comments that are kept."""
    wanted = "|".join(map(re.escape, ("sent_id", *names)))
    return rf"^#\s*({DOCUMENT_COMMENTS}|({wanted})\s*=)"


def collect_metadata(
    lexicon: Database, database: Database, given: Given, corpora: Sequence[NewCorpus], before: Before
) -> Filled:
    """Collect all metadata of the documents and sentences of corpora in a draft; return the columns that it fills.

    Raises RefusedFilesError, for a name that is both in comments and in an option, for a pattern that matches nothing,
    for a kind whose name is taken, or whose type differs from the stored one. Warns of documents that occur only in the
    table or only in the corpora.
    """
    called = name_first([each.name for each in corpora], 1)
    with refusing_all(corpora):
        for name in sorted(given.tags.keys() & {name for _, name, _ in given.table or ()}):
            raise CorpusError(f"{name} is given twice: as a tag, and by {given.place}; choose one")
    refuse_said_twice(database, given, corpora)
    if given.table is not None:
        tell_of_documents(database, given, called)
    tell_of_empty_documents(database, called)
    tell_of_comments(database, given, called, before.remembered)
    for pattern in given.patterns:
        take_from(database, pattern, corpora)
    database.run(statement("counting/metadata/drop_read", kept=given.sentence_names or ()))
    rows = [{"document": None, "name": name, "value": value} for name, value in given.tags.items()]
    rows += [{"document": each, "name": name, "value": value} for each, name, value in given.table or ()]
    listed = {"given": json.dumps(rows, ensure_ascii=False)}
    database.run(statement("counting/metadata/add_given"), listed)
    database.run(statement("counting/metadata/add_elsewhere"), listed)
    database.run(statement("counting/metadata/settled"))
    return filled_columns(lexicon, database, corpora, before.columns)


def refuse_said_twice(database: Database, given: Given, corpora: Sequence[NewCorpus]) -> None:
    """Raise RefusedFilesError for corpora whose comments have a name that a tag or the table has too."""
    is_given = given.tags.keys() | {name for _, name, _ in given.table or ()}
    own: dict[int, list[str]] = {}
    for corpus, name in database.rows(statement("counting/metadata/said_of_documents")):
        own.setdefault(corpus, []).append(name)
    why: dict[int, CorpusError] = {}
    for at, each in enumerate(corpora):
        for name in sorted(is_given.intersection(own.get(each.id, ())))[:1]:
            whose = "as a tag" if name in given.tags else f"by {given.place}"
            why[at] = CorpusError(
                f"{name} is given {whose}, and by comments (# meta::{name}) of {each.name}; choose another name"
            )
    refuse(why)


def tell_of_documents(database: Database, given: Given, corpus: str) -> None:
    """Warn of documents that occur only in the table or only in the corpora."""
    there = {name for (name,) in database.rows("SELECT DISTINCT name FROM _store.document")}
    both = ((f"{corpus} has no document", given.documents - there), (f"{given.place} lacks", there - given.documents))
    for whose, lacking in both:
        if lacking:
            warn(f"{whose} {name_first(sorted(lacking), SHOWN)}", IncompleteDataWarning)


def tell_of_empty_documents(database: Database, corpus: str) -> None:
    """Warn of documents that begin in the corpus and have no sentence, as one of two that begin above the same."""
    empty = [name for (name,) in database.rows(statement("counting/metadata/without_sentences"))]
    if empty:
        warn(f"{corpus}: no sentence is in the document {name_first(empty, SHOWN)}", IncompleteDataWarning)


def tell_of_comments(database: Database, given: Given, corpus: str, remembered: Sequence[str]) -> None:
    """Warn of requested comments that no sentence has, and of those that are kept without being requested."""
    in_comments = {name for (name,) in database.rows("SELECT DISTINCT name FROM _store.said WHERE level = 'sentence'")}
    again = [name for name in remembered if name in in_comments]
    if again:
        names = ", ".join(again)
        warn(
            f"kept the comments {names} of sentences, as earlier additions did; --sentence-meta '' keeps none",
            InterpretationWarning,
        )
    for name in given.sentence_names or ():
        if name not in in_comments and name not in remembered:
            warn(f"--sentence-meta: no sentence of {corpus} has a comment # {name} = …", NoMatchWarning)


def filled_columns(lexicon: Database, draft: Database, corpora: Sequence[NewCorpus], known: Columns) -> Filled:
    """Return the columns that the metadata of new corpora fills, and those of them that are new.

    They are those of one addition after another. Raises RefusedFilesError. Warns of what a corpus lacks.
    """
    kinds: dict[int, list[Kind]] = {}
    for corpus, *kind in draft.rows(statement("counting/metadata/kinds")):
        kinds.setdefault(corpus, []).append(Kind(*kind))
    new: Columns = {level: {} for level in LEVELS}
    why: dict[int, CorpusError] = {}
    for at, each in enumerate(corpora):
        try:
            own = new_columns(kinds.get(each.id, []), known, new, each.name)
        except CorpusError as error:
            why[at] = error
            continue
        for level in LEVELS:
            new[level] |= own[level]
    refuse(why)
    own_kinds = [{(kind.level, kind.name) for kind in kinds.get(each.id, [])} for each in corpora]
    tell_of_lacking(lexicon, known, own_kinds, corpora)
    there = set.union(*own_kinds)
    both = {level: {**known[level], **new[level]} for level in LEVELS}
    filled = {level: {name: both[level][name] for name in both[level] if (level, name) in there} for level in LEVELS}
    return Filled(filled, new)


def new_columns(kinds: Sequence[Kind], known: Columns, new: Columns, corpus: str) -> Columns:
    """Return the columns that a corpus needs besides those that are known, and those that are new already.

    Raises CorpusError for a kind whose name is taken, or whose type differs from the stored one.
    """
    own: Columns = {level: {} for level in LEVELS}
    for each in kinds:
        there = known[each.level].get(each.name) or new[each.level].get(each.name)
        if there is None:
            if not is_name(each.name):
                raise CorpusError(
                    f"{corpus}: metadata of a {each.level} has the name {each.name!r}; a name has no control characters"
                )
            refuse_clashing_name(
                each.level, each.name, {**known[each.level], **new[each.level], **own[each.level]}, corpus
            )
            own[each.level][each.name] = each.type
        elif not fits_column(each.type, there, is_number=each.not_number is None):
            value = {"BIGINT": each.not_whole, "DOUBLE": each.not_number, "DATE": each.not_date}[there]
            raise CorpusError(
                f"{each.name} is {CALLED[there]} in this lexicon, but {value!r:.60} in {corpus}; give it another name "
                "or other values"
            )
    for level in LEVELS:
        refuse_too_many_kinds(level, known[level], {**new[level], **own[level]}, corpus)
    return own


def move_metadata(lexicon: Database, store: SqlText, columns: Filled, corpora: str) -> None:
    """Move the metadata of a draft into the lexicon, within its transaction. store: that of the draft."""
    add_columns(lexicon, columns.new, corpora)
    for level in LEVELS:
        if columns.filled[level]:
            values = ", ".join(
                f"max(value) FILTER (name = {literal(name)})::{kind} AS {identifier(name)}"
                for name, kind in columns.filled[level].items()
            )
            parts = {"draft": store, "level": SqlText(level), "values": SqlText(values)}
            lexicon.run(statement("counting/metadata/bring", **parts))


def tell_of_lacking(
    lexicon: Database, known: Columns, own: Sequence[set[tuple[str, str]]], corpora: Sequence[NewCorpus]
) -> None:
    """Warn of kinds of metadata that every corpus added before has, and a new one lacks. own: their kinds, by level."""
    of_new = set.intersection(*own)
    of_all: set[tuple[str, str]] = set()  # what each corpus before has, and some new one lacks
    for level in LEVELS:
        names = [name for name in known[level] if (level, name) not in of_new]
        if names:
            kinds = SqlText(", ".join(f"bool_or(said.{identifier(name)} IS NOT NULL)" for name in names))
            rows = lexicon.rows(statement("counting/metadata/kinds_of_corpora", level=SqlText(level), kinds=kinds))
            has = [all(each) for each in zip(*(has for (has,) in rows), strict=True)]
            of_all |= {(level, name) for name, is_of_all in zip(names, has, strict=False) if is_of_all}
    if not lexicon.value(statement("counting/metadata/has_trees")):
        of_all = own[0]
    mend = "--tag, --meta, --sentence-meta and --meta-from give metadata to a corpus when it is added"
    for each, kinds_of_it in zip(corpora, own, strict=True):
        if lacking := of_all - kinds_of_it:
            names = [name for level in LEVELS for name in known[level] if (level, name) in lacking]
            names += sorted(name for level, name in lacking if name not in known[level])
            warn(f"{each.name} lacks {', '.join(names)}, which each corpus before has; {mend}", IncompleteDataWarning)
        of_all = of_all & kinds_of_it


def fits_column(kind: str, there: str, *, is_number: bool) -> bool:
    """Return whether values of one type fit into a column of another.

    is_number: whether a DOUBLE keeps all their digits.
    """
    return there in (kind, "VARCHAR") or ((kind, there) == ("BIGINT", "DOUBLE") and is_number)


def refuse_clashing_name(level: str, name: str, known: Mapping[str, str], corpus: str) -> None:
    """Raise CorpusError for the name of an existing column, or one that differs from it only in case."""
    others = {each.lower(): each for each in (*TAKEN[level], *known) if each != name}
    if name in TAKEN[level] or name.lower() in others:
        raise CorpusError(
            f"{corpus}: metadata of a {level} has the name {name!r}, which is that of the column "
            f"{others.get(name.lower(), name)}; give it another name"
        )


def read_metadata_columns(database: Database, name: str | None = None) -> Columns:
    """Return the kinds of metadata in a lexicon, or in an attached database."""
    called = database.name() if name is None else name
    found: Columns = {level: {} for level in LEVELS}
    for table, column, kind in database.rows(statement("counting/metadata/columns", database=called)):
        found[table.removesuffix("_metadata")][column] = kind
    return found


def add_columns(database: Database, new: Columns, corpus: str) -> None:
    """Add a column for each new kind, and show it in the public views. Raise CorpusError if there are too many."""
    for level, known in read_metadata_columns(database).items():
        refuse_too_many_kinds(level, known, new[level], corpus)
    for level, columns in new.items():
        for name, kind in columns.items():
            database.run(f"ALTER TABLE _store.{level}_metadata ADD COLUMN {identifier(name)} {kind}")
    if any(new.values()):
        schema.show_metadata(database)


def refuse_too_many_kinds(level: str, known: Mapping[str, str], new: Mapping[str, str], corpus: str) -> None:
    """Raise CorpusError if a lexicon would have more kinds of metadata than it keeps."""
    if (kinds := len(known) + len(new)) > MOST_KINDS:
        raise CorpusError(
            f"{corpus}: {kinds:,} kinds of metadata of {level}s, as {', '.join([*new][:SHOWN])}; a lexicon keeps "
            f"{MOST_KINDS} at most: leave out comments, or make what varies a value"
        )


def copy_metadata(database: Database, corpora: Iterable[tuple[int, int, str]], file: Path, chosen: SqlText) -> None:
    """Copy the metadata of corpora from the attached lexicon. corpora: their ids there and here, and names.

    chosen: the statement that selects the ids of the copied sentences. Raises CorpusError for a type that does not fit
    that of the column here (whole numbers and dates fit text), a name that clashes, or too many columns. Columns
    without values are dropped.
    """
    theirs, known = read_metadata_columns(database, "/other"), read_metadata_columns(database)
    if not any(theirs.values()):
        return
    new: Columns = {level: {} for level in LEVELS}
    for level, columns in theirs.items():
        for name, its_type in columns.items():
            refuse_clashing_name(level, name, {**known[level], **new[level]}, str(file))
            own_type = known[level].get(name)
            if own_type is None:
                new[level][name] = its_type
            elif its_type != own_type and (its_type, own_type) not in (("BIGINT", "VARCHAR"), ("DATE", "VARCHAR")):
                # As text a DOUBLE is not what was written, and a DOUBLE may not keep all digits of a whole number.
                raise CorpusError(
                    f"{name} is {CALLED[own_type]} in this lexicon, and {CALLED[its_type]} in {file}; "
                    "add its corpora to this lexicon from their files"
                )
    add_columns(database, new, str(file))
    for number, own, _ in corpora:
        for level in LEVELS:
            how = {"chosen": chosen} if level == "sentence" else {}
            database.run(statement(COPY[level], **how), {"corpus": number, "own": own})
    drop_unused(database)


def drop_unused(database: Database) -> None:
    """Drop columns without values."""
    gone = False
    for level, columns in read_metadata_columns(database).items():
        for name in columns:
            table, kind = SqlText(f"{level}_metadata"), SqlText(identifier(name))
            if not database.value(statement("counting/metadata/is_used", table=table, kind=kind)):
                database.run(f"ALTER TABLE _store.{level}_metadata DROP COLUMN {identifier(name)}")
                gone = True
    if gone:
        schema.show_metadata(database)
