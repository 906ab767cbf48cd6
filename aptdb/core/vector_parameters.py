"""Parameters of vectors: how they are made and compared, of reduced spaces, and of the senses found in these."""

from typing import Annotated, Literal, TypedDict

from aptdb.core.parameters import Group, Parameter

DIMENSIONS = 200
CONTENT = "NOUN,VERB,ADJ,ADV,PROPN"
BETWEEN = " || "  # the sentences of a sense


class InSpace(TypedDict, total=False):
    """The reduced space of a question."""

    space: Annotated[
        str | None,
        Parameter(Group.VECTORS, "Ask in a reduced space (aptdb reduce). [default: all features]", metavar="NAME"),
    ]


class Reducing(TypedDict, total=False):
    """Parameters of `reduce`."""

    dimensions: Annotated[
        int,
        Parameter(
            Group.VECTORS,
            "The dimensions of the space. [default: 200, in small lexicons a quarter of its lexemes]",
            least=1,
            most=2000,
        ),
    ]
    power: Annotated[
        float,
        Parameter(
            Group.VECTORS,
            "Multiply dimensions by their singular values to the power P: 0, all weigh alike; 1, as in the features.",
            default=0,
            least=0,
            most=1,
            metavar="P",
        ),
    ]
    shift: Annotated[
        float,
        Parameter(
            Group.WEIGHTS, "Subtract ln K from PMI before it is reduced.", default=3, least=1, most=1e9, metavar="K"
        ),
    ]
    order: Annotated[
        int,
        Parameter(
            Group.WEIGHTS,
            "Reduce features along paths of up to N steps. [default: 2, or the lexicon's own where that is less]",
            least=0,
        ),
    ]
    min_frequency: Annotated[
        int,
        Parameter(
            Group.WEIGHTS,
            "Reduce lexemes that occur N times or more. [default: one per 50,000 tokens of the lexicon, 5 to 100]",
            least=1,
        ),
    ]
    min_feature_count: Annotated[
        int,
        Parameter(
            Group.WEIGHTS,
            "Reduce features that are counted N times or more. [default: one per 100,000 tokens, 3 to 50]",
            least=1,
        ),
    ]
    pos: Annotated[
        str,
        Parameter(
            Group.WEIGHTS,
            "Reduce lexemes, and features with contexts, of these parts of speech.",
            default=CONTENT,
            metavar="TAG,...",
        ),
    ]
    window: Annotated[
        int,
        Parameter(
            Group.VECTORS,
            "Join to each vector what stands within N tokens of the word, whatever the grammar; 0 for nothing.",
            default=5,
            least=0,
            most=50,
        ),
    ]
    window_share: Annotated[
        float,
        Parameter(
            Group.VECTORS,
            "How much the window counts in a similarity, beside the trees: 0 nothing, 1 alone.",
            default=0.5,
            least=0,
            most=1,
            metavar="P",
        ),
    ]
    seed: Annotated[
        int, Parameter(Group.VECTORS, "The seed of the vector that the decomposition begins with.", default=1, least=0)
    ]


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
            rare=True,
        ),
    ]


class Measured(TypedDict, total=False):
    """How vectors are compared."""

    measure: Annotated[
        Measure | None, Parameter(Group.VECTORS, "How to compare vectors: {values}.", unset="cosine", metavar="WHICH")
    ]


class Measuring(Measured, PathWeighting, total=False):
    """How vectors are made and compared."""


class Grouping(TypedDict, total=False):
    """How occurrences are grouped."""

    space: Annotated[
        str,
        Parameter(
            Group.VECTORS,
            "Compare occurrences in this reduced space (aptdb reduce). [default: the only one]",
            metavar="NAME",
        ),
    ]
    groups: Annotated[
        int,
        Parameter(Group.VECTORS, "Begin with N groups; similar ones are joined.", default=4, least=1, most=20),
    ]
    alike: Annotated[
        float,
        Parameter(
            Group.VECTORS,
            "Join two groups if the cosine of their centres is C or more.",
            default=0.5,
            least=-1,
            most=1,
            metavar="C",
        ),
    ]
    seed: Annotated[
        int, Parameter(Group.VECTORS, "The seed of the occurrences that groups begin with.", default=1, least=0)
    ]


class Sensing(Grouping, total=False):
    """Parameters of `senses`."""

    top: Annotated[
        int, Parameter(Group.ANSWER, "Show N features and neighbours of each sense.", default=6, least=1, most=100)
    ]
    examples: Annotated[int, Parameter(Group.ANSWER, "Show N sentences of each sense.", default=3, least=0, most=100)]
    matching: Annotated[
        str | None,
        Parameter(
            Group.ANSWER,
            "Group only occurrences that are the first word of a match of PATTERN, e.g. 'NOUN[amod *]'.",
            metavar="PATTERN",
        ),
    ]
