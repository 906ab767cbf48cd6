"""What comes after counting, with counts that are made up: which step grows faster than what it is given?

APTDB_BENCH_ROWS=1e6,1e7,1e8 pytest -n 0 -m bench -s tests/bench/test_merging_at_size.py

Lexemes follow Zipf's law with an endless vocabulary, and so Heaps' law, with the exponent of Wikipedia (.64): twice as
many rows have 1.56 times as many lexemes. Each made-up task counts as many rows as the others, so that larger inputs
have more tasks and parts, as real ones have. The steps are those of every engine, one task after another.
"""

import math
import os
import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from aptdb.distributed.merging_task import (
    Workshop,
    delete_files,
    merge_part,
    number_counts,
    number_names,
    see_file,
    send_file,
    write_answer,
)
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.statements import SqlText, statement

pytestmark = [
    pytest.mark.bench,
    pytest.mark.skipif("APTDB_BENCH_ROWS" not in os.environ, reason="APTDB_BENCH_ROWS names no numbers of rows"),
]
ROWS_OF_TASK = 4_000_000  # one direction; 1.8 million tokens of Wikipedia have 3.4 million
ROWS_OF_PART = 2_500_000
MEMORY = 600_000_000  # bytes, as a task of Spark has
MOST_MEMORY = 1_500_000_000  # bytes, of this process
ALPHA, SHIFT = 0.64**-1 - 1, 12  # of the law: the most frequent lexeme is some 4 % of all
PATHS = 3_000
# Paths come in pairs, of which the one whose text comes first is counted: '<r1>' before '>r1'.
DRAWN = f"""
    SELECT lexeme, path, context, count(*) AS count, count(*) AS direct
    FROM (
        SELECT 'word' || floor({SHIFT} * (random() ** (-1 / {ALPHA}) - 1))::BIGINT || '/NOUN' AS lexeme,
            '<r' || floor({PATHS} * random() ** 4)::INTEGER AS path,
            'word' || floor({SHIFT} * (random() ** (-1 / {ALPHA}) - 1))::BIGINT || '/NOUN' AS context
        FROM range(%d)
    )
    GROUP BY ALL
"""
WITH_LEXEMES = """
    FROM drawn UNION ALL
    SELECT lexeme, NULL, NULL, count(*), NULL
    FROM (SELECT lexeme FROM drawn UNION ALL SELECT context FROM drawn) GROUP BY lexeme
"""


def make_counts(shop: Workshop, number: int) -> dict[str, str]:
    """What a task of counting gives, of made-up rows."""
    found = {"counted": shop.new_name("counted"), "totals": shop.new_name("totals")}
    with shop.opened() as (database, folder):
        database.run(f"SELECT setseed({(number % 1_000) / 1_000})")
        database.run(f"CREATE TABLE drawn AS {DRAWN % ROWS_OF_TASK}")
        write_answer(database, SqlText(WITH_LEXEMES), folder / "counted")
        see_file(database, "counted", folder / "counted")
        write_answer(database, statement("distributed/totals"), folder / "totals")
        for name, place in found.items():
            send_file(folder / name, place)
    return found


def seconds(steps: dict[str, float], step: str, work: Callable[[], Any]) -> Any:
    """What a function returns; the processor time that it takes is added to that of a step."""
    begun = time.process_time()
    answer = work()
    steps[step] = steps.get(step, 0) + time.process_time() - begun
    return answer


def merged(folder: Path, rows: int) -> dict[str, float]:
    """The processor time of each step, and what it was given and gave; the tables are deleted as they are made."""
    (folder / UNFINISHED).mkdir(parents=True)
    shop, steps = Workshop(str(folder), MEMORY, str(folder / UNFINISHED)), dict[str, float]()
    counted = [make_counts(shop, number) for number in range(max(1, rows // ROWS_OF_TASK))]
    totals = [each["totals"] for each in counted]
    parts = max(1, 2 * rows // ROWS_OF_PART)
    numbered, bounds, _, _ = seconds(steps, "numbering names", lambda: number_names(shop, totals, parts))
    numbers = []
    for each in counted:
        number = partial(number_counts, shop, numbered, each["counted"], lambda *_: None)
        numbers.append(seconds(steps, "numbering rows", number))
        delete_files([*each.values()])
    met = {"cooccurrences": 0, "nodes": 0, "lexemes": 0}
    for part in bounds:
        merge = partial(merge_part, shop, numbered, numbers, part, lambda *_: None)
        for described in seconds(steps, "writing parts", merge):
            met[described["path"].partition("/")[0]] += described["rows"]
            (folder / described["path"]).unlink()
    delete_files(numbers)
    return {**steps, **met}


def sizes() -> Iterator[int]:
    """The numbers of rows, from the least."""
    yield from sorted(int(float(each)) for each in os.environ["APTDB_BENCH_ROWS"].split(","))


def test_which_step_grows_faster_than_what_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APTDB_MEMORY", "1GB")
    before: dict[str, float] = {}
    for rows in sizes():
        found = merged(tmp_path / str(rows), rows)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(f"\n{rows:,} rows in one direction; peak of this process {peak / 1e6:,.0f} MB")
        for name, value in found.items():
            grown = ""
            if before:
                exponent = math.log(value / before[name]) / math.log(rows / before["rows"])
                grown = f"; as the {exponent:.2f} power of the rows"
            print(f"  {name}: {value:,.1f}{grown}")
        assert peak < MOST_MEMORY
        before = {**found, "rows": rows}


def test_a_task_among_many_lexemes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each task reads all lexemes, and keeps those of its own rows: this is what grows with the size of the corpus."""
    monkeypatch.setenv("APTDB_MEMORY", "1GB")
    shop = Workshop(str(tmp_path), MEMORY, str(tmp_path / UNFINISHED))
    (tmp_path / UNFINISHED).mkdir()
    counted = make_counts(shop, 1)
    for lexemes in (10**5, 10**6, 10**7, 10**8):
        more = shop.new_name("totals")
        with shop.opened() as (database, folder):
            made = f"'word' || range || '/X' AS lexeme, NULL AS path, 1 AS count, 0 AS direct FROM range({lexemes})"
            write_answer(database, SqlText(f"SELECT {made}"), folder / "more")
            send_file(folder / "more", more)
        steps: dict[str, float] = {}
        totals = [counted["totals"], more]
        numbered, bounds, _, _ = seconds(steps, "numbering names", partial(number_names, shop, totals, 1))
        number = partial(number_counts, shop, numbered, counted["counted"], lambda *_: None)
        numbers = seconds(steps, "numbering rows", number)
        merge = partial(merge_part, shop, numbered, [numbers], bounds[0], lambda *_: None)
        seconds(steps, "writing a part", merge)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        size = Path(numbered["numbered_lexeme"]).stat().st_size
        told = ", ".join(f"{name} {value:.1f} s" for name, value in steps.items())
        print(f"\n{lexemes:,} more lexemes ({size / 1e6:,.0f} MB): {told}; peak of this process {peak / 1e6:,.0f} MB")
        delete_files([more, numbers, numbered["numbered_lexeme"]])
