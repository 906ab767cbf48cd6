"""Count into the tables of a folder, step by step: functions from files to files, for the tasks of any engine.

Tasks hand on Parquet files in the folder that is made. First each task counts pieces of the corpus, and gives what it
counted by texts, with the totals of its lexemes and paths. When these are numbered, each of these files is given
numbers and both directions, in the order of lexemes. Then each part of the folder, which has the lexemes from one to
another, is summed from all of them. So of a file of numbers a task reads little beyond what its part has, and it needs
the memory that a part takes; what is more goes to its disk.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from uuid import uuid4

from aptdb.corpus.tabular import escape_file_name
from aptdb.distributed import task_messages
from aptdb.distributed.counting_task import How, count_batches
from aptdb.distributed.input_splits import (
    Piece,
    file_system,
    in_tasks,
    is_remote,
    local_path,
    open_seekable,
    read_sentence_batches,
)
from aptdb.distributed.task_messages import COUNTED, carried, schema, tokens_counted
from aptdb.store import version
from aptdb.store.counts_folder import UNFINISHED, CountsFile
from aptdb.store.database import Database, in_memory
from aptdb.store.limits import Limits, limits
from aptdb.store.statements import literal, statement
from aptdb.store.temporary_folders import scratch_folder

if TYPE_CHECKING:
    import pyarrow as pa

Heard = Callable[[int, int], None]  # called with the bytes read and the tokens counted since it was last called

FUNCTIONS_OF_PATHS = ("path_steps", "path_functions")
OF_NODES = "FROM node ORDER BY lexeme_id, path_id"
OF_PART = ("cooccurrences", "nodes", "lexemes")  # the tables that parts have
ROWS_OF_GROUP = 30_720  # of numbered rows that are read together: the fewer, the less is read beyond a part
BYTES_AT_ONCE = 1 << 20


class Workshop(NamedTuple):
    """Where the tasks of a run work.

    folder: the output, as everywhere named. memory: bytes of a task. scratch: a folder for temporary files on this
    machine; None for that of the system.
    """

    folder: str
    memory: int
    scratch: str | None = None

    def new_name(self, kind: str) -> str:
        """Return the name of a new file that is handed on."""
        return f"{self.folder}/{UNFINISHED}/{kind}-{uuid4().hex}.parquet"

    @contextmanager
    def opened(self, threads: int | None = 1) -> Iterator[tuple[Database, Path]]:
        """Yield an empty database in memory, and a folder for files. threads: None for all that there are."""
        place = Path(self.scratch, uuid4().hex) if self.scratch else None
        with scratch_folder(place) as folder, closing(in_memory(Limits(self.memory, folder))) as database:
            if threads:
                database.run(f"SET threads = {threads}")
            yield database, folder


def fetch_file(place: str, folder: Path) -> Path:
    """Return a file of the output as a file of this machine: itself, or a copy in a folder. Raise CorpusError."""
    if not is_remote(place):
        return local_path(place)
    copied = folder / uuid4().hex
    with closing(open_seekable(place)) as source, copied.open("wb") as target:
        shutil.copyfileobj(source, target, BYTES_AT_ONCE)
    return copied


def send_file(file: Path, place: str) -> None:
    """Move a file to the output; there it is whole, or not at all. Raise OSError where its folder has gone."""
    if is_remote(place):
        system, path = file_system(place)
        with file.open("rb") as source, system.open_output_stream(path) as target:
            shutil.copyfileobj(source, target, BYTES_AT_ONCE)
        return
    target_file = local_path(place)
    part = target_file.with_name(f"{uuid4().hex}.part")
    shutil.move(file, part)
    part.replace(target_file)


def write_answer(database: Database, query: str, file: Path, rows: int = 122_880) -> None:
    """Write the answer of a query as Parquet. rows: of a group."""
    how = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {rows}"
    database.run(f"COPY ({query}) TO {literal(str(file))} ({how})")


def see_file(database: Database, name: str, *files: Path) -> None:
    """Make Parquet files a relation; a = in the names of folders is no partition."""
    listed = literal([escape_file_name(each) for each in files])
    database.run(f"CREATE OR REPLACE VIEW {name} AS FROM read_parquet({listed}, hive_partitioning = false)")


def count_pieces(shop: Workshop, how: How, pieces: Sequence[Piece], heard: Heard) -> dict[str, Any]:
    """Count pieces of files, in order.

    Returns the names of the files with the counts and their totals, and the reports with their numbers. Raises
    TaskRefusedError, also for the first invalid sentence that must not be skipped.
    """
    import pyarrow.parquet as pq

    def sentences() -> "Iterator[pa.RecordBatch]":
        for piece in pieces:
            heard(piece.end - piece.begin, 0)
            for each in read_sentence_batches([task_messages.batch(task_messages.PIECES, *([one] for one in piece))]):
                heard(0, 0)
                yield each

    reports: Counter[str] = Counter()
    found = {"counted": shop.new_name("counted"), "totals": shop.new_name("totals")}
    with carried(), shop.opened() as (database, folder):
        files = {name: folder / name for name in found}
        with pq.ParquetWriter(files["counted"], schema(COUNTED), compression="zstd") as written:
            for batch in count_batches(sentences(), how):
                if batch["lexeme"].null_count:
                    reports.update(batch["context"].to_pylist())
                    heard(0, tokens_counted(batch))
                else:
                    written.write_batch(batch)
        see_file(database, "counted", files["counted"])
        write_answer(database, statement("distributed/totals"), files["totals"])
        for name, place in found.items():
            send_file(files[name], place)
    return {**found, "reports": reports}


def number_counts(shop: Workshop, numbered: dict[str, str], counted: str, heard: Heard) -> str:
    """Write what a task counted by numbers, in both directions of each path; return the name of the file.

    numbered: the files of numbered_lexeme and numbered_path. counted: the file of what was counted.
    """
    with carried(), shop.opened() as (database, folder):
        heard(0, 0)
        for name, place in {**numbered, "counted": counted}.items():
            see_file(database, name, fetch_file(place, folder))
        database.run(statement("distributed/met_texts"))
        found, file = shop.new_name("numbers"), folder / "numbers"
        write_answer(database, statement("distributed/numbered_rows"), file, ROWS_OF_GROUP)
        send_file(file, found)
    return found


def merge_part(
    shop: Workshop, numbered: dict[str, str], numbers: Sequence[str], part: tuple[int, int, int], heard: Heard
) -> list[dict[str, Any]]:
    """Sum the counts of the lexemes of a part, and write its tables; return the descriptions of their files.

    numbers: the files of numbered counts. part: its number, and its first and last lexeme.
    """
    number, first, last = part
    with carried(), shop.opened() as (database, folder):
        for name, place in numbered.items():
            see_file(database, name, fetch_file(place, folder))
        heard(0, 0)
        database.bring("arrived", read_range(numbers, first, last))
        database.run(statement("distributed/sum_part", first=first, last=last))
        found = []
        for table in OF_PART:
            query = OF_NODES if table == "nodes" else statement(f"distributed/{table}")
            write_answer(database, query, folder / table)
            found.append(put_table(shop, folder / table, f"{table}/part={number}", first, last))
    return found


def put_table(
    shop: Workshop, file: Path, place: str, first: int | None = None, last: int | None = None
) -> dict[str, Any]:
    """Move a file of a table to its place in the output; return its description.

    Its name is that of its content: a task that is done again writes the same.
    """
    import pyarrow.parquet as pq

    size, rows = file.stat().st_size, pq.read_metadata(file).num_rows
    with file.open("rb") as opened:
        digest = file_digest(opened, "sha256").hexdigest()
    path = f"{place}/{digest[:16]}.parquet"
    if not is_remote(shop.folder):
        local_path(f"{shop.folder}/{UNFINISHED}").stat()  # fails where the run has ended meanwhile
        local_path(f"{shop.folder}/{place}").mkdir(parents=True, exist_ok=True)
    send_file(file, f"{shop.folder}/{path}")
    return {"path": path, "bytes": size, "sha256": digest, "rows": rows, "first": first, "last": last}


def read_range(files: Sequence[str], first: int, last: int) -> "pa.RecordBatchReader":
    """Return the numbered rows of files in whose groups there may be lexemes of a range."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"lexeme_id": pa.int32(), "path_id": pa.int32(), "context_id": pa.int32()}
    wanted = pa.schema([*columns.items(), ("count", pa.int64()), ("direct", pa.int64())])

    def batches() -> "Iterator[pa.RecordBatch]":
        for name in files:
            with closing(open_seekable(name)) as opened:
                file = pq.ParquetFile(opened)
                found = [file.metadata.row_group(each).column(0).statistics for each in range(file.num_row_groups)]
                groups = [number for number, each in enumerate(found) if each.min <= last and each.max >= first]
                for each in file.iter_batches(row_groups=groups):
                    yield each.cast(wanted)

    return pa.RecordBatchReader.from_batches(wanted, batches())


class Engine(Protocol):
    """An engine that runs tasks, each of which is given a value.

    memory: bytes of a task. scratch: a folder for temporary files of tasks; None for that of their machine.
    """

    memory: int
    scratch: str | None

    def tasks(self, pieces: int) -> int:
        """Return how many tasks should count a number of pieces."""

    def map(self, step: str, task: Callable[..., Any], values: Sequence[Any]) -> list[Any]:
        """Return what a task returns for each value; it is given that, and what to call as it goes on. Raise AptError.

        step: what it does, in words.
        """


def count_sentences(
    engine: Engine, folder: str, pieces: Sequence[Piece], how: How
) -> tuple[Workshop, list[dict[str, str]], Counter[str]]:
    """Count pieces. Return where, the files of what was counted, and the reports of tasks with their numbers."""
    shop = Workshop(folder, engine.memory, engine.scratch)
    found = engine.map("counting", partial(count_pieces, shop, how), in_tasks(pieces, engine.tasks(len(pieces))))
    reports: Counter[str] = Counter()
    for each in found:
        reports.update(each.pop("reports"))
    return shop, found, reports


def write_tables(
    engine: Engine, shop: Workshop, counted: Sequence[dict[str, str]], parts: int
) -> tuple[list[CountsFile], int]:
    """Write the tables of a folder from what was counted. Return their files, and the sum of all counts."""
    numbered, bounds, paths, count = number_names(shop, [each["totals"] for each in counted], parts)
    numbers = engine.map("numbering", partial(number_counts, shop, numbered), [each["counted"] for each in counted])
    delete_files([name for each in counted for name in each.values()])
    written = engine.map("writing", partial(merge_part, shop, numbered, numbers), bounds)
    return [CountsFile(**each) for each in [paths, *(file for part in written for file in part)]], count


def number_names(
    shop: Workshop, totals: Sequence[str], parts: int
) -> tuple[dict[str, str], list[tuple[int, int, int]], dict[str, Any], int]:
    """Give numbers to lexemes and paths by the totals of tasks, and write the table of paths.

    Returns their files, the parts with first and last lexemes, the description of the table, and the sum of counts.
    """
    import pyarrow.parquet as pq

    with shop._replace(memory=limits().memory).opened(threads=None) as (database, folder):
        see_file(database, "totals", *(fetch_file(each, folder) for each in totals))
        lexemes, paths, place = folder / "lexemes", folder / "paths", shop.new_name("lexemes")
        write_answer(database, statement("distributed/numbered_lexeme", parts=parts), lexemes)
        see_file(database, "numbered_lexeme", lexemes)
        bounds = database.rows("SELECT part, min(lexeme_id), max(lexeme_id) FROM numbered_lexeme GROUP BY 1 ORDER BY 1")
        send_file(lexemes, place)
        database.run(f"CREATE SCHEMA {version.SCHEMA}")
        for each in FUNCTIONS_OF_PATHS:
            database.run(statement(f"store/define/{each}"))
        found = database.arrow(statement("distributed/numbered_path"))
        pq.write_table(found, paths, compression="zstd")
        described = put_table(shop, paths, "paths")
    numbered = {"numbered_lexeme": place, "numbered_path": f"{shop.folder}/{described['path']}"}
    return numbered, bounds, described, sum(found["count"].to_pylist())


def delete_files(places: Sequence[str]) -> None:
    """Delete files that are no longer needed."""
    for each in places:
        system, path = file_system(each)
        system.delete_file(path)
