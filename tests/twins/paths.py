"""The twin of paths (meaning.md 2; paper 2.1)."""

from itertools import pairwise

TURNED = str.maketrans("<>", "><")  # a step walked the other way, the paper's overline


def steps(path: str) -> list[str]:
    """Return the steps of a path's text, one `<r` or `>r` for each edge walked (meaning.md 1)."""
    text = "" if path == "ε" else path
    starts = [i for i, character in enumerate(text) if character in "<>"]
    found = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    if "".join(found) != text or "<" in found or ">" in found:
        raise ValueError(f"not a path: {path!r}")
    return found


def cancelled(walk: list[str]) -> list[str]:
    """Strike an adjacent complementary pair of steps until there is none (paper, equation of the reduced type)."""
    for i, (step, following) in enumerate(pairwise(walk)):
        if following == step.translate(TURNED):
            return cancelled(walk[:i] + walk[i + 2 :])
    return walk


def reduce(path: str) -> str:
    """Return the path without complementary neighbours (meaning.md 2.1)."""
    return "".join(cancelled(steps(path)))


def inverse(path: str) -> str:
    """Return the steps reversed, each turned round (meaning.md 2.1)."""
    return "".join(reversed(steps(path))).translate(TURNED)


def offset(path: str, delta: str) -> str | None:
    """Return reduced (inverse delta . path), None where it is no path: the node is dropped (paper 4.2, end)."""
    moved = cancelled(steps(inverse(delta)) + steps(path))
    up_after_down = any(step[0] == ">" and following[0] == "<" for step, following in pairwise(moved))
    return None if up_after_down else "".join(moved)


def order(path: str) -> int:
    """Return the number of steps of the reduced path (meaning.md 2.1)."""
    return len(cancelled(steps(path)))


def is_valid(path: str) -> bool:
    """Say whether the text is well formed, reduced, ups before downs: offset by ε keeps it (meaning.md 2.1)."""
    try:
        return offset(path, "") == "".join(steps(path))
    except ValueError:
        return False
