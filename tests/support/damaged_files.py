"""Damaged files added to a lexicon: what must hold of each, as the strict reader reads it."""

import io
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import pytest

from aptdb import CorpusError
from aptdb.core.settings import Settings
from aptdb.corpus.faults import FaultHandler
from aptdb.corpus.sources import Source
from aptdb.counting.count_trees import count_source
from aptdb.store.database import Database
from support.lexicons import STORED, triples
from support.mutations import SETTINGS, Case, case
from support.strict_reader import Reading, strictly_read
from twins.counting import count
from twins.trees import Token
from twins.weights import Triple

SECONDS = 30  # past which a file hangs
PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


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


def is_empty(database: Database) -> bool:
    """Whether nothing stayed."""
    return all(database.value(f"SELECT count(*) FROM _store.{table}") == 0 for table in STORED)


@cache
def counts_of(words: tuple[Token, ...], settings: int) -> Counter[Triple]:
    """What one sentence adds to the counts under SETTINGS[settings]."""
    return count([[*words]], **SETTINGS[settings])


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
