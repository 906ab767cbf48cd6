"""The commands that compare a lexicon with what people judged: evaluate, evaluations, report."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command, number_of, print_note
from aptdb.commands.options import (
    AsFormat,
    LexiconFile,
    option,
    with_parameters,
)
from aptdb.commands.output import Format, chosen, patience, show
from aptdb.commands.progress import counting_up
from aptdb.commands.settings import lines_of, names_between_commas
from aptdb.errors import SettingsError
from aptdb.parameters.declare import Group, declared, kind_of
from aptdb.parameters.questions import Model

if TYPE_CHECKING:
    from aptdb.evaluation.lexeme_mapping import Names
    from aptdb.result import Result

AS_TEXT = {Format.table, Format.csv, Format.tsv}  # forms in which a ρ that is undefined has a word
ONE_VALUE = ("aligned",)  # a switch has no list of values
NAMING: dict[str, Any] = {
    "relations": Annotated[
        str | None,
        typer.Option(
            metavar="UD=OWN,...",
            help="What this lexicon calls the relations amod, compound, obj and nsubj, as compound=nn,obj=dobj.",
        ),
    ],
    "tags": Annotated[
        str | None,
        typer.Option(metavar="UD=OWN,...", help="What it calls the parts of speech, as NOUN=N,ADJ=J,VERB=V."),
    ],
    "variants": Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Spellings: in each line those of one word, with tabs between them. The one that is most frequent in "
            "the lexicon is taken.",
        ),
    ],
    "pos": Annotated[
        str | None,
        typer.Option(
            metavar="TAG",
            help="The part of speech of words whose own the data set does not tell. [default: the one that the two "
            "have in common]",
        ),
    ],
}


# Each takes several values with commas between them, but for a switch; a grid varies them in this order. What is done
# about a missing word is an option of its own here.
ORDER = (Group.PHRASES, Group.WEIGHTS, Group.VECTORS)
GRID: dict[str, Any] = {
    name: option(Model, name, bool if name in ONE_VALUE else str)
    for name, _ in sorted(declared(Model).items(), key=lambda item: ORDER.index(item[1].group))
    if name != "missing"
}

Method = Annotated[
    str,
    typer.Option(
        metavar="HOW,...",
        help="all: each rating is a point; per-participant: the mean of each participant's ρ; mean: each item is a "
        "point, with its mean rating.",
    ),
]
MISSING = (
    "A word that the lexicon lacks: there, it contributes nothing; zero, its item scores 0; skip, its item is left out."
)
Missing = Annotated[str, typer.Option(metavar="WHAT,...", help=MISSING)]
DataForm = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="FORM",
        help="The form of the data set, where it is not recognised: ml2010, ml2008, word-pairs, verb-landmark or "
        "sentence-pairs.",
    ),
]
LandmarkInContext = Annotated[
    bool, typer.Option("--landmark-in-context", help="Compare with the landmark in the verb's context, not alone.")
]
Untyped = Annotated[
    bool,
    typer.Option(
        "--untyped",
        help="Ignore paths: the baseline that shows what the structure buys. It takes --merge, --measure, --smooth, a "
        "scheme, and what that takes but for --scope and --max-order.",
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="What the bootstrap's chance begins with.")]
Record = Annotated[bool, typer.Option("--record/--no-record", help="Write the outcome down in the lexicon.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Name the items that miss a word.")]
Plot = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Also draw it: a .png or .svg file.")]


@command("Evaluate")
@with_parameters({**GRID, **NAMING})
def evaluate(
    lexicon: LexiconFile,
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="A file of people's judgements; - is standard input.")
    ],
    method: Method = "all",
    missing: Missing = "there",
    data_form: DataForm = None,
    landmark_in_context: LandmarkInContext = False,
    untyped: Untyped = False,
    seed: Seed = 1,
    record: Record = True,
    verbose: Verbose = False,
    plot: Plot = None,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Compare similarities with what people judged.

    Spearman's ρ, with a bootstrap interval over the items, for each part of the data set. It may be Mitchell & Lapata's
    of 2010 or 2008, pairs of words with a score, as WordSim-353, MEN and SimLex-999, or transitive sentences.

    Several values of an option, with commas between them, make a grid: all combinations are evaluated, and the best of
    each part is marked, among those of one method and one way with missing words. What was evaluated before is not
    evaluated again, so a grid that was stopped goes on.

    \b
    Examples:
      aptdb evaluate english.duckdb ml2010.txt --shift 10
      aptdb evaluate english.duckdb ml2010.txt --merge sum,min --shift 1,10 -o grid.svg
      aptdb evaluate english.duckdb ml2010.txt --untyped --merge mult
    """
    from aptdb.evaluation.datasets import read_dataset
    from aptdb.evaluation.plots import plot_evaluations, refuse_plot
    from aptdb.lexicon import Lexicon

    if plot is not None:
        refuse_plot(plot)
    data = read_dataset(dataset, form=data_form, landmark_in_context=landmark_in_context)
    names = names_of(parameters)
    asked = {**model_of(parameters), "method": one_or_list(method), "missing": one_or_list(missing)}
    with Lexicon.open(lexicon) as opened, counting_up("combinations") as progress:
        answer = opened.evaluate(
            data, untyped=untyped, names=names, seed=seed, record=record, progress=progress, **asked
        )
        lacking = opened.missing_words(data, names=names) if verbose else None
    show_evaluations(answer, form)
    if lacking is not None:
        name_missing(lacking)
    if plot is not None:
        plot_evaluations(answer, plot)
        print_note(f"{plot} is drawn")


@command("Evaluate")
def evaluations(lexicon: LexiconFile, form: AsFormat = None) -> None:
    """List what evaluations have come to, the oldest first.

    With the lexicon's size at the time, so that it can be seen whether what was added since has helped.

    \b
    Example:
      aptdb evaluations english.duckdb
    """
    from aptdb.evaluation.views import with_undefined
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened:
        answer = opened.evaluations()
    if chosen(form) in AS_TEXT:
        answer = with_undefined(answer)
    if chosen(form) is Format.table:
        answer = answer.but("sha256", "undefined", "version")
    show(answer, form)


@command("Evaluate")
def report(
    lexicon: LexiconFile,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where it goes: a .html file.")],
) -> None:
    """Write a report on a lexicon.

    One page that needs nothing beside itself: settings, corpora, sizes, frequency curves, orders and paths, and the
    evaluations that were made, with pictures (pip install 'aptdb[plot]').

    \b
    Example:
      aptdb report english.duckdb -o report.html
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("drawing"):
        opened.report(output)
    print_note(f"{output} is written")


def model_of(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the model that were given, each a value or a list of several."""
    return {
        name: parameters[name] if name in ONE_VALUE else one_or_list(parameters[name], name)
        for name in GRID
        if name in parameters
    }


def one_or_list(text: str, name: str | None = None) -> Any:
    """The value that a text is, or the values between its commas: numbers where the parameter of the name is one."""
    kind = kind_of(Model, name) if name else str
    try:
        values = [kind(each) for each in names_between_commas(text)]
    except ValueError as error:
        what = "whole numbers" if kind is int else "numbers"
        raise typer.BadParameter(
            f"{text!r} is no list of {what}, as 1,10", param_hint=f"--{str(name).replace('_', '-')}"
        ) from error
    return values[0] if len(values) == 1 else values


def names_of(parameters: Mapping[str, Any]) -> "Names":
    """What is called otherwise in the lexicon, from the options that say so."""
    from aptdb.evaluation.lexeme_mapping import Names

    return Names(
        relations=renamed("relations", parameters.get("relations", "")),
        tags=renamed("tags", parameters.get("tags", "")),
        spellings=spellings_in(parameters["variants"]) if "variants" in parameters else (),
        pos=parameters.get("pos"),
    )


def renamed(name: str, text: str) -> dict[str, str]:
    """Names by names, from UD=OWN with commas between them."""
    found: dict[str, str] = {}
    for pair in names_between_commas(text):
        ud, equals, own = pair.partition("=")
        if not (ud and equals and own):
            raise typer.BadParameter(f"{pair!r} is not of the form UD=OWN, as obj=dobj", param_hint=f"--{name}")
        found[ud] = own
    return found


def spellings_in(file: str) -> list[list[str]]:
    """The sets of spellings in a file, one a line. Raises SettingsError for a line that has but one."""
    found = []
    for number, line in lines_of(file):
        spellings = [each.strip() for each in line.split("\t") if each.strip()]
        if len(spellings) < 2:  # noqa: PLR2004
            raise SettingsError(
                f"{file}:{number}: {line!r}; a line has the spellings of a word, with tabs between them"
            )
        found.append(spellings)
    if not found:
        raise SettingsError(f"{file}: no spellings in it; a line has those of a word, with tabs between them")
    return found


def show_evaluations(answer: "Result", form: Format | None) -> None:
    """Evaluations for reading, or all that is known of them."""
    from aptdb.evaluation.views import readable, said_of, with_undefined

    as_asked = chosen(form)
    for said in said_of(answer):
        print_note(said)
    if as_asked is Format.table:
        answer = readable(answer)
    elif as_asked in AS_TEXT:
        answer = with_undefined(answer)
    show(answer, form)


def name_missing(lacking: "Result") -> None:
    """Say which items miss which words."""
    items: dict[tuple[str, ...], list[str]] = {}
    for part, a, b, lexeme in lacking.rows:
        items.setdefault((part, a, b), []).append(lexeme)
    for (part, a, b), lexemes in items.items():
        print_note(f"{'' if part == 'all' else f'{part}: '}{a} – {b} misses {', '.join(lexemes)}")
    many = number_of(len(items), "item") if items else "no item"
    print_note(f"{many} {'misses' if len(items) <= 1 else 'miss'} a word")
