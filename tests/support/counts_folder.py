"""A folder of counts as `aptdb count` writes it, made from what any lexicon holds, and folders that are damaged."""

import hashlib
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb

from aptdb import Lexicon
from aptdb.store.counts_folder import MANIFEST, WITHOUT_DIRECT, CountedSource, CountsFile, Manifest, read_manifest
from aptdb.store.version import __version__


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write what a folder says of itself."""
    (folder / MANIFEST).write_text(manifest.as_json(), encoding="utf-8")


IDS = (
    "CREATE TEMP TABLE l AS SELECT row_number() OVER (ORDER BY text)::INTEGER AS lexeme_id, id, text, frequency, "
    "cooccurrences, cooccurrences - merged AS direct FROM l._store.lexeme",
    "CREATE TEMP TABLE p AS SELECT row_number() OVER (ORDER BY path_order, text)::INTEGER AS path_id, id, text, "
    "inverse_id, path_order, count, count - merged AS direct FROM l._store.path",
)
# What each file has; the last two of a part of the lexemes, from one id to another.
LEXEMES = "SELECT lexeme_id, text AS lexeme, frequency, cooccurrences, direct FROM l ORDER BY lexeme_id"
PATHS = (
    "SELECT p.path_id, p.text AS path, i.path_id AS inverse_id, p.path_order, p.count, p.direct FROM p "
    "JOIN p AS i ON i.id = p.inverse_id ORDER BY p.path_id"
)
NODES = (
    "SELECT l.lexeme_id, p.path_id, n.count, n.count - n.merged AS direct FROM l._store.node AS n "
    "JOIN l ON l.id = n.lexeme_id JOIN p ON p.id = n.path_id ORDER BY ALL"
)
COOCCURRENCES = (
    "SELECT l.lexeme_id, p.path_id, c.lexeme_id AS context_id, o.count, o.count - o.merged AS direct, "
    "l.text AS lexeme, p.text AS path, c.text AS context FROM l._store.cooccurrence AS o "
    "JOIN l ON l.id = o.lexeme_id JOIN p ON p.id = o.path_id "
    "JOIN l AS c ON c.id = o.context_id WHERE l.lexeme_id BETWEEN {first} AND {last} ORDER BY 1, 2, 3"
)


def without_direct(folder: Path) -> Path:
    """Rewrite a folder in the format that had no direct counts."""
    for each in read_manifest(folder).files:
        rewritten(folder / each.path, "SELECT * EXCLUDE (direct) FROM t")
    listed_again(folder, format=WITHOUT_DIRECT)
    return folder


def counts_folder(lexicon: Path, folder: Path, *, parts: int = 2, **client: Any) -> Path:
    """Write the counts of a lexicon as a folder of counts, with co-occurrences in the given number of parts."""
    with closing(duckdb.connect(config=client)) as database:
        database.execute(f"ATTACH '{lexicon}' AS l (READ_ONLY)")
        for each in IDS:
            database.execute(each)
        lexemes = one(database, "SELECT count(*) FROM l")
        files = {"lexemes/part-0.parquet": LEXEMES, "paths/part-0.parquet": PATHS, "nodes/part-0.parquet": NODES}
        cuts = [lexemes * number // parts for number in range(parts + 1)]
        for part, (before, last) in enumerate(pairwise(cuts)):
            asked = COOCCURRENCES.format(first=before + 1, last=last)
            files[f"cooccurrences/part={part}/part-{part}.parquet"] = asked
        for name, asked in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            database.execute(f"COPY ({asked}) TO '{folder / name}' (FORMAT parquet)")
        rows = {
            each: one(database, f"SELECT count(*) FROM l._store.{each}") for each in ("path", "node", "cooccurrence")
        }
        count = one(database, "SELECT sum(count) FROM l._store.path")
        sentences, tokens = (one(database, f"SELECT sum({each}) FROM l._store.corpus") for each in SIZES)
        tokens = max(tokens, one(database, "SELECT sum(frequency) FROM l._store.lexeme"))  # counts have no tokens
        listed = tuple(listed_file(folder, name) for name in files)
    with closing(Lexicon.open(lexicon)) as opened:
        settings = opened.settings
    content = hashlib.sha256(repr(listed).encode()).hexdigest()
    manifest = Manifest(
        __version__, settings, sentences, tokens, {"no root": 2}, rows["cooccurrence"], count, lexemes, rows["path"],
        rows["node"], content, listed, (CountedSource("a.conllu", 1, content),),
    )  # fmt: skip
    write_manifest(folder, manifest)
    return folder


SIZES = ("sentences", "tokens")


def one(database: duckdb.DuckDBPyConnection, asked: str) -> int:
    """A number."""
    row = database.execute(asked).fetchone()
    return int(row[0] or 0) if row else 0


def listed_file(folder: Path, name: str) -> CountsFile:
    """A file as the manifest lists it."""
    file = folder / name
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    column = "lexeme_id" if name.startswith("cooccurrences/") else "NULL"
    with closing(duckdb.connect()) as database:
        row = database.execute(f"SELECT count(*), min({column}), max({column}) FROM '{file}'").fetchone()
    assert row is not None
    return CountsFile(name, file.stat().st_size, digest, *row)


def listed_again(folder: Path, change: Callable[[Manifest], Manifest] = lambda found: found, **changed: Any) -> None:
    """Write the manifest again, for files that are other than they were; changed: what it says otherwise."""
    found = read_manifest(folder)
    files = tuple(listed_file(folder, each.path) for each in found.files)
    write_manifest(folder, replace(change(replace(found, files=files)), **changed))


def rewritten(file: Path, asked: str) -> None:
    """Write a file of a folder again; asked: what it has, of `t`, which is what it had."""
    with closing(duckdb.connect()) as database:
        database.execute(f"CREATE TABLE t AS FROM '{file}'")
        database.execute(f"COPY ({asked}) TO '{file}' (FORMAT parquet)")


if __name__ == "__main__":
    counts_folder(Path(sys.argv[1]), Path(sys.argv[2]), parts=int(sys.argv[3]), memory_limit=sys.argv[4])
