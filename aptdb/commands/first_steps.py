"""Commands for beginners: demo, a made-up corpus that shows the point of the paper's section 5.2, and docs."""

import io
import re
import sys
import time
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aptdb.commands.app import command
from aptdb.commands.notes import print_note, report_waiting
from aptdb.commands.options import FormatOption, open_lexicon
from aptdb.commands.output import AnswerFormat, choose_format, open_page, show, write_table
from aptdb.commands.topics import list_topic_pages, read_title
from aptdb.core.errors import AptError, LexiconError
from aptdb.core.result import Result
from aptdb.corpus import demo_corpus
from aptdb.store.temporary_folders import scratch_folder

if TYPE_CHECKING:
    from aptdb.core.composition import Merge
    from aptdb.lexicon import Lexicon

SHOWN = 8  # neighbours in a column

NEXT = """
That was a made-up corpus. Now try a treebank or parsed corpus of your own, in CoNLL-U (.gz is fine):

  aptdb add my.duckdb FILE.conllu
  aptdb neighbours my.duckdb dog/NOUN
  aptdb neighbours my.duckdb 'floor/NOUN[amod wooden/ADJ]' --merge min

Treebanks of over 100 languages: https://universaldependencies.org
"""


Keep = Annotated[
    Path | None,
    typer.Option(metavar="LEXICON", help="Keep the lexicon of the demo in this file, so that you can ask it more."),
]
Written = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Only write the corpus to this file, as CoNLL-U; - is standard output."),
]


@command("demo", "Start")
def demo(
    keep: Keep = None,
    write: Written = None,
    paper: Annotated[bool, typer.Option("--paper", help="Write the paper's eight trees (figure 1) instead.")] = False,
) -> None:
    """Show what composition does, on a made-up corpus.

    Makes a small synthetic corpus, counts it and asks a few questions. Needs no input and no network.

    \b
    Examples:
      aptdb demo --keep demo.duckdb
      aptdb demo --write demo.conllu
      aptdb demo --paper --write paper.conllu
    """
    if write is not None:
        if keep is not None:
            raise typer.BadParameter("it cannot be used with --keep: it makes no lexicon", param_hint="--write")
        write_corpus(write, paper=paper)
        return
    if paper:
        raise typer.BadParameter("name the file to write: --write paper.conllu", param_hint="--paper")
    if keep is not None and keep.exists():
        raise LexiconError(f"{keep} exists already; name a new file, or look at this one: aptdb info {keep}")
    begun = time.monotonic()
    with scratch_folder() as folder:
        file = keep or folder / "demo.duckdb"
        with open_lexicon(file, create=True) as lexicon, report_waiting("making a corpus and asking it"):
            added = lexicon.add(io.BytesIO("".join(demo_corpus.corpus()).encode()), name="demo")
            tables = [*align_first_noun(lexicon), compare_other_nouns(lexicon)]
    say(
        f"A made-up corpus of {added.tokens:,} tokens, from a small grammar: nobody ever said any of it.\n"
        "Its nouns shoot, group, body, work and field have two senses each, as in the paper's section 5.2.\n"
    )
    for heading, table in tables:
        say(heading)
        write_table(table, sys.stdout)
    say(NEXT)
    if keep is not None:
        say(f"The lexicon of the demo is {keep}; see it with: aptdb info {keep}\n")
    print_note(f"made, counted and asked in {time.monotonic() - begun:.0f} s")


def write_corpus(file: Path, *, paper: bool) -> None:
    """Write the corpus as CoNLL-U, completely or not at all, and print the next steps."""
    from aptdb.store.file_writing import refuse_taken_place, written_whole

    text = demo_corpus.paper_sentences() if paper else "".join(demo_corpus.corpus())
    settings = " --order 6 --lexeme '{form}/{xpos}'" if paper else ""  # no two words there are more than 5 steps apart
    if str(file) == "-":
        sys.stdout.write(text)
        return
    refuse_taken_place(file)
    with written_whole([file]) as (unfinished,):
        unfinished.write_bytes(text.encode())
    print_note(f"{file} is written; count it with: aptdb add {file.with_suffix('.duckdb')} {file}{settings}")


def say(text: str) -> None:
    """Write text to stdout."""
    sys.stdout.write(f"{text}\n")


def align_first_noun(lexicon: "Lexicon") -> list[tuple[str, Result]]:
    """Return the first noun alone and with each adjective, aligned and unaligned: one table for sum, one for min."""
    noun, *adjectives = demo_corpus.EXAMPLES[0]
    tables = []
    rules: dict[Merge, str] = {
        "sum": "Merged by sum: aligned, the adjective brings out its sense; unaligned, little changes.",
        "min": "Merged by min: aligned, what both words share remains; unaligned, they share almost nothing.",
    }
    for merge, heading in rules.items():
        columns = {take_off_pos(noun): lexicon.neighbours(noun, top=SHOWN)}
        for aligned in (True, False):
            for adjective in adjectives:
                title = f"{take_off_pos(adjective)} {take_off_pos(noun)}, {'aligned' if aligned else 'unaligned'}"
                phrase = f"{noun}[amod {adjective}]"
                columns[title] = lexicon.neighbours(phrase, top=SHOWN, aligned=aligned, merge=merge)
        tables.append((heading, put_neighbours_side_by_side(columns)))
    return tables


def compare_other_nouns(lexicon: "Lexicon") -> tuple[str, Result]:
    """Return the other nouns, alone and aligned with each adjective, merged by min: a row each."""
    rows = []
    for noun, *adjectives in demo_corpus.EXAMPLES[1:]:
        rows.append((take_off_pos(noun), join_neighbour_names(lexicon.neighbours(noun, top=5))))
        for adjective in adjectives:
            near = lexicon.neighbours(f"{noun}[amod {adjective}]", top=5, merge="min")
            rows.append((f"{take_off_pos(adjective)} {take_off_pos(noun)}", join_neighbour_names(near)))
    return "The other four, aligned, by min.", Result(("phrase", "neighbours"), ("VARCHAR", "VARCHAR"), rows)


def put_neighbours_side_by_side(columns: dict[str, Result]) -> Result:
    """Return neighbours in columns, the nearest on top; a dash if there are no more."""
    rows = [
        *zip_longest(
            *([take_off_pos(each) for each in near.column("lexeme")] for near in columns.values()), fillvalue="–"
        )
    ]
    return Result(tuple(columns), ("VARCHAR",) * len(columns), rows)


def join_neighbour_names(near: Result) -> str:
    """Return neighbours on one line."""
    return ", ".join(take_off_pos(lexeme) for lexeme in near.column("lexeme"))


def take_off_pos(lexeme: str) -> str:
    """Return a lexeme without its part of speech."""
    return lexeme.rpartition("/")[0]


WIDEST = 100  # characters of a line that one likes to read
OTHER_PAGE = re.compile(r"\[([^]]*)\]\(\w+\.md[^)]*\)")  # a link that a terminal cannot follow


@command("docs", "Start")
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
        rows = [(name, read_title(page)) for name, page in list_topic_pages().items()]
        show(Result(("topic", "page"), ("VARCHAR", "VARCHAR"), rows), format)
        return
    name = topic.removesuffix(".md")
    if name not in list_topic_pages():
        raise AptError(f"no page {topic}; the pages are {', '.join(list_topic_pages())}")
    if format is not None:
        raise AptError("it applies to the list of pages, not to a page")
    write_page(list_topic_pages()[name].read_text(encoding="utf-8"))


def write_page(text: str) -> None:
    """Write a page to stdout: formatted for a terminal, as Markdown into a pipe."""
    from rich.console import Console
    from rich.markdown import Markdown

    if choose_format(None) is not AnswerFormat.table:
        sys.stdout.write(text)
        return
    drawn = Markdown(OTHER_PAGE.sub(r"\1", text), hyperlinks=False)
    with open_page() as out:
        Console(file=out, highlight=False, width=min(Console().width, WIDEST)).print(drawn)
