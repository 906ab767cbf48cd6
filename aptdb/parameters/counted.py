"""The parameter that adds counts to answers about weights and similarities."""

from typing import Annotated, TypedDict

from aptdb.parameters.declare import Group, Parameter


class WithCounts(TypedDict, total=False):
    """Whether contexts come with their counts."""

    counts: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show how often each is counted, too.",
            default=False,
            flag="--counts/--no-counts",
            in_sql=False,
        ),
    ]


class WithFrequencies(TypedDict, total=False):
    """Whether lexemes come with their frequencies."""

    frequencies: Annotated[
        bool,
        Parameter(
            Group.ANSWER,
            "Show how often each lexeme occurs, too.",
            default=False,
            flag="--frequencies/--no-frequencies",
            in_sql=False,
        ),
    ]
