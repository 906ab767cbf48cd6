"""Commands that describe words by their collocates: lexemes, sketch, articles."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.answer_headers import write_header
from aptdb.commands.app import command
from aptdb.commands.notes import as_options, print_note, report_waiting
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    open_lexicon,
    options_of,
    refuse_parameters_of_others,
    split_relations,
    with_parameters,
)
from aptdb.commands.output import (
    EMPTY_PATH,
    GAP,
    WIDEST,
    AnswerFormat,
    Line,
    can_write,
    choose_format,
    format_output_cell,
    open_page,
    print_lines,
    put_blocks_side_by_side,
    show,
    width_of_page,
)
from aptdb.commands.pictures import PlotOption, TitleOption, draw_plot, is_plotted
from aptdb.core.count_parameters import Collocating, Lexemes, Sketching, SketchingPair
from aptdb.core.display import how_many
from aptdb.core.parameters import declared, help_of
from aptdb.core.question_parameters import Article
from aptdb.core.result import Result
from aptdb.core.schemes import OfSubcorpus, note_weights

if TYPE_CHECKING:
    from rich.text import Text

    from aptdb.lexicon import Lexicon
    from aptdb.pictures.drawing import Drawing

ArticleFormat = StrEnum("ArticleFormat", ["markdown", "json"])
LEAST = 36  # the least width of a column: 2 go on 80 characters, 3 on 120
MOST = 3  # columns
NARROW = 66  # a terminal on which three columns go one below the other

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Numbers:
    """The format of the numbers of rows: the name, form and width of each column."""

    columns: tuple[tuple[str, str, int], ...]

    def of(self, row: Row) -> str:
        """Return the numbers of a row."""
        return " ".join(format_score(form, row[name]).rjust(width) for name, form, width in self.columns)

    def names(self) -> str:
        """Return the names above the numbers."""
        return " ".join(name.rjust(width) for name, _, width in self.columns)


def numbers_in(answer: Result, counts: Sequence[str], scores: Sequence[str], *, named: bool = False) -> Numbers:
    """Return the numbers of an answer. named: whether their names are shown above them."""
    values = [abs(value) for name in scores for value in answer.column(name) if value is not None]
    digits = 4 if max(values, default=1) < 1 else 2
    forms = [*((name, "{:,}") for name in counts), *((name, f"{{:.{digits}f}}") for name in scores)]
    return Numbers(
        tuple(
            (name, form, max([len(name) * named, *(len(format_score(form, each)) for each in answer.column(name))]))
            for name, form in forms
        )
    )


def format_score(form: str, value: Any) -> str:
    """Return a number as text; NULL is ''."""
    return "" if value is None else form.format(value)


def count_page_columns(width: int) -> int:
    """Return the number of columns of a page of this width."""
    return max(1, min(MOST, (width + GAP) // (LEAST + GAP)))


def sketch_page(answer: Result, width: int) -> list["Text"]:
    """Return a sketch: a block for each relation, with its contexts, counts and scores."""
    number = count_page_columns(width)
    each = min(WIDEST, (width - GAP * (number - 1)) // number)
    numbers = numbers_in(answer, ["count"], ["score"], named=True)
    blocks = [
        [*write_relation_heading(rows[0], each), *format_context_lines(rows, numbers)] for rows in by_relation(answer)
    ]
    lines = put_blocks_side_by_side([[Line("", numbers.names(), "dim")]] * min(number, len(blocks)), each)
    for first in range(0, len(blocks), number):
        lines += put_blocks_side_by_side(blocks[first : first + number], each) + put_blocks_side_by_side(
            [[Line("")]], 0
        )
    return lines


def example_page(answer: Result, width: int) -> list["Text"]:
    """Return a sketch with the best sentence of each context below it."""
    width = min(width, 2 * WIDEST)
    numbers = numbers_in(answer, ["count"], ["score"], named=True)
    lines = put_blocks_side_by_side([[Line("", numbers.names(), "dim")]], width)
    for rows in by_relation(answer):
        block = write_relation_heading(rows[0], width)
        for row, line in zip(rows, format_context_lines(rows, numbers), strict=True):
            sentence = wrap(format_output_cell("example", row["example"]), width - 4) or ["(no sentence)"]
            block += [line, *(Line(f"    {each}", style="dim") for each in sentence)]
        lines += put_blocks_side_by_side([[*block, Line("")]], width)
    return lines


def diff_page(answer: Result, width: int, sides: tuple[str, str]) -> list["Text"]:
    """Return two sketches: for each relation the collocates of one only, of both, and of the other only."""
    third = min(WIDEST, (width - 2 * GAP) // 3)
    each = min(width, WIDEST) if width < NARROW else third
    whole = min(width, 3 * each + 2 * GAP)
    scores = ["score_a", "score_b"] if each >= LEAST else []
    kinds = (
        ("a", f"only {sides[0]}", numbers_in(answer, ["count_a"], scores[:1])),
        ("both", "both", numbers_in(answer, ["count_a", "count_b"], scores)),
        ("b", f"only {sides[1]}", numbers_in(answer, ["count_b"], scores[1:])),
    )
    lines = []
    for rows in by_relation(answer):
        blocks = [
            [
                Line(name, style="underline"),
                *format_context_lines([row for row in rows if row["meets"] == kind], numbers),
            ]
            for kind, name, numbers in kinds
        ]
        lines += put_blocks_side_by_side([write_relation_heading(rows[0], whole)], whole)
        for part in [blocks] if width >= NARROW else [[block] for block in blocks if block[1:]]:
            lines += put_blocks_side_by_side(part, each)
        lines += put_blocks_side_by_side([[Line("")]], 0)
    return lines


def by_relation(answer: Result) -> list[list[dict[str, Any]]]:
    """Return the rows of a sketch, relation by relation."""
    return [list(rows) for _, rows in groupby(answer, key=lambda row: row["path"])]


def write_relation_heading(row: Row, width: int) -> list[Line]:
    """Return the relation in words, followed by its path unless both are the same."""
    words, path = format_output_cell("relation", row["relation"]), format_output_cell("path", row["path"])
    if words == path:
        return [Line(path, style="bold")]
    *first, last = wrap(words, width)
    lines = [Line(each, style="bold") for each in first]
    if len(last) + 2 + len(path) > width:
        return [*lines, Line(last, style="bold"), Line("", path, "bold")]
    return [*lines, Line(last, path, "bold")]


def format_context_lines(rows: Sequence[Row], numbers: Numbers) -> list[Line]:
    """Return a line for each row: its context and its numbers."""
    return [Line(f"  {format_output_cell('context', row['context'])}", numbers.of(row)) for row in rows]


MOST_FREQUENT = 50  # lexemes that a terminal shows by default
DEEP = 4  # blocks of a sketch one below the other on a terminal by default: a page
PAIRED = 6  # relations of two sketches
WITH_EXAMPLES = (4, 5)  # relations, and contexts of each, where each has an example


def sketch_options() -> dict[str, Any]:
    """Return the options of a sketch, and of two; --order is another name of --max-order."""
    order = typer.Option(
        "--order", "--max-order", metavar="N", help=help_of(Sketching, "max_order"), rich_help_panel="Answer"
    )
    top = typer.Option(
        metavar="N",
        help="Show N collocates of each relation; with --against, N of A alone, of B alone and of both. [default: "
        "10; with --against or --plot 5]",
        rich_help_panel="Answer",
    )
    both = {**options_of(Sketching), **options_of(SketchingPair)}
    return {**both, "max_order": Annotated[int | None, order], "top": Annotated[int | None, top]}


@command("lexemes", "Ask")
@with_parameters({**options_of(Lexemes), **options_of(OfSubcorpus)})
def print_lexemes(
    lexicon: LexiconFile,
    pattern: Annotated[
        str | None,
        typer.Argument(metavar="PATTERN", help="A lexeme, a lemma, or form:dogs; * is any letters, ? any one."),
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """List lexemes by a pattern, with their frequencies.

    The pattern must match the whole lexeme, e.g. 'dog*/NOUN', or its lemma; with --regex it is a regular expression. A
    terminal shows the first 50, unless --top is given.

    \b
    Examples:
      aptdb lexemes english.duckdb 'do*' --pos NOUN --sort frequency --top 50
      aptdb lexemes english.duckdb 'd.g|cat' --regex
    """
    first = choose_format(format) is AnswerFormat.table and "top" not in parameters
    if first:
        parameters["top"] = MOST_FREQUENT + 1
    with open_lexicon(lexicon) as opened, report_waiting("looking for lexemes"):
        answer = opened.lexemes(pattern, **parameters)
    more = first and len(answer) > MOST_FREQUENT
    show(Result(answer.columns, answer.types, answer.rows[:MOST_FREQUENT]) if more else answer, format)
    if more:
        print_note(f"the first {MOST_FREQUENT}; --top N shows more")


@command("sketch", "Ask")
@with_parameters(sketch_options())
def print_sketch(
    lexicon: LexiconFile,
    lexeme: Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. dog/NOUN.")],
    against: Annotated[
        str | None, typer.Option(metavar="LEXEME", help="Show how its collocates (A) differ from another's (B).")
    ] = None,
    plot: PlotOption = None,
    title: TitleOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show a word's collocates by grammatical relation.

    This is a word sketch. The strongest relations come first, each with its best collocates, how often they occur with
    the word, and how typical of it they are. A terminal shows a page side by side; other formats have all, as rows.

    With --against, compares the sketches of two words; with --subcorpus-b, those of one word in two subcorpora. Each
    relation then lists the collocates that only A has, those of both (from more typical of A to more typical of B),
    and those that only B has.

    \b
    Examples:
      aptdb sketch english.duckdb dog/NOUN
      aptdb sketch english.duckdb dog/NOUN --relations amod --examples
      aptdb sketch english.duckdb dog/NOUN --order 2 --score ppmi --all
      aptdb sketch english.duckdb dog/NOUN --span 4
      aptdb sketch english.duckdb dog/NOUN --plot sketch.svg
      aptdb sketch english.duckdb dog/NOUN --against cat/NOUN --min-count 1 --top 3
    """
    split_relations(parameters)
    if against is not None or "subcorpus_b" in parameters:
        refuse_parameters_of_others(parameters, declared(SketchingPair), "it has no effect with two sketches")
    if is_plotted(plot, title):
        is_pair = against is not None or "subcorpus_b" in parameters

        def make(opened: "Lexicon") -> "Drawing":
            of, other = opened.as_lexeme(lexeme), against and opened.as_lexeme(against)
            return opened.plot.sketch_diff(of, other, **parameters) if is_pair else opened.plot.sketch(of, **parameters)

        refused = {"examples": parameters.get("examples"), "format": format}
        draw_plot(lexicon, plot, "collocate" if is_pair else "bar", make, title, **refused)
    elif against is not None or "subcorpus_b" in parameters:
        show_sketch_diff(lexicon, lexeme, against, format, parameters)
    else:
        show_sketch(lexicon, lexeme, format, parameters)


def show_sketch(lexicon: Path, lexeme: str, format: AnswerFormat | None, parameters: dict[str, Any]) -> None:
    """Print the sketch of a lexeme."""
    in_table, examples = choose_format(format) is AnswerFormat.table, bool(parameters.get("examples"))
    width = width_of_page() if in_table else 0
    first = in_table and "top_relations" not in parameters
    most = WITH_EXAMPLES[0] if examples else DEEP * count_page_columns(width)
    if first and examples:
        parameters["top_relations"] = most
        parameters.setdefault("top", WITH_EXAMPLES[1])
    with open_lexicon(lexicon) as opened, report_waiting("gathering the sketch"):
        lexeme = opened.as_lexeme(lexeme)
        answer = opened.sketch(lexeme, **parameters)
        notes = [] if "span" in parameters else note_hidden_rows(opened, [lexeme], parameters)
    if not in_table:
        show(answer, format)
    elif len(answer):
        page, more = keep_strongest_relations(answer, most) if first else (answer, None)
        print_lines((example_page if examples else sketch_page)(page, width), width)
        notes = [*([more] if more else []), *notes]
    if not len(answer):
        notes = [f"no collocate of {lexeme} is left{as_options(note_weights(parameters))}", *notes]
    for note in notes:
        print_note(note)


def show_sketch_diff(
    lexicon: Path, a: str, b: str | None, format: AnswerFormat | None, parameters: dict[str, Any]
) -> None:
    """Print how two sketches differ; without b, those of a in two subcorpora."""
    in_table = choose_format(format) is AnswerFormat.table
    with open_lexicon(lexicon) as opened, report_waiting("comparing"):
        a, b = opened.as_lexeme(a), opened.as_lexeme(b)
        answer = opened.sketch_diff(a, b, **parameters)
        notes = note_hidden_rows(opened, [each for each in (a, b) if each], parameters)
    if not in_table:
        show(answer, format)
    elif len(answer):
        width = width_of_page()
        page, more = keep_strongest_relations(answer, PAIRED) if "top_relations" not in parameters else (answer, None)
        print_lines(diff_page(page, width, name_sides(a, b, parameters)), width)
        notes = [*([more] if more else []), *notes]
    if not len(answer):
        notes = [f"no collocate of either is left{as_options(note_weights(parameters))}", *notes]
    for note in notes:
        print_note(note)


@command("articles", "Ask")
@with_parameters(Article)
def print_articles(
    lexicon: LexiconFile,
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Lexemes, e.g. dog/NOUN, or typed words.")],
    format: Annotated[
        ArticleFormat, typer.Option("--format", help="As Markdown, or as JSON: a list with an object for each word.")
    ] = ArticleFormat.markdown,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the material for a dictionary entry of each word.

    For each word: its frequency, its forms, the best collocates of its strongest relations with an example, its
    frames, its senses if they are stored or there is a reduced space (aptdb reduce), and good examples, no two alike.

    \b
    Examples:
      aptdb articles english.duckdb dog/NOUN small/ADJ
      aptdb articles english.duckdb dog/NOUN --format json --examples 10 > dog.json
    """
    from aptdb.questions.articles import write_articles

    with open_lexicon(lexicon) as opened, report_waiting("gathering"):
        found = opened.articles(words, **parameters)
    with open_page() as out:
        shown = json.dumps(found, ensure_ascii=False, indent=2) + "\n" if format == "json" else write_articles(found)
        begin, end = write_header(format)
        out.write(f"{begin}{shown}{end}")
    if not any(each["senses"] for each in found):
        print_note("no senses: they need a reduced space (aptdb reduce); of several, name one by --space")


def keep_strongest_relations(answer: Result, most: int) -> tuple[Result, str | None]:
    """Return the rows of the first relations, and a note if there are more."""
    paths = [*dict.fromkeys(answer.column("path"))]
    if len(paths) <= most:
        return answer, None
    kept = {*paths[:most]}
    rows = [row for row, path in zip(answer.rows, answer.column("path"), strict=True) if path in kept]
    shown = f"the {most} strongest of {len(paths)} relations"
    note = f"{shown}; --top-relations N shows more, --relations shows the ones you name"
    return Result(answer.columns, answer.types, rows), note


def note_hidden_rows(opened: "Lexicon", lexemes: list[str], parameters: Mapping[str, Any]) -> list[str]:
    """Return notes on what a sketch leaves out, and on which counts it shows."""
    taken = {name: parameters[name] for name in declared(Collocating) if name in parameters and name != "score"}
    taken.pop("top_relations", None)
    ((for_grammar, rare, least, counts, without_direct),) = opened.left_out_of_sketch(*lexemes, **taken).rows
    empty_path = EMPTY_PATH if can_write(EMPTY_PATH) else "the empty path"
    small = f"{how_many(for_grammar, 'function word')} (DET, PUNCT, ...)"
    hidden_items = [] if parameters.get("everything") or "relations" in parameters else [empty_path]
    hidden_items += [small] if for_grammar else []
    notes = (
        [f"left out: {' and '.join(hidden_items)}; --all shows {'it' if hidden_items == [empty_path] else 'them'}"]
        if hidden_items
        else []
    )
    if rare and parameters.get("min_count") is None:
        notes.append(f"left out: {how_many(rare, 'collocate')} with counts under {least}; --min-count 1 shows them")
    if parameters.get("counts") is None and opened.sql("FROM corpora WHERE kind = 'trees' AND NOT has_direct").rows:
        return [*notes, f"packed counts; direct ones are counted by: aptdb migrate {opened.file}"]
    return [*notes, which_counts(counts, without_direct if parameters.get("counts") is None else None)]


def which_counts(counts: str, without_direct: str | None) -> str:
    """Return a note on which counts are shown. without_direct: the corpora for which packed ones had to be taken."""
    if counts == "direct":
        return "direct counts, of pairs in the trees themselves; --counts packed shows those of packed trees"
    reason = f": {without_direct} has no direct ones" if without_direct else ", of trees whose nodes are merged"
    return f"packed counts{reason}"


def name_sides(a: str, b: str | None, parameters: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of the two sides of a comparison: their lemmas or, for one lexeme, the subcorpora."""
    subcorpus, subcorpus_b = parameters.get("subcorpus"), parameters.get("subcorpus_b")
    if b is None or a == b:
        return f"in {subcorpus}" if subcorpus else "in all", f"in {subcorpus_b}"
    lemmas = a.rpartition("/")[0] or a, b.rpartition("/")[0] or b
    return lemmas if lemmas[0] != lemmas[1] else (a, b)
