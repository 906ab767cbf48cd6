"""A plain strict reader of parsed text, which says what sentences are right."""

import re
from functools import cache
from typing import NamedTuple

from twins.trees import Token

WHITE = {chr(code) for code in (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029)}
WHITE |= {"\u202f", "\u205f", "\u3000"}  # Unicode's White_Space


class Block(NamedTuple):
    """Lines between two blank lines, the number of the first, from 1, and the words where they are a sentence."""

    first: int
    lines: tuple[bytes, ...]
    words: tuple[Token, ...]


class Reading(NamedTuple):
    """What a file holds: the sentences that are right, and the blocks that are not. wide: whether it is CoNLL-2009."""

    right: list[Block]
    wrong: list[Block]
    wide: bool


def strictly_read(content: bytes) -> Reading:
    """Read a file sentence by sentence."""
    lines = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").split(b"\n")
    rows = (cells for line in lines if (cells := line.split(b"\t"))[0].isdigit())
    wide = next((len(cells) >= 14 for cells in rows if len(cells) == 10 or has_heads(cells)), False)
    right, wrong = [], []
    for first, block in blocks_of(lines):
        try:
            words = words_of(block, wide)
        except ValueError:
            wrong.append(Block(first, block, ()))
        else:
            if words:
                right.append(Block(first, block, words))
    return Reading(right, wrong, wide)


def has_heads(cells: list[bytes]) -> bool:
    """Whether a line is of CoNLL-2009: numbers where HEAD and PHEAD stand, or _ in place of one."""
    return (
        len(cells) >= 14 and cells[8:10] != [b"_", b"_"] and all(each.isdigit() or each == b"_" for each in cells[8:10])
    )


def blocks_of(lines: list[bytes]) -> list[tuple[int, tuple[bytes, ...]]]:
    """The lines between blank ones, with the number of the first of them."""
    found: list[tuple[int, list[bytes]]] = []
    for number, line in enumerate(lines, 1):
        if line and (number == 1 or not lines[number - 2]):
            found.append((number, []))
        if line:
            found[-1][1].append(line)
    return [(first, tuple(block)) for first, block in found]


@cache
def words_of(block: tuple[bytes, ...], wide: bool) -> tuple[Token, ...]:
    """The words of a sentence. Raises ValueError where anything in it is wrong."""
    rows = [columns_of(line.decode(), wide) for line in block if is_text(line) and not line.startswith(b"#")]
    words = [row for row in rows if row[0].isdecimal()]
    heads = [int(whole(row[6])) for row in words]
    check([int(row[0]) for row in words] == [*range(1, len(words) + 1)])
    check(all(head <= len(words) for head in heads))
    for row, head in zip(words, heads, strict=True):
        check(all(row[1:5]))
        check(not any(WHITE & {cell[:1], cell[-1:]} for cell in (*row[1:6], row[7])))
        check(bool(row[7]) and not {"<", ">"} & {*row[7]})
        check(head == 0 or row[7].partition(":")[0] not in {"", "_"})
        climb(int(row[0]), heads)
    check(not any(WHITE & {row[1][:1], row[1][-1:]} for row in rows))
    check_ranges([row[0] for row in rows], len(words))
    return tuple(Token(row[1], row[2], row[3], row[4], head, row[7]) for row, head in zip(words, heads, strict=True))


def check(holds: bool) -> None:
    """Raise ValueError where something does not hold."""
    if not holds:
        raise ValueError


def is_text(line: bytes) -> bool:
    """True. Raises ValueError for a line that is no text; UnicodeDecodeError is one."""
    check(not {0, 1, 13} & {*line})
    return bool(line.decode()) or True


def whole(text: str) -> str:
    """A number's text."""
    check(bool(re.fullmatch("[0-9]+", text)))
    return text


def columns_of(line: str, wide: bool) -> list[str]:
    """The ten columns of a line."""
    cells = line.split("\t")
    check(bool(re.fullmatch("[0-9]+([-.][0-9]+)?", cells[0])))
    if not wide:
        check(len(cells) == 10)
        return cells
    check(len(cells) >= 14 and bool(re.fullmatch("[0-9]+|_", cells[9])))

    def filled(one: int, other: int) -> str:
        return cells[other] if cells[one] == "_" else cells[one]

    return [*cells[:2], filled(2, 3), filled(4, 5), filled(5, 4), cells[6], filled(8, 9), filled(10, 11), "_", "_"]


def climb(word: int, heads: list[int]) -> None:
    """Raise ValueError where the way up from a word never comes to a root."""
    for _ in heads:
        word = heads[word - 1]
        if not word:
            return
    raise ValueError


def check_ranges(ids: list[str], words: int) -> None:
    """Raise ValueError where 1-2 stands elsewhere than before its first word, overlaps another, or does not end."""
    reached = 0
    for place, each in enumerate(ids):
        if "-" in each:
            first, last = (int(end) for end in each.split("-"))
            following = next((int(word) for word in ids[place:] if word.isdecimal()), None)
            check(following == first and reached < first <= last <= words)
            reached = last
