"""Data sets of human judgements: pairs of words or phrases, each with the ratings that people gave it."""

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aptdb.errors import DataSetError
from aptdb.evaluation.columns import rows_of
from aptdb.evaluation.dataset_formats import FORMS, PHRASES, WITH_LANDMARK, Judged, Rating, recognised
from aptdb.phrase import Phrase


@dataclass(frozen=True)
class Item:
    """Two words or phrases that people compared, and their ratings.

    The lexemes are the data set's words with Universal Dependencies' tags, as knowledge/NOUN; a word whose part of
    speech is not told ends with the slash. Relations are Universal Dependencies' too.
    """

    part: str
    a: Phrase
    b: Phrase
    ratings: tuple[Rating, ...]


@dataclass(frozen=True)
class DataSet:
    """A data set of a name and a form, with its items in their order.

    sha256: that of its file's bytes; of one that was made otherwise, that of its items.
    """

    name: str
    form: str
    items: tuple[Item, ...]
    sha256: str = ""
    landmark_in_context: bool = False

    def __post_init__(self) -> None:
        if not self.sha256:
            object.__setattr__(self, "sha256", hashlib.sha256(repr(self.items).encode()).hexdigest())

    def parts(self) -> list[str]:
        """The parts that its items are of; those of Mitchell & Lapata 2010 in the paper's order."""
        parts = dict.fromkeys(item.part for item in self.items)
        return [*(part for part in PHRASES if part in parts), *(part for part in parts if part not in PHRASES)]

    def has_phrases(self) -> bool:
        """Whether anything is composed."""
        return any(side.dependents for item in self.items for side in (item.a, item.b))

    def has_untagged(self) -> bool:
        """Whether the part of speech of some word is not told."""
        return any(side.lexeme.endswith("/") for item in self.items for side in (item.a, item.b))

    def has_participants(self) -> bool:
        """Whether it is told who gave each rating."""
        return all(who is not None for item in self.items for who, _ in item.ratings)


def read_dataset(
    source: str | Path, *, form: str | None = None, name: str | None = None, landmark_in_context: bool = False
) -> DataSet:
    """Read a data set; `-` is standard input.

    form: one of FORMS; None: it is recognised by its header, or by its columns. landmark_in_context: a landmark is
    compared as a phrase, with the other words of its verb. Raises DataSetError, as file:line where a line is at fault.
    """
    if form is not None and form not in FORMS:
        raise DataSetError(f"form is {form!r}; it is {', '.join(FORMS)}")
    content = bytes_of(source)
    called = name or ("stdin" if str(source) == "-" else Path(source).name)
    rows = rows_of(called, content)
    chosen = form or recognised(called, rows)
    if landmark_in_context and chosen not in WITH_LANDMARK:
        raise DataSetError(f"{called} has no landmarks, it is of the form {chosen}; leave out landmark_in_context")
    judged = FORMS[chosen](called, rows, landmark_in_context)
    return DataSet(called, chosen, tuple(gathered(judged)), hashlib.sha256(content).hexdigest(), landmark_in_context)


def bytes_of(source: str | Path) -> bytes:
    """The content of a file, or of standard input. Raises DataSetError."""
    try:
        return sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes()
    except OSError as error:
        raise DataSetError(f"{source} cannot be read: {error.strerror}") from error


def gathered(judged: Iterator[Judged]) -> Iterator[Item]:
    """Ratings of the same two, in the same part, as one item."""
    found: dict[tuple[str, Phrase, Phrase], list[Rating]] = {}
    for part, a, b, rating in judged:
        found.setdefault((part, a, b), []).append(rating)
    return (Item(*key, tuple(ratings)) for key, ratings in found.items())
