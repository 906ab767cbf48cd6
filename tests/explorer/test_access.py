"""Who may look at the explorer: the token, other hosts, and connections that are slow or half sent."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from support.commands import ask
from support.corpora import TREES
from support.lexicons import lexicon_of
from support.runs import HANGS
from support.served import Answer, Served, served

TOKEN = "a-token-of-24-characters"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few sentences."""
    return lexicon_of(tmp_path_factory.mktemp("small") / "small.duckdb", {"trees": TREES})


@pytest.fixture(scope="module")
def server(small: Path) -> Iterator[Served]:
    """A server that asks for a token, and closes slow connections after half a second."""
    with served(small, token=TOKEN, first_lines=0.5) as running:
        yield running


def cookie_of(answer: Answer) -> str:
    """The cookie that an answer sets."""
    return answer.headers["set-cookie"].partition(";")[0]


@pytest.mark.parametrize("path", ["/", "/lexeme?x=dog/NOUN", "/sql?q=SELECT+1", "/static/style.css", "/complete?q=d"])
def test_nothing_without_the_token(server: Served, path: str) -> None:
    wrong = {"Cookie": f"aptdb-{server.port}={TOKEN[:-1]}.x"}
    for headers in ({}, wrong, {"Cookie": f"aptdb-1={TOKEN}"}, {"Authorization": f"Bearer {TOKEN}x"}, {"Cookie": "a"}):
        answer = server.get(path, headers)
        assert (answer.status, "small.duckdb" in answer.text) == (401, False)
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_address_has_the_token_and_the_cookie_keeps_it(server: Served) -> None:
    """The token leaves the address, the rest of which stays; the cookie is for the browser alone."""
    answer = server.get("/lexeme", x="dog/NOUN", token=TOKEN)
    assert (answer.status, answer.headers["location"]) == (303, "/lexeme?x=dog%2FNOUN")
    kept = answer.headers["set-cookie"].lower()
    assert "httponly" in kept
    assert "samesite=lax" in kept
    assert "secure" not in kept
    assert server.get("/lexeme", {"Cookie": cookie_of(answer)}, x="dog/NOUN").status == 200
    assert server.get("/", {"Authorization": f"Bearer {TOKEN}"}).status == 200
    assert server.get("/", token="other").status == 401
    by_proxy = server.get("/", {"X-Forwarded-Proto": "https"}, token=TOKEN)
    assert "secure" in by_proxy.headers["set-cookie"].lower()
    assert server.get("/", {"Host": "evil.example"}, token=TOKEN).status == 421


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example", "///evil.example"])
def test_the_way_leads_to_no_other_host(server: Served, path: str) -> None:
    answer = server.get(f"{path}?token={TOKEN}")
    assert answer.headers["location"][:2].strip("/\\")


def test_visitors_are_told_apart(server: Served) -> None:
    first, second = (cookie_of(server.get("/", token=TOKEN)) for _ in range(2))
    assert first != second
    again = server.get("/", {"Cookie": first}, token=TOKEN)
    assert cookie_of(again) == first


def test_any_host_that_has_the_token(small: Path) -> None:
    """Where other machines are let in, each name is answered, and pages of other sites are refused all the same."""
    with served(small, token=TOKEN, any_host=True) as running:
        running.headers["Authorization"] = f"Bearer {TOKEN}"
        assert running.get("/", {"Host": "lexicon.example"}).status == 200
        assert running.get("/", {"Host": "lexicon.example", "Origin": "http://evil.example"}).status == 403
        page = running.get("/lexeme", {"Host": "lexicon.example"}, x="dog/NOUN")
        assert str(small.parent) not in page.text


@pytest.mark.parametrize(
    ("words", "variable", "said"),
    [
        (["--host", "0.0.0.0", "--no-token"], None, "a token is needed; leave out --no-token"),
        (["--host", "no.such.host.invalid"], None, "name an address of this machine"),
        ([], "short", "APTDB_TOKEN must have 16 or more"),
        ([], "quite long; but not letters", "and nothing else"),
    ],
)
def test_refused(
    small: Path, words: list[str], variable: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable is not None:
        monkeypatch.setitem(os.environ, "APTDB_TOKEN", variable)
    answer = ask("serve", small, "--port", "0", *words)
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
    assert said in answer.stderr


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n"])
def test_half_a_request_is_closed(server: Served, sent: bytes) -> None:
    """A connection that asks nothing, or half a question, does not stay."""
    with closing(socket.create_connection(("127.0.0.1", server.port), HANGS)) as client:
        client.sendall(sent)
        with suppress(ConnectionResetError):
            assert client.recv(100) == b""


@pytest.mark.thorough
def test_slow_clients_hold_up_nobody(server: Served) -> None:
    """Three hundred connections that send a letter now and then: pages come, and all of these are closed."""
    slow = [socket.create_connection(("127.0.0.1", server.port), HANGS) for _ in range(300)]
    try:
        for each in slow:
            each.sendall(b"GET /")
        assert server.get("/", {"Authorization": f"Bearer {TOKEN}"}).status == 200
        until = time.monotonic() + HANGS
        while slow and time.monotonic() < until:
            for each in [*slow]:
                try:
                    each.sendall(b"x")
                except OSError:
                    each.close()
                    slow.remove(each)
            time.sleep(0.2)
        assert slow == []
        assert server.said == []
    finally:
        for each in slow:
            each.close()
