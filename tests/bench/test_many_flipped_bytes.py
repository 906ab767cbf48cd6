"""Two thousand wrong bytes in a lexicon, as tests/store/test_flipped_bytes.py has a hundred.

pytest -n 0 -m bench -s tests/bench/test_many_flipped_bytes.py
"""

from collections import Counter
from pathlib import Path

import pytest

from support.flipped import Flipped, check_flips
from support.warm import warm

pytestmark = pytest.mark.bench

BYTES = 2000


def test_many_wrong_bytes(tmp_path: Path) -> None:
    found: dict[str, Counter[str]] = {}
    with warm() as server:
        flipped = Flipped(tmp_path, server)
        for seed in range(BYTES // 100):
            for region, counts in check_flips(flipped, flipped.flips(seed, 100)).items():
                found.setdefault(region, Counter()).update(counts)
            print(f"{sum(each.total() for each in found.values())} bytes: {found}")
    assert sum(each.total() for each in found.values()) == BYTES
