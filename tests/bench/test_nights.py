"""A year of nights: files appear, change, vanish and break, with kills and a reader; run with -m bench -s -n 0."""

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from aptdb import Lexicon
from support.corpora import unpacked
from support.lexicons import assert_same
from support.processes import PROGRAM, killed, run

NIGHTS, FILES, SENTENCES = 365, 12, 60
KILLED, BROKEN, GONE = 0.1, 0.1, 0.15

pytestmark = pytest.mark.bench

READ = """
import sys
from aptdb import Lexicon
with Lexicon.open(sys.argv[1], wait=60) as lexicon:
    whole = lexicon.sql("SELECT sum(frequency) FROM lexemes").rows[0][0]
    assert whole == lexicon.sql("SELECT sum(tokens) FROM corpora").rows[0][0], whole
"""
PATIENCE = 300  # seconds, of which 60 may pass while a reader has the file


def test_a_year_of_nights(tmp_path: Path) -> None:
    """After each tenth night the lexicon is the same as one made at once; readers see whole nights only."""
    dice, sentences = random.Random(365), unpacked("en_ewt").strip(b"\n").split(b"\n\n")
    folder, file, done = tmp_path / "corpora", tmp_path / "l.duckdb", Counter[str]()
    folder.mkdir()
    problems: list[str] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.wait(0.5):
            if file.exists():
                asked = subprocess.run([sys.executable, "-c", READ, file], capture_output=True, text=True, check=False)
                done["read"] += 1
                if asked.returncode and "is empty; add a corpus first" not in asked.stderr:
                    problems.append(asked.stderr)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for night in range(1, NIGHTS + 1):
            broken = changed(folder, dice, sentences)
            if dice.random() < KILLED:
                killed(dice.uniform(0.3, 1.5), "sync", file, folder, "--delete", "--wait", "60")
                done["killed"] += 1
            begun = time.monotonic()
            synced = run("sync", file, folder, "--delete", "--wait", "60", seconds=PATIENCE)
            done["seconds"] += round(time.monotonic() - begun)
            assert synced.returncode == (3 if broken else 0), synced.stderr
            done["nights"] += 1
            if night % 10 == 0:
                for name in broken:
                    (folder / name).unlink()
                assert run("sync", file, folder, "--delete", "--wait", "60", seconds=PATIENCE).returncode == 0
                at_once = tmp_path / f"{night}.duckdb"
                with Lexicon.open(at_once, create=True) as lexicon:
                    lexicon.sync(folder)
                    assert lexicon.verify().rows == []
                with Lexicon.open(file, wait=60) as lexicon:
                    assert lexicon.verify().rows == []
                assert_same(file, at_once)
                at_once.unlink()
    finally:
        ended.set()
        reader.join()
    print(f"{dict(done)}; {PROGRAM}")
    assert problems == []


def changed(folder: Path, dice: random.Random, sentences: list[bytes]) -> set[str]:
    """Change up to three files of a folder; return the names of those that are broken now, new ones only."""
    for _ in range(dice.randint(0, 3)):
        file = folder / f"{dice.randrange(FILES)}.conllu"
        if file.exists() and dice.random() < GONE:
            file.unlink()
            continue
        text = b"\n\n".join(dice.sample(sentences, SENTENCES)) + b"\n\n"
        file.write_bytes(text + b"1\tx\n\n" if dice.random() < BROKEN else text)
    if not [*folder.iterdir()]:
        (folder / "0.conllu").write_bytes(sentences[0] + b"\n\n")
    return {each.name for each in folder.iterdir() if each.read_bytes().endswith(b"1\tx\n\n")}
