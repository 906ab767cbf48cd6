"""The pages are true: the commands, Python and SQL of the README and of aptdb/docs are run, and their answers compared.

Run as a program, this file renews the answers on all pages, or on those that are named. A page that needs a treebank is
left as it is where that treebank is missing.
"""

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.main import get_command

from aptdb.commands.completion.shape import OF_PROGRAM, put_program_words_first
from support.app import app
from support.runs import thorough
from support.terminals import shown

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SHARED = ROOT.parent / "shared"
# Files that pages use and that are not part of this repository.
FILES = (
    SHARED / "corpora" / "en_ewt.conllu.gz",
    SHARED / "corpora" / "en_gum.conllu.gz",
    SHARED / "datasets" / "ml2010.txt",
)
BLOCK = re.compile(r"^```(console|pycon|sql)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
STATEMENT = re.compile(r"^>>> .*(?:\n\.\.\. .*)*", re.MULTILINE)  # of a session in Python
PAGES = [
    page
    for page in (README, *sorted((ROOT / "aptdb" / "docs").glob("*.md")))
    if BLOCK.search(page.read_text(encoding="utf-8"))
]


def needed(text: str) -> list[Path]:
    """The files that the blocks of a page name and that must be found beside this checkout."""
    blocks = "".join(found[2] for found in BLOCK.finditer(text))
    return [file for file in FILES if file.name in blocks]


def missing(text: str) -> str:
    """The names of the files that a page needs and that are not there."""
    return ", ".join(file.name for file in needed(text) if not file.exists())


def renewed(text: str, folder: Path) -> str:
    """The page with the answers that its blocks give now, run in order in one folder."""
    for file in needed(text):
        (folder / file.name).symlink_to(file)
    lexicon = re.search(r"^\$ aptdb add (\S+)", text, re.MULTILINE)
    runners: dict[str, Callable[[str], str]] = {
        "console": partial(console, folder=folder),
        "pycon": partial(python, folder=folder),
        "sql": partial(sql, lexicon=folder / (lexicon[1] if lexicon else "")),
    }

    def renew(found: re.Match[str]) -> str:
        kind, block = found[1], found[2]
        return f"```{kind}\n{runners[kind](block)}```\n"

    return BLOCK.sub(renew, text)


def console(block: str, folder: Path) -> str:
    """Each command of a block with what it writes to a terminal."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{shown(shlex.split(line)[2:], folder)}" for line in commands)


def python(block: str, folder: Path) -> str:
    """Each statement of a session with what it answers."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        names: dict[str, object] = {}
        lines = []
        for written in STATEMENT.findall(block):
            lines += written.splitlines()
            code = "\n".join(line[4:] for line in written.splitlines())
            try:
                value = eval(compile(code, "README", "eval"), names)
            except SyntaxError:
                exec(compile(code, "README", "exec"), names)
                continue
            if value is not None:
                lines.append(repr(value))
        return "\n".join(lines) + "\n"
    finally:
        os.chdir(before)


def sql(block: str, lexicon: Path) -> str:
    """A query with what it answers, as text of its own, in a client that has never heard of aptdb.

    The lexicon is the first that the page makes.
    """
    with duckdb.connect(str(lexicon), read_only=True) as client:
        answer = f"{client.sql(block)}".strip("\n")
    return f"{block}```\n\n```text\n{answer}\n"


OF_TREEBANKS = [page for page in PAGES if needed(page.read_text(encoding="utf-8"))]
LONG = [page for page in OF_TREEBANKS if page.name == "treebank.md"]
TOUR = [page for page in PAGES if page.name == "tour.md"]  # thirty commands, half a minute


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "page",
    [
        *(page for page in PAGES if page not in (*OF_TREEBANKS, *TOUR)),
        *thorough(TOUR),
        *thorough([page for page in OF_TREEBANKS if page not in LONG]),
        *thorough(LONG),
    ],
    ids=lambda page: page.name,
)
def test_what_a_page_shows_is_what_comes(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if missing(text):
        pytest.skip(f"{page.name} needs {missing(text)} beside this checkout, in ../shared")
    if [*map(int, version("rich").split(".")[:2])] < [14, 3]:
        pytest.skip("pages show tables with the gaps of rich 14.3; older ones leave more room in some")
    assert renewed(text, tmp_path) == text


SHELL = re.compile(r"^```sh\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
NEXT = {"|", "||", "&&", ";", ">"}  # what ends a command


def commands_of(text: str) -> Iterator[list[str]]:
    """The words of each aptdb command in the blocks of a page that are not run."""
    for block in SHELL.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            ends = [place for place, word in enumerate(words) if word in NEXT]
            pieces = [words[begin:end] for begin, end in pairwise([0, *(each + 1 for each in ends), len(words) + 1])]
            yield from (piece[1:] for piece in pieces if piece[:1] == ["aptdb"])


@pytest.mark.thorough
def test_commands_that_pages_do_not_run_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their files and words are examples; the commands, options and values are real ones."""
    monkeypatch.setenv("APTDB_LEXICON", "english.duckdb")  # which some examples leave out
    read, program = 0, get_command(app)
    for page in (README, *sorted((ROOT / "aptdb" / "docs").glob("*.md"))):
        for words in commands_of(page.read_text(encoding="utf-8")):
            command: Any = program
            rest = put_program_words_first(words)
            while rest[0].partition("=")[0] in OF_PROGRAM:
                rest = rest[1 if "=" in rest[0] else 2 :]
            while hasattr(command, "commands"):
                command, rest = command.commands[rest[0]], rest[1:]
            command.make_context(" ".join(words), [*rest])
            read += 1
    assert read > 50


@pytest.mark.thorough
def test_a_page_may_use_the_corpus_of_the_demo(tmp_path: Path) -> None:
    """The commands of a tour need nothing but this checkout: they write their corpus themselves."""
    page = """
```console
$ aptdb demo --write demo.conllu
$ aptdb add demo.duckdb demo.conllu
```

```pycon
>>> from aptdb import Lexicon
>>> lexicon = Lexicon.open("demo.duckdb")
>>> lexicon.sql("SELECT pos FROM lexemes WHERE lexeme = 'shoot/NOUN'").rows
>>> lexicon.close()
```

```sql
SELECT lexeme FROM neighbours('shoot/NOUN', top := 1)
```
"""
    assert not needed(page)
    shown = renewed(page, tmp_path)
    assert "aptdb: demo.conllu is written" in shown
    assert " demo.conllu        6992    60002\n" in shown
    assert "[('NOUN',)]\n>>> lexicon.close()\n```\n" in shown
    assert "│ leaf/NOUN │\n└───────────┘\n```\n" in shown
    assert renewed(shown, Path(tempfile.mkdtemp(dir=tmp_path))) == shown


def test_the_test_command_is_what_ci_runs() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "README.md" in ci
    commands = re.findall(r"^python3 -m venv .*$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert [command.rpartition("/")[2] for command in commands] == ["aptdb demo", "pytest"]


if __name__ == "__main__":
    for each in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        before = each.read_text(encoding="utf-8")
        if missing(before):
            print(f"{each.name} needs {missing(before)}; it is left as it is")
            continue
        with tempfile.TemporaryDirectory() as place:
            each.write_text(renewed(before, Path(place)), encoding="utf-8")
