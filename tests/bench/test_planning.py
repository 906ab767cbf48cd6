"""How fast each kind of question is planned and answered, beside another checkout's definitions, in one run.

APTDB_BENCH_OTHER=../other pytest -n 0 -m bench -s tests/bench/test_planning.py

APTDB_BENCH_OTHER is the folder of a checkout to compare with. Each makes a lexicon of the same corpus. Planning is what
PREPARE takes: EXPLAIN draws the plan besides, which takes four times as long as to answer.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import duckdb
import pytest

from support.clients import change_file
from support.corpora import corpus_file

pytestmark = pytest.mark.bench

ROUNDS = 7
SLOWER = 1.1
ROOT = Path(__file__).parents[2]

MAKE = """
import sys
from aptdb import Lexicon
with Lexicon.open(sys.argv[1], create=True) as lexicon:
    lexicon.add(sys.argv[2])
    lexicon.weigh("kept_weights", shift=5, cds=0.75, keep=True)
    lexicon.weigh("named_weights", shift=5, cds=0.75)
"""
SAVE = """
import sys
from aptdb import Lexicon
with Lexicon.open(sys.argv[1]) as lexicon:
    lexicon.save("good dog", "dog/NOUN[amod good/ADJ]")
"""
OWN_VIEW = "CREATE VIEW own_weights AS SELECT lexeme, path, context, 2.0 * count AS weight FROM cooccurrences"

DOG = "[{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': 'good/ADJ', 'delta': '<amod'}]"
GAP = "[{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': '_/ADJ', 'delta': '<amod'}]"
EACH = "WITH asked AS (SELECT lexeme FROM lexemes ORDER BY frequency DESC, lexeme LIMIT 3)"
QUESTIONS = (
    "FROM apt('dog/NOUN')",
    "FROM apt('dog/NOUN', smooth := 'static:5')",
    "FROM apt('dog/NOUN', weights := 'kept_weights')",
    "FROM apt('dog/NOUN', weights := 'named_weights')",
    "FROM apt('dog/NOUN', weights := 'own_weights')",
    f"FROM apt({DOG})",
    f"FROM compose({DOG})",
    f"FROM compose({DOG}, merge := 'min', strategy := 'left-to-right', context := 'external')",
    f"FROM compose({DOG}, pipeline := 'compose-first')",
    f"FROM compose({DOG}, smooth := 'static:5')",
    f"FROM compose({DOG}, smooth := 'offset:5')",
    f"FROM compose({DOG}, weights := 'kept_weights')",
    f"{EACH} FROM compose_each('asked')",
    "FROM neighbours('dog/NOUN')",
    "FROM neighbours('dog/NOUN', weights := 'kept_weights')",
    f"FROM neighbours({DOG})",
    f"FROM neighbours({DOG}, weights := 'kept_weights')",
    f"{EACH} FROM neighbours_each('asked')",
    "SELECT similarity('dog/NOUN', 'cat/NOUN')",
    f"SELECT similarity('dog/NOUN', {DOG})",
    f"SELECT similarity({DOG}, {DOG}, anchor_b := 2)",
    "SELECT similarity('dog/NOUN', 'cat/NOUN', weights := 'kept_weights')",
    f"{EACH} FROM similarity_each('asked')",
    "FROM explain('dog/NOUN', 'cat/NOUN')",
    f"FROM explain({DOG}, 'cat/NOUN')",
    "FROM diff('dog/NOUN', 'cat/NOUN')",
    f"FROM diff({DOG}, 'cat/NOUN')",
    f"FROM contextualise({DOG})",
    f"FROM plausible({GAP})",
    f"FROM plausible({GAP}, candidates := ['good/ADJ', 'big/ADJ'])",
    "SELECT count(*), sum(weight) FROM ppmi WHERE lexeme = 'dog/NOUN'",
    "SELECT count(*), sum(weight) FROM ppmi(shift := 5, cds := 0.75) WHERE lexeme = 'dog/NOUN'",
    "SELECT count(*), sum(weight) FROM log_dice WHERE context = 'dog/NOUN'",
    "SELECT count(*), sum(weight) FROM untyped() WHERE lexeme = 'dog/NOUN'",
    "SELECT count(*), sum(weight) FROM kept_weights WHERE lexeme = 'dog/NOUN'",
)
WITH_ENTRIES = (
    "FROM apt('dog/NOUN')",
    "FROM apt('good dog')",
    f"FROM compose({DOG})",
    "FROM neighbours('good dog', among := 'all')",
    "FROM neighbours('dog/NOUN', weights := 'kept_weights')",
    "SELECT similarity('dog/NOUN', 'good dog')",
)


Clients = list[duckdb.DuckDBPyConnection]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    """The two checkouts, the other and this one, each with a lexicon that it made."""
    other = os.environ.get("APTDB_BENCH_OTHER")
    if not other:
        pytest.skip("APTDB_BENCH_OTHER names no other checkout to compare with")
    made = []
    for checkout in (Path(other), ROOT):
        file = tmp_path_factory.mktemp("planning") / "lexicon.duckdb"
        run_code(checkout, MAKE, file, corpus_file("en_ewt"))
        change_file(file, OWN_VIEW)
        made.append((checkout, file))
    return made


def opened(files: list[tuple[Path, Path]]) -> Clients:
    """Each lexicon in a plain client of one thread."""
    return [duckdb.connect(str(file), read_only=True, config={"threads": 1}) for _, file in files]


def run_code(checkout: Path, code: str, *arguments: Path) -> None:
    """Run Python with the package of a checkout."""
    subprocess.run([sys.executable, "-c", code, *map(str, arguments)], cwd=checkout.resolve(), check=True)


def milliseconds(client: duckdb.DuckDBPyConnection, query: str) -> float:
    """How much processor time a query takes: other programs on the machine do not count."""
    begun = time.process_time()
    client.execute(query).fetchall()
    return 1000 * (time.process_time() - begun)


def compare(clients: Clients, questions: tuple[str, ...]) -> list[str]:
    """Print how long each question takes in both, to plan and as a whole; returns those that are planned slower."""
    slower = []
    for question in questions:
        parts = {"plan": f"PREPARE planned AS {question}", "whole": question}
        medians: dict[str, list[float]] = {}
        for part, query in parts.items():
            for client in clients:
                milliseconds(client, query)
            rounds = [[milliseconds(client, query) for client in clients] for _ in range(ROUNDS)]
            medians[part] = [median(times) for times in zip(*rounds, strict=True)]
        ratios = {part: own / other for part, (other, own) in medians.items()}
        shown = "  ".join(
            f"{part} {other:7.1f} ms → {own:7.1f} ms ×{own / other:4.2f}" for part, (other, own) in medians.items()
        )
        print(f"{shown}  {question}")
        if ratios["plan"] > SLOWER:
            slower.append(f"{question}: ×{ratios['plan']:.2f}")
    return slower


def test_planning_is_not_slower(files: list[tuple[Path, Path]]) -> None:
    print(f"\nDuckDB {duckdb.__version__}, {files[0][0]} → {files[1][0]}; medians of {ROUNDS} alternating rounds")
    clients = opened(files)
    slower = compare(clients, QUESTIONS)
    for client in clients:
        client.close()
    for checkout, file in files:
        run_code(checkout, SAVE, file)
    clients = opened(files)
    print("with an entry:")
    slower += compare(clients, WITH_ENTRIES)
    assert not slower
