"""Commands about subcorpora: subcorpus, subcorpora, counts-by, trend, keyness."""

from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import command, number_of, print_note
from aptdb.commands.options import (
    AnyContext,
    AnyLexeme,
    AnyPath,
    FormatOption,
    LexiconFile,
    options_of,
    or_any,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, chosen, patience, show
from aptdb.core.question_parameters import CountsBy, Keyness, Trend
from aptdb.core.result import Result

SUREST = 40  # rows that a terminal shows by default


@command("Subcorpora")
def subcorpus(
    lexicon: LexiconFile,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The name of the subcorpus, e.g. fiction.")] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION", help="Which sentences: as in SQL, on corpus, document, sent_id and all metadata."
        ),
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Make a subcorpus for each value, e.g. genre, year or corpus.")
    ] = None,
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="Text before the names that --by gives.")] = "",
    refresh: Annotated[bool, typer.Option("--refresh", help="Count stale subcorpora anew: NAME, or all.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete the subcorpus.")] = False,
) -> None:
    """Count a subcorpus by itself.

    Every question takes its name as --subcorpus: counts, totals and weights are then those of the subcorpus alone. A
    condition has comparisons, AND, OR, NOT, IN, LIKE, BETWEEN and IS NULL. When a corpus is added or removed,
    subcorpora become stale, and are not answered from until you refresh them.

    \b
    Examples:
      aptdb subcorpus english.duckdb ewt --where "corpus = 'en_ewt.conllu'"
      aptdb subcorpus english.duckdb --by corpus --prefix of_
      aptdb subcorpus english.duckdb --refresh
    """
    from aptdb.lexicon import Lexicon

    asked = [given for given in (where is not None, by is not None, refresh, forget) if given]
    if len(asked) != 1:
        raise typer.BadParameter("give one of --where, --by, --refresh and --forget")
    if name is None and (where is not None or forget):
        raise typer.BadParameter("a subcorpus needs a name, e.g. fiction", param_hint="NAME")
    if name is not None and by is not None:
        raise typer.BadParameter("--by names its subcorpora itself, by the values; --prefix begins their names")
    if prefix and by is None:
        raise typer.BadParameter("--prefix goes with --by")
    with Lexicon.open(lexicon) as opened, patience("counting the subcorpus"):
        if by is not None:
            names = opened.subcorpora_by(by, prefix)
            done = f"{number_of(len(names), 'subcorpus', 'subcorpora')}: {', '.join(names)}"
        elif refresh:
            names = opened.refresh_subcorpora(name)
            done = f"counted anew: {', '.join(names)}" if names else "nothing is stale"
        elif forget:
            opened.forget_subcorpus(str(name))
            done = f"{name} is deleted"
        else:
            opened.subcorpus(str(name), str(where))
            done = f"{name} is kept; ask of it with --subcorpus {name}, and see it with: aptdb subcorpora {lexicon}"
    print_note(done)


@command("Subcorpora")
def subcorpora(lexicon: LexiconFile, format: FormatOption = None) -> None:
    """List the subcorpora that are kept.

    Shows their conditions, whether they are up to date, and how many sentences and tokens they have.

    \b
    Example:
      aptdb subcorpora english.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened:
        answer = opened.subcorpora()
    show(answer, format)


@command("Subcorpora")
@with_parameters(CountsBy)
def counts_by(
    lexicon: LexiconFile,
    lexeme: AnyLexeme,
    path: AnyPath = None,
    context: AnyContext = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how often something occurs in each kind of text.

    Counts by corpus, by document, or by metadata such as the genre. Also for each million tokens,
    and how often the words occur there at all.

    \b
    Examples:
      aptdb counts-by english.duckdb dog/NOUN
      aptdb counts-by english.duckdb dog/NOUN '>amod' --by document
      aptdb counts-by english.duckdb '*ness'
    """
    from aptdb.lexicon import Lexicon

    triple = or_any(lexeme, path, context)
    with Lexicon.open(lexicon) as opened, patience("counting"):
        answer = opened.counts_by(*triple, **parameters)
    if chosen(format) is AnswerFormat.table and triple[1:] == [None, None]:
        answer = without(answer, "lexeme_count", "context_count")  # which say nothing of a lexeme alone
    show(answer, format, absent={"value": "none"})


def without(answer: Result, *names: str) -> Result:
    """Return an answer without some of its columns."""
    kept = [place for place, name in enumerate(answer.columns) if name not in names]
    columns, types = ([all_of[place] for place in kept] for all_of in (answer.columns, answer.types))
    return Result(tuple(columns), tuple(types), [tuple(row[place] for place in kept) for row in answer.rows])


@command("Subcorpora")
@with_parameters(Trend)
def trend(
    lexicon: LexiconFile,
    lexeme: Annotated[
        str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. dog/NOUN, or a pattern, as of aptdb evidence.")
    ],
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how the frequency of a lexeme changes over time.

    For each period its frequency in a million tokens; and for all of them the slope (Theil and Sen) with the test of
    Mann and Kendall. Where the periods are subcorpora (aptdb subcorpus --by), also how similar the lexeme is to what it
    was in the period before, and in the first. What has changed, by path: aptdb diff with --subcorpus and
    --subcorpus-b.

    \b
    Example:
      aptdb trend english.duckdb dog/NOUN --by year
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("counting"):
        answer = opened.trend(lexeme, **parameters)
    show(answer, format)


@command("Subcorpora")
@with_parameters(options_of(Keyness, but=("other",)))
def keyness(
    lexicon: LexiconFile,
    a: Annotated[str | None, typer.Argument(metavar="A", help="A subcorpus (aptdb subcorpus).")] = None,
    b: Annotated[str | None, typer.Argument(metavar="B", help="Another; by default all that is not in A.")] = None,
    other: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Compare with all of this lexicon; A may be left out then.")
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show what is typical of one subcorpus.

    Lexemes, co-occurrences or paths with their counts in either, also for each million tokens; the log-likelihood G²,
    the log ratio (above 0 where it is more frequent in A), and the false discovery rate q. The surest come first.

    \b
    Example:
      aptdb keyness english.duckdb fiction --of cooccurrences
    """
    from aptdb.lexicon import Lexicon

    if a is None and other is None:
        raise typer.BadParameter(
            "give a subcorpus, as aptdb subcorpora lists them, or --other with another lexicon", param_hint="A"
        )
    first = format is None and "top" not in parameters
    if first:
        parameters["top"] = SUREST
    beside = None if other is None else {"other": other}
    if other is not None:
        parameters["other"] = "other"
    with Lexicon.open(lexicon, attach=beside) as opened, patience("comparing"):
        answer = opened.keyness(a, b, **parameters)
    show(answer, format)
    if first and len(answer) == SUREST:
        print_note(f"the {SUREST} surest; --top N shows more")
