"""A lexicon in line with a folder: after any change it is the same as one made of the folder at once."""

import gzip
import hashlib
import random
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import aptdb
from aptdb import CorpusError, InterpretationWarning, Lexicon, NoMatchWarning, QuestionError
from aptdb.counting.sync import Step, number_there, plan_sync
from aptdb.store.interrupts import ALL_WRITTEN
from support.commands import ask
from support.corpora import COUNTS, noun_phrase
from support.lexicons import assert_same, make_lexicon, new_lexicon
from support.processes import PROGRAM
from support.runs import read_seed
from twins.trees import conllu

NOUNS, ADJECTIVES = ("dog", "cat", "hen"), ("small", "big", "old")
BROKEN = "1\tdog\n\n"


def content(*words: str) -> str:
    """A corpus of noun phrases, of nouns and adjectives in turn."""
    return conllu([noun_phrase(*pair) for pair in zip(words[::2], words[1::2], strict=True)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three corpora, one packed, and one of counts."""
    folder = tmp_path / "corpora"
    (folder / "old").mkdir(parents=True)
    (folder / "a.conllu").write_text(content("dog", "small"))
    (folder / "b.conllu").write_text(content("cat", "big", "dog", "old"))
    (folder / "old" / "c.conllu.gz").write_bytes(gzip.compress(content("hen", "old").encode()))
    return folder


def in_line(lexicon: Path, folder: Path) -> None:
    """A lexicon is sound, and the same as one made of the folder at once."""
    at_once = lexicon.with_name("at_once.duckdb")
    at_once.unlink(missing_ok=True)
    with Lexicon.open(at_once, create=True) as made:
        made.sync(folder)
    with Lexicon.open(lexicon) as opened:
        assert opened.verify().rows == []
    assert_same(lexicon, at_once)


def actions(answer: Any) -> dict[str, str]:
    """What was done with each corpus."""
    return dict(zip(answer.column("corpus"), answer.column("action"), strict=True))


@pytest.mark.thorough
def test_a_folder_that_changes(tmp_path: Path, folder: Path) -> None:
    """What is new is added, what changed replaced, what broke left, what is gone removed if that is asked."""
    file = tmp_path / "l.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        new = dict.fromkeys(("a.conllu", "b.conllu", "old/c.conllu.gz"), "add")
        assert actions(lexicon.sync(folder, dry_run=True)) == new
        assert not file.exists()
        assert lexicon.sync(folder).rows[1] == ("b.conllu", "added", 2, 4, None)
        assert {*actions(lexicon.sync(folder)).values()} == {"kept"}
    (folder / "a.conllu").write_text(content("hen", "big"))
    (folder / "b.conllu").write_text(BROKEN)
    (folder / "old" / "c.conllu.gz").rename(folder / "d.conllu.gz")
    with Lexicon.open(file) as lexicon:
        found = lexicon.sync([folder])
        assert actions(found) == {"a.conllu": "replaced", "b.conllu": "failed", "d.conllu.gz": "kept"}
        assert [each or "" for each in found.column("note")][1].startswith(f"{folder / 'b.conllu'}:1: 2 columns")
        assert found.column("note")[2] == "the same content is in the lexicon as corpus old/c.conllu.gz"
        assert lexicon.count("dog/N", "<amod", "old/A") == 0 < lexicon.count("old/A", "<amod", "dog/N")
        found = lexicon.sync(folder, delete=True)
        assert actions(found) == {
            "d.conllu.gz": "renamed", "a.conllu": "kept", "b.conllu": "failed",
        }  # fmt: skip


@pytest.mark.thorough
def test_contents_that_move(tmp_path: Path, folder: Path) -> None:
    """Exchanged, moved to a new name with other content under the old one, or made the same: none is lost or twice."""
    file, a, b, c = tmp_path / "l.duckdb", folder / "a.conllu", folder / "b.conllu", folder / "c.conllu"
    for each in (folder / "old").iterdir():
        each.unlink()
    first, second, third = a.read_text(), b.read_text(), content("hen", "old")
    nights: list[tuple[str, str, str, dict[str, str]]] = [
        (first, second, third, {"a.conllu": "added", "b.conllu": "added", "c.conllu": "added"}),
        (second, first, third, {"a.conllu": "renamed", "b.conllu": "renamed", "c.conllu": "kept"}),
        (second, content("cat", "old"), first, {"c.conllu": "renamed", "a.conllu": "kept", "b.conllu": "added"}),
        (second, second, first, {"a.conllu": "kept", "c.conllu": "kept", "b.conllu": "removed"}),
        (second, second, first, {"a.conllu": "kept", "c.conllu": "kept", "b.conllu": "kept"}),
        (BROKEN, second, BROKEN, {"b.conllu": "renamed", "a.conllu": "failed", "c.conllu": "failed"}),
    ]
    with Lexicon.open(file, create=True) as lexicon:
        for *contents, done in nights:
            for each, text in zip((a, b, c), contents, strict=True):
                each.write_text(text)
            found = lexicon.sync(folder)
            assert actions(found) == done
            assert {*lexicon.corpora().column("sha256")} >= {
                hashlib.sha256(text.encode()).hexdigest() for text in contents if text != BROKEN
            }
            assert len({*lexicon.corpora().column("sha256")}) == len(lexicon.corpora().rows)
            for source, digest in lexicon.sql("SELECT source, sha256 FROM corpora").rows:
                content_there = (folder / source).read_bytes()
                assert digest == hashlib.sha256(content_there).hexdigest() or content_there == BROKEN.encode()
        assert lexicon.verify().rows == []
    assert found.column("note")[0] == "it was a.conllu"
    assert found.column("note")[2] == "its content is that of corpus a.conllu, which failed"


@given(
    known=st.dictionaries(st.sampled_from("abcde"), st.sampled_from("12345"), max_size=5),
    files=st.dictionaries(st.sampled_from("abcde"), st.sampled_from("1234567"), min_size=1, max_size=5),
    delete=st.booleans(),
)
def test_any_plan(known: dict[str, str], files: dict[str, str], delete: bool) -> None:
    """Each content of the files is there once at the end; none is added while it is there unless it is about to go."""
    known = {corpus: digest for digest, corpus in {digest: corpus for corpus, digest in known.items()}.items()}
    there = dict(known)
    plan = plan_sync(known, {corpus: corpus for corpus in files}, files, delete)
    renamed = {step.corpus: there.pop(str(step.same_as)) for step in plan if step.action == "rename"}
    assert not [corpus for corpus in renamed if there.get(corpus) in files.values()]  # what is removed for them
    there |= renamed
    for step in plan:
        if step.action == "remove":
            del there[step.corpus]
        elif step.action in ("add", "replace"):
            assert (step.corpus in there) == (step.action == "replace")
            assert files[step.corpus] not in there.values()
            there[step.corpus] = files[step.corpus]
        else:
            assert step.note or there[step.corpus] == files[step.corpus]
    assert len({*there.values()}) == len(there)
    others = {} if delete else {corpus: digest for corpus, digest in known.items() if corpus not in files}
    assert {*there.values()} == {*files.values(), *others.values()}


@given(
    known=st.dictionaries(st.sampled_from("abcde"), st.sampled_from("12"), max_size=5),
    files=st.dictionaries(st.sampled_from("abcde"), st.sampled_from("123"), min_size=1, max_size=5),
    delete=st.booleans(),
)
@example({"a": "1", "b": "1"}, {"a": "1"}, True)
def test_contents_that_were_counted_twice(known: dict[str, str], files: dict[str, str], delete: bool) -> None:
    """A corpus is planned for once; what a file has is kept under its name, and not renamed to it."""
    plan = plan_sync(known, {corpus: corpus for corpus in files}, files, delete)
    there, renamed = dict(known), {step.corpus: step.same_as for step in plan if step.action == "rename"}
    assert len({step.corpus for step in plan}) == len(plan)
    assert {step.corpus for step in plan if step.action == "keep"} >= {
        corpus for corpus, digest in files.items() if known.get(corpus) == digest
    }
    there |= {new: there.pop(str(former)) for new, former in renamed.items()}
    for step in plan:
        if step.action == "remove":
            del there[step.corpus]
        elif step.action in ("add", "replace"):
            there[step.corpus] = files[step.corpus]
    assert {*there.values()} >= {*files.values()}
    assert not delete or {*there} <= {*files}


def test_what_was_renamed_together_is_there() -> None:
    """Also where Ctrl-C comes so late that it is not noted as done."""
    left = [Step("b", "rename", "b", same_as="a"), Step("d", "rename", "d", same_as="c"), Step("e", "add", "e")]
    assert number_there(left, {}, KeyboardInterrupt(ALL_WRITTEN)) == 2
    assert number_there(left, {}, KeyboardInterrupt()) == 0


@pytest.mark.thorough
def test_what_is_said(tmp_path: Path, folder: Path) -> None:
    """Skipped sentences in the row of their file; metadata that what is kept does not get, as a warning."""
    (folder / "b.conllu").write_text(f"{BROKEN}{content('cat', 'big')}")
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        found = lexicon.sync(folder, skip_invalid=True)
        assert found.column("note") == [None, "skipped 1 invalid sentence (columns 1)", None]
        with pytest.warns(NoMatchWarning, match="3 corpora are kept with what they have"):
            lexicon.sync(folder, tags={"period": "1890s"})


@pytest.mark.thorough
def test_any_history(tmp_path: Path) -> None:
    """Files appear, change, vanish and break at random."""
    dice, file, folder = random.Random(read_seed()), tmp_path / "l.duckdb", tmp_path / "corpora"
    folder.mkdir()
    for _ in range(15):
        for name in dice.sample("abcd", dice.randint(1, 2)):
            words = [dice.choice(each) for _ in range(dice.randint(1, 3)) for each in (NOUNS, ADJECTIVES)]
            broken, gone = dice.random() < 0.2, dice.random() < 0.2
            (folder / f"{name}.conllu").write_text(f"# text = {name}\n{BROKEN if broken else content(*words)}")
            if gone:
                (folder / f"{name}.conllu").unlink()
        if not [*folder.iterdir()]:
            continue
        with Lexicon.open(file, create=True) as lexicon:
            found = lexicon.sync(folder, delete=True)
        for name, action in actions(found).items():
            if action == "failed":
                (folder / name).write_text(f"# text = {name}\n{content('cat', 'old')}")
        with Lexicon.open(file, create=True) as lexicon:
            lexicon.sync(folder, delete=True)
        in_line(file, folder)


@pytest.mark.thorough
def test_the_command(tmp_path: Path, folder: Path) -> None:
    """A row for each file, a summary, and 3 if some failed."""
    file = tmp_path / "l.duckdb"
    (folder / "b.conllu").write_text(BROKEN)
    first = ask("sync", file, folder)
    assert (first.exit_code, first.stderr.splitlines()[-1]) == (3, "aptdb: 2 added, 1 failed")
    assert "--skip-invalid leaves out such sentences" in first.stdout
    (folder / "b.conllu").unlink()
    assert (again := ask("sync", file, folder)).exit_code == 0
    assert again.stderr.splitlines()[-1] == "aptdb: 2 kept"
    (folder / "a.conllu").unlink()
    assert ask("sync", file, folder).stderr.splitlines()[-1] == (
        "aptdb: 1 kept; 1 corpus not among the files (--delete removes them, or renames those that have moved)"
    )
    assert ask("sync", file, folder, "--delete", "--dry-run").stderr == "aptdb: would be 1 removed, 1 kept\n"


@pytest.mark.thorough
def test_a_corpus_is_replaced(tmp_path: Path, folder: Path) -> None:
    """Trees by trees, by counts, and back; a name that is taken says how."""
    file, counts = tmp_path / "l.duckdb", folder / "counts.tsv"
    counts.write_text(COUNTS)
    with new_lexicon(file, folder / "a.conllu") as lexicon:
        with pytest.raises(
            CorpusError,
            match=r"already has a corpus a.conllu; replace := true replaces it|a.conllu; --replace replaces it",
        ):
            lexicon.add(folder / "b.conllu", name="a.conllu")
        for source in (folder / "b.conllu", counts, folder / "a.conllu"):
            lexicon.add(source, name="a.conllu", replace=True)
            alone = tmp_path / f"{source.name}.duckdb"
            make_lexicon(alone, source, name="a.conllu")
            assert_same(file, alone)
        assert lexicon.verify().rows == []
        lexicon.add(folder / "old" / "c.conllu.gz", replace=True)  # there is none yet
    assert "was added before; skipped" in ask("add", file, folder / "a.conllu", "--replace").stderr


@pytest.mark.thorough
def test_comments_that_were_kept_are_kept_after_a_replacement(tmp_path: Path) -> None:
    file, corpus = tmp_path / "l.duckdb", tmp_path / "a.conllu"
    with Lexicon.open(file, create=True) as lexicon:
        corpus.write_text("# speaker = Ann\n" + content("dog", "small"))
        lexicon.add(corpus, sentence_meta=["speaker"])
        corpus.write_text("# speaker = Bob\n" + content("dog", "small"))
        with pytest.warns(
            InterpretationWarning, match="kept the comments speaker of sentences, as earlier additions did"
        ):
            lexicon.sync(corpus)
        assert lexicon.sql("SELECT speaker FROM sentences").rows == [("Bob",)]


@pytest.mark.thorough
def test_publishing_as_the_docs_have_it(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has the public lexicon open is answered all the time, and sees the new one when opening it again."""
    monkeypatch.chdir(tmp_path)
    folder.rename(tmp_path / "texts")
    page = (Path(aptdb.__file__).parent / "docs" / "scale.md").read_text(encoding="utf-8")
    recipe = re.search(r"```sh\n(aptdb sync work.duckdb texts.*?)```", page, re.DOTALL)
    assert recipe
    script = recipe[1].replace("aptdb ", f"{shlex.join(PROGRAM)} ")

    def publish() -> None:
        subprocess.run(["sh", "-ec", script], check=True, capture_output=True)

    publish()
    with Lexicon.open("public.duckdb") as reader:
        before = reader.corpora().rows
        (tmp_path / "texts" / "a.conllu").unlink()
        publish()
        assert reader.corpora().rows == before
    with Lexicon.open("public.duckdb") as reader:
        assert reader.corpora().column("name") == ["b.conllu", "old/c.conllu.gz"]
        assert reader.verify().rows == []


@pytest.mark.thorough
def test_a_subcorpus_of_what_was_replaced_is_refused(tmp_path: Path, folder: Path) -> None:
    """Also where none of its sentences is left, so that no row is."""
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        lexicon.sync(folder)
        lexicon.subcorpus("some", "corpus = 'a.conllu'")
        (folder / "a.conllu").write_text(content("dog", "big"))
        lexicon.sync(folder)
        for asked in ("evidence('dog/N', NULL, NULL, subcorpus := 'some')", "lexemes(subcorpus := 'some')"):
            with pytest.raises(QuestionError, match="the subcorpus some is stale"):
                lexicon.sql(f"FROM {asked}")
        (folder / "z.conllu").symlink_to(folder / "unmounted")
        assert actions(lexicon.sync(folder, delete=True))["z.conllu"] == "failed"


@pytest.mark.thorough
def test_the_same_content_may_replace_itself(tmp_path: Path, folder: Path) -> None:
    with new_lexicon(tmp_path / "l.duckdb", folder / "a.conllu") as lexicon:
        lexicon.add(folder / "a.conllu", replace=True, tags={"period": "1890s"})
        assert lexicon.sql("SELECT period FROM documents").rows == [("1890s",)]
