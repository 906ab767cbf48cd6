"""The parameters of how vectors are made and compared, and of the questions about several lexemes together."""

from typing import Annotated, Literal, TypedDict

from aptdb.parameters.declare import Group, Parameter
from aptdb.parameters.phrases import OF_MISSING, Missing
from aptdb.parameters.weights import OfScheme, OfWeighting, Weighted

Measure = Literal[
    "cosine", "lin", "jaccard", "dice", "weeds_precision", "weeds_recall", "cl", "inv_cl", "jensen_shannon", "euclidean"
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


class OfNeighbours(TypedDict, total=False):
    """Which neighbours are told."""

    top: Annotated[
        int, Parameter(Group.ANSWER, "How many neighbours to show of each.", default=10, told="0 or more", least=0)
    ]
    pos: Annotated[
        str,
        Parameter(Group.ANSWER, "Their part of speech: same, any, or a tag, e.g. NOUN.", default="same", metavar="TAG"),
    ]
    min_frequency: Annotated[
        int | None,
        Parameter(
            Group.ANSWER,
            "Ignore neighbours that occur fewer than N times. [default: one per 25,000 tokens of the lexicon, 1 to 50]",
            told="0 or more",
            least=0,
        ),
    ]


class OfMissing(TypedDict, total=False):
    """What is done about a lexeme that is not there."""

    missing: Annotated[Missing, OF_MISSING]


class MostSimilar(OfMissing, OfNeighbours, Measuring, Weighted, OfScheme, total=False):
    """Parameters of the question what is like several lexemes."""


class DoesntMatch(OfMissing, Measuring, Weighted, OfWeighting, total=False):
    """Parameters of the question which of several lexemes is unlike the others."""
