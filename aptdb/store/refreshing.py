"""Make again what is stale since the lexicon changed: all of it or, where something cannot be, all the rest."""

from collections.abc import Callable

from aptdb.core.errors import QuestionError
from aptdb.store.database import Database
from aptdb.store.session import Session

Refresh = Callable[[Database, str | None], list[str]]  # makes again what has this name, or all that is stale


def refresh_stale(session: Session, refresh: Refresh, name: str | None, stale: str) -> list[str]:
    """Make again what is stale, all or the named one; return the names. stale: the query for the names of all.

    All is one transaction. Where something cannot be made again, e.g. a subcorpus that no sentence fits any more, each
    is one of its own, and QuestionError says what failed when the others are done.
    """
    try:
        with session.writing() as database:
            return refresh(database, name)
    except QuestionError:
        if name is not None:
            raise
    done: dict[str, None] = {}
    failed = []
    for (each,) in session.reading().rows(stale):
        try:
            with session.writing() as database:
                done |= dict.fromkeys(refresh(database, each))
        except QuestionError as error:
            failed.append(str(error) if each in str(error) else f"{each}: {error}")
    if failed:
        raise QuestionError("; ".join(failed) + (f"; made again: {', '.join(done)}" if done else ""))
    return [*done]
