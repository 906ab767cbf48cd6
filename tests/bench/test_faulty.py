"""What faulty lines cost: a file with 1, 100 and 10,000 of them beside the same file without, in time and memory.

pytest -n 0 -m bench -s tests/bench/test_faulty.py (APTDB_TOKENS=15000000 takes the whole corpus)
"""

import lzma
import os
from dataclasses import astuple
from pathlib import Path

import pytest

from support.corpora import SHARED
from support.measured import Taken, measured

pytestmark = pytest.mark.bench

TOKENS = int(os.environ.get("APTDB_TOKENS", "2000000"))
FAULTS = (0, 1, 100, 10_000)
ROUNDS = 3
MOST_TIME, MOST_MEMORY = 1.5, 1.1  # times what the file without a fault takes; memory differs by a few percent anyway


def spoilt(line: bytes, kind: int) -> bytes:
    """A word with a fault of some kind."""
    cells = line.split(b"\t")
    others = ((0, b"77"), (6, b"x"), (6, cells[0]), (6, b"900"), (7, b"_"), (1, b""), (1, b"\xe9"))
    if kind % 8 == 7:
        return b"\t".join(cells[:9])
    place, value = others[kind % 8]
    cells[place] = value
    return b"\t".join(cells)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The beginning of a large corpus, with so many faults, evenly spread."""
    packed, folder = SHARED / "corpora" / "en_wiki_14m.conllu.xz", tmp_path_factory.mktemp("faulty")
    if not packed.exists():
        pytest.skip(f"the corpus {packed.name} is not beside this checkout (../shared/corpora)")
    lines, words = [], []
    with lzma.open(packed) as corpus:
        for number, line in enumerate(corpus):
            lines.append(line.rstrip(b"\n"))
            if line[:1].isdigit():
                words.append(number)
            elif len(words) >= TOKENS:
                break
    found = {}
    for faults in FAULTS:
        own = [*lines]
        for fault in range(faults):
            place = words[(2 * fault + 1) * len(words) // (2 * faults)]
            own[place] = spoilt(own[place], fault)
        found[faults] = folder / f"{faults}.conllu"
        found[faults].write_bytes(b"\n".join(own) + b"\n")
    return found


@pytest.mark.parametrize("command", ["check", "add"])
def test_faults_cost_what_their_lines_cost(files: dict[int, Path], tmp_path: Path, command: str) -> None:
    found: dict[int, list[Taken]] = {faults: [] for faults in FAULTS}
    for turn in range(ROUNDS):
        for faults, file in files.items():
            lexicon = tmp_path / f"{turn}.{faults}.duckdb"
            arguments = (lexicon, file, "--skip-invalid") if command == "add" else (file,)
            found[faults].append(measured(command, *arguments, may_find_faults=True))
            lexicon.unlink(missing_ok=True)
    best = {faults: [min(values) for values in zip(*map(astuple, each), strict=True)] for faults, each in found.items()}
    print()
    for faults, (processors, clock, peak) in best.items():
        print(f"{command}, {faults:>6,} faults: {clock:.2f} s, {processors:.2f} s of processors, {peak:.0f} MB")
    for processors, _, peak in best.values():  # the clock also tells what else the machine does
        assert processors <= MOST_TIME * best[0][0]
        assert peak <= MOST_MEMORY * best[0][2]
