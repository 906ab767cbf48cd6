"""What the user names, and which files it stands for."""

from pathlib import Path

import pytest

from aptdb import CorpusError
from aptdb.corpus.corpus_files import corpus_files

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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["empty"], r"empty: no corpus in this folder; their names end with \.conllu, .*\.feather, .*\.gz"),
        (["ud/*.txt"], r"no file matches ud/\*\.txt$"),
        (["u?"], r"no file matches u\?; it matches folders: write u\?/\*\*/\*\.conllu"),
        (["ud", "ud/b.conllu"], r"ud/b\.conllu is named twice; name it once"),
        (["ud/en/../b.conllu", "ud/b.conllu"], r"ud/b\.conllu is named twice, also as ud/en/\.\./b\.conllu; name"),
        (["-", "-"], r"- is named twice"),
        (["missing", "missing"], r"missing is named twice"),
    ],
)
def test_what_stands_for_nothing_or_twice(folder: Path, arguments: list[str], said: str) -> None:
    with pytest.raises(CorpusError, match=said) as refused:
        corpus_files(arguments)
    assert "\n" not in str(refused.value)
