"""Compare the similarities of a lexicon with human judgements, after checking the parameters."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Unpack, cast

from aptdb.core.composition import SMOOTH
from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared, find_plain_type, list_allowed_values
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import Model, in_sql, refuse_other_parameters
from aptdb.core.result import Result
from aptdb.core.schemes import DEFAULT_WEIGHTS, SCHEMES, Export, OfWeighting
from aptdb.core.settings import Settings
from aptdb.evaluation import task
from aptdb.evaluation.dataset_columns import KNOWN_TAGS
from aptdb.evaluation.datasets import RELATIONS, DataSet, read_dataset
from aptdb.evaluation.lexeme_mapping import Names
from aptdb.evaluation.resampling import refuse_seed
from aptdb.evaluation.scoring import Judgement, Measured, Scores, list_parts, measure, nothing, refuse_method
from aptdb.evaluation.task import (
    Evaluated,
    EvaluationLog,
    Task,
    as_result,
    combinations,
    list_varied_parameters,
    task_of,
    texts_as_json,
)
from aptdb.questions import weightings
from aptdb.questions.calls import call
from aptdb.questions.query import neighbours_to_share, similarity_under
from aptdb.store.database import Database
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

MODEL = {*in_sql("similarity_each")} - {"missing", "anchor"}
OF_PHRASES = ("merge", "aligned", "head_weight", "unit", "strategy", "pipeline")
UNTYPED_TOO = {"merge", "unit", "measure", "smooth", "alpha"}  # parameters of similarity that make sense without paths
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
    """Raise QuestionError for a value that is invalid in every combination, before evaluating any."""
    for combination in combinations:
        for name, value in combination.items():
            if value is not None and name in MODEL:
                refuse_value(name, value)
                if name == "weights" and task.untyped and str(value).lower() not in SCHEMES:
                    raise QuestionError(f"weights is {value!r}; without paths, expected {', '.join(SCHEMES)}")


def refuse_value(name: str, value: Any) -> None:
    """Raise QuestionError for a value outside the declared ones."""
    parameter, choices, kind = declared(Model)[name], list_allowed_values(Model, name), find_plain_type(Model, name)
    if choices and value not in choices:
        wrong(name, value, f"{', '.join(choices[:-1])} or {choices[-1]}")
    if name == "smooth" and not re.fullmatch(SMOOTH, str(value)):
        wrong(name, value, SMOOTH_TOLD)
    if kind not in {int, float}:
        return
    expected = parameter.expected or "a number"
    try:
        number = float(value)
    except ValueError:
        wrong(name, value, expected)
    below = parameter.least is not None and not number >= parameter.least
    too_low = parameter.above is not None and not number > parameter.above
    too_high = parameter.most is not None and not number <= parameter.most
    if below or too_low or too_high:
        wrong(name, kind(number), expected)


def wrong(name: str, value: Any, expected: str) -> NoReturn:
    """Raise QuestionError for an invalid value; the message lists the valid ones."""
    raise QuestionError(f"{name} is {value!r}; expected {expected}")


def refuse_unused_names(task: Task, settings: Settings) -> None:
    """Raise QuestionError for a name that no data set uses, or a part of speech without effect.

    A lexicon has the same names for all data sets. So names that only other data sets use are allowed.
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


# The parameters that make no difference to which neighbours smoothing takes.
AFTER_SMOOTHING = {"merge", "head_weight", "unit", "alpha", "context", "pipeline", "phi", "measure"}
Some = tuple[DataSet, Sequence[int]]  # items of a data set, and their places in it
OF_WEIGHTS = {"weights", *declared(OfWeighting)}
Neighbours = list[dict[str, Any]]


def evaluate_task(
    session: Session,
    task: Task,
    asked: Mapping[str, Any],
    log: EvaluationLog,
    progress: Callable[[int, int], None] = lambda *_: None,
    settings: Sequence[Mapping[str, Any]] = (),
) -> Evaluated:
    """Return the evaluation of a task, in all combinations of parameters, each with each of the settings."""
    every = combine_parameters(session, task, asked, settings)
    evaluation = Evaluation(session, task, log, tried=len(every))
    rows: list[dict[str, Any]] = []
    shown: list[dict[str, Any]] = []
    for done, combination in enumerate(every):
        if len(every) > 1:
            progress(done, len(every))
        chosen = {name: value for name, value in combination.items() if value is not None}
        found = evaluation.rows(chosen)
        rows += [{**combination, **row, "missing_as": combination["missing"]} for row in found]
        shown += [task.shown(chosen)] * len(found)
    if len(every) > 1:
        progress(len(every), len(every))
    return as_result(rows, shown, list_varied_parameters(asked, settings))


def combine_parameters(
    session: Session, task: Task, asked: Mapping[str, Any], settings: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return all combinations of parameters that are to be evaluated, each with each setting. Raise QuestionError."""
    refuse_unused_names(task, session.settings)
    for each in settings or ({},):
        refuse_parameters(task, {**asked, **each})
    every = [with_recorded(session, task, each) for each in combinations(asked, settings)]
    for method, missing in dict.fromkeys((each["method"], each["missing"]) for each in every):
        refuse_method(task.data, method, missing)
    refuse_values(task, every)
    return every


def with_recorded(session: Session, task: Task, combination: Mapping[str, Any]) -> dict[str, Any]:
    """Return a combination with the measure and the composition that its weighting records, where it says nothing."""
    recorded = weightings.recorded_beside(session.reading(), combination.get("weights"))
    taken = {name: each for name, each in recorded.items() if not task.untyped or name in UNTYPED_TOO}
    return {**combination, **{name: each for name, each in taken.items() if combination.get(name) is None}}


def missing_words(
    session: Session,
    dataset: str | Path | DataSet,
    *,
    format: str | None = None,
    landmark_in_context: bool = False,
    untyped: bool = False,
    names: Names | None = None,
    **parameters: Unpack[Export],
) -> Result:
    """Return the items of a data set that lack a word: rows of part, a, b, lexeme, one for each lexeme without an APT.

    The lexicon lacks it, or the weights and filters in parameters hide it; untyped: those of the space without paths.
    """
    refuse_other_parameters("export", parameters)
    task = task_of(session, as_dataset(dataset, format, landmark_in_context), names, untyped=untyped)
    judgements = with_hidden(session, task, cast(Mapping[str, Any], parameters))
    rows = [(each.item.part, *each.pair(), lexeme) for each in judgements for lexeme in each.lacking]
    return Result(("part", "a", "b", "lexeme"), ("VARCHAR",) * 4, rows)


def evaluations(session: Session) -> Result:
    """Return past evaluations of this lexicon, the oldest first: the rows of the view `evaluations`."""
    return session.ask("FROM evaluations")


def sides_of(task: Task) -> dict[str, Phrase]:
    """Return both sides of all items, by name."""
    return {str(side): side for each in task.judgements for side in (each.item.a, each.item.b)}


def score_items(session: Session, task: Task, model: Mapping[str, Any], neighbours: Neighbours | None) -> Scores:
    """Return the similarity of the two sides of each item, all composed and compared in one query.

    neighbours: neighbours for smoothing, if they were found before.
    """
    pairs = list(dict.fromkeys(each.pair() for each in task.judgements))
    parameters, weights = asked_with(task, model)
    answer = similarity_under(session, sides_of(task), pairs, parameters, weights, neighbours)
    return {(a, b): similarity for a, b, similarity in answer.rows}


def find_neighbours_of_sides(session: Session, task: Task, model: Mapping[str, Any]) -> Neighbours:
    """Return the neighbours for smoothing the sides of all items."""
    return neighbours_to_share(session, sides_of(task), *asked_with(task, model))


def asked_with(task: Task, model: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the parameters of `similarity_each`.

    Without paths, the weights of the untyped space are added as a relation.
    """
    own = {**model, "missing": "skip_unknown"}
    if not task.untyped:
        return own, {}
    weighing = {name: value for name, value in model.items() if name in {*in_sql("untyped")}}
    others = {name: value for name, value in own.items() if name not in weighing}
    weights = {"untyped_weights": f"FROM {call('untyped', [], weighing)}"}
    return {**others, "aligned": False, "weights": "untyped_weights"}, weights


def with_hidden(session: Session, task: Task, model: Mapping[str, Any]) -> Sequence[Judgement]:
    """Return the judgements of a task.

    Words that the lexicon has, but the weights hide, count as missing.
    """
    weights = str(model.get("weights", DEFAULT_WEIGHTS))
    weighing = {name: value for name, value in model.items() if name in declared(OfWeighting)}
    if weights in SCHEMES and not weighing:
        return task.judgements
    options = ", ".join(f"{name} := {literal(value)}" for name, value in weighing.items())
    source = f"{weights}({options})" if weights.lower() in SCHEMES else f"query_table({literal(weights)})"
    if task.untyped:
        source = call("untyped", [], {"weights": weights, **weighing})
    words = {lexeme for each in task.judgements for lexeme in each.lexemes()}
    query = statement("evaluation/weighed", source=SqlText(source))
    database = session.reading()
    try:
        weighed = {lexeme for (lexeme,) in database.rows(query, {"lexemes": texts_as_json(sorted(words))})}
    except QuestionError as error:
        raise weightings.name_known_weights(database, weights, error) from error
    return [replace(each, hidden=tuple(sorted(each.lexemes() - weighed - {*each.unknown}))) for each in task.judgements]


class Identity(NamedTuple):
    """What identifies a combination: question, columns, a digest of the lexicon, and whether that is reliable."""

    question: dict[str, Any]
    columns: dict[str, Any]
    content: str
    is_reliable: bool


class Evaluation:
    """Evaluates the combinations of a task in order. The scores of a model are used for all methods.

    tried: how many combinations there are.
    """

    def __init__(self, session: Session, task: Task, log: EvaluationLog, *, tried: int) -> None:
        self.session = session
        self.task = task
        self.log = log
        self.tried = tried
        self._last: tuple[Mapping[str, Any], Scores] | None = None
        self._judgements: dict[str, Sequence[Judgement]] = {}
        self._neighbours: dict[str, Neighbours] = {}

    @property
    def is_grid(self) -> bool:
        """Return whether there are several combinations."""
        return self.tried > 1

    def rows(self, chosen: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows of one combination, by column. In a grid, stored rows are used again.

        In a grid, a combination that cannot be evaluated gets rows that say why.
        """
        question, described, content, known = self.identify(chosen)
        database = task.patiently(self.session)
        rows = task.found(database, question, content) if self.is_grid and known else []
        if not rows:
            try:
                rows = [each.values() for each in self.measured(chosen, content)]
            except QuestionError as error:
                if not self.is_grid:
                    raise
                return [{**nothing(part, str(error)), **described} for part in list_parts(self.task.data)]
            self.record(rows, described, question, content, known=known)
        return [{**row, **described} for row in rows]

    def record(self, rows: Any, described: Mapping[str, Any], *asked: Any, known: bool, chosen_on: str = "") -> None:
        """Store the rows of a combination, with how many were tried, and on what one of them was chosen."""
        how = [f"chosen_on := {literal(chosen_on)}"] if chosen_on else []
        how += [f"tried := {self.tried}"] if self.is_grid else []
        parameters = ", ".join([*filter(None, [described["parameters"]]), *how])
        self.log.record([{**row, **described, "parameters": parameters} for row in rows], *asked, known=known)

    def identify(self, chosen: Mapping[str, Any]) -> Identity:
        """Return what identifies a combination."""
        question, described = self.task.question(chosen), self.task.described(chosen)
        database = task.patiently(self.session)
        question |= made_of_space(database, chosen.get("space"))
        content, is_reliable = task.content_of(database, described["weights"])
        return Identity(question, described, content, is_reliable)

    def measured(self, chosen: Mapping[str, Any], content: str, some: Some | None = None) -> list[Measured]:
        """Return ρ on each part; some: a part of the items, whose places in the task these are."""
        model = {name: value for name, value in chosen.items() if name not in {"method", "missing"}}
        if self._last is None or self._last[0] != model:
            self._last = (model, score_items(self.session, self.task, model, self._shared_neighbours(model, content)))
        judgements = self._shared_judgements(model, content)
        return measure(
            some[0] if some else self.task.data,
            [judgements[at] for at in some[1]] if some else judgements,
            self._last[1],
            method=str(chosen["method"]),
            missing=str(chosen["missing"]),
            seed=self.task.seed,
        )

    def _shared_judgements(self, model: Mapping[str, Any], content: str) -> Sequence[Judgement]:
        """Return the judgements, with words that the weights hide, found once for all settings with these weights.

        content: a digest of the lexicon, which may grow while a grid is evaluated.
        """
        deciding = {name: value for name, value in model.items() if name in OF_WEIGHTS}
        key = json.dumps([content, deciding], sort_keys=True)
        if key not in self._judgements:
            self._judgements[key] = with_hidden(self.session, self.task, model)
        return self._judgements[key]

    def _shared_neighbours(self, model: Mapping[str, Any], content: str) -> Neighbours | None:
        """Return the neighbours for smoothing, found once for all settings that differ only in later steps.

        content: a digest of the lexicon.
        """
        if not self.is_grid or model.get("smooth", "none") == "none":
            return None
        deciding = {name: value for name, value in model.items() if name not in AFTER_SMOOTHING}
        key = json.dumps([content, deciding], sort_keys=True)
        if key not in self._neighbours:
            self._neighbours[key] = find_neighbours_of_sides(self.session, self.task, model)
        return self._neighbours[key]


def made_of_space(database: Database, space: object) -> dict[str, str]:
    """Return when the space of an evaluation was made, which tells it apart from another of the name; {} without."""
    rows = database.rows("SELECT reduced_at FROM spaces WHERE space = lower($name)", {"name": str(space)})
    return {"space_made": str(rows[0][0])} if rows else {}


def as_dataset(dataset: str | Path | DataSet, format: str | None, landmark_in_context: bool) -> DataSet:
    """Return a data set, read from its file if necessary."""
    if isinstance(dataset, DataSet):
        return dataset
    return read_dataset(dataset, format=format, landmark_in_context=landmark_in_context)
