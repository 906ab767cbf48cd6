"""Questions at size, each beside a peer that does the same by other means, in one run.

APTDB_BENCH_LEXICON=large.duckdb pytest -n 0 -m bench -s tests/bench/test_peers.py

APTDB_BENCH_LEXICON names a file to make the lexicon in, or to use again if it is there. APTDB_TOKENS: how many tokens
it gets where it is made; 16,400,000 by default, which are en_wiki_14m and the novels. Each line says what was asked,
what it took, what its peer took, their ratio, and the goal. APTDB_BENCH_LARGER: likewise for one of some 250 million
triples, which takes seven minutes and 8 GB of disk to make.
"""

import os
import platform
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from aptdb import Lexicon
from aptdb.core.schemes import SCHEMES
from aptdb.store.statements import literal
from support.corpora import SHARED, corpus_file
from support.generated import generated

pytestmark = pytest.mark.bench

ROUNDS = 5
WORDS = ("dog/NOUN", "time/NOUN", "good/ADJ")
FREQUENT = 200
ROWS = (
    "SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, {weight} AS weight "
    "FROM _store.cooccurrence AS met JOIN _store.lexeme ON lexeme.id = met.lexeme_id "
    "JOIN _store.lexeme AS context ON context.id = met.context_id JOIN _store.path ON path.id = met.path_id "
)
WITH_NODES = ROWS + (
    "JOIN _store.node AS own ON own.lexeme_id = met.lexeme_id AND own.path_id = met.path_id "
    "JOIN _store.node AS feature ON feature.lexeme_id = met.context_id AND feature.path_id = path.inverse_id"
)
PMI = "ln(met.count * path.count::DOUBLE / (own.count * feature.count::DOUBLE))"
PEERS = {
    "raw_count": ROWS.format(weight="met.count::DOUBLE"),
    "probability": ROWS.format(weight="met.count / lexeme.cooccurrences"),
    "pmi": WITH_NODES.format(weight=PMI),
    "ppmi": f"SELECT * FROM ({WITH_NODES.format(weight=PMI)}) WHERE weight > 0",
    "lmi": WITH_NODES.format(weight=f"met.count * {PMI}"),
    "log_dice": WITH_NODES.format(weight="14 + log2(2 * met.count / (own.count + feature.count))"),
}
FILTERS = (
    "lexeme = 'dog/NOUN'",
    "context = 'dog/NOUN' AND path = '>obj'",
    "path = '<amod<obj'",
    "lexeme IN ('dog/NOUN', 'cat/NOUN', 'horse/NOUN')",
    "true",
)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon with ppmi kept, and a second file without."""
    file = Path(os.environ.get("APTDB_BENCH_LEXICON") or tmp_path_factory.mktemp("bench") / "large.duckdb")
    if not file.exists():
        corpus = generated(file.with_suffix(".conllu"), int(os.environ.get("APTDB_TOKENS", "16400000")))
        with Lexicon.open(file, create=True) as lexicon:
            lexicon.add(corpus)
        corpus.unlink()
    with Lexicon.open(file) as lexicon:
        lexicon.weigh("kept_ppmi", keep=True)
        triples = lexicon.sql("SELECT count(*) FROM _store.cooccurrence").rows[0][0]
    print(
        f"\n{platform.machine()}, Python {platform.python_version()}, DuckDB {duckdb.__version__}; {triples:,} triples"
    )
    return file


@pytest.fixture
def client(large: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A plain DuckDB client on two threads."""
    with duckdb.connect(str(large), read_only=True, config={"threads": 2}) as connection:
        yield connection


def seconds(act: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """The least time of something done again and again, once for nothing: these machines are noisy."""
    if rounds > 1:
        act()
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        act()
        times.append(time.perf_counter() - begun)
    return min(times)


def asking(client: duckdb.DuckDBPyConnection, query: str) -> Callable[[], Any]:
    """Something that asks."""
    return lambda: client.execute(query).fetchall()


def tell(what: str, own: float, peer: float, goal: float | None) -> float:
    """Print a line of the table."""
    shown = "" if goal is None else f", goal {goal}"
    print(f"{what:70} {own:8.3f} s {peer:8.3f} s  ×{own / peer:5.2f}{shown}")
    return own / peer


def test_schemes_beside_a_plain_join(client: duckdb.DuckDBPyConnection) -> None:
    assert {*PEERS} <= {*SCHEMES}
    for scheme, peer in PEERS.items():
        for where in FILTERS:
            rounds = 2 if where == "true" else ROUNDS
            rows = {}
            queries = {
                "peer": f"SELECT count(*), sum(weight) FROM ({peer}) WHERE {where}",
                "view": f"SELECT count(*), sum(weight) FROM {scheme} WHERE {where}",
                "function": f"SELECT count(*), sum(weight) FROM {scheme}() WHERE {where}",
            }
            times = {}
            for name, query in queries.items():
                rows[name] = client.execute(query).fetchall()[0]
                times[name] = seconds(asking(client, query), rounds)
            for name in ("view", "function"):
                assert rows[name] == pytest.approx(rows["peer"])
                tell(f"{scheme} as a {name}, {where}", times[name], times["peer"], 1.2 if where == "true" else 1.5)


def test_one_apt(client: duckdb.DuckDBPyConnection) -> None:
    for word in WORDS:
        plain = seconds(asking(client, f"SELECT * FROM ({PEERS['ppmi']}) WHERE lexeme = '{word}'"))
        for weights, goal in (("ppmi", 1.5), ("kept_ppmi", None)):
            own = seconds(asking(client, f"FROM apt('{word}', weights := '{weights}')"))
            tell(f"apt of {word}, {weights}, beside the plain join", own, plain, goal)


def test_neighbours_beside_a_product_and_postings(client: duckdb.DuckDBPyConnection) -> None:
    columns = client.execute(
        "SELECT lexeme_id, feature_id, weight FROM _store.kept_weight ORDER BY feature_id, lexeme_id"
    ).fetchnumpy()
    columns = {name: np.asarray(each) for name, each in columns.items()}  # masked arrays are slow
    features, starts = np.unique(columns["feature_id"], return_index=True)
    starts = np.append(starts, len(columns["feature_id"]))
    matrix = csr_array((columns["weight"], (columns["lexeme_id"], columns["feature_id"])))
    ids = dict(client.execute("SELECT text, id FROM _store.lexeme").fetchall())
    for word in WORDS:
        vector = np.asarray(matrix[[ids[word]]].todense()).ravel()
        product = seconds(lambda vector=vector: matrix @ vector)  # type: ignore[misc]

        def postings(vector: Any = vector) -> Any:
            found = np.zeros(matrix.shape[0])
            wanted = np.flatnonzero(vector).astype(features.dtype)  # of another type, all features would be copied
            for feature, place in zip(wanted, np.searchsorted(features, wanted), strict=True):
                part = slice(starts[place], starts[place + 1])
                found[columns["lexeme_id"][part]] += columns["weight"][part] * vector[feature]
            return found

        own = seconds(asking(client, f"FROM neighbours('{word}', weights := 'kept_ppmi')"))
        tell(f"neighbours of {word}, kept, beside a product of a CSR matrix", own, product, 1)
        tell(f"neighbours of {word}, kept, beside slices of the postings in memory", own, seconds(postings), 10)


def test_neighbours_with_nothing_kept_beside_all_weights(client: duckdb.DuckDBPyConnection) -> None:
    everything = "SELECT count(*), sum(weight) FROM _store.plain_weights('_store.every_lexeme', 'ppmi', 'ppmi')"
    weights = seconds(asking(client, everything), 2)
    for word in WORDS:
        own = seconds(asking(client, f"FROM neighbours('{word}')"), 2)
        tell(f"neighbours of {word}, nothing kept, beside all weights once", own, weights, 0.15)


@pytest.mark.parametrize("pos", ["same", "any"])
def test_a_thesaurus_beside_its_library(large: Path, tmp_path: Path, pos: str) -> None:
    from sparse_dot_topn import sp_matmul_topn

    begun = time.perf_counter()
    with Lexicon.open(large) as lexicon:
        lexicon.thesaurus(tmp_path / "thesaurus.parquet", min_frequency=FREQUENT, pos=pos, weights="kept_ppmi")
    own = time.perf_counter() - begun
    with duckdb.connect(str(large), read_only=True, config={"threads": 2}) as client:
        begun = time.perf_counter()
        columns = client.execute(
            "SELECT lexeme_id, feature_id, weight FROM _store.kept_weight SEMI JOIN "
            f"(SELECT id AS lexeme_id FROM _store.lexeme WHERE frequency >= {FREQUENT}) USING (lexeme_id)"
        ).fetchnumpy()
        ids, rows = np.unique(columns["lexeme_id"], return_inverse=True)
        matrix = csr_matrix((columns["weight"], (rows, columns["feature_id"])))
        matrix = csr_matrix(matrix.multiply(1 / np.sqrt(matrix.multiply(matrix).sum(axis=1))))
    loaded = time.perf_counter() - begun
    turned = matrix.T.tocsr()
    product = seconds(lambda: sp_matmul_topn(matrix, turned, 11, n_threads=2), 1)
    print(f"loading {loaded:.1f} s, product {product:.1f} s")
    tell(f"a thesaurus of {len(ids):,} lexemes, {pos}, beside sparse_dot_topn and loading", own, loaded + product, 1.5)


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A lexicon of both treebanks with ppmi kept, in a plain client."""
    file = tmp_path_factory.mktemp("treebank") / "english.duckdb"
    with Lexicon.open(file, create=True) as lexicon:
        for name in ("en_ewt", "en_gum"):
            lexicon.add(corpus_file(name))
        lexicon.weigh("kept_ppmi", keep=True)
    with duckdb.connect(str(file), read_only=True, config={"threads": 2}) as client:
        yield client


def test_235_words_at_once_beside_a_product(treebank: duckdb.DuckDBPyConnection) -> None:
    frequent = "SELECT lexeme FROM lexemes ORDER BY frequency DESC LIMIT 235"
    words = [row[0] for row in treebank.execute(frequent).fetchall()]
    columns = treebank.execute("SELECT lexeme_id, feature_id, weight FROM _store.kept_weight").fetchnumpy()
    matrix = csr_array((columns["weight"], (columns["lexeme_id"], columns["feature_id"])))
    ids = dict(treebank.execute("SELECT text, id FROM _store.lexeme").fetchall())
    asked = matrix[[ids[word] for word in words]]
    table = f"WITH asked AS (SELECT unnest({literal(words)}) AS lexeme)"
    query = f"{table} FROM neighbours_each('asked', weights := 'kept_ppmi')"
    own = seconds(asking(treebank, query))
    tell("neighbours of 235 words at once, beside a product in scipy", own, seconds(lambda: asked @ matrix.T), 2)


def test_200_phrases_beside_dictionaries(treebank: duckdb.DuckDBPyConnection) -> None:
    pairs = treebank.execute(
        "SELECT lexeme, context FROM cooccurrences WHERE path = '>amod' AND lexeme LIKE '%/NOUN' "
        "AND context LIKE '%/ADJ' ORDER BY count DESC, lexeme, context LIMIT 200"
    ).fetchall()
    vectors: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for lexeme, path, context, weight in treebank.execute("FROM kept_ppmi").fetchall():
        vectors[lexeme][path, context] = weight
    moved = dict(
        treebank.execute(
            "SELECT path, path_offset(path, '<amod') FROM (SELECT text AS path FROM _store.path)"
        ).fetchall()
    )

    def by_hand() -> None:
        for noun, adjective in pairs:
            found = dict(vectors[noun])
            for (path, context), weight in vectors[adjective].items():
                if (there := moved[path]) is not None:
                    found[there, context] = found.get((there, context), 0) + weight

    table = literal([
        {"phrase": f"{adjective} {noun}", "lexeme": lexeme, "delta": delta}
        for noun, adjective in pairs
        for lexeme, delta in ((noun, ""), (adjective, "<amod"))
    ])  # fmt: skip
    query = (
        f"WITH asked AS (SELECT unnest({table}, max_depth := 2)) "
        "SELECT count(*), sum(weight) FROM compose_each('asked', merge := 'sum', weights := 'kept_ppmi')"
    )
    own = seconds(asking(treebank, query))
    tell("compose of 200 phrases at once, beside dictionaries in memory", own, seconds(by_hand), 2)


def test_smoothing_beside_none(large: Path) -> None:
    data = SHARED / "datasets" / "ml2010.txt"
    with Lexicon.open(large) as lexicon:

        def evaluating(smooth: str) -> Callable[[], Any]:
            return lambda: lexicon.eval.evaluate(
                data, record=False, merge=["sum", "min"], measure=["cosine", "lin"], weights="kept_ppmi", smooth=smooth
            )

        none = seconds(evaluating("none"), 1)
        for smooth in ("static:10", "offset:5"):
            own = seconds(evaluating(smooth), 1)
            tell(f"evaluate M&L 2010 in four settings, {smooth}, beside none", own, none, 5)


LARGER = (("FROM apt('{}')", 0.4), ("FROM neighbours('{}')", 3), ("FROM neighbours('{}', weights := 'kept_ppmi')", 0.7))


def test_questions_at_250_million_triples() -> None:
    """Copies of the trees in which all but the most frequent lemmas have other names."""
    if not (name := os.environ.get("APTDB_BENCH_LARGER")):
        pytest.skip("APTDB_BENCH_LARGER names no file for the lexicon")
    file = Path(name)
    if not file.exists():
        corpus = generated(file.with_suffix(".conllu"), 98_000_000, rare_until=2000, growth=1)
        with Lexicon.open(file, create=True) as lexicon:
            lexicon.add(corpus)
            lexicon.weigh("kept_ppmi", keep=True)
        corpus.unlink()
    with duckdb.connect(str(file), read_only=True, config={"threads": 2}) as client:
        triples = client.execute("SELECT count(*) FROM _store.cooccurrence").fetchall()[0][0]
        for query, goal in LARGER:
            for word in WORDS:
                took = seconds(asking(client, query.format(word)), 2)
                print(f"{triples:,} triples: {query.format(word):60} {took:.2f} s, goal {goal} s")


def test_whole_commands(large: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for asked in (("apt", "dog/NOUN"), ("similarity", "dog/NOUN", "cat/NOUN"), ("neighbours", "dog/NOUN"), ("info",)):
        kept = [] if asked[0] == "info" else ["--weights", "kept_ppmi"]
        command = [sys.executable, "-m", "aptdb", asked[0], str(large), *asked[1:], *kept]
        took = seconds(partial(subprocess.run, command, check=True, capture_output=True, env=environment))
        print(f"aptdb {' '.join([asked[0], *asked[1:], *kept]):60} {took:.2f} s, goal 0.4 s")
