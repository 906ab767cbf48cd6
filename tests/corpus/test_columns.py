"""Columns that a file declares, and formats that are told by their columns: obeyed, or refused by name."""

import io
import warnings
from pathlib import Path

import pytest

import aptdb
from aptdb import CorpusError, Lexicon
from aptdb.core.errors import UnreadColumns
from aptdb.core.settings import Settings
from aptdb.corpus.sources import Source
from aptdb.counting.check import FAULT, check
from aptdb.questions.readings import sentence_rows

USUAL = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
MORE = f"{USUAL} PARSEME:MWE"
CELLS = (
    ("1", "Dogs", "dog", "NOUN", "NNS", "Number=Plur", "2", "nsubj", "_", "_", "*"),
    ("2", "chase", "chase", "VERB", "VBP", "_", "0", "root", "_", "_", "1:VID"),
    ("3", "cats", "cat", "NOUN", "NNS", "Number=Plur", "2", "obj", "_", "SpaceAfter=No", "1"),
)
TREE = [(1, "dog/NOUN", 2, "nsubj"), (2, "chase/VERB", 0, "root"), (3, "cat/NOUN", 2, "obj")]


def lines(names: str) -> str:
    """A sentence in columns of these names."""
    found = [dict(zip(MORE.split(), cells, strict=True)) for cells in CELLS]
    return "".join("\t".join(cells.get(name.upper(), "x") for name in names.split()) + "\n" for cells in found) + "\n"


def declared(names: str, after: str = "") -> str:
    """The same, below a line that declares them, and what comes after that."""
    return f"# global.columns = {names}\n{after}{lines(names)}"


def read(text: str, lexeme: str = "{lemma}/{upos}") -> list[tuple[object, ...]]:
    """The words of a text: number, lexeme, head, relation."""
    rows = sentence_rows(Settings(lexeme=lexeme), Source(io.BytesIO(text.encode())))
    return [word for _, words in rows for word in words]


OF_2009 = (
    "1\tDogs\tdog\t_\tNOUN\t_\t_\t_\t2\t2\tnsubj\t_\t_\t_\n2\tchase\tchase\t_\tVERB\t_\t_\t_\t0\t0\troot\t_\tY\tx\n\n"
)
OF_2008 = (
    "1\tDogs\t_\t_\tNNS\tDogs\tdog\tNOUN\t2\tnsubj\t_\tA0\n"
    "2\tchase\tchase\t_\tVB\tchase\tchase\tVERB\t0\troot\tx.01\t_\n\n"
)
OBEYED = {
    "usual": declared(USUAL),
    "more": declared(MORE),
    "exchanged": declared("ID FORM UPOS LEMMA HEAD DEPREL XPOS FEATS DEPS MISC"),
    "fewest": declared("DEPREL HEAD UPOS LEMMA ID"),
    "small letters": declared("id form lemma upos head deprel misc"),
    "tabs between": declared(MORE).replace(" ID FORM LEMMA ", " ID\tFORM\tLEMMA  "),
    "no spaces": declared(MORE).replace("# global.columns = ", "#global.columns="),
    "not first": "# newdoc id = x\n\n\n" + declared(MORE),
    "byte order mark": "\ufeff" + declared(MORE).replace("\n", "\r\n"),
    "a range and an empty node": declared(MORE, "1-2\tx" + "\t_" * 9 + "\n0.1\tx" + "\t_" * 9 + "\n"),
    "a range, ID second": declared("FORM ID LEMMA UPOS HEAD DEPREL", "x\t1-2" + "\t_" * 4 + "\n"),
    "another of the same kind twice": declared("ID LEMMA UPOS A:B A:B HEAD DEPREL"),
}
REFUSED = {
    "no HEAD": (declared("ID FORM LEMMA UPOS"), "stream: global.columns has no HEAD, DEPREL; trees and lexemes of"),
    "no ID": (declared("FORM LEMMA UPOS HEAD DEPREL"), "stream: global.columns has no ID; trees"),
    "no UPOS": (declared("ID FORM LEMMA XPOS HEAD DEPREL"), "stream: global.columns has no UPOS; trees"),
    "of CoNLL-2009": (declared("ID FORM LEMMA PLEMMA POS PPOS HEAD PHEAD DEPREL"), "has no UPOS; trees"),
    "commas": (declared(USUAL).replace("ID FORM LEMMA", "ID,FORM,LEMMA"), "has no ID, LEMMA; trees"),
    "twice": (declared("ID FORM LEMMA lemma UPOS HEAD DEPREL"), "stream:1: global.columns has LEMMA twice"),
    "empty": ("# x\n# global.columns =\n" + lines(USUAL), "stream:2: global.columns is '='; expected = and"),
    "no =": ("# global.columns ID FORM\n" + lines(USUAL), "stream:1: global.columns is 'ID FORM'; expected ="),
    "later": (lines(USUAL) + declared(MORE), "stream:5: global.columns after lines with other columns"),
    "later, exchanged": (
        lines(USUAL) + declared(USUAL.replace("LEMMA UPOS", "UPOS LEMMA")),
        "stream:5: global.columns",
    ),
    "joined files": (declared(MORE) + declared("ID LEMMA UPOS HEAD DEPREL"), "stream:6: global.columns after"),
    "a line has more": (
        declared(MORE) + lines(MORE).replace("\t*", "\t*\t*"),
        "stream:6: 12 columns; a line has 11 by",
    ),
    "a line has fewer": (declared(MORE) + lines(USUAL), "stream:6: 10 columns; a line has 11 by global.columns, with"),
    "a wrong HEAD": (declared("LEMMA ID UPOS DEPREL HEAD").replace("\t2\n", "\tx\n"), "stream:2: HEAD is 'x'"),
    "a wrong ID": (declared("LEMMA ID UPOS DEPREL HEAD").replace("\t1\t", "\tx\t"), "stream:2: ID is 'x'"),
    "a wrong DEPREL": (declared("LEMMA DEPREL ID UPOS HEAD").replace("obj\t", "<obj\t"), "stream:4: DEPREL is '<obj'"),
    "an empty UPOS": (declared("LEMMA ID UPOS DEPREL HEAD").replace("NOUN", ""), "stream:2: UPOS is empty"),
    "undeclared": (lines(MORE), "stream:1: 11 columns; a line has 10"),
    "undeclared, 14 columns": (lines(f"{USUAL} A B C D"), "stream:1: 14 columns; a line has 10"),
    "of Talismane": ("1\tDogs\tdog\tN\tN\tn=p\t0\troot\t0\troot\tf\t1\t1\n\n", "stream:1: 13 columns; a line has 10"),
    "2009, then 2008": (
        OF_2009 + OF_2008.replace("A0", "A0\t_\t_").replace("01\t_", "01\t_\t_\t_"),
        "stream:4: HEAD is",
    ),
    "PHEAD is a name": (OF_2009.replace("2\t2\tnsubj", "2\tnsubj\tA0"), "stream:1: HEAD is 'nsubj'; expected the ID"),
}


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::aptdb.UnreadColumns")
@pytest.mark.parametrize("name", OBEYED)
def test_declared_columns_are_obeyed(name: str) -> None:
    assert read(OBEYED[name]) == TREE


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::aptdb.UnreadColumns")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    text, problem = REFUSED[name]
    with pytest.raises(CorpusError) as refusal:
        read(text)
    assert problem in str(refusal.value)


def test_what_settings_need() -> None:
    text = declared("ID LEMMA HEAD DEPREL")
    with pytest.warns(UnreadColumns, match="^stream: columns that are missing.*: FORM, UPOS, XPOS, FEATS$"):
        assert [word[1] for word in read(text, lexeme="{lemma}")] == ["dog", "chase", "cat"]
    for lexeme, lacking in (("{form}/{xpos}", "FORM, XPOS"), ("{lemma}/{feats:Case}", "FEATS"), ("{stem}", "FORM")):
        with pytest.raises(CorpusError, match=f"has no {lacking};"):
            read(text, lexeme=lexeme)


@pytest.mark.thorough
def test_columns_that_are_not_read_are_reported_once(tmp_path: Path) -> None:
    (tmp_path / "a.cupt").write_text(declared(MORE) * 3, encoding="utf-8")
    (tmp_path / "b.conllup").write_text(declared(USUAL), encoding="utf-8")
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon, warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        for name in ("a.cupt", "b.conllup"):
            lexicon.add(tmp_path / name)
    assert [str(each.message) for each in noted] == [f"{tmp_path / 'a.cupt'}: columns that are not read: PARSEME:MWE"]


@pytest.mark.thorough
@pytest.mark.extra
@pytest.mark.filterwarnings("ignore::aptdb.UnreadColumns")
def test_rejects_keep_their_columns(tmp_path: Path) -> None:
    """They can be added again when they are mended."""
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    names = "DEPREL A:B HEAD UPOS LEMMA ID"
    text, rejects, again = declared(names) + lines(names).replace("2", "7", 1), tmp_path / "rejects", tmp_path / "again"
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        done = lexicon.add(io.BytesIO(text.encode()), name="x", skip_invalid=True, rejects=rejects)
        assert (done.sentences, done.skipped) == (1, {"HEAD": 1})
        mended = rejects.read_text(encoding="utf-8").replace("\t7\t", "\t2\t")
        assert mended.splitlines()[1] == f"# global.columns = {names}"
        assert read(mended) == TREE
    (tmp_path / "x.conllup").write_text(text, encoding="utf-8")
    aptdb.count_corpora(tmp_path / "x.conllup", tmp_path / "counts", skip_invalid=True, rejects=again)
    assert again.read_text(encoding="utf-8").splitlines()[1:] == rejects.read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.thorough
@pytest.mark.extra
@pytest.mark.filterwarnings("ignore::aptdb.UnreadColumns")
def test_the_declaration_reaches_every_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    from aptdb.distributed import input_splits

    monkeypatch.setattr(input_splits, "PIECE_BYTES", 200)
    names = "DEPREL A:B HEAD UPOS LEMMA ID"
    (tmp_path / "a.conllup").write_text("\ufeff" + declared(names) + lines(names) * 30, encoding="utf-8")
    (tmp_path / "b.conllu").write_text(lines(USUAL) * 30, encoding="utf-8")
    files = [tmp_path / "a.conllup", tmp_path / "b.conllu"]
    done = aptdb.count_corpora(files, tmp_path / "counts")
    assert (done.sentences, done.tokens) == (61, 183)
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        lexicon.add(tmp_path / "counts")
        assert lexicon.sql("SELECT lexeme, count FROM cooccurrences WHERE path = '<nsubj>obj'").rows == [
            ("dog/NOUN", 61)
        ]
    for text, problem in (
        (declared(names) + lines(names) * 30 + declared(USUAL), r"conllup:126: global.columns after lines with other"),
        (declared(names) + lines(names) * 30 + lines(USUAL), r"conllup:126: 10 columns; a line has 6 by global"),
        (declared("ID FORM LEMMA"), "conllup: global.columns has no UPOS, HEAD, DEPREL"),
    ):
        files[0].write_text(text, encoding="utf-8")
        with pytest.raises(CorpusError, match=problem):
            aptdb.count_corpora(files, tmp_path / "others")


def test_faults_of_check_are_of_declared_columns(tmp_path: Path) -> None:
    file = tmp_path / "x.conllup"
    file.write_text(declared(USUAL.replace("LEMMA UPOS", "UPOS LEMMA")).replace("VERB", "VERB\u00a0"), encoding="utf-8")
    found = [value for name, value in check(file) if name == FAULT]
    assert len(found) == 1
    assert found[0].startswith(f"{file}:3: UPOS is 'VERB")


@pytest.mark.parametrize(("text", "lexemes"), [(OF_2008, "dog/NOUN"), (OF_2009, "dog/NOUN")])
def test_older_formats(text: str, lexemes: str) -> None:
    assert read(text) == [(1, lexemes, 2, "nsubj"), (2, "chase/VERB", 0, "root")]
