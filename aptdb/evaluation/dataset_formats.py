"""Recognise the format of a data set by its header or its content."""

import re
from collections.abc import Sequence

from aptdb.core.errors import DataSetError
from aptdb.evaluation.dataset_columns import (
    LOOKED_AT,
    NAMES,
    SENTENCE,
    Row,
    all_tags,
    at_fault,
    cell_at,
    is_finite_number,
    name_of_word,
    tag_of_dataset,
)

PHRASES = {  # in Mitchell & Lapata 2010: the tags of the first word and of the second, the head; and their relation
    "adjectivenouns": ("ADJ", "NOUN", "amod"),
    "compoundnouns": ("NOUN", "NOUN", "compound"),
    "verbobjects": ("NOUN", "VERB", "obj"),
}
HILO = {"high", "low"}
OF_SENTENCE = 7  # columns of a rated sentence with a participant, and high or low
BOTH_TAGGED = 4  # the column of the score if each of two words has a tag
FIRST, SECOND = (re.compile(rf"(word|w|item|noun|verb|adj)[\W_]*{place}", re.IGNORECASE) for place in (1, 2))
LABELS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "1": 1.0, "0": 0.0}
COLUMNS = {  # of each format, without a header
    "ml2010": "participant, type, version, four words, rating",
    "ml2008": "verb, noun, landmark, rating",
    "word-pairs": "word, word, score",
    "verb-landmark": "verb, subject, object, landmark, rating",
    "sentence-pairs": "subject, verb, object, subject, verb, object, rating",
    "compounds": "dependent, head, three ratings",
    "graded-entailment": "word, word, score",
}


def recognised(name: str, rows: Sequence[Row]) -> str:
    """Return the format of a data set, by its header or content, never by the number of columns alone.

    Raises DataSetError if neither is known, and for known data sets that cannot be evaluated yet.
    """
    known = by_head(rows)
    refuse_known(name, rows)
    known = known or by_content(rows)
    if known is None:
        every = "; ".join(f"{format} ({columns})" for format, columns in COLUMNS.items())
        raise at_fault(
            name,
            rows[1][0],
            "unknown format: neither a header nor the content tells what the columns are; add a header, e.g. word1, "
            f"word2, score, or name the format with --as: {every}",
        )
    return known


def refuse_known(name: str, rows: Sequence[Row]) -> None:
    """Raise DataSetError for a known data set that cannot be evaluated yet."""
    head = {cell.lower() for cell in rows[0][1]}
    body = [cells for _, cells in rows[1:LOOKED_AT]]
    tests = {
        "BiRD (phrases of two words that are related, without their grammar)": {"term1", "term2", "pair"} <= head,
        "the MSR sentence completion challenge (sentences with a gap and five choices)": {"id", "question", "a)"}
        <= head,
        "a test of multiple choice (Turney 2012: a stem and seven choices)": all("|" in cells for cells in body),
    }
    for what, holds in tests.items():
        if holds:
            raise DataSetError(
                f"{name} is {what}, which cannot be evaluated yet; evaluate takes pairs of words or phrases, rated"
            )


def is_compound(cells: Sequence[str]) -> bool:
    """Return whether a row has two words and three numbers: the literalness of each word, and of both."""
    return [is_finite_number(cell) for cell in cells] == [False, False, True, True, True]


def by_head(rows: Sequence[Row]) -> str | None:
    """Return the format by the header; None if there is none, or if it is unknown."""
    head = [cell.lower() for cell in rows[0][1]]
    if "s1lemma1" in head:
        return "ml2010"
    if "landmark" in head:
        return "verb-landmark" if NAMES["object"] & {*head} else "ml2008"
    if [name_of_word(cell) for cell in head if name_of_word(cell)] == [*SENTENCE, *SENTENCE]:
        return "sentence-pairs"
    if not any(FIRST.fullmatch(cell) for cell in head):
        return None
    labels = {cell_at(cells, head.index("label")).lower() for _, cells in rows[1:]} if "label" in head else set()
    return "entailment" if labels and labels <= LABELS.keys() else "word-pairs"


def by_content(rows: Sequence[Row]) -> str | None:
    """Return the format by the content: names of types, tags, high and low, participants, or two words and a rating.

    Four words may be a sentence with a landmark, which is known by each sentence having several, or anything else,
    and six may be two sentences: such data need a header.
    """
    cells = rows[1][1]
    if all(is_compound(row) for _, row in rows[:LOOKED_AT]):
        return "compounds"
    if len(cells) > 1 and cells[1] in PHRASES:
        return "ml2010"
    if cells[-1].lower() in HILO or have_participants_first(rows):
        return "ml2008" if len(cells) < OF_SENTENCE else "verb-landmark"
    if have_two_tags(rows):
        return "word-pairs"
    if have_landmarks_last(rows):
        return "verb-landmark"
    return "word-pairs" if have_pairs(rows) else None


def have_pairs(rows: Sequence[Row]) -> bool:
    """Return whether rows are two words and a number, perhaps with their part of speech, and no other number."""
    cells = [cells for _, cells in rows[:LOOKED_AT]]
    numbers = {at for row in cells for at, cell in enumerate(row) if is_finite_number(cell)}
    return numbers == {2} or (numbers == {3} and any(tag_of_dataset(cell_at(row, 2)) for row in cells))


def have_landmarks_last(rows: Sequence[Row]) -> bool:
    """Return whether rows are four words and a number, and each three words stand before several others.

    So are verbs in sentences, each with its landmarks. Where phrases of two words are compared, few are alike in three.
    """
    seen: dict[tuple[str, ...], set[str]] = {}
    for _, cells in rows:
        if [is_finite_number(cell) for cell in cells] != [False] * 4 + [True]:
            return False
        seen.setdefault(tuple(cells[:3]), set()).add(cells[3])
    return all(len(landmarks) > 1 for landmarks in seen.values())


def have_participants_first(rows: Sequence[Row]) -> bool:
    """Return whether there are five columns, the first with participants, who have digits: participant20."""
    return all(len(cells) == 5 and re.search(r"\d", cells[0]) for _, cells in rows[1:])  # noqa: PLR2004


def have_two_tags(rows: Sequence[Row]) -> bool:
    """Return whether each row below the header has two words, with a tag after each or after both, then a number."""
    numbered = all(is_finite_number(cell_at(cells, BOTH_TAGGED)) for _, cells in rows[1:])
    return numbered and (all_tags(rows[1:], 1, 3) or all_tags(rows[1:], 2, 3))
