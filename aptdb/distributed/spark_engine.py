"""Count on Spark, or on a server that speaks its protocol: tasks count with DuckDB, the cluster aggregates."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import LexiconError
from aptdb.distributed import task_messages
from aptdb.distributed.counting_task import How, count_batches
from aptdb.distributed.input_splits import PIECE_BYTES, Piece, in_tasks, read_sentence_batches
from aptdb.distributed.output_folder import describe_batches
from aptdb.distributed.run_watch import Watch, one_line_errors
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.file_writing import mask
from aptdb.store.interrupts import run_interruptibly
from aptdb.store.statements import SqlText

if TYPE_CHECKING:
    import pyarrow as pa

INSTALL = "pip install 'aptdb[spark]'"
JAVA = 17  # the least that Spark 4 runs with
REMOTE = "sc://"  # of a server, so that nothing here needs Java
VERSION = re.compile(r'version "(\d+)')
PIECES_OF_TASK = 16  # or fewer: the more a task counts, the less is shuffled
TASKS_OF_CORE = 3
TASKS_OF_PART = 4
PARTITIONS, USUAL = "spark.sql.shuffle.partitions", "200"  # which is too many for little text, and too few for much


class Spark:
    """An engine of many machines. session: of Spark. folder: the URL of the tables. watch: hears how it goes on."""

    def __init__(self, session: Any, folder: str, cores: int, watch: Watch) -> None:
        self._session = session
        self._folder = folder
        self._cores = cores
        self._watch = watch

    def count(self, pieces: Sequence[Piece], how: How, summing: SqlText) -> None:
        """Count pieces, in tasks that keep the order. Raise TaskRefusedError."""
        tasks = in_tasks(pieces, min(len(pieces), max(TASKS_OF_CORE * self._cores, len(pieces) // PIECES_OF_TASK)))
        read, tokens = self._watch.read, self._watch.tokens
        if self._session.conf.get(PARTITIONS, USUAL) == USUAL:
            size = sum(each.end - each.begin for each in pieces)
            self._session.conf.set(PARTITIONS, str(max(self._cores, size // PIECE_BYTES)))

        def count(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
            for each in count_batches(read_sentence_batches(task_messages.unnested(batches, read.add)), how):
                yield each
                tokens.add(task_messages.tokens_counted(each))

        plan = self._spread([json.dumps(each) for each in tasks])
        plan.mapInArrow(count, task_messages.ddl(task_messages.COUNTED)).createOrReplaceTempView("counted")
        self.keep("summed", summing)

    def _spread(self, values: Sequence[str]) -> Any:
        """Return texts as a table in which each is a task of its own."""
        table = self._session.createDataFrame([(each, None) for each in values], task_messages.ddl(task_messages.FILES))
        return table.coalesce(1).repartition(len(values))

    def keep(self, name: str, query: SqlText) -> None:
        """Keep the answer of a query as a relation."""
        place = f"{self._folder}/{UNFINISHED}/{name}"
        self._session.sql(query).write.mode("overwrite").parquet(place)
        self._session.read.parquet(place).createOrReplaceTempView(name)

    def see(self, name: str, query: SqlText) -> None:
        """Make a query a relation."""
        self._session.sql(query).createOrReplaceTempView(name)

    def answer(self, query: SqlText) -> "pa.Table":
        """Return the small answer of a query."""
        return self._session.sql(query).toArrow()

    def put(self, name: str, table: "pa.Table") -> None:
        """Make a small table a relation."""
        self._session.createDataFrame(table).createOrReplaceTempView(name)

    def write(self, name: str, query: SqlText, sorted_by: Sequence[str], parts: int | None) -> None:
        """Write the answer of a query as a table of the folder, sorted, and partitioned by its column part."""
        answer = self._session.sql(query)
        if parts is None:
            file = answer.coalesce(1).sortWithinPartitions(*sorted_by).write
        else:
            tasks = TASKS_OF_PART * parts  # Spark gives parts to tasks by hashes: with few, one would get several
            spread = answer.repartition(tasks, "part").sortWithinPartitions("part", *sorted_by)
            file = spread.write.partitionBy("part")
        file.option("compression", "zstd").option("maxRecordsPerFile", 0).parquet(f"{self._folder}/{name}")

    def described(self, files: Sequence[str]) -> list[str]:
        """Return the descriptions of files by `files.described`, in order."""
        found = self._spread(files).mapInArrow(describe_batches, task_messages.ddl(task_messages.FILES)).toArrow()
        descriptions = dict(zip(found["file"].to_pylist(), found["said"].to_pylist(), strict=True))
        return [descriptions[each] for each in files]


@contextmanager
def begin_spark_session(master: str | None) -> Iterator[tuple[Any, int]]:
    """Yield a session of Spark, and the number of tasks that it runs at once; end it if it was begun here.

    master: as Spark takes it, e.g. yarn or local[4], or sc://HOST:PORT of a server; None for Spark's own configuration.
    Raises LexiconError if Spark, or the Java that it needs, is missing.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise LexiconError(f"counting on Spark needs pyspark: {INSTALL}; --engine local needs none") from error

    def begin() -> tuple[Any, int, bool]:
        if str(master or os.environ.get("SPARK_REMOTE") or "").startswith(REMOTE):
            if find_spec("grpc") is None:
                raise LexiconError(f"{REMOTE} needs Spark Connect: {INSTALL}")
            session = SparkSession.builder.remote(master or os.environ["SPARK_REMOTE"]).create()
            for policy in session.client.get_retry_policies():
                policy.max_retries = 5  # which take 20 seconds, not ten minutes
            return session, os.cpu_count() or 1, True
        session, ends = find_or_start_session(SparkSession, master)
        # Hadoop sets the rights of files and folders itself, and not by the mask of the process. Each process keeps
        # one object for files, with the mask of its first session; without that, each query takes this one.
        session.conf.set("fs.permissions.umask-mode", f"{mask():03o}")
        session.conf.set("fs.file.impl.disable.cache", "true")
        if session.sparkContext._jsc.hadoopConfiguration().get("fs.s3.impl") is None:  # s3:// as s3a://
            session.conf.set("fs.s3.impl", "org.apache.hadoop.fs.s3a.S3AFileSystem")
        return session, int(session.sparkContext.defaultParallelism), ends

    with restored(), one_line_errors():
        session, cores, ends = run_interruptibly(begin, lambda: None)
    try:
        yield session, cores
    finally:
        if ends:
            with suppress(Exception):  # Spark may have ended
                session.stop()


def find_or_start_session(session_class: Any, master: str | None) -> tuple[Any, bool]:
    """Return a session of Spark, and whether it was started here; an existing one of the same cluster is used.

    Raises LexiconError if the existing one is of another cluster, or where Java is missing.
    """
    from pyspark import SparkContext

    running = SparkContext._active_spark_context
    if running is not None:
        if master not in (None, running.master):
            raise LexiconError(
                f"this process has a session of {running.master} already; leave the master out, or stop it"
            )
        return session_class(running).newSession(), False
    need_java()
    # Tasks run the Python that this is, with what is installed there.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = session_class.builder.appName("aptdb count")
    for name, value in what_is_lacking().items():
        builder = builder.config(name, value)
    return (builder.master(master) if master else builder).getOrCreate(), True


def what_is_lacking() -> dict[str, str]:
    """Return settings that suit this work, if they are not set. Failures are reported in one line, not logged."""
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()
    wanted = {
        "spark.log.level": "OFF",
        # What is shuffled is text that repeats: zstd packs it twice as well as what is usual.
        "spark.io.compression.codec": "zstd",
    }
    given = SparkConf()
    lacking = {name: value for name, value in wanted.items() if not given.contains(name)}
    # Where Python begins Spark, this is always set; into a file or pipe nobody wants a bar.
    return lacking if sys.stderr.isatty() else {**lacking, "spark.ui.showConsoleProgress": "false"}


@contextmanager
def restored() -> Iterator[None]:
    """Restore the environment after the block: pyspark writes into it, and the next session would find that."""
    before = {*os.environ}
    try:
        yield
    finally:
        for name in {*os.environ} - before:
            if name.startswith("SPARK_"):
                del os.environ[name]


def need_java() -> None:
    """Raise LexiconError if Java is missing or too old."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    mend = f"Spark 4 needs Java {JAVA} or newer: install one (Debian: openjdk-17-jre-headless), or use --engine local"
    if java is None or not os.path.exists(java):
        raise LexiconError(f"there is no Java; {mend}")
    output = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = VERSION.search(output)
    if version and int(version[1]) < JAVA:
        raise LexiconError(f"Java is version {version[1]}; {mend}")
