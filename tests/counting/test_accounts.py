"""The accounts in odd cases: counts alone, damage of every table, any name, faults that follow from faults."""

import io
import os
import shutil
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from aptdb import CorpusError, Lexicon, LexiconError
from aptdb.commands.maintain import mend_of
from aptdb.counting.check import FAULT, check
from aptdb.counting.consistency import Difference
from aptdb.store.database import Database
from support.cases import read_table
from support.corpora import COUNTS, DOGS, unpacked
from support.lexicons import assert_same, lexicon_of, make_lexicon, new_lexicon, sound
from support.processes import run
from support.runs import thorough

RANGE = "1-2\t{}" + "\t_" * 8 + "\n"
WORD = "{0}\t{1}\t{1}\tN\t_\t_\t{2}\t{3}\t_\t_\n"
YORK = (
    WORD.format(1, "new", 2, "compound")
    + WORD.format(2, "york", 3, "nsubj")
    + WORD.format(3, "sleeps", 0, "root")
    + "\n"
)


def changed(file: Path, *statements: str) -> Path:
    """A lexicon after some SQL."""
    with closing(Database(file, read_only=False)) as database, database.transaction():
        for statement in statements:
            database.run(statement)
    return file


def counts_file(folder: Path) -> Path:
    """A corpus of counts."""
    file = folder / "counts.tsv"
    file.write_text(COUNTS, encoding="utf-8")
    return file


# Counts alone
@pytest.mark.thorough
def test_a_lexicon_of_counts_alone(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "l.duckdb", counts_file(tmp_path)) as lexicon:
        assert lexicon.verify().rows == []
    with Lexicon.open(tmp_path / "merged.duckdb", create=True) as merged:
        assert merged.merge(tmp_path / "l.duckdb") == ["counts.tsv"]
        assert merged.verify().rows == []
        assert merged.sql("SELECT DISTINCT lemma, pos FROM lexemes ORDER BY ALL").rows == [
            ("bark", "VERB"),
            ("dog", "NOUN"),
        ]
    assert_same(tmp_path / "l.duckdb", tmp_path / "merged.duckdb")


@pytest.mark.thorough
def test_each_corpus_of_counts_is_a_run(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        for number in range(3):
            lexicon.add(io.BytesIO(COUNTS.replace("7", str(7 + number)).encode()), name=str(number))
    with Lexicon.open(tmp_path / "merged.duckdb", create=True) as merged:
        merged.merge(tmp_path / "l.duckdb")
        assert merged.sql("SELECT runs FROM _store.settings").rows == [(4,)]


# Damage
@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of joined words, with counts beside, and kept weights."""
    folder = tmp_path_factory.mktemp("joined")
    file = lexicon_of(folder / "l.duckdb", {"york": YORK.encode(), "dogs": DOGS.encode()}, join=("compound",))
    with Lexicon.open(file) as lexicon:
        lexicon.add(counts_file(folder))
        lexicon.weigh("mine", scheme="pmi", keep=True)
    assert sound(file)
    return file


DAMAGES = read_table("counting/damaged_accounts")


@pytest.mark.thorough
@pytest.mark.parametrize("damage", [*[*DAMAGES][:1], *thorough([*DAMAGES][1:])])
def test_damage_is_named(joined: Path, tmp_path: Path, damage: str) -> None:
    statement, named = DAMAGES[damage]
    file = changed(Path(shutil.copy(joined, tmp_path / "l.duckdb")), statement)
    with Lexicon.open(file) as lexicon:
        found = lexicon.verify()
    assert named in found.column("what")
    assert all(row[2] != row[3] for row in found.rows)
    assert mend_of([Difference("relation", None, "amod", "a", "b")], file).startswith("use a backup copy")


@pytest.mark.thorough
@pytest.mark.parametrize("head", [99, *thorough([1, 2])])
def test_trees_that_are_none_any_more(tmp_path: Path, head: int) -> None:
    """A head that is not there, the word itself, or one of a circle: named, and nothing is made of it."""
    file = lexicon_of(tmp_path / "l.duckdb", {"york": YORK.encode()})
    changed(
        file,
        f"UPDATE _store.token SET head = {head} WHERE position = 1",
        "UPDATE _store.token SET head = 1 WHERE position = 2",
    )
    said = r"the head of word 1 of sentence .* \(corpus york\) leads to no root"
    with Lexicon.open(file) as lexicon:
        with pytest.raises(LexiconError, match=said):
            lexicon.verify()
        with pytest.raises(LexiconError, match=said):
            lexicon.rebuild(tmp_path / "new.duckdb")
        with pytest.raises(LexiconError, match=said):
            lexicon.remove("york")
    assert [each.name for each in tmp_path.iterdir()] == ["l.duckdb"]


@pytest.mark.thorough
def test_what_is_left_over_is_not_removed_in_silence(tmp_path: Path) -> None:
    file = lexicon_of(tmp_path / "l.duckdb", {"dogs": DOGS.encode()})
    changed(file, "UPDATE _store.cooccurrence SET count = count + 1 WHERE lexeme_id = 1")
    changed(file, "UPDATE _store.node SET count = count + 1 WHERE lexeme_id = 1")
    added = "SELECT count(*) FROM _store.cooccurrence WHERE lexeme_id = 1"
    changed(file, f"UPDATE _store.path SET count = count + ({added} AND path_id = path.id)")
    changed(file, f"UPDATE _store.lexeme SET cooccurrences = cooccurrences + ({added}) WHERE id = 1")
    with Lexicon.open(file) as lexicon, pytest.raises(LexiconError, match="nothing was removed"):
        lexicon.remove("dogs")


@pytest.mark.thorough
def test_kept_weights_that_are_wrong_are_weighed_again(tmp_path: Path) -> None:
    file = lexicon_of(tmp_path / "l.duckdb", {"dogs": DOGS.encode()})
    with Lexicon.open(file) as lexicon:
        lexicon.weigh("mine", keep=True)
    changed(file, "UPDATE _store.kept_weight SET weight = weight + 1")
    with Lexicon.open(file) as lexicon:
        wrong = lexicon.verify()
        assert set(wrong.column("what")) == {"weight of mine", "size under mine"}
        assert mend_of(wrong.differences, file) == f"compute the weights again: aptdb refresh {file} mine"
        assert lexicon.stored.refresh("mine", kind="weightings") == {"weightings": ["mine"]}
        assert lexicon.verify().rows == []


# Space, names and files
@pytest.mark.thorough
def test_space_is_given_back_after_a_removal(tmp_path: Path) -> None:
    parts = unpacked("en_ewt")[:2_000_000].rpartition(b"\n\n")[0]
    first, second = (
        parts[: len(parts) // 2].rpartition(b"\n\n")[0] + b"\n\n",
        parts[len(parts) // 2 :].partition(b"\n\n")[2],
    )
    alone = lexicon_of(tmp_path / "alone.duckdb", {"first": first})
    file = lexicon_of(tmp_path / "l.duckdb", {"first": first, "second": second})
    with Lexicon.open(file) as lexicon:
        lexicon.remove("second")
        lexicon.compact()
    assert file.stat().st_size < 1.3 * alone.stat().st_size
    assert_same(file, alone)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ['a\'b "c"', *thorough(["other", "recount", "compacted", "main"])])
def test_a_lexicon_may_be_called_anything(tmp_path: Path, name: str) -> None:
    file = lexicon_of(tmp_path / f"{name}.duckdb", {"dogs": DOGS.encode()})
    source = lexicon_of(tmp_path / "source.duckdb", {"york": YORK.encode()})
    with Lexicon.open(file) as lexicon:
        lexicon.merge(source)
        lexicon.compact()
        lexicon.rebuild(tmp_path / "again.duckdb")
        assert lexicon.verify().rows == []
    assert_same(file, tmp_path / "again.duckdb")


@pytest.mark.thorough
def test_a_lexicon_that_another_makes_first_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there between the look and the opening."""
    file = lexicon_of(tmp_path / "l.duckdb", {"dogs": DOGS.encode()})
    new = lexicon_of(tmp_path / "new.duckdb", {"york": YORK.encode()})
    monkeypatch.setattr(Path, "exists", lambda self: self != new and os.path.exists(self))
    with Lexicon.open(file) as lexicon, pytest.raises(LexiconError, match="another process has just created"):
        lexicon.rebuild(new)
    monkeypatch.undo()
    assert sound(new)


@pytest.mark.thorough
def test_nothing_temporary_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    words = {"sentence": [1], "id": [1], "form": ["a"], "lemma": ["a"], "upos": ["N"], "head": [0], "deprel": ["root"]}
    with new_lexicon(tmp_path / "l.duckdb", pa.table(words), name="taken") as lexicon:
        with pytest.raises(CorpusError, match="already has a corpus taken"):
            lexicon.add(pa.table(words), name="taken")
        with pytest.raises(CorpusError, match="two columns are called form"):
            lexicon.add(pa.table([*pa.table(words).columns, pa.array(["b"])], names=[*words, "FORM"]), name="twice")
    assert not [*place.iterdir()]


@pytest.mark.thorough
def test_without_rejects_there_is_no_file_of_them(tmp_path: Path) -> None:
    make_lexicon(tmp_path / "l.duckdb", DOGS.encode(), skip_invalid=True, rejects=tmp_path / "none")
    assert [each.name for each in tmp_path.iterdir()] == ["l.duckdb"]


@pytest.mark.thorough
def test_rejects_that_cannot_be_written_take_no_lexicon_away(tmp_path: Path) -> None:
    """The corpus is in by then, and stays; also in a lexicon that it is the first of."""
    source = io.BytesIO((YORK.replace("\t0\t", "\t7\t") + DOGS).encode())
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        with pytest.raises(LexiconError, match=r"the corpus is added, but .* cannot be written"):
            lexicon.add(source, name="dogs", skip_invalid=True, rejects=tmp_path / "none" / "rejects")
        assert lexicon.corpora().column("name") == ["dogs"]


@pytest.mark.thorough
def test_a_folder_that_has_grown_can_be_added_again(tmp_path: Path) -> None:
    folder = tmp_path / "corpora"
    folder.mkdir()
    (folder / "dogs.conllu").write_text(DOGS)
    (folder / "york.conllu").write_text(YORK)
    file = tmp_path / "l.duckdb"
    assert run("add", file, folder).returncode == 0
    (folder / "cats.conllu").write_text(DOGS.replace("Dogs", "Cats"))
    done = run("add", file, folder)
    assert done.returncode == 0
    assert done.stderr.count("was added before") == 2
    with Lexicon.open(file) as lexicon:
        assert lexicon.corpora().column("name") == ["dogs.conllu", "york.conllu", "cats.conllu"]
        assert not lexicon.is_added(folder / "cats.conllu", "dogs.conllu")
    assert "no such file" in run("add", tmp_path / "new.duckdb", folder / "dogs.conllu", folder / "none").stderr
    assert not (tmp_path / "new.duckdb").exists()


# Faults
def faults(content: str | bytes) -> list[str]:
    """What is wrong with a file."""
    text = content.encode() if isinstance(content, str) else content
    return [value for name, value in check(io.BytesIO(text)) if name == FAULT]


@pytest.mark.thorough
def test_a_fault_does_not_make_others_of_what_hangs_from_it() -> None:
    content = "".join(WORD.format(n, f"w{n}", head, "r") for n, head in ((1, 2), (2, 3), (3, 9), (4, 0)))
    assert faults(content) == ["stream:3: HEAD is 9, but the sentence has 4 words"]
    circle = "".join(WORD.format(n, f"w{n}", head, "r") for n, head in ((1, 2), (2, 1), (3, 2), (4, 0)))
    assert [each.partition(":")[2][:1] for each in faults(circle)] == ["1", "2", "3"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("column", ["FORM", "LEMMA", "UPOS", "XPOS", "DEPREL"])
def test_what_is_empty_is_a_fault(column: str) -> None:
    """CoNLL-U has no empty column; _ stands for nothing."""
    names = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL")
    cells = dict(zip(names, ("1", "a", "a", "N", "_", "_", "0", "root"), strict=True))
    found = faults("\t".join([*{**cells, column: ""}.values(), "_", "_"]) + "\n\n")
    assert [each.partition(";")[0] for each in found] == [f"stream:1: {column} is empty"]


@pytest.mark.thorough
def test_the_first_fault_is_the_first_of_the_file(tmp_path: Path) -> None:
    """Also where a later line is no text."""
    content = (
        (YORK.replace("\t0\t", "\t7\t") + YORK).encode() + YORK.encode().replace(b"new", b"n\xe9w") + DOGS.encode()
    )
    assert [each.split(":")[1] for each in faults(content)] == ["3", "9"]
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        with pytest.raises(CorpusError, match=r"^stream:3: HEAD is 7"):
            lexicon.add(io.BytesIO(content))
        assert lexicon.add(io.BytesIO(content), skip_invalid=True).skipped == {"HEAD": 1, "encoding": 1}


def test_faults_of_many_made_sentences_are_placed_quickly() -> None:
    """Sentence 1,000 and its word, with no look at all that stands before it for each."""
    words = [("a", "a", "N", 2, "r"), ("b", "b", "N", 9, "r")]
    sentence = [dict(zip(("form", "lemma", "upos", "head", "deprel"), word, strict=True)) for word in words]
    found = [value for name, value in check([sentence] * 4000) if name == FAULT]
    assert found[999] == "sentences: sentence 1000, word 2: HEAD is 9, but the sentence has 2 words"


# Evidence
@pytest.mark.thorough
def test_evidence_of_many_pairs_in_one_sentence(tmp_path: Path) -> None:
    """Two hundred like siblings: each pair is a packed hit; so deep a chain of one lexeme is one sentence too."""
    siblings = WORD.format(1, "top", 0, "root") + "".join(WORD.format(n, "x", 1, "r") for n in range(2, 202)) + "\n"
    chain = "".join(WORD.format(n, "y", n - 1, "r") for n in range(1, 1501)) + "\n"
    file = lexicon_of(tmp_path / "l.duckdb", {"siblings": siblings.encode(), "chain": chain.encode()})
    with Lexicon.open(file) as lexicon:
        assert len(lexicon.evidence("x/N", "", "x/N")) == 200
        assert len(lexicon.evidence("x/N", "", "x/N", counts="packed")) == 200 * 200
        assert len(lexicon.evidence("y/N", "<r<r", "y/N")) == 1498


@pytest.mark.thorough
def test_contractions_are_shown_as_their_words(tmp_path: Path) -> None:
    """As `don't` is written of `do` and `n't`, but no text is `àle`."""
    text = RANGE.format("au") + "".join(
        WORD.format(n, word, head, rel)
        for n, word, head, rel in ((1, "à", 3, "case"), (2, "le", 3, "det"), (3, "chat", 0, "root"))
    )
    english = RANGE.format("don't") + WORD.format(1, "do", 0, "root") + WORD.format(2, "n't", 1, "neg")
    file = lexicon_of(tmp_path / "l.duckdb", {"fr": text.encode(), "en": english.encode()})
    with Lexicon.open(file) as lexicon:
        assert lexicon.evidence("le/N", "<det", "chat/N").column("text") == ["à [le] {chat}"]
        assert lexicon.evidence("n't/N", "<neg", "do/N").column("text") == ["{do}[n't]"]


@pytest.mark.thorough
def test_evidence_of_counts_does_not_deny_them(tmp_path: Path) -> None:
    make_lexicon(tmp_path / "l.duckdb", counts_file(tmp_path))
    said = run("evidence", tmp_path / "l.duckdb", "dog/NOUN", "<nsubj", "bark/VERB").stderr
    assert said == "aptdb: 3 are from counts.tsv, which was added as counts, without sentences\n"
