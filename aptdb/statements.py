"""Finds and reads `sql/`: the definitions that live in every lexicon, in load order, and the named statements."""

from functools import cache
from hashlib import sha256
from pathlib import Path

# The one load order: a macro's names are checked when it is created, so each file stands on those before it.
DEFINITIONS = (
    "path_steps",
    "path_reduce",
    "path_inverse",
    "path_is_valid",
    "path_order",
    "path_offset",
    "guard",
    "counts",
    "options",
    "log_likelihood",
    "scheme_weights",
    "entries",
    "weights_of",
    "schemes",
    "scheme_views",
    "untyped",
    "weightings",
    "phrase",
    "questions",
    "about",
    "composition",
    "measures",
    "dimensions",
    "candidates",
    "ranking",
    "smoothing",
    "offsets",
    "merge_rules",
    "moved_apts",
    "merged_apt",
    "composed",
    "apt",
    "vectors",
    "similarity",
    "neighbours",
    "contextualise",
    "plausible",
    "explain",
    "diff",
    "evidence",
    "evaluations",
)

# What many definitions repeat, as `@weighting@` in them: macros can share a body, but not a list of parameters.
PARTS = (
    "composition",
    "composing",
    "composition_inside",
    "weighting",
    "filters",
    "pmi_parameters",
    "options",
    "neighbour_options",
    "admitted",
    "neighbour_admitted",
    "all_given",
    "given",
)  # what stands in another comes after it


def resource(name: str) -> Path:
    """The folder `sql` or `migrations`: beside the modules when installed, beside the package in a checkout."""
    package = Path(__file__).parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name


@cache
def statement(name: str) -> str:
    """The SQL statement of `sql/NAME.sql`, as `count/token`."""
    return (resource("sql") / f"{name}.sql").read_text(encoding="utf-8")


@cache
def definitions(*, own_only: bool = False) -> str:
    """All macros and views of a lexicon in load order, with `@stamp@` and `@recorded …@` where its own belong.

    own_only: no others than those that have such a place.
    """
    texts = [with_parts(statement(f"define/{name}")) for name in DEFINITIONS]
    return "\n".join(text for text in texts if not own_only or "@" in text)


def with_parts(sql: str) -> str:
    """A definition with what it shares with others in place."""
    for part in PARTS:
        sql = sql.replace(f"@{part}@", without_comments(statement(f"parts/{part}")))
    return sql


def without_comments(sql: str) -> str:
    """SQL without its lines of comment."""
    return "\n".join(line for line in sql.splitlines() if not line.startswith("--")).strip()


@cache
def definitions_digest() -> str:
    """What tells whether a lexicon holds these definitions or others."""
    return sha256(definitions().encode()).hexdigest()
