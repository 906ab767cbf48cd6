"""A folder of counts becomes a corpus, the same as what it was made from; what is wrong in one is one clear error."""

import json
import os
import shutil
from ast import literal_eval
from collections.abc import Callable
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from aptdb import CorpusError, Lexicon, QuestionError, SettingsError, open_counts
from aptdb.core.settings import Settings
from aptdb.corpus.corpus_files import corpus_files
from aptdb.store.counts_folder import check_whole, is_counts_folder, read_manifest
from support.cases import read_cases
from support.commands import ask
from support.corpora import COUNTS, MORE, TREES, tree
from support.counts_folder import counts_folder, listed_again, rewritten, without_direct, write_manifest
from support.lexicons import Once, assert_same, lexicon_of, make_lexicon, sound

# What a lexicon of a folder has not, beside what it has in common with the one that the folder was made from.
TREES_ONLY = ("corpus", "word", "relation", "token", "documents", "sentences", "joined", "given_count")
PART = "cooccurrences/part=0/part-0.parquet"


@pytest.fixture(scope="module")
def source(once: Once) -> Path:
    """A lexicon of two corpora, with like siblings, whose counts are not all direct."""
    siblings = tree("big big ADJ 3 amod, old old ADJ 3 amod, pig pig NOUN 0 root")
    return once("source.duckdb", lambda file: lexicon_of(file, {"trees": TREES, "more": [*MORE, siblings]}))


@pytest.fixture(scope="module")
def made(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its counts as a folder."""
    return counts_folder(source, tmp_path_factory.mktemp("made") / "COUNTS")


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "COUNTS"))


def imported(file: Path, folder: Path, **given: Any) -> Path:
    """A lexicon of a folder."""
    return make_lexicon(file, folder, **given)


@pytest.mark.thorough
@pytest.mark.parametrize("order", [1, 2, 3])
def test_an_import_equals_what_was_counted(tmp_path: Path, order: int) -> None:
    own = lexicon_of(tmp_path / "own.duckdb", {"trees": TREES, "more": MORE}, order=order, exclude_upos=["DET"])
    folder = counts_folder(own, tmp_path / "COUNTS", parts=3)
    new = imported(tmp_path / "new.duckdb", folder)
    assert_same(own, new, but=TREES_ONLY)
    assert sound(new)
    with Lexicon.open(new) as lexicon, Lexicon.open(own) as counted:
        assert lexicon.settings == counted.settings
        row = lexicon.corpora()[0]
        assert (row["name"], row["kind"], row["skipped"], row["source"]) == ("COUNTS", "counts", 2, "COUNTS")
        assert row["sentences"] == sum(each["sentences"] for each in counted.corpora())
        assert row["tokens"] == sum(each["tokens"] for each in counted.corpora())
        assert row["sha256"] == read_manifest(folder).sha256
        assert lexicon.neighbours("dog/NOUN").rows == counted.neighbours("dog/NOUN").rows


@pytest.mark.thorough
def test_an_import_of_a_treebank_equals_what_was_counted(english: Path, tmp_path: Path) -> None:
    new = imported(tmp_path / "new.duckdb", counts_folder(english, tmp_path / "COUNTS", parts=5))
    assert_same(english, new, but=TREES_ONLY)
    assert sound(new)


@pytest.mark.thorough
def test_many_lexemes_keep_their_tokens(tmp_path: Path) -> None:
    """So many that DuckDB writes them otherwise, in the transaction that makes the tables."""
    lines = "".join(f"w{n}/X\t\tw{n}/X\t{n % 5 + 1}\t{n % 5 + 1}\n" for n in range(150_000))
    own = lexicon_of(tmp_path / "own.duckdb", {"many": f"lexeme\tpath\tcontext\tcount\tdirect\n{lines}".encode()})
    new = imported(tmp_path / "new.duckdb", counts_folder(own, tmp_path / "COUNTS"))
    assert_same(own, new, but=TREES_ONLY)
    with Lexicon.open(new) as lexicon:
        assert lexicon["w4/X"].frequency == 5


@pytest.mark.thorough
def test_what_was_added_is_removed_exactly(folder: Path, tmp_path: Path) -> None:
    """Beside trees and a file of counts, in ids of their own."""
    before = lexicon_of(tmp_path / "before.duckdb", {"more": MORE[::-1], "counts": COUNTS.encode()})
    file = imported(Path(shutil.copy(before, tmp_path / "l.duckdb")), folder, name="folder")
    assert sound(file)
    with Lexicon.open(file) as lexicon, Lexicon.open(before) as old:
        dog = lexicon["dog/NOUN"].frequency
        assert dog > old["dog/NOUN"].frequency
        lexicon.remove("folder")
    assert_same(before, file)
    assert sound(file)


@pytest.mark.thorough
def test_trees_and_their_folder_count_twice(source: Path, folder: Path, tmp_path: Path) -> None:
    file = imported(Path(shutil.copy(source, tmp_path / "l.duckdb")), folder)
    with Lexicon.open(file) as lexicon, Lexicon.open(source) as once:
        asked = "SELECT lexeme, path, context, count * $times FROM cooccurrences ORDER BY ALL"
        assert lexicon.sql(asked, {"times": 1}).rows == once.sql(asked, {"times": 2}).rows
        assert lexicon["dog/NOUN"].frequency == 2 * once["dog/NOUN"].frequency


def counts_file(place: Path) -> Path:
    """A file of counts."""
    file = place / "counts.tsv"
    file.write_text(COUNTS, encoding="utf-8")
    return file


# On the command line
def test_a_folder_of_counts_is_one_corpus(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    shutil.copytree(folder, tmp_path / "in/b")
    (tmp_path / "in/a.conllu").write_text("", encoding="utf-8")
    (tmp_path / "in/.hidden").mkdir()
    shutil.copytree(folder, tmp_path / "in/.hidden/c")
    assert corpus_files([f"{folder}/"]) == [(f"{folder}/", None)]
    names = [name for _, name in corpus_files([str(tmp_path / "in")])]
    assert names == ["a.conllu", "b"]
    assert [name for _, name in corpus_files([str(tmp_path / "C*")])] == ["COUNTS"]


@pytest.mark.thorough
def test_the_command_adds_a_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = ask("add", "l.duckdb", "COUNTS/")
    assert (answer.exit_code, answer.stdout) == (0, "corpus\tsentences\ttokens\nCOUNTS\t11\t25\n")
    assert answer.stderr == "aptdb: COUNTS/: skipped 2 invalid sentences (no root 2)\n"
    assert (
        "the same content was added before, as corpus COUNTS" in ask("add", "l.duckdb", "COUNTS", "--name", "x").stderr
    )
    assert "already has a corpus COUNTS" in ask("add", "l.duckdb", "COUNTS", "--again").stderr
    assert ask("add", "l.duckdb", "COUNTS", "--again", "--name", "x").exit_code == 0
    assert "was added before; skipped" in ask("add", "l.duckdb", "COUNTS", str(counts_file(tmp_path))).stderr
    assert "metadata is of documents" in ask("add", "n.duckdb", "COUNTS", "--tag", "a=b").stderr
    assert "COUNTS has order 2, not 3" in ask("add", "n.duckdb", "COUNTS", "--order", "3").stderr
    assert not Path("n.duckdb").exists()
    (tmp_path / "COUNTS/manifest.json").unlink()
    assert "COUNTS is not whole: it has no manifest.json" in ask("add", "n.duckdb", "COUNTS").stderr
    for words in (
        ["add", "n.duckdb", "s3://a/b"],
        ["add", "n.duckdb", "s3://a/b", "--in-place"],
        ["sync", "n.duckdb", "s3://a/b"],
    ):
        assert "s3://a/b is not on this machine; copy it here first, and name the copy" in ask(*words).stderr


# What is wrong
@pytest.mark.thorough
def test_a_lexicon_of_other_settings_refuses_a_folder(folder: Path, tmp_path: Path) -> None:
    file = lexicon_of(tmp_path / "l.duckdb", {"more": MORE}, order=1, lowercase=False)
    with (
        Lexicon.open(file) as lexicon,
        pytest.raises(SettingsError, match=r"order 2, this lexicon 1; lowercase yes, this lexicon no; .*aptdb count"),
    ):
        lexicon.add(folder)


def said_otherwise(name: str, value: Any) -> Callable[[Path], None]:
    """A manifest that says something else."""

    def change(folder: Path) -> None:
        said = json.loads((folder / "manifest.json").read_text())
        place: Any = said
        *above, last = name.split(".")
        for each in above:
            place = place[int(each) if each.isdigit() else each]
        if value is None:
            del place[last]
        else:
            place[last] = value
        (folder / "manifest.json").write_text(json.dumps(said))

    return change


def rows_otherwise(file: str, asked: str, more: int) -> Callable[[Path], None]:
    """A file that has other rows, and so many more, as its manifest says."""

    def change(folder: Path) -> None:
        rewritten(folder / file, asked)
        listed_again(folder, lambda found: replace(found, cooccurrences=found.cooccurrences + more))

    return change


def link_out(folder: Path) -> None:
    """Put a link in the place of a file."""
    shutil.move(folder / PART, folder.parent / "outside.parquet")
    (folder / PART).symlink_to(folder.parent / "outside.parquet")


def byte_otherwise(folder: Path) -> None:
    """Change a byte."""
    content = bytearray((folder / PART).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / PART).write_bytes(content)


def no_parquet(folder: Path) -> None:
    """Write another file in the place of one, and the manifest again."""
    found, content = read_manifest(folder), b"x" * 99
    (folder / PART).write_bytes(content)
    size, digest = len(content), sha256(content).hexdigest()
    files = tuple(replace(each, bytes=size, sha256=digest) if each.path == PART else each for each in found.files)
    write_manifest(folder, replace(found, files=files))


# How a folder may be damaged otherwise than by what its manifest says, and by what a file has.
OTHER_DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no manifest": (lambda folder: os.unlink(folder / "manifest.json"), "not whole: it has no manifest.json"),
    "no JSON": (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json is not JSON"),
    "no object": (lambda folder: (folder / "manifest.json").write_text("[]"), "it is \\[\\], not an object"),
    "a missing file": (lambda folder: os.unlink(folder / PART), f"not whole: {PART} cannot be found"),
    "a shorter file": (lambda folder: os.truncate(folder / PART, 9), f"not whole: {PART} has 9 bytes, not"),
    "a changed byte": (byte_otherwise, f"not whole: {PART} has changed since it was written"),
    "an extra file": (
        lambda folder: shutil.copy(folder / PART, folder / "nodes/x.parquet"),
        "not whole: nodes/x.parquet is not listed in manifest.json",
    ),
    "a link out": (link_out, f"{PART} is a link, or in one"),
    "no Parquet": (no_parquet, "COUNTS cannot be read: "),
}
DAMAGES = OTHER_DAMAGES | {
    damage: (said_otherwise(where, literal_eval(what)) if how == "says" else rows_otherwise(where, what, more), said)
    for damage, how, where, what, more, said in read_cases("counting/damaged_folders")[1]
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_one_clear_error(folder: Path, tmp_path: Path, damage: str) -> None:
    change, said = DAMAGES[damage]
    change(folder)
    file = lexicon_of(tmp_path / "l.duckdb", {"counts": COUNTS.encode()})
    kept = tmp_path / "kept.duckdb"
    shutil.copy(file, kept)
    settings = said if "settings count up to" not in said else "other settings"
    with Lexicon.open(file) as lexicon, pytest.raises((CorpusError, SettingsError), match=settings) as refusal:
        lexicon.add(folder)
    assert "\n" not in str(refusal.value)
    assert "COUNTS" in str(refusal.value)
    assert_same(file, kept)
    new = tmp_path / "new.duckdb"
    with Lexicon.open(new, create=True) as lexicon, pytest.raises((CorpusError, SettingsError), match=said):
        lexicon.add(folder)
    assert not new.exists()


@pytest.mark.thorough
def test_a_folder_without_direct_counts(folder: Path, source: Path, tmp_path: Path) -> None:
    """Made by an older version: it is taken and opened, and its direct counts are not known."""
    without_direct(folder)
    added, opened = imported(tmp_path / "added.duckdb", folder), tmp_path / "opened.duckdb"
    open_counts(folder, opened)
    assert sound(added)
    with Lexicon.open(source) as lexicon:
        expected = lexicon.sql("SELECT lexeme, path, context, count, NULL FROM cooccurrences ORDER BY ALL").rows
        assert {*lexicon.sql("SELECT has_direct FROM corpora").column("has_direct")} == {True}
    for file in (added, opened):
        with Lexicon.open(file) as lexicon:
            assert lexicon.sql("FROM cooccurrences ORDER BY ALL").rows == expected
            assert lexicon.sql("SELECT has_direct FROM corpora").rows == [(False,)]
            with pytest.raises(QuestionError, match="there are no direct counts of COUNTS"):
                lexicon.apt("dog/NOUN", counts="direct")
            assert lexicon.sketch("dog/NOUN", everything=True).rows


def test_manifests_are_read_as_they_are_written(folder: Path) -> None:
    manifest = read_manifest(folder)
    write_manifest(folder, manifest)
    assert read_manifest(folder) == manifest
    assert read_manifest(folder).digest == manifest.digest
    said = json.loads(manifest.as_json())
    assert list(said["settings"]) == [each.name for each in fields(Settings)]
    assert is_counts_folder(folder)
    assert not is_counts_folder(folder.parent)
    check_whole(folder, manifest)


def test_lists_and_maps_of_settings_come_back(folder: Path) -> None:
    settings = Settings(relation_map={"a": "b"}, stop_list=("x", "y"), join=("det",))
    write_manifest(folder, replace(read_manifest(folder), settings=settings))
    assert read_manifest(folder).settings == settings
