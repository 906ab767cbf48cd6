"""Text on one line of a terminal."""

import re
from collections.abc import Sequence

# What would break a line, what a terminal would obey instead of showing it (escapes, and what turns the direction of
# the text that follows), and what nothing can write: halves of surrogate pairs.
NOT_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

# Half of a surrogate pair: Python has one for each byte of a file's name that is not UTF-8.
HALF_PAIR = re.compile("[\ud800-\udfff]")
LONGEST_NAME = re.compile(r"[^\s/]{256,}")  # longer than what a file can be called, so a path is shown whole
LONGEST_MESSAGE = 2_000  # characters


def shorten_message(text: str) -> str:
    """Return a message without the middle of long values and, if it is then still long, without its own."""
    text = LONGEST_NAME.sub(lambda found: shorten_middle(found[0], 100), text)
    return shorten_middle(text, LONGEST_MESSAGE)


def shorten_middle(text: str, most: int) -> str:
    """Return a text of at most a number of characters: its beginning and its end, where it is longer."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[1 - most // 2 :]}"


def name_first(names: Sequence[str], most: int) -> str:
    """Return the first of some names, at most so many, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def on_one_line(text: str) -> str:
    """Return a text on one line; characters that a terminal would obey are written as Python escapes them."""
    return NOT_SHOWN.sub(escape_character, text)


def escape_bytes(name: str) -> str:
    r"""Return the name of a file with `\xe9` for each byte E9 that is not UTF-8; the rest stays as it is."""
    return HALF_PAIR.sub(escape_character, name)


def escape_character(found: re.Match[str]) -> str:
    """Return a character as Python escapes it, or the byte that it stands for."""
    character = found[0]
    is_byte = "\udc80" <= character <= "\udcff"
    return rf"\x{character.encode(errors='surrogateescape')[0]:02x}" if is_byte else ascii(character)[1:-1]
