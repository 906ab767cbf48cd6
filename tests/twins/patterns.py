"""The twin of patterns that find metadata (meaning.md 9): Python's regular expressions, text by text."""

import re
from collections.abc import Sequence


def found(regex: str, texts: Sequence[Sequence[str]]) -> tuple[dict[str, list[str | None]], list[int]]:
    """Return the values of each named group, one for each unit, and the units that have no text that matches.

    texts: those of each unit, a sentence or a document. Several values of one unit are one text, in order of the
    alphabet, each once.
    """
    compiled = re.compile(regex, re.ASCII)
    values: dict[str, list[str | None]] = {name: [] for name in compiled.groupindex}
    missed: list[int] = []
    for unit, own in enumerate(texts):
        matches = [match for text in own if (match := compiled.search(text))]
        if not matches:
            missed.append(unit)
        for name, column in values.items():
            distinct = sorted({match[name] for match in matches} - {None, ""})
            column.append("; ".join(distinct) or None)
    return values, missed
