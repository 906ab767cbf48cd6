"""Exports: each format read back by its own library, or as its description says, holds what `FROM ppmi(…)` gives."""

import math
import resource
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from aptdb import Lexicon, QuestionError
from aptdb.core.errors import AptError
from aptdb.questions import export
from aptdb.questions import export as exchange
from aptdb.questions.calls import call
from aptdb.store.database import Database
from aptdb.store.session import Session
from support.app import app
from support.corpora import noun_phrase as pair
from support.lexicons import Counted, lexicon_of
from support.runs import examples
from support.strategies import corpora
from support.weights import weightings
from twins.trees import Token

Triples = dict[tuple[str, str, str], float]  # lexeme, path, context: weight
ENDINGS = ("parquet", "tsv", "sm", "npz", "vec")


ODD = [
    pair("dog", "small"), pair("dog", "brown"), pair("cat", "small"), pair("hot dog", "brown"),
    pair("hot dog", "big"), pair("a|b", "small", "a|b"), pair('"q\'uote"', "big"), pair("größe", "日本 語"),
    pair("#", "\\"), pair("cow", "big"), pair("no\u2028line", "nb\u00a0sp"),
]  # fmt: skip


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of names that are hard to write."""
    file = tmp_path_factory.mktemp("odd") / "odd.duckdb"
    lexicon_of(file, {"odd": ODD})
    with duckdb.connect(str(file)) as client:
        client.execute("CREATE VIEW doubled AS SELECT lexeme, path, context, 2 * weight AS weight FROM ppmi")
        client.execute("CREATE VIEW nothing AS FROM ppmi WHERE false")
        client.execute("CREATE VIEW twice AS FROM ppmi UNION ALL FROM ppmi")
        client.execute("CREATE VIEW clashing AS FROM ppmi UNION ALL SELECT 'hot_dog/N', '', 'dog/N', 1")
        client.execute("CREATE VIEW torn AS FROM ppmi UNION ALL SELECT 'tab\there', 'ε', 'end' || chr(10), 1e-300")
        client.execute("CREATE VIEW mixed AS FROM ppmi UNION ALL SELECT * FROM (VALUES "
                       "('new/N', '<x', 'y|z', 0.1), ('new/N', '<x|y', 'z', 0.3), ('a', NULL, 'b', 1))")  # fmt: skip
    return file


@pytest.fixture
def lexicon(odd: Path) -> Iterator[Lexicon]:
    """The same, opened."""
    with Lexicon.open(odd) as opened:
        yield opened


def feature(path: str, context: str) -> str:
    """A feature as the text formats write it."""
    return f"{path or 'ε'}|{context}"


def joined(name: str) -> str:
    """A name without white space, as Python splits at it."""
    return "".join("_" if character.isspace() else character for character in name)


def parquet(file: Path) -> Triples:
    """What pyarrow reads, which must be sorted."""
    import pyarrow.parquet as pq

    table = pq.read_table(file)
    assert table.column_names == ["lexeme", "path", "context", "weight"]
    rows = [tuple(row.values()) for row in table.to_pylist()]
    keys = [tuple(text.encode() for text in row[:3]) for row in rows]
    assert keys == sorted(keys)
    return {row[:3]: row[3] for row in rows}


def byblo(file: Path) -> dict[tuple[str, str], float]:
    """A line for each entry: entry, then features and weights, with tabs between them."""
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        entry, *cells = line.split("\t")
        for name, weight in zip(cells[::2], cells[1::2], strict=True):
            assert (entry, name) not in found
            found[entry, name] = float(weight)
    return found


def dissect(file: Path) -> dict[tuple[str, str], float]:
    """Words of a row, a column and a value in a line; all of them named, a line each, in two more files."""
    names = [file.with_suffix(ending).read_text(encoding="utf-8").split() for ending in (".rows", ".cols")]
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        row, column, value = line.split()
        found[row, column] = float(value)
    assert [set(each) for each in names] == [{key[place] for key in found} for place in (0, 1)]
    assert [len(set(each)) for each in names] == [len(each) for each in names]
    assert file.read_text(encoding="utf-8").count("\n") == len(found)
    return found


def sparse(file: Path) -> dict[tuple[str, str], float]:
    """What scipy reads, with the names of rows and columns from the files beside it."""
    from scipy.sparse import csr_array, load_npz

    matrix = load_npz(file)
    assert isinstance(matrix, csr_array)
    rows, columns = (file.with_suffix(end).read_text(encoding="utf-8").splitlines() for end in (".rows", ".cols"))
    assert matrix.shape == (len(rows), len(columns))
    cells = matrix.tocoo()
    places = zip(cells.row.tolist(), cells.col.tolist(), cells.data.tolist(), strict=True)
    return {(rows[row], columns[column]): value for row, column, value in places}


READERS: dict[str, Callable[[Path], dict[Any, float]]] = {
    "parquet": parquet, "tsv": byblo, "sm": dissect, "npz": sparse,
}  # fmt: skip


def expected(ending: str, triples: Triples) -> dict[Any, float]:
    """Weights by the names that a format has for them."""
    if ending == "parquet":
        return dict(triples)
    written = joined if ending == "sm" else lambda name: name.replace("\u2028", "_")
    return {(written(lexeme), written(feature(path, c))): weight for (lexeme, path, c), weight in triples.items()}


def triples(lexicon: Lexicon, relation: str) -> Triples:
    """The rows of a relation of weights."""
    rows = lexicon.sql(f"SELECT lexeme, path, context, weight FROM {relation}").rows
    return {row[:3]: row[3] for row in rows}


@pytest.mark.thorough
@pytest.mark.parametrize("ending", READERS)
@pytest.mark.parametrize("parameters", [{}, {"weights": "lmi", "cds": 0.75, "min_frequency": 2}, {"max_order": 0}])
def test_each_format_holds_the_same_numbers(
    lexicon: Lexicon, tmp_path: Path, ending: str, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PART", 30)
    monkeypatch.setattr(export, "NAMES", 20)
    given_ = {name: value for name, value in parameters.items() if name != "weights"}
    asked = ", ".join(f"{name} := {value}" for name, value in given_.items())
    wanted = triples(lexicon, f"{parameters.get('weights', 'ppmi')}({asked})")
    file = tmp_path / f"all.{ending}"
    calls: list[tuple[int, int]] = []
    written = lexicon.export(file, progress=lambda *both: calls.append(both), **parameters)
    assert READERS[ending](file) == expected(ending, wanted)
    assert (written.weights, written.lexemes) == (len(wanted), len({key[0] for key in wanted}))
    assert sorted(written.files) == sorted(tmp_path.iterdir())
    assert calls[0] == (0, len(wanted))
    assert calls[-1] == (len(wanted), len(wanted))
    assert calls == sorted(calls)


class Reading:
    """A session whose database is there."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def reading(self) -> Database:
        """The database."""
        return self.database

    @contextmanager
    def copying(self, _: Path) -> Iterator[Database]:
        """The database, which may write anywhere."""
        yield self.database


@pytest.mark.thorough
@examples(3)
@given(corpora(), weightings(), st.integers(1, 9))
def test_random_lexicons(
    counted: Counted, sentences: list[list[Token]], weighting: tuple[str, dict[str, Any]], size: int
) -> None:
    database, (scheme, parameters) = counted(sentences), weighting
    wanted = from_database(database, scheme, parameters)
    assume(wanted)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "PART", size)
        for ending, read in READERS.items():
            file = Path(folder) / f"{ending}.{ending}"
            given_ = {"weights": scheme, **parameters}
            exchange.export(cast(Session, Reading(database)), file, **given_)
            assert read(file) == expected(ending, wanted)


def from_database(database: Database, scheme: str, parameters: dict[str, Any]) -> Triples:
    """The rows of a scheme's function."""
    asked = call("export", [], parameters).removeprefix("export")
    rows = database.rows(f"SELECT lexeme, path, context, weight FROM {scheme}{asked}")
    return {row[:3]: row[3] for row in rows}


@examples(30)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_a_number_is_read_back_as_the_same(memory: Database, weights: list[float]) -> None:
    """DuckDB writes no more digits than that takes, as Python does."""
    for weight, (text,) in zip(
        weights, memory.rows("SELECT unnest($weights::DOUBLE[])::VARCHAR", {"weights": weights}), strict=True
    ):
        assert math.copysign(1, float(text)) == math.copysign(1, weight)
        assert float(text) == weight
        assert len(text.strip("-").replace(".", "").partition("e")[0].strip("0")) <= 17


@pytest.mark.thorough
def test_names_that_a_format_cannot_hold(lexicon: Lexicon, tmp_path: Path) -> None:
    """White space becomes _, and it is said how often; where two names would fall together all is refused."""
    assert lexicon.export(tmp_path / "a.parquet").renamed == 0
    assert lexicon.export(tmp_path / "a.npz").renamed == len(
        {key[place] for key in sparse(tmp_path / "a.npz") for place in (0, 1) if "no_line" in key[place]}
    )
    names = {*triples(lexicon, "ppmi")}
    renamed = {key[0] for key in names if joined(key[0]) != key[0]} | {
        key[1:] for key in names if joined(key[2]) != key[2]
    }
    assert lexicon.export(tmp_path / "s.sm").renamed == len(renamed)
    assert ("hot_dog/N", "ε|hot_dog/N") in dissect(tmp_path / "s.sm")
    for ending in ("sm", "vec"):
        with pytest.raises(QuestionError, match="the lexemes 'hot dog/N' and 'hot_dog/N' would both be written"):
            lexicon.export(tmp_path / f"b.{ending}", weights="clashing", dimensions=2 if ending == "vec" else None)
    lexicon.export(tmp_path / "b.tsv", weights="clashing")
    for ending in ("tsv", "sm", "npz"):
        with pytest.raises(QuestionError, match=r"the features '<x\|y\|z' and '<x\|y\|z' would both be written"):
            lexicon.export(tmp_path / f"c.{ending}", weights="mixed")
    lexicon.export(tmp_path / "d.tsv", weights="torn")
    assert byblo(tmp_path / "d.tsv")["tab_here", "ε|end_"] == 1e-300


@pytest.mark.thorough
def test_weights_of_ones_own_and_kept_ones(odd: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.duckdb"
    file.write_bytes(odd.read_bytes())
    with Lexicon.open(file) as lexicon:
        lexicon.export(tmp_path / "a.parquet", weights="doubled")
        assert parquet(tmp_path / "a.parquet") == triples(lexicon, "doubled")
        lexicon.export(tmp_path / "b.parquet", weights="mixed")
        assert parquet(tmp_path / "b.parquet") == {
            **triples(lexicon, "ppmi"), ("new/N", "<x", "y|z"): 0.1, ("new/N", "<x|y", "z"): 0.3,
        }  # fmt: skip
        lexicon.export(tmp_path / "c.parquet", weights="torn")
        assert parquet(tmp_path / "c.parquet")["tab\there", "", "end\n"] == 1e-300
        lexicon.weigh("mine", shift=1.1, cds=0.75, keep=True)
        lexicon.export(tmp_path / "d.sm", weights="Mine")
        assert dissect(tmp_path / "d.sm") == expected("sm", triples(lexicon, "ppmi(shift := 1.1, cds := 0.75)"))


@pytest.mark.thorough
def test_vectors_that_gensim_reads(lexicon: Lexicon, tmp_path: Path) -> None:
    models = pytest.importorskip("gensim.models")
    written = lexicon.export(tmp_path / "a.vec", dimensions=3)
    assert written.renamed == len([key for key in {key[0] for key in triples(lexicon, "ppmi")} if joined(key) != key])
    model = models.KeyedVectors.load_word2vec_format(str(tmp_path / "a.vec"), binary=False)
    assert model.vectors.shape == (written.lexemes, 3)
    assert {"hot_dog/N", "größe/N", "日本_語/A", "#/N", "\\/A"} <= set(model.key_to_index)
    lexicon.export(tmp_path / "again.txt", dimensions=3)
    assert (tmp_path / "again.txt").read_bytes() == (tmp_path / "a.vec").read_bytes()
    found = np.array([line.split()[1:] for line in (tmp_path / "a.vec").read_text().split("\n")[1:-1]], float)
    assert model.vectors.tolist() == found.astype(np.float32).tolist()
    assert (found[np.abs(found).argmax(axis=0), range(3)] > 0).all()


@pytest.mark.parametrize("shape", [(30, 50), (50, 30), (8, 8)])
def test_reduced_vectors_are_the_dense_decomposition(shape: tuple[int, int]) -> None:
    """U·S·Sᵀ·Uᵀ of as many dimensions, whatever their signs, also where the matrix has fewer of its own."""
    from scipy.sparse import csr_array

    chance = np.random.default_rng(1)
    matrix = csr_array(chance.random(shape) * (chance.random(shape) < 0.3))
    left, sizes, _ = np.linalg.svd(matrix.toarray())
    for dimensions in (1, 3, 7):
        vectors = exchange.reduced(matrix, dimensions)
        whole = left[:, :dimensions] * sizes[:dimensions]
        np.testing.assert_allclose(vectors @ vectors.T, whole @ whole.T, atol=1e-10)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=0), sizes[:dimensions], rtol=1e-9)
    flat = csr_array(np.outer(np.arange(1.0, 9.0), np.ones(9)))
    vectors = exchange.reduced(flat, 4)
    np.testing.assert_allclose(vectors @ vectors.T, (flat @ flat.T).toarray(), atol=1e-8)


@pytest.mark.thorough
def test_the_format_may_be_named(lexicon: Lexicon, tmp_path: Path) -> None:
    assert lexicon.export(tmp_path / "space.v1", format="dissect").files == tuple(
        tmp_path / f"space.v1{ending}" for ending in ("", ".rows", ".cols")
    )
    lexicon.export(tmp_path / "b.txt", format="byblo")
    assert byblo(tmp_path / "b.txt") == expected("tsv", triples(lexicon, "ppmi"))
    lexicon.export(tmp_path / "C.PARQUET")
    assert parquet(tmp_path / "C.PARQUET") == triples(lexicon, "ppmi")


@pytest.mark.thorough
@pytest.mark.parametrize("confined", [True, False])
def test_what_is_named_is_written(odd: Path, tmp_path: Path, confined: bool) -> None:
    """A lexicon that reaches no other file still writes the one that its user names, and leaves nothing beside it."""
    with Lexicon.open(odd, confined=confined) as lexicon:
        lexicon.export(tmp_path / "a.parquet")
        assert lexicon.sql("SELECT 1").rows == [(1,)]
    assert [each.name for each in tmp_path.glob("a.*")] == ["a.parquet"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk_leaves_nothing(lexicon: Lexicon, tmp_path: Path, ending: str) -> None:
    """Files may not grow beyond some bytes, which is an error as when a disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, before[1]))
    try:
        with pytest.raises(AptError) as refusal:
            lexicon.export(tmp_path / f"a.{ending}", dimensions=2 if ending == "vec" else None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "\n" not in str(refusal.value)
    assert "cannot be written: File too large" in str(refusal.value)
    assert not [*tmp_path.iterdir()]


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_stopped_leaves_nothing(
    lexicon: Lexicon, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PART", 30)
    calls: list[int] = []

    def stop(done: int, _: int) -> None:
        calls.append(done)
        if len(calls) == 2:
            raise KeyboardInterrupt

    dimensions = 2 if ending == "vec" else None
    with pytest.raises(KeyboardInterrupt):
        lexicon.export(tmp_path / f"a.{ending}", dimensions=dimensions, progress=stop)
    assert not [*tmp_path.iterdir()]
    assert len(lexicon.sql("FROM lexemes LIMIT 1")) == 1


def test_a_file_that_comes_meanwhile_stays(lexicon: Lexicon, tmp_path: Path) -> None:
    file = tmp_path / "a.sm"

    def come(*_: int) -> None:
        file.write_text("mine")

    with pytest.raises(QuestionError, match=r"has just created .*a\.sm"):
        lexicon.export(file, progress=come)
    assert [each.name for each in tmp_path.iterdir()] == ["a.sm"]
    assert file.read_text() == "mine"


@pytest.mark.thorough
def test_from_the_command_line(odd: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, shlex.split(f"export {odd} -o s.sm --weights lmi --min-count 1 --set cds=0.75"))
    assert answer.exit_code == 0
    assert answer.stdout == ""
    said = answer.stderr.splitlines()
    assert said[0].startswith("aptdb: s.sm, s.rows, s.cols: ")
    assert said[1].endswith("names have _ in place of white space, which s.sm cannot hold")
    with Lexicon.open(odd) as lexicon:
        assert dissect(Path("s.sm")) == expected("sm", triples(lexicon, "lmi(min_count := 1, cds := 0.75)"))


@pytest.mark.thorough
@pytest.mark.parametrize("pos", ["N", "A,N", " A , N "])
def test_only_some_parts_of_speech(lexicon: Lexicon, tmp_path: Path, pos: str) -> None:
    tags = {tag.strip() for tag in pos.split(",")}
    for weights in ("ppmi", "doubled"):
        file = tmp_path / f"{weights}.parquet"
        written = lexicon.export(file, weights=weights, pos=pos)
        wanted = {key: value for key, value in triples(lexicon, weights).items() if key[0].rpartition("/")[2] in tags}
        assert wanted
        assert parquet(file) == wanted
        assert written.weights == len(wanted)


def test_a_reduction_tells_how_far_it_is(lexicon: Lexicon, tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    written = lexicon.export(tmp_path / "a.vec", dimensions=2, progress=lambda *both: calls.append(both))
    assert len(calls) > 5
    assert calls == sorted(calls)
    assert {total for _, total in calls} == {written.weights}
    assert all(done < total for done, total in calls[:-1])
    assert calls[-1] == (written.weights, written.weights)
