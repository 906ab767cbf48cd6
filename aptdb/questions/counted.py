"""Adds to answers about weights and similarities how often what they name is counted."""

from collections.abc import Mapping
from typing import Any

from aptdb.errors import QuestionError
from aptdb.store.literals import SqlText, literal
from aptdb.store.session import Session
from aptdb.store.statements import statement


def wanted(parameters: dict[str, Any], name: str) -> bool:
    """Whether counts are asked for, by a parameter, which is taken out. Raises QuestionError if it is not a bool."""
    value = parameters.pop(name, False)
    if not isinstance(value, bool):
        raise QuestionError(f"{name} is {value!r:.60}; it is True or False")
    return value


def with_frequencies(session: Session, query: str, parameters: Mapping[str, Any]) -> SqlText:
    """The query of neighbours with the frequency of each, NULL for entries."""
    return statement("questions/counted/neighbours", query=SqlText(query), part=part_of(session, parameters, "part"))


def with_counts(session: Session, query: str, lexeme: object, parameters: Mapping[str, Any]) -> SqlText:
    """The query of the APT of a lexeme with the count of each feature, NULL for features of an entry."""
    part = part_of(session, parameters, "part")
    return statement("questions/counted/apt", query=SqlText(query), lexeme=one(lexeme), part=part)


def with_both_counts(session: Session, query: str, a: object, b: object, parameters: Mapping[str, Any]) -> SqlText:
    """The query of a difference of two lexemes with the counts of each, NULL where there is none."""
    part = part_of(session, parameters, "part")
    part_b = part_of(session, parameters, "part_b") or part
    return statement("questions/counted/diff", query=SqlText(query), a=one(a), b=one(b), part=part, part_b=part_b)


def part_of(session: Session, parameters: Mapping[str, Any], name: str) -> str | None:
    """The part of the corpora that is asked: the one that is given, else the one that the weighting is of."""
    if parameters.get(name) is not None:
        return str(parameters[name])
    weights = literal(str(parameters.get("weights", "ppmi")))
    recorded = session.reading().value(f"SELECT _store.part({weights}, _store.no_options())")
    return None if recorded is None else str(recorded)


def one(lexeme: object) -> str:
    """The text of a lexeme. Raises QuestionError for a phrase: it is composed, not counted."""
    if not isinstance(lexeme, str):
        raise QuestionError("a phrase is composed, and has no counts; ask for counts of a lexeme")
    return lexeme
