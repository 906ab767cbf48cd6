"""Evaluate pairs of words that entail each other or not: average precision, and accuracy of the direction."""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Model
from aptdb.core.result import Result
from aptdb.evaluation.compounds import refuse_others
from aptdb.evaluation.resampling import average_precision, with_interval
from aptdb.evaluation.resampling import mean as share
from aptdb.evaluation.scoring import WHOLE, Judgement, mean, refuse_seed
from aptdb.evaluation.task import Task, as_json
from aptdb.questions.query import similarity_each, subcorpus_of
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
FREQUENCY, COMBINED = "frequency", "cosine_frequency"
Scores = Mapping[tuple[str, str], float | None]


def evaluate_entailment(session: Session, task: Task, parameters: Mapping[str, Any]) -> Result:
    """Return how well scores tell pairs whose first word entails the second from others, for each fold and score.

    Rows of dataset, part, score, average_precision, low, high, direction, direction_low, direction_high, items,
    positive, missing, empty. score: a measure; or as baselines cosine, frequency (how much more frequent the second is,
    as a logarithm) and cosine_frequency (the cosine times the logistic function of that). direction: of the pairs that
    entail, the share that scores higher than turned round, ties as a half. missing: pairs with a word that the lexicon
    lacks, which are left out. empty: pairs that score 0 because a vector is empty.
    """
    refuse_seed(task.seed)
    given = dict(parameters)
    measures = measures_in(given)
    refuse_others(given, declared(Model).keys() - {"missing", "measure"})
    known = [each for each in task.judgements if not each.unknown]
    scores = {measure: similarities(session, known, {**given, "measure": measure}) for measure in measures}
    scores["cosine"] = similarities(session, known, given)
    scores |= with_frequencies(session, known, scores["cosine"], subcorpus_of(session, given, "subcorpus"))
    parts = task.data.parts()
    rows = [
        row
        for part in [*parts, *([WHOLE] if parts != [WHOLE] else [])]
        for row in rows_of(task, part, [each for each in task.judgements if part in (WHOLE, each.item.part)], scores)
    ]
    return Result(tuple(COLUMNS), tuple(COLUMNS.values()), rows)


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


def with_frequencies(
    session: Session, judgements: Sequence[Judgement], cosines: Scores, subcorpus: str | None
) -> dict[str, Scores]:
    """Return the baselines by frequency: of a phrase, that of its root's word."""
    lexemes = sorted({side.lexeme for each in judgements for side in (each.item.a, each.item.b)})
    query = statement("evaluation/frequencies", subcorpus=subcorpus)
    frequency = dict(map(tuple, session.reading().rows(query, {"lexemes": as_json(lexemes)})))
    roots = {str(side): side.lexeme for each in judgements for side in (each.item.a, each.item.b)}
    more = {(a, b): log(frequency.get(roots[b], 1)) - log(frequency.get(roots[a], 1)) for a, b in cosines}
    combined = {pair: (cosines[pair] or 0.0) / (1 + exp(-each)) for pair, each in more.items()}
    return {FREQUENCY: more, COMBINED: combined}


def rows_of(
    task: Task, part: str, judgements: Sequence[Judgement], scores: Mapping[str, Scores]
) -> list[tuple[Any, ...]]:
    """Return the rows of one part."""
    import numpy as np

    known = [each for each in judgements if not each.unknown]
    labels = np.array([mean(each.item.ratings) for each in known])
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
        numbers = (len(known), int(labels.sum()), len(judgements) - len(known), empty)
        rows.append((task.data.name, part, score, *precision, *direction, *numbers))
    return rows
