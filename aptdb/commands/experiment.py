"""Commands that try a lexicon on tasks, and list what came of it: eval choose, substitutes, paper, results."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from aptdb.commands.app import command
from aptdb.commands.evaluations import MISSING, NAMING, SHOWN_WORDS, Seed, eval_group, read_differing_names
from aptdb.commands.notes import counting_up, print_note, report_waiting
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    open_lexicon,
    options_of,
    refuse_parameters_of_others,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.display import how_many
from aptdb.core.errors import DataSetError
from aptdb.core.one_line import name_first
from aptdb.core.question_parameters import ComparingEach

if TYPE_CHECKING:
    from aptdb.core.result import Result

OF_ITEMS = {name: each for name, each in options_of(ComparingEach).items() if name not in ("anchor", "missing")}


@command("choose", group=eval_group)
@with_parameters(ComparingEach)
def print_choice(
    lexicon: LexiconFile,
    questions: Annotated[
        str, typer.Argument(metavar="QUESTIONS", help="A CSV or TSV file of questions; - is standard input.")
    ],
    answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Their answers, as CSV or TSV with the columns id and answer.")
    ] = None,
    sentences: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="The sentences of the questions with a gap, parsed, as CoNLL-U, in their order."
        ),
    ] = None,
    frequency_exponent: Annotated[
        float,
        typer.Option(
            metavar="E",
            help="Divide a candidate's similarity by the logarithm of its frequency to the power E (try 2), since "
            "frequent words are like many others; not for gaps.",
        ),
    ] = 0.0,
    seed: Seed = 1,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Let the lexicon answer multiple-choice questions.

    The file has a header with the columns question, answer (a candidate, or the name of its column), and candidates
    with | between them, or a column for each; or no header, and in each line a phrase, its answer and wrong choices,
    with | between them. A question with a gap (_) is a sentence: the candidate is chosen that co-occurs most with its
    content words in the stored sentences, by ppmi. For any other question, a word or phrase, the most similar candidate
    is chosen, best in a space (--space).

    \b
    Examples:
      aptdb eval choose english.duckdb sentences.csv
      aptdb eval choose english.duckdb phrases.csv --space words
      aptdb eval choose english.duckdb questions.csv --answers answers.csv
    """
    with open_lexicon(lexicon) as opened, report_waiting("choosing"):
        answer = opened.eval.choose(
            questions,
            answers=answers,
            sentences=sentences,
            frequency_exponent=frequency_exponent,
            seed=seed,
            **parameters,
        )
    show(answer, format)
    interval = "" if answer.low is None or answer.high is None else f" [{answer.low:.3f}, {answer.high:.3f}]"
    print_note(
        f"{answer.accuracy:.3f}{interval} of {how_many(len(answer), 'question')} right; a guess is {answer.chance:.3f}"
    )
    if answer.unknown:
        print_note(f"not scored, because this lexicon lacks them: {', '.join(answer.unknown)}")
    if answer.left_out:
        print_note(f"left out, because this lexicon lacks them: {name_first(answer.left_out, SHOWN_WORDS)}")


@command("substitutes", group=eval_group)
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

    The files are those of lexical substitution (SemEval 2007). Composes each word with the words near it in its
    sentence, and ranks all substitutes that people gave for it in any sentence. GAP compares the ranking with theirs:
    1 is the same order. P@1 is the share of items whose best substitute, among all lexemes, is one that people gave.

    \b
    Example:
      aptdb eval substitutes english.duckdb gold.txt sentences.conllu --merge min
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
        shown = name_first(answer.missing, SHOWN_WORDS)
        print_note(f"left out, because a sentence, a counted word or a substitute of one word is missing: {shown}")


def with_limits(value: tuple[float | None, float | None, float | None]) -> str:
    """Return a number with its interval."""
    number, low, high = value
    return f"{number or 0:.3f}" + ("" if low is None or high is None else f" [{low:.3f}, {high:.3f}]")


# The experiments of the paper
PaperTable = Literal["tables-2-4", "table-5", "table-6"]
DATA_SETS = {"table-5": ("ml2010.txt", "of 2010"), "table-6": ("ml2008.txt", "of 2008")}
OTHERWISE = {name: option for name, option in NAMING.items() if name != "pos"}
OF_CORRELATIONS: dict[str, Any] = {
    "missing": Annotated[str | None, typer.Option(metavar="WHAT", help=f"{MISSING} [default: skip_unknown]")],
    "seed": Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The random seed of the bootstrap. [default: 1]")
    ],
    "record": Annotated[
        bool | None, typer.Option("--record/--no-record", help="Store the results in the lexicon. [default: record]")
    ],
}


@command("paper", group=eval_group)
@with_parameters({**OTHERWISE, **OF_CORRELATIONS})
def run_paper(
    lexicon: LexiconFile,
    table: Annotated[PaperTable, typer.Argument(metavar="TABLE", help="The table of the paper.")],
    dataset: Annotated[
        Path | None,
        typer.Argument(metavar="DATASET", help="Of table-5 or table-6. [default: ml2010.txt or ml2008.txt]"),
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Repeat an experiment of the paper.

    Shows your results beside those that the paper reports.

    tables-2-4 has the neighbours of nouns, alone and composed: of shoot, group, body, work and field, alone and with
    two adjectives each, aligned and unaligned, merged by sum and min. It shows the ten nearest nouns here and in the
    paper, and how many are in both lists. It composes probabilities, with cds 0.75.

    table-5 has the similarity of phrases, on Mitchell & Lapata's data set of 2010: adjectives with nouns (AN), nouns
    with nouns (NN), verbs with objects (VO), and the average. table-6 has that of verbs in context, on their data set
    of 2008, which compares a verb with its subject to a landmark verb. Both show Spearman's ρ of min and sum with ppmi
    (k is the shift), and of the untyped baseline, with the paper's values in brackets.

    \b
    Examples:
      aptdb eval paper english.duckdb tables-2-4
      aptdb eval paper english.duckdb table-5 ml2010.txt
      aptdb eval paper english.duckdb table-6 ml2008.txt
    """
    if table == "tables-2-4":
        if dataset is not None:
            raise typer.BadParameter("leave it out: tables-2-4 needs no data set", param_hint="DATASET")
        refuse_parameters_of_others(parameters, OTHERWISE, "only table-5 and table-6 take it")
        show_tables_2_4(lexicon, parameters, format)
        return
    usual, when = DATA_SETS[table]
    file = Path(usual) if dataset is None else dataset
    refuse_absent_data_set(file, table, when)
    names = read_differing_names(parameters)
    how = {name: value for name, value in parameters.items() if name in OF_CORRELATIONS}
    with open_lexicon(lexicon) as opened, counting_up("models") as progress:
        repeat = opened.eval.table_5 if table == "table-5" else opened.eval.table_6
        answer = repeat(file, names=names, progress=progress, **how)
    show_correlations(answer, format)


def show_tables_2_4(lexicon: Path, parameters: Mapping[str, Any], format: AnswerFormat | None) -> None:
    """Show the neighbours of the paper's nouns: a table for people, or a row each for programs."""
    with open_lexicon(lexicon) as opened, counting_up("ways to compose") as progress:
        answer = opened.eval.tables_2_to_4(names=read_differing_names(parameters), progress=progress)
    say_sizes(answer)
    if choose_format(format) is AnswerFormat.table:
        from aptdb.evaluation.views import lists_for_reading

        answer = lists_for_reading(answer)
    show(answer, format)


def refuse_absent_data_set(dataset: Path, name: str, when: str) -> None:
    """Raise DataSetError if the data set is missing; name the one that is needed."""
    if not dataset.is_file():
        raise DataSetError(
            f"no file {dataset}; {name} needs the data set of Mitchell & Lapata {when}: "
            f"aptdb eval paper LEXICON {name} FILE"
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
