"""The parameters of vectors: how paths are weighed, and how two vectors are compared."""

from typing import Annotated, Literal, TypedDict

from aptdb.core.parameters import Group, Parameter

Measure = Literal[
    "cosine",
    "lin",
    "jaccard",
    "dice",
    "weeds_precision",
    "weeds_recall",
    "cl",
    "inv_cl",
    "jensen_shannon",
    "euclidean",
    "apinc",
    "bal_apinc",
]
Phi = Literal["constant", "harmonic", "probability"]


class PathWeighting(TypedDict, total=False):
    """How paths are weighed when vectors are made."""

    phi: Annotated[
        Phi | None,
        Parameter(
            Group.VECTORS,
            "How to weigh paths: {values}. [default: the weighting's own, or constant]",
            metavar="WHICH",
        ),
    ]


class Measured(TypedDict, total=False):
    """How vectors are compared."""

    measure: Annotated[
        Measure, Parameter(Group.VECTORS, "How to compare vectors: {values}.", default="cosine", metavar="WHICH")
    ]


class Measuring(Measured, PathWeighting, total=False):
    """How vectors are made and compared."""
