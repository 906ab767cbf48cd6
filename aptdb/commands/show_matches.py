"""The command that shows the matches of a pattern: matches."""

from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import LexiconFile, open_lexicon, with_parameters
from aptdb.commands.output import AnswerFormat, choose_format, open_page, show
from aptdb.core.question_parameters import Matches
from aptdb.core.result import Result
from aptdb.questions.matches import spread_matches

MatchFormat = StrEnum("MatchFormat", [*AnswerFormat.__members__, "conllu"])  # type: ignore[misc]
SHOWN = 100  # matches on a terminal, unless --top says otherwise


@command("matches", "Ask")
@with_parameters(Matches)
def print_matches(
    lexicon: LexiconFile,
    pattern: Annotated[
        str,
        typer.Argument(metavar="PATTERN", help="A pattern of trees, e.g. 'VERB[obj PRON]', or a sequence in CQL."),
    ],
    format: Annotated[
        MatchFormat | None,
        typer.Option(
            "--format", help="As a table (default on a terminal), CSV, TSV, JSON, JSON lines, or sentences in CoNLL-U."
        ),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(metavar="NODE.ATTR,...", help="Count matches by what their tokens are, e.g. V.lemma,O.lemma."),
    ] = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the matches of a pattern, with all of its tokens.

    PATTERN is a request as Grew has it; words in brackets with tags, wildcards and {Feature=Value}; or a sequence
    in CQL, whose tokens may have labels, 1:[…]. One row for each match: tables, CSV and TSV have columns for each
    named token, JSON a list of tokens. CoNLL-U has the sentences with a match; MISC of their tokens says Match=1:V
    of node V of match 1. What a lexicon does not keep is not there: comments, multiword tokens and empty nodes.
    With --group, how many matches have the same lemmas, forms, tags, relations or features. aptdb evidence shows
    concordances, counts-by counts, and keyness --phrase compares the same patterns (aptdb docs meaning, 7.9).

    \b
    Examples:
      aptdb matches english.duckdb 'NOUN[<amod ADJ, !det]'
      aptdb matches english.duckdb 'pattern { V [upos=VERB]; V -[nsubj]-> S; V << S }' --format conllu
      aptdb matches english.duckdb 'VERB[nsubj NOUN]' --group 1.lemma,2.lemma
      aptdb matches english.duckdb '1:[upos="ADJ"]+ 2:[upos="NOUN"] & 1.form != 2.form' --format jsonl
    """
    if group is not None and format == "conllu":
        raise typer.BadParameter("counts are no sentences; leave out --group", param_hint="--format")
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
        if group is not None:
            show_groups(opened.grouped_matches(pattern, group, **parameters), wanted, SHOWN if first else None)
            return
        answer = opened.matches(pattern, **parameters)
    if choose_format(wanted) in (AnswerFormat.json, AnswerFormat.jsonl):
        show(answer, wanted)
        return
    show(spread_matches(replace(answer, rows=answer.rows[:SHOWN] if first else answer.rows), briefly=in_table), wanted)
    if first and len(answer) > SHOWN:
        print_note(f"the first {SHOWN}; --top N shows more, aptdb counts-by counts all")
    if not answer.rows and parameters.get("top") != 0:
        print_note("no sentence has it")


def show_groups(answer: Result, format: AnswerFormat | None, most: int | None) -> None:
    """Show groups of matches, or the first of them."""
    show(Result(answer.columns, answer.types, answer.rows[:most]), format)
    if most is not None and len(answer) > most:
        print_note(f"the first {most}; --top N shows more")
