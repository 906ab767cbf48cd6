"""Raw text through spaCy, Stanza and UDPipe: what is written as CoNLL-U, and what is refused.

The models are trained here. What each library makes of a sentence is its own matter; the tests hold what we make of it.
"""

import gzip
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from aptdb import Lexicon, QuestionError
from aptdb.corpus.raw_text import LONGEST, Paragraph, as_conllu, paragraphs, parser_called, rebuild_text, text_files
from support.commands import ask
from support.parsers import write_spacy, write_udpipe

pytestmark = pytest.mark.extra  # some of these tests need a package of an extra

STORY = "The small dog sees cats. A bird chases dogs.\n\nThe old cat sees dogs."


# spaCy
@pytest.fixture(scope="module")
def spacy_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small pipeline."""
    return write_spacy(tmp_path_factory.mktemp("spacy") / "tiny")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("processes", [1, 2])
def test_spacy(spacy_model: Path, processes: int) -> None:
    parser = parser_called(f"spacy:{spacy_model}", processes)
    first, second = parser.sentences([STORY.partition("\n")[0], "The old cat sees dogs."])
    words = [line.split("\t") for lines in second for line in lines]
    assert [row[1] for row in words] == ["The", "old", "cat", "sees", "dogs", "."]
    assert words[4][2:4] == ["dog", "NOUN"]
    assert "".join(rebuild_text(lines) for lines in first).replace(" ", "") == "Thesmalldogseescats.Abirdchasesdogs."


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_spacy_into_a_lexicon(spacy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    parsed = ask("parse", "story.txt", "--with", f"spacy:{spacy_model}")
    assert parsed.exit_code == 0, parsed.output
    assert ask("add", "l.duckdb", "-", source=parsed.stdout).exit_code == 0
    with Lexicon.open("l.duckdb") as lexicon:
        assert lexicon.sql("SELECT DISTINCT document FROM documents").rows == [("story",)]
        assert lexicon.sql("SELECT count(*) FROM tokens").rows == [(17,)]
    assert ask("apt", "l.duckdb", "the dogs", "--readings", "--parser", f"spacy:{spacy_model}").exit_code in (0, 1)


# UDPipe
@pytest.fixture(scope="module")
def udpipe_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a small model."""
    return write_udpipe(tmp_path_factory.mktemp("udpipe") / "tiny.udpipe")


@pytest.mark.parametrize("processes", [1, 2])
def test_udpipe(udpipe_model: Path, processes: int) -> None:
    parser = parser_called(f"udpipe:{udpipe_model}", processes)
    found = [*parser.sentences(["The small dog sees cats."] * 3)]
    assert len(found) == 3
    words = [line.split("\t") for lines in found[0] for line in lines]
    assert "".join(row[1] for row in words) == "Thesmalldogseescats."
    assert all(len(row) == 10 for row in words)


@pytest.mark.thorough
def test_udpipe_on_the_command_line(udpipe_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(STORY, encoding="utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(STORY.encode()))
    parsed = ask("parse", ".", "--with", f"udpipe:{udpipe_model}")
    assert parsed.exit_code == 0, parsed.output
    assert [line for line in parsed.stdout.splitlines() if line.startswith("# newdoc")] == [
        "# newdoc id = a", "# newdoc id = b"
    ]  # fmt: skip
    assert ask("add", "l.duckdb", "-", source=parsed.stdout).exit_code == 0
    assert "\n0\n" not in ask("apt", "l.duckdb", "small dog", "--readings").stdout
    assert ask("parse", "a.txt", "--with", f"udpipe:{tmp_path / 'a.txt'}").stderr == (
        f"aptdb: {tmp_path / 'a.txt'} is not a model of UDPipe 1\n"
    )


TOKENISED = "The small dog sees cats.s .\nA bird chases dogs .\n\n"


def forms_of(conllu: str) -> list[list[str]]:
    """The forms of each sentence."""
    blocks = [block.splitlines() for block in conllu.strip().split("\n\n")]
    return [[line.split("\t")[1] for line in lines if not line.startswith("#")] for lines in blocks]


def test_a_model_without_tokenizer_takes_tokenised_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence a line, split at spaces alone; without the option the refusal names it."""
    monkeypatch.chdir(tmp_path)
    model = write_udpipe(tmp_path / "tiny.udpipe", tokenizer=False)
    Path("tokens.txt").write_text(TOKENISED, encoding="utf-8")
    parsed = ask("parse", "tokens.txt", "--with", f"udpipe:{model}", "--tokenised")
    assert parsed.exit_code == 0, parsed.output
    assert forms_of(parsed.stdout) == [line.split() for line in TOKENISED.strip().splitlines()]
    assert "# text = The small dog sees cats.s .\n" in parsed.stdout
    refused = ask("parse", "tokens.txt", "--with", f"udpipe:{model}")
    assert (refused.exit_code, refused.stderr) == (
        1, f"aptdb: the model {model} has no tokenizer; give it tokenised text with --tokenised, one sentence a line\n",
    )  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_spacy_takes_tokenised_text(spacy_model: Path) -> None:
    found = [*parser_called(f"spacy:{spacy_model}", tokenised=True).sentences(TOKENISED.strip().splitlines())]
    forms = [[line.split("\t")[1] for lines in sentences for line in lines] for sentences in found]
    assert forms == [line.split() for line in TOKENISED.strip().splitlines()]
    assert [len(sentences) for sentences in found] == [1, 1]


# Stanza
class Pipeline:
    """What stands for a pipeline of Stanza: it gives documents made by hand."""

    def __init__(self, language: str, **options: Any) -> None:
        if language != "en":
            raise FileNotFoundError("Resources file not found")
        assert options["download_method"] is None
        self.options = options

    def bulk_process(self, texts: list[str]) -> list[Any]:
        """A document of one sentence for each text."""
        return [document_of(text.split()) for text in texts]


def document_of(forms: list[str]) -> Any:
    """A document as Stanza makes it: each word depends on the one before it."""
    words = [
        SimpleNamespace(id=at, text=form, lemma=form.lower(), upos="X", head=at - 1, deprel="dep", misc=None)
        for at, form in enumerate(forms, 1)
    ]
    tokens = [SimpleNamespace(text=word.text, words=[word], misc=None, spaces_after=" ") for word in words]
    sentence = SimpleNamespace(tokens=tokens, words=words, sent_id="7")
    return SimpleNamespace(sentences=[sentence], num_words=len(words))


@pytest.fixture
def stanza(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands for Stanza."""
    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(Pipeline=Pipeline))


@pytest.mark.usefixtures("stanza")
@pytest.mark.parametrize("tokenised", [True, False])
def test_stanza_takes_tokenised_text(tokenised: bool) -> None:
    parser: Any = parser_called("stanza:en", tokenised=tokenised)
    assert parser._pipeline.options["tokenize_pretokenized"] is tokenised


@pytest.mark.usefixtures("stanza")
def test_stanza() -> None:
    given = [Paragraph("a", True, "Dogs bark", 9), Paragraph("a", False, "So", 12), Paragraph("b", True, "Cats", 4)]
    told: list[tuple[str, int]] = []
    text = b"".join(as_conllu(given, parser_called("stanza:en"), lambda now, words: told.append((now.text, words))))
    assert text.decode() == (
        "# newdoc id = a\n# newpar\n# sent_id = a-1\n# text = Dogs bark\n"
        "1\tDogs\tdogs\tX\t_\t_\t0\tdep\t_\t_\n2\tbark\tbark\tX\t_\t_\t1\tdep\t_\t_\n\n"
        "# newpar\n# sent_id = a-2\n# text = So\n1\tSo\tso\tX\t_\t_\t0\tdep\t_\t_\n\n"
        "# newdoc id = b\n# newpar\n# sent_id = b-1\n# text = Cats\n1\tCats\tcats\tX\t_\t_\t0\tdep\t_\t_\n\n"
    )
    assert told == [("Dogs bark", 2), ("So", 3), ("Cats", 4)]


@pytest.mark.thorough
@pytest.mark.usefixtures("stanza")
def test_a_text_that_ends_too_early_cannot_be_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written before is no corpus: somebody would take it for all of it."""
    monkeypatch.chdir(tmp_path)
    stopped = ask("parse", "-", "--with", "stanza:en", source="Dogs bark\n\n" + "So\n\n" * 70)
    assert stopped.exit_code == 0
    monkeypatch.setattr(Pipeline, "bulk_process", lambda self, texts: [document_of(["x"]), 1 / 0])
    with pytest.raises(ZeroDivisionError):
        raise ask("parse", "-", "--with", "stanza:en", source="Dogs bark\n\nSo").exception or AssertionError
    parsed = ask("parse", "-", "--with", "stanza:en", source="Dogs bark\n\nSo").stdout
    assert parsed.endswith("aptdb parse stopped here, before the end of the text\n\n")
    refused = ask("add", "l.duckdb", "-", source=parsed)
    assert refused.exit_code == 1
    assert not Path("l.duckdb").exists()


NOT_THERE: dict[str, str | tuple[str, ...]] = {
    "stanza:xx": 'Stanza has no model for xx here (Resources file not found); fetch one with: python -c "import',
    "spacy:nosuch": ("spaCy cannot load a model nosuch (", "spacy is not installed; install it with: pip install"),
    "udpipe:nosuch": ("nosuch: no such file; udpipe:FILE names", "ufal.udpipe is not installed; install it with"),
}


@pytest.mark.usefixtures("stanza")
@pytest.mark.filterwarnings("ignore")
def test_models_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for parser, said in NOT_THERE.items():
        with pytest.raises(QuestionError) as refused:
            parser_called(parser)
        assert str(refused.value).startswith(said)
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(
        QuestionError, match=r"^stanza is not installed; install it with: pip install 'aptdb\[stanza\]'$"
    ):
        parser_called("stanza:en")


# Text
def texts(folder: Path, content: bytes, *, by_line: bool = False) -> list[str]:
    """The paragraphs of a file with this content."""
    (folder / "x.txt").write_bytes(content)
    return [each.text for each in paragraphs(text_files([str(folder / "x.txt")]), by_line=by_line)]


def test_paragraphs(tmp_path: Path) -> None:
    assert texts(tmp_path, b"\xef\xbb\xbfa\r\nb\r\n\r\n \n\nc") == ["a\nb\n\n", "c"]
    assert texts(tmp_path, b"a\nb\n\nc\n", by_line=True) == ["a\n", "b\n", "c\n"]
    long = texts(tmp_path, b"word " * LONGEST)
    assert max(map(len, long)) <= LONGEST
    assert "".join(long) == "word " * LONGEST


def test_which_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b/a.txt", "b/c.TXT", "d.md", ".hidden.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("x", encoding="utf-8")
    assert text_files(["."]) == [("a.txt", "a"), ("b/a.txt", "b/a"), ("b/c.TXT", "b/c")]
    assert text_files(["a.txt", "b/a.txt", "d.md"]) == [("a.txt", "a.txt"), ("b/a.txt", "b/a.txt"), ("d.md", "d.md")]
    assert text_files(["-"]) == [("-", "stdin")]


def test_nothing_is_parsed_before_all_files_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("x", encoding="utf-8")
    Path("b.txt").write_bytes(b"\xff")
    refused = ask("parse", "a.txt", "b.txt", "--with", "stanza:en")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith("aptdb: b.txt:1: byte 1 of the line")


def test_the_text_of_a_sentence() -> None:
    words = (("1-2", "della", "SpaceAfter=No"), ("1", "di", "_"), ("2", "la", "_"), ("3", "!", "SpaceAfter=No|X=1"))
    rows = (*words, ("4", "Sì", "_"), ("4.1", "x", "_"))
    assert rebuild_text(f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}" for number, form, misc in rows) == "della!Sì"
