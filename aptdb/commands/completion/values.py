"""The possible values of a word: names of commands and options, declared values, and names in the lexicon.

`Database` takes too long to import here. Its protection against lexicons of strangers holds here too: this reads one
file, and reaches no other.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aptdb.commands.completion.default_lexicon import default_lexicon, is_left_out
from aptdb.commands.completion.shape import Part, Read, Shape, argument_at, most_of, read_command_words
from aptdb.core.one_line import NOT_SHOWN
from aptdb.core.phrase import find_unfinished_word, quoted_lexeme, unquote_written
from aptdb.store.statements import statement

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

Row = tuple[Any, ...]


@dataclass
class Answer:
    """The answer to a shell. files: whether the shell should complete "files" or "folders" itself.

    values: each with its meaning. is_open: whether typing goes on after a value, without a space.
    """

    values: list[tuple[str, str]] = field(default_factory=list)
    files: str = ""
    is_open: bool = False


@dataclass
class Asked:
    """The word to complete. typed: its beginning. given: the arguments by name. lexicon: the file to look into."""

    part: Part
    typed: str
    given: dict[str, str]
    lexicon: str | None

    def rows(self, name: str, **values: Any) -> list[Row]:
        """Return the rows of a statement in `sql/completion`; [] without a lexicon."""
        if self.lexicon is None:
            return []
        file = Path(os.path.expandvars(self.lexicon)).expanduser()
        return query_in_passing(file, statement(name), values)


def complete_last_word(shape: Shape, words: list[str]) -> Answer:
    """Return completions of the last of the words, without the program's name."""
    *before, typed = words
    if (found := read_command_words(shape, before)) is None:
        return Answer()
    if found.asked is not None:
        return of_part(split_word_to_complete(found, found.asked, typed))
    if typed.startswith("-") and not found.ended:
        return of_option(found, typed)
    if found.shape["commands"]:
        return begin_alike([(name, each["help"]) for name, each in found.shape["commands"].items()], typed)
    return of_argument(found, typed)


def of_option(found: Read, typed: str) -> Answer:
    """Return the names of options, or the values of one that is typed as --name=."""
    name, sign, value = typed.partition("=")
    if not sign:
        return begin_alike([(each, part["help"]) for each, part in found.shape["options"].items()], typed)
    if (part := found.shape["options"].get(name)) is None or part["flag"]:
        return Answer()
    found_values = of_part(split_word_to_complete(found, part, value))
    return Answer(
        [(f"{name}={each}", means) for each, means in found_values.values], found_values.files, found_values.is_open
    )


def of_argument(found: Read, typed: str) -> Answer:
    """Return the values of the next argument. The lexicon may be left out; then both readings are offered."""
    arguments = found.shape["arguments"]
    if not (arguments and arguments[0]["kind"] == "lexicon"):
        part = argument_at(arguments, len(found.arguments))
        return of_part(split_word_to_complete(found, part, typed)) if part else Answer()
    others, own = arguments[1:], lexicon_of(found)
    place = len(found.arguments) - (1 if own is None else 0)
    if own is None and place < 0:
        return Answer(files="files")
    part = argument_at(others, place)
    found_values = of_part(split_word_to_complete(found, part, typed)) if part else Answer()
    if not found_values.values and own is not None and "usual" not in found.options and not found.arguments:
        return Answer(files="files")
    return found_values


def lexicon_of(found: Read) -> str | None:
    """Return the lexicon of an option or the environment, if the arguments name none; else None."""
    arguments = found.shape["arguments"]
    if not (arguments and arguments[0]["kind"] == "lexicon"):
        return None
    if "usual" in found.options:
        return found.options["usual"]
    return default_lexicon() if is_left_out(found.arguments, most_of(arguments[1:])) else None


def split_word_to_complete(found: Read, part: Part, typed: str) -> Asked:
    """Return the word to complete, with the words before it."""
    arguments, own = found.shape["arguments"], lexicon_of(found)
    names = [each["name"] for each in arguments if own is None or each["kind"] != "lexicon"]
    given = dict(zip(names, found.arguments, strict=False))
    return Asked(part, typed, given, own or given.get("lexicon"))


def of_part(asked: Asked) -> Answer:
    """Return the values of an argument or option, from its declaration and from the lexicon."""
    kind, typed = asked.part["kind"], asked.typed
    if kind in ("files", "folders", "lexicon"):
        return Answer(files="folders" if kind == "folders" else "files")
    if kind == "phrase":
        return complete_phrases(asked, typed)
    before, sign, last = typed.rpartition(",") if asked.part["many"] else ("", "", typed)
    of_lexicon = FROM_LEXICON[kind](asked, last) if kind in FROM_LEXICON else []
    found = begin_alike([*((each, "") for each in asked.part["values"]), *of_lexicon], last)
    return Answer([(before + sign + each, means) for each, means in found.values])


def begin_alike(values: Iterable[tuple[str, str]], typed: str) -> Answer:
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
        relations = asked.rows("completion/relations", begin=at.typed)
        if len(relations) != 1:
            named = ((f"{at.before}{name} ", format_completed_number(count)) for name, count in relations)
            return Answer(begin_alike(named, typed).values, is_open=True)
        at.before, at.relation, at.typed = f"{at.before}{relations[0][0]} ", relations[0][0], ""
    beginning = at.typed.replace('"', "")
    head = unquote_written(at.head or "")
    found = asked.rows("completion/contexts", lexeme=head, path=f">{at.relation}", begin=beginning, most=MOST)
    found = found or asked.rows("completion/lexemes", begin=beginning, most=MOST)
    ends = "]" * at.depth
    return begin_alike(
        ((at.before + quoted_lexeme(name) + ends, format_completed_number(count)) for name, count in found), typed
    )


def complete_lexemes(asked: Asked, typed: str) -> list[tuple[str, str]]:
    """Return lexemes and entries, with their frequencies."""
    found = asked.rows("completion/lexemes", begin=typed, most=MOST)
    return [(name, format_completed_number(count)) for name, count in found]


def complete_contexts(asked: Asked, typed: str) -> list[tuple[str, str]]:
    """Return lexemes at the end of a path; those seen with the given lexeme and path."""
    lexeme, path = asked.given.get("lexeme"), asked.given.get("path")
    if lexeme in (None, ANY):
        return complete_lexemes(asked, typed)
    path = {ANY: None, "ε": ""}.get(path, path) if path is not None else None
    found = asked.rows("completion/contexts", lexeme=lexeme, path=path, begin=typed, most=MOST)
    return [(name, format_completed_number(count)) for name, count in found]


def complete_paths(asked: Asked, typed: str) -> list[tuple[str, str]]:
    """Return paths; those of the given lexeme."""
    lexeme = asked.given.get("lexeme")
    found = asked.rows("completion/paths", lexeme=None if lexeme == ANY else lexeme, begin=typed)
    return [(ANY, ""), ("ε", ""), *((name, format_completed_number(count)) for name, count in found[:MOST])]


def complete_relations(asked: Asked, typed: str) -> list[tuple[str, str]]:
    """Return grammatical relations; paths if the text begins one."""
    if typed[:1] in ("<", ">"):
        return complete_paths(asked, typed)
    return [(name, format_completed_number(count)) for name, count in asked.rows("completion/relations", begin=typed)]


def complete_names(name: str, **given: str) -> Callable[[Asked, str], list[tuple[str, str]]]:
    """Return the names and meanings of a statement."""
    return lambda asked, _: [(str(each), format_completed_number(means)) for each, means in asked.rows(name, **given)]


def format_completed_number(value: Any) -> str:
    """Return a number with its thousands separated; text unchanged."""
    return f"{value:,}" if isinstance(value, int) else str(value or "")


FROM_LEXICON: dict[str, Callable[[Asked, str], list[tuple[str, str]]]] = {
    "lexeme": complete_lexemes,
    "context": complete_contexts,
    "path": complete_paths,
    "relation": complete_relations,
    "subcorpus": complete_names("completion/derived", kind="subcorpus"),
    "corpus": complete_names("completion/corpora"),
    "entry": complete_names("completion/derived", kind="entry"),
    "weighting": complete_names("completion/derived", kind="weighting"),
    "space": complete_names("completion/derived", kind="space"),
    "column": complete_names("completion/columns"),
    "tag": complete_names("completion/tags"),
}
