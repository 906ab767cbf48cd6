"""The habits of the house, each one checked (contributing.md)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aptdb import __version__
from aptdb.corpus.corpus_files import DIALECTS
from aptdb.store.definitions import DEFINITIONS
from aptdb.store.statements import resource, statement

Function = ast.FunctionDef | ast.AsyncFunctionDef
ROOT = Path(__file__).parents[1]
OF_ROOMS = ("counting/", "exchange/")  # rooms whose modules name their own statements without the room
PACKAGE = ROOT / "aptdb"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SQL = sorted((ROOT / "sql").rglob("*.sql"))


def named(files: list[Path]) -> dict[str, Path]:
    """Files by what a test is to call them."""
    return {str(file.relative_to(ROOT)): file for file in files}


def functions(module: Path) -> Iterator[Function]:
    """The functions of a module."""
    return (node for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, Function))


@pytest.mark.parametrize("module", named(MODULES).values(), ids=named(MODULES))
def test_modules_are_short_and_their_functions_shorter(module: Path) -> None:
    assert module.read_text().count("\n") <= 450
    for function in functions(module):
        assert lines_of_body(function) <= 40, function.name


def lines_of_body(function: Function) -> int:
    """The lines of a function without its signature and docstring."""
    statements = function.body[1:] if has_docstring(function) else function.body
    return (function.end_lineno or 0) - statements[0].lineno + 1 if statements else 0


def test_most_functions_are_under_30_lines() -> None:
    lengths = [(each.end_lineno or 0) - each.lineno + 1 for module in MODULES for each in functions(module)]
    assert sum(length <= 30 for length in lengths) / len(lengths) > 0.9


@pytest.mark.parametrize("module", named(MODULES).values(), ids=named(MODULES))
def test_no_sql_of_several_lines_in_python(module: Path) -> None:
    tree = ast.parse(module.read_text())
    prose = {id(node.body[0].value) for node in ast.walk(tree) if has_docstring(node)}  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            assert not re.search(r"\b(SELECT|INSERT INTO|MERGE INTO|CREATE (OR|TABLE))\b[^\n]*\n", node.value), (
                node.lineno
            )


def has_docstring(node: ast.AST) -> bool:
    """Whether a node opens with text that documents it."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, documented) and ast.get_docstring(node) is not None


@pytest.mark.parametrize("file", named(SQL).values(), ids=named(SQL))
def test_every_statement_opens_with_what_it_means(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("-- ")
    for created in re.finditer(r"^CREATE ", text, re.MULTILINE):
        before = text[: created.start()].rstrip("\n").rpartition("\n")[2]
        alike = before.startswith("CREATE ") and ("VIEW" in before or "MACRO" in before)
        assert before.startswith("-- ") or alike or before.endswith(";"), before


@pytest.mark.parametrize("file", named(SQL).values(), ids=named(SQL))
def test_statements_are_short_and_their_lines_too(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "\t" not in text
    for line in text.splitlines():
        assert len(line) <= 120, line
        assert line == line.rstrip(), line
    for each in text.split(";\n"):
        code = [line for line in each.splitlines() if line.strip() and not line.strip().startswith("--")]
        assert len(code) <= 60, code[0]


def test_every_definition_is_in_the_load_order() -> None:
    defined = (file.relative_to(ROOT / "sql").with_suffix("") for file in (ROOT / "sql").glob("*/define/*.sql"))
    assert sorted(DEFINITIONS) == sorted(name.as_posix() for name in defined)


def test_every_statement_is_used() -> None:
    """By its whole path; steps of an addition stand in a list of their own, below `counting`."""
    code = "".join(module.read_text() for module in MODULES)
    code += "".join(f'"counting/read/fields_of_{dialect.name}"' for dialect in DIALECTS)
    for file in SQL:
        name = file.relative_to(ROOT / "sql").with_suffix("").as_posix()
        if "/define/" not in name:
            in_room = name.partition("/")[2]
            assert f'"{name}"' in code or (f'"{in_room}"' in code and name.startswith(OF_ROOMS)), name


def test_statements_are_found_beside_the_package_in_a_checkout() -> None:
    assert resource("sql") == ROOT / "sql"
    assert statement("store/corpora").startswith("-- A row")


def imported(module: Path) -> Iterator[str]:
    """What a module imports, at its top or within a function, by its whole name."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("module", named(TESTS).values(), ids=named(TESTS))
def test_what_tests_share_is_in_support(module: Path) -> None:
    """Nothing imports a test module, or conftest, which has hooks and fixtures; no twin imports the product."""
    parts = {part for name in imported(module) for part in name.split(".")}
    assert not {part for part in parts if part.startswith("test_") or part == "conftest"}
    assert module.parent.name != "twins" or "aptdb" not in parts
    assert module.parent.name not in {"support", "twins"} or module.read_text().count("\n") <= 450


def test_imports_only_go_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """The contracts are in pyproject.toml: rooms stand on those below them, without circles."""
    from importlinter.cli import lint_imports

    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


def test_nothing_beside_what_belongs_at_the_top() -> None:
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    top = {line.split("/")[0] for line in listed.stdout.splitlines() if not line.startswith(".")}
    prose = {"README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"}
    assert top <= {*prose, "pyproject.toml", "aptdb", "migrations", "tests", "sql", "cli.py"}


def test_the_version_is_the_same_everywhere() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.*?)\]", changes, re.MULTILINE)[:2] == ["Unreleased", __version__]


def test_one_function_runs_sql() -> None:
    """And another for completion, for which the first takes too long to import."""
    for module in MODULES:
        if module.name not in {"database.py", "glimpse.py"}:
            assert not re.search(r"\.(execute|exec_driver_sql|executemany)\(", module.read_text()), module
