"""Fifty additions killed at random moments, as tests/store/test_outside.py has eight.

pytest -n 0 -m bench -s tests/bench/test_kills.py
"""

from pathlib import Path

import pytest

from support.processes import check_kills

pytestmark = pytest.mark.bench

KILLS = 50


def test_fifty_kills(tmp_path: Path) -> None:
    held = check_kills(tmp_path, KILLS, 1_000_000)
    print(f"\nof {KILLS} killed additions of two files, {dict(sorted(held.items()))} (files held: lexicons)")
    assert held.total() == KILLS
    assert len(held) > 1
