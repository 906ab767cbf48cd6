"""What drawings and plots refuse, and what they note: refusals.csv beside this, a row a test."""

from pathlib import Path

import pytest

from support.refusals import OpenLexicons, Refusal, check_refusal, read_refusals


@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", read_refusals(__file__))
def test_pictures_refuse(row: Refusal, open_lexicons: OpenLexicons, tmp_path: Path) -> None:
    check_refusal(row, open_lexicons, tmp_path)
