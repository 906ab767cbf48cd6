"""Commands that draw: draw, and plot with one command for each kind of plot."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.answer_headers import is_provenance_wanted, list_provenance
from aptdb.commands.app import app, command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import (
    Against,
    AnyContext,
    AnyLexeme,
    AnyPath,
    LexiconFile,
    ParserOption,
    Question,
    make_output_option,
    names_sentences,
    open_lexicon,
    options_of,
    or_any,
    read_question,
    split_relations,
    with_parameters,
)
from aptdb.commands.output import open_page
from aptdb.commands.sketches import sketch_options
from aptdb.core.count_parameters import Drawn, Keyness, Sketching, SketchingPair
from aptdb.core.display import how_many, terminal_width
from aptdb.core.question_parameters import ComparingEach, Counted, Neighbours, Trend
from aptdb.core.schemes import note_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from aptdb.lexicon import Lexicon
    from aptdb.pictures.drawing import Drawing

Picture = Annotated[Path | None, make_output_option("a picture, .svg, .html, .png or .pdf, in place of text")]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title, in place of the usual one.")]
OneLexeme = Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. dog/NOUN.")]


@command("draw", "Pictures", pages=True)
@with_parameters(Drawn)
def run_draw(
    lexicon: LexiconFile,
    x: Question,
    file: Picture = None,
    steps: Annotated[bool, typer.Option("--steps", help="Of a phrase: show how its words come together.")] = False,
    senses: Annotated[bool, typer.Option("--senses", help="Of a lexeme: draw its stored senses side by side.")] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="Draw the phrase's own tree, or those of all sentences of @FILE.")
    ] = False,
    parser: ParserOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Draw the APT of a word or phrase, as the paper does.

    A box is a node of the packed tree, with its heaviest contexts on bars as long as their weights. What is above the
    anchor is reached by ups (<obj), what is below by downs (>amod). Of a phrase, its own tree is grey, and the bars
    have the colours of the words that bring them. Without --output it is drawn as text. Without --weights these are
    lmi, high for what is both typical and frequent.

    \b
    Examples:
      aptdb draw english.duckdb dog/NOUN
      aptdb draw english.duckdb dog/NOUN --order 1 --top 8 -o dog.svg
      aptdb draw english.duckdb 'dog/NOUN[amod small/ADJ]' --steps -o dog.html
      aptdb draw english.duckdb 'dog/NOUN[amod small/ADJ]' --tree -o tree.svg
    """
    from aptdb.pictures.drawing import ANCHOR
    from aptdb.questions.query import none_of

    if tree and (steps or senses or parameters):
        raise typer.BadParameter("it draws no APT; leave out the other options", param_hint="--tree")
    check_picture(file)
    split_relations(parameters)
    with open_lexicon(lexicon) as opened, report_waiting("drawing"):
        if tree:
            drawing = phrases_to_draw(opened, x, parser)
        else:
            drawing = opened.plot.apt(read_question(opened, x, parser), steps=steps, senses=senses, **parameters)
    if not tree and str(drawing) == ANCHOR:  # there are no contexts
        print_note(f"{none_of([x], parameters)}{note_weights(parameters)}")
    put_out_drawing(drawing, lexicon, file, "node")
    if drawing.note:
        print_note(drawing.note)


def check_picture(file: Path | None) -> None:
    """Raise an error for a file that is no picture, or one that cannot say how it was made where that is asked for."""
    from aptdb.pictures.drawing import ENDINGS_OF_SVG, find_picture_ending

    ending = None if file is None else find_picture_ending(file)
    if is_provenance_wanted() and ending not in ENDINGS_OF_SVG:
        raise typer.BadParameter("name an --output that ends with .svg or .html", param_hint="--provenance")


def put_out_drawing(drawing: "Drawing", lexicon: Path, file: Path | None, what: str) -> None:
    """Write a drawing to a file, as private as the lexicon, or show it as text. what: the name of its items."""
    from aptdb.store.file_writing import as_private_as

    if file is None:
        with open_page() as out:
            out.write(f"{drawing.as_text(terminal_width())}\n")
    else:
        written = drawing.with_metadata(list_provenance()) if is_provenance_wanted() else drawing
        with as_private_as(lexicon):
            written.save(file)
        print_note(f"{file} shows {drawing.title}, {how_many(drawing.nodes, what)}")


def phrases_to_draw(opened: "Lexicon", x: str, parser: str | None) -> "Drawing":
    """Return the tree of a phrase, or those of the sentences of @FILE."""
    if names_sentences(x):
        return opened.plot.trees(opened.phrases(x[1:]))
    return opened.plot.trees([read_question(opened, x, parser)])


plot = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Plot neighbours, groups, sketches, counts, key words, trends, growth, or a map.\n\n"
    "Without --output a plot is drawn as text.",
)
app.add_typer(plot, name="plot", rich_help_panel="Pictures")


@command("neighbours", group=plot, pages=True)
@with_parameters(Neighbours)
def run_plot_neighbours(
    lexicon: LexiconFile,
    x: Question,
    file: Picture = None,
    title: Title = None,
    parser: ParserOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Plot the neighbours of a word or phrase as bars.

    \b
    Example:
      aptdb plot neighbours english.duckdb 'dog/NOUN[amod small/ADJ]' --top 20 -o neighbours.svg
    """
    plot_lexicon(
        lexicon,
        file,
        title,
        "bar",
        lambda opened: opened.plot.neighbours(read_question(opened, x, parser), **parameters),
    )


@command("sketch", group=plot, pages=True)
@with_parameters(sketch_options(Sketching))
def run_plot_sketch(
    lexicon: LexiconFile, lexeme: OneLexeme, file: Picture = None, title: Title = None, *, parameters: dict[str, Any]
) -> None:
    """Plot the word sketch of a word as bars.

    \b
    Example:
      aptdb plot sketch english.duckdb dog/NOUN --score ppmi -o sketch.svg
    """
    split_relations(parameters)
    plot_lexicon(lexicon, file, title, "bar", lambda opened: opened.plot.sketch(lexeme, **parameters))


@command("trend", group=plot, pages=True)
@with_parameters(Trend)
def run_plot_trend(
    lexicon: LexiconFile,
    lexeme: AnyLexeme,
    path: AnyPath = None,
    context: AnyContext = None,
    against: Against = None,
    file: Picture = None,
    title: Title = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Plot the frequency of something over time.

    With --against, its share among both is plotted, with the 95 % interval. Where subcorpora of the periods are kept
    (`aptdb subcorpus --by year`), it is also shown how similar a word is to what it was in the first.

    \b
    Example:
      aptdb plot trend english.duckdb dog/NOUN --by year -o trend.svg
    """
    words, path_of, context_of = or_any(lexeme, path, context)
    asked = (words, path_of, context_of, against)
    plot_lexicon(lexicon, file, title, "period", lambda opened: opened.plot.trend(*asked, **parameters))


@command("counts-by", group=plot, pages=True)
@with_parameters(Counted)
def run_plot_counts_by(
    lexicon: LexiconFile,
    lexeme: AnyLexeme,
    path: AnyPath = None,
    context: AnyContext = None,
    file: Picture = None,
    title: Title = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Plot how often something occurs in each kind of text.

    Per million tokens, with 95 % intervals (Poisson). --by may name two things: the second are series then, in lines
    where the first are numbers.

    \b
    Examples:
      aptdb plot counts-by english.duckdb dog/NOUN --by genre -o genres.svg
      aptdb plot counts-by english.duckdb '[lemma="dog|cat"]' --by year,1.lemma -o years.svg
    """
    triple = or_any(lexeme, path, context)
    plot_lexicon(lexicon, file, title, "value", lambda opened: opened.plot.counts_by(*triple, **parameters))


@command("keyness", group=plot, pages=True)
@with_parameters(options_of(Keyness, but=("other",)))
def run_plot_keyness(
    lexicon: LexiconFile,
    a: Annotated[str, typer.Argument(metavar="A", help="A subcorpus (aptdb subcorpus).")],
    b: Annotated[str | None, typer.Argument(metavar="B", help="Another; by default all that is not in A.")] = None,
    file: Picture = None,
    title: Title = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Plot what is typical of one subcorpus, and what is not.

    Bars of the log ratio to both sides, with 95 % intervals; of each side the surest 15, or --top N.

    \b
    Example:
      aptdb plot keyness english.duckdb fiction news -o keyness.svg
    """
    split_relations(parameters)
    plot_lexicon(lexicon, file, title, "item", lambda opened: opened.plot.keyness(a, b, **parameters))


@command("sketch-diff", group=plot, pages=True)
@with_parameters(sketch_options(SketchingPair))
def run_plot_sketch_diff(
    lexicon: LexiconFile,
    a: OneLexeme,
    b: Annotated[
        str | None, typer.Argument(metavar="B", help="Another; none where --subcorpus-b compares A with itself.")
    ] = None,
    file: Picture = None,
    title: Title = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Plot two word sketches side by side.

    Of each relation, bars to the left are the scores of A, bars to the right those of B.

    \b
    Example:
      aptdb plot sketch-diff english.duckdb dog/NOUN cat/NOUN -o pair.svg
    """
    if b is None and "subcorpus_b" not in parameters:
        raise typer.BadParameter("name another lexeme, or another subcorpus (--subcorpus-b)", param_hint="B")
    split_relations(parameters)
    plot_lexicon(lexicon, file, title, "collocate", lambda opened: opened.plot.sketch_diff(a, b, **parameters))


@command("growth", group=plot, pages=True)
def run_plot_growth(lexicon: LexiconFile, file: Picture = None, title: Title = None) -> None:
    """Plot how the vocabulary grows with the text.

    \b
    Example:
      aptdb plot growth english.duckdb -o growth.svg
    """
    plot_lexicon(lexicon, file, title, "point", lambda opened: opened.plot.growth())


@command("map", group=plot, pages=True)
@with_parameters(ComparingEach)
def run_plot_map(
    lexicon: LexiconFile,
    x: Annotated[list[str], typer.Argument(metavar="X...", help="Lexemes, phrases or words, two or more.")],
    file: Picture = None,
    title: Title = None,
    parser: ParserOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Plot words and phrases on a plane, near what is like them.

    An arrow leads from each word of a phrase to the phrase.

    \b
    Example:
      aptdb plot map english.duckdb dog/NOUN cat/NOUN 'dog/NOUN[amod small/ADJ]' -o map.svg
    """
    plot_lexicon(
        lexicon,
        file,
        title,
        "item",
        lambda opened: opened.plot.map([read_question(opened, each, parser) for each in x], **parameters),
    )


@command("groups", group=plot, pages=True)
@with_parameters(Neighbours)
def run_plot_groups(
    lexicon: LexiconFile,
    x: Question,
    file: Picture = None,
    title: Title = None,
    edges: Annotated[int, typer.Option(metavar="N", min=1, help="Join each neighbour with the N most like it.")] = 5,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The seed of the order of neighbours.")] = 1,
    parser: ParserOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Plot the neighbours of a word as a graph, in groups.

    Groups are found by Chinese Whispers on the neighbours alone, without their sentences: a word that has two meanings
    may have two groups. aptdb senses groups its occurrences, and tells more meanings apart.

    \b
    Example:
      aptdb plot groups english.duckdb 'dog/NOUN[amod small/ADJ]' --top 60 -o groups.svg
    """
    plot_lexicon(
        lexicon,
        file,
        title,
        "neighbour",
        lambda opened: opened.plot.groups(read_question(opened, x, parser), edges=edges, seed=seed, **parameters),
    )


def plot_lexicon(
    lexicon: Path, file: Path | None, title: str | None, what: str, make: "Callable[[Lexicon], Drawing]"
) -> None:
    """Make a plot of a lexicon, and write or show it, with a title of the user's if there is one."""
    check_picture(file)
    with open_lexicon(lexicon) as opened, report_waiting("drawing"):
        drawing = make(opened)
    put_out_drawing(drawing if title is None else drawing.with_title(title), lexicon, file, what)
