"""Formats of trees with a word a line and tabs between columns: dialects of CoNLL, and columns that a file declares."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from aptdb.core.errors import CorpusError, IncompleteDataWarning, warn
from aptdb.core.one_line import name_first
from aptdb.core.settings import FEATURE, Settings

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
OF_TREES = ("ID", "HEAD", "DEPREL")
OF_WORDS = COLUMNS[1:6]
ANY_MORE = 1 << 30  # columns: no line has as many
SHOWN = 5  # columns in a warning

Place = tuple[int, int]  # of a column in a line, from 1, and of the one that is read where it is _; 0 for none


@dataclass(frozen=True)
class Dialect:
    """A format with a word a line and tabs between columns.

    name: for columns that a file declares, their names. places: of the columns of CoNLL-U. least, most: the number of
    columns of a line. word: the pattern of a word's line, or of a whole sentence, where other dialects do not match it.
    endings: of file names.
    """

    name: str
    places: tuple[Place, ...]
    least: int
    most: int
    word: re.Pattern[bytes] | None = None
    endings: tuple[str, ...] = ()

    @property
    def is_declared(self) -> bool:
        """Return whether its columns are those that a file declares."""
        return self.word is None

    @property
    def columns(self) -> str:
        """Return the number of columns of a line, for errors."""
        more = " or more" if self.most == ANY_MORE else " by global.columns" if self.is_declared else ""
        return f"{self.least}{more}"

    @property
    def declaration(self) -> bytes:
        """Return the comment that declares its columns; b'' where a word tells the dialect."""
        return f"# global.columns = {self.name}\n".encode() if self.is_declared else b""

    def has(self, column: str) -> bool:
        """Return whether its lines have a column of CoNLL-U."""
        return self.places[COLUMNS.index(column)] != NOWHERE


NOWHERE = (0, 0)
ONCE = tuple((place, 0) for place in range(1, 11))
# What people annotated and, where that is _, what was predicted; the last columns are DEPS and MISC.
OF_2009 = ((1, 0), (2, 0), (3, 4), (5, 6), (6, 5), (7, 0), (9, 10), (11, 12), NOWHERE, NOWHERE)
# Of words that are torn at hyphens, the parts: only they have tags and heads of their own, and they lack FORM and GPOS.
OF_2008 = ((1, 0), (6, 2), (7, 3), (8, 4), (8, 5), NOWHERE, (9, 0), (10, 0), NOWHERE, NOWHERE)
# HEAD and PHEAD of CoNLL-2009: numbers, of which one may be missing.
HEADS = rb"\t(?:[0-9]+\t(?:[0-9]+|_)|_\t[0-9]+)"


def sentence_of_2009(columns: int) -> re.Pattern[bytes]:
    """Return the pattern of a sentence of CoNLL-2009 whose lines all have this number of columns."""
    cells = rb"(?:\t[^\t\n]*){7}" + HEADS + rb"(?:\t[^\t\n]*){%d}\n" % (columns - 10)
    return re.compile(rb"^1" + cells + rb"(?:[0-9]+" + cells + rb")*(?:\n|\Z)", re.MULTILINE)


# The first word of a source that looks like one of these tells which it is; without one it is read as the first. A line
# of CoNLL-2009 that has lost a column looks like one of Mate, which is why that is told by whole sentences.
DIALECTS = (
    Dialect(
        "conllu",  # and CoNLL-X, whose columns mean the same as far as trees go
        ONCE,
        10,
        10,
        re.compile(rb"^[0-9]+(?:\t[^\t\n]*){9}$", re.MULTILINE),
        (".conllu", ".conllx", ".conll", ".conll06", ".conll07", ".conllup", ".cupt"),
    ),
    *(Dialect(f"mate{each}", OF_2009, each, each, sentence_of_2009(each)) for each in (12, 13)),
    Dialect(
        "conll2009",
        OF_2009,
        14,
        ANY_MORE,
        re.compile(rb"^[0-9]+(?:\t[^\t\n]*){7}" + HEADS + rb"(?:\t[^\t\n]*){4,}$", re.MULTILINE),
        (".conll09",),
    ),
    Dialect(
        "conll2008",  # told by FORM and SPLIT_FORM, which are the same in most words, and by a relation after HEAD
        OF_2008,
        11,
        ANY_MORE,
        re.compile(
            rb"^[0-9]+\t([^\t\n]+)(?:\t[^\t\n]*){3}\t\1(?:\t[^\t\n]*){2}\t[0-9]+\t(?!(?:[0-9]+|_)\t)[^\t\n]+"
            rb"(?:\t[^\t\n]*)+$",
            re.MULTILINE,
        ),
        (".conll08",),
    ),
)


class Declaration(NamedTuple):
    """A comment that declares the columns of a file: the number of its line, from 0, and what it says."""

    line: int
    start: int
    text: str


MARK = b"global.columns"
DECLARATION = re.compile(rb"^#[ \t]*global\.columns(?![\w.])([^\n]*)$", re.MULTILINE)
NO_COMMENT = re.compile(rb"^[^#\n]", re.MULTILINE)


def declarations_in(content: bytes) -> Iterator[Declaration]:
    """Yield the declarations of columns in a text, in order."""
    if MARK in content:  # which costs a fifth of the pattern
        for found in DECLARATION.finditer(content):
            text = found[1].decode(errors="replace").strip()
            yield Declaration(content.count(b"\n", 0, found.start()), found.start(), text)


def dialect_of(content: bytes, where: Callable[[int], str]) -> Dialect | None:
    """Return the dialect that a text declares before its first word, or that of this word; None without both.

    where: returns the place of a line, from 0, for messages. Raises CorpusError for a declaration that is no list of
    columns.
    """
    declared = next(declarations_in(content), None)
    if declared and not NO_COMMENT.search(content, 0, declared.start):
        return declared_dialect(declared, where)
    found, before = None, len(content)
    for dialect in DIALECTS:
        if dialect.word and (word := dialect.word.search(content, 0, before)):
            found, before = dialect, word.start()
    return found


def declared_dialect(declared: Declaration, where: Callable[[int], str]) -> Dialect:
    """Return the dialect of declared columns. Raise CorpusError where they are no list of columns."""
    names = column_names(declared.text)
    if not names or not declared.text.startswith("="):
        example = f"# global.columns = {' '.join(COLUMNS)}"
        problem = f"global.columns is '{declared.text:.40}'; expected = and the names of columns, e.g. {example}"
        raise CorpusError(f"{where(declared.line)}: {problem}")
    if twice := next((name for name in COLUMNS if names.count(name) > 1), None):
        raise CorpusError(f"{where(declared.line)}: global.columns has {twice} twice; name each column once")
    return dialect_called(" ".join(names))


def column_names(text: str) -> list[str]:
    """Return the names of declared columns; those of CoNLL-U are the same in small letters."""
    return [name.upper() if name.upper() in COLUMNS else name for name in text.removeprefix("=").split()]


def dialect_called(name: str) -> Dialect:
    """Return a dialect by its name, also one of declared columns; in the order of CoNLL-U they are CoNLL-U."""
    names = name.split(" ")
    if names == [*COLUMNS]:
        return DIALECTS[0]
    places = tuple((names.index(each) + 1, 0) if each in names else NOWHERE for each in COLUMNS)
    known = (each for each in DIALECTS if each.name == name)
    return next(known, None) or Dialect(name, places, len(names), len(names))


def accept_columns(dialect: Dialect, settings: Settings, place: str) -> None:
    """Warn of declared columns that are not read. Raise CorpusError if one is missing that the settings need.

    place: the name of the source, for messages.
    """
    refuse_lacking_columns(dialect, settings, place)
    warn_of_columns(dialect, place)


def refuse_lacking_columns(dialect: Dialect, settings: Settings, place: str) -> None:
    """Raise CorpusError if a column that the settings need is not among those declared."""
    needed = needed_columns(settings)
    lacking = [name for name in needed if dialect.is_declared and not dialect.has(name)]
    if lacking:
        raise CorpusError(
            f"{place}: global.columns has no {', '.join(lacking)}; trees and lexemes of {settings.lexeme} are made of "
            f"{', '.join(needed)}"
        )


def warn_of_columns(dialect: Dialect, place: str) -> None:
    """Warn of declared columns that are not read, and of those of words that are missing."""
    if not dialect.is_declared:
        return
    unread = [name for name in dialect.name.split(" ") if name not in COLUMNS]
    missing = [name for name in OF_WORDS if not dialect.has(name)]
    said = [f"columns that are not read: {name_first(unread, SHOWN)}"] if unread else []
    said += (
        [f"columns that are missing, so that all words have _ there: {name_first(missing, SHOWN)}"] if missing else []
    )
    if said:
        warn(f"{place}: {'; '.join(said)}", IncompleteDataWarning)


def needed_columns(settings: Settings) -> list[str]:
    """Return the columns that trees, and lexemes by these settings, are made of."""
    parts = settings.lexeme_parts()
    used = {
        "FORM": "{form}" in parts or settings.has_stem() or settings.min_token_length > 0,
        "LEMMA": "{lemma}" in parts,
        "UPOS": "{upos}" in parts or bool(settings.exclude_upos),
        "XPOS": "{xpos}" in parts,
        "FEATS": any(FEATURE.fullmatch(part) for part in parts),
    }
    return [name for name in COLUMNS if name in OF_TREES or used.get(name)]
