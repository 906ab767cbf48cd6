"""Commands of ours that run beside the server, in processes of their own."""

import os
import subprocess
import sys
from collections.abc import Sequence

from aptdb.store.limits import Limits


def beside(words: Sequence[str], limits: Limits) -> "subprocess.Popen[str]":
    """A command as a process that waits for whatever else the machine does."""
    where = ["--temp", str(limits.temp)] if limits.temp else []
    return subprocess.Popen(
        [sys.executable, "-m", "aptdb", *words, "--memory", limits.shown(), *where],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def environment() -> dict[str, str]:
    """That of a process which imports what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
