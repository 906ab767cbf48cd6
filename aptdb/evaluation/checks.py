"""What an evaluation refuses before it begins: names, parameters, and values that can never be right."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from aptdb.errors import QuestionError
from aptdb.evaluation.columns import KNOWN_TAGS
from aptdb.evaluation.correlation import refuse_seed
from aptdb.evaluation.dataset_formats import RELATIONS
from aptdb.evaluation.datasets import DataSet
from aptdb.evaluation.scoring import refuse_method
from aptdb.evaluation.task import Task
from aptdb.parameters.declare import declared, kind_of, values_of
from aptdb.parameters.phrases import SMOOTH
from aptdb.parameters.questions import Model, in_sql
from aptdb.parameters.weights import SCHEMES
from aptdb.settings import Settings

MODEL = {*in_sql("similarity_each")} - {"missing", "anchor"}
OF_PHRASES = ("merge", "aligned", "head_weight", "strategy", "pipeline")
UNTYPED_TOO = {"merge", "measure", "smooth", "alpha"}  # parameters of similarity that make sense without paths
SMOOTH_TOLD = "none, static:N, offset:N or window:W, e.g. static:30, offset:30, window:0.1"


def refuse_parameters(task: Task, parameters: Mapping[str, Any]) -> None:
    """Raise QuestionError for a parameter that this evaluation does not take."""
    refuse_seed(task.seed)
    taken = {*in_sql("untyped")} | UNTYPED_TOO if task.untyped else MODEL
    given = {name for name, value in parameters.items() if value is not None} - {"method", "missing"}
    for name in sorted(given - taken):
        whose = "an untyped evaluation" if task.untyped and name in MODEL else "evaluate"
        raise QuestionError(f"{whose} takes no {name}; it takes {', '.join(sorted(taken))}")
    for name in OF_PHRASES:
        if name in given and not task.data.has_phrases():
            raise QuestionError(f"{task.data.name} has only single words, so nothing is composed; leave out {name}")


def refuse_values(task: Task, combinations: Sequence[Mapping[str, Any]]) -> None:
    """Raise QuestionError for a value that is wrong in every combination, before any of them is evaluated."""
    for combination in combinations:
        for name, value in combination.items():
            if value is not None and name in MODEL:
                refuse_value(name, value)
                if name == "weights" and task.untyped and str(value).lower() not in SCHEMES:
                    raise QuestionError(f"weights is {value!r}; without paths it is {', '.join(SCHEMES)}")


def refuse_value(name: str, value: Any) -> None:
    """Raise QuestionError for a value that is not among those that a parameter is declared with."""
    parameter, choices, kind = declared(Model)[name], values_of(Model, name), kind_of(Model, name)
    if choices and value not in choices:
        wrong(name, value, f"{', '.join(choices[:-1])} or {choices[-1]}")
    if name == "smooth" and not re.fullmatch(SMOOTH, str(value)):
        wrong(name, value, SMOOTH_TOLD)
    if kind not in {int, float}:
        return
    told = parameter.told or "a number"
    try:
        number = float(value)
    except ValueError:
        wrong(name, value, told)
    below = parameter.least is not None and not number >= parameter.least
    too_low = parameter.above is not None and not number > parameter.above
    too_high = parameter.most is not None and not number <= parameter.most
    if below or too_low or too_high:
        wrong(name, kind(number), told)


def wrong(name: str, value: Any, told: str) -> NoReturn:
    """Raise QuestionError for a wrong value, saying which values are right."""
    raise QuestionError(f"{name} is {value!r}; it is {told}")


def refuse_names(task: Task, settings: Settings) -> None:
    """Raise QuestionError for a name that no data set has, or a part of speech that changes nothing.

    A lexicon has the same names for all data sets. So names that this data set has no use for are allowed.
    """
    names = task.names
    for option, given, there in (("relations", names.relations, RELATIONS), ("tags", names.tags, KNOWN_TAGS)):
        for name in given:
            if name not in there:
                raise QuestionError(f"{option}: data sets have no {name}; they have {', '.join(sorted(there))}")
    if names.pos == "":
        wrong("pos", names.pos, "a part of speech, e.g. NOUN")
    if names.pos and not task.data.has_untagged():
        raise QuestionError(f"pos: {task.data.name} tells the part of speech of every word; leave it out")
    if (names.pos or names.tags) and not {"{upos}", "{xpos}"} & {*settings.lexeme_parts()}:
        raise QuestionError("pos, tags: the lexemes of this lexicon have no part of speech; leave them out")


def refuse_methods(data: DataSet, every: Sequence[Mapping[str, Any]]) -> None:
    """Raise QuestionError for a method, or a way with missing words, that does not fit this data set."""
    for method, missing in dict.fromkeys((each["method"], each["missing"]) for each in every):
        refuse_method(data, method, missing)
