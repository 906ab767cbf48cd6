"""Evaluate data sets that are not scored by ρ alone, each with columns of its own.

Pairs of words that entail each other or not, or more or less, beside their cosine and frequency; and how literal
compounds are: their observed APTs beside composition, their words, and mere frequency.
"""

from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Compositional, Model
from aptdb.core.result import Result
from aptdb.evaluation.datasets import DataSet
from aptdb.evaluation.resampling import (
    Value,
    average_precision,
    correlated,
    mean_of_ratings,
    mean_with_interval,
    partially_correlated,
    refuse_seed,
    with_interval,
)
from aptdb.evaluation.scoring import WHOLE, Judgement
from aptdb.evaluation.task import Evaluated, Task, texts_as_json
from aptdb.questions.phrase_questions import compositionality
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
UNDEFINED: Value = (None, None, None)
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
    entailing = [each for each in task.judgements if mean_of_ratings(each.item.ratings) > 0]
    scores = score_pairs(session, task, parameters, entailing)
    parts = parts_with_judgements(task)
    rows = [row for part, of_part in parts for row in rows_of_entailment(task, part, of_part, scores)]
    return Result(tuple(COLUMNS), tuple(COLUMNS.values()), rows)


def evaluate_graded_entailment(session: Session, task: Task, parameters: Mapping[str, Any]) -> Result:
    """Return how scores correlate with how much people say that the first word entails the second.

    Rows of dataset, part, score, rho, low, high, partial, partial_low, partial_high, items, missing, empty: Spearman's
    ρ with the mean rating of each pair, for each part and score; partial: the partial ρ given frequency. The scores,
    missing and empty are those of `evaluate_entailment`.
    """
    scores = score_pairs(session, task, parameters, ())
    rows = [row for part, of_part in parts_with_judgements(task) for row in graded_rows(task, part, of_part, scores)]
    return Result(tuple(GRADED_COLUMNS), tuple(GRADED_COLUMNS.values()), rows)


def score_pairs(
    session: Session, task: Task, parameters: Mapping[str, Any], turned: Sequence[Judgement]
) -> dict[str, Scores]:
    """Return the scores of all pairs whose words are known, by their names: measures, and then the baselines.

    turned: the judgements whose pairs are also scored turned round.
    """
    refuse_seed(task.seed)
    given = dict(parameters)
    measures = measures_in(given)
    refuse_other_arguments(given, declared(Model).keys() - {"missing", "measure"})
    known = [each for each in task.judgements if not each.unknown]
    pairs = [each.pair() for each in known]
    both = pairs + [each.pair()[::-1] for each in turned if not each.unknown]
    scores = {measure: similarities(session, known, both, {**given, "measure": measure}) for measure in measures}
    cosines = similarities(session, known, pairs, given)
    scores["cosine"] = {**{(b, a): each for (a, b), each in cosines.items()}, **cosines}
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


def similarities(
    session: Session,
    judgements: Sequence[Judgement],
    pairs: Sequence[tuple[str, str]],
    parameters: Mapping[str, Any],
) -> Scores:
    """Return the similarities of these pairs of what is judged, asked in one query."""
    if not judgements:
        return {}
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
        values = np.array([of_pair[each.pair()] or 0.0 for each in known])
        precision = with_interval(average_precision, [values, labels], task.seed)
        turned = np.array([of_pair[each.pair()[::-1]] or 0.0 for each in known if mean_of_ratings(each.item.ratings)])
        right = (values[labels > 0] > turned) + (values[labels > 0] == turned) / 2 if known else np.array([])
        direction = mean_with_interval(right, task.seed) if score != "cosine" else UNDEFINED
        numbers = (len(known), int(labels.sum()), len(judgements) - len(known))
        rows.append((task.data.name, part, score, *precision, *direction, *numbers, empty))
    base = mean_with_interval(labels, task.seed)
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
        rhos = correlate_beside(values, ratings, None if score == FREQUENCY else frequency, task.seed)
        rows.append((task.data.name, part, score, *rhos, len(known), len(judgements) - len(known), empty))
    return rows


def correlate_beside(
    values: "Floats", ratings: "Floats", given: "Floats | None", seed: int
) -> tuple[float | None, ...]:
    """Return ρ, and the partial ρ given a third column, each with its interval; None without such a column."""
    rho = with_interval(correlated, [values, ratings], seed)
    partial = UNDEFINED if given is None else with_interval(partially_correlated, [values, ratings, given], seed)
    return (*rho, *partial)


COMPOUND_SCORES = ("composed", "head", "dependent", "log_frequency")
COMPOUND_COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "score": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE",
    "partial": "DOUBLE", "partial_low": "DOUBLE", "partial_high": "DOUBLE", "items": "BIGINT", "missing": "BIGINT",
    "absent": "BIGINT", "occurrences": "BIGINT",
}  # fmt: skip


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
    return Result(tuple(COMPOUND_COLUMNS), tuple(COMPOUND_COLUMNS.values()), rows)


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
    for score in COMPOUND_SCORES:
        values = np.array([row[score] or 0.0 for _, row in scored])  # 0 where nothing is left under the weights
        rhos = correlate_beside(values, ratings, None if score == "log_frequency" else frequency, task.seed)
        rows.append((task.data.name, part, score, *rhos, *numbers))
    return rows


BY_FORMAT: Mapping[str, Callable[[Session, Task, Mapping[str, Any]], Result]] = {
    "compounds": evaluate_compounds,
    "entailment": evaluate_entailment,
    "graded-entailment": evaluate_graded_entailment,
}
USUAL: Mapping[str, Any] = {
    "method": "all", "missing": "skip_unknown", "untyped": False, "settings": [], "against": None, "choose_on": None
}  # fmt: skip


def has_columns_of_its_own(data: DataSet) -> bool:
    """Return whether a data set is evaluated otherwise than by ρ."""
    return data.format in BY_FORMAT


def evaluate_otherwise(session: Session, task: Task, parameters: Mapping[str, Any], **others: Any) -> Evaluated:
    """Return the evaluation of such a data set.

    others: parameters of `evaluate` that it does not take. Raises QuestionError if one of them is given.
    """
    for name, value in {**others, "untyped": task.untyped}.items():
        if value != USUAL[name]:
            raise QuestionError(f"{task.data.name} is of {task.data.format}, which takes no {name}; leave it out")
    given = {name: value for name, value in parameters.items() if value is not None}
    found = BY_FORMAT[task.data.format](session, task, given)
    return Evaluated(found.columns, found.types, found.rows)
