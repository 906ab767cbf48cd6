"""What evaluations refuse, and what they note: refusals.csv beside this, a row a test."""

from pathlib import Path

import pytest

from aptdb import Names
from aptdb.evaluation.choose import as_choices, read_questions
from aptdb.evaluation.datasets import read_dataset
from aptdb.evaluation.resampling import correlation
from aptdb.evaluation.substitute_scores import read_gold, read_seen
from support.refusals import OpenLexicons, Refusal, check_refusal, read_refusals

NAMES = {"Names": Names} | {
    each.__name__: each for each in (as_choices, correlation, read_dataset, read_gold, read_questions, read_seen)
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("row", read_refusals(__file__))
def test_evaluation_refuses(row: Refusal, open_lexicons: OpenLexicons, tmp_path: Path) -> None:
    check_refusal(row, open_lexicons, tmp_path, **NAMES)
