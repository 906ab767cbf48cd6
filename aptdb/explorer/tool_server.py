"""A server of tools for language models and editors, by the Model Context Protocol, over stdio or HTTP.

As the explorer, it asks a copy of each lexicon, so that corpora can be added while it runs. SQL runs in a confined
process.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import AptError, LexiconError, QuestionError
from aptdb.explorer.language_tools import (
    ANSWER,
    BY_NAME,
    DATA,
    LEXICON,
    SQL,
    TOOLS,
    Schema,
    Tool,
    answer_as_json,
    ask,
    checked_arguments,
    describe_tool,
    input_schema,
)
from aptdb.explorer.lexicon_pool import Readers, Turn
from aptdb.explorer.sql_box import SqlLimits
from aptdb.explorer.sql_queue import Starter
from aptdb.store.limits import Limits
from aptdb.store.version import __version__

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

AT_ONCE = 2  # queries in SQL; further ones wait
LARGEST = 1_000_000  # bytes of an answer to SQL: a model reads it
PAGES = "aptdb://docs/"  # how the addresses of the documentation begin
PATH = "/mcp"  # of the server's address
READ_ONLY = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
INSTRUCTIONS = (
    "aptdb answers what words mean by the company they keep in parsed corpora. A lexeme is lemma/POS, e.g. dog/NOUN; a "
    "path leads from it to a context along grammatical relations, e.g. <amod. Begin with info and lexemes; ask sketch "
    "what a word occurs with, neighbours what is like it, evidence for the sentences. Every answer names its "
    "parameters, its notes, and the call that shows what is behind a row. The resources are the pages of the "
    f"documentation; glossary and parameters explain words and options. {DATA}"
)


def need_mcp() -> None:
    """Raise QuestionError if the package of the protocol is not installed."""
    if find_spec("mcp") is None:
        raise QuestionError("tools for language models need mcp; install it with: pip install 'aptdb[mcp]'")


@dataclass(frozen=True)
class Page:
    """A page of the documentation: its title and its file."""

    title: str
    file: Path


class Toolbox:
    """The tools over some lexicons, by their names, and the pages of the documentation."""

    def __init__(self, lexicons: Mapping[str, Readers], pages: Mapping[str, Page], limits: SqlLimits) -> None:
        self._lexicons, self._pages, self._limits = lexicons, pages, limits
        self._places, self._starter = asyncio.Semaphore(AT_ONCE), Starter()

    def tools(self) -> list[Schema]:
        """Return the tools, as the protocol lists them."""
        return [
            {
                "name": tool.name,
                "description": describe_tool(tool),
                "inputSchema": input_schema(tool, [*self._lexicons]),
                "outputSchema": ANSWER,
                "annotations": READ_ONLY,
            }
            for tool in TOOLS
        ]

    def resources(self) -> list[Schema]:
        """Return the pages of the documentation, as the protocol lists them."""
        return [
            {"uri": f"{PAGES}{name}", "name": name, "title": page.title, "mimeType": "text/markdown"}
            for name, page in self._pages.items()
        ]

    def page(self, uri: str) -> str:
        """Return the text of a page. Raise QuestionError if there is none."""
        page = self._pages.get(uri.removeprefix(PAGES)) if uri.startswith(PAGES) else None
        if page is None:
            raise QuestionError(
                f"no resource {uri:.200}; available: {', '.join(f'{PAGES}{name}' for name in self._pages)}"
            )
        return page.file.read_text(encoding="utf-8")

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Schema:
        """Return the answer of a tool. Raise AptError."""
        from anyio import get_cancelled_exc_class, to_thread

        if (tool := BY_NAME.get(name)) is None:
            raise QuestionError(f"no tool {name:.60}; available: {', '.join(BY_NAME)}")
        chosen, given = self._chosen(arguments)
        readers = self._lexicons[chosen]
        if tool.name == SQL:
            found = await self._sql(readers, tool, given)
        else:
            turn = Turn()
            try:
                found = await to_thread.run_sync(ask, readers, tool, given, self._limits, turn, abandon_on_cancel=True)
            except get_cancelled_exc_class():
                turn.is_stopped = True
                raise
        found["asked"] = {LEXICON: chosen, **found["asked"]}
        return found

    def stop_all(self) -> None:
        """Stop all questions, and allow no more."""
        for each in self._lexicons.values():
            each.stop_all()

    def _chosen(self, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the name of the lexicon that is asked, and the other arguments. Raise QuestionError."""
        given = dict(arguments)
        named = given.pop(LEXICON, None)
        if named is None and len(self._lexicons) == 1:
            named = next(iter(self._lexicons))
        if not isinstance(named, str) or named not in self._lexicons:
            problem = "name the lexicon" if named is None else f"no lexicon {named!r:.60}"
            raise QuestionError(f"{problem}; available: {', '.join(self._lexicons)}")
        return named, given

    async def _sql(self, readers: Readers, tool: Tool, arguments: Mapping[str, Any]) -> Schema:
        """Return the answer to a SELECT, from a confined process. Raise QuestionError."""
        given = checked_arguments(tool, arguments)
        async with self._places:
            with readers.holding() as copy:
                answer = await self._starter.answer(copy, given["query"], self._limits)
        notes = [*answer.notes, *filter(None, [readers.behind])]
        return answer_as_json(tool, given, answer.columns, answer.rows, notes, self._limits)


def server_of(box: Toolbox) -> "Server[Any]":
    """Return the server of the protocol for these tools."""
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.shared.exceptions import MCPError

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool.model_validate(each) for each in box.tools()])

    async def call_tool(_: Any, asked: Any) -> types.CallToolResult:
        try:
            found = await box.call(asked.name, asked.arguments or {})
        except AptError as error:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(error))], is_error=True)
        text = json.dumps(found, ensure_ascii=False)
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=found)

    async def list_resources(_: Any, __: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[types.Resource.model_validate(each) for each in box.resources()])

    async def read_resource(_: Any, asked: Any) -> types.ReadResourceResult:
        uri = str(asked.uri)
        try:
            text = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=box.page(uri))
        except QuestionError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        return types.ReadResourceResult(contents=[text])

    return Server(
        "aptdb",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def serve_tools(
    files: Sequence[Path],
    pages: Mapping[str, Page],
    limits: SqlLimits,
    machine: Limits,
    *,
    report: Callable[[str], None],
    door: tuple[int, bool] | None = None,
) -> None:
    """Serve tools over stdio until its input ends; or, with a port and whether it asks for a token, over HTTP.

    report: called with the address, and with later errors. Raises QuestionError and LexiconError.
    """
    need_mcp()
    named = name_served_files(files)
    with ExitStack() as stack:
        readers = {
            name: stack.enter_context(closing(Readers(file, machine, quick=False, report=report)))
            for name, file in named.items()
        }
        serve_box(Toolbox(readers, pages, replace(limits, size=LARGEST)), report, door)


def serve_box(box: Toolbox, report: Callable[[str], None], door: tuple[int, bool] | None) -> None:
    """Serve tools over HTTP at a door, a port and whether it has a token; over stdio where that is None."""
    if door is None:
        if sys.stdin is not None and sys.stdin.isatty():
            report("this waits for a program that uses the Model Context Protocol; for yourself, use aptdb shell")
        asyncio.run(over_stdio(server_of(box)))
    else:
        over_http(box, *door, report)


def name_served_files(files: Sequence[Path]) -> dict[str, Path]:
    """Return the files by their names without endings. Raise LexiconError if two have the same name."""
    found: dict[str, Path] = {}
    for file in files:
        if file.stem in found:
            raise LexiconError(f"{found[file.stem]} and {file} have the same name; rename or copy one of them")
        found[file.stem] = file
    return found


async def over_stdio(server: "Server[Any]") -> None:
    """Serve tools to the program that has started this one, until it closes the input."""
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (asked, answered):
        await server.run(asked, answered, server.create_initialization_options())


def over_http(box: Toolbox, port: int, has_token: bool, report: Callable[[str], None]) -> None:
    """Serve tools at a port of this machine until Ctrl-C or SIGTERM. Raise QuestionError if the port is taken."""
    from aptdb.explorer.access import TokenGate, new_token
    from aptdb.explorer.serve import HERE, listening, run_until_signal

    server, token = server_of(box), new_token() if has_token else None
    with closing(listening(port, HERE)) as bound:
        at = bound.getsockname()[1]
        app = server.streamable_http_app(streamable_http_path=PATH, stateless_http=True, json_response=True, host=HERE)
        whom = f"whoever sends the header Authorization: Bearer {token}" if token else "all users of this machine"
        said = f"the tools are at http://{HERE}:{at}{PATH} for {whom}; Ctrl-C ends it"
        run_until_signal(bound, TokenGate(app, at, token), partial(report, said), box.stop_all)
