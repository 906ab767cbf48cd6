"""Counts beside a twin that takes all pairs, on random trees; the table of meaning.md 3.5; and the laws of counting."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.store.database import Database
from aptdb.store.statements import statement
from support.cases import read_cases
from support.commands import ask
from support.corpora import DOGS, corpus_file, unpacked
from support.lexicons import Counted, direct_triples, make_lexicon, marginals_that_differ, new_lexicon, triples
from support.runs import examples, thorough
from support.strategies import corpora
from twins import paths
from twins.counting import count, frequencies
from twins.trees import Token

# meaning.md 3.5: corpus, order, sentences, tokens, lexemes, paths, distinct triples, sum of counts; of direct ones
KNOWN = read_cases("counting/known")[1]


@examples(20)
@given(corpora(longest=10), st.integers(0, 4))
def test_counts_equal_the_twin(counted: Counted, sentences: list[list[Token]], order: int) -> None:
    database = counted(sentences, order=order)
    assert triples(database) == count(sentences, order=order)
    assert direct_triples(database) == count(sentences, order=order, direct=True)
    assert dict(map(tuple, database.rows("SELECT lexeme, frequency FROM lexemes"))) == frequencies(sentences)


def test_marginals_of_a_real_lexicon(english: Path) -> None:
    database = Database(english, read_only=True)
    try:
        assert not marginals_that_differ(database)
    finally:
        database.close()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("corpus", "order", "sentences", "tokens", "lexemes", "paths", "distinct", "total", "of_direct", "direct"),
    [*KNOWN[1:2], *thorough(KNOWN[:1] + KNOWN[2:])],
)
def test_known_counts(
    tmp_path: Path,
    corpus: str,
    order: int,
    sentences: int,
    tokens: int,
    lexemes: int,
    paths: int,
    distinct: int,
    total: int,
    of_direct: int,
    direct: int,
) -> None:
    with Lexicon.open(tmp_path / "known.duckdb", create=True, order=order) as lexicon:
        addition = lexicon.add(corpus_file(corpus))
        assert (addition.sentences, addition.tokens) == (sentences, tokens)
        counts = lexicon.sql("SELECT count(*), sum(count)::BIGINT, count(DISTINCT path) FROM cooccurrences").rows
        assert counts == [(distinct, total, paths)]
        found = lexicon.sql("SELECT count(*), sum(direct)::BIGINT FROM cooccurrences WHERE direct > 0").rows
        assert found == [(of_direct, direct)]
        assert lexicon.sql("SELECT count(*), sum(frequency)::BIGINT FROM lexemes").rows == [(lexemes, tokens)]


def test_known_counts_of_both(english: Path) -> None:
    with Lexicon.open(english) as lexicon:
        counts = lexicon.sql("SELECT count(*), sum(count)::BIGINT, count(DISTINCT path) FROM cooccurrences").rows
        assert counts == [(1_796_408, 3_686_893, 4_253)]
        direct = lexicon.sql("SELECT count(*), sum(direct)::BIGINT FROM cooccurrences WHERE direct > 0").rows
        assert direct == [(1_607_982, 3_282_103)]


def test_direct_counts_of_one_step_are_arcs(english: Path) -> None:
    with Lexicon.open(english) as lexicon:
        counted = "SELECT lexeme, path[2:], context, direct FROM cooccurrences WHERE path IN (FROM down) AND direct > 0"
        down = "WITH down AS (SELECT path FROM paths WHERE path_order = 1 AND starts_with(path, '>'))"
        assert lexicon.sql(f"{down} SELECT count(*) FROM ({counted} EXCEPT FROM arcs)").rows == [(0,)]
        assert lexicon.sql(f"{down} SELECT count(*) FROM (FROM arcs EXCEPT ({counted}))").rows == [(0,)]


@pytest.mark.filterwarnings("ignore:.* which each corpus before has:aptdb.IncompleteDataWarning")
@pytest.mark.thorough
def test_order_and_parts_of_additions_do_not_matter(english: Path, tmp_path: Path) -> None:
    other_way, at_once = tmp_path / "other_way.duckdb", tmp_path / "at_once.duckdb"
    with new_lexicon(other_way, corpus_file("en_gum")) as lexicon:
        lexicon.add(corpus_file("en_ewt"))
    make_lexicon(at_once, unpacked("en_ewt") + unpacked("en_gum"), name="both")
    with Lexicon.open(english) as lexicon:
        rows = {}
        for file in (english, other_way, at_once):
            with Lexicon.open(file) as each:
                rows[file] = each.sql(
                    "SELECT count(*), bit_xor(hash(lexeme, path, context, count)) FROM cooccurrences"
                ).rows
        assert rows[english] == rows[other_way] == rows[at_once]
    compare = Database(english, read_only=True, reach=None)
    try:
        for file in (other_way, at_once):
            compare.run(f"ATTACH '{file}' AS other (READ_ONLY)")
            for relation in ("cooccurrences", "lexemes"):
                assert not compare.rows(f"(FROM {relation} EXCEPT FROM other.{relation}) LIMIT 3")
                assert not compare.rows(f"(FROM other.{relation} EXCEPT FROM {relation}) LIMIT 3")
            compare.run("DETACH other")
    finally:
        compare.close()


def test_trees_are_stored_as_the_file_says(english: Path) -> None:
    """The first sentence of en_ewt that has a range, written back from the store."""
    with Lexicon.open(english) as lexicon:
        said = lexicon.sql(
            "SELECT s.sent_id, "
            "string_agg(w.form || CASE WHEN t.space_after THEN ' ' ELSE '' END, '' ORDER BY t.position) "
            "FROM _store.token AS t JOIN _store.word AS w ON w.id = t.word_id JOIN _store.sentence AS s "
            "ON s.id = t.sentence_id WHERE s.corpus_id = 1 GROUP BY s.id, s.sent_id ORDER BY s.id"
        ).rows
    sent_id, texts = None, []
    for line in unpacked("en_ewt").decode().split("\n"):
        if line.startswith("# sent_id = "):
            sent_id = line.removeprefix("# sent_id = ").strip()
        if line.startswith("# text = "):
            texts.append((sent_id, line.removeprefix("# text = ").strip()))
    same = sum(text == (mine[0], mine[1].strip()) for text, mine in zip(texts, said, strict=True))
    assert [text[0] for text in texts] == [mine[0] for mine in said]
    assert same / len(texts) > 0.99  # some texts hold doubled spaces, which CoNLL-U notes elsewhere


@pytest.mark.thorough
@pytest.mark.parametrize("most", [500_000, *thorough([3_000_000])])
def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, most: int) -> None:
    """A file read in many small chunks gives the counts that it gives in one."""
    content = unpacked("en_ewt")[:most].rpartition(b"\n\n")[0] + b"\n\n"
    answers = []
    for size in (1 << 25, 50_000):
        monkeypatch.setattr("aptdb.corpus.sources.CHUNK_BYTES", size)
        with Lexicon.open(tmp_path / f"{size}.duckdb", create=True, order=3) as lexicon:
            lexicon.add(io.BytesIO(content), name="part")
            answers.append(
                lexicon.sql(
                    "SELECT count(*), sum(count), bit_xor(hash(lexeme, path, context, count)) FROM cooccurrences"
                ).rows
            )
    assert answers[0] == answers[1]


@pytest.mark.thorough
@pytest.mark.parametrize(("labels", "order"), [(60, 5), (60, 6), *thorough([(1500, 6)])])
def test_many_labels_at_high_orders(counted: Counted, labels: int, order: int) -> None:
    """A way up is written as one number, which outgrows 32 bits, and 64 where there are many labels."""
    chain = [Token(f"w{n}", f"w{n}", "N", "_", n, f"r{labels - n % 9}" if n else "root") for n in range(12)]
    others = [Token(f"w{n}", "w", "N", "_", 1 if n else 0, f"r{n}" if n else "root") for n in range(labels)]
    assert triples(counted([chain], order=order)) == count([chain], order=order)
    database = counted([others[:3], chain, others], order=order)
    assert database.value("SELECT count(*) FROM cooccurrences WHERE path_order(path) = $order", {"order": order}) == (
        sum(paths.order(path) == order for _, path, _ in count([chain], order=order))
    )


def test_paths_are_those_that_some_lexeme_has(counted: Counted) -> None:
    sentence = [
        Token("a", "a", "PUNCT", "_", 2, "p"),
        Token("b", "b", "N", "_", 0, "root"),
        Token("c", "c", "PUNCT", "_", 2, "q"),
        Token("d", "d", "N", "_", 3, "s"),
    ]
    database = counted([sentence], exclude_upos=("PUNCT",))
    assert {row[0] for row in database.rows("SELECT text FROM _store.path WHERE count > 0")} == {"", ">q>s", "<s<q"}
    assert ("paths", "3") in database.rows(statement("store/sizes"))


@pytest.mark.thorough
@pytest.mark.parametrize("chunks", [10, *thorough([60])])
def test_chunks_of_a_few_bytes(monkeypatch: pytest.MonkeyPatch, counted: Counted, chunks: int) -> None:
    """Sentences of the same size, one a chunk: each is read, not what stood there before it."""
    sentences = [[Token(f"w{n:03}", f"w{n:03}", "N", "_", 0, "root")] for n in range(chunks)]
    monkeypatch.setattr("aptdb.corpus.sources.CHUNK_BYTES", 8)
    assert triples(counted(sentences)) == count(sentences)


def test_words_written_as_one_are_found_by_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A join on ranges of numbers took most of the time of an addition."""
    plans: list[str] = []
    run, coding = Database.run, statement("counting/code/token")

    def explained(self: Database, text: Any, parameters: Any = None) -> Any:
        if text == coding:
            plans.extend(str([*row][1]) for row in self.rows(f"EXPLAIN {text}"))
        return run(self, text, parameters)

    monkeypatch.setattr(Database, "run", explained)
    make_lexicon(
        tmp_path / "l.duckdb", (DOGS.replace("1\t", "1-2\tDogsbark" + "\t_" * 8 + "\n1\t", 1)).encode(), name="dogs"
    )
    assert {each.strip() for each in re.findall(r"╭─ ([\w ]+) Join", plans[0])} == {"Hash"}


@pytest.mark.thorough
@pytest.mark.extra
def test_the_source_of_a_corpus_has_no_folders(tmp_path: Path) -> None:
    """A lexicon that is given away does not say where its maker had the files; more is recorded only if it is given."""
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    names = ["file.conllu", "stream.conllu", "given.conllu"]
    for each in names:
        (tmp_path / each).write_text(DOGS.replace("Dogs", each), encoding="utf-8")
    assert ask("count", tmp_path / names[0], "-o", tmp_path / "counts").exit_code == 0
    with new_lexicon(tmp_path / "one.duckdb", tmp_path / names[0]) as lexicon:
        with (tmp_path / names[1]).open("rb") as stream:
            lexicon.add(stream)
        lexicon.add(tmp_path / "counts", again=True)
    assert ask("add", tmp_path / "one.duckdb", tmp_path / names[2], "--source", "UD, 2.14").exit_code == 0
    assert ask("add", tmp_path / "other.duckdb", tmp_path / "one.duckdb").exit_code == 0
    wanted = dict(zip([*names[:2], "counts", names[2]], [*names[:2], "counts", "UD, 2.14"], strict=True))
    for file in ("one.duckdb", "other.duckdb"):
        with Lexicon.open(tmp_path / file) as lexicon:
            assert dict(lexicon.sql("SELECT corpus, source FROM corpora").rows) == wanted
    (tmp_path / names[0]).rename(tmp_path / "moved.conllu")
    with Lexicon.open(tmp_path / "one.duckdb") as lexicon:
        lexicon.sync(tmp_path, delete=True)
        assert ("moved.conllu", "moved.conllu") in lexicon.sql("SELECT corpus, source FROM corpora").rows
    assert str(tmp_path) not in (tmp_path / "counts" / "manifest.json").read_text(encoding="utf-8")
