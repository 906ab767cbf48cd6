"""Damaged files of parsed text, made by a seed."""

import gzip
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from support.corpora import unpacked

SENTENCES = 40
JOINED = ("compound", "fixed", "flat")
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"join": JOINED},
    {"exclude_relations": ("cc", "punct")},
    {"relations": "universal", "exclude_upos": ("PUNCT",)},
    {"stop_list": ("be/AUX", "the"), "order": 1},
    {"lexeme": "{form}/{xpos}", "lowercase": False, "order": 3},
    {"join": JOINED, "exclude_relations": ("punct",), "relations": "universal", "nfc": True, "min_token_length": 2},
)
PIECES = (b"\t", b"\n", b" ", b"_", b"#", b"0", b"1", b"1-2", b"2.1", b"<", b">", b":", b"-", b"\t_", b"\n\n", b"\r\n")
NO_TEXT = (b"\x00", b"\x01", b"\r", b"\xe9", b"\xc3", b"\xe2\x80", b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\x92")


class Case(NamedTuple):
    """A file, how it is to be added, and what its text is if it can be unpacked: None where it is not packed."""

    file: bytes
    settings: int
    skip: bool
    chunk_bytes: int
    text: bytes | None
    names: tuple[str, ...]


def case(seed: int) -> Case:
    """The damaged file of a seed."""
    dice = random.Random(seed)
    first = dice.randrange(SENTENCES - 8)
    blocks = [*base(dice.random() < 0.3)[first : first + dice.randint(1, 6)]]
    content = b"".join(b"\n".join(block) + b"\n\n" for block in blocks)
    names = tuple(dice.choice([*DAMAGES]) for _ in range(dice.randint(0, 3)))
    for name in names:
        content = DAMAGES[name](dice, content)
    text, packing = None, dice.choice(("", "", "", "", "gzip", "zstd"))
    if packing:
        text, content = content, packed(content, packing)
        if dice.random() < 0.7:
            content = dice.choice((flipped, removed, truncated, appended))(dice, content)
    chunk_bytes = dice.choice((2000, *[1 << 20] * 5))
    return Case(content, dice.randrange(len(SETTINGS)), dice.random() < 0.6, chunk_bytes, text, (*names, packing))


@cache
def base(wide: bool) -> list[list[bytes]]:
    """The first sentences of a treebank as lines, in CoNLL-U or CoNLL-2009."""
    sentences = [each.split(b"\n") for each in unpacked("en_ewt").split(b"\n\n", SENTENCES)[:SENTENCES]]
    if not wide:
        return [with_range(lines) if number % 3 == 0 else lines for number, lines in enumerate(sentences)]
    return [
        [as_conll2009(line, number % 2) for line in lines if line[:1] != b"#"] for number, lines in enumerate(sentences)
    ]


def with_range(lines: list[bytes]) -> list[bytes]:
    """A sentence whose first words are written as one, with an empty node behind them."""
    words = [place for place, line in enumerate(lines) if line[:1].isdigit()]
    if len(words) < 2 or b"-" in lines[words[0]].partition(b"\t")[0]:
        return lines
    span, empty = (each + b"\tx" + b"\t_" * 8 for each in (b"1-2", b"2.1"))
    return [*lines[: words[0]], span, *lines[words[0] : words[1] + 1], empty, *lines[words[1] + 1 :]]


def as_conll2009(line: bytes, predicted: int) -> bytes:
    """A line of CoNLL-U as CoNLL-2009 has it, its annotation in the predicted columns or in those of people."""
    number, form, lemma, upos, xpos, _, head, relation, _, _ = line.split(b"\t")
    pairs = [(value, b"_")[:: -1 if predicted else 1] for value in (lemma, b"_", head, relation)]
    (one, two), features, heads, relations = pairs
    cells = [number, form, one, two, upos, xpos, *features, *heads, *relations, b"_", b"_", *[b"_"] * predicted]
    return b"\t".join(cells)


def packed(content: bytes, packing: str) -> bytes:
    """The content packed, with a checksum."""
    if packing == "gzip":
        return gzip.compress(content, mtime=0)
    zstandard = __import__("zstandard")
    return bytes(zstandard.ZstdCompressor(write_checksum=True).compress(content))


Damage = Callable[[random.Random, bytes], bytes]


def flipped(dice: random.Random, content: bytes) -> bytes:
    """A bit of some bytes turned."""
    found = bytearray(content)
    for _ in range(dice.randint(1, 4) if found else 0):
        found[dice.randrange(len(found))] ^= 1 << dice.randrange(8)
    return bytes(found)


def removed(dice: random.Random, content: bytes) -> bytes:
    """Some bytes less."""
    at = dice.randint(0, len(content))
    return content[:at] + content[at + dice.choice((1, 2, 3, 50)) :]


def truncated(dice: random.Random, content: bytes) -> bytes:
    """The end cut off."""
    return content[: dice.randint(0, len(content))]


def appended(dice: random.Random, content: bytes) -> bytes:
    """Something that follows."""
    return content + dice.choice((b"x", b"\n\n\n\n", b"1\tx\n\n", content[:10]))


def inserted(pieces: tuple[bytes, ...]) -> Damage:
    """One of the pieces put in anywhere."""

    def damage(dice: random.Random, content: bytes) -> bytes:
        at = dice.randint(0, len(content))
        return content[:at] + dice.choice(pieces) + content[at:]

    return damage


def of_lines(change: Callable[[random.Random, list[bytes], int], None]) -> Damage:
    """A change of the lines, told one of them."""

    def damage(dice: random.Random, content: bytes) -> bytes:
        lines = content.split(b"\n")
        change(dice, lines, dice.randrange(len(lines)))
        return b"\n".join(lines)

    return damage


def of_blank_lines(others: tuple[bytes, ...]) -> Damage:
    """A blank line in place of which something else stands."""

    def damage(dice: random.Random, content: bytes) -> bytes:
        places = [match.start() for match in re.finditer(b"\n\n", content)] or [0]
        at = dice.choice(places)
        return content[:at] + dice.choice(others) + content[at + 2 :]

    return damage


def of_columns(change: Callable[[random.Random, list[bytes]], None]) -> Damage:
    """A change of the columns of a line."""

    def on_line(dice: random.Random, lines: list[bytes], _: int) -> None:
        places = [place for place, line in enumerate(lines) if line.count(b"\t") > 8]
        if places:
            place = dice.choice(places)
            cells = lines[place].split(b"\t")
            change(dice, cells)
            lines[place] = b"\t".join(cells)

    return of_lines(on_line)


def swap(dice: random.Random, items: list[bytes]) -> None:
    """Change the places of two."""
    one, other = dice.randrange(len(items)), dice.randrange(len(items))
    items[one], items[other] = items[other], items[one]


def renumber(column: int) -> Damage:
    """Another number, or none, in a column."""

    def change(dice: random.Random, cells: list[bytes]) -> None:
        others = (*b"0 1 2 3 4 5 6 7 8 00 01 +1 1e2".split(), b"", b"_", b"9" * 11, b"1-2")
        cells[min(column if len(cells) < 14 else column + 2, len(cells) - 1) if column else 0] = dice.choice(others)

    return of_columns(change)


def rename(dice: random.Random, cells: list[bytes]) -> None:
    """Give a line another relation."""
    others = ";_;:x;_:x;a<b;>;a b;a|b;r.*;';\";é;flat;punct".encode().split(b";")
    cells[7 if len(cells) < 14 else 10] = dice.choice(others)


DAMAGES: dict[str, Damage] = {
    "bits": flipped,
    "bytes removed": removed,
    "bytes inserted": inserted(PIECES),
    "no text": inserted(NO_TEXT),
    "truncated": truncated,
    "line cut": of_lines(lambda dice, lines, at: lines.__setitem__(at, truncated(dice, lines[at]))),
    "line dropped": of_lines(lambda _, lines, at: lines.__delitem__(at)),
    "line doubled": of_lines(lambda _, lines, at: lines.insert(at, lines[at])),
    "lines swapped": of_lines(lambda dice, lines, _: swap(dice, lines)),
    "range": of_lines(lambda dice, lines, at: lines.insert(at, dice.choice((b"1-2", b"2-3", b"1-99")) + b"\t_" * 9)),
    "blank line lost": of_blank_lines((b"\n", b"\n \n", b"\n\t\n", b"\n#\n", b"")),
    "blank line more": of_blank_lines((b"\n\n\n", b"\n\n#\n\n", b"\n\nx\n\n")),
    "columns swapped": of_columns(swap),
    "column lost": of_columns(lambda dice, cells: cells.__delitem__(dice.randrange(len(cells)))),
    "column more": of_columns(lambda dice, cells: cells.insert(dice.randrange(len(cells)), b"_")),
    "head": renumber(6),
    "ID": renumber(0),
    "relation": of_columns(rename),
    "crlf": lambda _, content: content.replace(b"\n", b"\r\n"),
    "bom": lambda _, content: b"\xef\xbb\xbf" + content,
}
