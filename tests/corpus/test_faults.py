"""What a file can hold: each fault is one line that names file and line, and leaves the lexicon as it was."""

import gzip
import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from aptdb import CorpusError, Lexicon
from support.lexicons import make_lexicon, new_lexicon

GOOD = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n\n"


BINARY = {
    "not_utf8": (GOOD.encode() + GOOD.encode().replace(b"Dogs", b"D\xf6gs"), 4, "not UTF-8 (byte 0xF6)"),
    "utf16": (GOOD.encode("utf-16"), 1, ""),
    "binary": (random.Random(1).randbytes(5000), None, ""),
    "nul": (GOOD.encode() + GOOD.encode().replace(b"Dogs", b"D\x00gs"), 4, "control character (U+0000)"),
    "soh": (GOOD.encode() + GOOD.encode().replace(b"Dogs", b"D\x01gs"), 4, "control character (U+0001)"),
    "cut_gzip": (gzip.compress(GOOD.encode() * 100)[:-20], None, "gzip data is damaged or cut off"),
    "broken_gzip": (b"\x1f\x8b" + random.Random(2).randbytes(500), None, "gzip data is damaged"),
}

FINE = {
    "plain": GOOD,
    "no_blank_line_at_the_end": GOOD.rstrip("\n"),
    "no_newline_at_all": GOOD.rstrip("\n") + "\n",
    "blank_lines_doubled": "\n\n" + GOOD + "\n\n",
    "crlf": GOOD.replace("\n", "\r\n"),
    "bom": "\ufeff" + GOOD,
    "bom_and_crlf": "\ufeff" + GOOD.replace("\n", "\r\n"),
    "comments": "# newdoc\n# sent_id = 1\n# text = Dogs\tbark\t\t\t\t\t\t\t\t\t\t\t\t\n" + GOOD,
    "comment_at_the_end": GOOD + "# the end\n",
    "range": "1-2\tDogsbark\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD,
    "empty_node": GOOD.rstrip("\n") + "\n2.1\tbark\tbark\tVERB\t_\t_\t_\t_\t0:root\t_\n\n",
    "empty_node_first": "0.1\tbark\tbark\tVERB\t_\t_\t_\t_\t0:root\t_\n" + GOOD,
    "spaces_within": GOOD.replace("Dogs\tdog\tNOUN\tNNS", "Hot  do\u00a0gs\u200b\tdog\tNOUN\tN S"),
    "hash_inside_a_token": GOOD.replace("SpaceAfter=No", "Note=#1"),
    "quotes": GOOD.replace("SpaceAfter=No", 'Note="'),
}


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon that holds one good sentence."""
    file = tmp_path_factory.mktemp("faults") / "good.duckdb"
    return make_lexicon(file, GOOD.encode(), name="good")


def fingerprint(opened: Lexicon) -> list[tuple[object, ...]]:
    """What must not change."""
    return [
        *opened.sql("FROM cooccurrences ORDER BY ALL").rows,
        *opened.sql("FROM lexemes ORDER BY ALL").rows,
        *opened.corpora().rows,
        *opened.sql("SELECT count(*), sum(word_id) FROM _store.token").rows,
        *opened.sql("SELECT count(*) FROM _store.word").rows,
        *opened.sql("SELECT stamp FROM _store.settings").rows,
    ]


def refuses(lexicon: Path, file: Path, content: bytes) -> str:
    """Add a bad file to a good lexicon and to none; what is said, once nothing has changed."""
    file.write_bytes(content)
    with Lexicon.open(lexicon) as opened:
        before = fingerprint(opened)
        with pytest.raises(CorpusError) as refusal:
            opened.add(file)
        assert fingerprint(opened) == before
    fresh = file.with_suffix(".duckdb")
    with Lexicon.open(fresh, create=True) as opened, pytest.raises(CorpusError):
        opened.add(file)
    assert [*file.parent.iterdir()] == [file]
    said = str(refusal.value)
    assert "\n" not in said
    assert said.startswith(str(file))
    return said.removeprefix(str(file))


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", BINARY)
def test_what_is_no_text(lexicon: Path, tmp_path: Path, name: str) -> None:
    content, line, problem = BINARY[name]
    said = refuses(lexicon, tmp_path / name, content)
    assert problem in said
    assert said.startswith(f":{line}: " if line else ":")


@pytest.mark.thorough
@pytest.mark.parametrize("packed", [bytes, gzip.compress])
@pytest.mark.parametrize("name", FINE)
def test_what_is_fine(lexicon: Path, tmp_path: Path, name: str, packed: Callable[[bytes], bytes]) -> None:
    with Lexicon.open(tmp_path / "fine.duckdb", create=True) as opened, Lexicon.open(lexicon) as good:
        opened.add(io.BytesIO(packed(FINE[name].encode())), name="fine")
        fine, expected = (each.sql("FROM cooccurrences ORDER BY ALL").rows for each in (opened, good))
    assert fine == expected


@pytest.mark.thorough
def test_line_numbers_beyond_the_first_chunk(monkeypatch: pytest.MonkeyPatch, lexicon: Path, tmp_path: Path) -> None:
    monkeypatch.setattr("aptdb.corpus.sources.CHUNK_BYTES", 200)
    said = refuses(lexicon, tmp_path / "late.conllu", (GOOD * 51 + "x\n" + GOOD).encode())
    assert said.startswith(":154: 1 column")


@pytest.mark.thorough
def test_the_same_content_counts_twice_where_it_is_added_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first.conllu", tmp_path / "second.conllu"
    first.write_text(GOOD)
    second.write_bytes(gzip.compress(GOOD.encode()))
    with new_lexicon(tmp_path / "l.duckdb", first) as opened:
        once = opened.sql("FROM cooccurrences ORDER BY ALL").rows
        opened.add(second, again=True)
        twice = opened.sql("FROM cooccurrences ORDER BY ALL").rows
        assert [(*row[:3], *(2 * each for each in row[3:])) for row in once] == twice
        assert opened.corpora().column("name") == ["first.conllu", "second.conllu"]
