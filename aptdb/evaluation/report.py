"""Write a report on a lexicon as one HTML page: its settings, its contents, and its evaluations."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aptdb.core.display import format_cell, how_many
from aptdb.core.errors import IncompleteDataWarning, QuestionError, warn
from aptdb.core.result import Result
from aptdb.evaluation import views
from aptdb.evaluation.lexeme_mapping import Names
from aptdb.evaluation.scoring import AVERAGE, WHOLE
from aptdb.evaluation.task import DEFAULTS, MODEL_PARAMETERS, STORED_AS, shown_parameters
from aptdb.evaluation.views import POINTS, SHORT, UNDEFINED, WITH_MISSING
from aptdb.pictures import charts
from aptdb.pictures.charts import COLOURS_OF_SCREENS, draw_figure, of_screen
from aptdb.questions.inventory import Known, known_or_refused
from aptdb.questions.query import neighbours
from aptdb.store import schema
from aptdb.store.file_writing import as_private_as, overwrite_file
from aptdb.store.session import Session
from aptdb.store.statements import statement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CSS = (
    COLOURS_OF_SCREENS
    + """
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 66rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; border-bottom: 1px solid var(--faint); }
h3 { font-size: 1rem; }
table { border-collapse: collapse; margin: 0.8rem 0; font-size: 0.9rem; display: block; overflow-x: auto; }
th, td { padding: 0.2rem 0.9rem 0.2rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid var(--faint); font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
p.note { opacity: 0.75; font-size: 0.9rem; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; }
.beside > * { max-width: 100%; } .beside > :last-child { flex: 1 1 24rem; }
figure { margin: 0.8rem 0; } svg { max-width: 100%; height: auto; }
"""
)
NUMERIC = ("DOUBLE", "BIGINT", "INTEGER", "HUGEINT")


def page(title: str, sections: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a page with sections; each has a heading and pieces of HTML."""
    body = "\n".join(
        "\n".join(["<section>", f"<h2>{escape(head)}</h2>", *pieces, "</section>"]) for head, pieces in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n"
        "</body>\n</html>\n"
    )


def table(answer: Result) -> str:
    """Return an answer as a table: numbers are right-aligned, ρ has four digits, and the empty path is ε."""
    classes = [' class="number"' if kind.startswith(NUMERIC) else "" for kind in answer.types]
    head = "".join(f"<th{each}>{escape(name)}</th>" for name, each in zip(answer.columns, classes, strict=True))
    rows = []
    for row in answer.rows:
        cells = zip(answer.columns, row, classes, strict=True)
        rows.append("".join(f"<td{each}>{format_report_value(name, value)}</td>" for name, value, each in cells))
    body = "\n".join(f"<tr>{cells}</tr>" for cells in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def format_report_value(column: str, value: Any) -> str:
    """Return a value as text in a table."""
    return f"{value:,}" if isinstance(value, int) else escape(format_cell(column, value))


def render_note(text: str) -> str:
    """Return a note."""
    return f'<p class="note">{escape(text)}</p>'


def put_side_by_side(*pieces: str) -> str:
    """Return pieces side by side where there is room, else one below the other."""
    return f'<div class="beside">{"".join(f"<div>{each}</div>" for each in pieces)}</div>'


def render_inline_picture(figure: "Figure", description: str) -> str:
    """Return an inline picture in the page's colours, with a description for those who cannot see it."""
    svg = of_screen(draw_figure(figure, "svg").decode())
    return f'<figure role="img" aria-label="{escape(description)}">{svg[svg.index("<svg") :]}</figure>'


# The least count of a collocate: 1, plus 1 for each of these tokens, up to a maximum.
FEWER, MOST_FEWEST = 200_000, 5
ASSIGNED = re.compile(r"(\w+) := ('[^']*'|[^,]+)")
QUOTE = "'"
DRAWN = 40  # how many evaluations of one data set are drawn: the newest
COUNTS = {**dict.fromkeys(("items", "missing", "empty", "tokens"), "BIGINT"), "evaluated_at": "TIMESTAMP"}
EMPTY = dict.fromkeys(("rho", "low", "high", *COUNTS))

Section = tuple[str, list[str]]


def report(session: Session, file: str | Path, words: Sequence[str] | None = None) -> None:
    """Write a page (.html) with settings, corpora, sizes, frequencies, paths, example words and evaluations.

    words: lexemes whose neighbours and collocates are shown, by default a frequent one of each of three parts of
    speech. The page needs no other file, and is as private as the lexicon. Without matplotlib it has no pictures, of
    which there is a warning. Raises QuestionError if it cannot be written, or for an unknown lexeme.
    """
    place = Path(file)
    refuse_report(place)
    if isinstance(words, str):
        raise QuestionError(f"words is {words!r}; expected a list of lexemes")
    if words is None:
        words = [lexeme for (lexeme,) in session.reading().rows(statement("evaluation/report/examples"))]
    shown = [known_or_refused(session, word) for word in words]
    sections = [
        settings_and_sizes(session),
        report_corpora(session),
        frequencies(session),
        orders_and_paths(session),
        *example_words(session, shown),
        *report_weightings(session),
        evaluations_made(session),
    ]
    written = page(f"The lexicon {session.file.name}", sections)
    with as_private_as(session.file):
        overwrite_file(place, written.encode())
    if not charts.can_draw():
        warn(
            f"{place} has no pictures: they need matplotlib; install it with: pip install 'aptdb[plot]'",
            IncompleteDataWarning,
        )


def picture_or_note(draw: "Callable[[], Figure]", description: str) -> str:
    """Return a picture, or without matplotlib a note."""
    return (
        render_inline_picture(draw(), description)
        if charts.can_draw()
        else render_note(f"No picture of this without matplotlib: {description}.")
    )


def settings_and_sizes(session: Session) -> Section:
    """Return the contents of the lexicon, in sentences; its settings, and its sizes."""
    info = session.ask(statement("store/sizes"))
    sizes = {name: f"{int(value):,}" for name, value in info.rows}
    description = (
        f"The lexicon holds {sizes['tokens']} tokens of {sizes['lexemes']} lexemes, in {sizes['sentences']} sentences. "
        f"Words were seen together {sizes['sum of counts']} times, along {sizes['paths']} paths of at most "
        f"{how_many(session.settings.order, 'step')}: {sizes['co-occurrences']} different co-occurrences."
    )
    setting = Result(("setting", "value"), ("VARCHAR", "VARCHAR"), session.settings.shown())
    size = Result(("size", "number"), ("VARCHAR", "BIGINT"), [(name, int(value)) for name, value in info.rows])
    return "Settings and sizes", [f"<p>{escape(description)}</p>", put_side_by_side(table(size), table(setting))]


def report_corpora(session: Session) -> Section:
    """Return the corpora of the lexicon."""
    corpora = session.ask(statement("store/corpora")).but("source", "sha256").without("kind", "trees")
    return "Corpora", [table(corpora.without("skipped", 0))]


def frequencies(session: Session) -> Section:
    """Return the frequency distributions of lexemes and co-occurrences."""
    lexemes, counts = (
        session.ask(statement("evaluation/report/frequencies")),
        session.ask(statement("evaluation/report/counts")),
    )
    tags = session.ask(statement("evaluation/report/parts_of_speech"))
    pictures = put_side_by_side(
        picture_or_note(
            lambda: charts.curve(lexemes, "rank", "frequency", "rank of a lexeme", "its frequency"),
            "The frequency of lexemes by rank, on logarithmic axes",
        ),
        picture_or_note(
            lambda: charts.curve(counts, "count", "cooccurrences", "count", "co-occurrences with it or more"),
            "How many co-occurrences are counted so often or more, on logarithmic axes",
        ),
    )
    return "Frequencies", [pictures, table(tags)]


def orders_and_paths(session: Session) -> Section:
    """Return the counts by order and by path."""
    orders, paths = (
        session.ask(statement("evaluation/report/orders")),
        session.ask(statement("evaluation/report/paths")),
    )
    along = Result(paths.columns, paths.types, [row for row in paths.rows if row[0]])  # ε, which all have, dwarfs them
    description = "The sums of counts of the most frequent paths, ε aside"
    pieces = [
        table(orders),
        picture_or_note(lambda: charts.bars(along, "path", "sum of counts"), description),
        table(paths),
        render_note(
            "Only one of a path and its inverse is shown, because their counts are the same. Along ε each "
            "word meets itself; ε is not in the picture."
        ),
    ]
    return "Orders and paths", pieces


def example_words(session: Session, words: Sequence[Known]) -> list[Section]:
    """Return words with their neighbours and collocates; [] without words."""
    tokens = int(session.reading().value(statement("store/number_of_tokens")))
    least = min(MOST_FEWEST, 1 + tokens // FEWER)
    often = "once or more" if least == 1 else f"{least} times or more"
    pieces = [
        "<p>The neighbours of a word are those with the most similar contexts, by the cosine of their ppmi weights. "
        "Its collocates are, relation by relation, the most typical by logDice of those that it meets "
        f"{often}, without function words.</p>"
    ]
    for word in words:
        near = neighbours(session, word.lexeme)
        sketch = session.ask(statement("evaluation/report/sketch"), {"lexeme": word.lexeme, "min_count": least})
        pieces += [
            f"<h3>{escape(word.lexeme)}, {how_many(word.frequency, 'token')}</h3>",
            put_side_by_side(
                table(near) if near.rows else render_note("No neighbours."),
                table(sketch) if sketch.rows else render_note("No collocates that are frequent enough."),
            ),
        ]
    return [("Example words", pieces)] if words else []


def report_weightings(session: Session) -> list[Section]:
    """Return the named weightings, if there are any."""
    found = session.ask("FROM weightings")
    place = found.columns.index("parameters")
    rows = [(*row[:place], say_without_sql(row[place]), *row[place + 1 :]) for row in found.rows]
    return [("Weightings", [table(Result(found.columns, found.types, rows))])] if rows else []


def say_without_sql(assigned: str) -> str:
    """Return parameters as text without the signs of SQL: `shift := 3` becomes shift 3."""
    return ASSIGNED.sub(lambda found: f"{found[1].replace('_', ' ')} {found[2].strip(QUOTE)}", assigned or "")


def evaluations_made(session: Session) -> Section:
    """Return past evaluations, data set by data set."""
    every = session.ask(statement("evaluation/report/evaluations"))
    if not len(every):
        return "Evaluations", [render_note(f"None yet; make one with: aptdb eval ratings {session.file} DATASET")]
    pieces = []
    for name, digest in dict.fromkeys(zip(every.column("dataset"), every.column("sha256"), strict=True)):
        rows = [row for row in every if (row["dataset"], row["sha256"]) == (name, digest)]
        pieces += [f"<h3>{escape(name)}</h3>", *of_dataset(session, rows)]
    return "Evaluations", pieces


def of_dataset(session: Session, rows: list[dict[str, Any]]) -> list[str]:
    """Return the evaluations of one data set: a picture of the newest of each kind, and a table of all."""
    try:
        made = one_by_one(rows)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        database = session.reading()
        raise schema.changed_by_others(database, f"an evaluation on {rows[0]['dataset']} cannot be read") from None
    parts = list(dict.fromkeys(row["part"] for row in rows))
    summary = next((part for part in (AVERAGE, WHOLE) if part in parts), parts[-1])
    common = [piece for piece in made[0].pieces if all(piece in each.pieces for each in made)]
    newest: dict[str, Made] = {}
    for each in made:
        newest.pop(each.label(common), None)  # the same evaluation, made again later
        newest[each.label(common)] = each
    drawn = dict([*newest.items()][-DRAWN:])
    points = [each.of_part(summary) for each in drawn.values()]
    pieces = [
        f"<p>In all of these, {escape('; '.join(common))}.</p>",
        picture_or_note(lambda: views.chart_on_page(points, [*drawn]), f"ρ of {summary}, with intervals"),
    ]
    if len(drawn) < len(newest):
        pieces.append(render_note(f"The newest {DRAWN} are drawn, of {len(newest)}."))
    return [*pieces, table(table_of(made, common, parts, summary))]


@dataclass(frozen=True)
class Made:
    """A past evaluation: its parameters, piece by piece, and its rows by part."""

    pieces: list[str]
    rows: dict[str, dict[str, Any]]

    def label(self, common: Sequence[str]) -> str:
        """Return the parameters that differ from those that all evaluations have in common."""
        return ", ".join(piece for piece in self.pieces if piece not in common) or "as above"

    def of_part(self, part: str) -> dict[str, Any]:
        """Return its row for a part; {} if the data set was read in another format then."""
        return self.rows.get(part, EMPTY)


def one_by_one(rows: Sequence[dict[str, Any]]) -> list[Made]:
    """Return the evaluations of these rows."""
    questions = [json.loads(row["question"]) for row in rows]
    varied = [name for name in MODEL_PARAMETERS if any(name in question for question in questions)]
    found: list[Made] = []
    for row, question in zip(rows, questions, strict=True):
        made_with = [f"merged by {row['merge']}" if row["merge"] else "", f"weighed by {row['weights']}"]
        pieces = [POINTS[row["method"]], *filter(None, made_with), *render_parameters(question, varied)]
        if not found or row["part"] in found[-1].rows or pieces != found[-1].pieces:
            found.append(Made(pieces, {}))
        found[-1].rows[row["part"]] = row
    return found


def render_parameters(question: Mapping[str, Any], varied: Sequence[str]) -> list[str]:
    """Return the parameters of a stored evaluation as text.

    Stored questions omit defaults: here they are filled in.
    """
    values = {name: question.get(name, DEFAULTS.get(name)) for name in varied}
    chosen = {name: value for name, value in values.items() if value is not None}
    ways = {stored: way for way, stored in STORED_AS.items()}
    chosen["missing"] = ways.get(question["missing"], question["missing"])
    flags = {name: question[name] for name in ("untyped", "landmark_in_context")}
    shown = shown_parameters(chosen, flags, Names(**question["names"]), question["seed"])
    return [render_parameter(name, value) for name, value in shown.items()]


def render_parameter(name: str, value: Any) -> str:
    """Return a parameter and its value as readable text."""
    if name == "missing":
        return WITH_MISSING.get(value, f"missing words: {value}")
    label = name.replace("_", " ")
    if isinstance(value, bool):
        return label if value else f"not {label}"
    if isinstance(value, Mapping):
        return f"{label} {', '.join(f'{key} as {each}' for key, each in value.items())}"
    return f"{label} {value:g}" if isinstance(value, float) else f"{label} {value}"


def table_of(made: Sequence[Made], common: Sequence[str], parts: Sequence[str], summary: str) -> Result:
    """Return a row for each evaluation: ρ for each part, the number of items, and the size of the lexicon."""
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
