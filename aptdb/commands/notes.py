"""What a command says on standard error: notes, errors in plain words, progress after a second; also in a log.

Progress is a bar or a spinner on a terminal, otherwise a line from time to time.
"""

import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, TextIO

import typer

from aptdb.core.errors import AptError, QuestionError
from aptdb.core.one_line import on_one_line

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from aptdb.counting.staging import Progress

PATIENT = 1.0  # seconds that pass before a command says what takes long
BEFORE_PROGRESS = 1.0  # seconds before anything is shown
BETWEEN_LINES = 10.0  # seconds between two lines if there is no terminal
LINE = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")  # how a line of a log begins
SECRET = re.compile(r"((?:token=|Bearer )\s*)[^\s;,&]+")  # what lets others in
HIDDEN = r"\1…"
# A parameter in SQL, with a value that a shell takes without quotes.
PARAMETER = re.compile(r"\b([a-z]+(?:_[a-z]+)*) := ('?)([\w.:-]*[\w-])\2(?!\w)")
SUBJECT = re.compile(
    r"([a-z_]+)(?= (?:is|are|has|takes)\b(?! (?:an?(?! effect)|the|recorded|made|stored|kept|stale|deleted)\b))"
)
NAMES = r"[a-z_]+(?:(?:, | and | or )[a-z_]+)*\b(?![\w(:])"
LIST = re.compile(rf"(\b(?:takes no|it takes|leave out|lower) )({NAMES})")
UNQUOTED = r"(?<![\w/.'=-])(?:{})(?![\w/.'=(-])"
# What pydantic says of a value, and what that comes to.
PYDANTIC = (
    (re.compile(r"Value error, '.*?' is not one of (?P<wanted>.*)\.", re.DOTALL), "expected {wanted}"),
    (re.compile(r"Input should be a valid integer\b.*"), "expected a whole number"),
    (re.compile(r"Input should be a valid number\b.*"), "expected a number"),
    (re.compile(r"Input should be greater than or equal to (?P<least>\S+)"), "expected {least} or more"),
    (re.compile(r"Input should be less than or equal to (?P<most>\S+)"), "expected at most {most}"),
    (re.compile(r"Value error, (?P<why>.*)", re.DOTALL), "{why}"),
)


class UsageError(typer.BadParameter):
    """A usage error that is shown as it is, without `Invalid value for` before it."""

    def format_message(self) -> str:
        """Return the message."""
        return self.message


def say_plainly(error: typer.BadParameter) -> None:
    """Replace what pydantic says of the value of an option by plain words with the value."""
    for pattern, words in PYDANTIC:
        if found := pattern.fullmatch(error.message):
            causes: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
            value = f"it is {causes[0]['input']!r:.60}; " if causes else ""
            error.message = value + words.format(
                **{name: text.replace("'", "") for name, text in found.groupdict().items()}
            )
            error.param_hint = error.param_hint or (error.param.opts[-1] if error.param and error.ctx else None)
            return


def as_options(text: str, keys: Collection[str] = (), command: Any = None) -> str:
    """Return a message with options in place of parameters: --top 3 for top := 3, and --max-order for max_order.

    keys: those of --set. command: the one that has the options.
    """
    known = map_options(command)

    def write_with_value(found: re.Match[str]) -> str:
        option = f"--{found[1].replace('_', '-')}"
        return f"--set {found[1]}={found[3]}" if found[1] in keys else option + f" {found[3]}" * (found[3] != "true")

    def write_list(found: re.Match[str]) -> str:
        return found[1] + re.sub(r"[a-z_]+", lambda each: known.get(each[0], each[0]), found[2])

    text = PARAMETER.sub(write_with_value, text)
    if (subject := SUBJECT.match(text)) and subject[1] in {*keys, *known}:
        name = subject[1]
        text = (f"--set {name}" if name in keys else known[name]) + text[subject.end() :]
    text = LIST.sub(write_list, text)
    if long := [name for name in known if "_" in name]:
        text = re.sub(UNQUOTED.format("|".join(long)), lambda each: known[each[0]], text)
    return text


def map_options(command: Any) -> dict[str, str]:
    """Return the options of a command by the names of their parameters, each as it is written."""
    found = {}
    for each in getattr(command, "params", ()):
        if each.param_type_name == "option":
            usual = f"--{each.name.replace('_', '-')}"
            found[each.name] = usual if usual in each.opts else each.opts[-1]
    return found


def ask_first(said: str, does: str) -> None:
    """Ask on a terminal whether to do what many things are done to. Raise QuestionError elsewhere: it needs --yes."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise QuestionError(f"{said}; --yes {does}s them")
    typer.confirm(f"{said}. {does.capitalize()} them?", abort=True, err=True)


def print_note(text: str) -> None:
    """Write one line to the log and to stderr, whatever characters it has; not to stderr if it is closed or full."""
    line = on_one_line(" ".join(text.split()))
    write_to_log(line)
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"aptdb: {line}\n")
        sys.stderr.flush()
    except OSError:
        write_no_more(sys.stderr)


def write_no_more(stream: TextIO) -> None:
    """Discard the buffer of a stream: Python would try to write it at the end, and report the failure."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


# Progress
@contextmanager
def report_waiting(what: str) -> Iterator[None]:
    """Report on stderr what takes longer than PATIENT: a spinner on a terminal, else one line."""
    with ExitStack() as shown:
        timer = Timer(PATIENT, begin_to_wait, (what, shown))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def begin_to_wait(what: str, shown: ExitStack) -> None:
    """Report on stderr that something takes long. shown: ends the spinner when it is closed."""
    from rich.console import Console  # after a second; most questions are answered before
    from rich.markup import escape

    console, line = Console(stderr=True), on_one_line(what)
    if console.is_terminal:
        shown.enter_context(console.status(escape(line), spinner="dots"))
    else:
        sys.stderr.write(f"aptdb: {line} …\n")


@contextmanager
def show_progress(file: str = "") -> Iterator[Callable[["Progress"], None]]:
    """Show a progress bar during the block; yield the callback by which `Lexicon.add` updates it.

    file: the name before it, by default that of the corpus.
    """
    if not sys.stderr.isatty():
        yield print_after_first_second(
            lambda now: f"{file or now.corpus}: {share_of(now)}{now.tokens:,} tokens so far{step_of(now)}"
        )
        return
    from rich.markup import escape
    from rich.progress import TextColumn

    with show_bar(
        escape(on_one_line(file)), TextColumn("{task.fields[tokens]:,} tokens"), BEFORE_PROGRESS, tokens=0
    ) as update:
        yield lambda now: update(
            description=escape(on_one_line(f"{file or now.corpus}{step_of(now)}")),
            total=now.size,
            completed=min(now.bytes_read, now.size or now.bytes_read),
            tokens=now.tokens,
        )


@contextmanager
def counting_up(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield the progress callback of a long task: callback(done, total)."""
    if not sys.stderr.isatty():
        yield print_after_first_second(lambda done, total: f"{done:,} of {total:,} {what} so far")
        return
    from rich.progress import MofNCompleteColumn

    with show_bar(what, MofNCompleteColumn()) as update:
        yield lambda done, total: update(completed=done, total=total)


def share_of(now: "Progress") -> str:
    """Return the share of a file that was read, if its size is known."""
    return f"{100 * now.bytes_read // now.size} % read, " if now.size else ""


def step_of(now: "Progress") -> str:
    """Return what is done now, if that is known."""
    return f"; {now.step}" if now.step else ""


def print_after_first_second(text: Callable[..., str]) -> Callable[..., None]:
    """Return a callback that prints a text of its arguments after the first second, then from time to time."""
    due = time.monotonic() + BEFORE_PROGRESS

    def follow(*now: Any) -> None:
        nonlocal due
        if time.monotonic() >= due:
            print_note(text(*now))
            due = time.monotonic() + BETWEEN_LINES

    return follow


@contextmanager
def show_bar(
    description: str, counted: "ProgressColumn", patience: float = 0, **state: Any
) -> Iterator[Callable[..., None]]:
    """Yield a function that updates a bar. The bar appears after some seconds, and disappears at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), counted, TimeElapsedColumn())
    begun = time.monotonic()
    with Bar(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(description, total=None, visible=not patience, **state)
        yield lambda **now: shown.update(task, visible=time.monotonic() - begun >= patience, **now)


# The log of a service or of a line of cron
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
                raise AptError(f"{self.file} exists and is not a log; name another file for --log")
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
