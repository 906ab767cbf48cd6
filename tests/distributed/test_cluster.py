"""A cluster that fails: what is lost, what stands still, what its machines lack; and an object store."""

import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")

import aptdb
from aptdb import ClusterError, CorpusError, LexiconError
from aptdb.distributed import input_splits, run_watch, spark_engine
from aptdb.distributed.run_watch import Watch, one_line_errors
from aptdb.distributed.task_messages import TaskRefusedError
from aptdb.store.version import __version__
from support.commands import ask
from support.corpora import TREES, corpus_file
from support.running import commands_below
from support.runs import HANGS
from support.spread import engine, manifest_of, tables_of, why_no_java
from twins.trees import conllu

pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")]

REFUSED = 'aptdb refuses: {"kind": "CorpusError", "message": "no", "place": {"file": "x", "piece": 0, "line": 2}}'
TIMES = 20  # that a treebank is counted, which takes as long as a master or worker needs to come back
SERVED = "s3://bucket/x.conllu"
MAY_PASS = 'aptdb refuses: {"kind": "CorpusError", "message": "x: cannot be read: 503", "place": null}'


class Context:
    """A context of Spark with one stage, as a watch sees it."""

    def __init__(self, *, executors: int = 2, completed: Callable[[], int] = lambda: 0, failures: Any = ()) -> None:
        self.cancelled = threading.Event()
        self._stage: Any = lambda: SimpleNamespace(
            stageId=1, currentAttemptId=0, numTasks=9, numCompletedTasks=completed(), numFailedTasks=len(failures)
        )
        errors = [SimpleNamespace(errorMessage=lambda text=text: text) for text in failures]
        listed = SimpleNamespace(size=lambda: len(errors), apply=errors.__getitem__)
        java = SimpleNamespace(
            isLocal=lambda: False,
            statusTracker=lambda: SimpleNamespace(getExecutorInfos=lambda: ["driver"] + ["one"] * executors),
            statusStore=lambda: SimpleNamespace(taskList=lambda *_: listed),
        )
        self._jsc = SimpleNamespace(sc=lambda: java)
        v1 = SimpleNamespace(TaskStatus=SimpleNamespace(FAILED=1), TaskSorting=SimpleNamespace(ID=1))
        spark = SimpleNamespace(status=SimpleNamespace(api=SimpleNamespace(v1=v1)))
        self._jvm = SimpleNamespace(
            org=SimpleNamespace(apache=SimpleNamespace(spark=spark)),
            java=SimpleNamespace(util=SimpleNamespace(ArrayList=lambda: SimpleNamespace(add=lambda _: None))),
        )

    def statusTracker(self) -> Any:  # noqa: N802
        return SimpleNamespace(
            getJobIdsForGroup=lambda _: [0],
            getJobInfo=lambda _: SimpleNamespace(stageIds=[1]),
            getActiveStageIds=lambda: [1],
            getStageInfo=lambda _: self._stage(),
        )

    def accumulator(self, value: int) -> Any:
        return SimpleNamespace(value=value)

    def setJobGroup(self, *_: str) -> None: ...  # noqa: N802

    def setLocalProperty(self, *_: object) -> None: ...  # noqa: N802

    def cancelJobGroup(self, _: str) -> None:  # noqa: N802
        self.cancelled.set()

    def job(self) -> None:
        """A job that ends when it is cancelled, as Spark's do."""
        assert self.cancelled.wait(HANGS)
        raise RuntimeError("Job 0 cancelled part of cancelled job group aptdb-1")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks every few milliseconds."""
    monkeypatch.setattr(run_watch, "BETWEEN_LOOKS", 0.005)
    monkeypatch.setattr(run_watch, "SOON", 0.02)


def watched(context: Context, patience: float = 0.1) -> list[str]:
    """What is told of a job until it ends."""
    told: list[str] = []
    Watch(context, patience, lambda *now: told.append(now[2])).run("counting", context.job)
    return told


@pytest.mark.usefixtures("quick")
def test_a_cluster_without_executors_ends_the_run() -> None:
    told: list[str] = []
    context = Context(executors=0)
    with pytest.raises(
        ClusterError, match=r"^no executor of Spark was there, .* for 0 s; nothing is made \(--patience"
    ):
        Watch(context, 0.1, lambda *now: told.append(now[2])).run("counting", context.job)
    assert told[0] == "counting: 0 of 9 tasks"
    assert "counting: no executor for 0 s; the run ends after 0.1 s (--patience)" in told


@pytest.mark.usefixtures("quick")
def test_tasks_that_do_not_end_end_the_run() -> None:
    with pytest.raises(ClusterError, match=r"^no task of Spark has ended \(counting\) for 0 s; nothing is made"):
        watched(Context())


@pytest.mark.usefixtures("quick")
def test_a_run_that_goes_on_is_left_alone() -> None:
    """However long it takes in all."""
    begun = time.monotonic()
    context = Context(completed=lambda: int(20 * (time.monotonic() - begun)))
    told: list[str] = []
    watch = Watch(context, 0.2, lambda *now: told.append(now[2]))
    assert watch.run("counting", lambda: context.cancelled.wait(0.5)) is False
    assert any("8 of 9 tasks" in each or "7 of 9 tasks" in each for each in told)


@pytest.mark.usefixtures("quick")
def test_what_is_certain_is_not_tried_again() -> None:
    with pytest.raises(TaskRefusedError, match="aptdb refuses"):
        watched(Context(failures=[f"Some(x: {REFUSED}\n at y)"]), patience=HANGS)
    with pytest.raises(ClusterError):  # what may pass is left to Spark, which tries four times
        watched(Context(failures=[MAY_PASS, "java.lang.RuntimeError: x"]))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "Spark's Java on this machine was killed"),
        (RuntimeError("Answer from Java side is empty"), "Spark's Java on this machine was killed"),
        (RuntimeError("Cannot call methods on a stopped SparkContext."), "Spark's master ended this run"),
        (RuntimeError("failure: Master removed our application: FAILED"), "Spark's master ended this run"),
        (RuntimeError("Job 3 cancelled because SparkContext was shut down"), "Spark's master ended this run"),
        (RuntimeError("<_InactiveRpcError\n status = StatusCode.UNAVAILABLE"), "the server of Spark cannot be reached"),
        (RuntimeError("Lost task 0.3: ExecutorLostFailure (executor 3)"), "executors were lost again and again"),
    ],
)
def test_what_is_lost_is_named(error: Exception, message: str) -> None:
    with pytest.raises(ClusterError) as found, one_line_errors():
        raise error
    assert str(found.value).startswith(message)
    assert found.value.exit_status == 4


def test_each_kind_of_machine_is_told() -> None:
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    same = {"host": "h", "python": platform.python_version(), "aptdb": __version__, "pyspark": pyspark.__version__}
    spark_engine.refuse_executor(same)
    spark_engine.refuse_executor({**same, "python": ".".join([*platform.python_version().split(".")[:2], "99"])})
    for name, other in {"python": "3.1.4", "aptdb": "0.1", "pyspark": "3.5.0"}.items():
        with pytest.raises(
            LexiconError, match=rf"the executor on h has {name} {other}, and this machine {same[name]};"
        ):
            spark_engine.refuse_executor({**same, name: other})
    with pytest.raises(LexiconError, match="the executor on h has aptdb none, and this machine"):
        spark_engine.refuse_executor({key: value for key, value in same.items() if key != "aptdb"})
    with pytest.raises(LexiconError, match="the executor on h cannot work: it burns"):
        spark_engine.refuse_executor({**same, "problem": "it burns"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "[PYTHON_VERSION_MISMATCH] different version: 3.12 than that in driver: 3.11, PySpark",
            "have Python 3.12, and",
        ),
        ("ModuleNotFoundError: No module named 'pyarrow'", "executors have no pyarrow: install aptdb[spark] on each"),
        ('IOException: Cannot run program "/opt/py": error=2', "executors have no /opt/py: set PYSPARK_PYTHON"),
    ],
)
def test_what_spark_lacks_is_named(text: str, problem: str) -> None:
    assert problem in str(spark_engine.problem_of_spark(text))
    assert spark_engine.problem_of_spark("OutOfMemoryError") is None


def test_a_folder_that_is_not_shared(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")
    with pytest.raises(CorpusError, match=r"is not there; all machines must share it"):
        spark_engine.reach_files(str(tmp_path / "x.conllu"), str(tmp_path / "counts"))
    with pytest.raises(CorpusError, match=r"no such file"):
        spark_engine.reach_files(str(tmp_path / "y.conllu"), str(tmp_path))


@pytest.mark.parametrize("patience", [0, True])
def test_no_patience(tmp_path: Path, patience: Any) -> None:
    with pytest.raises(LexiconError, match=f"patience is {patience}; expected a whole number, 1 or more"):
        aptdb.count_corpora("x", tmp_path / "counts", engine="spark", patience=patience)
    with pytest.raises(LexiconError, match="patience is 5, which is of Spark"):
        aptdb.count_corpora("x", tmp_path / "counts", patience=5)


# An object store
@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that speaks as S3 does, with a bucket, and where it listens."""
    pytest.importorskip("moto", reason="moto is not installed")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")  # of Sail
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        place = "http://{}:{}".format(*server.get_host_and_port())
        monkeypatch.setenv("AWS_ENDPOINT_URL", place)
        import boto3

        boto3.client("s3", endpoint_url=place).create_bucket(Bucket="bucket")
        yield place
    finally:
        server.stop()


def put(store: str, name: str, content: bytes) -> None:
    """Put an object into the bucket."""
    import boto3

    boto3.client("s3", endpoint_url=store).put_object(Bucket="bucket", Key=name, Body=content)


@pytest.mark.parametrize(("source", "target"), [("s3", "s3a"), ("s3a", "s3")])
def test_both_names_of_s3_are_one(tmp_path: Path, store: str, source: str, target: str) -> None:
    put(store, "corpus/x.conllu", conllu(TREES).encode())
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "here")
    with engine("sail") as how:
        done = aptdb.count_corpora(f"{source}://bucket/corpus/", f"{target}://bucket/{target}/counts", **how)
    assert (done.sentences, done.tokens) == (len(TREES), 12)
    from pyarrow import fs

    fs.copy_files(f"s3://bucket/{target}/counts", str(tmp_path / "copy"))
    assert tables_of(tmp_path / "copy") == tables_of(tmp_path / "here")
    assert not [each for each in (tmp_path / "copy").rglob("*") if "_unfinished" in each.parts]
    assert "s3://bucket/s3 is not on this machine" in ask("add", tmp_path / "l.duckdb", "s3://bucket/s3").stderr


def test_credentials_and_endpoint_are_named(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, "x.conllu", conllu(TREES).encode())
    input_splits.open_seekable("s3a://bucket/x.conllu").close()
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(
        CorpusError, match=r"s3a://bucket/x\.conllu: cannot be read: .*; not set .*: AWS_ACCESS_KEY_ID$"
    ):
        input_splits.open_seekable("s3a://bucket/x.conllu")


@pytest.mark.thorough
def test_spark_needs_no_package_for_an_object_store(tmp_path: Path, store: str) -> None:
    """Python reads and writes there."""
    if reason := why_no_java():
        pytest.skip(reason)
    put(store, "x.conllu", conllu(TREES).encode())
    done = aptdb.count_corpora("s3a://bucket/x.conllu", "s3://bucket/out", engine="spark", master="local[1]")
    assert done.tokens == 12


# A standalone cluster of a master and a worker on this machine
class Cluster:
    """A master and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.folder = folder
        self._home = Path(pyspark.__file__).parent
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.port = 7600 + os.getpid() % 1000
        self.of_master = ""  # further options of Java

    @property
    def master(self) -> str:
        """The name of the master."""
        return f"spark://127.0.0.1:{self.port}"

    def start(self, kind: str, *options: str) -> None:
        """Start a master or a worker, and wait until it listens."""
        log = self.folder / f"{kind}.log"
        environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(self._home)}
        environment["TMPDIR"] = str(self.folder)
        environment["SPARK_MASTER_OPTS"] = f"-Dspark.deploy.maxExecutorRetries=1 {self.of_master}"
        command = [str(self._home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind.lower()}.{kind}"]
        command += ["--host", "127.0.0.1", "--webui-port", "0", *options]
        with log.open("wb") as out:
            self.processes[kind] = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        wanted = "I have been elected leader" if kind == "Master" else "Successfully registered with master"
        until = time.monotonic() + HANGS
        while wanted not in log.read_text(errors="replace"):
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.2)

    def start_master(self) -> None:
        """Start the master, without what an earlier one knew."""
        self.start("Master", "--port", str(self.port))

    def start_worker(self) -> None:
        """Start a worker with one core."""
        work = str(self.folder / "work")
        self.start("Worker", "--cores", "1", "--memory", "1g", "--work-dir", work, self.master)

    def kill(self, kind: str) -> None:
        """Kill a process, and what it has started."""
        process = self.processes.pop(kind)
        for below, _ in [*commands_below(process.pid)]:
            os.kill(below, signal.SIGKILL)
        process.kill()
        process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster with one core."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if reason := why_no_java():
        pytest.skip(reason)
    started = Cluster(tmp_path)
    try:
        started.start_master()
        started.start_worker()
        yield started
    finally:
        for kind in [*started.processes]:
            started.kill(kind)


@contextmanager
def counting(cluster: Cluster, folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A run on a cluster, once its executor counts."""
    file = folder / "en_gum.conllu.gz"
    file.write_bytes(corpus_file("en_gum").read_bytes() * TIMES)  # one piece
    command = [sys.executable, "-m", "aptdb", "count", str(file), "-o", str(folder / "counts")]
    command += ["--engine", "spark", "--master", cluster.master, *options]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        until = time.monotonic() + HANGS
        while not [*cluster.folder.glob("aptdb-*/counted")]:
            assert time.monotonic() < until
            assert run.poll() is None, run.stderr and run.stderr.read()
            time.sleep(0.2)
        yield run
    finally:
        run.kill()
        run.wait()


def told_at_end(run: subprocess.Popen[str], status: int) -> str:
    """The last line of a run that ends with a status; it has no traceback, and leaves nothing."""
    _, said = run.communicate(timeout=3 * HANGS)
    assert run.returncode == status, said
    assert "Traceback" not in said
    return said.splitlines()[-1]


@pytest.mark.thorough
def test_a_master_that_dies_and_comes_back(tmp_path: Path, cluster: Cluster) -> None:
    with counting(cluster, tmp_path, "--patience", "15") as run:
        cluster.kill("Master")
        cluster.start_master()
        assert "aptdb: no executor of Spark was there" in told_at_end(run, 4)
    assert not (tmp_path / "counts").exists()


@pytest.mark.thorough
def test_a_master_that_recovers(tmp_path: Path, cluster: Cluster) -> None:
    """Where it keeps what it knows, its workers and the run come back to it."""
    (tmp_path / "recovery").mkdir()
    cluster.kill("Worker")
    cluster.kill("Master")
    cluster.of_master = "-Dspark.deploy.maxExecutorRetries=10 -Dspark.deploy.recoveryMode=FILESYSTEM "
    cluster.of_master += f"-Dspark.deploy.recoveryDirectory={tmp_path}/recovery"
    cluster.start_master()
    cluster.start_worker()
    with counting(cluster, tmp_path) as run:
        cluster.kill("Master")
        cluster.start_master()
        _, said = run.communicate(timeout=10 * HANGS)
        assert run.returncode == 0, said
    assert manifest_of(tmp_path / "counts")["tokens"] == TIMES * 235_313


@pytest.mark.thorough
def test_a_killed_run_is_taken_over(tmp_path: Path, store: str) -> None:
    """In an object store, where nobody can see whether another run is alive."""
    if reason := why_no_java():
        pytest.skip(reason)
    put(store, "x.conllu", conllu(TREES * 50_000).encode())
    command = [sys.executable, "-m", "aptdb", "count", "s3a://bucket/x.conllu", "-o", "s3a://bucket/killed"]
    command += ["--engine", "spark", "--master", "local[1]"]
    run = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    from pyarrow import fs

    below = fs.FileSelector("bucket/killed/_unfinished", allow_not_found=True)
    until = time.monotonic() + HANGS
    while not any("counted-" in each.path for each in fs.FileSystem.from_uri(SERVED)[0].get_file_info(below)):
        assert time.monotonic() < until
        assert run.poll() is None
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert "is unfinished since" in again.stderr
    again = subprocess.run([*command, "--take-over"], capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert not fs.FileSystem.from_uri(SERVED)[0].get_file_info(below)


@pytest.mark.thorough
def test_an_application_that_the_master_ends(tmp_path: Path, cluster: Cluster) -> None:
    """As it does where executors fail again and again: here, once."""
    with counting(cluster, tmp_path) as run:
        executors = [each for each, command in commands_below(os.getpid()) if "CoarseGrainedExecutor" in command]
        os.kill(executors[0], signal.SIGKILL)
        assert "aptdb: Spark's master ended this run" in told_at_end(run, 4)
    assert not (tmp_path / "counts").exists()


@pytest.mark.thorough
def test_a_worker_that_dies(tmp_path: Path, cluster: Cluster) -> None:
    with counting(cluster, tmp_path, "--patience", "30") as run:
        cluster.kill("Worker")
        assert "aptdb: no executor of Spark was there" in told_at_end(run, 4)


@pytest.mark.thorough
def test_java_that_dies(tmp_path: Path, cluster: Cluster) -> None:
    with counting(cluster, tmp_path) as run:
        (java,) = [each for each, command in commands_below(run.pid) if "SparkSubmit" in command]
        os.kill(java, signal.SIGKILL)
        assert "aptdb: Spark's Java on this machine was killed" in told_at_end(run, 4)
    assert not (tmp_path / "counts").exists()


@pytest.mark.thorough
def test_sigterm_ends_a_run_in_one_line(tmp_path: Path, cluster: Cluster) -> None:
    with counting(cluster, tmp_path) as run:
        run.terminate()
        assert told_at_end(run, 143) == "aptdb: stopped; nothing is left half done"
    assert not (tmp_path / "counts").exists()


@pytest.mark.thorough
def test_a_bad_sentence_is_tried_once(tmp_path: Path, cluster: Cluster) -> None:
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES) * 10 + "1\tonly two\n", encoding="utf-8")
    command = [sys.executable, "-m", "aptdb", "count", str(file), "-o", str(tmp_path / "counts")]
    command += ["--engine", "spark", "--master", cluster.master]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert "2 columns; a line has 10" in told_at_end(run, 1)
    assert not (tmp_path / "counts").exists()


@pytest.mark.thorough
def test_other_machines_are_refused_before_anything_is_counted(tmp_path: Path, cluster: Cluster) -> None:
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES), encoding="utf-8")
    command = [sys.executable, "-m", "aptdb", "count", str(file), "-o", str(tmp_path / "counts")]
    command += ["--engine", "spark", "--master", cluster.master]
    environment = {**os.environ, "PYSPARK_PYTHON": str(tmp_path / "python")}
    run = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
    assert f"executors have no {tmp_path / 'python'}: set PYSPARK_PYTHON" in told_at_end(run, 1)
    assert not (tmp_path / "counts").exists()
