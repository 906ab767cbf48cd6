"""A lexicon beside what people judged."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from aptdb.errors import QuestionError, UnknownRelation, warn
from aptdb.evaluation import evaluation_log, grid
from aptdb.evaluation.columns import KNOWN_TAGS
from aptdb.evaluation.correlation import refuse_seed
from aptdb.evaluation.dataset_formats import RELATIONS
from aptdb.evaluation.datasets import DataSet, Item, read_dataset
from aptdb.evaluation.lexeme_mapping import Names, Naming
from aptdb.evaluation.scoring import Judgement, Measured, Scores, measure, nothing, parts_of, refuse_manner
from aptdb.parameters.questions import Model, in_sql
from aptdb.phrase import Phrase
from aptdb.questions import ask
from aptdb.questions.calls import call
from aptdb.result import Result
from aptdb.settings import Settings
from aptdb.store.literals import literal
from aptdb.store.session import Session
from aptdb.store.statements import statement

COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "method": "VARCHAR", "merge": "VARCHAR", "weights": "VARCHAR",
    "parameters": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "items": "BIGINT",
    "missing": "BIGINT", "empty": "BIGINT", "undefined": "VARCHAR",
}  # fmt: skip
MODEL = {*in_sql("similarity_each")} - {"missing", "anchor"}
OF_PHRASES = ("merge", "aligned", "strategy", "pipeline")
UNTYPED_TOO = {"merge", "measure", "smooth", "alpha"}  # what there is of similarity's own without paths
DEFAULTS = {
    name: parameter.unset if parameter.default is None else parameter.default
    for name, parameter in in_sql("similarity_each").items()
}
BAD_VALUE = re.compile(r"\w+ is .*; it is ")  # an error that no other combination mends
SEED = 1  # what the bootstrap's chance begins with where nothing is said
IN_COLUMNS = ("method", "merge", "weights")  # of an evaluation's parameters, those that have a column


@dataclass(frozen=True)
class Task:
    """A data set as a lexicon is to be compared with it: all but what a grid varies."""

    data: DataSet
    names: Names
    judgements: Sequence[Judgement]
    untyped: bool
    seed: int

    def question(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All that an evaluation with these parameters is made of but the lexicon; what is the default is left out."""
        return {
            "sha256": self.data.sha256,
            "form": self.data.form,
            "landmark_in_context": self.data.landmark_in_context,
            "untyped": self.untyped,
            "names": asdict(self.names),
            "seed": self.seed,
            **{name: value for name, value in chosen.items() if not is_default(name, value, chosen)},
        }

    def described(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The columns that tell an evaluation from others."""
        parameters = {name: value for name, value in chosen.items() if name not in {*IN_COLUMNS, "missing"}}
        flags = {"untyped": self.untyped, "landmark_in_context": self.data.landmark_in_context}
        told = {name: flag for name, flag in flags.items() if flag}
        seed = {"seed": self.seed} if self.seed != SEED else {}
        shown = {**parameters, **told, **self.names.shown(), **seed, "missing": chosen["missing"]}
        return {
            "dataset": self.data.name,
            "sha256": self.data.sha256,
            "method": chosen["method"],
            "merge": chosen.get("merge", "sum") if self.data.has_phrases() else None,
            "weights": chosen.get("weights", "ppmi"),
            "parameters": ", ".join(f"{name} := {literal(value)}" for name, value in shown.items()),
        }


def is_default(name: str, value: Any, chosen: Mapping[str, Any]) -> bool:
    """Whether a parameter has the value that it has where nothing is said; phi may be a weighting's own."""
    if name == "phi":
        return bool(value == "constant" and chosen.get("weights", "ppmi") == "ppmi")
    return bool(value == DEFAULTS.get(name))


def evaluate(
    session: Session,
    /,
    dataset: str | Path | DataSet,
    *,
    form: str | None = None,
    method: str | Sequence[str] = "all",
    missing: str | Sequence[str] = "there",
    landmark_in_context: bool = False,
    untyped: bool = False,
    names: Names | None = None,
    seed: int = SEED,
    record: bool = True,
    progress: Callable[[int, int], None] = lambda *_: None,
    **parameters: Annotated[Any, Model],
) -> Result:
    """Spearman's ρ between this lexicon's similarities and people's ratings, by the parts of a data set.

    Rows of dataset, part, method, merge, weights, parameters, rho, low, high (its 95 % bootstrap interval, see
    `Correlation`), items, missing, empty (how many were scored, miss a word, score 0 because a vector is empty),
    undefined (why ρ is, where it is).

    dataset, form, landmark_in_context: see `read_dataset`; method: see `correlation`; missing: see `measure`.
    untyped: ignore paths, a baseline. names: what is called otherwise in this lexicon. parameters: those of
    `similarity_each`.

    Where method, missing or a parameter is a list, all combinations are evaluated, and each such parameter is a
    column (that of missing is called missing_as); `best` is whether a row has the highest ρ of its part, among
    those of its method and with the same done about missing words. What the lexicon holds of them already is not
    evaluated again; of one that cannot be, `undefined` says why. progress is told how many of how many are done.

    record: write the outcome down in the lexicon, where the view `evaluations` lists it; what keeps that from being
    done is a warning (NotRecorded). Raises DataSetError and QuestionError.
    """
    data = as_dataset(dataset, form, landmark_in_context)
    task = task_of(session, data, names, untyped=untyped, seed=seed)
    notebook = evaluation_log.Notebook(session.writing, wanted=record)
    return evaluate_task(session, task, {**parameters, "method": method, "missing": missing}, notebook, progress)


def evaluate_task(
    session: Session,
    task: Task,
    asked: Mapping[str, Any],
    notebook: evaluation_log.Notebook,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Result:
    """The same of a task, for all combinations of what is asked."""
    refuse_names(task, session.settings)
    refuse_parameters(task, asked)
    every = grid.combinations(asked)
    refuse_manners(task.data, every)
    evaluation = Evaluation(session, task, notebook, is_grid=len(every) > 1)
    rows = []
    for done, combination in enumerate(every):
        if len(every) > 1:
            progress(done, len(every))
        found = evaluation.rows({name: value for name, value in combination.items() if value is not None})
        rows += [{**combination, **row, "missing_as": combination["missing"]} for row in found]
    if len(every) > 1:
        progress(len(every), len(every))
    return as_result(rows, grid.axes_of(asked))


def missing_words(
    session: Session,
    dataset: str | Path | DataSet,
    *,
    form: str | None = None,
    landmark_in_context: bool = False,
    names: Names | None = None,
) -> Result:
    """The items of a data set that miss a word: rows of part, a, b, lexeme, one for each that the lexicon lacks."""
    task = task_of(session, as_dataset(dataset, form, landmark_in_context), names)
    rows = [(each.item.part, *each.pair(), lexeme) for each in task.judgements for lexeme in each.lacking]
    return Result(("part", "a", "b", "lexeme"), ("VARCHAR",) * 4, rows)


def evaluations(session: Session) -> Result:
    """What evaluations of this lexicon have come to, the oldest first: the view of this name."""
    return session.ask("FROM evaluations")


def task_of(session: Session, data: DataSet, names: Names | None, *, untyped: bool = False, seed: int = 0) -> Task:
    """A data set with its items as this lexicon names them."""
    if names is not None and not isinstance(names, Names):
        raise QuestionError(f"names is {names!r}; it is aptdb.Names(...)")
    naming = naming_of(session, names or Names(), data.items)
    warn_of_relations(session, naming, data.items)
    named = [naming.named(item) for item in data.items]
    judgements = [Judgement(item, tuple(naming.lacking(item))) for item in named]
    return Task(data, names or Names(), judgements, untyped, seed)


def naming_of(session: Session, names: Names, items: Sequence[Item]) -> Naming:
    """What makes items this lexicon's."""
    database = session.reading()

    def known(lexemes: Sequence[str], lemmas: Sequence[str]) -> list[tuple[Any, ...]]:
        return database.rows(statement("evaluation/known"), {"lexemes": as_json(lexemes), "lemmas": as_json(lemmas)})

    def normal(words: Sequence[str]) -> dict[str, str]:
        how = {"lowercase": session.settings.lowercase, "nfc": session.settings.nfc}
        return dict(map(tuple, database.rows(statement("evaluation/normal"), {"words": as_json(words), **how})))

    return Naming(names, session.settings, items, normal=normal, known=known)


def warn_of_relations(session: Session, naming: Naming, items: Iterable[Item]) -> None:
    """Warn of relations in phrases that this lexicon never counts, which other names may be of."""
    used = {name for item in items for side in (item.a, item.b) for name, _ in side.dependents}
    counted = {relation for (relation,) in session.reading().rows(statement("evaluation/relations"))}
    for name in sorted(used):
        if naming.relation(name) not in counted:
            warn(
                f"{naming.relation(name)} is no relation of this lexicon, so that words do not meet along it; "
                f"what it calls {name} can be told: --relations {name}=…",
                UnknownRelation,
            )


def scores_of(session: Session, task: Task, model: Mapping[str, Any]) -> Scores:
    """How alike the two of each item are, all composed and compared in one query."""
    sides: list[Phrase] = [side for each in task.judgements for side in (each.item.a, each.item.b)]
    questions = {str(side): side for side in sides}
    pairs = list(dict.fromkeys(each.pair() for each in task.judgements))
    if task.untyped:
        answer = untyped_similarity(session, questions, pairs, model)
    else:
        answer = ask.similarity_each(session, questions, pairs, missing="skip_unknown", **model)
    return {(a, b): similarity for a, b, similarity in answer.rows}


def untyped_similarity(
    session: Session, questions: Mapping[str, Phrase], pairs: Sequence[tuple[str, str]], model: Mapping[str, Any]
) -> Result:
    """The same in the untyped space, whose weights are a relation of this query."""
    weighing = {name: value for name, value in model.items() if name in {*in_sql("untyped")}}
    own = {name: value for name, value in model.items() if name not in weighing}
    with_those = {**own, "missing": "skip_unknown", "aligned": False, "weights": "untyped_weights"}
    weights = {"untyped_weights": f"FROM {call('untyped', [], weighing)}"}
    return ask.similarity_under(session, questions, pairs, with_those, weights)


class Evaluation:
    """The evaluations of one task, one combination after another; the scores of a model serve all methods."""

    def __init__(self, session: Session, task: Task, notebook: evaluation_log.Notebook, *, is_grid: bool) -> None:
        self.session = session
        self.task = task
        self.notebook = notebook
        self.is_grid = is_grid
        self._last: tuple[Mapping[str, Any], Scores] | None = None

    def rows(self, chosen: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of one combination, by their columns; of a grid, those that the lexicon has of it already.

        In a grid, one that cannot be evaluated has rows that say why.
        """
        question, described = self.task.question(chosen), self.task.described(chosen)
        database = evaluation_log.patiently(self.session.reading)
        content, known = evaluation_log.content_of(database, described["weights"])
        rows = evaluation_log.found(database, question, content) if self.is_grid and known else []
        if not rows:
            try:
                rows = [each.values() for each in self._measured(chosen)]
            except QuestionError as error:
                if not self.is_grid or BAD_VALUE.match(str(error)):
                    raise
                return [{**nothing(part, str(error)), **described} for part in parts_of(self.task.data)]
            self.notebook.record([{**row, **described} for row in rows], question, content, known=known)
        return [{**row, **described} for row in rows]

    def _measured(self, chosen: Mapping[str, Any]) -> list[Measured]:
        """ρ on each part."""
        model = {name: value for name, value in chosen.items() if name not in {"method", "missing"}}
        if self._last is None or self._last[0] != model:
            self._last = (model, scores_of(self.session, self.task, model))
        return measure(
            self.task.data,
            self.task.judgements,
            self._last[1],
            method=str(chosen["method"]),
            missing=str(chosen["missing"]),
            seed=self.task.seed,
        )


def as_dataset(dataset: str | Path | DataSet, form: str | None, landmark_in_context: bool) -> DataSet:
    """A data set as it is, or read from its file."""
    if isinstance(dataset, DataSet):
        return dataset
    return read_dataset(dataset, form=form, landmark_in_context=landmark_in_context)


def refuse_parameters(task: Task, parameters: Mapping[str, Any]) -> None:
    """Raise QuestionError for a parameter, or a name, that this evaluation does not take."""
    refuse_seed(task.seed)
    taken = {*in_sql("untyped")} | UNTYPED_TOO if task.untyped else MODEL
    given = {name for name, value in parameters.items() if value is not None} - {"method", "missing"}
    for name in sorted(given - taken):
        whose = "an untyped evaluation" if task.untyped and name in MODEL else "evaluate"
        raise QuestionError(f"{whose} takes no {name}; it takes {', '.join(sorted(taken))}")
    for name in OF_PHRASES:
        if name in given and not task.data.has_phrases():
            raise QuestionError(f"{task.data.name} has single words, of which nothing is composed; leave out {name}")


def refuse_names(task: Task, settings: Settings) -> None:
    """Raise QuestionError for a name that no data set has, or a part of speech that changes nothing.

    What a lexicon calls things is the same for all data sets: so names are taken that this one has no use for.
    """
    names = task.names
    for option, given, there in (("relations", names.relations, RELATIONS), ("tags", names.tags, KNOWN_TAGS)):
        for name in given:
            if name not in there:
                raise QuestionError(f"{option}: data sets have no {name}; they have {', '.join(sorted(there))}")
    if names.pos and not task.data.has_untagged():
        raise QuestionError(f"pos: {task.data.name} tells the part of speech of every word; leave it out")
    if (names.pos or names.tags) and not {"{upos}", "{xpos}"} & {*settings.lexeme_parts()}:
        raise QuestionError("pos, tags: the lexemes of this lexicon have no part of speech; leave them out")


def refuse_manners(data: DataSet, every: Sequence[Mapping[str, Any]]) -> None:
    """Raise QuestionError where a method, or what is to be done about missing words, is none for this data set."""
    for method, missing in dict.fromkeys((each["method"], each["missing"]) for each in every):
        refuse_manner(data, method, missing)


def as_result(rows: Sequence[Mapping[str, Any]], axes: Mapping[str, Sequence[Any]]) -> Result:
    """Rows of evaluations as an answer; of a grid, with a column for what varies, and which rows are best."""
    columns = dict(COLUMNS)
    if axes:
        varied = {name: kind_of(values) for name, values in axes.items() if name not in {*IN_COLUMNS, "missing"}}
        columns |= {**varied, **({"missing_as": "VARCHAR"} if "missing" in axes else {}), "best": "BOOLEAN"}
        rows = [{**row, "best": each} for row, each in zip(rows, grid.best(rows), strict=True)]
    return Result(tuple(columns), tuple(columns.values()), [tuple(row[name] for name in columns) for row in rows])


def kind_of(values: Sequence[Any]) -> str:
    """DuckDB's type for the values of a parameter."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds <= {int, float}:
        return "DOUBLE" if float in kinds else "BIGINT"
    return "VARCHAR"


def as_json(texts: Sequence[str]) -> str:
    """Texts as SQL takes a list of them."""
    return json.dumps(list(texts), ensure_ascii=False)
