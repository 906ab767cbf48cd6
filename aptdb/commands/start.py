"""The commands to begin with: add, check, info."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command, number_of, print_note
from aptdb.commands.options import AsFormat, LexiconFile, with_parameters
from aptdb.commands.output import patience, show
from aptdb.commands.progress import following
from aptdb.commands.settings import given_settings
from aptdb.corpus.files import corpus_files, refuse_missing
from aptdb.errors import AptError, LexiconError
from aptdb.result import Result
from aptdb.settings import Given

if TYPE_CHECKING:
    from aptdb.counting.corpora import Addition

LONGEST_SENTENCE = 10_000  # as aptdb.reading has it, which is slow to import
FILES = "Corpora: files, folders, or patterns; - is standard input."
LongestSentence = Annotated[
    int, typer.Option("--max-sentence", metavar="N", min=1, help="A sentence of more words is at fault.")
]


@command("Start")
@with_parameters(Given)
def add(
    lexicon: LexiconFile,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=FILES)],
    name: Annotated[str | None, typer.Option(help="What the corpus is called. [default: the file's name]")] = None,
    again: Annotated[bool, typer.Option("--again", help="Count content that is in already once more.")] = False,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Leave out sentences that are at fault, and count them.")
    ] = False,
    rejects: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With that, where they go, each with the reasons.")
    ] = None,
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Add parsed corpora to a lexicon.

    CoNLL-U, CoNLL-X or CoNLL-2009, also packed (.gz, .bz2, .xz, .zst); Parquet or Arrow with the columns sentence, id,
    form, lemma, upos, head, deprel; or counts, as Parquet or TSV with the columns lexeme, path, context, count.

    A lexicon that is not there yet is made. Each file goes in whole or not at all; of several, one that is in already
    is passed over. The settings (order to join) are fixed when a lexicon is made.

    \b
    Examples:
      aptdb add english.duckdb en_ewt.conllu en_gum.conllu.gz --order 2
      aptdb add english.duckdb corpora/ --skip-invalid --rejects faults.conllu
    """
    from aptdb.lexicon import Lexicon

    meant = corpus_files(files)
    if name is not None and len(meant) > 1:
        raise typer.BadParameter("a name is for one corpus; add the files one by one", param_hint="--name")
    refuse_rejects(rejects, skip_invalid)
    refuse_missing(meant)
    done: list[Addition] = []
    with Lexicon.open(lexicon, create=True, **given_settings(parameters)) as opened:
        how: dict[str, Any] = {
            "again": again,
            "skip_invalid": skip_invalid,
            "rejects": rejects,
            "max_sentence": max_sentence,
        }
        try:
            for file, called in meant:
                if len(meant) > 1 and not again and opened.holds(file, called):
                    print_note(f"{file} is in already")
                    continue
                with following(file) as progress:
                    done.append(opened.add(file, name=name or called, progress=progress, **how))
                note_skipped(file, done[-1].skipped)
        except (AptError, KeyboardInterrupt):
            if done:
                print_note(f"{', '.join(each.corpus for each in done)} went in; then:")
            raise
    show(additions(done, with_skipped=skip_invalid), form)


def additions(done: list["Addition"], *, with_skipped: bool) -> Result:
    """What went in, a row for each corpus."""
    columns, types = ("corpus", "sentences", "tokens", "skipped"), ("VARCHAR", "BIGINT", "BIGINT", "BIGINT")
    rows = [(each.corpus, each.sentences, each.tokens, sum(each.skipped.values())) for each in done]
    width = len(columns) if with_skipped else len(columns) - 1
    return Result(columns[:width], types[:width], [row[:width] for row in rows])


def refuse_rejects(rejects: Path | None, skip_invalid: bool) -> None:
    """Raise an error where sentences at fault cannot go to the file that is named."""
    from aptdb.store.session import refuse_folder

    if rejects is None:
        return
    if not skip_invalid:
        raise typer.BadParameter("it takes the sentences that --skip-invalid leaves out", param_hint="--rejects")
    if rejects.exists():
        raise LexiconError(f"{rejects} is there already; take it away, or name another file")
    refuse_folder(rejects)


def note_skipped(file: str, skipped: dict[str, int]) -> None:
    """Say how many sentences were skipped, by kind."""
    if skipped:
        kinds = ", ".join(f"{kind} {number:,}" for kind, number in sorted(skipped.items()))
        print_note(f"{file}: {number_of(sum(skipped.values()), 'sentence')} at fault left out ({kinds})")


@command("Start")
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=FILES)],
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    form: AsFormat = None,
) -> None:
    """Read corpora and report what is wrong, adding nothing.

    Their sentences and tokens, the longest sentence, the deepest tree, relations and parts of speech, and every fault,
    by file and line. The exit status is 1 where there is one.

    \b
    Example:
      aptdb check en_ewt.conllu
    """
    from aptdb.counting.check import FAULT
    from aptdb.counting.check import check as check_one

    rows: list[tuple[str, str, str]] = []
    meant = corpus_files(files)
    refuse_missing(meant)
    for file, _ in meant:
        with patience(f"reading {file}"):
            rows += [("stdin" if file == "-" else file, *row) for row in check_one(file, max_sentence=max_sentence)]
    show(Result(("file", "property", "value"), ("VARCHAR",) * 3, rows), form)
    faults = sum(row[1] == FAULT for row in rows)
    if faults:
        print_note(f"{number_of(faults, 'fault')}; aptdb add --skip-invalid leaves out sentences that have one")
        raise typer.Exit(1)


@command("Start")
def info(lexicon: LexiconFile, form: AsFormat = None) -> None:
    """Show a lexicon's settings, corpora and sizes.

    \b
    Example:
      aptdb info english.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("looking"):
        sizes, corpora = opened.info(), opened.corpora()
    went_in = [
        (
            "corpus",
            f"{row['name']}: {contents(row)}, {row['added_at']:%Y-%m-%d}",
        )
        for row in corpora
    ]
    show(Result(sizes.columns, sizes.types, [*sizes.rows, *went_in]), form)


def contents(corpus: Mapping[str, Any]) -> str:
    """What a corpus holds, in words."""
    if corpus["kind"] == "counts":
        return "counts, without trees"
    return f"{number_of(corpus['sentences'], 'sentence')}, {number_of(corpus['tokens'], 'token')}"
