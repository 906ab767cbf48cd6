"""A subcorpus of a third of 14.4 million tokens: kept beside an addition, asked beside a lexicon of its size.

pytest -n 0 -m bench -s tests/bench/test_subcorpora_at_size.py
"""

import lzma
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import duckdb
import pytest

from aptdb import Lexicon
from support.corpora import SHARED

pytestmark = pytest.mark.bench

ROUNDS = 7
SENTENCES = 40  # of a document
QUESTIONS = {
    "neighbours": "FROM neighbours('dog/NOUN'{})",
    "apt": "FROM apt('dog/NOUN'{})",
    "similarity": "SELECT similarity('dog/NOUN', 'cat/NOUN'{})",
    "all weights": "SELECT sum(weight) FROM ppmi(shift := 1{})",
    "weights of one": "FROM ppmi(shift := 1{}) WHERE lexeme = 'dog/NOUN'",
    "diff": "FROM diff('dog/NOUN', 'cat/NOUN'{})",
    "evidence": "FROM evidence('dog/NOUN', '>amod', NULL, top := 100{})",
    "frames": "FROM frames('dog/NOUN'{})",
    "neighbours of twenty": "WITH t AS (SELECT lexeme FROM lexemes WHERE pos = 'NOUN' ORDER BY frequency DESC LIMIT "
    "20) FROM neighbours_each('t'{})",
}
OF_SUBCORPORA = (
    "SELECT count(*) FROM (FROM keyness('g1', of := 'cooccurrences') ORDER BY g2 DESC)",
    "SELECT count(*) FROM (FROM counts_by('dog/NOUN', '>amod', by := 'genre'))",
    "SELECT count(*) FROM (FROM counts_by(NULL, by := 'genre'))",
)


def test_a_third(tmp_path: Path) -> None:
    whole, third = tmp_path / "whole.conllu", tmp_path / "third.conllu"
    packed = SHARED / "corpora" / "en_wiki_14m.conllu.xz"
    if not packed.exists():
        pytest.skip("the shared corpora are not beside this checkout (../shared/corpora)")
    write_documents(packed, whole, third)
    with Lexicon.open(tmp_path / "whole.duckdb", create=True) as lexicon:
        lexicon.add(whole)
    with Lexicon.open(tmp_path / "third.duckdb", create=True) as lexicon:
        adding = seconds(lambda: lexicon.add(third))
    with Lexicon.open(tmp_path / "whole.duckdb") as lexicon:
        keeping = seconds(lambda: lexicon.subcorpus("g1", "genre = 'g1'"))
    print(f"\na third: added in {adding:.1f} s, kept as a subcorpus in {keeping:.1f} s ({keeping / adding:.2f})")
    assert keeping <= 1.2 * adding
    ratios = {}
    with (
        duckdb.connect(str(tmp_path / "whole.duckdb"), read_only=True) as of_whole,
        duckdb.connect(str(tmp_path / "third.duckdb"), read_only=True) as alone,
    ):
        for name, query in QUESTIONS.items():
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(ROUNDS):
                for each, client, subcorpus in ((times[0], of_whole, ", subcorpus := 'g1'"), (times[1], alone, "")):
                    each.append(answered(client, query.format(subcorpus)))
            ratios[name] = median(times[0]) / median(times[1])
            print(
                f"{name:22} {median(times[0]):6.3f} s of the subcorpus, {median(times[1]):6.3f} s alone, "
                f"ratio {ratios[name]:.2f}"
            )
        for query in OF_SUBCORPORA:
            print(f"{answered(of_whole, query):6.2f} s  {query}")
    assert median(ratios.values()) <= 1.3


def write_documents(packed: Path, whole: Path, third: Path) -> None:
    """Write the sentences as documents of three genres, and those of one genre by themselves."""
    with lzma.open(packed, "rt", encoding="utf-8") as source, whole.open("w") as every, third.open("w") as some:
        begins, sentences = True, 0
        for line in source:
            if begins and sentences % SENTENCES == 0:
                document = sentences // SENTENCES
                head = f"# newdoc id = d{document}\n# meta::genre = g{document % 3}\n"
            elif begins:
                head = ""
            own = every, *([some] if sentences // SENTENCES % 3 == 1 else [])
            for file in own:
                file.write((head if begins else "") + line)
            begins = line == "\n"
            sentences += begins


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def answered(client: duckdb.DuckDBPyConnection, query: str) -> float:
    """How long a query takes until its last row is here."""
    return seconds(lambda: client.sql(query).fetchall())
