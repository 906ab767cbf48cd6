"""Keyness of twenty million items, and trends of a hundred thousand series, within one gigabyte.

pytest -n 0 -m bench -s tests/bench/test_keyness_at_size.py
"""

import time
from pathlib import Path

import duckdb
import pytest

from aptdb import Lexicon
from twins.trees import Token, conllu

pytestmark = pytest.mark.bench

ITEMS = 20_000_000
COMPARED = "SELECT 'item number ' || i AS item, {a} AS count_a, {b} AS count_b FROM range({items}) AS numbers (i)"
POINTS = (
    "SELECT s AS series, p::DOUBLE AS period, random() AS value "
    "FROM range(100_000) AS all_series (s), range({periods}) AS periods (p)"
)
RARE = "floor(1 / (random() + 1e-7))::BIGINT"  # as words are: half of them occur once
ANY = "floor(random() * 1e6)::BIGINT"  # hardly two items with the same pair of counts
QUERIES = {
    "keyness, counts as of words": (COMPARED.format(a=RARE, b=RARE, items=ITEMS), "keyness_of('given', 4e8, 6e8, 1)"),
    "keyness, all counts differ": (COMPARED.format(a=ANY, b=ANY, items=ITEMS), "keyness_of('given', 4e8, 6e8, 1)"),
    "trends of 20 periods": (POINTS.format(periods=20), "trend_of('given')"),
    "trends of 50 periods": (POINTS.format(periods=50), "trend_of('given')"),
}


@pytest.mark.parametrize("name", QUERIES)
def test_within_one_gigabyte(tmp_path: Path, name: str) -> None:
    given, macro = QUERIES[name]
    file, corpus = tmp_path / "small.duckdb", tmp_path / "small.conllu"
    corpus.write_text(conllu([[Token("a", "a", "N", "_", 0, "root")]]), encoding="utf-8")
    with Lexicon.open(file, create=True) as lexicon:
        lexicon.add(corpus)
    with duckdb.connect(str(file)) as client:
        client.execute(f"CREATE TABLE given AS {given}")
        client.execute("SET memory_limit = '1GB'")
        begun = time.perf_counter()
        client.execute(f"CREATE TEMP TABLE found AS FROM _store.{macro}")
        seconds = time.perf_counter() - begun
        found = client.execute("SELECT count(*), count(p_value) FROM found").fetchone()
    assert found in ((ITEMS, ITEMS), (100_000, 100_000))
    print(f"\n{name}: {seconds:.1f} s")
