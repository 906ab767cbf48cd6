"""Counting into a folder at size: on this machine, and on two executors of Spark; rate, memory, and what is handed on.

APTDB_BENCH_CORPUS=en_wiki_14m.conllu pytest -n 0 -m bench -s tests/bench/test_spread_at_size.py
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import aptdb
from aptdb.store.counts_folder import UNFINISHED
from support.running import commands_below, memory_of
from support.spread import TWO_EXECUTORS, manifest_of, why_no_java

pytestmark = [
    pytest.mark.bench,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # which py4j leaves behind
    pytest.mark.skipif("APTDB_BENCH_CORPUS" not in os.environ, reason="APTDB_BENCH_CORPUS names no corpus"),
]
KINDS = {"CoarseGrainedExecutorBackend": "executor", "pyspark": "its Python"}
MOST_PYTHON = 1_000_000_000  # bytes, of a task, however much it counts
MOST_EXECUTOR = 2_200_000_000  # bytes, of one with a heap of 1 GB


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_on_two_executors(tmp_path: Path, share: float) -> None:
    if reason := why_no_java():
        pytest.skip(reason)
    file = beginning(tmp_path, share)
    with most_memory(tmp_path / "counts" / UNFINISHED) as (most, handed_on):
        seconds, done = timed(file, tmp_path / "counts", engine="spark", master=TWO_EXECUTORS)
    said(share, seconds, done, tmp_path / "counts")
    print(f"  handed on {sum(handed_on.values()) / done.tokens:.0f} bytes a token; {', '.join(shown(most))}")
    assert most["its Python"] < MOST_PYTHON
    assert most["executor"] < MOST_EXECUTOR


@pytest.mark.parametrize("share", [0.125, 0.25, 0.5, 1.0])
def test_on_this_machine(tmp_path: Path, share: float) -> None:
    seconds, done = timed(beginning(tmp_path, share), tmp_path / "counts")
    said(share, seconds, done, tmp_path / "counts")


def beginning(folder: Path, share: float) -> Path:
    """A file with the first sentences of the corpus."""
    corpus = Path(os.environ["APTDB_BENCH_CORPUS"])
    content = corpus.read_bytes()[: int(share * corpus.stat().st_size)]
    file = folder / "corpus.conllu"
    file.write_bytes(content[: content.rfind(b"\n\n") + 2])
    return file


def timed(file: Path, output: Path, **how: Any) -> tuple[float, Any]:
    """How long it takes to count, and what was."""
    begun = time.monotonic()
    done = aptdb.count_corpora(file, output, **how)
    return time.monotonic() - begun, done


def said(share: float, seconds: float, done: Any, folder: Path) -> None:
    """Tell the rate, and what the folder has."""
    manifest = manifest_of(folder)
    size = sum(each["bytes"] for each in manifest["files"])
    rows = {name: manifest[name] for name in ("cooccurrences", "nodes", "lexemes", "paths")}
    print(f"\n{share:.3f}: {done.tokens:,} tokens in {seconds:.0f} s, {done.tokens / seconds:,.0f} a second")
    print(f"  {rows}, {size / manifest['cooccurrences']:.1f} bytes a co-occurrence")


@contextmanager
def most_memory(folder: Path) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """The most memory that a process of each kind has had within the block, and the files that were in a folder."""
    most, files, ended = dict.fromkeys(KINDS.values(), 0), dict[str, int](), threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            with suppress(OSError):  # one may be deleted meanwhile
                files.update({each.name: each.stat().st_size for each in folder.glob("*.parquet")})
            for process, command in commands_below(os.getpid()):
                for mark, kind in KINDS.items():
                    if mark in command and ("java" in command) == (kind == "executor"):
                        most[kind] = max(most[kind], memory_of(process))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield most, files
    finally:
        ended.set()
        watching.join()


def shown(most: dict[str, int]) -> list[str]:
    """The memory of each kind of process."""
    return [f"{kind} {size / 1e6:,.0f} MB" for kind, size in most.items()]
