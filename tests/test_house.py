"""The habits of the project (contributing.md). Each test lists all offenders at once."""

import ast
import re
import runpy
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from aptdb import __version__
from aptdb.store.definitions import DEFINITIONS
from aptdb.store.statements import NAME, resource, statement, statements_of

Function = ast.FunctionDef | ast.AsyncFunctionDef
ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "aptdb").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SQL = sorted((ROOT / "sql").rglob("*.sql"))
MOST_LINES = 450  # of a module: it has one subject, and none is cut in two for its length
MOST_LINES_OF_BODY = 40  # of a function, without signature and docstring: a list of options may be long
TOP = {"README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "pyproject.toml", "cli.py"}
FOLDERS = {"aptdb", "migrations", "tests", "sql"}
LINES_OF_SQL = re.compile(r"\b(?:SELECT|INSERT INTO|MERGE INTO|CREATE (?:OR|TABLE))\b[^\n]*\n")
RUNS = re.compile(r"\.(?:execute|exec_driver_sql|executemany)\(")
MAY_RUN_SQL = {"database.py", "answer.py"}  # the second for completion, for which the first imports too much
MOST_ENTRIES = 15  # in aptdb/
# Figures that only go down; who brings one down writes the new one here.
MOST: dict[str, float] = {
    "lines of Python": 48_535,
    "modules": 205,
    "lines of SQL": 18_335,
    "% of functions whose name another module has": 0,
    "% of functions whose name is one word": 14,
    "imports within functions": 290,
    "parameters of a private macro": 8,
    "private macros under neighbours": 177,
}
FEW_BASE_NAMES = ("__init__", "__main__")  # which modules of several folders may share


@cache
def tree_of(module: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(module.read_text(encoding="utf-8"))


def of_all(files: list[Path], problems: Callable[[Path], Iterator[str]]) -> list[str]:
    """The problems of all files, each with its file."""
    return [f"{file.relative_to(ROOT)}{problem}" for file in files for problem in problems(file)]


def functions(module: Path) -> Iterator[Function]:
    """The functions of a module."""
    return (node for node in ast.walk(tree_of(module)) if isinstance(node, Function))


def has_docstring(node: ast.AST) -> bool:
    """Whether a node opens with text that documents it."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, documented) and ast.get_docstring(node) is not None


@pytest.mark.thorough
def test_modules_and_functions_are_short() -> None:
    def too_long(module: Path) -> Iterator[str]:
        if (lines := module.read_text(encoding="utf-8").count("\n")) > MOST_LINES:
            yield f": {lines} lines"
        for function in functions(module):
            body = function.body[1:] if has_docstring(function) else function.body
            lines = (function.end_lineno or 0) - body[0].lineno + 1 if body else 0
            if lines > MOST_LINES_OF_BODY:
                yield f":{function.lineno} {function.name}: {lines} lines"

    assert of_all(MODULES, too_long) == []
    lengths = [(each.end_lineno or 0) - each.lineno + 1 for module in MODULES for each in functions(module)]
    assert sum(length <= 30 for length in lengths) / len(lengths) > 0.9


def names_of_functions() -> Iterator[str]:
    """The names of the functions of modules, without leading underscores."""
    for module in MODULES:
        yield from (node.name.strip("_") for node in tree_of(module).body if isinstance(node, Function))


def macros() -> dict[str, str]:
    """The text of each macro, overloads together, without comments."""
    found: dict[str, str] = {}
    for file in SQL:
        for part in re.split(r"(?m)^(?=CREATE )", file.read_text(encoding="utf-8")):
            if named := re.match(r"CREATE OR REPLACE MACRO (?:_store\.)?(\w+)", part):
                found[named[1]] = found.get(named[1], "") + re.sub(r"(?m)^\s*--.*$", "", part)
    return found


def reached_from(name: str, texts: dict[str, str]) -> set[str]:
    """The private macros that a macro stands on."""
    reached: set[str] = set()
    left = [name]
    while left:
        new = {each for each in re.findall(r"_store\.(\w+)", texts[left.pop()]) if each in texts} - reached
        reached |= new
        left += new
    return reached


def test_figures_go_down() -> None:
    names = [*names_of_functions()]
    shared = sum(names.count(name) > 1 for name in names)
    inner = [node for module in MODULES for function in functions(module) for node in function.body]
    texts = macros()
    heads = [re.search(r"\((.*?)\)\s+AS", text, re.DOTALL) for text in texts.values()]
    found = {
        "lines of Python": sum(module.read_text(encoding="utf-8").count("\n") for module in MODULES),
        "modules": len(MODULES),
        "lines of SQL": sum(file.read_text(encoding="utf-8").count("\n") for file in SQL),
        "% of functions whose name another module has": 100 * shared / len(names),
        "% of functions whose name is one word": 100 * sum("_" not in name for name in names) / len(names),
        "imports within functions": sum(isinstance(node, ast.Import | ast.ImportFrom) for node in inner),
        "parameters of a private macro": max(head[1].count(",") + 1 for head in heads if head),
        "private macros under neighbours": len(reached_from("neighbours", texts)),
    }
    assert {name: value for name, value in found.items() if value > MOST[name]} == {}


def test_sql_stands_in_sql_and_one_function_runs_it() -> None:
    def sql_in(module: Path) -> Iterator[str]:
        tree = tree_of(module)
        prose = {id(node.body[0].value) for node in ast.walk(tree) if has_docstring(node)}  # type: ignore[attr-defined]
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                yield from (f":{node.lineno}: SQL of several lines" for _ in LINES_OF_SQL.findall(node.value))
        if module.name not in MAY_RUN_SQL:
            yield from (f": {call}" for call in RUNS.findall(module.read_text(encoding="utf-8")))

    assert of_all(MODULES, sql_in) == []


def test_statements_open_with_what_they_mean_and_are_short() -> None:
    def problems(file: Path) -> Iterator[str]:
        lines = file.read_text(encoding="utf-8").splitlines()
        if not lines[0].startswith("-- "):
            yield ":1: no comment that says what it is"
        before = ""  # the last line that is not empty
        for number, line in enumerate(lines, 1):
            if len(line) > 120 or "\t" in line or line != line.rstrip():
                yield f":{number}: long, or with tabs or spaces at its end"
            if NAME.fullmatch(before) and not line.startswith("-- "):
                yield f":{number}: no comment that says what a row is"
            alike = before.startswith(("CREATE ", "-- ")) or before.endswith(";")
            if line.startswith("CREATE ") and not alike:
                yield f":{number}: no comment before {line[:50]}"
            before = line or before
        for each in "\n".join(lines).split(";\n"):
            code = [line for line in each.splitlines() if line.strip() and not line.strip().startswith("--")]
            if len(code) > 60:
                yield f": {code[0]}: {len(code)} lines"

    assert of_all(SQL, problems) == []


def test_every_statement_is_used_and_every_definition_loaded() -> None:
    """Statements by their whole name; modules of a room may leave out the room."""
    code = "".join(module.read_text(encoding="utf-8") for module in MODULES)
    defined, unused = [], []
    for file in SQL:
        name = file.relative_to(ROOT / "sql").with_suffix("").as_posix()
        if "/define/" in name:
            defined.append(name)
            continue
        for each in statements_of(f"{name}.sql"):
            whole = f"{name.removesuffix('/queries')}/{each}"
            short = whole.partition("/")[2]
            export = each if name == "questions/export" else short
            if not any(f'"{wanted}"' in code for wanted in (whole, short, export)):
                unused.append(whole)
    assert unused == []
    assert sorted(DEFINITIONS) == sorted(defined)
    assert resource("sql") == ROOT / "sql"
    assert statement("store/corpora").startswith("-- A row")


@pytest.mark.extra
def test_imports_only_go_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """The contracts are in pyproject.toml: rooms stand on those below them, without circles."""
    linter = pytest.importorskip("importlinter.cli", reason="import-linter comes with the extra dev")
    monkeypatch.chdir(ROOT)
    assert linter.lint_imports(no_cache=True) == 0


def imported(module: Path) -> Iterator[str]:
    """What a module imports, at its top or within a function, by its whole name."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_what_tests_share_is_in_support() -> None:
    """Nothing imports a test module, or conftest, which has hooks and fixtures; no twin imports the product."""

    def problems(module: Path) -> Iterator[str]:
        parts = {part for name in imported(module) for part in name.split(".")}
        if found := {part for part in parts if part.startswith("test_") or part == "conftest"}:
            yield f": imports {found}"
        if module.parent.name == "twins" and "aptdb" in parts:
            yield ": imports aptdb"

    assert of_all(TESTS, problems) == []


def test_nothing_beside_what_belongs_there() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    files = [line.split("/") for line in listed.stdout.splitlines() if not line.startswith(".")]
    assert {parts[0] for parts in files} <= TOP | FOLDERS
    assert len({parts[1] for parts in files if parts[0] == "aptdb"}) <= MOST_ENTRIES
    names = [module.stem for module in MODULES if module.stem not in FEW_BASE_NAMES]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    # What a merge could not decide, and nobody did: no tool that reads code sees it in a page.
    marks = subprocess.run(
        ["git", "grep", "-nE", "^(<{7}|>{7}) "], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert marks.stdout.splitlines() == []


def test_the_version_is_the_same_everywhere() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.*?)\]", changes, re.MULTILINE)[:2] == ["Unreleased", __version__]


def test_the_address_of_the_repository_is_written_once() -> None:
    """It stands among the project's addresses; while there is none, contributing.md says REPOSITORY."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project.get("urls", {}).get("Repository")
    page = (ROOT / "aptdb" / "docs" / "contributing.md").read_text(encoding="utf-8")
    assert f"\ngit clone {address or 'REPOSITORY'} aptdb && cd aptdb\n" in page
    cited = re.search(r"^repository-code: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert (cited and cited[1]) == address


QUICK = "starlette|uvicorn|jinja2|sparse_dot_topn|zstandard|backports"  # what the quick run has, and what dev lacks
OF_AN_EXTRA = re.compile(rf'importorskip\("(?!{QUICK})')


def test_tests_that_need_an_extra_are_marked() -> None:
    """The quick run skips them for want of a package, and .ci/run runs what is marked `extra` once more."""

    def unmarked(module: Path) -> Iterator[str]:
        text = module.read_text(encoding="utf-8")
        if not OF_AN_EXTRA.search(text) or re.search(r"pytestmark = .*?mark\.(extra|thorough|bench)", text, re.DOTALL):
            return
        lines = text.splitlines()
        for function in functions(module):
            marks = " ".join(map(ast.unparse, function.decorator_list))
            wants = OF_AN_EXTRA.search("\n".join(lines[function.lineno : function.end_lineno]))
            if function.name.startswith("test_") and wants and not re.search(r"mark\.(extra|thorough)", marks):
                yield f":{function.lineno} {function.name}"

    assert of_all([module for module in TESTS if module.name.startswith("test_")], unmarked) == []


def test_every_dependency_has_a_lower_bound() -> None:
    """.ci/lowest installs these bounds; it ends with a message where one is missing."""
    lowest = [*runpy.run_path(str(ROOT / ".ci" / "lowest.py"))["lowest"]()]
    assert "duckdb==2.0.1" in lowest
    assert len({each.partition("==")[0] for each in lowest}) == len(lowest)


def test_hosted_runs_call_what_is_there() -> None:
    parts = re.findall(r"^PARTS=\((.*)\)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)[0].split()
    called = re.findall(
        r"run: \.ci/(\w+)(.*)$",
        (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert {script for script, _ in called} == {"run", "lowest"}
    assert {part for script, words in called for part in words.split() if script == "run"} <= {*parts}
