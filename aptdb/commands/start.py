"""Commands to begin with: add, sync, info."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.completion.shape import looks_like_lexicon
from aptdb.commands.notes import counting_up, print_note, report_waiting, show_progress, write_to_log
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    LongestSentence,
    given_settings,
    list_given_options,
    names_between_commas,
    note_written,
    open_lexicon,
    refuse_parameters_of_others,
    values_by_name,
    with_parameters,
)
from aptdb.commands.output import show
from aptdb.core.display import how_many
from aptdb.core.errors import AptError, LexiconError
from aptdb.core.one_line import name_first
from aptdb.core.result import Result
from aptdb.core.settings import LONGEST_SENTENCE, Given
from aptdb.corpus.corpus_files import File, corpus_files, refuse_absent_files, refuse_same_file_twice
from aptdb.store.interrupts import stopped_after

if TYPE_CHECKING:
    from aptdb.counting.add import Outcome
    from aptdb.counting.staging import Addition
    from aptdb.counting.sync import Step

MOST_NAMES = 20  # in a message


CorpusName = Annotated[str | None, typer.Option(help="Give the corpus this name. [default: the file's name]")]
Again = Annotated[bool, typer.Option("--again", help="Count the content again even if the lexicon has it already.")]
Replace = Annotated[bool, typer.Option("--replace", help="Replace the corpus of the same name, in one transaction.")]
SkipInvalid = Annotated[bool, typer.Option("--skip-invalid", help="Skip invalid sentences, and say how many.")]
Rejects = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="With --skip-invalid: write the skipped sentences to FILE, each with the reasons."
    ),
]
Meta = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Add metadata of documents from a table (.csv, .tsv, .parquet): the column document, one for each kind.",
    ),
]
Tags = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Add this to all documents, e.g. period=1890s. May be given repeatedly."),
]
SentenceMeta = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,...",
        help="Keep these comments of sentences, e.g. speaker,addressee. [default: those kept before]",
    ),
]
MetaFrom = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SOURCE:REGEX",
        help="Find metadata in sent_id, document, file, or a comment: each named group (?P<NAME>…) is a kind. May be "
        "given repeatedly.",
    ),
]

WithoutMisc = Annotated[bool, typer.Option("--without-misc", help="Store no MISC and DEPS. (They are never counted.)")]

Prefix = Annotated[
    str | None, typer.Option(metavar="TEXT", help="For lexicons: put TEXT before the names of their corpora.")
]
OF_LEXICONS = ("prefix", "max_sentence")  # options that lexicons take
InPlace = Annotated[
    bool,
    typer.Option(
        "--in-place",
        help="Read a folder of counts where it is; LEXICON is new, or was made from the same folder.",
    ),
]
Origin = Annotated[
    str | None,
    typer.Option(
        "--source", metavar="TEXT", help="Record this as the source of the corpora. [default: the file's name]"
    ),
]


@command("add", "Start")
@with_parameters(Given)
def run_add(
    context: typer.Context,
    lexicon: LexiconFile,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Corpora: files, folders, or patterns; - is standard input."),
    ],
    in_place: InPlace = False,
    prefix: Prefix = None,
    name: CorpusName = None,
    again: Again = False,
    replace: Replace = False,
    skip_invalid: SkipInvalid = False,
    rejects: Rejects = None,
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    meta: Meta = None,
    tag: Tags = None,
    sentence_meta: SentenceMeta = None,
    meta_from: MetaFrom = None,
    source: Origin = None,
    without_misc: WithoutMisc = False,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Add parsed corpora to a lexicon.

    Reads CoNLL-U, CoNLL-U Plus, CoNLL-X, CoNLL-2008 or CoNLL-2009, also compressed (.gz, .bz2, .xz, .zst); Parquet or
    Arrow with the columns sentence, id, form, lemma, upos, head, deprel; counts, as Parquet or TSV with the columns
    lexeme, path, context, count, or head, relation, dependent, count; or a folder of counts with a manifest.json.

    Creates the lexicon if it does not exist. Each file is added completely or not at all; if you name several, those
    that were added before are skipped. The settings (how the lexicon counts) are fixed when a lexicon is created. The
    comments # newdoc id, # meta:: and # doc_title are stored as metadata of documents.

    Another lexicon, if it has the same settings, is added with all of its corpora or not at all.

    With --in-place, a small lexicon reads a folder of counts where it is. Use it like any other, but it has no
    sentences to show, and takes no more corpora. If you move the folder alone, repeat the command.

    \b
    Examples:
      aptdb add english.duckdb en_ewt.conllu en_gum.conllu.gz --order 2
      aptdb add english.duckdb corpora/ --skip-invalid --rejects faults.conllu
      aptdb add gum.duckdb en_gum.conllu.gz --tag period=2010s --sentence-meta speaker
      aptdb add genres.duckdb en_gum.conllu.gz --meta-from 'document:^GUM_(?P<kind>[^_]+)'
      aptdb add english.duckdb en_ewt.conllu --replace
      aptdb add all.duckdb english.duckdb more.duckdb
      aptdb add web.duckdb COUNTS/
      aptdb add here.duckdb COUNTS/ --in-place
    """
    given = list_given_options(context)
    if any(looks_like_lexicon(each) for each in files):
        refuse_parameters_of_others(given, OF_LEXICONS, "it applies to corpora, and these are lexicons")
        add_lexicons(lexicon, files, prefix or "", max_sentence)
        return
    refuse_parameters_of_others(given, {*given} - {"prefix"}, "it needs lexicons to add")
    if in_place:
        refuse_parameters_of_others(given, ("in_place",), "it has no effect with --in-place")
        add_in_place(lexicon, files)
        return
    meant = corpus_files(files)
    if name is not None and len(meant) > 1:
        raise typer.BadParameter("it names one corpus; add the files one by one", param_hint="--name")
    refuse_rejects_file(rejects, skip_invalid)
    refuse_absent_files(meant)
    how: dict[str, Any] = {
        "again": again,
        "replace": replace,
        "skip_invalid": skip_invalid,
        "rejects": rejects,
        "max_sentence": max_sentence,
        "origin": source,
        "without_misc": without_misc,
    }
    how |= metadata_options(meta, tag, sentence_meta, meta_from)
    corpora = [(file, name or called) for file, called in meant]
    done = add_each(lexicon, corpora, given_settings(parameters), how)
    note_written(lexicon)
    show(list_additions(done, with_skipped=skip_invalid), format)


def add_lexicons(lexicon: Path, others: list[str], prefix: str, max_sentence: int) -> None:
    """Add the corpora of other lexicons. prefix: what stands before their names. Raise BadParameter for corpora."""
    if corpora := [each for each in others if not looks_like_lexicon(each)]:
        raise typer.BadParameter(f"{corpora[0]} is not a lexicon; add either lexicons or corpora", param_hint="FILE")
    with open_lexicon(lexicon, create=True) as opened:
        refuse_same_file_twice(others)
        for other in others:
            with counting_up("tokens") as progress:
                names = opened.merge(Path(other), prefix=prefix, max_sentence=max_sentence, progress=progress)
            print_note(
                f"{other}: added {', '.join(names)}" if names else f"{other}: nothing to add; all was added before"
            )


def add_in_place(lexicon: Path, folders: Sequence[str]) -> None:
    """Make a lexicon that reads a folder of counts where it is. Raise BadParameter for several."""
    from aptdb.counting.counts_folders import open_counts as open_folder

    if len(folders) > 1:
        raise typer.BadParameter("give one folder of counts", param_hint="--in-place")
    with report_waiting(f"checking {folders[0]}"):
        open_folder(folders[0], lexicon)
    print_note(f"{lexicon} reads its counts in {Path(folders[0])}; see it with: aptdb info {lexicon}")


def metadata_options(
    meta: Path | None, tag: list[str] | None, sentence_meta: str | None, meta_from: list[str] | None
) -> dict[str, Any]:
    """Return the parameters of `Lexicon.add` that say which metadata a corpus has."""
    return {
        "meta": meta,
        "tags": values_by_name(tag or [], "--tag"),
        "sentence_meta": None if sentence_meta is None else names_between_commas(sentence_meta),
        "meta_from": meta_from,
    }


def add_each(
    lexicon: Path, corpora: Sequence[File], settings: Mapping[str, Any], how: Mapping[str, Any]
) -> list["Addition"]:
    """Add corpora in order. After an error, print which were added before; after Ctrl-C, say how many are."""
    from aptdb.core.settings import check_settings
    from aptdb.counting.add import Stopped, Wanted, add_files
    from aptdb.lexicon import Lexicon
    from aptdb.store.session import Session

    done: list[Addition] = []
    there = 0
    # What replaces a corpus with new metadata is added, also with the same content.
    same_metadata = not any(how[name] for name in ("meta", "tags", "sentence_meta", "meta_from"))
    may_skip = not how["again"] and (same_metadata if how["replace"] else len(corpora) > 1)
    session = Session(lexicon, create=True, confined=True, given=check_settings(settings), at_once=False)
    wanted = [Wanted(*each) for each in corpora]
    with Lexicon(session), show_progress(corpora[0][0] if len(corpora) == 1 else "") as progress:
        try:
            for outcomes in add_files(session, wanted, {**how, "progress": progress}, skip_held=may_skip):
                there += sum(not each.error for each in outcomes)
                for each in outcomes:
                    done += [each.added] if each.added else []
                    tell_of_added(each)
        except AptError:
            if done:
                print_note(f"added {name_first([each.corpus for each in done], MOST_NAMES)}; then:")
            raise
        except KeyboardInterrupt as stopped:
            if len(corpora) == 1:
                raise
            there += stopped.there if isinstance(stopped, Stopped) else 0
            then = "; the same command continues with the others" if may_skip else f", up to {corpora[there - 1][0]}"
            raise stopped_after(there, len(corpora), then if there else "") from None
    return done


def tell_of_added(outcome: "Outcome") -> None:
    """Print that a file was added before, or which of its sentences were skipped. Raises its error."""
    if outcome.error:
        raise outcome.error
    if outcome.added is None:
        print_note(f"{outcome.wanted.file} was added before; skipped")
    else:
        note_skipped(outcome.wanted.file, outcome.added.skipped)


@command("sync", "Start")
@with_parameters(Given)
def run_sync(
    lexicon: LexiconFile,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Corpora: files, folders, or patterns.")],
    delete: Annotated[bool, typer.Option("--delete", help="Remove the corpora that are not among the files.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    skip_invalid: SkipInvalid = False,
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    meta: Meta = None,
    tag: Tags = None,
    sentence_meta: SentenceMeta = None,
    meta_from: MetaFrom = None,
    without_misc: WithoutMisc = False,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Make the corpora of a lexicon the same as some files.

    Adds what is new, replaces what has changed (a corpus of the same name with other content), keeps what is equal.
    With --delete, removes a corpus whose file is gone, or renames it if another file has its content. Each file is
    added completely or not at all; a file that cannot be added is reported, and the others are added. The exit status
    is 3 if a file failed, else 0.

    \b
    Examples:
      aptdb sync english.duckdb corpora/
      aptdb sync english.duckdb corpora/ --delete --dry-run
      aptdb sync english.duckdb 'corpora/**/*.conllu.gz' --skip-invalid --wait 600
    """
    how = metadata_options(meta, tag, sentence_meta, meta_from)
    how |= {"skip_invalid": skip_invalid, "max_sentence": max_sentence, "without_misc": without_misc}
    how |= {"delete": delete, "dry_run": dry_run}
    done: list[Step] = []
    with open_lexicon(lexicon, create=True, **given_settings(parameters)) as opened:
        try:
            with show_progress() as progress:
                answer = opened.sync(files, progress=progress, report=done.append, **how)
        except AptError:
            if changed := [each.corpus for each in done if each.action in ("add", "replace", "remove")]:
                print_note(f"done: {name_first(changed, MOST_NAMES)}; then:")
            raise
        there = [] if delete or not lexicon.exists() else opened.corpora().column("name")
    others = len({*there} - {*answer.column("corpus")})
    note_written(lexicon)
    show(answer, format)
    for each in done:
        if each.action == "fail":
            write_to_log(f"{each.corpus} failed: {each.note}")
    print_note(count_by_action(done, others, dry_run=dry_run))
    if any(each.action == "fail" for each in done):
        raise typer.Exit(SOME_FAILED)


SOME_FAILED = 3  # exit status


def count_by_action(done: Sequence["Step"], others: int, *, dry_run: bool) -> str:
    """Return the number of corpora by what was done. others: corpora that are not among the files, and stay."""
    from aptdb.counting.sync import DONE

    numbers = Counter(each.action for each in done)
    shown = ", ".join(f"{numbers[action]:,} {word}" for action, word in DONE.items() if numbers[action])
    gone = f"{how_many(others, 'corpus', 'corpora')} not among the files"
    rest = f"; {gone} (--delete removes them, or renames those that have moved)" if others else ""
    return f"{'would be ' if dry_run else ''}{shown or 'nothing to do'}{rest}"


def list_additions(done: list["Addition"], *, with_skipped: bool) -> Result:
    """Return the additions, a row for each corpus."""
    columns, types = ("corpus", "sentences", "tokens", "skipped"), ("VARCHAR", "BIGINT", "BIGINT", "BIGINT")
    rows = [(each.corpus, each.sentences, each.tokens, sum(each.skipped.values())) for each in done]
    width = len(columns) if with_skipped else len(columns) - 1
    return Result(columns[:width], types[:width], [row[:width] for row in rows])


def refuse_rejects_file(rejects: Path | None, skip_invalid: bool) -> None:
    """Raise an error if the named file cannot take the skipped sentences."""
    from aptdb.store.lexicon_file import refuse_folder

    if rejects is None:
        return
    if not skip_invalid:
        raise typer.BadParameter("it needs --skip-invalid", param_hint="--rejects")
    if rejects.exists():
        raise LexiconError(f"{rejects} exists already; delete it, or name another file")
    refuse_folder(rejects)


def note_skipped(file: str, skipped: dict[str, int]) -> None:
    """Print the number of skipped sentences, by kind of fault."""
    from aptdb.corpus.faults import count_skipped

    if found := count_skipped(skipped):
        print_note(f"{file}: {found}")
