"""What the answers of answers.py show: values as text, and the contents of files, told so that the same is the same."""

import hashlib
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import duckdb

# Of a lexicon's tables what is another in every lexicon, or tells the time, the version, or the text of definitions.
VOLATILE = re.compile(r"uid|stamp|definitions|version|content|\w+_at")
WEIGHTS = ["lexeme", "path", "context", "weight"]
LARGE = 500  # lexemes
SHOWN = 5  # lines that are shown of a file, beside its digest


def without_places(text: str) -> str:
    """Text without the name of the scratch folder."""
    here = Path.cwd()
    return text.replace(str(here.resolve()), "FOLDER").replace(str(here), "FOLDER")


def digest(data: bytes) -> str:
    """A few characters that tell data from other data."""
    return hashlib.sha256(data).hexdigest()[:16]


def shown(value: Any) -> str:
    """A value as text, with a line for each row of a table."""
    if hasattr(value, "columns") and hasattr(value, "types") and hasattr(value, "rows"):  # an answer of aptdb's
        value = [value.columns, value.types, *value.rows]
    if hasattr(value, "to_pydict"):  # an Arrow table
        value = [str(value.schema), *value.to_pylist()]
    if hasattr(value, "to_records"):  # a DataFrame
        value = [str(value.dtypes), *map(list, value.to_records(index=False).tolist())]
    if hasattr(value, "tocoo"):  # a sparse matrix
        value = ["matrix", value.shape, value.indptr.tolist(), value.indices.tolist(), value.data.tolist()]
    if isinstance(value, dict):
        value = [f"{name}: {shown_in_row(each)}" for name, each in value.items()]
    if isinstance(value, list | tuple):
        return "".join(f"{shown_in_row(each)}\n" for each in value)
    return f"{value!r}\n"


def shown_in_row(value: Any) -> str:
    """A value in a line."""
    if hasattr(value, "tolist"):  # an array, or one of its numbers
        kind = getattr(value, "dtype", "")
        return f"{kind} {value.tolist()!r}"
    return value if isinstance(value, str) and "\n" in value else repr(value)


def contents(file: Path) -> Any:
    """What a file holds."""
    if file.is_dir():
        return {each.name: contents(each) for each in sorted(file.iterdir())}
    if file.suffix in (".duckdb", ".html"):
        return of_lexicon(file) if file.suffix == ".duckdb" else of_page(file)
    with file.open("rb") as opened:
        mark = opened.read(4)
    return {b"PAR1": of_parquet, b"PK\x03\x04": of_matrix, b"\x89PNG": of_picture}.get(mark, of_text)(file)


def of_text(file: Path) -> Any:
    """The digest of a text without its remarks, and how it begins."""
    text = without_places(file.read_text(encoding="utf-8"))
    if file.suffix == ".conllu":
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("# "))
    text = re.sub(r"<dc:date>.*?</dc:date>", "", text)
    lines = text.splitlines()
    return {"lines": len(lines), "digest": digest(text.encode()), "begins": [line[:200] for line in lines[:SHOWN]]}


def of_picture(file: Path) -> Any:
    """Whether something is drawn: the same picture is another file with another version of what draws."""
    return {"is a picture": file.stat().st_size > 0}


def of_page(file: Path) -> Any:
    """What the tables of a page say, and how many pictures there are."""
    text = without_places(file.read_text(encoding="utf-8"))
    cells = [unescape(each) for each in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", text, re.DOTALL)]
    return {"pictures": text.count("<svg"), "cells": cells}


def of_parquet(file: Path) -> Any:
    """The columns and rows of a table, in their order."""
    with duckdb.connect() as client:
        found = client.sql(f"FROM read_parquet('{file}')")
        rows = found.fetchall()
        columns = [f"{name} {kind}" for name, kind in zip(found.columns, found.types, strict=True)]
    return {"columns": columns, "rows": len(rows), "digest": digest(repr(rows).encode()), "begins": rows[:SHOWN]}


def of_matrix(file: Path) -> Any:
    """The numbers of a sparse matrix as scipy saves it."""
    from scipy.sparse import csr_array, load_npz

    found: csr_array[Any, Any] = csr_array(load_npz(file))
    data = b"".join(each.tobytes() for each in (found.indptr, found.indices, found.data))
    return {"shape": found.shape, "numbers": found.nnz, "type": str(found.dtype), "digest": digest(data)}


def of_lexicon(file: Path) -> Any:
    """Each table and each public relation of a lexicon: its columns, the number of its rows, and their digest."""
    with duckdb.connect(str(file), read_only=True) as client:
        client.execute("SET enable_progress_bar = false")
        found = client.sql(
            "SELECT schema_name, table_name, list((column_name, data_type) ORDER BY column_index) "
            "FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        # What is weighed of a large lexicon takes long, and is asked about elsewhere.
        large = client.sql("SELECT count(*) FROM lexemes").fetchall()[0][0] > LARGE
        return {
            name if schema == "main" else f"{schema}.{name}": of_relation(client, schema, name, columns)
            for schema, name, columns in found
            if not (large and [column for column, _ in columns] == WEIGHTS)
        }


def of_relation(client: duckdb.DuckDBPyConnection, schema: str, name: str, columns: Sequence[tuple[str, str]]) -> str:
    """The number of a relation's rows and their digest, in whatever order they come."""
    here = str(Path.cwd().resolve()).replace("'", "''")
    # What is summed up in another order has other last digits.
    told = ", ".join(
        f"printf('%.11e', \"{column}\")" if kind == "DOUBLE" else f'"{column}"'
        for column, kind in columns
        if not VOLATILE.fullmatch(column)
    )
    rows, sum_of_digests = client.execute(
        f"SELECT count(*), sum(md5_number_lower(replace(ROW({told or 'NULL'})::VARCHAR, '{here}', 'FOLDER'))::HUGEINT) "
        f'FROM "{schema}"."{name}"'
    ).fetchall()[0]
    return f"{rows} rows, {digest(str(sum_of_digests).encode())}"
