"""Answer a completing shell: words in, a line for each value out; nothing, without a message, on any error.

The values are names of commands and options, declared values, and names in the lexicon. `Database` takes too long to
import here. Its protection against lexicons of strangers holds here too: this reads one file, and reaches no other.
"""

import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aptdb.commands.completion.shape import (
    Part,
    Read,
    Shape,
    argument_at,
    cached_shape,
    default_lexicon,
    is_left_out,
    most_of,
    read_command_words,
)
from aptdb.core.one_line import NOT_SHOWN
from aptdb.core.phrase import find_unfinished_word, quoted_lexeme, unquote_written
from aptdb.store.statements import statement

SPACE = " \t\n"
IN_DOUBLE_QUOTES = '"\\$`'  # what a backslash takes the meaning from there
SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,^")


@dataclass
class Word:
    """A word of a line. raw: as typed. text: its value. quote: the open quote at its end, or "".

    opened: the position of that quote in `raw`. bare: the positions in `raw` that are neither quoted nor escaped.
    """

    raw: str = ""
    text: str = ""
    quote: str = ""
    opened: int = 0
    bare: tuple[int, ...] = ()


def split_command_line(line: str) -> list[Word]:
    """Return the words of a line; the last is the one at its end, which is empty after white space."""
    found, place = [Word()], 0
    while place < len(line):
        if line[place] in SPACE:
            found += [Word()] if found[-1].raw else []
            place += 1
        else:
            word, place = word_at(line, place)
            found[-1] = word
    return found


def word_at(line: str, start: int, stops: str = SPACE) -> tuple[Word, int]:
    """Return the word that begins at a position, and the position after it. An open quote extends to the end."""
    text: list[str] = []
    bare: list[int] = []
    quote, opened, place = "", 0, start
    while place < len(line) and (quote or line[place] not in stops):
        each, after = line[place], line[place + 1 : place + 2]
        if quote:
            if each == quote:
                quote = ""
            elif quote == '"' and each == "\\" and after and after in IN_DOUBLE_QUOTES:
                text.append(after)
                place += 1
            else:
                text.append(each)
        elif each in "'\"":
            quote, opened = each, place - start
        elif each == "\\":
            text.append(after)
            place += 1
        else:
            text.append(each)
            bare.append(place - start)
        place += 1
    return Word(line[start:place], "".join(text), quote, opened, tuple(bare)), place


def unescape_word(raw: str) -> str:
    """Return the value of a word, as a shell reads it."""
    return word_at(raw, 0, stops="")[0].text


def written_on(word: Word, value: str, breaks: str) -> str:
    """Return the text that Bash inserts for a value that begins with the word's text.

    The typed text stays. Bash replaces a word from its open quote, or from after the last of `breaks` in it.
    """
    if not word.raw and not SAFE.issuperset(value):
        return "'" + value.replace("'", "'\\''") + "'"
    written = word.raw + escape_in_quotes(value[len(word.text) :], word.quote)
    if word.quote:
        return written[word.opened + 1 :]
    return written[max((place + 1 for place in word.bare if word.raw[place] in breaks), default=0) :]


def escape_in_quotes(text: str, quote: str) -> str:
    """Return text as it is typed within quotes of this kind, or without quotes."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote:
        return "".join(f"\\{each}" if each in IN_DOUBLE_QUOTES else each for each in text)
    return "".join(each if each in SAFE or not each.isascii() else f"\\{each}" for each in text)


# Values
CONFINED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "lock_configuration": "true",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "memory_limit": "1GB",
}


def query_in_passing(file: Path, query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a file. Raise OSError or duckdb.Error if it fails."""
    from aptdb.store.lazy_imports import duckdb

    if not file.is_file():  # opening a pipe would wait for its other end
        raise FileNotFoundError(file)
    with duckdb.connect(str(file), read_only=True, config=CONFINED) as client:
        return client.execute(query, dict(values)).fetchall()


MOST = 60  # lexemes and paths that are shown
ANY = "*"

Offer = tuple[str, str]  # a value, and its meaning


@dataclass
class Answer:
    """The answer to a shell. files: whether the shell should complete "files" or "folders" itself.

    values: each with its meaning. is_open: whether typing goes on after a value, without a space.
    """

    values: list[Offer] = field(default_factory=list)
    files: str = ""
    is_open: bool = False


@dataclass
class Asked:
    """What the words before say. given: the arguments by name. lexicon: the file to look into."""

    given: dict[str, str]
    lexicon: str | None

    def offers(self, name: str, **values: Any) -> list[Offer]:
        """Return the values and meanings of a statement in `sql/completion`; [] without a lexicon."""
        if self.lexicon is None:
            return []
        file = Path(os.path.expandvars(self.lexicon)).expanduser()
        found = query_in_passing(file, statement(name), values)
        return [(str(value), f"{means:,}" if isinstance(means, int) else str(means or "")) for value, means in found]


def complete_last_word(shape: Shape, words: list[str]) -> Answer:
    """Return completions of the last of the words, without the program's name."""
    *before, typed = words
    if (found := read_command_words(shape, before)) is None:
        return Answer()
    if found.asked is not None:
        return of_part(found, found.asked, typed)
    if typed.startswith("-") and not found.ended:
        return of_option(found, typed)
    if found.shape["commands"]:
        return begin_alike([(name, each["help"]) for name, each in found.shape["commands"].items()], typed)
    return of_argument(found, typed)


def of_option(found: Read, typed: str) -> Answer:
    """Return the names of options, or the values of one that is typed as --name=."""
    name, sign, value = typed.partition("=")
    options = {**found.shape["options"], **found.program}
    if not sign:
        return begin_alike([(each, part["help"]) for each, part in options.items()], typed)
    if (part := options.get(name)) is None or part["flag"]:
        return Answer()
    found_values = of_part(found, part, value)
    return Answer(
        [(f"{name}={each}", means) for each, means in found_values.values], found_values.files, found_values.is_open
    )


def of_argument(found: Read, typed: str) -> Answer:
    """Return the values of the next argument. The lexicon may be left out; then both readings are offered."""
    arguments = found.shape["arguments"]
    if not (arguments and arguments[0]["kind"] == "lexicon") or arguments[0]["many"]:
        part = argument_at(arguments, len(found.arguments))
        return of_part(found, part, typed) if part else Answer()
    others, own = arguments[1:], lexicon_of(found)
    place = len(found.arguments) - (1 if own is None else 0)
    if own is None and place < 0:
        return Answer(files="files")
    part = argument_at(others, place)
    found_values = of_part(found, part, typed) if part else Answer()
    if not found_values.values and own is not None and "lexicon" not in found.options and not found.arguments:
        return Answer(files="files")
    return found_values


def lexicon_of(found: Read) -> str | None:
    """Return the lexicon of an option or the environment, if the arguments name none; else None."""
    arguments = found.shape["arguments"]
    if not (arguments and arguments[0]["kind"] == "lexicon"):
        return None
    if "lexicon" in found.options:
        return found.options["lexicon"]
    return default_lexicon() if is_left_out(found.arguments, most_of(arguments[1:])) else None


def of_part(found: Read, part: Part, typed: str) -> Answer:
    """Return the values of an argument or option, from its declaration and from the lexicon."""
    if part["kind"] in ("files", "folders", "lexicon"):
        return Answer(files="folders" if part["kind"] == "folders" else "files")
    own = lexicon_of(found)
    names = [each["name"] for each in found.shape["arguments"] if own is None or each["kind"] != "lexicon"]
    given = dict(zip(names, found.arguments, strict=False))
    asked = Asked(given, own or given.get("lexicon"))
    if part["kind"] == "phrase":
        return complete_phrases(asked, typed)
    before, sign, last = typed.rpartition(",") if part["many"] else ("", "", typed)
    of_lexicon = FROM_LEXICON[part["kind"]](asked, last) if part["kind"] in FROM_LEXICON else []
    alike = begin_alike([*((each, "") for each in part["values"]), *of_lexicon], last)
    return Answer([(before + sign + each, means) for each, means in alike.values])


def begin_alike(values: Iterable[Offer], typed: str) -> Answer:
    """Return the distinct values that begin with the typed text and that a terminal shows: a shell changes none."""
    once: dict[str, str] = {}
    for value, means in values:
        if value.startswith(typed) and not NOT_SHOWN.search(value):
            once.setdefault(value, NOT_SHOWN.sub(" ", means))
    return Answer([*once.items()])


def complete_phrases(asked: Asked, typed: str) -> Answer:
    """Return lexemes and phrases that begin with the typed text; dependents are those seen with their head, if any."""
    if typed.startswith("@"):
        return Answer(files="files")
    at = find_unfinished_word(typed)
    if not at.depth:
        return begin_alike(complete_lexemes(asked, typed), typed)
    if at.relation is None:
        relations = asked.offers("completion/relations", begin=at.typed)
        if len(relations) != 1:
            named = ((f"{at.before}{name} ", means) for name, means in relations)
            return Answer(begin_alike(named, typed).values, is_open=True)
        at.before, at.relation, at.typed = f"{at.before}{relations[0][0]} ", relations[0][0], ""
    beginning = at.typed.replace('"', "")
    head = unquote_written(at.head or "")
    found = asked.offers("completion/contexts", lexeme=head, path=f">{at.relation}", begin=beginning, most=MOST)
    found = found or complete_lexemes(asked, beginning)
    ends = "]" * at.depth
    return begin_alike(((at.before + quoted_lexeme(name) + ends, means) for name, means in found), typed)


def complete_lexemes(asked: Asked, typed: str) -> list[Offer]:
    """Return lexemes and entries, with their frequencies."""
    return asked.offers("completion/lexemes", begin=typed, most=MOST)


def complete_contexts(asked: Asked, typed: str) -> list[Offer]:
    """Return lexemes at the end of a path; those seen with the given lexeme and path."""
    lexeme, path = asked.given.get("lexeme"), asked.given.get("path")
    if lexeme in (None, ANY):
        return complete_lexemes(asked, typed)
    path = {ANY: None, "ε": ""}.get(path, path) if path is not None else None
    return asked.offers("completion/contexts", lexeme=lexeme, path=path, begin=typed, most=MOST)


def complete_paths(asked: Asked, typed: str) -> list[Offer]:
    """Return paths; those of the given lexeme."""
    lexeme = asked.given.get("lexeme")
    found = asked.offers("completion/paths", lexeme=None if lexeme == ANY else lexeme, begin=typed)
    return [(ANY, ""), ("ε", ""), *found[:MOST]]


def complete_relations(asked: Asked, typed: str) -> list[Offer]:
    """Return grammatical relations; paths if the text begins one."""
    if typed[:1] in ("<", ">"):
        return complete_paths(asked, typed)
    return asked.offers("completion/relations", begin=typed)


def complete_names(name: str, **given: str | None) -> Callable[[Asked, str], list[Offer]]:
    """Return a function that returns the values and meanings of a statement."""
    return lambda asked, _: asked.offers(name, **given)


FROM_LEXICON: dict[str, Callable[[Asked, str], list[Offer]]] = {
    "lexeme": complete_lexemes,
    "context": complete_contexts,
    "path": complete_paths,
    "relation": complete_relations,
    "subcorpus": complete_names("completion/derived", kind="subcorpus"),
    "corpus": complete_names("completion/corpora"),
    "entry": complete_names("completion/derived", kind="entry"),
    "weighting": complete_names("completion/derived", kind="weighting"),
    "space": complete_names("completion/derived", kind="space"),
    "stored": complete_names("completion/derived", kind=None),
    "column": complete_names("completion/columns"),
    "tag": complete_names("completion/tags"),
}


VARIABLE = "_APTDB_COMPLETE"  # complete_bash, complete_zsh, complete_fish or complete_powershell
BREAKS = "_APTDB_BREAKS"  # where Bash breaks words
END = re.compile(r"(\. | \[default|\.$).*", re.DOTALL)  # of the first sentence of a help
LONGEST_MEANING = 60  # characters
PATIENCE = 2.0  # seconds until a shell gets no answer


def complete_for_shell(asked: str, words: list[str], make: Callable[[], Shape]) -> str:
    """Return the answer to a shell: a line of instructions, then each value with its meaning.

    asked: the value of VARIABLE. words: for Bash the line up to the cursor; for others its words, the last as typed.
    make: a function that returns the shape of the command line, which is slower than the cache.
    """
    shell = asked.removeprefix("complete_")
    if shell == "bash":
        typed = split_command_line(words[0] if words else "")
    else:
        # fish gives the values of words, but the last one as typed.
        typed = [
            Word(each, each if shell == "fish" and each is not words[-1] else unescape_word(each)) for each in words
        ]
    found = complete_last_word(cached_shape(make), [each.text for each in typed[1:]] or [""])
    breaks = os.environ.get(BREAKS, "")
    if shell == "bash":
        found.values = [(written_on(typed[-1], value, breaks), means) for value, means in found.values]
    # Complete files or folders, or show the values, with a space after one or without.
    first = found.files or ("open" if found.is_open else "values")
    return "\n".join([first, *(f"{value}\t{shorten_meaning(means)}" for value, means in found.values)]) + "\n"


def shorten_meaning(text: str) -> str:
    """Return the first sentence of a text, cut to the available width."""
    first = END.sub("", text)
    return first if len(first) <= LONGEST_MEANING else first[: LONGEST_MEANING - 1] + "…"


def complete_and_end(asked: str, make: Callable[[], Shape]) -> None:
    """Answer the shell that runs this program, and end it."""
    patience = threading.Timer(PATIENCE, os._exit, [0])
    patience.daemon = True
    patience.start()
    try:
        answer = complete_for_shell(asked, sys.argv[1:], make)
        os.write(1, answer.encode("utf-8"))
    except BaseException:  # whoever presses Tab expects no message
        os._exit(0)
    os._exit(0)  # at once: to end in order takes as long as to ask
