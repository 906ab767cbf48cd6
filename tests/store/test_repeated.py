"""What was stopped or killed can be asked for again, and a file that is written anew stays its owner's."""

import io
import os
import re
import shutil
import signal
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from aptdb import CorpusError, Lexicon, LexiconError
from aptdb.core.settings import Settings
from aptdb.store import compaction
from aptdb.store.database import Database
from aptdb.store.file_writing import as_private_as, where_processes_are
from aptdb.store.lexicon_file import making
from aptdb.store.limits import limits
from aptdb.store.temporary_folders import scratch_folder
from support.commands import ask
from support.corpora import DOGS, noun_phrase
from support.lexicons import assert_same, lexicon_of
from support.processes import beside, complaint, corpora_of, run, stopped
from support.runs import thorough

CATS = DOGS.replace("Dogs", "Cats").replace("dog\t", "cat\t")


@pytest.fixture
def dogs(tmp_path: Path) -> Path:
    """A lexicon of one sentence."""
    return lexicon_of(tmp_path / "dogs.duckdb", {"dogs": DOGS.encode()})


@pytest.fixture
def cats(tmp_path: Path) -> Path:
    """Another one."""
    return lexicon_of(tmp_path / "cats.duckdb", {"cats": CATS.encode()})


def empty(file: Path) -> None:
    """What is left if an addition is killed before its transaction ends."""
    Database(file, read_only=False).close()


def cut_off(size: int) -> Callable[[Path], None]:
    """What is left if DuckDB is killed while it creates a file."""

    def make(file: Path) -> None:
        empty(file)
        file.write_bytes(file.read_bytes()[:size])

    return make


def complete(file: Path) -> None:
    """A lexicon that did not get its name."""
    lexicon_of(file, {"cats": CATS.encode()})


LEFT = [empty, *map(cut_off, (0, 100, 4096, 8192, 12_287))]


@pytest.mark.thorough
@pytest.mark.parametrize("leave", [complete, *thorough(LEFT)])
def test_what_a_killed_rebuild_left_does_not_stand_in_the_way(
    dogs: Path, tmp_path: Path, leave: Callable[[Path], None]
) -> None:
    new = tmp_path / "new.duckdb"
    leave(tmp_path / "new.duckdb.unfinished")
    with Lexicon.open(dogs) as lexicon:
        lexicon.rebuild(new)
        assert_same(new, dogs)
        assert not beside(new)
        made = new.read_bytes()
        with pytest.raises(LexiconError, match="exists already"):
            lexicon.rebuild(new)
    assert new.read_bytes() == made


@pytest.mark.thorough
def test_what_is_private_stays_private(tmp_path: Path, dogs: Path) -> None:
    """The log, what compaction writes, temporary folders, what is merged from a private lexicon, and its pictures."""
    file, seen = tmp_path / "private" / "own.duckdb", dict[str, int]()
    file.parent.mkdir()
    shutil.copy(dogs, file)
    file.chmod(0o600)

    def look(*_: object) -> None:
        for each in file.parent.iterdir():
            seen[re.sub(r"-[0-9a-f]{8}-\d+-[0-9a-f]{32}", "", each.name)] = stat.S_IMODE(each.stat().st_mode)

    mask = os.umask(0o022)
    try:
        with Lexicon.open(file) as lexicon:
            look()
            lexicon.add(io.BytesIO(b"# x\n" + DOGS.encode()), name="more", progress=look, again=True)
            with lexicon._session.writing() as database:
                database.run("UPDATE _store.corpus SET source = 'elsewhere'")
                database.go_on()
                look()
            lexicon.compact()
        merged = file.with_name("merged.duckdb")
        with Lexicon.open(merged, create=True) as lexicon:
            lexicon.merge(file)
            look()
        for made, asked in {"r.html": ("info", file, "--report"), "d.svg": ("draw", file, "dog/NOUN", "-o")}.items():
            assert ask(*asked, file.with_name(made)).exit_code == 0
            assert stat.S_IMODE(file.with_name(made).stat().st_mode) == 0o600
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(mask)
    assert seen == {"own.duckdb": 0o600, "own.duckdb.wal": 0o600, "aptdb": 0o700, "merged.duckdb": 0o600}


@pytest.mark.thorough
def test_what_is_written_from_a_private_lexicon_is_private(tmp_path: Path) -> None:
    """Exports, also of a space, which name its words; and a plot of an evaluation."""
    phrases = [noun_phrase(noun, adjective) for noun in map(str, range(12)) for adjective in ("small", "big", noun)]
    animals = lexicon_of(tmp_path / "animals.duckdb", {"animals": phrases})
    judged = tmp_path / "judged.tsv"
    judged.write_text("word1\tword2\tscore\n1/N\t2/N\t1\n1/N\t3/N\t2\n2/N\t3/N\t3\n")
    for each in (animals, judged):
        each.chmod(0o600)
    asked: list[tuple[str, ...]] = [("export", "-o", "w.parquet"), ("export", "-o", "w.sm"), ("backup", "copy.duckdb")]
    asked += [("export", "--space", "sp", "-o", f"{each}.{each}") for each in ("vec", "bin", "npy", "safetensors")]
    asked += [("neighbours", "--all", "-o", "t.parquet")]
    if find_spec("matplotlib"):
        asked += [("eval ratings", str(judged), "-o", "e.svg")]
    mask = os.umask(0o022)
    try:
        few = ("--dimensions", "2", "--pos", "N", "--window", "0", "--shift", "1", "--min-frequency", "1")
        reduced = ask("reduce", animals, "sp", *few)
        assert reduced.exit_code == 0, reduced.stderr
        for command, *options, file in asked:
            done = ask(*command.split(), animals, *options, tmp_path / file)
            assert done.exit_code == 0, done.stderr
        assert set(modes(tmp_path).values()) == {0o600}
    finally:
        os.umask(mask)


@pytest.fixture
def private(tmp_path: Path) -> Iterator[Path]:
    """A corpus that nobody else may read, with an invalid sentence, while what is made is readable by all."""
    source = tmp_path / "private.conllu"
    source.write_text(DOGS + "1\tsecret\tsecret\tNOUN\t_\t_\t7\tamod\t_\t_\n\n", encoding="utf-8")
    source.chmod(0o600)
    mask = os.umask(0o022)
    yield source
    os.umask(mask)


def modes(folder: Path) -> dict[str, int]:
    """The modes of all files and folders in a folder."""
    return {str(each.relative_to(folder)): stat.S_IMODE(each.stat().st_mode) for each in folder.rglob("*")}


@pytest.mark.thorough
def test_what_is_made_of_a_private_corpus_is_private(private: Path, tmp_path: Path) -> None:
    """A new lexicon, and what is rejected; a pipe, which nobody else may read either, says nothing of its text."""
    rejecting = ("--skip-invalid", "--rejects", tmp_path / "rejected")
    assert ask("add", tmp_path / "added", private, *rejecting).exit_code == 0
    assert ask("sync", tmp_path / "synchronised", private, "--skip-invalid").exit_code == 0
    assert modes(tmp_path) == dict.fromkeys(("private.conllu", "added", "rejected", "synchronised"), 0o600)
    reading, writing = os.pipe()
    os.write(writing, DOGS.encode())
    os.close(writing)
    assert ask("add", tmp_path / "piped", f"/dev/fd/{reading}").exit_code == 0
    os.close(reading)
    assert modes(tmp_path)["piped"] == 0o644


def test_what_is_being_made_of_a_private_file_is_private(
    private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its first moment: whoever has opened it then reads on."""
    monkeypatch.setattr(Path, "chmod", lambda *_: None)
    with making(tmp_path / "new", Settings(), private, limits()) as database:
        database.go_on()
        database.run("UPDATE _store.settings SET runs = 1")
        database.go_on()
        assert modes(tmp_path) == dict.fromkeys(("private.conllu", "new.unfinished", "new.unfinished.wal"), 0o600)


def test_threads_that_make_private_files_leave_the_mask(private: Path) -> None:
    """They need not end in the order in which they began."""
    first, second = ExitStack(), ExitStack()
    first.enter_context(as_private_as(private))
    second.enter_context(as_private_as(private.parent))
    second.enter_context(as_private_as(private))
    first.close()
    assert os.umask(0o066) == 0o066
    second.close()
    assert os.umask(0o022) == 0o022


@pytest.mark.extra
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # which py4j leaves behind
@pytest.mark.parametrize("engine", ["local", pytest.param("spark", marks=pytest.mark.thorough)])
def test_a_folder_of_counts_is_as_private_as_its_corpora(
    private: Path, tmp_path: Path, engine: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """And the lexicon that is made of it; also where the same process has counted what all may read."""
    pytest.importorskip("pyarrow", reason="counting into a folder needs pyarrow")
    how: tuple[str, ...] = ()
    if engine == "spark":
        pytest.importorskip("pyspark", reason="pyspark is not installed")
        if not shutil.which("java"):
            pytest.skip("Spark needs Java")
        how = ("--engine", "spark", "--master", "local[1]")
    public = tmp_path_factory.mktemp("open")
    Path(public, "dogs.conllu").write_text(DOGS, encoding="utf-8")
    assert ask("count", public / "dogs.conllu", "-o", public / "counts", *how).exit_code == 0
    counts = tmp_path / "counts"
    rejecting = ("--skip-invalid", "--rejects", tmp_path / "rejected")
    assert ask("count", private, "-o", counts, *rejecting, *how).exit_code == 0
    assert ask("add", tmp_path / "added", counts).exit_code == 0
    assert {mode for name, mode in modes(tmp_path).items() if (tmp_path / name).is_file()} == {0o600}
    assert {mode for name, mode in modes(tmp_path).items() if (tmp_path / name).is_dir()} == {0o711}


@pytest.mark.thorough
def test_what_a_killed_process_left_is_deleted(tmp_path: Path, dogs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of input, and temporary files below --temp; what processes use stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    here = f"aptdb-{where_processes_are()}"
    used, left = tmp_path / f"{here}-{os.getpid()}-used", tmp_path / f"{here}-99999999-left"
    elsewhere = tmp_path / "aptdb-0a1b2c3d-99999999-left"  # in another container, say
    for folder in (used, left, elsewhere):
        folder.mkdir()
        (folder / "chunk.conllu").write_text(DOGS)
    with scratch_folder() as own:
        assert {*tmp_path.glob("aptdb-*")} == {used, own, elsewhere}
    left.mkdir()
    with scratch_folder(tmp_path / "here"):  # a lexicon's own
        assert not left.exists()
    left.mkdir()
    with Lexicon.open(dogs, temp=tmp_path) as lexicon:
        assert lexicon.verify().rows == []
        assert not left.exists()
    rest = dogs.with_name(f"{dogs.name}.0123456789abcdef.compacted")
    others = dogs.with_name(f"{dogs.name}.old.compacted")
    rest.touch()
    others.touch()
    with Lexicon.open(dogs) as lexicon:
        lexicon.compact()
    assert (rest.exists(), others.exists()) == (False, True)


@pytest.mark.thorough
def test_two_rebuilds_at_once(dogs: Path, tmp_path: Path) -> None:
    """The second is told so; and who comes to the name first keeps it."""
    new = tmp_path / "new.duckdb"
    with Lexicon.open(dogs) as lexicon:

        def others(*_: int) -> None:
            said = complaint(run("rebuild", dogs, "-o", new))
            assert f"{new} is in use by process {os.getpid()}" in said
            new.write_bytes(b"theirs")

        with pytest.raises(LexiconError, match="another process has just created"):
            lexicon.rebuild(new, progress=others)
    assert new.read_bytes() == b"theirs"
    assert not beside(new)


@pytest.mark.thorough
def test_a_rebuild_is_as_private_as_what_it_is_made_of(dogs: Path, tmp_path: Path) -> None:
    dogs.chmod(0o400)
    with Lexicon.open(dogs) as lexicon:
        lexicon.rebuild(tmp_path / "new.duckdb")
    assert stat.S_IMODE((tmp_path / "new.duckdb").stat().st_mode) == 0o600


@pytest.mark.thorough
@pytest.mark.parametrize("leave", [LEFT[0], *thorough(LEFT[1:])])
def test_what_a_killed_addition_left_is_called_by_its_name(tmp_path: Path, leave: Callable[[Path], None]) -> None:
    file, source = tmp_path / "l.duckdb", tmp_path / "dogs"
    source.write_text(DOGS)
    leave(file)
    said = complaint(run("info", file))
    assert said.startswith(f"{file} is empty: an addition was stopped before anything was added; run its command again")
    assert run("add", file, source).returncode == 0
    assert corpora_of(file) == ["dogs"]


@pytest.mark.parametrize("content", [b"x", b"# CoNLL-U\n" * 5])
def test_what_is_no_lexicon_is_never_taken_for_a_rest(tmp_path: Path, content: bytes) -> None:
    file, source = tmp_path / "l.duckdb", tmp_path / "dogs"
    source.write_text(DOGS)
    file.write_bytes(content)
    assert "is not a lexicon" in complaint(run("info", file))
    assert "is not a lexicon" in complaint(run("add", file, source))
    assert file.read_bytes() == content


@pytest.mark.thorough
def test_a_merge_of_several_goes_on(dogs: Path, cats: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.duckdb"
    assert run("add", new, dogs).returncode == 0
    done = run("add", new, dogs, cats)
    assert done.returncode == 0
    assert f"{dogs}: nothing to add; all was added before" in done.stderr
    assert f"{cats}: added cats" in done.stderr
    with Lexicon.open(new) as lexicon:
        assert [lexicon.merge(dogs), lexicon.merge(cats)] == [[], []]
        assert lexicon.corpora().column("name") == ["dogs", "cats"]
        assert lexicon.verify().rows == []
        with pytest.raises(CorpusError, match="was added before, as dogs"):
            lexicon.merge(dogs, prefix="more_")


@pytest.mark.thorough
def test_a_part_of_a_lexicon_is_refused_as_before(dogs: Path, tmp_path: Path) -> None:
    both = lexicon_of(tmp_path / "both.duckdb", {"dogs": DOGS.encode(), "cats": CATS.encode()})
    with Lexicon.open(dogs) as lexicon, pytest.raises(CorpusError, match="corpus dogs was added before"):
        lexicon.merge(both)


@pytest.mark.thorough
def test_an_interrupted_merge_can_be_given_again(dogs: Path, tmp_path: Path) -> None:
    new, more = tmp_path / "new.duckdb", tmp_path / "more.duckdb"
    lexicon_of(more, {str(n): CATS.replace("Cats", f"Cats{n}").encode() for n in range(20)})
    for delay in (0.2, 0.4, 0.6):
        stopped(delay, signal.SIGINT, "add", new, dogs, more)
    assert run("add", new, dogs, more).returncode == 0
    assert corpora_of(new) == ["dogs", *map(str, range(20))]


@pytest.mark.thorough
def test_compacting_keeps_mode_and_links(dogs: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.duckdb"
    link.symlink_to(dogs)
    dogs.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(dogs, 4321, 4322)
    before = dogs.stat()
    assert compaction.give_back(spacious(link), limits(), at_any_cost=True, asked=True)
    after = dogs.stat()
    assert link.is_symlink()
    assert after.st_ino != before.st_ino
    assert [after.st_mode, after.st_uid, after.st_gid] == [before.st_mode, before.st_uid, before.st_gid]
    assert corpora_of(link) == ["dogs"]


@pytest.mark.thorough
def test_what_belongs_to_somebody_else_is_not_replaced(dogs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid():
        pytest.skip("only root can make a file of somebody else")
    os.chown(dogs, 4321, 4322)
    spacious(dogs)

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chown", refused)
    before = dogs.stat()
    assert not compaction.give_back(dogs, limits(), at_any_cost=True)
    with pytest.raises(LexiconError, match="belongs to another user"):
        compaction.give_back(dogs, limits(), at_any_cost=True, asked=True)
    assert dogs.stat().st_ino == before.st_ino
    assert not beside(dogs)
    assert corpora_of(dogs) == ["dogs"]


def spacious(file: Path) -> Path:
    """The lexicon, with unused space in its file."""
    database = Database(file, read_only=False)
    with database.transaction():
        database.run("CREATE TABLE waste AS SELECT hash(range) AS x FROM range(1000000)")
    with database.transaction():
        database.run("DROP TABLE waste")
    database.run("CHECKPOINT")
    database.close()
    return file
