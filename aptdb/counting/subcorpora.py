"""Subcorpora: sentences that match a condition, counted by themselves and kept in the lexicon."""

from collections.abc import Sequence
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import IncompleteDataWarning, ManySubcorporaError, QuestionError, warn
from aptdb.core.result import Result
from aptdb.core.settings import Settings
from aptdb.counting.condition_parser import HasMatch, join_conditions
from aptdb.counting.conditions import Condition, check_condition, chosen_sentences, divide_by_column, parse_condition
from aptdb.counting.count_trees import CHOSEN, choose_sentences, count_stored, in_store, refuse_damaged
from aptdb.counting.staging import Draft, open_draft, own_store
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.derived import KEPT, SUBCORPUS, WEIGHTING
from aptdb.store.session import Session
from aptdb.store.statements import statement

LONGEST_NAME = 100  # characters
MOST = 500  # subcorpora in all: each has counts of its own
OWN = "_store"


def subcorpus(session: Session, name: str, where: str | None = None, *, where_matches: str | None = None) -> None:
    """Count the sentences that match a condition, and keep the subcorpus under a name.

    where: as in SQL, on corpus, document, sent_id and metadata of documents and sentences: `genre = 'fiction' AND year
    < 1900`; or matches('VERB[obj PRON]'), a pattern as of `matches`, which where_matches is by itself, beside where if
    both are given. If the subcorpus exists and is up to date, nothing is done. Corpora that came as counts are in no
    subcorpus. Raises QuestionError for a condition that is invalid or matches nothing, and for a name that is taken.
    """
    if where is None and where_matches is None:
        raise QuestionError("a subcorpus needs a condition, where or where_matches")
    patterns = () if where_matches is None else (HasMatch(where_matches),)
    wanted = join_conditions("AND", (*(() if where is None else (parse_condition(where),)), *patterns))
    session.refuse_counts_elsewhere("it has no sentences to make a subcorpus of")
    with session.writing() as database:
        refuse_damaged(database, OWN, session.file)
        check_condition(database, wanted)
        tell_of_counts(database)
        record_subcorpus(database, session.settings, name, wanted)
        schema.renew(database)


def subcorpora_by(session: Session, column: str, prefix: str = "", *, most: int = MOST) -> list[str]:
    """Count a subcorpus for each value of a column, named after the value; return the names.

    column: its name, or a function of one, e.g. century(date). prefix: text before the names. Sentences without a value
    are in none of them. most: with more values, nothing is counted, and ManySubcorporaError is raised.
    """
    session.refuse_counts_elsewhere("it has no sentences to make subcorpora of")
    with session.writing() as database:
        refuse_damaged(database, OWN, session.file)
        values, without = divide_by_column(database, column)
        if not values:
            raise QuestionError(f"no sentence has a {column}, so the sentences cannot be divided by it")
        if len(values) > MOST:
            raise QuestionError(
                f"{column} has {len(values):,} values, and at most {MOST} subcorpora are kept; use --where"
            )
        if len(values) > most:
            raise ManySubcorporaError(f"{column} has {len(values):,} values, so there would be as many subcorpora")
        tell_of_counts(database)
        names = {f"{prefix}{value}": condition for value, condition in values}
        for name, condition in names.items():
            record_subcorpus(database, session.settings, name, condition)
        schema.renew(database)
    if without:
        have, are = ("has", "is") if without == 1 else ("have", "are")
        warn(
            f"{how_many(without, 'sentence')} {have} no {column}, and {are} in none of the subcorpora",
            IncompleteDataWarning,
        )
    return [*names]


def subcorpora(session: Session) -> Result:
    """Return the kept subcorpora: name, condition, state, sentences and tokens."""
    return session.ask("FROM subcorpora")


def refresh_subcorpora(session: Session, name: str | None = None) -> list[str]:
    """Count stale subcorpora again, all or the named one; return their names.

    Raises QuestionError for those that cannot be, once the others are.
    """

    def count(database: Database, names: Sequence[str]) -> Sequence[str]:
        refuse_damaged(database, OWN, session.file)
        for each in names:
            keep_subcorpus(database, session.settings, each, stored_condition(database, each))
        return names

    return SUBCORPUS.refresh(session, count, name)


def count_again(database: Database, settings: Settings) -> None:
    """Count all kept subcorpora again, within the caller's transaction."""
    for each in SUBCORPUS.names(database, KEPT):
        keep_subcorpus(database, settings, each, stored_condition(database, each))


def forget_subcorpora(database: Database, names: Sequence[str]) -> None:
    """Delete subcorpora. Raise QuestionError if a weighting uses one; then none is deleted."""
    for weighting in WEIGHTING.read(database):
        if (own := weighting.asked.get("subcorpus")) in names:
            raise QuestionError(
                f"the weighting {weighting.name} is of the subcorpus {own}; delete it first: aptdb forget LEXICON "
                f"{weighting.name} --kind weightings"
            )
    SUBCORPUS.forget_all(database, names)


def record_subcorpus(database: Database, settings: Settings, name: str, wanted: Condition) -> None:
    """Keep a subcorpus under a name, unless it is there and up to date. Raise QuestionError if the name is taken."""
    refuse_name_of_subcorpus(name)
    found = SUBCORPUS.find(database, name)
    if found and (condition := found.asked.get("condition")) != wanted.text():
        raise QuestionError(
            f"{name} is already a subcorpus, of {condition}; choose another name, or delete it: aptdb forget LEXICON"
        )
    if not found:
        refuse_other_case(database, name)
        if (count := len(SUBCORPUS.names(database))) >= MOST:
            raise QuestionError(f"there are {count} subcorpora, the maximum; delete some by: aptdb forget LEXICON NAME")
    if not found or found.state != KEPT:
        keep_subcorpus(database, settings, name, wanted)


def refuse_other_case(database: Database, name: str) -> None:
    """Raise QuestionError if a subcorpus has the same name but for capitals."""
    for other in SUBCORPUS.names(database):
        if other.lower() == name.lower():
            raise QuestionError(f"{name} differs from the subcorpus {other} only in capitals; choose another name")


def keep_subcorpus(database: Database, settings: Settings, name: str, wanted: Condition) -> None:
    """Count a subcorpus and store its counts, in place of former ones."""
    is_stored = SUBCORPUS.find(database, name) is not None
    own = SUBCORPUS.make_room(database, name)
    # Before there is a draft: a transaction sees of a draft only what exists when it first reads its catalog.
    choice = chosen_sentences(database, wanted, own_store(database))
    with open_draft(database) as draft:
        corpora = choose_sentences(draft, draft.own, choice)
        sentences, tokens = draft.database.rows(in_store("counting/subcorpus/size", draft.own))[0]
        if not sentences:
            empty = f", so the subcorpus {name} would be empty; delete it by: aptdb forget" if is_stored else ""
            raise QuestionError(f"no sentence fits {wanted.text()}{empty}")
        bring_subcorpus(draft, settings, corpora, own)
    if not database.value("SELECT EXISTS (FROM _store.subcorpus_lexeme WHERE subcorpus_id = $id)", {"id": own}):
        raise QuestionError(
            f"the sentences that fit {wanted.text()} have no lexeme, so the subcorpus {name} would be empty"
        )
    made = {"sentences": sentences, "tokens": tokens}
    SUBCORPUS.record(database, own, name, asked={"condition": wanted.text()}, made=made)


def bring_subcorpus(draft: Draft, settings: Settings, corpora: list[int], own: int) -> None:
    """Count the chosen sentences, and store their counts and marginals in the tables of subcorpora."""
    lexemes = count_stored(draft, settings, corpora, chosen=CHOSEN).ranges()
    lexicon = draft.bring_counts(1)
    lexicon.run(statement("counting/subcorpus/keep_sentences", id=own, draft=draft.store))
    for first, last in lexemes:
        lexicon.run(statement("counting/subcorpus/keep_cooccurrences", id=own, first=first, last=last))
    lexicon.run(statement("counting/subcorpus/keep_marginals", id=own))


def stored_condition(database: Database, name: str) -> Condition:
    """Return the condition of a subcorpus, parsed again from its text."""
    return parse_condition(SUBCORPUS.get(database, name).asked.get("condition", ""))


def refuse_name_of_subcorpus(name: Any) -> None:
    """Raise QuestionError for a name that is invalid or confusable."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or name != name.strip() or not name.isprintable():
        raise QuestionError(
            f"{name!r} is not a name for a subcorpus; expected up to {LONGEST_NAME} characters, e.g. fiction"
        )


def tell_of_counts(database: Database) -> None:
    """Warn of corpora that came as counts: they have no sentences to choose from."""
    for (name,) in database.rows("SELECT name FROM _store.corpus WHERE kind = 'counts' ORDER BY id"):
        warn(f"{name} was added as counts, without sentences, so it is in no subcorpus", IncompleteDataWarning)
