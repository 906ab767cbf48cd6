"""The commands that ask: apt, neighbours, similarity, explain, diff, evidence, sql."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.options import (
    First,
    FormatOption,
    LexiconFile,
    MoreQuestions,
    Question,
    Second,
    question,
    questions,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, chosen, nothing_passes, patience, show, under
from aptdb.commands.settings import names_between_commas, pairs_of
from aptdb.errors import QuestionError
from aptdb.parameters.phrases import Features
from aptdb.parameters.questions import Comparing, Differing, Evidence, Explaining, Frames, Neighbours
from aptdb.result import Result

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon

ANY = "*"
CONCORDANCE = 100  # lines that a terminal shows if nothing is said
BESIDE = 44  # characters of a concordance before and after the keyword


@command("Ask")
@with_parameters(Features)
def apt(
    lexicon: LexiconFile,
    x: Question,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show what a word occurs with, by grammatical path.

    This is its APT: on each path the contexts of the lexeme or phrase, the heaviest first.

    \b
    Example:
      aptdb apt english.duckdb dog/NOUN --shift 5 --per-path 3
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("gathering the APT"):
        answer = opened.apt(question(opened, x), **parameters)
    if not len(answer) and parameters.get("top") != 0:
        print_note(nothing_passes(x, parameters))
    show(answer, format)


@command("Ask")
@with_parameters(Neighbours)
def neighbours(
    lexicon: LexiconFile,
    x: Annotated[
        list[str] | None,
        typer.Argument(metavar="X...", help="Lexemes, phrases, or @FILE with sentences in CoNLL-U."),
    ] = None,
    file: MoreQuestions = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the lexemes most similar to a lexeme or phrase.

    Several questions are answered at once; each row then names its question.

    \b
    Examples:
      aptdb neighbours english.duckdb dog/NOUN --shift 5 --min-feature-count 5
      aptdb neighbours english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
      aptdb neighbours english.duckdb dog/NOUN cat/NOUN --measure lin --top 3
    """
    from aptdb.lexicon import Lexicon

    if not x and file is None:
        raise typer.BadParameter("give a lexeme or phrase, e.g. dog/NOUN, or a --file of them", param_hint="X")
    with Lexicon.open(lexicon) as opened, patience("comparing with all lexemes"):
        asked = questions(opened, x or [], file)
        if len(asked) == len(x or []) == 1:
            answer = opened.neighbours(*asked.values(), **parameters)
        else:
            answer = opened.neighbours_each(asked, **parameters)
    if not len(answer) and parameters.get("top") != 0:
        print_note(f"nothing is near: no other lexeme shares a feature with it{under(parameters)}")
    show(answer, format)


@command("Ask")
@with_parameters(Comparing)
def similarity(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how similar two lexemes or phrases are.

    This is the cosine of their vectors, or another measure. weeds_precision, weeds_recall, cl and inv_cl go from A to
    B: exchange the two and the answer differs.

    \b
    Examples:
      aptdb similarity english.duckdb dog/NOUN 'cat/NOUN[amod small/ADJ]'
      aptdb similarity english.duckdb dog/NOUN cat/NOUN --measure weeds_precision
      aptdb similarity english.duckdb 'dog/NOUN[amod small/ADJ]' 'dog/NOUN[amod good/ADJ]' --anchor 2
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing"):
        value = opened.similarity(question(opened, a), question(opened, b), **parameters)
    if value is None:
        print_note(f"no similarity: one of the two has no features{under(parameters)}")
    show(Result(("similarity",), ("DOUBLE",), [(value,)]), format)


@command("Ask")
@with_parameters(Explaining)
def explain(
    lexicon: LexiconFile,
    a: First,
    b: Second,
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
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing"):
        answer = opened.explain(question(opened, a), question(opened, b), **parameters)
    if not len(answer) and parameters.get("top") != 0:
        print_note(f"the two share no feature{under(parameters)}")
    show(answer, format, absent={"path": "…", "context": "all others"})


@command("Ask")
@with_parameters(Differing)
def diff(
    lexicon: LexiconFile,
    a: First,
    b: Second,
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
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing"):
        answer = opened.diff(question(opened, a), question(opened, b), **parameters)
    show(answer, format)


@command("Ask")
@with_parameters(Evidence)
def evidence(
    lexicon: LexiconFile,
    lexeme: Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. dry/ADJ; '*' is any.")],
    path: Annotated[
        str | None, typer.Argument(metavar="PATH", help="A path, e.g. '<amod'; ε is the empty path, '*' any.")
    ] = None,
    context: Annotated[
        str | None, typer.Argument(metavar="CONTEXT", help="The lexeme at its end, e.g. clothes/NOUN.")
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the sentences behind a count, or those of a lexeme.

    With all three, one row for each time that the two occur together: the text, with the [lexeme] and the {context}
    marked. Without a context, or without both, a concordance. A terminal shows the first 100 of it, unless --top or
    --sample says otherwise. Other formats have all columns.

    \b
    Examples:
      aptdb evidence english.duckdb good/ADJ '<amod' dog/NOUN
      aptdb evidence english.duckdb dog/NOUN --best --top 10
      aptdb evidence english.duckdb dog/NOUN '>amod' --sort before
    """
    from aptdb.lexicon import Lexicon

    triple = [None if each in (None, ANY) else each for each in (lexeme, path, context)]
    in_table, is_triple = chosen(format) is AnswerFormat.table, None not in triple
    first = not is_triple and in_table and parameters.get("top") is None and parameters.get("sample") is None
    if first:
        parameters["top"] = CONCORDANCE + 1
    with Lexicon.open(lexicon) as opened, patience("looking through the sentences"):
        answer = opened.evidence(*triple, **parameters)
        nothing_wanted = 0 in (parameters.get("top"), parameters.get("sample"))
        ways = None if answer.rows or nothing_wanted else others(opened, *triple)
    more = first and len(answer) > CONCORDANCE
    if in_table:
        answer = marked(answer) if is_triple else concordance(answer, CONCORDANCE if first else len(answer))
    show(answer, format)
    if more:
        print_note(f"the first {CONCORDANCE}; --top N shows more, --sample N draws some of all")
    if ways is not None:
        print_note(ways)


def others(opened: "Lexicon", lexeme: str | None, path: str | None, context: str | None) -> str | None:
    """What to say where there is no evidence: along which paths the two occur."""
    if lexeme is None or context is None:
        return f"{lexeme or context} never occurs along {path or 'ε'}" if path is not None else "no sentence has it"
    if path is not None and opened.count(lexeme, path, context) > 0:
        return None
    known = ", ".join(f"{way or 'ε'} ({count:,})" for way, count in opened.ways(lexeme, context))
    along = "" if path is None else f" along {path or 'ε'}"
    return f"{lexeme} never occurs with {context}{along}; it does along {known or 'no path'}"


def marked(answer: Result) -> Result:
    """The columns of a terminal where both words are known, and marked in the text."""
    return answer.but(*(name for name in answer.columns if name not in ("corpus", "sentence", "text")))


def concordance(answer: Result, most: int) -> Result:
    """So many lines, cut so that the keywords stand one below the other."""
    shown = [row for row, _ in zip(answer, range(most), strict=False)]
    width = min(BESIDE, max((len(row["before"]) for row in shown), default=0))
    pairs = any(row["context"] for row in shown)
    rows = [
        (
            row["sentence"],
            *([row["context"]] if pairs else []),
            row["before"][-width:].rjust(width) if width else "",
            row["keyword"],
            row["after"][:BESIDE],
        )
        for row in shown
    ]
    columns = ("sentence", *(["context"] if pairs else []), "before", "keyword", "after")
    return Result(columns, ("VARCHAR",) * len(columns), rows)


@command("Ask")
@with_parameters(Frames)
def frames(
    lexicon: LexiconFile,
    lexeme: Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. give/VERB.")],
    leave_out: Annotated[
        str, typer.Option(metavar="REL,...", help="Relations that do not count; '' for none.")
    ] = "punct",
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the subcategorisation frames of a lexeme.

    A frame is the relations of all that depends on it in one place. The most frequent come first, each with its share
    of all and the first sentence that has it.

    \b
    Example:
      aptdb frames english.duckdb dog/NOUN --top 10
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("looking through the sentences"):
        answer = opened.frames(lexeme, names_between_commas(leave_out), **parameters)
    show(answer, format, absent={"frame": "none"})


@command("Ask")
def sql(
    lexicon: LexiconFile,
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help="One SELECT; - reads it from standard input.")
    ] = None,
    file: Annotated[Path | None, typer.Option(metavar="FILE", help="Read the SELECT from this file.")] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter", "-p", metavar="NAME=VALUE", help="What $NAME stands for in it. May be given repeatedly."
        ),
    ] = None,
    format: FormatOption = None,
) -> None:
    """Run a SELECT of your own. It cannot change anything or reach another file.

    \b
    Examples:
      aptdb sql english.duckdb "FROM lexemes ORDER BY frequency DESC LIMIT 10"
      aptdb sql english.duckdb "FROM ppmi(shift := 5) WHERE lexeme = 'good/ADJ' ORDER BY weight DESC"
      aptdb sql english.duckdb 'FROM lexemes WHERE pos = $pos LIMIT 10' -p pos=VERB
    """
    from aptdb.lexicon import Lexicon

    text = query_of(query, file)
    values = {name: number_or_text(value) for name, value in pairs_of(parameter or [], "--parameter").items()}
    with Lexicon.open(lexicon, confined=True) as opened, patience("running the query"):
        answer = opened.sql(text, values or None)
    show(answer, format)


def query_of(query: str | None, file: Path | None) -> str:
    """The text of a query, as an argument, from standard input or from a file."""
    if (query is None) == (file is None):
        raise typer.BadParameter("give the query, or a --file that has it", param_hint="QUERY")
    if file is None:
        return sys.stdin.read() if query == "-" else str(query)
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise QuestionError(f"{file} cannot be read: {reason}") from error


def number_or_text(value: str) -> int | float | str:
    """The value of a parameter: a number where it is written as one."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,17})", value):
        return int(value)
    return float(value) if re.fullmatch(r"-?(0|[1-9]\d*)\.\d+", value) else value
