"""Corpora of any size: the trees of the Wikipedia corpus and of the novels, again and again, with rare lemmas renamed.

A real text of twice the length has more words, but not twice as many (Heaps's law). A lemma that is rare in the trees
gets other names in their copies: so many that the number of names grows with a power of the number of copies.
"""

import gzip
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.corpora import SHARED

SOURCES = ("en_wiki_14m.conllu.xz", "en_novels_2m.conllu.gz")
RARE = 20  # a lemma that the trees have at most so often is rare, if nothing else is said
GROWTH = 0.65  # the exponent of Heaps's law for rare lemmas, if nothing else is said
BLOCK = 1 << 24  # bytes


def generated(file: Path, tokens: int, *, from_copy: int = 0, rare_until: int = RARE, growth: float = GROWTH) -> Path:
    """A file with at least so many tokens of whole sentences; from_copy: with which copy of the trees it begins.

    rare_until: a lemma that the trees have at most so often is rare. growth: the exponent of Heaps's law for these; 1
    gives each copy names of its own. It skips the test, saying so, where the trees are missing.
    """
    rare = rare_lemmas(rare_until)
    left, copy = tokens, from_copy
    with file.open("wb") as written:
        while left > 0:
            suffix = b"" if copy == 0 else b"~%d" % int((copy + 1) ** growth)
            for block in blocks():
                text = renamed(block, rare, suffix) if suffix else block
                found = sum(line[:1].isdigit() for line in text.split(b"\n"))
                if found > left:
                    text, found = beginning(text, left)
                written.write(text)
                left -= found
                if left <= 0:
                    break
            copy += 1
    return file


def blocks() -> Iterator[bytes]:
    """The trees, in blocks of whole sentences."""
    for name in SOURCES:
        file = SHARED / "corpora" / name
        if not file.exists():
            pytest.skip(f"the corpus {file.name} is not beside this checkout (../shared/corpora)")
        rest = b""
        with lzma.open(file) if name.endswith("xz") else gzip.open(file) as opened:
            while read := opened.read(BLOCK):
                text, _, rest = (rest + read).rpartition(b"\n\n")
                yield text + b"\n\n"


def rare_lemmas(until: int) -> frozenset[bytes]:
    """The lemmas that the trees have seldom: at most so often."""
    counts: Counter[bytes] = Counter()
    for block in blocks():
        counts.update(line.split(b"\t", 3)[2] for line in block.split(b"\n") if line[:1].isdigit())
    return frozenset(lemma for lemma, count in counts.items() if count <= until)


def renamed(text: bytes, rare: frozenset[bytes], suffix: bytes) -> bytes:
    """The same trees with other names for rare lemmas."""
    lines = text.split(b"\n")
    for number, line in enumerate(lines):
        if line[:1].isdigit():
            place, form, lemma, rest = line.split(b"\t", 3)
            if lemma in rare:
                lines[number] = b"\t".join((place, form, lemma + suffix, rest))
    return b"\n".join(lines)


def beginning(text: bytes, tokens: int) -> tuple[bytes, int]:
    """The first sentences of a text, with at least so many tokens, and how many those are."""
    found, end = 0, 0
    while found < tokens:
        next_end = text.index(b"\n\n", end) + 2
        found += sum(line[:1].isdigit() for line in text[end:next_end].split(b"\n"))
        end = next_end
    return text[:end], found
