"""All errors, as one tree. A message is one line: what is wrong, where, and what to do.

AptError
├── LexiconError     the file: missing, not a lexicon, of another version, in use, not writable
├── SettingsError    settings that are impossible, or differ from those of the lexicon
├── CorpusError      a fault in a corpus, as file:line, or a corpus that was added before
├── DataSetError     a fault in a data set of human judgements, as file:line
├── PhraseError      a phrase that cannot be read
└── QuestionError    a question: an unknown lexeme, a wrong parameter, SQL that does not run
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
    """Base of all warnings; commands show them as notes on stderr."""


class StaleWeighting(AptWarning):
    """Kept weights are older than the last addition, so they were computed again: the answer is right, but slower."""


class StaleEntry(AptWarning):
    """An entry in the question was composed before the lexicon grew."""


class StaleSpace(AptWarning):
    """The reduced space of a question was made before the lexicon changed, and is used as it was."""


class StaleSenses(AptWarning):
    """Senses were found before the lexicon or their space changed."""


class RoughSenses(AptWarning):
    """Some occurrences have no sense, or there are too few for as many groups as were asked for."""


class SmallSpace(AptWarning):
    """A reduced space was made of little text."""


class NotRecorded(AptWarning):
    """The results of an evaluation could not be stored in the lexicon; the answer itself is right."""


class UnknownRelation(AptWarning):
    """The phrases of a data set have a relation that the lexicon never counts."""


class UnusedSetting(AptWarning):
    """A setting, or an option of an addition, names something that does not occur in the text."""


class UnknownDocument(AptWarning):
    """A document has no sentence in the corpus, or one that is in it is not in the table of metadata."""


class AllLeftOut(AptWarning):
    """An answer is empty; the warning names the limits that left out all, if there are any."""


class SmallPeriods(AptWarning):
    """Periods of a trend have few tokens."""


class OtherMetadata(AptWarning):
    """A corpus lacks metadata that all others have, keeps comments because others do, or metadata got another name."""


class OtherSettings(AptWarning):
    """Another lexicon that this one is compared with was counted with other settings, or is annotated differently."""


class NoSuchText(AptWarning):
    """A SELECT, the condition of a subcorpus or a pattern compares with a value that nothing has."""


class BroughtBack(AptWarning):
    """Macros or views of the lexicon differed from aptdb's, and were replaced by aptdb's."""


class MovedCounts(AptWarning):
    """The folder with the counts of a lexicon has moved; the lexicon now refers to the new place."""


class WithoutPictures(AptWarning):
    """A report has no pictures, because matplotlib is not installed."""


class Waiting(AptWarning):
    """Another process has the lexicon open, and the call waits for it."""


class SpeltTwice(AptWarning):
    """A corpus has words that look the same and are written with different characters of Unicode."""


class UnreadFiles(AptWarning):
    """A folder of corpora has files that are not read: other kinds of files, or those that are not to be released."""


class WithoutLemmas(AptWarning):
    """Many words of a corpus have no lemma, and lexemes are made of lemmas."""


class UnreadColumns(AptWarning):
    """A corpus declares columns that are not read, or none for something that words have."""


class WithoutTags(AptWarning):
    """Many words of a corpus have no part of speech, and lexemes are made with it."""


class WithoutTrees(AptWarning):
    """Part of the evidence was added as counts, so there are no sentences for it."""


class ReadAs(AptWarning):
    """A question was typed as plain words; the warning shows the phrase they were read as, and alternatives."""


class OldName(AptWarning):
    """A public name that has a newer one was used. It will be an error; the warning names the new one."""


class Renamed(AptWarning):
    """Some names in a written file differ from the lexicon's, because the file format cannot hold them."""


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
