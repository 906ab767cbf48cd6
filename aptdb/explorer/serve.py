"""Serve the pages of a lexicon to this machine."""

import signal
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from aptdb.core.errors import QuestionError
from aptdb.explorer.lexicon_pool import Readers
from aptdb.explorer.sql_box import SqlLimits
from aptdb.store.limits import Limits

INSTALL = "install it with: pip install 'aptdb[web]'"


def need_templates() -> None:
    """Raise QuestionError if the template engine is not installed."""
    need("jinja2")


def need_web() -> None:
    """Raise QuestionError if the web server is not installed."""
    need("jinja2", "starlette", "uvicorn")


def need(*modules: str) -> None:
    """Raise QuestionError if a module is not installed."""
    for each in modules:
        try:
            there = find_spec(each) is not None
        except (ImportError, ValueError):
            there = False
        if not there:
            raise QuestionError(f"pages need {each}; {INSTALL}")


HERE = "127.0.0.1"
LONGEST_ADDRESS = 1 << 18  # bytes of a request without its end: a longer address gets an error without a page


def serve(
    file: Path, port: int, limits: Limits, of_sql: SqlLimits, *, quick: bool, report: Callable[[str], None]
) -> None:
    """Serve a lexicon at a port of this machine alone, until Ctrl-C or SIGTERM. Port 0 is any free port.

    report: called with the address, and with later errors. Raises QuestionError if the port is taken, and LexiconError.
    """
    need_web()
    with closing(listening(port)) as bound, closing(Readers(file, limits, quick=quick, report=report)) as readers:
        run(bound, readers, of_sql, report)


def listening(port: int) -> socket.socket:
    """Return a listening socket at a port of this machine. Raise QuestionError."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((HERE, port))
        bound.listen()  # the address is reported only when it answers
    except (OSError, OverflowError) as error:
        bound.close()
        why = error.strerror if isinstance(error, OSError) else error
        raise QuestionError(f"port {port} cannot be used: {why}; choose another with --port") from error
    return bound


def run(bound: socket.socket, readers: Readers, of_sql: SqlLimits, report: Callable[[str], None]) -> None:
    """Answer at a socket until a signal comes."""
    import uvicorn

    from aptdb.explorer.web import application

    port = bound.getsockname()[1]
    config = uvicorn.Config(
        application(readers, port, of_sql, report),
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
        http="h11",
        h11_max_incomplete_event_size=LONGEST_ADDRESS,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    end = server.handle_exit

    def stop(number: int, frame: FrameType | None) -> None:
        readers.stop_all()  # uvicorn waits for all who ask
        end(number, frame)

    server.handle_exit = stop  # type: ignore[assignment, method-assign]
    if hasattr(signal, "SIGHUP"):  # a terminal that is closed
        signal.signal(signal.SIGHUP, lambda _, frame: stop(signal.SIGTERM, frame))
    report(f"{readers.file} is at http://{HERE}:{port}/ for this machine; Ctrl-C ends it")
    with suppress(KeyboardInterrupt):  # which uvicorn raises again after it has ended in order
        server.run(sockets=[bound])
