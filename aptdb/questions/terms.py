"""Compares what matches of a pattern are between subcorpora or lexicons, as terms of a field are found."""

from contextlib import closing
from typing import Unpack

import numpy as np

from aptdb.core.count_parameters import PatternKeyness
from aptdb.core.errors import NoMatchWarning, QuestionError, warn
from aptdb.core.parameters import declared
from aptdb.core.result import Result
from aptdb.questions.breakdowns import name_parts, write_pattern_asked
from aptdb.questions.calls import call
from aptdb.questions.frequencies import (
    labels_in,
    needs_all,
    open_attached_session,
    refuse_no_names,
    refuse_other_lexicon,
    warn_of_annotation,
    warn_of_settings,
)
from aptdb.store.question_sql import is_sql_wanted, raising_sql
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, statement

# Noun groups of up to five words, with those that stand in them: where adjectives come before nouns, and after them.
NOUN, WORD = '[upos="{nouns}"{lemma}]', '[upos="{words}"{lemma}]'
BEFORE = f"(?all) {WORD}{{{{0,4}}}} {NOUN}"
AFTER = f'(?all) {NOUN} ({WORD} | [upos="ADP"] {NOUN}){{{{0,2}}}}'


def pattern_keyness(
    session: Session,
    pattern: str | None = None,
    by: str = "match.lemma",
    a: str | None = None,
    b: str | None = None,
    *,
    other: str | None = None,
    **parameters: Unpack[PatternKeyness],
) -> Result:
    """Return which tokens of matches are typical of one subcorpus: rows of item and the numbers of `keyness`.

    pattern: as in `matches`; None for noun groups, as terms are: adjectives and nouns before a noun or, where most
    adjectives of the lexicon follow their nouns, after it. by: values of tokens, as in `counts_by`, "V.lemma, O.lemma";
    of values of all words, as "match.lemma", c_value says how much each is a term of a, and not a part of longer ones
    (C-value; it wants `(?all)` in a sequence). a: a subcorpus. b: another; None for all the rest. other: another
    lexicon, attached when this one was opened, in place of b; then a may be None, for all of this one. Raises
    QuestionError.
    """
    refuse_no_names(a=a, b=b)
    pattern = choose_noun_group(session) if pattern is None else pattern
    written, items = write_pattern_asked(session, pattern), name_parts(session, by)
    if other is None:
        return session.ask(f"FROM {call('pattern_keyness', [written, items, a, b], parameters)}")
    refuse_other_lexicon(session, other)
    items_there, counts_there = count_items_in(session, other, pattern, by)
    warn_of_settings(session, other)
    warn_of_annotation(session, a, {"other": other}, labels_in(session, "[]", written))
    given = {name: parameters.get(name, each.default) for name, each in declared(PatternKeyness).items()}
    asked = {"pattern": written, "by": items, "a": a, "b": b, "other": other, **given}
    if is_sql_wanted():
        query = statement("questions/listed_items", items=items_there, counts=counts_there)
        listed = SqlText(f"({query})")
        return session.ask(statement("questions/matches_beside", there=listed, **asked))
    with session.apart() as database:
        counts = {"item": np.array(items_there, dtype=object), "count": np.array(counts_there, dtype=np.int64)}
        database.bring("counted_there", counts)
        return Result(*database.table(statement("questions/matches_beside", there=SqlText("counted_there"), **asked)))


def count_items_in(session: Session, other: str, pattern: str, by: str) -> tuple[list[str], list[int]]:
    """Return what matches of a pattern are in an attached lexicon, and how often each is."""
    with closing(open_attached_session(session, other)) as there, raising_sql(wanted=False):
        try:
            answer = call("breakdown", [write_pattern_asked(there, pattern), name_parts(there, by)], {})
            found = there.ask(statement("questions/items_and_counts", answer=SqlText(answer)))
        except QuestionError as error:
            if not needs_all(pattern):
                raise QuestionError(f"{pattern:.60} cannot be counted in {there.file}: {error}") from error
            warn(f"counted 0 times in {there.file}: {error}", NoMatchWarning)
            return [], []
    return found.column("item"), found.column("count")


def choose_noun_group(session: Session) -> str:
    """Return the pattern of noun groups that fits the tags and the order of words. Raise QuestionError if none does."""
    database = session.reading()
    tags = {tag for (tag,) in database.rows(statement("questions/known_tags"))}
    nouns = [tag for tag in ("NOUN", "PROPN") if tag in tags]
    if not nouns:
        raise QuestionError(
            "no token has the tag NOUN or PROPN, so there are no noun groups; give a pattern for terms (--phrase)"
        )
    follows = (database.value(statement("questions/adjectives_after_nouns")) or 0) > 1 / 2 and "ADP" in tags
    words = [*nouns, *(["ADJ"] if "ADJ" in tags else [])]
    lemma = ' & lemma!="_"' if database.rows(statement("questions/nouns_without_lemma")) else ""
    return (AFTER if follows else BEFORE).format(nouns="|".join(nouns), words="|".join(words), lemma=lemma)
