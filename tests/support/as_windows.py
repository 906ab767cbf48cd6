"""Commands where the system has what Windows has, and no more: `python as_windows.py` reads them, one a line.

POSIX's modules and functions are missing, and a file that this process has open can be neither deleted nor replaced.
Programs that these commands start are not so.
"""

import asyncio  # noqa: F401 (what asks for the system when it is imported has to be there before)
import os
import shutil
import signal
import subprocess
import sys
import tempfile  # noqa: F401
from collections.abc import Callable
from concurrent.futures import process  # noqa: F401
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

with suppress(ImportError):
    import_module("psutil")  # asks for Linux's resource

MODULES = ("fcntl", "resource", "termios", "pwd", "grp", "tty", "pty")
OF_OS = (
    *("chown", "copy_file_range", "fork", "getuid", "killpg", "nice", "posix_fadvise", "sched_getaffinity", "statvfs"),
)
OF_SIGNAL = ("SIGHUP", "SIGKILL", "SIGPIPE", "pthread_kill", "pthread_sigmask")


def open_files() -> set[str]:
    """The files that this process has open."""
    found = set()
    for each in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(each.readlink()))
        except OSError:
            continue
    return found


def refusing(act: Callable[..., Any]) -> Callable[..., Any]:
    """A function of files that refuses those that are open, as Windows does."""

    def acted(*paths: Any, **more: Any) -> Any:
        for path in paths:
            if os.path.realpath(path) in open_files():
                raise PermissionError(13, "The process cannot access the file because it is in use", str(path))
        return act(*paths, **more)

    return acted


class OfWindows(ModuleType):
    """Windows's module msvcrt, as far as it locks bytes of an open file."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self, locks: Any) -> None:
        super().__init__("msvcrt")
        self._locks = locks

    def locking(self, number: int, mode: int, count: int) -> None:
        """Lock or unlock."""
        assert count == 1
        locked = self._locks.LOCK_UN if mode == self.LK_UNLCK else self._locks.LOCK_EX | self._locks.LOCK_NB
        self._locks.flock(number, locked)


def be_windows() -> None:
    """Take away what Windows lacks."""
    import fcntl

    sys.modules["msvcrt"] = OfWindows(fcntl)
    sys.modules.update(dict.fromkeys(MODULES, None))  # type: ignore[arg-type]
    for home, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in names:
            vars(home).pop(name, None)
    for name in ("unlink", "remove", "replace", "rename"):
        setattr(os, name, refusing(getattr(os, name)))
    vars(shutil)["_use_fd_functions"] = False
    vars(subprocess).pop("_USE_VFORK", None)


def run_commands(lines: list[str]) -> None:
    """Run commands until one fails; print what it said."""
    from typer.testing import CliRunner

    from aptdb.commands import app_for

    for line in lines:
        done = CliRunner().invoke(app_for(line.split()[0]), line.split())
        if done.exit_code:
            sys.exit(f"{line}: {done.output} {done.exception!r}")


if __name__ == "__main__":
    be_windows()
    run_commands(sys.stdin.read().splitlines())
