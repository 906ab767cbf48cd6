"""Corpora of counts without trees: (lexeme, path, context, count), stored also by corpus, so that they can go."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aptdb.core.errors import AptError, CorpusError, LexiconError
from aptdb.core.settings import Settings
from aptdb.corpus.faults import line_fault
from aptdb.corpus.sources import Source
from aptdb.corpus.tabular import (
    COUNTS,
    DIRECT,
    CountsColumns,
    QuotedFields,
    column_types,
    counts_columns,
    describe_damaged_table,
    escape_file_name,
    header_columns,
    header_fields,
    refuse_types,
    unquote_field,
)
from aptdb.counting import steps
from aptdb.counting.count_pairs import LARGEST_BIGINT, mark_all_stale, merge_added
from aptdb.counting.reading import set_settings
from aptdb.counting.staging import Addition, next_corpus, note_corpora, refuse_content, refuse_name_of_corpus
from aptdb.counting.steps import run_steps
from aptdb.store import schema
from aptdb.store.compaction import slices
from aptdb.store.database import Database
from aptdb.store.statements import SqlText, identifier, statement
from aptdb.store.temporary_folders import scratch_folder

LONGEST_SHOWN = 60  # characters of a name in a message
SLICE_ROWS = 8_000_000  # of counts that are summed and sorted at once: about a gigabyte


@dataclass(frozen=True)
class Lines:
    """The lines of counts that are checked.

    place: their source, for messages. unit: line, or row of a table. is_parquet: whether they are read from Parquet.
    """

    place: str
    unit: str = "row"
    is_parquet: bool = False

    def at(self, number: int) -> str:
        """Return the place of a line."""
        return f"{self.place}:{number}" if self.unit == "line" else f"{self.place}, row {number}"


def add_counts(database: Database, settings: Settings, source: Source, *, name: str | None, again: bool) -> Addition:
    """Add a file of counts, TSV or Parquet, within the caller's transaction.

    They must be symmetric under inverse paths: #⟨w, τ, w'⟩ = #⟨w', τ⁻¹, w⟩ (meaning.md 3.3); triples of head, relation
    and dependent are counted both ways. Raises CorpusError, as file:line if a line is wrong.
    """
    corpus = name or source.name
    refuse_name_of_corpus(database, corpus)
    with_functions_of_paths(database)
    set_settings(database, settings)
    corpus_id = next_corpus(database)
    with scratch_folder(database.scratch) as folder:
        file, is_parquet = source.copied(folder)
        if not again:
            refuse_content(database, source)
        lines = Lines(source.place, "row" if is_parquet else "line", is_parquet)
        if is_parquet:
            read_parquet(database, source, file)
        else:
            read_tsv(database, source, file, has_pos=settings.has_pos())
        with read_within(lines):
            has_direct = bool(database.value(statement("counting/counts_only/has_direct")))
        database.set(has_direct=has_direct)
        add_counts_of_lines(database, corpus_id, lines)
    counted = {"id": corpus_id, "name": corpus, "sentences": 0, "tokens": 0, "kind": "counts", "skipped": 0}
    note_corpora(database, [({**counted, "has_direct": has_direct}, source)])
    mark_all_stale(database)
    return Addition(corpus, 0, 0)


def with_functions_of_paths(database: Database) -> None:
    """Install the functions of paths in a lexicon that has just been created."""
    if schema.definitions_differ(database):
        schema.install_definitions(database)


def read_tsv(database: Database, source: Source, file: Path, *, has_pos: bool) -> None:
    """Read a TSV of counts. has_pos: whether lexemes have a part of speech.

    Raises CorpusError, which names the line, if a line is not text, or may be quoted or not.
    """
    with file.open("rb") as lines:
        header = next(lines)
        fields, columns = header_fields(header), header_columns(header)
        assert columns is not None  # or it is no source of counts
        roles = [columns.roles[unquote_field(each).lower()] for each in fields]
        quotes = QuotedFields(fields, roles, has_pos=has_pos)
        for number, line in enumerate(lines, 2):
            if found := line_fault(line.removesuffix(b"\n")):
                raise CorpusError(f"{source.place}:{number}: {found[1]}")
            quotes.take(number, line.removesuffix(b"\n"))
    field = "unquoted(fields[{}])" if quotes.are_quoted(source.place) else "fields[{}]"
    name_columns(database, columns, fields)
    database.set(counts_file=str(file))
    read = {role: field.format(at) for at, role in enumerate(roles, 1)}
    database.run(statement("counting/counts_only/read_tsv", columns=as_counts(columns, read)))


def read_parquet(database: Database, source: Source, file: Path) -> None:
    """Read a Parquet file of counts.

    Raises CorpusError if it is damaged or a column has the wrong type.
    """
    database.set(table_file=escape_file_name(file))
    there = column_types(database, source.place)
    columns = counts_columns(there)
    assert columns is not None  # or it is no source of counts
    refuse_types(there, columns.roles, source.place)
    name_columns(database, columns, [*columns.roles])
    numbered = "file_row_number" not in {name.lower() for name in there}
    number = SqlText("file_row_number + 1" if numbered else "row_number() OVER ()")
    read: dict[str, str] = {role: identifier(name) for name, role in columns.roles.items()}
    read |= {role: f"{read[role]}::VARCHAR" for role in COUNTS[:-1]}
    how = {"columns": as_counts(columns, read), "file": escape_file_name(file), "numbered": numbered, "number": number}
    try:
        database.run(statement("counting/counts_only/read_parquet", **how))
    except AptError as error:
        raise describe_damaged_table(source.place, "Parquet", error) from error


def name_columns(database: Database, columns: CountsColumns, fields: Sequence[str]) -> None:
    """Set the variables that name the columns of counts in messages. fields: those that a line has."""
    names = {"names": [*columns.names], "shown": ", ".join(fields), "columns": len(fields)}
    database.set(**names, is_triples=columns.triples)


def as_counts(columns: CountsColumns, read: Mapping[str, str]) -> SqlText:
    """Return the columns of counts along paths, by how each is read; triples are direct, and paths down from heads."""
    made = {DIRECT: "NULL::BIGINT", **read}
    if columns.triples:
        made |= {"path": f"'>' || {read['path']}", DIRECT: read["count"]}
    return SqlText(", ".join(f"{how} AS {role}" for role, how in made.items()))


@contextmanager
def read_within(lines: Lines | None) -> Iterator[None]:
    """Read lines of counts within the block. Raise CorpusError if they are in a Parquet file that is damaged."""
    try:
        yield
    except AptError as error:
        if lines is None or not lines.is_parquet or isinstance(error, CorpusError):
            raise
        raise describe_damaged_table(lines.place, "Parquet", error) from error


def add_counts_of_lines(
    database: Database, corpus_id: int, checked: Lines | None, tokens: str = "counting/counts_only/lexemes"
) -> None:
    """Add the lines of counts as the counts of a corpus.

    checked: how messages name them; None to add them unchecked. tokens: the statement that gives the number of tokens
    of each lexeme. Raises CorpusError for the first line that is not a count, or whose mirror image has another count.
    """
    database.set(corpus_id=corpus_id)
    with read_within(checked):
        code_counts(database, checked)
    sums = database.first(statement("counting/counts_only/sums"))
    if checked and not sums.lines:
        raise CorpusError(f"{checked.place}: no counts in it, but a header")
    if sums.total + sums.there > LARGEST_BIGINT:
        place = checked.place if checked else database.file
        raise CorpusError(f"{place}: its counts and those of the lexicon sum to more than 2⁶³ − 1")
    for first, last in slices(database, table="counts_coded", most=SLICE_ROWS):
        database.run(statement("counting/counts_only/give", first=first, last=last))
    refuse_asymmetric_counts(database, checked, int(sums.total))
    database.run(statement(tokens))
    merge_given(database, corpus_id, 1)


def code_counts(database: Database, checked: Lines | None) -> None:
    """Turn the lines of counts into numbers, `counts_coded`; add their lexemes and paths to those of the lexicon.

    Each lexeme and each path is checked once, however many lines have it.
    """
    run_steps(database, steps.EDGES, ("counts_only/names",))
    if checked and database.value(statement("counting/counts_only/has_wrong_names")):
        raise first_fault(database, checked)
    if not database.value("SELECT EXISTS (FROM counts_lexeme)"):
        run_steps(database, ("counts_only/coded",))  # an INSERT of no rows would hide those that follow it
        return
    run_steps(database, ("counts_only/met_lexeme", "code/add_lexemes", "counts_only/add_paths", "counts_only/coded"))
    if checked and database.value(statement("counting/counts_only/has_wrong_counts")):
        raise first_fault(database, checked)
    if database.value("SELECT getvariable('is_triples')"):
        run_steps(database, ("counts_only/turned",))


def first_fault(database: Database, lines: Lines) -> CorpusError:
    """Return the error for the first line that is not a count."""
    number = database.value(statement("counting/counts_only/first_wrong"))
    fault = database.first(statement("counting/counts_only/fault", line=number))
    return CorpusError(f"{lines.at(fault.line)}: {fault.problem}")


def refuse_asymmetric_counts(database: Database, checked: Lines | None, total: int) -> None:
    """Raise CorpusError if the counts of the corpus are not symmetric; LexiconError if some of them are not seen."""
    both = database.first(statement("counting/counts_only/both_ways"))
    if both.total != total:
        raise LexiconError(
            f"{database.file}: DuckDB shows counts of {both.total:,}, where {total:,} were written; nothing is "
            "changed, please report this"
        )
    if not checked or both.one_way == both.other_way:
        return
    found = database.first(statement("counting/counts_only/first_asymmetric"))
    lexeme, context = found.lexeme[:LONGEST_SHOWN], found.context[:LONGEST_SHOWN]
    way, back = found.path[:LONGEST_SHOWN] or "ε", found.inverse[:LONGEST_SHOWN] or "ε"
    manner, own, other = (found.counts[name] for name in ("manner", "own", "other"))
    raise CorpusError(
        f"{checked.at(found.line)}: {lexeme} occurs{manner} with {context} along {way} {own} times, but "
        f"{context} with {lexeme} along {back} {other} times; counts must be symmetric"
    )


def merge_given(database: Database, corpus_id: int, sign: int) -> None:
    """Add the stored counts of a corpus to the counts of the lexicon; sign -1 subtracts them."""
    database.set(corpus_id=corpus_id, sign=sign)
    database.run(statement("counting/counts_only/added"))
    merge_added(database)


def subtract_counts(database: Database, corpus_id: int) -> None:
    """Subtract the counts of a corpus from those of the lexicon."""
    merge_given(database, corpus_id, -1)
    database.run(statement("counting/counts_only/take_out"))
