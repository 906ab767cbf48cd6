"""The command that counts corpora into a folder, on this machine or on many: count."""

from typing import Annotated, Any, Literal

import typer

from aptdb.commands.app import command
from aptdb.commands.options import (
    LONGEST_SENTENCE,
    FormatOption,
    LongestSentence,
    given_settings,
    output,
    with_parameters,
)
from aptdb.commands.output import show
from aptdb.commands.progress import following
from aptdb.commands.start import Rejects, SkipInvalid, additions, note_skipped, refuse_rejects
from aptdb.core.settings import Given


@command("Start")
@with_parameters(Given)
def count(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Corpora of CoNLL-U: files, folders, patterns, or s3://bucket/corpus/."),
    ],
    folder: Annotated[str | None, output("a folder of counts, which is made", "FOLDER")] = None,
    engine: Annotated[Literal["local", "spark"], typer.Option(help="What counts: this machine, or Spark.")] = "local",
    master: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Of Spark: e.g. yarn, spark://HOST:7077, local[4], or sc://HOST:15002 of a server. "
            "[default: as Spark is configured]",
        ),
    ] = None,
    partitions: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=2000, help="Make N parts, by lexeme. [default: one for each 128 MB that are read]"
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Count files of the same content all the same.")] = False,
    skip_invalid: SkipInvalid = False,
    rejects: Rejects = None,
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Count corpora into a folder, also on many machines.

    The folder has Parquet, in parts by lexeme, and a manifest. Any number of lexicons can take it: aptdb add LEXICON
    FOLDER; or answer from it: aptdb open FOLDER -o LEXICON. It has counts and no trees, so that nothing that shows
    sentences works there. Up to a few hundred million words aptdb add is enough (aptdb docs scale).

    Reads CoNLL-U, CoNLL-X or CoNLL-2009. A large file is cut between sentences and counted by many tasks, unless it is
    compressed. With --engine spark, aptdb is installed on all machines, and all reach the files and the folder.

    \b
    Examples:
      aptdb count en_ewt.conllu -o counts
      aptdb count corpora/ -o all_counts --order 3 --skip-invalid --rejects faults.conllu
    """
    from aptdb.distributed.count_corpora import count_corpora

    if folder is None:
        raise typer.BadParameter("name the folder that is to be made", param_hint="--output")
    refuse_rejects(rejects, skip_invalid)
    with following(folder) as progress:
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
            progress=progress,
            **given_settings(parameters),
        )
    note_skipped(folder, done.skipped)
    show(additions([done], with_skipped=skip_invalid), format)
