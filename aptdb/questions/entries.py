"""Entries: APTs of phrases, composed or observed, that are stored under a name."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any, Unpack

from aptdb.core.composition import Weighing
from aptdb.core.errors import QuestionError, StaleDataWarning, refuse_no_bool, warn
from aptdb.core.phrase import Phrase, Word, write_words
from aptdb.core.result import Result
from aptdb.core.schemes import DEFAULT_WEIGHTS
from aptdb.questions.calls import Question, call, split_phrase
from aptdb.questions.readings import as_read
from aptdb.questions.weightings import PARAMETERS
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.derived import ENTRY, KEPT, SENSES, STALE, Derived
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

LONGEST = 200  # characters of a name
WEIGHTS = {*PARAMETERS, "weights"}


@dataclass(frozen=True)
class Composition:
    """The composition of an entry: the phrase as text, its words, and all given parameters.

    observed: whether the APT is counted where the phrase occurs, and not composed. sense: the sense of the one word
    where alone it is counted; None for all.
    """

    phrase: str
    words: list[Word]
    parameters: Mapping[str, Any]
    observed: bool = False
    sense: int | None = None

    def call(self) -> SqlText:
        """Return the SQL call that makes the APT."""
        if self.sense is not None:
            return SqlText(
                f"_store.sense_apt({literal(self.words[0]['lexeme'])}, {self.sense}, {literal(DEFAULT_WEIGHTS)})"
            )
        return call("observed" if self.observed else "compose", [self.words], self.parameters)

    def lexemes(self) -> set[str]:
        """Return its words, each once."""
        return {word["lexeme"] for word in self.words}

    def as_json(self) -> str:
        """Return its question as JSON, from which it can be composed again."""
        asked: dict[str, Any] = {"words": self.words, "parameters": dict(self.parameters)}
        asked |= ({"observed": True} if self.observed else {}) | ({} if self.sense is None else {"sense": self.sense})
        return json.dumps(asked, default=lambda number: number.item())  # numbers of numpy

    def shown(self) -> str:
        """Return what made it as SQL shows it: observed, a sense, or the parameters of composition."""
        if self.sense is not None:
            return f"sense {self.sense}"
        given = (f"{name} := {literal(value)}" for name, value in self.parameters.items() if name not in WEIGHTS)
        return ", ".join([*(["observed"] if self.observed else []), *given])


def save(
    session: Session, name: str, phrase: Question, *, observed: bool = False, **parameters: Unpack[Weighing]
) -> int:
    """Compose a phrase and store its APT as an entry under a name; return the number of its weights.

    Entries are not counted lexemes, but can be used like them in questions, with the weights that they were composed
    with. An older entry of this name is replaced. observed: store the APT of the phrase's occurrences instead, with
    the parameters of `observed`. Raises QuestionError.
    """
    refuse_no_bool(observed=observed)
    if "space" in parameters:
        raise QuestionError("an entry is stored without a space; name the space when you ask about the entry")
    phrase = as_read(session, phrase, parameters)
    words = split_phrase(phrase)
    shown = str(phrase) if isinstance(phrase, str | Phrase) else write_words(words)
    with session.writing() as database:
        return store(database, name, Composition(shown, words, parameters, observed))


def refresh_entries(session: Session, name: str | None = None) -> list[str]:
    """Compose stale entries again, all or the named one; return their names.

    Raises QuestionError for those that cannot be, once the others are.
    """
    return ENTRY.refresh(session, partial(compose_entries_again, skip=name is None), name)


def entries(session: Session, name: str | None = None) -> Result:
    """Return the stored entries, or the named one: phrase, composition and state."""
    if name is not None:
        ENTRY.get(session.reading(), name)
    return session.ask("FROM entries WHERE $name IS NULL OR entry = $name", {"name": name})


def store(database: Database, name: str, wanted: Composition) -> int:
    """Compose a phrase and store its APT under a name; return the number of its weights.

    An older entry of this name is replaced, and entries that contain it become stale. Raises QuestionError for an
    invalid name, for a phrase that cannot be composed, and for an empty APT.
    """
    check_name_of_entry(database, name)
    refuse_entry_in_itself(database, name, wanted)
    weights = compose_and_store(database, name, wanted)
    schema.renew(database)
    return weights


def compose_and_store(database: Database, name: str, wanted: Composition) -> int:
    """Compose an entry, and store it in place of one of this name; return the number of its weights."""
    composed = wanted.call()
    anchored, pos, weighing = about(database, wanted)
    others = entries_in_entries(database)
    own = ENTRY.make_room(database, name)
    database.run(statement("questions/entries/keep", compose=composed), {"id": own})
    weights = int(database.value("SELECT count(*) FROM _store.entry_weight WHERE entry_id = $id", {"id": own}))
    if not weights:
        left = "is observed" if wanted.observed else "is left"
        raise QuestionError(f"no co-occurrence of {wanted.phrase} {left}, so there is nothing to store")
    made = {"anchored": anchored, "pos": pos, "weighting": weighing, "composition": wanted.shown(), "weights": weights}
    asked = {"phrase": wanted.phrase, "question": wanted.as_json()}
    made_of = [ENTRY.called(each) for each in sorted(wanted.lexemes() & {*others})]
    ENTRY.record(database, own, name, asked=asked, made=made, made_of=made_of)
    return weights


def entries_in_entries(database: Database) -> dict[str, set[str]]:
    """Return the names of entries, each with the entries in its phrase. Raise LexiconError if there is a circle."""
    asked = {each.name: read_composition(database, each) for each in ENTRY.read(database)}
    found = {name: each.lexemes() & {*asked} for name, each in asked.items()}
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        raise schema.changed_by_others(database, f"its entry {error.args[1][0]} contains itself") from None
    return found


def composition_of(phrase: str, question: str) -> Composition:
    """Return the composition of an entry, from its question in JSON. Raise ValueError if it cannot be read."""
    try:
        asked = json.loads(question)
        words, parameters, observed = asked["words"], asked["parameters"], asked.get("observed", False)
        sense = asked.get("sense")
        if (
            isinstance(words, list)
            and isinstance(parameters, dict)
            and isinstance(observed, bool)
            and (sense is None or type(sense) is int)
            and words
            and all(isinstance(word[part], str) for word in words for part in ("lexeme", "delta"))
        ):
            return Composition(phrase, words, parameters, observed, sense)
    except (AttributeError, LookupError, RecursionError, TypeError) as error:
        raise ValueError(question) from error
    raise ValueError(question)


def read_composition(database: Database, entry: Derived) -> Composition:
    """Return the composition of a stored entry. Raise LexiconError, which names it, if it cannot be read."""
    try:
        return composition_of(entry.asked.get("phrase", ""), entry.asked.get("question", ""))
    except ValueError:
        raise schema.changed_by_others(database, f"the question of its entry {entry.name} cannot be read") from None


def composed_of(parts_of: Mapping[str, set[str]], name: str) -> set[str]:
    """Return the entries whose phrases contain the named one, directly or through others."""
    found: set[str] = set()
    while more := {each for each, own in parts_of.items() if own & {name, *found}} - found:
        found |= more
    return found


def refuse_entry_in_itself(database: Database, name: str, wanted: Composition) -> None:
    """Raise QuestionError if an entry would contain itself."""
    circle = wanted.lexemes() & {name, *composed_of(entries_in_entries(database), name)}
    if circle and ENTRY.find(database, name):
        raise QuestionError(f"{name} would contain itself, through {min(circle)}; choose another name for the entry")


def about(database: Database, wanted: Composition) -> tuple[str | None, str | None, str]:
    """Return the word at which a composition is anchored, its part of speech, and the weights as text."""
    given = wanted.parameters
    options = ", ".join(literal(given.get(name)) for name in PARAMETERS)
    values = {"weights": given.get("weights", DEFAULT_WEIGHTS), "anchor": given.get("anchor", 0)}
    asked = statement("questions/entries/about", options=SqlText(options), words=wanted.words)
    row = database.rows(asked, values)[0]
    return row[0], row[1], row[2]


def compose_entries_again(database: Database, names: Sequence[str], *, skip: bool) -> list[str]:
    """Compose stale entries again, and before each the stale entries in its phrase; return the names of all.

    skip: leave out, with a warning, those that are senses which were found before the lexicon changed. Raises
    QuestionError, which names the entry, if one can no longer be composed.
    """
    parts_of, done = entries_in_entries(database), []
    for each in TopologicalSorter(parts_of).static_order():
        if not composed_of(parts_of, each).isdisjoint(names) or each in names:
            # Asked one by one: those that contain an entry which was composed again are stale by now.
            entry = ENTRY.get(database, each)
            wanted = read_composition(database, entry)
            if entry.state == STALE and not (skip and is_of_stale_sense(database, each, wanted)):
                compose_again(database, each, wanted)
                done.append(each)
    return done


def is_of_stale_sense(database: Database, name: str, wanted: Composition) -> bool:
    """Return whether an entry is a sense that was found before the lexicon changed, and warn of it."""
    senses = SENSES.find(database, wanted.words[0]["lexeme"]) if wanted.sense is not None else None
    if is_stale := senses is not None and senses.state != KEPT:
        warn(f"{name} is a stale sense; find it again by: aptdb refresh LEXICON", StaleDataWarning)
    return is_stale


def compose_again(database: Database, name: str, wanted: Composition) -> None:
    """Compose one entry again. Raise QuestionError, which names it, if that is no longer possible."""
    try:
        compose_and_store(database, name, wanted)
    except QuestionError as error:
        raise QuestionError(f"{name} cannot be composed again: {error}; delete it: aptdb forget LEXICON") from error


def forget_stored_entries(database: Database, names: Sequence[str]) -> None:
    """Delete entries. Raise QuestionError if others contain one of them."""
    parts_of = entries_in_entries(database)
    for each in names:
        if others := composed_of(parts_of, each) - {*names}:
            raise QuestionError(f"{each} is part of {', '.join(sorted(others))}; delete the latter first")
    ENTRY.forget_all(database, names)


def check_name_of_entry(database: Database, name: str) -> None:
    """Raise QuestionError for a name that looks like a phrase or a lexeme."""
    if (
        not isinstance(name, str)
        or not name.strip()
        or len(name) > LONGEST
        or name != name.strip()
        or not name.isprintable()
    ):
        raise QuestionError(f"{name!r} cannot name an entry; a name has up to {LONGEST} characters, in one line")
    if name.startswith("@") or name.endswith("]"):
        raise QuestionError(
            f"{name!r} cannot name an entry: it looks like a file or a phrase; try a name like green_shoot"
        )
    if name.rpartition("/")[0] == "_" or name == "_":
        raise QuestionError(f"{name} stands for a gap; choose another name for the entry")
    if database.value("SELECT count(*) FROM lexemes WHERE lexeme = $name", {"name": name}):
        raise QuestionError(f"{name} is a lexeme of this lexicon; choose another name for the entry")
