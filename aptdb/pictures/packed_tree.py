"""A packed tree that is to be drawn: its nodes, each with its heaviest contexts (the paper's section 2.3)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

STEP = re.compile("[<>][^<>]+")


@dataclass(frozen=True)
class Context:
    """A lexeme at a node, and its weight. shares: how much of it each word of a phrase brings, by the word's number."""

    lexeme: str
    weight: float
    shares: Mapping[int, float] = field(default_factory=dict)


@dataclass
class Node:
    """A node of a packed tree, seen from the anchor.

    path: from the anchor to it. contexts: the heaviest first. more: how many others it has. own: the words of the
    phrase's own tree that stand here (the paper's internal context). title: what is written above the contexts. ups,
    downs: the nodes one step farther from the anchor.
    """

    path: str
    contexts: Sequence[Context] = ()
    more: int = 0
    own: tuple[str, ...] = ()
    title: str = ""
    ups: list["Node"] = field(default_factory=list)
    downs: list["Node"] = field(default_factory=list)

    @property
    def step(self) -> str:
        """The step that leads to it, e.g. <obj; nothing at the anchor."""
        return last_step(self.path)

    def __iter__(self) -> Iterator["Node"]:
        """The nodes of the tree, each before those beyond it."""
        yield self
        for each in (*self.ups, *self.downs):
            yield from each


def prefixes(path: str) -> list[str]:
    """The paths to all nodes on the way along a path, ε and itself among them."""
    return ["", *(path[: step.end()] for step in STEP.finditer(path))]


def last_step(path: str) -> str:
    """The last step of a path; nothing of ε."""
    steps = STEP.findall(path)
    return str(steps[-1]) if steps else ""


def tree_of(nodes: Sequence[Node]) -> Node:
    """The anchor, with all others where they belong; each stands after the node that leads to it."""
    by_path = {node.path: replace(node, ups=[], downs=[]) for node in nodes}
    for node in by_path.values():
        if step := node.step:
            before = by_path[node.path.removesuffix(step)]
            (before.ups if step.startswith("<") else before.downs).append(node)
    return by_path[""]
