"""Small changes of code, one at a time, that a test should notice: of SQL by its words, of Python by its syntax tree.

What is not code is left alone: comments, docstrings, texts, what is raised, annotations.
"""

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Change(NamedTuple):
    """One change of a file: what stands from one character to another gives way to something else."""

    file: Path
    definition: str  # in which it stands: a function, a macro, a statement
    kind: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        """Name the change, the same in every process."""
        return f"{self.file}:{self.line} {self.start} {self.kind}: {self.before} -> {self.after}"

    @property
    def room(self) -> str:
        """The folder whose tests should notice."""
        return self.file.parts[1]

    def made_in(self, text: str) -> str:
        """Return the text of the file with this change."""
        return text[: self.start] + self.after + text[self.end :]


Piece = tuple[str, int, int, str]  # kind, start, end, what stands there instead


def changes_in(file: Path, text: str) -> Iterator[Change]:
    """All changes that we know of a file."""
    for name, start, chunk in chunks_of(file, text):
        for kind, first, last, after in sql_changes(chunk) if file.suffix == ".sql" else python_changes(chunk):
            line = text.count("\n", 0, start + first) + 1
            yield Change(file, name, kind, line, start + first, start + last, chunk[first:last], after)


SQL_NAME = re.compile(r"^-- name: (\w+)|^CREATE OR REPLACE (?:MACRO|VIEW) (?:\w+\.)?(@?\w+@?)", re.MULTILINE)


def chunks_of(file: Path, text: str) -> Iterator[tuple[str, int, str]]:
    """The definitions of a file: name, where it begins, text. A statement has its room and phase before its name."""
    if file.suffix == ".sql":
        phase = file.with_suffix("").as_posix().removeprefix("sql/").removesuffix("/queries")
        found = [*SQL_NAME.finditer(text)]
        for each, end in zip(found, [*(after.start() for after in found[1:]), len(text)], strict=True):
            yield (
                f"{phase}::{phase}/{each[1]}" if each[1] else f"{phase}::{each[2]}",
                each.start(),
                text[each.start() : end],
            )
        return
    body = ast.parse(text).body
    inner = [each for node in body if isinstance(node, ast.ClassDef) for each in node.body]
    begin = [0, *(found.end() for found in re.finditer("\n", text)), len(text)]  # of each line
    for node in [*(each for each in body if not isinstance(each, ast.ClassDef)), *inner]:
        start, end = begin[node.lineno - 1], begin[node.end_lineno or 0]
        for name in names_of(node):
            yield f"{file}::{name}", start, text[start:end]


def names_of(node: ast.stmt) -> list[str]:
    """What a statement of a module or class defines; nothing for an import."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets[:1] if isinstance(target, ast.Name)]


# Words and signs of SQL by the kind of change, each with what comes in its place; longer ones first.
OF_SQL = {
    "comparison": "<= -> <, >= -> >, <> -> =, < -> <=, > -> >=, = -> <>, "
    "IS NOT NULL -> IS NULL, IS NULL -> IS NOT NULL",
    "join": "LEFT JOIN -> JOIN, SEMI JOIN -> ANTI JOIN, ANTI JOIN -> SEMI JOIN, UNION ALL -> UNION, JOIN -> LEFT JOIN",
    "aggregate": "sum( -> max(, fsum( -> max(, avg( -> max(, max( -> min(, min( -> max(, count(DISTINCT  -> count(, "
    "count(*) -> sum(2), bool_or( -> bool_and(, bool_and( -> bool_or(, arg_max( -> arg_min(, arg_min( -> arg_max(, "
    "greatest( -> least(, least( -> greatest(, row_number() -> rank()",
    "order": "ASC -> DESC, DESC -> ASC",
    "constant": "true -> false, false -> true",
}
OTHER_SQL = {kind: dict(pair.split(" -> ") for pair in pairs.split(", ")) for kind, pairs in OF_SQL.items()}
TEXT = r"'(?:[^']|'')*'"
NOT_CHANGED = (
    rf"--[^\n]*|{TEXT}|\"(?:[^\"]|\"\")*\"|@\w+@|\$\w+|:=|->>?|::\w+(?:\([^)]*\))?"
    r"|(?:CROSS|ASOF|POSITIONAL|LATERAL|RIGHT|FULL|INNER) JOIN"
)
WORDS = "|".join(re.escape(word) for each in OTHER_SQL.values() for word in each)
TOKEN = re.compile(
    rf"(?P<skipped>{NOT_CHANGED})|(?P<error>\berror\()|(?P<number>(?<![\w.])\d+(?:\.\d+)?(?!\w))"
    r"|(?P<column>\b(?!_store\b)(?:\w+)\.\w+\b(?!\())"
    rf"|(?P<word>(?<!\w)(?:{WORDS})(?:(?<=[( ])|(?!\w))|(?<![<>=!])(?:<=|>=|<>|[<>=])(?![<>=]))"
)


def sql_changes(text: str) -> Iterator[Piece]:
    """Changes of a statement or macro."""
    columns: dict[str, set[str]] = defaultdict(set)  # by relation: those that the text names
    for found in TOKEN.finditer(text):
        if found["column"]:
            relation, column = found["column"].split(".")
            columns[relation].add(column)
    at = 0
    while found := TOKEN.search(text, at):  # type: ignore[assignment]
        at = found.end()
        if found["error"]:
            at = closing(text, at)  # a message
        elif number := found["number"]:
            yield "constant", found.start(), at, str(int(number) + 1) if number.isdigit() else str(float(number) + 1)
        elif found["column"]:
            relation, column = found["column"].split(".")
            others = sorted(columns[relation] - {column})
            if others:
                yield "column", found.start(), at, f"{relation}.{others[len(text[:at]) % len(others)]}"
        elif word := found["word"]:
            kind = next(kind for kind, words in OTHER_SQL.items() if word in words)
            yield kind, found.start(), at, OTHER_SQL[kind][word]


def closing(text: str, at: int) -> int:
    """Where the bracket closes that is open at a place; brackets in texts are skipped."""
    depth = 1
    for found in re.compile(rf"{TEXT}|[()]").finditer(text, at):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return len(text)


SIGNS = "Lt LtE, Gt GtE, Eq NotEq, In NotIn, Is IsNot, And Or, Add Sub, Mult Div, BitOr BitAnd"  # each for the other
PAIRS = [pair.split() for pair in SIGNS.split(", ")]
OTHER_PYTHON = {one: other for a, b in PAIRS for one, other in ((a, b), (b, a))}
OTHER_PYTHON |= dict.fromkeys(("FloorDiv", "Mod", "Pow"), "Mult")


def python_changes(text: str) -> Iterator[Piece]:
    """Changes of a function, or of the value of a name."""
    block = "if 1:\n" if text[:1].isspace() else ""  # a method is none without it
    lines = (block + text).splitlines(keepends=True)
    tree = ast.parse(block + text).body[0]

    def place(line: int, column: int) -> int:
        before = "".join(lines[: line - 1]) + lines[line - 1].encode()[:column].decode()
        return len(before) - len(block)

    for node in code_in(tree.body[0] if isinstance(tree, ast.If) else tree):
        for kind, after in others_of(node):
            first, last = place(node.lineno, node.col_offset), place(node.end_lineno or 0, node.end_col_offset or 0)
            yield kind, first, last, after


def code_in(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """The nodes of a definition that compute something."""
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    yield from code_in(each)


def others_of(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What may stand in place of a node: the kind of change, and the code."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield "comparison", f"({ast.unparse(ast.Compare(node.left, [opposite(node.ops[0])], node.comparators))})"
    elif isinstance(node, ast.BoolOp):
        yield "and, or", f"({ast.unparse(ast.BoolOp(opposite(node.op), node.values))})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "and, or", f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.BinOp) and not any(map(is_no_number, (node.op, node.left, node.right))):
        yield "arithmetic", f"({ast.unparse(ast.BinOp(node.left, opposite(node.op), node.right))})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield "constant", repr(not node.value) if isinstance(node.value, bool) else repr(node.value + 1)
    elif isinstance(node, ast.Return) and node.value and not isinstance(node.value, ast.Constant):
        yield "returned", "return None"


def opposite(sign: ast.AST) -> Any:
    """Return what comes in place of an operator."""
    return getattr(ast, OTHER_PYTHON[type(sign).__name__])()


def is_no_number(node: ast.AST) -> bool:
    """Whether a node is text or a type, or the sign between others than numbers: nothing is computed there."""
    if isinstance(node, ast.Name):
        return node.id in dir(builtins) or (node.id[:1].isupper() and not node.id.isupper())
    if isinstance(node, ast.operator):
        return type(node).__name__ not in OTHER_PYTHON
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | None))
