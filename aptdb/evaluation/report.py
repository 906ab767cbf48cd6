"""A report on a lexicon as one page: its settings, its contents, and its evaluations."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptdb.errors import QuestionError
from aptdb.evaluation import page, plots
from aptdb.evaluation.lexeme_mapping import Names
from aptdb.evaluation.scoring import AVERAGE, WHOLE
from aptdb.evaluation.task import DEFAULTS, MODEL_PARAMETERS, STORED_AS, assignments, shown_parameters
from aptdb.evaluation.views import POINTS, SHORT, UNDEFINED
from aptdb.result import Result
from aptdb.store.files import overwrite
from aptdb.store.session import Session
from aptdb.store.statements import statement

DRAWN = 40  # how many evaluations of one data set are drawn: the newest
COUNTS = {**dict.fromkeys(("items", "missing", "empty", "tokens"), "BIGINT"), "evaluated_at": "TIMESTAMP"}
EMPTY = dict.fromkeys(("rho", "low", "high", *COUNTS))

Section = tuple[str, list[str]]


def report(session: Session, file: str | Path) -> None:
    """Write a page (.html) with settings, corpora, sizes, frequencies, orders, paths and evaluations, with pictures.

    The page needs no other file. Raises QuestionError if it cannot be written, or if matplotlib is not installed.
    """
    place = Path(file)
    refuse_report(place)
    sections = [
        settings_and_sizes(session),
        corpora(session),
        frequencies(session),
        orders_and_paths(session),
        *weightings(session),
        evaluations_made(session),
    ]
    written = page.page(f"The lexicon {session.file.name}", sections)
    overwrite(place, written.encode())


def settings_and_sizes(session: Session) -> Section:
    """The settings of the lexicon, and its sizes."""
    info = session.ask(statement("store/sizes"))
    rows = [*session.settings.shown(), *((name, f"{int(value):,}") for name, value in info.rows)]
    return "Settings and sizes", [page.table(Result(info.columns, info.types, rows))]


def corpora(session: Session) -> Section:
    """The corpora that were added."""
    corpora = session.ask(statement("store/corpora")).but("source", "sha256").without("kind", "trees")
    return "Corpora", [page.table(corpora.without("skipped", 0))]


def frequencies(session: Session) -> Section:
    """How often lexemes and co-occurrences are counted."""
    lexemes, counts = (
        session.ask(statement("evaluation/report/frequencies")),
        session.ask(statement("evaluation/report/counts")),
    )
    tags = session.ask(statement("evaluation/report/parts_of_speech"))
    figure = plots.curves(
        [
            (lexemes, "rank", "frequency", "rank of a lexeme", "its frequency"),
            (counts, "count", "cooccurrences", "count", "co-occurrences with it or more"),
        ]
    )
    told = "The frequency of lexemes by rank, and how many co-occurrences are counted so often, on logarithmic axes"
    return "Frequencies", [page.picture(figure, told), page.table(tags)]


def orders_and_paths(session: Session) -> Section:
    """How much is counted along which paths."""
    orders, paths = (
        session.ask(statement("evaluation/report/orders")),
        session.ask(statement("evaluation/report/paths")),
    )
    pieces = [
        page.table(orders),
        page.picture(plots.bars(paths, "path", "sum of counts"), "The sums of counts of the 20 most frequent paths"),
        page.table(paths),
        page.note("Of a path and its inverse one is shown: the same is met along both, the other way round."),
    ]
    return "Orders and paths", pieces


def weightings(session: Session) -> list[Section]:
    """The named weightings, if there are any."""
    weightings = session.ask("FROM weightings")
    return [("Weightings", [page.table(weightings)])] if len(weightings) else []


def evaluations_made(session: Session) -> Section:
    """Past evaluations, one data set after another."""
    every = session.ask(statement("evaluation/report/evaluations"))
    if not len(every):
        return "Evaluations", [page.note(f"None yet; make one with: aptdb evaluate {session.file} DATASET")]
    pieces = []
    for name, digest in dict.fromkeys(zip(every.column("dataset"), every.column("sha256"), strict=True)):
        rows = [row for row in every if (row["dataset"], row["sha256"]) == (name, digest)]
        pieces += [page.subheading(name), *of_dataset(session, rows)]
    return "Evaluations", pieces


def of_dataset(session: Session, rows: list[dict[str, Any]]) -> list[str]:
    """The evaluations of one data set: a picture of the newest of each kind, and a table of all."""
    made = one_by_one(rows)
    parts = list(dict.fromkeys(row["part"] for row in rows))
    summary = next((part for part in (AVERAGE, WHOLE) if part in parts), parts[-1])
    common = [piece for piece in made[0].pieces if all(piece in each.pieces for each in made)]
    newest: dict[str, Made] = {}
    for each in made:
        newest.pop(each.label(common), None)  # the same evaluation, made again later
        newest[each.label(common)] = each
    drawn = dict([*newest.items()][-DRAWN:])
    figure = plots.charts({summary: [each.of_part(summary) for each in drawn.values()]}, [*drawn], "")
    pieces = [
        page.note(f"In common: {', '.join(common)}."),
        page.picture(figure, f"ρ of {summary}, with intervals"),
    ]
    if len(drawn) < len(newest):
        pieces.append(page.note(f"The newest {DRAWN} are drawn, of {len(newest)}."))
    return [*pieces, page.table(table_of(made, common, parts, summary))]


@dataclass(frozen=True)
class Made:
    """A past evaluation: what it was made with, piece by piece, and its rows by part."""

    pieces: list[str]
    rows: dict[str, dict[str, Any]]

    def label(self, common: Sequence[str]) -> str:
        """What tells it from the others, which have these pieces in common."""
        return ", ".join(piece for piece in self.pieces if piece not in common) or "as said above"

    def of_part(self, part: str) -> dict[str, Any]:
        """Its row for a part. It is empty if there is none: the data set was then read in another format."""
        return self.rows.get(part, EMPTY)


def one_by_one(rows: Sequence[dict[str, Any]]) -> list[Made]:
    """The evaluations that these rows belong to."""
    questions = [json.loads(row["question"]) for row in rows]
    varied = [name for name in MODEL_PARAMETERS if any(name in question for question in questions)]
    found: list[Made] = []
    for row, question in zip(rows, questions, strict=True):
        pieces = [POINTS[row["method"]], *filter(None, (row["merge"], row["weights"])), *pieces_of(question, varied)]
        if not found or row["part"] in found[-1].rows or pieces != found[-1].pieces:
            found.append(Made(pieces, {}))
        found[-1].rows[row["part"]] = row
    return found


def way_stored_as(stored: str) -> str:
    """The way with missing words that is stored under a name."""
    return {name: way for way, name in STORED_AS.items()}.get(stored, stored)


def pieces_of(question: Mapping[str, Any], varied: Sequence[str]) -> list[str]:
    """The parameters of a stored evaluation as text. Stored questions leave defaults out: here they are filled in."""
    values = {name: question.get(name, DEFAULTS.get(name)) for name in varied}
    chosen = {name: value for name, value in values.items() if value is not None} | {
        "missing": way_stored_as(question["missing"])
    }
    flags = {name: question[name] for name in ("untyped", "landmark_in_context")}
    return assignments(shown_parameters(chosen, flags, Names(**question["names"]), question["seed"]))


def table_of(made: Sequence[Made], common: Sequence[str], parts: Sequence[str], summary: str) -> Result:
    """A row for each evaluation: ρ for each part, the number of items, and the size of the lexicon."""
    kinds = {"evaluation": "VARCHAR", **{SHORT.get(part, part): "DOUBLE" for part in parts}, **COUNTS}
    rows = []
    for each in made:
        of_parts = [each.rows.get(part) for part in parts]
        rhos = [None if row is None else UNDEFINED if row["rho"] is None else row["rho"] for row in of_parts]
        rows.append((each.label(common), *rhos, *(each.of_part(summary)[name] for name in COUNTS)))
    return Result(tuple(kinds), tuple(kinds.values()), rows)


def refuse_report(file: Path) -> None:
    """Raise QuestionError if no report can be written there."""
    if file.suffix.lower() not in {".html", ".htm"}:
        raise QuestionError(f"{file} does not end with .html; a report is a page of HTML")
    if not file.parent.is_dir():
        raise QuestionError(f"no folder {file.parent}; make it first, or name another place")
    plots.need_matplotlib()
