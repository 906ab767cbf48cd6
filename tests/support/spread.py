"""The engines that count into a folder, and what a folder that they made holds."""

import gc
import json
import os
import shutil
import subprocess
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb.distributed import task_messages
from aptdb.distributed.counting_task import How, count_batches
from aptdb.distributed.input_splits import Piece, read_sentence_batches

TWO_EXECUTORS = "local-cluster[2,1,1024]"  # processes of their own, with a core and 1 GB each
LATEST_OF_JAVA = 60  # seconds


def why_no_java() -> str | None:
    """Why Spark itself cannot run here; None if it can."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(str(Path(home, "bin", "java")) if home else "java")
    if java is None:
        return "there is no Java; Debian has openjdk-17-jre-headless"
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=LATEST_OF_JAVA)
    version = said.stderr.partition('version "')[2].partition(".")[0]
    return None if version.isdigit() and int(version) >= 17 else f"Java is version {version}; Spark needs 17"


@contextmanager
def sail() -> Iterator[str]:
    """A server of Sail in this process, which needs no Java, and where it listens."""
    os.environ.setdefault("RUST_LOG", "off")
    server = pytest.importorskip("pysail.spark", reason="Sail is not installed").SparkConnectServer()
    server.start()
    try:
        yield f"sc://localhost:{server.listening_address[1]}"
    finally:
        server.stop()


@contextmanager
def engine(name: str) -> Iterator[dict[str, Any]]:
    """The arguments of `aptdb.count_corpora` for an engine: local, sail or spark. Skips where it is not here."""
    if name == "local":
        yield {}
    elif name == "sail":
        with sail() as master:
            yield {"engine": "spark", "master": master}
    else:
        if reason := why_no_java():
            pytest.skip(reason)
        yield {"engine": "spark", "master": TWO_EXECUTORS}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # py4j leaves its sockets to the collector
            gc.collect()


def cut(file: Path, size: int) -> list[Piece]:
    """The pieces of a file that is not packed."""
    length = file.stat().st_size
    return [
        Piece(str(file), number, begin, min(begin + size, length), size, False, length, "conllu")
        for number, begin in enumerate(range(0, length, size))
    ]


def counted_here(pieces: Sequence[Piece], how: How) -> tuple[Counter[tuple[str, str, str]], Counter[str], list[Any]]:
    """What the function gives for pieces: counts, tokens of lexemes, and what is said, each as often as it was said."""
    plan = [task_messages.batch(task_messages.PIECES, *([value] for value in each)) for each in pieces]
    counts: Counter[tuple[str, str, str]] = Counter()
    tokens: Counter[str] = Counter()
    said: list[Any] = []
    for batch in count_batches(read_sentence_batches(plan), how):
        for row in batch.to_pylist():
            if row["lexeme"] is None:
                said += [json.loads(row["context"])] * row["count"]
            elif row["path"] is None:
                tokens[row["lexeme"]] += row["count"]
            else:
                counts[row["lexeme"], row["path"], row["context"]] += row["count"]
    return counts, tokens, said


def tables_of(folder: Path) -> Mapping[str, list[tuple[Any, ...]]]:
    """The rows of a folder in their order: by numbers and text."""
    found = {}
    for table, key in {
        "cooccurrences": "lexeme_id, path_id, context_id",
        "nodes": "lexeme_id, path_id",
        "lexemes": "lexeme_id",
        "paths": "path_id",
    }.items():
        files = f"read_parquet('{folder}/{table}/**/*.parquet', hive_partitioning = false)"
        found[table] = duckdb.execute(f"SELECT * FROM {files} ORDER BY {key}").fetchall()
    return found


def manifest_of(folder: Path) -> Any:
    """What a folder says of itself."""
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
