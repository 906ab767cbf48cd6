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


def test_the_sdist_carries_all_that_is_tracked(sdist: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert names == {"PKG-INFO", *listed.stdout.splitlines()}


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


def test_the_wheel_carries_sql_and_migrations_inside_the_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"aptdb"}
    for folder in ("sql", "migrations"):
        inside = {name.removeprefix(f"aptdb/{folder}/") for name in names if name.startswith(f"aptdb/{folder}/")}
        beside = {
            str(file.relative_to(ROOT / folder))
            for file in (ROOT / folder).rglob("*.*")
            if file.suffix in {".sql", ".py"}
        }
        assert inside == beside


def test_the_wheel_carries_the_pages_that_people_read(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("aptdb/docs/")}
    assert "aptdb/docs/meaning.md" in inside
    assert inside == {page.relative_to(ROOT).as_posix() for page in (ROOT / "aptdb" / "docs").rglob("*.*")}


def test_the_wheel_carries_what_pages_in_a_browser_need(wheel: Path) -> None:
    folders = ("aptdb/explorer/templates/", "aptdb/explorer/static/")
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(folders)}
    assert inside == {
        file.relative_to(ROOT).as_posix() for each in folders for file in (ROOT / each).rglob("*") if file.is_file()
    }


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


def test_pages_need_nothing_but_their_extra(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([programs / "pip", "install", "--quiet", f"{wheel}[web]"], check=True)
    for words in (["demo", "--keep", "demo.duckdb"], ["site", "demo.duckdb", "-o", "pages", "--top", "3"]):
        subprocess.run([programs / "aptdb", *words], cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "pages" / "index.html").exists()
    served = [str(programs / "aptdb"), "serve", "demo.duckdb", "--port", "0", "--no-token"]
    with subprocess.Popen(served, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        address = running.stderr.readline().split(" is at ")[1].split(" ")[0]
        with urlopen(f"{address}sql?q=SELECT+41%2B1+AS+x") as page:
            assert b"42" in page.read()
        running.terminate()
    assert running.returncode == 0
