"""The stored trees and marginals as public relations: beside the files, the twin's nodes, and the counts themselves."""

import gzip
import io
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import example, given

from aptdb import Lexicon, LexiconError
from aptdb.core.settings import Settings
from aptdb.store import version
from support.clients import change_file
from support.corpora import corpus_file, noun_phrase
from support.lexicons import Counted, make_lexicon, new_lexicon
from support.runs import examples
from support.strategies import normalisations, spelt_corpora
from twins.counting import Rules, normalised
from twins.trees import Token, conllu

SIMPLE = "position, form, lemma, upos, xpos, feats, head, relation"


def token_lines(file: Path) -> Iterator[tuple[str, ...]]:
    """The lines of a file's tokens without DEPS and MISC, in order."""
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as opened:
        for line in opened:
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdigit():
                yield (*columns[:8],)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["en_ewt", "en_gum", "en_novels_2m"])
def test_tokens_give_back_each_treebank(tmp_path: Path, name: str) -> None:
    file = corpus_file(name)
    make_lexicon(tmp_path / "l.duckdb", file)
    with duckdb.connect(str(tmp_path / "l.duckdb"), read_only=True) as client:
        rows = client.execute(f"SELECT {SIMPLE} FROM tokens ORDER BY corpus, sentence, position").fetchall()
        shown = client.execute("SELECT sum(tokens), count(*) FROM sentences").fetchall()
        assert shown == client.execute("SELECT tokens, sentences FROM corpora").fetchall()
    assert [tuple(map(str, row)) for row in rows] == [*token_lines(file)]


@pytest.mark.thorough
@examples(15)
@given(spelt_corpora(), normalisations())
@example([[Token("an", "an", "D", "x", 2, "det"), Token("ant", "ant", "N", "x", 0, "root")]], {"order": 0})
def test_tokens_sentences_and_arcs_are_those_of_the_trees(
    counted: Counted, sentences: list[list[Token]], given_settings: dict[str, Any]
) -> None:
    database = counted(sentences, **given_settings)
    rules = Rules(**given_settings)
    tokens, texts, arcs = [], [], Counter[tuple[str, str, str]]()
    for sentence in sentences:
        nodes, lexemes = normalised(sentence, rules)
        texts.append(" ".join(token.form for token in sentence))
        tokens += [(position, *token, lexemes.get(position)) for position, token in enumerate(sentence, 1)]
        for position, node in nodes.items():
            if node.head > 0 and position in lexemes and node.head in lexemes:
                arcs[lexemes[node.head], node.relation, lexemes[position]] += 1
    own = "position, form, lemma, upos, xpos, head, relation, lexeme"
    assert database.rows(f"SELECT {own} FROM tokens ORDER BY sentence, position") == tokens
    assert [row[0] for row in database.rows("SELECT text FROM sentences ORDER BY sentence")] == texts
    assert {row[:3]: row[3] for row in database.rows("FROM arcs")} == arcs


@pytest.mark.thorough
@examples(10)
@given(spelt_corpora())
def test_marginals_are_sums_of_the_counts(counted: Counted, sentences: list[list[Token]]) -> None:
    database = counted(sentences)
    for relation, columns in (("nodes", "lexeme, path"), ("features", "path, context"), ("paths", "path")):
        summed = f"SELECT {columns}, sum(count) FROM cooccurrences GROUP BY ALL ORDER BY ALL"
        assert database.rows(f"SELECT {columns}, count FROM {relation} ORDER BY ALL") == database.rows(summed)
    for path, inverse, order, first, last in database.rows(
        "SELECT path, inverse, path_order, first_step, last_step FROM paths"
    ):
        steps = [step for (step,) in database.rows(f"SELECT unnest(_store.path_steps('{path}'))")]
        assert (order, first, last) == (len(steps), *((steps[0], steps[-1]) if steps else (None, None)))
        assert database.value(f"SELECT path_inverse('{path}')") == inverse


@pytest.mark.parametrize(
    ("order", "counts"), [(0, ""), (1, "head\trelation\tdependent\tcount\ndog/N\tamod\tbig/A\t5\n")]
)
def test_arcs_are_of_trees_where_other_counts_are_there_or_none(tmp_path: Path, order: int, counts: str) -> None:
    """Where counts along one step are those of the trees, arcs are these, which takes a tenth of the time."""
    corpus = io.BytesIO(conllu([noun_phrase("dog", "big")] * 2 + [noun_phrase("cat", "big")]).encode())
    with Lexicon.open(tmp_path / "l.duckdb", create=True, order=order) as lexicon:
        lexicon.add(corpus, name="trees")
        arcs = lexicon.sql("FROM arcs ORDER BY ALL").rows
        assert arcs == [("cat/N", "amod", "big/A", 1), ("dog/N", "amod", "big/A", 2)]
        if counts:
            (tmp_path / "counts.tsv").write_text(counts, encoding="utf-8")
            lexicon.add(tmp_path / "counts.tsv")
        assert lexicon.sql("FROM arcs ORDER BY ALL").rows == arcs


@pytest.fixture(scope="module")
def animals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few noun phrases."""
    file = tmp_path_factory.mktemp("animals") / "animals.duckdb"
    with Lexicon.open(file, create=True, order=3, join=["compound"], lowercase=False) as lexicon:
        corpus = [noun_phrase(noun, adjective) for noun in ("dog", "cat") for adjective in ("small", "big")]
        lexicon.add(io.BytesIO(conllu(corpus).encode()), name="animals")
    return file


@pytest.mark.thorough
def test_spaces_are_as_they_were_written(tmp_path: Path) -> None:
    rows = (("Don", "1", "SpaceAfter=No"), ("'t", "1", "_"), ("go", "0", "SpaceAfter=No"), ("!", "3", "_"))
    lines = [f"{n}\t{form}\t{form}\tX\t_\t_\t{head}\tdep\t_\t{misc}" for n, (form, head, misc) in enumerate(rows, 1)]
    lines[0] = lines[0].replace("\t1\tdep", "\t3\tdep")
    text = "# sent_id = first\n" + "\n".join(lines) + "\n\n"
    with new_lexicon(tmp_path / "l.duckdb", text.encode(), name="told") as lexicon:
        found = lexicon.sql("SELECT corpus, sent_id, text, tokens FROM sentences").rows
        assert found == [("told", "first", "Don't go!", 4)]
        spaces = lexicon.sql("SELECT space_after FROM tokens ORDER BY position").column("space_after")
        assert spaces == [False, True, False, True]


def test_settings_are_those_of_the_lexicon(animals: Path) -> None:
    with Lexicon.open(animals) as lexicon:
        shown = dict(map(tuple, lexicon.sql("FROM settings").rows))
    given = {"order": "3", "join": '["compound"]', "lowercase": "false", "schema": version.REVISION}
    assert given.items() <= shown.items()
    assert {each.replace("-", "_") for each in vars(Settings())} <= {*shown}


@pytest.mark.parametrize(
    ("question", "looked_up"),
    [
        ("FROM tokens WHERE lexeme = 'dog/N'", ["Filters: text = 'dog/N'"]),
        ("FROM tokens WHERE sentence = 2", ["Filters: sentence_id = 2"]),
        ("FROM tokens WHERE upos = 'N' AND relation = 'amod'", ["Filters: upos = 'N'", "Filters: text = 'amod'"]),
        ("FROM sentences WHERE sentence = 2", ["Filters: sentence_id = 2", "Filters: id = 2"]),
        ("FROM arcs WHERE head = 'dog/N' AND relation = 'amod'", ["Filters: text = 'dog/N'", "2, []) = 'amod'"]),
        ("FROM nodes WHERE lexeme = 'dog/N'", ["Filters: text = 'dog/N'"]),
        ("FROM features WHERE context = 'dog/N' AND path = '<amod'", ["text = 'dog/N'", "text = '<amod'"]),
        ("FROM paths WHERE path = '<amod'", ["Filters: text = '<amod'"]),
    ],
)
def test_filters_reach_the_scans(animals: Path, question: str, looked_up: list[str]) -> None:
    with duckdb.connect(str(animals), read_only=True) as client:
        client.execute("SET explain_output = 'optimized_only'")
        plan = str(client.execute(f"EXPLAIN {question}").fetchall()[0][1])
    for each in looked_up:
        assert each in plan
    assert "CTE" not in plan


@pytest.mark.thorough
@pytest.mark.parametrize(("schema", "name"), [("0002", "entries"), ("0008", "tokens"), ("0009", "documents")])
def test_a_view_of_ones_own_by_such_a_name_is_not_lost(tmp_path: Path, schema: str, name: str) -> None:
    file = tmp_path / "older.duckdb"
    file.write_bytes(lzma.decompress((Path(__file__).parents[1] / "old" / f"{schema}.duckdb.xz").read_bytes()))
    change_file(file, f"CREATE VIEW {name} AS SELECT 'mine' AS whose")
    with pytest.raises(LexiconError, match=f"has a view or table {name} of your own, where this version has one"):
        Lexicon.migrate(file)
    with duckdb.connect(str(file)) as client:
        assert client.execute(f"FROM {name}").fetchall() == [("mine",)]
        assert client.execute("FROM _store.alembic_version").fetchall() == [(schema,)]
        client.execute(f"ALTER VIEW {name} RENAME TO mine")
    assert Lexicon.migrate(file) == schema
    with duckdb.connect(str(file), read_only=True) as client:
        assert client.execute("FROM mine").fetchall() == [("mine",)]
        assert client.execute("SELECT count(*), count(document), count(feats) FROM tokens").fetchall()[0][1:] == (0, 0)
