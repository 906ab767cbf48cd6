"""The README is true: its commands, its Python and its SQL are run, and what they answer stands there.

Run as a program, this file renews the answers in the README.
"""

import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SHARED = ROOT.parent / "shared"
FILES = (SHARED / "corpora" / "en_ewt.conllu.gz", SHARED / "datasets" / "ml2010.txt")
BLOCK = re.compile(r"^```(console|pycon|sql)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def renewed(text: str, folder: Path) -> str:
    """The page with the answers that its blocks give now, run in order in one folder."""
    runners: dict[str, Callable[[str], str]] = {
        "console": lambda block: console(block, folder),
        "pycon": lambda block: python(block, folder),
        "sql": lambda block: block,
    }

    def renew(found: re.Match[str]) -> str:
        kind, block = found[1], found[2]
        answer = f"\n```text\n{sql(block, folder)}```\n" if kind == "sql" else ""
        return f"```{kind}\n{runners[kind](block)}```\n{answer}"

    return BLOCK.sub(renew, text)


def console(block: str, folder: Path) -> str:
    """Each command of a block with what it writes to a terminal."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{terminal(line.removeprefix('$ '), folder)}" for line in commands)


def terminal(command: str, folder: Path) -> str:
    """What a command writes to a terminal of 100 columns that knows no colours."""
    arguments = [sys.executable, "-m", "aptdb", *shlex.split(command)[1:]]
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100", "LINES": "40", "PYTHONPATH": str(ROOT)}
    master, slave = pty.openpty()
    with subprocess.Popen(arguments, cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave):
        os.close(slave)
        written = b""
        while piece := read(master):
            written += piece
    os.close(master)
    lines = [line.rstrip() for line in written.decode().replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n") + "\n"


def read(master: int) -> bytes:
    """What has come from the terminal; nothing once its other end is closed."""
    try:
        return os.read(master, 65536)
    except OSError:
        return b""


def python(block: str, folder: Path) -> str:
    """Each line of a session with what it answers."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        names: dict[str, object] = {}
        lines = []
        for line in (line for line in block.splitlines() if line.startswith(">>> ")):
            lines.append(line)
            code = line.removeprefix(">>> ")
            try:
                value = eval(compile(code, "README", "eval"), names)
            except SyntaxError:
                exec(compile(code, "README", "exec"), names)
                continue
            if value is not None:
                lines.append(repr(value))
        return "\n".join(lines) + "\n"
    finally:
        os.chdir(before)


def sql(block: str, folder: Path) -> str:
    """What a query answers in a client that has never heard of aptdb."""
    with duckdb.connect(str(folder / "english.duckdb"), read_only=True) as client:
        return f"{client.sql(block)}".strip("\n") + "\n"


def test_what_the_readme_shows_is_what_comes(tmp_path: Path) -> None:
    if not all(file.exists() for file in FILES):
        pytest.skip("the corpus and the data set of the README's tour are not beside this checkout (../shared)")
    for file in FILES:
        (tmp_path / file.name).symlink_to(file)
    text = README.read_text(encoding="utf-8")
    assert renewed(text, tmp_path) == text


def test_the_test_command_is_what_ci_runs() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "README.md" in ci
    commands = re.findall(r"^python3 -m venv .*$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert [command.rpartition("/")[2] for command in commands] == ["aptdb demo", "pytest"]


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        for file in FILES:
            (Path(place) / file.name).symlink_to(file)
        README.write_text(renewed(README.read_text(encoding="utf-8"), Path(place)), encoding="utf-8")
