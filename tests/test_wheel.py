"""The wheel, built, installed into an environment of its own and run from another folder; deselected by default."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT], check=True, capture_output=True
    )
    return next(folder.glob("*.whl"))


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
