"""Commands that ask: neighbours, similarity, explain, sql."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from warnings import catch_warnings, simplefilter

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import counting_up, print_note, report_waiting
from aptdb.commands.options import (
    First,
    FormatOption,
    LexiconFile,
    MoreQuestions,
    ParserOption,
    Second,
    SeveralQuestions,
    find_only_one,
    list_given,
    list_given_options,
    make_output_option,
    open_lexicon,
    options_of,
    read_named_questions,
    read_question,
    refuse_no_question,
    refuse_parameters_of_others,
    values_by_name,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.commands.pictures import (
    EdgesOption,
    GroupsOption,
    GroupsSeed,
    PlotOption,
    TitleOption,
    draw_neighbours,
    is_plotted,
    read_groups_options,
)
from aptdb.core.errors import QuestionError
from aptdb.core.parameters import declared
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import (
    Comparing,
    Contextualising,
    Differing,
    Entailing,
    Explaining,
    Neighbours,
    Thesaurus,
)
from aptdb.core.result import Result
from aptdb.store.attached import derive_attached_name
from aptdb.store.interrupts import status
from aptdb.store.question_sql import is_sql_wanted

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon


@command("neighbours", "Ask")
@with_parameters(Neighbours)
def print_neighbours(
    lexicon: LexiconFile,
    x: SeveralQuestions = None,
    file: MoreQuestions = None,
    in_context: Annotated[
        bool, typer.Option("--in-context", help="Show those of each word of a phrase, alone and in the phrase.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Write those of every lexeme to the file of -o.")] = False,
    output: Annotated[Path | None, make_output_option("a .parquet or .tsv file, with --all")] = None,
    parser: ParserOption = None,
    plot: PlotOption = None,
    title: TitleOption = None,
    groups: GroupsOption = False,
    edges: EdgesOption = None,
    seed: GroupsSeed = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the lexemes most similar to a lexeme or phrase.

    Several questions are answered at once; each row then names its question. With --plot they are bars and, with
    --groups, a graph. Its groups are found by Chinese Whispers on the neighbours alone, without their sentences: a word
    that has two meanings may have two groups. aptdb senses groups its occurrences, and tells more meanings apart.

    With --in-context, the neighbours of each word alone stand beside those of the composed phrase anchored at that
    word. --smooth applies to both, but not to the lexemes that are ranked.

    With --all, every lexeme is taken that is frequent enough to be a neighbour itself, the most frequent first. If you
    stop it, it leaves its work in FILE.parts, and the same command goes on from there. Where their vectors fit the
    memory, those by the cosine are found several times faster with: pip install 'aptdb[thesaurus]'.

    \b
    Examples:
      aptdb neighbours english.duckdb dog/NOUN --shift 5
      aptdb neighbours english.duckdb 'wooden floor'
      aptdb neighbours english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
      aptdb neighbours english.duckdb dog/NOUN cat/NOUN --measure lin --top 3
      aptdb neighbours english.duckdb 'dog/NOUN[amod small/ADJ]' --in-context
      aptdb neighbours english.duckdb --all --min-frequency 2 -o thesaurus.tsv
      aptdb neighbours english.duckdb 'dog/NOUN[amod small/ADJ]' --plot dogs.svg
    """
    if every:
        if x:
            raise typer.BadParameter("it is about all lexemes; leave out X", param_hint="--all")
        others = list_given(file=file, in_context=in_context, parser=parser, format=format, show_sql=is_sql_wanted())
        refuse_parameters_of_others([*others, *parameters], declared(Thesaurus), "--all does not take it")
        write_all_neighbours(lexicon, output, parameters)
        return
    refuse_parameters_of_others(list_given(output=output), (), "it goes with --all")
    refuse_no_question(x, file)
    of_graph = read_groups_options(plot, groups, edges=edges, seed=seed)
    if is_plotted(plot, title):
        refused: dict[str, Any] = {"in_context": in_context, "file": file, "format": format}
        how: dict[str, Any] = {"title": title, "parser": parser, "groups": of_graph}
        draw_neighbours(lexicon, x or [], plot, parameters, **how, **refused)
        return
    if in_context:
        refuse_parameters_of_others(parameters, declared(Contextualising), "--in-context does not take it")
    with open_lexicon(lexicon) as opened, report_waiting("comparing with all lexemes"):
        asked = read_named_questions(opened, x or [], file, parser)
        if in_context:
            answer = opened.contextualise(find_only_one(asked, "--in-context"), **parameters)
        elif len(asked) == len(x or []) == 1:
            answer = opened.neighbours(*asked.values(), **parameters)
        else:
            answer = opened.neighbours_each(asked, **parameters)
    show(answer, format)


def write_all_neighbours(lexicon: Path, file: Path | None, parameters: dict[str, Any]) -> None:
    """Write the neighbours of every lexeme to a file; where that is stopped, say whether the next call goes on."""
    from aptdb.questions.thesaurus import folder_of, has_no_parts

    if file is None:
        raise typer.BadParameter("it writes to a file; name it, e.g. -o thesaurus.tsv", param_hint="--all")
    try:
        with open_lexicon(lexicon) as opened, counting_up("lexemes") as progress:
            written = opened.thesaurus(file, progress=progress, **parameters)
    except KeyboardInterrupt:
        is_anew = has_no_parts(folder_of(file))
        then = "no part is kept, so the same command begins anew" if is_anew else "the same command goes on from there"
        print_note(f"stopped; {then}")
        raise typer.Exit(status()) from None
    print_note(f"{file}: {written:,} rows")


@command("similarity", "Ask")
@with_parameters(Comparing)
def print_similarity(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how similar two lexemes or phrases are.

    This is the cosine of their vectors, or another measure. weeds_precision, weeds_recall, cl, inv_cl, apinc and
    bal_apinc go from A to B: exchange the two and the answer differs.

    \b
    Examples:
      aptdb similarity english.duckdb dog/NOUN 'cat/NOUN[amod small/ADJ]'
      aptdb similarity english.duckdb dog/NOUN cat/NOUN --measure weeds_precision
      aptdb similarity english.duckdb 'dog/NOUN[amod small/ADJ]' 'dog/NOUN[amod good/ADJ]' --anchor 2
    """
    with open_lexicon(lexicon) as opened, report_waiting("comparing"):
        value = opened.similarity(read_question(opened, a, parser), read_question(opened, b, parser), **parameters)
    show(Result(("similarity",), ("DOUBLE",), [(value,)]), format)


@command("explain", "Ask")
@with_parameters(options_of(Explaining) | options_of(Entailing) | options_of(Differing))
def print_explain(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    differences: Annotated[
        bool, typer.Option("--differences", help="Show how their contexts differ, path by path.")
    ] = False,
    entailment: Annotated[
        bool, typer.Option("--entailment", help="Show what speaks against A entailing B: features that B lacks.")
    ] = False,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show why two lexemes or phrases are similar, or how they differ.

    Lists the features that they share, and how much each adds to their similarity. The last row sums up all other
    features, so that the column adds up to the similarity.

    With --differences, on each path: contexts that are typical of A (a), of both (both), and of B (b).

    With --entailment, the features of A that B lacks, with their share of all weights of A: a dog is an animal, so
    animal should occur wherever dog does. Below a table stand the directed measures of both ways.

    \b
    Examples:
      aptdb explain english.duckdb dog/NOUN cat/NOUN --top 10
      aptdb explain english.duckdb dog/NOUN cat/NOUN --differences --max-order 1 --per-path 3
      aptdb explain english.duckdb dog/NOUN animal/NOUN --entailment --shift 5
      aptdb explain english.duckdb 'small dog' dog/NOUN --entailment --merge min
    """
    refuse_other_explanations(parameters, differences=differences, entailment=entailment)
    notes: list[str] = []
    with open_lexicon(lexicon) as opened, report_waiting("comparing"):
        both = [read_question(opened, each, parser) for each in (a, b)]
        if entailment:
            answer = opened.entails(*both, **parameters)
            notes = both_ways(opened, both, parameters) if choose_format(format) is AnswerFormat.table else []
        else:
            answer = (opened.diff if differences else opened.explain)(*both, **parameters)
    show(answer, format, absent=None if differences or entailment else {"path": "…", "context": "all others"})
    for note in notes:
        print_note(note)


def refuse_other_explanations(parameters: Mapping[str, Any], *, differences: bool, entailment: bool) -> None:
    """Raise BadParameter for parameters that are not of what is to be shown of two."""
    if differences and entailment:
        raise typer.BadParameter("--differences and --entailment exclude each other", param_hint="--differences")
    mode, taken = ("--differences", Differing) if differences else ("--entailment", Entailing)
    if differences or entailment:
        refuse_parameters_of_others(parameters, declared(taken), f"{mode} does not take it")
    else:
        refuse_parameters_of_others(parameters, declared(Explaining), "it goes with --differences")


def both_ways(opened: "Lexicon", both: Sequence[Phrase | str], parameters: Mapping[str, Any]) -> list[str]:
    """Return the directed measures of two questions, and of the two turned round."""
    turned = dict(parameters)
    for name in ("anchor", "subcorpus"):
        other = turned.pop(f"{name}_b", None)
        if other is not None:
            turned |= {name: other} | ({f"{name}_b": parameters[name]} if parameters.get(name) is not None else {})
    found = []
    for measure in ("weeds_precision", "apinc"):
        given = [{**each, "measure": measure} for each in (parameters, turned)]
        for each in given:
            each.pop("top", None)
        with catch_warnings():
            simplefilter("ignore")  # what is read, or stale, was said before
            there, back = opened.similarity(*both, **given[0]), opened.similarity(both[1], both[0], **given[1])
        shown = ["undefined" if value is None else f"{value:.4f}" for value in (there, back)]
        found.append(f"{measure} {shown[0]}; turned round {shown[1]}")
    return found


@command("sql", "Ask")
def print_sql_answer(
    context: typer.Context,
    lexicon: LexiconFile,
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help="One SELECT; - reads it from standard input.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="Read the SELECT from this file.")] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            "-p",
            metavar="NAME=VALUE",
            help="What $NAME stands for in it; a number in single quotes is text. May be given repeatedly.",
        ),
    ] = None,
    attach: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]FILE",
            help="Another lexicon or DuckDB file that it may read, as NAME.TABLE: tables and views, but not the macros "
            "of a lexicon. The name of a file is its file name without the ending. May be given repeatedly.",
        ),
    ] = None,
    definitions: Annotated[
        bool,
        typer.Option("--definitions", help="Print the functions of the lexicon for another database that attaches it."),
    ] = False,
    catalog: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="With --definitions: the name that it attaches the lexicon as."),
    ] = None,
    format: FormatOption = None,
) -> None:
    """Run a SELECT of your own. It cannot change anything, or reach a file that is not attached.

    All that only reads is one: FROM, WITH, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE, and EXPLAIN of each.

    The functions of an attached lexicon work after USE alone; its tables and views work without. Run what --definitions
    prints in the database that you use, and they are there in the schema in_NAME, of two lexicons at once if you like.
    When the lexicon changes, these functions end with an error, until --definitions is run again.

    \b
    Examples:
      aptdb sql english.duckdb "FROM lexemes ORDER BY frequency DESC LIMIT 10"
      aptdb sql english.duckdb "FROM ppmi(shift := 5) WHERE lexeme = 'good/ADJ' ORDER BY weight DESC"
      aptdb sql english.duckdb 'FROM lexemes WHERE pos = $pos LIMIT 10' -p pos=VERB
      aptdb sql english.duckdb 'FROM lexemes ANTI JOIN other.lexemes USING (lexeme)' --attach other.duckdb
      aptdb sql english.duckdb --definitions --as english > english.sql
      duckdb mine.duckdb -c "ATTACH 'english.duckdb' AS english (READ_ONLY)" \\
        -c ".read english.sql" -c "FROM in_english.neighbours('dog/NOUN')"
    """
    if definitions or catalog is not None:
        print_definitions(context, lexicon, query, catalog)
        return
    text = query_of(query, file)
    values = {name: number_or_text(value) for name, value in values_by_name(parameter or [], "--parameter").items()}
    others = files_by_name(attach or [])
    with open_lexicon(lexicon, confined=True, attach=others) as opened, report_waiting("running the query"):
        answer = opened.sql(text, values or None)
    show(answer, format)


def print_definitions(context: typer.Context, lexicon: Path, query: str | None, catalog: str | None) -> None:
    """Print the functions of a lexicon for another database, which attaches it as `catalog`. Raise BadParameter."""
    given = list_given_options(context)
    if not {"definitions", "catalog"} <= {*given}:
        raise typer.BadParameter("--definitions and --as NAME go together")
    refuse_parameters_of_others(given, ("definitions", "catalog"), "it does not go with --definitions")
    if query is not None:
        raise typer.BadParameter("--definitions takes none", param_hint="QUERY")
    with open_lexicon(lexicon) as opened:
        typer.echo(opened.definitions(str(catalog)))


def query_of(query: str | None, file: Path | None) -> str:
    """Return the text of a query, from an argument, standard input or a file."""
    if (query is None) == (file is None):
        raise typer.BadParameter("give the query, or a --file that has it", param_hint="QUERY")
    if file is None:
        return sys.stdin.read() if query == "-" else str(query)
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise QuestionError(f"{file} cannot be read: {reason}") from error


def files_by_name(written: Sequence[str]) -> dict[str, str]:
    """Return the files to attach by their names, from FILE or NAME=FILE."""
    found: dict[str, str] = {}
    for each in written:
        name, sign, file = each.partition("=")
        if not (sign and name.isidentifier()):
            name, file = derive_attached_name(Path(each)), each
        if found.setdefault(name, file) != file:
            raise typer.BadParameter(
                f"{found[name]} and {file} would both be called {name}; give one another name: NAME={file}",
                param_hint="--attach",
            )
    return found


def number_or_text(value: str) -> int | float | str:
    """Return the value of a parameter: a number if it is written as one; text in single quotes."""
    if re.fullmatch(r"'.*'", value, re.DOTALL):
        return value[1:-1]
    if re.fullmatch(r"-?(0|[1-9]\d{0,17})", value):
        return int(value)
    return float(value) if re.fullmatch(r"-?(0|[1-9]\d*)\.\d+", value) else value
