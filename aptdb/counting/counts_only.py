"""Corpora of counts without trees: (lexeme, path, context, count), stored also by corpus, so that they can go."""

from pathlib import Path

from aptdb.core.errors import AptError, CorpusError
from aptdb.core.settings import Settings
from aptdb.corpus.faults import line_fault
from aptdb.corpus.sources import Source
from aptdb.corpus.tabular import COUNTS, by_name, column_types, damaged, refuse_types
from aptdb.counting.count_pairs import grown, merge_added
from aptdb.counting.reading import set_settings
from aptdb.counting.staging import Addition, next_corpus, note_corpus, refuse_content, refuse_name
from aptdb.counting.steps import run_steps
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.file_writing import scratch_folder
from aptdb.store.statements import statement

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
        (read_parquet if is_parquet else read_tsv)(database, source, file)
    if not again:
        refuse_content(database, source)
    refuse_faults(database, source.place, "row" if is_parquet else "line")
    corpus_id = next_corpus(database)
    put_in(database, corpus_id)
    counted = {"id": corpus_id, "name": corpus, "sentences": 0, "tokens": 0, "kind": "counts", "skipped": 0}
    note_corpus(database, counted, source)
    grown(database)
    return Addition(corpus, 0, 0)


def with_functions_of_paths(database: Database) -> None:
    """Install the functions of paths in a lexicon that has just been created."""
    if schema.definitions_differ(database):
        schema.install(database)


def read_tsv(database: Database, source: Source, file: Path) -> None:
    """Read a TSV of counts. Raise CorpusError, which names the line, if a line is not text."""
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if found := line_fault(line.removesuffix(b"\n")):
                raise CorpusError(f"{source.place}:{number}: {found[1]}")
    database.set(counts_file=str(file))
    database.run(statement("counting/counts_only/read_tsv"))


def read_parquet(database: Database, source: Source, file: Path) -> None:
    """Read a Parquet file of counts. Raise CorpusError if it is damaged or a column has the wrong type."""
    database.set(table_file=by_name(file))
    refuse_types(column_types(database, source.place), COUNTS, source.place)
    try:
        database.run(statement("counting/counts_only/read_parquet"))
    except AptError as error:
        raise damaged(source.place, "Parquet", error) from error


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
        raise CorpusError(
            f"{place}{found.line}: {lexeme} occurs with {context} along {way} {found.count} times, but "
            f"{context} with {lexeme} along {back} {found.counted} times; counts must be symmetric"
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
