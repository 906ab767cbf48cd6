"""What a lexicon's file, SQL and other files beside it are refused for: refusals.csv beside this, a row a test."""

from pathlib import Path

import pytest

from aptdb.store.duckdb_errors import in_one_line
from support.corpora import DOGS
from support.lexicons import copied, lexicon_of
from support.refusals import OpenLexicons, Refusal, check_refusal, read_refusals


@pytest.fixture(scope="module")
def dogs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon that only commands open, because a process has a file open in one way."""
    return lexicon_of(tmp_path_factory.mktemp("dogs") / "dogs.duckdb", {"dogs": DOGS.encode()})


def duckdb_says(text: str) -> None:
    """Raise what aptdb makes of an error of DuckDB's."""
    raise in_one_line(RuntimeError(text))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("row", read_refusals(__file__))
def test_store_refuses(row: Refusal, open_lexicons: OpenLexicons, plain: Path, tmp_path: Path) -> None:
    """FOLDER/given/cats.duckdb is another lexicon, where a row names it."""
    if "given/cats" in row.call:
        (tmp_path / "given").mkdir()
        copied(plain, tmp_path / "given" / "cats.duckdb")
    check_refusal(row, open_lexicons, tmp_path, duckdb_says=duckdb_says)
