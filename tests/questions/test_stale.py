"""What is stale after a change says so by every door: bare SQL refuses it or has a state, Python and commands warn."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb import Lexicon, QuestionError, StaleDataWarning
from aptdb.store.definitions import list_described_objects
from support.cases import read_cases
from support.commands import ask
from support.corpora import noun_phrase
from support.lexicons import copied, new_lexicon
from twins.trees import conllu

IGNORED = ("with .* tokens a space", ".* (too few for|have no sense)", ".* which each corpus before has")
pytestmark = pytest.mark.filterwarnings(*(f"ignore:{each}:aptdb.IncompleteDataWarning" for each in IGNORED))
KINDS = {"dog": ("small", "old", "big"), "cat": ("small", "lazy", "big"), "bank": ("old", "rich", "wet", "green")}
PHRASES = [noun_phrase(noun, each) for noun, kind in KINDS.items() for each in kind for _ in range(6)]
YEARS = zip((1999, 2000), (PHRASES[:30], PHRASES[30:]), strict=True)
CORPUS = "".join(f"# newdoc id = {year}\n# meta::year = {year}\n{conllu(each)}" for year, each in YEARS).encode()
MORE = conllu([noun_phrase("dog", "lazy"), noun_phrase("bank", "wet")]).encode()
OTHER = conllu([noun_phrase("hen", "wet")]).encode()  # beside `first` where the second is removed
# A question in SQL that reads each kind of derived data, and what it says where that is stale.
OF_ENTRY = "is stale, because the lexicon, or an entry in it, has changed;"
ENTRY = f"the entry old dog {OF_ENTRY} compose it again by: aptdb refresh LEXICON"
SENSE = f"the entry bank/N#1 {OF_ENTRY} find it again by: aptdb refresh LEXICON"
SPACE = "the space words is stale, because the lexicon has changed; make it again by: aptdb refresh LEXICON words"
SUBCORPUS = (
    "the subcorpus first is stale, because the lexicon has changed; count it again by: aptdb refresh LEXICON first"
)
QUESTIONS = read_cases("questions/stale")[1]
VIEWS = {
    "entries": "stored", "entry_weights": "stored", "spaces": "kept", "space_vectors": "kept", "senses": "kept",
    "sense_occurrences": "kept", "subcorpora": "kept",
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon with something of each kind that is derived from counts."""
    file = tmp_path_factory.mktemp("stale") / "made.duckdb"
    with new_lexicon(file, CORPUS, name="first") as lexicon:
        lexicon.add(io.BytesIO(MORE), name="second")
        lexicon.add(io.BytesIO(OTHER), name="last")
        lexicon.subcorpus("first", "corpus = 'first'")
        lexicon.weigh("strong", scheme="ppmi", keep=True)
        lexicon.weigh("of_first", scheme="ppmi", subcorpus="first")
        lexicon.save("old dog", "dog/N[amod old/A]")
        lexicon.reduce("words", dimensions=6, shift=1.0, min_frequency=1, min_feature_count=1, pos="N,A")
        lexicon.save_senses("bank/N", groups=2)
    return file


CHANGES: dict[str, Callable[[Lexicon], Any]] = {
    "add": lambda lexicon: lexicon.add(io.BytesIO(MORE * 3), name="third"),
    "remove": lambda lexicon: lexicon.remove("second"),
    "replace": lambda lexicon: lexicon.add(io.BytesIO(MORE * 2), name="second", replace=True),
}


def states(client: duckdb.DuckDBPyConnection) -> dict[str, str]:
    found = {name: client.execute(f"SELECT DISTINCT state FROM {name}").fetchall() for name in VIEWS}
    return {name: " ".join(state for (state,) in rows) for name, rows in found.items()}


@pytest.mark.sampled
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.thorough
def test_bare_sql_says_so(made: Path, tmp_path: Path, change: str) -> None:
    """Each question is answered before a change, refused after it, also compacted, and answered once refreshed."""
    file = copied(made, tmp_path / "own.duckdb")
    with duckdb.connect(str(file), read_only=True) as client:
        assert states(client) == VIEWS
        for question, _ in QUESTIONS:
            assert client.execute(question).fetchall() is not None
    with Lexicon.open(file) as lexicon:
        CHANGES[change](lexicon)
        lexicon.compact()
    with duckdb.connect(str(file), read_only=True) as client:
        assert states(client) == dict.fromkeys(VIEWS, "stale")
        for question, said in QUESTIONS:
            with pytest.raises(duckdb.Error, match=said):
                client.execute(question).fetchall()
        assert {*client.execute("SELECT sentence FROM sense_occurrences").fetchall()} == {(None,)}
        assert client.execute("SELECT DISTINCT state FROM weightings WHERE name = 'strong'").fetchall() == [("stale",)]
        assert client.execute("FROM strong EXCEPT FROM ppmi").fetchall() == []  # computed, so never old
        client.execute("SET VARIABLE aptdb_allow_stale = ['words', 'old dog']")
        allowed = [question for question, said in QUESTIONS if said in (ENTRY, SPACE)]
        for question in allowed:
            assert client.execute(question).fetchall() is not None
        with pytest.raises(duckdb.Error, match=SENSE):
            client.execute("FROM apt('bank/N#1')").fetchall()
    with Lexicon.open(file) as lexicon:
        lexicon.stored.refresh()
    with duckdb.connect(str(file), read_only=True) as client:
        assert states(client) == VIEWS
        for question, _ in QUESTIONS:
            assert client.execute(question).fetchall() is not None


@pytest.mark.parametrize(("parameter", "said"), [("space", SPACE), ("subcorpus", SUBCORPUS)])
def test_every_function_takes_part(parameter: str, said: str) -> None:
    """Each that takes a space, or a subcorpus, is asked about one that is stale."""
    takes = {each.name for each in list_described_objects() if f"{parameter} := " in (each.parameters or "")}
    asked = " ".join(question for question, refusal in QUESTIONS if refusal == said)
    assert takes - {*re.findall(r"\w+", asked)} == set()


@pytest.mark.thorough
def test_what_changes_nothing_leaves_all_current(made: Path, tmp_path: Path) -> None:
    file = copied(made, tmp_path / "own.duckdb")
    with Lexicon.open(file) as lexicon:
        lexicon.compact()
    with duckdb.connect(str(file), read_only=True) as client:
        assert states(client) == VIEWS


@pytest.mark.thorough
def test_python_and_commands_warn(made: Path, tmp_path: Path) -> None:
    """Where the answer is that from before the change; their SQL refuses what nobody warned of, as bare SQL does."""
    file = copied(made, tmp_path / "own.duckdb")
    with Lexicon.open(file) as lexicon:
        before = lexicon.apt("old dog").rows
        CHANGES["add"](lexicon)
        with pytest.warns(StaleDataWarning, match="old dog was composed before the lexicon last changed"):
            assert lexicon.apt("old dog").rows == before
        with pytest.warns(StaleDataWarning, match="the space words was made before"):
            assert lexicon.neighbours("cat/N", space="words").rows
        with pytest.warns(StaleDataWarning, match="the space words was made before"):
            assert lexicon.sql("FROM neighbours('cat/N', space := 'Words')").rows
        for question, said in (("FROM apt('old dog')", ENTRY), ("FROM neighbours('cat/N', space := $s)", SPACE)):
            with pytest.raises(QuestionError) as refused:
                lexicon.sql(question, {"s": "words"} if "$" in question else None)
            assert str(refused.value) == said
        with pytest.warns(StaleDataWarning, match="composed before"):
            assert lexicon.neighbours("old dog", min_frequency=1).rows
        with pytest.warns(StaleDataWarning, match="the space words was made before"):
            lexicon.export(tmp_path / "words.vec", space="Words")
    exported = ask("export", file, "--space", "words", "-o", tmp_path / "words.npy")
    assert exported.exit_code == 0
    assert "the space words was made before the lexicon last changed" in exported.stderr
    shown = ask("apt", file, "old dog")
    assert shown.exit_code == 0
    assert "old dog was composed before the lexicon last changed" in shown.stderr
    refused_there = ask("sql", file, "FROM apt('old dog')")
    assert (refused_there.exit_code, refused_there.stderr) == (1, f"aptdb: {ENTRY}\n")
    assert "stale" in ask("sql", file, "SELECT DISTINCT state FROM entry_weights").stdout
