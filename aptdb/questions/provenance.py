"""What answers were made of: the version, the settings of a lexicon, its corpora, and what is kept in it by name."""

from typing import Any

from aptdb.core.result import Result
from aptdb.counting.subcorpora import subcorpora
from aptdb.questions.entries import entries
from aptdb.questions.inventory import corpora
from aptdb.questions.spaces import spaces
from aptdb.questions.weightings import weightings
from aptdb.store.session import Session
from aptdb.store.version import REVISION, __version__

OF_SPACES = ("dimensions", "shift", "power", "max_order", "min_frequency", "min_feature_count", "pos", "seed")


def provenance(session: Session) -> dict[str, Any]:
    """Return what answers are made of, so that they can be made again.

    A dictionary with aptdb (its version), lexicon (the name of the file), schema, settings (text by the names of
    options), corpora (a list of name and sha256, which is None of counts that have none), and how each of the
    subcorpora, weightings, spaces and entries was made, by name. Raises QuestionError.
    """
    return {
        "aptdb": __version__,
        "lexicon": session.file.name,
        "schema": REVISION,
        "settings": dict(session.settings.shown(whole=True)),
        "corpora": [{"name": row["name"], "sha256": row["sha256"]} for row in corpora(session)],
        "subcorpora": by_first_column(subcorpora(session), "condition"),
        "weightings": by_first_column(weightings(session), "scheme", "parameters", "phi"),
        "spaces": by_first_column(spaces(session), *OF_SPACES),
        "entries": by_first_column(entries(session), "phrase", "weighting", "composition"),
    }


def by_first_column(found: Result, *columns: str) -> dict[str, dict[str, Any]]:
    """Return some columns of each row, by its value in the first column."""
    return {row[found.columns[0]]: {name: row[name] for name in columns} for row in found}
