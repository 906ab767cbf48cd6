"""The command that reads the documentation: the pages in aptdb/docs."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from aptdb.commands.app import command
from aptdb.commands.options import FormatOption
from aptdb.commands.output import AnswerFormat, chosen, show
from aptdb.commands.pager import paged
from aptdb.commands.topics import pages
from aptdb.core.errors import AptError
from aptdb.core.result import Result

WIDEST = 100  # characters of a line that one likes to read
OTHER_PAGE = re.compile(r"\[([^]]*)\]\(\w+\.md[^)]*\)")  # a link that a terminal cannot follow


@command("Start")
def docs(
    topic: Annotated[
        str | None, typer.Argument(metavar="TOPIC", help="A page, as the list without one names it.")
    ] = None,
    format: FormatOption = None,
) -> None:
    """Read a page of the documentation; without a topic, list the pages.

    \b
    Example:
      aptdb docs start
    """
    if topic is None:
        rows = [(name, title(page)) for name, page in pages().items()]
        show(Result(("topic", "page"), ("VARCHAR", "VARCHAR"), rows), format)
        return
    name = topic.removesuffix(".md")
    if name not in pages():
        raise AptError(f"no page {topic}; there is {', '.join(pages())}")
    if format is not None:
        raise AptError("a page has no format; --format is for the list of pages")
    write_page(pages()[name].read_text(encoding="utf-8"))


def title(page: Path) -> str:
    """Return the first line of a page."""
    with page.open(encoding="utf-8") as lines:
        return next(lines).lstrip("# ").rstrip()


def write_page(text: str) -> None:
    """Write a page to stdout: drawn for a terminal, as it is into a pipe."""
    from rich.console import Console
    from rich.markdown import Markdown

    if chosen(None) is not AnswerFormat.table:
        sys.stdout.write(text)
        return
    drawn = Markdown(OTHER_PAGE.sub(r"\1", text), hyperlinks=False)
    with paged() as out:
        Console(file=out, highlight=False, width=min(Console().width, WIDEST)).print(drawn)
