"""The same trees in every form that is read give the same counts; `check` reports what a plain reader finds."""

import bz2
import gzip
import io
import lzma
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from aptdb import CorpusError, Lexicon
from aptdb.corpus.dialects import COLUMNS
from aptdb.counting.check import FAULT, check
from support.app import app
from support.columns import words_of
from support.lexicons import new_lexicon
from support.mutations import SENTENCES, base
from support.runs import HANGS
from support.strict_reader import strictly_read
from twins.counting import count, way_to_root
from twins.trees import Sentence, Token, conllu
from twins.weights import Triple

TUPLE = ("id", "form", "lemma", "upos", "head", "deprel")


def random_trees(seed: int, sizes: tuple[int, ...]) -> list[Sentence]:
    """Trees of such sizes, with few words and relations, so that they meet again; no word has an XPOS."""
    dice = random.Random(seed)
    sentences = []
    for size in sizes:
        order = dice.sample(range(1, size + 1), size)
        heads = {node: dice.choice(order[:place]) if place else 0 for place, node in enumerate(order)}
        sentences.append(
            [
                Token(
                    form=dice.choice(("Ants", "bee", "Ćats", "30,0", "a/b")),
                    lemma=dice.choice(("ant", "bee", "ćat", "a/b", '"')),
                    upos=dice.choice(("NOUN", "VERB", "PUNCT")),
                    xpos="_",
                    head=heads[position],
                    relation=dice.choice(("nsubj", "obj", "nmod:of")) if heads[position] else "ROOT",
                )
                for position in range(1, size + 1)
            ]
        )
    return sentences


TREES = random_trees(1, (1, 2, 5, 9, 14))
TEXT = conllu(TREES).encode()


def conll2009(*, predicted: bool = False, arguments: int = 0) -> bytes:
    """TREES as CoNLL-2009: annotated by people or predicted, with so many columns of arguments."""
    blocks = []
    for sentence in TREES:
        lines = []
        for number, word in enumerate(sentence, 1):
            pairs = [(word.lemma, "_"), (word.upos, "_"), ("_", "_"), (str(word.head), "_"), (word.relation, "_")]
            cells = [cell for pair in pairs for cell in (pair[::-1] if predicted else pair)]
            lines.append("\t".join([str(number), word.form, *cells, "_", "_", *["A0"] * arguments]) + "\n")
        blocks.append("".join(lines) + "\n")
    return "".join(blocks).encode()


def mate(columns: int) -> bytes:
    """TREES as CoNLL-2009 without its last columns."""
    return b"\n".join(b"\t".join(line.split(b"\t")[:columns]) for line in conll2009().split(b"\n"))


def conll2008(arguments: int) -> bytes:
    """TREES as CoNLL-2008, where second words are the rest of torn ones, with so many columns of arguments."""
    blocks = []
    for sentence in TREES:
        lines = []
        for number, word in enumerate(sentence, 1):
            whole = ["_"] * 4 if number == 2 else [word.form, "x", "X", "X"]
            cells = [str(number), *whole, word.form, word.lemma, word.upos, str(word.head), word.relation, "_"]
            lines.append("\t".join([*cells, *["A0"] * arguments]) + "\n")
        blocks.append("".join(lines) + "\n")
    return "".join(blocks).encode()


def declared(names: str) -> bytes:
    """TREES with columns of these names, which the first line declares."""
    lines = [f"# global.columns = {names}".encode()]
    for line in TEXT.split(b"\n"):
        cells = dict(zip(COLUMNS, line.decode().split("\t"), strict=False))
        lines.append("\t".join(cells.get(name, "*") for name in names.split()).encode() if line else b"")
    return b"\n".join(lines)


def conll_x() -> bytes:
    """TREES as CoNLL-X, whose last columns are projective heads and relations."""
    return TEXT.replace(b"\t_\t_\n", b"\t2\tproj\n")


def rows() -> list[dict[str, Any]]:
    """TREES as rows of a table."""
    return [
        {"sentence": f"s{number}", "id": place, **word._asdict(), "deprel": word.relation}
        for number, sentence in enumerate(TREES)
        for place, word in enumerate(sentence, 1)
    ]


def tuples() -> Iterator[list[tuple[Any, ...]]]:
    """TREES one by one, as tuples."""
    for sentence in TREES:
        yield [
            (place, word.form, word.lemma, word.upos, word.head, word.relation)
            for place, word in enumerate(sentence, 1)
        ]


def zstd(content: bytes) -> bytes:
    """The content packed with zstd."""
    return bytes(pytest.importorskip("zstandard", reason="zstandard is not installed").compress(content))


def table() -> Any:
    """TREES as a table of pyarrow."""
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    return pa.Table.from_pylist(rows())


def parquet(folder: Path) -> Path:
    """TREES as a Parquet file."""
    pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed").write_table(table(), folder / "trees.bin")
    return folder / "trees.bin"


def in_file(content: Callable[[], bytes]) -> Callable[[Path], Path]:
    """A file of such bytes, whose name tells nothing."""

    def write(folder: Path) -> Path:
        file = folder / "corpus"
        file.write_bytes(content())
        return file

    return write


FORMS: dict[str, Callable[[Path], Any]] = {
    "conllu": in_file(lambda: TEXT),
    "conllx": in_file(conll_x),
    "conll2009": in_file(conll2009),
    "conll2009 predicted": in_file(lambda: conll2009(predicted=True)),
    "conll2009 arguments": in_file(lambda: conll2009(arguments=3)),
    "conll2008": in_file(lambda: conll2008(0)),
    "conll2008 arguments": in_file(lambda: conll2008(3)),
    "mate 12": in_file(lambda: mate(12)),
    "mate 13": in_file(lambda: mate(13)),
    "declared": in_file(lambda: declared("ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC")),
    "declared more": in_file(lambda: declared("ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE")),
    "declared in another order": in_file(lambda: declared("FORM A:B DEPREL HEAD UPOS ID MISC XPOS LEMMA")),
    "declared few": in_file(lambda: gzip.compress(declared("ID LEMMA UPOS HEAD DEPREL"))),
    "conll2009 comments": in_file(lambda: b"# x\n" * 1500 + conll2009()),
    "conll2009 ranges": in_file(lambda: b"1-1\tx" + b"\t_" * 12 + b"\n0.1\tx" + b"\t_" * 14 + b"\n" + conll2009()),
    "comments": in_file(lambda: b"# x\n" * 1000 + TEXT),
    "crlf": in_file(lambda: TEXT.replace(b"\n", b"\r\n")),
    "bom": in_file(lambda: b"\xef\xbb\xbf" + TEXT),
    "gzip": in_file(lambda: gzip.compress(TEXT[:200]) + gzip.compress(TEXT[200:])),
    "bzip2": in_file(lambda: bz2.compress(TEXT)),
    "xz": in_file(lambda: lzma.compress(TEXT)),
    "zstd": in_file(lambda: zstd(TEXT)),
    "stream": lambda _: io.BytesIO(TEXT),
    "parquet": parquet,
    "table": lambda _: table(),
    "generator": lambda _: tuples(),
    "list": lambda _: [[dict(zip(TUPLE, word, strict=True)) for word in sentence] for sentence in tuples()],
}


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon to which all forms are added, one after another."""
    with new_lexicon(tmp_path_factory.mktemp("formats") / "l.duckdb", TEXT, name="first") as opened:
        yield opened


def counts(opened: Lexicon) -> Counter[Triple]:
    """All that a lexicon counts."""
    return Counter({(row[0], row[1], row[2]): row[3] for row in opened.sql("FROM cooccurrences").rows})


@pytest.mark.sampled(12)
@pytest.mark.filterwarnings("ignore:.* columns that are:aptdb.IncompleteDataWarning")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_adds_the_same(lexicon: Lexicon, tmp_path: Path, form: str) -> None:
    before = counts(lexicon)
    added = lexicon.add(FORMS[form](tmp_path), name=form, again=True)
    assert counts(lexicon) - before == count(TREES)
    assert (added.sentences, added.tokens) == (len(TREES), sum(map(len, TREES)))


# What check reports
def depth(words: Sentence) -> int:
    """The steps from a root to what is farthest from it."""
    return max(len(way_to_root(dict(enumerate(words, 1)), place)) for place in range(1, len(words) + 1)) - 1


@pytest.mark.thorough
@pytest.mark.parametrize("wide", [False, True])
def test_check_of_a_treebank(tmp_path: Path, wide: bool) -> None:
    """Sizes are those of the plain reader, of what is right; each block that is wrong is named, and no other."""
    blocks = [b"\n".join(lines) + b"\n\n" for lines in base(wide)]
    good = tmp_path / "good.conllu"
    good.write_bytes(b"".join(blocks))
    assert report_of(good, wrong=0)["sentences"] == str(SENTENCES)
    blocks[2] = blocks[2].replace(b"\n1\t", b"\n5\t") if not wide else b"x" + blocks[2]
    blocks[7] = b"no word\n" + blocks[7]
    blocks[9] = blocks[9].replace(b"e", b"\xe9", 1)
    blocks[20] = blocks[20].replace(b"\t0\t", b"\t1\t")
    bad = tmp_path / "bad.conllu"
    bad.write_bytes(b"".join(blocks))
    report_of(bad, wrong=4)


def report_of(file: Path, wrong: int) -> dict[str, str]:
    """The report of `aptdb verify`, compared with the plain reader's."""
    reading = strictly_read(file.read_bytes())
    assert len(reading.wrong) == wrong
    reported = check(file)
    named = [int(value.removeprefix(f"{file}:").partition(":")[0]) for name, value in reported if name == FAULT]
    places = [{line for line in named if one.first <= line < one.first + len(one.lines)} for one in reading.wrong]
    assert all(places)
    assert set().union(*places) == {*named}
    report = {name: value for name, value in reported if name != FAULT}
    sentences = [[*one.words] for one in reading.right]
    sizes = [len(sentences), sum(map(len, sentences)), max(map(len, sentences)), max(map(depth, sentences))]
    assert [int(report[name]) for name in ("sentences", "tokens", "longest sentence", "deepest tree")] == sizes
    relations = Counter(word.relation for words in sentences for word in words)
    assert {name: int(value) for name, value in report.items() if name.startswith("relation ")} == {
        f"relation {name}": tokens for name, tokens in relations.items()
    }
    answer = CliRunner().invoke(app, ["verify", str(file), "--format", "tsv"])
    assert answer.exit_code == (1 if wrong else 0)
    assert all(f":{line}: " in answer.output for line in named)
    return report


def test_check_of_a_file_without_a_sentence(tmp_path: Path) -> None:
    """What add would refuse is no good file."""
    file = tmp_path / "empty.conllu"
    file.write_text("# nothing\n\n")
    assert CliRunner().invoke(app, ["verify", str(file)]).exit_code == 1
    assert (FAULT, f"{file}: no valid sentence; CoNLL-U has a line of 10 columns for each word") in check(file)


# Deep, broad and long sentences
def chain(words: int) -> bytes:
    """A sentence in which each word hangs from the one before."""
    return words_of([*range(words)])


def fan(words: int) -> bytes:
    """A sentence in which all words hang from the first."""
    return words_of([0, *[1] * (words - 1)])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("content", "pairs"), [(chain(9000), 9000 + 2 * (8999 + 8998)), (fan(3001), 2 * 3000 + 1 + 3000**2)]
)
def test_deep_and_broad_sentences(tmp_path: Path, content: bytes, pairs: int) -> None:
    begun = time.monotonic()
    with new_lexicon(tmp_path / "l.duckdb", content, name="x", skip_invalid=True) as opened:
        assert counts(opened).total() == pairs
    assert time.monotonic() - begun < HANGS


@pytest.mark.thorough
@pytest.mark.parametrize("sentence", [chain(20_000), fan(20_000)])
def test_too_long_a_sentence_is_refused_or_skipped(lexicon: Lexicon, tmp_path: Path, sentence: bytes) -> None:
    begun, before = time.monotonic(), counts(lexicon)
    content = TEXT + sentence + TEXT
    line = TEXT.count(b"\n") + 1
    with pytest.raises(
        CorpusError, match=rf"^stream:{line}: a sentence of 20,000 words; at most 10,000 .*--max-sentence"
    ):
        lexicon.add(io.BytesIO(content), name="long")
    assert counts(lexicon) == before
    name, rejects = f"skipped {hash(sentence)}", tmp_path / "rejects"
    added = lexicon.add(io.BytesIO(content), name=name, skip_invalid=True, rejects=rejects, again=True)
    assert added.skipped == {"length": 1}
    assert rejects.read_bytes().partition(b"\n")[2].strip() == sentence.strip()
    assert counts(lexicon) - before == count(TREES + TREES)
    assert time.monotonic() - begun < HANGS


@pytest.mark.thorough
def test_max_sentence(lexicon: Lexicon) -> None:
    longest = max(map(len, TREES))
    assert lexicon.add(io.BytesIO(TEXT), name="fits", again=True, max_sentence=longest).skipped == {}
    added = lexicon.add(io.BytesIO(TEXT), name="less", again=True, max_sentence=longest - 1, skip_invalid=True)
    assert (added.sentences, added.skipped) == (len(TREES) - 1, {"length": 1})
    line = TEXT.rindex(b"\n\n1\t") + 2
    said = dict(check(io.BytesIO(TEXT), max_sentence=longest - 1))[FAULT]
    assert said.startswith(f"stream:{TEXT[:line].count(10) + 1}: a sentence of {longest} words")
