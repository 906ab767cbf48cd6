"""One SELECT of a stranger, in a process that `confined_processes` starts. SQL alone is not a security boundary.

It reads a line of JSON from its input, with the file, its state when it was verified, and the limits of memory and
seconds, writes its process id, opens the file, and says that it is ready. A second line, which may come much later, has
the query, and the limits of rows and bytes. It writes a line for the columns, one for each row, all values as text, and
one for the notes and the end. When the query comes, the process can open no file and no connection, and write nothing;
the system limits its memory and time. Where the counts are in a folder, its files are opened for each question; there
only DuckDB restricts access.
"""

import datetime  # noqa: F401 (with the three below: types of values; nothing can be imported once a query runs)
import decimal  # noqa: F401
import json
import os
import re
import signal
import socket
import sys
import tempfile
import uuid  # noqa: F401
import zoneinfo  # noqa: F401
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from aptdb.core.errors import AptError, NoRoomError, QuestionError, warnings_heard
from aptdb.explorer.helper_processes import end_with_parent
from aptdb.lexicon import Lexicon, of_session
from aptdb.questions.read_only import refuse_all_but_select
from aptdb.store import (
    duckdb_messages,  # noqa: F401 (words for errors, which must be there, too)
    verified_files,
)
from aptdb.store.counts_location import find_counts_folder
from aptdb.store.definitions import definitions_digest
from aptdb.store.statements import read_all

BESIDE_DUCKDB = 400_000_000  # bytes of Python, libraries and plans
OF_REQUESTS, MOST_CONNECTIONS = 65_536, 250  # bytes of requests, and connections, that are read at once
LOOK = 0.5  # seconds between two looks at copies that have ended
OF_START = 5  # seconds of processors until the process is ready
POLITE = 5  # how much others come first
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
    """Answer the question on standard input; or start a copy of this process for each, where the argument says so."""
    for room in ("questions", "store"):  # once for all copies
        read_all(room)
    if sys.argv[1:] == ["--copied"]:
        serve_copies(socket.socket(fileno=os.dup(sys.stdin.fileno())))
    else:
        answer_input()


def serve_copies(requests: socket.socket) -> None:
    """Copy this process for each request, which has the folder to work in and a connection, until no more can come.

    A request may also kill a copy. No process id is used again before `waitpid`, so no other process can be killed.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, as some supervisors do, there would be nothing to wait for
    definitions_digest()  # which each would compute
    copies, unread, connections = set[int](), b"", list[int]()
    try:
        while True:
            copies -= {each for each in copies if os.waitpid(each, os.WNOHANG)[0]}
            requests.settimeout(LOOK if copies else None)
            try:
                text, given, *_ = socket.recv_fds(requests, OF_REQUESTS, MOST_CONNECTIONS)
            except TimeoutError:
                continue
            if not text:
                return
            *lines, unread = (unread + text).split(b"\n")
            connections += given
            for each in map(json.loads, lines):
                if each.get("kill") in copies:
                    kill_group(each["kill"])
                elif "start" in each and (copy := copy_for(connections.pop(0), each["start"])):
                    copies.add(copy)
    finally:
        for each in copies:
            kill_group(each)
        for each in copies:
            os.waitpid(each, 0)


def copy_for(connection: int, folder: str) -> int | None:
    """Return the process id of a copy of this process, which works in a folder and answers by a connection.

    None where the system has no room for it; whoever asks sees the connection close.
    """
    try:
        copy = os.fork()
    except OSError:
        os.close(connection)
        return None
    if copy:
        os.close(connection)
        with suppress(OSError):  # the copy has done it, or ended
            os.setpgid(copy, 0)
        return copy
    try:
        os.setpgid(0, 0)  # in a session of its own, Linux would take no notice of its priority (autogroup)
        for stream in (sys.stdin, sys.stdout):
            os.dup2(connection, stream.fileno())
        os.closerange(sys.stderr.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        os.chdir(folder)
        answer_input()
    finally:
        os._exit(0)


def kill_group(process: int) -> None:
    """Kill a process and its children."""
    with suppress(OSError):  # it has ended
        os.killpg(process, signal.SIGKILL)


def answer_input() -> None:
    """Answer the question on standard input."""
    line = sys.stdin.readline()
    if not line:
        return
    place, out = json.loads(line), sys.stdout
    write_other_line(out, {"pid": os.getpid()})
    verified_files.trust(Path(place["file"]), place["verified"])
    hide = make_folder_hider(folders(Path(place["file"])))
    try:
        with Lexicon.open(place["file"], memory=place["memory"]) as lexicon:
            lexicon.sql("SELECT now()")  # reads all that could not be read afterwards, also of the time zone
            used_names(lexicon, "SELECT 1")
            limit(place["memory"], place["seconds"], opens_files=find_counts_folder(lexicon.file) is not None)
            write_other_line(out, {"ready": True})
            line = sys.stdin.readline()
            if not line:  # nobody has asked
                return
            end_with_parent()
            with warnings_heard() as heard:
                write_confined_answer(lexicon, json.loads(line), out, heard, hide)
    except (AptError, MemoryError) as error:
        much = f"this needs more than the {place['memory'] // 10**6:,} MB of memory that a query here may have"
        write_other_line(out, {"error": much if is_of_memory(error) else hide(str(error))})


def is_of_memory(error: BaseException) -> bool:
    """Return whether an error comes from too little memory: a temporary file cannot be opened either."""
    return isinstance(error, NoRoomError | MemoryError) or TEMPORARY in str(error)


used_names = of_session(lambda session, query: refuse_all_but_select(session.reading(), query).names)


def refuse_machine(names: Iterable[str]) -> None:
    """Raise QuestionError if a query asks about the machine."""
    for each in sorted(names):
        if found := OF_MACHINE.search(each):
            raise QuestionError(f"{found[0]} shows the machine, not the lexicon; it cannot be asked here")


def folders(file: Path) -> list[str]:
    """Return the folders of this machine that an answer must not show, the longest first."""
    ours = Path(__file__).parents[1]
    found = {file.parent, file.parent.parent, Path.cwd(), Path(tempfile.gettempdir()), ours, Path(sys.prefix)}
    with suppress(RuntimeError):
        found.add(Path.home())
    return sorted({str(each) for each in found if len(each.parts) > 1}, key=len, reverse=True)


def make_folder_hider(hidden: list[str]) -> Callable[[str], str]:
    """Return a function that takes folders out of a text."""

    def shown(text: str) -> str:
        for each in hidden:
            text = text.replace(each, HIDDEN)
        return text

    return shown


def write_confined_answer(
    lexicon: Lexicon, asked: dict[str, Any], out: TextIO, heard: dict[str, Any], hide: Callable[[str], str]
) -> None:
    """Write the answer to a question, cut to its first rows. hide: a function that takes folders out of a text."""
    refuse_machine(used_names(lexicon, asked["query"]))
    found = lexicon.sql(asked["query"], most=asked["rows"] + 1)
    write_other_line(out, {"columns": found.columns, "types": found.types})
    written = 0
    for row in found.rows[: asked["rows"]]:
        line = json.dumps([None if each is None else hide(str(each)) for each in row], ensure_ascii=True)
        written += len(line)
        if written > asked["bytes"]:
            write_other_line(out, {"end": True, "more": True, "notes": [*map(hide, heard)], "cut": True})
            return
        out.write(f"{line}\n")
    write_other_line(out, {"end": True, "more": len(found.rows) > asked["rows"], "notes": [*map(hide, heard)]})


def write_other_line(out: TextIO, what: dict[str, Any]) -> None:
    """Write a line that is not a row."""
    out.write(f"{json.dumps(what)}\n")
    out.flush()


def limit(memory: int, seconds: float, *, opens_files: bool) -> None:
    """Limit the memory, processor time and files of this process, where the system can."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(POLITE)
    try:
        import resource
    except ImportError:  # Windows; the server's own clock ends the process there too
        return
    limits = {
        "RLIMIT_DATA": memory + BESIDE_DUCKDB,
        "RLIMIT_CPU": int(seconds * 4) + 1 + OF_START,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_NOFILE": 0,  # what is open stays so, and nothing else can be opened
        "RLIMIT_CORE": 0,
    }
    if opens_files:
        del limits["RLIMIT_NOFILE"]
    for name, value in limits.items():
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (value, value))


if __name__ == "__main__":
    run_confined()
