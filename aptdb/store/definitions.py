"""The macros and views that live in every lexicon, in load order."""

from functools import cache
from hashlib import sha256

from aptdb.parameters.weights import SCHEMES
from aptdb.store.literals import SqlText
from aptdb.store.parts import OPTIONS, TYPES, kind_of_option, parts
from aptdb.store.statements import Statement, read_text

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
    "option",
    "option_checks",
    "log_likelihood",
    "scheme_weights",
    "entries",
    "weights_of",
    "schemes",
    "scheme",
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

# Definitions that are made again and again, each time with other values at these placeholders.
EACH: dict[str, list[dict[str, SqlText]]] = {
    "option": [
        {
            "name": SqlText(name),
            "kind": SqlText(TYPES[kind_of_option(name)]),
            "recorded_option": SqlText(f"@recorded_{name}@"),
        }
        for name in OPTIONS
    ],
    "scheme": [{"scheme": SqlText(name), "meaning": SqlText(scheme.meaning)} for name, scheme in SCHEMES.items()],
}

# What is a lexicon's own: the stamp of its content, and what its weightings record of each property.
OWN = {"stamp", *(f"recorded_{name}" for name in (*OPTIONS, "scheme", "phi", "kept", "entries"))}


@cache
def definitions(*, own_only: bool = False) -> Statement:
    """All macros and views of a lexicon in load order, with placeholders where its own belong.

    own_only: no others than those that have such a placeholder.
    """
    found = [each for name in DEFINITIONS for each in made(name)]
    chosen = [each for each in found if each.placeholders or not own_only]
    text = "\n".join(f"{each.text};" for each in chosen)
    return Statement("definitions", text, frozenset[str]().union(*(each.placeholders for each in chosen)))


def made(name: str) -> list[Statement]:
    """A definition with what it has in common with others in place; several where it is made for each of something."""
    common = parts()
    found = []
    for values in EACH.get(name, [{}]):
        read = read_text(f"define/{name}", frozenset({*common, *values, *OWN}))
        found.append(read.with_some({**common, **values}))
    return found


@cache
def definitions_digest() -> str:
    """What tells whether a lexicon holds these definitions or others."""
    return sha256(definitions().text.encode()).hexdigest()
