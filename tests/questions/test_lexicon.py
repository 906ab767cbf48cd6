"""The Python face: opening, adding, asking, and the forms of an answer."""

import gzip
import io
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aptdb
from aptdb import (
    AptWarning,
    CorpusError,
    InUseError,
    Lexicon,
    LexiconError,
    Phrase,
    QuestionError,
    Result,
    SettingsError,
)
from aptdb.corpus.sources import Source
from support.lexicons import lexicon_of, new_lexicon
from support.runs import HANGS
from twins.trees import Token, conllu

SENTENCE = [Token("Dry", "dry", "ADJ", "JJ", 2, "amod"), Token("Clothes", "clothes", "NOUN", "NNS", 0, "root")]


def stream(*sentences: list[Token]) -> io.BytesIO:
    """Sentences as a source."""
    return io.BytesIO(conllu(sentences).encode())


@pytest.fixture
def clothes(tmp_path: Path) -> Path:
    """A lexicon of one sentence, dry clothes."""
    return lexicon_of(tmp_path / "clothes.duckdb", {"clothes": [SENTENCE]})


def test_public_names() -> None:
    for name in aptdb.__all__:
        assert getattr(aptdb, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        aptdb.nothing  # noqa: B018


@pytest.mark.thorough
def test_forms_of_an_answer(clothes: Path) -> None:
    with Lexicon.open(clothes) as lexicon:
        apt = lexicon.apt("dry/ADJ", weights="raw_count")
    assert apt.columns == ("path", "context", "weight")
    assert apt.rows == [("", "dry/ADJ", 1.0), ("<amod", "clothes/NOUN", 1.0)]
    assert [*apt][1] == {"path": "<amod", "context": "clothes/NOUN", "weight": 1.0}
    assert len(apt) == 2
    assert apt.numpy()["weight"].dtype == np.float64
    matrix, paths, contexts = apt.sparse()
    assert (paths, contexts) == (["", "<amod"], ["clothes/NOUN", "dry/ADJ"])
    assert matrix.toarray().tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert apt.arrow().to_pylist() == [*apt]
    assert apt.df().to_dict("records") == [*apt]


@pytest.mark.thorough
def test_forms_of_an_empty_answer(clothes: Path) -> None:
    with Lexicon.open(clothes) as lexicon:
        apt = lexicon.apt("dry/ADJ", shift=1000)
    assert apt.rows == []
    assert apt.numpy()["weight"].shape == (0,)
    assert apt.sparse()[0].shape == (0, 0)
    assert str(apt.arrow().schema.field("weight").type) == "double"
    assert list(apt.df().columns) == ["path", "context", "weight"]


@pytest.mark.extra
def test_null_is_not_a_number(clothes: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    answer = Result(("a",), ("BIGINT",), [(1,), (None,)])
    assert np.isnan(answer.numpy()["a"][1])
    assert answer.arrow().column("a").to_pylist() == [1, None]


@pytest.mark.parametrize(("method", "library"), [("arrow", "pyarrow"), ("df", "pandas")])
def test_a_library_that_is_not_installed(
    clothes: Path, monkeypatch: pytest.MonkeyPatch, method: str, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with Lexicon.open(clothes) as lexicon:
        answer = lexicon.apt("dry/ADJ")
    with pytest.raises(QuestionError, match=f"needs {library}; install it with: pip install"):
        getattr(answer, method)()


@pytest.mark.thorough
def test_a_question_is_a_lexeme_a_phrase_its_text_or_its_words(clothes: Path) -> None:
    text = "clothes/NOUN[amod dry/ADJ]"
    with Lexicon.open(clothes) as lexicon:
        answers = [lexicon.compose(x).rows for x in (text, Phrase.parse(text), Phrase.parse(text).words())]
        assert answers[0] == answers[1] == answers[2]
        assert (
            lexicon.apt(Phrase.parse("dry/ADJ")).rows == lexicon.apt("dry/ADJ").rows == lexicon.compose("dry/ADJ").rows
        )
        assert lexicon.similarity(text, "clothes/NOUN") is not None
        assert lexicon.similarity("dry/ADJ", "dry/ADJ", shift=1000) is None


@pytest.mark.thorough
def test_a_lexeme_may_look_like_anything(tmp_path: Path) -> None:
    forms = ['"', "[", "]x", "30,0", "a b", "'", "\\", "%", "$x", ":k", "{", "ε", "a/b"]
    with new_lexicon(
        tmp_path / "odd.duckdb", stream(*([Token(form, form, "X", "_", 0, "root")] for form in forms)), name="odd"
    ) as lexicon:
        for form in forms:
            assert lexicon.apt(f"{form}/X", weights="raw_count").rows == [("", f"{form}/X", 1.0)]
            phrase = Phrase(f"{form}/X", (("amod", Phrase(f"{form}/X", (), 2)),))
            assert Phrase.parse(str(phrase)) == phrase
            assert lexicon.compose(phrase, weights="raw_count", aligned=False).rows


def test_sql(clothes: Path) -> None:
    with Lexicon.open(clothes) as lexicon:
        assert lexicon.sql("SELECT count(*) AS n FROM lexemes WHERE pos = $pos", {"pos": "ADJ"}).rows == [(1,)]
        assert lexicon.sql("DESCRIBE lexemes").column("column_name") == ["lexeme", "lemma", "pos", "frequency"]


def test_a_confined_lexicon_reaches_no_other_file(clothes: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n")
    with Lexicon.open(clothes, confined=True) as lexicon:
        assert len(lexicon.apt("dry/ADJ", weights="raw_count")) == 2
        for query in (f"FROM '{other}'", f"FROM read_text('{other}')", f"FROM glob('{tmp_path}/*')"):
            with pytest.raises(QuestionError):
                lexicon.sql(query)


def test_files_that_are_no_lexicon(tmp_path: Path) -> None:
    text = tmp_path / "text.duckdb"
    text.write_text("not a database\n" * 1000)
    with pytest.raises(LexiconError, match="is not a lexicon: it is not a DuckDB file"):
        Lexicon.open(text)


@pytest.mark.thorough
def test_a_new_lexicon_names_its_file(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "new.duckdb", stream(SENTENCE), name="one") as lexicon:
        assert lexicon.info().rows[0] == ("file", str(tmp_path / "new.duckdb"))


@pytest.mark.thorough
def test_two_readers_and_a_writer(clothes: Path) -> None:
    """Many can ask at once; who adds is told when another has the file, and lets go of it after."""
    code = "import sys, aptdb; aptdb.Lexicon.open(sys.argv[1]).add(sys.argv[2], name='other')"
    other = clothes.with_name("other.conllu")
    other.write_text(conllu([SENTENCE]))
    with Lexicon.open(clothes) as reader:
        second = subprocess.run([sys.executable, "-m", "aptdb", "info", clothes], capture_output=True, check=False)
        assert second.returncode == 0
        blocked = subprocess.run(
            [sys.executable, "-c", code, clothes, other], capture_output=True, text=True, check=False
        )
        assert "is in use by process" in blocked.stderr
        reader.add(stream(SENTENCE, SENTENCE), name="more")
        again = subprocess.run([sys.executable, "-m", "aptdb", "info", clothes], capture_output=True, check=False)
        assert again.returncode == 0


@pytest.mark.thorough
def test_a_new_lexicon_whose_first_file_fails_is_not_left(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "new.duckdb", create=True) as lexicon:
        with pytest.raises(CorpusError):
            lexicon.add(io.BytesIO(b"nonsense\n"), name="bad")
        assert not [*tmp_path.iterdir()]
        assert lexicon.add(stream(SENTENCE), name="good").tokens == 2


def test_a_source_is_hashed_as_it_is_unpacked() -> None:
    content = conllu([SENTENCE] * 3).replace("\n", "\r\n").encode()
    for packed in (content, gzip.compress(content)):
        source = Source(io.BytesIO(packed))
        assert b"".join(chunk.content for chunk in source.chunks()) == content.replace(b"\r\n", b"\n")
        assert source.digest == sha256(content).hexdigest()


FOLDED = [
    Token("He", "he", "PRON", "PRP", 2, "nsubj"),
    Token("folded", "fold", "VERB", "VBD", 0, "root"),
    Token("Dry", "dry", "ADJ", "JJ", 4, "amod:x"),
    Token("clothes", "clothes", "NOUN", "NNS", 2, "obj"),
    Token(".", ".", "PUNCT", ".", 2, "punct"),
]


@pytest.mark.thorough
def test_phrases_from_conllu(tmp_path: Path) -> None:
    file = tmp_path / "phrases.conllu"
    file.write_text("# text = two\n" + conllu([FOLDED, SENTENCE]))
    with Lexicon.open(
        tmp_path / "new.duckdb", create=True, lexeme="{form}/{xpos}", exclude_upos=["PUNCT"], relations="universal"
    ) as lexicon:
        folded, dry = lexicon.phrases(file)
        assert str(folded) == "folded/VBD[nsubj he/PRP, obj clothes/NNS[amod dry/JJ]]"
        assert [word["delta"] for word in folded.words()] == ["<nsubj", "", "<amod<obj", "<obj"]
        assert str(dry) == "clothes/NNS[amod dry/JJ]"
        lexicon.add(file)
        assert len(lexicon.compose(folded, anchor=3, weights="raw_count"))
        assert lexicon.corpora().column("name") == ["phrases.conllu"]


@pytest.mark.thorough
def test_settings_are_those_that_the_file_has_by_then(tmp_path: Path) -> None:
    """Of two who would make the same lexicon, the second obeys the first, or is told."""
    file = tmp_path / "shared.duckdb"
    first, second = Lexicon.open(file, create=True, order=1), Lexicon.open(file, create=True)
    third = Lexicon.open(file, create=True, order=3)
    first.add(stream(SENTENCE), name="first")
    first.close()
    second.add(stream(FOLDED), name="second")
    assert second.settings.order == 1
    assert second.sql("SELECT max(path_order(path)) FROM cooccurrences").rows == [(1,)]
    second.close()
    with pytest.raises(SettingsError, match="order 1, not 3"):
        third.add(stream(FOLDED), name="third")
    assert file.exists()


HOLD = "import sys, time, duckdb; c = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == 'r'); print(flush=True); "
HOLD += "sys.stdin.readline(); time.sleep(1)"  # after the line, until somebody surely waits


@pytest.mark.parametrize(
    ("how", "said"), [("r", "is in use by process {} .*; to write it, no other process"), ("w", "is being written by")]
)
def test_waiting_for_another_process(clothes: Path, how: str, said: str) -> None:
    """It is named, as it reads or writes; and waited for, as long as is asked."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLD, clothes, how], **pipes) as holder:
        assert holder.stdin
        assert holder.stdout
        holder.stdout.readline()
        os.utime(clothes, (1, 1))  # so that it is looked through, by connections of its own

        def ask_of(wait: float) -> None:
            with Lexicon.open(clothes, wait=wait) as lexicon:
                if how == "w":
                    lexicon.apt("dry/ADJ")
                else:
                    lexicon.weigh("mine", scheme="ppmi")

        with pytest.raises(InUseError, match=said.format(holder.pid)):
            ask_of(0)
        holder.stdin.close()
        with pytest.warns(AptWarning, match=r"by process \d+ \(python.*waiting for it up to 60 s"):
            ask_of(60)


def test_a_lexicon_that_another_is_making_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "new.duckdb"
    code = "import sys, time, duckdb; c = duckdb.connect(sys.argv[1]); print('here', flush=True); time.sleep(20)"
    with Lexicon.open(file, create=True) as lexicon:
        other = subprocess.Popen([sys.executable, "-c", code, file], stdout=subprocess.PIPE)
        assert other.stdout
        other.stdout.readline()
        monkeypatch.setattr(Path, "exists", lambda _: False)  # as it was when we looked
        with pytest.raises(LexiconError, match="in use by process"):
            lexicon.add(stream(SENTENCE), name="one")
        monkeypatch.undo()
        other.kill()
        other.communicate()
    assert file.exists()


@pytest.mark.thorough
def test_confined_for_good(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "new.duckdb", create=True, confined=True) as lexicon:
        lexicon.add(stream(SENTENCE), name="one")
        with pytest.raises(QuestionError, match="/etc/hostname cannot be read: a query reads only its lexicon"):
            lexicon.sql("FROM read_text('/etc/hostname')")


@pytest.mark.thorough
def test_an_error_does_not_wait_for_a_stream_that_hangs(tmp_path: Path) -> None:
    """A fault in the first chunk is told while the writer of the pipe still sleeps."""
    fault = "1\\tx\\n\\n"
    command = (
        f"(printf '{fault}'; yes '# a comment of some length' | head -c 40000000; sleep 30) | "
        f"{sys.executable} -m aptdb add {tmp_path / 'new.duckdb'} -"
    )
    begun = time.monotonic()
    with subprocess.Popen(["bash", "-c", command], stderr=subprocess.PIPE, start_new_session=True) as adding:
        assert adding.stderr
        assert b"stdin:1: 2 columns" in adding.stderr.readline()
        assert time.monotonic() - begun < HANGS
        os.killpg(adding.pid, signal.SIGKILL)
