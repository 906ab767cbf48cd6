"""Columns that a file declares, and formats that are told by their columns: obeyed, or refused by name."""

import io
import warnings
from pathlib import Path

import pytest

import aptdb
from aptdb import CorpusError, Lexicon
from aptdb.core.errors import IncompleteDataWarning
from aptdb.counting.check import FAULT, check
from support.columns import MORE, USUAL, declared, lines, read
from support.lexicons import new_lexicon

TREE = [(1, "dog/NOUN", 2, "nsubj"), (2, "chase/VERB", 0, "root"), (3, "cat/NOUN", 2, "obj")]


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


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore:.* columns that are:aptdb.IncompleteDataWarning")
@pytest.mark.parametrize("name", OBEYED)
def test_declared_columns_are_obeyed(name: str) -> None:
    assert read(OBEYED[name]) == TREE


def test_what_settings_need() -> None:
    text = declared("ID LEMMA HEAD DEPREL")
    with pytest.warns(IncompleteDataWarning, match="^stream: columns that are missing.*: FORM, UPOS, XPOS, FEATS$"):
        assert [word[1] for word in read(text, lexeme="{lemma}")] == ["dog", "chase", "cat"]


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
@pytest.mark.filterwarnings("ignore:.* columns that are:aptdb.IncompleteDataWarning")
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
@pytest.mark.filterwarnings("ignore:.* columns that are:aptdb.IncompleteDataWarning")
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
    with new_lexicon(tmp_path / "l.duckdb", tmp_path / "counts") as lexicon:
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
