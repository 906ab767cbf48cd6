"""What is drawn of an APT: which nodes, and which contexts at each."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from aptdb.errors import QuestionError
from aptdb.parameters.declare import declared
from aptdb.parameters.pictures import Drawn
from aptdb.parameters.weights import SCHEMES
from aptdb.pictures.packed_tree import Context, Node
from aptdb.questions.answers import answer
from aptdb.questions.calls import call
from aptdb.store.literals import SqlText, literal
from aptdb.store.session import Session
from aptdb.store.statements import statement

MOST = 1_000_000  # of anything; no APT has so many


@dataclass(frozen=True)
class Choice:
    """top: how many contexts at a node. max_nodes: how many nodes. order: steps of a path. relations: its labels."""

    top: int
    max_nodes: int
    order: int | None
    relations: Sequence[str] | None


def choice_of(session: Session, given: dict[str, Any]) -> Choice:
    """What parameters say of it, which are taken out of them. Raises QuestionError for what cannot be."""
    known = declared(Drawn)
    found = {name: given.pop(name, None) for name in Choice.__dataclass_fields__}
    for name in ("top", "max_nodes", "order"):
        value = found[name] = known[name].default if found[name] is None else found[name]
        least = int(known[name].least or 0)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise QuestionError(f"{name} is {value!r:.60}; it is a whole number, {known[name].told}")
        found[name] = min(value, MOST)
    refuse_relations(session, found["relations"])
    return Choice(**found)


def refuse_relations(session: Session, relations: Any) -> None:
    """Raise QuestionError for relations that are no list, or that the lexicon does not count along."""
    if relations is None:
        return
    if not isinstance(relations, list | tuple) or not all(isinstance(each, str) for each in relations):
        raise QuestionError(f"relations is {relations!r:.60}; it is a list, as ['amod', '<obj']")
    if not relations:
        raise QuestionError("relations is []; it is a list of one relation or more")
    counted = sorted(str(relation) for (relation,) in session.reading().rows(statement("questions/relations")))
    for each in relations:
        label = each.removeprefix(each[:1]) if each[:1] in ("<", ">") else each
        if label not in counted:
            near = difflib.get_close_matches(label, counted, 3) or counted[:5]
            raise QuestionError(f"no relation {label!r} in this lexicon; there is {', '.join(near)}")


def with_least_count(session: Session, given: dict[str, Any]) -> None:
    """Leave out contexts that are met seldom, as sketches do, unless something else is said of how to filter."""
    if given.get("min_count") is None and str(given.get("weights", "ppmi")).lower() in SCHEMES:
        part = literal(given.get("part"))
        least = session.reading().value(f"SELECT _store.least_count(NULL, {part})")
        if least is not None and least > 1:  # NULL where there is no such part, which the APT says
            given["min_count"] = int(least)


def apt_query(words: object, given: Mapping[str, Any]) -> SqlText:
    """The APT of a lexeme or phrase, in SQL."""
    return SqlText(f"FROM {call('apt', [words], given)}")


def chosen(
    session: Session, words: object, choice: Choice, given: Mapping[str, Any], own: Sequence[str] = ("",)
) -> list[Node]:
    """The nodes of an APT that are drawn, each after the one that leads to it. own: those drawn in any case."""
    query = statement(
        "pictures/nodes",
        query=apt_query(words, given),
        relations=None if choice.relations is None else texts(choice.relations),
        most_steps=choice.order,
        max_nodes=choice.max_nodes,
        top=choice.top,
        own=texts(own),
    )
    rows = answer(session, query, given, asked=[words]).rows
    return [
        node_of(path, [(context, weight) for _, _, _, context, weight in group if context is not None], contexts)
        for (path, contexts), group in groupby(rows, lambda row: (row[0], row[2]))
    ]


def node_of(path: str, heaviest: Sequence[tuple[str, float]], contexts: int) -> Node:
    """A node with its heaviest contexts, of so many."""
    return Node(path, [Context(*each) for each in heaviest], contexts - len(heaviest))


def texts(values: Sequence[str]) -> SqlText:
    """A list of texts in SQL."""
    return SqlText(f"{literal([*values])}::VARCHAR[]")
