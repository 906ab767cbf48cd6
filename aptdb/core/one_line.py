"""Text on one line of a terminal."""

import re

# What would break a line, what a terminal would obey instead of showing it (escapes, and what turns the direction of
# the text that follows), and what nothing can write: halves of surrogate pairs.
NOT_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def on_one_line(text: str) -> str:
    """Return a text on one line; characters that a terminal would obey are written as Python escapes them."""
    return NOT_SHOWN.sub(lambda found: ascii(found[0])[1:-1], text)
