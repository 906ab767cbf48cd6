"""Commands that exchange data with other tools and lexicons: export, merge, parse, count."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import counting_up, print_note, show_progress
from aptdb.commands.options import (
    PARSERS,
    FormatOption,
    LexiconFile,
    LongestSentence,
    given_settings,
    make_output_option,
    open_lexicon,
    with_parameters,
)
from aptdb.commands.output import show
from aptdb.commands.start import Rejects, SkipInvalid, list_additions, note_skipped, refuse_rejects_file
from aptdb.core.schemes import Exported
from aptdb.core.settings import LONGEST_SENTENCE, Given
from aptdb.questions.export_formats import FORMATS, SPACE_FORMATS

FileFormat = StrEnum("FileFormat", {name: name for name in {**FORMATS, **SPACE_FORMATS}})  # type: ignore[misc]


@command("export", "Exchange")
@with_parameters(Exported)
def run_export(
    lexicon: LexiconFile,
    file: Annotated[Path, make_output_option("a .parquet, .tsv, .sm, .npz, .vec or .txt file")],
    format: Annotated[
        FileFormat | None, typer.Option("--as", help="The format. [default: by the ending of FILE]")
    ] = None,
    dimensions: Annotated[
        int | None,
        typer.Option(metavar="N", help="For word2vec: reduce vectors to N dimensions by an SVD. [default: 100]"),
    ] = None,
    space: Annotated[
        str | None, typer.Option(metavar="NAME", help="Write the vectors of this reduced space, not the weights.")
    ] = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Write the weights of all lexemes, or the vectors of a space, to a file for other tools.

    Formats: Parquet (.parquet); Byblo (.tsv), a line for each lexeme; DISSECT (.sm) or scipy (.npz), with names in
    .rows and .cols files; or word2vec (.vec, .txt), as reduced vectors. Formats in which a space ends a name have _ in
    its place.

    The vectors of a space are written as word2vec (.vec, .txt, or binary as .bin), or as .npy or .safetensors, which
    also have the projection for new words and phrases.

    \b
    Examples:
      aptdb export english.duckdb -o ppmi.parquet
      aptdb export english.duckdb --shift 1.5 --min-frequency 1 -o space.sm
      aptdb export english.duckdb --pos NOUN --dimensions 2 -o vectors.vec
      aptdb export english.duckdb --space words -o words.npy
    """
    with open_lexicon(lexicon) as opened, counting_up("weights") as progress:
        written = opened.export(
            file, format=format, dimensions=dimensions, space=space, progress=progress, **parameters
        )
    files = ", ".join(map(str, written.files))
    print_note(
        f"{files}: {written.weights:,} {'weights' if space is None else 'numbers'} of {written.lexemes:,} lexemes"
    )
    if written.renamed:
        print_note(f"{written.renamed:,} names have _ in place of white space, which {file.name} cannot hold")


WORTH_IT = 1 << 20  # bytes of text for which it is worth it to start several processes


@command("parse", "Start")
def parse(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...", help="Plain text in UTF-8: files, folders of .txt, or patterns; - is standard input."
        ),
    ],
    parser: Annotated[str, typer.Option("--with", metavar="PARSER", help=f"The parser: {PARSERS}.")],
    by_line: Annotated[
        bool, typer.Option("--lines", help="Each line is a paragraph. [default: blank lines separate paragraphs]")
    ] = False,
    tokenised: Annotated[
        bool,
        typer.Option("--tokenised", help="Each line is a sentence with spaces between its tokens: no tokenizer runs."),
    ] = False,
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Parse in N processes (spaCy, UDPipe). [default: the processors; 1 for little text]",
        ),
    ] = None,
) -> None:
    """Parse raw text with spaCy, Stanza or UDPipe, as CoNLL-U.

    Each file becomes a document with the name of the file. Parsers are extras, e.g. pip install 'aptdb[spacy]'; their
    models are installed separately.

    \b
    Examples:
      aptdb parse story.txt --with spacy:en_core_web_sm | aptdb add stories.duckdb -
      aptdb parse story.txt --with spacy:en_core_web_sm --lines
      aptdb parse tokens.txt --with spacy:en_core_web_sm --tokenised
    """
    from aptdb.corpus.raw_text import as_conllu, paragraphs, parser_called, refuse_unreadable, text_files
    from aptdb.counting.staging import Progress
    from aptdb.store.limits import cores

    files = text_files(texts)
    refuse_unreadable(files)
    sizes = [0 if file == "-" else Path(file).stat().st_size for file, _ in files]
    known = None if any(file == "-" for file, _ in files) else sum(sizes)
    many = known is None or known >= WORTH_IT
    of_all = cores() if many else 1
    chosen = parser_called(parser, processes or of_all, tokenised=tokenised)
    before = {str(name): sum(sizes[:number]) for number, (_, name) in enumerate(files)}
    with show_progress("parsing") as progress, failing_in_output():
        blocks = as_conllu(
            paragraphs(files, by_line=by_line or tokenised),
            chosen,
            lambda now, words: progress(Progress("", before[now.document] + now.end, known, words)),
        )
        for block in blocks:
            sys.stdout.buffer.write(block)


@contextmanager
def failing_in_output() -> Iterator[None]:
    """After an error in the block, end the output with an invalid line, so that it is not taken for complete."""
    from aptdb.corpus.raw_text import STOPPED

    sys.stdout.flush()
    try:
        yield
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except BaseException:
        sys.stdout.buffer.write(STOPPED)
        sys.stdout.buffer.flush()
        raise


@command("count", "Start")
@with_parameters(Given)
def run_count(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Corpora of CoNLL-U: files, folders, patterns, or s3://bucket/corpus/."),
    ],
    folder: Annotated[str | None, make_output_option("a folder of counts, which is made", "FOLDER")] = None,
    engine: Annotated[Literal["local", "spark"], typer.Option(help="Count on this machine, or by Spark.")] = "local",
    master: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The master of Spark, e.g. yarn, spark://HOST:7077, local[4], or sc://HOST:15002 for a server. "
            "[default: as Spark is configured]",
        ),
    ] = None,
    partitions: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=2000, help="Make N parts, by lexeme. [default: one for each 128 MB that are read]"
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Count files even if they have the same content.")] = False,
    skip_invalid: SkipInvalid = False,
    rejects: Rejects = None,
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    take_over: Annotated[
        bool,
        typer.Option(
            "--take-over", help="Delete what a killed run left in a folder on s3:// or the like, and start again."
        ),
    ] = False,
    patience: Annotated[
        int | None,
        typer.Option(
            metavar="SECONDS",
            min=1,
            help="End if Spark has no executor, or ends no task, for so long. [default: 1800]",
        ),
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Count corpora into a folder, also on many machines.

    The folder has Parquet files, in parts by lexeme, and a manifest. Add it to any number of lexicons (aptdb add
    LEXICON FOLDER), or let a lexicon read it in place (add --in-place). It has counts but no trees, so such a lexicon
    shows no sentences. Up to a few hundred million words, aptdb add is enough (aptdb docs scale).

    Reads CoNLL-U, CoNLL-U Plus, CoNLL-X, CoNLL-2008 or CoNLL-2009. Large files are split between sentences and counted
    in parallel, unless they are compressed. With --engine spark, install aptdb on all machines, and put the files and
    the folder where all machines reach them.

    \b
    Examples:
      aptdb count en_ewt.conllu -o counts
      aptdb count corpora/ -o all_counts --order 3 --skip-invalid --rejects faults.conllu
    """
    from aptdb.distributed.count_corpora import count_corpora

    if folder is None:
        raise typer.BadParameter("name the folder to make", param_hint="--output")
    refuse_rejects_file(rejects, skip_invalid)
    with show_progress(folder) as progress:
        done = count_corpora(
            files,
            folder,
            engine=engine,
            master=master,
            partitions=partitions,
            again=again,
            skip_invalid=skip_invalid,
            rejects=rejects,
            max_sentence=max_sentence,
            take_over=take_over,
            patience=patience,
            progress=progress,
            **given_settings(parameters),
        )
    note_skipped(folder, done.skipped)
    show(list_additions([done], with_skipped=skip_invalid), format)
