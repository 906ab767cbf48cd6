"""Commands that repeat the paper's experiments: experiment tables-2-4, table-5, table-6."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import Panelled, app, print_note
from aptdb.commands.evaluations import MISSING, NAMING, Record, Seed, read_differing_names
from aptdb.commands.options import FormatOption, LexiconFile, open_lexicon, with_parameters
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.commands.progress import counting_up
from aptdb.core.errors import DataSetError

if TYPE_CHECKING:
    from aptdb.core.result import Result

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


@experiment.command("tables-2-4", cls=Panelled)
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
        answer = opened.tables_2_to_4(names=read_differing_names(parameters), progress=progress)
    say_sizes(answer)
    if choose_format(format) is AnswerFormat.table:
        from aptdb.evaluation.views import lists_for_reading

        answer = lists_for_reading(answer)
    show(answer, format)


@experiment.command("table-5", cls=Panelled)
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
    asked: dict[str, Any] = {
        "missing": missing,
        "names": read_differing_names(parameters),
        "seed": seed,
        "record": record,
    }
    with open_lexicon(lexicon) as opened, counting_up("models") as progress:
        answer = opened.table_5(dataset, progress=progress, **asked)
    show_correlations(answer, format)


@experiment.command("table-6", cls=Panelled)
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
    asked: dict[str, Any] = {
        "missing": missing,
        "names": read_differing_names(parameters),
        "seed": seed,
        "record": record,
    }
    with open_lexicon(lexicon) as opened, counting_up("models") as progress:
        answer = opened.table_6(dataset, progress=progress, **asked)
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
    as_asked = choose_format(format)
    if as_asked is AnswerFormat.table:
        answer = as_in_the_paper(answer)
    show(answer, format)


def say_sizes(answer: "Result") -> None:
    """Print the sizes of the lexicon and of the paper's corpus."""
    first = next(iter(answer))
    here = (
        f"{first['tokens']:,} tokens here"
        if first["tokens"]
        else "this lexicon has only counts, so the number of its tokens is unknown"
    )
    print_note(f"{here}; the paper's {first['paper_corpus']} has about {first['paper_tokens']:,}")
