"""The layout of a packed tree: ups above, downs below, no node over another.

Everything beyond a node is in a block of its own, a rectangle that nothing else enters. The blocks of one side of a
node stand in shelves; an edge leaves the node, runs along the shelf, and enters each block at its entry.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations

STEP = re.compile("[<>][^<>]+")


@dataclass(frozen=True)
class Context:
    """A lexeme at a node, and its weight. shares: the part of each word of a phrase, by the word's number."""

    lexeme: str
    weight: float
    shares: Mapping[int, float] = field(default_factory=dict)


@dataclass
class Node:
    """A node of a packed tree, seen from the anchor.

    path: from the anchor to it. contexts: the heaviest first. more: the number of contexts not shown. own: the words of
    the phrase's own tree at this node (the paper's internal context). title: the text above the contexts. ups, downs:
    the nodes one step farther from the anchor.
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
        """Return its last step, e.g. <obj; '' at the anchor."""
        return last_step(self.path)

    def __iter__(self) -> Iterator["Node"]:
        """Yield the nodes of the tree, each before those beyond it."""
        yield self
        for each in (*self.ups, *self.downs):
            yield from each


def prefixes(path: str) -> list[str]:
    """Return the paths to all nodes along a path, with ε and the path itself."""
    return ["", *(path[: step.end()] for step in STEP.finditer(path))]


def last_step(path: str) -> str:
    """Return the last step of a path; '' for ε."""
    steps = STEP.findall(path)
    return str(steps[-1]) if steps else ""


def tree_of(nodes: Sequence[Node]) -> Node:
    """Return the anchor with all other nodes below it."""
    by_path = {node.path: replace(node, ups=[], downs=[]) for node in nodes}
    for node in by_path.values():
        if step := node.step:
            before = by_path[node.path.removesuffix(step)]
            (before.ups if step.startswith("<") else before.downs).append(node)
    return by_path[""]


GAP = 14.0  # between blocks, side by side
BUS = 12.0  # from a node to the edge that goes along a shelf, and from there to the blocks
TRUNK = 12.0  # left of shelves, where the edge goes from one to the next
LABEL = 16.0  # the height of the label of an edge
NEAR = 1e-6  # lengths that are that near are the same
WIDER = 4.5  # how much wider than high shelves become, if they can

Size = Callable[[Node], tuple[float, float, float]]  # of a box and the label of its edge: width, height, label's width


@dataclass(frozen=True)
class Placed:
    """A node, and the top left corner of its box and label."""

    node: Node
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Line:
    """A part of an edge, vertical or horizontal; up: whether the edge goes up from the anchor."""

    x1: float
    y1: float
    x2: float
    y2: float
    up: bool


@dataclass
class Block:
    """The contents of a rectangle whose top left corner is 0, 0.

    entry: the horizontal position where its edge enters. middle: the middle of a node's shelves.
    """

    width: float = 0
    height: float = 0
    entry: float = 0
    middle: float = 0
    placed: list[Placed] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def put(self, other: "Block", x: float, y: float) -> None:
        """Insert the contents of another block at x, y."""
        self.placed += [Placed(p.node, p.x + x, p.y + y, p.width, p.height) for p in other.placed]
        self.lines += [Line(a.x1 + x, a.y1 + y, a.x2 + x, a.y2 + y, a.up) for a in other.lines]

    def line(self, x1: float, y1: float, x2: float, y2: float, *, up: bool) -> None:
        """Draw a part of an edge."""
        if (x1, y1) != (x2, y2):
            self.lines.append(Line(x1, y1, x2, y2, up))


def lay_out_tree(anchor: Node, size: Size) -> Block:
    """Return the whole tree as a block."""
    width, height, _ = size(anchor)
    above, below = shelves(anchor.ups, size, up=True), shelves(anchor.downs, size, up=False)
    whole, middle = under_one_another(width, above, below)
    whole.height = above.height + height + below.height
    put_area(whole, above, middle, 0, up=True)
    put_area(whole, below, middle, above.height + height, up=False)
    whole.placed.append(Placed(anchor, middle - width / 2, above.height, width, height))
    return whole


def under_one_another(width: float, *areas: Block) -> tuple[Block, float]:
    """Return a block wide enough for a box with areas above and below it, and its horizontal middle."""
    middle = max(width / 2, *(area.middle for area in areas))
    return Block(middle + max(width / 2, *(area.width - area.middle for area in areas))), middle


def put_area(block: Block, area: Block, middle: float, y: float, *, up: bool) -> None:
    """Insert the area of one side of a node, and draw the edge to it from the node's middle."""
    if area.placed:
        draw_edge_to_shelf(area, area.middle, area.height if up else 0, up=up)
        block.put(area, middle - area.middle, y)


def draw_edge_to_shelf(area: Block, at: float, edge: float, *, up: bool) -> None:
    """Draw the edge from a node, at the area's edge, to the line along its first shelf."""
    level = edge - BUS if up else edge + BUS
    area.line(at, edge, at, level, up=up)
    area.line(at, level, area.entry, level, up=up)


def shelves(nodes: Sequence[Node], size: Size, *, up: bool) -> Block:
    """Return the blocks of nodes on one side of another, in shelves.

    The entry is where the edge reaches the first shelf.
    """
    area = Block()
    if not nodes:
        return area
    blocks = [(block_above if up else block_below)(node, size) for node in nodes]
    rows = arrange_blocks_broadly(blocks)
    x = TRUNK if len(rows) > 1 else 0.0
    area.width = max(sum(block.width + GAP for block in row) - GAP for row in rows) + x
    area.height = sum(max(block.height for block in row) + 2 * BUS for row in rows)
    area.entry = 0.0 if len(rows) > 1 else rows[0][0].entry
    area.middle = area.entry if len(blocks) == 1 else area.width / 2
    level, levels = BUS, []  # how far the line along a shelf is from the node
    for row in rows:
        levels.append(level)
        put_row(area, row, x, level, up=up)
        level += max(block.height for block in row) + 2 * BUS
    area.line(0, flipped(levels[0], area, up), 0, flipped(levels[-1], area, up), up=up)
    return area


def put_row(area: Block, row: Sequence[Block], x: float, level: float, *, up: bool) -> None:
    """Insert the blocks of a shelf, from x on, with the line along it and the edges to their entries."""
    near, entries = level + BUS, []
    for block in row:
        area.put(block, x, area.height - near - block.height if up else near)
        entries.append(x + block.entry)
        area.line(entries[-1], flipped(level, area, up), entries[-1], flipped(near, area, up), up=up)
        x += block.width + GAP
    begin = min(area.entry, entries[0])
    area.line(begin, flipped(level, area, up), entries[-1], flipped(level, area, up), up=up)


def flipped(far: float, area: Block, up: bool) -> float:
    """Return a distance from the node as a distance from the top of the area."""
    return area.height - far if up else far


def arrange_blocks_broadly(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return blocks in rows, in order, so that together they are rather wider than high, and rows are about equal."""
    room = sum((block.width + GAP) * (block.height + 2 * BUS) for block in blocks)
    widest = max(math.sqrt(room * WIDER), *(block.width for block in blocks))
    rows = arrange_blocks_in_width(blocks, widest)
    ends = [0.0, *accumulate(block.width + GAP for block in blocks)]
    widths = sorted({end - begin - GAP for begin, end in combinations(ends, 2) if end - begin - GAP <= widest})
    fewest = bisect_left(widths, True, key=lambda width: len(arrange_blocks_in_width(blocks, width)) <= len(rows))
    return arrange_blocks_in_width(blocks, widths[fewest]) if fewest < len(widths) else rows


def arrange_blocks_in_width(blocks: Sequence[Block], widest: float) -> list[list[Block]]:
    """Return blocks in rows, in order, as many in each as fit."""
    rows: list[list[Block]] = [[]]
    along = 0.0
    for block in blocks:
        if rows[-1] and along + block.width > widest + NEAR:
            rows.append([])
            along = 0.0
        rows[-1].append(block)
        along += block.width + GAP
    return rows


def block_below(node: Node, size: Size) -> Block:
    """Return the block of a node below another, with all nodes below it."""
    width, height, _ = size(node)
    area = shelves(node.downs, size, up=False)
    block, middle = under_one_another(width, area)
    block.height, block.entry = height + area.height, middle
    block.placed.append(Placed(node, middle - width / 2, 0, width, height))
    put_area(block, area, middle, height, up=False)
    return block


def block_above(node: Node, size: Size) -> Block:
    """Return the block of a node above another, with all nodes above it, and its downs beside the edge."""
    width, height, label = size(node)
    above, below = shelves(node.ups, size, up=True), shelves(node.downs, size, up=False)
    block, middle = under_one_another(width, above)
    block.height, block.entry = above.height + height + below.height, middle
    left, bottom = middle - width / 2, above.height + height
    block.placed.append(Placed(node, left, above.height, width, height))
    put_area(block, above, middle, 0, up=True)
    if below.placed:
        # The edge enters at the left of the label, and the one to the downs leaves at the right of it.
        block.entry = left + min(TRUNK, label / 2)
        beside, leaves = block.entry + GAP, left + width - TRUNK
        block.width = max(block.width, beside + below.width)
        block.line(block.entry, bottom, block.entry, block.height, up=True)
        block.line(leaves, bottom - LABEL, leaves, bottom, up=False)
        draw_edge_to_shelf(below, leaves - beside, 0, up=False)
        block.put(below, beside, bottom)
    return block
