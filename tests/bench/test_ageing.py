"""How a lexicon ages, what hostile sentences cost, and the evidence of many counts; run with -m bench -s -n 0."""

import io
import statistics
import time
from pathlib import Path

import pytest

from aptdb import CorpusError, Lexicon
from support.corpora import unpacked

ADDITIONS = 50
EVIDENCE = 500

pytestmark = pytest.mark.bench


def seconds_of_apts(file: Path) -> float:
    """The median time of reading all that a lexeme meets, of 200 lexemes of every frequency."""
    with Lexicon.open(file) as lexicon:
        numbers = lexicon.sql("SELECT id FROM _store.lexeme ORDER BY hash(text) LIMIT 200").column("id")
        times = []
        for number in numbers:
            begun = time.perf_counter()
            lexicon.sql("FROM _store.cooccurrence WHERE lexeme_id = $id", {"id": number})
            times.append(time.perf_counter() - begun)
    return statistics.median(times)


def test_fifty_small_additions(tmp_path: Path) -> None:
    sentences = unpacked("en_ewt").strip(b"\n").split(b"\n\n")
    at_once, bit_by_bit = tmp_path / "at_once.duckdb", tmp_path / "bit_by_bit.duckdb"
    with Lexicon.open(at_once, create=True) as lexicon:
        lexicon.add(io.BytesIO(b"\n\n".join(sentences) + b"\n\n"), name="all")
    begun = time.perf_counter()
    for number in range(ADDITIONS):
        with Lexicon.open(bit_by_bit, create=True) as lexicon:
            lexicon.add(io.BytesIO(b"\n\n".join(sentences[number::ADDITIONS]) + b"\n\n"), name=str(number))
    seconds = time.perf_counter() - begun
    slower = statistics.median(seconds_of_apts(bit_by_bit) / seconds_of_apts(at_once) for _ in range(3))
    larger = bit_by_bit.stat().st_size / at_once.stat().st_size
    print(
        f"\n{ADDITIONS} additions in {seconds:.0f} s: an APT takes {slower:.2f} times as long, the file is {larger:.2f}"
    )
    with Lexicon.open(bit_by_bit) as lexicon:
        assert lexicon.verify().rows == []
    assert slower <= 2
    assert larger <= 1.2


def test_evidence_of_many_counts(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        lexicon.add(io.BytesIO(unpacked("en_ewt")), name="en_ewt")
        triples = [
            row
            for least in (0, 20)
            for row in lexicon.sql(
                "FROM cooccurrences WHERE count > $least "
                "ORDER BY hash(lexeme, path, context, 7), lexeme, path, context LIMIT $many",
                {"least": least, "many": EVIDENCE // 2},
            ).rows
        ]
        begun = time.perf_counter()
        hits = sum(len(lexicon.evidence(*triple[:3])) for triple in triples)
        seconds = time.perf_counter() - begun
        assert all(len(lexicon.evidence(*triple[:3])) == triple[3] for triple in triples)
    print(f"\n{len(triples)} counts, {hits:,} hits: {1000 * seconds / len(triples):.0f} ms each")


def trees(kind: str, words: int) -> bytes:
    """One sentence of so many words: a chain, all under one head by one relation or by seven, or a binary tree."""
    heads = {"chain": lambda n: n - 1, "flat": lambda n: min(n - 1, 1), "tree": lambda n: n // 2}
    heads["seven"] = heads["flat"]
    lines = []
    for number in range(1, words + 1):
        head = heads[kind](number)
        relation = "root" if not head else f"r{number % 7}" if kind == "seven" else "r"
        lines.append(f"{number}\tw{number}\tw{number}\tN\t_\t_\t{head}\t{relation}\t_\t_")
    return ("\n".join(lines) + "\n\n").encode()


@pytest.mark.parametrize(("kind", "words"), [("chain", 5_000), ("tree", 10_000), ("seven", 10_000), ("flat", 10_000)])
def test_hostile_sentences(tmp_path: Path, kind: str, words: int) -> None:
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        begun = time.perf_counter()
        lexicon.add(io.BytesIO(trees(kind, words)), name="hostile")
        seconds = time.perf_counter() - begun
        counted = lexicon.sql("SELECT count(*) FROM cooccurrences").rows[0][0]
    print(f"\n{kind} of {words:,} words: {counted:,} co-occurrences in {seconds:.0f} s")


def test_a_sentence_beyond_the_guard(tmp_path: Path) -> None:
    refused = pytest.raises(CorpusError, match="a sentence of 20,000 words; at most 10,000 are taken")
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon, refused:
        lexicon.add(io.BytesIO(trees("flat", 20_000)), name="hostile")
