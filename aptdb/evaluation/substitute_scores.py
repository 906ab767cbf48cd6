"""Evaluate substitutes for words in sentences: generalised average precision, and how often the best one is given."""

import io
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.errors import AptWarning, QuestionError, warn, warnings_heard
from aptdb.core.phrase import Word
from aptdb.core.question_parameters import ComparingEach, refuse_other_parameters
from aptdb.core.result import Result
from aptdb.core.settings import lower_letters
from aptdb.corpus.sources import Source
from aptdb.evaluation.resampling import Value, mean_with_interval, refuse_seed
from aptdb.evaluation.substitution_files import Gold, Seen, read_gold, read_seen
from aptdb.evaluation.task import SEED
from aptdb.questions.calls import Question
from aptdb.questions.query import neighbours_each, similarity_each
from aptdb.questions.readings import known_names, sentence_rows
from aptdb.store.session import Session

if TYPE_CHECKING:
    from aptdb.core.settings import Settings

COLUMNS = {
    "item": "VARCHAR", "lexeme": "VARCHAR", "best": "VARCHAR", "right": "INTEGER", "gap": "DOUBLE",
    "gap_alone": "DOUBLE", "candidates": "BIGINT", "words": "BIGINT",
}  # fmt: skip
Row = tuple[int, str | None, int, str]  # position, lexeme or None where it is left out, position of the head, relation
DIGITS = 9  # of similarities that are compared
SHOWN = 10  # items in a warning
BATCH = 20  # items that are composed at once: the APTs of phrases of twelve words take 60 MB each
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, repr=False)
class Substituted(Result):
    """Rows of items, with the means over all and their 95 % intervals: GAP, GAP of the word alone, and P@1.

    missing: items whose word the lexicon lacks or does not count in the sentence, which have no sentence, or which have
    no substitute of one word.
    """

    gap: Value = (None, None, None)
    gap_alone: Value = (None, None, None)
    right: Value = (None, None, None)
    missing: tuple[str, ...] = ()


def rate_substitutes(
    session: Session,
    gold: str | Path,
    sentences: str | Path,
    *,
    parser: str | None = None,
    seed: int = SEED,
    progress: Progress = lambda *_: None,
    **parameters: Unpack[ComparingEach],
) -> Substituted:
    """Return how well substitutes of words in sentences are ranked, beside those that people gave (SemEval 2007).

    Rows of item, lexeme, best, right, gap, gap_alone, candidates, words. A word is composed with the words of its
    sentence that are at most as many steps away as the lexicon counts (words: how many), and seen from its own place,
    as by `substitutes`. best: the first of these; right: 1 if people gave it, else 0. gap: the generalised average
    precision (Kishida 2005) of its ranking of all substitutes that people gave for the word in any sentence
    (candidates); gap_alone: that of the word by itself. Substitutes of several words are left out; those that the
    lexicon lacks come last. Words of which nothing is left under the weights, or in the space, are not composed.

    gold: a file with lines as `bright.a 1 :: intelligent 3;clever 2;`. sentences, parser: see `read_seen`. parameters:
    those of `similarity_each`, without anchor and missing. The answer also has the means gap, gap_alone and right, each
    with its interval over resamples of the items by the seed. progress: called with items done and in all.

    Raises DataSetError and QuestionError.
    """
    refuse_seed(seed)
    refuse_other_parameters("similarity_each", parameters)
    for name in ("anchor", "missing"):
        if name in parameters:
            raise QuestionError(f"rate_substitutes takes no {name}; each item has a word and a sentence of its own")
    all_golds, seen = [*map(of_single_words, read_gold(gold))], read_seen(sentences, parser)
    warn_of_others({each.item for each in all_golds}, seen)
    golds = [each for each in all_golds if each.given]
    phrases = phrases_of(session, golds, seen)
    known = [each for each in golds if each.item in phrases]
    if not known:
        raise QuestionError("no item has a sentence and a word that this lexicon counts there")
    given: dict[str, Any] = {**parameters, "anchor": 1, "missing": "skip"}
    pools, rows = pools_of(golds), []
    with warnings_heard() as heard:  # each batch would warn anew
        for start in range(0, len(known), BATCH):
            progress(start, len(known))
            rows += rows_of_substitutes(session, known[start : start + BATCH], pools, phrases, given)
    for message, category in heard.items():
        warn(message, category)
    progress(len(known), len(known))
    missing = tuple(each.item for each in all_golds if each.item not in phrases)
    gap, alone, right = (mean_with_interval([row[place] for row in rows], seed) for place in (4, 5, 3))
    return Substituted(tuple(COLUMNS), tuple(COLUMNS.values()), rows, gap, alone, right, missing)


def warn_of_others(items: Collection[str], seen: Sequence[Seen]) -> None:
    """Warn of sentences of items for which nobody gave substitutes."""
    if others := [each.item for each in seen if each.item not in items]:
        more = f", … ({len(others):,})" if len(others) > SHOWN else ""
        warn(f"sentences without substitutes, left out: {', '.join(others[:SHOWN])}{more}", AptWarning)


def of_single_words(gold: Gold) -> Gold:
    """Return the substitutes of an item that are one word, and not the word itself."""
    given = {text: weight for text, weight in gold.given.items() if len(text.split()) == 1 and text != gold.word}
    return Gold(gold.item, gold.word, gold.pos, given)


def rows_of_substitutes(
    session: Session,
    known: Sequence[Gold],
    pools: Mapping[tuple[str, str], list[str]],
    every_phrase: Mapping[str, list[Word]],
    parameters: dict[str, Any],
) -> list[tuple[Any, ...]]:
    """Return the rows of items that can be scored. pools: see `pools_of`."""
    phrases = {each.item: every_phrase[each.item] for each in known}
    best = find_best_substitutes(session, phrases, parameters)
    candidates = {lexeme_of_word(text, each.pos) for each in known for text in pools[each.word, each.pos]}
    own = {lexeme_of_word(each.word, each.pos) for each in known}
    names = {name: name for name in sorted(own | (candidates & known_names(session, sorted(candidates))))}
    pairs = [
        (asked, lexeme_of_word(text, each.pos))
        for each in known
        for text in pools[each.word, each.pos]
        for asked in (each.item, lexeme_of_word(each.word, each.pos))
        if lexeme_of_word(text, each.pos) in names
    ]
    questions: dict[str, Question] = {**phrases, **names}
    found = similarity_each(session, questions, [*dict.fromkeys(pairs)], **parameters)
    likeness = {(a, b): round(value or 0.0, DIGITS) for a, b, value in found.rows}
    rows = []
    for each in known:
        pool = pools[each.word, each.pos]
        weights = [each.given.get(text, 0.0) for text in pool]
        lexeme = lexeme_of_word(each.word, each.pos)
        gap, alone = (
            generalised_average_precision(
                [likeness.get((asked, lexeme_of_word(text, each.pos)), 0.0) for text in pool], weights
            )
            for asked in (each.item, lexeme)
        )
        right = int(best.get(each.item) in {lexeme_of_word(text, each.pos) for text in each.given})
        rows.append((each.item, lexeme, best.get(each.item), right, gap, alone, len(pool), len(phrases[each.item])))
    return rows


def lexeme_of_word(word: str, pos: str) -> str:
    """Return the lexeme of a word."""
    return f"{lower_letters(word)}/{pos}"


def pools_of(golds: Sequence[Gold]) -> dict[tuple[str, str], list[str]]:
    """Return the substitutes that are given for each word in any sentence."""
    pools: dict[tuple[str, str], dict[str, None]] = {}
    for each in golds:
        pools.setdefault((each.word, each.pos), {}).update(dict.fromkeys(each.given))
    return {word: sorted(pool) for word, pool in pools.items()}


def find_best_substitutes(
    session: Session, phrases: Mapping[str, list[Word]], parameters: dict[str, Any]
) -> dict[str, str]:
    """Return the best substitute of each item among all lexemes, as `substitutes` ranks them."""
    found: dict[str, str] = {}
    for item, lexeme, _ in neighbours_each(session, phrases, **{**parameters, "top": 2}).rows:
        if lexeme != phrases[item][0]["lexeme"]:
            found.setdefault(item, lexeme)
    return found


def generalised_average_precision(scores: Sequence[float], weights: Sequence[float]) -> float:
    """Return Kishida's generalised average precision of a ranking by scores, beside the best there is.

    Of candidates that score alike those with smaller weights come first, so that scoring alike gains nothing.
    """
    ranked = [weight for _, weight in sorted(zip(scores, weights, strict=True), key=lambda each: (-each[0], each[1]))]
    best = sorted(weights, reverse=True)
    return summed_precision(ranked) / summed_precision(best)


def summed_precision(weights: Sequence[float]) -> float:
    """Return the sum, over the places with a weight, of the mean of all weights up to there."""
    total, found = 0.0, 0.0
    for place, weight in enumerate(weights, 1):
        total += weight
        found += total / place if weight else 0.0
    return found


# Words in their sentences
def phrases_of(session: Session, golds: Sequence[Gold], seen: Sequence[Seen]) -> dict[str, list[Word]]:
    """Return the words of each item as a phrase, its own word first; of items whose words the lexicon counts there."""
    by_item = {each.item: each for each in golds}
    wanted = [each for each in seen if each.item in by_item]
    trees = read_trees(session.settings, wanted)
    lexemes = {row[1] for tree in trees for row in tree if row[1] is not None}
    own = {each.item: lexeme_of_word(each.word, each.pos) for each in golds}
    known = known_names(session, sorted(lexemes | {*own.values()}))
    found = {}
    for each, tree in zip(wanted, trees, strict=True):
        named = {row[0]: row if row[1] in known else (row[0], None, *row[2:]) for row in tree}
        if own[each.item] in known and each.target in named:
            named[each.target] = (each.target, own[each.item], *named[each.target][2:])
            found[each.item] = take_words_around(named, each.target, session.settings.order)
    return found


def read_trees(settings: "Settings", seen: Sequence[Seen]) -> list[list[Row]]:
    """Return the words of sentences as a lexicon with these settings reads them."""
    if not seen:
        return []
    text = "".join("\n".join([*each.lines, "", ""]) for each in seen)
    with Source(io.BytesIO(text.encode())) as opened:
        return [[*rows] for _, rows in sentence_rows(settings, opened)]


def take_words_around(rows: Mapping[int, Row], target: int, most: int) -> list[Word]:
    """Return a word with those at most `most` steps away, as a phrase, itself first, without words that are no lexemes.

    The root of the phrase is the highest word that is so near, with all between the two known.
    """
    top, climbed = target, 0
    while climbed < most and (head := rows[top][2]) in rows and rows[head][1] is not None:
        top, climbed = head, climbed + 1
    above = chain(rows, target)
    found: list[tuple[int, Word]] = []
    for position, (_, lexeme, _, _) in rows.items():
        own = chain(rows, position)
        if lexeme is None or top not in own:
            continue
        shared = next(each for each in own if each in above)
        if own.index(shared) + above.index(shared) <= most:
            ups = "".join(f"<{rows[each][3]}" for each in own[: own.index(top)])
            found.append((position, {"lexeme": lexeme, "delta": ups}))
    return [word for _, word in sorted(found, key=lambda each: (each[0] != target, each[0]))]


def chain(rows: Mapping[int, Row], position: int) -> list[int]:
    """Return a word, its head, and so on up to the root."""
    found = [position]
    while (head := rows[found[-1]][2]) in rows and head not in found:
        found.append(head)
    return found
