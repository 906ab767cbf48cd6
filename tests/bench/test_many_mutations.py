"""Two thousand damaged files, as tests/corpus/test_mutations.py has two hundred.

pytest -n 0 -m bench -s tests/bench/test_many_mutations.py
"""

from collections import Counter

import pytest

from aptdb.store.database import Database
from support.damaged_files import check_seeds

pytestmark = pytest.mark.bench

FILES = 2000


def test_many_damaged_files(emptied: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zstandard", reason="zstandard packs the files here")
    found: Counter[str] = Counter()
    for first in range(1000, 1000 + FILES, 200):
        found += check_seeds(emptied, monkeypatch, range(first, first + 200))
        print(f"{found.total()} files: {dict(found)}")
    assert found.total() == FILES
