"""Small files that are added together: in all that is kept, said and refused they are as files added one by one."""

import gzip
import os
import random
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import CorpusError, Lexicon
from aptdb.core.errors import IncompleteDataWarning
from aptdb.corpus import sources
from aptdb.corpus.dialects import COLUMNS
from aptdb.counting.add import Outcome, Wanted, add_files, add_first, add_joined
from aptdb.store.session import Session
from support.commands import ask
from support.corpora import COUNTS, DOGS, noun_phrase, unpacked
from support.lexicons import assert_same
from support.processes import PROGRAM
from support.runs import examples
from twins.trees import conllu

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore:.*no sentence is in the document", "ignore:.* which each corpus before has"),
]
HOW: dict[str, Any] = {
    "again": False, "replace": False, "skip_invalid": False, "rejects": None, "max_sentence": 100, "meta": None,
    "tags": None, "sentence_meta": None, "meta_from": None, "origin": None, "progress": lambda _: None,
}  # fmt: skip
Became = dict[str, Any]  # by file: the addition, the text of the error, or None


def written(folder: Path, contents: Mapping[str, str | bytes]) -> list[Wanted]:
    """Files of these contents, in order."""
    folder.mkdir(exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return [Wanted(str(folder / name), name) for name in contents]


def became(outcomes: Sequence[Outcome]) -> Became:
    """What became of files."""
    return {each.wanted.file: str(each.error) if each.error else each.added for each in outcomes}


def together(lexicon: Path, files: Sequence[Wanted], how: Mapping[str, Any]) -> Became:
    """Add files as `sync` does."""
    session, found = Session(lexicon, create=True, confined=True, given={}), list[Outcome]()
    while len(found) < len(files):
        found += add_first(session, files[len(found) :], how, keep_going=True)
    session.close()
    return became(found)


def one_by_one(lexicon: Path, files: Sequence[Wanted], how: Mapping[str, Any]) -> Became:
    """Add files, each by itself."""
    found: Became = {}
    for file, name in files:
        with Lexicon.open(lexicon, create=True) as opened:
            try:
                found[file] = opened.add(file, name=name, **how)
            except CorpusError as error:
                found[file] = str(error)
    return found


def compare(folder: Path, files: Sequence[Wanted], *, chunk: int = sources.CHUNK_BYTES, **how: Any) -> Became:
    """Add files together and one by one; all that is left is the same. Return what became of them."""
    lexicons, results = [folder / "together.duckdb", folder / "one_by_one.duckdb"], []
    for lexicon, adds in zip(lexicons, (together, one_by_one), strict=True):
        own = {**HOW, **how, "rejects": lexicon.with_suffix(".rejects") if how.get("skip_invalid") else None}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sources, "CHUNK_BYTES", chunk)
            results.append(adds(lexicon, files, own))
    assert results[0] == results[1]
    if lexicons[0].exists() or lexicons[1].exists():
        assert_same(*lexicons)
        with Lexicon.open(lexicons[0]) as opened:
            assert opened.verify().rows == []
    rejects = [each.with_suffix(".rejects") for each in lexicons]
    assert [each.exists() and each.read_bytes() for each in rejects[:1]] == [
        each.exists() and each.read_bytes() for each in rejects[1:]
    ]
    return results[0]


def phrase(*words: str) -> str:
    """A sentence."""
    return conllu([noun_phrase(*words)])


ORDERED = ("HEAD", "DEPREL", "ID", "FORM", "UPOS", "LEMMA", "XPOS", "FEATS")


def ordered(text: str, *more: str) -> str:
    """Sentences with their columns in another order, and more of them."""
    lines = [line.split("\t") for line in text.split("\n")]
    own = [[*(cells[COLUMNS.index(each)] for each in ORDERED), *more] if cells[1:] else [""] for cells in lines]
    return "\n".join(map("\t".join, own))


TRUNCATED = gzip.compress(DOGS.encode() * 9)[:60]
RANGE = "1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n"
LONG = conllu([noun_phrase("dog", "small") * 60])
# Files that stand between others that are right, and what is said of each; '' where it is right.
BETWEEN: dict[str, tuple[str | bytes, str]] = {
    "no-utf-8": (b"1\tdog\xff\n\n", ":1: not UTF-8 (byte 0xFF)"),
    "invalid-sentence": (f"{DOGS}1\tdog\n\n", ":6: 2 columns"),
    "circle": (DOGS.replace("\t0\troot", "\t1\troot"), ":2: HEAD is 2, which leads in a circle"),
    "long-sentence": (LONG, ":1: a sentence of 120 words"),
    "no-end": (phrase("no", "end").rstrip("\n"), ""),
    "byte-order-mark": ("\ufeff" + phrase("a", "mark"), ""),
    "two-byte-order-marks": ("\ufeff\ufeff" + DOGS, ":1: a byte order mark inside the file"),
    "windows": (phrase("a", "window").replace("\n", "\r\n"), ""),
    "many-blank-lines": ("\n" * 99 + DOGS + "\n" * 99 + "1\tdog\n", ":204: 2 columns"),
    "packed": (gzip.compress(phrase("a", "pack").encode()), ""),
    "truncated": (TRUNCATED, ": the gzip data is damaged or cut off"),
    "empty": ("", ": no valid sentence"),
    "blank": ("\n\n\n", ": no valid sentence"),
    "comments-alone": ("# sent_id = x\n# newdoc id = D\n# meta::genre = none", ": no valid sentence"),
    "comments-at-its-end": (f"{DOGS}# sent_id = of no sentence\n# newdoc id = of none\n# meta::genre = none", ""),
    "range-at-its-end": (DOGS + RANGE, ":6: ID is 1-2; a range stands before the first of its words"),
    "range-across": (RANGE, ":1: ID is 1-2; a range stands before the first of its words"),
    "counts": (COUNTS, ""),
    "no-header-of-counts": ("lexeme\tpath\n", ":1: expected the columns"),
    "same-content": (phrase("no", "end").rstrip("\n"), ": the same content was added before, as corpus no-end"),
    "another-dialect": ("1\tdogs\tdog\tdog\tN\tN\t_\t_\t0\t0\troot\troot\t_\t_\n\n", ""),
    "archive": (b"PK\x03\x04 dogs", " is a zip archive"),
    "documents-above": (
        f"# meta::genre = a\n# sent_id = 1\n# newdoc id = A\n{DOGS}# meta::genre = b\n# newdoc id = B\n"
        f"# doc_title = two\n{DOGS}# meta::genre = none",
        "",
    ),
    "no-document": (f"# meta::genre = c\n{DOGS}", ""),
    "columns": (f"# global.columns = {' '.join(ORDERED)}\n{ordered(phrase('a', 'column'))}", ""),
    "columns-in-order": (f"# global.columns = {' '.join(COLUMNS)}\n{phrase('in', 'order')}", ""),
    "no-columns": (f"# global.columns =\n{DOGS}", ":1: global.columns is '='; expected = and the names"),
    "columns-that-lack": ("# global.columns = ID FORM HEAD DEPREL\n1\tdog\t0\troot\n", "has no LEMMA, UPOS; trees"),
    "columns-in-the-middle": (
        f"{DOGS}# global.columns = {' '.join(ORDERED)}\n{DOGS}",
        ":6: global.columns after lines with other columns",
    ),
    "documents": (f"# newdoc\n{DOGS}# newdoc id = x\n# meta::genre = a\n{DOGS}# newdoc\n{DOGS}", ""),
    "other-metadata": (f"# newdoc id = y\n# meta::Genre = a\n{DOGS}", "which is that of the column genre; give it"),
}


def test_each_kind_of_file_among_others(tmp_path: Path) -> None:
    """Those that are wrong are named, and those around them stay; `add` keeps those before the first."""
    contents: dict[str, str | bytes] = {}
    for kind, (content, _) in BETWEEN.items():
        contents |= {kind: content, f"after {kind}": phrase("hen", kind)}
    files = written(tmp_path / "f", contents)
    found = together(tmp_path / "l.duckdb", files, HOW)
    for kind, (_, said) in BETWEEN.items():
        own = found[str(tmp_path / "f" / kind)]
        assert (said in own) if said else own.corpus == kind
        assert found[str(tmp_path / "f" / f"after {kind}")].tokens == 2
    stopped = ask("add", tmp_path / "stopped.duckdb", *(file for file, name in files[8:14]))
    assert stopped.exit_code == 1
    assert f"{files[12].file}:1: a byte order mark inside the file" in stopped.stderr
    with Lexicon.open(tmp_path / "stopped.duckdb") as lexicon:
        assert lexicon.corpora().column("name") == [name for _, name in files[8:12]]


@pytest.mark.parametrize("skip", [True, False])
def test_each_kind_of_file_as_by_itself(tmp_path: Path, skip: bool) -> None:
    contents = {name: content for kind, (content, _) in BETWEEN.items() for name, content in ((kind, content),)}
    compare(tmp_path, written(tmp_path / "f", contents), skip_invalid=skip)


def test_a_document_that_has_a_name_of_ours(tmp_path: Path) -> None:
    """DuckDB refuses it within a statement, which does not say whose it is: it is looked for in halves."""
    texts = {f"{number}.conllu": phrase("dog", f"a{number}") for number in range(4)}
    written(tmp_path / "f", {**texts, "2.conllu": f"# newdoc id = 2.conllu#1\n{DOGS}"})
    answer = ask("add", tmp_path / "l.duckdb", tmp_path / "f")
    assert answer.exit_code == 1
    assert "2.conllu has a document 2.conllu#1, a name that documents without a name get" in answer.stderr
    assert "added 0.conllu, 1.conllu; then:" in answer.stderr


WORDS = ("dog", "cat", "hen")
LINES = st.sampled_from(
    [
        *(phrase(noun, adjective).rstrip("\n") for noun in WORDS for adjective in ("old", "new")),
        "1\tdog\tdog\tN\t_\t_\t1\tamod\t_\t_",
        "1\tdog\tdog\tN\t_\t_\t9\tamod\t_\t_",
        "1\tdog",
        "1\tdo\udcffg",
        "x\ry",
        *("", "", "", "# doc_title = x", "# newdoc", "# newdoc id = A", "# newdoc id = B", "# sent_id = s"),
        *("# speaker = x", "# other"),
        *("# meta::year = 1900", "# meta::year = late", "# meta::Year = 1", "# meta::genre = a", "1-2\tim"),
    ]
)
METADATA: list[dict[str, Any]] = [
    {},
    {"sentence_meta": ["speaker"]},
    {"tags": {"genre": "b"}},
    {"meta_from": ["file:^(?P<n>[b-f])"]},
]
FILES = st.lists(st.tuples(st.lists(LINES, max_size=9), st.sampled_from(["", "\n", "\n\n"])), min_size=2, max_size=7)


@examples(10, few=3)
@given(FILES, st.sampled_from([30, 100, 300, sources.CHUNK_BYTES]), st.booleans(), st.sampled_from(METADATA))
def test_random_files(contents: Any, chunk: int, skip: bool, how: dict[str, Any]) -> None:
    """Faults, comments and metadata, wherever they stand, and chunks that end within files and between them."""
    with TemporaryDirectory() as folder:
        texts = {
            f"{chr(97 + number)}.conllu": f"# file {number}\n{chr(10).join(lines)}{end}".encode(
                errors="surrogateescape"
            )
            for number, (lines, end) in enumerate(contents)
        }
        compare(Path(folder), written(Path(folder, "f"), texts), chunk=chunk, skip_invalid=skip, **how)


def pieces_of_treebank(number: int, sentences: int = 2) -> dict[str, str]:
    """Files of a treebank, each of a few sentences."""
    blocks = [f"{block}\n\n" for block in unpacked("en_ewt")[:2_000_000].decode(errors="ignore").split("\n\n")[:-1]]
    return {f"{at:03}.conllu": "".join(blocks[at * sentences : (at + 1) * sentences]) for at in range(number)}


def test_many_files_in_any_order(tmp_path: Path) -> None:
    """At once and one by one, some of them wrong; then some are removed and replaced."""
    contents = [*pieces_of_treebank(40).items()]
    random.Random(58).shuffle(contents)
    wrong = {name: f"{text}1\tdog\n\n" if at % 9 == 4 else text for at, (name, text) in enumerate(contents)}
    files = written(tmp_path / "f", wrong)
    found = compare(tmp_path, files)
    assert sum(isinstance(each, str) for each in found.values()) == 4
    (tmp_path / "f" / "007.conllu").write_text(DOGS)
    for name in ("together", "one_by_one"):
        with Lexicon.open(tmp_path / f"{name}.duckdb") as lexicon:
            lexicon.remove("003.conllu")
            lexicon.add(tmp_path / "f" / "007.conllu", replace=True)
            assert lexicon.verify().rows == []
    assert_same(tmp_path / "together.duckdb", tmp_path / "one_by_one.duckdb")


def test_files_are_replaced_and_removed_together(tmp_path: Path) -> None:
    contents = {f"{noun}.conllu": phrase(noun, "old") for noun in WORDS}
    folder, file = tmp_path / "f", tmp_path / "l.duckdb"
    written(folder, contents)
    assert ask("add", file, folder).exit_code == 0
    assert "dog.conllu was added before; skipped" in ask("add", file, folder).stderr
    written(folder, {f"{noun}.conllu": phrase("cow", f"new{noun}", "det") for noun in ("cat", "hen")})
    (folder / "dog.conllu").unlink()
    answer = ask("sync", file, folder, "--delete")
    assert answer.stdout.splitlines()[1:] == [
        "cat.conllu\treplaced\t1\t2\t", "hen.conllu\treplaced\t1\t2\t", "dog.conllu\tremoved\t\t\t",
    ]  # fmt: skip
    assert ask("add", tmp_path / "at_once.duckdb", folder).exit_code == 0
    assert_same(file, tmp_path / "at_once.duckdb")
    written(folder, {name: phrase("pig", name) for name in contents})
    assert ask("add", file, folder, "--replace").exit_code == 0
    assert ask("add", tmp_path / "again.duckdb", folder).exit_code == 0
    assert_same(file, tmp_path / "again.duckdb")
    assert ask("verify", file).exit_code == 0


def test_small_files_share_a_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as fit into a chunk, in order; what does not fit goes by itself."""
    shared: list[list[str]] = []

    def noted(session: Session, files: Any, names: list[str], **how: Any) -> Any:
        shared.append(names)
        return add_joined(session, files, names, **how)

    size = len(phrase("dog", "old"))
    monkeypatch.setattr(sources, "CHUNK_BYTES", 3 * size)
    monkeypatch.setattr("aptdb.counting.add.add_joined", noted)
    texts = {f"{number}.conllu": phrase("dog", f"a{number}") for number in range(9)}
    texts["5.conllu"] = "".join(phrase("cat", f"b{number}") for number in range(9))
    files = written(tmp_path / "f", texts)
    session = Session(tmp_path / "l.duckdb", create=True, confined=True, given={})
    found = [*chain(*add_files(session, files, HOW, skip_held=True))]
    assert [each.error for each in found] == [None] * 9
    assert shared == [
        ["0.conllu", "1.conllu", "2.conllu"],
        ["3.conllu", "4.conllu"],
        [f"{n}.conllu" for n in (6, 7, 8)],
    ]


def test_a_lexicon_that_cannot_be_read_is_refused_once_it_is_written(tmp_path: Path) -> None:
    """It was sound when it was seen last, so that it is not opened before."""
    files = written(tmp_path / "in", {name: conllu([noun_phrase(name, "old")]) for name in ("dog", "cat")})
    assert ask("add", tmp_path / "l.duckdb", files[0].file).exit_code == 0
    with duckdb.connect(str(tmp_path / "l.duckdb")):
        refused = ask("add", tmp_path / "l.duckdb", *(each.file for each in files))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "l.duckdb is already open in this process in another mode" in refused.stderr


def test_notes_are_given_once(tmp_path: Path) -> None:
    """Of words without lemmas, metadata that is lacking, and settings that match nothing."""
    lacking = phrase("dog", "old").replace("\tdog\tN", "\t_\tN")
    texts = {"a.conllu": lacking, "b.conllu": lacking.replace("old", "new"), "c.conllu": f"# meta::year = 1900\n{DOGS}"}
    written(tmp_path / "f", texts)
    answer = ask("add", tmp_path / "l.duckdb", tmp_path / "f", "--exclude-upos", "X", "--sentence-meta", "mood")
    assert len([line for line in answer.stderr.splitlines() if not line.endswith("so far")]) == 3
    assert "a.conllu and 1 more: 2 of 4 words have no lemma" in answer.stderr
    assert "no sentence of a.conllu and 2 more has a comment # mood" in answer.stderr
    assert "--exclude-upos: no word of a.conllu and 2 more has the part of speech X" in answer.stderr
    written(tmp_path / "g", {name: text.replace("ld", "dd") for name, text in texts.items()})
    written(tmp_path / "g", {"c.conllu": f"# meta::year = late\n{DOGS * 2}"})
    answer = ask("sync", tmp_path / "l.duckdb", tmp_path / "g")
    assert answer.exit_code == 3
    assert "c.conllu\tfailed\t\t\tyear is a whole number in this lexicon, but 'late' in c.conllu" in answer.stdout


@pytest.mark.parametrize("skip", [True, False])
def test_files_that_declare_their_columns(tmp_path: Path, skip: bool) -> None:
    """Those of one order share a chunk; those that lack a column fail each, and what is skipped is declared."""
    own = f"# global.columns = {' '.join(ORDERED)} X:Y\n"
    texts = {f"a{at}.cupt": own + ordered(phrase("dog", f"a{at}"), "*") for at in range(3)}
    lacking = {f"b{at}.cupt": f"# global.columns = ID FORM HEAD DEPREL\n1\tdog{at}\t0\troot\n" for at in range(2)}
    texts |= {"a3.cupt": f"{texts['a2.cupt']}{DOGS}", **lacking, "c.conllu": phrase("hen", "old")}
    with pytest.warns(IncompleteDataWarning, match="columns that are") as noted:
        found = compare(tmp_path, written(tmp_path / "f", texts), skip_invalid=skip)
    assert [str(each.message).split("f/")[-1] for each in noted if "and " in str(each.message)] == [
        "a0.cupt and 3 more: columns that are not read: X:Y" if skip else
        "a0.cupt and 2 more: columns that are not read: X:Y"
    ]  # fmt: skip
    errors = {Path(file).name: each for file, each in found.items() if isinstance(each, str)}
    assert [*errors] == [*(["a3.cupt"] if not skip else []), "b0.cupt", "b1.cupt"]
    assert "b1.cupt: global.columns has no LEMMA, UPOS" in errors["b1.cupt"]
    if skip:
        assert own.encode() in (tmp_path / "together.rejects").read_bytes()


def test_what_is_recorded_as_source(tmp_path: Path) -> None:
    """The name of each file, escaped where it is not UTF-8; or the text that is given."""
    folder = tmp_path / "f"
    written(
        folder, {"a.conllu": phrase("a", "dog"), os.fsdecode(b"b\xff.conllu"): phrase("b", "dog"), "c.conllu": "1\n"}
    )
    (folder / "c.conllu").write_text(phrase("c", "dog"))
    for command, source in (["add"], "{}"), (["sync"], "{}"), (["add", "--source", "EWT 2.14"], "EWT 2.14"):
        file = tmp_path / f"{len(command)}{command[0]}.duckdb"
        assert ask(command[0], file, folder, *command[1:]).exit_code == 0
        with Lexicon.open(file) as lexicon:
            names = ["a.conllu", "b\\xff.conllu", "c.conllu"]
            assert lexicon.corpora().column("name") == names
            assert lexicon.corpora().column("source") == [source.format(name) for name in names]


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7, 1.0])
def test_a_killed_call_keeps_whole_files(tmp_path: Path, share: float) -> None:
    written(tmp_path / "f", pieces_of_treebank(400))
    command = [*PROGRAM, "add", str(tmp_path / "l.duckdb"), str(tmp_path / "f")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        time.sleep(3 * share)
        os.kill(run.pid, signal.SIGKILL)
    answer = ask("add", tmp_path / "l.duckdb", tmp_path / "f")
    assert answer.exit_code == 0
    assert ask("add", tmp_path / "whole.duckdb", tmp_path / "f").exit_code == 0
    assert_same(tmp_path / "l.duckdb", tmp_path / "whole.duckdb")
