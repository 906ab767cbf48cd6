"""What a task refuses, as text that comes through every engine, which may pass on nothing but text."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from aptdb import errors
from aptdb.errors import AptError, CorpusError

MARK = "aptdb refuses: "
MARKED = re.compile(re.escape(MARK) + r"(\{.*?\})(?=\s*$|\s*\\n|\s*\n)", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """A line of a piece of a file, counted from 0."""

    file: str
    piece: int
    line: int


@dataclass(frozen=True)
class Refusal:
    """An error of ours. kind: the name of its class. place: the line that is wrong, where the message names none."""

    kind: str
    message: str
    place: Place | None = None

    def error(self, message: str) -> AptError:
        """The error again, with a message."""
        kind = getattr(errors, self.kind, CorpusError)
        return kind(message) if isinstance(kind, type) and issubclass(kind, AptError) else CorpusError(message)


class InvalidSentenceError(CorpusError):
    """A sentence that must not be left out."""

    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(problem)
        self.place = place


class TaskRefusedError(Exception):
    """What carries an error of ours out of a task."""


@contextmanager
def carried() -> Iterator[None]:
    """Let errors of ours leave a task as text."""
    try:
        yield
    except AptError as error:
        place = error.place if isinstance(error, InvalidSentenceError) else None
        kind = CorpusError.__name__ if place else type(error).__name__
        raise TaskRefusedError(MARK + json.dumps(asdict(Refusal(kind, str(error), place)))) from error


def refusal_in(text: str) -> Refusal | None:
    """The first refusal in what an engine says of a task that failed; None if it failed otherwise."""
    for found in MARKED.findall(text):
        try:
            said = json.loads(found)
            return Refusal(said["kind"], said["message"], said["place"] and Place(**said["place"]))
        except (KeyError, TypeError, ValueError):
            continue
    return None
