"""Senses at size: how purely the occurrences of two words that are made one are told apart, and how long it takes.

    pytest -m bench -s -n 0 tests/bench/test_pseudo_words.py

APTDB_BENCH_LEXICON names a lexicon with one reduced space; without it there is nothing to measure.
"""

import os
import random
import time
from pathlib import Path

import numpy as np
import pytest

from aptdb import Lexicon
from aptdb.core.parameters import declared
from aptdb.core.vector_parameters import Grouping
from aptdb.questions.matrices import clusters

pytestmark = pytest.mark.bench
PAIRS = 40
NOUNS = "SELECT lexeme FROM lexemes WHERE pos = 'NOUN' AND frequency BETWEEN 300 AND 3000 ORDER BY lexeme"
# A row: a feature of an occurrence of one of two words, its ppmi for both as one word, and its projection.
FEATURES = """
WITH word AS MATERIALIZED (
    SELECT id, text FROM _store.lexeme WHERE text IN ($one, $other)
), own AS (
    SELECT path_id, context_id, sum(count) AS n
    FROM _store.cooccurrence
    SEMI JOIN word ON word.id = lexeme_id
    GROUP BY ALL
), of_path AS (
    SELECT path_id, sum(n) AS n FROM own GROUP BY path_id
), weight AS MATERIALIZED (
    SELECT own.path_id, own.context_id,
        ln(own.n * path.count / (of_path.n * feature.count::DOUBLE)) - (SELECT ln(shift) FROM spaces) AS weight
    FROM own
    JOIN of_path USING (path_id)
    JOIN _store.path ON path.id = own.path_id
    JOIN _store.node AS feature ON feature.lexeme_id = own.context_id AND feature.path_id = path.inverse_id
), met AS MATERIALIZED (
    SELECT 0 AS word, sentence_id, position, path_id, context_id FROM _store.occurrence_feature($one)
    UNION
    SELECT 1, sentence_id, position, path_id, context_id FROM _store.occurrence_feature($other)
)
SELECT met.word, met.sentence_id, met.position, weight.weight, stored.projection
FROM met
JOIN weight USING (path_id, context_id)
JOIN _store.space_feature AS stored USING (path_id, context_id)
WHERE weight.weight > 0
ORDER BY ALL
"""


def occurrences(lexicon: Lexicon, one: str, other: str) -> tuple[list[int], np.ndarray]:
    """The word of each occurrence that has a feature of the space, and its vector of length 1."""
    found: dict[tuple[int, int, int], np.ndarray] = {}
    for *place, weight, projection in lexicon.sql(FEATURES, {"one": one, "other": other}).rows:
        direction = np.array(projection, dtype=float)
        part = weight * direction / np.linalg.norm(direction)
        found[tuple(place)] = found[tuple(place)] + part if tuple(place) in found else part
    vectors = np.array([*found.values()])
    return [word for word, *_ in found], vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_two_words_made_one() -> None:
    """Purity: the share of occurrences that are of their group's more frequent word."""
    if "APTDB_BENCH_LEXICON" not in os.environ:
        pytest.skip("APTDB_BENCH_LEXICON names no lexicon")
    alike, seed = (declared(Grouping)[name].default for name in ("alike", "seed"))
    purities, placed = [], []
    with Lexicon.open(Path(os.environ["APTDB_BENCH_LEXICON"])) as lexicon:
        nouns = [noun for (noun,) in lexicon.sql(NOUNS).rows]
        chance = random.Random(1)
        for one, other in (chance.sample(nouns, 2) for _ in range(PAIRS)):
            begun = time.perf_counter()
            words, vectors = occurrences(lexicon, one, other)
            groups, _ = clusters(vectors, 2, max(alike, 2), seed)
            own = [np.bincount(np.array(words)[groups == each]).max() for each in set(groups.tolist())]
            tokens = sum(lexicon.sql("SELECT frequency FROM lexemes WHERE lexeme IN ($a, $b)", {"a": one, "b": other}).column("frequency"))  # fmt: skip  # noqa: E501
            purities.append(sum(own) / len(words))
            placed.append(len(words) / tokens)
            print(f"{one} {other}: {purities[-1]:.3f} of {len(words):,}, {time.perf_counter() - begun:.1f} s")
    means = np.random.default_rng(1).choice(purities, (2000, PAIRS)).mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    print(f"purity {np.mean(purities):.3f} [{low:.3f}, {high:.3f}], placed {np.mean(placed):.2f}")
    assert np.mean(purities) > 0.8
