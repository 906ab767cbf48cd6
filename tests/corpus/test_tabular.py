"""Tables of trees, as Parquet and as Arrow, give the text and the counts of their CoNLL-U."""

import random
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

from aptdb import CorpusError
from aptdb.corpus.tabular import TREES, as_parquet, is_table, kind_of_table, table_as_conllu
from support.runs import examples
from support.strategies import corpora
from twins.trees import Sentence, conllu

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed; see the extra arrow")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow has no Parquet")

pytestmark = pytest.mark.extra
few = examples(6)

Row = dict[str, Any]
ROWS: list[Row] = [
    {"sentence": "a", "id": 1, "form": "Dogs", "lemma": "dog", "upos": "NOUN", "head": 2, "deprel": "nsubj"},
    {"sentence": "a", "id": 2, "form": "bark", "lemma": None, "upos": None, "head": 0, "deprel": "root"},
    {"sentence": "b", "id": 1, "form": "So", "lemma": "so", "upos": "ADV", "head": 0, "deprel": "root"},
]
TEXT = (
    "# sent_id = a\n1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    "# sent_id = b\n1\tSo\tso\tADV\t_\t_\t0\troot\t_\t_\n"
)


def rows_of(sentences: list[Sentence]) -> list[Row]:
    """Sentences of the twin as rows of a table."""
    return [
        {"sentence": number, "id": place, **token._asdict(), "deprel": token.relation}
        for number, each in enumerate(sentences)
        for place, token in enumerate(each, 1)
    ]


def written(table: Any, file: Path, form: str) -> Path:
    """A table as a file."""
    if form == "parquet":
        pq.write_table(table, file, row_group_size=2)
        return file
    make = pa.ipc.new_file if form == "file" else pa.ipc.new_stream
    with make(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return file


def text_of(source: Any, place: str = "x.parquet") -> str:
    """The CoNLL-U text of a table."""
    with table_as_conllu(source, place) as file:
        return file.read_bytes().decode()


forms = pytest.mark.parametrize("form", ["parquet", "file", "stream"])


@forms
def test_a_table_is_its_text(tmp_path: Path, form: str) -> None:
    file = written(pa.Table.from_pylist(ROWS), tmp_path / "lang=en [1] 'x'*.parquet", form)
    assert text_of(file) == TEXT
    with file.open("rb") as stream:
        assert is_table(stream.read(8))
        stream.seek(0)
        assert text_of(stream) == TEXT
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.thorough
@few
@given(corpora())
def test_random_trees(sentences: list[Sentence]) -> None:
    table = pa.Table.from_pylist(rows_of(sentences))
    blocks = conllu(sentences).split("\n\n")[:-1]
    expected = "".join(f"# sent_id = {number}\n{block}\n\n" for number, block in enumerate(blocks))
    with tempfile.TemporaryDirectory() as folder:
        text = text_of(written(table, Path(folder, "x.arrow"), "stream"))
    assert text + "\n" == expected


def test_objects_that_give_arrow() -> None:
    table = pa.Table.from_pylist(ROWS)
    assert text_of(table) == TEXT
    assert text_of(pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1))) == TEXT
    assert text_of(table.to_pandas()) == TEXT
    coded = table.set_column(5, "head", table["head"].cast(pa.string()).dictionary_encode())
    assert text_of(coded.append_column("more", pa.array([{"a": 1}] * 3))) == TEXT

    def failing() -> Any:
        yield table.to_batches()[0]
        raise KeyError("the user's own")

    reader = pa.RecordBatchReader.from_batches(table.schema, failing())
    with pytest.raises(KeyError, match="the user's own"):
        text_of(reader)
    reader = pa.RecordBatchReader.from_batches(table.schema, failing())
    with pytest.raises(CorpusError, match=r"cannot be read as Arrow \(.*the user's own.*\)"):
        text_of(SimpleNamespace(__arrow_c_stream__=reader.__arrow_c_stream__))


def test_columns_that_a_table_need_not_have(tmp_path: Path) -> None:
    rows = [
        {**ROWS[2], "xpos": "RB", "Space_After": False, "form": "a\tb\x85\n", "lemma": " \n", "upos": ""},
        {**ROWS[2], "id": 2, "xpos": None, "Space_After": None, "sentence": "b", "form": ""},
    ]
    file = written(pa.Table.from_pylist(rows), tmp_path / "x", "parquet")
    assert text_of(file).split("\n")[1:3] == [
        "1\ta b  \t_\t_\tRB\t_\t0\troot\t_\tSpaceAfter=No",
        "2\t_\tso\tADV\t_\t_\t0\troot\t_\t_",
    ]


def test_an_id_makes_no_comment_of_a_word() -> None:
    assert "\nid #1\tSo\t" in text_of(pa.Table.from_pylist([{**ROWS[2], "id": "#1"}]))


@pytest.mark.thorough
def test_sentences_longer_than_a_row_group() -> None:
    rows = [{**ROWS[2], "sentence": n // 7, "id": n % 7 + 1, "form": str(n)} for n in range(300_000)]
    lines = text_of(pa.Table.from_pylist(rows)).split("\n")
    assert [line.split("\t")[1] for line in lines if "\t" in line] == [str(n) for n in range(300_000)]
    assert lines.count("") == 300_000 // 7 + 1


def other(number: int, **values: Any) -> list[Row]:
    """The rows, one with other values."""
    return [{**row, **values} if at == number else row for at, row in enumerate(ROWS)]


WHOLE = "whole numbers or text"
FAULTS: dict[str, list[Row]] = {
    "x.parquet: row 2 has no head; every word has one": other(1, head=None),
    "x.parquet: row 1 has no sentence": other(0, sentence=None),
    "x.parquet: row 3 has no form": other(2, form=None),
    "x.parquet: sentence a begins at row 1 and again at row 4; the rows of a sentence must be consecutive": (
        [*ROWS, {**ROWS[0], "id": 3}]
    ),
    f"x.parquet: column head has the type DOUBLE; it must have {WHOLE}": [{**row, "head": 1.5} for row in ROWS],
    "x.parquet: column form has the type VARCHAR[]; it must have text": [{**row, "form": ["x"]} for row in ROWS],
    "x.parquet: column space_after has the type": [{**row, "space_after": "No"} for row in ROWS],
    f"x.parquet has no columns id, head; a table of trees has {', '.join(TREES)}": (
        [{key: row[key] for key in row if key not in {"head", "id"}} for row in ROWS]
    ),
    f"x.parquet is a table of counts; a table of trees has {', '.join(TREES)}": (
        [{"lexeme": "a/N", "path": "", "context": "a/N", "count": 1}]
    ),
}


@pytest.mark.parametrize("said", FAULTS)
@pytest.mark.parametrize("form", ["parquet", "stream"])
def test_what_is_no_table_of_trees(tmp_path: Path, said: str, form: str) -> None:
    with pytest.raises(CorpusError) as refused:
        text_of(written(pa.Table.from_pylist(FAULTS[said]), tmp_path / "x.parquet", form))
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


@forms
def test_damaged_files(tmp_path: Path, form: str) -> None:
    chance = random.Random(1)
    rows = [{**ROWS[2], "sentence": n, "form": f"{chance.random()}"} for n in range(500)]
    whole = written(pa.Table.from_pylist(rows), tmp_path / "x", form).read_bytes()
    damaged = tmp_path / "damaged"
    for length in (4, 8, 12, len(whole) // 2, len(whole) - 8, len(whole) - 1):
        damaged.write_bytes(whole[:length])
        with pytest.raises(CorpusError, match=r"^x\.parquet: cannot be read as (Parquet|Arrow) \(") as refused:
            text_of(damaged)
        assert "\n" not in str(refused.value)


def test_kinds_of_tables() -> None:
    assert kind_of_table([*TREES, "more"], "x") == "trees"
    assert kind_of_table(["Lexeme", "path", "context", "count"], "x") == "counts"
    assert kind_of_table(["dep", "Rel", "head", "freq"], "x") == "counts"
    with pytest.raises(
        CorpusError,
        match=r"^x has no column count; a table of counts has lexeme, path, context, count \(and direct, if known\) or "
        r"head, relation, dependent, count; one of trees has sentence, id, form, lemma, upos, head, deprel$",
    ):
        kind_of_table(["lexeme", "path", "context"], "x")
    assert not is_table(b"1\tDogs")
    assert not is_table(b"")


def test_arrow_without_pyarrow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = written(pa.Table.from_pylist(ROWS), tmp_path / "x", "file")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with (
        pytest.raises(CorpusError, match=r"is an Arrow table; install: pip install 'aptdb\[arrow\]'"),
        as_parquet(file, "x.arrow"),
    ):
        pass
