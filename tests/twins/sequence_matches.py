"""Matches of queries for sequences in CQL, found by trying every way to go on, token by token."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

from twins.tree_matches import Word, passes, value_of

# A part: ("token", test, label or ""), ("series", parts), ("either", parts), ("times", part, fewest, most or None),
# ("<s>",) or ("</s>",). A test: ("test", attribute, value, negated), ("and", tests), ("or", tests), ("not", test) or
# ("any",).
Part = tuple[Any, ...]
Way = tuple[int, tuple[tuple[str, int], ...]]  # where it comes to, and the places of labels


def written_test(test: Part) -> str:
    """A test of a token as text."""
    kind, *given = test
    if kind == "any":
        return ""
    if kind == "test":
        attribute, value, negated = given
        return f'{attribute}{"!=" if negated else "="}"{value}"'
    if kind == "not":
        return f"!({written_test(given[0])})"
    return "(" + {"and": " & ", "or": " | "}[kind].join(map(written_test, given[0])) + ")"


def written(part: Part) -> str:
    """A part of a query as text."""
    kind, *given = part
    if kind == "token":
        return f"{f'{given[1]}:' if given[1] else ''}[{written_test(given[0])}]"
    if kind == "series":
        return "(" + " ".join(map(written, given[0])) + ")"
    if kind == "either":
        return "(" + " | ".join(map(written, given[0])) + ")"
    if kind == "times":
        inner, fewest, most = given
        return f"({written(inner)})" + f"{{{fewest},{'' if most is None else most}}}"
    return str(kind)


def holds(test: Part, word: Word) -> bool:
    """Whether a token passes a test."""
    kind, *given = test
    if kind == "test":
        attribute, value, negated = given
        return passes(word, {"attribute": attribute, "value": value, "not": negated})
    if kind == "not":
        return not holds(given[0], word)
    if kind == "or":
        return any(holds(each, word) for each in given[0])
    return kind == "any" or all(holds(each, word) for each in given[0])


def ways(part: Part, sentence: Sequence[Word], way: Way) -> Iterator[Way]:
    """The ways to match a part from a place on; what is repeated without a token is not repeated again."""
    kind, *given = part
    place, labels = way
    if kind == "token" and place < len(sentence) and holds(given[0], sentence[place]):
        kept = {name: at for name, at in labels if name != given[1]} | ({given[1]: place} if given[1] else {})
        yield place + 1, tuple(sorted(kept.items()))
    if kind == "<s>" and place == 0:
        yield way
    if kind == "</s>" and place == len(sentence):
        yield way
    if kind == "either":
        yield from {found for each in given[0] for found in ways(each, sentence, way)}
    if kind == "series":
        found = {way}
        for each in given[0]:
            found = {further for one in found for further in ways(each, sentence, one)}
        yield from found
    if kind == "times":
        inner, fewest, most = given
        found = {way}
        for _ in range(fewest):
            found = {further for one in found for further in ways(inner, sentence, one)}
        whole, number = set(found), fewest
        while found and (most is None or number < most):
            found = {further for one in found for further in ways(inner, sentence, one)} - whole
            whole, number = whole | found, number + 1
        yield from whole


def stretches(query: Part, same: Sequence[tuple[str, str, bool]], sentence: Sequence[Word]) -> set[tuple[int, int]]:
    """All stretches of a sentence that match, by their first and last place. same: label.attribute twice, negated."""

    def is_same(labels: dict[str, int], one: str, other: str, *, negated: bool) -> bool:
        sides = [side.partition(".") for side in (one, other)]
        values = [value_of(sentence[labels[name]], key) if name in labels else None for name, _, key in sides]
        return (None not in values and values[0] == values[1]) != negated

    return {
        (begin, end - 1)
        for begin in range(len(sentence))
        for end, labels in ways(query, sentence, (begin, ()))
        if end > begin and all(is_same(dict(labels), one, other, negated=negated) for one, other, negated in same)
    }


def taken(found: set[tuple[int, int]], strategy: str) -> list[tuple[int, int]]:
    """The stretches that a strategy takes."""
    nearest = {(begin, min(end for start, end in found if start == begin)) for begin, _ in found}
    if strategy == "standard":
        return sorted({(min(begin for begin, last in nearest if last == end), end) for _, end in nearest})
    if strategy == "all":
        return sorted(found)
    inside = [(one, other) for one, other in combinations_with_replacement(sorted(found), 2) if one != other]
    nested = {
        pair
        for one, other in inside
        for pair in (
            [(one, other)] if one[0] >= other[0] and one[1] <= other[1] else [(other, one)]
            if other[0] >= one[0] and other[1] <= one[1] else []
        )
    }  # fmt: skip
    lesser, greater = {one for one, _ in nested}, {other for _, other in nested}
    return sorted(found - (greater if strategy == "shortest" else lesser))


def matches(
    query: Part, same: Sequence[tuple[str, str, bool]], strategy: str, sentences: Sequence[Sequence[Word]]
) -> list[tuple[int, int, int]]:
    """The matches in all sentences: the number of the sentence, the first and the last position."""
    return sorted(
        (number, begin + 1, end + 1)
        for number, sentence in enumerate(sentences, 1)
        for begin, end in taken(stretches(query, same, sentence), strategy)
    )
