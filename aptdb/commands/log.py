"""The log of a service or of a line of cron: what a command says, each line with its time, in a file."""

import os
import re
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from aptdb.core.errors import AptError
from aptdb.core.one_line import on_one_line

LINE = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")  # how a line of a log begins
SECRET = re.compile(r"((?:token=|Bearer )\s*)[^\s;,&]+")  # what lets others in
HIDDEN = r"\1…"


class Log:
    """Appends lines to a file, which only its owner can read if it is new.

    The file is opened for each line, so that it may be moved away and begun anew meanwhile.
    """

    def __init__(self, file: Path, command: str) -> None:
        self.file = file
        self._who = f"{command}[{os.getpid()}]"

    def begin(self, words: Sequence[str]) -> None:
        """Write the command's words. Raise AptError if the file cannot be written, or holds something else."""
        try:
            if self.file.exists() and not self._is_log():
                raise AptError(f"{self.file} is there and is no log; name another file for --log")
            self.write(f"begins: aptdb {shlex.join(words)}")
        except OSError as error:
            raise AptError(f"--log {self.file}: {error.strerror or error}; name a file that can be written") from None

    def write(self, text: str) -> None:
        """Append a line."""
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        line = f"{now} {self._who} {on_one_line(SECRET.sub(HIDDEN, text))}\n"
        opened = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(opened, line.encode("utf-8", errors="backslashreplace"))
        finally:
            os.close(opened)

    def _is_log(self) -> bool:
        """Return whether a file is one of ours, or empty; a pipe or device would wait for others."""
        if not self.file.is_file():
            return False
        with self.file.open("rb") as opened:
            begins = opened.read(32)
        return not begins or LINE.match(begins) is not None


_logs: list[Log] = []  # the one in use, if any


def begin_log(file: Path, command: str, words: Sequence[str]) -> None:
    """Write to a log from now on, until the block of `logged` ends."""
    log = Log(file, command)
    log.begin(words)
    _logs.append(log)


def write_to_log(text: str) -> None:
    """Write a line into the log, if one is in use. If that fails, say so on stderr, and log no more."""
    if not _logs:
        return
    try:
        _logs[-1].write(text)
    except OSError as error:
        failed = _logs.pop()
        if sys.stderr is not None:
            sys.stderr.write(f"aptdb: the log ends here: {failed.file}: {error.strerror or error}\n")


@contextmanager
def log_block() -> Iterator[None]:
    """Write at the end of the block how it ended, and after how long, into the log that began in it."""
    before, begun = len(_logs), time.monotonic()
    how = "ended with 0"
    try:
        yield
    except SystemExit as ended:
        how = f"ended with {ended.code or 0}"
        raise
    except BaseException as error:
        how = f"ended by {type(error).__name__}: {error}"
        raise
    finally:
        if len(_logs) > before:
            write_to_log(f"{how} after {time.monotonic() - begun:.1f} s")
        del _logs[before:]
