"""Matches of a pattern (its JSON, as Python reads it) in trees, found by trying every token for every node."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Word = Mapping[str, Any]  # position, form, lemma, upos, xpos, feats, head, deprel, deps, misc, lexeme
Found = dict[str, Word]
Pattern = Mapping[str, Any]


def value_of(word: Word, attribute: str) -> str | None:
    """The value of an attribute, also of one key of FEATS or MISC."""
    column, _, key = attribute.partition(".")
    if not key:
        value = word["form" if column == "word" else column]
        return None if value is None else str(value)
    items = [each.partition("=") for each in str(word[column] or "").split("|")]
    return next((value for name, equals, value in items if name == key and equals), None)


def passes(word: Word, test: Mapping[str, Any]) -> bool:
    """Whether a token passes a test: of FEATS or MISC, all or one of them. Capitals make no difference in forms."""
    value = value_of(word, test["attribute"])
    flags = re.IGNORECASE if test["attribute"] in ("form", "word") else 0
    values = [] if value is None else [value]
    if test["attribute"] in ("feats", "misc"):
        values += [] if value is None else value.split("|")
    return any(re.fullmatch(test["value"], each, flags) for each in values) != bool(test.get("not"))


def holds(block: Pattern, found: Found) -> bool:
    """Whether all links and comparisons of a block hold."""
    return (
        all(is_edge(found[each["head"]], found[each["dependent"]], each) for each in block.get("edges", []))
        and all(is_order(found[each["first"]], found[each["then"]], each) for each in block.get("order", []))
        and all(is_same(found, each) for each in block.get("same", []))
    )


def is_edge(head: Word, dependent: Word, edge: Mapping[str, Any]) -> bool:
    """Whether one token is the head of another, along such a relation."""
    if edge.get("enhanced"):
        arcs = [each.partition(":") for each in str(dependent["deps"] or "").split("|")]
        relations = [relation for number, _, relation in arcs if number == str(head["position"])]
    else:
        relations = [dependent["deprel"]] if dependent["head"] == head["position"] else []
    wanted = edge.get("relation")
    return any(wanted is None or bool(re.fullmatch(wanted, each)) != bool(edge.get("not")) for each in relations)


def is_order(first: Word, then: Word, order: Mapping[str, Any]) -> bool:
    """Whether one token stands before another, or just before it."""
    away = int(then["position"]) - int(first["position"])
    return away == 1 if order.get("next") else away > 0


def is_same(found: Found, same: Mapping[str, Any]) -> bool:
    """Whether two values are the same, or are not where they must not be."""
    (one, _, left), (other, _, right) = same["left"].partition("."), same["right"].partition(".")
    values = [value_of(found[one], left), value_of(found[other], right)]
    if left == right == "form":  # capitals make no difference in forms
        values = [value and value.lower() for value in values]
    return (None not in values and values[0] == values[1]) != bool(same.get("not"))


def extended(block: Pattern, sentence: Sequence[Word], found: Found) -> Iterator[Found]:
    """All ways to find the nodes of a block in a sentence, beside those found; different nodes are different tokens."""

    known = () if block.get("shared") else [*found.values()]
    others = {*found}

    def add(nodes: Sequence[Mapping[str, Any]], found: Found) -> Iterator[Found]:
        if not nodes:
            if holds(block, found):
                yield found
            return
        for word in sentence:
            tests = nodes[0].get("tests", [])
            taken = [*known, *(each for name, each in found.items() if name not in others)]
            if word in taken or not all(any(passes(word, test) for test in clause) for clause in tests):
                continue
            yield from add(nodes[1:], {**found, nodes[0]["name"]: word})

    new = [node for node in block.get("nodes", []) if node["name"] not in found]
    said = [(found[node["name"]], node.get("tests", [])) for node in block.get("nodes", []) if node["name"] in found]
    if all(any(passes(word, test) for test in clause) for word, tests in said for clause in tests):
        yield from add(new, found)


def matches(pattern: Pattern, sentences: Sequence[Sequence[Word]]) -> list[tuple[int, ...]]:
    """The matches in all sentences: the number of the sentence, then the positions of the nodes."""
    return sorted(
        (number, *(found[node["name"]]["position"] for node in pattern["nodes"]))
        for number, sentence in enumerate(sentences, 1)
        for found in extended(pattern, sentence, {})
        if not any(next(extended(block, sentence, found), None) for block in pattern.get("without", []))
    )
