"""The program: what `aptdb`, `python -m aptdb` and `python cli.py` run."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

STDERR = 2
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run() -> None:
    """Run the command. Ctrl-C and SIGTERM work from the first moment to the end."""
    for each in SIGNALS:
        signal.signal(each, stop_at_once)
    if sys.stderr is None:  # closed: nobody reads messages
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
    from aptdb.commands import app

    try:
        app(prog_name="aptdb")
    except SystemExit as ended:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        if isinstance(ended.code, int) and ended.code:
            # Everything is written and closed. Python would end itself by the signal if Ctrl-C had interrupted exec().
            os._exit(ended.code)
        raise


def stop_at_once(number: int, _: object) -> None:
    """End the program before anything has begun, e.g. during imports, where an exception would show a traceback."""
    with suppress(OSError):
        os.write(STDERR, b"aptdb: stopped; nothing is left half done\n")
    os._exit(128 + number)


if __name__ == "__main__":
    run()
