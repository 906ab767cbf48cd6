"""The command about the senses of words: senses."""

from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.options import FormatOption, LexiconFile, open_lexicon, with_parameters
from aptdb.commands.output import AnswerFormat, choose_format, report_waiting, show
from aptdb.commands.sketches import WIDEST, Line, print_lines, put_blocks_side_by_side, width_of_page
from aptdb.core.parameters import declared
from aptdb.core.result import Result
from aptdb.core.vector_parameters import BETWEEN, Grouping, Sensing

if TYPE_CHECKING:
    from rich.text import Text

    from aptdb.lexicon import Lexicon

INDENT = 4


@command("senses", "Ask")
@with_parameters(Sensing)
def run_senses(
    lexicon: LexiconFile,
    word: Annotated[
        str | None, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. mouse/NOUN, or a word, e.g. mouse.")
    ] = None,
    save: Annotated[
        bool, typer.Option("--save", help="Store the senses, and each as an entry, e.g. mouse/NOUN#1.")
    ] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Find stale senses again: of LEXEME, or all.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete the senses of LEXEME.")] = False,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Find the senses of a lexeme: groups of its occurrences that have other contexts than the rest.

    Shows for each sense its share of all occurrences, those of no sense included, the features that tell it from the
    others, its neighbours, and good examples among the sentences that are most typical of it. It needs a reduced
    space (aptdb reduce). With --save, the relation sense_occurrences has the sense of each occurrence, and a sense
    can be asked about like a lexeme, mouse/NOUN#1: its neighbours, its sentences, its sketch, how often it occurs
    where. Without LEXEME it lists the senses that are stored.

    \b
    Examples:
      aptdb senses english.duckdb mouse/NOUN
      aptdb senses english.duckdb mouse/NOUN --groups 3 --save
      aptdb neighbours english.duckdb 'mouse/NOUN#1'
      aptdb evidence english.duckdb 'mouse/NOUN#1' --best --top 5
      aptdb sketch-diff english.duckdb 'mouse/NOUN#1' 'mouse/NOUN#2'
    """
    if refresh + forget + save > 1:
        raise typer.BadParameter("--save, --refresh and --forget exclude each other", param_hint="--save")
    if word is None and (save or forget or parameters):
        raise typer.BadParameter("which lexeme? e.g. mouse/NOUN", param_hint="LEXEME")
    refuse_unused(parameters, save, refresh or forget)
    with open_lexicon(lexicon) as opened, report_waiting("grouping occurrences"):
        if save or refresh or forget:
            print_note(change_senses(opened, word, parameters, save=save, refresh=refresh))
            return
        answer = opened.sql("FROM senses") if word is None else opened.senses(word, **parameters)
    if word is None and not answer.rows:
        print_note(f"no senses are stored; this stores those of a word: aptdb senses {lexicon} WORD --save")
    if word is None or choose_format(format) is not AnswerFormat.table:
        show(answer, format)
    else:
        width = min(width_of_page(), 2 * WIDEST)
        print_lines(sense_page(answer, width), width)


def refuse_unused(parameters: dict[str, Any], save: bool, is_of_stored: bool) -> None:
    """Raise BadParameter for options that would have no effect."""
    unused = [name for name in parameters if is_of_stored or (save and name not in declared(Grouping))]
    if unused:
        why = "what is stored says how senses are found" if is_of_stored else "nothing is shown with --save"
        raise typer.BadParameter(f"it has no effect: {why}", param_hint=f"--{unused[0].replace('_', '-')}")


def change_senses(opened: "Lexicon", word: str | None, parameters: dict[str, Any], *, save: bool, refresh: bool) -> str:
    """Store, find again or delete senses; return the report."""
    if refresh:
        done = opened.refresh_senses(word)
        return f"found again: {', '.join(done) or 'nothing, because nothing is stale'}"
    if save:
        names = opened.save_senses(str(word), **parameters)
        return f"stored: {', '.join(names)}; ask about each as about a lexeme, e.g. aptdb evidence LEXICON '{names[0]}'"
    opened.forget_senses(str(word))
    return f"the senses of {word} are deleted"


def sense_page(answer: Result, width: int) -> list["Text"]:
    """Return the senses of a lexeme: a block for each."""
    lines: list[Text] = []
    for row in answer:
        block = [Line(f"{row['sense']}  {row['share']:.0%}", f"{row['occurrences']:,} occurrences", "bold")]
        block += [Line(f"{' ' * INDENT}{each}") for each in wrap(row["features"], width - INDENT)]
        block += [Line(f"{' ' * INDENT}{each}") for each in wrap(f"near: {row['neighbours']}", width - INDENT)]
        for sentence in filter(None, row["examples"].split(BETWEEN)):
            first, *more = wrap(sentence, width - INDENT - 2)
            block += [Line(f"{' ' * INDENT}- {first}", style="dim")]
            block += [Line(f"{' ' * INDENT}  {each}", style="dim") for each in more]
        lines += put_blocks_side_by_side([[*block, Line("")]], width)
    return lines
