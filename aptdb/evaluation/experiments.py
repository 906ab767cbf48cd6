"""The paper's experiments (its section 5) on a lexicon: our results beside those that the paper reports."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from aptdb.errors import QuestionError
from aptdb.evaluation.datasets import Item, read_dataset
from aptdb.evaluation.evaluate import evaluate_task
from aptdb.evaluation.evaluation_log import EvaluationLog
from aptdb.evaluation.lexeme_mapping import Names
from aptdb.evaluation.paper import BNC, CONCAT, NEIGHBOURS, TABLE_5, TABLE_6, WIKIPEDIA, Listed, Reported
from aptdb.evaluation.scoring import WAYS_WITH_MISSING, by_new_names
from aptdb.evaluation.task import mapping_of, task_of
from aptdb.phrase import Phrase
from aptdb.questions import ask
from aptdb.result import Result
from aptdb.store.session import Session
from aptdb.store.statements import statement

TOP = 10  # neighbours in a list of the paper
LISTS = {
    "table": "BIGINT", "phrase": "VARCHAR", "merge": "VARCHAR", "aligned": "BOOLEAN", "measured": "VARCHAR",
    "paper": "VARCHAR", "shared": "BIGINT", "lacking": "VARCHAR",
}  # fmt: skip
CORRELATIONS = {
    "model": "VARCHAR", "part": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "paper": "VARCHAR",
    "items": "BIGINT", "missing": "BIGINT", "empty": "BIGINT", "undefined": "VARCHAR",
}  # fmt: skip
SIZES = {"tokens": "BIGINT", "paper_corpus": "VARCHAR", "paper_tokens": "BIGINT"}

Progress = Callable[[int, int], None]


class Options(TypedDict, total=False):
    """How a table of correlations is measured: see `evaluate`."""

    missing: str
    names: Names | None
    seed: int
    record: bool
    progress: Progress


def tables_2_to_4(session: Session, *, names: Names | None = None, progress: Progress = lambda *_: None) -> Result:
    """The neighbours of ambiguous nouns, alone and composed with adjectives, as in the paper's tables 2 to 4.

    Rows of table, phrase, merge, aligned, measured, paper (ten neighbours each, with commas between them), shared
    (how many are in both lists), lacking (lexemes that are not in the lexicon, so that nothing is measured), tokens,
    paper_corpus, paper_tokens. Probabilities are composed (compose-first), with cds 0.75.
    """
    task = named_phrases(session, [phrase_of(each) for each in NEIGHBOURS], names or Names())
    compositions = list(dict.fromkeys((each.merge, each.aligned) for each in NEIGHBOURS))
    found: dict[tuple[Any, ...], list[str]] = {}
    for done, composition in enumerate(compositions):
        progress(done, len(compositions))
        asked = [
            phrase_of(each)
            for each in NEIGHBOURS
            if (each.merge, each.aligned) == composition and not task[phrase_of(each)][1]
        ]
        found |= nearest_nouns(session, {phrase: task[phrase][0] for phrase in asked}, *composition)
    progress(len(compositions), len(compositions))
    rows = [row_of_list(each, found, task[phrase_of(each)][1]) for each in NEIGHBOURS]
    return beside_sizes(session, LISTS, rows, WIKIPEDIA)


def table_5(session: Session, dataset: str | Path, **options: Unpack[Options]) -> Result:
    """The paper's table 5, on Mitchell & Lapata's data set of 2010: see `correlations`."""
    return correlations(session, dataset, "ml2010", TABLE_5, BNC, **options)


def table_6(session: Session, dataset: str | Path, **options: Unpack[Options]) -> Result:
    """The paper's table 6, on Mitchell & Lapata's data set of 2008: see `correlations`."""
    return correlations(session, dataset, "ml2008", TABLE_6, CONCAT, **options)


def correlations(
    session: Session,
    dataset: str | Path,
    format: str,
    reported: Sequence[Reported],
    corpus: tuple[str, int],
    *,
    missing: str = "skip_unknown",
    names: Names | None = None,
    seed: int = 1,
    record: bool = True,
    progress: Progress = lambda *_: None,
) -> Result:
    """ρ of each model in one of the paper's tables, beside the printed value.

    Rows of model, part, rho, low, high, paper (text, as it is printed), items, missing, empty, undefined, tokens,
    paper_corpus, paper_tokens. rho is NULL for models that are not measured here: the paper cites them from elsewhere.
    missing, names, seed and record as in `evaluate`.
    """
    if not isinstance(missing, str):
        raise QuestionError(f"missing is {missing!r}; it is {', '.join(WAYS_WITH_MISSING)}")
    missing = str(by_new_names(missing))
    data, log = read_dataset(dataset, format=format), EvaluationLog(session.writing, wanted=record)
    rows: list[dict[str, Any]] = []
    for done, each in enumerate(reported):
        progress(done, len(reported))
        if each.parameters is None:
            rows += [{"model": each.model, "part": part, "paper": rho} for part, rho in each.rho.items()]
            continue
        task = task_of(session, data, names, untyped=each.untyped, seed=seed)
        answer = evaluate_task(session, task, {**each.parameters, "method": "all", "missing": missing}, log)
        rows += [{**row, "model": each.model, "paper": each.rho.get(row["part"])} for row in answer]
    progress(len(reported), len(reported))
    return beside_sizes(session, CORRELATIONS, rows, corpus)


def named_phrases(session: Session, phrases: Iterable[Phrase], names: Names) -> dict[Phrase, tuple[Phrase, list[str]]]:
    """Phrases of Universal Dependencies in this lexicon's own lexemes, and which of these it lacks."""
    items = {phrase: Item("", phrase, phrase, ()) for phrase in phrases}
    mapping = mapping_of(session, names, list(items.values()))
    named = {phrase: mapping.named(item) for phrase, item in items.items()}
    return {phrase: (item.a, mapping.lacking(item)) for phrase, item in named.items()}


def nearest_nouns(
    session: Session, phrases: Mapping[Phrase, Phrase], merge: str | None, aligned: bool | None
) -> dict[tuple[Any, ...], list[str]]:
    """The lemmas of the nearest nouns of each phrase, all asked for at once, by phrase and composition."""
    composed = {} if merge is None else {"merge": merge, "aligned": aligned, "pipeline": "compose-first"}
    how: dict[str, Any] = {"top": TOP, "cds": 0.75, **composed}
    found: dict[str, list[str]] = {}
    if phrases:
        questions = {str(phrase): named for phrase, named in phrases.items()}
        for question, lexeme, _ in ask.neighbours_each(session, questions, **how).rows:
            found.setdefault(question, []).append(lexeme.rpartition("/")[0] or lexeme)
    return {(phrase, merge, aligned): found.get(str(phrase), []) for phrase in phrases}


def beside_sizes(
    session: Session, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], corpus: tuple[str, int]
) -> Result:
    """Rows as an answer, each with the size of the lexicon and that of the paper's corpus."""
    tokens = int(session.reading().value(statement("evaluation/tokens")))
    whole = {**columns, **SIZES}
    sizes = (tokens, *corpus)
    return Result(tuple(whole), tuple(whole.values()), [(*(row.get(name) for name in columns), *sizes) for row in rows])


def phrase_of(each: Listed) -> Phrase:
    """The phrase of a list, or the noun alone."""
    dependents = (("amod", Phrase(f"{each.adjective}/ADJ", (), 2)),) if each.adjective else ()
    return Phrase(f"{each.noun}/NOUN", dependents)


def row_of_list(each: Listed, found: Mapping[tuple[Any, ...], list[str]], lacking: Sequence[str]) -> dict[str, Any]:
    """A list from the paper beside the one measured here."""
    measured = found.get((phrase_of(each), each.merge, each.aligned))
    return {
        "table": each.table,
        "phrase": " ".join(filter(None, (each.adjective, each.noun))),
        "merge": each.merge,
        "aligned": each.aligned,
        "measured": None if measured is None else ", ".join(measured),
        "paper": ", ".join(each.neighbours),
        "shared": None if measured is None else len({*measured} & {*each.neighbours}),
        "lacking": ", ".join(lacking) or None,
    }
