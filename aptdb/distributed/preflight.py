"""Try a cluster before anything is counted: what its machines have, and whether they reach the files and the folder."""

import json
import platform
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from aptdb.core.errors import CorpusError, LexiconError
from aptdb.distributed.input_splits import file_system, open_seekable
from aptdb.distributed.run_watch import Watch
from aptdb.distributed.task_messages import FILES, ddl
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.version import __version__

MOST_TRIED = 50  # tasks, of which each executor may have one
S3 = "spark.hadoop.fs.s3a"
# Packages of Hadoop, by the file system.
PACKAGES = {"s3": "hadoop-aws", "s3a": "hadoop-aws", "abfs": "hadoop-azure", "abfss": "hadoop-azure"}
# What Java and the workers of Spark say, and what that comes to. It is looked for in this order.
FAULTS = {
    r"(?s)\[PYTHON_VERSION_MISMATCH\].*?different version: (\S+) than that in driver: ([\d.]+)": (
        "executors have Python {0}, and this machine {1}; install the same, or set PYSPARK_PYTHON"
    ),
    r"ModuleNotFoundError: No module named '([\w.]+)'": "executors have no {0}: install aptdb[spark] on each machine",
    r"Cannot run program \"([^\"]+)\"": "executors have no {0}: set PYSPARK_PYTHON to the Python that has aptdb there",
    r"(?i)NoAuthWithAWS|NoAwsCredentials|Unable to load credentials|AccessDenied|InvalidAccessKeyId|\b403\b": (
        f"{{where}}Java has no valid credentials: set {S3}.access.key and {S3}.secret.key, or AWS_ACCESS_KEY_ID there"
    ),
    r"UnknownHost|Connection refused|Unable to execute HTTP": f"{{where}}Java does not reach it: set {S3}.endpoint",
}


def try_cluster(session: Any, cores: int, watch: Watch, folder: str, file: str) -> None:
    """Read the beginning of a file in some tasks, and write, read and delete a small table beside the output.

    folder: the URL of the output. Raises LexiconError for what is lacking or differs.
    """
    place, tasks = f"{folder}/{UNFINISHED}/tried", min(cores, MOST_TRIED)

    def work() -> Any:
        table = session.range(tasks).selectExpr("cast(id AS string) AS file").repartition(tasks)
        table.mapInArrow(report_from(file, folder), ddl(FILES)).write.mode("overwrite").parquet(place)
        return session.read.parquet(place).toArrow()

    try:
        answers = watch.run("trying the cluster", work)["said"].to_pylist()
    except LexiconError as error:
        if problem := problem_of_spark(f"{error.__cause__}\n{error}", folder, session):
            raise LexiconError(f"Spark cannot count into {folder}: {problem}") from error
        raise
    for each in map(json.loads, answers):
        refuse_executor(each)
    file_system(place)[0].delete_dir(file_system(place)[1])


def report_from(file: str, folder: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function for tasks that says what a machine has. It is sent whole, and so runs without aptdb too."""

    def report(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa
        import pyspark

        said = {"host": platform.node(), "python": platform.python_version(), "pyspark": pyspark.__version__}
        try:
            from aptdb.store.version import __version__ as version

            said["aptdb"] = version
            from aptdb.distributed.preflight import reach_files

            reach_files(file, folder)
        except Exception as error:
            said["problem"] = str(error)
        for each in batches:
            yield pa.RecordBatch.from_pydict({"file": each["file"], "said": [json.dumps(said)] * each.num_rows})

    return report


def reach_files(file: str, folder: str) -> None:
    """Read the beginning of a file, and look for the output folder. Raise CorpusError or OSError."""
    with closing(open_seekable(file)) as opened:
        opened.read(1)
    system, path = file_system(folder)
    if system.get_file_info(f"{path}/{UNFINISHED}").type.name == "NotFound":
        raise CorpusError(f"{folder} is not there; all machines must share it")


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


def problem_of_spark(text: str, place: str, session: Any) -> str | None:
    """Return what Spark lacks, by the text of its error; None for another error."""
    scheme = place.partition("://")[0]
    if re.search(r"No FileSystem for scheme|Class \S*FileSystem not found", text):
        hadoop = session.sparkContext._jvm.org.apache.hadoop.util.VersionInfo.getVersion()
        named = f"org.apache.hadoop:{PACKAGES[scheme]}:{hadoop}" if scheme in PACKAGES else f"one for Hadoop {hadoop}"
        return f"it lacks the package for {scheme}://; set spark.jars.packages {named} in spark-defaults.conf"
    where = "the executors' " if "Lost task" in text else "this machine's "
    for pattern, words in FAULTS.items():
        if found := re.search(pattern, text):
            return words.format(*found.groups(), where=where)
    return None
