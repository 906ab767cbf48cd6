"""Commands that compare a lexicon with human judgements: eval ratings; more of eval is in experiment.py."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import app, command
from aptdb.commands.notes import counting_up, print_note
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    make_option,
    names_between_commas,
    numbered_lines,
    open_lexicon,
    values_by_name,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.display import how_many
from aptdb.core.errors import SettingsError
from aptdb.core.parameters import Group, declared, find_plain_type
from aptdb.core.question_parameters import Model
from aptdb.core.schemes import Export

if TYPE_CHECKING:
    from aptdb.core.result import Result
    from aptdb.evaluation.datasets import DataSet
    from aptdb.evaluation.lexeme_mapping import Names
    from aptdb.evaluation.task import Evaluated
    from aptdb.lexicon import Lexicon

eval_group = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Evaluate a lexicon on data sets.\n\nCompare it with human judgements, let it answer questions, "
    "or repeat an experiment of the paper.",
)
app.add_typer(eval_group, name="eval", rich_help_panel="Evaluate")

SHOWN_WORDS = 10  # of a note
AS_TEXT = {*AnswerFormat} - {AnswerFormat.json, AnswerFormat.jsonl}  # formats that write a word for an undefined ρ
ONE_VALUE = ("aligned", "unit")  # a switch has no list of values
SWITCH = {"true": True, "false": False}
NAMING: dict[str, Any] = {
    "relations": Annotated[
        str | None,
        typer.Option(
            metavar="UD=OWN,...",
            help="The lexicon's names for amod, compound, obj and nsubj, e.g. compound=nn,obj=dobj.",
        ),
    ],
    "tags": Annotated[
        str | None,
        typer.Option(metavar="UD=OWN,...", help="The lexicon's names for parts of speech, e.g. NOUN=N,ADJ=J,VERB=V."),
    ],
    "variants": Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A file of spellings: each line has those of one word, with tabs between them. The most frequent "
            "one in the lexicon is used.",
        ),
    ],
    "pos": Annotated[
        str | None,
        typer.Option(
            metavar="TAG",
            help="The part of speech of words if the data set does not tell it. [default: what both words share]",
        ),
    ],
}


# Each option takes several values with commas between them, except switches. A grid varies them in this order.
# Missing words have an option of their own here.
ORDER = (Group.PHRASES, Group.WEIGHTS, Group.VECTORS)
GRID: dict[str, Any] = {
    name: make_option(Model, name, bool if name in ONE_VALUE else str)
    for name, _ in sorted(declared(Model).items(), key=lambda item: ORDER.index(item[1].group))
    if name != "missing"
}

Method = Annotated[
    str,
    typer.Option(
        metavar="HOW,...",
        help="all: each rating is a point; per-participant: the mean ρ of the participants; mean: each item is a "
        "point, with its mean rating; within-pairs: of two landmarks of the same verb in context, 1 where the model "
        "orders them as people do, else -1.",
    ),
]
MISSING = (
    "If an item lacks a word: skip_unknown (the word contributes nothing, as in phrases), zero (the item scores 0) or "
    "skip_item (the item is left out)."
)
Missing = Annotated[str, typer.Option(metavar="WHAT,...", help=MISSING)]
DatasetFormat = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="FORMAT",
        help="The format of the data set, if it is not recognised: ml2010, ml2008, word-pairs, verb-landmark, "
        "sentence-pairs, entailment, graded-entailment or compounds.",
    ),
]
LandmarkInContext = Annotated[
    bool, typer.Option("--landmark-in-context", help="Compare with the landmark in the context of the verb, not alone.")
]
Untyped = Annotated[
    bool,
    typer.Option(
        "--untyped",
        help="Ignore paths: a baseline that shows what grammar adds. It takes --merge, --measure, --smooth, unit, "
        "a scheme as --weights, and the parameters of the scheme except scope and --max-order.",
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="The random seed of the bootstrap.")]
Setting = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE,...",
        help="Evaluate parameters that belong together, e.g. space=words or shift=10,cds=.75; default is none. May be "
        "given several times: a row for each.",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="SETTING",
        help="Show how much ρ differs from that of another setting, with the 95 % interval over the same resamples of "
        "items: best, first, or the number of a setting.",
    ),
]
ChooseOn = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE,...",
        help="Choose the best setting on half of the items, drawn by the seed (half), or on other data sets (files); "
        "report on the rest.",
    ),
]
Record = Annotated[bool, typer.Option("--record/--no-record", help="Store the results in the lexicon.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="List the items that lack a word.")]
Plot = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Also draw the results, as a .png or .svg file.")
]


@command("ratings", group=eval_group)
@with_parameters({**GRID, **NAMING})
def run_evaluate(
    lexicon: LexiconFile,
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="A file of human judgements; - is standard input.")],
    method: Method = "all",
    missing: Missing = "skip_unknown",
    dataset_format: DatasetFormat = None,
    landmark_in_context: LandmarkInContext = False,
    untyped: Untyped = False,
    seed: Seed = 1,
    record: Record = True,
    setting: Setting = None,
    against: Against = None,
    choose_on: ChooseOn = None,
    verbose: Verbose = False,
    plot: Plot = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Compare similarities with human judgements.

    Computes Spearman's ρ for each part of the data set, with a bootstrap interval over the items. The data set may be
    Mitchell & Lapata 2010 or 2008, pairs of words or phrases with a score (e.g. WordSim-353, SimLex-999, BiRD), or
    transitive sentences. Compounds with ratings (Reddy 2011) are evaluated beside their frequency, and pairs that
    entail or not (LEDS) by average precision and direction. With --as graded-entailment, pairs with a score (HyperLex)
    are rated by the directed measures, beside their cosine and the difference of their frequencies. These three take
    one value of each option, and are not stored.

    Give an option several values, with commas between them, to evaluate all combinations (a grid). The best of each
    part is marked, among those with the same --method and --missing. Stored results are not computed again: to
    continue a grid that you stopped, repeat the command.

    The best of many settings looks better than it is. --choose-on chooses it on some items and reports on the others;
    --against shows the 95 % interval of the difference between two settings.

    \b
    Examples:
      aptdb eval ratings english.duckdb ml2010.txt --shift 10
      aptdb eval ratings english.duckdb ml2010.txt --merge sum,min --shift 1,10 -o grid.svg
      aptdb eval ratings english.duckdb ml2010.txt --untyped --merge mult
      aptdb eval ratings english.duckdb hyperlex.txt --as graded-entailment
      aptdb eval ratings english.duckdb ml2010.txt --setting shift=10 --setting shift=3,cds=.75 --choose-on half
    """
    from aptdb.evaluation.datasets import read_dataset
    from aptdb.evaluation.other_scores import has_columns_of_its_own
    from aptdb.evaluation.views import plot_evaluations, refuse_plot
    from aptdb.store.file_writing import as_private_as

    if plot is not None:
        refuse_plot(plot)
    data = read_dataset(dataset, format=dataset_format, landmark_in_context=landmark_in_context)
    if plot is not None and has_columns_of_its_own(data):
        raise typer.BadParameter(f"there is no plot of {data.format}; leave it out", param_hint="--output")
    names = read_differing_names(parameters)
    several = None if choose_on is None else list(names_between_commas(choose_on))
    compared: dict[str, Any] = {
        "settings": [setting_in(each) for each in setting or ()],
        "against": int(against) if against is not None and against.isdecimal() else against,
        "choose_on": several[0] if several == ["half"] else several,
    }
    asked = {**model_of(parameters), "method": one_or_list(method), "missing": one_or_list(missing)}
    with open_lexicon(lexicon) as opened, counting_up("combinations") as progress:
        answer = opened.eval.evaluate(
            data, untyped=untyped, names=names, seed=seed, record=record, progress=progress, **compared, **asked
        )
        lacking = (
            list_items_without_word(opened, asked, dataset=data, untyped=untyped, names=names) if verbose else None
        )
    if has_columns_of_its_own(data):
        show_otherwise(answer, data, format)
    else:
        show_evaluations(answer, format)
    if lacking is not None:
        name_lacking(lacking)
    if plot is not None:
        with as_private_as(lexicon):
            plot_evaluations(answer, plot)
        print_note(f"{plot} is drawn")


def list_items_without_word(opened: "Lexicon", asked: Mapping[str, Any], **of_dataset: Any) -> "Result":
    """Return the items that lack a word under the given weights, or in the lexicon if there are several."""
    filters = {name: value for name, value in asked.items() if name in declared(Export)}
    if any(isinstance(value, list) for value in filters.values()):
        print_note("weights differ between combinations, so only the words that the lexicon lacks are listed")
        filters = {}
    return opened.eval.missing_words(**of_dataset, **filters)


def model_of(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given parameters of the model, each a value or a list of values."""
    return {
        name: parameters[name] if name in ONE_VALUE else one_or_list(parameters[name], name)
        for name in GRID
        if name in parameters
    }


def one_or_list(text: str, name: str | None = None) -> Any:
    """Return the value in a text, or the values between its commas, as numbers if the parameter is a number."""
    kind = find_plain_type(Model, name) if name else str
    try:
        values = [kind(each) for each in names_between_commas(text)]
    except ValueError as error:
        what = "whole numbers" if kind is int else "numbers"
        option = "set" if declared(Model)[str(name)].rare else str(name).replace("_", "-")
        raise typer.BadParameter(f"{text!r} is not a list of {what}, e.g. 1,10", param_hint=f"--{option}") from error
    return values[0] if len(values) == 1 else values


def setting_in(text: str) -> dict[str, Any]:
    """Return the parameters in a text like space=words or shift=10,cds=.75; default is none."""
    found: dict[str, Any] = {}
    given = {} if text == "default" else values_by_name(names_between_commas(text), "--setting")
    for name, value in ((name.replace("-", "_"), value) for name, value in given.items()):
        if name not in GRID:
            raise typer.BadParameter(f"unknown parameter {name}; expected {', '.join(GRID)}", param_hint="--setting")
        if name in ONE_VALUE:
            if value not in SWITCH:
                raise typer.BadParameter(f"{name} is {value!r}; expected true or false", param_hint="--setting")
            found[name] = SWITCH[value]
        else:
            found[name] = one_or_list(value, name)
    return found


def read_differing_names(parameters: Mapping[str, Any]) -> "Names":
    """Return the differing names in the lexicon, from the options."""
    from aptdb.evaluation.lexeme_mapping import Names

    return Names(
        relations=parse_own_names("relations", parameters.get("relations", "")),
        tags=parse_own_names("tags", parameters.get("tags", "")),
        spellings=spellings_in(parameters["variants"]) if "variants" in parameters else (),
        pos=parameters.get("pos"),
    )


def parse_own_names(name: str, text: str) -> dict[str, str]:
    """Return own names by Universal Dependencies' names, from a text like obj=dobj,compound=nn."""
    found: dict[str, str] = {}
    for pair in names_between_commas(text):
        ud, equals, own = pair.partition("=")
        if not (ud and equals and own):
            raise typer.BadParameter(f"{pair!r} is not UD=OWN, e.g. obj=dobj", param_hint=f"--{name}")
        found[ud] = own
    return found


def spellings_in(file: str) -> list[list[str]]:
    """Return the sets of spellings in a file, one on each line.

    Raises SettingsError for a line with only one spelling.
    """
    found = []
    for number, line in numbered_lines(file):
        spellings = [each.strip() for each in line.split("\t") if each.strip()]
        if len(spellings) < 2:  # noqa: PLR2004
            raise SettingsError(
                f"{file}:{number}: {line!r} is one spelling; expected all spellings of a word, with tabs between them"
            )
        found.append(spellings)
    if not found:
        raise SettingsError(
            f"{file} has no spellings; expected all spellings of a word on each line, with tabs between them"
        )
    return found


def show_otherwise(answer: "Evaluated", data: "DataSet", format: AnswerFormat | None) -> None:
    """Show an evaluation that has columns of its own; a table without what all rows share."""
    if choose_format(format) is not AnswerFormat.table:
        show(answer, format)
        return
    compounds = data.format == "compounds"
    row = answer[0]
    show(answer.but("dataset", *(["absent", "occurrences"] if compounds else [])), format)
    if compounds:
        times = f"{how_many(row['items'], 'compound')} of {len(data.items) // len(data.parts())}"
        print_note(f"{data.name}: {times} occur, {row['occurrences']:,} times in all; partial: ρ given log_frequency")
    elif data.format == "graded-entailment":
        print_note(
            f"{data.name}: ρ with the mean ratings of pairs; partial: ρ given frequency, a difference of logarithms"
        )
    else:
        print_note(f"{data.name}: direction is the share of pairs that score higher than in the opposite direction")


def show_evaluations(answer: "Evaluated", format: AnswerFormat | None) -> None:
    """Show evaluations as a readable table, or with all columns for programs."""
    from aptdb.evaluation.views import notes_on, readable, with_undefined

    as_asked = choose_format(format)
    for note in notes_on(answer):
        print_note(note)
    if as_asked is AnswerFormat.table:
        show(readable(answer), format)
    else:
        show(with_undefined(answer) if as_asked in AS_TEXT else answer, format)


def name_lacking(lacking: "Result") -> None:
    """Print which items lack which words."""
    items: dict[tuple[str, ...], list[str]] = {}
    for part, a, b, lexeme in lacking.rows:
        items.setdefault((part, a, b), []).append(lexeme)
    for (part, a, b), lexemes in items.items():
        print_note(f"{'' if part == 'all' else f'{part}: '}{a} – {b} lacks {', '.join(lexemes)}")
    many = how_many(len(items), "item") if items else "no item"
    print_note(f"{many} {'lacks' if len(items) <= 1 else 'lack'} a word")
