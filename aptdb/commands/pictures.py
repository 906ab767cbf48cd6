"""Commands that draw, draw and map; and --plot, by which others plot their answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.answer_headers import is_provenance_wanted, list_provenance
from aptdb.commands.app import command
from aptdb.commands.notes import as_options, print_note, report_waiting
from aptdb.commands.options import (
    LexiconFile,
    ParserOption,
    Question,
    make_output_option,
    names_sentences,
    open_lexicon,
    read_question,
    refuse_parameters_of_others,
    split_relations,
    with_parameters,
)
from aptdb.commands.output import open_page
from aptdb.core.count_parameters import Drawn
from aptdb.core.display import how_many, terminal_width
from aptdb.core.question_parameters import ComparingEach
from aptdb.core.schemes import note_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from aptdb.lexicon import Lexicon
    from aptdb.pictures.drawing import Drawing

Picture = Annotated[Path | None, make_output_option("a picture, .svg, .html, .png or .pdf, in place of text")]


@command("draw", "Pictures", pages=True)
@with_parameters(Drawn)
def run_draw(
    lexicon: LexiconFile,
    x: Question,
    file: Picture = None,
    steps: Annotated[bool, typer.Option("--steps", help="For a phrase: show its composition step by step.")] = False,
    senses: Annotated[bool, typer.Option("--senses", help="For a lexeme: draw stored senses side by side.")] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="Draw the phrase's own tree, or those of all sentences of @FILE.")
    ] = False,
    parser: ParserOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Draw the APT of a word or phrase, as the paper does.

    A box is a node of the packed tree, with bars for the weights of its heaviest contexts. Ups (<obj) lead to what is
    above the anchor, downs (>amod) to what is below. For a phrase, its own tree is grey, and each bar has the colour
    of the word that it comes from. Without --output it is drawn as text. Without --weights these are lmi, high for
    what is both typical and frequent.

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
        raise typer.BadParameter("it draws the tree alone; leave out the options for APTs", param_hint="--tree")
    check_picture(file)
    split_relations(parameters)
    with open_lexicon(lexicon) as opened, report_waiting("drawing"):
        if tree:
            drawing = phrases_to_draw(opened, x, parser)
        else:
            drawing = opened.plot.apt(read_question(opened, x, parser), steps=steps, senses=senses, **parameters)
    if not tree and str(drawing) == ANCHOR:  # there are no contexts
        print_note(f"{none_of([x], parameters)}{as_options(note_weights(parameters))}")
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


@command("map", "Pictures", pages=True)
@with_parameters(ComparingEach)
def run_map(
    lexicon: LexiconFile,
    x: Annotated[list[str], typer.Argument(metavar="X...", help="Lexemes, phrases or words, two or more.")],
    file: Picture = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="The title. [default: what is drawn]")
    ] = None,
    parser: ParserOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Draw words and phrases on a plane, similar ones near each other.

    An arrow leads from each word of a phrase to the phrase. Without --output the coordinates are written as text.

    \b
    Example:
      aptdb map english.duckdb dog/NOUN cat/NOUN 'dog/NOUN[amod small/ADJ]' -o map.svg
    """
    draw_of_lexicon(
        lexicon,
        file,
        "item",
        lambda opened: opened.plot.map([read_question(opened, each, parser) for each in x], **parameters),
        title,
    )


# Plots of answers
PlotOption = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", help="Plot it to FILE (.svg, .html, .png, .pdf), or to the terminal (-)."),
]
TitleOption = Annotated[
    str | None, typer.Option("--title", metavar="TEXT", help="With --plot: the title. [default: what is plotted]")
]
GroupsOption = Annotated[
    bool, typer.Option("--groups", help="With --plot: draw a graph of 40 neighbours, or --top N, in groups.")
]
EdgesOption = Annotated[
    int | None,
    typer.Option("--edges", metavar="N", min=1, help="With --groups: join each to the N most similar. [default: 5]"),
]
GroupsSeed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", min=0, help="With --groups: the seed of the order of neighbours. [default: 1]"),
]


def is_plotted(plot: str | None, title: str | None) -> bool:
    """Return whether an answer is plotted. Raise BadParameter for a title without a plot."""
    if title is not None and plot is None:
        raise typer.BadParameter("it needs --plot", param_hint="--title")
    return plot is not None


def draw_plot(
    lexicon: Path,
    plot: str | None,
    what: str,
    make: "Callable[[Lexicon], Drawing]",
    title: str | None = None,
    **others: Any,
) -> None:
    """Plot an answer in its place, to the file of --plot or, for -, as text.

    what: the name of its items. others: options of the command that a plot does not take. Raise BadParameter if one of
    these is given.
    """
    given = [name for name, value in others.items() if value not in (None, False)]
    refuse_parameters_of_others(given, (), "it cannot be used with --plot")
    draw_of_lexicon(lexicon, None if plot == "-" else Path(str(plot)), what, make, title)


def read_groups_options(plot: str | None, groups: bool, **of_groups: int | None) -> dict[str, Any] | None:
    """Return the given options of a graph in groups; None if no graph is asked for. Raise BadParameter."""
    given = {name: value for name, value in of_groups.items() if value is not None}
    if groups and plot is None:
        raise typer.BadParameter("it needs --plot", param_hint="--groups")
    if not groups:
        refuse_parameters_of_others(given, (), "it needs --groups")
    return given if groups else None


def draw_neighbours(
    lexicon: Path,
    x: list[str],
    plot: str | None,
    parameters: dict[str, Any],
    *,
    title: str | None,
    parser: str | None,
    groups: dict[str, Any] | None,
    **others: Any,
) -> None:
    """Plot the neighbours of the only question, as bars or as a graph in groups. groups: options of the graph."""
    if len(x) != 1:
        raise typer.BadParameter("--plot takes one lexeme or phrase", param_hint="X")

    def make(opened: "Lexicon") -> "Drawing":
        asked = read_question(opened, x[0], parser)
        if groups is None:
            return opened.plot.neighbours(asked, **parameters)
        return opened.plot.groups(asked, **groups, **parameters)

    refused = {**others, "frequencies": parameters.get("frequencies")}
    draw_plot(lexicon, plot, "bar" if groups is None else "neighbour", make, title, **refused)


def draw_of_lexicon(
    lexicon: Path, file: Path | None, what: str, make: "Callable[[Lexicon], Drawing]", title: str | None = None
) -> None:
    """Make a picture of a lexicon, and write or show it; title: that of a plot, in place of the usual one."""
    check_picture(file)
    with open_lexicon(lexicon) as opened, report_waiting("drawing"):
        drawing = make(opened)
    drawing = drawing if title is None else drawing.with_title(title)
    put_out_drawing(drawing, lexicon, file, what)
