"""The command that parses raw text: parse."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from aptdb.commands.app import command
from aptdb.commands.options import PARSERS
from aptdb.commands.progress import following

WORTH_IT = 1 << 20  # bytes of text for which it is worth it to start several processes


@command("Start")
def parse(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...", help="Plain text in UTF-8: files, folders of .txt, or patterns; - is standard input."
        ),
    ],
    parser: Annotated[str, typer.Option("--with", metavar="PARSER", help=f"What parses: {PARSERS}.")],
    by_line: Annotated[
        bool, typer.Option("--lines", help="Each line is a paragraph; else blank lines divide.")
    ] = False,
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Parse in N processes (spaCy, UDPipe). [default: the processors; 1 for little text]",
        ),
    ] = None,
) -> None:
    """Parse raw text with spaCy, Stanza or UDPipe, as CoNLL-U.

    Each file is a document, named as its file. The parsers are extras, e.g. pip install 'aptdb[spacy]'; their models
    are not part of them.

    \b
    Examples:
      aptdb parse story.txt --with spacy:en_core_web_sm | aptdb add stories.duckdb -
      aptdb parse story.txt --with spacy:en_core_web_sm --lines
    """
    from aptdb.corpus.raw_text import as_conllu, paragraphs, parser_called, refuse_unreadable, text_files
    from aptdb.counting.corpora import Progress

    files = text_files(texts)
    refuse_unreadable(files)
    sizes = [0 if file == "-" else Path(file).stat().st_size for file, _ in files]
    known = None if any(file == "-" for file, _ in files) else sum(sizes)
    many = known is None or known >= WORTH_IT
    chosen = parser_called(parser, processes or (len(os.sched_getaffinity(0)) if many else 1))
    before = {str(name): sum(sizes[:number]) for number, (_, name) in enumerate(files)}
    with following("parsing") as progress, told_in_output():
        blocks = as_conllu(
            paragraphs(files, by_line=by_line),
            chosen,
            lambda now, words: progress(Progress("", before[now.document] + now.end, known, words)),
        )
        for block in blocks:
            sys.stdout.buffer.write(block)


@contextmanager
def told_in_output() -> Iterator[None]:
    """If something fails in the block, end the output with what cannot be added: a part is not taken for all."""
    from aptdb.corpus.raw_text import STOPPED

    sys.stdout.flush()
    try:
        yield
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except BaseException:
        sys.stdout.buffer.write(STOPPED)
        sys.stdout.buffer.flush()
        raise
