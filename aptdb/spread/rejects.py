"""Invalid sentences that tasks leave out, and the file that they are written to, in the order of the corpus."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from aptdb.corpus.faults import Fault, FaultHandler, Invalid, leading, rejected, sentences_of
from aptdb.corpus.sources import Chunk
from aptdb.errors import CorpusError
from aptdb.spread.refusals import InvalidSentenceError, Place

BYTES = "latin-1"  # any bytes as text, for JSON: they need not be UTF-8


class Placed(Protocol):
    """What knows where the lines of a chunk stand."""

    def place_of(self, line: int) -> Place:
        """Where a line of the text stands in its file."""

    def where(self, chunk: Chunk, line: int) -> str:
        """How messages name a line."""


class Faults(FaultHandler):
    """Leaves out invalid sentences, or raises InvalidSentenceError. said: these in JSON, if they are kept."""

    def __init__(self, skip: bool, *, keep_rejects: bool = False) -> None:
        super().__init__(skip)
        self.said: list[str] = []
        self._keep = keep_rejects

    def leave_out(self, source: Placed, chunk: Chunk, invalid: Sequence[Invalid]) -> None:  # type: ignore[override]
        """Count and keep the invalid sentences. Raises InvalidSentenceError if they must not be skipped."""
        ordered = sorted(invalid, key=lambda sentence: sentence.first)
        if not self.skip:
            first = leading(ordered[0].faults)[0]
            raise InvalidSentenceError(source.place_of(first.line), first.problem)
        content_of = sentences_of(chunk.content) if self._keep else None
        for sentence in ordered:
            own = leading(sentence.faults)
            self.skipped[own[0].kind] += 1
            if content_of:
                self.said.append(as_said([(source.place_of(fault.line), fault) for fault in own], content_of(sentence)))


def as_said(faults: Sequence[tuple[Place, Fault]], content: bytes) -> str:
    """An invalid sentence in JSON: where it is and what is wrong with it, and its text."""
    first = faults[0][0]
    problems = [[place.line, fault.kind, fault.problem] for place, fault in faults]
    return json.dumps(
        {"rejected": [first.file, first.piece, first.line], "faults": problems, "content": content.decode(BYTES)}
    )


def write_rejects(
    file: Path, said: Iterable[dict[str, Any]], files: Sequence[str], where: Callable[[Place], str]
) -> None:
    """Write the sentences that were left out to a file, with the reasons; none is made where there are none.

    files: the corpus, in order. Raises CorpusError.
    """
    number = {name: place for place, name in enumerate(files)}
    ordered = sorted(said, key=lambda each: (number[each["rejected"][0]], *each["rejected"][1:]))
    if not ordered:
        return
    try:
        with file.open("ab") as out:
            for each in ordered:
                name, piece, _ = each["rejected"]
                faults = [
                    (where(Place(name, piece, line)), Fault(line, kind, problem, 1))
                    for line, kind, problem in each["faults"]
                ]
                out.write(rejected(faults, str(each["content"]).encode(BYTES)))
    except OSError as error:
        raise CorpusError(f"the folder is made, but {file} cannot be written: {error.strerror}") from error
