"""Data sets that are not scored by ρ alone, each with columns of its own."""

from collections.abc import Callable, Mapping
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.result import Result
from aptdb.evaluation.compounds import evaluate_compounds
from aptdb.evaluation.datasets import DataSet
from aptdb.evaluation.entailment import evaluate_entailment, evaluate_graded_entailment
from aptdb.evaluation.task import Evaluated, Task
from aptdb.store.session import Session

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
