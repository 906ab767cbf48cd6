"""New files are put in place in one way: next to which logs, through which links, and never in place of others."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pytest

import aptdb
from aptdb import Lexicon, LexiconError
from aptdb.core.errors import QuestionError
from aptdb.store import file_writing
from aptdb.store.file_writing import LOGS, failures_named, name_until, overwrite_file, put_in_place, where_processes_are
from support.clients import change_file
from support.commands import ask
from support.corpora import DOGS
from support.lexicons import lexicon_of

pytestmark = [pytest.mark.extra, pytest.mark.sampled(12)]  # what counts into a folder needs pyarrow
CATS = DOGS.replace("Dogs", "Cats").replace("dog\t", "cat\t")
# What makes lexicons, and what makes other files; {new} is the place of the new one.
LEXICONS = {
    "backup": "backup {made} {new}",
    "rebuild": "rebuild {made} -o {new}",
    "merge": "add {new} {made}",
    "add": "add {new} {cats}",
    "sync": "sync {new} {cats}",
    "add in place": "add {new} {counted} --in-place",
    "migrate": "migrate {new} --exported {exported}",
}
OTHERS = {
    "x.parquet": "export {made} -o {new}",
    "x.npz": "export {made} -o {new}",
    "x.tsv": "neighbours {made} --all -o {new}",
    "x.svg": "draw {made} dog/NOUN -o {new}",
    "x.conllu": "demo --write {new}",
    "x.site": "serve {made} --site {new}",
    "x.counted": "count {cats} -o {new}",
}
ALL = [*(("x.duckdb", each) for each in LEXICONS.values()), *OTHERS.items()]
by_command = pytest.mark.parametrize(("name", "command"), ALL, ids=[*LEXICONS, *OTHERS])


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What the commands take."""
    folder = tmp_path_factory.mktemp("taken")
    found = {each: folder / each for each in ("made", "cats", "counted", "exported")}
    found["cats"].write_text(CATS, encoding="utf-8")
    lexicon_of(found["made"], {"dogs": DOGS.encode()})
    if find_spec("pyarrow"):
        assert ask("count", found["cats"], "-o", found["counted"]).exit_code == 0
    change_file(found["made"], f"EXPORT DATABASE '{found['exported']}' (FORMAT parquet)")
    return found


def run(taken: dict[str, Path], command: str, new: Path) -> tuple[int, str]:
    """The status of a command, and all that it said."""
    if command.startswith("count ") or "--in-place" in command:
        pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    answer = ask(*(word.format(**taken, new=new) for word in command.split()))
    return answer.exit_code, answer.output


def crashed(file: Path, made: Path) -> Path:
    """Make a lexicon whose writer was killed, so that its last change is in its log alone; return the log."""
    shutil.copy(made, file)
    with duckdb.connect(str(file)) as opened:
        opened.execute("SET checkpoint_threshold = '1TB'; PRAGMA disable_checkpoint_on_shutdown")
        opened.execute("UPDATE _store.corpus SET name = 'changed'")
    return file.with_name(f"{file.name}.wal")


def corpora(file: Path) -> list[str]:
    """The names of the corpora in a lexicon."""
    with Lexicon.open(file) as lexicon:
        return [*lexicon.corpora().column("name")]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("ending", LOGS)
@pytest.mark.parametrize("command", LEXICONS.values(), ids=[*LEXICONS])
def test_a_log_without_its_lexicon(taken: dict[str, Path], tmp_path: Path, command: str, ending: str) -> None:
    """DuckDB would make its changes in the new file, or delete it; both lose somebody's data."""
    new, log = tmp_path / "x.duckdb", tmp_path / f"x.duckdb{ending}"
    crashed(new, taken["made"]).rename(log)
    new.unlink()
    before = log.read_bytes()
    status, said = run(taken, command, new)
    assert status == 1
    assert f"{log} has changes of an older x.duckdb" in said
    assert [*tmp_path.iterdir()] == [log]
    assert log.read_bytes() == before


# What can be written under any name; pictures, thesauri and reports have endings of their own.
ANY_NAME = [
    *LEXICONS.values(),
    "export {made} -o {new} --as byblo",
    "serve {made} --site {new}",
    "count {cats} -o {new}",
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("through_link", [False, True])
@pytest.mark.parametrize("ending", LOGS)
@pytest.mark.parametrize("command", [*ANY_NAME, "demo --write {new}"])
def test_nothing_new_is_called_as_a_log(
    taken: dict[str, Path], tmp_path: Path, command: str, ending: str, *, through_link: bool
) -> None:
    """DuckDB would delete it when the database of that name is written next, without a word."""
    shutil.copy(taken["made"], tmp_path / "x.duckdb")
    new = tmp_path / f"x.duckdb{ending}"
    if through_link:
        new = tmp_path / "link"
        new.symlink_to(f"x.duckdb{ending}")
    before = sorted(tmp_path.rglob("*"))
    status, said = run(taken, command, new)
    assert (status, said.count(f"{new} cannot end with {ending}")) == (1, 1), said
    assert sorted(tmp_path.rglob("*")) == before


def test_a_log_of_a_copy_that_is_replaced(taken: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    crashed(copy, taken["made"])
    aptdb.backup(taken["made"], copy)
    assert [*tmp_path.iterdir()] == [copy]
    assert corpora(copy) == ["dogs"]


@pytest.mark.thorough
@pytest.mark.parametrize("change", ["compact", "backup"])
def test_what_is_only_in_the_log_goes_along(taken: dict[str, Path], tmp_path: Path, change: str) -> None:
    file = tmp_path / "x.duckdb"
    log = crashed(file, taken["made"])
    if change == "compact":
        assert ask("compact", file).exit_code == 0
        assert not log.exists()
    else:
        aptdb.backup(file, tmp_path / "copy.duckdb")
        file = tmp_path / "copy.duckdb"
    assert corpora(file) == ["changed"]


@pytest.mark.sampled(17)
@by_command
def test_links_are_followed(taken: dict[str, Path], tmp_path: Path, name: str, command: str) -> None:
    """A link to what is not there yet, in another folder; what is written stands there, and the link stays."""
    new, place = tmp_path / name, tmp_path / "other" / "folder" / f"real-{name}"
    place.parent.mkdir(parents=True)
    new.symlink_to(place.relative_to(tmp_path))
    status, said = run(taken, command, new)
    assert status == 0, said
    assert new.is_symlink()
    assert [*place.parent.iterdir()] == [place]


@pytest.mark.sampled(17)
@by_command
def test_dots_after_a_link(taken: dict[str, Path], tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / "other" / "folder").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "other" / "folder")
    status, said = run(taken, command, tmp_path / "link" / ".." / name)
    assert status == 0, said
    assert (tmp_path / "other" / name).exists()


@pytest.mark.sampled(6)
@by_command
@pytest.mark.parametrize("what", ["folder", "circle", "link to no folder"])
def test_places_that_cannot_be_written(
    taken: dict[str, Path], tmp_path: Path, name: str, command: str, what: str
) -> None:
    new = tmp_path / name
    if what == "folder":
        new.mkdir()
        (new / "mine").touch()
    else:
        new.symlink_to(name if what == "circle" else f"nowhere/{name}")
    before = [(each, each.is_symlink()) for each in tmp_path.rglob("*")]
    status, said = run(taken, command, new)
    assert status == 1, said
    assert said.splitlines()[-1].startswith("aptdb: "), said
    assert [(each, each.is_symlink()) for each in tmp_path.rglob("*")] == before


def test_a_lexicon_with_two_names_is_not_compacted(taken: dict[str, Path], tmp_path: Path) -> None:
    """The other name would keep the larger file, and miss all that is added from then on."""
    file, other = tmp_path / "x.duckdb", tmp_path / "other.duckdb"
    shutil.copy(taken["made"], file)
    other.hardlink_to(file)
    status, said = run(taken, "compact {new}", file)
    assert (status, file.samefile(other)) == (1, True)
    assert "has other names (hard links)" in said


def test_the_name_that_a_killed_rebuild_left(taken: dict[str, Path], tmp_path: Path) -> None:
    """It had given the lexicon its name, and did not take the temporary one away; the lexicon has moved since."""
    file, new = tmp_path / "moved.duckdb", tmp_path / "x.duckdb"
    log = crashed(file, taken["made"])
    new.with_name("x.duckdb.unfinished").hardlink_to(file)
    before = file.read_bytes(), log.read_bytes()
    assert run(taken, "rebuild {made} -o {new}", new)[0] == 0
    assert (file.read_bytes(), log.read_bytes()) == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["moved.duckdb", "moved.duckdb.wal", "x.duckdb"]


@pytest.mark.skipif(os.name == "nt", reason="nobody can ask there whether a process runs without ending it")
def test_what_a_killed_process_left_is_deleted(tmp_path: Path) -> None:
    """Files and folders, on this machine; not what somebody writes now, here or elsewhere, or calls so himself."""
    new, token, here = tmp_path / "x.parquet", "0" * 16, where_processes_are()
    left = [f"x.parquet.{here}-99999999-{token}.unfinished", f"x.parquet.{here}-99999998-{token}.unfinished"]
    others = [
        f"x.parquet.{here}-{os.getppid()}-{token}.unfinished",
        f"x.parquet.{'f' * 8}-99999999-{token}.unfinished",
        f"y.parquet.{here}-99999999-{token}.unfinished",
        f"x.parquet.{token}.unfinished",
        "x.parquet.unfinished",
    ]
    for name in (left[0], *others):
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / left[1]).mkdir()
    (tmp_path / left[1] / "part").touch()
    overwrite_file(new, b"content")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([new.name, *others])
    assert here in name_until(new, "unfinished").name


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    """Not even one of several: all that were new are gone again."""
    files = [tmp_path / "first", tmp_path / "second"]
    made = [tmp_path / "first.made", tmp_path / "second.made"]
    for each in (*made, files[0]):
        each.write_text(each.name, encoding="utf-8")
    with pytest.raises(QuestionError, match="another process has just created"), failures_named(files[0]):
        put_in_place(made, files)
    assert not files[1].exists()
    assert files[0].read_text(encoding="utf-8") == "first"


def test_only_files_are_replaced(tmp_path: Path) -> None:
    """A pipe stands for a device."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(QuestionError, match="what is there is not a file"):
        overwrite_file(tmp_path / "pipe", b"content")
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_what_is_flushed_when(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file before it has its name, and the folder afterwards."""
    made, new = tmp_path / "made", tmp_path / "new"
    seen: list[tuple[str, bool]] = []
    (made / "inside").mkdir(parents=True)
    (made / "inside" / "page").touch()
    monkeypatch.setattr(file_writing, "flush", lambda place: seen.append((place.name, new.exists())))
    put_in_place([made], [new])
    assert sorted(seen[:-1]) == [("inside", False), ("made", False), ("page", False)]
    assert seen[-1] == (tmp_path.name, True)


def test_a_lexicon_that_cannot_be_opened_is_not_left(
    taken: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Success is reported only after it was opened under its own name."""
    monkeypatch.setattr(file_writing, "name_new", lambda made, new: (made.unlink(), new.write_bytes(b"no database")))
    with Lexicon.open(taken["made"]) as lexicon, pytest.raises(LexiconError, match="not a lexicon"):
        lexicon.rebuild(tmp_path / "new.duckdb")
    assert [*tmp_path.iterdir()] == []
