"""Refusals and notes as data: a row of a room's refusals.csv is a call, and what aptdb says to it.

lexicon  the fixture that returns the file of the lexicon; its name is LEXICON in a command and in what is said
asked    cli: a command; python: an expression; sql: a statement in a connection of DuckDB that knows nothing of aptdb
call     FOLDER is an empty folder but for the files that are there; `<<< text` is the input of a command
says     the class of an error or a warning of Python; of a command refused (1), usage (2) or note (0); or nothing
message  the whole of it, a line break as \\n; empty: that of the row above
"""

import ast
import csv
import io
import shlex
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from aptdb import AptError, AptWarning, Lexicon, Phrase
from aptdb.core.one_line import shorten_middle
from aptdb.store.duckdb_errors import in_one_line
from support.commands import ask
from support.farm import TREES
from support.lexicons import copied

TABLE = "refusals.csv"
THERE = ("there.tsv", "there.rows")  # files that are in FOLDER
SLOW = ("farm",)  # lexicons that take seconds to make
REFUSED = ("refused", "usage")
OPEN = "is already open in this process in another mode"
STATUS = {0: "note", 1: "refused", 2: "usage"}
Said = tuple[str, str]


@dataclass(frozen=True)
class Refusal:
    """A row of a table of refusals."""

    lexicon: str
    asked: str
    call: str
    says: str
    message: str


def read_refusals(module: str) -> list[Any]:
    """Return the rows of the table beside a module as parameters of a test, each with its call as its id."""
    found, seen = list[Any](), set[Refusal]()
    with (Path(module).parent / TABLE).open(encoding="utf-8", newline="") as table:
        above = ""
        for row in csv.DictReader(table):
            above = row["message"] or above
            refusal = Refusal(**{**row, "message": "" if row["says"] == "nothing" else above})
            marks = [pytest.mark.thorough] if refusal.lexicon in SLOW else []
            assert refusal not in seen, f"{row['call']} is there twice"
            seen.add(refusal)
            name = f"{refusal.lexicon} {refusal.asked} {shorten_middle(refusal.call, 90)}"
            found.append(pytest.param(refusal, marks=marks, id=name))
    return found


@dataclass
class OpenLexicons:
    """Lexicons that are opened once for many rows, each when a row first asks for it."""

    request: pytest.FixtureRequest
    closing: ExitStack
    lexicons: dict[str, Lexicon] = field(default_factory=dict)
    clients: dict[str, duckdb.DuckDBPyConnection] = field(default_factory=dict)

    def file(self, name: str) -> Path:
        """Return the file of a lexicon."""
        return Path(self.request.getfixturevalue(name))

    def lexicon(self, name: str) -> Lexicon:
        """Return a lexicon."""
        if name not in self.lexicons:
            self.lexicons[name] = self.closing.enter_context(Lexicon.open(self.file(name)))
        return self.lexicons[name]

    def client(self, name: str) -> duckdb.DuckDBPyConnection:
        """Return a connection to a copy of a lexicon, because DuckDB opens a file once for all of a process."""
        if name not in self.clients:
            file = self.file(name)
            copy = copied(file, file.with_suffix(".bare.duckdb"))
            self.clients[name] = self.closing.enter_context(duckdb.connect(str(copy), read_only=True))
        return self.clients[name]


def check_refusal(row: Refusal, lexicons: OpenLexicons, folder: Path, **names: Any) -> None:
    """Check what is said to a call, and that a refusal leaves no file behind. names: those that expressions may use."""
    for name in THERE:
        (folder / name).touch()
    before = state_of(row, lexicons)
    said = hear(row, lexicons, folder, names)
    assert (row.says, row.message) in (said or [("nothing", "")]), said
    is_refused = row.says in REFUSED or row.says.endswith("Error")
    assert is_refused or not any(says in REFUSED or says.endswith("Error") for says, _ in said)
    if is_refused:
        assert {each.name for each in folder.iterdir()} <= {*THERE, "given"}
        assert state_of(row, lexicons) == before, "the lexicon was written"


def state_of(row: Refusal, lexicons: OpenLexicons) -> tuple[int, int] | None:
    """Return the size of the lexicon and when it was last written."""
    if not row.lexicon:
        return None
    stat = lexicons.file(row.lexicon).stat()
    return stat.st_size, stat.st_mtime_ns


def hear(row: Refusal, lexicons: OpenLexicons, folder: Path, names: dict[str, Any]) -> list[Said]:
    """Return all that is said to a call, with names in place of paths."""
    if row.asked == "sql":
        heard = [*ask_sql(row, lexicons)]
    elif row.asked == "cli":
        heard = [*ask_command(row, lexicons, folder)]
    else:
        with ExitStack() as closing:
            heard = [*ask_python(row, lexicons, folder, closing, names)]
    paths = {str(lexicons.file(row.lexicon)): "LEXICON"} if row.lexicon else {}
    return [(says, in_names(message, {**paths, str(folder): "FOLDER"})) for says, message in heard]


def in_names(message: str, names: Mapping[str, str]) -> str:
    """Return a message on one line, with names in place of paths."""
    for path, name in names.items():
        message = message.replace(path, name)
    return message.replace("\n", r"\n")


def ask_command(row: Refusal, lexicons: OpenLexicons, folder: Path) -> Iterator[Said]:
    """Run a command; yield its lines on stderr, of a usage error the one after Error."""
    call, _here, given = row.call.partition(" <<< ")
    words = shlex.split(call)
    if "LEXICON" in call:
        words = [word.replace("LEXICON", str(lexicons.file(row.lexicon))) for word in words]
    words = [word.replace("FOLDER", str(folder)) for word in words]
    found = ask(*words, source=escaped(given))
    if OPEN in found.stderr:  # a command that would write, of a lexicon that a row before has open in this process
        lexicons.lexicons.pop(row.lexicon).close()
        found = ask(*words, source=escaped(given))
    mark = "Error: " if found.exit_code == 2 else "aptdb: "
    for line in found.stderr.splitlines():
        if line.startswith(mark):
            yield STATUS[found.exit_code], line.removeprefix(mark)


def escaped(text: str) -> str | None:
    r"""Return a text in which \t and \n stand for a tab and a line break; None for an empty one."""
    return text.replace(r"\t", "\t").replace(r"\n", "\n") or None


def ask_python(
    row: Refusal, lexicons: OpenLexicons, folder: Path, closing: ExitStack, more: dict[str, Any]
) -> Iterator[Said]:
    """Evaluate an expression, which must not be false; yield the warnings and the error."""

    def opened(file: Path, **settings: Any) -> Lexicon:
        return closing.enter_context(Lexicon.open(file, create=True, **settings))

    def written(name: str, text: str, encoding: str = "utf-8") -> Path:
        (folder / "given").mkdir(exist_ok=True)
        (folder / "given" / name).write_text(text, encoding=encoding)
        return folder / "given" / name

    names: dict[str, Any] = {"Lexicon": Lexicon, "Phrase": Phrase, "np": np, "folder": folder, "trees": TREES}
    names |= {"new": lambda **settings: opened(folder / "new", **settings), "written": written, **more}
    names["stream"] = lambda text: io.BytesIO(text if isinstance(text, bytes) else text.encode())
    used = {node.id for node in ast.walk(ast.parse(row.call, mode="eval")) if isinstance(node, ast.Name)}
    if "lexicon" in used:
        names["lexicon"] = lexicons.lexicon(row.lexicon)
    if "file" in used:
        names["file"] = lexicons.file(row.lexicon)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AptWarning)
        error = evaluate(row.call, names)
    yield from ((each.category.__name__, str(each.message)) for each in caught if issubclass(each.category, AptWarning))
    if error:
        yield type(error).__name__, str(error)


def evaluate(call: str, names: dict[str, Any]) -> AptError | None:
    """Evaluate an expression, which must not be false; return the error of aptdb."""
    try:
        assert eval(call, names) is not False
    except AptError as error:
        return error
    return None


def ask_sql(row: Refusal, lexicons: OpenLexicons) -> Iterator[Said]:
    """Execute a statement; yield the error as aptdb would report it."""
    try:
        lexicons.client(row.lexicon).execute(row.call).fetchall()
    except duckdb.Error as error:
        found = in_one_line(error, query=row.call)
        yield type(found).__name__, str(found)
