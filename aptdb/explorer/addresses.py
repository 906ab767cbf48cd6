"""The parameters of addresses: which pages take which, and how long they may be; whoever asks, and files as answers."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from aptdb.core.errors import QuestionError
from aptdb.explorer.pages import KINDS, takes
from aptdb.explorer.table_tools import FILES, write_rows

LONGEST = 4000  # letters of a value in an address, but of SQL


def check_address(request: Request, page: str) -> None:
    """Raise QuestionError for an address of a page with unknown, missing or too long parameters."""
    kind = KINDS[page]
    of_pieces = {*takes(page)}
    read_address(request, kind.takes, kind.needs, also=of_pieces)


def read_address(
    request: Request,
    takes: Sequence[str],
    needs: Sequence[str] = (),
    longest: int = LONGEST,
    also: Collection[str] = (),
) -> dict[str, str]:
    """Return the parameters of an address. Raise QuestionError for unknown, missing or too long ones.

    also: parameters that are taken, and not named in the message.
    """
    given = request.query_params.multi_items()
    named = dict(given)
    for name, value in given:
        if name not in takes and name not in also:
            there = f"; this page takes {', '.join(takes)}" if takes else ""
            raise QuestionError(f"no parameter {name!r:.60}{there}")
        if len(value) > longest:
            raise QuestionError(f"{name} has {len(value):,} letters; it may have {longest:,}")
    if len(named) < len(given):
        raise QuestionError("a parameter occurs twice in this address")
    for name in needs:
        if not named.get(name):
            example = "1" if name == "number" else "dog/NOUN"
            raise QuestionError(f"this page needs {name}, e.g. ?{name}={example}")
    return named


def asked_for(request: Request) -> str:
    """Return the text for the search box beside a refusal."""
    given = request.query_params
    return str(given.get("x") or given.get("q") or given.get("lexeme") or given.get("a") or "")[:200]


def visitor_of(request: Request) -> str:
    """Return a name of whoever asks."""
    return str(request.scope.get("visitor", ""))


async def left(request: Request) -> None:
    """Wait until whoever asked has gone away."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.2)


def as_download(request: Request, names: Sequence[str], rows: Sequence[Sequence[Any]], name: str = "") -> Response:
    """Return named rows as a file of the format in the address, and of its name unless another is given."""
    own, _, format = request.url.path.rpartition("/")[2].rpartition(".")
    headers = {"Content-Disposition": f'attachment; filename="{name or own}.{format}"'}
    return Response(write_rows(names, rows, format), media_type=FILES[format], headers=headers)
