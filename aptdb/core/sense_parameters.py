"""Parameters of senses: how the occurrences of a lexeme are grouped, and how much of each group is shown."""

from typing import Annotated, TypedDict

from aptdb.core.parameters import Group, Parameter

BETWEEN = " || "  # the sentences of a sense


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
        Parameter(
            Group.VECTORS,
            "Begin with N groups; those that are alike become one.",
            default=4,
            expected="1 to 20",
            least=1,
            most=20,
        ),
    ]
    alike: Annotated[
        float,
        Parameter(
            Group.VECTORS,
            "Join two groups if the cosine of their centres is C or more.",
            default=0.5,
            expected="-1 to 1",
            least=-1,
            most=1,
            metavar="C",
        ),
    ]
    seed: Annotated[
        int,
        Parameter(
            Group.VECTORS,
            "The seed of the occurrences that groups begin with.",
            default=1,
            expected="0 or more",
            least=0,
        ),
    ]


class Sensing(Grouping, total=False):
    """Parameters of `senses`."""

    top: Annotated[
        int,
        Parameter(
            Group.ANSWER,
            "Show N features and neighbours of each sense.",
            default=6,
            expected="1 to 100",
            least=1,
            most=100,
        ),
    ]
    examples: Annotated[
        int,
        Parameter(
            Group.ANSWER,
            "Show N sentences of each sense.",
            default=3,
            expected="0 to 100",
            least=0,
            most=100,
        ),
    ]
