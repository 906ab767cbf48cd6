"""The command that writes weights for other tools: export."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import app, print_note
from aptdb.commands.options import LEAST, SCHEMING, WEIGHTS, LexiconFile, with_parameters
from aptdb.commands.progress import counting_up


class FileForm(StrEnum):
    """The formats of an export."""

    parquet = "parquet"
    byblo = "byblo"
    dissect = "dissect"
    scipy = "scipy"
    word2vec = "word2vec"


@app.command()
@with_parameters({**WEIGHTS, **SCHEMING, **LEAST})
def export(
    lexicon: LexiconFile,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where it goes: a .parquet, .tsv, .sm, .npz, .vec or .txt file."
        ),
    ],
    form: Annotated[
        FileForm | None, typer.Option("--as", help="The format, where the ending of FILE does not tell it.")
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
        written = opened.export(output, form=form, dimensions=dimensions, progress=progress, **parameters)
    files = ", ".join(map(str, written.files))
    print_note(f"{files}: {written.weights:,} weights of {written.lexemes:,} lexemes")
    if written.renamed:
        print_note(f"{written.renamed:,} names have _ for white space that {output.name} cannot hold")
