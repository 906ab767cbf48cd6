"""All errors, as one tree. A message is one line: what is wrong, where, and what to do.

AptError
├── LexiconError     the file: missing, not a lexicon, of another version, in use, not writable
├── SettingsError    settings that are impossible, or differ from those of the lexicon
├── CorpusError      a fault in a corpus, as file:line, or a corpus that was added before
├── DataSetError     a fault in a data set of human judgements, as file:line
├── PhraseError      a phrase that cannot be read
└── QuestionError    a question: an unknown lexeme, a wrong parameter, SQL that does not run

Warnings are grouped by what to do about them, to be filtered by `warnings.filterwarnings`.

AptWarning                     nothing is to be done, e.g. aptdb waits
├── StaleDataWarning           older than the lexicon: refresh it
├── IncompleteDataWarning      little, lacking or not comparable: complete it, or mind it
├── NoMatchWarning             what was given matches nothing: correct it
├── InterpretationWarning      read otherwise than it stands: look whether it is what you meant
└── OldNameWarning             an old name: write the new one
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from errno import ENAMETOOLONG
from os import PathLike, fspath, lstat
from pathlib import Path

from aptdb.core.one_line import on_one_line, shorten_message


class AptError(Exception):
    """Anything that aptdb refuses or cannot do. Its text is one line for people."""

    exit_status = 1  # of a command that ends by it

    def __str__(self) -> str:
        """Return the text, without the middle of long values; what no line can show is written as Python escapes it."""
        return on_one_line(shorten_message(BaseException.__str__(self)))

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows: one sentence. A notebook has folded away where it came from."""
        from aptdb.core.display import render_error

        return render_error(self)


class LexiconError(AptError):
    """The file of the lexicon cannot be used in this way."""


class InUseError(LexiconError):
    """Another process, or another thread, has opened the lexicon for writing."""


class ClusterError(LexiconError):
    """Spark was lost, or nothing went on there. To do the same again may succeed."""

    exit_status = 4


class SettingsError(AptError):
    """Settings that are impossible, or that differ from those of the lexicon."""


class CorpusError(AptError):
    """A corpus that cannot be added. If a line is wrong, the message begins with file:line."""


class DataSetError(AptError):
    """A data set of human judgements that cannot be read. If a line is wrong, the message begins with file:line."""


class PhraseError(AptError):
    """Text that is not a phrase."""


class NoRoomError(LexiconError):
    """The disk is full; the message names the file, or the folder of temporary files."""


class QuestionError(AptError):
    """A question that cannot be answered."""


class ManySubcorporaError(QuestionError):
    """More subcorpora would be made than the caller allows."""


class NoSuchRowError(QuestionError, IndexError):
    """The answer has no row with this number."""


class NoSuchLexemeError(QuestionError, KeyError):
    """The lexicon has no such lexeme; the message suggests similar ones."""


class UnknownNameError(QuestionError):
    """SQL with an unknown name, or SQL that DuckDB cannot parse."""


class AptWarning(UserWarning):
    """Base of all warnings; commands show them as notes on stderr. A warning of none of the kinds below is one itself.

    Such a warning asks for nothing: aptdb waits for a lexicon that another process has open, its own macros and views
    were put back in place of others, or the counts of a lexicon are read where they were moved to.
    """


class StaleDataWarning(AptWarning):
    """Weights, entries, a space, senses or subcorpora are older than the lexicon. What to do: the command is named.

    Entries and spaces are used as they were; weights and senses are computed for this question, which takes longer;
    periods whose subcorpora are stale are compared with nothing.
    """


class IncompleteDataWarning(AptWarning):
    """What is counted, answered or written rests on little, lacks something, or is not comparable.

    Of text that is added: files and columns that are not read; words without lemma or part of speech, or spelt in two
    ways of Unicode; documents without sentences, and those that only the corpus or only its table has; metadata that
    all other corpora have. Of an answer: it is empty; sentences, senses or periods are left out; part of the text came
    as counts; there is little text; or another lexicon was counted or annotated otherwise. Of what is written or drawn:
    it lacks pictures, colours, letters, pages or tables, or an evaluation is not stored. What to do: complete the text,
    or ask for more (lower limits); else mind it when you read the numbers.
    """


class NoMatchWarning(AptWarning):
    """Something that was given matches nothing, so that it has no effect or finds nothing.

    It is a setting, an option or metadata of an addition, a list of words, a relation or a word of a question, or a
    value in a pattern or a condition; also settings that leave out all words. What to do: correct it; where known, the
    warning names what there is.
    """


class InterpretationWarning(AptWarning):
    """Something was read, or written to a file, in another way than as it stands; the warning shows how.

    Typed words were read as a phrase, capitals as small letters, values as text; a name or a column was chosen or kept
    that was not given; or names have _ where a file format cannot hold them. What to do: if it was not meant so, write
    it as the warning shows.
    """


class OldNameWarning(AptWarning):
    """A public name that has a newer one was used. It will be an error. What to do: write the new name."""


# What a block hears instead of its caller. Python's own way to record warnings is one for all threads.
_heard: ContextVar[dict[str, type[Warning]] | None] = ContextVar("heard", default=None)


@contextmanager
def warnings_heard() -> Iterator[dict[str, type[Warning]]]:
    """Yield the messages of `warn` in this thread within the block: each message once, with its category."""
    found: dict[str, type[Warning]] = {}
    before = _heard.set(found)
    try:
        yield found
    finally:
        _heard.reset(before)


def refuse_no_bool(**given: object) -> None:
    """Raise QuestionError for a value that should say yes or no and is something else, such as the text 'no'."""
    for name, value in given.items():
        if not isinstance(value, bool):
            raise QuestionError(f"{name} is {value!r:.60}; expected True or False")


def refuse_no_file_name(name: str, value: object, error: type[AptError] = LexiconError) -> None:
    """Raise an error for a value that cannot be the name of a file. name: that of the parameter."""
    if not isinstance(value, str | PathLike) or not isinstance(fspath(value), str):
        raise error(f"{name} is {value!r:.60}; expected the name of a file")
    try:
        lstat(value)
    except ValueError as refused:
        raise error(f"{str(value)!r:.60} cannot be the name of a file") from refused
    except OSError as refused:
        if refused.errno == ENAMETOOLONG:
            raise error(f"{value!s:.60}… cannot be the name of a file; it is too long") from refused


def warn(message: str, category: type[Warning]) -> None:
    """Issue a warning at the line of the user's code, not at one of this package."""
    if (heard := _heard.get()) is not None:
        heard.setdefault(message, category)
        return
    package, level, frame = str(Path(__file__).parents[1]), 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
