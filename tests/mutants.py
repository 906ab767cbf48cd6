"""Whether the tests hold: draw mutants of the code by a seed, and list those that no test notices.

`python tests/mutants.py --seed 60 --number 200` draws changes (support/changes.py) of SQL and Python, as many of each
kind as of any other; `--room counting` tries those of one room. A mutant is a copy of the repository, in a temporary
folder, with one change. It meets the comparisons with twins, hands and other libraries in its room, then the tests that
are nearest, then those of its room, the quick ones before the thorough ones, until one fails; each run ends after some
CPU seconds, and who lives so long survives. Nearest are the tests that name the changed definition, or what names it:
where names are there once, a graph of words is as good as a trace. The quick run must pass; a thorough test that fails
without the change kills nobody.
"""

import argparse
import heapq
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from support.changes import Change, changes_in, chunks_of
from support.runs import ROOT, SEED, draw_number

ROOMS = ("core", "counting", "questions", "evaluation")  # whose Python is changed; SQL is changed in all
COPIED = ("aptdb", "sql", "tests", "migrations")
BETTER_ROOMS = {"store": ("questions", "store", "counting"), "completion": ("commands",)}  # whose tests say more of one
FOUND = 60  # tests that order the files of a room
NEAREST = 12  # tests that come first, of any room
QUICK, THOROUGH = "not bench and not wheel and not thorough", "thorough and not extra and not bench"
CPU_SECONDS = {QUICK: 60, THOROUGH: 60}  # of a run at most
HANGS = 1800  # seconds; busy machines are slow, and to wait for nothing takes no CPU seconds
TOO_LONG = "too long"
UNSHRUNK = (
    "support.unshrunk"  # a failure is enough: to shrink it takes longer than the limit, and the mutant would live
)
COMPARISON = re.compile(r"^def (test_\w*(?:twin|by_hand|scipy|numpy|paper|prints)\w*)", re.MULTILINE)
CONFTEST = "tests/conftest.py"  # where what cannot be imported is noticed first
FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\s\[]+)", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_][\w/]*\w")


def draw_changes(root: Path, seed: str, number: int) -> list[Change]:
    """Return changes of SQL and Python drawn by a seed; the first of many are the same as of few."""
    found: dict[tuple[str, str], list[Change]] = defaultdict(list)
    for file in [*root.glob("sql/**/*.sql"), *(each for room in ROOMS for each in root.glob(f"aptdb/{room}/*.py"))]:
        for change in changes_in(file.relative_to(root), file.read_text(encoding="utf-8")):
            found[file.suffix, change.kind].append(change)
    kinds = Counter(suffix for suffix, _ in found)
    turns: list[tuple[float, Change]] = []
    for (suffix, _), changes in sorted(found.items()):
        changes.sort(key=lambda change: draw_number(seed, str(change)))
        turns += [(turn * kinds[suffix], change) for turn, change in enumerate(changes)]
    return [change for _, change in sorted(turns, key=lambda each: (each[0], str(each[1])))][:number]


@cache
def users_of_words(root: Path) -> dict[str, set[str]]:
    """Return for each word the definitions whose text has it."""
    users = defaultdict(set)
    for file in [each for pattern in ("sql/**/*.sql", "aptdb/**/*.py", "tests/**/*.py") for each in root.glob(pattern)]:
        for name, _, text in chunks_of(file.relative_to(root), file.read_text(encoding="utf-8")):
            for word in WORD.findall(text):
                users[word].add(name)
    return users


def near_tests(root: Path, change: Change) -> list[str]:
    """Return tests by how near they are. A step is longer the more definitions name the same word."""
    found: dict[str, None] = {}
    followed = set()
    queue = [(0.0, change.definition)]
    while queue and len(found) < FOUND:
        cost, name = heapq.heappop(queue)
        word = name.rpartition("::")[2]
        if ".py::test_" in name:
            found[name] = None
        elif word not in followed:
            followed.add(word)
            words = users_of_words(root)
            users = words[word] | words[word.partition("/")[2]]  # the name of a statement may leave out its room
            for user in users:
                heapq.heappush(queue, (cost + 1 + len(users) / 10, user))
    return [*found]


def runs_of(root: Path, change: Change, only_near: bool) -> list[tuple[str, list[str]]]:
    """Return the runs that a mutant must survive: which tests, and where they are."""
    rooms = BETTER_ROOMS.get(change.room, (change.room,))
    near = near_tests(root, change)
    of_rooms = [
        f"tests/{file.parent.name}/{file.name}"
        for room in rooms
        for file in sorted(root.glob(f"tests/{room}/test_*.py"))
    ]
    files = [*dict.fromkeys([*(name.partition("::")[0] for name in near), *of_rooms])]
    first = sorted(near[:NEAREST], key=lambda name: files.index(name.partition("::")[0]))
    of_rooms = [file for file in files if file in of_rooms]
    compared = [
        f"{file}::{name}" for file in of_rooms for name in COMPARISON.findall((root / file).read_text(encoding="utf-8"))
    ]
    runs = [
        (QUICK, compared),
        (QUICK, first),
        (THOROUGH, first),
        *([] if only_near else [(QUICK, of_rooms), (THOROUGH, of_rooms)]),
    ]
    return [(run, tests) for run, tests in runs if tests]


def killer_of(copy: Path, run: str, tests: list[str], seed: str, flaky: list[str]) -> str | None:
    """Return the test that fails in a copy of the repository, or that it took too long; None if all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", "-p", UNSHRUNK, "-m", run]
    with subprocess.Popen(
        [*command, *(f"--deselect={each}" for each in flaky), *tests],
        cwd=copy, env={**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{copy / 'tests'}", SEED: seed}, text=True,
        start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as running:  # fmt: skip
        resource.prlimit(running.pid, resource.RLIMIT_CPU, (CPU_SECONDS[run], CPU_SECONDS[run]))
        try:
            said, _ = running.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            return TOO_LONG
    if running.returncode in (0, 5):  # passed, or nothing to run
        return None
    if running.returncode == 4 and "conftest" not in said:  # no mutant, but we, did not find a test
        raise SystemExit(said)
    found = FAILED.search(said)
    return found[1] if found else CONFTEST if running.returncode == 4 else TOO_LONG


def try_change(
    change: Change, runs: list[tuple[str, list[str]]], copy: Path, seed: str, sound: set[str], flaky: list[str]
) -> str | None:
    """Return the test that kills a mutant, None if it survives.

    sound: tests that are known to pass without a change; flaky: those that do not.
    """
    file = copy / change.file
    text = file.read_text(encoding="utf-8")
    for run, tests in runs:
        killer: str | None = TOO_LONG
        while killer:
            file.write_text(change.made_in(text), encoding="utf-8")
            killer = killer_of(copy, run, tests, seed, flaky)
            file.write_text(text, encoding="utf-8")
            if killer == TOO_LONG:
                break
            if killer and run == THOROUGH and killer not in sound and killer_of(copy, run, [killer], seed, []):
                flaky.append(killer)
            elif killer:
                sound.add(killer)
                return killer
    return None


def main() -> None:
    """Draw mutants, try each, and print a line of each and the shares that are killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--room", nargs="*", help="of the mutants drawn, those of these rooms alone")
    parser.add_argument("--skip", type=int, default=0, help="of the mutants drawn, the first that an earlier run tried")
    parser.add_argument("--near", action="store_true", help="run the nearest tests alone, for a first look")
    given = parser.parse_args()
    killed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="aptdb-mutants-") as folder:
        copy = Path(folder, "aptdb")
        for name in COPIED:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for each in (path for path in ROOT.iterdir() if path.is_file()):
            shutil.copy(each, copy)
        if (shared := ROOT.parent / "shared").exists():
            Path(folder, "shared").symlink_to(shared)  # treebanks
        sound: set[str] = set()
        flaky: list[str] = []
        for number, change in enumerate(draw_changes(copy, given.seed, given.number), 1):
            if number > given.skip and (not given.room or change.room in given.room):
                runs = runs_of(copy, change, given.near)
                killer = try_change(change, runs, copy, given.seed, sound, flaky)
                for of in ("all", change.room):
                    tried[of] += 1
                    killed[of] += killer is not None
                print(
                    f"{number}\t{change.file}:{change.line}\t{change.before} -> {change.after}\t{killer or 'SURVIVED'}",
                    flush=True,
                )
    print(*(f"{of}: {killed[of]} of {tried[of]} killed, {killed[of] / tried[of]:.0%}" for of in tried), sep="\n")


if __name__ == "__main__":
    main()
