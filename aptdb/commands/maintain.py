"""Commands that look after a lexicon: info, remove, rebuild, verify, backup, compact, migrate."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.completion.describe_commands import names_default_lexicon
from aptdb.commands.completion.shape import looks_like_lexicon
from aptdb.commands.notes import counting_up, print_note, report_waiting
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    LongestSentence,
    given_settings,
    make_output_option,
    open_lexicon,
    refuse_parameters_of_others,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.commands.pictures import PlotOption, TitleOption, draw_plot, is_plotted
from aptdb.core.display import how_many
from aptdb.core.one_line import escape_bytes
from aptdb.core.result import Result
from aptdb.core.settings import LONGEST_SENTENCE, Given
from aptdb.corpus.corpus_files import corpus_files, refuse_absent_files

if TYPE_CHECKING:
    from aptdb.counting.consistency import Difference

SHOWN = 20  # rows that differ; of a lexicon that has lost its counts there may be millions

# Kinds of differences that are mended by counting the trees again.
SUMS = {"count", "marginal", "total of the path", "total of the lexeme"}
COUNTED = {*SUMS, *(f"direct {each}" for each in SUMS), "symmetry", "lexeme", "path", "node", "cooccurrence"}

ENTRIES = {"entry", "weight of the entry"}  # those that are mended by composing again


@command("remove", "Maintain")
def run_remove(
    lexicon: LexiconFile,
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="The name of the corpus, as aptdb info shows it.")],
) -> None:
    """Remove a corpus from a lexicon.

    Subtracts exactly what the corpus added, whatever else was added later.

    \b
    Example:
      aptdb remove english.duckdb en_gum.conllu.gz
    """
    with open_lexicon(lexicon) as opened, report_waiting(f"removing {corpus}"):
        opened.remove(corpus)
    print_note(f"{corpus} is removed from {lexicon}")


@command("rebuild", "Maintain")
@with_parameters(Given)
def run_rebuild(
    lexicon: LexiconFile,
    new: Annotated[Path, make_output_option("a new lexicon", metavar="NEW")],
    where: Annotated[
        str | None,
        typer.Option(metavar="CONDITION", help="Count only sentences that fulfil a condition, as of aptdb subcorpus."),
    ] = None,
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    *,
    parameters: dict[str, Any],
) -> None:
    """Count the stored trees again with other settings.

    Does not need the original files. Settings that you do not give stay as they are. With --where, only a part of the
    sentences is counted. The new lexicon has no weightings, subcorpora, entries or evaluations yet.

    \b
    Example:
      aptdb rebuild english.duckdb --order 3 --exclude-upos PUNCT -o english3.duckdb
    """
    with open_lexicon(lexicon) as opened, counting_up("tokens") as progress:
        opened.rebuild(new, where=where, max_sentence=max_sentence, progress=progress, **given_settings(parameters))
    print_note(f"{new} is made; look at it by: aptdb info {new}")


@command("verify", "Maintain")
def run_verify(
    context: typer.Context,
    lexicon_or_files: Annotated[
        list[str],
        typer.Argument(
            metavar="LEXICON|FILE...",
            help="A lexicon, a DuckDB file; or corpora: files, folders, or patterns; - is standard input.",
        ),
    ],
    max_sentence: LongestSentence = LONGEST_SENTENCE,
    format: FormatOption = None,
) -> None:
    """Recount a lexicon, or read corpora, and report what is wrong.

    Of a lexicon: counts the stored trees again; checks that marginals and totals are the sums of the counts, that
    counts are the same from both ends, that stored weights match their definition, and entries their phrases; and
    reads everything else. Lists up to 20 rows that differ. Never changes the file.

    Of corpora: shows the number of sentences and tokens, the longest sentence, the deepest tree, relations and parts
    of speech, and every fault with file and line. The exit status is 1 if something is wrong.

    \b
    Examples:
      aptdb verify english.duckdb
      aptdb verify en_ewt.conllu
    """
    first, *others = lexicon_or_files
    lexicons = [each for each in lexicon_or_files if looks_like_lexicon(each)]
    if names_default_lexicon(context) or lexicons:
        if others:
            shown = lexicons[0] if lexicons else first
            raise typer.BadParameter(f"{shown} is a lexicon; give either one lexicon or corpora", param_hint="FILE")
        verify_lexicon(Path(first), max_sentence, format)
    else:
        verify_corpora(lexicon_or_files, max_sentence, format)


def verify_corpora(files: list[str], max_sentence: int, format: AnswerFormat | None) -> None:
    """Read corpora, and show what they have and what is wrong."""
    from aptdb.counting.check import FAULT
    from aptdb.counting.check import check as check_one

    rows: list[tuple[str, str, str]] = []
    meant = corpus_files(files)
    refuse_absent_files(meant)
    for file, _ in meant:
        with report_waiting(f"reading {file}"):
            found = check_one(file, max_sentence=max_sentence)
        rows += [("stdin" if file == "-" else escape_bytes(file), *row) for row in found]
    show(Result(("file", "property", "value"), ("VARCHAR",) * 3, rows), format)
    faults = sum(row[1] == FAULT for row in rows)
    if faults:
        print_note(f"{how_many(faults, 'fault')}; aptdb add --skip-invalid skips the sentences that have one")
        raise typer.Exit(1)


def verify_lexicon(lexicon: Path, max_sentence: int, format: AnswerFormat | None) -> None:
    """Recount a lexicon, and show up to SHOWN rows that differ."""
    with open_lexicon(lexicon) as opened, counting_up("tokens") as progress:
        answer = opened.verify(max_sentence=max_sentence, progress=progress)
    if answer.rows or format is not None:
        show(answer[:SHOWN], format)
    if not answer.rows:
        print_note(f"{lexicon} is correct: its counts, marginals, totals and stored weights agree with its corpora")
        return
    wrong, more = how_many(len(answer.rows), "row"), len(answer.rows) - SHOWN
    left_out = f" (the first are shown; Lexicon.verify in Python returns all {more + SHOWN:,})" if more > 0 else ""
    print_note(f"{lexicon}: {wrong} not as they should be{left_out}; {mend_of(answer.differences, lexicon)}")
    raise typer.Exit(1)


def mend_of(differences: Sequence["Difference"], lexicon: Path) -> str:
    """Return the advice for a lexicon with these differences."""
    others = {each.kind for each in differences if each.weighting is None}
    if not others:
        names = sorted({str(each.weighting) for each in differences})
        return "; ".join(f"compute the weights again: aptdb refresh {lexicon} {name}" for name in names)
    if others <= {"subcorpus"}:
        return f"count the subcorpora again: aptdb refresh {lexicon} NAME --kind subcorpora"
    if others <= ENTRIES:
        return f"save the entries again, or delete each: aptdb forget {lexicon} NAME --kind entries"
    if others <= COUNTED:
        return f"the trees are whole; count them again: aptdb rebuild {lexicon} -o NEW"
    return "use a backup copy, or make the lexicon again from the files of its corpora"


@command("backup", "Maintain")
def run_backup(
    lexicon: LexiconFile,
    copy: Annotated[Path, typer.Argument(metavar="COPY", help="The file of the copy; an older copy is replaced.")],
) -> None:
    """Copy a lexicon, also while it is in use.

    Others may use it meanwhile; what they add is not in the copy. The copy is checked, and then replaces an older one
    in one step. A program that has the older one open continues to read it.

    \b
    Examples:
      aptdb backup english.duckdb backups/english.duckdb
      aptdb backup work.duckdb public.duckdb
    """
    from aptdb.store.lexicon_copies import backup as copy_whole

    with report_waiting("copying"):
        copy_whole(lexicon, copy)
    print_note(f"{copy} is a copy of {lexicon}, {copy.stat().st_size / 1e6:,.1f} MB")


@command("compact", "Maintain")
def run_compact(lexicon: LexiconFile) -> None:
    """Sort the counts, and free unused space.

    This also happens from time to time when corpora are added.

    \b
    Example:
      aptdb compact english.duckdb
    """
    before = lexicon.stat().st_size if lexicon.is_file() else 0
    with open_lexicon(lexicon) as opened, report_waiting("sorting the counts"):
        opened.compact()
    print_note(f"{lexicon}: {before / 1e6:,.1f} MB before, {lexicon.stat().st_size / 1e6:,.1f} MB now")


@command("migrate", "Maintain")
def run_migrate(
    lexicon: Annotated[Path, typer.Argument(metavar="LEXICON", readable=False, help="A lexicon of an older version.")],
    exported: Annotated[
        Path | None,
        typer.Option(
            "--exported",
            metavar="FOLDER",
            help="Make the new file LEXICON from a folder that another version of DuckDB has exported.",
        ),
    ] = None,
) -> None:
    """Update an older lexicon to this version.

    Updates the tables; then, in a lexicon of schema 0013 or before, counts direct pairs from the stored trees. Each of
    the two changes the file completely or not at all.

    If this version of DuckDB cannot read the file, export it with one that can: EXPORT DATABASE 'FOLDER' (FORMAT
    parquet). Then make a new file from the folder (--exported). Tables of your own are not copied.

    \b
    Examples:
      aptdb migrate english.duckdb
      aptdb migrate new.duckdb --exported folder
    """
    from aptdb.lexicon import Lexicon
    from aptdb.store import version

    with counting_up("tokens") as progress:
        found = Lexicon.migrate(lexicon, exported=exported, progress=progress)
    came = "was up to date" if found == version.REVISION else f"came from schema {found}"
    print_note(f"{lexicon} is at schema {version.REVISION}; it {came}")


@command("info", "Start")
def print_info(
    lexicon: LexiconFile,
    corpora: Annotated[
        bool, typer.Option("--corpora", help="List the corpora, with their sources, sizes, versions and sha256.")
    ] = False,
    plot: PlotOption = None,
    title: TitleOption = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report on the lexicon to FILE, a page of HTML.")
    ] = None,
    word: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEXEME",
            help="With --report: show the neighbours and collocates of this word. May be given repeatedly. [default: "
            "frequent words]",
        ),
    ] = None,
    format: FormatOption = None,
) -> None:
    """Show the settings, corpora and sizes of a lexicon.

    With --corpora, shows for each corpus its kind (trees, or counts without trees), its source, its numbers of
    sentences, tokens and skipped sentences, when and by which version it was added, and the sha256 of its content.

    With --plot, draws how the vocabulary grows with the text. With --report, writes one page with the settings,
    corpora, sizes, frequency curves, orders, paths, example words and past evaluations. It has plots after: pip
    install 'aptdb[plot]'.

    \b
    Examples:
      aptdb info english.duckdb
      aptdb info english.duckdb --corpora
      aptdb info english.duckdb --plot growth.svg
      aptdb info english.duckdb --report report.html --word dog/NOUN --word cat/NOUN
    """
    if word and report is None:
        raise typer.BadParameter("it needs --report", param_hint="--word")
    if is_plotted(plot, title):
        others = {"corpora": corpora, "report": report, "format": format}
        draw_plot(lexicon, plot, "point", lambda opened: opened.plot.growth(), title, **others)
    elif report is not None:
        given = [name for name, value in {"corpora": corpora, "format": format}.items() if value]
        refuse_parameters_of_others(given, (), "it cannot be used with --report")
        with open_lexicon(lexicon) as opened, report_waiting("writing the report"):
            opened.eval.report(report, words=word)
        print_note(f"{report} is written")
    elif corpora:
        show_corpora(lexicon, format)
    else:
        show_sizes(lexicon, format)


def show_corpora(lexicon: Path, format: AnswerFormat | None) -> None:
    """Print the corpora in a lexicon."""
    with open_lexicon(lexicon) as opened:
        answer = opened.corpora()
    if choose_format(format) is AnswerFormat.table:
        answer = answer.without("kind", "trees").without("skipped", 0)
        if answer.column("source") == answer.column("name"):
            answer = answer.but("source")
    show(answer, format)


def show_sizes(lexicon: Path, format: AnswerFormat | None) -> None:
    """Print the settings, sizes and corpora of a lexicon."""
    with open_lexicon(lexicon) as opened, report_waiting("looking"):
        sizes, corpora = opened.info(), opened.corpora()
    went_in = [("corpus", f"{row['name']}: {describe_contents(row)}, {row['added_at']:%Y-%m-%d}") for row in corpora]
    show(Result(sizes.columns, sizes.types, [*sizes.rows, *went_in]), format)


def describe_contents(corpus: Mapping[str, Any]) -> str:
    """Return the contents of a corpus, in words."""
    went_in = f"{how_many(corpus['sentences'], 'sentence')}, {how_many(corpus['tokens'], 'token')}"
    if corpus["kind"] == "counts":
        return f"counts, without trees{f', of {went_in}' if corpus['tokens'] else ''}"
    return went_in
