"""Commands that others ask: serve and site, pages for this machine and for any web server; mcp, tools for models."""

from pathlib import Path
from typing import Annotated

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import counting_up, print_note
from aptdb.commands.options import LexiconFile, make_output_option, open_lexicon
from aptdb.core.display import how_many

PORT = 8765
PORT_OF_TOOLS = 8766


@command("serve", "Explore")
def run_serve(
    lexicon: LexiconFile,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 is any that is free.")
    ] = PORT,
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets other machines in, who need the token."),
    ] = "127.0.0.1",
    token: Annotated[
        bool,
        typer.Option(
            "--token/--no-token", help="Ask for the token that the address carries, since all users reach a port."
        ),
    ] = True,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick/--as-it-is", help="Keep weights of PPMI in the copy that is served, so that neighbours come fast."
        ),
    ] = True,
    sql_seconds: Annotated[float, typer.Option(metavar="N", min=0.1, help="Stop an SQL query after N seconds.")] = 20.0,
    sql_memory: Annotated[
        str, typer.Option(metavar="SIZE", help="How much memory a query in SQL may use, e.g. 2GB.")
    ] = "1GB",
    sql_rows: Annotated[
        int, typer.Option(metavar="N", min=1, help="Show up to N rows of a query; a file of CSV has 100 times as many.")
    ] = 1000,
) -> None:
    """Look at the lexicon in a browser on this machine.

    Search for words and phrases, see their sketches, drawings, neighbours and sentences, compare two, and ask in SQL.
    The pages can only be opened from this machine, unless --host says otherwise, and only with the token in the address
    that is reported; APTDB_TOKEN in the environment names another. They show a copy, which stands beside the lexicon or
    in --temp: so corpora can be added at any time, and the pages show them soon afterwards.

    \b
    Examples:
      aptdb serve english.duckdb
      aptdb serve english.duckdb --port 9000 --sql-seconds 60
    """
    from aptdb.explorer.serve import WEB, Door, need_for_pages
    from aptdb.explorer.serve import serve as serve_pages

    need_for_pages(WEB)
    from aptdb.explorer.sql_box import SqlLimits
    from aptdb.store.limits import in_bytes, limits

    of_sql = SqlLimits(seconds=sql_seconds, memory=in_bytes(sql_memory, "--sql-memory"), rows=sql_rows)
    serve_pages(lexicon, Door(port, host, token), limits(), of_sql, quick=quick, report=print_note)


@command("site", "Explore")
def site(
    lexicon: LexiconFile,
    folder: Annotated[Path | None, make_output_option("a folder, which is made", "FOLDER")] = None,
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=1, help="Make a page of each of the N most frequent.")
    ] = 2000,
) -> None:
    """Write pages about the most frequent words.

    They are files, for any web server. Each word has its sketch, its drawing, its neighbours and some sentences; a
    search in the browser finds it. Words that are there for grammar (DET, PUNCT, …) have no page. The pages are as
    private as the lexicon.

    \b
    Example:
      aptdb site english.duckdb -o pages --top 500
    """
    from aptdb.explorer.serve import TEMPLATES, need_for_pages

    if folder is None:
        raise typer.BadParameter("name the folder to make", param_hint="--output")
    need_for_pages(TEMPLATES)
    from aptdb.explorer.site import write_site

    with open_lexicon(lexicon) as opened, counting_up("words") as follow:
        pages, size = write_site(opened, folder, top, follow)
    print_note(f"{folder} has {how_many(pages, 'page')}, {size / 10**6:,.1f} MB; it begins with index.html")


@command("mcp", "Explore")
def mcp(
    lexicon: LexiconFile,
    others: Annotated[
        list[Path] | None, typer.Argument(metavar="[MORE]...", help="More lexicons; each is named by its file.")
    ] = None,
    http: Annotated[
        bool,
        typer.Option("--http/--stdio", help="Listen on a port of this machine, not to the program that starts it."),
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help=f"With --http, the port; 0 is any. [default: {PORT_OF_TOOLS}]"
        ),
    ] = None,
    token: Annotated[
        bool | None,
        typer.Option("--token/--no-token", help="With --http, ask for the token that is reported. [default: token]"),
    ] = None,
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="Answer with up to N rows.")] = 100,
    seconds: Annotated[float, typer.Option(metavar="N", min=0.1, help="Stop a question after N seconds.")] = 30.0,
    sql_memory: Annotated[
        str, typer.Option(metavar="SIZE", help="How much memory a query in SQL may use, e.g. 2GB.")
    ] = "1GB",
) -> None:
    """Offer the questions as tools to language models and editors.

    They ask by the Model Context Protocol: a program such as Claude Desktop or VS Code starts this command, and asks
    over its input and output. The tools only read: lexemes, sketches, neighbours, phrases, sentences, keyness, SQL and
    more. Each answer has its parameters, its notes, and the call that shows what is behind it. The pages of the
    documentation are resources. A copy of the lexicon is asked, so that corpora can be added at any time. Needs the
    extra mcp.

    \b
    Examples:
      aptdb mcp english.duckdb
      aptdb mcp english.duckdb german.duckdb --rows 50 --seconds 10
      aptdb mcp english.duckdb --http --port 9001
    """
    from aptdb.explorer.tool_server import need_mcp

    need_mcp()
    if not http and (port is not None or token is not None):
        raise typer.BadParameter(
            "only --http has a port and a token", param_hint="--port" if token is None else "--token"
        )
    from aptdb.commands.topics import list_topic_pages, read_title
    from aptdb.explorer.language_tools import ToolLimits
    from aptdb.explorer.tool_server import Page, serve_tools
    from aptdb.store.limits import in_bytes, limits

    documentation = {name: Page(read_title(page), page) for name, page in list_topic_pages().items()}
    door = (PORT_OF_TOOLS if port is None else port, token is not False)
    serve_tools(
        [lexicon, *(others or ())],
        documentation,
        ToolLimits(rows, seconds),
        in_bytes(sql_memory, "--sql-memory"),
        limits(),
        report=print_note,
        door=door if http else None,
    )
