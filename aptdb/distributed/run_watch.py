"""Watch a run on Spark: report its progress, and end it where the cluster is lost or nothing goes on.

Signals reach the main thread, while another one speaks with Java: so what they stop shows no traceback of it.
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from aptdb.core.errors import AptError, ClusterError, LexiconError
from aptdb.distributed.task_messages import MARK, TaskRefusedError, refusal_in
from aptdb.store.interrupts import run_interruptibly

Follow = Callable[[int, int, str], None]  # called with the bytes read and the tokens counted so far, and what is done

PATIENCE = 1_800  # seconds
BETWEEN_LOOKS = 1.0  # seconds
SOON = 15  # seconds without an executor, until that is said
ENDING = 10  # seconds for Spark to end what is cancelled
# What an error of Spark begins with or says, where it is lost, and what that comes to.
LOST = {
    r"^(ConnectionRefused|ConnectionReset|Py4JNetwork)Error|side is empty": "Spark's Java on this machine was killed",
    r"stopped SparkContext|Context was shut down|removed our app": "Spark's master ended this run, or is not there",
    r"StatusCode\.UNAVAILABLE|RETRIES_EXCEEDED": "the server of Spark cannot be reached",
    r"ExecutorLostFailure": "executors were lost again and again, as with too little spark.executor.memoryOverhead",
}
NO_EXECUTOR = "no executor of Spark was there, as its workers or its master are gone, or others use them,"
UNHEARD = SimpleNamespace(value=0, add=lambda _: None)  # in place of an accumulator, which a server does not have


class Watch:
    """Runs what is done on Spark, and looks each second how it goes on.

    context: of Spark; None on a server, which tells nothing. patience: seconds without an executor, or without a task
    that ends, after which the run ends.
    """

    def __init__(self, context: Any, patience: float, follow: Follow) -> None:
        self._context = context
        self._patience = patience
        self._follow = follow
        self._group = f"aptdb-{uuid4()}"
        self._problem: Exception | None = None
        self._since, self._before = time.monotonic(), ""  # when something last went on, and how far it was
        getattr(context, "_accumulatorServer", UNHEARD).handle_error = lambda *_: None  # when Java is killed
        logging.getLogger("py4j").addHandler(logging.NullHandler())  # which shows a traceback then
        self.read, self.tokens = (context.accumulator(0) if context else UNHEARD for _ in range(2))

    def run(self, step: str, work: Callable[[], Any]) -> Any:
        """Return what a function returns that speaks with Spark. Raise ClusterError, TaskRefusedError or LexiconError.

        step: what it does, in words.
        """
        ended = threading.Event()
        self._since = time.monotonic()
        looking = threading.Thread(target=self._look, args=(step, ended), daemon=True)
        if self._context is not None:
            looking.start()
        try:
            with one_line_errors(lambda: self._problem):
                return run_interruptibly(partial(self._in_group, step, work), self._cancel)
        finally:
            ended.set()

    def _in_group(self, step: str, work: Callable[[], Any]) -> Any:
        """Run a function, with all jobs of it in the group of this run."""
        if self._context is not None:
            self._context.setJobGroup(self._group, f"aptdb: {step}")
        try:
            return work()
        finally:
            with suppress(Exception):  # Java may have ended, and a server has none
                self._context.setLocalProperty("spark.jobGroup.id", None)

    def _cancel(self) -> None:
        """End the jobs of this run."""
        with suppress(Exception):  # a server has no context
            self._context.cancelJobGroup(self._group)

    def _look(self, step: str, ended: threading.Event) -> None:
        """Look each second how the jobs go on, until they have ended."""
        while not ended.wait(BETWEEN_LOOKS):
            with suppress(Exception):  # Java may have ended, which the other thread finds out
                self._look_once(step)
            if self._problem is not None:
                self._cancel()
                with suppress(Exception):
                    if not ended.wait(ENDING):
                        self._context.stop()
                return

    def _look_once(self, step: str) -> None:
        """Report how far the jobs are; keep the problem that ends them, if there is one."""
        tracker, java = self._context.statusTracker(), self._context._jsc.sc()
        jobs = filter(None, map(tracker.getJobInfo, tracker.getJobIdsForGroup(self._group)))
        ours = {stage for job in jobs for stage in job.stageIds} & {*tracker.getActiveStageIds()}
        stages = [*filter(None, map(tracker.getStageInfo, sorted(ours)))]
        if failed := [each for each in stages if each.numFailedTasks]:
            with suppress(Exception):  # it reads what Spark may tell otherwise in another version
                self._problem = self._refusal(failed)
        if str(stages) != self._before or not stages:
            self._before, self._since = str(stages), time.monotonic()
        waits, told = time.monotonic() - self._since, step
        lacks = bool(stages) and not java.isLocal() and len(java.statusTracker().getExecutorInfos()) == 1  # the driver
        if lacks and waits >= SOON:
            told = f"{step}: no executor for {waits:,.0f} s; the run ends after {self._patience:,} s (--patience)"
        elif stages:
            done, tasks = (sum(getattr(each, name) for each in stages) for name in ("numCompletedTasks", "numTasks"))
            told = f"{step}: {done:,} of {tasks:,} tasks"
        self._follow(self.read.value, self.tokens.value, told)
        if waits >= self._patience:
            nothing = NO_EXECUTOR if lacks else f"no task of Spark has ended ({step})"
            self._problem = ClusterError(f"{nothing} for {waits:,.0f} s; nothing is made (--patience waits longer)")

    def _refusal(self, stages: list[Any]) -> Exception | None:
        """Return the refusal of a sentence by a task that failed, which is certain: Spark would try it four times."""
        store, jvm = self._context._jsc.sc().statusStore(), self._context._jvm
        v1 = jvm.org.apache.spark.status.api.v1
        failed = jvm.java.util.ArrayList()
        failed.add(v1.TaskStatus.FAILED)
        for each in stages:
            found = store.taskList(each.stageId, each.currentAttemptId, 0, 100, v1.TaskSorting.ID, failed)
            for number in range(found.size()):
                text = str(found.apply(number).errorMessage())
                refusal = refusal_in(text) if MARK in text else None
                if refusal is not None and refusal.place is not None:
                    return TaskRefusedError(text)
        return None


@contextmanager
def one_line_errors(problem: Callable[[], Exception | None] = lambda: None) -> Iterator[None]:
    """Turn errors of Spark into one line; refusals of tasks are passed on. problem: what is known better."""
    try:
        yield
    except AptError:
        raise
    except Exception as error:
        if known := problem():
            raise known from None
        text = "\n".join(str(each) for each in (error, error.__cause__, *getattr(error, "args", ())) if each)
        if MARK in text:
            raise TaskRefusedError(text) from None
        for pattern, why in LOST.items():
            if re.search(pattern, f"{type(error).__name__}: {text}"):
                raise ClusterError(f"{why}; nothing is made") from error
        lines = [line.strip() for line in text.splitlines() if line.strip()] or [type(error).__name__]
        last = next((line for line in reversed(lines) if re.match(r"[\w.]*(Error|Exception)\b.*: ", line)), lines[0])
        raise LexiconError(f"Spark failed: {last[:300]}") from error
