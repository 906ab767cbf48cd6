"""Commands about named weightings and reduced spaces: weigh, reduce."""

from typing import Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import counting_up, print_note, report_waiting
from aptdb.commands.options import (
    LexiconFile,
    open_lexicon,
    options_of,
    with_parameters,
)
from aptdb.core.composition import Recorded
from aptdb.core.schemes import DEFAULT_WEIGHTS, SCHEMES
from aptdb.core.vector_parameters import PathWeighting, Reducing


@command("weigh", "Weights and vectors")
@with_parameters({**options_of(Recorded), **options_of(PathWeighting)})
def run_weigh(
    lexicon: LexiconFile,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the weighting, e.g. ppmi_10.")],
    scheme: Annotated[
        str | None, typer.Option("--scheme", metavar="SCHEME", help=f"{', '.join(SCHEMES)}. [default: ppmi]")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Store its weights, so that questions are fast.")] = False,
    *,
    parameters: dict[str, Any],
) -> None:
    """Name a way to weigh, compare and compose, to use it again.

    Use the name as --weights, or as a table in SQL. A question with --weights NAME takes all that was given here, also
    --measure and --merge, unless it gives others. With --keep the weights are computed once and stored in the lexicon.
    When a corpus is added they become stale: questions then compute them each time, until aptdb refresh.

    \b
    Examples:
      aptdb weigh english.duckdb ppmi_10 --shift 10 --set cds=0.75 --keep
      aptdb weigh english.duckdb phrases --shift 5 --measure lin --merge min
    """
    with open_lexicon(lexicon) as opened, report_waiting("weighing all co-occurrences"):
        opened.weigh(name, scheme=scheme, keep=keep, **parameters)
    counts = f"{scheme or DEFAULT_WEIGHTS} of {parameters.get('counts') or 'packed'} counts"
    kept = " and kept" if keep else ""
    print_note(f"{name} is recorded{kept}: {counts}; list all by: aptdb stored {lexicon} weightings")


@command("reduce", "Weights and vectors")
@with_parameters(Reducing)
def run_reduce(
    lexicon: LexiconFile,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the space, e.g. words.")],
    *,
    parameters: dict[str, Any],
) -> None:
    """Reduce the weights to a space of short vectors, for fast neighbours.

    A singular value decomposition leaves a few hundred dimensions of the weights of frequent content words, in which
    also words that share few features may be similar. Use the name as --space: neighbours are then found in one pass
    over short vectors, whatever the size of the lexicon. Less frequent words, and phrases, are projected into the
    space. Half of a vector is of the trees, half of what stands within five words, whatever the grammar; --window 0
    leaves the latter out. It is useful from about a million words of text, and takes a minute or two for fifteen
    million. After a corpus is added it is stale: it is used as it was, until aptdb refresh.

    \b
    Examples:
      aptdb reduce english.duckdb words
      aptdb neighbours english.duckdb city/NOUN --space words
    """
    with open_lexicon(lexicon) as opened, counting_up("weights decomposed") as progress:
        is_replaced = name.lower() in opened.stored.spaces().column("space")
        opened.reduce(name, progress=progress, **parameters)
    if is_replaced:
        print_note(f"the former space {name} is replaced")
    print_note(f"{name} is made; use it by --space {name}; list all by: aptdb stored {lexicon} spaces")
