"""Tables of metadata of documents: .csv, .tsv or .parquet, with a column document."""

import csv
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from aptdb.core.errors import AptError, CorpusError
from aptdb.corpus.tabular import escape_file_name, named_in_utf8
from aptdb.counting.metadata_patterns import is_name
from aptdb.store.database import in_memory
from aptdb.store.file_writing import why_not_read
from aptdb.store.statements import statement
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
            problem = f"document {document} is there twice" if document else "a row names no document"
            raise CorpusError(f"{file}: {problem}; a row is a document")
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
