"""Parameters of composition, and of the questions about APTs."""

from typing import Annotated, Literal, TypedDict

from aptdb.core.parameters import Group, Parameter
from aptdb.core.schemes import OfWeighting, Weighted
from aptdb.core.vector_parameters import InSpace, Measured

Merge = Literal["sum", "min", "max", "mult", "intersective_add", "smooth_mult"]
Pipeline = Literal["compose-second", "compose-first"]
Strategy = Literal["one-step", "left-to-right"]
Missing = Literal["error", "skip", "skip_unknown", "empty"]
Context = Literal["all", "internal", "external"]


# How `smooth` is written, as a whole; none stands for no smoothing.
SMOOTH = r"none|(static|offset):0*[1-9][0-9]{0,8}|window:[0-9]+(\.[0-9]+)?"


OF_MISSING = Parameter(
    Group.PHRASES,
    "A word without an APT is an error; or skip it; or skip_unknown, only words that the lexicon lacks; or let it "
    "merge as an empty APT.",
    default="error",
    metavar="WHAT",
    rare=True,
)


class Composing(TypedDict, total=False):
    """How words are composed, as a weighting may record it. The lexemes that a phrase is ranked against are not."""

    merge: Annotated[Merge | None, Parameter(Group.PHRASES, "How nodes merge: {values}.", unset="sum", metavar="RULE")]
    pipeline: Annotated[
        Pipeline | None,
        Parameter(
            Group.PHRASES,
            "Compose weights (compose-second), or probabilities that are weighed afterwards (compose-first).",
            unset="compose-second",
            metavar="WHICH",
            rare=True,
        ),
    ]
    aligned: Annotated[
        bool | None,
        Parameter(
            Group.PHRASES,
            "Offset words before they merge, or merge them as they are.",
            unset=True,
            flag="--aligned/--unaligned",
            rare=True,
        ),
    ]
    head_weight: Annotated[
        float | None,
        Parameter(
            Group.PHRASES,
            "Multiply the root's weights by 2H and every other word's by 2(1 − H) before they merge.",
            unset=0.5,
            above=0,
            below=1,
            metavar="H",
            rare=True,
        ),
    ]
    unit: Annotated[
        bool | None,
        Parameter(
            Group.PHRASES,
            "Divide each word's weights by their length, the root of the sum of their squares, before they merge: no "
            "word outweighs the others.",
            unset=False,
            flag="--unit/--no-unit",
            rare=True,
        ),
    ]
    strategy: Annotated[
        Strategy | None,
        Parameter(
            Group.PHRASES,
            "Merge all words in one-step, or one after another, left-to-right. On any tree both give the same.",
            unset="one-step",
            metavar="HOW",
            rare=True,
        ),
    ]
    context: Annotated[
        Context | None,
        Parameter(
            Group.PHRASES,
            "Keep only the nodes of the phrase's own tree (internal), only the others (external), or all.",
            unset="all",
            metavar="NODES",
            inner="nodes",
            rare=True,
        ),
    ]
    smooth: Annotated[
        str | None,
        Parameter(
            Group.PHRASES,
            "Add the APTs of nearest neighbours before composing: static:N, offset:N (a modifier's neighbours where it "
            "is moved to), or window:W (all that are at most a share W farther away than the nearest). What is ranked "
            "does not change.",
            unset="none",
            metavar="HOW",
        ),
    ]
    alpha: Annotated[
        float | None,
        Parameter(
            Group.PHRASES,
            "How often the APT itself counts among its neighbours. [default: as often as it has neighbours]",
            rare=True,
        ),
    ]


class Recorded(OfWeighting, Measured, Composing, total=False):
    """What a weighting records besides its scheme and phi: how counts are weighed, vectors compared, words composed."""


class OfMissing(TypedDict, total=False):
    """How to treat an unknown lexeme."""

    missing: Annotated[Missing, OF_MISSING]


class Composition(Composing, OfMissing, total=False):
    """Parameters of composition."""


class Anchored(TypedDict, total=False):
    """The word from which a phrase is seen."""

    anchor: Annotated[
        int,
        Parameter(
            Group.PHRASES, "See a phrase from its I-th word as written; 0 is the root's word.", default=0, metavar="I"
        ),
    ]


class Weighing(Weighted, OfWeighting, Composition, Anchored, total=False):
    """Parameters of the questions about APTs."""


class PerPath(TypedDict, total=False):
    """How many features of each path are listed."""

    per_path: Annotated[
        int, Parameter(Group.ANSWER, "Show only the N heaviest features of each path.", least=1, in_sql=False)
    ]


class Features(InSpace, Weighing, PerPath, total=False):
    """Parameters of the questions about APTs that are listed path by path."""
