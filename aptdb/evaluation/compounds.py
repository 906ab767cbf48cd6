"""Evaluate how literal compounds are: their observed APTs beside composition, their words, and mere frequency."""

from collections.abc import Mapping
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Compositional
from aptdb.core.result import Result
from aptdb.evaluation.resampling import Value, correlated, partially_correlated, with_interval
from aptdb.evaluation.scoring import mean_of_ratings, refuse_seed
from aptdb.evaluation.task import Task
from aptdb.questions.observations import compositionality
from aptdb.store.session import Session

SCORES = ("composed", "head", "dependent", "log_frequency")
COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "score": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE",
    "partial": "DOUBLE", "partial_low": "DOUBLE", "partial_high": "DOUBLE", "items": "BIGINT", "missing": "BIGINT",
    "absent": "BIGINT", "occurrences": "BIGINT",
}  # fmt: skip
UNDEFINED: Value = (None, None, None)


def evaluate_compounds(session: Session, task: Task, parameters: Mapping[str, Any]) -> Result:
    """Return how ratings of compounds correlate with what is observed of them, for each part and score.

    Rows of dataset, part, score, rho, low, high, partial, partial_low, partial_high, items, missing, absent,
    occurrences. score: the similarity of the observed compound to the composed one, to its head or to its dependent;
    or log_frequency, the baseline. partial: the partial ρ given log_frequency. Scored are compounds that occur; missing
    and absent are the numbers of the others, which lack a word or do not occur. occurrences: those of all that are
    scored.
    """
    refuse_seed(task.seed)
    refuse_other_arguments(parameters, declared(Compositional).keys() - {"missing"})
    known = {str(each.item.a): each.item.a for each in task.judgements if not each.unknown}
    answer = compositionality(session, known, **{**parameters, "missing": "skip"}) if known else ()
    found = {row["phrase"]: row for row in answer}
    rows = [row for part in task.data.parts() for row in rows_of_compounds(task, part, found)]
    return Result(tuple(COLUMNS), tuple(COLUMNS.values()), rows)


def refuse_other_arguments(parameters: Mapping[str, Any], taken: set[str]) -> None:
    """Raise QuestionError for a parameter that is not taken, or that has several values."""
    for name, value in parameters.items():
        if name not in taken:
            raise QuestionError(f"evaluate takes no {name} with this data set; it takes {', '.join(sorted(taken))}")
        if isinstance(value, list | tuple):
            raise QuestionError(f"{name} is {value!r:.60}; with this data set it is one value")


def rows_of_compounds(task: Task, part: str, found: Mapping[str, Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the rows of one part."""
    import numpy as np

    judgements = [each for each in task.judgements if each.item.part == part]
    known = [each for each in judgements if not each.unknown]
    scored = [(each, found[str(each.item.a)]) for each in known if found[str(each.item.a)]["occurrences"]]
    ratings = np.array([mean_of_ratings(each.item.ratings) for each, _ in scored])
    frequency = np.array([row["log_frequency"] for _, row in scored])
    times = sum(row["occurrences"] for _, row in scored)
    numbers = (len(scored), len(judgements) - len(known), len(known) - len(scored), times)
    rows = []
    for score in SCORES:
        values = np.array([row[score] or 0.0 for _, row in scored])  # 0 where nothing is left under the weights
        rho = with_interval(correlated, [values, ratings], task.seed)
        given = score != "log_frequency"
        partial = with_interval(partially_correlated, [values, ratings, frequency], task.seed) if given else UNDEFINED
        rows.append((task.data.name, part, score, *rho, *partial, *numbers))
    return rows
