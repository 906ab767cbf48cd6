"""Evaluate pairs of words that entail each other or not, or more or less, beside their cosine and frequency."""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Model
from aptdb.core.result import Result
from aptdb.evaluation.compounds import UNDEFINED, refuse_other_arguments
from aptdb.evaluation.resampling import average_precision, correlated, partially_correlated, with_interval
from aptdb.evaluation.resampling import mean_of_values as share
from aptdb.evaluation.scoring import WHOLE, Judgement, mean_of_ratings, refuse_seed
from aptdb.evaluation.task import Task, texts_as_json
from aptdb.questions.query import similarity_each, subcorpus_of_question
from aptdb.store.session import Session
from aptdb.store.statements import statement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DIRECTED = ("weeds_precision", "cl", "inv_cl", "apinc", "bal_apinc")
COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "score": "VARCHAR", "average_precision": "DOUBLE", "low": "DOUBLE",
    "high": "DOUBLE", "direction": "DOUBLE", "direction_low": "DOUBLE", "direction_high": "DOUBLE", "items": "BIGINT",
    "positive": "BIGINT", "missing": "BIGINT", "empty": "BIGINT",
}  # fmt: skip
GRADED_COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "score": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE",
    "partial": "DOUBLE", "partial_low": "DOUBLE", "partial_high": "DOUBLE", "items": "BIGINT", "missing": "BIGINT",
    "empty": "BIGINT",
}  # fmt: skip
FREQUENCY, COMBINED, BASE = "frequency", "cosine_frequency", "base_rate"
Scores = Mapping[tuple[str, str], float | None]


def evaluate_entailment(session: Session, task: Task, parameters: Mapping[str, Any]) -> Result:
    """Return how well scores tell pairs whose first word entails the second from others, for each fold and score.

    Rows of dataset, part, score, average_precision, low, high, direction, direction_low, direction_high, items,
    positive, missing, empty. score: a measure; or as baselines cosine, frequency (how much more frequent the second is,
    as a logarithm), cosine_frequency (the cosine times the logistic function of that) and base_rate, the share of
    pairs that entail, which is what chance has. direction: of the pairs that entail, the share that scores higher than
    turned round, ties as a half. missing: pairs with a word that the lexicon lacks, which are left out. empty: pairs
    that score 0 because a vector is empty.
    """
    scores = score_pairs(session, task, parameters)
    rows = [
        row
        for part, judgements in parts_with_judgements(task)
        for row in rows_of_entailment(task, part, judgements, scores)
    ]
    return Result(tuple(COLUMNS), tuple(COLUMNS.values()), rows)


def evaluate_graded_entailment(session: Session, task: Task, parameters: Mapping[str, Any]) -> Result:
    """Return how scores correlate with how much people say that the first word entails the second.

    Rows of dataset, part, score, rho, low, high, partial, partial_low, partial_high, items, missing, empty: Spearman's
    ρ with the mean rating of each pair, for each part and score; partial: the partial ρ given frequency. The scores,
    missing and empty are those of `evaluate_entailment`.
    """
    scores = score_pairs(session, task, parameters)
    rows = [
        row for part, judgements in parts_with_judgements(task) for row in graded_rows(task, part, judgements, scores)
    ]
    return Result(tuple(GRADED_COLUMNS), tuple(GRADED_COLUMNS.values()), rows)


def score_pairs(session: Session, task: Task, parameters: Mapping[str, Any]) -> dict[str, Scores]:
    """Return the scores of all pairs whose words are known, by their names: measures, and then the baselines."""
    refuse_seed(task.seed)
    given = dict(parameters)
    measures = measures_in(given)
    refuse_other_arguments(given, declared(Model).keys() - {"missing", "measure"})
    known = [each for each in task.judgements if not each.unknown]
    scores = {measure: similarities(session, known, {**given, "measure": measure}) for measure in measures}
    scores["cosine"] = similarities(session, known, given)
    return scores | add_frequency_baselines(
        session, known, scores["cosine"], subcorpus_of_question(session, given, "subcorpus")
    )


def parts_with_judgements(task: Task) -> list[tuple[str, list[Judgement]]]:
    """Return the parts of a data set with their judgements, the whole last."""
    parts = task.data.parts()
    return [
        (part, [each for each in task.judgements if part in (WHOLE, each.item.part)])
        for part in [*parts, *([WHOLE] if parts != [WHOLE] else [])]
    ]


def measures_in(given: dict[str, Any]) -> Sequence[str]:
    """Return the measures that are asked for, which are removed, without the cosine; none beside a space."""
    measure = given.pop("measure", None)
    if given.get("space") is not None:
        if measure is not None:
            raise QuestionError("measure is given beside space, which compares by the cosine; leave out one of the two")
        return ()
    if measure is None:
        return DIRECTED
    return [each for each in ([measure] if isinstance(measure, str) else measure) if each != "cosine"]


def similarities(session: Session, judgements: Sequence[Judgement], parameters: Mapping[str, Any]) -> Scores:
    """Return the similarities of all pairs, and of all turned round, asked in one query."""
    if not judgements:
        return {}
    pairs = [pair for each in judgements for pair in (each.pair(), each.pair()[::-1])]
    sides = {str(side): side for each in judgements for side in (each.item.a, each.item.b)}
    found = similarity_each(session, sides, list(dict.fromkeys(pairs)), **{**parameters, "missing": "skip"})
    return {(a, b): similarity for a, b, similarity in found.rows}


def add_frequency_baselines(
    session: Session, judgements: Sequence[Judgement], cosines: Scores, subcorpus: str | None
) -> dict[str, Scores]:
    """Return the baselines by frequency: of a phrase, that of its root's word."""
    lexemes = sorted({side.lexeme for each in judgements for side in (each.item.a, each.item.b)})
    query = statement("evaluation/frequencies", subcorpus=subcorpus)
    frequency = dict(map(tuple, session.reading().rows(query, {"lexemes": texts_as_json(lexemes)})))
    roots = {str(side): side.lexeme for each in judgements for side in (each.item.a, each.item.b)}
    more = {(a, b): log(frequency.get(roots[b], 1)) - log(frequency.get(roots[a], 1)) for a, b in cosines}
    combined = {pair: (cosines[pair] or 0.0) / (1 + exp(-each)) for pair, each in more.items()}
    return {FREQUENCY: more, COMBINED: combined}


def rows_of_entailment(
    task: Task, part: str, judgements: Sequence[Judgement], scores: Mapping[str, Scores]
) -> list[tuple[Any, ...]]:
    """Return the rows of one part."""
    import numpy as np

    known = [each for each in judgements if not each.unknown]
    labels = np.array([mean_of_ratings(each.item.ratings) for each in known])
    rows = []
    for score, of_pair in scores.items():
        empty = sum(of_pair[each.pair()] is None for each in known)
        values, turned = (
            np.array([of_pair[pair] or 0.0 for pair in pairs])
            for pairs in ([each.pair() for each in known], [each.pair()[::-1] for each in known])
        )
        precision = with_interval(average_precision, [values, labels], task.seed)
        right = ((values > turned) + (values == turned) / 2)[labels > 0] if known else np.array([])
        direction = with_interval(share, [right], task.seed) if score != "cosine" else (None, None, None)
        numbers = (len(known), int(labels.sum()), len(judgements) - len(known))
        rows.append((task.data.name, part, score, *precision, *direction, *numbers, empty))
    base = with_interval(share, [labels], task.seed)
    return [*rows, (task.data.name, part, BASE, *base, None, None, None, *numbers, 0)]


def graded_rows(
    task: Task, part: str, judgements: Sequence[Judgement], scores: Mapping[str, Scores]
) -> list[tuple[Any, ...]]:
    """Return the rows of one part of graded pairs."""
    import numpy as np

    known = [each for each in judgements if not each.unknown]
    ratings = np.array([mean_of_ratings(each.item.ratings) for each in known])
    frequency = np.array([scores[FREQUENCY][each.pair()] for each in known])
    rows = []
    for score, of_pair in scores.items():
        empty = sum(of_pair[each.pair()] is None for each in known)
        values = np.array([of_pair[each.pair()] or 0.0 for each in known])
        rho = with_interval(correlated, [values, ratings], task.seed)
        given = score != FREQUENCY
        partial = with_interval(partially_correlated, [values, ratings, frequency], task.seed) if given else UNDEFINED
        rows.append((task.data.name, part, score, *rho, *partial, len(known), len(judgements) - len(known), empty))
    return rows
