"""How wide texts are. Nobody knows the reader's font, so each letter is taken as wide as in the wider usual ones."""

import unicodedata

FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
# Hundredths of the size of the font, from the space to the tilde, of DejaVu Sans, the widest of them.
WIDTHS = (
    32, 41, 47, 84, 64, 95, 78, 28, 41, 41, 50, 84, 34, 37, 34, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 36, 36,
    84, 84, 84, 53, 100, 70, 69, 70, 77, 63, 61, 77, 75, 33, 33, 70, 57, 90, 75, 79, 66, 79, 69, 65, 61, 73, 70, 99,
    69, 65, 69, 41, 34, 41, 84, 50, 50, 61, 64, 55, 64, 62, 39, 64, 64, 31, 31, 60, 31, 97, 64, 62, 64, 64, 44, 54,
    43, 64, 59, 83, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
FIRST = 32
OTHER, FULL = 85, 110  # any other letter, and one that is as wide as high
BOLDER = 1.12  # how much wider texts in bold are
WITHOUT_WIDTH = ("Mn", "Me", "Cf")


def letter_width(letter: str) -> int:
    """How wide a letter is, in hundredths of the size of the font."""
    place = ord(letter) - FIRST
    if 0 <= place < len(WIDTHS):
        return WIDTHS[place]
    if unicodedata.category(letter) in WITHOUT_WIDTH:
        return 0
    return FULL if unicodedata.east_asian_width(letter) in "WF" or place > ord("\uffff") else OTHER


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is at most, in the unit of the size of its font."""
    return sum(map(letter_width, text)) * size / 100 * (BOLDER if bold else 1)


def fitting(text: str, size: float, widest: float) -> str:
    """As much of a text as fits, with … where something is left out."""
    if width_of(text, size) <= widest:
        return text
    kept = ""
    for letter in text:
        if width_of(f"{kept}{letter}…", size) > widest:
            break
        kept += letter
    return f"{kept}…"
