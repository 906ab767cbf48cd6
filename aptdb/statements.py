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
    "relations",
    "options",
    "scheme_weights",
    "schemes",
    "phrase",
    "weights_of",
    "composed",
    "apt",
    "vectors",
    "similarity",
    "neighbours",
)


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
def definitions() -> str:
    """All macros and views of a lexicon in load order, with `@stamp@` where its stamp belongs."""
    return "\n".join(statement(f"define/{name}") for name in DEFINITIONS)


@cache
def definitions_digest() -> str:
    """What tells whether a lexicon holds these definitions or others."""
    return sha256(definitions().encode()).hexdigest()
