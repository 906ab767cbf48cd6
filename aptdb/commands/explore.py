"""The command that others ask: serve, pages for this machine or for any web server, or tools for language models."""

from pathlib import Path
from typing import Annotated

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import counting_up, print_note
from aptdb.commands.options import (
    LexiconFile,
    list_given_options,
    open_lexicon,
    refuse_parameters_of_others,
)
from aptdb.core.display import how_many

PORT = 8765
PORT_OF_TOOLS = 8766
# Options by what is served. Tools have a port and a token with --http alone.
OF_PAGES = {"port", "host", "token", "quick", "allow_subcorpora", "sql_seconds", "sql_memory", "sql_rows"}
OF_SITE = {"site", "top"}
OF_TOOLS = {"mcp", "http", "rows", "seconds", "sql_memory"}
OF_HTTP = {"port", "token"}


@command("serve", "Explore")
def run_serve(
    context: typer.Context,
    lexicon: LexiconFile,
    others: Annotated[
        list[Path] | None,
        typer.Argument(metavar="MORE...", help="With --mcp, more lexicons; each is named by its file."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=65535, help=f"The port; 0 is any. [default: {PORT}, of tools {PORT_OF_TOOLS}]"
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 admits other machines, with the token."),
    ] = "127.0.0.1",
    token: Annotated[
        bool,
        typer.Option("--token/--no-token", help="Require the token, because all users of the machine reach the port."),
    ] = True,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick/--as-it-is", help="Store PPMI weights in the copy that is served, so that neighbours come fast."
        ),
    ] = True,
    allow_subcorpora: Annotated[
        bool, typer.Option("--allow-subcorpora", help="Let whoever looks keep subcorpora in the lexicon.")
    ] = False,
    sql_seconds: Annotated[float, typer.Option(metavar="N", min=0.1, help="Stop an SQL query after N seconds.")] = 20.0,
    sql_memory: Annotated[
        str, typer.Option(metavar="SIZE", help="How much memory a query in SQL may use, e.g. 2GB.")
    ] = "1GB",
    sql_rows: Annotated[
        int, typer.Option(metavar="N", min=1, help="Show up to N rows of a query; a file of CSV has 100 times as many.")
    ] = 1000,
    site: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the pages as files to this new folder, and end."),
    ] = None,
    top: Annotated[
        int, typer.Option(metavar="N", min=1, help="With --site, make a page of each of the N most frequent.")
    ] = 2000,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Offer tools to language models and editors, in place of pages.")
    ] = False,
    http: Annotated[
        bool,
        typer.Option(
            "--http/--stdio", help="With --mcp, listen on a port of this machine, not to the program that starts it."
        ),
    ] = False,
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="With --mcp, answer with up to N rows.")] = 100,
    seconds: Annotated[
        float, typer.Option(metavar="N", min=0.1, help="With --mcp, stop a question after N seconds.")
    ] = 30.0,
) -> None:
    """Show a lexicon in the browser, or offer it to language models.

    Search for words and phrases, see their sketches, drawings, neighbours and sentences, compare two, and ask in SQL.
    The pages open only on this machine (unless --host is given), and only with the token in the printed address;
    APTDB_TOKEN sets another token. They show a copy of the lexicon, beside it or in --temp: corpora can be added at
    any time, and the pages show them soon afterwards.

    With --site, writes the pages as files, for any web server: for each of the most frequent words its sketch,
    drawing, neighbours and some sentences, with a search in the browser. Function words (DET, PUNCT, …) have no page.
    The pages show sentences of the lexicon to all who can open them.

    With --mcp, language models use the lexicon by the Model Context Protocol: a program such as Claude Desktop or VS
    Code starts this command, and talks to it over its input and output. The tools only read: lexemes, sketches,
    neighbours, phrases, sentences, keyness, SQL and more. Each answer has its parameters, its notes, and the call that
    shows its evidence. The pages of the documentation are resources. The tools read a copy, too. Needs the extra mcp.

    \b
    Examples:
      aptdb serve english.duckdb
      aptdb serve english.duckdb --port 9000 --sql-seconds 60
      aptdb serve english.duckdb --site pages --top 500
      aptdb serve english.duckdb --mcp
      aptdb serve english.duckdb german.duckdb --mcp --rows 50 --seconds 10
      aptdb serve english.duckdb --mcp --http --port 9001
    """
    given = list_given_options(context)
    if others and (site is not None or not mcp):
        raise typer.BadParameter("only --mcp takes more than one lexicon", param_hint="MORE")
    if site is not None:
        refuse_parameters_of_others(given, OF_SITE, "it has no effect with --site")
        write_static_pages(lexicon, site, top)
    elif mcp:
        refuse_parameters_of_others(given, OF_TOOLS | OF_HTTP, "it has no effect with --mcp")
        if not http:
            refuse_parameters_of_others(given, OF_TOOLS, "only --http has a port and a token")
        offer_tools([lexicon, *(others or ())], (rows, seconds), sql_memory, (port, token) if http else None)
    else:
        refuse_parameters_of_others(given, OF_PAGES | OF_TOOLS, "it needs --site")
        refuse_parameters_of_others(given, OF_PAGES, "it needs --mcp")
        show_pages(lexicon, (port, host, token, allow_subcorpora), (sql_seconds, sql_memory, sql_rows), quick=quick)


def show_pages(
    lexicon: Path, door: tuple[int | None, str, bool, bool], of_sql: tuple[float, str, int], *, quick: bool
) -> None:
    """Serve pages. door: the port, the address, whether with a token, and whether subcorpora can be kept.

    of_sql: limits in seconds, memory and rows.
    """
    from aptdb.explorer.serve import WEB, Door, need_for_pages
    from aptdb.explorer.serve import serve as serve_pages

    need_for_pages(WEB)
    from aptdb.explorer.sql_box import SqlLimits
    from aptdb.store.limits import in_bytes, limits

    port, host, token, may_keep = door
    seconds, memory, rows = of_sql
    confines = SqlLimits(seconds=seconds, memory=in_bytes(memory, "--sql-memory"), rows=rows)
    entrance = Door(PORT if port is None else port, host, token, may_keep)
    serve_pages(lexicon, entrance, limits(), confines, quick=quick, report=print_note)


def write_static_pages(lexicon: Path, folder: Path, top: int) -> None:
    """Write pages about the most frequent words to a new folder."""
    from aptdb.explorer.serve import TEMPLATES, need_for_pages

    need_for_pages(TEMPLATES)
    from aptdb.explorer.site import write_site

    with open_lexicon(lexicon) as opened, counting_up("words") as follow:
        pages, size = write_site(opened, folder, top, follow)
    print_note(f"{folder} has {how_many(pages, 'page')}, {size / 10**6:,.1f} MB; it begins with index.html")


def offer_tools(
    lexicons: list[Path], most: tuple[int, float], sql_memory: str, door: tuple[int | None, bool] | None
) -> None:
    """Offer tools to language models. most: rows and seconds. door: the port, and whether with a token; None: stdio."""
    from aptdb.explorer.tool_server import need_mcp

    need_mcp()
    from aptdb.commands.topics import list_topic_pages, read_title
    from aptdb.explorer.sql_box import SqlLimits
    from aptdb.explorer.tool_server import Page, serve_tools
    from aptdb.store.limits import in_bytes, limits

    documentation = {name: Page(read_title(page), page) for name, page in list_topic_pages().items()}
    serve_tools(
        lexicons,
        documentation,
        SqlLimits(rows=most[0], seconds=most[1], memory=in_bytes(sql_memory, "--sql-memory")),
        limits(),
        report=print_note,
        door=None if door is None else (PORT_OF_TOOLS if door[0] is None else door[0], door[1]),
    )
