"""Commands about subcorpora: subcorpus, subcorpora, counts-by, trend, keyness."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import ask_first, print_note, report_waiting
from aptdb.commands.options import (
    Against,
    AnyContext,
    AnyLexeme,
    AnyPath,
    FormatOption,
    LexiconFile,
    merged_beside,
    open_lexicon,
    options_of,
    or_any,
    read_triple,
    split_relations,
    with_parameters,
)
from aptdb.commands.output import (
    EMPTY_PATH,
    FOLDED,
    ROUNDED,
    AnswerFormat,
    can_write,
    choose_format,
    fill_nulls,
    format_output_cell,
    head_kinds,
    show,
    table_width,
    width_of_page,
)
from aptdb.commands.pictures import PlotOption, TitleOption, draw_plot, is_plotted
from aptdb.core.count_parameters import Keyness, PatternKeyness, PhraseKeyness
from aptdb.core.display import format_probability, how_many
from aptdb.core.errors import ManySubcorporaError
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Counted, Trend
from aptdb.core.result import Result

MANY = 50  # subcorpora that --by makes without asking
SUREST = 40  # rows that a terminal shows by default
WIDEST_ITEM = 28  # of a co-occurrence in a table; a longer one takes two lines


@command("subcorpus", "Subcorpora")
def run_subcorpus(
    lexicon: LexiconFile,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The name of the subcorpus, e.g. fiction.")] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION", help="Take sentences by a condition in SQL, e.g. on corpus, sent_id and metadata."
        ),
    ] = None,
    where_matches: Annotated[
        str | None,
        typer.Option(metavar="PATTERN", help="Take sentences that match a pattern, as of aptdb evidence."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Make a subcorpus for each value, e.g. of genre, corpus or century(date)."),
    ] = None,
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="Begin the names that --by makes with TEXT.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help=f"Make more than {MANY} by --by without asking.")] = False,
) -> None:
    """Choose sentences as a subcorpus, and count it apart.

    Use its name as --subcorpus: counts, totals and weights are then those of the subcorpus alone. A condition has
    comparisons, AND, OR, NOT, IN, LIKE, BETWEEN, IS NULL, and matches('PATTERN'). After a corpus is added or removed,
    subcorpora are stale: aptdb refresh counts them again.

    \b
    Examples:
      aptdb subcorpus english.duckdb ewt --where "corpus = 'en_ewt.conllu'"
      aptdb subcorpus english.duckdb described --where-matches 'NOUN[amod ADJ]'
      aptdb subcorpus english.duckdb --by corpus --prefix of_
    """
    is_asked = (where, where_matches) != (None, None)
    if is_asked == (by is not None):
        raise typer.BadParameter("give --where, --where-matches or --by")
    if name is None and is_asked:
        raise typer.BadParameter("give the subcorpus a name, e.g. fiction", param_hint="NAME")
    if name is not None and by is not None:
        raise typer.BadParameter(
            "leave it out: --by names each subcorpus after its value, with --prefix before it", param_hint="NAME"
        )
    if (prefix or yes) and by is None:
        raise typer.BadParameter(f"{'--prefix' if prefix else '--yes'} needs --by")
    if by is not None:
        names = made_by(lexicon, by, prefix, yes=yes)
        print_note(f"{how_many(len(names), 'subcorpus', 'subcorpora')}: {', '.join(names)}")
        return
    with open_lexicon(lexicon) as opened, report_waiting("counting the subcorpus"):
        opened.subcorpus(str(name), where, where_matches=where_matches)
    print_note(f"{name} is stored; use it by --subcorpus {name}; list all by: aptdb stored {lexicon} subcorpora")


def made_by(lexicon: Path, by: str, prefix: str, *, yes: bool) -> list[str]:
    """Make a subcorpus for each value of a column; ask on a terminal if there are many. Raise ManySubcorporaError."""
    with open_lexicon(lexicon) as opened:
        if not yes:
            try:
                with report_waiting("counting the subcorpora"):
                    return opened.subcorpora_by(by, prefix, most=MANY)
            except ManySubcorporaError as error:
                ask_first(str(error), "make")
        with report_waiting("counting the subcorpora"):
            return opened.subcorpora_by(by, prefix)


@command("counts-by", "Subcorpora")
@with_parameters(Counted)
def print_counts_by(
    lexicon: LexiconFile,
    lexeme: AnyLexeme,
    path: AnyPath = None,
    context: AnyContext = None,
    plot: PlotOption = None,
    title: TitleOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how often something occurs in each kind of text.

    Counts by corpus, document or metadata such as the genre, also per million tokens, beside all occurrences of the
    words there (lexeme_count, context_count). For a sequence, counts every stretch that matches.

    --by 1.lemma counts the lemmas of the lexeme instead, 2.form the forms of its context: the most frequent first,
    with their shares. Tokens of a pattern have the names that the pattern gives them, or the numbers of their places;
    match is all of them. --by may name several things, e.g. 1.lemma,genre.

    With --plot, draws counts per million tokens with 95 % intervals (Poisson). --by may then name two things: the
    second makes series, with lines if the first is a number.

    \b
    Examples:
      aptdb counts-by english.duckdb dog/NOUN
      aptdb counts-by english.duckdb dog/NOUN '>amod' --by document
      aptdb counts-by english.duckdb 'do*' --by 1.form,corpus
      aptdb counts-by english.duckdb '[]{2}' --by match --min-count 2 --dispersion
      aptdb counts-by english.duckdb 'NOUN[amod ADJ]' --by 2.lemma --top 10
      aptdb counts-by english.duckdb dog/NOUN --plot dogs.svg
    """
    triple = or_any(lexeme, path, context)
    if is_plotted(plot, title):
        draw_plot(
            lexicon, plot, "value", lambda opened: opened.plot.counts_by(*triple, **parameters), title, format=format
        )
        return
    with open_lexicon(lexicon) as opened, report_waiting("counting"):
        asked = read_triple(opened, *triple)
        answer = opened.counts_by(*asked, **parameters)
        merged = merged_beside(opened, *asked, parameters)
    by = parameters.get("by", "corpus")
    if choose_format(format) in ROUNDED and answer.columns[0] == "value":
        answer = fill_nulls(head_kinds(answer, by, alone=triple[1:] == [None, None]), {by: "none"})
    show(answer, format)
    if not answer.rows:
        print_note("nothing is found, or nothing that often")
    if merged:
        print_note(merged)


@command("trend", "Subcorpora")
@with_parameters(Trend)
def print_trend(
    lexicon: LexiconFile,
    lexeme: AnyLexeme,
    path: AnyPath = None,
    context: AnyContext = None,
    against: Against = None,
    plot: PlotOption = None,
    title: TitleOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how the frequency of something changes over time.

    Each period has its frequency per million tokens. Below are the slope over all periods (Theil-Sen) with its
    Mann-Kendall test, and the growth per year, or per unit of --by, with a quasi-Poisson test, which weights periods
    by their tokens. With --against, shows the share of the first in both together, with its 95 % interval. If the
    periods are subcorpora (aptdb subcorpus --by), shows how similar a lexeme is to itself in the period before, and in
    the first. For what has changed, by path: aptdb explain --differences with --subcorpus and --subcorpus-b.

    \b
    Examples:
      aptdb trend english.duckdb dog/NOUN --by year
      aptdb trend english.duckdb dog/NOUN '>amod' --by 'decade(year)'
      aptdb trend english.duckdb start/VERB '>xcomp' --against begin/VERB
      aptdb trend english.duckdb dog/NOUN --plot trend.svg
    """
    words, path_of, context_of = or_any(lexeme, path, context)
    if is_plotted(plot, title):
        asked = (words, path_of, context_of, against)
        draw_plot(lexicon, plot, "period", lambda opened: opened.plot.trend(*asked, **parameters), title, format=format)
        return
    with open_lexicon(lexicon) as opened, report_waiting("counting"):
        triple = read_triple(opened, words, path_of, context_of)
        answer = opened.trend(*triple, against, **parameters)
        merged = merged_beside(opened, *triple, parameters)
    show(round_values(answer, trend_number) if choose_format(format) in ROUNDED else answer, format)
    if merged:
        print_note(merged)


KeyItem = StrEnum("KeyItem", ["lexemes", "cooccurrences", "paths", "terms"])


@command("keyness", "Subcorpora")
@with_parameters(options_of(Keyness, but=("other", "of")))
def print_keyness(
    lexicon: LexiconFile,
    a: Annotated[str | None, typer.Argument(metavar="A", help="A subcorpus (aptdb subcorpus).")] = None,
    b: Annotated[str | None, typer.Argument(metavar="B", help="Another subcorpus. [default: all the rest]")] = None,
    other: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with another lexicon, as a whole; A may then be left out."),
    ] = None,
    phrase: Annotated[
        list[str] | None,
        typer.Option(
            "--phrase",
            metavar="X",
            help="Compare only this: a lexeme, phrase, pattern or sequence, as of aptdb evidence. May be repeated.",
        ),
    ] = None,
    of: Annotated[
        KeyItem, typer.Option(help="What is compared; terms are noun groups, or what --phrase matches.")
    ] = KeyItem.lexemes,
    group: Annotated[
        str | None,
        typer.Option(
            metavar="NODE.ATTR,...",
            help="Compare values of the tokens of --phrase, e.g. V.lemma,O.lemma; for terms, match.lemma.",
        ),
    ] = None,
    plot: PlotOption = None,
    title: TitleOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show what is more frequent in a subcorpus than elsewhere (log-likelihood).

    Lists lexemes, co-occurrences, paths or terms with their counts in A and B, the log ratio (above 0 if more frequent
    in A), the log-likelihood G², the number of documents of A that have it, its dispersion there (Gries' DP: 0 is as
    even as can be), and the false discovery rate q. Items that are more frequent in A come first, the surest first;
    --negative shows the less frequent ones. With --other, words and paths that the two lexicons annotate differently
    come last, with a warning that names them. A narrow terminal leaves out p and the counts per million tokens; other
    formats have all columns. Terms have a C-value, which is low for those that mostly occur within longer terms.

    With --plot, draws bars of the log ratio with 95 % intervals: the 15 surest items of each side, or --top N.

    \b
    Examples:
      aptdb keyness english.duckdb fiction
      aptdb keyness english.duckdb fiction --of terms --top 20
      aptdb keyness english.duckdb fiction --of cooccurrences --pos NOUN,VERB --negative
      aptdb keyness english.duckdb fiction --phrase 'NOUN[amod ADJ]' --group 1.lemma
      aptdb keyness english.duckdb --other german.duckdb --of cooccurrences --relations amod,obj --max-order 1
      aptdb keyness english.duckdb fiction --plot keyness.svg
    """
    if of is KeyItem.terms:
        group = group or "match.lemma"
    elif of is not KeyItem.lexemes:
        parameters["of"] = of.value
    refuse_keyness_options(a, other, phrase, group, parameters, terms=of is KeyItem.terms)
    split_relations(parameters)
    if is_plotted(plot, title):
        others = {"other": other, "phrase": phrase, "group": group, "format": format}
        draw_plot(lexicon, plot, "item", lambda opened: opened.plot.keyness(a, b, **parameters), title, **others)
        return
    first = choose_format(format) is AnswerFormat.table and "top" not in parameters and not phrase
    if first:
        parameters["top"] = SUREST
    beside = None if other is None else {"other": other}
    if other is not None:
        parameters["other"] = "other"
    with open_lexicon(lexicon, attach=beside) as opened, report_waiting("comparing"):
        if group is not None:
            answer = opened.pattern_keyness(phrase[0] if phrase else None, group, a, b, **parameters)
        elif phrase:
            answer = opened.phrase_keyness(phrase, a, b, **parameters)
        else:
            answer = opened.keyness(a, b, **parameters)
    show_key_items(answer, format)
    for note in notes_on_answer(answer, parameters, a or "A", phrase=bool(phrase), group=group is not None):
        print_note(note)
    if first and len(answer) == SUREST:
        print_note(f"the first {SUREST}; --top N shows more")


def refuse_keyness_options(
    a: str | None,
    other: Path | None,
    phrase: list[str] | None,
    group: str | None,
    parameters: Mapping[str, Any],
    *,
    terms: bool,
) -> None:
    """Raise BadParameter for options of keyness that do not go together."""
    if a is None and other is None:
        raise typer.BadParameter(
            "give a subcorpus (aptdb stored lists them), or another lexicon by --other", param_hint="A"
        )
    if group is not None and len(phrase or ()) != 1 and not (terms and not phrase):
        raise typer.BadParameter("it needs one --phrase with a pattern", param_hint="--group")
    taken = {*declared(PhraseKeyness if group is None else PatternKeyness), "other"}
    for name in parameters:
        if (phrase or terms) and name not in taken:
            option = f"--{name.replace('_', '-')}"
            if terms:
                raise typer.BadParameter(f"terms take no {option}", param_hint=option)
            raise typer.BadParameter(
                f"it cannot be used with {option}, which chooses among all items", param_hint="--phrase"
            )


def notes_on_answer(answer: Result, parameters: Mapping[str, Any], a: str, *, phrase: bool, group: bool) -> list[str]:
    """Return what is said below an answer of keyness."""
    if group:
        return note_on_order(answer, a)
    return (
        note_on_order(answer, a) + note_on_dispersion(answer, a) if phrase else notes_on_keyness(answer, parameters, a)
    )


def show_key_items(answer: Result, format: AnswerFormat | None) -> None:
    """Print key items or phrases; a table takes as many columns as the terminal has room for."""
    chosen = choose_format(format)
    if chosen is not AnswerFormat.table:
        show(round_values(answer, key_number) if chosen in ROUNDED else answer, format)
    elif len(answer):
        show(key_table(answer, width_of_page()), format, tight=True)


# The columns of numbers in a table of key items: those that a narrower terminal still shows come first.
KEY_COLUMNS = (
    "count_a", "count_b", "log_ratio", "g2", "documents_a", "dp_a", "c_value", "q_value", "p_value", "per_million_a",
    "per_million_b",
)  # fmt: skip
KEY_FORMS = {"log_ratio": "{:.2f}", "g2": "{:,.1f}", "dp_a": "{:.2f}"}
KEY_FORMS |= dict.fromkeys(("count_a", "count_b", "documents_a"), "{:,}")
KEY_FORMS |= dict.fromkeys(("per_million_a", "per_million_b"), "{:,.1f}")
SHORT = {"documents_a": "docs_a"}  # headings
SMALL_SLOPE = (
    0.1  # the least slope or growth of a trend with four digits after the point; smaller ones have three digits
)


def key_table(answer: Result, width: int) -> Result:
    """Return key items for a table of this width: the item in one column, and as many numbers beside it as fit."""
    of = [
        name
        for name in ("item", "phrase", "lexeme", "path", "context")
        if name in answer.columns and any(answer.column(name))
    ]
    items = [" ".join(format_output_cell(name, row[name]) for name in of) for row in answer]
    columns = {
        name: [key_number(name, each) for each in answer.column(name)] for name in KEY_COLUMNS if name in answer.columns
    }
    columns = {name: texts for name, texts in columns.items() if any(texts)}
    wide = max(map(len, items), default=0)
    widths, shown = [min(wide, WIDEST_ITEM if of[1:] else FOLDED)], []
    for name, texts in columns.items():
        widths.append(max(map(len, (SHORT.get(name, name), *texts))))
        if table_width(widths, tight=True) > width:
            break
        shown.append(name)
    shown = [name for name in answer.columns if name in shown]
    names = (" ".join(of) or "item", *(SHORT.get(name, name) for name in shown))
    rows = [*zip(items, *(columns[name] for name in shown), strict=True)]
    return Result(names, ("VARCHAR", *("DOUBLE" for _ in shown)), rows)


def key_number(name: str, value: Any) -> Any:
    """Return a number of a key item as a table shows it; NULL is empty. Other columns stay as they are."""
    if value is None:
        return ""
    if name not in KEY_COLUMNS:
        return value
    if name in KEY_FORMS:
        return KEY_FORMS[name].format(value)
    return format_probability(value)


def round_values(answer: Result, number: Callable[[str, Any], Any]) -> Result:
    """Return an answer with each value as a function of its column and itself shows it."""
    rows = [tuple(number(name, row[name]) for name in answer.columns) for row in answer]
    return Result(answer.columns, answer.types, rows)


def trend_number(name: str, value: Any) -> Any:
    """Return a value of a period as a table shows it."""
    if not isinstance(value, float):
        return value
    if name == "period":
        return f"{value:.4f}".rstrip("0").rstrip(".")
    is_small = name in ("slope", "growth") and 0 < abs(value) < SMALL_SLOPE
    return f"{value:.3g}" if is_small else value


def notes_on_keyness(answer: Result, parameters: Mapping[str, Any], a: str) -> list[str]:
    """Return what an answer leaves out, where its rows turn to what is less frequent, and why it has no dispersion."""
    given = {name: parameters.get(name, parameter.default) for name, parameter in declared(Keyness).items()}
    hidden = [] if given["of"] == "lexemes" else [EMPTY_PATH if can_write(EMPTY_PATH) else "the empty path"]
    if given["pos"] == "content":
        hidden.append("function words, punctuation, numbers and symbols (--pos any)")
    elif given["pos"] != "any":
        hidden.append(f"words that are not {given['pos']} (--pos)")
    if given["min_count"] > 1:
        hidden.append(f"items counted fewer than {given['min_count']:,} times in both together (--min-count)")
    notes = [f"left out: {'; '.join(hidden)}"] if hidden else []
    notes += note_on_order(answer, a, turns=not given["negative"])
    return notes + note_on_dispersion(answer, a) if given["dispersion"] else notes


def note_on_order(answer: Result, a: str, *, turns: bool = True) -> list[str]:
    """Return from which row on items are less frequent in a, and from which on they cannot be compared, if any are.

    turns: whether rows of both sides are shown.
    """
    compared = [row for row in answer if row.get("comparable", True)]
    positive = sum(row["per_million_a"] >= row["per_million_b"] for row in compared)
    notes = [f"from row {positive + 1:,} on: less frequent in {a}"] if turns and positive < len(compared) else []
    if len(compared) < len(answer):
        notes.append(f"from row {len(compared) + 1:,} on: not comparable, as the lexicons are annotated differently")
    return notes


def note_on_dispersion(answer: Result, a: str) -> list[str]:
    """Return why items that are in a document of a have no dispersion; nothing if they have."""
    if not any(answer.column("documents_a")) or {*answer.column("dp_a")} != {None}:
        return []
    return [
        f"no dispersion: {a} has one document, or none ('# newdoc id = NAME' begins one); "
        "--documents COLUMN separates documents by metadata"
    ]
