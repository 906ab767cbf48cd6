"""Who may look: the token of an address, the cookie that keeps it, other sites, and connections that are too slow.

Every user of a machine can reach a port of it. So the address that the server reports carries a token, as Jupyter's
does; whoever opens it gets a cookie, and the token leaves the address. Programs send it as `Authorization: Bearer`.
"""

import os
import re
import secrets
import traceback
from asyncio import TimerHandle
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from aptdb.core.errors import QuestionError

VARIABLE = "APTDB_TOKEN"  # the environment variable that names a token; an option could be seen by all users
SHORTEST = 16
LETTERS = re.compile(r"[A-Za-z0-9_-]+")
NAME = "token"  # in addresses
NEEDED = (
    "<!doctype html>\n<html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    "<title>A token is needed</title><main><h1>A token is needed</h1><p>{why} Open the whole address that "
    "<code>aptdb serve</code> reported, or give its token here.</p><form action='/'><label>Token "
    "<input name='token' type='password' autocomplete='off' autofocus></label> "
    "<button>Open</button></form></main></html>\n"
)


def new_token() -> str:
    """Return a token: the one of the environment, or a new one. Raise QuestionError if it is too short."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return secrets.token_urlsafe(24)
    if len(given) < SHORTEST or not LETTERS.fullmatch(given):
        raise QuestionError(f"{VARIABLE} must have {SHORTEST} or more letters, digits, - and _, and nothing else")
    return given


class TokenGate:
    """Lets those pass who have the token. visitor: a name of whoever asks, in the scope of what passes."""

    def __init__(self, app: ASGIApp, port: int, token: str | None) -> None:
        self._app, self._token = app, token
        self._cookie = f"aptdb-{port}"  # cookies do not tell ports apart

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, ask for the token, or take it out of the address."""
        if scope["type"] == "http":
            answer = self.answer(scope)
            if answer is not None:
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def answer(self, scope: Scope) -> Response | None:
        """Return None if a request may pass: with the token in its cookie or header, or where none is needed.

        Else the answer: with the token in the address a redirect that sets the cookie, whatever cookie there was; else
        the page that asks for it. Sets scope["visitor"]: the name in the cookie, else the client's address.
        """
        request = Request(scope)
        scope["visitor"] = request.client.host if request.client else ""
        if self._token is None:
            return None
        kept, _, visitor = request.cookies.get(self._cookie, "").partition(".")  # our cookie is TOKEN.VISITOR
        if (typed := request.query_params.get(NAME)) is not None:
            return self._opened(request, visitor) if self._is_it(typed) else refuse_without_token("It is not this.")
        scheme, _, sent = request.headers.get("authorization", "").partition(" ")
        if self._is_it(kept) or (scheme.lower() == "bearer" and self._is_it(sent.strip())):
            scope["visitor"] = visitor or scope["visitor"]
            return None
        return refuse_without_token("")

    def _is_it(self, text: str) -> bool:
        """Return whether a text is the token."""
        return secrets.compare_digest(text.encode("utf-8", "replace"), (self._token or "").encode())

    def _opened(self, request: Request, visitor: str) -> Response:
        """Return the way to the same address without the token, with a cookie that has it."""
        rest = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != NAME])
        path = "/" + quote(request.scope["raw_path"].decode("latin-1").lstrip("/\\"), safe="/%")  # never another host
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(
            self._cookie,
            f"{self._token}.{visitor or secrets.token_urlsafe(8)}",
            httponly=True,
            samesite="lax",  # with strict, a link in a mail would ask for the token again
            secure=request.headers.get("x-forwarded-proto", "") == "https",
        )
        return answer


def refuse_without_token(why: str) -> Response:
    """Return the page that asks for the token."""
    return HTMLResponse(NEEDED.format(why=why), 401)


HTTP = 80  # the port that addresses need not name
LOCAL = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
KEPT = "private, no-cache"  # a browser may keep a page for going back; it asks whether it is new
FROM_HERE = ("same-origin", "none")  # what browsers say of requests that no other site has made


class Guard:
    """Refuses requests from other sites and machines, and adds headers."""

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        report: Callable[[str], None],
        open_it: Callable[[str], str],
        *,
        any_host: bool = False,
        can_write: bool = False,
    ) -> None:
        """Guard an application at a port. any_host: whether it may have any name; it then asks for a token.

        can_write: whether it takes POST, from its own pages.
        """
        self._app, self._report, self._open_it, self._any_host = app, report, open_it, any_host
        self._methods = ("GET", "HEAD", *(["POST"] if can_write else []))
        self._hosts = {f"{name}:{port}" for name in LOCAL} | ({*LOCAL} if port == HTTP else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self.refusal(scope)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", KEPT)
            await send(message)

        try:
            await (refused or self._app)(scope, receive, with_headers)
        except Exception as error:  # a fault of ours; the reader has an answer already
            self._report(f"{scope['path']}: {type(error).__name__}: {error}{find_place_of_error(error)}")

    def refusal(self, scope: Scope) -> Response | None:
        """Return the message for a refused request; None for other requests."""
        values = Headers(scope=scope)
        hosts = [each.lower() for each in values.getlist("host")]
        names = {*hosts} if self._any_host else self._hosts
        if len(hosts) != 1 or not hosts[0] or hosts[0] not in names:
            return PlainTextResponse("This server answers only as localhost.\n", 421)
        if scope["method"] not in self._methods:
            return PlainTextResponse("This server only reads.\n", 405)
        origin = values.get("origin")
        site, goes = values.get("sec-fetch-site", "none"), (values.get("sec-fetch-mode"), values.get("sec-fetch-dest"))
        is_own = site == "same-origin" and origin == "null"  # of a form, as no referrer is sent
        other = origin is not None and not is_own and urlsplit(origin).netloc.lower() not in names
        if not other and site in FROM_HERE:
            return None
        if not other and goes == ("navigate", "document") and scope["method"] != "POST":
            return HTMLResponse(self._open_it(address_of_request(scope)))
        return PlainTextResponse("Another site leads to this address; type or paste it.\n", 403)


def address_of_request(scope: Scope) -> str:
    """Return the address of a request on this server; it leads nowhere else."""
    query = scope["query_string"].decode("latin-1")
    return f"/{quote(scope['path'].lstrip('/'))}{'?' if query else ''}{query}"


def find_place_of_error(error: Exception) -> str:
    """Return the place in the code where an error began, for reports."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


FIRST_LINES = 10.0  # seconds until the whole head of a request is there
WHOLE = 180.0  # seconds of a request, with its answer
MOST_CONNECTIONS = 800  # below the number of files that a process may usually open


def prompt_protocol(first_lines: float = FIRST_LINES, whole: float = WHOLE) -> type[H11Protocol]:
    """Return uvicorn's protocol, which also closes connections that are too slow in asking, or in taking the answer."""

    class Prompt(H11Protocol):
        """A connection that is closed if a request is half sent for too long, or its answer not taken."""

        look: TimerHandle | None = None
        since = 0.0  # when the request, or the wait for one, began
        asked: Any = None  # the request that was looked at

        def connection_made(self, transport: Any) -> None:
            """Begin to look at a connection."""
            super().connection_made(transport)
            self.since = self.loop.time()
            self.look = self.loop.call_later(first_lines / 4, self.look_again)

        def connection_lost(self, exc: Exception | None) -> None:
            """End to look at it."""
            if self.look is not None:
                self.look.cancel()
            super().connection_lost(exc)

        def look_again(self) -> None:
            """Close the connection if it is too slow."""
            now = self.loop.time()
            is_idle = self.cycle is None or self.cycle.response_complete
            state = (self.cycle, is_idle)
            if state != self.asked:
                self.asked, self.since = state, now if self.asked is not None else self.since
            if now - self.since > (first_lines if is_idle else whole):
                self.transport.abort()
            else:
                self.look = self.loop.call_later(first_lines / 4, self.look_again)

    return Prompt
