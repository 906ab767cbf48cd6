"""Pictures as lines of text for a terminal: bars, and packed trees."""

import math
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from aptdb.core.one_line import on_one_line
from aptdb.pictures.layout import Node

LONGEST, SHORTEST = 40, 5  # bars, in letters
FULL, SHADE, EIGHTHS = "█", "░", " ▏▎▍▌▋▊▉"


def text_bars(blocks: Sequence[tuple[str, Sequence[tuple[str, float | None]]]], width: float) -> str:
    """Return blocks of bars as lines, each block below its heading, in a number of columns."""
    named = [(on_one_line(name), value) for _, bars in blocks for name, value in bars]
    widest = max((cell_len(name) for name, _ in named), default=0)
    values = [format_four_digits(value) for _, value in named]
    digits = max(map(len, values), default=0)
    most = max((abs(value) for _, value in named if value is not None), default=0.0)
    room = int(max(SHORTEST, min(LONGEST, width - widest - digits - 3)))
    lines = []
    for heading, bars in blocks:
        lines += [heading] if heading else []
        for name, value in bars:
            text = on_one_line(name)
            filled, bar = text + " " * (widest - cell_len(text)), draw_text_bar(value, most, room)
            lines.append(f"{filled}  {format_four_digits(value):>{digits}} {bar}".rstrip())
    return "\n".join(lines)


def format_four_digits(value: float | None) -> str:
    """Return a value with four digits, or a whole number; '' for None."""
    if value is None:
        return ""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4f}"


def draw_text_bar(value: float | None, most: float, room: int) -> str:
    """Return the bar of a value, in eighths of a character; shaded for negative values."""
    if value is not None and value < 0:
        return SHADE * round(-value / most * room)
    eighths = round(abs(value or 0.0) / most * room * len(EIGHTHS)) if most else 0
    return FULL * (eighths // len(EIGHTHS)) + EIGHTHS[eighths % len(EIGHTHS)].strip()


ANCHOR = "anchor"


def text_tree(anchor: Node, width: float = math.inf) -> str:
    """Return a line for each node below its parent: its step, and as many contexts as fit."""
    return "\n".join(draw_text_tree(anchor, width))


def draw_text_tree(node: Node, width: float, before: str = "", below: str = "") -> Iterator[str]:
    """Yield the lines of a tree. before: the text before its first line.

    below: the text before the lines of the nodes beyond it.
    """
    step = f"{'↑' if node.step.startswith('<') else '↓'}{on_one_line(node.step[1:])}" if node.step else ANCHOR
    contexts = [f"{on_one_line(each.lexeme)} {each.weight:.2f}" for each in node.contexts]
    yield with_contexts(f"{before}{step} ", contexts, node.more, width)
    beyond = [*node.ups, *node.downs]
    for place, each in enumerate(beyond, 1):
        branch, further = ("└─ ", "   ") if place == len(beyond) else ("├─ ", "│  ")
        yield from draw_text_tree(each, width, below + branch, below + further)


def with_contexts(line: str, contexts: Sequence[str], more: int, width: float) -> str:
    """Return a line with as many contexts as fit, at least one, and the number of the others."""
    shown_line = line
    for place, context in enumerate(contexts):
        left = more + len(contexts) - place - 1
        longer = f"{shown_line} {context}{',' if left else ''}"
        if place and cell_len(f"{longer} +{left:,}" if left else longer) > width:
            return f"{shown_line} +{left + 1:,}"
        shown_line = longer
    return f"{shown_line} +{more:,}" if more else shown_line.rstrip()
