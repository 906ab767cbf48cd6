"""What verify finds: damage of each table and each column that is checked, named in one line; and nothing else."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb import Lexicon, LexiconError, RoughSenses, SmallSpace, StaleSenses, WithoutTrees
from aptdb.commands.maintain import mend_of
from aptdb.core.errors import BroughtBack
from aptdb.core.phrase import Phrase
from aptdb.counting.consistency import Difference, references, table_keys
from aptdb.evaluation.datasets import DataSet, Item
from aptdb.questions import verify
from aptdb.store import tables
from aptdb.store.database import Database
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
        with pytest.warns(WithoutTrees, match="counts came as counts"):
            lexicon.subcorpus("news", "genre = 'news'")
        lexicon.weigh("mine", scheme="pmi", keep=True)
        lexicon.weigh("other", shift=2)
        lexicon.save("old_dog", "dog/NOUN[amod old/ADJ]", weights="mine", merge="sum")
        lexicon.save("very_old_dog", "old_dog[amod brown/ADJ]", weights="mine", merge="sum")
        lexicon.evaluate(judged(), measure="lin")
        with pytest.warns(SmallSpace):
            lexicon.reduce("small", dimensions=2, shift=1, min_frequency=1, min_feature_count=1)
        with pytest.warns(RoughSenses), pytest.warns(WithoutTrees, match="counts came as counts"):
            lexicon.save_senses("dog/NOUN")
    return file


@pytest.fixture(scope="module")
def made(once: Once) -> Path:
    """Such a lexicon, which is sound."""
    file = once("with-all.duckdb", with_all)
    with duckdb.connect(str(file)) as client:
        for table in tables.metadata.sorted_tables:
            # Where counts are in a folder there is nothing else.
            assert client.sql(f"FROM {table.fullname} LIMIT 1").fetchall() or table is tables.opened, table.name
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


ASYMMETRIC = "WHERE path_id = (SELECT id FROM _store.path WHERE text = '<nsubj')"
# What is done, and what verify calls it.
DAMAGES = {
    "entry: weight": ("UPDATE _store.entry_weight SET weight = weight * 1.001 WHERE rowid = 0", "weight of the entry"),
    "entry: context": ("UPDATE _store.entry_weight SET context = 'x/X' WHERE rowid = 0", "weight of the entry"),
    "entry: lost": ("DELETE FROM _store.entry_weight WHERE entry_id = 1 AND rowid = 0", "entry"),
    "entry: all lost": ("DELETE FROM _store.entry_weight WHERE entry_id = 1", "entry"),
    "entry: infinite": ("UPDATE _store.entry_weight SET weight = 'inf' WHERE rowid = 0", "entry"),
    "entry: path": ("UPDATE _store.entry_weight SET path = '>a<b' WHERE rowid = 0", "entry"),
    "entry: number": ("UPDATE _store.entry SET weights = weights + 1 WHERE id = 1", "entry"),
    "entry: state": ("UPDATE _store.entry SET state = 'fresh' WHERE id = 1", "entry"),
    "entry: anchored": ("UPDATE _store.entry SET anchored = 'cat/NOUN' WHERE id = 1", "entry"),
    "entry: pos": ("UPDATE _store.entry SET pos = 'VERB' WHERE id = 1", "entry"),
    "entry: composition": ("UPDATE _store.entry SET composition = '' WHERE id = 1", "entry"),
    "entry: no JSON": ("UPDATE _store.entry SET question = question[:10]", "entry"),
    "entry: JSON of something": ("UPDATE _store.entry SET question = '[1]'", "entry"),
    "entry: no words": ('UPDATE _store.entry SET question = \'{"words": [], "parameters": {}}\'', "entry"),
    "entry: another phrase": (
        "UPDATE _store.entry SET question = replace(question, 'old/ADJ', 'good/ADJ') WHERE id = 1",
        "weight of the entry",
    ),
    "entry: unknown word": (
        "UPDATE _store.entry SET question = replace(question, 'old/ADJ', 'no/ADJ') WHERE id = 1",
        "entry",
    ),
    "entry: of itself": (
        "UPDATE _store.entry SET question = replace(question, 'old/ADJ', 'very_old_dog') WHERE id = 1",
        "entry",
    ),
    "entry: unknown parameter": ("UPDATE _store.entry SET question = replace(question, 'merge', 'x')", "entry"),
    "entry: again": ("INSERT INTO _store.entry FROM _store.entry LIMIT 1", "entry"),
    "entry: its name again": ("UPDATE _store.entry SET name = 'old_dog'", "entry"),
    "entry: a weight again": ("INSERT INTO _store.entry_weight FROM _store.entry_weight LIMIT 1", "entry_weight"),
    "entry: gone": ("DELETE FROM _store.entry WHERE id = 2", "entry_weight"),
    "subcorpus: state": ("UPDATE _store.subcorpus SET state = 'none'", "subcorpus"),
    "subcorpus: condition": ("UPDATE _store.subcorpus SET condition = 'none'", "subcorpus"),
    "subcorpus: a count": ("UPDATE _store.subcorpus_cooccurrence SET count = count + 1 WHERE rowid = 0", "subcorpus"),
    "subcorpus: a count gone": ("DELETE FROM _store.subcorpus_cooccurrence WHERE rowid = 0", "subcorpus"),
    "subcorpus: a node": ("UPDATE _store.subcorpus_node SET id = id + 1000000 WHERE rowid = 0", "subcorpus"),
    "subcorpus: a lexeme again": (
        "INSERT INTO _store.subcorpus_lexeme FROM _store.subcorpus_lexeme LIMIT 1",
        "subcorpus_lexeme",
    ),
    "subcorpus: a path": ("UPDATE _store.subcorpus_path SET count = count + 1 WHERE rowid = 0", "subcorpus"),
    "subcorpus: gone": ("DELETE FROM _store.subcorpus", "subcorpus_node"),
    "weighting: state": ("UPDATE _store.weighting SET state = 'none' WHERE name = 'mine'", "weighting"),
    "weighting: kept is not": ("UPDATE _store.weighting SET state = 'computed' WHERE name = 'mine'", "weighting"),
    "weighting: number": ("UPDATE _store.weighting SET weights = 1 WHERE name = 'mine'", "weighting"),
    "weighting: shift": ("UPDATE _store.weighting SET shift = 2 WHERE name = 'mine'", "weight of mine"),
    "weighting: no shift": ("UPDATE _store.weighting SET shift = -1 WHERE name = 'other'", "weighting"),
    "weighting: phi": ("UPDATE _store.weighting SET phi = 'probability' WHERE name = 'mine'", "size under mine"),
    "weighting: again": ("UPDATE _store.weighting SET name = 'mine'", "weighting"),
    "weighting: gone": ("DELETE FROM _store.weighting WHERE name = 'mine'", "kept_weight"),
    "kept: a weight again": ("INSERT INTO _store.kept_weight FROM _store.kept_weight LIMIT 1", "kept_weight"),
    "kept: a size again": ("INSERT INTO _store.kept_size FROM _store.kept_size LIMIT 1", "kept_size"),
    "kept: of no lexeme": ("UPDATE _store.kept_weight SET lexeme_id = 99 WHERE rowid = 0", "weight of mine"),
    "kept: feature": ("UPDATE _store.kept_weight SET feature_id = 99 WHERE rowid = 0", "weight of mine"),
    "kept: least": ("UPDATE _store.kept_size SET least = least - 1 WHERE rowid = 0", "size under mine"),
    "given: one way": (f"UPDATE _store.given_count SET count = count + 1 {ASYMMETRIC}", "given count"),
    "given: below one": ("UPDATE _store.given_count SET count = 0", "given count"),
    "given: added to": ("UPDATE _store.given_count SET count = count + 1", "count"),
    "given: of trees": ("UPDATE _store.given_count SET corpus_id = 1", "corpus"),
    "given: gone": ("DELETE FROM _store.given_count", "corpus"),
    "given: other tokens": ("UPDATE _store.given_lexeme SET tokens = tokens + 1", "lexeme"),
    "given: no tokens": ("UPDATE _store.given_lexeme SET tokens = 0", "given lexeme"),
    "given: tokens gone": ("DELETE FROM _store.given_lexeme", "given lexeme"),
    "given: tokens again": ("INSERT INTO _store.given_lexeme FROM _store.given_lexeme LIMIT 1", "given_lexeme"),
    "given: tokens of nothing": ("UPDATE _store.given_lexeme SET lexeme_id = 99 WHERE rowid = 0", "given_lexeme"),
    "document: gone": ("DELETE FROM _store.document WHERE name = 'a'", "document_metadata"),
    "document: its name again": (
        "INSERT INTO _store.document SELECT 9, corpus_id, name FROM _store.document",
        "document",
    ),
    "document: of another corpus": ("UPDATE _store.document SET corpus_id = 1 WHERE name = 'a'", "sentence"),
    "document: said again": ("INSERT INTO _store.document_metadata FROM _store.document_metadata", "document_metadata"),
    "metadata: of no sentence": ("UPDATE _store.sentence_metadata SET sentence_id = 99", "sentence_metadata"),
    "corpus: kind": ("UPDATE _store.corpus SET kind = 'else' WHERE name = 'trees'", "corpus"),
    "corpus: skipped": ("UPDATE _store.corpus SET skipped = -1", "corpus"),
    "corpus: sha256": ("UPDATE _store.corpus SET sha256 = 'x' WHERE name = 'trees'", "corpus"),
    "evaluation: rho": ("UPDATE _store.evaluation SET rho = 2", "evaluation"),
    "evaluation: low": ("UPDATE _store.evaluation SET low = 0.9, high = 0.1", "evaluation"),
    "evaluation: items": ("UPDATE _store.evaluation SET items = -1", "evaluation"),
    "evaluation: undefined": ("UPDATE _store.evaluation SET undefined = 'because', rho = 0", "evaluation"),
    "evaluation: content": ("UPDATE _store.evaluation SET content = ''", "evaluation"),
    "evaluation: no JSON": ("UPDATE _store.evaluation SET question = '{'", "evaluation"),
    "evaluation: JSON of something": ("UPDATE _store.evaluation SET question = '[]'", "evaluation"),
    "evaluation: data": ("UPDATE _store.evaluation SET sha256 = 'x'", "evaluation"),
    "evaluation: weights": ("UPDATE _store.evaluation SET weights = 'pmi'", "evaluation"),
    "evaluation: again": ("INSERT INTO _store.evaluation FROM _store.evaluation", "evaluation"),
    "path: no inverse": ("UPDATE _store.path SET inverse_id = 99 WHERE text = '<nsubj'", "path"),
    "path: order": ("UPDATE _store.path SET path_order = 3 WHERE text = '<nsubj'", "path"),
    "word: of no tree": ("INSERT INTO _store.word VALUES (99, 'x', 'x', 'x', 'x', NULL, '_')", "word"),
    "relation: of no tree": ("INSERT INTO _store.relation VALUES (99, 'x', 'x')", "relation"),
    "settings: uid": ("UPDATE _store.settings SET uid = 'x'", "settings"),
    "settings: runs": ("UPDATE _store.settings SET runs = -1", "settings"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("damage", draw_some([*DAMAGES], 40, "damages"))
@pytest.mark.filterwarnings("ignore::aptdb.core.errors.BroughtBack")
def test_verify_names_what_is_damaged(file: Path, damage: str) -> None:
    statement, named = DAMAGES[damage]
    damaged(file, statement)
    rows = found(file)
    assert named in {row[0] for row in rows}
    assert all(row[2] != row[3] for row in rows)


NEVER_NULL = {
    "sentence": "corpus_id",
    "token": "space_after",
    "entry": "phrase",
    "entry_weight": "weight",
    "kept_size": "total",
    "evaluation": "version",
    "corpus": "source",
}


REFUSED = {
    "INSERT INTO _store.alembic_version VALUES ('0001')": "its table alembic_version has 2 rows; it must have one",
    "ALTER TABLE _store.evaluation DROP COLUMN tokens": "its table _store.evaluation has other columns, types",
    "ALTER TABLE _store.evaluation ADD more INTEGER": "its table _store.evaluation has other columns, types",
    "ALTER TABLE _store.kept_weight ALTER weight TYPE VARCHAR": "its table _store.kept_weight has other columns, types",
    "ALTER TABLE _store.document_metadata ALTER genre TYPE BLOB": "its metadata genre in .* have the type BLOB",
    "UPDATE _store.weighting SET scheme = 'none' WHERE name = 'mine'": "the weighting mine has the scheme 'none'",
}


@pytest.mark.thorough
@pytest.mark.sampled(len(REFUSED))
@pytest.mark.parametrize("damage", REFUSED)
def test_what_opening_refuses(file: Path, damage: str) -> None:
    damaged(file, damage)
    with pytest.raises(LexiconError, match=REFUSED[damage]):
        found(file)


@pytest.mark.thorough
@pytest.mark.parametrize("table", ["entry", *thorough(each for each in NEVER_NULL if each != "entry")])
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
    [("evaluation", "parameters"), *thorough([("entry", "phrase"), ("sentence", "sent_id"), ("corpus", "source")])],
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
    with pytest.warns(BroughtBack, match="are back: _store.entries, main.lexemes"):
        assert found(file) == []


def test_all_tables_have_their_keys_and_references() -> None:
    """Those without are compared row by row with what they are made of."""
    columns = {(table.name, column.name) for table in tables.metadata.sorted_tables for column in table.columns}
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
    assert ids - {(table, column) for table, column, _ in references()} == without
    counted = {"cooccurrence", "subcorpus_cooccurrence"}
    assert {table for table, _ in columns} - {table for table, _ in table_keys()} == {"settings", "opened", *counted}


# What is sound
@pytest.mark.thorough
def test_what_is_stale_is_sound(file: Path) -> None:
    """Stale weights and entries may be of lexemes that are gone, and are not compared."""
    with Lexicon.open(file) as lexicon:
        lexicon.remove("trees")
        assert lexicon.verify().rows == []
        assert set(lexicon.entries().column("state")) == {"stale"}
    damaged(file, "UPDATE _store.entry_weight SET weight = weight + 1", "UPDATE _store.kept_weight SET weight = 1")
    assert found(file) == []


@pytest.mark.thorough
def test_entries_outlive_their_weighting(file: Path) -> None:
    """They cannot be composed again then; nor if another weighting takes the name, or a relation of the user's own."""
    with Lexicon.open(file) as lexicon:
        lexicon.forget("mine")
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
        with pytest.warns(StaleSenses, match="dog/NOUN#1 is a sense that is stale"):
            lexicon.refresh_entries()
        assert "hidden" in lexicon.entries().column("state")
        assert lexicon.verify().rows == []


def test_the_mend_of_entries_is_told(tmp_path: Path) -> None:
    wrong = [Difference(kind, None, "old_dog", "a", "b") for kind in ("entry", "weight of the entry")]
    assert mend_of(wrong, tmp_path).startswith("save the entries again, or delete each: aptdb entries")
    counted = [*wrong, Difference("count", None, "x", "1", "2")]
    assert mend_of(counted, tmp_path).startswith("use a backup copy")


@pytest.mark.thorough
def test_a_question_of_an_entry_is_what_it_was_composed_of(file: Path) -> None:
    """What the tests above damage is there."""
    with duckdb.connect(str(file), read_only=True) as client:
        texts = client.sql("SELECT question FROM _store.entry ORDER BY id").fetchall()
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
