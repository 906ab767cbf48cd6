"""The commands about weightings that have a name, and what is made of them: weigh, weightings, thesaurus."""

from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.options import (
    AsFormat,
    LexiconFile,
    options_of,
    with_parameters,
)
from aptdb.commands.output import patience, show
from aptdb.commands.progress import counting_up
from aptdb.parameters.questions import PathWeighting, Thesaurus
from aptdb.parameters.weights import SCHEMES, OfWeighting


@command("Weights and vectors")
@with_parameters({**options_of(OfWeighting), **options_of(PathWeighting)})
def weigh(
    lexicon: LexiconFile,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="What the weighting is called, as ppmi_10.")
    ] = None,
    scheme: Annotated[str | None, typer.Option(metavar="SCHEME", help=f"{', '.join(SCHEMES)}. [default: ppmi]")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep its weights, so that questions are fast.")] = False,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Bring kept weights up after additions: those of NAME, or all.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Take the weighting away.")] = False,
    *,
    parameters: dict[str, Any],
) -> None:
    """Give a weighting a name, and keep its weights.

    The name then serves as --weights, and as a table in SQL. With --keep its weights are computed once and kept in the
    lexicon. An addition makes them stale: questions then compute them anew, until they are refreshed.

    \b
    Examples:
      aptdb weigh english.duckdb ppmi_10 --shift 10 --cds 0.75 --keep
      aptdb weigh english.duckdb --refresh
    """
    from aptdb.lexicon import Lexicon

    if (refresh or forget) and (keep or scheme or parameters or (refresh and forget)):
        raise typer.BadParameter("--refresh and --forget take a NAME and nothing else")
    if name is None and not refresh:
        raise typer.BadParameter("a weighting needs a name, as ppmi_10", param_hint="NAME")
    with Lexicon.open(lexicon) as opened, patience("weighing all co-occurrences"):
        if refresh:
            done = refreshed(opened.refresh(name))
        elif forget:
            opened.forget(str(name))
            done = f"{name} is forgotten"
        else:
            opened.weigh(str(name), scheme=scheme, keep=keep, **parameters)
            done = f"{name} is recorded{' and kept' if keep else ''}; see it with: aptdb weightings {lexicon}"
    print_note(done)


def refreshed(names: list[str]) -> str:
    """What was weighed again, and why as a whole."""
    if not names:
        return "nothing is stale"
    return (
        f"weighed again: {', '.join(names)}; as a whole, since hardly a weight is what it was: most are compared with "
        "the totals of their paths, which every addition changes"
    )


@command("Weights and vectors")
def weightings(lexicon: LexiconFile, form: AsFormat = None) -> None:
    """List the weightings that have a name.

    Each with its scheme and parameters, whether its weights are computed when they are asked for, kept or stale, and
    how many are kept.

    \b
    Example:
      aptdb weightings english.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened:
        answer = opened.weightings()
    show(answer, form)


@command("Weights and vectors")
@with_parameters(Thesaurus)
def thesaurus(
    lexicon: LexiconFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where it goes: a .parquet or .tsv file.")
    ],
    *,
    parameters: dict[str, Any],
) -> None:
    """Write the neighbours of every lexeme to a file.

    That is, of every lexeme that is frequent enough to be a neighbour itself, the most frequent first. A run that is
    stopped leaves what is done in FILE.parts; the same command goes on from there.

    \b
    Example:
      aptdb thesaurus english.duckdb --top 5 --min-frequency 2 -o thesaurus.tsv
    """
    from aptdb.lexicon import Lexicon

    try:
        with Lexicon.open(lexicon) as opened, counting_up("lexemes") as progress:
            written = opened.thesaurus(output, progress=progress, **parameters)
    except KeyboardInterrupt:
        print_note("stopped; the same command goes on from there")
        raise typer.Exit(1) from None
    print_note(f"{output}: {written:,} rows")
