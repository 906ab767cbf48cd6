"""A packed tree as lines of text, for a terminal."""

import math
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from aptdb.display import on_one_line
from aptdb.pictures.packed_tree import Node

ANCHOR = "anchor"


def text_tree(anchor: Node, width: float = math.inf) -> str:
    """A line for each node, below the one that it hangs on: the step to it, and as many contexts as fit."""
    return "\n".join(lines(anchor, width))


def lines(node: Node, width: float, before: str = "", below: str = "") -> Iterator[str]:
    """The lines of a tree. before: what stands before its first line. below: before those of the nodes beyond it."""
    step = f"{'↑' if node.step.startswith('<') else '↓'}{on_one_line(node.step[1:])}" if node.step else ANCHOR
    contexts = [f"{on_one_line(each.lexeme)} {each.weight:.2f}" for each in node.contexts]
    yield with_contexts(f"{before}{step} ", contexts, node.more, width)
    beyond = [*node.ups, *node.downs]
    for place, each in enumerate(beyond, 1):
        branch, further = ("└─ ", "   ") if place == len(beyond) else ("├─ ", "│  ")
        yield from lines(each, width, below + branch, below + further)


def with_contexts(line: str, contexts: Sequence[str], more: int, width: float) -> str:
    """A line with as many contexts as fit, one at least, and the number of the others."""
    said = line
    for place, context in enumerate(contexts):
        left = more + len(contexts) - place - 1
        longer = f"{said} {context}{',' if left else ''}"
        if place and cell_len(f"{longer} +{left:,}" if left else longer) > width:
            return f"{said} +{left + 1:,}"
        said = longer
    return f"{said} +{more:,}" if more else said.rstrip()
