"""Handling of invalid sentences: refuse the first, or skip, count and write them to a file."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn, Protocol

from aptdb.core.display import how_many
from aptdb.core.errors import CorpusError
from aptdb.corpus.parsed import DOCUMENT_COMMENTS
from aptdb.corpus.sources import Chunk
from aptdb.corpus.tabular import BOM
from aptdb.store.temporary_folders import room_for_scratch

if TYPE_CHECKING:
    import numpy as np

CARRIAGE_RETURN = 0x0D
NO_TEXT = (0x00, 0x01)  # never in text; SQL reads lines with the second as a separator that never occurs
LONGEST_LINE_BYTES = 8 << 20  # the same as in chunk_line.sql
NEWLINE = 0x0A
OF_DOCUMENT = re.compile(rf"#\s*({DOCUMENT_COMMENTS})".encode())
SEARCHED_BYTES = 1 << 20  # at once, so that it needs little memory
DECODED_BYTES = 16 << 10  # at once: an error copies the whole text that was to be decoded

CIRCLE = 4  # its rank in fault.sql


class Fault(NamedTuple):
    """A fault in a line of a chunk, counted from 0. rank: 1, or more if it may follow from another fault."""

    line: int
    kind: str
    problem: str
    rank: int


class Invalid(NamedTuple):
    """A sentence of a chunk by its first and last line, counted from 0, and its faults."""

    first: int
    last: int
    faults: list[Fault]


class Places(Protocol):
    """An object that knows the position of a chunk, e.g. the source that it was read from."""

    def where(self, chunk: Chunk, line: int) -> str:
        """Return the position of a line of a chunk (from 0) for messages."""


@dataclass
class FaultHandler:
    """Raises the first fault or, with `skip`, leaves out invalid sentences.

    rejects: a file for the skipped sentences, with the reasons. report: called with the place and each fault. mend: the
    end of the message of the first fault. After reading, `skipped` has the number of skipped sentences, by the kind of
    their first fault.
    """

    skip: bool = False
    rejects: BinaryIO | None = None
    report: Callable[[str, Fault], None] = lambda place, fault: None
    mend: str = ""
    skipped: Counter[str] = field(default_factory=Counter)

    def refuse(self, source: Places, chunk: Chunk, fault: Fault, mend: str = "") -> NoReturn:
        """Raise CorpusError for a fault. mend: the end of the message."""
        raise CorpusError(f"{source.where(chunk, fault.line)}: {fault.problem}{mend}")

    def leave_out(self, source: Places, chunk: Chunk, invalid: Sequence[Invalid], declaration: bytes = b"") -> None:
        """Count, report and write down the invalid sentences. Raise CorpusError if they must not be skipped.

        declaration: the comment that declares the columns of their lines, if there is one.
        """
        ordered = sorted(invalid, key=lambda sentence: sentence.first)
        if not self.skip:
            self.refuse(source, chunk, sort_faults(ordered[0].faults)[0], self.mend)
        content_of = make_sentence_reader(chunk.content, declaration) if self.keeps_rejects() else None
        for sentence in ordered:
            own = sort_faults(sentence.faults)
            self.skipped[own[0].kind] += 1
            self.set_aside(source, chunk, own, content_of(sentence) if content_of else b"")

    def keeps_rejects(self) -> bool:
        """Return whether the text of skipped sentences is kept."""
        return self.rejects is not None

    def set_aside(self, source: Places, chunk: Chunk, faults: Sequence[Fault], content: bytes) -> None:
        """Report the faults of a skipped sentence, and write it down. content: its lines, if they are kept."""
        located = [(source.where(chunk, fault.line), fault) for fault in faults]
        for place, fault in located:
            self.report(place, fault)
        if self.rejects is not None:
            with room_for_scratch():
                self.rejects.write(write_rejected(located, content))


def make_sentence_reader(content: bytes, declaration: bytes) -> Callable[[Invalid], bytes]:
    """Return a function that gives the lines of a sentence, with the declaration, without the end of the last."""
    ends = line_ends(content)

    def lines(sentence: Invalid) -> bytes:
        own = content[int(ends[sentence.first - 1]) + 1 if sentence.first else 0 : int(ends[sentence.last])]
        return own if own.startswith(declaration) else declaration + own

    return lines


def write_rejected(located: Sequence[tuple[str, Fault]], content: bytes) -> bytes:
    """Return a sentence as it is written to a file of rejects: first its faults and their places."""
    reasons = [f"# {place}: {fault.problem}".encode() for place, fault in located]
    return b"\n".join([*reasons, content, b"", b""])


def sort_faults(faults: list[Fault]) -> list[Fault]:
    """Return the faults of lines in order.

    Without such faults return the others, and circles only if there are no others.
    """
    own = [fault for fault in faults if fault.rank <= 1] or [fault for fault in faults if fault.rank < CIRCLE] or faults
    return sorted(own, key=lambda fault: fault.line)


def line_ends(content: bytes) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    """Return the end of each line of a text."""
    import numpy as np

    codes = np.frombuffer(content, np.uint8)
    starts = range(0, len(codes), SEARCHED_BYTES)
    return np.concatenate(
        [start + np.flatnonzero(codes[start : start + SEARCHED_BYTES] == NEWLINE) for start in starts]
    )


def pick_lines(content: bytes, numbers: Sequence[int]) -> Iterator[memoryview]:
    """Yield lines of a text by their numbers from 0, each with its end."""
    ends, whole = line_ends(content), memoryview(content)
    for number in numbers:
        yield whole[int(ends[number - 1]) + 1 if number else 0 : int(ends[number]) + 1]


def blank_invalid_sentences(content: bytes, invalid: Sequence[Invalid]) -> Iterator[bytes | memoryview]:
    """Yield the pieces of a text, with blank lines in place of invalid sentences.

    Comments that begin a document, or give its metadata, hold for the sentences that follow, and stay.
    """
    if not invalid:
        yield content
        return
    ends, whole, done = line_ends(content), memoryview(content), 0
    for sentence in invalid:
        begin = int(ends[sentence.first - 1]) + 1 if sentence.first else 0
        yield whole[done:begin]
        done = int(ends[sentence.last])
        yield b"\n".join(
            line if OF_DOCUMENT.match(line) and line_fault(line) is None else b""
            for line in content[begin:done].split(b"\n")
        )
    yield whole[done:]


def find_unreadable(content: bytes) -> list[Invalid]:
    """Yield the sentences with lines that are not text, in order, with a fault for each such line.

    content: whole lines. Only invalid content is examined line by line.
    """
    if is_valid_text(content):
        return []
    found: list[Invalid] = []
    line, counted, end = 0, 0, -1
    for begin in sorted({*chain(places_of_codes(content), places_of_length(content), places_of_encoding(content))}):
        line, counted = line + content.count(b"\n", counted, begin), begin
        if begin > end:
            before = content.rfind(b"\n\n", 0, begin)
            first = before + 2 if before >= 0 else int(content.startswith(b"\n"))
            end = content.find(b"\n\n", begin)
            end = len(content) - 1 if end < 0 else end
            last = line + content.count(b"\n", begin, end)
            found.append(Invalid(line - content.count(b"\n", first, begin), last, []))
        problem = line_fault(content[begin : content.find(b"\n", begin)])
        if problem:
            found[-1].faults.append(Fault(line, *problem, 0))
    return found


def places_of_codes(content: bytes) -> Iterator[int]:
    """Yield the beginnings of lines with control characters or a byte order mark."""
    for code in (*NO_TEXT, CARRIAGE_RETURN):
        place = content.find(code)
        while place >= 0:
            yield content.rfind(b"\n", 0, place) + 1
            place = content.find(code, content.find(b"\n", place))
    if content.startswith(BOM):
        yield 0
    place = content.find(b"\n" + BOM)
    while place >= 0:
        yield place + 1
        place = content.find(b"\n" + BOM, place + 1)


def places_of_encoding(content: bytes) -> Iterator[int]:
    """Yield the beginnings of lines that are not UTF-8."""
    begin = 0
    while begin < len(content):
        cut = content.rfind(b"\n", begin, begin + DECODED_BYTES)
        end = (cut if cut >= 0 else content.find(b"\n", begin)) + 1 or len(content)
        try:
            content[begin:end].decode()
            begin = end
        except UnicodeDecodeError as error:
            yield content.rfind(b"\n", 0, begin + error.start) + 1
            begin = content.find(b"\n", begin + error.start) + 1 or len(content)


def places_of_length(content: bytes) -> Iterator[int]:
    """Yield the beginnings of lines that are too long.

    Such a line covers at least one of the positions that are half the maximum length apart.
    """
    for place in range(0, len(content), LONGEST_LINE_BYTES // 2):
        begin, end = content.rfind(b"\n", 0, place), content.find(b"\n", place)
        if end - begin > LONGEST_LINE_BYTES:
            yield begin + 1


def is_valid_text(content: bytes) -> bool:
    """Return whether a text is UTF-8 without forbidden control characters, in lines that are short enough."""
    if any(code in content for code in (*NO_TEXT, CARRIAGE_RETURN)) or next(places_of_length(content), -1) >= 0:
        return False
    if content.startswith(BOM) or b"\n" + BOM in content:  # DuckDB would skip it at the beginning of a chunk
        return False
    return next(places_of_encoding(content), -1) < 0


def line_fault(line: bytes) -> tuple[str, str] | None:
    """Return the kind and message of the fault in a line; None if the line is text."""
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


def count_skipped(skipped: Mapping[str, int]) -> str | None:
    """Return the number of invalid sentences that were left out, by kind of fault, in words; None if there are none."""
    if not skipped:
        return None
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in sorted(skipped.items()))
    return f"skipped {how_many(sum(skipped.values()), 'invalid sentence')} ({kinds})"
