"""Read and fill the SQL files. Nothing else in the package changes the text of a statement.

`statement("counting/read/word_line")` is the statement `word_line` in `sql/counting/read.sql`. A file has the
statements of one phase in the order in which they run, each under a line `-- name: word_line`. Statements that belong
to no phase are in `sql/ROOM/queries.sql`. A file of definitions (`sql/ROOM/define/`) is read as a whole.

A placeholder is written @name@. The first comment of a statement declares its placeholders, one a line. Reading a file
checks that each is declared and used; filling it, that each has a value.
"""

import math
import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.one_line import HALF_PAIR


class SqlText(str):
    """Text that is SQL already and is not quoted."""


def literal(value: Any) -> str:
    """Return a value as a SQL literal: text, numbers, booleans, None, and lists and dictionaries (structs) of them."""
    if isinstance(value, SqlText):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(str(key))}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(literal(each) for each in value) + "]"
    return plain_literal(value)


def plain_literal(value: Any) -> str:
    """Return a single value as a SQL literal; numpy's numbers are treated as Python's."""
    if value is None:
        return "NULL"
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):  # numpy's, of 2 and 1
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Number) and not isinstance(value, numbers.Complex):
        value = float(str(value))  # a Decimal
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return repr(float(value))
    quoted = "'" + str(value).replace("'", "''") + "'"
    return f"{quoted}::DOUBLE" if isinstance(value, numbers.Real) else quoted


def identifier(name: str) -> SqlText:
    """Return a name as a quoted SQL identifier."""
    return SqlText('"' + name.replace('"', '""') + '"')


# A word with half of a surrogate pair. It takes the square of the length of the words: look for the half first.
NO_TEXT = re.compile("[^\\s']*[\ud800-\udfff][^\\s']*")


def refuse_no_text(statement: str) -> None:
    """Raise QuestionError for text that is not valid Unicode; the message names the word."""
    if HALF_PAIR.search(statement) and (found := NO_TEXT.search(statement)):
        raise QuestionError(f"{found[0]} is not UTF-8 text")


NAME = re.compile(r"-- name: (?P<name>[a-z0-9_]+)")
NEARLY_NAME = re.compile(r"--\s*name\s*:", re.IGNORECASE)  # it would be lost in the statement above it
DECLARED = re.compile(r"-- @(?P<name>[a-z_]+)@: .+")
PLACEHOLDER = re.compile(r"@([a-z_]+)@")


class StatementError(Exception):
    """A faulty statement of ours, with file and line. Users cannot cause it."""


@dataclass(frozen=True)
class Statement:
    """The text of a statement, without the declarations of its placeholders and the final semicolon."""

    name: str
    text: str
    placeholders: frozenset[str]

    def filled(self, values: Mapping[str, Any]) -> SqlText:
        """Return the text with all placeholders filled: values as SQL literals, SqlText unchanged."""
        if values.keys() != self.placeholders:
            wrong = ", ".join(sorted(values.keys() ^ self.placeholders))
            raise StatementError(f"sql/{self.name}: {wrong}: given and declared differ")
        return SqlText(in_place(self.text, values))

    def with_some(self, values: Mapping[str, Any]) -> "Statement":
        """Return the statement with some placeholders filled; the values may contain placeholders themselves."""
        text = self.text
        while {*PLACEHOLDER.findall(text)} & values.keys():
            text = in_place(text, values)
        return Statement(self.name, text, frozenset(PLACEHOLDER.findall(text)))


def in_place(text: str, values: Mapping[str, Any]) -> str:
    """Return a text with values in place of the placeholders that have one."""
    return PLACEHOLDER.sub(lambda found: literal(values[found[1]]) if found[1] in values else found[0], text)


def statement(name: str, /, **values: Any) -> SqlText:
    """Return the statement of `sql/NAME.sql` (e.g. `counting/code/token`) with its placeholders filled."""
    return read_text(name).filled(values)


@cache
def read_text(name: str, known: frozenset[str] = frozenset()) -> Statement:
    """Return a statement, or a file of definitions. Raise StatementError for undeclared or unused placeholders.

    known: placeholders that need no declaration, because many files have them.
    """
    file, first, lines = read_statement_lines(name)
    numbered = [*enumerate(lines, first)]
    declared = {found["name"]: number for number, line in numbered if (found := DECLARED.fullmatch(line))}
    code = [line for number, line in numbered if number not in declared.values()]
    text = "\n".join(code).strip().removesuffix(";")
    used = frozenset(PLACEHOLDER.findall(text))
    for each in sorted((declared.keys() ^ used) - known):
        if each in declared:
            raise StatementError(f"sql/{file}:{declared[each]}: @{each}@ is declared and not used")
        number = max(number for number, line in numbered if f"@{each}@" in line)
        raise StatementError(f"sql/{file}:{number}: @{each}@ is not declared")
    return Statement(name, text, used)


def read_statement_lines(name: str) -> tuple[str, int, list[str]]:
    """Return the file of a statement, the number of its first line there, and its lines. Raises StatementError."""
    if "/define/" in name:
        return f"{name}.sql", 1, (resource("sql") / f"{name}.sql").read_text(encoding="utf-8").splitlines()
    phase, _, own = name.rpartition("/")
    file = f"{phase}.sql" if "/" in phase else f"{phase}/queries.sql"
    there = statements_of(file)
    if own not in there:
        from difflib import get_close_matches

        near = get_close_matches(own, there, 1)
        raise StatementError(f"sql/{file}: no statement {own}" + (f"; did you mean {near[0]}?" if near else ""))
    return file, *there[own]


@cache
def statements_of(file: str) -> dict[str, tuple[int, list[str]]]:
    """Return the statements in a file of `sql/` by their names: the number of the first line, and the lines.

    Raises StatementError where a name is invalid or stands twice, or SQL stands before the first name.
    """
    found: dict[str, tuple[int, list[str]]] = {}
    lines: list[str] = []
    for number, line in enumerate((resource("sql") / file).read_text(encoding="utf-8").splitlines(), 1):
        if named := NAME.fullmatch(line):
            if named["name"] in found:
                raise StatementError(f"sql/{file}:{number}: a second statement {named['name']}")
            lines = []
            found[named["name"]] = number + 1, lines
        elif NEARLY_NAME.match(line):
            raise StatementError(f"sql/{file}:{number}: invalid name; write `-- name: lower_case`")
        elif not found and line and not line.startswith("--"):
            raise StatementError(f"sql/{file}:{number}: SQL before the first `-- name: `")
        else:
            lines.append(line)
    return found


def read_all(room: str) -> None:
    """Read all statements of a room, for a process that cannot open files later."""
    for file in sorted((resource("sql") / room).glob("*.sql")):
        statements_of(f"{room}/{file.name}")


def resource(name: str) -> Path:
    """Return the folder `sql` or `migrations`: beside the modules when installed, beside the package in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name
