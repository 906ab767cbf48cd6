"""Commands whose calls to the system fail, one after another, and what must hold of a lexicon afterwards.

It is as before or as after; what takes two transactions may also have ended between them. The same command then does
the rest.
"""

import errno
import lzma
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from support.corpora import COUNTS, DOGS
from support.processes import NO_LEXICON_BYTES, PATIENCE, beside
from support.runs import read_seed
from support.warm import Answer, Warm, warm

HERE = Path(__file__).parent
OLD = HERE.parent / "old"
REASONS = (errno.ENOSPC, errno.EIO)
WAYS = [(forever, reason) for forever in (False, True) for reason in REASONS]
CATS = DOGS.replace("Dogs", "Cats").replace("dog\t", "cat\t")
COWS = DOGS.replace("Dogs", "Cows").replace("dog\t", "cow\t")
TEMPORARY = re.compile(r"[.-][0-9a-f]{16}|/_unfinished/|\.parts?(/|$)")  # in the paths of files that are not whole
# What cannot be deleted stays until something is written again.
LEFT = {".wal", ".compacted", ".compacted.wal", ".unfinished"}
# What a command may say where its work has been done already.
DONE = ("no corpus dogs", "was added before", "already has a corpus", "exists already")


@dataclass(frozen=True)
class Case:
    """A command on a lexicon: which one it begins with, if any; what it makes last, if that is no lexicon."""

    begin: str
    command: tuple[str, ...]
    makes: str = ""


CASES = {
    "add": Case("made", ("add", "{file}", "{cows}")),
    "add to none": Case("", ("add", "{file}", "{cows}")),
    "remove": Case("made", ("remove", "{file}", "dogs")),
    "merge": Case("made", ("add", "{file}", "{other}")),
    "merge into none": Case("", ("add", "{file}", "{other}")),
    "compact": Case("made", ("compact", "{file}")),
    "weigh": Case("made", ("weigh", "{file}", "another", "--keep")),
    "refresh": Case("stale", ("refresh", "{file}")),
    "migrate": Case("0005", ("migrate", "{file}")),
    "migrate an old one": Case("0001", ("migrate", "{file}")),
    "rebuild": Case("", ("rebuild", "{other}", "-o", "{file}")),
    "backup": Case("", ("backup", "{other}", "{file}")),
    "backup again": Case("made", ("backup", "{other}", "{file}")),
    "add in place": Case("", ("add", "{file}", "{counted}", "--in-place")),
    "export": Case("", ("export", "{other}", "-o", "{file}", "--as", "parquet"), "{file}"),
    "export three files": Case("", ("export", "{other}", "-o", "{file}", "--as", "dissect"), "{file}"),
    "thesaurus": Case("", ("neighbours", "{other}", "--all", "-o", "{file}.tsv", "--min-frequency", "1"), "{file}.tsv"),
    "site": Case("", ("serve", "{other}", "--site", "{file}"), "{file}"),
    "count": Case("", ("count", "{cows}", "-o", "{file}"), "{file}/manifest.json"),
    "draw": Case("", ("draw", "{other}", "cat/NOUN", "-o", "{file}.svg"), "{file}.svg"),
}


class FailingDisk:
    """A folder with what the commands take, and a server of processes whose calls can fail for one lexicon in it."""

    def __init__(self, folder: Path, server: Warm) -> None:
        self.folder, self.server = folder, server
        self.file = folder / "failing" / "l.duckdb"
        self.file.parent.mkdir()
        self.makes: Path | None = None  # what the last command makes, if that is no lexicon
        self.left_by_failure: set[str] = set()  # the files that the last command left that failed
        self._before: dict[str, str] = {}
        self._between: dict[str, str] = {}
        self._after: dict[str, str] = {}
        for name, text in {"dogs": DOGS, "cats": CATS, "cows": COWS, "counts": COUNTS}.items():
            (folder / name).write_text(text, encoding="utf-8")

    def made(self, name: str) -> Path:
        """A lexicon that a command begins with, or takes, made if it is not there."""
        file = self.folder / name
        if file.exists():
            return file
        if name == "made":
            self.succeed("add", file, self.folder / "dogs", self.folder / "counts")
            self.succeed("weigh", file, "mine", "--scheme", "pmi", "--keep")
            self.succeed("apt", file, "dog/NOUN", "--save", "big_dog")
        elif name == "stale":
            shutil.copy(self.made("made"), file)
            self.succeed("add", file, self.folder / "cats")
        elif name == "counted":
            self.succeed("count", self.folder / "cats", "-o", file)
        elif name == "other":
            self.succeed("add", file, self.folder / "cats", self.folder / "cows")
        else:
            file.write_bytes(lzma.decompress((OLD / f"{name}.duckdb.xz").read_bytes()))
        return file

    def succeed(self, *command: str | Path) -> Answer:
        """Run a command none of whose calls fails."""
        found = self.server.run(command)
        assert not found.crashed, found
        assert found.answers[0].status == 0, found
        return found.answers[0]

    def contents(self) -> str:
        """All that the lexicon holds; nothing if it is not there, not begun or empty: the next addition begins anew.

        Of others than lexicons, all files.
        """
        if self.makes:
            made = (each for each in sorted(self.file.parent.rglob("*")) if not TEMPORARY.search(str(each)))
            listed = [(each.name, sha256(each.read_bytes()).hexdigest()) for each in made if each.is_file()]
            return str(listed) if self.makes.exists() else ""
        if not self.file.exists() or self.file.stat().st_size < NO_LEXICON_BYTES:
            return ""
        found = self.server.run(("contents", self.file))
        assert found.answers, found
        assert found.answers[0].status == 0, found
        held = found.answers[0].said.strip()
        return held if "_store." in held else ""

    def files(self) -> dict[str, bytes]:
        """The files that are there now."""
        return {each.name: each.read_bytes() for each in self.file.parent.iterdir() if each.is_file()}

    def begin(self, case: Case) -> list[str]:
        """Put the lexicon there that a case begins with; its command."""
        for each in self.file.parent.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        if case.begin:
            shutil.copy(self.made(case.begin), self.file)
        for made in ("other", "counted"):
            if f"{{{made}}}" in case.command:
                self.made(made)
        names = {each: self.folder / each for each in ("cows", "other", "counted")} | {"file": self.file}
        self.makes = Path(case.makes.format(**names)) if case.makes else None
        return [word.format(**names) for word in case.command]

    def calls_of(self, name: str) -> int:
        """How many calls of a command can fail; notes what the lexicon holds before and afterwards."""
        command = self.begin(CASES[name])
        self._before[name] = self._between[name] = self.contents()
        if command[0] == "migrate":  # in two transactions: the tables, then the direct counts
            self.succeed("migrate tables", self.file)
            self._between[name] = self.contents()
            self.begin(CASES[name])
        found = self.server.run(command, fault=(0, False, 0))
        assert found.answers[0].status == 0, found
        self._after[name] = self.contents()
        return found.seen

    def check(self, name: str, number: int, forever: bool, reason: int) -> str:
        """Let one call of a command fail, and all after it or none; says how it ended."""
        if name not in self._after:
            self.calls_of(name)
        command = self.begin(CASES[name])
        begun, before, after = self.files(), self._before[name], self._after[name]
        found = self.server.run(command, fault=(number, forever, reason))
        assert not found.crashed, found
        answer = found.answers[0]
        assert_told(answer)
        left = self.files()
        self.left_by_failure = {*left} - {*begun} if answer.status else set()
        if answer.status and left == begun:  # to the byte, so that the same command works as it does at once
            return "failed, before"
        held = self.contents()
        assert held in (before, self._between[name], after), (found, "something between")
        assert answer.status or held == after, (found, "not done, although it said so")
        self.check_again(command, after)
        state = "after" if held == after else "before" if held == before else "between"
        return f"{'failed' if answer.status else 'succeeded'}, {state}"

    def check_again(self, command: list[str], after: str) -> None:
        """The same command does what is left to do, or says that it is done."""
        if self.makes and not self.makes.exists():  # what a broken disk did not let go has to be deleted by hand
            for each in self.file.parent.iterdir():
                shutil.rmtree(each) if each.is_dir() else each.unlink()
        again = self.server.run(command)
        assert not again.crashed, again
        assert_told(again.answers[0])
        assert again.answers[0].status == 0 or any(each in again.answers[0].wrote for each in DONE), again
        assert self.contents() == after, again
        assert self.makes or beside(self.file) <= LEFT, again


def assert_told(answer: Answer) -> None:
    """A command that failed said so in one line."""
    said = PATIENCE.sub("", answer.wrote)
    assert "Traceback" not in said, said
    if answer.status:
        assert answer.status == 1, answer
        assert said.startswith("aptdb: "), answer
        assert said.count("\n") == 1, answer


@contextmanager
def failing_disk(folder: Path) -> Iterator[FailingDisk]:
    """The library, compiled; the test skips, saying so, where that cannot be done."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if sys.platform != "linux" or compiler is None:
        pytest.skip("calls that fail need Linux and a C compiler")
    library, failing = folder / "failing_calls.so", folder / "failing"
    source = HERE / "failing_calls.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    with warm(LD_PRELOAD=str(library), FAILING_FILES=str(failing)) as server:
        yield FailingDisk(folder, server)


def check_all(disk: FailingDisk, name: str, cases: Iterable[tuple[int, tuple[bool, int]]]) -> Counter[str]:
    """Check calls of a command, each in one way; how many ended how."""
    found: Counter[str] = Counter()
    for number, (forever, reason) in cases:
        try:
            found[disk.check(name, number, forever, reason)] += 1
        except BaseException as error:
            error.add_note(f"{name}: call {number}{' and all after it' if forever else ''}, {errno.errorcode[reason]}")
            raise
    return found


def sampled(disk: FailingDisk, name: str, size: int) -> list[tuple[int, tuple[bool, int]]]:
    """Return some calls of a command, each in one way; others for each commit."""
    dice, calls = random.Random(f"{read_seed()} {name}"), disk.calls_of(name)
    return [(dice.randint(1, calls), dice.choice(WAYS)) for _ in range(size)]
