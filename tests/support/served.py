"""The explorer's server, run in a thread; and pages that are asked of it, as a browser or a stranger would."""

import html
import http.client
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from aptdb.explorer.lexicon_pool import Readers
from aptdb.explorer.rendering import STATIC
from aptdb.explorer.serve import LONGEST_ADDRESS, listening
from aptdb.explorer.sql_box import SqlLimits
from aptdb.store.limits import limits


def again_in(page: str) -> str:
    """Return the address that the page of a running query looks at again; '' of any other page."""
    found = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', page)
    return html.unescape(found[1]) if found else ""


LATEST = 60.0  # seconds
OURS = tuple(f"static/{name}" for name in STATIC if name.endswith(".js"))
IMAGES = ("/lexeme/sparkline.svg",)
# Elements and attributes that pages consist of: what comes from a lexicon adds none.
ATTRIBUTES_THAT_ACT = ("on", "srcdoc", "formaction", "xlink:href")


@dataclass
class Answer:
    """What the server answers."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Served:
    """A server of a lexicon, on a port of this machine. said: what it had to say of its own accord.

    headers: those that each question has.
    """

    port: int
    readers: Readers
    said: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, headers: dict[str, str] | None = None, method: str = "GET", **given: str) -> Answer:
        """Ask for a page."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LATEST)
        with closing(client):
            client.request(
                method, f"{path}?{urlencode(given)}" if given else path, headers={**self.headers, **(headers or {})}
            )
            answer = client.getresponse()
            found = Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode())
        again = again_in(found.text)  # of a query that is not answered yet
        return self.get(again, headers) if again else found

    def post(self, path: str, body: str, headers: dict[str, str]) -> Answer:
        """Send a form."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=LATEST)) as client:
            client.request("POST", path, body, {**self.headers, **headers})
            answer = client.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode())

    def raw(self, path: str, headers: dict[str, str]) -> bytes:
        """Ask for a page, and return its bytes as they come."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=LATEST)) as client:
            client.request("GET", path, headers=headers)
            return client.getresponse().read()


@contextmanager
def served(
    file: Path,
    *,
    quick: bool = False,
    of_sql: SqlLimits | None = None,
    token: str | None = None,
    any_host: bool = False,
    may_keep: bool = False,
    first_lines: float = 10.0,
) -> Iterator[Served]:
    """Serve a lexicon within the block."""
    import uvicorn

    from aptdb.explorer.access import prompt_protocol
    from aptdb.explorer.web import application

    said: list[str] = []
    with closing(listening(0)) as bound, closing(Readers(file, limits(), quick=quick, report=said.append)) as readers:
        port = bound.getsockname()[1]
        app = application(
            readers, port, of_sql or SqlLimits(), said.append, token=token, any_host=any_host, may_keep=may_keep
        )
        config = uvicorn.Config(
            app,
            log_level="critical",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=LONGEST_ADDRESS,
            http=prompt_protocol(first_lines),
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield Served(port, readers, said)
        finally:
            server.should_exit = True
            thread.join(LATEST)


class Elements(HTMLParser):
    """The links of a page, the addresses of its pieces, and whatever in it would run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.pieces: list[str] = []
        self.active: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        named: dict[str, Any] = dict(attrs)
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])
        if "data-from" in named:
            self.pieces.append(named["data-from"])
        own = {"script": OURS, "img": IMAGES}.get(tag, ())
        is_ours = str(named.get("src", "")).partition("?")[0].endswith(own)
        if tag in ("script", "iframe", "object", "embed", "base", "style", "img") and not is_ours:
            self.active.append(tag)
        self.active += [name for name in named if name.startswith(ATTRIBUTES_THAT_ACT)]
        for name in ("href", "src", "action"):
            if ":" in (named.get(name) or "").split("?")[0].split("#")[0]:
                self.active.append(f"{name}={named[name]}")

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.texts.append(data)
