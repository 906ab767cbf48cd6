"""Composed APTs that are stored as entries of their own, each within the caller's transaction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from aptdb import schema
from aptdb.database import Database, literal
from aptdb.errors import QuestionError
from aptdb.parameters import call
from aptdb.phrase import Word
from aptdb.statements import statement
from aptdb.tables import entry, entry_weight
from aptdb.weightings import PARAMETERS, now

LONGEST = 200  # characters of a name
WEIGHTS = {*PARAMETERS, "weights"}


@dataclass(frozen=True)
class Composition:
    """What an entry is composed of: the phrase as it is shown, its words, and all parameters that were given."""

    phrase: str
    words: list[Word]
    parameters: Mapping[str, Any]


def store(database: Database, name: str, wanted: Composition) -> int:
    """Compose a phrase and keep its APT under a name; returns the number of its weights.

    What the name had before is replaced. Raises QuestionError where the name cannot be, the phrase cannot be composed,
    or nothing is left of it.
    """
    check_name(database, name)
    delete(database, name)
    last = database.value(sa.select(sa.func.max(entry.c.id))) or 0
    insert(database, int(last) + 1, name, wanted)
    schema.renew(database)
    return int(database.value(sa.select(entry.c.weights).where(entry.c.name == name)))


def insert(database: Database, own: int, name: str, wanted: Composition) -> None:
    """Compose, and insert what comes of it."""
    composed = call("compose", [wanted.words], wanted.parameters)
    # (The entry itself is written afterwards, so that it can be part of what it is composed of anew.)
    database.run(statement("entries/keep").replace("@compose@", composed), {"id": own})
    weights = database.value(sa.select(sa.func.count()).select_from(entry_weight).where(entry_weight.c.entry_id == own))
    if not weights:
        raise QuestionError(f"nothing is left of {wanted.phrase} under these weights, so there is nothing to store")
    anchored, pos, weighing = about(database, wanted)
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
            "question": json.dumps({"words": wanted.words, "parameters": dict(wanted.parameters)}),
            "state": "stored",
            "weights": weights,
            "stored_at": now(),
        },
    )


def about(database: Database, wanted: Composition) -> tuple[str | None, str | None, str]:
    """The word that a composition is anchored at, its part of speech, and the weights as text."""
    given = wanted.parameters
    options = ", ".join(literal(given.get(name)) for name in PARAMETERS)
    asked = statement("entries/about").replace("@options@", options)
    values = {"weights": given.get("weights", "ppmi"), "anchor": given.get("anchor", 0)}
    row = database.rows(asked.replace("@words@", literal(wanted.words)), values)[0]
    return row[0], row[1], row[2]


def shown(parameters: Mapping[str, Any]) -> str:
    """The parameters of composition as SQL writes them."""
    return ", ".join(f"{name} := {literal(value)}" for name, value in parameters.items() if name not in WEIGHTS)


def refresh(database: Database, name: str | None = None) -> list[str]:
    """Compose anew the entries that additions have made stale, all or that of one name; returns their names.

    They keep their ids, and are composed in the order in which they were stored, as one may be part of another.
    """
    if name is not None:
        refuse_unknown(database, name)
    stale = database.rows(statement("entries/stale"))
    wanted = [row for row in stale if name in {None, row[1]}]
    for own, each, phrase, question in wanted:
        asked = json.loads(question)
        delete(database, each)
        insert(database, own, each, Composition(phrase, asked["words"], asked["parameters"]))
        schema.renew(database)
    return [row[1] for row in wanted]


def forget(database: Database, name: str) -> None:
    """Take an entry away. Raises QuestionError where there is none of that name."""
    refuse_unknown(database, name)
    delete(database, name)
    schema.renew(database)


def delete(database: Database, name: str) -> None:
    """Delete the entry of that name, if there is one."""
    own = database.value(sa.select(entry.c.id).where(entry.c.name == name))
    database.run(sa.delete(entry_weight).where(entry_weight.c.entry_id == own))
    database.run(sa.delete(entry).where(entry.c.id == own))


def grow_stale(database: Database) -> None:
    """Mark all entries as composed of the lexicon that was."""
    database.run(sa.update(entry).values(state="stale"))


def check_name(database: Database, name: str) -> None:
    """Raise QuestionError where a name cannot be told from a phrase or a lexeme."""
    if not name.strip() or len(name) > LONGEST or name != name.strip() or not name.isprintable():
        raise QuestionError(f"{name!r} is no name for an entry; it is up to {LONGEST} characters of one line")
    if name.startswith("@") or name.endswith("]"):
        raise QuestionError(f"{name!r} is no name for an entry: it reads as a file or as a phrase; try green_shoot")
    if database.value("SELECT count(*) FROM lexemes WHERE lexeme = $name", {"name": name}):
        raise QuestionError(f"{name} is a lexeme of this lexicon; choose another name for the entry")


def refuse_unknown(database: Database, name: str) -> None:
    """Raise QuestionError where no entry has the name, with the names there are."""
    names = [row[0] for row in database.rows("SELECT entry FROM entries")]
    if name not in names:
        raise QuestionError(f"no entry {name}; there is {', '.join(names) or 'none yet'}")
