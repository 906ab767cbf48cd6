"""Commands about words and phrases: their APTs, composed, observed or stored, and words for a place in a phrase."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    MoreQuestions,
    ParserOption,
    SeveralQuestions,
    find_only_one,
    list_given,
    note_on_space,
    open_lexicon,
    options_of,
    read_named_questions,
    read_question,
    refuse_no_question,
    refuse_parameters_of_others,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.display import how_many
from aptdb.core.errors import PhraseError
from aptdb.core.parameters import declared
from aptdb.core.phrase import Phrase, parse_lexeme_list
from aptdb.core.question_parameters import Compositional, CountedFeatures, Observed, PlausibleAmong, Substituting
from aptdb.core.result import Result

if TYPE_CHECKING:
    pass

Trees = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PHRASE...",
        help="Trees of lexemes, head first, e.g. 'clothes/NOUN[amod dry/ADJ]'; words, e.g. 'dry clothes'; or @FILE "
        "with sentences in CoNLL-U (@- is standard input).",
    ),
]
GAP = re.compile(r"_(/[^/]*)?")  # a lexeme whose lemma is _
PLACE = "a gap in a tree, as in 'dog/NOUN[amod _/ADJ]', a marked word, as in 'dogs [chase] cats', or --anchor"


@command("apt", "Ask")
@with_parameters(CountedFeatures)
def print_apt(
    lexicon: LexiconFile,
    x: SeveralQuestions = None,
    file: MoreQuestions = None,
    observed: Annotated[
        bool, typer.Option("--observed", help="Count its contexts in the text; compose nothing.")
    ] = False,
    readings: Annotated[bool, typer.Option("--readings", help="Show how typed words are read as a phrase.")] = False,
    save: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Store it as an entry of this name; show nothing."),
    ] = None,
    parser: ParserOption = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show what a word or phrase occurs with, by grammatical path.

    These are its contexts on each path, the heaviest first. Together they are its APT (anchored packed tree). The APT
    of a phrase is composed: those of its words are aligned along its tree, and merged node by node. With several
    phrases, each row names its phrase. In a reduced space, contexts are those that the space predicts, observed or not.

    With --observed, counts the contexts of the head in the parsed text, wherever the other words depend directly on
    it; for a pattern, as of aptdb evidence, the contexts of its first word in each match.

    With --save, the phrase can be used like a lexeme: show its neighbours, explain or draw it, and compare the
    observed phrase with the composed one (see aptdb stored).

    With --readings, shows how typed words are read: each as a lexeme with that spelling, in the tree whose relations
    are the most frequent between them. All commands use the reading in the first row. The others are alternatives,
    each with its share of the likelihood; to choose one, write it in brackets.

    \b
    Examples:
      aptdb apt english.duckdb dog/NOUN --shift 5 --per-path 3 --show-counts
      aptdb apt english.duckdb dog/NOUN --space words --per-path 3
      aptdb apt english.duckdb 'small dog' 'floor/NOUN[amod wooden/ADJ]' --merge min
      aptdb apt english.duckdb 'small dog' --smooth static:10 --save small_dog
      aptdb apt english.duckdb 'dog/NOUN[amod small/ADJ]' --observed
      aptdb apt english.duckdb 'small dog' --readings
    """
    refuse_no_question(x, file)
    if readings:
        others = [*list_given(file=file, observed=observed, save=save), *parameters]
        refuse_parameters_of_others(others, (), "it has no effect with --readings")
        show_readings(lexicon, x or [], parser, format)
        return
    if observed:
        refuse_parameters_of_others(parameters, declared(Observed), "it has no effect with --observed")
    if save is not None:
        for_display = parameters.keys() & {"per_path", "show_counts"}
        refuse_parameters_of_others([*list_given(format=format), *for_display], (), "it has no effect with --save")
    with open_lexicon(lexicon) as opened, report_waiting("looking for the phrase" if observed else "gathering the APT"):
        asked = read_named_questions(opened, x or [], file, parser)
        if save is not None:
            older = next((row["phrase"] for row in opened.stored.entries() if row["entry"] == save), None)
            weights = opened.save(save, find_only_one(asked, "--save"), observed=observed, **parameters)
        elif observed:
            answer: Result = opened.observed(find_only_one(asked, "--observed"), **parameters)
        elif len(asked) == len(x or []) == 1:
            answer = opened.apt(*asked.values(), **parameters)
        else:
            answer = opened.compose_each(asked, **without_counts(parameters))
    if save is not None:
        told = "use it like a lexeme, and rank it by: aptdb neighbours --among all"
        if older is not None:
            print_note(f"the entry {save} of {older} is replaced")
        print_note(f"{save} is stored, with {weights:,} weights; {told}")
        return
    show(answer, format)
    if isinstance(times := getattr(answer, "occurrences", None), int) and choose_format(format) is AnswerFormat.table:
        print_note(f"the phrase occurs {how_many(times, 'time')}")
    note_on_space(parameters, format)


def without_counts(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of several phrases. Raise BadParameter if counts are to be shown, which one lexeme has."""
    if parameters.get("show_counts"):
        why = "give one lexeme: phrases are composed, and have no counts"
        raise typer.BadParameter(why, param_hint="--show-counts")
    return {name: value for name, value in parameters.items() if name != "show_counts"}


def show_readings(lexicon: Path, texts: list[str], parser: str | None, format: AnswerFormat | None) -> None:
    """Print how typed words are read."""
    text = find_only_one({each: each for each in texts}, "--readings")
    with open_lexicon(lexicon) as opened, report_waiting("reading"):
        found = opened.read(str(text), parser=parser)
    rows = [(str(each.phrase), each.share, each.counts, ", ".join(each.left_out)) for each in found]
    answer = Result(("phrase", "share", "counts", "left_out"), ("VARCHAR", "DOUBLE", "VARCHAR", "VARCHAR"), rows)
    show(answer.without("left_out", "") if parser is None else answer.but("share", "counts", "left_out"), format)


@command("fill", "Phrases")
@with_parameters(options_of(Substituting, but=("anchor",)) | options_of(PlausibleAmong))
def print_fillers(
    lexicon: LexiconFile,
    phrase: Annotated[
        str,
        typer.Argument(
            metavar="PHRASE",
            help="A tree with a gap: a word whose lemma is _, e.g. 'dog/NOUN[amod _/ADJ]'; words, one of them marked, "
            "e.g. 'dogs [chase] cats'; or a tree without a gap, with --anchor.",
        ),
    ],
    anchor: Annotated[
        int | None, typer.Option(metavar="I", help="Fill the place of the I-th word as written; 0 is the root's.")
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Rank the words that could fill a place in a phrase.

    For a gap: composes the rest of the phrase, anchors it at the gap, and compares it with the APT of each candidate.

    For a marked word, or the word that --anchor numbers: composes the phrase anchored at that word, compares it with
    all lexemes of the same part of speech, and shows for each the features that it shares most with the word in this
    context.

    \b
    Examples:
      aptdb fill english.duckdb 'dog/NOUN[amod _/ADJ]' --candidates small/ADJ,wooden/ADJ
      aptdb fill english.duckdb 'dog/NOUN[amod _/ADJ]' --top 5
      aptdb fill english.duckdb 'dogs [chase] cats'
      aptdb fill english.duckdb 'dog/NOUN[amod small/ADJ]' --anchor 2 --merge min
    """
    from aptdb.questions.phrase_questions import MARKED

    is_marked = MARKED.search(phrase) is not None
    with open_lexicon(lexicon) as opened, report_waiting("comparing candidates"):
        asked = phrase if is_marked else read_question(opened, phrase)
        has_gap = not is_marked and is_gap_in(asked)
        if has_gap + is_marked + (anchor is not None) != 1:
            raise typer.BadParameter(f"give one place to fill: {PLACE}", param_hint="PHRASE")
        if has_gap:
            if "candidates" in parameters:
                parameters["candidates"] = parse_lexeme_list(parameters["candidates"])
            answer = opened.plausible(asked, **parameters)
        else:
            refuse_parameters_of_others(parameters, declared(Substituting), "it needs a phrase with a gap, as _/ADJ")
            answer = opened.substitutes(asked, anchor=anchor or 0, **parameters)
    show(answer, format)


def is_gap_in(asked: Phrase | str) -> bool:
    """Return whether a phrase has a gap."""
    try:
        phrase = Phrase.parse(asked) if isinstance(asked, str) else asked
    except PhraseError:  # typed words, which have none
        return False
    return any(GAP.fullmatch(each["lexeme"]) for each in phrase.words())


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

    Shows for each phrase of two words its frequency, the logarithm of it, and how similar its observed APT (see aptdb
    apt) is to the composed phrase, to its head alone, and to its dependent alone. Head and dependent are counted
    outside the phrase (head_occurrences, dependent_occurrences); with --own-occurrences, everywhere. Frequent phrases
    are more similar to all of these, whatever they mean: compare phrases of similar frequency.

    \b
    Examples:
      aptdb compositionality english.duckdb 'car park' 'small dog'
      aptdb compositionality english.duckdb --file compounds.txt --merge min
    """
    refuse_no_question(phrases, file)
    with open_lexicon(lexicon) as opened, report_waiting("looking for the phrases"):
        answer = opened.compositionality(read_named_questions(opened, phrases or [], file, parser), **parameters)
    show(answer, format)
    if choose_format(format) is AnswerFormat.table and not parameters.get("own_occurrences"):
        print_note("head and dependent are counted outside the phrase; --own-occurrences counts them everywhere")
