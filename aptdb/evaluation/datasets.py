"""Data sets of human judgements: pairs of words or phrases, each with the ratings that people gave it."""

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aptdb.errors import DataSetError
from aptdb.evaluation.columns import rows_of
from aptdb.evaluation.dataset_formats import FORMATS, PHRASES, WITH_LANDMARK, Judged, Rating, recognised
from aptdb.phrase import Phrase


@dataclass(frozen=True)
class Item:
    """Two words or phrases that people compared, and their ratings.

    The lexemes are the words of the data set with the tags of Universal Dependencies, e.g. knowledge/NOUN. If the data
    set does not tell a word's part of speech, its lexeme ends with the slash. Relations are also those of Universal
    Dependencies.
    """

    part: str
    a: Phrase
    b: Phrase
    ratings: tuple[Rating, ...]


@dataclass(frozen=True)
class DataSet:
    """A data set: its name, its format, and its items in order.

    sha256: the digest of its file's bytes, or of its items if it was not read from a file.
    """

    name: str
    format: str
    items: tuple[Item, ...]
    sha256: str = ""
    landmark_in_context: bool = False

    def __post_init__(self) -> None:
        if not self.sha256:
            object.__setattr__(self, "sha256", hashlib.sha256(repr(self.items).encode()).hexdigest())

    @property
    def form(self) -> str:
        """The old name of format."""
        return self.format

    def parts(self) -> list[str]:
        """The parts that its items belong to; for Mitchell & Lapata 2010 in the paper's order."""
        parts = dict.fromkeys(item.part for item in self.items)
        return [*(part for part in PHRASES if part in parts), *(part for part in parts if part not in PHRASES)]

    def has_phrases(self) -> bool:
        """Whether anything is composed."""
        return any(side.dependents for item in self.items for side in (item.a, item.b))

    def has_untagged(self) -> bool:
        """Whether it does not tell the part of speech of some word."""
        return any(side.lexeme.endswith("/") for item in self.items for side in (item.a, item.b))

    def has_participants(self) -> bool:
        """Whether it tells who gave each rating."""
        return all(who is not None for item in self.items for who, _ in item.ratings)


def read_dataset(
    source: str | Path,
    *,
    format: str | None = None,
    name: str | None = None,
    landmark_in_context: bool = False,
    form: str | None = None,
) -> DataSet:
    """Read a data set; `-` is standard input.

    format: one of FORMATS; if it is None, it is recognised by the header or by the columns. form is its old name.
    landmark_in_context: compare a landmark as a phrase, with the other words of its verb. Raises DataSetError, as
    file:line if a line is wrong.
    """
    format = format or form
    if format is not None and format not in FORMATS:
        raise DataSetError(f"format is {format!r}; it is {', '.join(FORMATS)}")
    content = bytes_of(source)
    called = name or ("stdin" if str(source) == "-" else Path(source).name)
    rows = rows_of(called, content)
    chosen = format or recognised(called, rows)
    if landmark_in_context and chosen not in WITH_LANDMARK:
        raise DataSetError(f"{called} has no landmarks, its format is {chosen}; leave out landmark_in_context")
    judged = FORMATS[chosen](called, rows, landmark_in_context)
    return DataSet(called, chosen, tuple(gathered(judged)), hashlib.sha256(content).hexdigest(), landmark_in_context)


def bytes_of(source: str | Path) -> bytes:
    """The content of a file, or of standard input. Raises DataSetError."""
    if "\0" in str(source):
        raise DataSetError(f"{str(source)!r} cannot be the name of a file")
    try:
        return sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes()
    except OSError as error:
        raise DataSetError(f"{source} cannot be read: {error.strerror}") from error


def gathered(judged: Iterator[Judged]) -> Iterator[Item]:
    """One item for all ratings of the same pair in the same part."""
    found: dict[tuple[str, Phrase, Phrase], list[Rating]] = {}
    for part, a, b, rating in judged:
        found.setdefault((part, a, b), []).append(rating)
    return (Item(*key, tuple(ratings)) for key, ratings in found.items())
