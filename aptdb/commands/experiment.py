"""Commands that try a lexicon on tasks: choose, rate-substitutes, and the paper's experiments.

These are experiment tables-2-4, table-5, table-6.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import app, command
from aptdb.commands.evaluations import MISSING, NAMING, SHOWN_WORDS, Record, Seed, read_differing_names
from aptdb.commands.notes import counting_up, print_note, report_waiting
from aptdb.commands.options import FormatOption, LexiconFile, open_lexicon, options_of, with_parameters
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.display import how_many
from aptdb.core.errors import DataSetError
from aptdb.core.question_parameters import ComparingEach

if TYPE_CHECKING:
    from aptdb.core.result import Result

OF_ITEMS = {name: each for name, each in options_of(ComparingEach).items() if name not in ("anchor", "missing")}


@command("choose", "Evaluate")
@with_parameters(ComparingEach)
def print_choice(
    lexicon: LexiconFile,
    questions: Annotated[
        str, typer.Argument(metavar="QUESTIONS", help="A CSV or TSV file of questions; - is standard input.")
    ],
    sentences: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="The sentences of the questions with a gap, parsed, as CoNLL-U, in their order."
        ),
    ] = None,
    seed: Seed = 1,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Choose among candidates: what fills a gap, or is most like a phrase.

    The file has a header with the columns question, answer (a candidate, or the name of its column), and candidates
    with | between them, or a column for each. A question with a gap (_) is a sentence: chosen is what goes best with
    its content words in the stored sentences, by ppmi. Any other is a word or a phrase: chosen is what is most similar
    to it, best in a space (--space).

    \b
    Examples:
      aptdb choose english.duckdb sentences.csv
      aptdb choose english.duckdb phrases.csv --space words
    """
    with open_lexicon(lexicon) as opened, report_waiting("choosing"):
        answer = opened.eval.choose(questions, sentences=sentences, seed=seed, **parameters)
    show(answer, format)
    interval = "" if answer.low is None or answer.high is None else f" [{answer.low:.3f}, {answer.high:.3f}]"
    print_note(
        f"{answer.accuracy:.3f}{interval} of {how_many(len(answer), 'question')} right; a guess is {answer.chance:.3f}"
    )
    if answer.unknown:
        print_note(f"without a score, since this lexicon lacks them: {', '.join(answer.unknown)}")
    if answer.left_out:
        print_note(f"words of sentences that this lexicon lacks, and that are left out: {list_first(answer.left_out)}")


@command("rate-substitutes", "Evaluate")
@with_parameters(OF_ITEMS)
def print_rated_substitutes(
    lexicon: LexiconFile,
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="A file of substitutes, as bright.a 1 :: intelligent 3;clever 2;")
    ],
    sentences: Annotated[
        str,
        typer.Argument(
            metavar="SENTENCES",
            help="Their sentences: CoNLL-U with the comments # instance = bright.a 1 and # target = 13; or, with "
            "--parser, XML or lines of bright.a, 1, place from 0, sentence, with tabs between them.",
        ),
    ],
    parser: Annotated[
        str | None, typer.Option(metavar="KIND:MODEL", help="A parser for sentences without trees, e.g. spacy:MODEL.")
    ] = None,
    seed: Seed = 1,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Compare substitutes with those that people gave.

    The files are those of lexical substitution (SemEval 2007). Each word is composed with the words near it in its
    sentence, and ranks all substitutes that people gave for it anywhere: GAP says how near that is to their order, 1 at
    most. P@1 is the share of items whose best substitute of all lexemes is one that people gave.

    \b
    Example:
      aptdb rate-substitutes english.duckdb gold.txt sentences.conllu --merge min
    """
    with open_lexicon(lexicon) as opened, counting_up("items") as progress:
        answer = opened.eval.rate_substitutes(
            gold, sentences, parser=parser, seed=seed, progress=progress, **parameters
        )
    show(answer, format)
    print_note(
        f"{how_many(len(answer), 'item')}: GAP {with_limits(answer.gap)}, of the word alone "
        f"{with_limits(answer.gap_alone)}; P@1 {with_limits(answer.right)}"
    )
    if answer.missing:
        shown = list_first(answer.missing)
        print_note(f"left out, without a sentence, a counted word or a substitute of one word: {shown}")


def list_first(names: Sequence[str]) -> str:
    """Return some names; of very many the first, and how many there are."""
    more = f", … ({len(names):,})" if len(names) > SHOWN_WORDS else ""
    return ", ".join(names[:SHOWN_WORDS]) + more


def with_limits(value: tuple[float | None, float | None, float | None]) -> str:
    """Return a number with its interval."""
    number, low, high = value
    return f"{number or 0:.3f}" + ("" if low is None or high is None else f" [{low:.3f}, {high:.3f}]")


# The experiments of the paper
experiment = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Repeat an experiment of the paper.\n\nShows your results beside those that the paper reports. Each command "
    "is named after the paper's table.",
)
app.add_typer(experiment, name="experiment", rich_help_panel="Evaluate")

OTHERWISE = {name: option for name, option in NAMING.items() if name != "pos"}
Missing = Annotated[str, typer.Option(metavar="WHAT", help=MISSING)]
DATASET = typer.Argument(metavar="DATASET", help="The file with the data set.")


@command("tables-2-4", group=experiment)
@with_parameters(OTHERWISE)
def tables_2_4(lexicon: LexiconFile, format: FormatOption = None, *, parameters: dict[str, Any]) -> None:
    """Show the neighbours of nouns, alone and composed.

    Takes shoot, group, body, work and field, alone and with two adjectives each, aligned and unaligned, merged by sum
    and min. Shows the ten nearest nouns here and in the paper, and how many are in both lists. Composes probabilities,
    with cds 0.75.

    \b
    Example:
      aptdb experiment tables-2-4 english.duckdb
    """
    with open_lexicon(lexicon) as opened, counting_up("ways to compose") as progress:
        answer = opened.eval.tables_2_to_4(names=read_differing_names(parameters), progress=progress)
    say_sizes(answer)
    if choose_format(format) is AnswerFormat.table:
        from aptdb.evaluation.views import lists_for_reading

        answer = lists_for_reading(answer)
    show(answer, format)


@command("table-5", group=experiment)
@with_parameters(OTHERWISE)
def run_table_5(
    lexicon: LexiconFile,
    dataset: Annotated[Path, DATASET] = Path("ml2010.txt"),
    missing: Missing = "skip_unknown",
    seed: Seed = 1,
    record: Record = True,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Measure the similarity of phrases.

    Uses Mitchell & Lapata's data set of 2010: adjectives with nouns (AN), nouns with nouns (NN), verbs with objects
    (VO). Shows Spearman's ρ for each and on average: of min and sum with ppmi (k is the shift), and of the untyped
    baseline. The paper's values are in brackets.

    \b
    Example:
      aptdb experiment table-5 english.duckdb ml2010.txt
    """
    refuse_absent_data_set(dataset, "table-5", "of 2010")
    names = read_differing_names(parameters)
    with open_lexicon(lexicon) as opened, counting_up("models") as progress:
        answer = opened.eval.table_5(dataset, missing=missing, names=names, seed=seed, record=record, progress=progress)
    show_correlations(answer, format)


@command("table-6", group=experiment)
@with_parameters(OTHERWISE)
def run_table_6(
    lexicon: LexiconFile,
    dataset: Annotated[Path, DATASET] = Path("ml2008.txt"),
    missing: Missing = "skip_unknown",
    seed: Seed = 1,
    record: Record = True,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Measure the similarity of verbs in context.

    Uses Mitchell & Lapata's data set of 2008, which compares a verb with its subject to a landmark verb. Shows
    Spearman's ρ of min and sum with ppmi (k is the shift), and of the untyped baseline. The paper's values are in
    brackets.

    \b
    Example:
      aptdb experiment table-6 english.duckdb ml2008.txt
    """
    refuse_absent_data_set(dataset, "table-6", "of 2008")
    names = read_differing_names(parameters)
    with open_lexicon(lexicon) as opened, counting_up("models") as progress:
        answer = opened.eval.table_6(dataset, missing=missing, names=names, seed=seed, record=record, progress=progress)
    show_correlations(answer, format)


def refuse_absent_data_set(dataset: Path, name: str, when: str) -> None:
    """Raise DataSetError if the data set is missing; name the one that is needed."""
    if not dataset.is_file():
        raise DataSetError(
            f"no file {dataset}; {name} needs the data set of Mitchell & Lapata {when}: "
            f"aptdb experiment {name} LEXICON FILE"
        )


def show_correlations(answer: "Result", format: AnswerFormat | None) -> None:
    """Show correlations next to the paper's, arranged as in its tables, or a row each for programs."""
    from aptdb.evaluation.views import as_in_the_paper

    say_sizes(answer)
    for why in dict.fromkeys(
        f"{row['model']}, {row['part']}: {row['undefined']}" for row in answer if row["undefined"]
    ):
        print_note(f"ρ is undefined of {why}")
    show(as_in_the_paper(answer) if choose_format(format) is AnswerFormat.table else answer, format)


def say_sizes(answer: "Result") -> None:
    """Print the sizes of the lexicon and of the paper's corpus."""
    first = next(iter(answer))
    here = (
        f"{first['tokens']:,} tokens here"
        if first["tokens"]
        else "this lexicon has only counts, so the number of its tokens is unknown"
    )
    print_note(f"{here}; the paper's {first['paper_corpus']} has about {first['paper_tokens']:,}")
