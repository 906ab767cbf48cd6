"""Count on this machine: a thread for each task, and DuckDB for the aggregation."""

import json
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from aptdb.corpus.tabular import escape_file_name
from aptdb.distributed import task_messages
from aptdb.distributed.counting_task import How, count_batches
from aptdb.distributed.input_splits import Piece, in_tasks, read_sentence_batches
from aptdb.distributed.output_folder import describe_parquet_file
from aptdb.distributed.run_watch import Follow
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.database import in_memory
from aptdb.store.limits import LEAST, Limits
from aptdb.store.statements import SqlText, identifier, literal

if TYPE_CHECKING:
    import pyarrow as pa

PIECES_OF_TASK = 8  # or fewer: the counts of a task are summed before they are written


class StoppedError(Exception):
    """A task ended because another one failed."""


class Threads:
    """An engine that counts in threads of this machine.

    folder: of the tables. limits: their memory is shared among the threads. follow: called, by one thread at a time,
    with the bytes read and the tokens counted so far.
    """

    def __init__(self, folder: Path, limits: Limits, follow: Follow) -> None:
        self._folder = folder
        self._kept = folder / UNFINISHED
        self._follow = follow
        self._read = self._tokens = 0
        self._workers = max(1, min(os.cpu_count() or 1, limits.memory // LEAST))
        self._memory = limits.memory
        self._stopped = threading.Event()
        self._one_at_a_time = threading.Lock()
        self._database = in_memory(Limits(limits.memory, self._kept))

    def close(self) -> None:
        """Delete temporary files and close the database."""
        self._database.close()

    def count(self, pieces: Sequence[Piece], how: How, summing: SqlText) -> None:
        """Count pieces, in as many threads as there are processors. Raise TaskRefusedError."""
        (self._kept / "counted").mkdir()
        how = replace(how, memory=max(LEAST, self._memory // self._workers))
        tasks = in_tasks(pieces, max(self._workers, len(pieces) // PIECES_OF_TASK))
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                found = [pool.submit(self._task, number, task, how) for number, task in enumerate(tasks)]
                wait(found, return_when=FIRST_EXCEPTION)
                if any(each.done() and each.exception() for each in found):
                    self._stopped.set()
                    wait(found)
                for each in found:  # in the order of the corpus: of several faults the first is reported
                    if not isinstance(each.exception(), StoppedError):
                        each.result()
            except BaseException:
                self._stopped.set()
                pool.shutdown(cancel_futures=True)
                raise
        self._found("counted", [self._counted(number) for number in range(len(tasks))])
        self.keep("summed", summing)

    def _task(self, number: int, pieces: Sequence[Piece], how: How) -> None:
        """Count some pieces of the corpora and write the counts to one file."""
        import pyarrow.parquet as pq

        with pq.ParquetWriter(
            self._counted(number), task_messages.schema(task_messages.COUNTED), compression="lz4"
        ) as file:
            for batch in count_batches(self._until_stopped(read_sentence_batches(self._plan(pieces))), how):
                file.write_batch(batch)
                self._tell(0, task_messages.tokens_counted(batch))

    def _counted(self, number: int) -> Path:
        """Return the file of a task."""
        return self._kept / "counted" / f"{number}.parquet"

    def _until_stopped(self, batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        """Yield the batches. Raise StoppedError when another task has failed, or the user has stopped the command."""
        for batch in batches:
            if self._stopped.is_set():
                raise StoppedError
            yield batch

    def _plan(self, pieces: Sequence[Piece]) -> "Iterator[pa.RecordBatch]":
        """Yield the pieces of a task, one by one."""
        for piece in pieces:
            yield task_messages.batch(task_messages.PIECES, *([value] for value in piece))
            self._tell(piece.end - piece.begin, 0)

    def _tell(self, read: int, tokens: int) -> None:
        """Report more bytes and tokens."""
        if read or tokens:
            with self._one_at_a_time:
                self._read, self._tokens = self._read + read, self._tokens + tokens
                self._follow(self._read, self._tokens, "")

    def _found(self, name: str, files: Sequence[Path]) -> None:
        """Make kept files a relation; a = in the names of folders is no partition."""
        listed = literal([escape_file_name(each) for each in files])
        self.see(name, SqlText(f"FROM read_parquet({listed}, hive_partitioning = false)"))

    def see(self, name: str, query: SqlText) -> None:
        """Make a query a relation."""
        self._database.run(f"CREATE OR REPLACE VIEW {identifier(name)} AS {query}")

    def keep(self, name: str, query: SqlText) -> None:
        """Keep the answer of a query as a relation."""
        self._copy(query, self._kept / f"{name}.parquet", "lz4")
        self._found(name, [self._kept / f"{name}.parquet"])

    def _copy(self, query: str, file: Path, compression: str) -> None:
        self._database.run(f"COPY ({query}) TO {literal(str(file))} (FORMAT parquet, COMPRESSION {compression})")

    def answer(self, query: SqlText) -> "pa.Table":
        """Return the small answer of a query."""
        return self._database.arrow(query)

    def put(self, name: str, table: "pa.Table") -> None:
        """Make a small table a relation."""
        self._database.bring(name, table)

    def write(self, name: str, query: SqlText, sorted_by: Sequence[str], parts: int | None) -> None:
        """Write the answer of a query as a table of the folder, sorted, and partitioned by its column part."""
        order = ", ".join(sorted_by)
        if parts is None:
            (self._folder / name).mkdir()
            self._copy(f"FROM ({query}) ORDER BY {order}", self._folder / name / "all.parquet", "zstd")
            return
        # The query runs once, and each part is sorted by itself. Each has rows, or more parts were asked for than fit.
        unsorted = self._kept / name
        how = "FORMAT parquet, COMPRESSION lz4, PARTITION_BY (part)"
        self._database.run(f"COPY ({query}) TO {literal(str(unsorted))} ({how})")
        for part in sorted(unsorted.iterdir()):
            file = self._folder / name / part.name / "rows.parquet"
            file.parent.mkdir(parents=True)
            listed = literal([escape_file_name(each) for each in sorted(part.iterdir())])
            self._copy(f"FROM read_parquet({listed}, hive_partitioning = false) ORDER BY {order}", file, "zstd")
            shutil.rmtree(part)

    def described(self, files: Sequence[str]) -> list[str]:
        """Return the descriptions of files by `files.description`, in order."""
        with ThreadPoolExecutor(self._workers) as pool:
            return [json.dumps(each) for each in pool.map(describe_parquet_file, files)]
