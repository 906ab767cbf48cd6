"""The commands that ask: apt, compose, neighbours, similarity, sql."""

import sys
from typing import Annotated, Any

import typer

from aptdb.commands.app import app, print_note
from aptdb.commands.options import (
    COMPOSITION,
    VECTORS,
    AsFormat,
    LexiconFile,
    PerPath,
    PhraseText,
    Question,
    question,
    with_parameters,
)
from aptdb.commands.output import patience, show
from aptdb.result import Result


@app.command()
@with_parameters(COMPOSITION)
def apt(
    lexicon: LexiconFile,
    x: Question,
    per_path: PerPath = None,
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
        answer = opened.apt(question(opened, x), per_path=per_path, **parameters)
    show(answer, form)


@app.command()
@with_parameters(COMPOSITION)
def compose(
    lexicon: LexiconFile,
    phrase: PhraseText,
    per_path: PerPath = None,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Compose the APT of a phrase.

    The APTs of its words are aligned by its tree and merged node by node.

    \b
    Example:
      aptdb compose english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("composing"):
        answer = opened.compose(question(opened, phrase), per_path=per_path, **parameters)
    show(answer, form)


@app.command()
@with_parameters(VECTORS)
def neighbours(
    lexicon: LexiconFile,
    x: Question,
    top: Annotated[int, typer.Option(metavar="N", help="How many to show.")] = 10,
    pos: Annotated[str, typer.Option(metavar="TAG", help="same as X, any, or a tag, as NOUN.")] = "same",
    min_frequency: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="The fewest tokens of a neighbour. [default: one per 25,000 of the lexicon, 1 to 50]"
        ),
    ] = None,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the lexemes nearest to a lexeme or phrase.

    \b
    Examples:
      aptdb neighbours english.duckdb dog/NOUN --shift 5 --min-feature-count 5
      aptdb neighbours english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing with all lexemes"):
        answer = opened.neighbours(question(opened, x), top=top, pos=pos, min_frequency=min_frequency, **parameters)
    show(answer, form)


@app.command()
@with_parameters(VECTORS)
def similarity(
    lexicon: LexiconFile,
    a: Annotated[str, typer.Argument(metavar="A", help="A lexeme or phrase.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how alike two lexemes or phrases are.

    That is the cosine of their vectors.

    \b
    Example:
      aptdb similarity english.duckdb dog/NOUN 'cat/NOUN[amod small/ADJ]'
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing"):
        value = opened.similarity(question(opened, a), question(opened, b), **parameters)
    if value is None:
        print_note("no similarity: with these weights, one of the two has no features")
    show(Result(("similarity",), ("DOUBLE",), [(value,)]), form)


@app.command()
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
