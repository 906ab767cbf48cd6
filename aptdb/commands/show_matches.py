"""The command collexemes, and the matches of a pattern that evidence --tokens shows."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import (
    FormatOption,
    LexiconFile,
    open_lexicon,
    refuse_parameters_of_others,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, choose_format, open_page, show
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Collexemes, Matches
from aptdb.questions.matches import spread_matches

MatchFormat = StrEnum("MatchFormat", [*AnswerFormat.__members__, "conllu"])  # type: ignore[misc]
Pattern = Annotated[
    str,
    typer.Argument(metavar="PATTERN", help="A pattern of trees, e.g. 'VERB[obj PRON]', or a sequence in CQL."),
]
SHOWN = 100  # matches on a terminal, unless --top says otherwise


def show_tokens(lexicon: Path, pattern: str, format: MatchFormat | None, parameters: dict[str, Any]) -> None:
    """Print the matches of a pattern with all of their tokens, or their sentences in CoNLL-U."""
    refuse_parameters_of_others(parameters, declared(Matches), "it has no effect with --tokens")
    wanted = None if format in (None, "conllu") else AnswerFormat(format)
    in_table = format != "conllu" and choose_format(wanted) is AnswerFormat.table
    first = in_table and parameters.get("top") is None
    if first:
        parameters["top"] = SHOWN + 1
    with open_lexicon(lexicon) as opened, report_waiting("looking through the sentences"):
        if format == "conllu":
            with open_page() as out:
                out.writelines(f"{each}\n" for each in opened.matches_as_conllu(pattern, **parameters))
            return
        answer = opened.matches(pattern, **parameters)
    if choose_format(wanted) in (AnswerFormat.json, AnswerFormat.jsonl):
        show(answer, wanted)
        return
    show(spread_matches(replace(answer, rows=answer.rows[:SHOWN] if first else answer.rows), briefly=in_table), wanted)
    if first and len(answer) > SHOWN:
        print_note(f"the first {SHOWN}; --top N shows more, aptdb counts-by counts them all")
    if not answer.rows and parameters.get("top") != 0:
        print_note("no sentence has it")


@command("collexemes", "Ask")
@with_parameters(Collexemes)
def print_collexemes(
    lexicon: LexiconFile,
    pattern: Pattern,
    slot: Annotated[
        str, typer.Argument(metavar="NODE.ATTR", help="The slot: a value of a token, e.g. 1.lemma or V.form.")
    ] = "1.lemma",
    against: Annotated[
        str | None,
        typer.Option(metavar="PATTERN", help="Compare with another construction that has this slot."),
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show which words a slot of a construction attracts.

    Collostructional analysis. count: how often the word fills the slot; other_count: how often it occurs elsewhere as
    a token that could fill it (for VERB[obj NOUN] and 1.lemma, as a verb). Then the expected count, G², the log odds
    ratio (below 0: repelled), its p and q, and ΔP: by how much more probable the construction is with the word, and
    the word with the construction. With --against, other_count is the count in the other construction.

    \b
    Examples:
      aptdb collexemes english.duckdb 'NOUN[amod ADJ]' 2.lemma --min-count 3
      aptdb collexemes english.duckdb 'VERB[xcomp VERB]' 1.lemma --against 'VERB[obj NOUN]'
    """
    with open_lexicon(lexicon) as opened, report_waiting("looking through the sentences"):
        answer = opened.collexemes(pattern, slot, against, **parameters)
    show(answer, format)
    if not any(answer.column("count")) and parameters.get("top") != 0:
        print_note("no token fills the slot, or none that often")
