"""What is no phrase: refusals.csv beside this, a row a test."""

from pathlib import Path

import pytest

from support.refusals import OpenLexicons, Refusal, check_refusal, read_refusals


@pytest.mark.parametrize("row", read_refusals(__file__))
def test_core_refuses(row: Refusal, open_lexicons: OpenLexicons, tmp_path: Path) -> None:
    check_refusal(row, open_lexicons, tmp_path)
