"""The commands that ask: apt, neighbours, similarity, explain, diff, sql."""

import sys
from typing import Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.options import (
    AsFormat,
    First,
    LexiconFile,
    Question,
    Second,
    question,
    questions,
    with_parameters,
)
from aptdb.commands.output import Format, chosen, patience, show
from aptdb.parameters.phrases import Features
from aptdb.parameters.questions import Comparing, Differing, Explaining, Neighbours
from aptdb.result import Result


@command("Ask")
@with_parameters(Features)
def apt(
    lexicon: LexiconFile,
    x: Question,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show an APT, path by path.

    That is all that a lexeme or phrase meets along each path, the heaviest first.

    \b
    Example:
      aptdb apt english.duckdb dog/NOUN --shift 5 --per-path 3
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("gathering the APT"):
        answer = opened.apt(question(opened, x), **parameters)
    if not len(answer):
        print_note("nothing is left of it under these weights")
    show(answer, form)


@command("Ask")
@with_parameters(Neighbours)
def neighbours(
    lexicon: LexiconFile,
    x: Annotated[
        list[str] | None,
        typer.Argument(metavar="X...", help="Lexemes, phrases, or @FILE, the sentences of a file in CoNLL-U."),
    ] = None,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="More of them, one a line; - is standard input.")
    ] = None,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the lexemes nearest to a lexeme or phrase.

    Several are answered at once, each row beside its question.

    \b
    Examples:
      aptdb neighbours english.duckdb dog/NOUN --shift 5 --min-feature-count 5
      aptdb neighbours english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
      aptdb neighbours english.duckdb dog/NOUN cat/NOUN --measure lin --top 3
    """
    from aptdb.lexicon import Lexicon

    if not x and file is None:
        raise typer.BadParameter("name a lexeme or phrase, as dog/NOUN, or a --file of them", param_hint="X")
    with Lexicon.open(lexicon) as opened, patience("comparing with all lexemes"):
        asked = questions(opened, x or [], file)
        if len(asked) == len(x or []) == 1:
            answer = opened.neighbours(*asked.values(), **parameters)
        else:
            answer = opened.neighbours_each(asked, **parameters)
    if not len(answer):
        print_note("nothing is near: no lexeme that may be a neighbour shares a feature with it under these weights")
    show(answer, form)


@command("Ask")
@with_parameters(Comparing)
def similarity(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how alike two lexemes or phrases are.

    That is the cosine of their vectors, or another measure of them. weeds_precision, weeds_recall, cl and inv_cl have a
    direction, from A to B.

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
        print_note("no similarity: with these weights, one of the two has no features")
    show(Result(("similarity",), ("DOUBLE",), [(value,)]), form)


@command("Ask")
@with_parameters(Explaining)
def explain(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show why two lexemes or phrases are alike.

    That is what they share, with what each feature contributes to their similarity. The last row, which names no
    feature, is the sum of all others: the contributions add up to the similarity.

    \b
    Example:
      aptdb explain english.duckdb dog/NOUN cat/NOUN --top 10
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing"):
        answer = opened.explain(question(opened, a), question(opened, b), **parameters)
    if not len(answer):
        print_note("with these weights, the two share no feature")
    show(answer, form, absent={"path": "…", "context": "all others"})


@command("Ask")
@with_parameters(Differing)
def diff(
    lexicon: LexiconFile,
    a: First,
    b: Second,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show what two lexemes or phrases meet differently.

    By path: the contexts that lean to A (a), those of both (both), and those that lean to B (b).

    \b
    Example:
      aptdb diff english.duckdb dog/NOUN cat/NOUN --max-order 1 --per-path 3
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing"):
        answer = opened.diff(question(opened, a), question(opened, b), **parameters)
    show(answer, form)


@command("Ask")
def evidence(
    lexicon: LexiconFile,
    lexeme: Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, as dry/ADJ.")],
    path: Annotated[str, typer.Argument(metavar="PATH", help="A path, as '<amod'; ε is the empty one.")],
    context: Annotated[str, typer.Argument(metavar="CONTEXT", help="The lexeme that it leads to, as clothes/NOUN.")],
    form: AsFormat = None,
) -> None:
    """Show the sentences behind a count.

    As many as the count, the lexeme [so] and the context {so}, with corpus, sentence and the positions of the two.

    \b
    Example:
      aptdb evidence english.duckdb good/ADJ '<amod' dog/NOUN
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("looking through the sentences"):
        answer = opened.evidence(lexeme, path, context)
        met = bool(answer.rows) or opened.count(lexeme, path, context) > 0
        ways = [] if met else opened.ways(lexeme, context)
    if chosen(form) is Format.table:
        answer = answer.but("position", "context_position")  # which the brackets show
    show(answer, form)
    if not met:
        known = ", ".join(f"{way or 'ε'} ({count:,})" for way, count in ways)
        print_note(f"{lexeme} never meets {context} along {path or 'ε'}; it does along {known or 'no path'}")


@command("Ask")
def sql(
    lexicon: LexiconFile,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT; - reads it from standard input.")],
    form: AsFormat = None,
) -> None:
    """Run a SELECT of your own. It can change nothing and reach no other file.

    \b
    Examples:
      aptdb sql english.duckdb "FROM lexemes ORDER BY frequency DESC LIMIT 10"
      aptdb sql english.duckdb "FROM ppmi(shift := 5) WHERE lexeme = 'good/ADJ' ORDER BY weight DESC"
    """
    from aptdb.lexicon import Lexicon

    text = sys.stdin.read() if query == "-" else query
    with Lexicon.open(lexicon, confined=True) as opened, patience("running the query"):
        answer = opened.sql(text)
    show(answer, form)
