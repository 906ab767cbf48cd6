"""A report on a lexicon: how it counts, what it holds, and how it does, as one page."""

from pathlib import Path
from typing import Any

from aptdb.errors import QuestionError
from aptdb.evaluation import page, plots
from aptdb.evaluation.evaluating import COLUMNS
from aptdb.evaluation.experiments import Experimenting
from aptdb.evaluation.scoring import AVERAGE, WHOLE
from aptdb.evaluation.views import with_undefined
from aptdb.evaluation.writing import overwrite
from aptdb.result import Result
from aptdb.statements import statement

DRAWN = 40  # evaluations of one data set that are drawn, the newest
OWN = ("method", "merge", "weights", "parameters")  # by which evaluations of a data set are told apart

Section = tuple[str, list[str]]


class Reporting(Experimenting):
    """A lexicon that can be reported on."""

    def report(self, file: str | Path) -> None:
        """Write a page (.html) with the settings, corpora, sizes, frequencies, orders, paths and evaluations, drawn.

        Nothing beside the file is needed to read it. Raises QuestionError where it cannot be written, or matplotlib is
        not installed.
        """
        place = Path(file)
        refuse_report(place)
        sections = [
            self._settings_and_sizes(),
            self._corpora_reported(),
            self._frequencies(),
            self._orders_and_paths(),
            *self._weightings_reported(),
            self._evaluations_reported(),
        ]
        written = page.page(f"The lexicon {self.file.name}", sections)
        overwrite(place, written.encode())

    def _settings_and_sizes(self) -> Section:
        info = self._ask(statement("ask/sizes"))
        rows = [*self.settings.shown(), *((name, f"{int(value):,}") for name, value in info.rows)]
        return "Settings and sizes", [page.table(Result(info.columns, info.types, rows))]

    def _corpora_reported(self) -> Section:
        corpora = self._ask(statement("ask/corpora")).but("source", "sha256").without("kind", "trees")
        return "Corpora", [page.table(corpora.without("skipped", 0))]

    def _frequencies(self) -> Section:
        lexemes, counts = self._ask(statement("report/frequencies")), self._ask(statement("report/counts"))
        tags = self._ask(statement("report/parts_of_speech"))
        figure = plots.curves(
            [
                (lexemes, "rank", "frequency", "rank of a lexeme", "its frequency"),
                (counts, "count", "cooccurrences", "count", "co-occurrences with it or more"),
            ]
        )
        told = "The frequency of lexemes by rank, and how many co-occurrences are counted so often, on logarithmic axes"
        return "Frequencies", [page.picture(figure, told), page.table(tags)]

    def _orders_and_paths(self) -> Section:
        orders, paths = self._ask(statement("report/orders")), self._ask(statement("report/paths"))
        pieces = [
            page.table(orders),
            page.picture(
                plots.bars(paths, "path", "sum of counts"), "The sums of counts of the 20 most frequent paths"
            ),
            page.table(paths),
            page.note("Of a path and its inverse one is shown: the same is met along both, the other way round."),
        ]
        return "Orders and paths", pieces

    def _weightings_reported(self) -> list[Section]:
        weightings = self._ask("FROM weightings")
        return [("Weightings", [page.table(weightings)])] if len(weightings) else []

    def _evaluations_reported(self) -> Section:
        every = self.evaluations()
        if not len(every):
            return "Evaluations", [page.note(f"None was made yet; make one with: aptdb evaluate {self.file} DATASET")]
        pieces = []
        for name, digest in dict.fromkeys(zip(every.column("dataset"), every.column("sha256"), strict=True)):
            rows = [row for row in every if (row["dataset"], row["sha256"]) == (name, digest)]
            pieces += [page.subheading(name), *self._of_dataset(rows)]
        return "Evaluations", pieces

    def _of_dataset(self, rows: list[dict[str, Any]]) -> list[str]:
        """The evaluations of one data set: the newest of each kind drawn, and all in a table."""
        newest: dict[tuple[Any, ...], dict[str, Any]] = {}
        summary = next(part for part in (AVERAGE, WHOLE, rows[-1]["part"]) if any(row["part"] == part for row in rows))
        for row in rows:
            if row["part"] == summary:
                key = tuple(row[name] for name in OWN)
                newest.pop(key, None)  # one that was made again, of the lexicon as it is now, is the newest
                newest[key] = row
        drawn = dict([*newest.items()][-DRAWN:])
        labels = [", ".join(str(each) for each in key if each) for key in drawn]
        figure = plots.charts({summary: list(drawn.values())}, labels, "")
        pieces = [page.picture(figure, f"ρ of {summary} and its interval for each evaluation")]
        if len(drawn) < len(newest):
            pieces.append(page.note(f"The newest {DRAWN} are drawn, of {len(newest)}."))
        return [*pieces, page.table(shown_of(rows))]


def shown_of(rows: list[dict[str, Any]]) -> Result:
    """Evaluations of one data set as a table."""
    kinds = {**COLUMNS, "tokens": "BIGINT", "evaluated_at": "TIMESTAMP"}
    columns = tuple(name for name in kinds if name not in {"dataset", "undefined"})
    values = [tuple(row[name] for name in columns) for row in rows]
    return with_undefined(Result(columns, tuple(kinds[name] for name in columns), values))


def refuse_report(file: Path) -> None:
    """Raise QuestionError where no report can be written there."""
    if file.suffix.lower() not in {".html", ".htm"}:
        raise QuestionError(f"{file} is no .html; a report is a page of HTML")
    if not file.parent.is_dir():
        raise QuestionError(f"no folder {file.parent}; make it first, or name another place")
    plots.need_matplotlib()
