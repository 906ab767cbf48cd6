"""The paper's experiments as commands: experiment tables-2-4, table-5, table-6."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import Panelled, app, print_note
from aptdb.commands.evaluate import MISSING, NAMING, Record, Seed, names_of
from aptdb.commands.options import AsFormat, LexiconFile, with_parameters
from aptdb.commands.output import Format, chosen, show
from aptdb.commands.progress import counting_up
from aptdb.errors import DataSetError

if TYPE_CHECKING:
    from aptdb.result import Result

experiment = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Rerun an experiment of the paper, beside what it reports.\n\nEach is named after the paper's table.",
)
app.add_typer(experiment, name="experiment", rich_help_panel="Evaluate")

OTHERWISE = {name: option for name, option in NAMING.items() if name != "pos"}
Missing = Annotated[str, typer.Option(metavar="WHAT", help=MISSING)]
DATASET = typer.Argument(metavar="DATASET", help="The file of the data set.")


@experiment.command("tables-2-4", cls=Panelled)
@with_parameters(OTHERWISE)
def tables_2_4(lexicon: LexiconFile, form: AsFormat = None, *, parameters: dict[str, Any]) -> None:
    """Show the neighbours of nouns, alone and composed.

    Of shoot, group, body, work and field, by themselves and with two adjectives each, aligned and not, under sum and
    min: the ten nearest nouns here and in the paper, and how many are in both. Probabilities are composed, with cds
    0.75.

    \b
    Example:
      aptdb experiment tables-2-4 english.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, counting_up("ways to compose") as progress:
        answer = opened.tables_2_to_4(names=names_of(parameters), progress=progress)
    say_sizes(answer)
    if chosen(form) is Format.table:
        from aptdb.evaluation.views import lists_for_reading

        answer = lists_for_reading(answer)
    show(answer, form)


@experiment.command("table-5", cls=Panelled)
@with_parameters(OTHERWISE)
def table_5(
    lexicon: LexiconFile,
    dataset: Annotated[Path, DATASET] = Path("ml2010.txt"),
    missing: Missing = "there",
    seed: Seed = 1,
    record: Record = True,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Measure how alike phrases are.

    On Mitchell & Lapata's data set of 2010: of adjectives with nouns (AN), nouns with nouns (NN), verbs with objects
    (VO), and on average, Spearman's ρ of min and sum under ppmi, k being the shift, and of the untyped baseline; in
    brackets what the paper reports.

    \b
    Example:
      aptdb experiment table-5 english.duckdb ml2010.txt
    """
    from aptdb.lexicon import Lexicon

    refuse_absent(dataset, "table-5", "of 2010")
    asked: dict[str, Any] = {"missing": missing, "names": names_of(parameters), "seed": seed, "record": record}
    with Lexicon.open(lexicon) as opened, counting_up("models") as progress:
        answer = opened.table_5(dataset, progress=progress, **asked)
    show_correlations(answer, form)


@experiment.command("table-6", cls=Panelled)
@with_parameters(OTHERWISE)
def table_6(
    lexicon: LexiconFile,
    dataset: Annotated[Path, DATASET] = Path("ml2008.txt"),
    missing: Missing = "there",
    seed: Seed = 1,
    record: Record = True,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Measure how alike verbs are in context.

    On Mitchell & Lapata's data set of 2008: of a verb in the context of its subject with a landmark verb, Spearman's ρ
    of min and sum under ppmi, k being the shift, and of the untyped baseline; in brackets what the paper reports.

    \b
    Example:
      aptdb experiment table-6 english.duckdb ml2008.txt
    """
    from aptdb.lexicon import Lexicon

    refuse_absent(dataset, "table-6", "of 2008")
    asked: dict[str, Any] = {"missing": missing, "names": names_of(parameters), "seed": seed, "record": record}
    with Lexicon.open(lexicon) as opened, counting_up("models") as progress:
        answer = opened.table_6(dataset, progress=progress, **asked)
    show_correlations(answer, form)


def refuse_absent(dataset: Path, name: str, when: str) -> None:
    """Raise DataSetError where the data set is not there, saying whose it is."""
    if not dataset.is_file():
        raise DataSetError(
            f"no file {dataset}; {name} needs the data set of Mitchell & Lapata {when}: "
            f"aptdb experiment {name} LEXICON FILE"
        )


def show_correlations(answer: "Result", form: Format | None) -> None:
    """Correlations beside the paper's, as its tables have them or one a row."""
    from aptdb.evaluation.views import as_in_the_paper

    say_sizes(answer)
    for why in dict.fromkeys(
        f"{row['model']}, {row['part']}: {row['undefined']}" for row in answer if row["undefined"]
    ):
        print_note(f"ρ is undefined of {why}")
    as_asked = chosen(form)
    if as_asked is Format.table:
        answer = as_in_the_paper(answer)
    show(answer, form)


def say_sizes(answer: "Result") -> None:
    """Say how large the lexicon is, and the paper's corpus."""
    first = next(iter(answer))
    here = f"{first['tokens']:,} tokens here" if first["tokens"] else "of counts, nobody knows the tokens here"
    print_note(f"{here}; the paper's {first['paper_corpus']} has about {first['paper_tokens']:,}")
