"""What is stored under a name, of all kinds: listed, made again, and deleted."""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import get_args

from aptdb.core.errors import QuestionError
from aptdb.core.one_line import name_first
from aptdb.core.question_parameters import StoredKind
from aptdb.core.result import Result
from aptdb.counting.subcorpora import forget_subcorpora, refresh_subcorpora
from aptdb.questions.entries import forget_stored_entries, refresh_entries
from aptdb.questions.matrices import Follow
from aptdb.questions.senses import forget_senses, refresh_senses, refuse_without
from aptdb.questions.spaces import refresh_spaces
from aptdb.questions.weightings import forget_weightings, refresh_weightings
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.derived import ENTRY, SENSES, SHOWN, SPACE, SUBCORPUS, WEIGHTING, Kind, near_first
from aptdb.store.session import Session
from aptdb.store.statements import statement

WILD = "*?["  # what a name has that stands for several

# In the order in which they are made again: each is made only of those before it, and of others of its kind.
KINDS: dict[str, Kind] = dict(zip(get_args(StoredKind), (SUBCORPUS, WEIGHTING, SPACE, SENSES, ENTRY), strict=True))


def list_stored(session: Session) -> Result:
    """Return all that is stored under a name: rows of kind, name, state, asked, made_at, version.

    state: kept, stale after the lexicon or what it is made of has changed, or computed, of a weighting whose weights
    are not kept. asked: how it was asked for. Each kind has a method of its own, with more columns.
    """
    kinds = [{"kind": kind.name, "plural": own, "place": place} for place, (own, kind) in enumerate(KINDS.items())]
    return session.ask(statement("store/derived/listed", kinds=kinds))


def list_stored_senses(session: Session) -> Result:
    """Return the stored senses: a row for each, with its entry, its occurrences, their share, its space and state."""
    return session.ask("FROM senses")


def refresh_stored(
    session: Session, name: str | None = None, kind: StoredKind | None = None, *, progress: Follow = lambda *_: None
) -> dict[str, list[str]]:
    """Make again all that is stale, or what has a name anyhow; return the names of what was made, by kind.

    Subcorpora come first, then weightings, spaces, senses and entries, so that nothing is made of what is still stale.
    kind: that of the name, where several kinds have it; without a name, all of this kind. progress: called as
    progress(done, total) in weights, of each space. Raises QuestionError for an unknown name, and for what cannot be
    made again, once the others are.
    """
    if name is not None:
        own, names = find_stored(session.reading(), name, kind)
        made = refresh_kind(session, own, names[0], progress)
        return {own: made} if made else {}
    done: dict[str, list[str]] = {}
    failed: list[str] = []
    for own in KINDS if kind is None else [check_kind(kind)]:
        try:
            names = refresh_kind(session, own, None, progress, of_current=kind is None)
        except QuestionError as error:
            failed.append(str(error))
        else:
            done |= {own: names} if names else {}
    if failed:
        also = [f"{own}: {', '.join(names)}" for own, names in done.items()]
        raise QuestionError("; ".join(failed) + (f"; also made again: {'; '.join(also)}" if also else ""))
    return done


def forget_stored(session: Session, name: str, kind: StoredKind | None = None) -> list[str]:
    """Delete what is stored under a name, or all that a pattern such as year_* matches; return the names.

    kind: that of the name, where several kinds have it. What is made of it becomes stale. Raises QuestionError if there
    is none, if a weighting uses a subcorpus, or if other entries contain an entry; then none is deleted.
    """
    delete: Mapping[Kind, Callable[[Database, Sequence[str]], None]] = {
        SUBCORPUS: forget_subcorpora,
        WEIGHTING: forget_weightings,
        SENSES: forget_senses,
        ENTRY: forget_stored_entries,
    }
    with session.writing() as database:
        own, names = find_stored(database, name, kind, patterns=True)
        delete.get(KINDS[own], KINDS[own].forget_all)(database, names)
        schema.renew(database)
    return names


def refresh_kind(
    session: Session, kind: str, name: str | None, progress: Follow, *, of_current: bool = False
) -> list[str]:
    """Make again what is stale of a kind, or what has a name; return the names.

    of_current: leave out, with an error, senses whose space is stale.
    """
    if kind == "spaces":
        return refresh_spaces(session, name, progress=progress)
    if kind == "senses":
        return refresh_senses(session, name, of_current=of_current)
    again = {"subcorpora": refresh_subcorpora, "weightings": refresh_weightings, "entries": refresh_entries}
    return again[kind](session, name)


def check_kind(kind: object) -> str:
    """Return the name of a kind. Raise QuestionError for any other."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise QuestionError(f"kind is {kind!r:.60}; expected {', '.join(KINDS)}")
    return kind


def find_stored(
    database: Database, name: object, kind: str | None = None, *, patterns: bool = False
) -> tuple[str, list[str]]:
    """Return the kind of what has a name, and its name as it is stored; of a pattern, all names that it matches.

    Raises QuestionError for a name that nothing has, or several kinds.
    """
    kinds = KINDS if kind is None else {check_kind(kind): KINDS[check_kind(kind)]}
    text = name if isinstance(name, str) else ""
    found = {own: [each.name] for own, one in kinds.items() if (each := one.find(database, text))}
    known = {own: one.names(database) for own, one in kinds.items()}
    if not found and patterns and any(each in text for each in WILD):
        like = {own: [each for each in names if fnmatchcase(each, text)] for own, names in known.items()}
        found = {own: names for own, names in like.items() if names}
    if len(found) > 1:
        given = " or ".join(f"kind := '{each}'" for each in found)
        raise QuestionError(f"{name} is the name of several: {' and '.join(found)}; give the kind, {given}")
    if not found and kind == "senses":
        refuse_without(database, text)
    if not found and kind is not None:
        KINDS[kind].get(database, name)
    if not found:
        raise QuestionError(f"nothing is stored under the name {name!s:.60}; {list_near(text, known)}")
    return next(iter(found.items()))


def list_near(name: str, known: Mapping[str, list[str]]) -> str:
    """Return which names there are, those that are spelt nearly so first, for an error."""
    kinds: dict[str, list[str]] = {}
    for own, names in known.items():
        for each in names:
            kinds.setdefault(each, []).append(own)
    if not kinds:
        return "nothing is stored yet"
    shown = [f"{each} ({', '.join(kinds[each])})" for each in near_first(name, [*kinds])]
    return f"available: {name_first(shown, SHOWN)}"
