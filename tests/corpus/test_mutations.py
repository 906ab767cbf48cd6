"""Damaged files: what is right in them is counted, nothing else; or one line says what is wrong and nothing changes."""

import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from aptdb import CorpusError, Lexicon
from aptdb.store.database import Database
from support.damaged_files import check_seeds
from support.lexicons import new_lexicon
from support.mutations import SENTENCES, base


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:.* no sentence is in the document")  # whose sentences are all damaged
@pytest.mark.parametrize("seeds", [range(20), *(range(n, n + 60) for n in (20, 80, 140))], ids=len)
def test_damaged_files(emptied: Database, monkeypatch: pytest.MonkeyPatch, seeds: range) -> None:
    pytest.importorskip("zstandard", reason="zstandard packs the files here")
    found = check_seeds(emptied, monkeypatch, seeds)
    assert {"right", "skipped", "refused"} <= {*found}


def test_files_that_once_came_out_wrong(emptied: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """1685: two byte order marks, of which DuckDB passed over the second."""
    pytest.importorskip("zstandard", reason="zstandard packs the files here")
    assert check_seeds(emptied, monkeypatch, [1685]).total() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("wide", [False, True])
def test_what_was_rejected_goes_in_once_it_is_mended(tmp_path: Path, wide: bool) -> None:
    """The rejects as they are add nothing, and mended all that was missing."""
    good = [b"\n".join(lines) + b"\n\n" for lines in base(wide)]
    bad = {
        3: good[3].replace(b"\t", b"  ", 1),
        11: good[11].replace(b"\n1\t", b"\n7\t"),
        30: good[30].replace(b"e", b"\xe9"),
    }
    bad = {number: text for number, text in bad.items() if text != good[number]}
    assert len(bad) >= 2
    rejects, file = tmp_path / "rejects.conllu", tmp_path / "l.duckdb"
    damaged = b"".join(bad.get(number, text) for number, text in enumerate(good))
    with new_lexicon(tmp_path / "all.duckdb", b"".join(good), name="all") as whole:
        expected = triples_of(whole)
    with Lexicon.open(file, create=True) as lexicon:
        added = lexicon.add(io.BytesIO(damaged), name="damaged", skip_invalid=True, rejects=rejects)
        assert (added.sentences, sum(added.skipped.values())) == (SENTENCES - len(bad), len(bad))
        before = triples_of(lexicon)
        with pytest.raises(CorpusError, match=re.escape(str(rejects))):
            lexicon.add(rejects)
        assert triples_of(lexicon) == before
        mended = rejects.read_bytes()
        for number, text in bad.items():
            mended = mended.replace(text, good[number])
        rejects.write_bytes(mended)
        assert lexicon.add(rejects).sentences == len(bad)
        assert triples_of(lexicon) == expected
        assert lexicon.verify().rows == []


def triples_of(lexicon: Lexicon) -> Sequence[tuple[object, ...]]:
    """All that is counted, in order."""
    return lexicon.sql("FROM cooccurrences ORDER BY ALL").rows
