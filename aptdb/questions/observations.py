"""Phrases as they occur in the stored trees: their APTs, and how compositional they are."""

import json
from dataclasses import dataclass
from typing import Unpack

from aptdb.core.errors import AllLeftOut, QuestionError, WithoutTrees, warn
from aptdb.core.question_parameters import Compositional, Observed
from aptdb.core.result import Result
from aptdb.questions.calls import Question, Questions, call, split_phrase
from aptdb.questions.execute import ask_weighed
from aptdb.questions.query import asked_in, rows_of_apt, subcorpus_of_question
from aptdb.questions.readings import as_read, each_as_read
from aptdb.store.session import Session
from aptdb.store.statements import statement


@dataclass(frozen=True, eq=False, repr=False)
class Observation(Result):
    """The APT of a phrase as it occurs. occurrences: how often it does."""

    occurrences: int = 0


def observed(session: Session, phrase: Question, **parameters: Unpack[Observed]) -> Observation:
    """Return the APT of a phrase as it occurs: rows of path, context, count, weight; the heaviest first on each path.

    It is that of all nodes of the stored trees that are the head and have the other words directly below them, each
    along its relation; `occurrences` of the answer is their number. These other words are left out. Counts are packed,
    or direct; weights are made of them as of a lexeme's. Corpora that came as counts have no trees: then there is a
    warning (WithoutTrees). Raises QuestionError.
    """
    words = split_phrase(as_read(session, phrase, parameters))
    warn_of_no_trees(session)
    found = rows_of_apt(session, "observed", words, parameters)
    wanted = statement(
        "questions/occurrences", words=words, subcorpus=subcorpus_of_question(session, parameters, "subcorpus")
    )
    times = int(session.ask(wanted).rows[0][0])
    if not found.rows:
        why = f"nothing of its {times} occurrences is left under these weights" if times else "it does not occur"
        warn(f"nothing is observed of the phrase: {why}", AllLeftOut)
    return Observation(found.columns, found.types, found.rows, times)


def compositionality(session: Session, phrases: Questions, **parameters: Unpack[Compositional]) -> Result:
    """Return how like their parts phrases of two words are: rows of phrase, occurrences, log_frequency, composed, ….

    composed, head, dependent: the similarity of the phrase as it is observed to the phrase as it is composed, to its
    head alone and to its dependent alone; None if the phrase does not occur, or if a word occurs nowhere else.
    log_frequency: the natural logarithm of occurrences. Head and dependent are counted without the phrase's own
    occurrences, since otherwise what is most of its words would be most like them; head_occurrences and
    dependent_occurrences are those that are left. own_occurrences: True counts all of them. phrases: as in
    `compose_each`. Raises QuestionError.
    """
    asked, rows = asked_in(each_as_read(session, phrases, parameters))
    warn_of_no_trees(session)
    query = f"{asked} FROM {call('compositionality', ['asked'], parameters)}"
    return ask_weighed(session, query, parameters, {"questions": json.dumps(rows)}, asked=[rows])


def warn_of_no_trees(session: Session) -> None:
    """Warn of corpora that came as counts: nothing is observed in them. Raise QuestionError if there are no others."""
    kinds = session.reading().rows("SELECT corpus, kind FROM corpora")
    without = [str(corpus) for corpus, kind in kinds if kind == "counts"]
    if without and len(without) == len(kinds):
        raise QuestionError("this lexicon has counts alone, without trees, so that no phrase is observed in it")
    for corpus in without:
        warn(f"{corpus} came as counts, without sentences; nothing is observed in it", WithoutTrees)
