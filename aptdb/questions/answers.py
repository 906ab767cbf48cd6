"""Runs a question, and says beside its answer what a user should know: stale weights, stale entries, missing trees."""

from collections.abc import Iterable, Mapping
from typing import Any

from aptdb.errors import QuestionError, StaleEntry, StaleWeighting, WithoutTrees, warn
from aptdb.questions import weightings
from aptdb.questions.select import names_in_select, refuse_all_but_select
from aptdb.result import Result
from aptdb.store.session import Session
from aptdb.store.statements import statement


def answer(
    session: Session,
    query: str,
    parameters: Mapping[str, Any],
    values: Mapping[str, Any] | None = None,
    *,
    about: Iterable[str],
) -> Result:
    """The answer to a question that takes weights, with a warning where those that are kept are not used.

    parameters: those of the question. values: what `$name` stands for in the query. about: the lexemes in it.
    """
    warn_of_stale_entries(session, about, parameters)
    weights = parameters.get("weights")
    if weights is None:
        return session.ask(query, values)
    warn_of_stale_weights(session, {str(weights).lower()})
    try:
        return session.ask(query, values)
    except QuestionError as error:
        raise weightings.explained(session.reading(), str(weights), error) from error


def sql(session: Session, query: str, parameters: Mapping[str, Any] | None = None) -> Result:
    """The rows of one SELECT of your own; `$name` stands for a parameter. It can change nothing.

    Raises QuestionError where it is not one SELECT, or does not run.
    """
    tree = refuse_all_but_select(session.reading(), query)
    warn_of_stale_weights(session, names_in_select(tree))
    return session.ask(query, parameters)


def evidence(session: Session, lexeme: str, path: str, context: str) -> Result:
    """The sentences behind a count, as many as it counts: ⟨lexeme, path, context⟩; [lexeme], {context}.

    Rows of corpus, sentence (its sent_id, or its number), position, context_position, text. What came as counts has no
    sentences, which a warning (WithoutTrees) tells. Raises QuestionError for a lexeme or path that cannot be.
    """
    asked = {"lexeme": lexeme, "path": path, "context": context}
    found = session.ask("FROM evidence($lexeme, $path, $context)", asked)
    triple = {**asked, "path": "" if path == "ε" else path}
    for corpus, count_ in session.reading().rows(statement("questions/without_trees"), triple):
        more = " more" if found.rows else ""
        said = f"{count_:,}{more} {'is' if count_ == 1 else 'are'} of {corpus}, which came as counts, without trees"
        warn(said, WithoutTrees)
    return found


def count(session: Session, lexeme: str, path: str, context: str) -> int:
    """#⟨lexeme, path, context⟩: how often a lexeme meets a context along a path."""
    asked = {"lexeme": lexeme, "path": "" if path == "ε" else path, "context": context}
    return int(session.reading().value(statement("questions/count"), asked))


def ways(session: Session, lexeme: str, context: str) -> list[tuple[str, int]]:
    """The paths along which two lexemes meet most often, at most five, each with its count."""
    found = session.ask(statement("questions/ways"), {"lexeme": lexeme, "context": context})
    return [(path, number) for path, number in found.rows]


def warn_of_stale_weights(session: Session, names: set[str]) -> None:
    """Warn of the stale weightings among names in lower case."""
    for (name,) in session.reading().rows("SELECT name FROM weightings WHERE state = 'stale'"):
        if name in names:
            warn(
                f"the kept weights of {name} are older than the last addition, so they are computed anew; "
                f"to keep them again: aptdb weigh {session.file} {name} --refresh",
                StaleWeighting,
            )


def warn_of_stale_entries(session: Session, lexemes: Iterable[str], parameters: Mapping[str, Any]) -> None:
    """Warn of the entries that a question is about, or ranks, and that were composed before the lexicon grew."""
    asked, ranked = {*lexemes}, parameters.get("among", "lexemes") != "lexemes"
    for (name,) in session.reading().rows("SELECT entry FROM entries WHERE state = 'stale'"):
        if ranked or name in asked:
            warn(
                f"{name} was composed before the last addition, and is asked about as it was; to compose it anew: "
                f"aptdb entries {session.file} {name} --refresh",
                StaleEntry,
            )
