"""What is derived from counts and kept under a name: weightings, entries, spaces, senses and subcorpora.

Each is a row of one table, which says how it was asked for, what it was made of, what came out, and whether that still
holds. How one is made is a matter of its kind; all else is here. Each function is part of the caller's transaction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from aptdb.core.errors import QuestionError
from aptdb.core.one_line import name_first
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, statement
from aptdb.store.version import __version__

KEPT, STALE, COMPUTED = "kept", "stale", "computed"  # states
SHOWN = 20  # names in an error
NEAR = 0.6  # how alike names are, as difflib counts, that are spelt nearly so

Make = Callable[[Database, Sequence[str]], Sequence[str]]  # makes what has these names; returns those of all it made


@dataclass(frozen=True)
class Derived:
    """What is kept under a name. asked, made: texts by name; made_of: as subcorpus:fiction."""

    id: int
    name: str
    state: str
    asked: Mapping[str, str]
    made: Mapping[str, str]
    made_of: Sequence[str]


@dataclass(frozen=True)
class Kind:
    """A kind of derived object: its name, which tables hold rows of one, by its id in a column, and how one is made.

    is_identifier: whether names are identifiers of SQL, which may be written in capitals.
    """

    name: str
    rows: tuple[str, ...]
    column: str
    is_identifier: bool = False
    first: str = ""  # how the first is made, for an error where there is none

    def read(self, database: Database, name: str | None = None) -> list[Derived]:
        """Return all of this kind, or what has a name, in the order of their names."""
        rows = database.rows(statement("store/derived/found"), {"kind": self.name, "name": name})
        return [
            Derived(own, called, state, leave_out_nulls(asked), leave_out_nulls(made), made_of)
            for own, called, state, asked, made, made_of in rows
        ]

    def names(self, database: Database, state: str | None = None) -> list[str]:
        """Return the names of all of this kind, or of those in a state, in order."""
        return [each.name for each in self.read(database) if state in (None, each.state)]

    def find(self, database: Database, name: str) -> Derived | None:
        """Return what has a name; None if nothing has."""
        return next(iter(self.read(database, name.lower() if self.is_identifier else name)), None)

    def get(self, database: Database, name: object) -> Derived:
        """Return what has a name. Raise QuestionError, which lists the names, if nothing has."""
        found = self.find(database, name) if isinstance(name, str) else None
        if found is None:
            names = near_first(str(name), self.names(database))
            raise QuestionError(f"no {self.name} {name}; {self.list_in_words(names)}")
        return found

    def list_in_words(self, names: Sequence[str]) -> str:
        """Return which there are, for an error."""
        return f"available: {name_first(names, SHOWN)}" if names else f"none is stored; {self.first}"

    def check_name(self, name: str) -> None:
        """Raise QuestionError if a name cannot be written in SQL without quotes."""
        if not schema.NAME_OF_WEIGHTING.fullmatch(name):
            raise QuestionError(
                f"{name!r} is not a name for a {self.name}; expected up to 60 of a-z, 0-9 and _, a letter first"
            )

    def make_room(self, database: Database, name: str) -> int:
        """Return the id for what is made under a name; what has it already is deleted."""
        own = int(database.value(statement("store/derived/next_id"), {"kind": self.name, "name": name}))
        self.delete(database, own)
        return own

    def record(
        self,
        database: Database,
        own: int,
        name: str,
        *,
        asked: Mapping[str, object],
        made: Mapping[str, object],
        made_of: Sequence[str] = (),
        state: str = KEPT,
    ) -> None:
        """Record what was made under a name, with the id that `make_room` gave. What is made of it becomes stale."""
        self.delete_row(database, own)
        row = {"id": own, "kind": self.name, "name": name, "state": state, "made_of": [*made_of]}
        texts = {"asked": as_texts(asked), "made": as_texts(made)}
        database.put("derived", {**row, **texts, "made_at": schema.now(), "version": __version__})
        self.mark_dependents_stale(database, name)

    def forget(self, database: Database, name: object) -> str:
        """Delete what has a name; return its name. What is made of it becomes stale.

        Raises QuestionError if nothing has the name.
        """
        found = self.get(database, name)
        self.delete(database, found.id)
        self.mark_dependents_stale(database, found.name)
        return found.name

    def forget_all(self, database: Database, names: Sequence[str]) -> None:
        """Delete what has these names, as `forget` does."""
        for each in names:
            self.forget(database, each)

    def delete(self, database: Database, own: int) -> None:
        """Delete what has this id, with its rows in other tables."""
        self.delete_rows(database, own)
        self.delete_row(database, own)

    def delete_row(self, database: Database, own: int) -> None:
        """Delete the row that says how what has this id was made."""
        database.run("DELETE FROM _store.derived WHERE kind = $kind AND id = $id", {"kind": self.name, "id": own})

    def delete_rows(self, database: Database, own: int) -> None:
        """Delete the rows of other tables that are of what has this id."""
        for table in self.rows:
            forget = statement("store/derived/forget_rows", table=SqlText(table), id_column=SqlText(self.column))
            database.run(forget, {"id": own})

    def mark_dependents_stale(self, database: Database, name: str) -> None:
        """Mark as stale what is made of what has a name, directly or through others."""
        database.run(statement("store/derived/made_of_stale"), {"called": self.called(name)})

    def called(self, name: str) -> str:
        """Return a name as `made_of` has it: subcorpus:fiction."""
        return f"{self.name}:{name}"

    def refresh(self, session: Session, make: Make, name: str | None = None) -> list[str]:
        """Make again what is stale, or the named one anyhow; return the names.

        All is one transaction. Where something cannot be made again, e.g. a subcorpus that no sentence fits any more,
        each is one of its own, and QuestionError says what failed when the others are done.
        """
        if name is not None:
            with session.writing() as database:
                return make_again(database, make, [self.get(database, name).name])
        done: dict[str, None] = {}
        tried = set[str]()
        try:
            with session.writing() as database:
                while more := self.list_stale(database, tried):
                    done |= dict.fromkeys(make_again(database, make, more))
                return [*done]
        except QuestionError:
            done, tried = {}, set()
        failed = []
        while more := self.list_stale(session.reading(), tried):
            for each in more:
                try:
                    with session.writing() as database:
                        done |= dict.fromkeys(make_again(database, make, [each]))
                except QuestionError as error:
                    failed.append(str(error) if each in str(error) else f"{each}: {error}")
        if failed:
            raise QuestionError("; ".join(failed) + (f"; made again: {', '.join(done)}" if done else ""))
        return [*done]

    def list_stale(self, database: Database, tried: set[str]) -> list[str]:
        """Return the names that are stale and not among those tried, and add them to these."""
        found = [each for each in self.names(database, STALE) if each not in tried]
        tried.update(found)
        return found


WEIGHTING = Kind("weighting", ("kept_weight", "kept_size"), "weighting_id", True, "name one by: aptdb weigh")
ENTRY = Kind("entry", ("entry_weight",), "entry_id", first="store one by: aptdb apt --save")
SPACE = Kind("space", ("space_feature", "space_vector"), "space_id", True, "make one by: aptdb reduce")
SENSES = Kind("senses", ("sense",), "senses_id", first="find some by: aptdb senses --save")
COUNTED = ("sentence", "lexeme", "path", "node", "cooccurrence")
SUBCORPUS = Kind(
    "subcorpus", tuple(f"subcorpus_{each}" for each in COUNTED), "subcorpus_id", first="make one by: aptdb subcorpus"
)


def near_first(name: str, names: Sequence[str]) -> list[str]:
    """Return names, those first that are spelt nearly like a given one."""
    near = get_close_matches(name, names, len(names), NEAR) if names else []
    return [*near, *(each for each in names if each not in near)]


def leave_out_nulls(texts: Mapping[str, str | None]) -> dict[str, str]:
    """Return the texts that there are, by name: another program may have written NULL among them."""
    return {name: text for name, text in texts.items() if text is not None}


def make_again(database: Database, make: Make, names: Sequence[str]) -> list[str]:
    """Make what has these names again; return the names of all that was made."""
    made = [*make(database, names)] if names else []
    schema.renew(database)
    return made


def as_texts(values: Mapping[str, object]) -> dict[str, list[str]]:
    """Return values as a map of texts, as DuckDB takes it; those that are None are left out."""
    given = {name: value for name, value in values.items() if value is not None}
    there = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    return {"key": [*there], "value": [*there.values()]}
