"""The parameters that questions take, under the names that they have in SQL, and how a question is written in it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypedDict

from aptdb.errors import QuestionError
from aptdb.phrase import Phrase, Word
from aptdb.store.database import SqlText, literal

Merge = Literal["sum", "min", "max", "mult", "intersective_add"]
Strategy = Literal["one-step", "left-to-right"]
Missing = Literal["error", "skip", "skip_unknown", "empty"]
Context = Literal["all", "internal", "external"]
Among = Literal["lexemes", "entries", "all"]
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


class Composing(TypedDict, total=False):
    """Parameters of composition, of whatever is asked about; what is ranked against it stays as it is counted.

    strategy: merge all words at once, or one after the other (the paper's section 4.3). On the words of one tree the
    two agree, but for the last digits of a sum; left-to-right refuses words between which there is no path. missing:
    what becomes of a word that has no APT. context: the nodes of the phrase's own tree (internal), all others, or both
    (section 4.1). smooth: `static:N`, `window:W` or `offset:N` adds the APTs of nearest neighbours to those that are
    composed (Kober et al. 2016 and 2017); the APT itself counts `alpha` times, else N times or as often as it has
    neighbours in the window.
    """

    merge: Merge
    pipeline: Pipeline
    aligned: bool
    strategy: Strategy
    missing: Missing
    context: Context
    smooth: str
    alpha: float


class Weighted(Scheming, total=False):
    """What weighs, and its parameters."""

    weights: str


class Asking(Weighted, Composing, total=False):
    """Parameters of the weights and of composition that every question takes: design 3 and 5."""

    anchor: int


class Defining(Scheming, total=False):
    """Parameters of a scheme: what a weighting records."""

    min_frequency: int


class Exporting(Defining, total=False):
    """Parameters of the weights of all lexemes."""

    weights: str


class Weighing(Asking, Defining, total=False):
    """Parameters of the questions about APTs."""


class Measuring(TypedDict, total=False):
    """Parameters of vectors and of how they are compared."""

    phi: Phi | None
    measure: Measure


class Comparing(Weighing, Measuring, total=False):
    """Parameters of the questions about two vectors; anchor_b: the anchor of the second, where it is another."""

    anchor_b: int


class ComparingEach(Weighing, Measuring, total=False):
    """Parameters of the questions about several vectors."""


class Differing(Weighing, total=False):
    """Parameters of the question what sets two APTs apart."""

    anchor_b: int


class Ranking(Asking, Measuring, total=False):
    """Parameters of the questions about all vectors; among: of lexemes, of the entries that are stored, or of all."""

    among: Among


class RankingEach(Weighted, Composing, Measuring, total=False):
    """The same where the question itself says from which word a phrase is seen."""

    among: Among


OF_NEIGHBOURS = {"top", "pos", "min_frequency"}
PARAMETERS: dict[str, set[str]] = {
    "apt": {*Weighing.__annotations__},
    "compose": {*Weighing.__annotations__},
    "compose_each": {*Weighing.__annotations__},
    "export": {*Exporting.__annotations__},
    "diff": {*Differing.__annotations__, "lean", "per_path"},
    "similarity": {*Comparing.__annotations__},
    "similarity_each": {*ComparingEach.__annotations__, "pairs"},
    "untyped": {*Defining.__annotations__, "weights"} - {"scope", "max_order"},
    "explain": {*Comparing.__annotations__, "top"},
    "neighbours": {*Ranking.__annotations__, *OF_NEIGHBOURS},
    "neighbours_each": {*Ranking.__annotations__, *OF_NEIGHBOURS},
    "contextualise": {*RankingEach.__annotations__, *OF_NEIGHBOURS},
    "plausible": {*RankingEach.__annotations__, *OF_NEIGHBOURS, "candidates"},
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


def phrase_of(x: Question) -> list[Word]:
    """The words of a phrase; a lexeme is a phrase of one word."""
    words = words_of(x)
    return [{"lexeme": words, "delta": ""}] if isinstance(words, str) else words


def rows_of(questions: Questions) -> list[dict[str, object]]:
    """Questions as a table for SQL: a row for each word, keyed by what its question is called.

    In a mapping that is its key; else the question as it is written, and the number, from 1, of a list of words.
    """
    pairs = (
        questions.items()
        if isinstance(questions, Mapping)
        else ((name_of(x, n), x) for n, x in enumerate(several(questions), 1))
    )
    called: dict[str, list[Word]] = {}
    for key, question in pairs:
        name, words = str(key), phrase_of(question)
        if not words:
            raise QuestionError(f"{name} is an empty phrase; it needs at least one word")
        if called.setdefault(name, words) != words:
            raise QuestionError(f"two questions are called {name}; name them apart, in a mapping")
    return [
        {"phrase": name, **word, "position": position}
        for name, words in called.items()
        for position, word in enumerate(words, 1)
    ]


def several(questions: Iterable[Question]) -> Iterable[Question]:
    """The same; raises QuestionError where it is but one."""
    if isinstance(questions, str | Phrase) or not isinstance(questions, Iterable):
        raise QuestionError("several questions come as a list, or as a mapping from what each is called")
    return questions


def pairs_of(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Pairs of questions, by what they are called, as a table for SQL."""
    try:
        return [{"a": str(a), "b": str(b)} for a, b in pairs]
    except (TypeError, ValueError) as error:
        raise QuestionError("pairs are a list of two names of questions each, as ('tea', 'hot tea')") from error


def name_of(question: Question, number: int) -> str:
    """What a question is called where nothing is said."""
    return str(question) if isinstance(question, str | Phrase) else str(number)


def call(name: str, arguments: Sequence[object], parameters: Mapping[str, object]) -> SqlText:
    """A call of a macro as SQL writes it. Raises QuestionError for a parameter that the question does not take."""
    refuse_other_parameters(name, parameters)
    named = [f"{parameter} := {literal(value)}" for parameter, value in parameters.items()]
    return SqlText(f"{name}({', '.join([*map(literal, arguments), *named])})")


def refuse_other_parameters(name: str, parameters: Iterable[str]) -> None:
    """Raise QuestionError for a parameter that the question does not take."""
    for parameter in parameters:
        if parameter not in PARAMETERS[name]:
            raise QuestionError(f"{name} takes no {parameter}; there is {', '.join(sorted(PARAMETERS[name]))}")
