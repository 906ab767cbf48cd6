"""What the words of a phrase have to do with its APT: where they stand in it, and what each brings."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from aptdb.errors import AptWarning, QuestionError, warn
from aptdb.phrase import Word
from aptdb.pictures.choice import apt_query, node_of
from aptdb.pictures.packed_tree import Context, Node, prefixes
from aptdb.questions.answers import answer
from aptdb.questions.ask import asked_in
from aptdb.questions.calls import call
from aptdb.store.literals import SqlText, literal
from aptdb.store.session import Session
from aptdb.store.statements import statement

# What is about the words together: one of them by itself has none of it.
OF_ALL_WORDS = ("anchor", "context", "head_weight", "merge", "strategy")


def own_nodes(session: Session, words: Sequence[Word], given: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The words of a phrase by the node where they stand, seen from the anchor; and the nodes on the way, without."""
    aligned = is_aligned(given)
    placed = [word if aligned else {**word, "delta": ""} for word in words]
    values = {"words": json.dumps(placed), "seen_from": seen_from(words, given)}
    found: dict[str, tuple[str, ...]] = {}
    for lexeme, path in session.ask(statement("pictures/own_nodes"), values).rows:
        if path is not None:  # else no path leads there from the anchor
            for before in prefixes(path):
                found.setdefault(before, ())
            found[path] = (*found[path], lexeme)
    return found


def is_aligned(given: Mapping[str, Any]) -> bool:
    """Whether words are offset before they merge. Raises QuestionError for what is no bool."""
    aligned = given.get("aligned")
    if not isinstance(aligned, bool | None):
        raise QuestionError(f"aligned is {aligned!r:.60}; it is True or False")
    return aligned is not False


def seen_from(words: Sequence[Word], given: Mapping[str, Any]) -> str:
    """The path from the anchor's word to the root's. Raises QuestionError for an anchor that is no number."""
    anchor = given.get("anchor") or 0
    if not isinstance(anchor, int) or isinstance(anchor, bool):
        raise QuestionError(f"anchor is {anchor!r:.60}; it is the number of a word, or 0")
    return words[anchor - 1]["delta"] if is_aligned(given) and 0 < anchor <= len(words) else ""


def alone(given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that a word by itself has, too."""
    return {name: value for name, value in given.items() if name not in OF_ALL_WORDS}


def can_be_alone(given: Mapping[str, Any]) -> bool:
    """Whether it can be told what a word brings by itself.

    Offset inference asks about the phrase's root, and compose-first weighs what is composed already.
    """
    return not str(given.get("smooth", "")).startswith("offset") and given.get("pipeline") != "compose-first"


def with_shares(session: Session, words: Sequence[Word], nodes: Sequence[Node], given: Mapping[str, Any]) -> list[Node]:
    """The same nodes, with how much of each weight each word brings. Warns where that cannot be told."""
    if not can_be_alone(given):
        how = "smooth := 'offset:N'" if given.get("pipeline") != "compose-first" else "pipeline := 'compose-first'"
        warn(f"no colours: under {how} it cannot be told what a word brings by itself", AptWarning)
        return [*nodes]
    asked, rows = asked_in({str(number): [word] for number, word in enumerate(words, 1)})
    query = statement(
        "pictures/shares",
        query=SqlText(f"{asked} FROM {call('compose_each', ['asked'], alone(given))}"),
        back=way_back(words, given),
    )
    drawn = [{"path": node.path, "context": each.lexeme} for node in nodes for each in node.contexts]
    values = {"questions": json.dumps(rows), "drawn": json.dumps(drawn)}
    shares: dict[tuple[str, str], dict[int, float]] = {}
    for number, path, context, weight in session.ask(query, values).rows:
        shares.setdefault((path, context), {})[number] = weight * factor_of(words[number - 1], given)

    def shared(node: Node) -> Node:
        contexts = [replace(each, shares=shares.get((node.path, each.lexeme), {})) for each in node.contexts]
        return replace(node, contexts=contexts)

    return [shared(node) for node in nodes]


def factor_of(word: Word, given: Mapping[str, Any]) -> float:
    """By how much the weights of a word are multiplied before they merge: head_weight says it of the root's word."""
    of_root = float(given.get("head_weight") or 0.5)
    return 2 * (of_root if word["delta"] == "" else 1 - of_root)


def way_back(words: Sequence[Word], given: Mapping[str, Any]) -> SqlText:
    """The path from the root's word to the anchor, in SQL."""
    return SqlText(f"path_inverse({literal(seen_from(words, given))})")


def moved(
    session: Session, words: Sequence[Word], number: int, like: Sequence[Node], top: int, given: Mapping[str, Any]
) -> list[Node]:
    """The APT of a word, moved to the anchor of its phrase, at the nodes where the phrase's own APT is drawn."""
    word, own = [words[number - 1]], alone(given)
    query = statement("pictures/contexts", query=apt_query(word, own), back=way_back(words, given), top=top)
    rows = answer(session, query, own, {"paths": [node.path for node in like]}, asked=[word]).rows
    found: dict[str, list[tuple[str, float]]] = {}
    numbers: dict[str, int] = {}
    for path, contexts, context, weight in rows:
        found.setdefault(path, []).append((context, weight))
        numbers[path] = contexts
    return [
        in_colour(replace(node_of(path, found.get(path, []), numbers.get(path, 0)), own=own_word), number)
        for path, own_word in ((node.path, node.own) for node in like)
    ]


def in_colour(node: Node, number: int) -> Node:
    """A node all of whose weights one word brings."""
    return replace(
        node, contexts=[Context(each.lexeme, each.weight, {number: abs(each.weight)}) for each in node.contexts]
    )
