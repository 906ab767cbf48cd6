"""What can go wrong, as one tree. A message is one line: what is wrong, where, and what mends it.

AptError
├── LexiconError     the file: missing, no lexicon, of another version, in use, not to be written
├── SettingsError    settings at creation: out of range, or not those of the lexicon
├── CorpusError      what a corpus holds, as file:line, or a corpus that is in already
├── DataSetError     what a data set of human judgements holds, as file:line
├── PhraseError      a phrase that cannot be read
└── QuestionError    a question: an unknown lexeme, a parameter that is refused, SQL that does not run
"""

import sys
import warnings
from pathlib import Path


class AptError(Exception):
    """Anything that aptdb refuses or cannot do; its text is one line for a person."""


class LexiconError(AptError):
    """The lexicon's file cannot be used as asked."""


class InUseError(LexiconError):
    """Another process has the lexicon's file open in a way that keeps this one out."""


class SettingsError(AptError):
    """Settings that are impossible, or that contradict the lexicon's own."""


class CorpusError(AptError):
    """A corpus that cannot be added; where a line is at fault the message begins with file:line."""


class DataSetError(AptError):
    """A data set of human judgements that cannot be read; at a line that is at fault, as file:line."""


class PhraseError(AptError):
    """A phrase that is not written as one."""


class NoRoomError(LexiconError):
    """What is to be written has no room; the message names the file, or the place of temporary files."""


class QuestionError(AptError):
    """A question that cannot be answered as it is asked."""


class UnknownNameError(QuestionError):
    """SQL that names what is not there, or that DuckDB cannot read."""


class StaleWeighting(UserWarning):
    """Weights that are kept were not used, because the lexicon has grown since; the answer is right, and slower."""


class StaleEntry(UserWarning):
    """An entry that is asked about was composed before the lexicon grew."""


class NotRecorded(UserWarning):
    """What an evaluation came to could not be written down in the lexicon; the answer is right."""


class UnknownRelation(UserWarning):
    """A data set's phrases have a relation that the lexicon never counts, so that nothing can be met along it."""


class WithoutTrees(UserWarning):
    """Evidence was asked for of which a part came as counts, so that no sentence can be shown for it."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn of something at the line outside of this package that asked for it."""
    package, level, frame = str(Path(__file__).parent), 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
