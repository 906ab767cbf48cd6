"""aptdb: a distributional lexicon of anchored packed dependency trees in one DuckDB file."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aptdb.core.errors import AllLeftOut as AllLeftOut
    from aptdb.core.errors import AptError as AptError
    from aptdb.core.errors import AptWarning as AptWarning
    from aptdb.core.errors import BroughtBack as BroughtBack
    from aptdb.core.errors import CorpusError as CorpusError
    from aptdb.core.errors import DataSetError as DataSetError
    from aptdb.core.errors import InUseError as InUseError
    from aptdb.core.errors import LexiconError as LexiconError
    from aptdb.core.errors import ManySubcorporaError as ManySubcorporaError
    from aptdb.core.errors import MovedCounts as MovedCounts
    from aptdb.core.errors import NoRoomError as NoRoomError
    from aptdb.core.errors import NoSuchLexemeError as NoSuchLexemeError
    from aptdb.core.errors import NoSuchRowError as NoSuchRowError
    from aptdb.core.errors import NoSuchText as NoSuchText
    from aptdb.core.errors import NotRecorded as NotRecorded
    from aptdb.core.errors import OldName as OldName
    from aptdb.core.errors import OtherMetadata as OtherMetadata
    from aptdb.core.errors import OtherSettings as OtherSettings
    from aptdb.core.errors import PhraseError as PhraseError
    from aptdb.core.errors import QuestionError as QuestionError
    from aptdb.core.errors import ReadAs as ReadAs
    from aptdb.core.errors import Renamed as Renamed
    from aptdb.core.errors import RoughSenses as RoughSenses
    from aptdb.core.errors import SettingsError as SettingsError
    from aptdb.core.errors import SmallPeriods as SmallPeriods
    from aptdb.core.errors import SmallSpace as SmallSpace
    from aptdb.core.errors import SpeltTwice as SpeltTwice
    from aptdb.core.errors import StaleEntry as StaleEntry
    from aptdb.core.errors import StaleSenses as StaleSenses
    from aptdb.core.errors import StaleSpace as StaleSpace
    from aptdb.core.errors import StaleWeighting as StaleWeighting
    from aptdb.core.errors import UnknownDocument as UnknownDocument
    from aptdb.core.errors import UnknownNameError as UnknownNameError
    from aptdb.core.errors import UnknownRelation as UnknownRelation
    from aptdb.core.errors import UnreadColumns as UnreadColumns
    from aptdb.core.errors import UnreadFiles as UnreadFiles
    from aptdb.core.errors import UnusedSetting as UnusedSetting
    from aptdb.core.errors import Waiting as Waiting
    from aptdb.core.errors import WithoutLemmas as WithoutLemmas
    from aptdb.core.errors import WithoutPictures as WithoutPictures
    from aptdb.core.errors import WithoutTags as WithoutTags
    from aptdb.core.errors import WithoutTrees as WithoutTrees
    from aptdb.core.phrase import Phrase as Phrase
    from aptdb.core.result import Result as Result
    from aptdb.core.settings import Settings as Settings
    from aptdb.counting.counts_folders import open_counts as open_counts
    from aptdb.counting.staging import Addition as Addition
    from aptdb.counting.staging import Progress as Progress
    from aptdb.distributed.count_corpora import count_corpora as count_corpora
    from aptdb.evaluation.lexeme_mapping import Names as Names
    from aptdb.explorer.snapshot import backup as backup
    from aptdb.lexicon import Lexicon as Lexicon
    from aptdb.questions.one_lexeme import Lexeme as Lexeme
    from aptdb.questions.readings import Reading as Reading
    from aptdb.store.version import __version__ as __version__

# Where each public name is defined. They are imported when first used, so that commands that need none of them, e.g.
# --help, start at once.
_HOMES = {
    "Addition": "counting.staging",
    "AptError": "core.errors",
    "AptWarning": "core.errors",
    "BroughtBack": "core.errors",
    "CorpusError": "core.errors",
    "DataSetError": "core.errors",
    "InUseError": "core.errors",
    "Lexeme": "questions.one_lexeme",
    "Lexicon": "lexicon",
    "LexiconError": "core.errors",
    "ManySubcorporaError": "core.errors",
    "MovedCounts": "core.errors",
    "Names": "evaluation.lexeme_mapping",
    "NoRoomError": "core.errors",
    "NoSuchLexemeError": "core.errors",
    "NoSuchRowError": "core.errors",
    "NoSuchText": "core.errors",
    "NotRecorded": "core.errors",
    "AllLeftOut": "core.errors",
    "OldName": "core.errors",
    "OtherMetadata": "core.errors",
    "OtherSettings": "core.errors",
    "Phrase": "core.phrase",
    "PhraseError": "core.errors",
    "Progress": "counting.staging",
    "QuestionError": "core.errors",
    "ReadAs": "core.errors",
    "Reading": "questions.readings",
    "Renamed": "core.errors",
    "Result": "core.result",
    "Settings": "core.settings",
    "RoughSenses": "core.errors",
    "SettingsError": "core.errors",
    "SmallPeriods": "core.errors",
    "SmallSpace": "core.errors",
    "SpeltTwice": "core.errors",
    "StaleEntry": "core.errors",
    "StaleSenses": "core.errors",
    "StaleSpace": "core.errors",
    "StaleWeighting": "core.errors",
    "UnknownDocument": "core.errors",
    "UnknownNameError": "core.errors",
    "UnknownRelation": "core.errors",
    "UnreadColumns": "core.errors",
    "UnreadFiles": "core.errors",
    "UnusedSetting": "core.errors",
    "Waiting": "core.errors",
    "WithoutLemmas": "core.errors",
    "WithoutPictures": "core.errors",
    "WithoutTags": "core.errors",
    "WithoutTrees": "core.errors",
    "__version__": "store.version",
    "backup": "explorer.snapshot",
    "count_corpora": "distributed.count_corpora",
    "open_counts": "counting.counts_folders",
}

__all__ = [
    "Addition", "AllLeftOut", "AptError", "AptWarning", "BroughtBack", "CorpusError", "DataSetError", "InUseError",
    "Lexeme", "Lexicon", "LexiconError", "ManySubcorporaError", "MovedCounts", "Names", "NoRoomError",
    "NoSuchLexemeError", "NoSuchRowError", "NoSuchText", "NotRecorded", "OldName", "OtherMetadata", "OtherSettings",
    "Phrase", "PhraseError", "Progress", "QuestionError", "ReadAs", "Reading", "Renamed", "Result", "RoughSenses",
    "Settings", "SettingsError", "SmallPeriods", "SmallSpace", "SpeltTwice", "StaleEntry", "StaleSenses", "StaleSpace",
    "StaleWeighting", "UnknownDocument", "UnknownNameError", "UnknownRelation", "UnreadColumns", "UnreadFiles",
    "UnusedSetting", "Waiting", "WithoutLemmas", "WithoutPictures", "WithoutTags", "WithoutTrees", "__version__",
    "backup", "count_corpora", "open_counts",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"aptdb.{_HOMES[name]}"), name)
    from aptdb.store.old_names import attribute

    return getattr(import_module("aptdb"), attribute("module 'aptdb'", "", name))
