"""Who may ask the server: pages of its own, and people at this machine."""

import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    "Cache-Control": "no-store",
}
FROM_HERE = ("same-origin", "none")  # what browsers say of requests that no other site has made


class Guard:
    """Refuses what is not asked by a page of ours, or by somebody at this machine; and adds the headers."""

    def __init__(self, app: ASGIApp, port: int, said: Callable[[str], None]) -> None:
        self._app, self._said = app, said
        self._hosts = {f"{name}:{port}" for name in LOCAL} | ({*LOCAL} if port == HTTP else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self.refusal(scope)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        try:
            await (refused or self._app)(scope, receive, with_headers)
        except Exception as error:  # a fault of ours; whoever asked has been told
            self._said(f"{scope['path']}: {type(error).__name__}: {error}{place_of(error)}")

    def refusal(self, scope: Scope) -> Response | None:
        """Return what to say to a request that is refused; None for others."""
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value.lower() for name, value in headers if name == "host"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return PlainTextResponse("This server answers only as localhost.\n", 421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("This server only reads.\n", 405)
        values = dict(headers)
        origin = values.get("origin")
        other = origin is not None and (urlsplit(origin).netloc.lower() not in self._hosts or origin == "null")
        if other or values.get("sec-fetch-site", "none") not in FROM_HERE:
            return PlainTextResponse("This address was opened by another site; type or paste it instead.\n", 403)
        return None


def place_of(error: Exception) -> str:
    """Return where in the code an error began, for whoever reports it."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
