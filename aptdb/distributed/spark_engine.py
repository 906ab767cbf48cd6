"""Count on Spark, or on a server that speaks its protocol: it runs the tasks."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

from aptdb.core.errors import CorpusError, LexiconError
from aptdb.distributed.counting_task import MEMORY
from aptdb.distributed.input_splits import file_system, open_seekable
from aptdb.distributed.run_watch import Watch, one_line_errors
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.file_writing import mask
from aptdb.store.interrupts import run_interruptibly
from aptdb.store.version import __version__

INSTALL = "pip install 'aptdb[spark]'"
JAVA = 17  # the least that Spark 4 runs with
REMOTE = "sc://"  # of a server, so that nothing here needs Java
VERSION = re.compile(r'version "(\d+)')
PIECES_OF_TASK = 16  # or fewer: the more a task counts, the less is handed on
TASKS_OF_CORE = 3
QUICK = "-XX:TieredStopAtLevel=1"  # Java only hands on what Python does: compiling it further would take longer
SETTINGS = {"spark.log.level": "OFF", "spark.executor.extraJavaOptions": QUICK}  # if they are not set


class Spark:
    """An engine of many machines. spark: a context of Spark, or a session of a server. watch: hears how it goes on.

    cores: how many tasks Spark runs at once.
    """

    memory = MEMORY
    scratch: str | None = None

    def __init__(self, spark: Any, cores: int, watch: Watch) -> None:
        self._spark = spark
        self.cores = cores
        self._watch = watch

    def tasks(self, pieces: int) -> int:
        """Return how many tasks should count a number of pieces."""
        return min(pieces, max(TASKS_OF_CORE * self.cores, pieces // PIECES_OF_TASK))

    def map(self, step: str, task: Callable[..., Any], values: Sequence[Any]) -> list[Any]:
        """Return what a task returns for each value; it is given the value, and a function that hears how it goes on.

        step: what it does, in words. Raises ClusterError, TaskRefusedError or LexiconError.
        """
        read, tokens, lacking = self._watch.read, self._watch.tokens, mask()

        def hear(more: int, counted: int) -> None:
            read.add(more)
            tokens.add(counted)

        def run(number: int) -> str:
            os.umask(lacking)
            return json.dumps(task(values[number], hear))

        return self.run(step, run, len(values))

    def run(self, step: str, run: Callable[[int], str], tasks: int) -> list[Any]:
        """Return what a function answers, in JSON, in each of some tasks, by their numbers."""
        if not tasks:
            return []
        if hasattr(self._spark, "parallelize"):  # of a context, which plans no query
            work = self._spark.parallelize(range(tasks), tasks).map(run).collect
        else:
            table = self._spark.range(0, tasks, 1, tasks).mapInArrow(answer_with(run), "id bigint, answer string")
            work = lambda: [answer for _, answer in sorted(map(tuple, table.collect()))]  # noqa: E731
        return [*map(json.loads, self._watch.run(step, work))]


def answer_with(run: Callable[[int], str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function of Arrow batches that answers each number with a function. It is sent whole to the server."""

    def answer(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for each in batches:
            for number in each["id"].to_pylist():
                yield pa.RecordBatch.from_pydict({"id": [number], "answer": [run(number)]})

    return answer


@contextmanager
def begin_spark(master: str | None) -> Iterator[tuple[Any, int]]:
    """Yield a context of Spark, or a session of a server, and the number of tasks that it runs at once.

    If it was begun here, it is ended. master: as Spark takes it, e.g. yarn or local[4], or sc://HOST:PORT of a server;
    None for Spark's own configuration. Raises LexiconError if Spark, or the Java that it needs, is missing.
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
        context, ends = find_or_start_context(master)
        return context, int(context.defaultParallelism), ends

    with restored(), one_line_errors():
        spark, cores, ends = run_interruptibly(begin, lambda: None)
    try:
        yield spark, cores
    finally:
        if ends:
            with suppress(Exception):  # Spark may have ended
                spark.stop()


def find_or_start_context(master: str | None) -> tuple[Any, bool]:
    """Return a context of Spark, and whether it was started here; an existing one of the same cluster is used.

    Raises LexiconError if the existing one is of another cluster, or where Java is missing.
    """
    from pyspark import SparkConf, SparkContext

    running = SparkContext._active_spark_context
    if running is not None:
        if master not in (None, running.master):
            raise LexiconError(
                f"this process has a session of {running.master} already; leave out the master, or stop it"
            )
        return running, False
    need_java()
    # Tasks run the Python that this is, with what is installed there.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_SUBMIT_OPTS", QUICK)
    SparkContext._ensure_initialized()
    given = SparkConf().setAppName("aptdb count")
    for name, value in SETTINGS.items():
        given.setIfMissing(name, value)
    if not sys.stderr.isatty():  # where Python begins Spark, this is always set; into a file or pipe nobody wants a bar
        given.set("spark.ui.showConsoleProgress", "false")
    return SparkContext(conf=given.setMaster(master) if master else given), True


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


# Trying a cluster before anything is counted: what its machines have, and whether they reach the files and the folder
MOST_TRIED = 50  # tasks, of which each executor may have one
# What workers of Spark say, and what that comes to. It is looked for in this order.
FAULTS = {
    r"(?s)\[PYTHON_VERSION_MISMATCH\].*?different version: (\S+) than that in driver: ([\d.]+)": (
        "executors have Python {0}, and this machine {1}; install the same, or set PYSPARK_PYTHON"
    ),
    r"ModuleNotFoundError: No module named '([\w.]+)'": "executors have no {0}: install aptdb[spark] on each machine",
    r"Cannot run program \"([^\"]+)\"": "executors have no {0}: set PYSPARK_PYTHON to the Python that has aptdb there",
}


def try_cluster(spark: Spark, folder: str, file: str) -> None:
    """Read the beginning of a file in some tasks, and write and delete a small file in the output.

    folder: the output, as everywhere named. Raises LexiconError for what is lacking or differs.
    """
    tasks = min(spark.cores, MOST_TRIED)
    try:
        answers = spark.run("trying the cluster", report_from(file, folder), tasks)
    except LexiconError as error:
        if problem := problem_of_spark(f"{error.__cause__}\n{error}"):
            raise LexiconError(f"Spark cannot count into {folder}: {problem}") from error
        raise
    for each in answers:
        refuse_executor(each)


def report_from(file: str, folder: str) -> Callable[[int], str]:
    """Return a function for tasks that says what a machine has. It is sent whole, and so runs without aptdb too."""

    def report(_: int) -> str:
        import pyspark

        said = {"host": platform.node(), "python": platform.python_version(), "pyspark": pyspark.__version__}
        try:
            from aptdb.store.version import __version__ as version

            said["aptdb"] = version
            from aptdb.distributed.spark_engine import reach_files

            reach_files(file, folder)
        except Exception as error:
            said["problem"] = str(error)
        return json.dumps(said)

    return report


def reach_files(file: str, folder: str) -> None:
    """Read the beginning of a file, and write and delete one in the output. Raise CorpusError or OSError."""
    with closing(open_seekable(file)) as opened:
        opened.read(1)
    system, path = file_system(folder)
    if system.get_file_info(f"{path}/{UNFINISHED}").type.name == "NotFound":
        raise CorpusError(f"{folder} is not there; all machines must share it")
    tried = f"{path}/{UNFINISHED}/tried-{uuid4().hex}"
    with system.open_output_stream(tried) as out:
        out.write(b"tried")
    system.delete_file(tried)


def refuse_executor(found: dict[str, Any]) -> None:
    """Raise LexiconError if an executor has other versions than this machine, or does not reach the files."""
    import pyspark

    here = {"python": platform.python_version(), "aptdb": __version__, "pyspark": pyspark.__version__}
    for name, version in here.items():
        other, parts = found.get(name, "none"), 2 if name == "python" else 9  # of a version, that must be the same
        if other.split(".")[:parts] != version.split(".")[:parts]:
            has = f"{found['host']} has {name} {other}, and this machine {version}"
            raise LexiconError(f"the executor on {has}; install the same")
    if "problem" in found:
        raise LexiconError(f"the executor on {found['host']} cannot work: {found['problem']}")


def problem_of_spark(text: str) -> str | None:
    """Return what Spark lacks, by the text of its error; None for another error."""
    for pattern, words in FAULTS.items():
        if found := re.search(pattern, text):
            return words.format(*found.groups())
    return None
