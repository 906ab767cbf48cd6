"""The commands that ask: apt, neighbours, similarity, explain, diff, sql."""

import sys
from typing import Annotated, Any

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
from aptdb.parameters.phrases import Features
from aptdb.parameters.questions import Comparing, Differing, Explaining, Neighbours
from aptdb.result import Result


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
def evidence(
    lexicon: LexiconFile,
    lexeme: Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. dry/ADJ.")],
    path: Annotated[str, typer.Argument(metavar="PATH", help="A path, e.g. '<amod'; ε is the empty path.")],
    context: Annotated[str, typer.Argument(metavar="CONTEXT", help="The lexeme at its end, e.g. clothes/NOUN.")],
    format: FormatOption = None,
) -> None:
    """Show the sentences behind a count.

    One row for each time that the two occur together: corpus, sentence, the positions of both, and the text with the
    [lexeme] and the {context} marked.

    \b
    Example:
      aptdb evidence english.duckdb good/ADJ '<amod' dog/NOUN
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("looking through the sentences"):
        answer = opened.evidence(lexeme, path, context)
        met = bool(answer.rows) or opened.count(lexeme, path, context) > 0
        ways = [] if met else opened.ways(lexeme, context)
    if chosen(format) is AnswerFormat.table:
        answer = answer.but("position", "context_position")  # which the brackets show
    show(answer, format)
    if not met:
        known = ", ".join(f"{way or 'ε'} ({count:,})" for way, count in ways)
        print_note(f"{lexeme} never occurs with {context} along {path or 'ε'}; it does along {known or 'no path'}")


@command("Ask")
def sql(
    lexicon: LexiconFile,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT; - reads it from standard input.")],
    format: FormatOption = None,
) -> None:
    """Run a SELECT of your own. It cannot change anything or reach another file.

    \b
    Examples:
      aptdb sql english.duckdb "FROM lexemes ORDER BY frequency DESC LIMIT 10"
      aptdb sql english.duckdb "FROM ppmi(shift := 5) WHERE lexeme = 'good/ADJ' ORDER BY weight DESC"
    """
    from aptdb.lexicon import Lexicon

    text = sys.stdin.read() if query == "-" else query
    with Lexicon.open(lexicon, confined=True) as opened, patience("running the query"):
        answer = opened.sql(text)
    show(answer, format)
