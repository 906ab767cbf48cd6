"""The program: what `aptdb`, `python -m aptdb` and `python cli.py` run."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

STDERR = 2


def run() -> None:
    """Run the command. Ctrl-C works from the first moment to the end."""
    signal.signal(signal.SIGINT, stop_at_once)
    if sys.stderr is None:  # closed: nobody reads messages
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
    from aptdb.commands import app

    try:
        app(prog_name="aptdb")
    except SystemExit as ended:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if ended.code == 1:
            # Everything is written and closed. Python would end itself by the signal if Ctrl-C had interrupted exec().
            os._exit(1)
        raise


def stop_at_once(*_: object) -> None:
    """End the program before anything has begun, e.g. during imports, where an exception would show a traceback."""
    with suppress(OSError):
        os.write(STDERR, b"aptdb: stopped; nothing is left half done\n")
    os._exit(1)


if __name__ == "__main__":
    run()
