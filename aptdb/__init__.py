"""aptdb: a distributional lexicon of anchored packed dependency trees in one DuckDB file."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aptdb.counting import Addition, Progress
    from aptdb.errors import (
        AptError,
        CorpusError,
        DataSetError,
        LexiconError,
        PhraseError,
        QuestionError,
        SettingsError,
    )
    from aptdb.evaluation.naming import Names
    from aptdb.lexicon import Lexicon
    from aptdb.phrase import Phrase
    from aptdb.result import Result
    from aptdb.settings import Settings

__version__ = "0.1.0"

# Where each public name is defined. They are imported when first used, so that a command that needs none of them, as
# --help, starts at once.
_HOMES = {
    "Addition": "counting",
    "AptError": "errors",
    "CorpusError": "errors",
    "DataSetError": "errors",
    "Lexicon": "lexicon",
    "LexiconError": "errors",
    "Names": "evaluation.naming",
    "Phrase": "phrase",
    "PhraseError": "errors",
    "Progress": "counting",
    "QuestionError": "errors",
    "Result": "result",
    "Settings": "settings",
    "SettingsError": "errors",
}

__all__ = [
    "Addition",
    "AptError",
    "CorpusError",
    "DataSetError",
    "Lexicon",
    "LexiconError",
    "Names",
    "Phrase",
    "PhraseError",
    "Progress",
    "QuestionError",
    "Result",
    "Settings",
    "SettingsError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"aptdb.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'aptdb' has no attribute {name!r}")
