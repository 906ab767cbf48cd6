"""Commands about what is stored under a name: stored, refresh, forget."""

from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import counting_up, print_note, report_waiting
from aptdb.commands.options import FormatOption, LexiconFile, open_lexicon
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.question_parameters import StoredKind

if TYPE_CHECKING:
    from aptdb.core.result import Result
    from aptdb.lexicon import Lexicon

KINDS: tuple[str, ...] = get_args(StoredKind)
ListedKind = Literal["subcorpora", "weightings", "spaces", "senses", "entries", "evaluations"]
OfKind = Annotated[
    StoredKind | None,
    typer.Option("--kind", metavar="KIND", help=f"Only of this kind: {', '.join(KINDS)}.", show_default=False),
]


@command("stored", "Stored")
def print_stored(
    lexicon: LexiconFile,
    kind: Annotated[
        ListedKind | None,
        typer.Argument(
            metavar="KIND", help=f"{', '.join(KINDS)}; or evaluations. [default: all kinds except evaluations]"
        ),
    ] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="For entries: show only this one.")] = None,
    format: FormatOption = None,
) -> None:
    """List what is stored under a name.

    Shows how each was made, and its state: stale after a corpus was added or removed, until aptdb refresh. With a
    KIND, also its sizes and parameters. Evaluations are past results of aptdb eval, the oldest first, each with the
    size of the lexicon at the time; they are never stale.

    \b
    Examples:
      aptdb stored english.duckdb
      aptdb stored english.duckdb spaces
      aptdb stored english.duckdb evaluations
    """
    if name is not None and kind != "entries":
        raise typer.BadParameter("give a NAME with entries only", param_hint="NAME")
    with open_lexicon(lexicon) as opened:
        if kind == "evaluations":
            show(list_evaluations(opened, format), format)
            return
        stored = opened.stored
        answer = stored.entries(name) if name is not None else getattr(stored, kind or "list")()
    if not answer.rows:
        print_note(f"no {kind or 'weightings, spaces, entries, subcorpora or senses'} are stored yet")
    show(answer, format)


def list_evaluations(opened: "Lexicon", format: AnswerFormat | None) -> "Result":
    """Return the past results of evaluations, as they are shown in a format."""
    from aptdb.evaluation.views import with_undefined

    answer = opened.eval.evaluations()
    if choose_format(format) not in (AnswerFormat.json, AnswerFormat.jsonl):
        answer = with_undefined(answer)
    return answer.but("sha256", "undefined", "version") if choose_format(format) is AnswerFormat.table else answer


@command("refresh", "Stored")
def run_refresh(
    lexicon: LexiconFile,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Only what has this name. [default: all that is stale]")
    ] = None,
    kind: OfKind = None,
) -> None:
    """Make again what is stale.

    Weightings, spaces, entries, subcorpora and senses are stale after a corpus was added or removed. What others
    depend on comes first. A weighting is computed again as a whole, because nearly all of its weights change.

    \b
    Examples:
      aptdb refresh english.duckdb
      aptdb refresh english.duckdb words --kind spaces
    """
    with (
        open_lexicon(lexicon) as opened,
        report_waiting("making again what is stale"),
        counting_up("weights decomposed") as progress,
    ):
        made = opened.stored.refresh(name, kind, progress=progress)
    for own, names in made.items():
        print_note(f"made again: {own}: {', '.join(names)}")
    if not made:
        print_note("nothing is stale")


@command("forget", "Stored")
def run_forget(
    lexicon: LexiconFile,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, or a pattern, e.g. 'year_*'.")],
    kind: OfKind = None,
) -> None:
    """Delete what is stored under a name.

    The counts of corpora stay; whatever depends on it becomes stale.

    \b
    Examples:
      aptdb forget english.duckdb words
      aptdb forget english.duckdb 'year_*' --kind subcorpora
    """
    with open_lexicon(lexicon) as opened, report_waiting("deleting"):
        names = opened.stored.forget(name, kind)
    print_note(f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} deleted")
