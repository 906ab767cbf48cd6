"""The parameters that questions take, under the names that they have in SQL, and how a question is written in it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypedDict

from aptdb.database import SqlText, literal
from aptdb.errors import QuestionError
from aptdb.phrase import Phrase, Word

Merge = Literal["sum", "min", "max", "mult", "intersective_add"]
Pipeline = Literal["compose-second", "compose-first"]
Phi = Literal["constant", "harmonic", "probability"]
Measure = Literal[
    "cosine", "lin", "jaccard", "dice", "weeds_precision", "weeds_recall", "cl", "inv_cl", "jensen_shannon"
]
Question = str | Phrase | Sequence[Word]
Questions = Iterable[Question] | Mapping[str, Question]


class Scheming(TypedDict, total=False):
    """Parameters of a scheme, all but the least frequency of a lexeme: design 3."""

    cds: float
    cds_total: Literal["power_of_sum", "sum_of_powers"]
    scope: Literal["path", "all"]
    shift: float
    min_count: int
    min_feature_count: int
    max_order: int
    top_features: int


class Asking(Scheming, total=False):
    """Parameters of the weights and of composition that every question takes: design 3 and 5."""

    weights: str
    merge: Merge
    pipeline: Pipeline
    aligned: bool
    anchor: int


class Defining(Scheming, total=False):
    """Parameters of a scheme: what a weighting records."""

    min_frequency: int


class Weighing(Asking, Defining, total=False):
    """Parameters of the questions about APTs."""


class Comparing(Weighing, total=False):
    """Parameters of the questions about two vectors."""

    phi: Phi | None
    measure: Measure


class Ranking(Asking, total=False):
    """Parameters of the questions about all vectors."""

    phi: Phi | None
    measure: Measure


NEIGHBOURS = {*Ranking.__annotations__, "top", "pos", "min_frequency"}
PARAMETERS: dict[str, set[str]] = {
    "apt": {*Weighing.__annotations__},
    "compose": {*Weighing.__annotations__},
    "diff": {*Weighing.__annotations__, "lean", "per_path"},
    "similarity": {*Comparing.__annotations__},
    "explain": {*Comparing.__annotations__, "top"},
    "neighbours": NEIGHBOURS,
    "neighbours_each": NEIGHBOURS,
}


def words_of(x: Question) -> str | list[Word]:
    """What SQL takes for a lexeme or phrase. Text that ends with ] is a phrase, any other a lexeme as it stands."""
    if isinstance(x, str):
        return Phrase.parse(x).words() if x.endswith("]") else x
    if isinstance(x, Phrase):
        return x.words() if x.dependents else x.lexeme
    try:
        return [{"lexeme": word["lexeme"], "delta": word["delta"]} for word in x]
    except (KeyError, TypeError) as error:
        raise QuestionError("a phrase is a list of words, each with its lexeme and its delta") from error


def rows_of(questions: Questions) -> list[dict[str, object]]:
    """Questions as a table for SQL: a row for each word, keyed by what its question is called.

    In a mapping that is its key; else the question as it is written, and the number, from 1, of a list of words.
    """
    if isinstance(questions, str | Phrase):
        raise QuestionError("several questions come as a list, or as a mapping from what each is called")
    pairs = (
        questions.items()
        if isinstance(questions, Mapping)
        else ((name_of(x, n), x) for n, x in enumerate(questions, 1))
    )
    called: dict[str, list[Word]] = {}
    for name, question in pairs:
        words = words_of(question)
        several: list[Word] = [{"lexeme": words, "delta": ""}] if isinstance(words, str) else words
        if not several:
            raise QuestionError(f"{name} is an empty phrase; it needs at least one word")
        if called.setdefault(name, several) != several:
            raise QuestionError(f"two questions are called {name}; name them apart, in a mapping")
    return [
        {"phrase": name, **word, "position": position}
        for name, words in called.items()
        for position, word in enumerate(words, 1)
    ]


def name_of(question: Question, number: int) -> str:
    """What a question is called where nothing is said."""
    return str(question) if isinstance(question, str | Phrase) else str(number)


def call(name: str, arguments: Sequence[object], parameters: Mapping[str, object]) -> SqlText:
    """A call of a macro as SQL writes it. Raises QuestionError for a parameter that the question does not take."""
    for parameter in parameters:
        if parameter not in PARAMETERS[name]:
            raise QuestionError(f"{name} takes no {parameter}; there is {', '.join(sorted(PARAMETERS[name]))}")
    named = [f"{parameter} := {literal(value)}" for parameter, value in parameters.items()]
    return SqlText(f"{name}({', '.join([*map(literal, arguments), *named])})")
