"""Finds, reads and fills `sql/`. Nothing else in the package changes the text of a statement.

A placeholder is written between two @. The first comment of a file declares its placeholders, one on each line. When a
file is read, each must be declared and used; when it is filled, each must have a value.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from aptdb.store.literals import SqlText, literal

DECLARED = re.compile(r"-- @(?P<name>[a-z_]+)@: .+")
PLACEHOLDER = re.compile(r"@([a-z_]+)@")


class StatementError(Exception):
    """A statement of ours that is wrong, with its file and line. No user can cause it."""


@dataclass(frozen=True)
class Statement:
    """The text of a file, without the declarations of its placeholders and the semicolon at its end."""

    name: str
    text: str
    placeholders: frozenset[str]

    def filled(self, values: dict[str, Any]) -> SqlText:
        """The text with values in place, written as SQL literals; SqlText is put in unchanged."""
        if values.keys() != self.placeholders:
            wrong = ", ".join(sorted(values.keys() ^ self.placeholders))
            raise StatementError(f"sql/{self.name}.sql: {wrong}: given and declared differ")
        return SqlText(PLACEHOLDER.sub(lambda found: literal(values[found[1]]), self.text))


def statement(name: str, **values: Any) -> SqlText:
    """The statement of `sql/NAME.sql` (e.g. `counting/code/token`) with values at its placeholders."""
    return read_statement(name).filled(values)


@cache
def read_statement(name: str) -> Statement:
    """Read a file. Raises StatementError if a placeholder is used and not declared, or declared and not used."""
    text = (resource("sql") / f"{name}.sql").read_text(encoding="utf-8")
    declared: dict[str, int] = {}
    used: dict[str, int] = {}
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if found := DECLARED.fullmatch(line):
            declared[found["name"]] = number
            continue
        lines.append(line)
        used |= {each: number for each in PLACEHOLDER.findall(line) if each not in used}
    for each in declared.keys() ^ used.keys():
        line_number, what = (
            (declared[each], "declared and not used") if each in declared else (used[each], "undeclared")
        )
        raise StatementError(f"sql/{name}.sql:{line_number}: @{each}@ is {what}")
    return Statement(name, "\n".join(lines).strip().removesuffix(";"), frozenset(declared))


def resource(name: str) -> Path:
    """The folder `sql` or `migrations`: beside the modules when installed, beside the package in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name
