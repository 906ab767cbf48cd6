"""A lexicon beside what people judged."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from aptdb.database import literal
from aptdb.errors import QuestionError
from aptdb.evaluation import grid, records
from aptdb.evaluation.datasets import DataSet, Item, read_dataset
from aptdb.evaluation.naming import Names, Naming
from aptdb.evaluation.scoring import Judgement, Scores, measure
from aptdb.growing import Growing
from aptdb.parameters import PARAMETERS, call
from aptdb.phrase import Phrase
from aptdb.result import Result
from aptdb.statements import statement

COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "method": "VARCHAR", "merge": "VARCHAR", "weights": "VARCHAR",
    "parameters": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "items": "BIGINT",
    "missing": "BIGINT", "empty": "BIGINT", "undefined": "VARCHAR",
}  # fmt: skip
MODEL = PARAMETERS["similarity_each"] - {"pairs", "missing", "anchor"}
OF_PHRASES = ("merge", "aligned", "strategy", "pipeline")
UNTYPED_TOO = {"merge", "measure", "smooth", "alpha"}  # what there is of similarity's own without paths
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
        """All that an evaluation with these parameters is made of, the lexicon apart."""
        return {
            "sha256": self.data.sha256,
            "form": self.data.form,
            "landmark_in_context": self.data.landmark_in_context,
            "untyped": self.untyped,
            "names": asdict(self.names),
            "seed": self.seed,
            **chosen,
        }

    def described(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The columns that tell an evaluation from others."""
        parameters = {name: value for name, value in chosen.items() if name not in {*IN_COLUMNS, "missing"}}
        flags = {"untyped": self.untyped, "landmark_in_context": self.data.landmark_in_context}
        told = {name: flag for name, flag in flags.items() if flag}
        shown = {**parameters, **told, **self.names.shown(), "missing": chosen["missing"]}
        return {
            "dataset": self.data.name,
            "method": chosen["method"],
            "merge": chosen.get("merge", "sum") if self.data.has_phrases() else None,
            "weights": chosen.get("weights", "ppmi"),
            "parameters": ", ".join(f"{name} := {literal(value)}" for name, value in shown.items()),
        }


class Evaluating(Growing):
    """A lexicon that can be compared with people's judgements."""

    def evaluate(
        self,
        dataset: str | Path | DataSet,
        *,
        form: str | None = None,
        method: str | Sequence[str] = "all",
        missing: str | Sequence[str] = "there",
        landmark_in_context: bool = False,
        untyped: bool = False,
        names: Names | None = None,
        seed: int = 1,
        record: bool = True,
        progress: Callable[[int, int], None] = lambda *_: None,
        **parameters: Any,
    ) -> Result:
        """Spearman's ρ between this lexicon's similarities and people's ratings, by the parts of a data set.

        Rows of dataset, part, method, merge, weights, parameters, rho, low, high (its 95 % bootstrap interval over
        items), items, missing, empty (how many were scored, miss a word, score 0 because a vector is empty), undefined
        (why ρ is, where it is).

        dataset, form, landmark_in_context: see `read_dataset`; method: see `correlation`; missing: see `measure`.
        untyped: ignore paths, a baseline. names: what is called otherwise in this lexicon. parameters: those of
        `similarity_each`.

        Where method, missing or a parameter is a list, all combinations are evaluated, and each such parameter is a
        column (that of missing is called missing_as); `best` is whether a row has the highest ρ of its part. What the
        lexicon holds of them already is not evaluated again. progress is told how many of how many are done.

        record: write the outcome down in the lexicon, where the view `evaluations` lists it; what keeps that from being
        done is a warning (NotRecorded). Raises DataSetError and QuestionError.
        """
        data = as_dataset(dataset, form, landmark_in_context)
        task = self._task(data, names, untyped=untyped, seed=seed)
        refuse_parameters(task, parameters)
        asked = {**parameters, "method": method, "missing": missing}
        every = grid.combinations(asked)
        notebook = records.Notebook(self._writing, wanted=record)
        scores = Remembered(lambda model: self._scores(task, model))
        rows = []
        for done, combination in enumerate(every):
            progress(done, len(every))
            chosen = {name: value for name, value in combination.items() if value is not None}
            found = self._evaluated(task, chosen, scores, notebook, anew=len(every) == 1)
            rows += [{**combination, **row, "missing_as": combination["missing"]} for row in found]
        progress(len(every), len(every))
        return as_result(rows, grid.axes_of(asked))

    def missing_words(
        self,
        dataset: str | Path | DataSet,
        *,
        form: str | None = None,
        landmark_in_context: bool = False,
        names: Names | None = None,
    ) -> Result:
        """The items of a data set that miss a word: rows of part, a, b, lexeme, one for each that the lexicon lacks."""
        task = self._task(as_dataset(dataset, form, landmark_in_context), names)
        rows = [(each.item.part, *each.pair(), lexeme) for each in task.judgements for lexeme in each.lacking]
        return Result(("part", "a", "b", "lexeme"), ("VARCHAR",) * 4, rows)

    def evaluations(self) -> Result:
        """What evaluations of this lexicon have come to, the oldest first: the view of this name."""
        return self._ask("FROM evaluations")

    def _task(self, data: DataSet, names: Names | None, *, untyped: bool = False, seed: int = 0) -> Task:
        """A data set with its items as this lexicon names them."""
        naming = self._naming(names or Names(), data.items)
        named = [naming.named(item) for item in data.items]
        judgements = [Judgement(item, tuple(naming.lacking(item))) for item in named]
        return Task(data, names or Names(), judgements, untyped, seed)

    def _naming(self, names: Names, items: Sequence[Item]) -> Naming:
        """What makes items this lexicon's."""
        database = self._for_reading()

        def known(lexemes: Sequence[str], lemmas: Sequence[str]) -> list[tuple[Any, ...]]:
            return database.rows(statement("evaluate/known"), {"lexemes": as_json(lexemes), "lemmas": as_json(lemmas)})

        return Naming(names, self.settings, items, known)

    def _evaluated(
        self,
        task: Task,
        chosen: Mapping[str, Any],
        scores: "Remembered",
        notebook: records.Notebook,
        *,
        anew: bool,
    ) -> list[dict[str, Any]]:
        """The rows of one evaluation, by their columns; unless anew, those that the lexicon has of it already."""
        question = task.question(chosen)
        content, known = records.content_of(self._for_reading(), str(chosen.get("weights", "ppmi")))
        rows = [] if anew or not known else records.found(self._for_reading(), question, content)
        if not rows:
            model = {name: value for name, value in chosen.items() if name not in {"method", "missing"}}
            manner = {name: str(chosen[name]) for name in ("method", "missing")}
            measured = measure(task.data, task.judgements, scores.of(model), **manner, seed=task.seed)
            rows = [{**task.described(chosen), **each.values()} for each in measured]
            notebook.record(rows, question, content)
        return [{name: row[name] for name in COLUMNS} for row in rows]

    def _scores(self, task: Task, model: Mapping[str, Any]) -> Scores:
        """How alike the two of each item are, all composed and compared in one query."""
        sides: list[Phrase] = [side for each in task.judgements for side in (each.item.a, each.item.b)]
        questions = {str(side): side for side in sides}
        pairs = list(dict.fromkeys(each.pair() for each in task.judgements))
        if task.untyped:
            answer = self._untyped_similarity(questions, pairs, model)
        else:
            answer = self.similarity_each(questions, pairs, missing="skip", **model)
        return {(a, b): similarity for a, b, similarity in answer.rows}

    def _untyped_similarity(
        self, questions: Mapping[str, Phrase], pairs: Sequence[tuple[str, str]], model: Mapping[str, Any]
    ) -> Result:
        """The same in the untyped space, whose weights are a relation of this query."""
        weighing = {name: value for name, value in model.items() if name in PARAMETERS["untyped"]}
        own = {name: value for name, value in model.items() if name not in weighing}
        with_those = {**own, "missing": "skip", "aligned": False, "weights": "untyped_weights"}
        weights = {"untyped_weights": f"FROM {call('untyped', [], weighing)}"}
        return self._similarity_each(questions, pairs, with_those, weights)


class Remembered:
    """Scores of a model that are asked for again and again, as methods are compared."""

    def __init__(self, scores: Callable[[Mapping[str, Any]], Scores]) -> None:
        self._scores = scores
        self._last: tuple[Mapping[str, Any], Scores] | None = None

    def of(self, model: Mapping[str, Any]) -> Scores:
        """The scores of a model, computed unless it is the last that was asked for."""
        if self._last is None or self._last[0] != model:
            self._last = (model, self._scores(model))
        return self._last[1]


def as_dataset(dataset: str | Path | DataSet, form: str | None, landmark_in_context: bool) -> DataSet:
    """A data set as it is, or read from its file."""
    if isinstance(dataset, DataSet):
        return dataset
    return read_dataset(dataset, form=form, landmark_in_context=landmark_in_context)


def refuse_parameters(task: Task, parameters: Mapping[str, Any]) -> None:
    """Raise QuestionError for a parameter that this evaluation does not take."""
    taken = PARAMETERS["untyped"] | UNTYPED_TOO if task.untyped else MODEL
    for name, value in parameters.items():
        if value is None:
            continue
        if name not in taken:
            whose = "an untyped evaluation" if task.untyped and name in MODEL else "evaluate"
            raise QuestionError(f"{whose} takes no {name}; there is {', '.join(sorted(taken))}")
        if name in OF_PHRASES and not task.data.has_phrases():
            raise QuestionError(f"{task.data.name} has single words, which nothing is composed of; leave out {name}")


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
