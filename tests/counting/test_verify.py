"""What verify finds: damage of each table and each column that is checked, named in one line; and nothing else."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb import IncompleteDataWarning, Lexicon, LexiconError, StaleDataWarning
from aptdb.commands.maintain import mend_of
from aptdb.core.errors import AptWarning
from aptdb.core.phrase import Phrase
from aptdb.counting.consistency import Difference, declared_columns, list_references, table_keys
from aptdb.evaluation.datasets import DataSet, Item
from aptdb.questions import verify
from aptdb.store.database import Database
from support.cases import read_table
from support.clients import ask_file
from support.commands import ask
from support.corpora import COUNTS, MORE, TREES
from support.lexicons import Once, copied, lexicon_of, sound
from support.runs import draw_some, thorough
from twins.trees import conllu


def judged() -> DataSet:
    """A few judgements of phrases."""
    pairs = (("dog/NOUN", "cat/NOUN", 3.0), ("dog/NOUN", "floor/NOUN", 1.0))
    items = tuple(Item("all", Phrase.parse(a), Phrase.parse(b), (("one", rating),)) for a, b, rating in pairs)
    return DataSet("judged.tsv", "pairs", items)


def with_all(file: Path) -> Path:
    """A lexicon that has something in every table."""
    lexicon_of(file, {"trees": TREES, "more": MORE}, join=("det",))
    with Lexicon.open(file) as lexicon:
        lexicon.add(io.BytesIO(COUNTS.encode()), name="counts")
        said = "# newdoc id = a\n# meta::genre = news\n# speaker = Ann\n"
        lexicon.add(io.BytesIO((said + conllu(MORE)).encode()), name="said", again=True, sentence_meta=["speaker"])
        with pytest.warns(IncompleteDataWarning, match="counts was added as counts"):
            lexicon.subcorpus("news", "genre = 'news'")
        lexicon.weigh("mine", scheme="pmi", keep=True)
        lexicon.weigh("other", shift=2)
        lexicon.save("old_dog", "dog/NOUN[amod old/ADJ]", weights="mine", merge="sum")
        lexicon.save("very_old_dog", "old_dog[amod brown/ADJ]", weights="mine", merge="sum")
        lexicon.eval.evaluate(judged(), measure="lin")
        with pytest.warns(IncompleteDataWarning):
            lexicon.reduce("small", dimensions=2, shift=1, min_frequency=1, min_feature_count=1)
        with (
            pytest.warns(IncompleteDataWarning, match="too few for|no sense"),
            pytest.warns(IncompleteDataWarning, match="counts was added as counts"),
        ):
            lexicon.save_senses("dog/NOUN")
    return file


@pytest.fixture(scope="module")
def made(once: Once) -> Path:
    """Such a lexicon, which is sound."""
    file = once("with-all.duckdb", with_all)
    with duckdb.connect(str(file)) as client:
        for table in {each for each, *_ in declared_columns()}:
            # Where counts are in a folder there is nothing else.
            assert client.sql(f"FROM _store.{table} LIMIT 1").fetchall() or table == "opened", table
    assert sound(file)
    return file


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return copied(made, tmp_path / "l.duckdb")


def damaged(file: Path, *statements: str) -> None:
    """Change a lexicon with plain DuckDB, which knows nothing of us."""
    with duckdb.connect(str(file)) as client:
        for statement in statements:
            client.execute(statement)


def found(file: Path) -> list[tuple[str, ...]]:
    """What verify finds."""
    with Lexicon.open(file) as lexicon:
        return list(lexicon.verify().rows)


# What is done, and what verify calls it.
DAMAGES = read_table("counting/damaged_tables")


@pytest.mark.thorough
@pytest.mark.parametrize("damage", draw_some([*DAMAGES], 25, "damages"))
@pytest.mark.filterwarnings("ignore:.* had other macros or views")
def test_verify_names_what_is_damaged(file: Path, damage: str) -> None:
    statement, named = DAMAGES[damage]
    damaged(file, statement)
    rows = found(file)
    assert named in {row[0] for row in rows}
    assert all(row[2] != row[3] for row in rows)


NEVER_NULL = read_table("counting/never_null")


REFUSED = read_table("counting/not_opened")


@pytest.mark.thorough
@pytest.mark.sampled(len(REFUSED))
@pytest.mark.parametrize("damage", REFUSED)
def test_what_opening_refuses(file: Path, damage: str) -> None:
    damaged(file, damage)
    with pytest.raises(LexiconError, match=REFUSED[damage]):
        found(file)


@pytest.mark.thorough
@pytest.mark.parametrize("table", ["derived", *thorough(each for each in NEVER_NULL if each != "derived")])
def test_what_is_never_null_is_named(file: Path, table: str) -> None:
    column = NEVER_NULL[table]
    damaged(
        file,
        f"ALTER TABLE _store.{table} ALTER {column} DROP NOT NULL",
        f"UPDATE _store.{table} SET {column} = NULL WHERE rowid = 0",
    )
    with pytest.raises(LexiconError, match=rf"its table _store.{table} has other columns, types or constraints"):
        found(file)


LONG = "(SELECT string_agg(md5(i::VARCHAR), '') FROM range(10000) AS r(i))"  # more than a block has room for


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("table", "column"),
    [("evaluation", "parameters"), *thorough([("derived", "version"), ("sentence", "sent_id"), ("corpus", "source")])],
)
def test_a_damaged_block_is_named_in_one_line(file: Path, table: str, column: str) -> None:
    """Of any table, also of what no question ever reads."""
    long = f"UPDATE _store.{table} SET {column} = {LONG} || rowid"
    damaged(file, "SET force_compression = 'uncompressed'", long, "CHECKPOINT")
    content = bytearray(file.read_bytes())
    at = content.index(hashlib.md5(b"5000").hexdigest().encode())
    content[at] ^= 255
    file.write_bytes(content)
    said = f"l.duckdb is damaged: its table {table} cannot be read; use a backup copy"
    with Lexicon.open(file) as lexicon, pytest.raises(LexiconError, match=said) as refusal:
        lexicon.verify()
    assert "\n" not in str(refusal.value)
    answer = ask("verify", file)
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)


@pytest.mark.thorough
def test_macros_that_are_not_ours_are_brought_back(file: Path) -> None:
    """Opening a lexicon does that already, and says so."""
    damaged(file, "CREATE OR REPLACE MACRO _store.entries() AS 0", "DROP VIEW lexemes")
    with pytest.warns(AptWarning, match="are back: _store.entries, main.lexemes"):
        assert found(file) == []


def test_all_tables_have_their_keys_and_references() -> None:
    """Those without are compared row by row with what they are made of."""
    columns = {(table, column) for table, column, *_ in declared_columns()}
    ids = {each for each in columns if each[1].endswith("_id") and each[1] != "sent_id"}
    kept = {("kept_weight", f"{name}_id") for name in ("feature", "lexeme")}
    met = ("lexeme_id", "path_id", "context_id")
    of_subcorpora = {
        ("subcorpus_sentence", "sentence_id"),
        ("subcorpus_path", "inverse_id"),
        ("subcorpus_node", "lexeme_id"),
    }
    of_subcorpora |= {("subcorpus_node", "path_id"), *(("subcorpus_cooccurrence", name) for name in met)}
    without = {*kept, ("kept_size", "lexeme_id"), *of_subcorpora}
    assert ids - {(table, column) for table, column, _ in list_references()} == without
    counted = {"cooccurrence", "subcorpus_cooccurrence"}
    assert {table for table, _ in columns} - {table for table, _ in table_keys()} == {"settings", "opened", *counted}


# What is sound
@pytest.mark.thorough
def test_what_is_stale_is_sound(file: Path) -> None:
    """Stale weights and entries may be of lexemes that are gone, and are not compared."""
    with Lexicon.open(file) as lexicon:
        lexicon.remove("trees")
        assert lexicon.verify().rows == []
        assert set(lexicon.stored.entries().column("state")) == {"stale"}
    damaged(file, "UPDATE _store.entry_weight SET weight = weight + 1", "UPDATE _store.kept_weight SET weight = 1")
    assert found(file) == []


@pytest.mark.thorough
def test_entries_outlive_their_weighting(file: Path) -> None:
    """They cannot be composed again then; nor if another weighting takes the name, or a relation of the user's own."""
    with Lexicon.open(file) as lexicon:
        lexicon.stored.forget("mine", kind="weightings")
        assert lexicon.verify().rows == []
        lexicon.weigh("mine", scheme="log_dice")
        assert lexicon.verify().rows == []
    damaged(file, "CREATE VIEW my_weights AS SELECT * REPLACE (weight + 1 AS weight) FROM ppmi")
    with Lexicon.open(file) as lexicon:
        lexicon.save("my_dog", "dog/NOUN[amod old/ADJ]", weights="my_weights", merge="sum")
        lexicon.save(
            "min_dog", "dog/NOUN[amod old/ADJ]", merge="min", missing="skip", pipeline="compose-first", shift=2
        )
        assert lexicon.verify().rows == []
    damaged(file, "DROP VIEW my_weights")
    assert found(file) == []


@pytest.mark.thorough
def test_a_name_that_a_lexeme_takes_hides_an_entry_and_is_sound(file: Path) -> None:
    with Lexicon.open(file) as lexicon:
        lexicon.save("hen/NOUN", "dog/NOUN[amod old/ADJ]", merge="sum")
        lexicon.save("old_hen", "hen/NOUN[amod brown/ADJ]", merge="sum")
        lexicon.add(io.BytesIO(conllu([[TREES[1][1]._replace(head=0, lemma="hen")]]).encode()), name="hens")
        with pytest.warns(StaleDataWarning, match="dog/NOUN#1 is a stale sense"):
            lexicon.stored.refresh(kind="entries")
        assert "hidden" in lexicon.stored.entries().column("state")
        assert lexicon.verify().rows == []


def test_the_mend_of_entries_is_told(tmp_path: Path) -> None:
    wrong = [Difference(kind, None, "old_dog", "a", "b") for kind in ("entry", "weight of the entry")]
    assert mend_of(wrong, tmp_path).startswith("save the entries again, or delete each: aptdb forget")
    counted = [*wrong, Difference("count", None, "x", "1", "2")]
    assert mend_of(counted, tmp_path).startswith("use a backup copy")


@pytest.mark.thorough
def test_a_question_of_an_entry_is_what_it_was_composed_of(file: Path) -> None:
    """What the tests above damage is there."""
    texts = ask_file(file, "SELECT question FROM _store.stored_entry ORDER BY id")
    assert [word["lexeme"] for word in json.loads(texts[0][0])["words"]] == ["dog/NOUN", "old/ADJ"]


def test_each_opening_waits_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = list[float]()

    def opened(file: Path, **how: Any) -> Database:
        waits.append(how["limits"].wait)
        return Database(file, **how)

    monkeypatch.setattr(verify, "Database", opened)
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"trees": TREES}), wait=7) as lexicon:
        assert lexicon.verify().rows == []
    assert len(waits) > 1
    assert {*waits} == {7}
