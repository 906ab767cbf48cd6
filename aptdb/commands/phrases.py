"""The commands about phrases: compose, contextualise, plausible, entries."""

from typing import Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.options import (
    AsFormat,
    LexiconFile,
    PhraseText,
    question,
    several,
    with_parameters,
)
from aptdb.commands.output import patience, show
from aptdb.parameters.phrases import Features
from aptdb.parameters.questions import Contextualising, PlausibleAmong
from aptdb.phrase import lexemes


@command("Phrases")
@with_parameters(Features)
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

    if save is not None and ("per_path" in parameters or form is not None):
        raise typer.BadParameter("it stores the whole APT and shows nothing of it", param_hint="--save")
    with Lexicon.open(lexicon) as opened, patience("composing"):
        asked = several(opened, phrases or [], file)
        if save is not None:
            stored = saved(opened.save(save, *only_one(asked), **parameters), save)
        elif len(asked) == len(phrases or []) == 1:
            answer = opened.compose(*asked.values(), **parameters)
        else:
            answer = opened.compose_each(asked, **parameters)
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


@command("Phrases")
@with_parameters(Contextualising)
def contextualise(
    lexicon: LexiconFile,
    phrase: PhraseText,
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
        answer = opened.contextualise(question(opened, phrase), **parameters)
    if not len(answer):
        print_note("nothing is near any of the words under these weights")
    show(answer, form)


@command("Phrases")
@with_parameters(PlausibleAmong)
def plausible(
    lexicon: LexiconFile,
    phrase: Annotated[
        str,
        typer.Argument(
            metavar="PHRASE", help="A tree of lexemes with a gap, a word whose lemma is _, as 'dog/NOUN[amod _/ADJ]'."
        ),
    ],
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
        if "candidates" in parameters:
            parameters["candidates"] = lexemes(parameters["candidates"])
        answer = opened.plausible(question(opened, phrase), **parameters)
    if not len(answer):
        print_note("nothing fits: no lexeme that may fill the gap shares a feature with the rest under these weights")
    show(answer, form)


@command("Phrases")
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
