"""What a file can hold: each fault is one line that names file and line, and leaves the lexicon as it was."""

import gzip
import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from aptdb import CorpusError, Lexicon

GOOD = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n\n"


def with_line(number: int, line: str) -> str:
    """GOOD twice, with one of its lines, from 1, another."""
    lines = (GOOD + GOOD).split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


FAULTS = {
    "nine_columns": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_"), 4, "9 columns; a line has 10"),
    "eleven_columns": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\t_"), 4, "11 columns"),
    "one_column": (with_line(2, "bark"), 2, "1 column; a line has 10, with tabs between them"),
    "spaces_for_tabs": (with_line(2, "2 bark bark VERB VBP _ 0 root _ _"), 2, "1 column"),
    "blank_with_a_space": (with_line(3, " "), 3, "1 column"),
    "id_skipped": (with_line(5, "3\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_"), 5, "ID is 3, out of sequence"),
    "id_repeated": (with_line(5, "1\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_"), 5, "ID is 1, out of sequence"),
    "id_from_two": (with_line(4, "2\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"), 4, "ID is 2, out of sequence"),
    "id_zero": (with_line(1, "0\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"), 1, "ID is 0, out of sequence"),
    "id_no_number": (with_line(4, "x\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"), 4, "ID is 'x'"),
    "id_huge": (
        with_line(4, "99999999999999\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"),
        4,
        "ID is 99999999999999, out",
    ),
    "blank_line_missing": (GOOD.rstrip("\n") + "\n" + GOOD, 3, "ID is 1, out of sequence"),
    "range_beyond": (GOOD + "1-3\tx\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD, 4, "ID is 1-3; a range stands before"),
    "range_huge": (GOOD + "1-99999999\tx\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD, 4, "ID is 1-99999999"),
    "range_backwards": (GOOD + "2-1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD, 4, "ID is 2-1"),
    "head_1e2": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t1e2\tnsubj\t_\t_"), 4, "HEAD is '1e2'"),
    "head_plus": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t+4\tnsubj\t_\t_"), 4, "HEAD is '+4'"),
    "head_underscore": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t_\tnsubj\t_\t_"), 4, "HEAD is '_'"),
    "head_negative": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t-1\tnsubj\t_\t_"), 4, "HEAD is '-1'"),
    "head_beyond": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t3\tnsubj\t_\t_"), 4, "HEAD is 3, but the sentence has 2"),
    "head_huge": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t9999999999\tnsubj\t_\t_"), 4, "HEAD is 9999999999, but"),
    "head_itself": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t1\tnsubj\t_\t_"), 4, "HEAD is 1, the word itself"),
    "cycle": (with_line(5, "2\tbark\tbark\tVERB\tVBP\t_\t1\troot\t_\t_"), 4, "leads in a circle"),
    "relation_empty": (
        with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2\t\t_\t_"),
        4,
        "DEPREL is empty; a relation is a name",
    ),
    "relation_underscore": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2\t_\t_\t_"), 4, "DEPREL is '_'"),
    "relation_up": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2\t<nsubj\t_\t_"), 4, "DEPREL is '<nsubj'"),
    "relation_down": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2\ta>b\t_\t_"), 4, "DEPREL is 'a>b'"),
    "relation_after_a_space": (
        with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2\t nsubj\t_\t_"),
        4,
        "DEPREL is ' nsubj', with",
    ),
    "relation_before_a_space": (with_line(5, "2\tbark\tbark\tVERB\tVBP\t_\t0\troot \t_\t_"), 5, "DEPREL is 'root '"),
    "relation_of_a_space": (with_line(5, "2\tbark\tbark\tVERB\tVBP\t_\t0\t \t_\t_"), 5, "DEPREL is ' ', with"),
    "form_before_no_break": (
        with_line(4, "1\tDogs\u00a0\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"),
        4,
        "space (U+00A0) at its",
    ),
    "form_of_no_break": (
        with_line(4, "1\t\u00a0\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"),
        4,
        "(U+00A0) at its",
    ),
    "lemma_after_ideographic": (
        with_line(4, "1\tDogs\t\u3000dog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"),
        4,
        "(U+3000) at its edge",
    ),
    "upos_before_thin": (with_line(4, "1\tDogs\tdog\tNOUN\u2009\tNNS\t_\t2\tnsubj\t_\t_"), 4, "(U+2009) at its edge"),
    "upos_of_a_space": (with_line(4, "1\tDogs\tdog\t \tNNS\t_\t2\tnsubj\t_\t_"), 4, "UPOS is ' ', with"),
    "xpos_after_next_line": (with_line(4, "1\tDogs\tdog\tNOUN\t\x85NNS\t_\t2\tnsubj\t_\t_"), 4, "(U+0085) at its edge"),
    "xpos_after_vertical_tab": (
        with_line(4, "1\tDogs\tdog\tNOUN\t\vNNS\t_\t2\tnsubj\t_\t_"),
        4,
        "(U+000B) at its edge",
    ),
    "feats_before_a_space": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\tA=B \t2\tnsubj\t_\t_"), 4, "FEATS is 'A=B ', with"),
    "head_before_a_space": (with_line(4, "1\tDogs\tdog\tNOUN\tNNS\t_\t2 \tnsubj\t_\t_"), 4, "HEAD is '2 '; expected"),
    "range_after_a_space": (GOOD + "1-2\t x\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD, 4, "FORM is ' x', with white space"),
    "carriage_return": (with_line(4, "1\tDo\rgs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_"), 4, "a carriage return"),
    "empty": ("", None, "no valid sentence"),
    "only_comments": ("# nothing\n\n# here\n", None, "no valid sentence"),
    "only_blank": ("\n\n\n", None, "no valid sentence"),
}

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
    with Lexicon.open(file, create=True) as opened:
        opened.add(io.BytesIO(GOOD.encode()), name="good")
    return file


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


@pytest.mark.thorough
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_its_line(lexicon: Path, tmp_path: Path, name: str) -> None:
    content, line, problem = FAULTS[name]
    said = refuses(lexicon, tmp_path / f"{name}.conllu", content.encode())
    assert said.startswith(f":{line}: " if line else ": ")
    assert problem in said


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
    said = refuses(lexicon, tmp_path / "late.conllu", (GOOD * 50 + with_line(4, "x")).encode())
    assert said.startswith(":154: 1 column")


@pytest.mark.parametrize("place", ["missing.conllu", ""])
def test_no_such_file(lexicon: Path, tmp_path: Path, place: str) -> None:
    file = tmp_path / place
    with Lexicon.open(lexicon) as opened:
        before = fingerprint(opened)
        with pytest.raises(CorpusError, match="no such file" if place else "is a folder"):
            opened.add(file)
        assert fingerprint(opened) == before
    with Lexicon.open(tmp_path / "new.duckdb", create=True) as opened, pytest.raises(CorpusError):
        opened.add(file)
    assert not (tmp_path / "new.duckdb").exists()


@pytest.mark.thorough
def test_the_same_content_is_refused_by_name(tmp_path: Path) -> None:
    first, second = tmp_path / "first.conllu", tmp_path / "second.conllu"
    first.write_text(GOOD)
    second.write_bytes(gzip.compress(GOOD.encode()))
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as opened:
        opened.add(first)
        with pytest.raises(CorpusError, match=r"already has a corpus first\.conllu"):
            opened.add(first)
        with pytest.raises(CorpusError, match=r"added before, as corpus first\.conllu; to count it twice, use --again"):
            opened.add(second)
        once = opened.sql("FROM cooccurrences ORDER BY ALL").rows
        opened.add(second, again=True)
        twice = opened.sql("FROM cooccurrences ORDER BY ALL").rows
        assert [(*row[:3], *(2 * each for each in row[3:])) for row in once] == twice
        assert opened.corpora().column("name") == ["first.conllu", "second.conllu"]
