"""Other tools on a lexicon: the examples of docs/elsewhere.md that need a package which tests can do without.

test_readme.py runs the other blocks of that page. Run as a program, this file renews the answers of those here.
"""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pytest

from aptdb import Lexicon
from aptdb.corpus import demo_corpus
from support.lexicons import make_lexicon

pytestmark = pytest.mark.extra  # some of these tests need a package of an extra

PAGE = Path(__file__).parents[1] / "aptdb" / "docs" / "elsewhere.md"
BLOCK = re.compile(r"^```(python|ipython)\n(.*?)^```\n\n```text\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w./]+)`:\n\n```(?:yaml|jinja)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
NEEDED = re.compile(r"^(?:import|%load_ext) (\w+)", re.MULTILINE)
IN_IPYTHON = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
sys.exit(0 if all([shell.run_cell(line).success for line in open("cell.txt")]) else 1)
"""


def is_there(package: str) -> bool:
    """Whether a package is installed; a folder that is called so, as `sql` is here, is none."""
    try:
        found = importlib.util.find_spec(package)
    except ModuleNotFoundError:
        return False
    return found is not None and found.origin is not None


def lacking(kind: str, block: str) -> list[str]:
    """The packages that a block needs and that are not there."""
    needed = [*NEEDED.findall(block), *(["IPython"] if kind == "ipython" else [])]
    return [package for package in needed if not is_there(package)]


def run(kind: str, block: str, folder: Path) -> str:
    """What a block prints, in a process of its own; what jupysql says of its connection is none of it."""
    (folder / "cell.txt").write_text(block, encoding="utf-8")
    code = IN_IPYTHON if kind == "ipython" else block
    environment = {**os.environ, "IPYTHONDIR": str(folder / "ipython")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env=environment, capture_output=True, check=False, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.compile(r"^(Connecting|Running query|Closing|Out\[).*\n", re.MULTILINE)
    return said.sub("", done.stdout)


def make_demo(folder: Path) -> Path:
    """The lexicon that the page makes."""
    (folder / "demo.conllu").write_text("".join(demo_corpus.corpus()), encoding="utf-8")
    make_lexicon(folder / "demo.duckdb", folder / "demo.conllu")
    return folder


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the lexicon of the page."""
    return make_demo(tmp_path_factory.mktemp("demo"))


@pytest.mark.parametrize("number", range(3))
def test_a_block_prints_what_the_page_shows(demo: Path, number: int) -> None:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 3
    kind, block, shown = blocks[number]
    if missing := lacking(kind, block):
        pytest.skip(f"this block needs {' and '.join(missing)}")
    assert run(kind, block, demo) == shown


def test_dbt_builds_the_models_of_the_page(demo: Path) -> None:
    files = FILE.findall(PAGE.read_text(encoding="utf-8"))
    assert [name for name, _ in files] == [
        "profiles.yml", "dbt_project.yml", "models/modified.sql", "models/variety.sql",
        "models/near.sql",
    ]  # fmt: skip
    if not is_there("dbt.adapters.duckdb"):
        pytest.skip("this example needs dbt-duckdb")
    for name, text in files:
        (demo / name).parent.mkdir(exist_ok=True)
        (demo / name).write_text(text, encoding="utf-8")
    (demo / "macros").mkdir()
    with Lexicon.open(demo / "demo.duckdb") as lexicon:
        functions, near = lexicon.definitions("english"), lexicon.neighbours("shoot/NOUN", top=5).rows
    macro = f"{{% macro english() %}}{{% raw %}}{functions}{{% endraw %}}{{% endmacro %}}"
    (demo / "macros" / "english.sql").write_text(macro, encoding="utf-8")
    done = subprocess.run(
        [str(Path(sys.executable).with_name("dbt")), "run", "--profiles-dir", "."],
        cwd=demo, env={**os.environ, "DO_NOT_TRACK": "1"}, capture_output=True, check=False, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    with duckdb.connect(str(demo / "words.duckdb"), read_only=True) as built:
        (times,) = built.sql("SELECT sum(times) FROM variety").fetchall()[0]
        assert built.sql("FROM near").fetchall() == near
    with duckdb.connect(str(demo / "demo.duckdb"), read_only=True) as client:
        like = "path = '>amod' AND lexeme LIKE '%/NOUN' AND context LIKE '%/ADJ'"
        expected = client.sql(f"SELECT sum(direct) FROM cooccurrences WHERE {like}").fetchall()
    assert [(times,)] == expected
    assert times > 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = make_demo(Path(place))

        def renewed(found: re.Match[str]) -> str:
            """A block with what it prints now, if it can be run."""
            kind, block, shown = found.groups()
            answer = shown if lacking(kind, block) else run(kind, block, made)
            return f"```{kind}\n{block}```\n\n```text\n{answer}```\n"

        PAGE.write_text(BLOCK.sub(renewed, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
