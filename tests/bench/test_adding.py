"""How fast a corpus goes in, and in how much memory, beside DuckDB's bare read of the same columns in the same run.

pytest -n 0 -m bench -s tests/bench/test_adding.py
"""

import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from support.corpora import unpacked

pytestmark = pytest.mark.bench

ROUNDS = 3
COLUMNS = "id, form, lemma, upos, xpos, head, deprel, misc"

ADD = """
import resource, sys, time
from aptdb import Lexicon
begun = time.perf_counter()
with Lexicon.open(sys.argv[1], create=True) as lexicon:
    added = lexicon.add(sys.argv[2])
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, added.tokens)
"""


@pytest.fixture(scope="module")
def four_times(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both treebanks four times over, as one file: 1.96 million tokens."""
    file = tmp_path_factory.mktemp("bench") / "four_times.conllu"
    file.write_bytes((unpacked("en_ewt") + unpacked("en_gum")) * 4)
    return file


def bare_read(file: Path, folder: Path) -> float:
    """Seconds that DuckDB takes to read the columns into a table, and do nothing else."""
    names = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in names)
    with duckdb.connect(str(folder / "bare.duckdb")) as client:
        begun = time.perf_counter()
        client.execute(
            f"CREATE TABLE bare AS SELECT {COLUMNS} FROM read_csv('{file}', delim = '\t', header = false, quote = '', "
            f"escape = '', auto_detect = false, null_padding = true, strict_mode = false, columns = {{{columns}}})"
        )
        return time.perf_counter() - begun


def test_adding_beside_a_bare_read(four_times: Path, tmp_path: Path) -> None:
    ratios, peaks = [], []
    print(f"\n{platform.machine()}, Python {platform.python_version()}, DuckDB {duckdb.__version__}")
    for turn in range(ROUNDS):
        folder = tmp_path / str(turn)
        folder.mkdir()
        bare = bare_read(four_times, folder)
        command = [sys.executable, "-c", ADD, str(folder / "added.duckdb"), str(four_times)]
        added = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        seconds, peak = float(added[0]), float(added[1])
        assert int(added[2]) == 1_960_524
        ratios.append(seconds / bare)
        peaks.append(peak)
        print(f"bare read {bare:.2f} s, adding {seconds:.2f} s: {ratios[-1]:.2f} times; peak memory {peak:.0f} MB")
    assert sorted(ratios)[ROUNDS // 2] <= 5
    assert max(peaks) < 1500


def test_memory_does_not_grow_with_the_corpus(four_times: Path, tmp_path: Path) -> None:
    """Twelve times both treebanks, from standard input, stay within the memory of four times."""
    twelve = tmp_path / "twelve.conllu"
    twelve.write_bytes(four_times.read_bytes() * 3)
    command = [sys.executable, "-m", "aptdb", "add", str(tmp_path / "twelve.duckdb"), str(twelve)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    subprocess.run(command, check=True, capture_output=True)
    peak = max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024
    print(f"\n5.9 million tokens: peak memory {peak:.0f} MB")
    assert peak < 1500


def test_counts_as_parquet(four_times: Path, tmp_path: Path) -> None:
    """Counts that come as Parquet cost less than counting their text, in both orders of their rows."""
    trees = tmp_path / "trees.duckdb"
    text = cpu_seconds_of_adding(four_times, trees)
    for order in ("lexeme, path, context", "hash(lexeme, path, context)"):
        file = tmp_path / "counts.parquet"
        with duckdb.connect(str(trees), read_only=True) as client:
            client.execute(f"COPY (FROM cooccurrences ORDER BY {order}) TO '{file}'")
        counts = cpu_seconds_of_adding(file, tmp_path / f"{len(order)}.duckdb")
        print(f"\ncounts by {order}: {counts:.1f} CPU seconds, their text {text:.1f}")
        assert counts <= text


def cpu_seconds_of_adding(file: Path, lexicon: Path) -> float:
    """CPU seconds of a command that adds a file to a new lexicon."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "aptdb", "add", str(lexicon), str(file)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
