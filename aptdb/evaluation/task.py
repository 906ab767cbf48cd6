"""The task of an evaluation: lexemes for a data set's items, combinations of parameters, and stored results."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import (
    AptError,
    IncompleteDataWarning,
    InterpretationWarning,
    InUseError,
    NoMatchWarning,
    QuestionError,
    warn,
)
from aptdb.core.one_line import name_first
from aptdb.core.parameters import Group, declared
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import Model, in_sql
from aptdb.core.result import Result
from aptdb.core.schemes import DEFAULT_WEIGHTS
from aptdb.evaluation.datasets import DataSet, Item
from aptdb.evaluation.lexeme_mapping import LexemeMapping, Names
from aptdb.evaluation.scoring import Judgement
from aptdb.questions.phrase_parser import Grammar, look_up
from aptdb.questions.readings import list_typed_texts, readings
from aptdb.store.database import Database
from aptdb.store.schema import now
from aptdb.store.session import Session
from aptdb.store.statements import literal, statement
from aptdb.store.version import __version__

COLUMNS = {
    "dataset": "VARCHAR", "part": "VARCHAR", "method": "VARCHAR", "merge": "VARCHAR", "weights": "VARCHAR",
    "parameters": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "items": "BIGINT",
    "missing": "BIGINT", "empty": "BIGINT", "undefined": "VARCHAR",
}  # fmt: skip
SHOWN = 3  # readings in a note
IN_COLUMNS = ("method", "merge", "weights")  # the parameters of an evaluation that have a column


@dataclass(frozen=True, eq=False, repr=False)
class Evaluated(Result):
    """Rows of evaluations. shown: for each row, the parameters in its column `parameters`."""

    shown: Sequence[Mapping[str, Any]] = ()


def as_result(
    rows: Sequence[Mapping[str, Any]],
    shown: Sequence[Mapping[str, Any]],
    axes: Mapping[str, Sequence[Any]],
    comparison: Mapping[str, str] | None = None,
) -> Evaluated:
    """Return rows of evaluations as an answer.

    A grid has a column for each parameter that varies, and marks the best rows. comparison: the columns of settings
    that were compared, which mark the best themselves.
    """
    columns = dict(COLUMNS)
    if axes or comparison:
        varied = {name: sql_type(values) for name, values in axes.items() if name not in {*IN_COLUMNS, "missing"}}
        columns |= {**varied, **({"missing_as": "VARCHAR"} if "missing" in axes else {}), "best": "BOOLEAN"}
        columns |= comparison or {}
    if axes and not comparison:
        rows = [{**row, "best": each} for row, each in zip(rows, mark_best_rows(rows), strict=True)]
    cells = [tuple(row[name] for name in columns) for row in rows]
    return Evaluated(tuple(columns), tuple(columns.values()), cells, shown)


def sql_type(values: Sequence[Any]) -> str:
    """Return DuckDB's type for the values of a parameter."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds <= {int, float}:
        return "DOUBLE" if float in kinds else "BIGINT"
    return "VARCHAR"


Combination = dict[str, Any]


def list_varied_parameters(
    parameters: Mapping[str, Any], settings: Sequence[Mapping[str, Any]] = ()
) -> dict[str, list[Any]]:
    """Return the parameters with several values, and those of settings, as lists. Raise QuestionError for none."""
    axes = {
        name: list(dict.fromkeys(normal(name, each) for each in value))
        for name, value in parameters.items()
        if isinstance(value, Iterable) and not isinstance(value, str)
    }
    for name, values in axes.items():
        if not values:
            raise QuestionError(f"{name} is an empty list; give it a value, or several")
    of_settings = dict.fromkeys(name for setting in settings for name in setting)
    return axes | {name: [normal(name, setting.get(name)) for setting in settings] for name in of_settings}


def normal(name: str, value: Any) -> Any:
    """Return a value in normal form: 10.0 becomes 10, and numpy's numbers Python's. Raise QuestionError."""
    if hasattr(value, "item"):
        value = value.item()
    if value is not None and not isinstance(value, str | int | float):
        raise QuestionError(f"{name} is {value!r}; expected a number or a name, or a list of them")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def combinations(parameters: Mapping[str, Any], settings: Sequence[Mapping[str, Any]] = ()) -> list[Combination]:
    """Return all combinations of the given values, the last parameter varies fastest; each with each of the settings.

    Raises QuestionError for a parameter of a setting that is given beside it too.
    """
    axes = list_varied_parameters(parameters)
    values = [axes[name] if name in axes else [normal(name, value)] for name, value in parameters.items()]
    every = [dict(zip(parameters, chosen, strict=True)) for chosen in product(*values)]
    of_settings = dict.fromkeys(name for setting in settings for name in setting)
    for name in of_settings:
        if parameters.get(name) is not None:
            raise QuestionError(f"{name} is given beside the settings and in one of them; give it in one place")
    wanted = [{name: normal(name, setting.get(name)) for name in of_settings} for setting in settings] or [{}]
    return [{**each, **setting} for setting in wanted for each in every]


def mark_best_rows(rows: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Return whether each row has the highest ρ among comparable rows.

    Comparable rows have the same part, method and treatment of missing words; otherwise the points differ.
    """
    highest: dict[tuple[Any, ...], float] = {}
    for row in rows:
        if row["rho"] is not None:
            highest[points_of(row)] = max(highest.get(points_of(row), row["rho"]), row["rho"])
    return [row["rho"] is not None and row["rho"] == highest[points_of(row)] for row in rows]


def points_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values that decide on which points ρ is measured."""
    return row["part"], row["method"], row["missing_as"]


SEED = 1  # the default seed of the bootstrap
STORED_AS = {
    "skip_unknown": "there",
    "skip_item": "skip",
}  # what ways with missing words are called where they are stored
DEFAULTS = {
    name: parameter.unset if parameter.default is None else parameter.default
    for name, parameter in in_sql("similarity_each").items()
}
GROUPS = (Group.PHRASES, Group.WEIGHTS, Group.VECTORS)
# The parameters of a model in the order in which a grid varies them. An evaluation has its own way with missing words.
MODEL_PARAMETERS = [
    name for group in GROUPS for name, each in declared(Model).items() if each.group is group and name != "missing"
]


@dataclass(frozen=True)
class Task:
    """A data set to evaluate a lexicon on, with everything that a grid does not vary."""

    data: DataSet
    names: Names
    judgements: Sequence[Judgement]
    untyped: bool
    seed: int

    def question(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return everything that decides an evaluation with these parameters, except the lexicon; without defaults.

        Stored evaluations are found again by it, so its keys stay: `form` is the format of the data set.
        """
        stored = {**chosen, "missing": STORED_AS.get(str(chosen["missing"]), chosen["missing"])}
        return {
            "sha256": self.data.sha256,
            "form": self.data.format,
            "landmark_in_context": self.data.landmark_in_context,
            "untyped": self.untyped,
            "names": asdict(self.names),
            "seed": self.seed,
            **{name: value for name, value in stored.items() if not is_default(name, value, stored)},
        }

    def shown(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters for the column `parameters`."""
        flags = {"untyped": self.untyped, "landmark_in_context": self.data.landmark_in_context}
        return shown_parameters(chosen, flags, self.names, self.seed)

    def described(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the columns that distinguish an evaluation from others."""
        return {
            "dataset": self.data.name,
            "sha256": self.data.sha256,
            "method": chosen["method"],
            "merge": chosen.get("merge", "sum") if self.data.has_phrases() else None,
            "weights": chosen.get("weights", DEFAULT_WEIGHTS),
            "parameters": ", ".join(assignments(self.shown(chosen))),
        }


def shown_parameters(chosen: Mapping[str, Any], flags: Mapping[str, bool], names: Names, seed: int) -> dict[str, Any]:
    """Return parameters that differ from their defaults and have no column of their own."""
    parameters = {name: value for name, value in chosen.items() if name not in {*IN_COLUMNS, "missing"}}
    given_flags = {name: flag for name, flag in flags.items() if flag}
    own_seed = {"seed": seed} if seed != SEED else {}
    return {**parameters, **given_flags, **names.shown(), **own_seed, "missing": chosen["missing"]}


def assignments(parameters: Mapping[str, Any]) -> list[str]:
    """Return parameters as SQL, e.g. `shift := 10`."""
    return [f"{name} := {literal(value)}" for name, value in parameters.items()]


def is_default(name: str, value: Any, chosen: Mapping[str, Any]) -> bool:
    """Return whether a parameter has its default value. The default of phi may be a weighting's own."""
    if name == "phi":
        return bool(value == "constant" and chosen.get("weights", DEFAULT_WEIGHTS) == DEFAULT_WEIGHTS)
    return bool(value == DEFAULTS.get(name))


def task_of(session: Session, data: DataSet, names: Names | None, *, untyped: bool = False, seed: int = 0) -> Task:
    """Return the task for a data set, with its items mapped to the lexemes of this lexicon."""
    if names is not None and not isinstance(names, Names):
        raise QuestionError(f"names is {names!r}; expected aptdb.Names(...)")
    mapping = mapping_of(session, names or Names(), data.items)
    warn_of_uncounted_relations(session, mapping, data.items)
    named = [mapping.named(item) for item in data.items]
    judgements = [Judgement(item, tuple(mapping.lacking(item))) for item in named]
    return Task(data, names or Names(), judgements, untyped, seed)


def mapping_of(session: Session, names: Names, items: Sequence[Item]) -> LexemeMapping:
    """Return the mapping from words of items to lexemes of this lexicon."""
    database = session.reading()

    def known(lexemes: Sequence[str], lemmas: Sequence[str]) -> list[tuple[Any, ...]]:
        return database.rows(
            statement("evaluation/known"), {"lexemes": texts_as_json(lexemes), "lemmas": texts_as_json(lemmas)}
        )

    def normal(words: Sequence[str]) -> dict[str, str]:
        how = {"lowercase": session.settings.lowercase, "nfc": session.settings.nfc}
        return dict(map(tuple, database.rows(statement("evaluation/normal"), {"words": texts_as_json(words), **how})))

    mapping = LexemeMapping(names, session.settings, items, normal=normal, known=known)
    mapping.take_readings(read := read_typed(session, [*mapping.typed]))
    if some := [each for each in items if mapping.reading(each.a) or mapping.reading(each.b)]:
        many = f"{how_many(len(some), 'item')} of {len(items):,} {'has' if len(some) == 1 else 'have'}"
        warn(f"{many} phrases as people type them, {write_readings(read)}", InterpretationWarning)
    return mapping


def read_typed(session: Session, texts: Sequence[str]) -> dict[str, Phrase]:
    """Return how typed words and phrases are read, by their texts; without those that are known or cannot be read."""
    found: dict[str, Phrase] = {}
    typed = list_typed_texts(session, texts)
    if typed:
        grammar, looked_up = Grammar(session), look_up(session, typed)
    for text in typed:
        with suppress(QuestionError):
            found[text] = readings(session, text, grammar, looked_up)[0].phrase
    return found


def write_readings(read: Mapping[str, Phrase]) -> str:
    """Return the first of some readings, for a note."""
    return f"read as {name_first([f'{text} → {phrase}' for text, phrase in read.items()], SHOWN)}"


def warn_of_uncounted_relations(session: Session, mapping: LexemeMapping, items: Iterable[Item]) -> None:
    """Warn of relations in phrases that this lexicon never counts: it may have other names for them."""
    used = {name for item in items for side in (item.a, item.b) for name, _ in side.dependents}
    counted = {relation for (relation,) in session.reading().rows(statement("questions/relations"))}
    for name in sorted(used):
        if mapping.relation(name) not in counted:
            warn(
                f"this lexicon has no relation {mapping.relation(name)}, so no words meet along it; "
                f"if it has another name for {name}, say so: --relations {name}=NAME",
                NoMatchWarning,
            )


def texts_as_json(texts: Sequence[str]) -> str:
    """Return texts as a JSON list for SQL."""
    return json.dumps(list(texts), ensure_ascii=False)


PATIENCE = 10.0  # how many seconds to wait for another process
Row = dict[str, Any]


def content_of(database: Database, weights: str) -> tuple[str, bool]:
    """Return a digest of lexicon and weights, and whether it is reliable; a user's own weights may change."""
    content, known = database.rows(statement("questions/content"), {"weights": weights})[0]
    return str(content), bool(known)


def found(database: Database, question: Mapping[str, Any], content: str) -> list[Row]:
    """Return the stored rows of the same evaluation, by the columns of the table; [] without any."""
    asked = f"FROM _store.evaluation WHERE {SAME_EVALUATION} ORDER BY id"
    columns, _, rows = database.table(asked, find_same_evaluation(question, content))
    return [dict(zip(columns, row, strict=True)) for row in rows]


def patiently(session: Session) -> Database:
    """Return the lexicon's database for reading. If another process is storing an evaluation, wait for a moment."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return session.reading()
        except InUseError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


class EvaluationLog:
    """Stores evaluations in a lexicon. If that fails, it warns once and does not try again."""

    def __init__(self, session: Session, *, wanted: bool) -> None:
        self.session = session
        self.wanted = wanted

    def record(self, rows: Sequence[Row], question: Mapping[str, Any], content: str, *, known: bool) -> None:
        """Store an evaluation. known: it replaces the same evaluation stored before."""
        if not self.wanted:
            return
        try:
            with self.session.writing() as database:
                write_evaluation(database, rows, question, content, known=known)
        except AptError as error:
            self.wanted = False
            warn(f"this evaluation is not stored in the lexicon: {error}", IncompleteDataWarning)


def write_evaluation(
    database: Database, rows: Sequence[Row], question: Mapping[str, Any], content: str, *, known: bool
) -> None:
    """Write the rows of an evaluation, in the caller's transaction."""
    if known:
        same = find_same_evaluation(question, content)
        database.run(f"DELETE FROM _store.evaluation WHERE {SAME_EVALUATION}", same)  # noqa: S608
    last = int(database.value("SELECT coalesce(max(id), 0) FROM _store.evaluation"))
    tokens = int(database.value(statement("evaluation/tokens")))
    made = {"question": as_text(question), "content": content, "tokens": tokens}
    for number, row in enumerate(rows, 1):
        of_row = {"id": last + number, "evaluated_at": now(), "version": __version__}
        database.put("evaluation", {**row, **made, **of_row})


SAME_EVALUATION = "question = $question AND content = $content AND version = $version"


def find_same_evaluation(question: Mapping[str, Any], content: str) -> dict[str, str]:
    """Return the values of SAME_EVALUATION: those of a stored evaluation that is the same, by this version."""
    return {"question": as_text(question), "content": content, "version": __version__}


def as_text(question: Mapping[str, Any]) -> str:
    """Return the parameters of an evaluation as text to store."""
    return json.dumps(question, sort_keys=True)
