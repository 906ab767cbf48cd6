"""Ceilings of what changes cost beside one another, in time and memory, generously set; tests/bench measures them."""

import shutil
from itertools import islice
from pathlib import Path

import pytest

from support.clients import ask_file
from support.generated import beginning, blocks
from support.measured import measured

LIMIT = "1GB"
MOST = 1_300  # megabytes of the process: the limit, and 300 for what is not DuckDB's

pytestmark = pytest.mark.thorough


@pytest.mark.thorough
def test_what_is_written_in_slices_is_sound(tmp_path: Path) -> None:
    """Of row groups and not only of a few rows: DuckDB treats those otherwise, also within a transaction."""
    first, second, third = islice(blocks(), 3)
    (tmp_path / "one").write_bytes(first + second)
    (tmp_path / "other").write_bytes(third)
    lexicon = tmp_path / "l.duckdb"
    for command, corpus in (("add", tmp_path / "one"), ("add", tmp_path / "other"), ("remove", "one")):
        measured(command, lexicon, corpus, "--memory", "256MB")  # so that there are several slices
        [(rows, numbers)] = ask_file(lexicon, "SELECT count(*), count(DISTINCT id) FROM _store.node")
        assert rows == numbers
        measured("verify", lexicon)


@pytest.mark.thorough
def test_additions_to_a_large_lexicon_and_their_removal(tmp_path: Path) -> None:
    one, other, little = islice(blocks(), 3)
    parts = {"one": beginning(one, 450_000), "other": beginning(other, 400_000), "little": beginning(little, 20_000)}
    for name, (text, tokens) in parts.items():
        assert tokens >= 20_000
        (tmp_path / name).write_bytes(text)
    first, second = tmp_path / "first.duckdb", tmp_path / "second.duckdb"

    def taken(command: str, lexicon: Path, name: str) -> tuple[float, float]:
        found = measured(command, lexicon, name if command == "remove" else tmp_path / name, "--memory", LIMIT)
        return found.processors, found.peak

    peaks = [taken("add", first, "one")[1]]
    alone, peak = taken("add", tmp_path / "alone.duckdb", "other")
    peaks.append(peak)
    shutil.copy(first, second)
    for command, most in (("add", 3), ("remove", 3)):  # 1.5 on a quiet machine, 2.2 on a busy one
        processors, peak = taken(command, second, "other")
        assert processors <= most * alone, command
        peaks.append(peak)
    few, _ = taken("add", tmp_path / "few.duckdb", "little")
    processors, _ = taken("add", first, "little")
    assert processors <= 3 * few
    assert max(peaks) <= MOST
