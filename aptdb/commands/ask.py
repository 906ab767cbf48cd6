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
        bool, typer.Option("--in-context", help="Compare each word of a phrase alone with the word in the phrase.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Write neighbours of all lexemes to the file of -o.")] = False,
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

    Several questions are answered at once; each row then names its question. With --plot, draws bars or, with
    --groups, a graph of the neighbours in groups (Chinese Whispers). A group holds neighbours
    that are similar to each other, so that a word with two meanings may have two groups. aptdb senses looks at the
    single occurrences of the word, and finds meanings that such groups miss.

    With --in-context, shows for each word of a phrase its neighbours alone, and those of the composed phrase anchored
    at that word. --smooth applies to both, but not to the lexemes that are ranked.

    With --all, writes the neighbours of every lexeme that is frequent enough to be a neighbour, the most frequent
    first. If you stop it, the same command continues from FILE.parts. If the vectors fit into memory, cosine is
    several times faster after: pip install 'aptdb[thesaurus]'.

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
            raise typer.BadParameter("it takes all lexemes; leave out X", param_hint="--all")
        others = list_given(file=file, in_context=in_context, parser=parser, format=format, show_sql=is_sql_wanted())
        refuse_parameters_of_others([*others, *parameters], declared(Thesaurus), "it has no effect with --all")
        write_all_neighbours(lexicon, output, parameters)
        return
    refuse_parameters_of_others(list_given(output=output), (), "it needs --all")
    refuse_no_question(x, file)
    of_graph = read_groups_options(plot, groups, edges=edges, seed=seed)
    if is_plotted(plot, title):
        refused: dict[str, Any] = {"in_context": in_context, "file": file, "format": format}
        how: dict[str, Any] = {"title": title, "parser": parser, "groups": of_graph}
        draw_neighbours(lexicon, x or [], plot, parameters, **how, **refused)
        return
    if in_context:
        refuse_parameters_of_others(parameters, declared(Contextualising), "it has no effect with --in-context")
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
        raise typer.BadParameter("name the file to write, e.g. -o thesaurus.tsv", param_hint="--all")
    try:
        with open_lexicon(lexicon) as opened, counting_up("lexemes") as progress:
            written = opened.thesaurus(file, progress=progress, **parameters)
    except KeyboardInterrupt:
        is_anew = has_no_parts(folder_of(file))
        then = "nothing is stored; the same command starts again" if is_anew else "the same command continues it"
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
    bal_apinc are directed: from A to B and from B to A they differ.

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

    Lists the features that they share, and how much each adds to their similarity. The last row is the sum of all
    other features, so the column adds up to the similarity.

    With --differences, lists for each path the contexts that are typical of A (a), of both (both), and of B (b).

    With --entailment, lists the features of A that B lacks, each with its share of all weights of A: a dog is an
    animal, so animal should occur wherever dog does. Below a table are the directed measures in both directions.

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
        refuse_parameters_of_others(parameters, declared(taken), f"it has no effect with {mode}")
    else:
        refuse_parameters_of_others(parameters, declared(Explaining), "it needs --differences")


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
        found.append(f"{measure} {shown[0]}; the other way {shown[1]}")
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
            help="The value of $NAME in the query; a number in single quotes is text. May be given repeatedly.",
        ),
    ] = None,
    attach: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]FILE",
            help="Another lexicon or DuckDB file, whose tables and views (not functions) the query reads as "
            "NAME.TABLE. NAME is the file name without its ending, if not given. May be given repeatedly.",
        ),
    ] = None,
    definitions: Annotated[
        bool,
        typer.Option("--definitions", help="Print the functions of the lexicon for another database that attaches it."),
    ] = False,
    catalog: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="With --definitions: the name under which it attaches the lexicon."),
    ] = None,
    format: FormatOption = None,
) -> None:
    """Run a SELECT of your own. It changes nothing, and reads only attached files.

    It may also begin with FROM, WITH, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN.

    In DuckDB, the tables and views of an attached lexicon work at once, its functions only after USE. For functions
    without USE, also those of several lexicons at once, run the output of --definitions: it makes them in the schema
    in_NAME. When the lexicon changes, they end with an error until you run --definitions again.

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
        raise typer.BadParameter("give --definitions and --as NAME together")
    refuse_parameters_of_others(given, ("definitions", "catalog"), "it has no effect with --definitions")
    if query is not None:
        raise typer.BadParameter("leave it out with --definitions", param_hint="QUERY")
    with open_lexicon(lexicon) as opened:
        typer.echo(opened.definitions(str(catalog)))


def query_of(query: str | None, file: Path | None) -> str:
    """Return the text of a query, from an argument, standard input or a file."""
    if (query is None) == (file is None):
        raise typer.BadParameter("give either a query or a --file with one", param_hint="QUERY")
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
                f"{found[name]} and {file} have the same name, {name}; give one of them another: NAME={file}",
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
