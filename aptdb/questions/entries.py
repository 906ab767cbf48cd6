"""Composed APTs that are stored as entries of their own, each within the caller's transaction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any, Unpack

import sqlalchemy as sa

from aptdb.errors import QuestionError
from aptdb.parameters.phrases import Weighing
from aptdb.phrase import Phrase, Word, written
from aptdb.questions.calls import Question, call, phrase_of
from aptdb.questions.weightings import PARAMETERS, now
from aptdb.result import Result
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.literals import SqlText, literal
from aptdb.store.session import Session
from aptdb.store.statements import statement
from aptdb.store.tables import entry, entry_weight

LONGEST = 200  # characters of a name
WEIGHTS = {*PARAMETERS, "weights"}


@dataclass(frozen=True)
class Composition:
    """What an entry is composed of: the phrase as it is shown, its words, and all parameters that were given."""

    phrase: str
    words: list[Word]
    parameters: Mapping[str, Any]


def save(session: Session, name: str, phrase: Question, **parameters: Unpack[Weighing]) -> int:
    """Compose a phrase and store its APT as an entry of that name; returns the number of its weights.

    Apart from the counted lexemes, it serves like one wherever a lexeme is asked about, under the weights that it is
    composed under. A name that an entry has already is given to the new one. Raises QuestionError.
    """
    words = phrase_of(phrase)
    shown = str(phrase) if isinstance(phrase, str | Phrase) else written(words)
    with session.writing() as database:
        return store(database, name, Composition(shown, words, parameters))


def refresh_entries(session: Session, name: str | None = None) -> list[str]:
    """Compose anew the entries that additions have made stale, all or that of one name; returns their names."""
    with session.writing() as database:
        return refresh(database, name)


def forget_entry(session: Session, name: str) -> None:
    """Take an entry away."""
    with session.writing() as database:
        forget(database, name)


def entries(session: Session, name: str | None = None) -> Result:
    """The entries that are stored, or that of one name: each with its phrase, how it was composed, its state."""
    if name is not None:
        refuse_unknown(session.reading(), name)
    return session.ask("FROM entries WHERE $name IS NULL OR entry = $name", {"name": name})


def store(database: Database, name: str, wanted: Composition) -> int:
    """Compose a phrase and keep its APT under a name; returns the number of its weights.

    An entry that has the name already is composed of this phrase from now on, and those that it is part of are stale.
    Raises QuestionError where the name cannot be, the phrase cannot be composed, or nothing is left of it.
    """
    check_name(database, name)
    refuse_circle(database, name, wanted)
    found = database.value(sa.select(entry.c.id).where(entry.c.name == name))
    last = database.value(sa.select(sa.func.max(entry.c.id))) or 0
    insert(database, int(found or last + 1), name, wanted)
    schema.renew(database)
    return int(database.value(sa.select(entry.c.weights).where(entry.c.name == name)))


def insert(database: Database, own: int, name: str, wanted: Composition) -> None:
    """Compose, and put what comes of it in the place of what had the id."""
    composed = call("compose", [wanted.words], wanted.parameters)
    anchored, pos, weighing = about(database, wanted)
    delete(database, own)
    database.run(statement("questions/entries/keep", compose=composed), {"id": own})
    weights = database.value(sa.select(sa.func.count()).select_from(entry_weight).where(entry_weight.c.entry_id == own))
    if not weights:
        raise QuestionError(f"nothing is left of {wanted.phrase} under these weights, so there is nothing to store")
    database.run(
        entry.insert(),
        {
            "id": own,
            "name": name,
            "phrase": wanted.phrase,
            "anchored": anchored,
            "pos": pos,
            "weighing": weighing,
            "composition": shown(wanted.parameters),
            "question": json.dumps(
                {"words": wanted.words, "parameters": dict(wanted.parameters)},
                default=lambda number: number.item(),  # numpy's
            ),
            "state": "stored",
            "weights": weights,
            "stored_at": now(),
        },
    )
    for each in composed_of(parts(database), name):
        database.run(sa.update(entry).where(entry.c.name == each).values(state="stale"))


def parts(database: Database) -> dict[str, set[str]]:
    """The entries by name, each with those that it is composed of."""
    questions = database.run(sa.select(entry.c.name, entry.c.question)).all()
    names = {row.name for row in questions}
    words = {row.name: {word["lexeme"] for word in json.loads(row.question)["words"]} for row in questions}
    return {name: lexemes & names for name, lexemes in words.items()}


def composed_of(parts_of: Mapping[str, set[str]], name: str) -> set[str]:
    """The entries that the one of that name is part of, directly or by others."""
    found = {each for each, own in parts_of.items() if name in own}
    return found.union(*(composed_of(parts_of, each) for each in found))


def refuse_circle(database: Database, name: str, wanted: Composition) -> None:
    """Raise QuestionError where an entry would be part of itself."""
    words = {word["lexeme"] for word in wanted.words}
    circle = words & {name, *composed_of(parts(database), name)}
    if circle and database.value(sa.select(entry.c.id).where(entry.c.name == name)):
        raise QuestionError(f"{name} would be part of itself, by {min(circle)}; choose another name for the entry")


def about(database: Database, wanted: Composition) -> tuple[str | None, str | None, str]:
    """The word that a composition is anchored at, its part of speech, and the weights as text."""
    given = wanted.parameters
    options = ", ".join(literal(given.get(name)) for name in PARAMETERS)
    values = {"weights": given.get("weights", "ppmi"), "anchor": given.get("anchor", 0)}
    asked = statement("questions/entries/about", options=SqlText(options), words=wanted.words)
    row = database.rows(asked, values)[0]
    return row[0], row[1], row[2]


def shown(parameters: Mapping[str, Any]) -> str:
    """The parameters of composition as SQL writes them."""
    return ", ".join(f"{name} := {literal(value)}" for name, value in parameters.items() if name not in WEIGHTS)


def refresh(database: Database, name: str | None = None) -> list[str]:
    """Compose anew the entries that are stale, all or that of one name; returns their names.

    What a stale entry is composed of comes before it. Raises QuestionError, which names the entry, where one cannot be
    composed any more.
    """
    if name is not None:
        refuse_unknown(database, name)
    parts_of = parts(database)
    stale = {row[1]: row for row in database.rows(statement("questions/entries/stale"))}
    wanted = [
        each
        for each in TopologicalSorter(parts_of).static_order()
        if each in stale and (name in {None, each} or name in composed_of(parts_of, each))
    ]
    for each in wanted:
        own, _, phrase, question = stale[each]
        asked = json.loads(question)
        try:
            insert(database, own, each, Composition(phrase, asked["words"], asked["parameters"]))
        except QuestionError as error:
            raise QuestionError(f"{each} cannot be composed anew: {error}; --forget takes it away") from error
    schema.renew(database)
    return wanted


def forget(database: Database, name: str) -> None:
    """Take an entry away. Raises QuestionError where there is none of that name, or others are composed of it."""
    refuse_unknown(database, name)
    others = composed_of(parts(database), name)
    if others:
        raise QuestionError(f"{name} is part of {', '.join(sorted(others))}; take that away before")
    delete(database, int(database.value(sa.select(entry.c.id).where(entry.c.name == name))))
    schema.renew(database)


def delete(database: Database, own: int) -> None:
    """Delete the entry of that id, if there is one."""
    database.run(sa.delete(entry_weight).where(entry_weight.c.entry_id == own))
    database.run(sa.delete(entry).where(entry.c.id == own))


def grow_stale(database: Database) -> None:
    """Mark all entries as composed of the lexicon that was."""
    database.run(sa.update(entry).values(state="stale"))


def check_name(database: Database, name: str) -> None:
    """Raise QuestionError where a name cannot be told from a phrase or a lexeme."""
    if (
        not isinstance(name, str)
        or not name.strip()
        or len(name) > LONGEST
        or name != name.strip()
        or not name.isprintable()
    ):
        raise QuestionError(f"{name!r} is no name for an entry; it is up to {LONGEST} characters of one line")
    if name.startswith("@") or name.endswith("]"):
        raise QuestionError(f"{name!r} is no name for an entry: it reads as a file or as a phrase; try green_shoot")
    if name.rpartition("/")[0] == "_" or name == "_":
        raise QuestionError(f"{name} is how a gap is written; choose another name for the entry")
    if database.value("SELECT count(*) FROM lexemes WHERE lexeme = $name", {"name": name}):
        raise QuestionError(f"{name} is a lexeme of this lexicon; choose another name for the entry")


def refuse_unknown(database: Database, name: str) -> None:
    """Raise QuestionError where no entry has the name, with the names there are."""
    names = [row[0] for row in database.rows("SELECT entry FROM entries")]
    if name not in names:
        raise QuestionError(f"no entry {name}; there is {', '.join(names) or 'none yet'}")
