"""Questions that must have the same answers however DuckDB works: with few threads, little memory, or no optimizer."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb.core.schemes import SCHEMES
from aptdb.store import lazy_imports
from twins.measures import MEASURES

Rows = list[tuple[Any, ...]]
PHRASE = "[{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}]"
RIVAL = "[{'lexeme': 'leaf/NOUN', 'delta': ''}, {'lexeme': 'young/ADJ', 'delta': '<amod'}]"
GAP = PHRASE.replace("green/ADJ", "_/ADJ")
SQL = (
    "FROM cooccurrences ORDER BY ALL",
    "FROM lexemes ORDER BY ALL",
    *(f"FROM {scheme} WHERE lexeme = 'shoot/NOUN' ORDER BY lexeme, path, context" for scheme in SCHEMES),
    "FROM ppmi(cds := 0.75, scope := 'all', top_features := 20) ORDER BY lexeme, path, context",
    "FROM untyped('lmi', min_count := 2) ORDER BY lexeme, context",
    "FROM apt('shoot/NOUN') ORDER BY path, context",
    f"FROM compose({PHRASE}, merge := 'min') ORDER BY path, context",
    f"FROM compose({RIVAL}, strategy := 'left-to-right', context := 'internal') ORDER BY path, context",
    *(f"FROM neighbours('shoot/NOUN', measure := '{measure}')" for measure in MEASURES),
    *(f"SELECT similarity({PHRASE}, {RIVAL}, measure := '{measure}')" for measure in MEASURES),
    f"FROM neighbours({PHRASE}, smooth := 'static:3', phi := 'harmonic')",
    f"FROM explain({PHRASE}, {RIVAL}, top := 7)",
    f"FROM diff({PHRASE}, {RIVAL}, per_path := 2)",
    f"FROM contextualise({PHRASE})",
    f"FROM plausible({GAP})",
    f"FROM observed({PHRASE}) ORDER BY path, context",
    f"FROM entails({PHRASE}, {RIVAL}, top := 7)",
    f"FROM substitutes({PHRASE}, merge := 'min', top := 4)",
)
# How DuckDB may work: settings of a database, and then a statement.
WAYS: Mapping[str, tuple[Mapping[str, str], str]] = {
    "one thread": ({"threads": "1"}, ""),
    "little memory": ({"memory_limit": "256MB"}, ""),
    "no optimizer": ({}, "PRAGMA disable_optimizer"),
}


def answers(file: Path, way: str | None = None, questions: tuple[str, ...] = SQL) -> dict[str, Rows]:
    """What a lexicon answers in plain SQL, each question by itself."""
    config, statement = WAYS[way] if way else ({}, "")
    with duckdb.connect(str(file), read_only=True, config=dict(config)) as client:
        if statement:
            client.execute(statement)
        return {question: client.execute(question).fetchall() for question in questions}


def assert_same_answers(found: Mapping[str, Rows], expected: Mapping[str, Rows]) -> None:
    """The same rows in the same order; numbers to twelve digits, because a sum depends on its order."""
    for question, rows in expected.items():
        assert len(found[question]) == len(rows), question
        for one, other in zip(found[question], rows, strict=True):
            assert all(map(same, one, other)), (question, one, other)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same, numbers nearly."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return bool(one == other)


def without_optimizers() -> str:
    """All optimizers by their names, for the setting that turns them off in every connection."""
    with duckdb.connect() as client:
        return ",".join(str(name) for (name,) in client.execute("SELECT name FROM duckdb_optimizers()").fetchall())


@contextmanager
def duckdb_working(way: str) -> Iterator[None]:
    """Within the block every database that aptdb opens works in this way, whatever it asks for."""
    config = dict(WAYS[way][0]) or {"disabled_optimizers": without_optimizers()}
    opened: Callable[..., duckdb.DuckDBPyConnection] = lazy_imports.duckdb.connect

    def connect(*file: Any, **given: Any) -> duckdb.DuckDBPyConnection:
        if "config" in given:  # as aptdb opens a file
            given["config"] = {**given["config"], **config}
        return opened(*file, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy_imports.duckdb, "connect", connect)  # aptdb uses the module within DuckDB's
        yield


def of_words(question: str) -> str:
    """A question about words of a treebank instead of those of the made-up corpus."""
    for word, other in (("shoot/", "time/"), ("green/", "good/"), ("leaf/", "people/"), ("young/", "other/")):
        question = question.replace(word, other)
    return question
