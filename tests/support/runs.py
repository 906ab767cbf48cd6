"""The two runs of the tests, quick and thorough: how many random examples each takes, and the seed that draws them."""

import os
import random
import subprocess
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
THOROUGH = False  # `pytest -m thorough`; set before the tests are collected
FEW = 8  # random examples of a test at most in the quick run
FEWEST = 2  # of a test whose examples take long
HANGS = 120  # seconds: what takes longer hangs. How long something takes is measured in tests/bench
SEED = "APTDB_SEED"  # the variable that repeats what another run drew
WITHOUT_GIT = "aptdb"


def is_thorough(config: pytest.Config) -> bool:
    """Return whether -m asks for the thorough tests."""
    asked = str(config.option.markexpr)
    return "thorough" in asked and "not thorough" not in asked


def examples(all_of_them: int, few: int = FEW) -> settings:
    """Return how many random examples a test takes: in the quick run a tenth, and at most `few`."""
    return settings(max_examples=all_of_them if THOROUGH else min(max(all_of_them // 10, FEWEST), few))


def thorough(values: Iterable[Any]) -> list[Any]:
    """Return values of a parameter, or of several, that the thorough run alone takes."""
    marks = pytest.mark.thorough
    return [pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=marks) for each in values]


def read_seed() -> str:
    """Return what random examples and shares are drawn by: the variable, else the hash of the commit."""
    if given := os.environ.get(SEED):
        return given
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return WITHOUT_GIT


def draw_some(values: Sequence[T], size: int, name: str) -> list[T]:
    """Return so many of the values, in their order: others for each commit and name."""
    places = random.Random(f"{read_seed()} {name}").sample(range(len(values)), min(size, len(values)))
    return [values[place] for place in sorted(places)]


def draw_number(seed: str, name: str) -> int:
    """Return a number that a seed and a name determine, the same on every machine and in every process."""
    return int.from_bytes(sha256(f"{seed} {name}".encode()).digest()[:6])
