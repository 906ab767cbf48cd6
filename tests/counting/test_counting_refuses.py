"""What counting refuses, and what it notes: refusals.csv beside this, a row a test."""

from pathlib import Path

import pytest

from aptdb.counting.conditions import parse_condition
from support.corpora import DOGS
from support.refusals import OpenLexicons, Refusal, check_refusal, read_refusals

TREE = DOGS.partition("\n")[2]
SAID = f"# newdoc id = one\n# meta::title = b 1890\n# sent_id = a-1\n# speaker = Ann\n{TREE}# sent_id = b\n{TREE}"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("row", read_refusals(__file__))
def test_counting_refuses(row: Refusal, open_lexicons: OpenLexicons, tmp_path: Path) -> None:
    check_refusal(row, open_lexicons, tmp_path, parsed=parse_condition, said=SAID)
