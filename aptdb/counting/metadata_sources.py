"""Metadata that is not in comments: tables of documents (.csv, .tsv, .parquet), and patterns over names and comments.

A table has a column document; a pattern is SOURCE:REGEX (`--meta-from`), and its named groups become metadata.
"""

import csv
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptdb.core.errors import AptError, CorpusError, NoMatchWarning, warn
from aptdb.core.one_line import HALF_PAIR, name_first
from aptdb.corpus.joined_files import refuse
from aptdb.corpus.tabular import escape_file_name, named_in_utf8
from aptdb.counting.staging import NewCorpus
from aptdb.store.database import Database, in_memory
from aptdb.store.file_writing import why_not_read
from aptdb.store.statements import SqlText, literal, statement
from aptdb.store.temporary_folders import scratch_folder

LARGEST = 10**9  # bytes of a table


def value_in_one_line(value: Any) -> str:
    """Return a value as text in one line."""
    return " ".join(str(value).split())


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
    if why := why_not_read(file, LARGEST):
        raise CorpusError(f"{file} cannot be read: {why}")
    if not file.is_file():
        raise CorpusError(f"{file}: no such file")
    columns, rows = readers[file.suffix.lower()](file)
    refuse_metadata_columns(file, columns)
    at = next(place for place, name in enumerate(columns) if name.lower() == "document")
    documents: set[str] = set()
    found: list[tuple[str, str, str]] = []
    for row in rows:
        document = value_in_one_line(row[at])
        if not document or document in documents:
            problem = f"document {document} has two rows" if document else "a row names no document"
            raise CorpusError(f"{file}: {problem}; give each document one row")
        documents.add(document)
        cells = zip(columns, map(value_in_one_line, row), strict=True)
        found += [(document, name, value) for place, (name, value) in enumerate(cells) if place != at and value]
    return frozenset(documents), found


def refuse_metadata_columns(file: Path, columns: Sequence[str]) -> None:
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
    with scratch_folder() as folder, closing(in_memory()) as scratch:
        try:
            named = named_in_utf8(file, Path(folder, "table.parquet"))
            asked = statement("counting/metadata/parquet_rows", file=escape_file_name(named))
            columns = [str(name) for name, *_ in scratch.rows(f"DESCRIBE {asked}")]
            return columns, scratch.rows(asked)
        except AptError as error:
            raise CorpusError(f"{file} cannot be read as a table: {' '.join(str(error).split()):.200}") from error


SHOWN_TEXT = 60  # characters of a text that does not match
OF_DOCUMENT = "meta::"  # begins the names of comments of documents
TITLE = "doc_title"  # is one too
# The texts of a pattern that are not values of a comment, by source: its level, and the statement that selects them.
TEXTS = {
    "sent_id": ("sentence", "counting/metadata/sent_ids"),
    "document": ("document", "counting/metadata/document_names"),
    "file": ("document", "counting/metadata/file_names"),
}
OF_COMMENTS = {
    "document": "counting/metadata/comments_of_documents",
    "sentence": "counting/metadata/comments_of_sentences",
}
UNITS = {"document": "counting/metadata/document_units", "sentence": "counting/metadata/sentence_units"}
SOURCE = re.compile(rf"((?:{OF_DOCUMENT})?[^:]+):(.+)", re.DOTALL)
# What may stand in a regular expression of RE2 before and between groups, and the beginning of a group.
GROUP = re.compile(
    r"""\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^]\\])*\]|\(\?P<(?P<name>[^>]*)>|\(\?|(?P<unnamed>\()""",
    re.DOTALL,
)
EXAMPLE = r"e.g. 'sent_id:^(?P<year>\d{4})'"


@dataclass(frozen=True)
class Pattern:
    """A regular expression (RE2) over a text that each sentence or document has; its named groups become metadata.

    source: sent_id, document, file, or the name of a comment. groups: the names of all groups, '' for one without.
    """

    source: str
    regex: str
    groups: tuple[str, ...]

    @property
    def level(self) -> str:
        """Return the level of its metadata: document or sentence."""
        if is_of_document(self.source):
            return "document"
        return TEXTS.get(self.source, ("sentence", ""))[0]

    @property
    def names(self) -> list[str]:
        """Return the names of its named groups."""
        return [name for name in self.groups if name]

    @property
    def comment(self) -> str | None:
        """Return the comment of sentences that it reads; None if it reads something else."""
        return None if self.source in TEXTS or is_of_document(self.source) else self.source


def is_of_document(comment: str) -> bool:
    """Return whether a comment, by its name, is one of documents."""
    return comment.startswith(OF_DOCUMENT) or comment == TITLE


def patterns_of(meta_from: Any) -> tuple[Pattern, ...]:
    """Return patterns from texts SOURCE:REGEX. Raise CorpusError."""
    texts: Any = () if meta_from is None else meta_from
    if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        raise CorpusError(f"meta_from is {meta_from!r:.60}; expected a list of patterns, {EXAMPLE}")
    if not texts:
        return ()
    with closing(in_memory()) as scratch:
        return tuple(pattern_of(each, scratch) for each in texts)


def pattern_of(text: str, scratch: Database) -> Pattern:
    """Return the pattern of one text SOURCE:REGEX. Raise CorpusError if it is invalid, or has no named group."""
    written = SOURCE.fullmatch(text)
    if written is None or not is_name(written[1]) or HALF_PAIR.search(text) or "\0" in text:
        raise CorpusError(
            f"--meta-from {text!r:.80}: expected SOURCE:REGEX, {EXAMPLE}; SOURCE is {', '.join(TEXTS)}, or the name of "
            "a comment"
        )
    source, regex = written.groups()
    try:
        scratch.value(f"SELECT regexp_matches('', {literal(regex)})")
    except AptError as error:
        why = str(error).rpartition("Input Error: ")[2]
        raise CorpusError(f"--meta-from {text}: not a regular expression of RE2: {why:.120}") from error
    groups = tuple(each["name"] or "" for each in GROUP.finditer(regex) if each["name"] or each["unnamed"])
    pattern = Pattern(source, regex, groups)
    if not pattern.names:
        raise CorpusError(f"--meta-from {text}: no group has a name, so it finds nothing to keep; write {EXAMPLE}")
    return pattern


def take_from(database: Database, pattern: Pattern, corpora: Sequence[NewCorpus]) -> None:
    """Add what a pattern finds to the metadata of a draft. Warn of texts that it does not match.

    Raises RefusedFilesError for corpora in which it matches nothing, or whose comments have one of its names too.
    """
    places = {each.id: at for at, each in enumerate(corpora)}
    why: dict[int, CorpusError] = {}
    for corpus, name in database.rows(statement("counting/metadata/said_of_documents")):
        if name in pattern.names:
            why[places[corpus]] = CorpusError(
                f"--meta-from: {name} is in comments (# meta::{name}) of {corpora[places[corpus]].name} too; choose "
                "another name"
            )
    level, texts = TEXTS.get(pattern.source, (pattern.level, OF_COMMENTS[pattern.level]))
    database.set(from_source=pattern.source.removeprefix(OF_DOCUMENT))
    parts = {"pattern": pattern.regex, "groups": [f"g{place}" for place in range(len(pattern.groups))]}
    units = {"texts": statement(texts), "units": statement(UNITS[level])}
    database.run(statement("counting/metadata/matched", **parts, **units))
    what = f"--meta-from {pattern.source}:{pattern.regex}"
    total = missed = 0
    first = ""
    for corpus, units_of_it, missed_of_it, label, text in database.rows(statement("counting/metadata/missed")):
        shown = f"the first, {label}, has {'none' if text is None else repr(text)[:SHOWN_TEXT]}"
        if missed_of_it == units_of_it:
            whose = corpora[places[corpus]].name
            why.setdefault(places[corpus], CorpusError(f"{what} matches no {level} of {whose}; {shown}"))
        first = first or (shown if missed_of_it else "")
        total, missed = total + units_of_it, missed + missed_of_it
    refuse(why)
    if missed:
        called = name_first([each.name for each in corpora], 1)
        warn(f"{what}: {missed:,} of {total:,} {level}s of {called} do not match; {first}", NoMatchWarning)
    named = [(name, SqlText(f"part.g{place}")) for place, name in enumerate(pattern.groups) if name]
    values = SqlText(literal([{"name": name, "value": part} for name, part in named]))
    database.run(statement("counting/metadata/add_found", values=values, level=level))


def is_name(name: Any) -> bool:
    """Return whether a kind of metadata, and so a column, can have this name."""
    return isinstance(name, str) and name == name.strip() != "" and name.isprintable() and "=" not in name
