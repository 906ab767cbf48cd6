"""Answer a completing shell: words in, a line for each value out; nothing, without a message, on any error."""

import os
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from aptdb.commands.completion.shape import Shape, cached_shape
from aptdb.commands.completion.values import Answer, complete_last_word

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
    return (
        "\n".join([what_to_do(found), *(f"{value}\t{shorten_meaning(means)}" for value, means in found.values)]) + "\n"
    )


def what_to_do(found: Answer) -> str:
    """Return the first line: complete files or folders, or show the values, with a space after one or without."""
    return found.files or ("open" if found.is_open else "values")


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
