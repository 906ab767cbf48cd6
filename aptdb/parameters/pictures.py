"""The parameters of drawings."""

from collections.abc import Sequence
from typing import Annotated

from aptdb.parameters.declare import Group, Parameter
from aptdb.parameters.phrases import Weighing


class Drawn(Weighing, total=False):
    """Parameters of the drawing of an APT."""

    top: Annotated[
        int,
        Parameter(
            Group.ANSWER,
            "Show the N heaviest contexts at each node.",
            default=5,
            least=0,
            told="0 or more",
            in_sql=False,
        ),
    ]
    max_nodes: Annotated[
        int,
        Parameter(
            Group.ANSWER,
            "Draw up to N nodes, those that reach the most weight; a phrase's own tree in any case.",
            default=16,
            least=1,
            told="1 or more",
            in_sql=False,
        ),
    ]
    order: Annotated[
        int | None,
        Parameter(Group.ANSWER, "Draw paths of up to N steps. [default: all]", least=0, told="0 or more", in_sql=False),
    ]
    relations: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.ANSWER,
            "Draw only paths of these: labels (amod) or steps (<obj). [default: all]",
            metavar="REL,...",
            in_sql=False,
        ),
    ]
