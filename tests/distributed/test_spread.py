"""Counting into a folder: one function that counts sentences, on three engines; and what the folder holds."""

import bz2
import gzip
import io
import json
import lzma
import os
import random
import shutil
import signal
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.lexicons import new_lexicon

pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")

import aptdb
from aptdb import AptError, CorpusError, Lexicon, LexiconError
from aptdb.core.errors import InUseError
from aptdb.core.settings import Settings
from aptdb.corpus.sources import Source
from aptdb.distributed import input_splits, output_folder
from aptdb.distributed.counting_task import How
from aptdb.distributed.input_splits import lines_before, read_sentence_batches
from aptdb.distributed.merging_task import count_sentences
from aptdb.distributed.output_folder import Folder, Results
from aptdb.distributed.task_messages import TaskRefusedError
from aptdb.store.counts_folder import UNFINISHED
from support.commands import ask
from support.corpora import GENRES, MORE, TREES, corpus_file, documents_of
from support.running import commands_below
from support.runs import HANGS, draw_some, examples
from support.spread import counted_here, cut, engine, manifest_of, tables_of
from support.strategies import corpora, normalisations
from twins.counting import count, frequencies
from twins.paths import inverse
from twins.trees import conllu

# py4j leaves sockets behind.
pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")]

ENGINES = ("local", "sail", pytest.param("spark", marks=pytest.mark.thorough))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts files into small pieces, so that a small file has many."""
    monkeypatch.setattr(input_splits, "PIECE_BYTES", 100)


@pytest.mark.thorough
@given(st.lists(st.sampled_from([b"a\n", b"b c\n", b"\n", b"\n", b"\r\n", b"# d\r\n", b"e"]), max_size=30), st.data())
def test_pieces_hold_each_sentence_once(
    tmp_path_factory: pytest.TempPathFactory, lines: Any, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("cut") / "x.conllu"
    file.write_bytes(b"".join(lines))
    size, at_once = data.draw(st.integers(1, 40)), data.draw(st.integers(4, 60))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(input_splits, "BLOCK_BYTES", at_once)
        found = [sentences_read(cut(file, size)), sentences_read(cut(file, 1 << 20))]
    text = b"".join(lines).replace(b"\r\n", b"\n")
    expected = [part.strip(b"\n") + b"\n\n" for part in text.split(b"\n\n") if part.strip(b"\n")]
    assert [content for _, content in found[0]] == [content for _, content in found[1]] == expected
    assert [line for line, _ in found[0]] == [line for line, _ in found[1]]
    numbered = text.split(b"\n")
    assert all(numbered[line] == content.split(b"\n")[0] for line, content in found[0])


def sentences_read(pieces: list[input_splits.Piece]) -> list[tuple[int, bytes]]:
    """The sentences of pieces, each with the number of lines before it in its file."""
    from aptdb.distributed import task_messages

    found = []
    for piece in pieces:
        plan = [task_messages.batch(task_messages.PIECES, *([value] for value in piece))]
        before = lines_before(piece)
        for batch in read_sentence_batches(plan):
            found += [(before + row["line"], row["text"]) for row in batch.to_pylist() if row["text"] is not None]
    return found


@pytest.mark.thorough
@examples(25)
@given(corpora(), normalisations(), st.integers(20, 2_000))
def test_the_function_counts_as_its_twin(
    tmp_path_factory: pytest.TempPathFactory, trees: Any, rules: dict[str, Any], size: int
) -> None:
    file = tmp_path_factory.mktemp("twin") / "x.conllu"
    file.write_text(conllu(trees), encoding="utf-8")
    counts, tokens, said = counted_here(cut(file, size), How(Settings(**rules)))
    expected = count(trees, **rules)
    assert +counts == Counter({each: number for each, number in expected.items() if each[1] <= inverse(each[1])})
    assert all(expected[context, inverse(path), lexeme] == number for (lexeme, path, context), number in counts.items())
    assert +tokens == Counter(frequencies(trees, **rules))
    assert sum(each.get("tokens", 0) for each in said if "skipped" in each) == sum(map(len, trees))
    assert sum(each.get("sentences", 0) for each in said if "skipped" in each) == len(trees)


@pytest.mark.thorough
def test_rounds_add_up(tmp_path: Path) -> None:
    """Whatever is counted at once, the sums are the same."""
    file = tmp_path / "x.conllu"
    file.write_text(conllu([*TREES, *MORE] * 20), encoding="utf-8")

    class Small(How):
        def chunk_bytes(self) -> int:
            return 200

        def rows_of_round(self) -> int:
            return 50

    whole, tokens, _ = counted_here(cut(file, 1 << 20), How(Settings()))
    by_rounds, tokens_by_rounds, said = counted_here(cut(file, 500), Small(Settings()))
    assert (whole, tokens) == (by_rounds, tokens_by_rounds)
    assert sum("skipped" in each for each in said) > 5


@pytest.fixture(params=ENGINES)
def on(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """Each engine."""
    with engine(request.param) as how:
        yield how


@pytest.mark.thorough
@pytest.mark.usefixtures("small")
def test_the_engines_make_the_same_folder(tmp_path: Path, on: dict[str, Any]) -> None:
    files = written(tmp_path)
    done = aptdb.count_corpora(files, tmp_path / "counts", partitions=3, order=3, **on)
    assert (done.corpus, done.sentences, done.tokens) == ("counts", 20, 44)
    one_file = tmp_path / "one.conllu"
    one_file.write_text(conllu([*TREES, *MORE] * 2), encoding="utf-8")
    aptdb.count_corpora(one_file, tmp_path / "again", partitions=1, order=3)
    assert tables_of(tmp_path / "counts") == tables_of(tmp_path / "again")
    manifest = manifest_of(tmp_path / "counts")
    assert {Path(each["path"]).parts[1] for each in manifest["files"] if "cooc" in each["path"]} == {
        "part=0", "part=1", "part=2",
    }  # fmt: skip
    assert [Path(each["place"]).name for each in manifest["sources"]] == ["a.conllu", "b.conllu.gz", "c.conllu.xz"]
    assert not (tmp_path / "counts" / "_unfinished").exists()
    assert_taken_as_trees(tmp_path, files)


def assert_taken_as_trees(folder: Path, files: list[Path]) -> None:
    """Compare a lexicon that takes the folder counts with one of the trees: settings of order 3."""
    found = []
    for name, sources in (("taken", [folder / "counts"]), ("trees", files)):
        with Lexicon.open(folder / f"{name}.duckdb", create=True, order=3) as lexicon:
            for each in sources:
                lexicon.add(each)
            queries = (
                "cooccurrences",
                "lexemes",
                "paths",
                "nodes",
                "(SELECT sum(tokens), sum(sentences) FROM corpora)",
            )
            found.append([lexicon.sql(f"FROM {query} ORDER BY ALL").rows for query in queries])
    assert found[0] == found[1]


def written(folder: Path) -> list[Path]:
    """A corpus in files of several kinds; the first has many pieces."""
    half = (len(TREES) + len(MORE)) // 2
    trees = [*TREES, *MORE]
    files = [folder / name for name in ("a.conllu", "b.conllu.gz", "c.conllu.xz")]
    files[0].write_bytes(b"\xef\xbb\xbf" + conllu(trees).replace("\n", "\r\n").encode())
    files[1].write_bytes(gzip.compress(conllu(trees[:half]).encode()))
    files[2].write_bytes(lzma.compress(conllu(trees[half:]).encode()))
    return files


@pytest.mark.thorough
@pytest.mark.usefixtures("small")
def test_a_folder_holds_what_a_lexicon_does(tmp_path: Path, on: dict[str, Any]) -> None:
    files = written(tmp_path)
    aptdb.count_corpora(files, tmp_path / "counts", partitions=2, **on)
    with Lexicon.open(tmp_path / "trees.duckdb", create=True) as lexicon:
        for file in files:
            lexicon.add(file)
    assert_same(tmp_path / "counts", tmp_path / "trees.duckdb")


def assert_same(folder: Path, lexicon: Path) -> None:
    """Compare all tables of a folder with those of a lexicon, row for row."""
    with duckdb.connect(str(lexicon), read_only=True) as connection:
        for table, columns in {
            "cooccurrences": "lexeme, path, context, count",
            "lexemes": "lexeme, frequency",
            "paths": "path, path_order, count",
        }.items():
            files = f"read_parquet('{folder}/{table}/**/*.parquet')"
            for one, other in ((table, files), (files, table)):
                left = (
                    f"SELECT count(*) FROM ((SELECT {columns} FROM {one}) EXCEPT ALL (SELECT {columns} FROM {other}))"
                )
                assert connection.execute(left).fetchall() == [(0,)], (table, one)
        nodes = f"SELECT sum(count), count(*) FROM read_parquet('{folder}/nodes/**/*.parquet')"
        assert (
            connection.execute(nodes).fetchall()
            == connection.execute("SELECT sum(count), count(*) FROM nodes").fetchall()
        )


@pytest.mark.thorough
@pytest.mark.usefixtures("small")
def test_the_first_fault_is_told_with_file_and_line(tmp_path: Path, on: dict[str, Any]) -> None:
    file = tmp_path / "x.conllu"
    text = conllu([*TREES, *MORE] * 5).replace("\n", "\r\n").split("\r\n")
    text[120] = "1\tonly two"
    file.write_bytes("\r\n".join(text).encode())
    with pytest.raises(CorpusError, match=r"x\.conllu:121: 2 columns"):
        aptdb.count_corpora(file, tmp_path / "counts", **on)
    assert not (tmp_path / "counts").exists()


@pytest.mark.thorough
@pytest.mark.usefixtures("small")
def test_rejects_are_those_of_add(tmp_path: Path, on: dict[str, Any]) -> None:
    file = tmp_path / "x.conllu"
    lines = conllu([*TREES, *MORE] * 5).encode().split(b"\n")
    lines[3], lines[60], lines[121] = b"1\tonly two", b"1\t\xff", lines[121].replace(b"\t0\t", b"\t77\t")
    file.write_bytes(b"\n".join(lines))
    with Lexicon.open(tmp_path / "trees.duckdb", create=True) as lexicon:
        added = lexicon.add(file, skip_invalid=True, rejects=tmp_path / "of_add.conllu")
    done = aptdb.count_corpora(file, tmp_path / "counts", skip_invalid=True, rejects=tmp_path / "rejects.conllu", **on)
    assert done.skipped == added.skipped
    assert (done.sentences, done.tokens) == (added.sentences, added.tokens)
    assert (tmp_path / "rejects.conllu").read_bytes() == (tmp_path / "of_add.conllu").read_bytes()
    assert manifest_of(tmp_path / "counts")["skipped"] == dict(sorted(added.skipped.items()))
    assert_same(tmp_path / "counts", tmp_path / "trees.duckdb")


def test_names_are_shown_as_they_were_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on: dict[str, Any]
) -> None:
    """A name may have spaces and anything else; tasks run in other folders."""
    folder = tmp_path / "100 % ü"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("a é%20.conllu").write_text(conllu(TREES), encoding="utf-8")
    aptdb.count_corpora("a é%20.conllu", "the counts", **on)
    assert manifest_of(Path("the counts"))["sources"][0]["place"] == "a é%20.conllu"
    Path("a é%20.conllu").write_text(conllu(TREES) + "1\tx\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"^a é%20\.conllu:\d+: 2 columns"):
        aptdb.count_corpora("a é%20.conllu", "more counts", **on)
    Path("b.conllu.gz").write_bytes(gzip.compress(conllu(TREES).encode())[:-9])
    with pytest.raises(CorpusError, match=r"^b\.conllu\.gz: the gzip data is damaged"):
        aptdb.count_corpora("b.conllu.gz", "more counts", **on)


def test_a_name_that_is_no_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(os.fsdecode(b"\xff.conllu")).write_text(conllu(TREES), encoding="utf-8")
    with pytest.raises(CorpusError, match="the name of this file is not UTF-8; rename it"):
        aptdb.count_corpora(os.fsdecode(b"\xff.conllu"), "counts")


@pytest.mark.thorough
def test_a_file_of_another_dialect_is_read_as_it_is(tmp_path: Path) -> None:
    from support.corpora import DOGS

    (tmp_path / "a.conllu").write_text(DOGS, encoding="utf-8")
    of_2009 = (
        "1\tDogs\tdog\t_\tNOUN\t_\t_\t_\t2\t_\tnsubj\t_\t_\t_\n2\tbark\tbark\t_\tVERB\t_\t_\t_\t0\t_\troot\t_\t_\t_\n\n"
    )
    (tmp_path / "b.conll09").write_text(of_2009, encoding="utf-8")
    aptdb.count_corpora([tmp_path / "a.conllu", tmp_path / "b.conll09"], tmp_path / "counts")
    with new_lexicon(tmp_path / "trees.duckdb", tmp_path / "a.conllu") as lexicon:
        lexicon.add(tmp_path / "b.conll09")
    assert_same(tmp_path / "counts", tmp_path / "trees.duckdb")


@pytest.mark.thorough
def test_the_dialect_is_that_of_the_file(tmp_path: Path) -> None:
    """Whatever sentence a task begins with, and whatever file stands before."""
    ours = conllu([*TREES, *MORE])
    of_2009 = "1\tDogs\tdog\t_\tNOUN\t_\t_\t_\t0\t_\troot\t_\t_\t_\n\n"
    files = {
        "a.conllu": "1\tbroken\n\n" + ours, "b.conll09": "# none\n\n" + of_2009 * 2_000 + ours + of_2009,
        "c.conllu": "1\tbroken\n\n" + ours[: ours.index("\n\n") + 2],
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [tmp_path / name for name in files]
    done = aptdb.count_corpora(paths, tmp_path / "counts", skip_invalid=True)
    skipped: Counter[str] = Counter()
    with Lexicon.open(tmp_path / "t.duckdb", create=True) as lexicon:
        for each in paths:
            skipped.update(lexicon.add(each, skip_invalid=True).skipped)
    assert done.skipped == skipped
    assert_same(tmp_path / "counts", tmp_path / "t.duckdb")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["count=3", "lexeme=x/path=y", "a b"])
def test_the_name_of_a_folder_means_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / name, partitions=2)
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "plain", partitions=2)
    assert tables_of(tmp_path / name) == tables_of(tmp_path / "plain")


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES), encoding="utf-8")
    pieces = cut(file, 100)
    for text in (conllu(TREES[:2]), conllu([*TREES, *MORE])):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(TaskRefusedError, match="has changed while it was counted"):
            counted_here(pieces, How(Settings()))


def test_two_that_make_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES), encoding="utf-8")
    refused: list[str] = []

    def another(*arguments: Any) -> Any:
        monkeypatch.undo()
        try:
            aptdb.count_corpora(file, tmp_path / "counts")
        except AptError as error:
            refused.append(str(error))
        return count_sentences(*arguments)

    monkeypatch.setattr("aptdb.distributed.count_corpora.count_sentences", another)
    aptdb.count_corpora(file, tmp_path / "counts")
    assert refused == [f"{tmp_path / 'counts'} is being made by another process; name another folder"]
    assert manifest_of(tmp_path / "counts")["tokens"] == 12


def test_what_was_there_is_as_it_was_after_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_text("1\tx\n", encoding="utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "link").symlink_to("mine")
    for place in ("mine", "link"):
        with pytest.raises(CorpusError, match="2 columns"):
            aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / place)
    assert (tmp_path / "link").is_symlink()
    assert list((tmp_path / "mine").iterdir()) == []
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "link")
    assert (tmp_path / "mine" / "manifest.json").exists()


def test_an_engine_that_counts_a_piece_twice_is_found_out() -> None:
    said = '{"file": "x", "piece": 0, "lines": 1, "sentences": 1, "hashes": ["0"]}'
    piece = input_splits.Piece("x", 0, 0, 9, 9, False, 9, "conllu")
    Results({said: 1}).refuse_uneven([piece])
    for times in (0, 2):
        with pytest.raises(LexiconError, match="not counted each piece exactly once"):
            Results({said: times}).refuse_uneven([piece])


@pytest.mark.parametrize("how", [(), ("--in-place",)])
def test_more_nodes_than_there_are_numbers(tmp_path: Path, how: tuple[str, ...]) -> None:
    """The manifest has whole numbers of 64 bits; a lexicon numbers nodes by 32, and says so before it reads rows."""
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "counts")
    manifest = manifest_of(tmp_path / "counts")
    (nodes,) = (each for each in manifest["files"] if each["path"].startswith("nodes"))
    for number in (2**31, 4 * 10**9):
        manifest["nodes"] = nodes["rows"] = number
        (tmp_path / "counts" / "manifest.json").write_text(json.dumps(manifest))
        said = ask("add", tmp_path / "l.duckdb", tmp_path / "counts", *how).stderr
        assert f"it has {number:,} nodes, and a lexicon takes 2,147,483,647; count it in two" in said
        assert not (tmp_path / "l.duckdb").exists()


def test_a_disk_that_fails_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_batch", full)
    with pytest.raises(LexiconError, match="counts cannot be written: No space left on device; nothing is made"):
        aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "counts")
    assert not (tmp_path / "counts").exists()


def test_a_task_that_fails_stops_the_others(tmp_path: Path) -> None:
    """Also in the middle of a file that is one piece: each looks at every batch whether it is to stop."""
    text = conllu([*TREES, *MORE]).encode()
    (tmp_path / "x.conllu.gz").write_bytes(gzip.compress(text * 40_000))
    (tmp_path / "y.conllu").write_bytes(text + b"1\tx\n")
    begun = time.monotonic()
    with pytest.raises(CorpusError, match=r"y\.conllu:\d+: 2 columns"):
        aptdb.count_corpora([tmp_path / "x.conllu.gz", tmp_path / "y.conllu"], tmp_path / "counts")
    assert time.monotonic() - begun < HANGS


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "an engine that there is not": ({"engine": "flink"}, "engine is 'flink'; expected local or spark"),
    "a master without Spark": ({"master": "yarn"}, "add --engine spark"),
    "no part": ({"partitions": 0}, "partitions is 0; expected a whole number from 1"),
    "an order": ({"order": 9}, "order is 9"),
    "no such file": ({"files": "nothing.conllu"}, "nothing.conllu: no such file"),
    "standard input": ({"files": "-"}, "use aptdb add"),
    "a table": ({"files": "t.parquet"}, "aptdb add takes tables"),
    "an empty file": ({"files": "empty.conllu"}, "is empty"),
    "no words": ({"files": "comments.conllu"}, "no valid sentence"),
    "a file twice": ({"files": ["x.conllu", "y.conllu"]}, "y.conllu has the same content as x.conllu"),
    "the same unpacked": ({"files": ["x.conllu", "z.conllu.bz2"]}, "z.conllu.bz2 has the same content as x.conllu"),
    "a damaged file": ({"files": "cut.conllu.bz2"}, "cut.conllu.bz2: the bzip2 data is damaged or cut off"),
    "no folder": ({"output": "there/is/none"}, "no folder there/is; make it first"),
    "a folder that is there": ({"output": "taken"}, "taken exists already"),
    "a file": ({"output": "x.conllu"}, "x.conllu is not a folder"),
    "no files": ({"files": []}, "no files; name some"),
    "parts that are no number": ({"partitions": True}, "partitions is True; expected a whole number"),
    "sentences of no words": ({"max_sentence": -1}, "max-sentence is -1; expected a whole number, 1 or more"),
    "no master": ({"engine": "spark", "master": ""}, "master is empty"),
    "rejects of nothing": ({"rejects": "r.conllu"}, "give both"),
    "rejects over a corpus": ({"rejects": "y.conllu", "skip_invalid": True}, "'y.conllu' exists already"),
    "rejects in the folder": ({"rejects": "counts/r", "skip_invalid": True}, "counts/r is in the folder that is made"),
    "a pattern of a folder": ({"output": "br[1]"}, "br[1]: a folder of counts cannot have [ in its name"),
    "a folder elsewhere": ({"output": "nope://x/y"}, "the folder cannot be made: nope://x/y"),
    "a pipe": ({"files": "pipe"}, "pipe is not a file that several tasks can read"),
    "a strange file system": ({"files": "abc://x/y.conllu"}, "abc://x/y.conllu: cannot be reached"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.chdir(tmp_path)
    text = conllu(TREES).encode()
    for name, content in {
        "x.conllu": text, "y.conllu": text, "z.conllu.bz2": bz2.compress(text),
        "cut.conllu.bz2": bz2.compress(text)[:-9],
        "empty.conllu": b"", "comments.conllu": b"# none\n\n", "t.parquet": b"PAR1....PAR1",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine.txt").write_text("mine")
    there = sorted(tmp_path.rglob("*"))
    arguments, message = REFUSED[what]
    how = {"files": "x.conllu", "output": "counts", **arguments}
    with pytest.raises(AptError) as refused:
        aptdb.count_corpora(how.pop("files"), how.pop("output"), **how)
    assert message in str(refused.value)
    assert sorted(tmp_path.rglob("*")) == there


@pytest.mark.thorough
def test_what_the_text_lacks_is_told_as_add_tells_it(tmp_path: Path) -> None:
    """A name in a setting that is mistyped, and words without lemmas."""
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES).replace("\tdog\tdog\t", "\tdog\t_\t"), encoding="utf-8")
    rules: dict[str, Any] = {
        "exclude_upos": ["PUNKT"], "relation_map": {"nsubject": "subj"}, "join": ["flat"], "pos_map": {"A": "B"},
        "exclude_relations": ["punct"], "lexeme": "{lemma}/{upos}/{feats:Number}", "relations": "universal",
    }  # fmt: skip
    told = []
    for name in ("counts", "x.conllu"):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            if name == "counts":
                aptdb.count_corpora(file, tmp_path / "counts", **rules)
            else:
                with Lexicon.open(tmp_path / "t.duckdb", create=True, **rules) as lexicon:
                    lexicon.add(file)
        told.append(sorted(str(each.message).replace(name, "it") for each in found))
    assert told[0] == told[1]
    assert len(told[0]) == 6
    assert any("no word of it has the part of speech PUNKT; it has" in each for each in told[0])


def test_the_same_twice_if_it_is_wanted(tmp_path: Path) -> None:
    for name in ("x.conllu", "y.conllu"):
        (tmp_path / name).write_text(conllu(TREES), encoding="utf-8")
    done = aptdb.count_corpora([tmp_path / "x.conllu", tmp_path / "y.conllu"], tmp_path / "counts", again=True)
    assert done.sentences == 2 * len(TREES)


def test_what_was_never_finished_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")
    (tmp_path / "counts" / "_unfinished" / "counted").mkdir(parents=True)
    (tmp_path / "counts" / "cooccurrences").mkdir()
    (tmp_path / "counts" / "cooccurrences" / "half.parquet").write_bytes(b"PAR1")
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "counts")
    assert not list(tmp_path.rglob("half.parquet"))


def test_without_spark_or_java_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES), encoding="utf-8")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(LexiconError, match="there is no Java; Spark 4 needs Java 17"):
        aptdb.count_corpora(file, tmp_path / "counts", engine="spark")
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    java.chmod(0o755)
    with pytest.raises(LexiconError, match="Java is version 11; Spark 4 needs Java 17"):
        aptdb.count_corpora(file, tmp_path / "counts", engine="spark")
    monkeypatch.setitem(__import__("sys").modules, "pyspark.sql", None)
    with pytest.raises(LexiconError, match=r"counting on Spark needs pyspark: pip install 'aptdb\[spark\]'"):
        aptdb.count_corpora(file, tmp_path / "counts", engine="spark")


def test_a_failing_engine_is_told_in_one_line(tmp_path: Path) -> None:
    from aptdb.distributed.run_watch import one_line_errors

    with (
        pytest.raises(LexiconError, match=r"^Spark failed: java\.lang\.OutOfMemoryError: Java heap space$"),
        one_line_errors(),
    ):
        raise RuntimeError("Job aborted\n\tat x\njava.lang.OutOfMemoryError: Java heap space\n\tat y")
    with pytest.raises(TaskRefusedError), one_line_errors():
        raise RuntimeError(
            'Job aborted\naptdb refuses: {"kind": "CorpusError", "message": "no", "place": null}\n\tat y'
        )


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES), encoding="utf-8")
    answer = ask(
        "count", file, "-o", tmp_path / "counts", "--order", "1", "--exclude-upos", "PUNCT", "--format", "json"
    )
    assert answer.exit_code == 0, answer.output
    assert '"tokens": 12' in answer.stdout
    manifest = manifest_of(tmp_path / "counts")
    assert (manifest["settings"]["order"], manifest["settings"]["exclude_upos"]) == (1, ["PUNCT"])
    assert ask("count", file).exit_code == 2
    assert "exists already" in ask("count", file, "-o", tmp_path / "counts").stderr


def test_a_run_that_loses_leaves_the_folder_of_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, folder = tmp_path / "x.conllu", tmp_path / "counts"
    file.write_text(conllu(TREES), encoding="utf-8")

    def finish_first(self: Folder, take_over: bool) -> bool:
        """Another run makes the whole folder after this one has seen that there is none."""
        monkeypatch.setattr(Folder, "_refuse_taken", refuse_taken)
        found = self._refuse_taken(take_over)
        aptdb.count_corpora(file, folder)
        return found

    refuse_taken = Folder._refuse_taken
    monkeypatch.setattr(Folder, "path", lambda self: Path(self._path))
    for is_far in (False, True):
        monkeypatch.setattr(output_folder, "is_remote", lambda _, is_far=is_far: is_far)
        monkeypatch.setattr(Folder, "_refuse_taken", finish_first)
        with pytest.raises(InUseError, match="was finished by another"):
            aptdb.count_corpora(file, folder)
        assert manifest_of(folder)["tokens"] == 12
        assert not (folder / UNFINISHED).exists()
        shutil.rmtree(folder)


def test_nothing_is_taken_over_on_this_machine(tmp_path: Path) -> None:
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES), encoding="utf-8")
    with pytest.raises(LexiconError, match=r"is on this machine, .*; leave out take_over \(--take-over\)"):
        aptdb.count_corpora(file, tmp_path / "counts", take_over=True)


def test_of_two_runs_into_a_remote_folder_at_most_one_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, folder = tmp_path / "x.conllu", tmp_path / "counts"
    file.write_text(conllu(TREES), encoding="utf-8")
    monkeypatch.setattr(output_folder, "is_remote", lambda _: True)
    monkeypatch.setattr(Folder, "path", lambda self: Path(self._path))
    with (
        Folder(str(folder)).made() as made,
        pytest.raises(InUseError, match=r"is unfinished since \d{4}-.* UTC: another run makes it.*--take-over"),
    ):
        aptdb.count_corpora(file, made.place)
    shutil.rmtree(folder)
    first = Folder(str(folder))
    monkeypatch.setattr(first, "_refuse_taken", lambda _: False)  # it looked before there was anything
    with Folder(str(folder)).made(), pytest.raises(InUseError, match="another run makes it"), first.made():
        pass
    shutil.rmtree(folder)
    (folder / UNFINISHED).mkdir(parents=True)
    (folder / UNFINISHED / "claim-of-one-that-was-killed").touch()
    with pytest.raises(InUseError, match="another run makes it, or was killed"):
        aptdb.count_corpora(file, folder)
    assert aptdb.count_corpora(file, folder, take_over=True).tokens == 12
    assert [each.name for each in folder.iterdir() if each.name == UNFINISHED] == []


def test_ctrl_c_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.conllu"
    file.write_text(conllu(TREES), encoding="utf-8")

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("aptdb.distributed.output_folder.Results.refuse_useless", lambda *_, **__: interrupt(None))
    with pytest.raises(KeyboardInterrupt):
        aptdb.count_corpora(file, tmp_path / "counts")
    assert not (tmp_path / "counts").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("order", [2, 3, 1])
def test_treebanks_here(english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: int) -> None:
    assert_treebanks(english, tmp_path, monkeypatch, "local", order)


@pytest.mark.thorough
def test_genres_on_sail(genres: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real sentences, split over tasks: row for row as `add` counts them."""
    monkeypatch.setattr(input_splits, "PIECE_BYTES", 1 << 20)
    corpus = tmp_path / "gum.conllu"
    corpus.write_bytes(b"".join(map(documents_of, GENRES)))
    with engine("sail") as how:
        aptdb.count_corpora(corpus, tmp_path / "counts", partitions=3, **how)
    assert_same(tmp_path / "counts", genres)


@pytest.mark.thorough
@pytest.mark.parametrize("order", draw_some([1, 2, 3], 1, "orders on sail"))
def test_treebanks_on_sail(english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: int) -> None:
    assert_treebanks(english, tmp_path, monkeypatch, "sail", order)


@pytest.mark.thorough
@pytest.mark.parametrize("order", draw_some([1, 2, 3], 1, "orders on executors"))
def test_treebanks_on_two_executors(english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: int) -> None:
    assert_treebanks(english, tmp_path, monkeypatch, "spark", order)


def assert_treebanks(english: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, order: int) -> None:
    """Both treebanks, one split over tasks and one gzipped: row for row as `add` counts them."""
    monkeypatch.setattr(input_splits, "PIECE_BYTES", 4 << 20)
    ewt, gum = corpus_file("en_ewt"), corpus_file("en_gum")
    plain = folder / "en_ewt.conllu"
    plain.write_bytes(gzip.decompress(ewt.read_bytes()))
    lexicon = english
    if order != 2:
        lexicon = folder / "english.duckdb"
        with Lexicon.open(lexicon, create=True, order=order) as opened:
            opened.add(ewt)
            opened.add(gum)
    with engine(name) as how:
        done = aptdb.count_corpora([plain, gum], folder / "counts", order=order, partitions=5, **how)
    assert (done.sentences, done.tokens) == (16_622 + 13_369, 254_818 + 235_313)
    assert_same(folder / "counts", lexicon)


@pytest.mark.thorough
def test_a_session_that_somebody_has_stays_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    (tmp_path / "x.conllu").write_text(conllu(TREES), encoding="utf-8")
    with engine("spark"):
        from pyspark.sql import SparkSession

        session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
        try:
            session.range(7).createOrReplaceTempView("summed")
            before = dict(session.sparkContext.getConf().getAll())
            with pytest.raises(LexiconError, match=r"a session of local\[1\] already"):
                aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "counts", engine="spark", master="local[2]")
            aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "counts", engine="spark")
            assert session.sql("SELECT count(*) FROM summed").collect()[0][0] == 7
            assert dict(session.sparkContext.getConf().getAll()) == before
        finally:
            session.stop()
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "here")
    assert tables_of(tmp_path / "counts") == tables_of(tmp_path / "here")


@pytest.mark.thorough
def test_a_killed_executor_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_splits, "PIECE_BYTES", 1 << 20)
    file = tmp_path / "en_ewt.conllu"
    file.write_bytes(gzip.decompress(corpus_file("en_ewt").read_bytes()))
    killed: list[int] = []

    def kill_one() -> None:
        while not killed:
            time.sleep(0.2)
            if counting := [pid for pid in executors() if has_workers(pid)]:
                time.sleep(random.Random(19).random() + 1)
                os.kill(counting[0], signal.SIGKILL)
                killed.append(counting[0])

    with engine("spark") as how:
        threading.Thread(target=kill_one, daemon=True).start()
        aptdb.count_corpora(file, tmp_path / "counts", **how)
    assert killed
    aptdb.count_corpora(file, tmp_path / "undisturbed")
    assert tables_of(tmp_path / "counts") == tables_of(tmp_path / "undisturbed")


def executors() -> list[int]:
    """The executors that this process has started, by process."""
    return [process for process, command in commands_below(os.getpid()) if "CoarseGrainedExecutorBackend" in command]


def has_workers(executor: int) -> bool:
    """Whether an executor runs Python."""
    return any("pyspark" in command for _, command in commands_below(executor))


@pytest.mark.thorough
def test_lines_that_only_a_source_knows(tmp_path: Path) -> None:
    """Blank lines in any number, as `add` reads them."""
    text = ("\n" * 40 + conllu(TREES[:1])) * 3
    (tmp_path / "x.conllu").write_text(text, encoding="utf-8")
    aptdb.count_corpora(tmp_path / "x.conllu", tmp_path / "counts", again=True)
    with Source(io.BytesIO(text.encode())) as source, Lexicon.open(tmp_path / "t.duckdb", create=True) as lexicon:
        assert source.corpus_kind() == "trees"
        lexicon.add(io.BytesIO(text.encode()), name="x")
    assert_same(tmp_path / "counts", tmp_path / "t.duckdb")
