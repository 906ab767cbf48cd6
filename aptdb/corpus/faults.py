"""What to do with invalid sentences: refuse the first, or leave them out, count them and write them to a file."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO, NamedTuple

from aptdb.corpus.sources import BOM, Chunk, Source
from aptdb.errors import CorpusError
from aptdb.store.scratch import room_for_scratch

CARRIAGE_RETURN = 0x0D
NO_TEXT = (0x00, 0x01)  # never in text; SQL reads lines with the second as a separator that never occurs
LONGEST_LINE_BYTES = 8 << 20  # the same as in chunk_line.sql


CIRCLE = 4  # its rank in fault.sql


class Fault(NamedTuple):
    """What is wrong with a line of a chunk, counted from 0. rank: 1, or more if it may follow from another fault."""

    line: int
    kind: str
    problem: str
    rank: int


@dataclass
class FaultHandler:
    """Handles faults: raises the first or, with `skip`, leaves out the sentences that have one.

    rejects: a file for the sentences that are left out, with the reasons. told: called with the place and each fault.
    After reading, `skipped` says how many sentences were left out, by the kind of their first fault.
    """

    skip: bool = False
    rejects: BinaryIO | None = None
    told: Callable[[str, Fault], None] = lambda place, fault: None
    skipped: Counter[str] = field(default_factory=Counter)

    def without(self, source: Source, chunk: Chunk, faults: Sequence[Fault]) -> Chunk:
        """The chunk with blank lines in place of invalid sentences. Raises CorpusError if they must not be skipped."""
        lines = chunk.content.split(b"\n")
        found = by_sentence(lines, faults)
        if not self.skip:
            first_fault = found[0][2][0]
            raise CorpusError(f"{source.where(chunk, first_fault.line)}: {first_fault.problem}")
        for first, last, own in found:
            for fault in own:
                self.told(source.where(chunk, fault.line), fault)
            self.skipped[own[0].kind] += 1
            if self.rejects:
                reasons = [f"# {source.where(chunk, fault.line)}: {fault.problem}".encode() for fault in own]
                with room_for_scratch():
                    self.rejects.write(b"\n".join([*reasons, *lines[first : last + 1], b"", b""]))
            lines[first : last + 1] = [b""] * (last + 1 - first)
        return replace(chunk, content=b"\n".join(lines))


def blanked(chunk: Chunk, faults: Sequence[Fault]) -> Chunk:
    """The chunk with blank lines in place of invalid sentences."""
    lines = chunk.content.split(b"\n")
    for first, last, _ in by_sentence(lines, faults):
        lines[first : last + 1] = [b""] * (last + 1 - first)
    return replace(chunk, content=b"\n".join(lines))


def by_sentence(lines: list[bytes], faults: Iterable[Fault]) -> list[tuple[int, int, list[Fault]]]:
    """The invalid sentences, by first and last line, with the faults that do not just follow from another fault."""
    found: dict[tuple[int, int], list[Fault]] = {}
    for fault in faults:
        first = last = fault.line
        while first > 0 and lines[first - 1]:
            first -= 1
        while last + 1 < len(lines) and lines[last + 1]:
            last += 1
        found.setdefault((first, last), []).append(fault)
    return [(first, last, leading(own)) for (first, last), own in sorted(found.items())]


def leading(faults: list[Fault]) -> list[Fault]:
    """The faults of the lines themselves, in order; if there are none the others, and circles only if nothing else."""
    own = [fault for fault in faults if fault.rank <= 1] or [fault for fault in faults if fault.rank < CIRCLE] or faults
    return sorted(own, key=lambda fault: fault.line)


def text_faults(chunk: Chunk) -> list[Fault]:
    """The lines of a chunk that are not text, so that SQL cannot read them; at most one fault for each line."""
    if is_text(chunk.content):
        return []
    found = ((number, line_fault(line)) for number, line in enumerate(chunk.content.split(b"\n")))
    return [Fault(number, *problem, 0) for number, problem in found if problem]


def is_text(content: bytes) -> bool:
    """Whether a chunk is UTF-8 without forbidden control characters, in lines that are short enough."""
    if any(code in content for code in (*NO_TEXT, CARRIAGE_RETURN)) or has_long_line(content):
        return False
    if content.startswith(BOM) or b"\n" + BOM in content:  # DuckDB would skip it at the beginning of a chunk
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def has_long_line(content: bytes) -> bool:
    """Whether a line is too long. Such a line covers one of the places that are half of this length apart."""
    places = range(0, len(content), LONGEST_LINE_BYTES // 2)
    ends = ((content.rfind(b"\n", 0, place), content.find(b"\n", place)) for place in places)
    return any((len(content) if end < 0 else end) - begin > LONGEST_LINE_BYTES for begin, end in ends)


def line_fault(line: bytes) -> tuple[str, str] | None:
    """Why a line is not text: the kind of fault, and the message; None if it is text."""
    for code in NO_TEXT:
        if code in line:
            return "control character", f"a control character (U+{code:04X}); this is not a text file"
    if CARRIAGE_RETURN in line:
        return "control character", "a carriage return inside the line; lines end with \\n or \\r\\n"
    if line.startswith(BOM):
        return "byte order mark", "a byte order mark inside the file, e.g. between joined files; delete it"
    if len(line) >= LONGEST_LINE_BYTES:
        return "length", f"a line of {len(line) >> 20} MB; a line has at most {LONGEST_LINE_BYTES >> 20} MB"
    try:
        line.decode()
    except UnicodeDecodeError as error:
        byte = line[error.start]
        return "encoding", f"not UTF-8 (byte 0x{byte:02X}); save the file as UTF-8, if it is text"
    return None
