"""Words as somebody types them into a shell: which text they stand for, and how more text is written after them."""

from dataclasses import dataclass

SPACE = " \t\n"
IN_DOUBLE_QUOTES = '"\\$`'  # what a backslash takes the meaning from there
SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,^")


@dataclass
class Word:
    """A word of a line. raw: as it is typed. text: what it stands for. quote: the one that is open at its end, or "".

    opened: where that quote stands in `raw`. bare: the places in `raw` that are neither quoted nor escaped.
    """

    raw: str = ""
    text: str = ""
    quote: str = ""
    opened: int = 0
    bare: tuple[int, ...] = ()


def words_of(line: str) -> list[Word]:
    """The words of a line; the last is that at its end, which is empty after white space."""
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
    """The word that begins there, and the place after it. A quote that is not closed goes on to the end."""
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


def text_of(raw: str) -> str:
    """What a word stands for, as a shell reads it."""
    return word_at(raw, 0, stops="")[0].text


def written_on(word: Word, value: str, breaks: str) -> str:
    """What Bash puts in place of the word so that it stands for a value, which must begin with the word's text.

    What was typed stays. Bash replaces a word from its open quote, or from after the last of `breaks` in it.
    """
    if not word.raw and not SAFE.issuperset(value):
        return "'" + value.replace("'", "'\\''") + "'"
    written = word.raw + escaped(value[len(word.text) :], word.quote)
    if word.quote:
        return written[word.opened + 1 :]
    return written[max((place + 1 for place in word.bare if word.raw[place] in breaks), default=0) :]


def escaped(text: str, quote: str) -> str:
    """Text as it is typed within quotes of this kind, or within none."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote:
        return "".join(f"\\{each}" if each in IN_DOUBLE_QUOTES else each for each in text)
    return "".join(each if each in SAFE or not each.isascii() else f"\\{each}" for each in text)
