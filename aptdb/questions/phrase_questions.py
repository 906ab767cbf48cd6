"""Phrases as they occur in the stored trees, how compositional they are, and substitutes for one of their words."""

import json
import re
from dataclasses import dataclass
from typing import Any, Unpack

from aptdb.core.display import how_many
from aptdb.core.errors import IncompleteDataWarning, QuestionError, warn
from aptdb.core.question_parameters import Compositional, Observed, Substituting
from aptdb.core.result import Result
from aptdb.counting.patterns import write_pattern
from aptdb.questions.calls import Question, Questions, call, split_phrase
from aptdb.questions.execute import ask_weighed
from aptdb.questions.phrase_parser import typed_words
from aptdb.questions.query import asked_in, rows_of_apt, subcorpus_of_question, warned_if_empty
from aptdb.questions.readings import as_read, asks_for_matches, each_as_read
from aptdb.store.session import Session
from aptdb.store.statements import statement


@dataclass(frozen=True, eq=False, repr=False)
class Observation(Result):
    """The APT of a phrase as it occurs. occurrences: how often it does."""

    occurrences: int = 0


def observed(session: Session, phrase: Question, **parameters: Unpack[Observed]) -> Observation:
    """Return the APT of a phrase as it occurs: rows of path, context, count, weight; the heaviest first on each path.

    It is that of all nodes of the stored trees that are the head and have the other words directly below them, each
    along its relation; `occurrences` of the answer is their number. These other words are left out. Of a pattern, as
    `matches` takes it, it is that of its first nodes, without its others. Counts are packed,
    or direct; weights are made of them as of a lexeme's. Corpora that came as counts have no trees: then there is an
    IncompleteDataWarning. Raises QuestionError.
    """
    looked_in = subcorpus_of_question(session, parameters, "subcorpus")
    if isinstance(phrase, str) and asks_for_matches(session, phrase):
        asked: Any = write_pattern(session.reading(), phrase)
        wanted = statement("questions/occurrences_of_pattern", pattern=asked, subcorpus=looked_in)
    else:
        asked = split_phrase(as_read(session, phrase, parameters))
        wanted = statement("questions/occurrences", words=asked, subcorpus=looked_in)
    warn_of_no_trees(session)
    found = rows_of_apt(session, "observed", asked, parameters)
    times = int(session.ask(wanted).rows[0][0])
    if not found.rows:
        why = f"occurs {how_many(times, 'time')}, but no feature is left under these weights"
        warn(f"the phrase {why if times else 'does not occur'}", IncompleteDataWarning)
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
        raise QuestionError("this lexicon has only counts, without trees, so no phrase can be observed in it")
    for corpus in without:
        warn(f"{corpus} was added as counts, without sentences, so nothing is observed in it", IncompleteDataWarning)


MARKED = re.compile(r"(?<!\S)\[([^\[\]\s]+)\](?!\S)")
EXAMPLE = "mark one word, as in 'dogs [chase] cats', or name it by anchor"


def substitutes(session: Session, phrase: Question, **parameters: Unpack[Substituting]) -> Result:
    """Return the lexemes that could stand in the place of a word: rows of lexeme, similarity, reasons, the best first.

    phrase: typed words, one of them marked, as in `dogs [chase] cats`; or a phrase in which anchor names the word, 0
    for the root's. It is composed and seen from this word, and lexemes are ranked by their similarity to it, the word
    itself left out. reasons: up to three features that they share. Raises QuestionError.
    """
    given = dict(parameters)
    if isinstance(phrase, str) and MARKED.search(phrase):
        if given.get("anchor"):
            both = f"{phrase!r:.60} has a word marked, and anchor is {given['anchor']}"
            raise QuestionError(f"{both}; give only one of them")
        phrase, given["anchor"] = unmarked(session, phrase)
    words = split_phrase(as_read(session, phrase, given))
    found = ask_weighed(session, f"FROM {call('substitutes', [words], given)}", given, asked=[words])
    return warned_if_empty(found, "no other lexeme shares a feature with the word in this phrase", given)


def unmarked(session: Session, text: str) -> tuple[str, int]:
    """Return typed words without the mark, and the number of the marked word among those that the lexicon counts."""
    marked = MARKED.findall(text)
    if len(marked) > 1:
        raise QuestionError(f"{text!r:.60} has {len(marked)} words marked; {EXAMPLE}")
    before = text[: MARKED.search(text).start()]  # type: ignore[union-attr]
    whole = MARKED.sub(lambda found: found[1], text)
    place = len(typed_words(session, before)) if before.strip() else 0
    words = typed_words(session, whole)
    if place >= len(words) or words[place].text != marked[0] or not words[place].lexemes:
        raise QuestionError(f"{marked[0]} is not a single word that this lexicon counts; {EXAMPLE}")
    return whole, 1 + sum(bool(word.lexemes) for word in words[:place])
