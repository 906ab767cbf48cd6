"""Evaluate a lexicon on a data set: one setting, a grid, or settings that are compared, chosen on other items."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import Model
from aptdb.evaluation.compare import (
    Evaluation,
    Some,
    as_dataset,
    combine_parameters,
    evaluate_task,
    refuse_unused_names,
)
from aptdb.evaluation.datasets import WITH_LANDMARK, DataSet, Item
from aptdb.evaluation.lexeme_mapping import Names
from aptdb.evaluation.other_scores import evaluate_otherwise, has_columns_of_its_own
from aptdb.evaluation.scoring import AVERAGE, WHOLE, Measured, by_new_names, difference, list_parts, nothing
from aptdb.evaluation.task import SEED, Evaluated, EvaluationLog, Task, as_result, list_varied_parameters, task_of
from aptdb.store.session import Session

HALF = "half"
BEST, FIRST = "best", "first"
DIFFERENCES = {"difference": "DOUBLE", "difference_low": "DOUBLE", "difference_high": "DOUBLE"}
CHOSEN = {"choosing_rho": "DOUBLE", "tried": "BIGINT"}

Progress = Callable[[int, int], None]
Chosen = Mapping[str, Any]


def evaluate(
    session: Session,
    /,
    dataset: str | Path | DataSet,
    *,
    format: str | None = None,
    method: str | Sequence[str] = "all",
    missing: str | Sequence[str] = "skip_unknown",
    landmark_in_context: bool = False,
    untyped: bool = False,
    names: Names | None = None,
    seed: int = SEED,
    record: bool = True,
    settings: Sequence[Mapping[str, Any]] = (),
    against: str | int | None = None,
    choose_on: str | Path | DataSet | Sequence[str | Path | DataSet] | None = None,
    progress: Progress = lambda *_: None,
    **parameters: Annotated[Any, Model],
) -> Evaluated:
    """Return Spearman's ρ between this lexicon's similarities and people's ratings, for each part of a data set.

    Rows of dataset, part, method, merge, weights, parameters, rho, low, high (its 95 % bootstrap interval, see
    `Correlation`), items, missing, empty (the numbers of items that were scored, that lack a word, and that score 0
    because a vector is empty), undefined (why ρ is undefined, if it is).

    dataset, format, landmark_in_context: see `read_dataset`. method: see `correlation`,
    or `within-pairs` (`agreement`); missing: see `measure`. untyped: ignore paths, as a baseline. names: differing
    names in this lexicon. parameters: those of `similarity_each`.

    If method, missing or a parameter is a list, all combinations are evaluated, and each such parameter gets a column
    (missing gets missing_as); `best` marks the row with the highest ρ of its part, among rows of the same method and
    the same treatment of missing words. settings: a list of parameters that belong together, as `[{"space": "words"},
    {"shift": 10}]`; each is evaluated, with all combinations of the rest. Combinations that are stored in the lexicon
    are not evaluated again; if one cannot be evaluated, `undefined` says why. progress: called as
    progress(done, total).

    against: also return how much ρ differs from that of another setting (difference, difference_low, difference_high:
    its 95 % interval over the same resamples of items): of the `best`, the `first`, or one by its number, from 1.
    choose_on: choose the best setting elsewhere, and report on items that had no part in it: `half`, a random half of
    this data set by its seed, or one or several other data sets. Then `best` marks the chosen setting, choosing_rho is
    ρ where it was chosen, and tried the number of settings. Comparisons evaluate every combination anew.

    record: store the results in the lexicon, where the view `evaluations` lists them; if that fails, there is a
    warning. Raises DataSetError and QuestionError.

    Three formats have columns of their own, take no lists but of measures, and are not stored: for `compounds` see
    `evaluate_compounds`, for `entailment` `evaluate_entailment`, for `graded-entailment` (pairs with a score as
    HyperLex has, which has to be named as the format) `evaluate_graded_entailment`.
    """
    data = as_dataset(dataset, format, landmark_in_context)
    task = task_of(session, data, names, untyped=untyped, seed=seed)
    log = EvaluationLog(session, wanted=record)
    asked = {**parameters, "method": method, "missing": by_new_names(missing)}
    given = settings_as_dictionaries(settings)
    if has_columns_of_its_own(data):
        refuse_unused_names(task, session.settings)
        others = {"settings": given, "against": against, "choose_on": choose_on}
        return evaluate_otherwise(session, task, parameters, method=method, missing=missing, **others)
    if against is None and choose_on is None:
        return evaluate_task(session, task, asked, log, progress, given)
    comparison = Comparison(session, task, log, choose_on)
    return comparison.of(asked, given, against, progress)


def settings_as_dictionaries(settings: object) -> list[dict[str, Any]]:
    """Return settings as dictionaries. Raise QuestionError if they are not a list of those, with one value for each."""
    if isinstance(settings, Mapping | str) or not isinstance(settings, Sequence):
        raise QuestionError(f'settings is {settings!r}; expected a list, e.g. [{{"space": "words"}}, {{"shift": 10}}]')
    for each in settings:
        if not isinstance(each, Mapping):
            raise QuestionError(f'settings has {each!r}; expected parameters, e.g. {{"shift": 10}}')
        if own := sorted({"method", "missing"} & each.keys()):
            raise QuestionError(f"settings has {own[0]}, which cannot differ between settings; give it outside of them")
        several = [name for name, value in each.items() if isinstance(value, Iterable) and not isinstance(value, str)]
        if several:
            raise QuestionError(f"settings has several values of {several[0]}; give each a setting of its own")
    return [dict(each) for each in settings]


@dataclass(frozen=True)
class Setting:
    """A setting that was tried, with what was measured by part (a text says why nothing was), and ρ where to choose."""

    chosen: Mapping[str, Any]
    measured: Mapping[str, Measured] | str
    choosing: float | None = None

    def rho(self, part: str) -> float | None:
        """Return ρ on a part, if it is defined."""
        return None if isinstance(self.measured, str) else self.measured[part].correlation.rho


def overall(parts: Sequence[str]) -> str:
    """Return the part by which settings are chosen: the average of parts where there is one, else all items."""
    return AVERAGE if AVERAGE in parts else WHOLE if WHOLE in parts else parts[0]


def halves(data: DataSet, seed: int) -> tuple[DataSet, DataSet]:
    """Return two random halves of a data set, each with half of every part: one to choose on, and the rest.

    Landmarks of the same verb in context stay together. Raises QuestionError where a half would be empty.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    chosen: set[tuple[str, str]] = set()
    for part in data.parts():
        groups = list(dict.fromkeys(group_of(data, item) for item in data.items if item.part == part))
        order = chance.permutation(len(groups))
        chosen |= {groups[at] for at in order[: len(groups) // 2]}
    split = tuple(
        replace(data, items=tuple(each for each in data.items if (group_of(data, each) in chosen) == wanted), sha256="")
        for wanted in (True, False)
    )
    if not all(half.items for half in split):
        raise QuestionError(f"{data.name} has too few items to choose on half of them; leave out choose_on")
    return split[0], split[1]


def group_of(data: DataSet, item: Item) -> tuple[str, str]:
    """Return what tells an item apart where a data set is cut: with landmarks, their verb in context."""
    return item.part, str(item.a) if data.format in WITH_LANDMARK else f"{item.a} – {item.b}"


def refuse_against(against: object, number: int) -> None:
    """Raise QuestionError if no setting is called so. number: how many settings there are."""
    if against in {BEST, FIRST} or against is None:
        return
    if isinstance(against, bool) or not isinstance(against, int) or not 1 <= against <= number:
        raise QuestionError(
            f"against is {against!r}; expected {BEST}, {FIRST}, or the number of a setting, 1 to {number}"
        )


def find_best_setting(tried: Sequence[Setting], part: str, *, by_choosing: bool) -> int | None:
    """Return the place of the setting with the highest ρ, the first of several; None if all are undefined."""
    rhos = [each.choosing if by_choosing else each.rho(part) for each in tried]
    defined = [at for at, rho in enumerate(rhos) if rho is not None]
    return max(defined, key=lambda at: (rhos[at] or 0.0, -at)) if defined else None


def compare_settings(
    tried: Sequence[Setting], part: str, against: str | int | None, *, by_choosing: bool
) -> list[dict[str, Any]]:
    """Return the columns of a comparison for each setting, on one part.

    best: the highest ρ, or with by_choosing the setting that was chosen elsewhere. difference and its interval: from
    the setting `against`, or the best.
    """
    best = find_best_setting(tried, part, by_choosing=by_choosing)
    place = {BEST: best, None: best, FIRST: 0}.get(against) if not isinstance(against, int) else against - 1
    base = None if place is None else tried[place].measured
    rows = []
    for at, each in enumerate(tried):
        row: dict[str, Any] = {**dict.fromkeys(DIFFERENCES), "best": at == best}
        if not isinstance(each.measured, str) and base is not None and not isinstance(base, str):
            row |= dict(zip(DIFFERENCES, difference(each.measured[part], base[part]), strict=True))
        if by_choosing:
            row |= {"choosing_rho": each.choosing, "tried": len(tried)}
        rows.append(row)
    return rows


def mean_of(rhos: Sequence[float | None]) -> float | None:
    """Return the mean of ρ on several data sets; None if one is undefined."""
    defined = [rho for rho in rhos if rho is not None]
    return sum(defined) / len(defined) if defined and len(defined) == len(rhos) else None


class Comparison:
    """Evaluates settings on the same items, and chooses one of them on others."""

    def __init__(self, session: Session, task: Task, log: EvaluationLog, choose_on: Any) -> None:
        self.session = session
        self.task = task
        self.log = log
        self.evaluation = Evaluation(session, task, log, tried=1)
        self.choosing: Some | None = None
        self.reporting: Some | None = None
        self.others: list[Evaluation] = []
        self.chosen_on = "" if choose_on is None else HALF
        if isinstance(choose_on, str) and choose_on == HALF:
            chosen, rest = halves(task.data, task.seed)
            items = set(chosen.items)
            places = [[at for at, each in enumerate(task.data.items) if (each in items) == wanted] for wanted in (1, 0)]
            self.choosing, self.reporting = (chosen, places[0]), (rest, places[1])
        elif choose_on is not None:
            self._choose_on_others(choose_on)

    def _choose_on_others(self, choose_on: Any) -> None:
        """Read the data sets to choose on. Raise QuestionError for the one that is reported."""
        several = [choose_on] if isinstance(choose_on, str | Path | DataSet) else [*choose_on]
        if not several:
            raise QuestionError("choose_on is an empty list; give it a data set, or several")
        for each in several:
            data = as_dataset(each, None, landmark_in_context=False)
            if has_columns_of_its_own(data):
                raise QuestionError(f"{data.name} is of {data.format}, on which no setting is chosen")
            if data.sha256 == self.task.data.sha256:
                raise QuestionError(
                    f"settings would be chosen and reported on {data.name}; choose on other data, or on {HALF} of it"
                )
            own = task_of(self.session, data, self.task.names, untyped=self.task.untyped, seed=self.task.seed)
            self.others.append(Evaluation(self.session, own, self.log, tried=1))
        self.chosen_on = ", ".join(each.task.data.name for each in self.others)

    @property
    def data(self) -> DataSet:
        """Return the items that are reported."""
        return self.reporting[0] if self.reporting else self.task.data

    def of(self, asked: Chosen, settings: Sequence[dict[str, Any]], against: Any, progress: Progress) -> Evaluated:
        """Return the settings on the reported items, and how each differs from one of them."""
        every = combine_parameters(self.session, self.task, asked, settings)
        for other in self.others:
            combine_parameters(self.session, other.task, asked, settings)
        axes = list_varied_parameters(asked, settings)
        if several := sorted({"method", "missing"} & axes.keys()):
            raise QuestionError(f"{several[0]} has several values, which cannot be compared; give it one")
        refuse_against(against, len(every))
        for evaluation in (self.evaluation, *self.others):
            evaluation.tried = len(every)
        tried = []
        for done, combination in enumerate(every):
            progress(done, len(every))
            tried.append(self._tried({name: value for name, value in combination.items() if value is not None}))
        progress(len(every), len(every))
        parts = list_parts(self.data)
        columns = {part: compare_settings(tried, part, against, by_choosing=bool(self.chosen_on)) for part in parts}
        rows, shown = [], []
        for at, (combination, each) in enumerate(zip(every, tried, strict=True)):
            found = self._rows(each)
            rows += [
                {**combination, **row, "missing_as": combination["missing"], **columns[row["part"]][at]}
                for row in found
            ]
            shown += [self.task.shown(each.chosen)] * len(found)
        return as_result(rows, shown, axes, {**DIFFERENCES, **(CHOSEN if self.chosen_on else {})})

    def _tried(self, chosen: Chosen) -> Setting:
        """Return a setting, measured on the reported items and where settings are chosen."""
        content = self.evaluation.identify(chosen).content
        try:
            reported = {each.part: each for each in self.evaluation.measured(chosen, content, self.reporting)}
            choosing = [self._chooses(other, chosen, None) for other in self.others]
            if self.choosing:
                choosing = [self._chooses(self.evaluation, chosen, self.choosing)]
        except QuestionError as error:
            return Setting(chosen, str(error))
        return Setting(chosen, reported, mean_of(choosing))

    def _chooses(self, evaluation: Evaluation, chosen: Chosen, some: Some | None) -> float | None:
        """Return ρ on all items of a data set, or of some, on which settings are chosen."""
        measured = {each.part: each for each in evaluation.measured(chosen, evaluation.identify(chosen).content, some)}
        return measured[overall([*measured])].correlation.rho

    def _rows(self, setting: Setting) -> list[dict[str, Any]]:
        """Return and store the rows of a setting."""
        question, described, content, known = self.evaluation.identify(setting.chosen)
        if isinstance(setting.measured, str):
            return [{**nothing(part, setting.measured), **described} for part in list_parts(self.data)]
        rows = [{**each.values(), **described} for each in setting.measured.values()]
        choice = {"chosen_on": self.chosen_on, "items_of": self.data.sha256} if self.chosen_on else {}
        asked = {**question, **choice}
        self.evaluation.record(rows, described, asked, content, known=known, chosen_on=self.chosen_on)
        return rows
