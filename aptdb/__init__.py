"""aptdb: a distributional lexicon of anchored packed dependency trees in one DuckDB file."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aptdb.counting.corpora import Addition as Addition
    from aptdb.counting.corpora import Progress as Progress
    from aptdb.counting.open_folder import open_counts as open_counts
    from aptdb.errors import AptError as AptError
    from aptdb.errors import AptWarning as AptWarning
    from aptdb.errors import BroughtBack as BroughtBack
    from aptdb.errors import CorpusError as CorpusError
    from aptdb.errors import DataSetError as DataSetError
    from aptdb.errors import InUseError as InUseError
    from aptdb.errors import LexiconError as LexiconError
    from aptdb.errors import MovedCounts as MovedCounts
    from aptdb.errors import NoRoomError as NoRoomError
    from aptdb.errors import NoSuchLexemeError as NoSuchLexemeError
    from aptdb.errors import NoSuchRowError as NoSuchRowError
    from aptdb.errors import NoSuchText as NoSuchText
    from aptdb.errors import NotRecorded as NotRecorded
    from aptdb.errors import OtherSettings as OtherSettings
    from aptdb.errors import PhraseError as PhraseError
    from aptdb.errors import QuestionError as QuestionError
    from aptdb.errors import ReadAs as ReadAs
    from aptdb.errors import Renamed as Renamed
    from aptdb.errors import SettingsError as SettingsError
    from aptdb.errors import StaleEntry as StaleEntry
    from aptdb.errors import StaleWeighting as StaleWeighting
    from aptdb.errors import UnknownDocument as UnknownDocument
    from aptdb.errors import UnknownNameError as UnknownNameError
    from aptdb.errors import UnknownRelation as UnknownRelation
    from aptdb.errors import UnusedSetting as UnusedSetting
    from aptdb.errors import WithoutLemmas as WithoutLemmas
    from aptdb.errors import WithoutPictures as WithoutPictures
    from aptdb.errors import WithoutTrees as WithoutTrees
    from aptdb.evaluation.lexeme_mapping import Names as Names
    from aptdb.lexeme import Lexeme as Lexeme
    from aptdb.lexicon import Lexicon as Lexicon
    from aptdb.phrase import Phrase as Phrase
    from aptdb.questions.readings import Reading as Reading
    from aptdb.result import Result as Result
    from aptdb.settings import Settings as Settings
    from aptdb.spread.count import count_corpora as count_corpora
    from aptdb.store.version import __version__ as __version__

# Where each public name is defined. They are imported when first used, so that commands that need none of them, e.g.
# --help, start at once.
_HOMES = {
    "Addition": "counting.corpora",
    "AptError": "errors",
    "AptWarning": "errors",
    "BroughtBack": "errors",
    "CorpusError": "errors",
    "DataSetError": "errors",
    "InUseError": "errors",
    "Lexeme": "lexeme",
    "Lexicon": "lexicon",
    "LexiconError": "errors",
    "MovedCounts": "errors",
    "Names": "evaluation.lexeme_mapping",
    "NoRoomError": "errors",
    "NoSuchLexemeError": "errors",
    "NoSuchRowError": "errors",
    "NoSuchText": "errors",
    "NotRecorded": "errors",
    "OtherSettings": "errors",
    "Phrase": "phrase",
    "PhraseError": "errors",
    "Progress": "counting.corpora",
    "QuestionError": "errors",
    "ReadAs": "errors",
    "Reading": "questions.readings",
    "Renamed": "errors",
    "Result": "result",
    "Settings": "settings",
    "SettingsError": "errors",
    "StaleEntry": "errors",
    "StaleWeighting": "errors",
    "UnknownDocument": "errors",
    "UnknownNameError": "errors",
    "UnknownRelation": "errors",
    "UnusedSetting": "errors",
    "WithoutLemmas": "errors",
    "WithoutPictures": "errors",
    "WithoutTrees": "errors",
    "__version__": "store.version",
    "count_corpora": "spread.count",
    "open_counts": "counting.open_folder",
}

__all__ = [
    "Addition", "AptError", "AptWarning", "BroughtBack", "CorpusError", "DataSetError", "InUseError", "Lexeme",
    "Lexicon", "LexiconError", "MovedCounts", "Names", "NoRoomError", "NoSuchLexemeError", "NoSuchRowError",
    "NoSuchText", "NotRecorded", "OtherSettings", "Phrase", "PhraseError", "Progress", "QuestionError", "ReadAs",
    "Reading", "Renamed", "Result", "Settings", "SettingsError", "StaleEntry", "StaleWeighting", "UnknownDocument",
    "UnknownNameError", "UnknownRelation", "UnusedSetting", "WithoutLemmas", "WithoutPictures", "WithoutTrees",
    "__version__", "count_corpora", "open_counts",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"aptdb.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'aptdb' has no attribute {name!r}")
