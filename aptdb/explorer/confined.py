"""One SELECT of a stranger, in a process that `sql_queue` starts. SQL alone is not a security boundary.

It reads a line of JSON from its input: the file and its state when it was verified, and the limits of memory and
seconds. It opens the file, and says that it is ready. A second line, which may come later, has the query and the limits
of its answer; one line with the answer or the error follows. When the query comes, the process can open no file and no
connection, and write nothing; the system limits its memory and time. Where the counts are in a folder, its files are
opened for each question; there only DuckDB restricts access.

To import all modules takes longer than most queries. Where the system can copy a process, one imports them once, and
each query has a copy. The fork server of `multiprocessing` is none for strangers: it keeps our environment, imports
from the folder where the server was started, runs the server's main module again, leaves a folder when the server is
killed, and ends where there is no room for a copy.
"""

import datetime  # noqa: F401 (with the three below: types of values; nothing can be imported once a query runs)
import decimal  # noqa: F401
import json
import math
import os
import re
import select
import signal
import socket
import sys
import tempfile
import uuid  # noqa: F401
import zoneinfo  # noqa: F401
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from aptdb.core.display import is_numeric
from aptdb.core.errors import AptError, NoRoomError, QuestionError, warnings_heard
from aptdb.explorer.helper_processes import end_with_parent
from aptdb.lexicon import Lexicon
from aptdb.questions.read_only import refuse_all_but_select
from aptdb.store import (
    duckdb_messages,  # noqa: F401 (words for errors, which must be there, too)
    open_files,
)
from aptdb.store.counts_location import find_counts_folder
from aptdb.store.definitions import definitions_digest
from aptdb.store.methods import of_session
from aptdb.store.statements import read_all

BESIDE_DUCKDB = 400_000_000  # bytes of Python, libraries and plans
OF_START = 5  # seconds of processors until the process is ready
POLITE = 5  # how much others come first
LONGEST_FOLDER = 1 << 16  # bytes
TEMPORARY = "duckdb_temp"  # in the names of DuckDB's temporary files
HIDDEN = "…"  # in place of a folder of the machine
# What shows files, settings and extensions of the machine, or runs text that shows them.
OF_MACHINE = re.compile(
    r"\b(duckdb_(settings|databases|extensions|secrets|secret_types|logs?|log_contexts|temporary_files|memory|"
    r"external_file_cache|which_secret|repositories)|pragma_(database_list|storage_info|metadata_info|"
    r"last_profiling_output)|current_setting|which_secret|pg_settings|pg_tablespace|query|json_execute_serialized_sql|"
    r"enable_profiling|enable_logging|read_duckdb)\b"
)


def run_confined() -> None:
    """Answer the query of the input; or copy this process for each, where the argument says so."""
    for room in ("questions", "store"):  # once for all copies
        read_all(room)
    if sys.argv[1:] == ["--copied"]:
        copy_for_each(socket.socket(fileno=os.dup(sys.stdin.fileno())))
    else:
        answer_input()


def copy_for_each(requests: socket.socket) -> None:
    """Copy this process for each request, a folder to work in and a connection, until no more can come.

    Where the system has no room for a copy, whoever asks sees the connection close.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for copies
    definitions_digest()  # which each would compute
    while (received := socket.recv_fds(requests, LONGEST_FOLDER, 1))[0]:
        with suppress(OSError):
            if os.fork() == 0:
                keep_copy(received[1][0], received[0])
        os.close(received[1][0])


def keep_copy(connection: int, folder: bytes) -> None:
    """Answer by a connection in a child, and kill it and its children when the other end closes. Never return.

    The connection closes when the child has ended, and the system has taken back its memory.
    """
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # so that no other process has the child's id before it is killed
        for stream in (sys.stdin, sys.stdout):
            os.dup2(connection, stream.fileno())
        os.closerange(sys.stderr.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        os.chdir(folder)
        ended, held = os.pipe()
        if (child := os.fork()) == 0:
            os.setpgid(0, 0)  # in a session of its own, Linux would take no notice of its priority (autogroup)
            os.close(ended)
            answer_input()
            return
        os.close(held)
        with suppress(OSError):  # the child has done it, or ended
            os.setpgid(child, child)
        waiting = select.poll()
        waiting.register(sys.stdin, select.POLLRDHUP)
        waiting.register(ended, 0)
        waiting.poll()
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    finally:
        os._exit(0)


def answer_input() -> None:
    """Open the file that the first line of the input names, and answer the query of the second, each in one line."""
    if not (line := sys.stdin.readline()):
        return
    opening = json.loads(line)
    file, memory = Path(opening["file"]), opening["memory"]
    open_files.trust(file, opening["verified"])
    hidden = folders_of_machine(file)
    try:
        with Lexicon.open(file, memory=memory) as lexicon:
            lexicon.sql("SELECT now()")  # reads all that could not be read afterwards, also of the time zone
            used_names(lexicon, "SELECT 1")
            limit_process(memory, opening["seconds"], opens_files=find_counts_folder(lexicon.file) is not None)
            write_to_server([json.dumps({"ready": os.getpid()})])
            if not (line := sys.stdin.readline()):  # nobody has asked
                return
            end_with_parent()
            write_to_server(ask_confined(lexicon, json.loads(line), hidden))  # to close the lexicon takes longer
    except (AptError, MemoryError) as error:
        much = f"this query needs more than the {memory // 10**6:,} MB of memory that it may use here"
        # A temporary file cannot be opened where memory does not suffice.
        is_of_memory = isinstance(error, NoRoomError | MemoryError) or TEMPORARY in str(error)
        write_to_server([json.dumps({"error": much if is_of_memory else hide_folders(str(error), hidden)})])


def write_to_server(pieces: Iterable[str]) -> None:
    """Write the pieces of a line to the output at once."""
    sys.stdout.writelines([*pieces, "\n"])
    sys.stdout.flush()


used_names = of_session(lambda session, query: refuse_all_but_select(session.reading(), query).names)


def folders_of_machine(file: Path) -> list[str]:
    """Return the folders of this machine that an answer must not show, the longest first."""
    ours = Path(__file__).parents[1]
    found = {file.parent, file.parent.parent, Path.cwd(), Path(tempfile.gettempdir()), ours, Path(sys.prefix)}
    with suppress(RuntimeError):
        found.add(Path.home())
    return sorted({str(each) for each in found if len(each.parts) > 1}, key=len, reverse=True)


def hide_folders(text: str, hidden: list[str]) -> str:
    """Return a text without folders of this machine."""
    for each in hidden:
        text = text.replace(each, HIDDEN)
    return text


def ask_confined(lexicon: Lexicon, asked: dict[str, Any], hidden: list[str]) -> list[str]:
    """Return the answer to a query, cut to its first rows, as pieces of JSON.

    Values are numbers where the column has numbers and nothing is lost by it, else text.
    """

    def value(found: Any, kind: str) -> Any:
        is_number = type(found) is int or (type(found) is float and math.isfinite(found))
        return found if found is None or (is_number and is_numeric(kind)) else hide_folders(str(found), hidden)

    with warnings_heard() as heard:
        for each in sorted(used_names(lexicon, asked["query"])):
            if of_machine := OF_MACHINE.search(each):
                raise QuestionError(f"{of_machine[0]} shows the machine, not the lexicon, so it cannot be used here")
        found = lexicon.sql(asked["query"], most=asked["rows"] + 1)
    lines, size, left_out = list[str](), 0, ""
    for row in found.rows:
        lines.append(json.dumps([value(*each) for each in zip(row, found.types, strict=True)]))
        size += len(lines[-1])
        if size > asked["size"] or len(lines) > asked["rows"]:
            lines.pop()
            is_many = len(lines) == asked["rows"]
            left_out = f"a query here gives up to {len(lines):,}" if is_many else "all would be too large"
            break
    notes = [hide_folders(each, hidden) for each in heard]
    if left_out:
        notes.append(f"These are the first {len(lines):,} rows; {left_out}.")
    rest = {"columns": found.columns, "types": found.types, "notes": notes, "left_out": left_out}
    rows = [piece for line in lines for piece in (", ", line)][1:]
    return [json.dumps(rest)[:-1], ', "rows": [', *rows, "]}"]


def limit_process(memory: int, seconds: float, *, opens_files: bool) -> None:
    """Limit the memory, processor time and files of this process, where the system can."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(POLITE)
    try:
        import resource
    except ImportError:  # Windows; the server's own clock ends the process there too
        return
    limits = {"DATA": memory + BESIDE_DUCKDB, "CPU": int(seconds * 4) + 1 + OF_START, "FSIZE": 0, "CORE": 0}
    if not opens_files:
        limits["NOFILE"] = 0  # what is open stays so, and nothing else can be opened
    for name, value in limits.items():
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


if __name__ == "__main__":
    run_confined()
