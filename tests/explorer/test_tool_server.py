"""Tools for language models and editors: what they are and answer, and a client of the protocol that asks them."""

import asyncio
import io
import json
import os
import re
import subprocess
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from aptdb import Lexicon
from aptdb.commands.topics import list_topic_pages
from aptdb.core.errors import AptError
from aptdb.explorer.language_tools import (
    BY_NAME,
    DATA,
    TOOLS,
    Schema,
    ask,
    calls_behind_row,
    describe_tool,
    input_schema,
)
from aptdb.explorer.lexicon_pool import Readers, Turn
from aptdb.explorer.sql_box import SqlLimits
from aptdb.explorer.tool_server import name_served_files
from aptdb.store.limits import limits
from support.commands import ask as command
from support.corpora import TREES
from support.processes import PROGRAM
from twins.trees import conllu

TOKEN = "a-token-of-24-characters"
# Arguments of each tool that some sentences about dogs can answer.
QUESTIONS: dict[str, dict[str, Any]] = {
    "info": {},
    "lexemes": {"pattern": "*o*"},
    "sketch": {"x": "dog/NOUN", "min_count": 1},
    "sketch_diff": {"a": "dog/NOUN", "b": "cat/NOUN", "min_count": 1},
    "neighbours": {"x": "dog/NOUN", "min_frequency": 1, "weights": "raw_count"},
    "similarity": {"a": "dog/NOUN", "b": "cat/NOUN", "weights": "raw_count"},
    "explain": {"a": "dog/NOUN", "b": "cat/NOUN", "weights": "raw_count"},
    "diff": {"a": "dog/NOUN", "b": "cat/NOUN", "weights": "raw_count"},
    "compose": {"phrase": "dog/NOUN[amod small/ADJ]", "weights": "raw_count"},
    "contextualise": {"phrase": "dog/NOUN[amod small/ADJ]", "min_frequency": 1, "weights": "raw_count"},
    "substitutes": {"phrase": "dog/NOUN[amod small/ADJ]", "min_frequency": 1, "weights": "raw_count"},
    "evidence": {"lexeme": "dog/NOUN"},
    "matches": {"pattern": "NOUN[amod ADJ]"},
    "collexemes": {"pattern": "NOUN[amod ADJ]", "slot": "2.lemma"},
    "pattern_keyness": {"pattern": "NOUN[amod ADJ]", "by": "2.lemma", "a": "early", "min_count": 1},
    "frames": {"lexeme": "dog/NOUN"},
    "counts_by": {"lexeme": "dog/NOUN"},
    "trend": {"lexeme": "dog/NOUN", "by": "year"},
    "subcorpora": {},
    "keyness": {"a": "early", "min_count": 1},
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few sentences of two years, one of which is a subcorpus."""
    made = tmp_path_factory.mktemp("tools") / "small.duckdb"
    with Lexicon.open(made, create=True) as lexicon:
        for year, trees in (("1990", TREES), ("1999", TREES[:2])):
            lexicon.add(io.BytesIO(conllu(trees).encode()), name=year, tags={"year": year})
        lexicon.subcorpus("early", "year = 1990")
    return made


@pytest.fixture(scope="module")
def readers(file: Path) -> Iterator[Readers]:
    """Lexicons on a copy of them."""
    with closing(Readers(file, limits(), quick=False)) as opened:
        yield opened


def asked(readers: Readers, name: str, rows: int = 100, **arguments: Any) -> Schema:
    """The answer of a tool."""
    return ask(readers, BY_NAME[name], arguments, SqlLimits(rows=rows, seconds=30), Turn())


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*QUESTIONS])
def test_a_tool_answers_as_the_method_of_its_name(readers: Readers, file: Path, name: str) -> None:
    """The evidence that an answer names can be asked for, of its first row."""
    answer = asked(readers, name, **QUESTIONS[name])
    with Lexicon.open(file) as lexicon:
        found = getattr(lexicon.stored if name == "subcorpora" else lexicon, name)(**QUESTIONS[name])
    if name == "similarity":
        assert answer["rows"] == [[found]]
    else:
        assert (answer["columns"], len(answer["rows"])) == ([*found.columns], len(found))
        assert json.loads(json.dumps(answer["rows"])) == answer["rows"]
    assert QUESTIONS[name].items() <= answer["asked"].items()
    assert answer["data"] == DATA
    assert str(file.parent) not in json.dumps(answer)
    row = dict(zip(answer["columns"], answer["rows"][0], strict=True))
    for call in answer.get("evidence", []):
        filled = {each: row[value[1:-1]] if re.fullmatch(r"\{\w+\}", value) else value
                  for each, value in call["arguments"].items()}  # fmt: skip
        assert asked(readers, call["tool"], **filled)["asked"]["tool"] == call["tool"]


def test_schemas_are_what_methods_take() -> None:
    """Every parameter is in the schema or named in the description, and has a type that is checked."""
    assert {each.name for each in TOOLS} == {*QUESTIONS, "sql"}
    for tool in TOOLS:
        schema = input_schema(tool, ["one"])
        named = re.findall(r"\w+", describe_tool(tool).rpartition("It also takes")[2])
        assert {*schema["properties"], *named} >= {*QUESTIONS.get(tool.name, {"query": ""})}
        assert set(schema["required"]) <= {*QUESTIONS.get(tool.name, {"query": ""})}
        assert describe_tool(tool).startswith("Return ")
        assert DATA in describe_tool(tool)
    near = input_schema(BY_NAME["neighbours"], ["one", "two"])
    assert near["properties"]["top"] == {
        "type": "integer", "description": "How many neighbours to show for each. [default: 10]",
    }  # fmt: skip
    assert "cosine" in near["properties"]["measure"]["enum"]
    assert near["properties"]["lexicon"]["enum"] == ["one", "two"]
    assert near["required"] == ["lexicon", "x"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("neighbours", {"x": "dog/NOUN", "tpo": 3}, "neighbours takes no tpo; did you mean top?"),
        ("neighbours", {"x": "dog/NOUN", "top": "3"}, "top is '3'; expected a JSON integer"),
        ("neighbours", {"x": "dog/NOUN", "top": True}, "top is True; expected a JSON integer"),
        ("neighbours", {}, "neighbours needs x"),
        ("neighbours", {"x": "dog/NOUN", "measure": "cosinus"}, "measure"),
        ("sketch", {"x": "dog/NOUN", "relations": "amod"}, "relations is 'amod'; expected a JSON array"),
        ("keyness", {"a": "early", "other": "x"}, "keyness takes no other"),
        ("neighbours", {"x": "x" * 5_000}, f"no lexeme {'x' * 50}…{'x' * 48}, and none that is spelt like it"),
        ("evidence", {"lexeme": "dog/NOUN", "subcorpus": "so many " * 500}, "no subcorpus so many"),
        ("info", {"y" * 5_000: 1}, f"info takes no {'y' * 50}…"),
        ("evidence", {}, "lexeme"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(
    readers: Readers, name: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(AptError) as problem:
        asked(readers, name, **arguments)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


def test_an_answer_has_its_first_rows_and_says_so(demo: Path) -> None:
    with closing(Readers(demo, limits(), quick=False)) as readers:
        whole, cut = asked(readers, "neighbours", x="shoot/NOUN"), asked(readers, "neighbours", 2, x="shoot/NOUN")
        assert (len(whole["rows"]), cut["rows"]) == (10, whole["rows"][:2])
        assert cut["notes"] == [*whole["notes"], "These are the first 2 rows; there are more."]
        assert cut["evidence"] == [{"tool": "explain", "arguments": {"a": "shoot/NOUN", "b": "{lexeme}"}}]
        with pytest.raises(AptError, match="no tpo; did you mean top"):
            asked(readers, "neighbours", x="shoot/NOUN", tpo=3)
        turn = Turn()
        turn.is_stopped = True
        with pytest.raises(AptError, match="was stopped"):
            ask(readers, BY_NAME["neighbours"], {"x": "shoot/NOUN"}, SqlLimits(), turn)


@pytest.mark.thorough
def test_what_takes_too_long_is_stopped_and_says_what_helps(readers: Readers) -> None:
    with pytest.raises(AptError, match=r"longer than 0 seconds, and was stopped; .* --seconds"):
        ask(readers, BY_NAME["contextualise"], QUESTIONS["contextualise"], SqlLimits(seconds=0.001), Turn())


def test_the_evidence_of_a_pair_is_that_of_each() -> None:
    both = calls_behind_row(BY_NAME["sketch_diff"].behind, {"a": "dog/NOUN", "subcorpus": "x", "subcorpus_b": "y"})
    assert [each["arguments"]["subcorpus"] for each in both] == ["x", "y"]
    assert {each["arguments"]["lexeme"] for each in both} == {"dog/NOUN"}
    assert len(calls_behind_row(BY_NAME["diff"].behind, {"a": "dog/NOUN", "b": "dog/NOUN"})) == 1


def test_what_the_command_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "small.duckdb"
    monkeypatch.setattr("aptdb.explorer.tool_server.find_spec", lambda _: None)
    assert "pip install 'aptdb[mcp]'" in command("serve", file, "--mcp").stderr
    monkeypatch.setattr("aptdb.explorer.tool_server.find_spec", lambda _: True)
    for option in (("--port", "1"), ("--no-token",)):
        answer = command("serve", file, "--mcp", *option)
        assert (answer.exit_code, "only --http has a port and a token" in answer.stderr) == (2, True)
    with pytest.raises(AptError, match="have the same name; rename or copy one"):
        name_served_files([file, Path("other") / "small.duckdb"])


async def converse(client: Any) -> None:
    """What a client of the protocol gets to know, whatever it is connected by."""
    tools = (await client.list_tools()).tools
    assert {each.name for each in tools} == {*BY_NAME}
    assert all(each.annotations.read_only_hint for each in tools)
    resources = (await client.list_resources()).resources
    assert [str(each.uri) for each in resources] == [f"aptdb://docs/{name}" for name in list_topic_pages()]
    page = await client.read_resource("aptdb://docs/glossary")
    assert page.contents[0].text == list_topic_pages()["glossary"].read_text(encoding="utf-8")
    near = await client.call_tool("neighbours", QUESTIONS["neighbours"])
    assert not near.is_error
    assert json.loads(near.content[0].text) == near.structured_content
    assert near.structured_content["rows"]
    assert near.structured_content["asked"]["lexicon"] == "small"
    counted = await client.call_tool("sql", {"query": "SELECT count(*) AS n FROM lexemes"})
    assert counted.structured_content["columns"] == ["n"]
    assert counted.structured_content["rows"][0][0] > 1
    for name, arguments, said in (
        ("neighbours", {"x": "dgo/NOUN"}, "no lexeme dgo/NOUN"),
        ("neighbours", {"x": "dog/NOUN", "lexicon": "other"}, "no lexicon 'other'; available: small"),
        ("sql", {"query": "DROP TABLE lexemes"}, "DROP"),
        ("sql", {"query": "FROM duckdb_settings()"}, "shows the machine"),
        ("sql", {"query": "SELECT sum(sin(range)) FROM range(1000000000000)"}, "longer than 2 seconds"),
    ):
        answer = await client.call_tool(name, arguments)
        assert answer.is_error, (name, arguments)
        assert said in answer.content[0].text


def conversed(connect: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a conversation to its end."""
    asyncio.run(asyncio.wait_for(connect(), 120))


@pytest.mark.thorough
def test_a_client_asks_over_stdio(file: Path) -> None:
    pytest.importorskip("mcp", reason="mcp is not installed; see the extra mcp")
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    program, *words = (*PROGRAM, "serve", str(file), "--mcp", "--seconds", "2")
    server = StdioServerParameters(command=program, args=words, env=dict(os.environ))

    async def connect() -> None:
        async with Client(stdio_client(server)) as client:
            await converse(client)

    before = {*file.parent.iterdir()}
    conversed(connect)
    assert {*file.parent.iterdir()} == before


@pytest.mark.thorough
def test_a_client_asks_over_http_with_the_token(file: Path) -> None:
    pytest.importorskip("mcp", reason="mcp is not installed; see the extra mcp")
    import httpx2
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    words = [*PROGRAM, "serve", str(file), "--mcp", "--seconds", "2", "--http", "--port", "0"]
    environment, before = {**os.environ, "APTDB_TOKEN": TOKEN}, {*file.parent.iterdir()}
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/mcp", said)
            assert address, said
            assert TOKEN in said

            async def connect() -> None:
                headers = {"Authorization": f"Bearer {TOKEN}"}
                async with (
                    httpx2.AsyncClient(headers=headers, timeout=60) as web,
                    Client(streamable_http_client(address[0], http_client=web)) as client,
                ):
                    await converse(client)
                async with httpx2.AsyncClient() as stranger:
                    assert (await stranger.post(address[0], json={})).status_code == 401
                    wrong = {"Authorization": f"Bearer {TOKEN}", "Host": "example.com"}
                    assert (await stranger.post(address[0], json={}, headers=wrong)).status_code == 421

            conversed(connect)
        finally:
            server.terminate()
            server.wait(20)
    assert server.returncode == 0
    assert {*file.parent.iterdir()} == before
