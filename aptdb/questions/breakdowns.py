"""Counts what is found by what it is: values of its tokens and of the texts that it stands in."""

import re
from collections.abc import Mapping
from typing import Any, Unpack

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import Collexemes
from aptdb.core.result import Result
from aptdb.counting.metadata import read_metadata_columns
from aptdb.counting.patterns import name_key_compared, write_pattern
from aptdb.questions.calls import Question, call
from aptdb.questions.execute import as_asked, ask_of_words, warn_of_counts
from aptdb.store.session import Session
from aptdb.store.statements import SqlText

PART = re.compile(r"(?:[^,(]|\([^)]*\))+")  # as sql/questions/define/breakdown.sql has it
OF_ANSWER = ("count", "share", "tokens", "per_million", "documents", "dp", "arf")  # columns
EXAMPLE = '[lemma="take"] [upos="NOUN"]'
OF_TOKENS = re.compile(r"match|[^.()]+\.[^()]+")


def is_breakdown(session: Session, parameters: Mapping[str, Any]) -> bool:
    """Return whether counts are asked for by what is found, by several things, or with what a breakdown shows.

    Raises QuestionError for documents without dispersion.
    """
    by = parameters.get("by", "corpus")
    if parameters.get("documents", "document") != "document" and not parameters.get("dispersion"):
        raise QuestionError("documents has an effect only with dispersion")
    if parameters.get("dispersion") or not isinstance(by, str):
        return bool(parameters.get("dispersion"))
    kinds = {name.lower() for columns in read_metadata_columns(session.reading()).values() for name in columns}
    parts = split_grouping(by)
    return by.strip().lower() not in kinds and (len(parts) > 1 or any(map(OF_TOKENS.fullmatch, parts)))


def break_down(
    session: Session, lexeme: Question | None, path: str | None, context: str | None, parameters: Mapping[str, Any]
) -> Result:
    """Return how often each combination of values occurs, a column for each. parameters: those of `counts_by`.

    Raises QuestionError.
    """
    given = dict(parameters)
    by = given.pop("by", "corpus")
    if (lexeme, path, context) == (None, None, None):
        lexeme = "*"
    items = name_parts(session, by)
    refuse_repeated_parts(split_grouping(by))
    named, asked, context = as_asked(session, lexeme, path, context)
    query = call("breakdown", [asked, items, path, context], given)
    found = ask_of_words(session, f"FROM {query}", named, context)
    if given.get("subcorpus") is None and (named, path, context) != (None, None, None):
        warn_of_counts(session, named, path, context)
    return spread_parts(found, split_grouping(by), dispersion=bool(given.get("dispersion")))


def collexemes(
    session: Session, pattern: str, slot: str = "1.lemma", against: str | None = None, **parameters: Unpack[Collexemes]
) -> Result:
    """Return what a slot of a construction attracts, the surest first; then what it repels.

    pattern: as in `matches`. slot: an attribute of one of its tokens, V.lemma. Rows of item, count (tokens of it in the
    slot), other_count (its other tokens that pass the tests of the slot), expected, g2, log_odds, p_value, q_value
    (false discovery rate), delta_p_construction (how much more probable the construction is with the word) and
    delta_p_word (the word, with the construction). against: another construction with a slot of the same name, whose
    tokens other_count has then: distinctive collexemes. min_count: the least count in the construction, or in both.
    Raises QuestionError.
    """
    asked = [write_pattern_asked(session, each) for each in (pattern, *([] if against is None else [against]))]
    given = [asked[0], name_parts(session, slot), *asked[1:]]
    return session.ask(f"FROM {call('collexemes', given, parameters)}")


def write_pattern_asked(session: Session, pattern: str) -> SqlText:
    """Return a pattern as SQL takes it. Raise QuestionError for what is no text, or no pattern."""
    if not isinstance(pattern, str) or not pattern.strip():
        raise QuestionError(f"the pattern is {pattern!r:.60}; expected text, as VERB[obj PRON] or {EXAMPLE}")
    return write_pattern(session.reading(), pattern)


def spread_parts(found: Result, parts: list[str], *, dispersion: bool) -> Result:
    """Return a breakdown with a column for each part in place of the item."""
    shown = OF_ANSWER if dispersion else OF_ANSWER[:4]
    types = dict(zip(found.columns, found.types, strict=True))
    rows = [(*row["parts"], *(row[column] for column in shown)) for row in found]
    return Result((*parts, *shown), (*["VARCHAR"] * len(parts), *(types[each] for each in shown)), rows)


def refuse_repeated_parts(parts: list[str]) -> None:
    """Raise QuestionError for what is grouped by twice, or is called like a column of the answer."""
    if twice := [each for each in parts if parts.count(each) > 1 or each in OF_ANSWER]:
        raise QuestionError(f"by has {twice[0]} twice, or it is the name of a column of the answer")


def split_grouping(by: str) -> list[str]:
    """Return the parts of what is grouped by: V.lemma and bin(age, 12) of 'V.lemma, bin(age, 12)'."""
    return [each.strip() for each in PART.findall(by) if each.strip()]


def name_parts(session: Session, by: str) -> str:
    """Return what is grouped by, with keys of FEATS as those: V.feats.Case of V.Case. Raise QuestionError."""
    if not isinstance(by, str) or not split_grouping(by):
        raise QuestionError(f"by is {by!r:.60}; expected as 'V.lemma', 'match', or 'V.lemma, genre'")
    if by.count("(") != by.count(")"):
        raise QuestionError(f"{by:.60}: a bracket is not closed")
    return ", ".join(
        name_key_compared(session.reading(), each) if OF_TOKENS.fullmatch(each) and "." in each else each
        for each in split_grouping(by)
    )
