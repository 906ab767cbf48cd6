"""Choose the displayed part of an APT: nodes, contexts, and the contribution of each word of a phrase."""

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from aptdb.core.count_parameters import Drawn
from aptdb.core.errors import IncompleteDataWarning, QuestionError, warn
from aptdb.core.one_line import name_first
from aptdb.core.parameters import declared
from aptdb.core.phrase import Word
from aptdb.core.schemes import DEFAULT_WEIGHTS, SCHEMES
from aptdb.pictures.layout import Context, Node, prefixes
from aptdb.questions.calls import call
from aptdb.questions.execute import ask_weighed
from aptdb.questions.query import asked_in
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

MOST = 1_000_000  # more than any APT has
TYPICAL_WEIGHTS = "lmi"  # ppmi is heaviest for what was met once, where thousands of ties are alphabetical


@dataclass(frozen=True)
class Choice:
    """The displayed part of an APT. top: contexts a node. max_nodes: nodes. order: steps a path. relations: labels."""

    top: int
    max_nodes: int
    order: int | None
    relations: Sequence[str] | None


def choice_of(session: Session, given: dict[str, Any]) -> Choice:
    """Return the choice that parameters describe, and remove them. Raise QuestionError for invalid ones."""
    known = declared(Drawn)
    found = {name: given.pop(name, None) for name in Choice.__dataclass_fields__}
    for name in ("top", "max_nodes", "order"):
        value = found[name] = known[name].default if found[name] is None else found[name]
        least = int(known[name].least or 0)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise QuestionError(f"{name} is {value!r:.60}; expected a whole number, {known[name].expected}")
        found[name] = min(value, MOST)
    refuse_relations(session, found["relations"])
    return Choice(**found)


def refuse_relations(session: Session, relations: Any) -> None:
    """Raise QuestionError for relations that are not a list, or are unknown in the lexicon."""
    if relations is None:
        return
    if not isinstance(relations, list | tuple) or not all(isinstance(each, str) for each in relations):
        raise QuestionError(f"relations is {relations!r:.60}; expected a list, as ['amod', '<obj']")
    if not relations:
        raise QuestionError("relations is []; expected a list of one relation or more")
    counted = sorted(str(relation) for (relation,) in session.reading().rows(statement("questions/relations")))
    for each in relations:
        label = each.removeprefix(each[:1]) if each[:1] in ("<", ">") else each
        if label not in counted:
            near = difflib.get_close_matches(label, counted, 3)
            meant = f"did you mean {', '.join(near)}?" if near else f"available: {name_first(counted, 5)}"
            raise QuestionError(f"no relation {label!r} in this lexicon; {meant}")


def with_usual_parameters(session: Session, given: dict[str, Any]) -> None:
    """Set the weights of a drawing, and a limit that leaves out rare contexts as sketches do, unless they are given.

    The weights are those by which typical and frequent contexts are heaviest. compose-first makes ppmi of whatever is
    composed.
    """
    if given.get("weights") is None and given.get("pipeline") != "compose-first":
        given["weights"] = TYPICAL_WEIGHTS
    if given.get("min_count") is None and str(given.get("weights", DEFAULT_WEIGHTS)).lower() in SCHEMES:
        least = int(session.reading().value("SELECT _store.least_count(NULL)"))
        if least > 1:
            given["min_count"] = least


def apt_query(words: object, given: Mapping[str, Any]) -> SqlText:
    """Return the APT of a lexeme or phrase as SQL; of lmi only what is met more often than by chance."""
    typical = " WHERE weight > 0" if given.get("weights") == TYPICAL_WEIGHTS else ""
    return SqlText(f"FROM {call('apt', [words], given)}{typical}")


def note_on(given: Mapping[str, Any]) -> str:
    """Return a note on the weights of a drawing, and on the contexts that it leaves out."""
    weights = str(given.get("weights") or DEFAULT_WEIGHTS)
    counts = f" of {given.get('counts') or 'packed'} counts" if weights.lower() in SCHEMES else ""
    least = given.get("min_count") or 0
    return f"{weights}{counts}" + (
        f"; contexts counted fewer than {least} times are left out (min_count)" if least > 1 else ""
    )


def choose_nodes(
    session: Session, words: object, choice: Choice, given: Mapping[str, Any], own: Sequence[str] = ("",)
) -> list[Node]:
    """Return the drawn nodes of an APT, each after the node before it on its path. own: nodes to draw in any case."""
    query = nodes_query(apt_query(words, given), SqlText("''"), [""], choice, own)
    return nodes_of(ask_weighed(session, query, given, asked=[words]).rows)


def chosen_each(
    session: Session, lexemes: Sequence[str], choice: Choice, given: Mapping[str, Any]
) -> dict[str, list[Node]]:
    """Return the drawn nodes of the APTs of several lexemes, which take one question: its plan takes the longest.

    given: weights, a scheme, and its parameters.
    """
    filters = ", ".join(f"{name} := {literal(value)}" for name, value in given.items() if name != "weights")
    weights = f"{given['weights']}({filters})"
    typical = " AND weight > 0" if given["weights"] == TYPICAL_WEIGHTS else ""
    asked = f"list_contains({texts(lexemes)}, lexeme){typical}"
    query = nodes_query(SqlText(f"FROM {weights} WHERE {asked}"), SqlText("lexeme"), lexemes, choice, [""])
    rows = ask_weighed(session, query, given, asked=lexemes).rows
    return {name: nodes_of([*group]) for name, group in groupby(rows, lambda row: str(row[0]))}


def nodes_query(query: SqlText, name: SqlText, names: Sequence[str], choice: Choice, own: Sequence[str]) -> SqlText:
    """Return the drawn nodes of APTs as SQL. query: the APTs; name: the column of their names."""
    return statement(
        "pictures/nodes",
        query=query,
        name=name,
        names=texts(names),
        relations=None if choice.relations is None else texts(choice.relations),
        most_steps=choice.order,
        max_nodes=choice.max_nodes,
        top=choice.top,
        own=texts(own),
    )


def nodes_of(rows: Sequence[tuple[Any, ...]]) -> list[Node]:
    """Return the nodes of one APT from the rows of its drawn contexts."""
    return [
        node_of(path, [(context, weight) for *_, context, weight in group if context is not None], contexts)
        for (path, contexts), group in groupby(rows, lambda row: (row[1], row[3]))
    ]


def node_of(path: str, heaviest: Sequence[tuple[str, float]], contexts: int) -> Node:
    """Return a node with its heaviest contexts."""
    return Node(path, [Context(*each) for each in heaviest], contexts - len(heaviest))


def texts(values: Sequence[str]) -> SqlText:
    """Return a list of texts as SQL."""
    return SqlText(f"{literal([*values])}::VARCHAR[]")


# What is about the words together: one of them by itself has none of it.
OF_ALL_WORDS = ("anchor", "context", "head_weight", "merge", "strategy", "unit")


def own_nodes(session: Session, words: Sequence[Word], given: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the words of a phrase by their nodes, seen from the anchor.

    Nodes on the way are included, without words.
    """
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
    """Return whether words are offset before they merge. Raise QuestionError for a value that is not a bool."""
    aligned = given.get("aligned")
    if not isinstance(aligned, bool | None):
        raise QuestionError(f"aligned is {aligned!r:.60}; expected True or False")
    return aligned is not False


def seen_from(words: Sequence[Word], given: Mapping[str, Any]) -> str:
    """Return the path from the anchor's word to the root's. Raise QuestionError for an invalid anchor."""
    anchor = given.get("anchor") or 0
    if not isinstance(anchor, int) or isinstance(anchor, bool):
        raise QuestionError(f"anchor is {anchor!r:.60}; expected the number of a word, or 0")
    return words[anchor - 1]["delta"] if is_aligned(given) and 0 < anchor <= len(words) else ""


def parameters_of_one_word(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that also apply to a single word."""
    return {name: value for name, value in given.items() if name not in OF_ALL_WORDS}


def can_be_alone(given: Mapping[str, Any]) -> bool:
    """Return whether the contribution of a single word is defined.

    Offset inference depends on the phrase's root, and compose-first weighs only the composed APT.
    """
    return not str(given.get("smooth", "")).startswith("offset") and given.get("pipeline") != "compose-first"


def with_shares(session: Session, words: Sequence[Word], nodes: Sequence[Node], given: Mapping[str, Any]) -> list[Node]:
    """Return the nodes with each word's share of each weight. Warn where shares are undefined."""
    if not can_be_alone(given):
        how = "smooth := 'offset:N'" if given.get("pipeline") != "compose-first" else "pipeline := 'compose-first'"
        warn(f"no colours: under {how} the contribution of a single word is not defined", IncompleteDataWarning)
        return [*nodes]
    asked, rows = asked_in({str(number): [word] for number, word in enumerate(words, 1)})
    query = statement(
        "pictures/shares",
        query=SqlText(f"{asked} FROM {call('compose_each', ['asked'], parameters_of_one_word(given))}"),
        back=way_back(words, given),
        divided=bool(given.get("unit")) and len(words) > 1,
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
    """Return the factor of a word's weights before they merge; head_weight is that of the root's word."""
    of_root = float(given.get("head_weight") or 0.5)
    return 2 * (of_root if word["delta"] == "" else 1 - of_root)


def way_back(words: Sequence[Word], given: Mapping[str, Any]) -> SqlText:
    """Return the path from the root's word to the anchor, as SQL."""
    return SqlText(f"path_inverse({literal(seen_from(words, given))})")


def move_apt(
    session: Session, words: Sequence[Word], number: int, like: Sequence[Node], top: int, given: Mapping[str, Any]
) -> list[Node]:
    """Return the APT of a word, moved to the anchor of its phrase, at the drawn nodes of the phrase's APT."""
    word, own = [words[number - 1]], parameters_of_one_word(given)
    query = statement("pictures/contexts", query=apt_query(word, own), back=way_back(words, given), top=top)
    rows = ask_weighed(session, query, own, {"paths": [node.path for node in like]}, asked=[word]).rows
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
    """Return a node with the colour of one word."""
    return replace(
        node, contexts=[Context(each.lexeme, each.weight, {number: abs(each.weight)}) for each in node.contexts]
    )
