"""A folder of counts becomes a corpus, the same as what it was made from; what is wrong in one is one clear error."""

import json
import os
import shutil
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
from support.commands import ask
from support.corpora import COUNTS, MORE, TREES
from support.counts_folder import counts_folder, listed_again, rewritten, without_direct, write_manifest
from support.lexicons import Once, assert_same, lexicon_of, sound

# What a lexicon of a folder has not, beside what it has in common with the one that the folder was made from.
TREES_ONLY = ("corpus", "word", "relation", "token", "documents", "sentences", "joined", "given_count")
PART = "cooccurrences/part=0/part-0.parquet"


@pytest.fixture(scope="module")
def source(once: Once) -> Path:
    """A lexicon of two corpora."""
    return once("source.duckdb", lambda file: lexicon_of(file, {"trees": TREES, "more": MORE}))


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
    with Lexicon.open(file, create=True) as lexicon:
        lexicon.add(folder, **given)
    return file


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
    assert (answer.exit_code, answer.stdout) == (0, "corpus\tsentences\ttokens\nCOUNTS\t10\t22\n")
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
    assert "s3://a/b is not on this machine; copy it here first" in ask("add", "n.duckdb", "s3://a/b").stderr


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


def rows_otherwise(file: str, asked: str, **manifest: Any) -> Callable[[Path], None]:
    """A file that has other rows, as its manifest says."""

    def change(folder: Path) -> None:
        rewritten(folder / file, asked)
        listed_again(folder, **manifest)

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


FIRST = "(lexeme_id, path_id, context_id) = (SELECT min((lexeme_id, path_id, context_id)) FROM t)"
ONE = FIRST.replace("FROM t", "FROM t WHERE lexeme_id <> context_id")
LATER = "(lexeme_id, path_id, context_id) <> (SELECT min((lexeme_id, path_id, context_id)) FROM t)"
ORDERED = "ORDER BY lexeme_id, path_id, context_id"
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
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
    "a manifest without tokens": (said_otherwise("tokens", None), "it has no tokens"),
    "tokens as text": (said_otherwise("tokens", "9"), "tokens is '9'; expected a whole number"),
    "tokens as a switch": (said_otherwise("tokens", True), "tokens is True; expected a whole number"),
    "an unknown key": (said_otherwise("more", 1), "it has 'more'"),
    "a newer format": (said_otherwise("format", 3), "it has format 3, and this aptdb knows 2; update aptdb"),
    "no format": (said_otherwise("format", "1"), "format is '1'; expected 1 or 2"),
    "no digest": (said_otherwise("sha256", "x"), "sha256 is 'x'; it has 64"),
    "other sentences": (said_otherwise("skipped", {"a": -1}), "skipped a is -1"),
    "no list": (said_otherwise("files", {}), "files is {}; expected a list"),
    "a file without rows": (said_otherwise("files.0.rows", None), "a file has no rows"),
    "a setting less": (said_otherwise("settings.nfc", None), "settings: 'nfc' are not there"),
    "a setting more": (said_otherwise("settings.new", 1), "settings: 'new' are not of this version"),
    "a wrong setting": (said_otherwise("settings.order", 9), "order is 9"),
    "a setting of another type": (said_otherwise("settings.lexeme", 9), "settings: lexeme is 9"),
    "a path elsewhere": (
        said_otherwise("files.3.path", "cooccurrences/../../x.parquet"),
        "is not a file of a table in the folder",
    ),
    "an absolute path": (said_otherwise("files.3.path", "/etc/x.parquet"), "is not a file of a table in the folder"),
    "a path of no table": (said_otherwise("files.3.path", "x/x.parquet"), "is not a file of a table in the folder"),
    "a file twice": (said_otherwise("files.3.path", "nodes/part-0.parquet"), "it lists a file twice"),
    "a link out": (link_out, f"{PART} is a link, or in one"),
    "other numbers of rows": (said_otherwise("nodes", 5), "the files of nodes have [0-9]+ rows, not 5"),
    "overlapping files": (said_otherwise("files.3.last", 99), "has lexemes from .* which overlap those of other files"),
    "other lexemes": (said_otherwise("files.4.last", 99), "last is [0-9]+, not 99"),
    "another sum": (said_otherwise("count", 5), "the counts sum to [0-9]+, not 5"),
    "asymmetric": (
        rows_otherwise(PART, f"SELECT * REPLACE ((count + ({ONE})::INT)::BIGINT AS count) FROM t {ORDERED}"),
        "COUNTS/cooccurrences: the counts are not symmetric",
    ),
    "asymmetric direct counts": (
        rows_otherwise(PART, f"SELECT * REPLACE ((direct - ({FIRST})::INT)::BIGINT AS direct) FROM t {ORDERED}"),
        "COUNTS/(cooccurrences: the counts are not symmetric|nodes: they are not the sums of the counts)",
    ),
    "more direct than counted": (
        rows_otherwise(PART, f"SELECT * REPLACE ((count + ({FIRST})::INT)::BIGINT AS direct) FROM t {ORDERED}"),
        f"{PART}: 1 of its [0-9]+ rows have a direct count below 0, above the count",
    ),
    "unsorted": (rows_otherwise(PART, f"FROM t {ORDERED} DESC"), f"{PART}: row [0-9]+ is out of order"),
    "a double row": (
        rows_otherwise(
            PART,
            f"FROM (FROM t UNION ALL FROM t WHERE {FIRST}) {ORDERED}",
            change=lambda found: replace(found, cooccurrences=found.cooccurrences + 1),
        ),
        f"{PART}: row 2 is out of order",
    ),
    "a missing row": (
        rows_otherwise(
            PART,
            f"FROM t WHERE {LATER} {ORDERED}",
            change=lambda found: replace(found, cooccurrences=found.cooccurrences - 1),
        ),
        "the counts sum to|are not the sums|not symmetric",
    ),
    "a count of nothing": (
        rows_otherwise(PART, f"SELECT * REPLACE ((count * ({LATER})::INT)::BIGINT AS count) FROM t {ORDERED}"),
        f"{PART}: 1 of its [0-9]+ rows have a count below 1",
    ),
    "an unknown path": (
        rows_otherwise(PART, f"SELECT * REPLACE (path_id + 999 AS path_id) FROM t {ORDERED}"),
        f"{PART}: .* rows have an id that the tables lack",
    ),
    "an unknown context": (
        rows_otherwise(PART, f"SELECT * REPLACE (context_id + 999 AS context_id) FROM t {ORDERED}"),
        f"{PART}: .* rows have an id that the tables lack",
    ),
    "another text": (
        rows_otherwise(PART, f"SELECT * REPLACE (lexeme || 'x' AS lexeme) FROM t {ORDERED}"),
        f"{PART}: .* rows have a lexeme or path that is not that of its id",
    ),
    "a lacking column": (
        rows_otherwise(PART, f"SELECT * EXCLUDE (context) FROM t {ORDERED}"),
        f"{PART}: context has the type no column, not VARCHAR",
    ),
    "a wide column": (
        rows_otherwise("nodes/part-0.parquet", "SELECT * REPLACE (path_id::BIGINT AS path_id) FROM t"),
        "nodes/part-0.parquet: path_id has the type BIGINT, not INTEGER",
    ),
    "other nodes": (
        rows_otherwise("nodes/part-0.parquet", "SELECT * REPLACE (count + 1 AS count) FROM t"),
        "COUNTS/nodes: they are not the sums",
    ),
    "other sums of lexemes": (
        rows_otherwise("lexemes/part-0.parquet", "SELECT * REPLACE (cooccurrences + 1 AS cooccurrences) FROM t"),
        "COUNTS/lexemes: .* has counts of",
    ),
    "other direct sums": (
        rows_otherwise("lexemes/part-0.parquet", "SELECT * REPLACE (direct - 1 AS direct) FROM t"),
        "COUNTS/lexemes: .* has direct counts of",
    ),
    "other sums of paths": (
        rows_otherwise("paths/part-0.parquet", "SELECT * REPLACE (count + 1 AS count) FROM t"),
        "COUNTS/paths: .* has counts of",
    ),
    "lexemes out of order": (
        rows_otherwise(
            "lexemes/part-0.parquet",
            "SELECT * REPLACE (lexeme || 'x' AS lexeme) FROM t WHERE lexeme_id = 1 "
            "UNION ALL FROM t WHERE lexeme_id > 1",
        ),
        "its id is not its number|have a lexeme or path that is not",
    ),
    "no tokens of a lexeme": (
        rows_otherwise("lexemes/part-0.parquet", "SELECT * REPLACE (0::BIGINT AS frequency) FROM t"),
        "COUNTS/lexemes: row 1: it has 0 tokens and counts of",
    ),
    "no part of speech": (
        rows_otherwise("lexemes/part-0.parquet", "SELECT * REPLACE (replace(lexeme, '/', '-') AS lexeme) FROM t"),
        "COUNTS/lexemes: row 1: its text is .* it has a part of speech",
    ),
    "another order": (
        rows_otherwise("paths/part-0.parquet", "SELECT * REPLACE (path_order + 1 AS path_order) FROM t"),
        "COUNTS/paths: row 1: its order is 0, not 1",
    ),
    "another inverse": (
        rows_otherwise("paths/part-0.parquet", "SELECT * REPLACE (path_id AS inverse_id) FROM t"),
        "COUNTS/paths: row .*: its inverse is not",
    ),
    "no path": (
        rows_otherwise("paths/part-0.parquet", "SELECT * REPLACE (path || 'x' AS path) FROM t"),
        "COUNTS/paths: row 1: it is 'x'; a path is reduced",
    ),
    "beyond the order": (said_otherwise("settings.order", 1), "its order is 2; the settings count up to 1"),
    "another context": (
        rows_otherwise(PART, f"SELECT * REPLACE (context || 'x' AS context) FROM t {ORDERED}"),
        f"{PART}: [0-9]+ of its [0-9]+ rows have a lexeme or path that is not that of its id",
    ),
    "more tokens than counted": (
        rows_otherwise("lexemes/part-0.parquet", "SELECT * REPLACE ((frequency + 1)::BIGINT AS frequency) FROM t"),
        "COUNTS/lexemes: row 1: it has [0-9]+ tokens, and meets itself along ε [0-9]+ times",
    ),
    "no tokens at all": (said_otherwise("tokens", 0), "manifest.json: tokens is 0, and its lexemes have [0-9]+"),
    "too many tokens": (said_otherwise("tokens", 2**63 - 1), "manifest.json: tokens is 9,223,372,036,854,775,807, and"),
    "no Parquet": (no_parquet, "COUNTS cannot be read: "),
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
