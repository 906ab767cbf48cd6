"""The commands that exchange data with other tools and lexicons: export, merge."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.options import LONGEST_SENTENCE, LexiconFile, LongestSentence, output, with_parameters
from aptdb.commands.progress import counting_up
from aptdb.core.schemes import Exported
from aptdb.corpus.corpus_files import refuse_twice
from aptdb.questions.export_formats import FORMATS

FileFormat = StrEnum("FileFormat", {name: name for name in FORMATS})  # type: ignore[misc]


@command("Exchange")
@with_parameters(Exported)
def export(
    lexicon: LexiconFile,
    file: Annotated[Path, output("a .parquet, .tsv, .sm, .npz, .vec or .txt file")],
    format: Annotated[
        FileFormat | None,
        typer.Option("--as", help="The format, if the ending of FILE does not tell it."),
    ] = None,
    dimensions: Annotated[
        int | None,
        typer.Option(metavar="N", help="For word2vec: reduce vectors to N dimensions by an SVD. [default: 100]"),
    ] = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Write the weights of all lexemes to a file for other tools.

    Formats: Parquet (.parquet); Byblo (.tsv), a line for each lexeme; DISSECT (.sm) or scipy (.npz), with names in
    .rows and .cols files; or word2vec (.vec, .txt), as reduced vectors. White space in names becomes _ in formats in
    which it ends a name.

    \b
    Examples:
      aptdb export english.duckdb -o ppmi.parquet
      aptdb export english.duckdb --shift 1.5 --min-frequency 1 -o space.sm
      aptdb export english.duckdb --pos NOUN --dimensions 2 -o vectors.vec
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, counting_up("weights") as progress:
        written = opened.export(file, format=format, dimensions=dimensions, progress=progress, **parameters)
    files = ", ".join(map(str, written.files))
    print_note(f"{files}: {written.weights:,} weights of {written.lexemes:,} lexemes")
    if written.renamed:
        print_note(f"{written.renamed:,} names have _ in place of white space, which {file.name} cannot hold")


@command("Exchange")
def merge(
    lexicon: LexiconFile,
    others: Annotated[
        list[Path], typer.Argument(metavar="OTHER...", readable=False, help="Lexicons with the same settings.")
    ],
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="Put TEXT before the names of their corpora.")] = "",
    max_sentence: LongestSentence = LONGEST_SENTENCE,
) -> None:
    """Add the corpora of other lexicons to a lexicon.

    Adds each lexicon completely or not at all; one whose corpora are all there already is skipped. Creates the lexicon
    if it does not exist, with the settings of the first of the others.

    \b
    Example:
      aptdb merge all.duckdb english.duckdb more.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon, create=True) as opened:
        refuse_twice([str(other) for other in others])
        for other in others:
            with counting_up("tokens") as progress:
                names = opened.merge(other, prefix=prefix, max_sentence=max_sentence, progress=progress)
            print_note(
                f"{other}: added {', '.join(names)}" if names else f"{other}: nothing to add; all of it is there"
            )
