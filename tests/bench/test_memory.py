"""What changes and questions take at size, in time and memory, measured from outside the process.

pytest -n 0 -m bench -s tests/bench/test_memory.py

APTDB_TOKENS: how many tokens are there at first; 1,000,000 by default. APTDB_MEMORY: the limit; 1GB by default. The
table is printed beside that of the last run, and kept with the date and versions in the folder APTDB_BENCH, if one is
named.
"""

import csv
import os
import platform
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from support.generated import generated
from support.measured import Taken, measured

pytestmark = pytest.mark.bench

TOKENS = int(os.environ.get("APTDB_TOKENS", "1000000"))
MEMORY = os.environ.get("APTDB_MEMORY", "1GB")
FEW = 40  # the part of the first tokens that a small addition has
WORD = "dog/NOUN"


def jobs(folder: Path) -> Iterator[tuple[str, Taken]]:
    """Each job by its name, one after another, with what it takes."""
    first = generated(folder / "first.conllu", TOKENS)
    second = generated(folder / "second.conllu", TOKENS * 7 // 10, from_copy=1)
    few = generated(folder / "few.conllu", TOKENS // FEW, from_copy=2)
    one, two, three = (folder / f"{name}.duckdb" for name in ("one", "two", "three"))
    kept = ("--memory", MEMORY)
    yield "add", measured("add", one, first, *kept)
    yield "add as much again, into an empty file", measured("add", two, second, *kept)
    shutil.copy(one, two)
    yield "add as much again, to the first", measured("add", two, second, *kept)
    yield "remove it again", measured("remove", two, second.name, *kept)
    yield "add little, into an empty file", measured("add", three, few, *kept)
    yield "add little, to the first", measured("add", two, few, *kept)
    three.unlink()
    yield "add with order 3", measured("add", three, first, "--order", 3, *kept)
    three.unlink()
    yield "rebuild", measured("rebuild", one, "-o", three, *kept)
    yield "verify", measured("verify", one, *kept)
    yield "apt", measured("apt", one, WORD, *kept)
    yield "neighbours, nothing kept", measured("neighbours", one, WORD, *kept)
    yield "weigh --keep", measured("weigh", one, "kept", "--keep", *kept)
    yield "neighbours, kept", measured("neighbours", one, WORD, "--weights", "kept", *kept)
    yield "compact", measured("compact", one, *kept)


def test_changes_and_questions_at_size(tmp_path: Path) -> None:
    before = last_run()
    versions = f"{platform.machine()}, Python {platform.python_version()}, DuckDB {duckdb.__version__}"
    print(f"\n{TOKENS:,} tokens, --memory {MEMORY}; {versions}")
    found: dict[str, Taken] = {}
    for name, taken in jobs(tmp_path):
        found[name] = taken
        cores = taken.processors / taken.clock
        print(f"{name:40} {taken.clock:7.1f} s {taken.peak:7,.0f} MB {cores:5.2f} cores  {before.get(name, '')}")
    keep(found, versions)


def last_run() -> dict[str, str]:
    """What the last run of this size kept, by the name of the job."""
    if not (folder := os.environ.get("APTDB_BENCH")):
        return {}
    files = sorted(Path(folder).glob(f"memory-{TOKENS}-*.csv"))
    if not files:
        return {}
    with files[-1].open(encoding="utf-8", newline="") as opened:
        return {row["job"]: f"before: {row['seconds']} s, {row['megabytes']} MB" for row in csv.DictReader(opened)}


def keep(found: dict[str, Taken], versions: str) -> None:
    """Write the table with the date in its name."""
    if not (folder := os.environ.get("APTDB_BENCH")):
        return
    place = Path(folder, f"memory-{TOKENS}-{datetime.now(UTC):%Y-%m-%dT%H%M%S}.csv")
    with place.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        writer.writerow(("job", "seconds", "processors", "megabytes", "limit", "versions"))
        for name, taken in found.items():
            writer.writerow(
                (name, f"{taken.clock:.1f}", f"{taken.processors:.1f}", f"{taken.peak:.0f}", MEMORY, versions)
            )
