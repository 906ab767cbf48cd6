"""Files that would take very long or much memory: they take seconds, or one line says what is wrong with them."""

import gzip
import io
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aptdb import CorpusError, Lexicon
from aptdb.core.settings import Settings
from aptdb.corpus.compression import ZstandardMember
from aptdb.corpus.faults import FaultHandler, is_valid_text
from aptdb.corpus.sources import CHUNK_BYTES, Source
from aptdb.counting import reading
from aptdb.counting.check import FAULT, check
from support.columns import words_of
from support.lexicons import Counted
from support.runs import HANGS, examples, thorough
from support.strategies import sentences
from twins.trees import Token, conllu

MEGABYTE = 1 << 20
GOOD = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def decodes(content: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


@given(content=st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
@example(content=b"a")
@example(content=b"a" * 40_000 + b"\xff")
@example(content="é".encode() * 20_000)
def test_what_is_text(content: bytes) -> None:
    """Text is UTF-8 without characters that SQL separates by, also where no line ends, or in the middle of a letter."""
    marked = any(line.startswith(b"\xef\xbb\xbf") for line in content.split(b"\n"))
    assert is_valid_text(content) == (decodes(content) and not set(content) & {0, 1, 0x0D} and not marked)


def test_a_chunk_with_faults_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    overwrite = reading.rewrite_open_file

    def counted(file: io.BufferedWriter, parts: object) -> None:
        pieces = [bytes(part) for part in parts]  # type: ignore[attr-defined]
        read.append(sum(map(len, pieces)))
        overwrite(file, pieces)

    monkeypatch.setattr(reading, "rewrite_open_file", counted)
    content = (GOOD * 500).encode() + GOOD.replace("nsubj", "_").encode() + (GOOD * 500).encode()
    assert [name for name, _ in check(io.BytesIO(content))].count(FAULT) == 1
    assert [size for size in read if size > 1000] == [len(content)]
    assert len(read) == 2


@pytest.mark.thorough
@pytest.mark.parametrize("place", [0, 499, *thorough([1, 998, 999])])
def test_the_sentences_beside_an_invalid_one_keep_their_ids(tmp_path: Path, place: int) -> None:
    """Comments of an invalid sentence are not those of the next, and ids of sentences have no holes."""
    said = [f"# sent_id = s{number}\n{GOOD}" for number in range(1000)]
    said[place] = f"# sent_id = s{place}\nnonsense\n# sent_id = last\n\n"
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        added = lexicon.add(io.BytesIO("".join(said).encode()), name="said", skip_invalid=True)
        assert (added.sentences, added.skipped) == (999, {"columns": 1})
        rows = lexicon.sql("SELECT id, sent_id FROM _store.sentence ORDER BY id").rows
        assert rows == [*enumerate((f"s{number}" for number in range(1000) if number != place), 1)]
        assert lexicon.verify().rows == []


def test_a_range_in_no_sentence_is_no_fault_of_the_next() -> None:
    lost, written = "1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "1-2\tDogsbark\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD
    said = [value for name, value in check(io.BytesIO((lost + written).encode())) if name == FAULT]
    assert [each.split(": ")[0] for each in said] == ["stream:1"]


@pytest.mark.thorough
@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_blank_lines_cost_nothing(tmp_path: Path, packed: type[bytes]) -> None:
    blank = packed(b"\n" * (3 * CHUNK_BYTES + 5))
    begun = time.perf_counter()
    with (
        Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon,
        pytest.raises(CorpusError, match="no valid sentence"),
    ):
        lexicon.add(io.BytesIO(blank))
    assert dict(check(io.BytesIO(blank)))[FAULT].startswith("stream: no valid sentence")
    assert time.perf_counter() - begun < HANGS
    assert [*Source(io.BytesIO(blank)).chunks()] == []


@pytest.mark.parametrize("chunk_bytes", [1000, CHUNK_BYTES])
def test_lines_are_counted_over_blank_ones(monkeypatch: pytest.MonkeyPatch, chunk_bytes: int) -> None:
    monkeypatch.setattr("aptdb.corpus.sources.CHUNK_BYTES", chunk_bytes)
    good = "\n" * 2000 + GOOD + "\n" * 14 + GOOD + "\n" * 16
    more = f"{good}wrong\n\n" + "\n" * 300 + GOOD + "\n" * 15
    said = [value for name, value in check(io.BytesIO(f"{more}wrong{chr(10) * 70}".encode())) if name == FAULT]
    assert [each.split(": ")[0] for each in said] == [f"stream:{each.count(chr(10)) + 1}" for each in (good, more)]


def test_a_bomb_of_zstd_is_unpacked_bit_by_bit() -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard packs the file here")
    size = 200 * MEGABYTE
    packed = zstandard.ZstdCompressor().compress(bytes(size))
    member, found = ZstandardMember(zstandard.ZstdDecompressor().decompressobj()), 0
    given = packed + b"more"
    while not member.eof:
        part = member.decompress(given if member.needs_input else b"")
        given = b""
        assert len(part) <= 33 * MEGABYTE
        found += len(part)
    assert found == size
    assert member.unused_data == b"more"


@pytest.mark.thorough
@pytest.mark.parametrize("kinds", [1, 5000])
def test_a_head_of_very_many_is_refused_at_once(tmp_path: Path, kinds: int) -> None:
    wide = words_of([0, *[1] * 9999], kinds=kinds)
    begun = time.perf_counter()
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        with pytest.raises(
            CorpusError, match=r"^stream:4: a sentence with 100,0.* pairs of words.*--max-sentence"
        ) as said:
            lexicon.add(io.BytesIO(GOOD.encode() + wide))
        added = lexicon.add(io.BytesIO(GOOD.encode() + wide), name="rest", skip_invalid=True)
    assert time.perf_counter() - begun < HANGS
    assert "\n" not in str(said.value)
    assert (added.sentences, added.skipped) == (1, {"length": 1})


@pytest.mark.thorough
@examples(40)
@given(sentences(longest=12), st.integers(0, 4))
def test_the_pairs_that_a_limit_is_about_are_those_that_are_counted(
    counted: Counted, sentence: list[Token], order: int
) -> None:
    database = counted([sentence], order=order)
    pairs = database.value("SELECT sum(count) FROM cooccurrences")
    source, said = Source(io.BytesIO(conllu([sentence]).encode())), list[str]()
    handler = FaultHandler(skip=True, report=lambda _, fault: said.append(fault.problem))
    with pytest.MonkeyPatch.context() as patch, database.transaction():
        patch.setattr(reading, "PAIRS", 0)
        assert [
            found for _, found in reading.chunks_as_tokens(database, Settings(order=order), source, handler=handler)
        ]
    assert [each.split()[3] for each in said] == [f"{pairs:,}"]


@pytest.mark.thorough
@pytest.mark.parametrize("heads", [range(100_000), [*range(1, 100_000), 1]], ids=["chain", "circle"])
def test_a_sentence_of_very_many_words_is_refused_at_once(heads: range) -> None:
    begun = time.perf_counter()
    said = dict(check(io.BytesIO(words_of([*heads]))))[FAULT]
    assert said.startswith("stream:1: a sentence of 100,000 words")
    assert time.perf_counter() - begun < HANGS


@pytest.mark.thorough
def test_a_line_without_end() -> None:
    content = GOOD.encode() + b"1\t" + b"x" * (64 * MEGABYTE) + b"\n\n" + GOOD.encode()
    begun = time.perf_counter()
    found = dict(check(io.BytesIO(content)))
    assert (found["sentences"], found[FAULT]) == ("2", "stream:4: a line of 64 MB; a line has at most 8 MB")
    assert time.perf_counter() - begun < HANGS


@pytest.mark.thorough
def test_a_million_comments() -> None:
    begun = time.perf_counter()
    assert dict(check(io.BytesIO(b"# a comment\n" * 1_000_000 + GOOD.encode())))["sentences"] == "1"
    assert time.perf_counter() - begun < HANGS
