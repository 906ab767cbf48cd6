"""One SELECT of a stranger, in a confined process, which `sql_box` starts. SQL alone is not a security boundary.

It reads one line of JSON from its input: the file, the query, and the limits of rows, bytes and seconds. It writes a
line for the columns, one for each row, all values as text, and one for the notes and the end. The process can open no
file and no connection, and write nothing; the system limits its memory and time. Where the counts are in a folder, its
files are opened for each question; there only DuckDB restricts access.
"""

import json
import sys
from contextlib import suppress
from typing import Any, TextIO

from aptdb.core.errors import AptError, NoRoomError, warnings_heard
from aptdb.explorer.helper_processes import end_with_parent
from aptdb.lexicon import Lexicon
from aptdb.store.counts_location import counts_of

BESIDE_DUCKDB = 400_000_000  # bytes of Python, libraries and plans
TEMPORARY = "duckdb_temp"  # in the names of DuckDB's temporary files


def main() -> None:
    """Answer the question on standard input."""
    asked = json.loads(sys.stdin.readline())
    end_with_parent()
    out = sys.stdout
    try:
        with Lexicon.open(asked["file"], memory=asked["memory"]) as lexicon:
            lexicon.sql("SELECT 1")  # reads all that could not be read afterwards
            limit(asked["memory"], asked["seconds"], opens_files=counts_of(lexicon.file) is not None)
            with warnings_heard() as heard:
                answer(lexicon, asked, out, heard)
    except (AptError, MemoryError) as error:
        much = f"this needs more than the {asked['memory'] // 10**6:,} MB of memory that a query here may have"
        write(out, {"error": much if is_of_memory(error) else str(error)})


def is_of_memory(error: BaseException) -> bool:
    """Return whether an error comes from too little memory: a temporary file cannot be opened either."""
    return isinstance(error, NoRoomError | MemoryError) or TEMPORARY in str(error)


def answer(lexicon: Lexicon, asked: dict[str, Any], out: TextIO, heard: dict[str, Any]) -> None:
    """Write the answer to a question, cut to its first rows."""
    found = lexicon.sql(asked["query"], most=asked["rows"] + 1)
    write(out, {"columns": found.columns, "types": found.types})
    written = 0
    for row in found.rows[: asked["rows"]]:
        line = json.dumps([None if each is None else str(each) for each in row], ensure_ascii=True)
        written += len(line)
        if written > asked["bytes"]:
            write(out, {"end": True, "more": True, "notes": [*heard], "cut": True})
            return
        out.write(f"{line}\n")
    write(out, {"end": True, "more": len(found.rows) > asked["rows"], "notes": [*heard]})


def write(out: TextIO, what: dict[str, Any]) -> None:
    """Write a line that is not a row."""
    out.write(f"{json.dumps(what)}\n")
    out.flush()


def limit(memory: int, seconds: float, *, opens_files: bool) -> None:
    """Limit the memory, processor time and files of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows; the server's own clock ends the process there too
        return
    limits = {
        "RLIMIT_DATA": memory + BESIDE_DUCKDB,
        "RLIMIT_CPU": int(seconds * 4) + 1,
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
    main()
