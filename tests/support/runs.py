"""How much a run of the tests takes: few or all of the random examples, of the moments and of the files."""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

QUICK = 10  # the quick run takes a tenth of the examples, but never fewer than the next
FEWEST = 2


def examples(all_of_them: int) -> settings:
    """So many random examples of a test in the whole run, a few of them in the others."""
    times = os.environ.get("APTDB_EXAMPLES")
    return settings(max_examples=all_of_them * int(times) if times else max(all_of_them // QUICK, FEWEST))


def thorough(values: Iterable[Any], *how_many: str) -> list[Any]:
    """Values of a parameter, or of several, that the thorough run alone takes: the first, or "every case"."""
    mark = pytest.mark.thorough(*how_many)
    return [pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=mark) for each in values]
