"""Files and names in the way: those of others stay as they are, and what no lexicon can be is named."""

import os
import sys
from pathlib import Path

import pytest

from aptdb import InterpretationWarning, Lexicon, LexiconError
from support.commands import ask
from support.corpora import DOGS
from support.lexicons import lexicon_of, new_lexicon

MINE = "mine, and nobody else's"
WRITTEN = [
    ["export", "{lexicon}", "-o", "{place}.parquet"],
    ["export", "{lexicon}", "-o", "{place}.npz"],
    ["info", "{lexicon}", "--report", "{place}.html"],
    ["neighbours", "{lexicon}", "--all", "-o", "{place}.tsv"],
]


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    return lexicon_of(tmp_path / "dogs.duckdb", {"dogs": DOGS.encode()})


@pytest.mark.sampled
@pytest.mark.parametrize("command", WRITTEN, ids=lambda command: command[-1].removeprefix("{place}."))
def test_files_that_look_unfinished(lexicon: Path, tmp_path: Path, command: list[str]) -> None:
    """A link in that place is not followed either."""
    place = tmp_path / "written"
    file = Path(command[-1].format(place=place))
    victim = tmp_path / "victim"
    others = [file.with_name(f"{file.name}{ending}") for ending in (".unfinished", ".parts.unfinished")]
    victim.write_text(MINE, encoding="utf-8")
    others[0].symlink_to(victim)
    others[1].mkdir()
    (others[1] / "precious.parquet").write_text(MINE, encoding="utf-8")
    answer = ask(*(each.format(lexicon=lexicon, place=place) for each in command))
    assert answer.exit_code == 0, answer.output
    assert victim.read_text(encoding="utf-8") == MINE
    assert others[0].is_symlink()
    assert not file.is_symlink()
    assert (others[1] / "precious.parquet").read_text(encoding="utf-8") == MINE
    assert {each.name for each in tmp_path.iterdir()} >= {file.name, *(each.name for each in others)}


@pytest.mark.thorough
def test_files_that_look_compacted(lexicon: Path) -> None:
    others = [lexicon.with_name(f"{lexicon.name}.compacted{ending}") for ending in ("", ".wal")]
    for each in others:
        each.write_text(MINE, encoding="utf-8")
    with Lexicon.open(lexicon) as opened:
        opened.compact()
        opened.remove("dogs")
    assert [each.read_text(encoding="utf-8") for each in others] == [MINE, MINE]
    assert {each.name for each in lexicon.parent.iterdir()} == {lexicon.name, *(each.name for each in others)}


def test_a_file_in_the_way_of_a_rebuild(lexicon: Path, tmp_path: Path) -> None:
    """What a killed rebuild left is begun anew; anything else is named."""
    other = tmp_path / "new.duckdb.unfinished"
    other.write_text(MINE, encoding="utf-8")
    with Lexicon.open(lexicon) as opened:
        with pytest.raises(
            LexiconError, match=r"new\.duckdb\.unfinished is in the way, and is not an unfinished lexicon"
        ):
            opened.rebuild(tmp_path / "new.duckdb")
        assert other.read_text(encoding="utf-8") == MINE
        other.unlink()
        other.symlink_to(lexicon)
        with pytest.raises(LexiconError, match="is in the way"):
            opened.rebuild(tmp_path / "new.duckdb")
    assert other.is_symlink()
    assert lexicon.exists()


@pytest.mark.thorough
def test_a_thesaurus_of_names_with_tabs(tmp_path: Path) -> None:
    """Each row is one line of three cells, and it is said that names are other ones."""
    counts = "".join(f"{a}\t<r\t{b}\t3\n{b}\t>r\t{a}\t3\n" for a, b in (("a\u2028b/X", "c/X"), ("d\u2028e/X", "c/X")))
    with new_lexicon(
        tmp_path / "tabs.duckdb", written(tmp_path / "counts.tsv", f"lexeme\tpath\tcontext\tcount\n{counts}")
    ) as lexicon:
        with pytest.warns(
            InterpretationWarning, match=r"2 names have _ in place of tabs and line ends, which near\.tsv cannot hold"
        ):
            lexicon.thesaurus(tmp_path / "near.tsv", min_frequency=0, weights="raw_count")
        lexicon.thesaurus(tmp_path / "near.parquet", min_frequency=0, weights="raw_count")
    lines = (tmp_path / "near.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["a_b/X\td_e/X\t1.0", "d_e/X\ta_b/X\t1.0"]


def written(file: Path, text: str) -> Path:
    """A file with this text."""
    file.write_text(text, encoding="utf-8")
    return file


def test_links_that_lead_back(lexicon: Path, tmp_path: Path) -> None:
    """They are neither a missing lexicon nor a place for a new one."""
    (tmp_path / "one").symlink_to(tmp_path / "other")
    (tmp_path / "other").symlink_to(tmp_path / "one")
    problem = "a link of this path leads back to itself; name another file"
    for command in (["info", "{one}"], ["add", "{one}", "{lexicon}"], ["rebuild", "{lexicon}", "-o", "{one}"]):
        answer = ask(*(each.format(one=tmp_path / "one", lexicon=lexicon) for each in command))
        assert answer.exit_code == 1
        assert answer.stderr == f"aptdb: {tmp_path / 'one'}: {problem}\n"


@pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="all names of files are Unicode there")
def test_names_that_are_not_utf8(lexicon: Path, tmp_path: Path) -> None:
    """DuckDB cannot open them."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "there.duckdb").write_bytes(lexicon.read_bytes())
    for command in (
        ["info", "{folder}/there.duckdb"],
        ["add", "{folder}/new.duckdb", "{lexicon}"],
        ["add", "{lexicon}", "{folder}/there.duckdb"],
        ["export", "{lexicon}", "-o", "{folder}/e.parquet"],
        ["info", "{lexicon}", "--temp", "{folder}"],
        ["sql", "{lexicon}", "--attach", "{folder}/there.duckdb", "FROM lexemes"],
    ):
        answer = ask(*(each.format(folder=folder, lexicon=lexicon) for each in command))
        assert answer.exit_code == 1, answer.output
        assert answer.stderr.endswith("the name of this file, or of a folder it is in, is not UTF-8; rename it\n")
    assert [each.name for each in folder.iterdir()] == ["there.duckdb"]
