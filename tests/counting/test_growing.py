"""What goes in and comes out again: remove, merge, rebuild, verify, compact, evidence; each against adding afresh."""

import gzip
import io
import warnings
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aptdb import CorpusError, Lexicon, Progress, SettingsError
from aptdb.commands.notes import share_of
from aptdb.core.errors import IncompleteDataWarning
from aptdb.corpus import sources
from aptdb.counting import count_pairs
from aptdb.store.compaction import give_back
from aptdb.store.database import Database
from aptdb.store.limits import limits
from support.corpora import COUNTS, DOGS, TREES, unpacked
from support.lexicons import assert_same, lexicon_of, make_lexicon, new_lexicon, sound
from support.runs import examples
from support.strategies import normalisations, spelt_corpora
from twins import counting
from twins.counting import evidence
from twins.trees import Token, conllu


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for one example."""
    return tmp_path_factory.mktemp("growing")


@pytest.mark.thorough
@examples(2)
@given(first=spelt_corpora(), second=spelt_corpora(most=3), given_settings=normalisations())
def test_remove_and_merge_and_rebuild(
    tmp_path_factory: pytest.TempPathFactory,
    first: list[list[Token]],
    second: list[list[Token]],
    given_settings: dict[str, Any],
) -> None:
    folder = tmp_path_factory.mktemp("growing")
    a = lexicon_of(folder / "a.duckdb", {"A": first}, **given_settings)
    second = [*second, [Token("Only", "here", "N", "x", 0, "root")]]  # so that the two are not the same
    b = lexicon_of(folder / "b.duckdb", {"B": second}, **given_settings)
    both = lexicon_of(folder / "both.duckdb", {"A": first, "B": second}, **given_settings)
    with Lexicon.open(folder / "merged.duckdb", create=True) as lexicon:
        assert [*lexicon.merge(a), *lexicon.merge(b)] == ["A", "B"]
    assert_same(folder / "merged.duckdb", both)
    with Lexicon.open(lexicon_of(folder / "plain.duckdb", {"A": first})) as lexicon:
        lexicon.add(io.BytesIO(conllu(second).encode()), name="B", again=True)
        lexicon.rebuild(folder / "rebuilt.duckdb", **given_settings)
    assert_same(folder / "rebuilt.duckdb", both)
    assert sound(both)
    with Lexicon.open(both) as lexicon:
        lexicon.remove("A")
    assert_same(both, b)


@pytest.mark.thorough
def test_a_lexicon_that_leaves_out_every_word_is_sound(folder: Path) -> None:
    """Nothing refers to a lexeme, of which there is none."""
    only = [[Token("Only", "here", "N", "x", 0, "root")]]
    file = lexicon_of(folder / "none.duckdb", {"A": only}, exclude_upos=["N"])
    assert sound(file)
    with Lexicon.open(file) as lexicon:
        assert lexicon.sql("FROM lexemes").rows == []


@pytest.mark.thorough
@examples(6)
@given(sentences=spelt_corpora(), given_settings=normalisations(), data=st.data())
def test_evidence_is_that_of_the_twin(
    tmp_path_factory: pytest.TempPathFactory,
    sentences: list[list[Token]],
    given_settings: dict[str, Any],
    data: st.DataObject,
) -> None:
    file = lexicon_of(tmp_path_factory.mktemp("evidence") / "l.duckdb", {"C": sentences}, **given_settings)
    counts = counting.count(sentences, **given_settings)
    with Lexicon.open(file) as lexicon:
        for triple in data.draw(st.lists(st.sampled_from(sorted(counts)), max_size=3)) if counts else []:
            found = lexicon.evidence(*triple, counts="packed")
            hits = [
                (int(row["sentence"].removeprefix("#")) - 1, row["position"], row["context_position"]) for row in found
            ]
            assert hits == evidence(sentences, *triple, **given_settings)
            assert len(found) == counts[triple]
            direct = lexicon.evidence(*triple)
            assert [*direct] == [row for row in found if row["pair"] == "direct"]
            places = [(int(row["sentence"][1:]) - 1, row["position"], row["context_position"]) for row in direct]
            assert places == evidence(sentences, *triple, direct=True, **given_settings)


@pytest.mark.thorough
def test_evidence_on_a_treebank(english: Path) -> None:
    with Lexicon.open(english) as lexicon:
        triples = lexicon.sql(
            "SELECT * FROM cooccurrences ORDER BY hash(lexeme, path, context), lexeme, path, context LIMIT 25"
        ).rows
        for lexeme, path, context, count, direct in triples:
            assert len(lexicon.evidence(lexeme, path, context, counts="packed")) == count
            assert len(lexicon.evidence(lexeme, path, context)) == direct
        row = next(iter(lexicon.evidence("good/ADJ", "<amod", "service/NOUN")))
        assert "[good] {service}" in row["text"].lower()


@pytest.mark.thorough
def test_treebanks_come_out_and_together(english: Path, folder: Path) -> None:
    """add A, add B, remove A equals add B; merge(A, B) equals add A + add B; table for table."""
    a = lexicon_of(folder / "a.duckdb", {"en_ewt.conllu.gz": unpacked("en_ewt")})
    b = lexicon_of(folder / "b.duckdb", {"en_gum.conllu.gz": unpacked("en_gum")})
    with Lexicon.open(folder / "merged.duckdb", create=True) as lexicon:
        lexicon.merge(a)
        lexicon.merge(b)
        assert_same(folder / "merged.duckdb", english, but=("corpus",))
        lexicon.weigh("mine", keep=True)
        assert lexicon.verify().rows == []
        lexicon.remove("en_ewt.conllu.gz")
    assert_same(folder / "merged.duckdb", b)


@pytest.mark.thorough
def test_a_rebuild_at_order_3_is_counting_at_order_3(folder: Path) -> None:
    a = lexicon_of(folder / "a.duckdb", {"A": unpacked("en_ewt")})
    third = lexicon_of(folder / "third.duckdb", {"A": unpacked("en_ewt")}, order=3, exclude_upos=("PUNCT",))
    with Lexicon.open(a) as lexicon:
        lexicon.rebuild(folder / "rebuilt.duckdb", order=3, exclude_upos=["PUNCT"])
    assert_same(folder / "rebuilt.duckdb", third)


@pytest.mark.thorough
def test_merging_refuses_what_does_not_fit(folder: Path) -> None:
    a = lexicon_of(folder / "a.duckdb", {"A": DOGS.encode()})
    again = lexicon_of(folder / "again.duckdb", {"other": DOGS.encode()})
    named = lexicon_of(folder / "named.duckdb", {"A": DOGS.replace("Dogs", "Cats").encode()})
    third = lexicon_of(folder / "third.duckdb", {"B": DOGS.encode()}, order=3)
    fourth = lexicon_of(folder / "fourth.duckdb", {"A": DOGS.replace("Dogs", "Hens").encode()})
    with Lexicon.open(a) as lexicon:
        with pytest.raises(CorpusError, match="its corpus other was added before, as A"):
            lexicon.merge(again)
        with pytest.raises(CorpusError, match=r"has a corpus A, and this lexicon has another corpus A; .*--prefix"):
            lexicon.merge(named)
        with pytest.raises(SettingsError, match=r"other settings: order 3, this lexicon 2; .*aptdb rebuild"):
            lexicon.merge(third)
        assert lexicon.merge(named, prefix="cats_") == ["cats_A"]
        with pytest.raises(CorpusError, match=r"another corpus cats_A; merge it alone, with another --prefix"):
            lexicon.merge(fourth, prefix="cats_")
        assert lexicon.verify().rows == []


@pytest.mark.thorough
def test_counts_without_trees(folder: Path) -> None:
    counts = folder / "counts.tsv"
    counts.write_text(COUNTS, encoding="utf-8")
    alone = lexicon_of(folder / "alone.duckdb", {"dogs": DOGS.encode()})
    with Lexicon.open(folder / "l.duckdb", create=True) as lexicon:
        assert lexicon.add(counts).tokens == 0
        assert lexicon.sql("SELECT lexeme, frequency FROM lexemes ORDER BY ALL").rows == [
            ("bark/VERB", 4),
            ("dog/NOUN", 7),
        ]
        lexicon.add(io.BytesIO(DOGS.encode()), name="dogs")
        assert ("dog/NOUN", "<nsubj", "bark/VERB", 4, None) in lexicon.sql("FROM cooccurrences").rows
        assert lexicon.verify().rows == []
        with pytest.warns(IncompleteDataWarning, match=r"3 more are from counts\.tsv, which was added as counts"):
            assert len(lexicon.evidence("dog/NOUN", "<nsubj", "bark/VERB")) == 1
        with Lexicon.open(folder / "merged.duckdb", create=True) as merged:
            assert merged.merge(folder / "l.duckdb") == ["counts.tsv", "dogs"]
            assert merged.verify().rows == []
        assert_same(folder / "merged.duckdb", folder / "l.duckdb")
        lexicon.remove("counts.tsv")
    assert_same(folder / "l.duckdb", alone)
    with Lexicon.open(folder / "merged.duckdb") as lexicon:
        lexicon.remove("dogs")
        assert dict(lexicon.sql("SELECT lexeme, frequency FROM lexemes").rows) == {"dog/NOUN": 7, "bark/VERB": 4}


@pytest.mark.thorough
@examples(3)
@given(spelt_corpora(), spelt_corpora(most=2))
def test_counts_are_what_trees_are(
    tmp_path_factory: pytest.TempPathFactory, first: list[list[Token]], second: list[list[Token]]
) -> None:
    """What is counted of trees, written down as counts and added again, doubles every count."""
    folder = tmp_path_factory.mktemp("counts")
    file = lexicon_of(folder / "l.duckdb", {"A": first})
    lines = [f"{w}\t{path}\t{context}\t{n}" for (w, path, context), n in counting.count(first).items()]
    (folder / "c.tsv").write_text("\n".join(["lexeme\tpath\tcontext\tcount", *lines, ""]), encoding="utf-8")
    with Lexicon.open(file) as lexicon:
        lexicon.add(folder / "c.tsv")
        lexicon.add(io.BytesIO(conllu(second).encode()), name="B", again=True)
        counts = {(row[0], row[1], row[2]): row[3] for row in lexicon.sql("FROM cooccurrences").rows}
        expected = counting.count(first) + counting.count(first) + counting.count(second)
        assert counts == expected
        assert lexicon.verify().rows == []


@pytest.mark.thorough
def test_parquet_of_counts(folder: Path) -> None:
    file = lexicon_of(folder / "l.duckdb", {"A": DOGS.encode()})
    with closing(Database(file, read_only=True, reach=None)) as database:
        database.run(f"COPY (FROM cooccurrences) TO '{folder / 'c.parquet'}'")
    with new_lexicon(folder / "p.duckdb", folder / "c.parquet") as lexicon:
        with Lexicon.open(file) as trees:
            assert (
                lexicon.sql("FROM cooccurrences ORDER BY ALL").rows == trees.sql("FROM cooccurrences ORDER BY ALL").rows
            )
        pa = pytest.importorskip("pyarrow", reason="pyarrow reads the table here")
        table = pa.table({"lexeme": ["a/X"], "path": ["<r"], "context": ["b/X"], "count": [1]})
        with pytest.raises(CorpusError, match="row 1: a/X occurs with b/X along <r 1 times, but"):
            lexicon.add(table, name="asymmetric")


@pytest.mark.thorough
def test_compaction_keeps_all_and_gives_space_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = unpacked("en_ewt")[:3_000_000].rpartition(b"\n\n")[0] + b"\n\n"
    sentences = content.split(b"\n\n")
    parts = {str(n): b"\n\n".join(sentences[n::6]) + b"\n\n" for n in range(6)}
    monkeypatch.setattr("aptdb.store.compaction.RUNS", 1_000)
    monkeypatch.setattr("aptdb.store.compaction.LEAST_WASTE", 1 << 40)
    file = lexicon_of(folder / "l.duckdb", parts)
    with closing(Database(file, read_only=False)) as database, database.transaction():
        database.run("CREATE TABLE mine AS SELECT 1 AS a")
        database.run("CREATE VIEW my_view AS SELECT lexeme, a FROM lexemes, mine")
    monkeypatch.undo()
    at_once = lexicon_of(folder / "at_once.duckdb", parts)
    with Lexicon.open(file) as lexicon:
        lexicon.weigh("kept_ppmi", keep=True)
        before = file.stat().st_size
        similar = lexicon.neighbours("good/ADJ").rows
        lexicon.compact()
        assert lexicon.neighbours("good/ADJ").rows == similar
        assert lexicon.neighbours("good/ADJ", weights="kept_ppmi").rows == similar
        assert lexicon.sql("SELECT count(*) FROM my_view").rows == lexicon.sql("SELECT count(*) FROM lexemes").rows
        assert lexicon.sql(
            "SELECT bool_and(ok) FROM (SELECT (lexeme_id, path_id, context_id) > lag((lexeme_id, path_id, context_id)) "
            "OVER () AS ok FROM _store.cooccurrence)"
        ).rows == [(True,)]
        lexicon.stored.forget("kept_ppmi", kind="weightings")
        assert lexicon.verify().rows == []
    assert_same(file, at_once)
    assert file.stat().st_size < before
    assert [each.name for each in folder.iterdir() if "compacted" in each.name] == []


@pytest.mark.usefixtures("rewritten")
def test_a_megabyte_that_is_unused_is_given_back(tmp_path: Path) -> None:
    """In a small file it would be a fifth of the whole."""
    file = tmp_path / "l.duckdb"
    with duckdb.connect(str(file)) as client:
        client.execute("CREATE TABLE kept AS SELECT uuid() AS id FROM range(50_000)")
        client.execute("CREATE TABLE dropped AS SELECT uuid() AS id FROM range(90_000)")
        client.execute("CHECKPOINT")
        client.execute("DROP TABLE dropped")
        client.execute("CREATE TABLE last AS SELECT uuid() AS id FROM range(2_000)")
    before = file.stat().st_size
    assert give_back(file, limits(), at_any_cost=False)
    assert file.stat().st_size < before - (1 << 20)
    assert not give_back(file, limits(), at_any_cost=False)


@pytest.mark.thorough
@pytest.mark.usefixtures("rewritten")
def test_additions_compact_by_themselves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aptdb.store.compaction.RUNS", 2)
    parts = {str(n): DOGS.replace("Dogs", f"Dogs{n}").encode() for n in range(4)}
    file = lexicon_of(folder / "l.duckdb", parts)
    with Lexicon.open(file) as lexicon, warnings.catch_warnings():
        assert lexicon.sql("SELECT runs FROM _store.settings").rows == [(1,)]
        assert lexicon.verify().rows == []


@pytest.mark.thorough
@examples(4)
@given(first=spelt_corpora(most=4), second=spelt_corpora(most=2), rows=st.integers(5, 100))
@example(first=TREES, second=TREES[:2], rows=5)  # which gain more, so that each addition writes again
def test_counts_that_are_written_again(
    tmp_path_factory: pytest.TempPathFactory, first: list[list[Token]], second: list[list[Token]], rows: int
) -> None:
    """Written again, slice by slice, all tables are what they are where changes are merged into them."""
    folder = tmp_path_factory.mktemp("again")
    second = [*second, [Token("Only", "here", "N", "x", 0, "root")]]
    merged, again = folder / "merged.duckdb", folder / "again.duckdb"
    for file, many in ((merged, count_pairs.MANY_ROWS), (again, rows)):
        with pytest.MonkeyPatch.context() as patch, Lexicon.open(file, create=True) as lexicon:
            patch.setattr(count_pairs, "MANY_ROWS", many)
            patch.setattr(count_pairs, "SHARE", 10**9)
            patch.setattr("aptdb.store.compaction.LEAST_ROWS", many)
            patch.setattr("aptdb.store.compaction.BYTES_OF_ROW", 10**12)
            lexicon.add(io.BytesIO(conllu(first).encode()), name="first")
            lexicon.add(io.BytesIO(conllu(second).encode()), name="second", again=True)
    assert_same(again, merged)
    for file, many in ((merged, count_pairs.MANY_ROWS), (again, rows)):
        with pytest.MonkeyPatch.context() as patch, Lexicon.open(file) as lexicon:
            patch.setattr(count_pairs, "MANY_ROWS", many)
            patch.setattr(count_pairs, "SHARE", 10**9)
            lexicon.remove("first")
            assert lexicon.verify().rows == []
    assert_same(again, merged)


@pytest.mark.thorough
def test_words_that_are_known_keep_their_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An addition takes over words and lexemes where it meets them, in whatever chunk; none is there twice."""
    sentences = [[Token(f"w{n}", f"w{n % 4}", "N", "_", 0, "root")] for n in range(6)]
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"first": sentences[:3]})) as lexicon:
        before = set(lexicon.sql("SELECT id, form, lemma FROM _store.word").rows)
        monkeypatch.setattr(sources, "CHUNK_BYTES", 250)
        lexicon.add(io.BytesIO(conllu([*sentences[::-1], *sentences]).encode()), name="second")
        after = lexicon.sql("SELECT id, form, lemma FROM _store.word").rows
        lexemes = lexicon.sql("SELECT id, text, frequency FROM _store.lexeme ORDER BY text").rows
    assert before < set(after)
    assert len({row[0] for row in after}) == len({row[1:] for row in after}) == len(after) == 6
    assert len({row[0] for row in lexemes}) == 4
    assert [row[1:] for row in lexemes] == [("w0/N", 5), ("w1/N", 5), ("w2/N", 3), ("w3/N", 2)]


@pytest.mark.thorough
@pytest.mark.parametrize("packed", [True, False])
def test_progress_is_whole_only_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    """However far the reader is ahead; and it never goes back."""
    monkeypatch.setattr(sources, "CHUNK_BYTES", 2_000)
    text = DOGS.encode() * 90
    file = tmp_path / ("c.conllu.gz" if packed else "c.conllu")
    file.write_bytes(gzip.compress(text) if packed else text)
    seen: list[Progress] = []
    make_lexicon(tmp_path / "l.duckdb", file, progress=seen.append)
    shares = [each.bytes_read / (each.size or 0) for each in seen]
    assert len(shares) > 5
    assert shares == sorted(shares)
    assert [share for share in shares if share >= 1] == [1]
    assert [share_of(each) for each in seen].count("100 % read, ") == 1
