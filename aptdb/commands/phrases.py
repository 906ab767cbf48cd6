"""The commands about phrases: compose, contextualise, plausible, entries."""

from typing import Annotated, Any

import typer

from aptdb.commands.app import app, print_note
from aptdb.commands.options import (
    RANKING_EACH,
    WEIGHING,
    AsFormat,
    LeastTokens,
    LexiconFile,
    PartOfSpeech,
    PerPath,
    PhraseText,
    question,
    several,
    with_parameters,
)
from aptdb.commands.output import patience, show
from aptdb.phrase import lexemes


@app.command()
@with_parameters(WEIGHING)
def compose(
    lexicon: LexiconFile,
    phrases: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PHRASE...",
            help="Trees of lexemes, head first, as 'clothes/NOUN[amod dry/ADJ]', or @FILE, sentences in CoNLL-U.",
        ),
    ] = None,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="More of them, one a line; - is standard input.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="NAME", help="Store the APT as an entry of the lexicon instead of showing it.")
    ] = None,
    per_path: PerPath = None,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Compose the APT of a phrase, or of many.

    The APTs of its words are aligned by its tree and merged node by node. Several phrases are composed at once, each
    row beside its phrase. An entry that is saved then serves like a lexeme (aptdb entries).

    \b
    Examples:
      aptdb compose english.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min
      aptdb compose english.duckdb 'dog/NOUN[amod small/ADJ]' 'dog/NOUN[amod good/ADJ]' --per-path 2
      aptdb compose english.duckdb 'dog/NOUN[amod small/ADJ]' --smooth static:10 --save small_dog
    """
    from aptdb.lexicon import Lexicon

    if save is not None and (per_path is not None or form is not None):
        raise typer.BadParameter("it stores the whole APT and shows nothing of it", param_hint="--save")
    with Lexicon.open(lexicon) as opened, patience("composing"):
        asked = several(opened, phrases or [], file)
        if save is not None:
            stored = saved(opened.save(save, *only_one(asked), **parameters), save)
        elif len(asked) == len(phrases or []) == 1:
            answer = opened.compose(*asked.values(), per_path=per_path, **parameters)
        else:
            answer = opened.compose_each(asked, per_path=per_path, **parameters)
    if save is not None:
        print_note(stored)
        return
    if not len(answer):
        print_note("nothing is left of it under these weights")
    show(answer, form)


def only_one(asked: dict[str, Any]) -> list[Any]:
    """The one phrase that is to be saved."""
    if len(asked) != 1:
        raise typer.BadParameter(f"it names one entry, and there are {len(asked)} phrases", param_hint="--save")
    return list(asked.values())


def saved(weights: int, name: str) -> str:
    """What was stored, and how to go on."""
    return f"{name} is stored, with {weights:,} weights; ask about it as about a lexeme, or rank it with --among all"


@app.command()
@with_parameters(RANKING_EACH)
def contextualise(
    lexicon: LexiconFile,
    phrase: PhraseText,
    top: Annotated[int, typer.Option(metavar="N", help="How many neighbours of each word.")] = 10,
    pos: PartOfSpeech = "same",
    min_frequency: LeastTokens = None,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show each word's neighbours, alone and in the phrase.

    Side by side: of the word by itself, and of the word in its context, the composed phrase as it is seen from there.
    --smooth smooths both, and no lexeme that is ranked.

    \b
    Example:
      aptdb contextualise english.duckdb 'dog/NOUN[amod small/ADJ]' --top 3
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing with all lexemes"):
        answer = opened.contextualise(
            question(opened, phrase), top=top, pos=pos, min_frequency=min_frequency, **parameters
        )
    if not len(answer):
        print_note("nothing is near any of the words under these weights")
    show(answer, form)


@app.command()
@with_parameters(RANKING_EACH)
def plausible(
    lexicon: LexiconFile,
    phrase: Annotated[
        str,
        typer.Argument(
            metavar="PHRASE", help="A tree of lexemes with a gap, a word whose lemma is _, as 'dog/NOUN[amod _/ADJ]'."
        ),
    ],
    candidates: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="What may fill it. [default: all lexemes of the gap's part of speech]"),
    ] = None,
    top: Annotated[
        int | None, typer.Option(metavar="N", help="How many to show where there are no candidates. [default: 10]")
    ] = None,
    pos: Annotated[
        str | None, typer.Option(metavar="TAG", help="Of all lexemes: those of the gap's, any, or a tag, as NOUN.")
    ] = None,
    min_frequency: Annotated[
        int | None, typer.Option(metavar="N", help="The fewest tokens of one. [default: as of a neighbour]")
    ] = None,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Rank what may fill the gap in a phrase.

    The rest of the phrase is composed, seen from the gap, and compared with the APT of each candidate.

    \b
    Examples:
      aptdb plausible english.duckdb 'dog/NOUN[amod _/ADJ]' --candidates small/ADJ,wooden/ADJ
      aptdb plausible english.duckdb 'dog/NOUN[amod _/ADJ]' --top 5
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("comparing what may fill the gap"):
        answer = opened.plausible(
            question(opened, phrase),
            lexemes(candidates) if candidates is not None else None,
            top=top,
            pos=pos,
            min_frequency=min_frequency,
            **parameters,
        )
    if not len(answer):
        print_note("nothing fits: no lexeme that may fill the gap shares a feature with the rest under these weights")
    show(answer, form)


@app.command()
def entries(
    lexicon: LexiconFile,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One of them.")] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Compose anew what additions have made stale: NAME, or all.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Take the entry away.")] = False,
    form: AsFormat = None,
) -> None:
    """List the composed APTs that are stored.

    They are stored with `aptdb compose --save`, apart from the counted lexemes. An addition makes them stale: they stay
    what they were until they are refreshed.

    \b
    Example:
      aptdb entries english.duckdb
    """
    from aptdb.lexicon import Lexicon

    if (forget and name is None) or (refresh and forget):
        raise typer.BadParameter("--forget takes the NAME of an entry, and --refresh a NAME or none")
    with Lexicon.open(lexicon) as opened, patience("composing"):
        if refresh:
            done = f"composed anew: {', '.join(opened.refresh_entries(name)) or 'nothing, for nothing is stale'}"
        elif forget:
            opened.forget_entry(str(name))
            done = f"{name} is forgotten"
        else:
            answer = opened.entries(name)
    if refresh or forget:
        print_note(done)
        return
    show(answer, form)
