"""The program: what `aptdb`, `python -m aptdb` and `python cli.py` run."""

import atexit
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

STDERR = 2
ALWAYS = (signal.SIGINT, signal.SIGTERM)
SIGNALS = (*ALWAYS, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))  # SIGHUP may be ignored, as nohup does
COMPLETE = "_APTDB_COMPLETE"  # what a shell sets that asks for completion


def run() -> None:
    """Run a command, or complete one for a shell. Ctrl-C, SIGTERM and SIGHUP work from the first moment to the end."""
    if asked := os.environ.get(COMPLETE):
        from aptdb.commands import commands_shape
        from aptdb.commands.completion.answer import complete_and_end

        complete_and_end(asked, commands_shape)
    for each in SIGNALS:
        if each in ALWAYS or signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, stop_at_once)
    if sys.stderr is None:  # closed: nobody reads messages
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
    words = sys.argv[1:]
    if words == ["--help"] and is_help_shown():
        return
    from aptdb.commands import app_of

    try:
        app_of(command_of(words))(prog_name="aptdb")
    except SystemExit as ended:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        if (ended.code is None or isinstance(ended.code, int)) and sys.getprofile() is sys.gettrace() is None:
            end_at_once(ended.code or 0)
        raise


def end_at_once(status: int) -> None:
    """End the program when all is written and closed, without taking Python apart: that takes 60 ms of CPU.

    After Ctrl-C nothing is waited for; and Python would end itself by the signal if that had interrupted exec().
    """
    if not status:
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, by us or from the beginning
            stream.flush()
    os._exit(status)


def command_of(words: list[str]) -> str | None:
    """Return the command among the words of a line, after the options of the program; None if there is none."""
    from aptdb.commands.completion.shape import OF_PROGRAM

    place = 0
    while place < len(words) and words[place].partition("=")[0] in OF_PROGRAM:
        place += 1 if "=" in words[place] else 2
    return words[place] if place < len(words) else None


def is_help_shown() -> bool:
    """Show the help from the cache, because to import all commands for it takes 190 ms; return whether that worked.

    Where nothing can be written, the app reports why.
    """
    from shutil import get_terminal_size

    from aptdb.commands.completion.shape import read_or_cache

    text = read_or_cache(f"help-{get_terminal_size().columns}", str, help_text)
    with suppress(OSError, UnicodeError, AttributeError):
        sys.stdout.write(text)
        sys.stdout.flush()
        return True
    return False


def help_text() -> str:
    """Return the help of all commands."""
    from typer.main import get_command

    from aptdb.commands import app_for

    with get_command(app_for()).make_context("aptdb", [], resilient_parsing=True) as context:
        return f"{context.get_help()}\n"


def stop_at_once(number: int, _: object) -> None:
    """End the program at a signal during imports, where an exception would show a traceback.

    A further signal does nothing to a program that has stopped already, and is about to end.
    """
    interrupts = sys.modules.get("aptdb.store.interrupts")
    if interrupts is not None and hasattr(interrupts, "is_stopped") and interrupts.is_stopped():
        return
    with suppress(OSError):
        os.write(STDERR, b"aptdb: stopped; nothing is left half done\n")
    os._exit(128 + number)


if __name__ == "__main__":
    run()
