"""Count pieces of files into the tables of a folder, step by step, each step in many tasks of an engine."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from aptdb.distributed.counting_task import How
from aptdb.distributed.input_splits import Piece, file_system, in_tasks
from aptdb.distributed.merging_task import (
    Workshop,
    count_pieces,
    fetch,
    merge_part,
    number_counts,
    put_table,
    see_file,
    send,
    write_answer,
)
from aptdb.store import version
from aptdb.store.counts_folder import CountsFile
from aptdb.store.database import in_memory
from aptdb.store.limits import limits
from aptdb.store.statements import statement

if TYPE_CHECKING:
    import pyarrow as pa

FUNCTIONS_OF_PATHS = ("path_steps", "path_functions")


class Engine(Protocol):
    """An engine that runs tasks, each of which is given a value.

    memory: bytes of a task. scratch: a folder for temporary files of tasks; None for that of their machine.
    """

    memory: int
    scratch: str | None

    def tasks(self, pieces: int) -> int:
        """Return how many tasks should count a number of pieces."""

    def map(self, step: str, task: Callable[..., Any], values: Sequence[Any]) -> list[Any]:
        """Return what a task returns for each value. It is given the value, and a function that hears how it goes on.

        step: what it does, in words. Raises AptError.
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

    Returns their files, the parts with their first and last lexemes, the description of the table, and the sum of all
    counts.
    """
    import pyarrow.parquet as pq

    with shop._replace(memory=limits().memory).opened(threads=None) as (database, folder):
        see_file(database, "totals", *(fetch(each, folder) for each in totals))
        lexemes, paths, place = folder / "lexemes", folder / "paths", shop.new_name("lexemes")
        write_answer(database, statement("distributed/numbered_lexeme", parts=parts), lexemes)
        see_file(database, "numbered_lexeme", lexemes)
        bounds = database.rows(statement("distributed/parts"))
        send(lexemes, place)
        found = numbered_paths(database.arrow(statement("distributed/counted_path")))
        pq.write_table(found, paths, compression="zstd")
        described = put_table(shop, paths, "paths", found.num_rows)
    numbered = {"numbered_lexeme": place, "numbered_path": f"{shop.folder}/{described['path']}"}
    return numbered, bounds, described, sum(found["count"].to_pylist())


def numbered_paths(counted_path: "pa.Table") -> "pa.Table":
    """Return paths with their numbers, inverses and orders."""
    with closing(in_memory()) as database:
        database.run(f"CREATE SCHEMA {version.SCHEMA}")
        for each in FUNCTIONS_OF_PATHS:
            database.run(statement(f"store/define/{each}"))
        database.bring("counted_path", counted_path)
        return database.arrow(statement("distributed/numbered_path"))


def delete_files(places: Sequence[str]) -> None:
    """Delete files that are no longer needed."""
    for each in places:
        system, path = file_system(each)
        system.delete_file(path)
