"""The commands that show sentences: evidence, frames."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.concordance import LOOKS, concordance, looks_of_sentences, sentences
from aptdb.commands.options import (
    ANY,
    AnyContext,
    AnyLexeme,
    AnyPath,
    FormatOption,
    LexiconFile,
    or_any,
    with_parameters,
)
from aptdb.commands.output import AnswerFormat, chosen, patience, show
from aptdb.commands.settings import names_between_commas
from aptdb.errors import QuestionError
from aptdb.parameters.questions import Evidence, Frames

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon

CONCORDANCE = 100  # lines that a terminal shows if nothing is said


@command("Ask")
@with_parameters(Evidence)
def evidence(
    lexicon: LexiconFile,
    lexeme: AnyLexeme,
    path: AnyPath = None,
    context: AnyContext = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the sentences behind a count, or those of a lexeme.

    With all three, one row for each time that the two occur together: the text, with the [lexeme] and the {context}
    marked. Without a context, or without both, a concordance. A terminal shows the first 100 of it, unless --top or
    --sample says otherwise. Other formats have all columns.

    \b
    Examples:
      aptdb evidence english.duckdb good/ADJ '<amod' dog/NOUN
      aptdb evidence english.duckdb dog/NOUN --best --top 10
      aptdb evidence english.duckdb dog/NOUN '>amod' --sort before
    """
    from aptdb.lexicon import Lexicon

    refuse_no_path(path, context)
    of_lexeme, along, of_context = or_any(lexeme, path, context)
    in_table, is_triple = chosen(format) is AnswerFormat.table, None not in (of_lexeme, along, of_context)
    wanted = (parameters.get("top"), parameters.get("sample"))
    first = in_table and not is_triple and wanted == (None, None)
    if first:
        parameters["top"] = CONCORDANCE + 1
    with Lexicon.open(lexicon) as opened, patience("looking through the sentences"):
        triple = opened.as_lexeme(of_lexeme), along, opened.as_lexeme(of_context)
        answer = opened.evidence(*triple, **parameters)
        note = None if answer.rows or 0 in wanted else why_none(opened, *triple, part=parameters.get("part"))
    if first and len(answer) > CONCORDANCE:
        note = f"the first {CONCORDANCE}; --top N shows more, --sample N draws some of all"
    if in_table:
        table = sentences(answer) if is_triple else concordance(answer, CONCORDANCE if first else len(answer))
        show(table, format, looks=looks_of_sentences(answer) if is_triple else LOOKS)
    else:
        show(answer, format)
    if note:
        print_note(note)


def refuse_no_path(path: str | None, context: str | None) -> None:
    """Raise QuestionError where somebody names two lexemes and no path between them."""
    if path and context is None and path not in (ANY, "ε") and path[0] not in "<>":
        raise QuestionError(
            f"{path!r} is no path, e.g. '<amod'; beside two lexemes write '*' for any: LEXEME '*' {path}"
        )


def why_none(
    opened: "Lexicon", lexeme: str | None, path: str | None, context: str | None, *, part: str | None
) -> str | None:
    """What to say where there is no evidence: along which paths the two occur."""
    if part is not None:
        return f"no sentence of the part {part} has it"
    if lexeme is None or context is None:
        return f"{lexeme or context} never occurs along {path or 'ε'}" if path is not None else "no sentence has it"
    if path is not None and opened.count(lexeme, path, context) > 0:
        return None
    known = ", ".join(f"{way or 'ε'} ({count:,})" for way, count in opened.ways(lexeme, context))
    along = "" if path is None else f" along {path or 'ε'}"
    return f"{lexeme} never occurs with {context}{along}; it does along {known or 'no path'}"


@command("Ask")
@with_parameters(Frames)
def frames(
    lexicon: LexiconFile,
    lexeme: Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. give/VERB.")],
    leave_out: Annotated[
        str, typer.Option(metavar="REL,...", help="Relations that do not count; '' for none.")
    ] = "punct",
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the subcategorisation frames of a lexeme.

    A frame is the relations of all that depends on it in one place. The most frequent come first, each with its share
    of all and the first sentence that has it.

    \b
    Example:
      aptdb frames english.duckdb dog/NOUN --top 10
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("looking through the sentences"):
        answer = opened.frames(lexeme, names_between_commas(leave_out), **parameters)
    show(answer, format, absent={"frame": "none"})
