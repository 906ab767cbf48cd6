"""The program as a process of its own, and what must hold after its end, however it came."""

import io
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aptdb import Lexicon, LexiconError
from support.corpora import unpacked
from support.lexicons import assert_same, lexicon_of

PROGRAM = (sys.executable, "-m", "aptdb")
PATIENCE = re.compile(r"aptdb: .*(…| so far)\n")  # said of what takes long, not of what goes wrong
NO_LEXICON_BYTES = 3 * 4096  # what DuckDB begins a file with: until it is whole, there is no database
SECONDS = 60

Parts = dict[str, bytes]


def parts_of_treebank(size: int, *names: str) -> Parts:
    """So many pieces of a treebank, each of some bytes and of whole sentences, by the names of their files."""
    rest, parts = unpacked("en_ewt"), {}
    for name in names:
        end = rest.index(b"\n\n", size) + 2
        parts[name], rest = rest[:end], rest[end:]
    return parts


def written(folder: Path, parts: Parts) -> list[Path]:
    """The parts as files."""
    for name, content in parts.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in parts]


def run(
    *arguments: Any, before: Sequence[str] = (), seconds: float = SECONDS, **how: Any
) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, which must come within so many seconds."""
    command = [*before, *PROGRAM, *map(str, arguments)]
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": buffered(), **how}
    return subprocess.run(command, text=True, timeout=seconds, check=False, **how)


def buffered() -> dict[str, str]:
    """The environment of a program whose output is kept until it is written, as it is for a user."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a program which ended with status 1 has to say."""
    said = PATIENCE.sub("", done.stderr)
    assert done.returncode == 1, (done.args, done.returncode, said)
    assert said.startswith("aptdb: "), (done.args, said)
    assert said.count("\n") == 1, (done.args, said)
    return said.removeprefix("aptdb: ").rstrip("\n")


def stopped(delay: float, number: int, *arguments: Any) -> tuple[int, str]:
    """Run the program, and send it a signal; its status, and what it said.

    delay: seconds from its start, or from when it hears the signal: before, Python ends it, or has no place for it.
    """
    command = [*PROGRAM, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        if number != signal.SIGKILL:
            wait_until_heard(running)
        time.sleep(delay)
        running.send_signal(number)
        try:
            said = running.communicate(timeout=SECONDS)[1]
        finally:
            running.kill()
    return running.returncode, PATIENCE.sub("", said)


def wait_until_heard(running: subprocess.Popen[str]) -> None:
    """Wait until the program hears SIGTERM and SIGINT; without /proc, as long as that takes on most machines."""
    caught = Path(f"/proc/{running.pid}/status")
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and running.poll() is None:
        found = re.search(r"SigCgt:\s*(\w+)", caught.read_text()) if caught.exists() else None
        if found is None:
            time.sleep(0.25)
            return
        if int(found[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.01)


def killed(delay: float, *arguments: Any) -> int:
    """Run the program, and kill it after so many seconds; its status."""
    return stopped(delay, signal.SIGKILL, *arguments)[0]


def seconds_of(act: Callable[[], object]) -> float:
    """How long something takes."""
    begun = time.monotonic()
    act()
    return time.monotonic() - begun


def corpora_of(file: Path) -> list[str]:
    """The corpora of a lexicon that is sound; none of one that is not there, or holds nothing yet."""
    if not file.exists() or file.stat().st_size < NO_LEXICON_BYTES:
        return []
    with Lexicon.open(file, create=True) as lexicon:
        try:
            names = [str(name) for name in lexicon.corpora().column("name")]
        except LexiconError as error:
            assert "is empty; add a corpus first" in str(error)
            return []
        assert lexicon.verify().rows == []
        return names


def assert_all_or_nothing(file: Path, parts: Parts, tables_but: tuple[str, ...] = ("corpus",)) -> list[str]:
    """A lexicon holds the first of the parts, each as a whole, and is completed by the others; what it held."""
    held = corpora_of(file)
    assert held == [*parts][: len(held)]
    lexicon_like(file, held, parts, tables_but)
    with Lexicon.open(file, create=True) as lexicon:
        for name in [name for name in parts if name not in held]:
            lexicon.add(io.BytesIO(parts[name]), name=name)
    lexicon_like(file, [*parts], parts, tables_but)
    return held


def lexicon_like(file: Path, names: list[str], parts: Parts, tables_but: tuple[str, ...] = ("corpus",)) -> None:
    """A lexicon is the same as one made of those corpora alone."""
    if names:
        alike = file.with_name(f"{'+'.join(names)}.alike")
        if not alike.exists():
            lexicon_of(alike, {name: parts[name] for name in names})
        assert_same(file, alike, but=tables_but)


def beside(file: Path) -> set[str]:
    """The endings of what stands beside a lexicon under its name, without what is random in them."""
    endings = {each.name.removeprefix(file.name) for each in file.parent.glob(f"{file.name}*")}
    return {re.sub(r"^\.[0-9a-f]{8}-[0-9]+-[0-9a-f]{16}\.", ".", each) for each in endings} - {""}


def check_kills(folder: Path, kills: int, size: int) -> Counter[int]:
    """SIGKILL at random moments: all or nothing of each file, and what is missing can be added; how many had how many.

    size: the bytes of each of the two files.
    """
    parts = parts_of_treebank(size, "one.conllu", "two.conllu")
    sources = written(folder, parts)
    whole = seconds_of(lambda: run("add", folder / "whole.duckdb", *sources))
    dice, held = random.Random(8), Counter[int]()
    for number, share in enumerate(sorted(dice.random() for _ in range(kills))):
        file = folder / f"{number}.duckdb"
        killed(share * whole, "add", file, *sources)
        assert beside(file) <= {".wal", ".tmp", ".compacted", ".compacted.wal"}
        had = len(assert_all_or_nothing(file, parts))
        held[had] += 1
        # What was added since has taken away what a kill left; where nothing was, the next addition will.
        assert had == len(parts) or beside(file) <= {".wal"}
        file.unlink()
    return held
