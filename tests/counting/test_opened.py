"""A lexicon whose counts stay in their folder answers as one that has them, and reaches no other file."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb import AptError, AptWarning, CorpusError, Lexicon, LexiconError, QuestionError, open_counts
from aptdb.core.errors import IncompleteDataWarning
from aptdb.store.counts_folder import read_manifest
from support.commands import ask
from support.corpora import MORE, TREES
from support.counts_folder import counts_folder, listed_again, rewritten, write_manifest
from support.lexicons import Once, lexicon_of, make_lexicon
from support.served import served
from twins.trees import conllu

pytestmark = pytest.mark.thorough


def with_folder(file: Path) -> None:
    """A lexicon of two corpora, and beside it their counts as a folder, imported and opened."""
    counts_folder(lexicon_of(file, {"trees": TREES, "more": MORE}), file.parent / "COUNTS", parts=3)
    make_lexicon(file.parent / "imported.duckdb", file.parent / "COUNTS")


@pytest.fixture(scope="module")
def made(once: Once, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has a folder of counts, and a lexicon into which it is imported."""
    place = tmp_path_factory.mktemp("opened")
    with_folder(place / "own.duckdb")
    return place


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """A copy of it, where the folder is opened too."""
    found = Path(shutil.copytree(made, tmp_path / "place"))
    open_counts(found / "COUNTS", found / "opened.duckdb")
    return found


ASKED: dict[str, Callable[[Lexicon], Any]] = {
    "apt": lambda lexicon: lexicon.apt("dog/NOUN").rows,
    "apt of a phrase": lambda lexicon: lexicon.apt("dog/NOUN[amod old/ADJ]").rows,
    "neighbours": lambda lexicon: lexicon.neighbours("dog/NOUN").rows,
    "neighbours of a phrase": lambda lexicon: lexicon.neighbours("dog/NOUN[amod old/ADJ]", weights="pmi").rows,
    "similarity": lambda lexicon: lexicon.similarity("dog/NOUN", "cat/NOUN"),
    "explain": lambda lexicon: lexicon.explain("dog/NOUN", "cat/NOUN").rows,
    "diff": lambda lexicon: lexicon.diff("dog/NOUN", "cat/NOUN").rows,
    "sketch": lambda lexicon: lexicon.sketch("dog/NOUN").rows,
    "lexemes": lambda lexicon: lexicon.lexemes("*").rows,
    "count": lambda lexicon: lexicon.count("dog/NOUN", ">amod", "old/ADJ"),
    "frequency": lambda lexicon: lexicon["dog/NOUN"].frequency,
    "typed words": lambda lexicon: str(lexicon.read("old dog")),
    "cooccurrences": lambda lexicon: lexicon.sql("FROM cooccurrences ORDER BY ALL").rows,
    "features": lambda lexicon: lexicon.sql("FROM features ORDER BY ALL").rows,
    "nodes": lambda lexicon: lexicon.sql("FROM nodes ORDER BY ALL").rows,
    "paths": lambda lexicon: lexicon.sql("FROM paths ORDER BY ALL").rows,
    "ppmi": lambda lexicon: lexicon.sql("FROM ppmi ORDER BY ALL").rows,
    "corpora": lambda lexicon: lexicon.sql("SELECT corpus, kind, sentences, tokens, sha256 FROM corpora").rows,
    "evidence": lambda lexicon: lexicon.evidence("dog/NOUN", ">amod", "old/ADJ").rows,
}


@pytest.mark.filterwarnings("ignore:.* → :aptdb.InterpretationWarning")
def test_an_opened_folder_answers_as_an_imported_one(place: Path) -> None:
    with Lexicon.open(place / "opened.duckdb") as lexicon, Lexicon.open(place / "imported.duckdb") as imported:
        for name, ask_it in ASKED.items():
            if name != "evidence":
                assert ask_it(lexicon) == ask_it(imported), name
        with pytest.warns(IncompleteDataWarning, match="was added as counts") as said:
            assert ASKED["evidence"](lexicon) == []
        with pytest.warns(IncompleteDataWarning, match="was added as counts") as same:
            assert ASKED["evidence"](imported) == []
        assert str(said[0].message) == str(same[0].message)
        assert lexicon.info()[1]["value"] == f"{place / 'COUNTS'}, 3 files"
        assert lexicon.verify().rows == []


def test_any_duckdb_client_can_ask(place: Path) -> None:
    asked = "SELECT * FROM apt('dog/NOUN') ORDER BY ALL"
    with (
        closing(duckdb.connect(str(place / "opened.duckdb"), read_only=True)) as client,
        closing(duckdb.connect(str(place / "imported.duckdb"), read_only=True)) as imported,
    ):
        assert client.execute(asked).fetchall() == imported.execute(asked).fetchall() != []


def test_what_is_made_of_counts_can_be_kept(place: Path) -> None:
    for name in ("opened.duckdb", "imported.duckdb"):
        with Lexicon.open(place / name) as lexicon:
            lexicon.weigh("mine", scheme="pmi", keep=True)
            lexicon.save("old_dog", "dog/NOUN[amod old/ADJ]", merge="sum")
            lexicon.export(place / f"{name}.parquet")
            assert lexicon.verify().rows == []
    assert (place / "opened.duckdb.parquet").read_bytes() == (place / "imported.duckdb.parquet").read_bytes()
    with Lexicon.open(place / "opened.duckdb") as lexicon, Lexicon.open(place / "imported.duckdb") as imported:
        assert lexicon.apt("old_dog").rows == imported.apt("old_dog").rows
        kept = [each.neighbours("dog/NOUN", weights="mine").rows for each in (lexicon, imported)]
        assert kept[0] == kept[1] != []


REFUSED: dict[str, tuple[Callable[[Lexicon, Path], object], str]] = {
    "add": (lambda lexicon, place: lexicon.add(place / "own.duckdb"), "nothing can be added to it"),
    "remove": (lambda lexicon, _: lexicon.remove("COUNTS"), "nothing can be removed from it"),
    "rebuild": (lambda lexicon, place: lexicon.rebuild(place / "n.duckdb"), "there are no trees to count again"),
    "compact": (lambda lexicon, _: lexicon.compact(), "there is nothing to sort"),
    "subcorpus": (
        lambda lexicon, _: lexicon.subcorpus("a", "corpus = 'x'"),
        "it has no sentences to make a subcorpus of",
    ),
    "subcorpora": (lambda lexicon, _: lexicon.subcorpora_by("corpus"), "it has no sentences to make subcorpora of"),
    "merge": (lambda lexicon, place: lexicon.merge(place / "own.duckdb"), "nothing can be added to it"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_done_says_why(place: Path, what: str) -> None:
    do, why = REFUSED[what]
    before = (place / "opened.duckdb").read_bytes()
    with Lexicon.open(place / "opened.duckdb") as lexicon, pytest.raises(LexiconError, match=why) as refusal:
        do(lexicon, place)
    assert f"aptdb add NEW {place / 'COUNTS'}" in str(refusal.value)
    assert (place / "opened.duckdb").read_bytes() == before


def test_an_opened_lexicon_is_not_merged(place: Path) -> None:
    with Lexicon.open(place / "own.duckdb") as lexicon, pytest.raises(LexiconError, match="they cannot be merged"):
        lexicon.merge(place / "opened.duckdb")


# Where the folder is
def test_a_folder_that_moves_with_its_lexicon_is_found(place: Path) -> None:
    moved = place.rename(place.with_name("moved"))
    with pytest.warns(AptWarning, match=f"its counts were in {place / 'COUNTS'}, and are read in {moved / 'COUNTS'}"):
        lexicon = Lexicon.open(moved / "opened.duckdb")
    with lexicon, Lexicon.open(moved / "imported.duckdb") as imported:
        assert lexicon.apt("dog/NOUN").rows == imported.apt("dog/NOUN").rows
    with Lexicon.open(moved / "opened.duckdb"):
        pass  # which says no more
    with closing(duckdb.connect(str(moved / "opened.duckdb"), read_only=True)) as client:
        assert client.execute("SELECT count(*) FROM cooccurrences").fetchall() != [(0,)]


def test_a_folder_that_moves_alone_is_asked_for(place: Path) -> None:
    elsewhere = place / "other/COUNTS"
    elsewhere.parent.mkdir()
    (place / "COUNTS").rename(elsewhere)
    answer = ask("info", place / "opened.duckdb")
    said = f"not found at {place / 'COUNTS'}; name it: aptdb add {place / 'opened.duckdb'} COUNTS/ --in-place"
    assert (answer.exit_code, said in answer.stderr) == (1, True)
    assert ask("add", place / "opened.duckdb", elsewhere, "--in-place").exit_code == 0
    assert f"counts in\t{elsewhere}, 3 files" in ask("info", place / "opened.duckdb").stdout


def test_a_folder_of_other_counts_is_refused(place: Path) -> None:
    write_manifest(place / "COUNTS", replace(read_manifest(place / "COUNTS"), tokens=9))
    with pytest.raises(LexiconError, match=": its folder of counts was not found at"):
        Lexicon.open(place / "opened.duckdb")
    with pytest.raises(LexiconError, match="is of other counts"):
        open_counts(place / "COUNTS", place / "opened.duckdb")
    with pytest.raises(LexiconError, match="has counts itself"):
        open_counts(place / "COUNTS", place / "imported.duckdb")


def test_a_missing_file_is_named(place: Path) -> None:
    part = place / "COUNTS/cooccurrences/part=1/part-1.parquet"
    os.truncate(part, part.stat().st_size - 1)
    with pytest.raises(LexiconError, match=r"part=1/part-1.parquet has [0-9,]+ bytes, not"):
        Lexicon.open(place / "opened.duckdb")
    part.unlink()
    with pytest.raises(LexiconError, match=r"part=1/part-1.parquet cannot be found"):
        Lexicon.open(place / "opened.duckdb")


def test_verify_finds_what_opening_does_not(place: Path) -> None:
    part = place / "COUNTS/nodes/part-0.parquet"
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    with Lexicon.open(place / "opened.duckdb") as lexicon:
        assert [row[0] for row in lexicon.verify().rows] == ["folder of counts"]
    shutil.copytree(place, place.with_name("again"))
    with closing(duckdb.connect(str(place / "opened.duckdb"))) as client:
        client.execute("UPDATE _store.lexeme SET frequency = frequency + 1 WHERE id = 1")
    part.write_bytes(
        bytes([*content[: len(content) // 2], content[len(content) // 2] ^ 1, *content[len(content) // 2 + 1 :]])
    )
    with Lexicon.open(place / "opened.duckdb") as lexicon:
        assert [row[0] for row in lexicon.verify().rows] == ["lexeme"]


def test_the_name_of_an_opened_folder_means_nothing(made: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(made, tmp_path / "lexeme=x" / "path=y"))
    open_counts(place / "COUNTS", place / "opened.duckdb")
    with Lexicon.open(place / "opened.duckdb") as lexicon:
        assert lexicon.verify().rows == []


@pytest.mark.parametrize("table", ["cooccurrences/part=0/part-0.parquet", "nodes/part-0.parquet"])
def test_a_folder_that_is_wrong_is_not_opened(made: Path, tmp_path: Path, table: str) -> None:
    folder = Path(shutil.copytree(made / "COUNTS", tmp_path / "COUNTS"))
    rewritten(folder / table, "SELECT * REPLACE (count + 1 AS count) FROM t ORDER BY ALL")
    listed_again(folder)
    with pytest.raises(CorpusError, match="COUNTS/"):
        open_counts(folder, tmp_path / "l.duckdb")
    assert [each.name for each in tmp_path.iterdir()] == ["COUNTS"]


@pytest.mark.filterwarnings("ignore:.* its counts were in")
def test_the_explorer_shows_it(place: Path) -> None:
    """A copy of the lexicon, and SQL in a confined process; also after the folder moved with the lexicon."""
    moved = place.rename(place.with_name("moved"))
    with served(moved / "opened.duckdb", quick=True) as server:
        assert server.get("/lexeme", x="dog/NOUN").status == 200
        rows = server.get("/sql", q="SELECT count(*) + 1000 AS n FROM cooccurrences").text
        assert "1042" in rows
        assert (
            "own.duckdb cannot be read: a query reads only"
            in server.get("/sql", q=f"FROM '{moved / 'own.duckdb'}'").text
        )


# What it reaches
def test_no_other_file_can_be_read(place: Path) -> None:
    secret = Path(shutil.copy(place / "COUNTS/nodes/part-0.parquet", place / "secret.parquet"))
    with Lexicon.open(place / "opened.duckdb") as lexicon:
        for each in (secret, place / "COUNTS/nodes/part-0.parquet", place / "COUNTS/manifest.json"):
            with pytest.raises(QuestionError, match="cannot be read: a query reads only its lexicon"):
                lexicon.sql(f"SELECT count(*) FROM read_blob('{each}')")
        with pytest.raises(AptError):
            lexicon.sql(f"COPY (SELECT 1) TO '{place / 'COUNTS/cooccurrences/part=0/part-0.parquet'}'")
        with Lexicon.open(place / "opened.duckdb") as again:
            assert again.apt("dog/NOUN").rows == lexicon.apt("dog/NOUN").rows
            with pytest.raises(QuestionError, match="cannot be read: a query reads only its lexicon"):
                again.sql(f"FROM '{secret}'")


STOLEN = "SELECT 1::INTEGER AS lexeme_id, 1::INTEGER AS path_id, size::INTEGER AS context_id, 1::BIGINT AS count"


def changed(file: Path, *statements: str) -> Path:
    """Change a lexicon as a stranger can."""
    with closing(duckdb.connect(str(file))) as client:
        for each in statements:
            client.execute(each)
    return file


def test_another_view_is_brought_back(place: Path) -> None:
    stolen = f"CREATE OR REPLACE VIEW _store.cooccurrence AS {STOLEN} FROM read_blob('{place}/own.duckdb')"
    file = changed(place / "opened.duckdb", stolen)
    with pytest.warns(AptWarning, match="are back: _store.cooccurrence"):
        lexicon = Lexicon.open(file)
    with lexicon, Lexicon.open(place / "imported.duckdb") as imported:
        assert ASKED["cooccurrences"](lexicon) == ASKED["cooccurrences"](imported)


def test_a_view_without_its_folder_is_refused(place: Path) -> None:
    for statement in ("DELETE FROM _store.opened", "INSERT INTO _store.opened FROM _store.opened"):
        file = changed(Path(shutil.copy(place / "opened.duckdb", place / "x.duckdb")), statement)
        with pytest.raises(LexiconError, match="was damaged, or changed by another program"):
            Lexicon.open(file)


def test_a_stranger_cannot_name_other_files(place: Path, tmp_path: Path) -> None:
    """Neither by a folder without such a manifest, nor by one whose manifest names files elsewhere."""
    secret = Path(shutil.copytree(place / "COUNTS", tmp_path / "secret"))
    (secret / "manifest.json").unlink()
    file = changed(place / "opened.duckdb", f"UPDATE _store.opened SET folder = '{secret}', relative_folder = 'x'")
    (place / "COUNTS").rename(place / "gone")
    with pytest.raises(LexiconError, match=": its folder of counts was not found at"):
        Lexicon.open(file)
    said = json.loads((place / "gone/manifest.json").read_text())
    said["files"][-1]["path"] = "cooccurrences/../../secret.parquet"
    (secret / "manifest.json").write_text(json.dumps(said))
    with pytest.raises(LexiconError, match="is not a file of a table in the folder"):
        Lexicon.open(file)


def test_a_table_in_place_of_the_view_is_refused(place: Path) -> None:
    file = changed(
        place / "opened.duckdb",
        "DROP VIEW _store.cooccurrence",
        "CREATE TABLE _store.cooccurrence (lexeme_id INTEGER, path_id INTEGER, context_id INTEGER, count BIGINT)",
    )
    with pytest.raises(LexiconError, match="was damaged, or changed by another program"):
        Lexicon.open(file)


def test_the_command_opens_a_folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made / "COUNTS", "COUNTS[1]")
    answer = ask("add", "l.duckdb", "COUNTS[1]/", "--in-place")
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert "aptdb: l.duckdb reads its counts in COUNTS[1]; see it with: aptdb info l.duckdb\n" in answer.stderr
    assert (
        ask("neighbours", "l.duckdb", "dog/NOUN").stdout
        == ask("neighbours", made / "imported.duckdb", "dog/NOUN").stdout
    )
    assert "not whole: it has no manifest.json" in ask("add", "m.duckdb", ".", "--in-place").stderr
    (tmp_path / "a.conllu").write_text(conllu(MORE), encoding="utf-8")
    assert "nothing can be added to it" in ask("add", "l.duckdb", "a.conllu").stderr
