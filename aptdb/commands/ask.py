"""Commands that ask: apt, neighbours, similarity, explain, entails, diff, sql."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from warnings import catch_warnings, simplefilter

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import (
    First,
    FormatOption,
    LexiconFile,
    MoreQuestions,
    ParserOption,
    Question,
    Second,
    note_on_features,
    note_on_weights,
    open_lexicon,
    read_named_questions,
    read_question,
    values_by_name,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.errors import QuestionError
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import Comparing, CountedFeatures, Differing, Entailing, Explaining, Neighbours
from aptdb.core.result import Result
from aptdb.store.attached import derive_attached_name

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon


@command("apt", "Ask")
@with_parameters(CountedFeatures)
def print_apt(
    lexicon: LexiconFile,
    x: Question,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show what a word occurs with, by grammatical path.

    This is its APT: on each path the contexts of the lexeme or phrase, the heaviest first. In a reduced space, they are
    those that the space expects, also where the lexicon has not met them.

    \b
    Examples:
      aptdb apt english.duckdb dog/NOUN --shift 5 --per-path 3 --show-counts
      aptdb apt english.duckdb dog/NOUN --space words --per-path 3 --show-counts
    """
    with open_lexicon(lexicon) as opened, report_waiting("gathering the APT"):
        answer = opened.apt(read_question(opened, x, parser), **parameters)
    show(answer, format)
    note_on_features(parameters, format)


@command("neighbours", "Ask")
@with_parameters(Neighbours)
def print_neighbours(
    lexicon: LexiconFile,
    x: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="X...", help="Lexemes, phrases, words, or @FILE with sentences in CoNLL-U (@- is standard input)."
        ),
    ] = None,
    file: MoreQuestions = None,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the lexemes most similar to a lexeme or phrase.

    Several questions are answered at once; each row then names its question.

    \b
    Examples:
      aptdb neighbours english.duckdb dog/NOUN --shift 5 --min-feature-count 5
      aptdb neighbours english.duckdb 'wooden floor'
      aptdb neighbours english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
      aptdb neighbours english.duckdb dog/NOUN cat/NOUN --measure lin --top 3
    """
    if not x and file is None:
        raise typer.BadParameter("give a lexeme or phrase, e.g. dog/NOUN, or a --file of them", param_hint="X")
    with open_lexicon(lexicon) as opened, report_waiting("comparing with all lexemes"):
        asked = read_named_questions(opened, x or [], file, parser)
        if len(asked) == len(x or []) == 1:
            answer = opened.neighbours(*asked.values(), **parameters)
        else:
            answer = opened.neighbours_each(asked, **parameters)
    show(answer, format)
    note_on_weights(parameters, format)


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
    note_on_weights(parameters, format)


@command("explain", "Ask")
@with_parameters(Explaining)
def print_explain(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show why two lexemes or phrases are similar.

    Lists the features that they share, and how much each adds to their similarity. The last row sums up all other
    features, so that the column adds up to the similarity.

    \b
    Example:
      aptdb explain english.duckdb dog/NOUN cat/NOUN --top 10
    """
    with open_lexicon(lexicon) as opened, report_waiting("comparing"):
        answer = opened.explain(read_question(opened, a, parser), read_question(opened, b, parser), **parameters)
    show(answer, format, absent={"path": "…", "context": "all others"})
    note_on_weights(parameters, format)


@command("entails", "Ask")
@with_parameters(Entailing)
def print_entails(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show what speaks against one word or phrase entailing another.

    These are the features of A that B lacks, with their share of all weights of A: a dog is an animal, so animal should
    occur wherever dog does. Below a table stand the directed measures of both ways.

    \b
    Examples:
      aptdb entails english.duckdb dog/NOUN animal/NOUN --shift 5
      aptdb entails english.duckdb 'small dog' dog/NOUN --merge min
    """
    with open_lexicon(lexicon) as opened, report_waiting("comparing"):
        both = [read_question(opened, each, parser) for each in (a, b)]
        answer = opened.entails(*both, **parameters)
        notes = both_ways(opened, both, parameters) if choose_format(format) is AnswerFormat.table else []
    show(answer, format)
    for note in notes:
        print_note(note)
    note_on_weights(parameters, format)


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


@command("diff", "Ask")
@with_parameters(Differing)
def print_diff(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how the contexts of two lexemes or phrases differ.

    On each path: contexts that are typical of A (a), of both (both), and of B (b).

    \b
    Example:
      aptdb diff english.duckdb dog/NOUN cat/NOUN --max-order 1 --per-path 3
    """
    with open_lexicon(lexicon) as opened, report_waiting("comparing"):
        answer = opened.diff(read_question(opened, a, parser), read_question(opened, b, parser), **parameters)
    show(answer, format)
    note_on_weights(parameters, format)


@command("sql", "Ask")
def print_sql_answer(
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
    format: FormatOption = None,
) -> None:
    """Run a SELECT of your own. It cannot change anything, or reach a file that is not attached.

    All that only reads is one: FROM, WITH, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE, and EXPLAIN of each.

    \b
    Examples:
      aptdb sql english.duckdb "FROM lexemes ORDER BY frequency DESC LIMIT 10"
      aptdb sql english.duckdb "FROM ppmi(shift := 5) WHERE lexeme = 'good/ADJ' ORDER BY weight DESC"
      aptdb sql english.duckdb 'FROM lexemes WHERE pos = $pos LIMIT 10' -p pos=VERB
      aptdb sql english.duckdb 'FROM lexemes ANTI JOIN other.lexemes USING (lexeme)' --attach other.duckdb
    """
    text = query_of(query, file)
    values = {name: number_or_text(value) for name, value in values_by_name(parameter or [], "--parameter").items()}
    others = files_by_name(attach or [])
    with open_lexicon(lexicon, confined=True, attach=others) as opened, report_waiting("running the query"):
        answer = opened.sql(text, values or None)
    show(answer, format)


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
