"""Bars in a terminal: a line each, with its name, its value, and a bar as long as that."""

from collections.abc import Sequence

from rich.cells import cell_len

from aptdb.display import on_one_line

LONGEST, SHORTEST = 40, 5  # bars, in letters
FULL, SHADE, EIGHTHS = "█", "░", " ▏▎▍▌▋▊▉"


def text_bars(blocks: Sequence[tuple[str, Sequence[tuple[str, float | None]]]], width: float) -> str:
    """Blocks of bars, each below its heading, in so many columns."""
    named = [(on_one_line(name), value) for _, bars in blocks for name, value in bars]
    widest = max((cell_len(name) for name, _ in named), default=0)
    values = [shown(value) for _, value in named]
    digits = max(map(len, values), default=0)
    most = max((abs(value) for _, value in named if value is not None), default=0.0)
    room = int(max(SHORTEST, min(LONGEST, width - widest - digits - 3)))
    lines = []
    for heading, bars in blocks:
        lines += [heading] if heading else []
        for name, value in bars:
            text = on_one_line(name)
            lines.append(
                f"{text}{' ' * (widest - cell_len(text))}  {shown(value):>{digits}} {bar(value, most, room)}".rstrip()
            )
    return "\n".join(lines)


def shown(value: float | None) -> str:
    """A value in four digits, or a whole number; nothing if there is none."""
    if value is None:
        return ""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4f}"


def bar(value: float | None, most: float, room: int) -> str:
    """The bar of a value, in eighths of a letter; below zero it is shaded."""
    if value is not None and value < 0:
        return SHADE * round(-value / most * room)
    eighths = round(abs(value or 0.0) / most * room * len(EIGHTHS)) if most else 0
    return FULL * (eighths // len(EIGHTHS)) + EIGHTHS[eighths % len(EIGHTHS)].strip()
