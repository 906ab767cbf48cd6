"""How much a run of the tests takes: few or all of the random examples, of the moments and of the files."""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

QUICK = 10  # the quick run takes a tenth of the examples, but never fewer than the next
FEWEST = 2


def examples(all_of_them: int) -> settings:
    """So many random examples of a test in the thorough run, a few of them in the quick one."""
    times = os.environ.get("APTDB_EXAMPLES")
    return settings(max_examples=all_of_them * int(times) if times else max(all_of_them // QUICK, FEWEST))


def thorough(values: Iterable[Any]) -> list[Any]:
    """Values of a parameter, or of several, that the thorough run alone takes."""
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.thorough) for each in values
    ]
