"""Ten clients of the explorer, each with a fresh lexeme every five seconds, all pieces of its page fetched at once.

APTDB_BENCH_LEXICON=wiki.duckdb pytest -n 0 -m bench -s tests/bench/test_serving.py
"""

import html
import os
import random
import re
import threading
import time
from pathlib import Path
from statistics import median
from urllib.parse import quote

import pytest

from aptdb import Lexicon
from support.served import Served, served

pytestmark = pytest.mark.bench

CLIENTS, PAUSE, SECONDS = 10, 5.0, 60.0
LEAST = 50  # tokens of a lexeme
LONGEST = 1.0  # seconds of a page, of 95 in 100
PATIENCE = 300.0


@pytest.mark.skipif("APTDB_BENCH_LEXICON" not in os.environ, reason="APTDB_BENCH_LEXICON names no lexicon")
def test_ten_clients() -> None:
    file = Path(os.environ["APTDB_BENCH_LEXICON"])
    with Lexicon.open(file) as lexicon:
        tags = "pos IN ('NOUN', 'VERB', 'ADJ') AND frequency >= $least"
        lexemes = lexicon.sql(f"SELECT lexeme FROM lexemes WHERE {tags} ORDER BY lexeme", {"least": LEAST}).column(
            "lexeme"
        )
    random.Random(18).shuffle(lexemes)
    with served(file, quick=True) as server:
        begun = time.monotonic()
        while not server.readers.copy_of_file.with_name("neighbours.parquet").exists():
            assert time.monotonic() - begun < PATIENCE
            time.sleep(1)
        print(f"\nweights kept and neighbours found after {time.monotonic() - begun:.0f} s")
        seconds: dict[str, list[float]] = {"page": [], "piece": [], "page with all pieces": []}
        visitors = [
            threading.Thread(target=visit, args=(server, lexemes[number::CLIENTS], number, seconds))
            for number in range(CLIENTS)
        ]
        for each in visitors:
            each.start()
        for each in visitors:
            each.join()
    for what, found in seconds.items():
        print(f"{what}: {len(found)}, median {median(found):.2f} s, p95 {p95(found):.2f} s, longest {max(found):.2f} s")
    assert p95(seconds["page"]) <= LONGEST
    assert p95(seconds["piece"]) <= LONGEST


def p95(found: list[float]) -> float:
    """What 95 in 100 do not exceed."""
    return sorted(found)[int(len(found) * 0.95)]


def visit(server: Served, lexemes: list[str], number: int, seconds: dict[str, list[float]]) -> None:
    """Open the page of one lexeme after another."""
    time.sleep(number * PAUSE / CLIENTS)
    end = time.monotonic() + SECONDS
    for lexeme in lexemes:
        begun = time.monotonic()
        if begun > end:
            return
        page = timed(server, f"/lexeme?x={quote(lexeme)}", seconds["page"])
        addresses = map(html.unescape, re.findall(r'data-from="([^"]+)"', page))
        pieces = [threading.Thread(target=timed, args=(server, each, seconds["piece"])) for each in addresses]
        for each in pieces:
            each.start()
        for each in pieces:
            each.join()
        seconds["page with all pieces"].append(time.monotonic() - begun)
        time.sleep(max(0.0, PAUSE - (time.monotonic() - begun)))


def timed(server: Served, address: str, seconds: list[float]) -> str:
    """A page or piece, and how long it took."""
    begun = time.monotonic()
    answer = server.get(address)
    seconds.append(time.monotonic() - begun)
    assert answer.status == 200
    return answer.text
