"""Columns of counts along paths, or of triples, which are arcs; the header of a TSV of them, and its quotes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aptdb.core.errors import CorpusError

BOM = b"\xef\xbb\xbf"
DIRECT = "direct"  # a column that counts along paths may have
COUNTS = ("lexeme", "path", "context", "count")
TRIPLES = ("head", "relation", "dependent", "count")
OTHERWISE = {"rel": "relation", "deprel": "relation", "dep": "dependent", "freq": "count", "frequency": "count"}
COUNTS_SHOWN = f"{', '.join(COUNTS)} and, if known, {DIRECT}, or {', '.join(TRIPLES)}"
HEADER_BYTES = 512  # of a file, of which the header is the first line
OF_WORDS = {"id", "form"}  # in the header of CoNLL-U, if there is one
QUOTED = re.compile(r'"(?:[^"]|"")*"')  # a field by RFC 4180


@dataclass(frozen=True)
class CountsColumns:
    """Columns of counts by their names in the table, in the order lexeme, path, context, count; of triples likewise.

    direct: whether there is a column of direct counts too. triples: whether they are head, relation, dependent, count.
    """

    names: tuple[str, ...]
    direct: str | None
    triples: bool

    @property
    def roles(self) -> dict[str, str]:
        """Return what each column is (lexeme, path, context, count or direct), by its name in lower case."""
        own = dict(zip(map(str.lower, self.names), COUNTS, strict=True))
        return own | ({self.direct.lower(): DIRECT} if self.direct else {})


PLAIN_COUNTS = CountsColumns(COUNTS, None, triples=False)


def counts_columns(names: Iterable[str]) -> CountsColumns | None:
    """Return the columns of counts among others; None if some are lacking."""
    given = list(names)
    own = {name.lower(): name for name in reversed(given)}
    other = {OTHERWISE[name.lower()]: name for name in reversed(given) if name.lower() in OTHERWISE}
    named = {**other, **own}
    if all(each in named for each in COUNTS):
        return CountsColumns(tuple(named[each] for each in COUNTS), named.get(DIRECT), triples=False)
    if all(each in named for each in TRIPLES):
        return CountsColumns(tuple(named[each] for each in TRIPLES), None, triples=True)
    return None


def header_fields(head: bytes) -> list[str]:
    """Return the fields of the first line of a file, which has tabs between them, as they are written; [] if it is cut.

    Commas and semicolons stand for tabs where there is no tab.
    """
    line, end, _ = head.removeprefix(BOM).partition(b"\n")
    if not end and len(head) >= HEADER_BYTES:
        return []
    text = line.removesuffix(b"\r").decode(errors="replace")
    return text.split("\t") if "\t" in text else re.split("[,;]", text)


def unquote_field(field: str) -> str:
    """Return the text of a field by RFC 4180."""
    return field[1:-1].replace('""', '"') if QUOTED.fullmatch(field) else field


def is_header(head: bytes) -> bool:
    """Return whether a file begins with the header of a TSV of counts, without other columns."""
    return bool(header_columns(head))


def header_columns(head: bytes) -> CountsColumns | None:
    """Return the columns of a TSV of counts; None if it begins with no header of one, or has other columns."""
    fields = [unquote_field(each) for each in header_fields(head)]
    found = counts_columns(fields) if b"\t" in head.partition(b"\n")[0] else None
    return found if found and len(found.roles) == len(fields) else None


def refuse_near_header(head: bytes, place: str) -> None:
    """Raise CorpusError for a first line that is nearly a header of counts, or as wide as one, and not CoNLL's."""
    written = [unquote_field(each) for each in header_fields(head)]
    fields = [*map(str.lower, written)]
    if is_header(head) or not fields or re.match(r"[#\d]", fields[0]) or {*fields} & OF_WORDS:
        return
    known = {*COUNTS, *TRIPLES, *OTHERWISE, DIRECT} & {*fields}
    has_tabs = b"\t" in head.partition(b"\n")[0]
    is_as_wide = has_tabs and len(fields) in (len(COUNTS), len(COUNTS) + 1)
    if len(known) > 1 or is_as_wide:
        raise CorpusError(
            f"{place}:1: the header of counts is {COUNTS_SHOWN}, with tabs between them; this is "
            f"{', '.join(written):.80}{'' if has_tabs else ' without a tab'} "
            "(trees are CoNLL-U or, as Parquet or Arrow, sentence, id, form, lemma, upos, head, deprel)"
        )


class QuotedFields:
    """Finds out from the lines of a TSV of counts whether its fields are quoted (RFC 4180) or have quotes of their own.

    A path or a number never has quotes of its own around it, so that all is quoted where one has. Else a field that has
    quotes and is not quoted shows that nothing is. Where lexemes have a part of speech, and all that have quotes are
    quoted, they are, if they had to be or all lexemes are. What is left may be either.

    roles: what the columns are, in their order. has_pos: whether lexemes have a part of speech.
    """

    def __init__(self, header: Sequence[str], roles: Sequence[str], *, has_pos: bool) -> None:
        self._roles = roles
        self._has_pos = has_pos
        self._lexeme = re.compile(".+/[^/]+" if has_pos else ".+", re.DOTALL)
        self._certain = any(QUOTED.fullmatch(each) for each in header)
        self._needed, self._bare = True, False  # whether all quoted names have quotes; whether some are not quoted
        self.malformed: tuple[int, str] | None = (
            None  # the first line with a field whose quotes are not those of the RFC
        )
        self._own: tuple[int, str] | None = None  # the first with a field that cannot be quoted
        self._quoted: tuple[int, str] | None = None  # the first with a name that may be quoted

    def take(self, number: int, line: bytes) -> None:
        """Take a line of UTF-8."""
        if b'"' not in line:
            self._bare = True
            return
        for field, role in zip(line.decode().split("\t"), self._roles, strict=False):
            is_name = role in ("lexeme", "context")
            if '"' not in field:
                self._bare = self._bare or is_name
            elif not QUOTED.fullmatch(field):
                self.malformed = self.malformed or (number, field)
                self._own = self._own or (number, field)
            elif not is_name:
                self._certain = True
            elif not self._lexeme.fullmatch(unquote_field(field)):
                self._own = self._own or (number, field)
            else:
                self._quoted = self._quoted or (number, field)
                self._needed = self._needed and '"' in field[1:-1]

    def are_quoted(self, place: str) -> bool:
        """Return whether the fields are quoted. Raise CorpusError, as file:line, if that cannot be known."""
        if self._certain:
            if self.malformed:
                number, field = self.malformed
                raise CorpusError(
                    f'{place}:{number}: {field:.60} is not quoted as other fields are (RFC 4180): "…", with "" for "'
                )
            return True
        if self._quoted is None:
            return False
        if self._own is None and self._has_pos and (self._needed or not self._bare):
            return True
        number, field = self._quoted
        raise CorpusError(
            f"{place}:{number}: {field:.60} may be quoted or have quotes of its own, as other fields are not quoted; "
            "quote all fields, or write the counts as Parquet"
        )
