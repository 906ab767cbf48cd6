"""Damaged files: what is right in them is counted, nothing else; or one line says what is wrong and nothing changes."""

import io
import re
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import STORED, thorough, triples
from mutations import PACKED, SENTENCES, SETTINGS, Case, Reading, base, case, counts_of, strictly_read
from twin import Triple

from aptdb import CorpusError, Lexicon
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.sources import Source
from aptdb.counting.parsed_trees import count_source
from aptdb.settings import Settings
from aptdb.store import schema
from aptdb.store.database import Database

SECONDS = 30  # past which a file hangs


class UndoneError(Exception):
    """Ends a transaction, so that nothing of it stays."""


@contextmanager
def in_time(seconds: int = SECONDS) -> Iterator[None]:
    """An end with TimeoutError to what takes too long."""

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def empty(memory: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """The lexicon in memory, with nothing in it; what is added must be undone."""
    monkeypatch.setattr(schema, "renew", lambda _: None)
    with memory.transaction():
        for table in STORED:
            memory.run(f"DELETE FROM _store.{table}")
    return memory


def is_empty(database: Database) -> bool:
    """Whether nothing stayed."""
    return all(database.value(f"SELECT count(*) FROM _store.{table}") == 0 for table in STORED)


def summed(reading: Reading, settings: int) -> Counter[Triple]:
    """The counts of the sentences that are right."""
    total: Counter[Triple] = Counter()
    for block in reading.right:
        total.update(counts_of(block.words, settings))
    return total


def check_file(database: Database, each: Case) -> str:
    """Add the file of a case, compare all with the strict reader, and take it back; says how it went."""
    mark = next((mark for mark in PACKED if each.file.startswith(mark)), None)
    reading = strictly_read(each.text if mark and each.text is not None else each.file)
    handler = FaultHandler(skip=each.skip, rejects=io.BytesIO())
    try:
        with database.transaction(), in_time():
            source = Source(io.BytesIO(each.file))
            settings = Settings(**SETTINGS[each.settings])
            added = count_source(database, settings, source, handler=handler, again=True)
            assert triples(database) == summed(reading, each.settings)
            assert (added.sentences, added.tokens) == (len(reading.right), sum(len(one.words) for one in reading.right))
            assert sum(added.skipped.values()) == len(reading.wrong)
            assert each.skip or not reading.wrong
            check_rejects(handler, reading)
            raise UndoneError
    except UndoneError:
        return "skipped" if reading.wrong else "right"
    except CorpusError as refusal:
        said = str(refusal)
        assert "\n" not in said
        assert said.startswith("stream:")
        if mark and "data is damaged or cut off" in said:
            return "damaged"
        assert not reading.right or (reading.wrong and not each.skip)
        check_place(said, reading, each.skip)
        return "refused"


def check_place(said: str, reading: Reading, skip: bool) -> None:
    """A refusal names a line of something that is wrong, or that nothing is there."""
    if skip or not reading.wrong:
        assert "no sentence in it" in said or "no valid sentence" in said
        return
    line = int(said.split(":")[1])
    assert any(one.first <= line < one.first + len(one.lines) for one in reading.wrong)


def check_rejects(handler: FaultHandler, reading: Reading) -> None:
    """What was written down is what is wrong, each block once, below the reasons, which name its lines."""
    assert isinstance(handler.rejects, io.BytesIO)
    found = []
    for written in handler.rejects.getvalue().split(b"\n\n")[:-1]:
        lines = written.split(b"\n")
        reasons = [line for line in lines if line.startswith(b"# stream:")]
        found.append((tuple(lines[len(reasons) :]), {int(reason.split(b":")[1]) for reason in reasons}))
    wrong = {one.first: one for one in reading.wrong}
    assert Counter(block for block, _ in found) == Counter(one.lines for one in wrong.values())
    for block, named in found:
        assert named
        assert any(
            one.lines == block and one.first <= min(named) and max(named) < one.first + len(block)
            for one in wrong.values()
        )


def check_seeds(database: Database, monkeypatch: pytest.MonkeyPatch, seeds: Sequence[int]) -> Counter[str]:
    """Check the files of many seeds; how many went how."""
    found: Counter[str] = Counter()
    for seed in seeds:
        each = case(seed)
        monkeypatch.setattr("aptdb.corpus.sources.CHUNK_BYTES", each.chunk_bytes)
        try:
            found[check_file(database, each)] += 1
        except BaseException as error:
            error.add_note(f"seed {seed}: {each.names}, settings {each.settings}, chunks of {each.chunk_bytes}")
            raise
    assert is_empty(database)
    return found


@pytest.mark.parametrize("seeds", [range(20), *thorough(range(n, n + 60) for n in (20, 80, 140))], ids=len)
def test_damaged_files(empty: Database, monkeypatch: pytest.MonkeyPatch, seeds: range) -> None:
    pytest.importorskip("zstandard", reason="zstandard packs the files here")
    found = check_seeds(empty, monkeypatch, seeds)
    assert {"right", "skipped", "refused"} <= {*found}


def test_files_that_once_came_out_wrong(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """1685: two byte order marks, of which DuckDB passed over the second."""
    pytest.importorskip("zstandard", reason="zstandard packs the files here")
    assert check_seeds(empty, monkeypatch, [1685]).total() == 1


@pytest.mark.parametrize("wide", [False, *thorough([True])])
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
    with Lexicon.open(tmp_path / "all.duckdb", create=True) as whole:
        whole.add(io.BytesIO(b"".join(good)), name="all")
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
