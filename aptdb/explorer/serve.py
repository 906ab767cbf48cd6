"""Serve the pages of a lexicon to this machine."""

import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.explorer.lexicon_pool import Readers
from aptdb.explorer.sql_box import SqlLimits
from aptdb.store.interrupts import is_heard
from aptdb.store.limits import Limits

INSTALL = "install it with: pip install 'aptdb[web]'"


TEMPLATES = ("jinja2",)
WEB = (*TEMPLATES, "starlette", "uvicorn")


def need_for_pages(modules: Sequence[str]) -> None:
    """Raise QuestionError if a module is not installed: one of TEMPLATES, for files, or of WEB, for a server."""
    for each in modules:
        try:
            there = find_spec(each) is not None
        except (ImportError, ValueError):
            there = False
        if not there:
            raise QuestionError(f"pages need {each}; {INSTALL}")


HERE = "127.0.0.1"
LONGEST_ADDRESS = 1 << 18  # bytes of a request without its end: a longer address gets an error without a page
LOOPBACK = (HERE, "localhost", "::1")


@dataclass(frozen=True)
class Door:
    """Where a server listens, and whom it lets in. port: 0 for any that is free. has_token: whether it asks for one.

    may_keep: whether who looks may keep subcorpora in the lexicon.
    """

    port: int
    host: str = HERE
    has_token: bool = True
    may_keep: bool = False

    @property
    def is_local(self) -> bool:
        """Return whether only this machine can reach it."""
        return self.host in LOOPBACK


def serve(
    file: Path, door: Door, limits: Limits, of_sql: SqlLimits, *, quick: bool, report: Callable[[str], None]
) -> None:
    """Serve a lexicon at a port until Ctrl-C or SIGTERM.

    report: called with the address, and with later errors. Raises QuestionError if the port is taken, and LexiconError.
    """
    need_for_pages(WEB)
    if not door.is_local and not door.has_token:
        raise QuestionError(f"--host {door.host} admits other machines, so a token is needed; leave out --no-token")
    if door.may_keep and not door.has_token:
        raise QuestionError("--allow-subcorpora lets pages write, so a token is needed; leave out --no-token")
    from aptdb.explorer.access import new_token

    token = new_token() if door.has_token else None
    with (
        closing(listening(door.port, door.host)) as bound,
        closing(Readers(file, limits, quick=quick, report=report)) as readers,
    ):
        answer_at_socket(bound, readers, of_sql, report, door, token)


def listening(port: int, host: str = HERE) -> socket.socket:
    """Return a listening socket at a port. Raise QuestionError."""
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, OverflowError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise QuestionError(f"--host {host}: {why}; name an address of this machine, e.g. 0.0.0.0 for all") from error
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(place)
        bound.listen()  # the address is reported only when it answers
    except (OSError, OverflowError) as error:
        bound.close()
        why = error.strerror if isinstance(error, OSError) else error
        what = f"port {port}" if host == HERE else f"port {port} of {host}"
        raise QuestionError(f"{what} cannot be used: {why}; choose another with --port") from error
    return bound


def answer_at_socket(
    bound: socket.socket,
    readers: Readers,
    of_sql: SqlLimits,
    report: Callable[[str], None],
    door: Door,
    token: str | None,
) -> None:
    """Answer at a socket until a signal comes."""
    from aptdb.explorer.access import MOST_CONNECTIONS, WHOLE, prompt_protocol
    from aptdb.explorer.web import application

    port = bound.getsockname()[1]
    said = f"{readers.file} is at {first_address(door, port, token)} for {whom(door, token)}; Ctrl-C stops it"
    run_until_signal(
        bound,
        application(readers, port, of_sql, report, token=token, any_host=not door.is_local, may_keep=door.may_keep),
        partial(report, said),
        readers.stop_all,
        h11_max_incomplete_event_size=LONGEST_ADDRESS,
        http=prompt_protocol(whole=WHOLE + 2 * of_sql.seconds),
        limit_concurrency=MOST_CONNECTIONS,
    )


def run_until_signal(
    bound: socket.socket, app: Any, begin: Callable[[], None], stop: Callable[[], None], **how: Any
) -> None:
    """Run an application at a socket until Ctrl-C, SIGTERM or, of a terminal that is closed, SIGHUP.

    begin: called when signals are heard. stop: called when one comes, as uvicorn waits for all who ask. how: as uvicorn
    takes it.
    """
    import uvicorn

    quiet: dict[str, Any] = {"log_level": "critical", "access_log": False, "server_header": False}
    server = uvicorn.Server(uvicorn.Config(app, lifespan="on", timeout_graceful_shutdown=1, **quiet, **how))
    end = server.handle_exit

    def handle(number: int, frame: FrameType | None) -> None:
        stop()
        end(number, frame)

    server.handle_exit = handle  # type: ignore[assignment, method-assign]
    if hasattr(signal, "SIGHUP") and is_heard(signal.SIGHUP):
        signal.signal(signal.SIGHUP, lambda _, frame: handle(signal.SIGTERM, frame))
    begin()
    with suppress(KeyboardInterrupt):  # which uvicorn raises again after it has ended in order
        server.run(sockets=[bound])


def first_address(door: Door, port: int, token: str | None) -> str:
    """Return the address of the first page, with the token."""
    names = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}
    host = names.get(door.host, f"[{door.host}]" if ":" in door.host else door.host)
    return f"http://{host}:{port}/{f'?token={token}' if token else ''}"


def whom(door: Door, token: str | None) -> str:
    """Return who can look at the pages, in words."""
    if token is None:
        return "all users of this machine"
    return "whoever has this address" + (", on this machine" if door.is_local else "")
