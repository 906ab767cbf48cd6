"""aptdb: a distributional lexicon of anchored packed dependency trees in one DuckDB file."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aptdb.core.errors import *
    from aptdb.core.phrase import Phrase
    from aptdb.core.result import Result
    from aptdb.core.settings import Settings
    from aptdb.counting.counts_folders import open_counts
    from aptdb.counting.staging import Addition, Progress
    from aptdb.distributed.count_corpora import count_corpora
    from aptdb.evaluation.lexeme_mapping import Names
    from aptdb.lexicon import Lexicon
    from aptdb.questions.one_lexeme import Lexeme
    from aptdb.questions.readings import Reading
    from aptdb.store.lexicon_copies import backup
    from aptdb.store.version import __version__

__all__ = [
    "Addition", "AptError", "AptWarning", "ClusterError", "CorpusError", "DataSetError", "InUseError",
    "IncompleteDataWarning", "InterpretationWarning", "Lexeme", "Lexicon", "LexiconError", "ManySubcorporaError",
    "Names", "NoMatchWarning", "NoRoomError", "NoSuchLexemeError", "NoSuchRowError", "OldNameWarning", "Phrase",
    "PhraseError", "Progress", "QuestionError", "Reading", "Result", "Settings", "SettingsError", "StaleDataWarning",
    "UnknownNameError", "__version__", "backup", "count_corpora", "open_counts",
]  # fmt: skip

# Where public names are defined, unless among the errors. They are imported when first used, so that commands that need
# none of them, e.g. --help, start at once.
_HOMES = {
    "core.phrase": "Phrase",
    "core.result": "Result",
    "core.settings": "Settings",
    "counting.counts_folders": "open_counts",
    "counting.staging": "Addition Progress",
    "distributed.count_corpora": "count_corpora",
    "evaluation.lexeme_mapping": "Names",
    "lexicon": "Lexicon",
    "questions.one_lexeme": "Lexeme",
    "questions.readings": "Reading",
    "store.lexicon_copies": "backup",
    "store.version": "__version__",
}


def __getattr__(name: str) -> Any:
    if name in __all__:
        home = next((home for home, names in _HOMES.items() if name in names.split()), "core.errors")
        return getattr(import_module(f"aptdb.{home}"), name)
    from aptdb.store.old_names import attribute

    return getattr(import_module("aptdb"), attribute("module 'aptdb'", "", name))
