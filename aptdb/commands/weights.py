"""Commands about named weightings and reduced spaces: weigh, weightings, reduce, spaces."""

from typing import Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import counting_up, print_note, report_waiting
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    open_lexicon,
    options_of,
    with_parameters,
)
from aptdb.commands.output import show
from aptdb.core.composition import Recorded
from aptdb.core.schemes import SCHEMES
from aptdb.core.vector_parameters import PathWeighting, Reducing


@command("weigh", "Weights and vectors")
@with_parameters({**options_of(Recorded), **options_of(PathWeighting)})
def run_weigh(
    lexicon: LexiconFile,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The name of the weighting, e.g. ppmi_10.")] = None,
    scheme: Annotated[
        str | None, typer.Option("--scheme", metavar="SCHEME", help=f"{', '.join(SCHEMES)}. [default: ppmi]")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Store its weights, so that questions are fast.")] = False,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Compute stale weights again: those of NAME, or all.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete the weighting.")] = False,
    *,
    parameters: dict[str, Any],
) -> None:
    """Name a weighting, and what goes with it; store its weights.

    Use the name as --weights, or as a table in SQL. The measure, and how words are composed, hold wherever it is used
    and nothing else is said. With --keep its weights are computed once and stored in the
    lexicon. When a corpus is added they become stale: questions then compute them each time, until you refresh them.

    \b
    Examples:
      aptdb weigh english.duckdb ppmi_10 --shift 10 --set cds=0.75 --keep
      aptdb weigh english.duckdb phrases --shift 5 --measure lin --merge min
      aptdb weigh english.duckdb --refresh
    """
    if (refresh or forget) and (keep or scheme or parameters or (refresh and forget)):
        raise typer.BadParameter("--refresh and --forget take a NAME and nothing else")
    if name is None and not refresh:
        raise typer.BadParameter("a weighting needs a name, e.g. ppmi_10", param_hint="NAME")
    with (
        open_lexicon(lexicon) as opened,
        report_waiting("deleting the weights" if forget else "weighing all co-occurrences"),
    ):
        if refresh:
            done = report_refreshed(opened.stored.refresh(name, "weightings").get("weightings", []))
        elif forget:
            opened.stored.forget(str(name), "weightings")
            done = f"{name} is deleted"
        else:
            opened.weigh(str(name), scheme=scheme, keep=keep, **parameters)
            done = f"{name} is recorded{' and kept' if keep else ''}; see it with: aptdb weightings {lexicon}"
    print_note(done)


def report_refreshed(names: list[str]) -> str:
    """Return a report of the weightings that were computed again."""
    if not names:
        return "nothing is stale"
    return (
        f"computed again: {', '.join(names)}; all of their weights, because nearly all change when a corpus is added: "
        "they depend on the totals of their paths"
    )


@command("weightings", "Weights and vectors")
def print_weightings(lexicon: LexiconFile, format: FormatOption = None) -> None:
    """List the named weightings.

    Shows their schemes and parameters, whether their weights are computed for each question, kept or stale, and how
    many are kept.

    \b
    Example:
      aptdb weightings english.duckdb
    """
    with open_lexicon(lexicon) as opened:
        answer = opened.stored.weightings()
    show(answer, format)


@command("reduce", "Weights and vectors")
@with_parameters(Reducing)
def run_reduce(
    lexicon: LexiconFile,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The name of the space, e.g. words.")] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Make stale spaces again: NAME, or all.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete the space.")] = False,
    *,
    parameters: dict[str, Any],
) -> None:
    """Make a reduced space, in which words are similar though they share few features.

    A singular value decomposition leaves a few hundred dimensions of the weights of frequent content words. Use the
    name as --space: neighbours are then found in one pass over short vectors, whatever the size of the lexicon. Less
    frequent words, and phrases, are projected into the space. It needs about a million words of text to be of use; a
    minute or two at fifteen million. When a corpus is added it becomes stale: it is used as it was, until you refresh
    it.

    \b
    Examples:
      aptdb reduce english.duckdb words
      aptdb neighbours english.duckdb city/NOUN --space words
      aptdb reduce english.duckdb --refresh
    """
    if (refresh or forget) and (parameters or (refresh and forget)):
        raise typer.BadParameter("--refresh and --forget take a NAME and nothing else")
    if name is None and not refresh:
        raise typer.BadParameter("a space needs a name, e.g. words", param_hint="NAME")
    with open_lexicon(lexicon) as opened, counting_up("weights decomposed") as progress:
        if refresh:
            names = opened.stored.refresh(name, "spaces", progress=progress).get("spaces", [])
            done = f"made again: {', '.join(names) or 'nothing, because nothing is stale'}"
        elif forget:
            opened.stored.forget(str(name), "spaces")
            done = f"{name} is deleted"
        else:
            opened.reduce(str(name), progress=progress, **parameters)
            done = f"{name} is made; ask in it with --space {name}; see it with: aptdb spaces {lexicon}"
    print_note(done)


@command("spaces", "Weights and vectors")
def print_spaces(lexicon: LexiconFile, format: FormatOption = None) -> None:
    """List the reduced spaces.

    Shows how they were made, whether they are up to date, and how many lexemes and features they have.

    \b
    Example:
      aptdb spaces english.duckdb
    """
    with open_lexicon(lexicon) as opened:
        answer = opened.stored.spaces()
    show(answer, format)
