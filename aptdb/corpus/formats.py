"""The formats that corpora come in, each listed once."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """A way to write trees, a word a line with tabs between its columns.

    The statement `sql/counting/read/fields_of_NAME.sql` makes its columns those of CoNLL-U. word: what a line that is a
    word looks like, where it does not look so in a dialect before it. columns: how many it has, as errors say it.
    endings: how names of its files end.
    """

    name: str
    word: re.Pattern[bytes]
    columns: str
    endings: tuple[str, ...]


# The first word of a source that looks like one of these tells which it is; without one it is read as the first.
DIALECTS = (
    Dialect(
        "conllu",  # and CoNLL-X, whose columns mean the same as far as trees go
        re.compile(rb"^[0-9]+(?:\t[^\t\n]*){9}$", re.MULTILINE),
        "10",
        (".conllu", ".conllx", ".conll", ".conll06", ".conll07"),
    ),
    Dialect(
        "conll2009",
        re.compile(rb"^[0-9]+(?:\t[^\t\n]*){13,}$", re.MULTILINE),
        "14 or more",
        (".conll08", ".conll09"),
    ),
)
TABLES = (".parquet", ".arrow", ".feather")
PACKED = (".gz", ".bz2", ".xz", ".zst")
SENTENCES = tuple(ending for dialect in DIALECTS for ending in dialect.endings)


def dialect_of(content: bytes) -> Dialect | None:
    """The dialect of the first line that is a word of one; None where no line is."""
    found, before = None, len(content)
    for dialect in DIALECTS:
        if word := dialect.word.search(content, 0, before):
            found, before = dialect, word.start()
    return found
