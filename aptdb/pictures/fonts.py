"""Fonts of the machine for letters that the usual font of charts lacks: those of most scripts."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure
BOXES = "Last Resort"  # a font that has a box for every letter


def find_letters(figure: "Figure") -> None:
    """Let each text of a figure take the letters that its font lacks from other fonts that the machine has."""
    from matplotlib.text import Text

    texts: list[Text] = [each for each in figure.findobj(Text) if isinstance(each, Text)]
    lacking = {letter for each in texts for letter in each.get_text() if not has(usual_font(), letter)}
    if not lacking:
        return
    families = ["sans-serif", *fonts_with(frozenset(lacking))]
    for each in texts:
        if lacking & {*each.get_text()}:
            each.set_fontfamily(families)


@cache
def fonts_with(letters: frozenset[str]) -> Sequence[str]:
    """Return names of fonts that together have most of some letters: first the one that has the most of them."""
    return chosen({name: {each for each in letters if has(file, each)} for name, file in installed()})


def chosen(having: "dict[str, set[str]]") -> Sequence[str]:
    """Return the fonts of which each has letters that those before lack.

    Having: the letters that each of some fonts has.
    """
    found: list[str] = []
    left = {each for letters in having.values() for each in letters}
    while left:
        best = max(having, key=lambda name: (len(having[name] & left), name))
        found.append(best)
        left -= having[best]
    return found


@cache
def installed() -> Sequence[tuple[str, str]]:
    """Return the names of the fonts of this machine, each with a file of it."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {each.fname for each in fontManager.ttflist}
    for file in {*findSystemFonts()} - known:  # it remembers those that were there when it was first used
        with suppress(OSError, RuntimeError):
            fontManager.addfont(file)
    upright = [each for each in fontManager.ttflist if each.style == "normal" and BOXES not in each.name]
    return [*{each.name: each.fname for each in sorted(upright, key=weight_of, reverse=True)}.items()]


def weight_of(font: object) -> int:
    """Return how far the strokes of a font are from the usual ones; the nearest come last."""
    weight = getattr(font, "weight", 400)
    usual, bold = 400, 700
    return abs(weight - usual) if isinstance(weight, int) else (0 if weight in ("normal", "regular") else bold - usual)


@cache
def usual_font() -> str:
    """Return the file of the font that charts have."""
    from matplotlib.font_manager import FontProperties, findfont

    return str(findfont(FontProperties(family=["sans-serif"])))


def has(file: str, letter: str) -> bool:
    """Return whether the font in a file has a letter; white space is always there."""
    return letter.isspace() or ord(letter) in letters_of(file)


@cache
def letters_of(file: str) -> Iterable[int]:
    """Return the letters that the font in a file has; none if it cannot be read."""
    from matplotlib.ft2font import FT2Font

    try:
        return FT2Font(file).get_charmap().keys()
    except (OSError, RuntimeError):
        return ()
