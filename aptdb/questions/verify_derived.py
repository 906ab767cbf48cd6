"""Checks what is made of the counts and stored: kept weights, entries, and the results of evaluations."""

import json
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.counting.conditions import chosen_sentences, parsed
from aptdb.counting.consistency import Difference, as_differences, rows_of
from aptdb.questions import entries, weightings
from aptdb.questions.calls import call
from aptdb.questions.entries import Composition
from aptdb.questions.weightings import Definition
from aptdb.store.database import Database
from aptdb.store.statements import statement

Row = tuple[Any, ...]


def wrong_subcorpora(database: Database) -> Iterator[Difference]:
    """Subcorpora that are kept and that are not what their sentences come to, in the recount that is attached."""
    for name, state in database.rows("SELECT name, state FROM _store.subcorpus WHERE state NOT IN ('kept', 'stale')"):
        yield Difference("subcorpus", None, name, f"state {state}", "kept or stale")
    again = dict(database.rows('SELECT name, id FROM "/recount"._store.subcorpus'))
    for name, own, text in database.rows("SELECT name, id, condition FROM _store.subcorpus WHERE state = 'kept'"):
        try:
            wanted = parsed(text)
            choice = chosen_sentences(database, wanted)
            if wanted.text() != text:
                yield Difference("subcorpus", None, name, text, wanted.text())
        except QuestionError as error:
            yield Difference("subcorpus", None, name, str(error), "a condition that can be")
            continue
        known = {"id": own, "again": again.get(name, 0), "name": name, "choice": choice}
        yield from rows_of(database, "questions/verify_derived/subcorpora", **known)


def wrong_weightings(database: Database) -> Iterator[Difference]:
    """Weightings that cannot be, and kept weights and sizes that are not those of their definition."""
    yield from rows_of(database, "questions/verify_derived/weightings")
    for (name,) in database.rows("SELECT name FROM weightings ORDER BY name"):
        try:
            own = dict(weightings.definition(database, name) or {})
            weightings.check_name(name)
            given = {each: own[each] for each in weightings.PARAMETERS}
            weightings.check_definition(database, Definition(name, own["scheme"], own["phi"], given))
            yield from wrong_weights(database, own)
        except QuestionError as error:
            yield Difference("weighting", None, name, str(error), "a weighting that can be")


def wrong_weights(database: Database, definition: Mapping[str, Any]) -> list[Difference]:
    """Kept weights and sizes of a weighting that are not those of its definition; none where they are stale."""
    name = definition["name"]
    if weightings.state(database, name) != "kept":
        return []
    own = weightings.number(database, name)
    weights, sizes = "questions/verify_derived/weights", "questions/verify_derived/sizes"
    return [
        *rows_of(database, weights, weighting=name, id=own, name=name, scheme=definition["scheme"]),
        *rows_of(database, sizes, weighting=name, id=own, phi=definition["phi"], subcorpus=definition["subcorpus"]),
    ]


def wrong_entries(database: Database) -> Iterator[Difference]:
    """Entries that cannot be, and those that their phrase does not compose to today, but for stale ones."""
    yield from rows_of(database, "questions/verify_derived/entries")
    wanted: dict[str, Composition] = {}
    rows = database.rows(statement("questions/verify_derived/entry_rows"))
    for row in rows:
        try:
            wanted[row[1]] = composition_of(row[1], row[2])
        except (TypeError, ValueError, KeyError):
            yield entry_difference(row[1], f"question {row[2]}", "words and parameters in JSON")
    parts_of = {name: {word["lexeme"] for word in each.words} & {*wanted} for name, each in wanted.items()}
    try:
        TopologicalSorter(parts_of).prepare()
    except CycleError as error:
        circle = " in ".join(error.args[1])
        yield entry_difference(error.args[1][0], circle, "no entry that contains itself")
        return
    for row in rows:
        if row[1] in wanted and row[3] == "stored":
            try:
                yield from wrong_entry(database, row, wanted[row[1]])
            except QuestionError as error:
                yield entry_difference(row[1], f"cannot be composed: {error}", "a phrase that can be composed")


def entry_difference(name: str, found: str, expected: str) -> Difference:
    """Return what is wrong about an entry."""
    return Difference("entry", None, name, found, expected)


def composition_of(name: str, question: str) -> Composition:
    """Return what an entry is composed of. Raises TypeError, ValueError or KeyError if that cannot be read."""
    asked = json.loads(question)
    words, parameters = asked["words"], asked["parameters"]
    if not isinstance(words, list) or not isinstance(parameters, dict):
        raise TypeError
    if not words or not all(isinstance(word[part], str) for word in words for part in ("lexeme", "delta")):
        raise ValueError
    return Composition(name, words, parameters)


def wrong_entry(database: Database, row: Row, wanted: Composition) -> Iterator[Difference]:
    """Yield what of an entry is not what its phrase composes to today.

    An entry outlives the weighting that it was composed with: then it cannot be composed again, and is not compared.
    Nor is one that was composed with a relation of the user's own, which may be another by now.
    """
    own, name = row[:2]
    if not database.value(statement("questions/verify_derived/known_weights"), {"weights": weights_of(wanted)}):
        return
    anchored, pos, weighing = entries.about(database, wanted)
    is_scheme = statement("questions/verify_derived/is_scheme")
    if weighing != row[6] and not database.value(is_scheme, {"name": weights_of(wanted)}):
        return  # another weighting has the name by now
    expected = (anchored, pos, weighing, entries.shown(wanted.parameters))
    for part, found, wished in zip(("anchored", "pos", "weighting", "composition"), row[4:], expected, strict=True):
        if found != wished:
            yield entry_difference(name, f"{part} {found}", f"{part} {wished}")
    composed = call("compose", [wanted.words], wanted.parameters)
    differing = statement("questions/verify_derived/entry", compose=composed)
    yield from as_differences(database.rows(differing, {"id": own, "name": name}))


def weights_of(wanted: Composition) -> str:
    """Return the name of the weights that an entry is composed with."""
    return str(wanted.parameters.get("weights", "ppmi"))


def wrong_evaluations(database: Database) -> Iterator[Difference]:
    """Return evaluations whose numbers cannot be, or whose columns are not of what they were made with."""
    yield from rows_of(database, "questions/verify_derived/evaluations")
    for name, question, *columns in database.rows(statement("questions/verify_derived/evaluation_rows")):
        try:
            made_with = json.loads(question)
            found = [made_with["sha256"], made_with["method"], made_with.get("weights", "ppmi")]
        except (TypeError, ValueError, KeyError, AttributeError):
            yield Difference("evaluation", None, name, f"question {question}", "what it was made with, in JSON")
            continue
        if found != columns:
            shown, expected = (", ".join(map(str, each)) for each in (columns, found))
            yield Difference("evaluation", None, name, shown, expected)
