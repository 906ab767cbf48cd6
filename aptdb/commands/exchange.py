"""The commands between lexicons and other tools: export, merge."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.options import LexiconFile, with_parameters
from aptdb.commands.progress import counting_up
from aptdb.corpus.files import refuse_twice
from aptdb.exchange.formats import FORMATS
from aptdb.parameters.weights import Export

FileFormat = StrEnum("FileFormat", {name: name for name in FORMATS})  # type: ignore[misc]


@command("Exchange")
@with_parameters(Export)
def export(
    lexicon: LexiconFile,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where it goes: a .parquet, .tsv, .sm, .npz, .vec or .txt file."
        ),
    ],
    file_format: Annotated[
        FileFormat | None,
        typer.Option("--as", help="The format, where the ending of FILE does not tell it."),
    ] = None,
    dimensions: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Of word2vec, the dimensions that vectors are reduced to by an SVD. [default: 100]"
        ),
    ] = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Write the weights of all lexemes for other tools.

    As Parquet (.parquet); as Byblo has them (.tsv), a line for each lexeme; as DISSECT (.sm) or scipy (.npz) has them,
    with names in .rows and .cols beside; or reduced to vectors, as word2vec writes them (.vec, .txt). White space in
    names becomes _ where the format ends a name with it.

    \b
    Examples:
      aptdb export english.duckdb -o ppmi.parquet
      aptdb export english.duckdb --shift 1.5 --min-frequency 1 -o space.sm
      aptdb export english.duckdb --dimensions 2 -o vectors.vec
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, counting_up("weights") as progress:
        written = opened.export(output, format=file_format, dimensions=dimensions, progress=progress, **parameters)
    files = ", ".join(map(str, written.files))
    print_note(f"{files}: {written.weights:,} weights of {written.lexemes:,} lexemes")
    if written.renamed:
        print_note(f"{written.renamed:,} names have _ for white space that {output.name} cannot hold")


@command("Exchange")
def merge(
    lexicon: LexiconFile,
    others: Annotated[
        list[Path], typer.Argument(metavar="OTHER...", readable=False, help="Lexicons that count in the same way.")
    ],
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="What their corpora's names begin with here.")] = "",
) -> None:
    """Add all that other lexicons hold.

    Corpus by corpus, each lexicon as a whole or not at all. A lexicon that is not there yet is made, with the settings
    of the first.

    \b
    Example:
      aptdb merge all.duckdb english.duckdb more.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon, create=True) as opened:
        refuse_twice([str(other) for other in others])
        for other in others:
            with counting_up("tokens") as progress:
                names = opened.merge(other, prefix=prefix, progress=progress)
            print_note(f"{other}: {', '.join(names) or 'nothing'} went in")
