"""The commands that draw: draw."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command, number_of, print_note
from aptdb.commands.options import (
    LexiconFile,
    ParserOption,
    Question,
    names_sentences,
    output,
    question,
    with_parameters,
)
from aptdb.commands.output import nothing_passes, patience
from aptdb.commands.pager import paged
from aptdb.commands.settings import names_between_commas
from aptdb.display import terminal_width
from aptdb.parameters.pictures import Drawn

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon
    from aptdb.pictures.drawing import Drawing


@command("Pictures")
@with_parameters(Drawn)
def draw(
    lexicon: LexiconFile,
    x: Question,
    file: Annotated[Path | None, output("a picture, .svg, .html, .png or .pdf, in place of text")] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Of a phrase: show how its words come together.")] = False,
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
    have the colours of the words that bring them. Without --output it is drawn as text.

    \b
    Examples:
      aptdb draw english.duckdb dog/NOUN
      aptdb draw english.duckdb dog/NOUN --order 1 --top 8 -o dog.svg
      aptdb draw english.duckdb 'dog/NOUN[amod small/ADJ]' --steps -o dog.html
      aptdb draw english.duckdb 'dog/NOUN[amod small/ADJ]' --tree -o tree.svg
    """
    from aptdb.lexicon import Lexicon
    from aptdb.pictures.drawing import ending_of

    if tree and (steps or parameters):
        raise typer.BadParameter("it draws no APT; leave out the other options", param_hint="--tree")
    if file is not None:
        ending_of(file)
    if "relations" in parameters:
        parameters["relations"] = names_between_commas(parameters["relations"])
    with Lexicon.open(lexicon) as opened, patience("drawing"):
        if tree:
            drawing = trees_of(opened, x, parser)
        else:
            drawing = opened.draw(question(opened, x, parser), steps=steps, **parameters)
    if not tree and drawing.nodes == 1:
        print_note(nothing_passes(x, parameters))
    if file is None:
        with paged() as out:
            out.write(f"{drawing.told(terminal_width())}\n")
    else:
        drawing.save(file)
        print_note(f"{file} shows {drawing.title}, {number_of(drawing.nodes, 'node')}")


def trees_of(opened: "Lexicon", x: str, parser: str | None) -> "Drawing":
    """The tree of a phrase, or those of the sentences of @FILE."""
    if names_sentences(x):
        return opened.draw_trees(opened.phrases(x[1:]))
    return opened.draw_trees([question(opened, x, parser)])
