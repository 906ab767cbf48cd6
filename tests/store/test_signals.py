"""Signals that come one after another, and what an interrupted command says it has done."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon
from aptdb.corpus import sources
from aptdb.counting import add as adding
from aptdb.counting import sync as syncing
from aptdb.store import compaction
from aptdb.store.interrupts import ALL_WRITTEN, interrupts_raised, run_interruptibly, send, status
from aptdb.store.session import Session
from support.commands import ask
from support.corpora import noun_phrase
from twins.trees import conllu

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no process there sends SIGTERM or SIGHUP")

SAID = "aptdb: stopped; nothing is left half done\n"
STATUS = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three corpora."""
    (tmp_path / "in").mkdir()
    for name in "abc":
        (tmp_path / "in" / f"{name}.conllu").write_text(conllu([noun_phrase(f"dog{name}", "old")]))
    return tmp_path / "in"


AS_IT_STOPS = """
import signal, sys
from aptdb.store import compaction
from aptdb.store.database import Database
close = Database.close

def closed(self):
    signal.raise_signal(signal.{second})
    close(self)

def interrupted(database):
    Database.close = closed
    signal.raise_signal(signal.{first})

compaction.note_run = interrupted
from aptdb.__main__ import run
run()
"""


def add_stopped(
    first: str, second: str, folder: Path, hangup: signal.Handlers = signal.SIG_DFL
) -> subprocess.CompletedProcess[str]:
    """Add a corpus to a lexicon above its folder, and send signals meanwhile. hangup: what SIGHUP does at first."""

    def begin() -> None:
        signal.signal(signal.SIGHUP, hangup)  # below nohup it is ignored

    code = AS_IT_STOPS.format(first=first, second=second)
    command = [sys.executable, "-c", code, "add", str(folder.parent / "l.duckdb"), str(folder / "a.conllu")]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=begin)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("first", "second"), [("SIGINT", "SIGTERM"), ("SIGTERM", "SIGINT"), ("SIGHUP", "SIGTERM"), ("SIGINT", "SIGINT")]
)
def test_one_more_signal_while_the_first_is_obeyed(folder: Path, tmp_path: Path, first: str, second: str) -> None:
    """The first says how the program ends; the other breaks nothing that is being undone."""
    done = add_stopped(first, second, folder)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (STATUS[first], SAID.strip())
    assert "Traceback" not in done.stderr
    assert {each.name for each in tmp_path.iterdir()} == {"in"}


def test_signals_at_once_while_duckdb_works() -> None:
    """One interrupt, and the function has ended when it is raised."""

    def send_both() -> None:
        time.sleep(0.05)
        send(signal.SIGINT)
        send(signal.SIGTERM)

    for _ in range(8):
        ended = threading.Event()
        threading.Thread(target=send_both).start()
        with interrupts_raised():
            with pytest.raises(KeyboardInterrupt):
                run_interruptibly(lambda ended=ended: ended.wait(9), ended.set)  # type: ignore[misc]
            assert (ended.is_set(), status()) == (True, 130)
            time.sleep(0.05)


def test_a_terminal_that_is_closed(folder: Path) -> None:
    """SIGHUP stops a command as SIGTERM does, and not one that nohup began."""
    done = add_stopped("SIGHUP", "SIGHUP", folder, signal.SIG_IGN)
    assert (done.returncode, "stopped" in done.stderr) == (0, False)


INSISTED = """
import signal, time
from aptdb.store import interrupts

interrupts.INSISTENT = 0
with interrupts.interrupts_raised():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        time.sleep(0.01)
        signal.raise_signal(signal.SIGTERM)
        print("it went on")
"""


def test_who_insists_is_obeyed_at_once() -> None:
    """Where undoing takes long, a late further signal ends the program, as SIGKILL would."""
    done = subprocess.run([sys.executable, "-c", INSISTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (143, "")
    assert done.stderr == "aptdb: ended at once, as if it was killed; the next command cleans up\n"


def interrupt_at(call: int) -> Callable[[Any], bool]:
    """A function that sends Ctrl-C at a call, in place of one that looks at a lexicon."""
    calls = list[int]()

    def look(_: Any) -> bool:
        calls.append(1)
        if len(calls) == call:
            signal.raise_signal(signal.SIGINT)
        return False

    return look


# A command, where Ctrl-C comes and at which call, and how many of three files, or transactions, are there then.
STOPS = [
    *(("sync", "note_run", 1, 0), ("sync", "note_run", 3, 2), ("sync", "is_wasteful", 2, 2)),
    *(("sync", "is_wasteful", 3, 3), ("add", "note_run", 2, 1), ("add", "is_wasteful", 1, 1)),
    *(("add", "is_wasteful", 3, 3), ("add --again", "is_wasteful", 1, 1)),
]


@pytest.mark.parametrize("together", [1, 100])
@pytest.mark.parametrize(("command", "moment", "call", "there"), STOPS)
@pytest.mark.thorough
def test_how_many_files_went_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, together: int, command: str, moment: str, call: int, there: int
) -> None:
    """Also where Ctrl-C came after one was written, or those of one transaction; and the command goes on from there."""
    folder, file, number = tmp_path / "in", tmp_path / "l.duckdb", 3 * together
    folder.mkdir()
    names = [f"{each:03}.conllu" for each in range(number)]
    for name in names:
        (folder / name).write_text(conllu([noun_phrase(f"dog{name}", "old")]))
    monkeypatch.setattr(sources, "CHUNK_BYTES", together * (folder / names[0]).stat().st_size)
    monkeypatch.setattr(compaction, moment, interrupt_at(call))
    then = f", up to {folder / names[there * together - 1]}" if "--again" in command else "; the same command continues"
    said = f"stopped; {there * together} of {number} files are in the lexicon, and nothing is half done{then}"
    stopped = ask(*command.split(), file, folder)
    assert stopped.exit_code == 130
    assert (ALL_WRITTEN if there == 3 else said) in stopped.stderr.splitlines()[-1]
    assert "done:" not in stopped.stderr
    monkeypatch.undo()
    if command != "add --again":
        assert ask(*command.split(), file, folder).exit_code == 0
        with Lexicon.open(file) as lexicon:
            assert sorted(lexicon.corpora().column("name")) == names


@pytest.mark.thorough
def test_others_who_sync_at_the_same_time(monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path) -> None:
    """What another process has done meanwhile is planned again: nothing fails where all is in, or out."""
    file = tmp_path / "l.duckdb"

    def come_before(name: str) -> None:
        function = getattr(syncing, name)

        def late(session: Any, *given: Any, **named: Any) -> Any:
            monkeypatch.undo()
            session.let_go()
            with Lexicon.open(file, create=True) as lexicon:
                lexicon.sync(folder, delete=True)
            return function(session, *given, **named)

        monkeypatch.setattr(syncing, name, late)

    for name in ("add_first", "rename", "remove_all"):
        come_before(name)
        found = ask("sync", file, folder, "--delete")
        assert (found.exit_code, "failed" in found.output, getattr(syncing, name).__name__) == (0, False, name)
        with Lexicon.open(file) as lexicon:
            assert sorted(lexicon.corpora().column("name")) == sorted(each.name for each in folder.iterdir())
        if name == "add_first":
            (folder / "a.conllu").rename(folder / "d.conllu")
        else:
            (folder / "b.conllu").unlink(missing_ok=True)


@pytest.mark.thorough
def test_others_who_add_at_the_same_time(monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path) -> None:
    """What is there when its turn comes is skipped, as what was there before."""
    file, known, asked = tmp_path / "l.duckdb", adding.read_known_digests, list[bool]()
    ask("add", file, folder / "a.conllu")

    def know_later(session: Session) -> dict[str, str]:
        asked.append(True)
        return known(session) if len(asked) > 1 else {}

    monkeypatch.setattr(adding, "read_known_digests", know_later)
    found = ask("add", file, folder)
    said = [line for line in found.stderr.splitlines() if "so far" not in line]
    assert (found.exit_code, said) == (0, [f"aptdb: {folder / 'a.conllu'} was added before; skipped"])
