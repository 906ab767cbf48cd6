"""The arguments and options that several commands share, and how they become the parameters of a question."""

import inspect
import re
import sys
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.output import AnswerFormat
from aptdb.errors import PhraseError, QuestionError
from aptdb.parameters.declare import declared, help_of, kind_of
from aptdb.phrase import Phrase

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon

LexiconFile = Annotated[Path, typer.Argument(metavar="LEXICON", readable=False, help="The lexicon: one DuckDB file.")]
Question = Annotated[
    str,
    typer.Argument(
        metavar="X",
        help="A lexeme, e.g. dog/NOUN; a phrase, e.g. 'clothes/NOUN[amod dry/ADJ]'; or @FILE with one sentence in "
        "CoNLL-U.",
    ),
]
PhraseText = Annotated[
    str,
    typer.Argument(
        metavar="PHRASE",
        help="A tree of lexemes, head first, e.g. 'clothes/NOUN[amod dry/ADJ]'; or @FILE with one sentence in CoNLL-U.",
    ),
]
First = Annotated[str, typer.Argument(metavar="A", help="A lexeme or phrase, or @FILE with one sentence in CoNLL-U.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another lexeme, phrase or @FILE.")]
LONGEST_SENTENCE = 10_000  # the same as in aptdb.counting.reading, which is slow to import
LongestSentence = Annotated[
    int,
    typer.Option(
        "--max-sentence",
        metavar="N",
        min=1,
        help="Refuse sentences of more than N words, or of more than N times 1,000 pairs of words to count.",
    ),
]
FormatOption = Annotated[
    AnswerFormat | None,
    typer.Option("--format", help="How to write the answer. [default: table on a terminal, tsv into a pipe]"),
]
MoreQuestions = Annotated[
    str | None, typer.Option("--file", metavar="FILE", help="Read more from FILE, one a line; - is standard input.")
]
BEGUN = re.compile(r"[^\s\[]+\[[^\s\[]+\s")  # the beginning of a phrase, e.g. dog/NOUN[amod small


def output(what: str, metavar: str = "FILE") -> Any:
    """The option -o: the file that a command writes."""
    return typer.Option("--output", "-o", metavar=metavar, help=f"Write to {what}.")


def options_of(dictionary: type, *, but: Collection[str] = ()) -> dict[str, Any]:
    """The parameters of a dictionary as options, group by group. Options that are not given get SQL's default."""
    return {
        name: option(dictionary, name, kind_of(dictionary, name)) for name in declared(dictionary) if name not in but
    }


def option(dictionary: type, name: str, kind: Any) -> Any:
    """A parameter as an option with values of this type; lists are written as text with commas."""
    parameter = declared(dictionary)[name]
    told: dict[str, Any] = {"help": help_of(dictionary, name), "rich_help_panel": parameter.group.value}
    if parameter.flag:
        return Annotated[bool | None, typer.Option(parameter.flag, **told)]
    kind = str if kind is list else kind
    return Annotated[kind | None, typer.Option(metavar=parameter.metavar, **told)]


def with_parameters(options: type | Mapping[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options to a command, and pass it the given ones as one dictionary, `parameters`.

    options: a dictionary of parameters, or options by name.
    """
    offered = options_of(options) if isinstance(options, type) else options

    def widen(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**arguments: Any) -> None:
            parameters = {name: arguments.pop(name) for name in offered}
            command(**arguments, parameters={name: value for name, value in parameters.items() if value is not None})

        signature = inspect.signature(command)
        own = [parameter for name, parameter in signature.parameters.items() if name != "parameters"]
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
            for name, annotation in offered.items()
        ]
        run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *added]}
        return run

    return widen


def question(lexicon: "Lexicon", text: str) -> Phrase | str:
    """The lexeme or phrase that is written on the command line, or the sentence in the CoNLL-U file @FILE.

    Text that neither is nor begins like a phrase is taken as a lexeme, so that "/PUNCT needs no more quotes.
    """
    if text.startswith("@") and Path(text[1:]).is_file():
        phrases = lexicon.phrases(text[1:])
        if len(phrases) > 1:
            raise PhraseError(f"{text[1:]} has {len(phrases)} sentences; this question takes one")
        return phrases[0]
    if text.startswith("@") and text.endswith((".conllu", ".gz")):
        raise QuestionError(f"no file {text[1:]}; @FILE names a file in CoNLL-U")
    try:
        phrase = Phrase.parse(text)
    except PhraseError:
        if text.endswith("]") or BEGUN.match(text):
            raise
        return text
    return phrase if phrase.dependents else phrase.lexeme


def questions(lexicon: "Lexicon", texts: list[str], file: str | None) -> dict[str, Phrase | str]:
    """Several questions by name: from the command line, from the lines of a file, or from the sentences of @FILE."""
    asked: dict[str, Phrase | str] = {}
    for text in [*texts, *(lines_of(file) if file else [])]:
        if text.startswith("@") and Path(text[1:]).is_file():
            for phrase in lexicon.phrases(text[1:]):
                asked[name_apart(asked, phrase)] = phrase
        else:
            asked[text] = question(lexicon, text)
    return asked


def name_apart(asked: Mapping[str, Phrase | str], phrase: Phrase) -> str:
    """The name of a sentence: its phrase, with a number if another sentence has the same tree in another order."""
    name, number = str(phrase), 1
    while asked.get(name, phrase) != phrase:
        number += 1
        name = f"{phrase} ({number})"
    return name


def several(lexicon: "Lexicon", texts: list[str], file: str | None) -> dict[str, Phrase | str]:
    """Phrases as `questions` reads them, at least one."""
    if not texts and file is None:
        raise typer.BadParameter(
            "give a phrase, e.g. 'dog/NOUN[amod small/ADJ]', or a --file of phrases", param_hint="PHRASE"
        )
    return questions(lexicon, texts, file)


def lines_of(file: str) -> list[str]:
    """The lines of a file, or of standard input for -, that are not empty. Raises QuestionError if there are none."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise QuestionError(f"{file} cannot be read: {reason}") from error
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if not found:
        raise QuestionError(f"{file} is empty; write a lexeme or phrase on each line, e.g. dog/NOUN")
    return found
