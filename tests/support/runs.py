"""How much a run of the tests takes: few or all of the random examples, of the moments and of the files."""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

WHOLE = "APTDB_EXAMPLES" in os.environ  # whether all cases and examples are taken
FEW = 10  # random examples of a test at most, but in the whole run
FEWEST = 2  # of a test whose examples take long
HANGS = 120  # seconds: what takes longer hangs. How long something takes is measured in tests/bench


def examples(all_of_them: int, few: int = FEW) -> settings:
    """So many random examples of a test in the whole run; a tenth, but so few at most, in the others."""
    times = os.environ.get("APTDB_EXAMPLES")
    return settings(max_examples=all_of_them * int(times) if times else min(max(all_of_them // 10, FEWEST), few))


def whole_run(values: Iterable[Any]) -> list[Any]:
    """Values of a parameter, or of several, that the whole run alone takes."""
    return thorough(values, "whole run")


def thorough(values: Iterable[Any], *how_many: str) -> list[Any]:
    """Values of a parameter, or of several, that the thorough run alone takes: the first, or "every case"."""
    mark = pytest.mark.thorough(*how_many)
    return [pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=mark) for each in values]
