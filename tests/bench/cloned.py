"""A large lexicon for measurements, of the shared corpora with their rare lexemes cloned.

Each turn reads all corpora once more, with a number behind every rare lemma: what is frequent grows more frequent, what
is rare grows in number, as the words of a larger corpus do.

python tests/bench/cloned.py LEXICON [TURNS]
"""

import gzip
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from aptdb import Lexicon

CORPORA = ("en_ewt", "en_gum", "en_novels_2m")
RARE = 200  # tokens in all corpora, below which a lemma is cloned
TURNS = 4  # some 20 million triples
FOLDER = Path(__file__).parents[3] / "shared" / "corpora"


def lines(folder: Path) -> Iterator[list[bytes]]:
    """The lines of all corpora, each as its columns."""
    for name in CORPORA:
        with gzip.open(folder / f"{name}.conllu.gz") as opened:
            yield from (line.split(b"\t") for line in opened)


def write_cloned(folder: Path, turn: int, frequencies: Counter[bytes], out: BinaryIO) -> None:
    """All corpora once, the rare lemmas numbered."""
    suffix = b"~%d" % turn
    for row in lines(folder):
        if len(row) > 2 and frequencies[row[2]] < RARE:
            row[2] += suffix
        out.write(b"\t".join(row))


def make(file: Path, folder: Path = FOLDER, turns: int = TURNS) -> None:
    """Make the lexicon, a corpus for each turn."""
    frequencies = Counter(row[2] for row in lines(folder) if len(row) > 2)
    with Lexicon.open(file, create=True) as lexicon:
        for turn in range(turns):
            corpus = file.with_name(f"turn{turn}.conllu")
            with corpus.open("wb") as out:
                write_cloned(folder, turn, frequencies, out)
            lexicon.add(corpus)
            corpus.unlink()


if __name__ == "__main__":
    make(Path(sys.argv[1]), turns=int(sys.argv[2]) if len(sys.argv) > 2 else TURNS)
