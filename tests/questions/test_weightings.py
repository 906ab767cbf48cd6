"""Weightings that have a name: what they record, that what is kept is what would be computed, how they grow stale."""

import io
import math
from collections.abc import Collection, Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import numpy as np
import pytest
from alembic import command
from alembic.config import Config
from hypothesis import given
from hypothesis import strategies as st

from aptdb import Lexicon
from aptdb.core.errors import StaleDataWarning
from aptdb.questions import weightings as named
from aptdb.store import compaction, schema
from aptdb.store.database import Database
from aptdb.store.limits import Limits
from aptdb.store.statements import literal, resource
from support.clients import change_file
from support.corpora import noun_phrase as pair
from support.lexicons import Counted, copied, make_lexicon, new_lexicon
from support.runs import examples, thorough
from support.strategies import corpora
from support.weights import arguments, weightings
from twins.trees import Token, conllu

PHRASE = "[{'lexeme': 'dog/N', 'delta': ''}, {'lexeme': 'small/A', 'delta': '<amod'}]"
PARAMETERS: dict[str, Any] = {"shift": 1.1, "cds": 0.75}


FIRST = [
    pair("dog", "small"), pair("dog", "brown"), pair("dog", "loud"), pair("cat", "small"), pair("cat", "loud"),
    pair("cow", "brown"), pair("tree", "tall"), pair("tree", "green"), pair("house", "tall"), pair("house", "green"),
]  # fmt: skip
SECOND = [pair("dog", "old"), pair("cat", "old")]


def stream(sentences: list[list[Token]]) -> io.BytesIO:
    """Sentences as a source."""
    return io.BytesIO(conllu(sentences).encode())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of a few noun phrases, to be copied; and the same with a weighting that is kept."""
    folder = tmp_path_factory.mktemp("made")
    make_lexicon(folder / "farm.duckdb", stream(FIRST), name="first")
    copied(folder / "farm.duckdb", folder / "kept.duckdb")
    with Lexicon.open(folder / "kept.duckdb") as lexicon:
        lexicon.weigh("mine", keep=True, **PARAMETERS)
    return folder


@pytest.fixture
def farm(made: Path, tmp_path: Path) -> Path:
    """A lexicon of a few noun phrases."""
    return copied(made / "farm.duckdb", tmp_path)


@pytest.fixture
def kept(made: Path, tmp_path: Path) -> Iterator[Lexicon]:
    """The same, with a weighting that is kept."""
    with Lexicon.open(copied(made / "kept.duckdb", tmp_path / "farm.duckdb")) as lexicon:
        yield lexicon


@pytest.mark.thorough
@examples(10)
@given(
    corpora(most=8),
    st.lists(weightings(), min_size=1, max_size=2),
    st.sampled_from(("constant", "harmonic")),
    st.sampled_from((1, 20, 2_000_000)),
)
def test_what_is_kept_is_what_is_computed(
    counted: Counted, sentences: list[list[Token]], asked: list[tuple[str, dict[str, Any]]], phi: str, at_once: int
) -> None:
    """APTs, compositions and neighbours, by every scheme, however many are kept at once, to a rounding."""
    database = counted(sentences)
    limits = Limits(memory=at_once * named.BYTES_OF_WEIGHT)
    lexemes = [row[0] for row in database.rows("SELECT lexeme FROM lexemes ORDER BY lexeme")]
    most = database.value("SELECT max(count) FROM cooccurrences")
    phrase = literal([{"lexeme": lexemes[0], "delta": ""}, {"lexeme": lexemes[-1], "delta": "<r"}])
    for scheme, parameters in asked:
        if parameters.get("min_count", 0) > most:
            continue  # which questions refuse
        with (
            database.transaction(),
            patch.object(compaction, "LEAST_ROWS", 1),
            patch.object(database, "limits", limits),
        ):
            named.record_weighting(database, named.Definition("mine", scheme, phi, parameters), keep=True)
        given_ = f"weights := '{scheme}', {arguments(parameters)}" if parameters else f"weights := '{scheme}'"
        for question, also in (
            (f"apt({literal(lexemes[0])}, ", ""),
            (f"compose({phrase}, merge := 'max', missing := 'empty', ", ""),
            (f"neighbours({literal(lexemes[0])}, pos := 'any', min_frequency := 1, top := 100, ", f", phi := '{phi}'"),
            (
                f"neighbours({phrase}, missing := 'empty', pos := 'any', min_frequency := 1, top := 100, ",
                f", phi := '{phi}'",
            ),
        ):
            if "min_frequency" in parameters and "neighbours" in question:
                continue  # what neighbours calls so is another thing: that of the neighbours
            alike(
                database.rows(f"FROM {question} weights := 'mine')"), database.rows(f"FROM {question} {given_}{also})")
            )
        with database.transaction():
            named.forget_weightings(database, ["mine"])
            schema.renew(database)


def alike(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    """The same rows with the same numbers, those aside that are 0 but for rounding."""
    ours, theirs = ({tuple(row[:-1]): row[-1] for row in rows} for rows in (found, expected))
    for key in ours.keys() | theirs.keys():
        assert math.isclose(ours.get(key, 0.0), theirs.get(key, 0.0), rel_tol=1e-9, abs_tol=1e-12), key


@pytest.mark.thorough
def test_the_heaviest_are_kept_of_all_contexts(tmp_path: Path) -> None:
    """Of as many lexemes as are, each has its heaviest: itself."""
    with new_lexicon(
        tmp_path / "l.duckdb", stream([pair(f"noun{number}", "small") for number in range(70)]), name="nouns"
    ) as lexicon:
        lexicon.weigh("mine", top_features=1, keep=True)
        (row,) = lexicon.apt("noun69/N", weights="mine").rows
        assert row[:2] == ("", "noun69/N")


@pytest.mark.thorough
def test_kept_weights_of_a_real_lexicon(english: Path, tmp_path: Path) -> None:
    """The same neighbours to the last digit shown, by several measures and path weightings."""
    file = tmp_path / "kept.duckdb"
    file.write_bytes(english.read_bytes())
    words = ("dog/NOUN", "good/ADJ", "say/VERB", "service/NOUN[amod good/ADJ]")
    with Lexicon.open(file) as lexicon:
        lexicon.weigh("mine", shift=10, cds=0.75, phi="harmonic", keep=True)
        for word in words:
            for asked in ({}, {"measure": "lin"}, {"phi": "constant"}, {"phi": "probability"}):
                ours: dict[str, Any] = {"weights": "mine", **asked}
                theirs: dict[str, Any] = {"shift": 10, "cds": 0.75, "phi": "harmonic", **asked}
                assert shown(lexicon.neighbours(word, **ours)) == shown(lexicon.neighbours(word, **theirs))
        ours_at_once = lexicon.neighbours_each(words, weights="mine")
        one_by_one = [row for word in words for row in lexicon.neighbours(word, weights="mine").rows]
        assert [(row[1], f"{row[2]:.4f}") for row in ours_at_once.rows] == [(w, f"{s:.4f}") for w, s in one_by_one]


def shown(answer: Any) -> list[tuple[str, str]]:
    """Neighbours as a table shows them."""
    return [(row[0], f"{row[1]:.4f}") for row in answer.rows]


@pytest.mark.thorough
def test_a_name_serves_wherever_weights_do(kept: Lexicon) -> None:
    for name in ("mine", "Mine"):
        assert kept.apt("dog/N", weights=name).rows == kept.apt("dog/N", **PARAMETERS).rows
        assert kept.similarity("dog/N", "cat/N", weights=name) == kept.similarity("dog/N", "cat/N", **PARAMETERS)
        assert kept.explain("dog/N", "cat/N", weights=name).rows == kept.explain("dog/N", "cat/N", **PARAMETERS).rows
        assert kept.diff("dog/N", "cat/N", weights=name).rows == kept.diff("dog/N", "cat/N", **PARAMETERS).rows
    composed = kept.sql(f"FROM compose({PHRASE}, weights := 'mine') ORDER BY ALL").rows
    assert composed == kept.sql(f"FROM compose({PHRASE}, shift := 1.1, cds := 0.75) ORDER BY ALL").rows
    view = kept.sql("FROM mine ORDER BY ALL").rows
    assert view == kept.sql("FROM ppmi(shift := 1.1, cds := 0.75) ORDER BY ALL").rows


@pytest.mark.thorough
def test_composed_first_it_stands_for_its_parameters(kept: Lexicon) -> None:
    ours = kept.compose("dog/N[amod small/A]", weights="mine", pipeline="compose-first")
    assert ours.rows == kept.compose("dog/N[amod small/A]", pipeline="compose-first", **PARAMETERS).rows


@pytest.mark.thorough
def test_its_own_phi_is_the_default_and_another_can_be_asked_for(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        lexicon.weigh("near", phi="probability", keep=True)
        own = lexicon.similarity("dog/N", "cat/N", weights="near")
        assert own == lexicon.similarity("dog/N", "cat/N", phi="probability")
        assert lexicon.neighbours("dog/N", weights="near").rows == lexicon.neighbours("dog/N", phi="probability").rows
        other = lexicon.neighbours("dog/N", weights="near", phi="constant")
        assert other.rows == lexicon.neighbours("dog/N").rows
        assert lexicon.apt("dog/N", weights="near").rows == lexicon.apt("dog/N").rows


@pytest.mark.thorough
def test_an_addition_makes_it_stale_and_a_refresh_brings_it_up(kept: Lexicon) -> None:
    before = kept.neighbours("dog/N", weights="mine").rows
    kept.add(stream(SECOND), name="second")
    assert kept.stored.weightings().column("state") == ["stale"]
    with pytest.warns(StaleDataWarning, match=r"mine are older .*aptdb refresh .* mine"):
        computed = kept.neighbours("dog/N", weights="mine").rows
    with pytest.warns(StaleDataWarning, match="the stored weights of mine"):
        kept.sql("SELECT count(*) FROM mine")
    assert computed != before
    assert computed == kept.neighbours("dog/N", **PARAMETERS).rows
    assert kept.stored.refresh(kind="weightings") == {"weightings": ["mine"]}
    assert kept.stored.refresh(kind="weightings") == {}
    assert kept.stored.refresh("mine", kind="weightings") == {
        "weightings": ["mine"]
    }  # by name, it is weighed again anyhow
    assert kept.stored.weightings().column("state") == ["kept"]
    assert kept.neighbours("dog/N", weights="mine").rows == computed
    with closing(Database(kept.file, read_only=True)) as database:
        assert database.value("SELECT count(*) FROM _store.kept_weight") == database.value("SELECT count(*) FROM mine")


@pytest.mark.thorough
def test_one_that_is_not_kept_is_never_stale(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        lexicon.weigh("mine", scheme="log_dice", min_count=1)
        lexicon.add(stream(SECOND), name="second")
        row = next(iter(lexicon.stored.weightings()))
        assert row == {
            "name": "mine", "scheme": "log_dice", "parameters": "min_count := 1", "phi": "constant",
            "state": "computed", "weights": None,
        }  # fmt: skip
        assert lexicon.apt("dog/N", weights="mine").rows == lexicon.apt("dog/N", weights="log_dice").rows


@pytest.mark.thorough
def test_recording_again(kept: Lexicon) -> None:
    """The same definition changes nothing, and keeps what was not kept."""
    kept.weigh("mine", **PARAMETERS)
    assert kept.stored.weightings().column("state") == ["kept"]
    kept.weigh("later", min_count=2)
    kept.weigh("later", keep=True)
    assert kept.stored.weightings().column("state") == ["kept", "kept"]


@pytest.mark.thorough
def test_forgetting(kept: Lexicon) -> None:
    kept.stored.forget("mine", kind="weightings")
    assert len(kept.stored.weightings()) == 0
    with closing(Database(kept.file, read_only=True)) as database:
        assert database.value("SELECT count(*) FROM _store.kept_weight") == 0
    kept.weigh("mine", shift=3)


# Macros, tables, parameters and temporary tables of the lexicon's own, and functions of DuckDB.
NOT_TAKEN = (
    "scope", "kept", "shift", "smooth", "ranked", "nearest", "node", "path", "lexeme", "context", "weight",
    "token", "word_line", "fault", "cooccurrence", "asked", "main", "sum",
)  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("names", [("scope", "kept"), *thorough([[*NOT_TAKEN]])], ids=len)
def test_internal_names_are_free(farm: Path, names: Collection[str]) -> None:
    """Under each of them additions go on, every kind of question works, and its view opens in a bare client."""
    keep = {"kept", "node", "lexeme"} & {*names}
    with Lexicon.open(farm) as lexicon:
        for name in names:
            lexicon.weigh(name, keep=name in keep, **PARAMETERS)
        lexicon.add(stream(SECOND), name="second")
        assert lexicon.stored.refresh(kind="weightings") == {"weightings": sorted(keep)}
        expected = some_answers(lexicon, PARAMETERS)
        for name in names:
            assert some_answers(lexicon, {"weights": name}) == expected
    with duckdb.connect(str(farm), read_only=True) as client:
        weights = client.sql("FROM ppmi(shift := 1.1, cds := 0.75) ORDER BY ALL").fetchall()
        near = client.sql("FROM neighbours('tree/N', shift := 1.1, cds := 0.75)").fetchall()
        assert near
        for name in names:
            assert client.sql(f"SELECT lexeme, path, context, weight FROM {name} ORDER BY ALL").fetchall() == weights
            assert client.sql(f"FROM neighbours('tree/N', weights := '{name}')").fetchall() == near


def some_answers(lexicon: Lexicon, weighting: dict[str, Any]) -> list[Any]:
    """What some kinds of questions answer under a weighting."""
    return [
        lexicon.apt("dog/N", **weighting).rows,
        lexicon.compose("dog/N[amod small/A]", **weighting).rows,
        lexicon.neighbours_each(["tree/N", "dog/N[amod old/A]"], **weighting).rows,
        lexicon.explain("tree/N", "house/N", **weighting).rows,
    ]


@pytest.mark.thorough
def test_in_a_plain_client_attached_and_used(kept: Lexicon, tmp_path: Path) -> None:
    kept.close()
    with duckdb.connect(str(kept.file), read_only=True) as client:
        expected = client.sql("FROM neighbours('dog/N', weights := 'mine')").fetchall()
        assert ("weightings",) in client.sql("SHOW TABLES").fetchall()
        assert len(client.sql("FROM mine").fetchall()) > 0
    with duckdb.connect() as client:
        client.execute(f"ATTACH '{kept.file}' AS farm (READ_ONLY)")
        client.execute("USE farm")
        assert client.sql("FROM neighbours('dog/N', weights := 'mine')").fetchall() == expected


@pytest.mark.thorough
def test_a_file_of_the_first_schema_is_migrated_and_used(kept: Lexicon) -> None:
    """Down to revision 0001, as an older aptdb left it, and up again: the same answers, and additions go on."""
    expected = kept.neighbours("dog/N").rows
    kept.stored.forget("mine", kind="weightings")
    kept.close()
    with closing(Database(kept.file, read_only=False)) as database:
        config = Config(attributes={"connection": database.connect_sqlalchemy()})
        config.set_main_option("script_location", str(resource("migrations")))
        with database.transaction():
            command.downgrade(config, "0001")
            for name in (name for names in schema.BROUGHT.values() for name in names):
                database.run(f"DROP VIEW IF EXISTS {name}")
            database.run("UPDATE _store.settings SET definitions = 'those of 0001'")
        assert schema.revision(database) == "0001"
        columns = database.rows("SELECT column_name FROM duckdb_columns() WHERE table_name = 'node'")
        assert [row[0] for row in columns] == ["lexeme_id", "path_id", "count"]
    with closing(Database(kept.file, read_only=False)) as database:
        assert schema.upgrade_schema(database) == "0001"
        ids = database.rows("SELECT count(*), count(DISTINCT id), max(id) FROM _store.node")[0]
        assert ids[0] == ids[1] == ids[2]
    with Lexicon.open(kept.file) as lexicon:
        assert lexicon.neighbours("dog/N").rows == expected
        lexicon.add(stream(SECOND), name="second")
        lexicon.weigh("mine", keep=True)
        assert lexicon.neighbours("dog/N", weights="mine").rows == lexicon.neighbours("dog/N").rows


@pytest.mark.thorough
def test_nodes_are_numbered_on_without_gaps(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        lexicon.add(stream(SECOND), name="second")
        lexicon.add(stream(FIRST), name="again", again=True)
    with closing(Database(farm, read_only=True)) as database:
        numbered = database.rows("SELECT count(*), count(DISTINCT id), min(id), max(id) FROM _store.node")[0]
    assert numbered[0] == numbered[1] == numbered[3]
    assert numbered[2] == 1


@pytest.mark.thorough
def test_a_view_of_ones_own_may_stand_on_it(kept: Lexicon) -> None:
    kept.close()
    change_file(kept.file, "CREATE VIEW doubled AS SELECT lexeme, path, context, 2 * weight AS weight FROM mine")
    with Lexicon.open(kept.file) as lexicon:
        plain = lexicon.apt("dog/N", weights="mine").rows
        assert lexicon.apt("dog/N", weights="doubled").rows == [(row[0], row[1], 2 * row[2]) for row in plain]


@pytest.mark.thorough
def test_parameters_are_recorded_in_the_order_of_the_macro(farm: Path) -> None:
    """Each under its own name, so that a weighting is what the same parameters give."""
    with Lexicon.open(farm) as lexicon:
        lexicon.weigh("mine", min_frequency=3, top_features=1, max_order=1, min_count=1, min_feature_count=2)
        ours = lexicon.sql("FROM mine ORDER BY ALL").rows
        asked = "min_frequency := 3, top_features := 1, max_order := 1, min_count := 1, min_feature_count := 2"
        assert ours == lexicon.sql(f"FROM ppmi({asked}) ORDER BY ALL").rows
        assert [(row[0], row[2]) for row in ours] == [("dog/N", "dog/N")]


@pytest.mark.thorough
def test_a_scheme_may_be_written_in_capitals(farm: Path) -> None:
    with Lexicon.open(farm) as lexicon:
        lexicon.weigh("mine", scheme="RAW_COUNT", keep=True)
        assert lexicon.apt("dog/N", weights="mine").rows == lexicon.apt("dog/N", weights="raw_count").rows
        assert lexicon.apt("dog/N", weights="PPMI").rows == lexicon.apt("dog/N").rows
        assert lexicon.sql("FROM mine ORDER BY ALL").rows == lexicon.sql("FROM raw_count ORDER BY ALL").rows


@pytest.mark.thorough
def test_one_whose_view_somebody_dropped_is_forgotten(kept: Lexicon) -> None:
    kept.close()
    change_file(kept.file, "DROP VIEW mine")
    with Lexicon.open(kept.file) as lexicon:
        lexicon.stored.forget("mine", kind="weightings")
        assert len(lexicon.stored.weightings()) == 0


@pytest.mark.thorough
def test_a_view_of_the_same_name_in_another_schema(farm: Path) -> None:
    """It is the user's own, and not the weighting's."""
    change_file(farm, "CREATE SCHEMA theirs; CREATE VIEW theirs.mine AS SELECT 5 AS x")
    with Lexicon.open(farm) as lexicon:
        lexicon.weigh("mine", scheme="raw_count")
        assert lexicon.sql("FROM mine ORDER BY ALL").rows == lexicon.sql("FROM raw_count ORDER BY ALL").rows


@pytest.mark.parametrize("shift", [np.int64(2), np.float32(2), Fraction(2)])
def test_numbers_of_any_kind_are_recorded(farm: Path, shift: Any) -> None:
    with Lexicon.open(farm) as lexicon:
        lexicon.weigh("mine", shift=shift)
        assert lexicon.sql("SELECT parameters FROM weightings").rows == [("shift := 2",)]
