"""Data sets of people's judgements, and what an independent prototype measured on them."""

from pathlib import Path

import pytest

from support.corpora import SHARED

# ρ of adjectives with nouns, nouns with nouns and verbs with objects on both treebanks, at order 2, by an independent
# prototype: merge, shift, what becomes of missing words.
EXPECTED = {
    ("sum", 1, "skip_unknown"): (0.360, 0.174, 0.285),
    ("sum", 10, "skip_unknown"): (0.374, 0.192, 0.311),
    ("min", 1, "skip_unknown"): (0.152, 0.059, 0.030),
    ("min", 10, "skip_unknown"): (0.064, 0.033, 0.060),
    ("sum", 1, "zero"): (0.297, 0.200, 0.274),
    ("sum", 10, "zero"): (0.321, 0.217, 0.299),
    ("sum", 1, "skip"): (0.357, 0.190, 0.299),
    ("sum", 10, "skip"): (0.382, 0.207, 0.328),
}
TYPES = ("adjectivenouns", "compoundnouns", "verbobjects")


def shared_dataset(name: str) -> Path:
    """A shared data set; the test skips, saying so, where it is missing."""
    file = SHARED / "datasets" / name
    if not file.exists():
        pytest.skip(f"the data set {name} is not beside this checkout (../shared/datasets)")
    return file
