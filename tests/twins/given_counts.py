"""Lines of counts, one after another: the first that is wrong, or else what they sum to."""

import re
from collections import Counter

from twins.paths import inverse, is_valid, order

Line = tuple[str, str, str, str]


def first_wrong(lines: list[Line], longest: int) -> int | None:
    """Return the number of the first line that is no count or, if all are, that is not symmetric; None if none is."""
    for number, (lexeme, path, context, count) in enumerate(lines, 1):
        reduced = "" if path == "ε" else path
        named = all(len(parts := each.rpartition("/")) == 3 and parts[0] and parts[2] for each in (lexeme, context))
        names = [*re.split("[<>]", path), *(part for each in (lexeme, context) for part in each.rpartition("/"))]
        if (
            not named
            or any(each != each.strip() for each in names)
            or not is_valid(reduced)
            or order(reduced) > longest
            or not count.isdecimal()
            or int(count) < 1
        ):
            return number
    summed = sums(lines)
    for number, (lexeme, path, context, _) in enumerate(lines, 1):
        reduced = "" if path == "ε" else path
        if summed[lexeme, reduced, context] != summed[context, inverse(reduced), lexeme]:
            return number
    return None


def sums(lines: list[Line]) -> Counter[tuple[str, str, str]]:
    """Return the count of each co-occurrence."""
    summed: Counter[tuple[str, str, str]] = Counter()
    for lexeme, path, context, count in lines:
        summed[lexeme, "" if path == "ε" else path, context] += int(count)
    return summed
