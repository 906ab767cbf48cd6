"""Commands about what is stored under a name: stored, refresh, forget."""

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import ask_first, counting_up, print_note, report_waiting
from aptdb.commands.options import FormatOption, LexiconFile, open_lexicon
from aptdb.commands.output import AnswerFormat, choose_format, show
from aptdb.core.one_line import name_first
from aptdb.core.question_parameters import StoredKind

if TYPE_CHECKING:
    from aptdb.core.result import Result
    from aptdb.lexicon import Lexicon

NAMED = 10  # names in a question
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
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Show only the entry of this name (KIND is entries).")
    ] = None,
    format: FormatOption = None,
) -> None:
    """List what is stored under a name.

    Shows how each was made, and its state. kept: it is stored, and up to date. stale: what it is made of has changed,
    e.g. a corpus was added; aptdb refresh makes it again. computed: a weighting without --keep, of which only the
    parameters are stored, and whose weights each question computes. With a KIND, also shows sizes and parameters.
    Evaluations are past results of aptdb eval, the oldest first, with the size of the lexicon then; they have no state.

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
    yes: Annotated[bool, typer.Option("--yes", help="Delete several without asking.")] = False,
) -> None:
    """Delete what is stored under a name.

    If a pattern matches several names, it asks first on a terminal, and elsewhere needs --yes. The counts of corpora
    stay; whatever depends on what is deleted becomes stale.

    \b
    Examples:
      aptdb forget english.duckdb words
      aptdb forget english.duckdb 'year_*' --kind subcorpora --yes
    """
    with open_lexicon(lexicon) as opened:
        stored = [(row["kind"], row["name"]) for row in opened.stored.list()]
        like = [each for each in stored if kind in (None, each[0]) and fnmatchcase(each[1], name)]
        if len(like) > 1 and not yes and len({own for own, _ in like}) == 1 and (like[0][0], name) not in like:
            ask_first(
                f"{name} matches {len(like)} {like[0][0]}: {name_first([each for _, each in like], NAMED)}", "delete"
            )
        with report_waiting("deleting"):
            names = opened.stored.forget(name, kind)
    print_note(f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} deleted")
