"""Corpora of counts without trees: (lexeme, path, context, count), stored also by corpus, so that they can go."""

from pathlib import Path

from aptdb.core.errors import AptError, CorpusError
from aptdb.core.settings import Settings
from aptdb.corpus.faults import line_fault
from aptdb.corpus.sources import Source
from aptdb.corpus.tabular import COUNTS, DIRECT, by_name, column_types, damaged, refuse_types
from aptdb.counting.count_pairs import grown, merge_added
from aptdb.counting.reading import set_settings
from aptdb.counting.staging import Addition, next_corpus, note_corpus, refuse_content, refuse_name
from aptdb.counting.steps import run_steps
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.file_writing import scratch_folder
from aptdb.store.statements import SqlText, statement

LONGEST_SHOWN = 60  # characters of a name in a message


def add_counts(database: Database, settings: Settings, source: Source, *, name: str | None, again: bool) -> Addition:
    """Add a file of counts, TSV or Parquet, within the caller's transaction.

    They must be symmetric under inverse paths: #⟨w, τ, w'⟩ = #⟨w', τ⁻¹, w⟩ (meaning.md 3.3). Raises CorpusError, as
    file:line if a line is wrong.
    """
    corpus = name or source.name
    refuse_name(database, corpus)
    with_functions_of_paths(database)
    set_settings(database, settings)
    with scratch_folder(database.scratch) as folder:
        file, is_parquet = source.copied(folder)
        has_direct = (read_parquet if is_parquet else read_tsv)(database, source, file)
    if not again:
        refuse_content(database, source)
    refuse_faults(database, source.place, "row" if is_parquet else "line")
    corpus_id = next_corpus(database)
    put_in(database, corpus_id)
    counted = {"id": corpus_id, "name": corpus, "sentences": 0, "tokens": 0, "kind": "counts", "skipped": 0}
    note_corpus(database, {**counted, "has_direct": has_direct}, source)
    grown(database)
    return Addition(corpus, 0, 0)


def with_functions_of_paths(database: Database) -> None:
    """Install the functions of paths in a lexicon that has just been created."""
    if schema.definitions_differ(database):
        schema.install(database)


def read_tsv(database: Database, source: Source, file: Path) -> bool:
    """Read a TSV of counts; return whether it has direct counts.

    Raises CorpusError, which names the line, if a line is not text.
    """
    has_direct = False
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if found := line_fault(line.removesuffix(b"\n")):
                raise CorpusError(f"{source.place}:{number}: {found[1]}")
            has_direct = has_direct or (number == 1 and line.rstrip().endswith(b"\t" + DIRECT.encode()))
    database.set(counts_file=str(file), columns=len(COUNTS) + has_direct)
    database.run(statement("counting/counts_only/read_tsv"))
    return has_direct


def read_parquet(database: Database, source: Source, file: Path) -> bool:
    """Read a Parquet file of counts; return whether it has direct counts.

    Raises CorpusError if it is damaged or a column has the wrong type.
    """
    database.set(table_file=by_name(file))
    columns = column_types(database, source.place)
    refuse_types(columns, (*COUNTS, DIRECT), source.place)
    has_direct = DIRECT in {name.lower() for name in columns}
    database.set(columns=len(COUNTS) + has_direct)
    try:
        direct = SqlText(DIRECT if has_direct else "NULL")
        database.run(statement("counting/counts_only/read_parquet", direct=direct))
    except AptError as error:
        raise damaged(source.place, "Parquet", error) from error
    return has_direct


def refuse_faults(database: Database, whole: str, unit: str) -> None:
    """Raise CorpusError for the first line that is not a count, or whose mirror image has another count.

    whole: the place of all lines, for messages. Leaves the counts in `counts_text` and `counts_path`.
    """
    place = f"{whole}:" if unit == "line" else f"{whole}, row "
    fault = database.run(statement("counting/counts_only/first_fault")).first()
    if fault:
        raise CorpusError(f"{place}{fault.line}: {fault.problem}")
    database.run(statement("counting/counts_only/counts"))
    found = database.run(statement("counting/counts_only/first_asymmetric")).first()
    if found:
        lexeme, context = found.lexeme[:LONGEST_SHOWN], found.context[:LONGEST_SHOWN]
        way, back = found.path[:LONGEST_SHOWN] or "ε", found.inverse[:LONGEST_SHOWN] or "ε"
        manner, own, other = (found.counts[name] for name in ("manner", "own", "other"))
        raise CorpusError(
            f"{place}{found.line}: {lexeme} occurs{manner} with {context} along {way} {own} times, but "
            f"{context} with {lexeme} along {back} {other} times; counts must be symmetric"
        )
    if database.value(statement("counting/counts_only/too_many")):
        raise CorpusError(f"{whole}: its counts and those of the lexicon sum to more than 2⁶³ − 1")
    if not database.value("SELECT count(*) FROM counts_text"):
        raise CorpusError(f"{whole}: no counts in it; a line has lexeme, path, context and count")


def put_in(database: Database, corpus_id: int, tokens: str = "counting/counts_only/lexemes") -> None:
    """Add `counts_text` and `counts_path` as the counts of a corpus.

    tokens: the statement that gives the number of tokens of each lexeme.
    """
    database.set(corpus_id=corpus_id)
    run_steps(database, ("counts_only/met_lexeme", "code/add_lexemes", "counts_only/add"))
    database.run(statement(tokens))
    merge_given(database, corpus_id, 1)


def merge_given(database: Database, corpus_id: int, sign: int) -> None:
    """Add the stored counts of a corpus to the counts of the lexicon; sign -1 subtracts them."""
    database.set(corpus_id=corpus_id, sign=sign)
    database.run(statement("counting/counts_only/added"))
    merge_added(database)


def take_out(database: Database, corpus_id: int) -> None:
    """Subtract the counts of a corpus from those of the lexicon."""
    merge_given(database, corpus_id, -1)
    database.run(statement("counting/counts_only/take_out"))
