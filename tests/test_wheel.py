"""The wheel and the sdist, built twice; the wheel installed into an environment of its own and run from another folder.

Deselected by default.
"""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from aptdb import __version__

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.wheel


def build(source: Path, folder: Path) -> None:
    """Build the sdist of a checkout into a folder, and from it the wheel."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", folder, source], check=True, capture_output=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist and the wheel of this checkout."""
    folder = tmp_path_factory.mktemp("built")
    build(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def sdist(built: Path) -> Path:
    """The sdist of this checkout."""
    return next(built.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel of this checkout."""
    return next(built.glob("*.whl"))


def tracked() -> list[str]:
    """The files that belong to the repository."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return listed.stdout.splitlines()


def test_the_sdist_carries_all_that_is_tracked(sdist: Path) -> None:
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert names == {"PKG-INFO", *tracked()}


def test_the_sdist_builds_itself_and_the_wheel_again_byte_by_byte(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    for file in unpacked.rglob("*"):
        file.touch()
    build(unpacked, tmp_path / "again")
    assert (tmp_path / "again" / wheel.name).read_bytes() == wheel.read_bytes()
    assert (tmp_path / "again" / sdist.name).read_bytes() == sdist.read_bytes()


def test_an_index_would_take_both(sdist: Path, wheel: Path) -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", sdist, wheel], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_wheel_carries_the_package_with_its_sql_and_migrations_and_no_more(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.startswith(f"{info_of(wheel)}/")}
    inside = {name for name in tracked() if name.startswith("aptdb/")}
    beside = {f"aptdb/{name}" for name in tracked() if name.startswith(("sql/", "migrations/"))}
    assert names == inside | beside | {"aptdb/docs/changelog.md"}
    assert {"aptdb/docs/meaning.md", "aptdb/py.typed", "aptdb/sql/counting/count.sql"} <= names


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    info, packed = info_of(wheel), zipfile.ZipFile(wheel)
    said = {name.removeprefix(f"{info}/") for name in packed.namelist() if name.startswith(f"{info}/")}
    assert said == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    assert f"\nVersion: {__version__}\n" in packed.read(f"{info}/METADATA").decode()


def info_of(wheel: Path) -> str:
    """The folder in a wheel that says what it is."""
    return f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"


def test_the_installed_command_works_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([programs / "pip", "install", "--quiet", wheel], check=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    demo = subprocess.run([programs / "aptdb", "demo"], cwd=elsewhere, capture_output=True, text=True, check=True)
    assert "green shoot" in demo.stdout
    assert not [*elsewhere.iterdir()]
    imports = "import aptdb, importlib.util as u; print([n for n in ('cli', 'sql', 'migrations') if u.find_spec(n)])"
    stray = subprocess.run(
        [programs / "python", "-c", imports], cwd=elsewhere, capture_output=True, text=True, check=True
    )
    assert stray.stdout.strip() == "[]"


ASK_IN_PYTHON = """
import aptdb
with aptdb.Lexicon.open("demo.duckdb") as lexicon:
    print(lexicon.neighbours("leaf/NOUN", top=1).column("lexeme")[0])
"""
ASK_IN_SQL = """
import duckdb
with duckdb.connect("demo.duckdb", read_only=True) as client:
    print(client.execute("SELECT lexeme FROM neighbours('leaf/NOUN', top := 1)").fetchone()[0])
"""
ASK_A_TOOL = """
import asyncio, sys
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
async def ask():
    server = StdioServerParameters(command=sys.argv[1], args=["serve", "demo.duckdb", "--mcp"])
    async with Client(stdio_client(server)) as client:
        answer = await client.call_tool("neighbours", {"x": "leaf/NOUN", "top": 1})
        print(answer.structured_content["rows"][0][0])
asyncio.run(ask())
"""


def test_questions_and_pages_need_nothing_but_their_extras(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([programs / "pip", "install", "--quiet", f"{wheel}[mcp,web]"], check=True)

    def said(program: str, *words: str | Path) -> str:
        done = subprocess.run([programs / program, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    said("aptdb", "demo", "--keep", "demo.duckdb")
    said("aptdb", "serve", "demo.duckdb", "--site", "pages", "--top", "3")
    assert (tmp_path / "pages" / "index.html").exists()
    heading, near = said(
        "aptdb", "neighbours", "demo.duckdb", "leaf/NOUN", "--top", "1", "--format", "csv"
    ).splitlines()
    assert heading == "lexeme,similarity"
    for code in (ASK_IN_PYTHON, ASK_IN_SQL, ASK_A_TOOL):
        assert said("python", "-c", code, programs / "aptdb") == near.split(",")[0]
    served = [str(programs / "aptdb"), "serve", "demo.duckdb", "--port", "0", "--no-token"]
    with subprocess.Popen(served, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        address = running.stderr.readline().split(" is at ")[1].split(" ")[0]
        with urlopen(f"{address}sql?q=SELECT+41%2B1+AS+x") as page:
            assert b"42" in page.read()
        running.terminate()
    assert running.returncode == 0
