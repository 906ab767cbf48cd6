"""Tables: of parsed sentences (Parquet or Arrow, a row a word), which become CoNLL-U, and of counts.

DuckDB writes the text of sentences, without holding all of it in memory (`sql/corpus`). Counts are along paths, or of
triples, which are arcs; as TSV they begin with a header, and may be quoted.
"""

import glob
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from aptdb.core.errors import AptError, CorpusError, NoRoomError
from aptdb.core.one_line import HALF_PAIR
from aptdb.store.database import Database, in_memory
from aptdb.store.limits import USUAL, Limits
from aptdb.store.statements import SqlText, statement
from aptdb.store.temporary_folders import room_for_scratch, scratch_folder

BOM = b"\xef\xbb\xbf"
DIRECT = "direct"  # a column that counts along paths may have
COUNTS = ("lexeme", "path", "context", "count")
TRIPLES = ("head", "relation", "dependent", "count")
OTHERWISE = {"rel": "relation", "deprel": "relation", "dep": "dependent", "freq": "count", "frequency": "count"}
COUNTS_SHOWN = f"{', '.join(COUNTS)} (and {DIRECT}, if known) or {', '.join(TRIPLES)}"
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
            f"{place}:1: expected the columns {COUNTS_SHOWN}, with tabs between them; found "
            f"{', '.join(written):.80}{'' if has_tabs else ' without a tab'} "
            "(trees are CoNLL-U, or Parquet or Arrow with sentence, id, form, lemma, upos, head, deprel)"
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
            f"{place}:{number}: {field:.60} is in quotes, which may be part of it, as other fields are not quoted; "
            "quote all fields, or write the counts as Parquet"
        )


CorpusKind = Literal["trees", "counts"]
TREES = ("sentence", "id", "form", "lemma", "upos", "head", "deprel")
OPTIONAL = ("xpos", "feats", "space_after", "deps", "misc")
READ = {*TREES, *OPTIONAL, *COUNTS, DIRECT, *TRIPLES, *OTHERWISE}
NUMBERED = ("sentence", "id", "head", "count", DIRECT)  # these are whole numbers or text; other columns are text
WHOLE = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")
TEXT = re.compile(r"VARCHAR|ENUM\(.*\)", re.DOTALL)

PARQUET, ARROW_FILE, ARROW_STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
ARROW_STREAM_END = b"\xff\xff\xff\xff\0\0\0\0"
ROWS_AT_ONCE = 122_880  # the size of DuckDB's row groups


def is_table(first_bytes: bytes) -> bool:
    """Return whether a file is Parquet or Arrow, by its first eight bytes."""
    return first_bytes.startswith((PARQUET, ARROW_FILE, ARROW_STREAM))


def kind_of_table(columns: Iterable[str], place: str) -> CorpusKind:
    """Return 'trees' or 'counts', by the columns of a table. Raise CorpusError if it is neither."""
    names = [*columns]
    found = {OTHERWISE.get(name.lower(), name.lower()) for name in names} | {name.lower() for name in names}
    if {*TREES} <= found:
        return "trees"
    if counts_columns(names):
        return "counts"
    nearest = min((TREES, COUNTS, TRIPLES), key=lambda each: len({*each} - found))
    lacking = [name for name in nearest if name not in found]
    shown = f"trees has {', '.join(TREES)}", f"counts has {COUNTS_SHOWN}"
    near, other = shown if nearest is TREES else reversed(shown)
    raise CorpusError(
        f"{place} has no {'column' if len(lacking) == 1 else 'columns'} {', '.join(lacking)}; "
        f"a table of {near}; one of {other}"
    )


@contextmanager
def table_as_conllu(source: Any, place: str) -> Iterator[Path]:
    """Yield a CoNLL-U file made from a table of trees; it exists within the block.

    source: as in `as_parquet`. The rows of a sentence must be consecutive; the column sentence is the sent_id. Raises
    CorpusError, which names the wrong column, row or sentence.
    """
    with (
        as_parquet(source, place) as table,
        scratch_folder() as folder,
        closing(in_memory(Limits(USUAL, folder))) as scratch,
    ):
        file = Path(folder, "table.conllu")
        scratch.set(table_file=escape_file_name(table), conllu_file=str(file))
        found = column_types(scratch, place)
        if kind_of_table(found, place) != "trees":
            raise CorpusError(f"{place} is a table of counts; a table of trees has {', '.join(TREES)}")
        refuse_types(found, {name: name for name in (*TREES, *OPTIONAL)}, place)
        write_conllu(scratch, found, place)
        yield file


@contextmanager
def as_parquet(source: Any, place: str) -> Iterator[Path]:
    """Yield a table as a Parquet file, which exists within the block.

    source: a file of Parquet or Arrow, a binary stream of one, or any object with an Arrow stream: a pyarrow table or
    reader, a data frame. Raises CorpusError if it cannot be read.
    """
    with scratch_folder() as folder:
        if hasattr(source, "__arrow_c_stream__"):
            yield parquet_of_object(source, Path(folder, "table.parquet"), place)
            return
        file = source if isinstance(source, str | Path) else copy_of(source, Path(folder, "table"))
        with Path(file).open("rb") as opened:
            parquet = opened.read(len(PARQUET)) == PARQUET
        table = Path(folder, "table.parquet")
        yield named_in_utf8(Path(file), table) if parquet else parquet_of_file(Path(file), table, place)


def named_in_utf8(file: Path, link: Path) -> Path:
    """Return a file that DuckDB can read by its name; where that is not UTF-8, make a link to the file."""
    if not HALF_PAIR.search(str(file.absolute())):
        return file
    with room_for_scratch():
        link.symlink_to(file.absolute())
    return link


def copy_of(stream: Any, file: Path) -> Path:
    """Copy a stream into a file."""
    with file.open("wb") as copy:
        while block := stream.read(1 << 20):
            with room_for_scratch():
                copy.write(block)
    return file


def escape_file_name(file: Path) -> str:
    """Return a file name for DuckDB, with * and [ escaped."""
    return glob.escape(str(file.absolute()))


def column_types(database: Database, place: str) -> dict[str, str]:
    """Return the columns of the table and their types. Raise CorpusError if it is not a Parquet file."""
    try:
        return dict(database.rows(statement("corpus/files/column_types")))
    except AptError as error:
        raise describe_damaged_table(place, "Parquet", error) from error


def refuse_types(found: dict[str, str], roles: Mapping[str, str], place: str) -> None:
    """Raise CorpusError for a needed column of the wrong type. roles: what each is, by its name in lower case."""
    for name, kind in found.items():
        column = roles.get(name.lower())
        if column is None:
            continue
        if column == "space_after":
            fits, wanted = kind == "BOOLEAN", "true and false"
        elif column in NUMBERED:
            fits, wanted = bool(WHOLE.fullmatch(kind) or TEXT.fullmatch(kind)), "whole numbers or text"
        else:
            fits, wanted = bool(TEXT.fullmatch(kind)), "text"
        if not fits:
            raise CorpusError(f"{place}: column {name} has the type {kind:.40}; it must have {wanted}")


def write_conllu(database: Database, found: dict[str, str], place: str) -> None:
    """Write the text of the table. Raise CorpusError if a value is missing or a sentence is scattered."""
    names = {name.lower() for name in found}
    columns = {name: SqlText(name if name in names else "NULL") for name in OPTIONAL}
    view = statement("corpus/files/tree_word", **columns)
    try:
        database.run(view)
        lacking = database.first(statement("corpus/first_lacking"))
        apart = database.first(statement("corpus/first_apart"))
        if not lacking and not apart:
            database.run(statement("corpus/files/write_conllu"))
    except AptError as error:
        raise describe_damaged_table(place, "Parquet", error) from error
    if lacking:
        raise CorpusError(f"{place}: row {lacking.number} has no {lacking.lacks}; every word has one")
    if apart:
        raise CorpusError(
            f"{place}: sentence {apart.sentence} begins at row {apart.first} and again at row {apart.again}; "
            "the rows of a sentence must be consecutive"
        )


def parquet_of_file(file: Path, parquet: Path, place: str) -> Path:
    """Convert an Arrow file or stream to Parquet. Raises CorpusError."""
    pa = pyarrow(place)
    try:
        with file.open("rb") as opened:
            if opened.read(len(ARROW_FILE)) == ARROW_FILE:
                reader = pa.ipc.open_file(opened)
                batches = (reader.get_batch(number) for number in range(reader.num_record_batches))
                return write_needed_columns(reader.schema, batches, parquet, place)
            refuse_cut(opened, place)
            opened.seek(0)
            reader = pa.ipc.open_stream(opened)
            return write_needed_columns(reader.schema, reader, parquet, place)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise describe_damaged_table(place, "Arrow", error) from error


def refuse_cut(stream: Any, place: str) -> None:
    """Raise CorpusError for an Arrow stream without its end; pyarrow accepts it if it is cut between batches."""
    size = stream.seek(0, 2)
    stream.seek(max(size - len(ARROW_STREAM_END), 0))
    if stream.read() != ARROW_STREAM_END:
        raise describe_damaged_table(place, "Arrow", "it has no end")


def parquet_of_object(source: Any, parquet: Path, place: str) -> Path:
    """Convert an object with an Arrow stream to Parquet. Raise CorpusError; errors of a reader are passed on."""
    pa = pyarrow(place)
    try:
        # A reader is read directly: its errors would be lost in an Arrow stream.
        reader = source if isinstance(source, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(source)
        return write_needed_columns(reader.schema, reader, parquet, place)
    except pa.ArrowException as error:
        raise describe_damaged_table(place, "Arrow", str(error).partition("\n")[0]) from error


def write_needed_columns(schema: Any, batches: Iterable[Any], file: Path, place: str) -> Path:
    """Write the needed columns of a table of trees or of counts. Raise CorpusError if it is neither."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kind_of_table(schema.names, place)
    names = [name for name in schema.names if name.lower() in READ]
    twice = sorted(name for name, times in Counter(name.lower() for name in names).items() if times > 1)
    if twice:
        raise CorpusError(f"{place}: two columns are called {twice[0]}; delete one")
    waiting: list[Any] = []
    rows = 0
    with pq.ParquetWriter(file, pa.schema([schema.field(name) for name in names])) as writer:
        for batch in batches:
            waiting.append(batch.select(names))
            rows += batch.num_rows
            if rows >= ROWS_AT_ONCE:
                write_batches(writer, waiting)
                waiting, rows = [], 0
        write_batches(writer, waiting)
    return file


def write_batches(writer: Any, batches: list[Any]) -> None:
    """Write batches of rows, if there are any."""
    import pyarrow as pa

    if batches:
        with room_for_scratch():
            writer.write_table(pa.Table.from_batches(batches))


def pyarrow(place: str) -> Any:
    """Return the package pyarrow. Raises CorpusError if it is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.ipc
    except ImportError as error:
        raise CorpusError(f"{place} is an Arrow table; install: pip install 'aptdb[arrow]'") from error
    return pa


def describe_damaged_table(place: str, format: str, problem: object) -> AptError:
    """Return the error for a table that cannot be read; if the disk is full, that error."""
    if isinstance(problem, NoRoomError):
        return problem
    shown = " ".join(str(problem).split())
    return CorpusError(f"{place}: cannot be read as {format} ({shown:.200}); if it is damaged, get or write it again")
