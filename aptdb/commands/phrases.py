"""Commands about phrases: read, compose, observed, compositionality, contextualise, plausible, substitutes, entries."""

from typing import Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    MoreQuestions,
    ParserOption,
    PhraseText,
    note_on_features,
    note_on_weights,
    open_lexicon,
    read_question,
    read_several_phrases,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.composition import Features
from aptdb.core.display import how_many
from aptdb.core.phrase import parse_lexeme_list
from aptdb.core.question_parameters import Compositional, Contextualising, Observed, PlausibleAmong, Substituting
from aptdb.core.result import Result

Trees = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PHRASE...",
        help="Trees of lexemes, head first, e.g. 'clothes/NOUN[amod dry/ADJ]'; words, e.g. 'dry clothes'; or @FILE "
        "with sentences in CoNLL-U (@- is standard input).",
    ),
]
SaveAs = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Store the APT in the lexicon, as an entry of this name, instead of showing it."),
]


@command("read", "Phrases")
def print_readings(
    lexicon: LexiconFile,
    text: Annotated[str, typer.Argument(metavar="WORDS", help="Words as you would type them, e.g. 'small dog'.")],
    parser: ParserOption = None,
    format: FormatOption = None,
) -> None:
    """Show how typed words are read as a phrase.

    Each word is a lexeme with that spelling, and the tree is the one whose relations the lexicon counts most between
    them. Wherever a phrase is asked for, the reading in the first row is used. The other rows are alternatives, each
    with its share of the likelihood; to choose one, write it in brackets.

    \b
    Example:
      aptdb read english.duckdb 'small dog'
    """
    with open_lexicon(lexicon) as opened, report_waiting("reading"):
        found = opened.read(text, parser=parser)
    rows = [(str(each.phrase), each.share, each.counts, ", ".join(each.left_out)) for each in found]
    answer = Result(("phrase", "share", "counts", "left_out"), ("VARCHAR", "DOUBLE", "VARCHAR", "VARCHAR"), rows)
    show(answer.without("left_out", "") if parser is None else answer.but("share", "counts", "left_out"), format)


@command("compose", "Phrases")
@with_parameters(Features)
def print_compose(
    lexicon: LexiconFile,
    phrases: Trees = None,
    file: MoreQuestions = None,
    save: SaveAs = None,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Compose the APT of a phrase, or of several phrases.

    Aligns the APTs of the words along the tree of the phrase and merges them node by node. Several phrases are composed
    at once; each row then names its phrase. With --save, you can use the phrase like a lexeme (see aptdb entries).

    \b
    Examples:
      aptdb compose english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
      aptdb compose english.duckdb 'dog/NOUN[amod small/ADJ]' 'dog/NOUN[amod good/ADJ]' --per-path 2
      aptdb compose english.duckdb 'dog/NOUN[amod small/ADJ]' --smooth static:10 --save small_dog
    """
    if save is not None and ("per_path" in parameters or format is not None):
        raise typer.BadParameter("it stores the whole APT; leave out --per-path and --format", param_hint="--save")
    with open_lexicon(lexicon) as opened, report_waiting("composing"):
        asked = read_several_phrases(opened, phrases or [], file, parser)
        if save is not None:
            stored = report_stored_entry(opened.save(save, *only_one(asked), **parameters), save)
        elif len(asked) == len(phrases or []) == 1:
            answer = opened.compose(*asked.values(), **parameters)
        else:
            answer = opened.compose_each(asked, **parameters)
    if save is not None:
        print_note(stored)
        return
    show(answer, format)
    note_on_features(parameters, format)


def only_one(asked: dict[str, Any]) -> list[Any]:
    """Return the one phrase to save."""
    if len(asked) != 1:
        raise typer.BadParameter(f"it names one entry, but there are {len(asked)} phrases", param_hint="--save")
    return list(asked.values())


def report_stored_entry(weights: int, name: str) -> str:
    """Return the report about a stored entry, with the next step."""
    return f"{name} is stored, with {weights:,} weights; ask about it as about a lexeme, or rank it with --among all"


@command("observed", "Phrases")
@with_parameters(Observed)
def print_observed(
    lexicon: LexiconFile,
    phrase: PhraseText,
    save: SaveAs = None,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the APT of a phrase where it occurs.

    Counts what is around the head wherever it has the other words directly below it, in the parsed text; of a pattern,
    as of aptdb matches, what is around its first word in each match. compose makes an APT of the words instead. With
    --save, you can use the phrase like a lexeme: ask for its neighbours, explain or draw it, and compare it with the
    composed phrase.

    \b
    Examples:
      aptdb observed english.duckdb 'dog/NOUN[amod small/ADJ]' --per-path 3
      aptdb observed english.duckdb 'NOUN[amod small/ADJ]' --set top_features=50
      aptdb observed english.duckdb 'dog/NOUN[amod small/ADJ]' --save small_dog
    """
    if save is not None and ("per_path" in parameters or format is not None):
        raise typer.BadParameter("it stores the whole APT; leave out --per-path and --format", param_hint="--save")
    with open_lexicon(lexicon) as opened, report_waiting("looking for the phrase"):
        asked = read_question(opened, phrase, parser)
        if save is not None:
            print_note(report_stored_entry(opened.save(save, asked, observed=True, **parameters), save))
            return
        answer = opened.observed(asked, **parameters)
    show(answer, format)
    if choose_format(format) is AnswerFormat.table:
        print_note(f"the phrase occurs {how_many(answer.occurrences, 'time')}")
    note_on_weights(parameters, format)


@command("compositionality", "Phrases")
@with_parameters(Compositional)
def print_compositionality(
    lexicon: LexiconFile,
    phrases: Trees = None,
    file: MoreQuestions = None,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show how similar phrases are to their parts.

    For each phrase of two words: how often it occurs, the logarithm of that, and how similar its observed APT (see
    aptdb observed) is to the composed phrase, to its head alone, and to its dependent alone. Both words are counted
    where they occur outside the phrase (head_occurrences, dependent_occurrences); with --own-occurrences, everywhere.
    Frequent phrases are more similar to all of these, whatever they mean: compare phrases that are about as frequent.

    \b
    Examples:
      aptdb compositionality english.duckdb 'car park' 'small dog'
      aptdb compositionality english.duckdb --file compounds.txt --merge min
    """
    with open_lexicon(lexicon) as opened, report_waiting("looking for the phrases"):
        answer = opened.compositionality(read_several_phrases(opened, phrases or [], file, parser), **parameters)
    show(answer, format)
    if choose_format(format) is AnswerFormat.table and not parameters.get("own_occurrences"):
        print_note("head and dependent are counted without the phrase's own occurrences (--own-occurrences counts all)")
    note_on_weights(parameters, format)


@command("contextualise", "Phrases")
@with_parameters(Contextualising)
def print_contextualise(
    lexicon: LexiconFile,
    phrase: PhraseText,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the neighbours of each word, alone and in its phrase.

    Side by side: the neighbours of the word alone, and those of the composed phrase anchored at that word. --smooth
    applies to both, but not to the lexemes that are ranked.

    \b
    Example:
      aptdb contextualise english.duckdb 'dog/NOUN[amod small/ADJ]' --top 3
    """
    with open_lexicon(lexicon) as opened, report_waiting("comparing with all lexemes"):
        answer = opened.contextualise(read_question(opened, phrase, parser), **parameters)
    show(answer, format)


@command("plausible", "Phrases")
@with_parameters(PlausibleAmong)
def print_plausible(
    lexicon: LexiconFile,
    phrase: Annotated[
        str,
        typer.Argument(
            metavar="PHRASE", help="A phrase with a gap: a word whose lemma is _, e.g. 'dog/NOUN[amod _/ADJ]'."
        ),
    ],
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Rank the words that could fill a gap in a phrase.

    Composes the rest of the phrase, anchors it at the gap, and compares it with the APT of each candidate.

    \b
    Examples:
      aptdb plausible english.duckdb 'dog/NOUN[amod _/ADJ]' --candidates small/ADJ,wooden/ADJ
      aptdb plausible english.duckdb 'dog/NOUN[amod _/ADJ]' --top 5
    """
    with open_lexicon(lexicon) as opened, report_waiting("comparing candidates for the gap"):
        if "candidates" in parameters:
            parameters["candidates"] = parse_lexeme_list(parameters["candidates"])
        answer = opened.plausible(read_question(opened, phrase), **parameters)
    show(answer, format)


@command("substitutes", "Phrases")
@with_parameters(Substituting)
def print_substitutes(
    lexicon: LexiconFile,
    phrase: Annotated[
        str,
        typer.Argument(
            metavar="PHRASE",
            help="Words, one of them marked, e.g. 'dogs [chase] cats'; or a tree of lexemes, with --anchor.",
        ),
    ],
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Rank the words that could stand in the place of one word.

    Composes the phrase, sees it from that word, and compares it with all lexemes of the same part of speech. Each comes
    with the features that it shares most with the word in this context. aptdb plausible fills a place that is empty.

    \b
    Examples:
      aptdb substitutes english.duckdb 'dogs [chase] cats'
      aptdb substitutes english.duckdb 'dog/NOUN[amod small/ADJ]' --anchor 2 --merge min
    """
    from aptdb.questions.phrase_questions import MARKED

    with open_lexicon(lexicon) as opened, report_waiting("comparing with all lexemes"):
        asked = phrase if MARKED.search(phrase) else read_question(opened, phrase)
        answer = opened.substitutes(asked, **parameters)
    show(answer, format)
    note_on_weights(parameters, format)


@command("entries", "Phrases")
def print_entries(
    lexicon: LexiconFile,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Only this entry.")] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Compose stale entries again: NAME, or all.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete the entry.")] = False,
    format: FormatOption = None,
) -> None:
    """List the stored phrases (entries).

    `aptdb compose --save` stores them, apart from the counted lexemes. When a corpus is added they become stale: they
    keep their old weights until you refresh them.

    \b
    Example:
      aptdb entries english.duckdb
    """
    if (forget and name is None) or (refresh and forget):
        raise typer.BadParameter("--forget takes the NAME of an entry, and --refresh a NAME or none")
    with open_lexicon(lexicon) as opened, report_waiting("composing"):
        if refresh:
            done = f"composed again: {', '.join(opened.refresh_entries(name)) or 'nothing, because nothing is stale'}"
        elif forget:
            opened.forget_entry(str(name))
            done = f"{name} is deleted"
        else:
            answer = opened.entries(name)
    if refresh or forget:
        print_note(done)
        return
    show(answer, format)
