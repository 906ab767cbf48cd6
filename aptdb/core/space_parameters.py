"""Parameters of reduced spaces: how one is made, and which one is asked in."""

from typing import Annotated, TypedDict

from aptdb.core.parameters import Group, Parameter

DIMENSIONS = 200
CONTENT = "NOUN,VERB,ADJ,ADV,PROPN"


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
            expected="1 to 2000",
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
            expected="0 to 1",
            least=0,
            most=1,
            metavar="P",
        ),
    ]
    shift: Annotated[
        float,
        Parameter(
            Group.WEIGHTS,
            "Subtract ln K from PMI before it is reduced.",
            default=3,
            expected="1 to 1e9",
            least=1,
            most=1e9,
            metavar="K",
        ),
    ]
    order: Annotated[
        int,
        Parameter(
            Group.WEIGHTS,
            "Reduce features along paths of up to N steps. [default: 2, or the lexicon's own where that is less]",
            expected="0 or more",
            least=0,
        ),
    ]
    min_frequency: Annotated[
        int,
        Parameter(
            Group.WEIGHTS,
            "Reduce lexemes that occur N times or more. [default: one per 50,000 tokens of the lexicon, 5 to 100]",
            expected="1 or more",
            least=1,
        ),
    ]
    min_feature_count: Annotated[
        int,
        Parameter(
            Group.WEIGHTS,
            "Reduce features that are counted N times or more. [default: one per 100,000 tokens, 3 to 50]",
            expected="1 or more",
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
    seed: Annotated[
        int,
        Parameter(
            Group.VECTORS,
            "The seed of the vector that the decomposition begins with.",
            default=1,
            expected="0 or more",
            least=0,
        ),
    ]
