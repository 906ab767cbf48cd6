"""The paper's own examples: its eight trees (figure 1) and the APTs it draws of them (section 2, sections 4.1 to 4.3).

Words have the tags of figure 1 as XPOS and the paper's relations. The later figures omit tags, so those of figure 1
stand here: they differ in the source of figure 2, 3 and 6 (VDB for VBD, man/NN and boy/NN for man/PRP and boy/PRP).
The figures also call up's relation prp in place of figure 1's prt; figure 1's edges count here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb import Lexicon, Phrase
from aptdb.store.database import Database
from aptdb.store.statements import literal
from support.cases import read_cases
from support.lexicons import Counted, triples
from support.paper import DELTAS, FADED, FIGURE_2, FIGURE_6, PHRASE, SETTINGS, TREES
from twins.paths import inverse, offset
from twins.trees import conllu

Nodes = dict[str, Counter[str]]  # path -> multiset of lexemes


@pytest.fixture
def paper(counted: Counted) -> Database:
    """The eight trees, counted."""
    return counted(list(TREES.values()), **SETTINGS)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The eight trees in a lexicon's file."""
    folder = tmp_path_factory.mktemp("paper")
    (folder / "paper.conllu").write_text(conllu(TREES.values()), encoding="utf-8")
    with Lexicon.open(folder / "paper.duckdb", create=True, **SETTINGS) as lexicon:
        lexicon.add(folder / "paper.conllu")
    return folder / "paper.duckdb"


def nodes(rows: Iterable[Any]) -> Nodes:
    """The nodes of an APT from its rows of path, context, weight."""
    found: Nodes = {}
    for path, context, weight in rows:
        assert context not in found.setdefault(path, Counter())
        found[path][context] = weight
    return found


def columns(figure: Mapping[str, str]) -> Nodes:
    """The nodes of an APT as a figure has them; empty ones are not displayed."""
    return {path: Counter(column.split()) for path, column in figure.items() if column}


def asked(database: Database, question: str) -> Nodes:
    """The answer to a question in raw counts."""
    return nodes(database.rows(f"FROM {question[:-1]}, weights := 'raw_count')"))


def alone(lexeme: str) -> str:
    """A phrase of one word of folded dry clothes, at its offset."""
    return literal([{"lexeme": lexeme, "delta": DELTAS[lexeme]}])


def aligned(lexeme: str) -> Nodes:
    """The nodes of one of the three APTs of figure 6."""
    which = list(DELTAS).index(lexeme)
    return columns({path: column[which] for path, column in FIGURE_6.items()})


def summed() -> Nodes:
    """The three nodes of each column of figure 6 in one."""
    return columns({path: " ".join(column) for path, column in FIGURE_6.items()})


@pytest.mark.thorough
def test_cooccurrences_of_white(counted: Counted) -> None:
    """Section 2.1, of tree a; the eight are all there are, one for each word of the tree.

    Printed before reduction is introduced: <amod>amod of fizzy and dry reduces to ε, <amod>amod>advmod to >advmod.
    """
    database = counted([TREES["a"]], **SETTINGS)
    assert {key: n for key, n in triples(database).items() if key[0] == "white/JJ"} == {
        ("white/JJ", "<amod<dobj>nsubj", "we/PRP"): 1,
        ("white/JJ", "<amod<dobj", "bought/VBD"): 1,
        ("white/JJ", "<amod>det", "the/DT"): 1,
        ("white/JJ", ">advmod", "slightly/RB"): 1,
        ("white/JJ", "", "fizzy/JJ"): 1,
        ("white/JJ", "", "dry/JJ"): 1,
        ("white/JJ", "", "white/JJ"): 1,
        ("white/JJ", "<amod", "wine/NN"): 1,
    }


@pytest.mark.parametrize(*read_cases("questions/worked_paths"))
def test_worked_paths(memory: Database, expression: str, path: str | None) -> None:
    assert memory.value(f"SELECT {expression}") == path


@pytest.mark.thorough
@pytest.mark.parametrize("lexeme", FIGURE_2)
def test_elementary_apts(paper: Database, lexeme: str) -> None:
    """Figure 2, node by node."""
    assert asked(paper, f"apt('{lexeme}')") == columns(FIGURE_2[lexeme])


@pytest.mark.thorough
@pytest.mark.parametrize("lexeme", FADED)
def test_offset_apts(paper: Database, lexeme: str) -> None:
    """Figure 3: all nodes at their new places, without the faded ones, which are in the APT that is not offset."""
    moved = asked(paper, f"compose({alone(lexeme)})")
    assert moved == aligned(lexeme)
    faded = columns(FADED[lexeme])
    assert not {word for node in faded.values() for word in node} & {word for node in moved.values() for word in node}
    unmoved = asked(paper, f"apt('{lexeme}')")
    assert {path: unmoved[path] for path in faded} == faded
    assert len(unmoved) == len(moved) + len(faded)


def test_offsets_of_the_phrase() -> None:
    """Section 4.1: the path from each word of figure 5 to folded."""
    words = {word["lexeme"]: word["delta"] for word in Phrase.parse(PHRASE).words()}
    assert words == DELTAS


@pytest.mark.thorough
def test_folded_dry_clothes(paper: Database) -> None:
    """Figure 6: each column is one node, the sum of its three."""
    composed = asked(paper, f"compose({literal(Phrase.parse(PHRASE).words())}, merge := 'sum')")
    assert composed == summed()
    assert composed[""] == {"folded/VBD": 5, "bought/VBD": 2, "hung/VBD": 1}  # the third column, as the text has it


@pytest.mark.thorough
def test_what_folded_dry_clothes_share(paper: Database) -> None:
    """The least of the three nodes of each column of figure 6; it comes to tree c, the one that all three are in."""
    composed = asked(paper, f"compose({literal(Phrase.parse(PHRASE).words())}, merge := 'min')")
    shared = {path: aligned("dry/JJ").get(path, Counter()) for path in FIGURE_6}
    for lexeme in ("clothes/NNS", "folded/VBD"):
        shared = {path: node & aligned(lexeme).get(path, Counter()) for path, node in shared.items()}
    assert composed == {path: node for path, node in shared.items() if node}
    assert composed == columns(
        {
            ">nsubj": "he/PRP",
            "": "folded/VBD",
            ">dobj>det": "the/DT",
            ">dobj>amod": "clean/JJ dry/JJ",
            ">dobj": "clothes/NNS",
        }
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("lexeme", DELTAS)
def test_a_word_in_its_context(paper: Database, lexeme: str) -> None:
    """Section 4.3, equation 11: the composed APT, its anchor moved back to the word."""
    words = Phrase.parse(PHRASE).words()
    number = [word["lexeme"] for word in words].index(lexeme) + 1
    back = inverse(DELTAS[lexeme])
    expected = {offset(path, back): node for path, node in summed().items()}
    assert asked(paper, f"compose({literal(words)}, anchor := {number})") == expected


def test_in_plain_sql(file: Path) -> None:
    """The same from the file, with nothing but DuckDB: counts, an offset over them, and composition."""
    with duckdb.connect(str(file), read_only=True) as client:
        counts = "SELECT path, context, count FROM cooccurrences WHERE lexeme = $lexeme"
        moved = (
            f"FROM (SELECT path_offset(path, $delta) AS path, context, count FROM ({counts})) WHERE path IS NOT NULL"
        )
        for lexeme, delta in DELTAS.items():
            assert nodes(client.execute(counts, {"lexeme": lexeme}).fetchall()) == columns(FIGURE_2[lexeme])
            assert nodes(client.execute(moved, {"lexeme": lexeme, "delta": delta}).fetchall()) == aligned(lexeme)
        words = literal([{"lexeme": lexeme, "delta": delta} for lexeme, delta in DELTAS.items()])
        assert nodes(client.sql(f"FROM compose({words}, weights := 'raw_count')").fetchall()) == summed()
