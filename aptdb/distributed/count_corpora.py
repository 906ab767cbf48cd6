"""Count corpora into a counts folder, which any number of lexicons can add (`Lexicon.add`), on an engine."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Unpack

from aptdb.core.errors import AptError, CorpusError, LexiconError
from aptdb.core.settings import LONGEST_SENTENCE, Given, Settings, check_settings, is_whole_number
from aptdb.corpus.dialects import accept_columns, dialect_called
from aptdb.counting.check import Lacking, Unused, names_something, unused_names, warn_of_lacking_fields, warn_of_unused
from aptdb.counting.staging import Addition, Progress
from aptdb.distributed.counting_task import How
from aptdb.distributed.input_splits import Piece, cut_file, everywhere, lines_before, list_named_files
from aptdb.distributed.merging_task import Engine, count_sentences, write_tables
from aptdb.distributed.output_folder import Folder, Results
from aptdb.distributed.run_watch import PATIENCE, Watch
from aptdb.distributed.task_messages import COUNTED, Place, TaskRefusedError, refusal_in, schema, write_rejects
from aptdb.store import schema as schema_of_lexicon
from aptdb.store.database import in_memory
from aptdb.store.file_writing import as_private_as
from aptdb.store.limits import limits
from aptdb.store.statements import SqlText

ENGINES = ("local", "spark")
BYTES_OF_PART = 32 << 20  # of files, without --partitions
MOST_PARTS = 2_000
LONGEST_SAID = 200  # characters of what a system says

Follow = Callable[[Progress], None]


def count_corpora(
    files: str | Path | Sequence[str | Path],
    output: str | Path,
    *,
    engine: str = "local",
    master: str | None = None,
    partitions: int | None = None,
    again: bool = False,
    skip_invalid: bool = False,
    rejects: str | Path | None = None,
    max_sentence: int = LONGEST_SENTENCE,
    take_over: bool = False,
    patience: int | None = None,
    progress: Follow = lambda _: None,
    **settings: Unpack[Given],
) -> Addition:
    """Count corpora of CoNLL-U into a new folder of Parquet for `Lexicon.add` and `open_counts`.

    files: files, folders and patterns, also packed; or places of another file system, e.g. s3://bucket/corpus/. A file
    that is not packed is cut between sentences, and counted by many tasks. output: the folder, on a file system that
    all machines share. engine: local (threads of this machine) or spark. master: as Spark takes it, e.g. yarn, or
    sc://HOST:PORT of a server. partitions: the number of parts of the folder, by lexeme. again: count files with the
    same content too. take_over: delete what a run that was killed left in a folder on another file system, and start
    again there; no other run may make the folder. patience: seconds without an executor of Spark, or without a task
    that ends, after which the run ends; by default 1,800. skip_invalid, rejects, max_sentence, progress: as in
    `Lexicon.add`; rejects is a new file of this machine. settings: those of `Lexicon.open`.

    The folder is made completely or not at all. Raises CorpusError, as file:line if a line is wrong, SettingsError,
    ClusterError if Spark is lost or nothing goes on there, and LexiconError if the folder cannot be made, or the engine
    is not installed.

    >>> aptdb.count_corpora("corpora/*.conllu.gz", "counts", order=2)
    """
    schema(COUNTED)  # or say that pyarrow is missing
    refuse_engine(engine, master, patience)
    refuse_numbers(partitions, max_sentence, PATIENCE if patience is None else patience)
    refuse_rejects_of_folder(rejects, output, skip_invalid=skip_invalid)
    wanted = Settings().with_given(check_settings(settings))
    found = list_named_files([str(each) for each in ([files] if isinstance(files, str | Path) else files)])
    pieces = [piece for file in found for piece in cut_file(file)]
    shown = {everywhere(each): each for each in found}
    for each in pieces:
        if each.piece == 0:
            accept_columns(dialect_called(each.dialect), wanted, shown[each.file])
    how = How(wanted, skip_invalid, rejects is not None, max_sentence)
    parts = partitions or min(1 + sum(each.end - each.begin for each in pieces) // BYTES_OF_PART, MOST_PARTS)
    with (
        as_private_as(*map(Path, found)),
        errors_in_words(str(output), pieces, shown),
        Folder(str(output)).made(take_over=take_over) as folder,
        of_engine(engine, master, folder, pieces, progress, patience or PATIENCE) as running,
    ):
        shop, counted, reports = count_sentences(running, folder.everywhere, pieces, how)
        results = Results(reports)
        results.refuse_uneven(pieces)
        results.refuse_useless(shown, again=again)
        tables, count = write_tables(running, shop, counted, parts)
        folder.finish(tables, count, wanted, pieces, shown, results)
    if rejects is not None:
        with as_private_as(*map(Path, found)):
            write_rejects(Path(rejects), results.rejected, [*shown], partial(where, results.lines_before(), shown))
    warn_of_lacking_fields(wanted, [Lacking(folder.name, results.tokens, results.lacking)])
    warn_of_unused(folder.name, unused(wanted, results))
    return Addition(folder.name, results.sentences, results.tokens, dict(results.skipped))


def unused(settings: Settings, results: Results) -> list[Unused]:
    """Return names in settings that do not occur in the text."""
    if not names_something(settings):
        return []
    import pyarrow as pa

    written = [{"kind": kind, "name": name, "tokens": tokens} for (kind, name), tokens in results.names.items()]
    with closing(in_memory()) as database, database.transaction():
        schema_of_lexicon.create(database, settings)
        database.bring("written", pa.Table.from_pylist(written))
        return unused_names(database, SqlText("written"))


@contextmanager
def errors_in_words(output: str, pieces: Sequence[Piece], shown: dict[str, str]) -> Iterator[None]:
    """Raise refusals of tasks and errors of disks as one line for people."""
    try:
        yield
    except TaskRefusedError as error:
        raise describe_refused_task(error, pieces, shown) from None
    except OSError as error:
        problem = error.strerror or " ".join(str(error).split())[:LONGEST_SAID]
        raise LexiconError(f"{output} cannot be written: {problem}; nothing is made") from error


def refuse_engine(engine: str, master: str | None, patience: int | None) -> None:
    """Raise LexiconError for an unknown engine, or options that do not fit it."""
    if engine not in ENGINES:
        raise LexiconError(f"engine is {engine!r}; expected {' or '.join(ENGINES)}")
    for name, value in {"master": master, "patience": patience}.items():
        if value is not None and engine != "spark":
            raise LexiconError(f"{name} is {value!r}, which is of Spark; add --engine spark, or leave it out")
    if master is not None and not master.strip():
        raise LexiconError("master is empty; expected e.g. yarn, local[4] or sc://HOST:15002; or leave it out")


def refuse_numbers(partitions: int | None, max_sentence: int, patience: int) -> None:
    """Raise LexiconError for an impossible number."""
    if partitions is not None and not (is_whole_number(partitions) and 1 <= partitions <= MOST_PARTS):
        raise LexiconError(f"partitions is {partitions!r}; expected a whole number from 1 to {MOST_PARTS:,}")
    for name, value in {"max-sentence": max_sentence, "patience": patience}.items():
        if not is_whole_number(value) or value < 1:
            raise LexiconError(f"{name} is {value!r}; expected a whole number, 1 or more")


def refuse_rejects_of_folder(rejects: str | Path | None, output: str | Path, *, skip_invalid: bool) -> None:
    """Raise LexiconError if a file cannot take the skipped sentences."""
    if rejects is None:
        return
    if not skip_invalid:
        raise LexiconError("rejects takes the sentences that skip_invalid leaves out; give both")
    if "\0" in str(rejects) or os.path.lexists(rejects):
        raise LexiconError(f"{str(rejects)!r} exists already, or cannot be a file; name another file for rejects")
    if Path(os.path.realpath(rejects)).is_relative_to(os.path.realpath(output)):
        raise LexiconError(f"{rejects} is in the folder that is made; name another file for rejects")
    if not Path(rejects).absolute().parent.is_dir():
        raise LexiconError(f"no folder {Path(rejects).parent} for rejects; make it first, or name another place")


@contextmanager
def of_engine(
    engine: str, master: str | None, folder: Folder, pieces: Sequence[Piece], progress: Follow, patience: int
) -> Iterator[Engine]:
    """Yield the engine of this name."""
    size = sum(each.end - each.begin for each in pieces)

    def follow(read: int, tokens: int, step: str) -> None:
        progress(Progress(folder.name, min(read, size), size, tokens, step))

    if engine == "spark":
        from aptdb.distributed.spark_engine import Spark, begin_spark, try_cluster

        with begin_spark(master) as (started, cores):
            context = started if hasattr(started, "parallelize") else None
            spark = Spark(started, cores, Watch(context, patience, follow))
            try_cluster(spark, folder.everywhere, pieces[0].file)
            yield spark
        return
    from aptdb.distributed.local_engine import Threads

    yield Threads(folder.path(), limits(), follow)


def describe_refused_task(error: TaskRefusedError, pieces: Sequence[Piece], shown: dict[str, str]) -> AptError:
    """Return the refusal of a task, as file:line where it is about a line.

    shown: files as the user named them.
    """
    refusal = refusal_in(str(error))
    if refusal is None:
        return LexiconError(f"a task failed: {str(error)[:300]}")
    place = refusal.place
    if place is None:
        file = next((each for each in shown if refusal.message.startswith(each)), "")
        return refusal.error(shown.get(file, "") + refusal.message[len(file) :])
    piece = next(each for each in pieces if (each.file, each.piece) == (place.file, place.piece))
    return CorpusError(f"{shown[place.file]}:{lines_before(piece) + place.line + 1}: {refusal.message}")


def where(lines: dict[tuple[str, int], int], shown: dict[str, str], place: Place) -> str:
    """Return the name of a line of a piece for people. lines: the lines before each piece.

    shown: files as the user named them.
    """
    return f"{shown[place.file]}:{lines[place.file, place.piece] + place.line + 1}"
