"""Faults from outside: each is one line and exit status 1, and the lexicon is what it was."""

import fcntl
import io
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon
from aptdb.core.errors import LexiconError
from aptdb.core.settings import Settings
from aptdb.counting.add import add
from aptdb.store import database as database_module
from aptdb.store import open_files
from aptdb.store.interrupts import ALL_WRITTEN, interrupts_raised
from aptdb.store.lazy_imports import Late, duckdb
from aptdb.store.session import Session
from support.corpora import DOGS
from support.lexicons import assert_same, lexicon_of, make_lexicon
from support.processes import (
    NO_LEXICON_BYTES,
    PROGRAM,
    beside,
    buffered,
    check_kills,
    complaint,
    corpora_of,
    killed,
    parts_of_treebank,
    run,
    stopped,
    written,
)
from support.runs import HANGS, thorough

CATS = DOGS.replace("Dogs", "Cats").replace("dog\t", "cat\t")
UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon of two corpora of a sentence each."""
    return lexicon_of(tmp_path_factory.mktemp("made") / "made.duckdb", {"dogs": DOGS.encode(), "cats": CATS.encode()})


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """A copy of it in a folder of its own."""
    return Path(shutil.copy(made, tmp_path / "l.duckdb"))


@pytest.fixture
def more(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that can be added to it."""
    source = tmp_path_factory.mktemp("more") / "more.conllu"
    source.write_text(DOGS.replace("Dogs", "Cows").replace("dog\t", "cow\t"))
    return source


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon that takes a while to change."""
    parts = parts_of_treebank(500_000, "one", "two")
    return lexicon_of(tmp_path_factory.mktemp("treebank") / "treebank.duckdb", parts)


@pytest.mark.thorough
@pytest.mark.parametrize("kills", [1, 8])
def test_a_killed_addition_of_two_files(tmp_path: Path, kills: int) -> None:
    assert check_kills(tmp_path, kills, 250_000).total() == kills


@pytest.mark.thorough
@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("command", ["compact", "remove", "add"])
def test_a_killed_change(treebank: Path, tmp_path: Path, command: str, share: float) -> None:
    """SIGKILL within compact, remove and add leaves what was there, or what was to be."""
    file = Path(shutil.copy(treebank, tmp_path / "l.duckdb"))
    if command == "add":
        file.unlink()
    arguments: dict[str, list[str | Path]] = {"remove": ["one"], "add": [treebank]}
    killed(share * 2.0, command, file, *arguments.get(command, []))
    held = corpora_of(file)
    assert held in (["one", "two"], ["two"], [])
    if len(held) == 1:
        two = {"two": parts_of_treebank(500_000, "one", "two")["two"]}
        assert_same(file, lexicon_of(tmp_path / "without.duckdb", two), but=("corpus",))
    elif held:
        assert_same(file, treebank, but=("corpus",))
    else:
        assert command == "add"
    make_lexicon(file, CATS.encode(), name="cats")
    assert beside(file) <= {".compacted", ".compacted.wal"}


@pytest.mark.thorough
@pytest.mark.parametrize("share", [0.5, 0.8, 1.0])
def test_a_killed_rebuild(treebank: Path, tmp_path: Path, share: float) -> None:
    """What is half made is no lexicon, and what it was made of is as it was."""
    before, new = treebank.read_bytes(), tmp_path / "new.duckdb"
    killed(share * 2.0, "rebuild", treebank, "-o", new)
    assert treebank.read_bytes() == before
    if corpora_of(new):
        assert_same(new, treebank)
    elif new.exists():
        raise AssertionError("a half-made lexicon has its name")
    if not new.exists():
        assert beside(new) <= {".unfinished", ".unfinished.wal", ".unfinished.tmp"}
        assert run("rebuild", treebank, "-o", new).returncode == 0
        assert_same(new, treebank)
    assert not beside(new)
    made = new.read_bytes()
    assert "exists already" in complaint(run("rebuild", treebank, "-o", new))
    assert new.read_bytes() == made


@pytest.mark.thorough
def test_two_who_add_at_once(file: Path, more: Path) -> None:
    slow = [*PROGRAM, "add", str(file), "-", "--name", "slow"]
    with subprocess.Popen(slow, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as first:
        assert first.stdin
        first.stdin.write(DOGS.replace("Dogs", "Hens").encode())
        first.stdin.flush()
        wait_until_held(file)
        said = complaint(run("add", file, more))
        assert f"{file} is in use by process {first.pid}" in said
        first.stdin.close()
        assert first.wait(60) == 0
    assert corpora_of(file) == ["dogs", "cats", "slow"]
    assert run("add", file, more).returncode == 0
    assert corpora_of(file) == ["dogs", "cats", "slow", "more.conllu"]


def wait_until_held(file: Path) -> None:
    """Until a process writes a lexicon, so that nobody else may read; looking does not disturb it."""
    if sys.platform != "linux":
        pytest.skip("how a lock is asked for is known of Linux alone")
    layout, ended = "hhqqi", time.monotonic() + 60
    asked = struct.pack(layout, fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
    with file.open("r+b") as held:
        while struct.unpack(layout, fcntl.fcntl(held, fcntl.F_GETLK, asked))[0] == fcntl.F_UNLCK:
            assert time.monotonic() < ended
            time.sleep(0.05)


@pytest.mark.thorough
@pytest.mark.parametrize("room", [100_000, *thorough([0])])
def test_no_room(file: Path, more: Path, tmp_path: Path, room: int) -> None:
    """No file can grow beyond so many bytes; compact and weigh write least of all."""
    before, new = file.read_bytes(), tmp_path / "new"
    commands: list[tuple[Any, ...]] = [("rebuild", file, "-o", new), ("add", new, more), ("add", file, more)]
    if not room:
        commands += [("compact", file), ("remove", file, "dogs"), ("export", file, "-o", tmp_path / "new.tsv")]

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    for command in commands:
        assert "cannot be written: " in complaint(run(*command, preexec_fn=bounded))
        assert beside(file) <= {".wal"}  # which is empty
        assert file.with_name("l.duckdb.wal").stat().st_size == 0 if beside(file) else True
        assert {each.name for each in tmp_path.iterdir()} <= {"l.duckdb", "l.duckdb.wal"}
    assert file.read_bytes() == before
    assert corpora_of(file) == ["dogs", "cats"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("who runs this may not mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.thorough
def test_a_full_disk(small_disk: Path, treebank: Path, tmp_path: Path) -> None:
    parts = parts_of_treebank(250_000, "one.conllu")
    (source,) = written(tmp_path, parts)
    for command in (("add", small_disk / "l", source), ("rebuild", treebank, "-o", small_disk / "l")):
        assert re.search(f"{small_disk}/l(.wal)? cannot be written: No space left", complaint(run(*command)))
        assert not [*small_disk.iterdir()]
    filled = small_disk / "filled"
    with suppress(OSError), filled.open("wb", buffering=0) as rest:
        while True:
            rest.write(bytes(4096))
    for command in (("add", small_disk / "l", source), ("rebuild", treebank, "-o", small_disk / "l")):
        assert f"{small_disk}/l cannot be written: No space left" in complaint(run(*command))
        assert [*small_disk.iterdir()] == [filled]
    filled.unlink()
    said = complaint(run("export", treebank, "-o", small_disk / "all.tsv"))
    assert "all.tsv cannot be written: No space left on device" in said
    temporary = {**buffered(), "TMPDIR": str(small_disk)}
    assert "No space left on device" in complaint(run("verify", treebank, env=temporary))
    assert not [*small_disk.iterdir()]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "asked", ["apt dog/NOUN", "--version", *thorough(["info --format table", "sql SELECT(1)", "apt --help"])]
)
def test_a_full_stdout(made: Path, asked: str) -> None:
    command, *options = asked.split()
    arguments = (command, *options) if asked.endswith(("help", "version")) else (command, made, *options)
    with Path("/dev/full").open("w") as full:
        assert complaint(run(*arguments, stdout=full)) == "stdout: No space left on device"
        assert run("apt", made, "nothing", stderr=full).returncode == 1


@pytest.mark.thorough
def test_a_closed_stdout(made: Path) -> None:
    assert "stdout is closed" in complaint(run("apt", made, "dog/NOUN", preexec_fn=lambda: os.close(1)))


def test_who_stops_reading_is_told_nothing(made: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run("info", made, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


def bound_by_rights() -> tuple[str, ...]:
    """What makes a program heed the rights of files, even if root runs it."""
    if os.geteuid():
        return ()
    if (
        not shutil.which("setpriv")
        or subprocess.run([*UNPRIVILEGED, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("root heeds no rights, and setpriv is not here to make it")
    return UNPRIVILEGED


@pytest.mark.thorough
def test_what_is_read_only(file: Path, more: Path) -> None:
    """What cannot be written to can be asked, and nothing is left beside it."""
    before, bound, before_it = file.read_bytes(), bound_by_rights(), file.parent
    file.chmod(0o444)
    before_it.chmod(0o555)
    try:
        for change in (("add", file, more), ("remove", file, "dogs"), ("compact", file), ("weigh", file, "mine")):
            assert f"{file} cannot be opened: no permission" in complaint(run(*change, before=bound))
        for question in (("apt", file, "dog/NOUN"), ("verify", file), ("neighbours", file, "dog/NOUN")):
            assert run(*question, before=bound).returncode == 0
        new = before_it / "new"
        for making in (("add", new, more), ("rebuild", file, "-o", new), ("export", file, "-o", new, "--as", "byblo")):
            assert f"{new} cannot be " in complaint(run(*making, before=bound))
        file.chmod(0o644)
        assert f"{file}.wal cannot be opened: no permission" in complaint(run("add", file, more, before=bound))
        file.chmod(0)
        assert "no permission" in complaint(run("apt", file, "dog/NOUN", before=bound))
    finally:
        before_it.chmod(0o755)
        file.chmod(0o644)
    assert [*before_it.iterdir()] == [file]
    assert file.read_bytes() == before


@pytest.mark.thorough
def test_a_source_that_may_not_be_read(file: Path, more: Path) -> None:
    bound = bound_by_rights()
    more.chmod(0)
    assert complaint(run("add", file, more, before=bound)) == f"{more}: cannot be read: Permission denied"
    more.parent.chmod(0)
    try:
        assert "Permission denied" in complaint(run("add", file, more, before=bound))
    finally:
        more.parent.chmod(0o755)
    assert corpora_of(file) == ["dogs", "cats"]


def flipped(content: bytes) -> bytes:
    """A file's bytes with some of its middle third others."""
    third = len(content) // 3
    middle = bytearray(content[third : 2 * third])
    for at in range(0, third, 1000):
        middle[at] ^= 255
    return content[:third] + bytes(middle) + content[2 * third :]


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "text": (lambda _: b"not a database\n" * 1000, "is not a lexicon: it is not a DuckDB file"),
    "random": (lambda _: random.Random(1).randbytes(50_000), "is not a lexicon: it is not a DuckDB file"),
    "cut early": (lambda content: content[: NO_LEXICON_BYTES + 1], "is damaged or cut off"),
    "cut in the middle": (lambda content: content[: len(content) // 2], "is damaged or cut off"),
    "cut late": (lambda content: content[:-1], "is damaged or cut off"),
    "flipped": (flipped, "is damaged or cut off"),
}


COMMANDS = {
    command: others
    for command, *others in map(
        str.split, ("add more", "info", "apt dog/NOUN", "verify", "compact", "remove dogs", "sql lexemes")
    )
}


@pytest.mark.thorough
@pytest.mark.parametrize("damage", ["text", "flipped", *thorough([*DAMAGES][1:-1])])
def test_a_file_that_is_no_lexicon(file: Path, more: Path, damage: str, request: pytest.FixtureRequest) -> None:
    """All commands are refused; which of them is run as a program, chance decides, for they take their time."""
    spoil, said = DAMAGES[damage]
    content = spoil(file.read_bytes())
    file.write_bytes(content)
    for command in ("add", *random.Random(damage).sample([*COMMANDS][1:], 2)):
        others = [more if each == "more" else each for each in COMMANDS[command]]
        assert said in complaint(run(command, file, *others))
        if command == "compact":  # which sorts what is whole before it finds what is not
            content = file.read_bytes()
        assert file.read_bytes() == content
        assert [*file.parent.iterdir()] == [file]


INTERRUPTED = (
    "add new big",
    "add new old",
    "verify old",
    "rebuild old -o new",
    "compact old",
    "export old -o new.tsv",
)


@pytest.mark.thorough
@pytest.mark.parametrize("delays", [[0.35], *thorough([[0.1, 0.8]])], ids=str)
@pytest.mark.parametrize("line", [INTERRUPTED[0], *thorough(INTERRUPTED[1:])])
def test_ctrl_c(treebank: Path, tmp_path: Path, line: str, delays: list[float]) -> None:
    """At several moments: one line, status 130, and all is as it was, or as it is when all is done.

    The first is while the command is still being imported.
    """
    old = Path(shutil.copy(treebank, tmp_path / "old"))
    (tmp_path / "big").write_bytes(b"".join(parts_of_treebank(3_000_000, "big").values()))
    command, *files = line.split()
    arguments = [place(tmp_path, each) for each in files]
    assert run(command, *arguments).returncode == 0
    done = {new: Path(shutil.move(new, tmp_path / f"done-{new.name}")) for new in tmp_path.glob("new*")}
    for delay in delays:
        status, said = stopped(delay, signal.SIGINT, command, *arguments)
        assert status in (130, 0)
        if status:
            assert said in ("aptdb: stopped; nothing is left half done\n", f"aptdb: {ALL_WRITTEN}\n")
        left = [*tmp_path.glob("new*")]
        assert left in ([], [*done])
        for new in left:  # also where Ctrl-C came too late
            assert_same_file(new, done[new])
            new.unlink()
        assert {each.name for each in tmp_path.iterdir() if each not in done.values()} <= {"old", "old.wal", "big"}
    assert_same(old, treebank)


def until_stopped(work: Callable[[], object]) -> None:
    """Do something, and wait to be stopped."""
    with interrupts_raised():
        work()
        time.sleep(60)


def test_ctrl_c_while_an_object_goes() -> None:
    """Python ignores what is raised then; it is raised again."""

    class Gone:
        pass

    there = [Gone()]
    reference = weakref.ref(there[0], lambda _: signal.raise_signal(signal.SIGINT))
    before, began = sys.unraisablehook, time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        until_stopped(there.clear)
    assert time.monotonic() - began < HANGS
    assert reference() is None
    assert sys.unraisablehook is before


def test_a_question_imports_no_more_than_it_needs() -> None:
    """Nothing that counts, draws or evaluates: importing that takes as long as a question."""
    code = "import sys, aptdb.lexicon; aptdb.lexicon.Lexicon.apt; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = ("aptdb.evaluation", "aptdb.pictures", "aptdb.counting.add", "aptdb.questions.export", "sqlalchemy")
    assert [each for each in done.stdout.split() if each.startswith(rooms)] == []


def test_what_is_imported_late_is_imported_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes when the module is there, and not when it is there by half."""
    (tmp_path / "late_module.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\nvalue = 5\n")
    monkeypatch.syspath_prepend(tmp_path)
    late = Late("late_module")
    with pytest.raises(KeyboardInterrupt):
        until_stopped(lambda: late.value)
    assert late.value == 5
    monkeypatch.delitem(sys.modules, "late_module")


# An exception in what C++ calls would end Python by a signal, and Python 3.11 makes another error of one in a class.
WHILE = {
    "duckdb is imported": """
import enum, signal, sys
make = enum.EnumMeta.__call__

def interrupted(*given, **named):
    if "aptdb.store.lazy_imports" in sys.modules:
        enum.EnumMeta.__call__ = make
        signal.raise_signal(signal.SIGINT)
    return make(*given, **named)

enum.EnumMeta.__call__ = interrupted
""",
    "a class is made": """
import functools, signal
make = functools.cached_property.__set_name__

def interrupted(self, owner, name):
    if owner.__module__ == "aptdb.store.definitions":
        signal.raise_signal(signal.SIGINT)
    make(self, owner, name)

functools.cached_property.__set_name__ = interrupted
""",
}
RUN = "from aptdb.__main__ import run\nrun()"


@pytest.mark.parametrize("moment", WHILE)
def test_ctrl_c_while_aptdb_is_imported(made: Path, moment: str) -> None:
    command = [sys.executable, "-c", WHILE[moment] + RUN, "info", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "aptdb: stopped; nothing is left half done\n")


AFTER_THE_COMMIT = """
import signal
from aptdb.store import compaction
write = compaction.is_wasteful

def interrupted(database):
    signal.raise_signal(signal.SIGINT)
    return write(database)

compaction.is_wasteful = interrupted
from aptdb.__main__ import run
run()
"""


@pytest.mark.thorough
def test_ctrl_c_after_an_addition_was_written(file: Path, more: Path, tmp_path: Path) -> None:
    """All that belongs to it is done, and the message says so."""
    more.write_text(more.read_text() + "1\tx\n\n")
    arguments = ["add", str(file), str(more), "--skip-invalid", "--rejects", str(tmp_path / "rejects")]
    command = [sys.executable, "-c", AFTER_THE_COMMIT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "tokens so far" not in line]
    assert (done.returncode, said) == (130, ["aptdb: stopped, but only after everything was written"])
    assert more.name in corpora_of(file)
    assert "1\tx" in (tmp_path / "rejects").read_text()


LONG = "SELECT sum(hash(a.lexeme || b.i || c.i)) FROM lexemes AS a, range(100000) AS b(i), range(100000) AS c(i)"


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), *thorough([(signal.SIGTERM, 143)])])
def test_a_long_question_ends_at_once(made: Path, number: int, status: int) -> None:
    """DuckDB hears a signal only outside of transactions, so that questions run without one."""
    began = time.monotonic()
    found, said = stopped(2, number, "sql", made, LONG)
    assert (found, said) == (status, "aptdb: stopped; nothing is left half done\n")
    assert time.monotonic() - began < HANGS


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_thesaurus_that_is_stopped_says_so_and_goes_on(
    treebank: Path, tmp_path: Path, number: int, status: int
) -> None:
    one, other = tmp_path / "one.tsv", tmp_path / "other.tsv"
    arguments = ("neighbours", treebank, "--all", "--min-frequency", 1, "-o")
    command = [*PROGRAM, *map(str, (*arguments, one))]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None and not [*tmp_path.glob("one.tsv.parts/*.parquet")]:
            time.sleep(0.01)
        running.send_signal(number)
        try:
            said = running.communicate(timeout=60)[1]
        finally:
            running.kill()
    assert running.returncode == status
    assert said.endswith("aptdb: stopped; the same command continues it\n")
    assert not one.exists()
    for file in (one, other):
        assert run(*arguments, file).returncode == 0
    assert one.read_bytes() == other.read_bytes()


def assert_same_file(file: Path, other: Path) -> None:
    """Two lexicons that hold the same, or two files of the same text."""
    if file.suffix:
        assert file.read_bytes() == other.read_bytes()
    else:
        assert_same(file, other)


def place(folder: Path, name: str) -> Any:
    """An argument, or the file of that name in a folder."""
    return name if name.startswith("-") else folder / name


@pytest.mark.thorough
def test_sources_that_are_no_files(file: Path, more: Path, tmp_path: Path) -> None:
    assert "stdin is closed" in complaint(run("add", file, "-", preexec_fn=lambda: os.close(0)))
    assert "no valid sentence" in complaint(run("add", file, "-", stdin=subprocess.DEVNULL))
    pipe = tmp_path / "pipe.conllu"
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", more, pipe]):
        assert run("add", file, pipe).returncode == 0
    assert corpora_of(file) == ["dogs", "cats", "pipe.conllu"]


@pytest.mark.thorough
def test_a_lexicon_is_looked_through_by_the_connection_that_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the file has changed since it was opened for reading, as after the replay of a log."""
    file = lexicon_of(tmp_path / "l.duckdb", {"cats": CATS.encode()})
    with Lexicon.open(file) as lexicon:
        monkeypatch.setattr("aptdb.store.counts_location.is_folder_remembered", lambda *_: False)
        monkeypatch.setattr("aptdb.store.open_files.is_verified", lambda *_: False)
        lexicon.add(io.BytesIO(CATS.encode()), name="again", again=True)
        assert lexicon.corpora().column("name") == ["cats", "again"]


@pytest.mark.thorough
def test_a_known_lexicon_that_goes_before_it_is_opened(made: Path, tmp_path: Path, more: Path) -> None:
    """A session that opens it late makes a new one, as others do."""
    for left in (None, b""):
        file = Path(shutil.copy(made, tmp_path / "l.duckdb"))
        Lexicon.open(file).close()
        assert open_files.is_verified(file)
        with closing(Session(file, create=True, confined=True, given={}, at_once=False)) as late:
            file.unlink()
            if left is not None:
                file.write_bytes(left)
            assert add(late, more).corpus == more.name
            assert late.settings == Settings()
        file.unlink()


def settings_of(file: Path) -> Settings:
    """The settings of a lexicon."""
    with Lexicon.open(file) as lexicon:
        return lexicon.settings


def test_the_settings_of_a_lexicon_that_is_opened_late(made: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(made, tmp_path / "l.duckdb"))
    at_once = settings_of(file)
    assert open_files.is_verified(file)
    with closing(Session(file, create=True, confined=True, given={}, at_once=False)) as late:
        assert late.settings == at_once


def test_a_lexicon_is_known_by_any_of_its_names(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as long as an addition to look through it again."""
    file = Path(shutil.copy(made, tmp_path / "l.duckdb"))
    monkeypatch.chdir(tmp_path)
    Lexicon.open(file.name).close()
    for name in (file, Path(file.name), tmp_path / ".." / tmp_path.name / file.name):
        assert open_files.is_verified(name)


@pytest.mark.thorough
def test_another_process_writes_while_a_file_is_opened(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB reads the head of a file before it locks it: what is written in between would be lost, or half read."""
    file, other = (Path(shutil.copy(made, tmp_path / name)) for name in ("l.duckdb", "other.duckdb"))
    with Lexicon.open(other) as lexicon:
        lexicon.remove("dogs")
    connect, opened = duckdb.connect, list[str]()

    def late(name: str, **how: Any) -> Any:
        found = connect(name, **how)
        opened.append(name)
        if len(opened) == 1:
            other.replace(file)
        return found

    monkeypatch.setattr(duckdb, "connect", late)
    with Lexicon.open(file) as lexicon:
        assert lexicon.corpora().column("name") == ["cats"]
    assert len(opened) > 1


def test_another_program_writes_a_file_all_the_time(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given up, not tried for ever."""
    file = Path(shutil.copy(made, tmp_path / "l.duckdb"))
    connect = duckdb.connect

    def late(name: str, **how: Any) -> Any:
        found = connect(name, **how)
        os.utime(file)
        return found

    monkeypatch.setattr(duckdb, "connect", late)
    monkeypatch.setattr(database_module, "RESTLESS", 0.1)
    with pytest.raises(LexiconError, match=r"l\.duckdb changes while it is opened; stop the program that writes it"):
        Lexicon.open(file)


def test_the_working_directory_of_an_open_lexicon(
    made: Path, more: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it changes, the lexicon stays the file that was opened."""
    file = Path(shutil.copy(made, tmp_path / "l.duckdb"))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with Lexicon.open(file.name) as lexicon:
        monkeypatch.chdir("other")
        lexicon.add(more)
        assert lexicon.corpora().column("name") == ["dogs", "cats", more.name]
    assert not [*Path().iterdir()]


@pytest.mark.thorough
def test_folders_above_a_linked_one(made: Path, more: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`link/..` is the folder above that which the link leads to, as for all programs; DuckDB strikes off both."""
    (tmp_path / "else" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("else/sub")
    monkeypatch.chdir(tmp_path)
    there, here = Path("else/l.duckdb"), Path("l.duckdb")
    shutil.copy(made, there)
    make_lexicon(here, more)
    for name in (Path("link/../l.duckdb"), tmp_path / "link/../l.duckdb"):
        assert corpora_of(name) == corpora_of(there)
        assert open_files.is_verified(name)
    make_lexicon("link/../new.duckdb", more)
    assert (there.with_name("new.duckdb").exists(), Path("new.duckdb").exists()) == (True, False)
    assert run("rebuild", there, "-o", "link/../again.duckdb").returncode == 0
    assert corpora_of(Path("else/again.duckdb")) == corpora_of(there)
