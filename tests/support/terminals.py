"""Commands in a terminal of their own: what a person sees.

They run in processes that begin warm: a server has imported the program, and forks a child for each command.
"""

import os
import pty
import sys
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import patch

FORKED = get_context("forkserver")
OURS = ("support.as_program", "aptdb.__main__", "aptdb.commands.app", "aptdb.lexicon")
# Typer imports some when a program runs, and rich when it writes to a terminal; what is missing is left out.
THEIRS = ("duckdb_engine", "typer.main", "typer._adapters", "platformdirs", "rich.console", "rich.table")
FORKED.set_forkserver_preload([*OURS, *THEIRS])
LOOKS = {"TERM": "dumb", "COLUMNS": "100", "LINES": "40"}


def shown(arguments: list[str], folder: Path, *, typed: str = "", **looks: str) -> str:
    """What a command writes to a terminal of 100 columns without colours, or one of other looks. typed: its input."""
    master, slave = pty.openpty()
    os.write(master, typed.encode())
    child = FORKED.Process(target=act, args=(arguments, str(folder), os.ttyname(slave), {**LOOKS, **looks}))
    with patch.dict(os.environ, PYTHONPATH=str(Path(__file__).parents[1])):  # where the server finds as_program
        child.start()
    written = b""
    os.set_blocking(master, False)
    while child.is_alive():
        child.join(0.002)
        written += read(master)
    os.close(slave)
    while piece := read(master):
        written += piece
    os.close(master)
    lines = [line.rstrip() for line in written.decode().replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n") + "\n"


def read(master: int) -> bytes:
    """What has come from the terminal; nothing where nothing is there, or its other end is closed."""
    try:
        return os.read(master, 65536)
    except OSError:
        return b""


def act(arguments: list[str], folder: str, terminal: str, looks: dict[str, str]) -> None:
    """Run the program in a folder and in a terminal, which are this process's own."""
    os.environ.update(looks)
    os.chdir(folder)
    other = os.open(terminal, os.O_RDWR)
    for stream in range(3):
        os.dup2(other, stream)
    from aptdb.__main__ import run

    sys.dont_write_bytecode = "PYTHONDONTWRITEBYTECODE" in os.environ  # as a program that begins now has it
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.argv = ["aptdb", *arguments]
    try:
        run()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
