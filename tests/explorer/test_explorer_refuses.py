"""What pages, and the commands that serve or write them, refuse: refusals.csv beside this, a row a test.

Of a page, call is its address in the explorer of the zoo, says is the status, and message what the page says to it.
"""

import re
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from support.refusals import OpenLexicons, Refusal, check_refusal, read_refusals
from support.served import Served

SAID = re.compile(r'<p class="refusal" role="alert">(.*?)</p>', re.DOTALL)


@pytest.mark.parametrize("row", read_refusals(__file__))
def test_explorer_refuses(row: Refusal, open_lexicons: OpenLexicons, server: Served, tmp_path: Path) -> None:
    if row.asked != "page":
        check_refusal(row, open_lexicons, tmp_path)
        return
    answer = server.get(row.call)
    assert "<main" in answer.text
    assert (answer.status, [unescape(said) for said in SAID.findall(answer.text)]) == (int(row.says), [row.message])
