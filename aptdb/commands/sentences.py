"""Commands that show sentences, also by sense: evidence, frames, senses; and concordances on a terminal."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import (
    AnyContext,
    AnyLexeme,
    AnyPath,
    FormatOption,
    LexiconFile,
    merged_beside,
    names_between_commas,
    open_lexicon,
    or_any,
    read_triple,
    with_parameters,
)
from aptdb.commands.output import (
    GAP,
    WIDEST,
    AnswerFormat,
    Line,
    Looks,
    choose_format,
    known_width,
    print_lines,
    put_blocks_side_by_side,
    show,
    width_of_page,
)
from aptdb.commands.show_matches import MatchFormat, show_tokens
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Evidence, Frames
from aptdb.core.result import Result
from aptdb.core.vector_parameters import BETWEEN, Grouping, Sensing

if TYPE_CHECKING:
    from rich.text import Text

BESIDE = 44  # columns before and after the keyword, where no terminal says how many there are
LEAST_BESIDE, MOST_BESIDE = 16, 70
KEYWORD, CONTEXT = "bold red", "bold magenta"  # to be read on black and on white
ELLIPSIS = "…"
INDENT = 4  # of a sense
IN_BRACES = re.compile(r"\{[^{}]+\}")


def colour_text(style: str, text: str) -> "Text":
    """Return a text in a colour."""
    from rich.text import Text

    return Text(text, style=style)


LOOKS: Looks = {"keyword": partial(colour_text, KEYWORD), "context": partial(colour_text, CONTEXT)}


def mark_keywords(answer: Result) -> Result:
    """Return the columns for a terminal when both words are known, and marked in the text."""
    shown = answer.but(*(name for name in answer.columns if name not in ("corpus", "sentence", "text", "pair")))
    return shown.without("pair", "direct")


def looks_of_sentences(answer: Result) -> Looks:
    """Return the [lexeme] and the {context} of each sentence in their colours."""
    from rich.text import Text

    def look(text: str) -> Text:
        shown = Text(text)
        for begin, end, style in marks.get(text, ()):
            shown.stylize(style, begin, end)
        return shown

    marks = {row["text"]: marks_of(row) for row in answer}
    return {"text": look}


def marks_of(row: Mapping[str, Any]) -> list[tuple[int, int, str]]:
    """Return the positions of keyword and context in the text of a row, with their styles.

    The text may have brackets and braces of its own: ours are those between the text before the keyword, the keyword,
    and the text after it.
    """
    text, plain = row["text"], remove_white_space(row["before"] + row["keyword"] + row["after"])
    for keyword in re.finditer(re.escape(f"[{row['keyword']}]"), text):
        for context in IN_BRACES.finditer(text):
            ours = {keyword.start(), keyword.end() - 1, context.start(), context.end() - 1}
            if remove_white_space(each for place, each in enumerate(text) if place not in ours) == plain:
                return [(*keyword.span(), KEYWORD), (*context.span(), CONTEXT)]
    return []


def remove_white_space(text: Iterable[str]) -> str:
    """Return a text without white space."""
    return "".join(each for each in text if not each.isspace())


def align_keywords(answer: Result, most: int) -> Result:
    """Return lines cut to one line each, with the keywords aligned."""
    shown = [row for row, _ in zip(answer, range(most), strict=False)]
    with_context = any(row["context"] for row in shown)
    width = known_width(sys.stdout)
    longest = None if width is None else max(width // 5, len("sentence"))
    places = [row["sentence"] if longest is None else last_of(row["sentence"], longest) for row in shown]
    known = [["sentence", *places], ["keyword", *(row["keyword"] for row in shown)]]
    known += [["context", *(row["context"] for row in shown)]] if with_context else []
    beside = room_beside(width, known)
    before = min(beside, max((measure_width(row["before"]) for row in shown), default=0))
    rows = [
        (
            place,
            *([row["context"]] if with_context else []),
            to_the_right(row["before"], before),
            row["keyword"],
            whole_words(row["after"], beside),
        )
        for place, row in zip(places, shown, strict=True)
    ]
    columns = ("sentence", *(["context"] if with_context else []), "before", "keyword", "after")
    return Result(columns, ("VARCHAR",) * len(columns), rows)


def room_beside(width: int | None, columns: Sequence[Sequence[str]]) -> int:
    """Return the columns left on either side of the keyword."""
    if width is None:
        return BESIDE
    taken = sum(max(map(measure_width, column), default=0) + GAP for column in columns)
    return min(max((width - taken - 2 * GAP) // 2, LEAST_BESIDE), MOST_BESIDE)


def measure_width(text: str) -> int:
    """Return the width of a text on a terminal."""
    from rich.cells import cell_len

    return cell_len(text)


def first_of(text: str, width: int) -> str:
    """Return the beginning of a text that fits a width."""
    while measure_width(text) > width:
        text = text[: max(width, 0)] if len(text) > width else text[:-1]
    return text


def last_of(text: str, width: int) -> str:
    """Return a text without its beginning, if it is too wide."""
    return text if measure_width(text) <= width else ELLIPSIS + end_of(text, width - 1)


def end_of(text: str, width: int) -> str:
    """Return the end of a text that fits a width."""
    return first_of(text[::-1], width)[::-1]


def whole_words(text: str, width: int) -> str:
    """Return the beginning of a text that fits a width, with … for the rest of a word that is cut."""
    first = first_of(text, width)
    is_cut = width > 0 and first != text and not (first[-1:].isspace() or text[len(first)].isspace())
    return first_of(text, width - 1) + ELLIPSIS if is_cut else first


def to_the_right(text: str, width: int) -> str:
    """Return the end of a text that fits a width, padded on the left, with … for what is cut off a word."""
    end = whole_words(text[::-1], width)[::-1]
    return " " * (width - measure_width(end)) + end


if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon

CONCORDANCE = 100  # lines that a terminal shows by default


@command("evidence", "Ask")
@with_parameters(Evidence)
def print_evidence(
    lexicon: LexiconFile,
    lexeme: AnyLexeme,
    path: AnyPath = None,
    context: AnyContext = None,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Show the matches of the pattern LEXEME with all of their tokens.")
    ] = False,
    format: Annotated[
        MatchFormat | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"Write {', '.join(MatchFormat)} (with --tokens). [default: table on a terminal, tsv into a pipe]",
        ),
    ] = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the sentences behind a count, or those of a lexeme.

    LEXEME and CONTEXT may be patterns of lexemes or lemmas or, after form:, of word forms: * is any letters, ? is any
    one, /…/ is a regular expression. All that match are shown. LEXEME alone may also be a pattern of trees, VERB[obj
    PRON, !aux:pass], with tags, wildcards and {Feature=Value}, or in the syntax of Grew; a sequence in CQL,
    [lemma="take"] []{0,2} [upos="NOUN"], with another strategy if it begins with e.g. (?longest) (aptdb docs meaning,
    7.9); or a phrase, in brackets or as typed words, which finds its head with the other words directly below it. Case
    is ignored in forms, unless the expression begins with (?-i): [form="(?-i)US"]. Elsewhere it counts, unless %c or
    (?i) ignores it: [lemma="turkey"%c].

    With LEXEME, PATH and CONTEXT, each row is one co-occurrence: the text, with the [lexeme] and the {context} marked.
    With fewer it is a concordance, of which a terminal shows the first 100, unless --top or --sample is given. Other
    formats have all columns.

    With --tokens, each row is one match of a pattern: tables, CSV and TSV have columns for each named token, JSON a
    list of tokens. CoNLL-U has the sentences with a match, with Match=1:V in MISC for node V of match 1, but without
    comments, multiword tokens and empty nodes, which a lexicon does not store. Tokens in CQL may have labels, 1:[…].
    aptdb counts-by counts matches, also by values of their tokens (--by 1.lemma,2.lemma); keyness --phrase compares
    them.

    \b
    Examples:
      aptdb evidence english.duckdb good/ADJ '<amod' dog/NOUN
      aptdb evidence english.duckdb dog/NOUN --best --top 10
      aptdb evidence english.duckdb 'do*' --sort after
      aptdb evidence english.duckdb form:dog
      aptdb evidence english.duckdb '[upos="ADJ"]+ 1:[upos="NOUN"]'
      aptdb evidence english.duckdb dog/NOUN '>amod' --sort before
      aptdb evidence english.duckdb 'NOUN[<amod ADJ, !det]'
      aptdb evidence english.duckdb 'pattern { V [upos=VERB]; V -[nsubj]-> S } without { S -[amod]-> * }'
      aptdb evidence english.duckdb 'pattern { V [upos=VERB]; V -[nsubj]-> S; V << S }' --tokens --format conllu
      aptdb evidence english.duckdb '1:[upos="ADJ"]+ 2:[upos="NOUN"] & 1.form != 2.form' --tokens --format jsonl
    """
    if tokens:
        if path is not None or context is not None:
            raise typer.BadParameter("it takes a pattern, without PATH and CONTEXT", param_hint="--tokens")
        show_tokens(lexicon, lexeme, format, parameters)
        return
    if format == "conllu":
        raise typer.BadParameter("conllu needs --tokens", param_hint="--format")
    written = None if format is None else AnswerFormat(format)
    of_lexeme, along, of_context = or_any(lexeme, path, context)
    in_table, is_triple = choose_format(written) is AnswerFormat.table, None not in (of_lexeme, along, of_context)
    wanted = (parameters.get("top"), parameters.get("sample"))
    first = in_table and not is_triple and wanted == (None, None)
    if first:
        parameters["top"] = CONCORDANCE + 1
    with open_lexicon(lexicon) as opened, report_waiting("looking through the sentences"):
        triple = read_triple(opened, of_lexeme, along, of_context)
        answer = opened.evidence(*triple, **parameters)
        subcorpus = parameters.get("subcorpus")
        note = None if answer.rows or 0 in wanted else why_none(opened, *triple, subcorpus=subcorpus)
        merged = merged_beside(opened, *triple, parameters)
    if first and len(answer) > CONCORDANCE:
        note = f"the first {CONCORDANCE}; --top N shows more, --sample N draws some of all"
    if in_table:
        table = mark_keywords(answer) if is_triple else align_keywords(answer, CONCORDANCE if first else len(answer))
        show(table, written, looks=looks_of_sentences(answer) if is_triple else LOOKS)
    else:
        show(answer, written)
    for each in (note, merged):
        if each:
            print_note(each)


def why_none(
    opened: "Lexicon", lexeme: str | None, path: str | None, context: str | None, *, subcorpus: str | None
) -> str | None:
    """Return the message for empty evidence: the paths along which the two occur."""
    if subcorpus is not None:
        return f"no sentence of the subcorpus {subcorpus} has it"
    if lexeme is None or context is None:
        return f"{lexeme or context} never occurs along {path or 'ε'}" if path is not None else "no sentence has it"
    along = "" if path is None else f" along {path or 'ε'}"
    if lexeme not in opened or context not in opened:  # a pattern
        return f"no sentence has {lexeme} with {context}{along}"
    if path is not None and opened.count(lexeme, path, context) > opened.count_packed_only(lexeme, path, context):
        return None  # in corpora without sentences, as a warning says
    known = ", ".join(f"{way or 'ε'} ({count:,})" for way, count in opened.paths_between(lexeme, context))
    return f"{lexeme} never occurs with {context}{along} in a tree" + (f"; it does along {known}" if known else "")


@command("frames", "Ask")
@with_parameters(Frames)
def print_frames(
    lexicon: LexiconFile,
    lexeme: Annotated[str, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. give/VERB.")],
    leave_out: Annotated[
        str | None,
        typer.Option(
            metavar="REL,...",
            help="Relations to leave out; '' for none. [default: advmod, aux, case, cc, clf, conj, cop, det, "
            "discourse, mark, parataxis, punct, and their subtypes]",
        ),
    ] = None,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Show the subcategorisation frames of a lexeme.

    A frame is the set of relations of the dependents of one occurrence, each with its adposition or case in brackets,
    as obl[with]. Function words, adverbs, punctuation, conjuncts and parataxis are left out (see --leave-out). The
    most frequent come first, each with its share and the first sentence that has it. LEXEME may also be a phrase or
    pattern: frames are then those of its head, or of its first word.

    \b
    Examples:
      aptdb frames english.duckdb dog/NOUN --top 10
      aptdb frames english.duckdb dog/NOUN --leave-out punct,det
      aptdb frames english.duckdb 'VERB[nsubj NOUN]'
    """
    with open_lexicon(lexicon) as opened, report_waiting("looking through the sentences"):
        names = None if leave_out is None else names_between_commas(leave_out)
        answer = opened.frames(lexeme, names, **parameters)
    show(answer, format)
    if leave_out is None:
        print_note("left out: adverbs, function words, punctuation, conjuncts and parataxis; --leave-out '' shows all")


@command("senses", "Ask")
@with_parameters(Sensing)
def run_senses(
    lexicon: LexiconFile,
    word: Annotated[
        str | None, typer.Argument(metavar="LEXEME", help="A lexeme, e.g. mouse/NOUN, or a word, e.g. mouse.")
    ] = None,
    save: Annotated[
        bool, typer.Option("--save", help="Store the senses, and each as an entry, e.g. mouse/NOUN#1.")
    ] = False,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Find the senses of a lexeme: groups of its occurrences with similar contexts.

    Shows for each sense its share of all occurrences, also those without a sense; its distinctive features; its
    neighbours; and good examples among its most typical sentences. Needs a reduced space (aptdb reduce). With --save,
    the relation sense_occurrences has the sense of each occurrence, and a sense, as mouse/NOUN#1, can be used like a
    lexeme in aptdb neighbours, evidence, sketch and counts-by.

    \b
    Examples:
      aptdb senses english.duckdb mouse/NOUN
      aptdb senses english.duckdb mouse/NOUN --groups 3 --save
      aptdb neighbours english.duckdb 'mouse/NOUN#1'
      aptdb evidence english.duckdb 'mouse/NOUN#1' --best --top 5
      aptdb sketch english.duckdb 'mouse/NOUN#1' --against 'mouse/NOUN#2'
    """
    if word is None:
        stored = f"aptdb stored {lexicon} senses lists those with stored senses"
        raise typer.BadParameter(f"give a lexeme, e.g. mouse/NOUN; {stored}", param_hint="LEXEME")
    unused = [name for name in parameters if save and name not in declared(Grouping)]
    if unused:
        option = f"--{unused[0].replace('_', '-')}"
        raise typer.BadParameter("it has no effect with --save", param_hint=option)
    with open_lexicon(lexicon) as opened, report_waiting("grouping occurrences"):
        if save:
            names = opened.save_senses(word, **parameters)
            asked = f"aptdb evidence LEXICON '{names[0]}'"
            print_note(f"stored: {', '.join(names)}; use each like a lexeme, e.g. {asked}")
            return
        answer = opened.senses(word, **parameters)
    if choose_format(format) is not AnswerFormat.table:
        show(answer, format)
    else:
        width = min(width_of_page(), 2 * WIDEST)
        print_lines(sense_page(answer, width), width)


def sense_page(answer: Result, width: int) -> list["Text"]:
    """Return the senses of a lexeme: a block for each."""
    lines: list[Text] = []
    for row in answer:
        block = [Line(f"{row['sense']}  {row['share']:.0%}", f"{row['occurrences']:,} occurrences", "bold")]
        block += [Line(f"{' ' * INDENT}{each}") for each in wrap(row["features"], width - INDENT)]
        block += [Line(f"{' ' * INDENT}{each}") for each in wrap(f"near: {row['neighbours']}", width - INDENT)]
        for sentence in filter(None, row["examples"].split(BETWEEN)):
            first, *more = wrap(sentence, width - INDENT - 2)
            block += [Line(f"{' ' * INDENT}- {first}", style="dim")]
            block += [Line(f"{' ' * INDENT}  {each}", style="dim") for each in more]
        lines += put_blocks_side_by_side([[*block, Line("")]], width)
    return lines
