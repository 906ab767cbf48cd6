"""Try a cluster before anything is counted: what its machines have, and whether they reach the files and the folder."""

import json
import platform
import re
from collections.abc import Callable
from contextlib import closing
from typing import Any
from uuid import uuid4

from aptdb.core.errors import CorpusError, LexiconError
from aptdb.distributed.input_splits import file_system, open_seekable
from aptdb.distributed.spark_engine import Spark
from aptdb.store.counts_folder import UNFINISHED
from aptdb.store.version import __version__

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
            from aptdb.distributed.preflight import reach_files

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
