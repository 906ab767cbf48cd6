"""Arguments and options that several commands share, and their conversion to parameters and settings."""

import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.answer_headers import is_provenance_wanted, note_lexicon
from aptdb.commands.notes import print_note
from aptdb.commands.output import AnswerFormat, choose_format
from aptdb.core.errors import AptError, NoMatchWarning, PhraseError, QuestionError, SettingsError, warn
from aptdb.core.parameters import declared, find_plain_type, help_of, list_allowed_values, without_none
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import QUESTIONS


def open_lexicon(file: Path, **how: Any) -> "Lexicon":
    """Open a lexicon, as `Lexicon.open` does. What that needs is imported now: help and refusals do without."""
    from aptdb.lexicon import Lexicon

    beside = how.get("attach") if is_provenance_wanted() else None
    for other in beside.values() if isinstance(beside, Mapping) else beside or ():
        with suppress(AptError), Lexicon.open(other) as attached:  # it may be no lexicon
            note_lexicon(Path(other), attached)
    opened = Lexicon.open(file, **how)
    if not how.get("create"):  # which is noted when it is written
        note_lexicon(file, opened)
    return opened


def note_written(file: Path) -> None:
    """Keep a lexicon as it is now for the header of the answer, if one is asked for."""
    if is_provenance_wanted() and file.exists():
        open_lexicon(file).close()


def given_settings(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings from the given options: lists from text with commas, and the contents of files."""
    return {name: FROM_OPTION[name](value) if name in FROM_OPTION else value for name, value in parameters.items()}


def names_between_commas(text: str) -> list[str]:
    """Return the names between commas; none if the text is empty. Raise QuestionError for an empty one among others."""
    names = [name.strip() for name in text.split(",")] if text else []
    if not all(names):
        raise QuestionError(f"{text!r} has a comma with no name before or after it")
    return names


def split_relations(parameters: dict[str, Any]) -> None:
    """Make a list of given relations, which stand in a text with commas."""
    if "relations" in parameters:
        parameters["relations"] = names_between_commas(parameters["relations"])


EXAMPLES = {"--tag": "period=1890s", "--setting": "shift=10", "--parameter": "word=dog/NOUN"}  # of NAME=VALUE


def values_by_name(written: Sequence[str], option: str) -> dict[str, str]:
    """Return values by name, from NAME=VALUE. Raise an error that names the option."""
    found: dict[str, str] = {}
    for each in written:
        name, sign, value = (part.strip() for part in each.partition("="))
        if not (name and sign and value):
            raise typer.BadParameter(f"{each!r} is not NAME=VALUE, e.g. {EXAMPLES[option]}", param_hint=option)
        if found.setdefault(name, value) != value:
            raise typer.BadParameter(f"{name} is given twice, as {found[name]} and {value}", param_hint=option)
    return found


def read_word_list(file: str) -> list[str]:
    """Return the words in a file, one a line; warn if there are none."""
    words = [word for _, word in numbered_lines(file)]
    if not words:
        warn(f"{file} has no words; nothing is left out by it", NoMatchWarning)
    return words


def read_new_names(file: str) -> dict[str, str]:
    """Return new names by old names, from a file. Raise SettingsError for a line without two, or two for one."""
    found: dict[str, str] = {}
    for number, line in numbered_lines(file):
        names = [name.strip() for name in line.split("\t")]
        if len(names) != 2 or not all(names):  # noqa: PLR2004
            raise SettingsError(f"{file}:{number}: {line!r}; expected a name, a tab and the new name")
        if found.setdefault(names[0], names[1]) != names[1]:
            raise SettingsError(
                f"{file}:{number}: {names[0]} is renamed to {found[names[0]]} above and to {names[1]} here; keep one"
            )
    return found


def numbered_lines(file: str) -> list[tuple[int, str]]:
    """Return the lines of a text file, with their numbers, except empty lines and comments. Raises SettingsError."""
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"{file} cannot be read: {reason}") from error
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if line and not line.startswith("# ")]


FROM_OPTION: dict[str, Callable[[str], Any]] = {
    "exclude_upos": names_between_commas,
    "exclude_relations": names_between_commas,
    "join": names_between_commas,
    "stop_list": read_word_list,
    "pos_map": read_new_names,
    "relation_map": read_new_names,
}


if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon

PARSERS = "spacy:MODEL, stanza:LANGUAGE or udpipe:FILE"
LexiconFile = Annotated[Path, typer.Argument(metavar="LEXICON", readable=False, help="The lexicon: one DuckDB file.")]
Question = Annotated[
    str,
    typer.Argument(
        metavar="X",
        help="A lexeme, e.g. dog/NOUN; a phrase, e.g. 'clothes/NOUN[amod dry/ADJ]'; words, e.g. 'dry clothes', which "
        "are read as a phrase; or @FILE with one sentence in CoNLL-U (@- is standard input).",
    ),
]
SeveralQuestions = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="X...",
        help="Lexemes, e.g. dog/NOUN; phrases, e.g. 'clothes/NOUN[amod dry/ADJ]'; words, e.g. 'dry clothes', which are "
        "read as a phrase; or @FILE with sentences in CoNLL-U (@- is standard input).",
    ),
]
First = Annotated[
    str, typer.Argument(metavar="A", help="A lexeme, phrase or words, or @FILE with one sentence in CoNLL-U.")
]
Second = Annotated[str, typer.Argument(metavar="B", help="Another lexeme, phrase, words, @FILE or @-.")]
ANY = "*"
AnyLexeme = Annotated[
    str,
    typer.Argument(
        metavar="LEXEME",
        help="A lexeme, e.g. dry/ADJ; a stored sense, e.g. 'mouse/NOUN#1'; all lexemes like a pattern, e.g. '*ness' or "
        "'/(un)?dry/'; a form, e.g. form:dried; a pattern of trees, e.g. 'VERB[obj PRON]'; '*' is any.",
    ),
]
AnyPath = Annotated[
    str | None, typer.Argument(metavar="PATH", help="A path, e.g. '<amod'; ε is the empty path, '*' any.")
]
Against = Annotated[
    str | None,
    typer.Option(metavar="X", help="Show shares of LEXEME and an alternative, with the same path and context."),
]
AnyContext = Annotated[
    str | None,
    typer.Argument(
        metavar="CONTEXT", help="The lexeme at the other end of the path, e.g. clothes/NOUN; patterns as for LEXEME."
    ),
]
LongestSentence = Annotated[
    int,
    typer.Option(
        "--max-sentence",
        metavar="N",
        min=1,
        help="Refuse sentences with more than N words, or more than N thousand pairs of words to count.",
    ),
]
FormatOption = Annotated[
    AnswerFormat | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"Write {', '.join(AnswerFormat)}. [default: table on a terminal, tsv into a pipe]",
    ),
]
MoreQuestions = Annotated[
    str | None, typer.Option("--file", metavar="FILE", help="Read more from FILE, one a line; - is standard input.")
]
ParserOption = Annotated[
    str | None,
    typer.Option("--parser", metavar="PARSER", help=f"Read words by a parser, not by the counts: {PARSERS}."),
]
BEGUN = re.compile(r"[^\s\[]+\[[^\s\[]+\s")  # the beginning of a phrase, e.g. dog/NOUN[amod small


def make_output_option(what: str, metavar: str = "FILE") -> Any:
    """Return the option -o, the file that a command writes."""
    return typer.Option("--output", "-o", metavar=metavar, help=f"Write to {what}.")


def options_of(dictionary: type, *, but: Collection[str] = ()) -> dict[str, Any]:
    """Return the parameters of a dictionary as options, group by group; those that are rare are hidden.

    Options that are not given get SQL's default.
    """
    return {
        name: make_option(dictionary, name, find_plain_type(dictionary, name))
        for name in declared(dictionary)
        if name not in but
    }


def make_option(dictionary: type, name: str, kind: Any) -> Any:
    """Return a parameter of a dictionary as an option with values of this type; lists are text with commas.

    Where it has a switch (--x/--no-x), kind says nothing.
    """
    parameter = declared(dictionary)[name]
    keywords: dict[str, Any] = {"help": help_of(dictionary, name), "rich_help_panel": parameter.group.value}
    keywords |= {"hidden": parameter.rare}
    if parameter.flag:
        metavar = "true|false" if parameter.rare else None
        return Annotated[bool | None, typer.Option(parameter.flag, metavar=metavar, **keywords)]
    kind = str if kind is list else kind
    values = list_allowed_values(dictionary, name)  # which completion reads, and Typer does not
    return Annotated[kind | None, typer.Option(metavar=parameter.metavar, **keywords), values]


def with_parameters(options: type | Mapping[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options to a command, and pass it the given ones as one dictionary, `parameters`.

    options: a dictionary of parameters, or options by name.
    """
    everything = options_of(options) if isinstance(options, type) else options
    keys = {name: each for name, each in everything.items() if each.__metadata__[0].hidden}
    offered = {name: each for name, each in everything.items() if name not in keys} | make_set_option(keys)

    def widen(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**arguments: Any) -> None:
            parameters = {name: arguments.pop(name) for name in offered}
            parameters |= read_keys(parameters.pop("set", None) or (), keys)
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


def list_given_options(context: typer.Context) -> list[str]:
    """Return the names of the options of a command that stand in the line, also of those with their default."""
    options = [str(each.name) for each in context.command.params if each.param_type_name == "option"]
    return [name for name in options if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"]


def make_set_option(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the option --set of a command, by name, with the options that its keys would be; {} without keys."""
    if not keys:
        return {}
    some = ", ".join(list(keys)[:3])
    option = typer.Option(
        metavar="KEY=VALUE,...", rich_help_panel="Weights", help=f"Set a rare key ({some}, …): --help-all lists all."
    )
    return {"set": Annotated[list[str] | None, option, {name: each.__metadata__[0] for name, each in keys.items()}]}


BETWEEN_KEYS = re.compile(r",\s*(?=[\w-]+\s*=)")  # the comma in a=1,2,b=3 after 2
SWITCH = {"true": True, "yes": True, "false": False, "no": False}


def read_keys(written: Sequence[str], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of --set by key. Raise BadParameter for what is no key, or no value of it."""
    found: dict[str, Any] = {}
    for each in (part for text in written for part in BETWEEN_KEYS.split(text)):
        name, _, value = (part.strip() for part in each.partition("="))
        key = name.replace("-", "_")
        if key not in keys:
            close = get_close_matches(key, keys, n=1)
            there = f"; did you mean {close[0]}?" if close else f"; the keys are {', '.join(keys)}"
            raise typer.BadParameter(f"no key {name!r}{there}", param_hint="--set")
        if not value:
            raise typer.BadParameter(f"{each!r} is not KEY=VALUE, e.g. {key}=…", param_hint="--set")
        if key in found:
            raise typer.BadParameter(f"{key} is given twice", param_hint="--set")
        found[key] = read_value_of_key(key, value, without_none(keys[key].__origin__))
    return found


def read_value_of_key(key: str, text: str, kind: type) -> Any:
    """Return the value of a key of --set. Raise BadParameter if it is none of its type."""
    try:
        return SWITCH[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        expected = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
        raise typer.BadParameter(f"{key} is {text!r}; expected {expected}", param_hint="--set") from None


def or_any(lexeme: str | None, path: str | None, context: str | None) -> list[str | None]:
    """Return a lexeme, a path and a context as questions take them: None for '*'.

    A lexeme that may be any is the pattern '*', which all questions take, unless a path and a context are given.
    Raises QuestionError if two lexemes are given without a path between them.
    """
    if path and context is None and path not in (ANY, "ε") and path[0] not in "<>":
        raise QuestionError(
            f"{path!r} is not a path, as '<amod' is (a shell needs quotes around < and >); "
            f"for any path between two lexemes write: LEXEME '*' {path}"
        )
    along, of_context = (None if each == ANY else each for each in (path, context))
    return [None if lexeme == ANY and None not in (along, of_context) else lexeme, along, of_context]


UPOS = ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "SCONJ", "VERB")


def read_triple(
    opened: "Lexicon", lexeme: str | None, path: str | None, context: str | None
) -> tuple[str | None, str | None, str | None]:
    """Return a triple with the lexemes that typed words are; a typed phrase unchanged, which the question reads."""
    for tag in dict.fromkeys(each for each in (lexeme, context) if each in UPOS):
        print_note(f"{tag} is read as a word; all lexemes of this part of speech are '*/{tag}'")
    named = lexeme if lexeme and len(lexeme.split()) > 1 else opened.as_lexeme(lexeme)
    return named, path, named if context == lexeme != named else opened.as_lexeme(context)


def merged_beside(
    opened: "Lexicon", lexeme: str | None, path: str | None, context: str | None, parameters: Mapping[str, Any]
) -> str | None:
    """Return the note on pairs that direct counts leave out; None if there are none, or others are asked for."""
    if parameters.get("counts") is not None or (path is None and context is None):
        return None
    found = opened.count_packed_only(lexeme, path, context, subcorpus=parameters.get("subcorpus"))
    return f"direct counts, of pairs in the trees themselves; --counts packed shows {found:,} more" if found else None


def refuse_parameters_of_others(parameters: Iterable[str], taken: Collection[str], why: str) -> None:
    """Raise BadParameter for a parameter, by its name, that this mode of a command does not take."""
    for name in parameters:
        if name not in taken:
            rare = any(name in declared(each) and declared(each)[name].rare for each in QUESTIONS.values())
            option = f"--set {name}" if rare else f"--{name.replace('_', '-')}"
            raise typer.BadParameter(why, param_hint=option)


def list_given(**options: object) -> list[str]:
    """Return the names of the options that are given."""
    return [name for name, value in options.items() if value is not None and value is not False]


def note_on_space(parameters: Mapping[str, Any], format: AnswerFormat | None) -> None:
    """Note below a table of features in a space that they are expected."""
    if (space := parameters.get("space")) and choose_format(format) is AnswerFormat.table:
        print_note(f"what the space {str(space).lower()} predicts, observed or not; without --space, what was observed")


def read_question(lexicon: "Lexicon", text: str, parser: str | None = None) -> Phrase | str:
    """Return a lexeme or phrase from the command line, or from the sentence in the CoNLL-U file @FILE, or @-.

    Other text is returned unchanged: "/PUNCT needs no more quotes, words such as `small dog` are read by the question,
    or now if there is a parser, and so are patterns.
    """
    from aptdb.counting.patterns import REQUEST, SEQUENCE, is_written_pattern

    if names_sentences(text):
        phrases = lexicon.phrases(text[1:])
        if len(phrases) > 1:
            place = "standard input" if text == "@-" else text[1:]
            raise PhraseError(f"{place} has {len(phrases)} sentences; this question takes one")
        return phrases[0]
    if text.startswith("@") and text.endswith((".conllu", ".gz")):
        raise QuestionError(f"no file {text[1:]}; @FILE names a file in CoNLL-U")
    try:
        phrase = Phrase.parse(text)
    except PhraseError:
        if SEQUENCE.fullmatch(text) or REQUEST.match(text):
            return text
        if text.endswith("]") or BEGUN.match(text):
            raise
        return text if parser is None else lexicon.as_parsed(text, parser)
    if phrase.dependents or '"' in text:
        return text if phrase.dependents and is_written_pattern(text) else phrase
    return phrase.lexeme if parser is None else lexicon.as_parsed(phrase.lexeme, parser)


def names_sentences(text: str) -> bool:
    """Return whether a text is @FILE with an existing file, or @-, standard input."""
    return text == "@-" or (text.startswith("@") and Path(text[1:]).is_file())


def read_named_questions(
    lexicon: "Lexicon", texts: list[str], file: str | None, parser: str | None = None
) -> dict[str, Phrase | str]:
    """Return several questions by name: from the command line, the lines of a file, or the sentences of @FILE."""
    asked: dict[str, Phrase | str] = {}
    for text in [*texts, *(read_option_lines(file) if file else [])]:
        if names_sentences(text):
            for phrase in lexicon.phrases(text[1:]):
                asked[name_apart(asked, phrase)] = phrase
        else:
            asked[text] = read_question(lexicon, text, parser)
    return asked


def name_apart(asked: Mapping[str, Phrase | str], phrase: Phrase) -> str:
    """Return the name of a sentence: its phrase, numbered if another sentence has the same tree in another order."""
    name, number = str(phrase), 1
    while asked.get(name, phrase) != phrase:
        number += 1
        name = f"{phrase} ({number})"
    return name


def refuse_no_question(x: list[str] | None, file: str | None) -> None:
    """Raise BadParameter if there is no lexeme or phrase, and no file of them."""
    if not x and file is None:
        raise typer.BadParameter("give a lexeme or phrase, e.g. dog/NOUN, or a --file of them", param_hint="X")


def find_only_one(asked: Mapping[str, Phrase | str], option: str) -> Phrase | str:
    """Return the one question. Raise BadParameter for several: this option takes one."""
    if len(asked) != 1:
        raise typer.BadParameter(f"give one phrase, not {len(asked)}", param_hint=option)
    return next(iter(asked.values()))


def read_option_lines(file: str) -> list[str]:
    """Return the non-empty lines of a file, or of standard input for -.

    Raises QuestionError if there are none.
    """
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise QuestionError(f"{file} cannot be read: {reason}") from error
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if not found:
        raise QuestionError(f"{file} is empty; write a lexeme or phrase on each line, e.g. dog/NOUN")
    return found
