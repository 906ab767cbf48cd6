"""Reads a corpus and reports its contents and all its faults, without a lexicon."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from aptdb.corpus.faults import Fault, FaultHandler
from aptdb.corpus.sources import Source
from aptdb.counting.counts_only import add_counts
from aptdb.counting.parsed_trees import left_out
from aptdb.counting.reading import LONGEST_SENTENCE, chunks_as_tokens
from aptdb.settings import MAX_ORDER, Settings
from aptdb.store import schema
from aptdb.store.database import Database, in_memory
from aptdb.store.statements import statement

FAULT = "fault"


def check(source: Any, *, max_sentence: int = LONGEST_SENTENCE) -> list[tuple[str, str]]:
    """The properties of a corpus and their values: sizes, relations, parts of speech; and each fault, as file:line.

    source: as in `Lexicon.add`. Invalid sentences are not counted. Faults that may just follow from another fault in
    the same sentence are not reported. Raises CorpusError if nothing can be read.
    """
    with (
        Source(source) as opened,
        closing(in_memory()) as scratch,
        scratch.transaction(),
    ):
        if opened.corpus_kind() == "counts":
            return [*counts(scratch, opened)]
        schema.create(scratch, Settings())
        return [*trees(scratch, opened, max_sentence)]


def trees(scratch: Database, source: Source, longest: int) -> Iterator[tuple[str, str]]:
    """The contents of a corpus of trees."""
    faults: list[tuple[str, str]] = []

    def told(place: str, fault: Fault) -> None:
        faults.append((FAULT, f"{place}: {fault.problem}"))

    scratch.run(statement("counting/check/begin"))
    handler, tokens = FaultHandler(skip=True, told=told), 0
    with closing(chunks_as_tokens(scratch, Settings(), source, handler=handler, longest=longest)) as chunks:
        for _, found in chunks:
            tokens += found
            scratch.run(statement("counting/check/count"))
            scratch.run_whole(statement("counting/check/depth"))
    yield from ((str(row[0]), str(row[1])) for row in scratch.rows(statement("counting/check/report")))
    if not tokens and not faults:
        faults.append((FAULT, f"{source.place}: no valid sentence{left_out(handler)}"))
    yield from faults


def counts(scratch: Database, source: Source) -> Iterator[tuple[str, str]]:
    """The contents of a corpus of counts. Raises CorpusError for the first fault."""
    settings = Settings(order=MAX_ORDER)
    schema.create(scratch, settings)
    add_counts(scratch, settings, source, name=None, again=True)
    yield from ((str(row[0]), str(row[1])) for row in scratch.rows(statement("store/sizes"))[2:])
