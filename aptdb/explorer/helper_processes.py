"""Helper processes of the server, which run our own commands. They end when the server ends.

Run as a program, it runs the command of its arguments; its input is a pipe that closes when the server ends.
"""

import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Sequence

from aptdb.store.limits import Limits

# Without -P, Python would look for modules in the folder where somebody has started the server.
PYTHON = (sys.executable, "-P", "-m")


def start_beside(words: Sequence[str], limits: Limits) -> "subprocess.Popen[str]":
    """Start a command as a process."""
    where = ["--temp", str(limits.temp)] if limits.temp else []
    return subprocess.Popen(
        [*PYTHON, "aptdb.explorer.helper_processes", *words, "--memory", limits.shown(), *where],
        env=make_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def make_environment() -> dict[str, str]:
    """Return the environment for a process that imports the same packages."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def end_with_parent() -> None:
    """End this process when its input closes."""

    def wait() -> None:
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    end_with_parent()
    runpy.run_module("aptdb", run_name="__main__")
