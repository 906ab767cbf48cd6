"""Counting into a folder at size: on this machine, and on two executors of Spark; the rate, the shuffle and the memory.

APTDB_BENCH_CORPUS=en_wiki_14m.conllu pytest -n 0 -m bench -s tests/bench/test_spread_at_size.py
"""

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import aptdb
from support.running import commands_below, memory_of
from support.spread import TWO_EXECUTORS, manifest_of, why_no_java

pytestmark = [
    pytest.mark.bench,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # which py4j leaves behind
    pytest.mark.skipif("APTDB_BENCH_CORPUS" not in os.environ, reason="APTDB_BENCH_CORPUS names no corpus"),
]
WROTE = "internal.metrics.shuffle.write.bytesWritten"
KINDS = {"CoarseGrainedExecutorBackend": "executor", "pyspark": "its Python"}
MOST_PYTHON = 1_000_000_000  # bytes, of a task, however much it counts
MOST_EXECUTOR = 2_200_000_000  # bytes, of one with a heap of 1 GB


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where Spark logs what it does; a process begins it but once."""
    folder = tmp_path_factory.mktemp("spark")
    (folder / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.compress false\nspark.eventLog.dir file://{folder}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(folder))
        yield folder


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_on_two_executors(tmp_path: Path, events: Path, share: float) -> None:
    if reason := why_no_java():
        pytest.skip(reason)
    file, before = beginning(tmp_path, share), sum(shuffles(events))
    with most_memory() as most:
        seconds, done = timed(file, tmp_path / "counts", engine="spark", master=TWO_EXECUTORS)
    said(share, seconds, done, tmp_path / "counts")
    shuffled = sum(shuffles(events)) - before
    print(f"  shuffled {shuffled / done.tokens:.0f} bytes a token; {', '.join(shown(most))}")
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


def shuffles(folder: Path) -> Iterator[int]:
    """The bytes that each stage wrote for others to read, from Spark's own log."""
    for file in folder.rglob("*"):
        for line in file.read_text().splitlines() if file.is_file() and file.name.startswith("events") else ():
            event = json.loads(line)
            if event["Event"] == "SparkListenerStageCompleted":
                yield from (int(each["Value"]) for each in event["Stage Info"]["Accumulables"] if each["Name"] == WROTE)


@contextmanager
def most_memory() -> Iterator[dict[str, int]]:
    """The most memory that a process of each kind has had within the block, in bytes."""
    most, ended = dict.fromkeys(KINDS.values(), 0), threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            for process, command in commands_below(os.getpid()):
                for mark, kind in KINDS.items():
                    if mark in command and ("java" in command) == (kind == "executor"):
                        most[kind] = max(most[kind], memory_of(process))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield most
    finally:
        ended.set()
        watching.join()


def shown(most: dict[str, int]) -> list[str]:
    """The memory of each kind of process."""
    return [f"{kind} {size / 1e6:,.0f} MB" for kind, size in most.items()]
