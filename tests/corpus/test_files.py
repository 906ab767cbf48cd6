"""What the user names, and which files it stands for."""

import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aptdb import CorpusError, IncompleteDataWarning, Lexicon, count_corpora
from aptdb.corpus.corpus_files import PACKED, SENTENCES, TABLES, corpus_files
from aptdb.distributed.input_splits import list_named_files, remote_files
from support.app import app
from support.clients import no_warnings

pytestmark = pytest.mark.filterwarnings(r"ignore:.*\W left out\W:aptdb.IncompleteDataWarning")

FILES = ("b.conllu", "a.conllu.gz", "en/x.CoNLLU", "en/more/x.conll09.zst", "t.parquet", "t.feather", "s.arrow")
OTHERS = ("readme.md", ".hidden.conllu", ".git/x.conllu", "en/x.conllu.zip", "t.parquet.gz", "conllu", "x.conllu.d/y")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (*FILES, *OTHERS):
        file = tmp_path / "ud" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "plain[1].conllu").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_named_stands_for_itself(folder: Path) -> None:
    named = ["-", "ud/readme.md", "missing.conllu", "plain[1].conllu"]
    assert corpus_files(named) == [(name, None) for name in named]


def test_a_folder_stands_for_its_corpora(folder: Path) -> None:
    names = sorted(FILES, key=Path)
    assert corpus_files(["ud"]) == [(f"ud/{name}", name) for name in names]
    assert corpus_files(["-", "ud/en"])[1:] == [
        ("ud/en/more/x.conll09.zst", "more/x.conll09.zst"),
        ("ud/en/x.CoNLLU", "x.CoNLLU"),
    ]


def test_every_ending_that_is_read_is_found(tmp_path: Path) -> None:
    names = [f"a{ending}{packed}" for ending in SENTENCES for packed in ("", *PACKED)] + [f"a{each}" for each in TABLES]
    for name in names:
        (tmp_path / name).touch()
    assert corpus_files([str(tmp_path)]) == [(f"{tmp_path}/{name}", name) for name in sorted(names)]


def treebank(folder: Path) -> Path:
    """A folder as those of Universal Dependencies."""
    ours = ("en-ud-dev.conllu", "en-ud-test.conllu")
    others = ("README.md", "LICENSE.txt", "LICENSE", "stats.xml", "eval.log", "a.conllu.zip", "b.TXT.gz", "c.txt.gz")
    unreleased = ("not-to-release/old.conllu", "not-to-release/sources/older.conllu.gz", "not-to-release/notes.txt")
    for name in (*ours, *others, ".x", *unreleased):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(GOOD)
    return folder


GOOD = "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
LEFT_OUT = (
    "{}: left out: 2 .txt.gz, 1 .log, 1 .md, 1 .txt, 1 .xml, 1 .zip, 1 without an ending, "
    "2 corpora in not-to-release (name that folder to read it)"
)


def test_what_a_folder_has_besides_corpora_is_noted(tmp_path: Path) -> None:
    ud = treebank(tmp_path / "ud")
    with pytest.warns(IncompleteDataWarning, match="left out: ") as heard:
        found = corpus_files([str(ud)])
    assert [name for _, name in found] == ["en-ud-dev.conllu", "en-ud-test.conllu"]
    assert [str(each.message) for each in heard] == [LEFT_OUT.format(ud)]
    named = corpus_files([f"{ud}/not-to-release"])
    assert [name for _, name in named] == ["old.conllu", "sources/older.conllu.gz"]


def test_a_pattern_leaves_out_what_is_not_to_be_released(tmp_path: Path) -> None:
    """Unless it names that folder; UD_*/**/*.conllu is what we say to write for UD_*."""
    treebank(tmp_path / "UD_X")
    pattern = f"{tmp_path}/UD_*/**/*.conllu"
    ours = ["UD_X/en-ud-dev.conllu", "UD_X/en-ud-test.conllu"]
    with pytest.warns(IncompleteDataWarning, match="left out: ") as heard:
        assert [name for _, name in corpus_files([pattern])] == ours
    said = f"{pattern}: left out: 1 file in not-to-release (name that folder to read it)"
    assert [str(each.message) for each in heard] == [said]
    for named, found in (("UD_X/not-to-release/*", 2), ("*/not-to-*/*.conllu", 1), ("UD_X/*.conllu", 2)):
        with no_warnings():
            assert len(corpus_files([f"{tmp_path}/{named}"])) == found
    with pytest.raises(CorpusError, match=r"no file matches .*/\*\*/old\.\*, but in not-to-release"):
        corpus_files([f"{tmp_path}/**/old.*"])


def test_many_endings_are_noted_in_short(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"x.e{number:02}").touch()
    (tmp_path / "a.conllu").touch()
    with pytest.warns(IncompleteDataWarning, match=r": left out: 1 \.e00, .*, 1 \.e07, 4 other endings$"):
        corpus_files([str(tmp_path)])


@pytest.mark.thorough
@pytest.mark.extra
def test_each_way_to_read_a_folder_leaves_the_same_out(tmp_path: Path) -> None:
    """add, sync and count, by command and Python; count also of a folder elsewhere."""
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    ud = treebank(tmp_path / "ud")
    (ud / "en-ud-test.conllu").write_text(GOOD * 2)
    with Lexicon.open(tmp_path / "p.duckdb", create=True) as lexicon, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert lexicon.sync(ud).column("corpus") == ["en-ud-dev.conllu", "en-ud-test.conllu"]
        assert count_corpora(ud, tmp_path / "counts").sentences == 3
        assert remote_files(str(ud)) == list_named_files([str(ud)])
    assert [str(each.message) for each in heard] == [LEFT_OUT.format(ud)] * 4
    for command in (("add", tmp_path / "a", ud), ("sync", tmp_path / "s", ud), ("count", ud, "-o", tmp_path / "c")):
        ran = CliRunner().invoke(app, list(map(str, command)))
        assert ran.exit_code == 0
        assert f"aptdb: {LEFT_OUT.format(ud)}" in " ".join(ran.stderr.split())


def test_a_link_to_another_corpus_of_the_folder_is_none_of_its_own(folder: Path) -> None:
    before = corpus_files(["ud"])
    (folder / "ud" / "a_link.conllu").symlink_to("b.conllu")
    (folder / "ud" / "other.conllu").symlink_to("../elsewhere.conllu")
    assert corpus_files(["ud"]) == sorted(
        [*before, ("ud/other.conllu", "other.conllu")], key=lambda each: Path(each[0])
    )


def test_links_to_hidden_files_are_corpora(folder: Path) -> None:
    """As in a folder of git-annex, whose contents are hidden."""
    hidden = folder / "ud" / ".git" / "annex"
    hidden.mkdir(parents=True)
    (hidden / "key.conllu").touch()
    (folder / "ud" / "a_link.conllu").symlink_to(".git/annex/key.conllu")
    assert ("ud/a_link.conllu", "a_link.conllu") in corpus_files(["ud"])


def test_a_pattern_stands_for_what_it_matches(folder: Path) -> None:
    assert corpus_files(["ud/?.conllu*"]) == [("ud/a.conllu.gz", "a.conllu.gz"), ("ud/b.conllu", "b.conllu")]
    assert corpus_files(["ud/**/x.*"]) == [
        ("ud/en/more/x.conll09.zst", "en/more/x.conll09.zst"),
        ("ud/en/x.CoNLLU", "en/x.CoNLLU"),
        ("ud/en/x.conllu.zip", "en/x.conllu.zip"),
    ]
    assert corpus_files([f"{folder}/ud/b.c*"]) == [(f"{folder}/ud/b.conllu", "b.conllu")]


def test_what_would_be_called_alike_is_called_by_the_whole_name(folder: Path) -> None:
    (folder / "b.conllu").write_text("")
    assert corpus_files(["b.conllu", "ud/*.conllu", "ud/t.parquet"]) == [
        ("b.conllu", "b.conllu"),
        ("ud/b.conllu", "ud/b.conllu"),
        ("ud/t.parquet", None),
    ]
