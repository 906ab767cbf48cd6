"""The copies that the explorer asks: whole, new after an addition, in nobody's way, and gone at the end."""

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import aptdb
from aptdb import Lexicon, LexiconError
from aptdb.explorer import lexicon_pool
from aptdb.explorer.lexicon_pool import Readers, StoppedError, Turn
from aptdb.store import lexicon_copies, open_files, user_cache
from aptdb.store.lexicon_copies import copy_lexicon, first_snapshot, take_away_old
from aptdb.store.limits import limits
from support.animals import ANIMALS
from support.commands import ask
from support.corpora import TREES
from support.lexicons import assert_same, lexicon_of, sound
from support.processes import PROGRAM, beside, run
from support.runs import HANGS
from support.served import Served, served
from twins.trees import conllu

ENDLESS = "SELECT count(*) FROM range(10000000000) AS a, range(1000) AS b"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A lexicon of a few sentences."""
    return lexicon_of(tmp_path / "small.duckdb", {"trees": TREES})


@pytest.mark.thorough
def test_additions_while_it_serves(small: Path) -> None:
    """Ten additions succeed, one after another, while clients ask all the time; and then they are shown."""
    with served(small) as server:
        ended = threading.Event()
        bad: list[object] = []

        def visit() -> None:
            while not ended.is_set():
                for address in ("/lexeme?x=dog/NOUN", "/", "/piece/lexeme/neighbours?x=dog/NOUN"):
                    answer = server.get(address)
                    bad.extend([(address, answer.text[-300:])] if answer.status != 200 else [])

        clients = [threading.Thread(target=visit) for _ in range(3)]
        for each in clients:
            each.start()
        try:
            for number in range(10):
                with Lexicon.open(small) as lexicon:
                    lexicon.add(io.BytesIO(conllu(ANIMALS).encode()), name=f"more{number}", again=True)
            until = time.monotonic() + 60
            while "more9" not in server.get("/").text:
                assert time.monotonic() < until, server.said
                time.sleep(0.1)
        finally:
            ended.set()
            for each in clients:
                each.join()
        assert (server.said[:1], bad[:1]) == ([], [])
    assert sound(small)
    assert [each for each in small.parent.iterdir() if each != small] == []


@pytest.mark.thorough
def test_a_command_can_always_write(small: Path) -> None:
    """The lexicon is never open in the server: another process can have it alone at any moment."""
    with served(small, quick=True) as server:
        for _ in range(3):
            assert run("compact", small).returncode == 0
            assert server.get("/lexeme", x="dog/NOUN").status == 200


@pytest.mark.thorough
def test_a_copy_is_whole(tmp_path: Path) -> None:
    """Copies that are taken while corpora are added and removed, at whatever moments, are sound."""
    file = lexicon_of(tmp_path / "busy.duckdb", {"trees": TREES * 50})
    corpus = tmp_path / "more.conllu"
    corpus.write_text(conllu(ANIMALS * 500), encoding="utf-8")
    program = " ".join(PROGRAM)
    script = f"for n in 1 2 3 4; do {program} add {file} {corpus}; {program} remove {file} more.conllu; done"
    taken = 0
    with subprocess.Popen(["bash", "-c", script], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            try:
                copy = copy_lexicon(file, tmp_path)
            except LexiconError:
                continue
            assert sound(copy.file)
            copy.delete()
            taken += 1
    assert taken > 3


def test_a_copy_is_the_same(small: Path, tmp_path: Path) -> None:
    copy = first_snapshot(small, None)
    assert_same(small, copy.file)
    assert copy.file.name == small.name
    copy.delete()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    copy = first_snapshot(small, elsewhere)
    assert copy.file.parents[1] == elsewhere
    copy.delete()


@pytest.mark.thorough
def test_a_backup(small: Path, tmp_path: Path) -> None:
    """It takes the place of an older one, also while the lexicon is asked or written; nothing else is overwritten."""
    copy, cut, other = tmp_path / "copy.duckdb", tmp_path / "cut.duckdb", tmp_path / "other.duckdb"
    aptdb.backup(small, copy)
    assert_same(small, copy)
    with Lexicon.open(copy) as reader, Lexicon.open(small):
        before = reader.corpora().rows
        assert ask("backup", small, copy).exit_code == 0
        assert reader.corpora().rows == before
    with duckdb.connect(str(small)) as writer:
        writer.execute("BEGIN; UPDATE _store.lexeme SET frequency = 0")
        aptdb.backup(small, copy)
        writer.execute("ROLLBACK")
    assert_same(small, copy)
    cut.write_bytes(small.read_bytes()[:600_000])
    duckdb.connect(str(other)).close()
    for source, target, said in (
        (cut, copy, "cut.duckdb is damaged or cut off"),
        (other, copy, "other.duckdb is not a lexicon"),
        (small, other, "other.duckdb is not a lexicon; name another file"),
        (small, small, "is the lexicon itself"),
        (small, tmp_path / "none" / "x", "no folder"),
        (tmp_path / "none", copy, "no lexicon"),
    ):
        refused = ask("backup", source, target)
        assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
        assert said in refused.stderr
    assert_same(small, copy)
    assert {each.name for each in tmp_path.iterdir()} == {"small.duckdb", "copy.duckdb", "cut.duckdb", "other.duckdb"}


@pytest.mark.thorough
def test_a_file_that_changes_meanwhile(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy during which the file was written is thrown away."""
    whole = lexicon_copies.copy_bytes

    def slowly(source: Path, copy: Path) -> None:
        whole(source, copy)
        with Lexicon.open(small) as lexicon:
            lexicon.compact()

    monkeypatch.setattr(lexicon_copies, "copy_bytes", slowly)
    monkeypatch.setattr(lexicon_copies, "PAUSE", 0.0)
    monkeypatch.setattr(lexicon_copies, "TRIES", 2)
    with pytest.raises(LexiconError, match="is being written"):
        copy_lexicon(small, small.parent)
    with pytest.raises(LexiconError, match="changed while it was copied; try again later"):
        lexicon_copies.copied_in_time(small, small.parent)
    assert [*small.parent.iterdir()] == [small]


def test_bytes_are_copied_without_the_system_too(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "copy_file_range", refuse)
    lexicon_copies.copy_bytes(small, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == small.read_bytes()


@pytest.mark.thorough
def test_it_starts_while_somebody_adds(small: Path, tmp_path: Path) -> None:
    """Who adds has the file alone; the server shows it as it was before, and as it is afterwards."""
    text = conllu(ANIMALS)
    waiting = tmp_path / "waiting.conllu"
    os.mkfifo(waiting)
    command = [*PROGRAM, "add", str(small), str(waiting)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as adding, waiting.open("w") as pipe:
        pipe.write(text)
        pipe.flush()
        with served(small) as server:
            assert server.get("/lexeme", x="dog/NOUN").status == 200
            assert "waiting" not in server.get("/").text
            pipe.close()
            assert adding.wait(60) == 0
            until = time.monotonic() + 60
            while "waiting" not in server.get("/").text:
                assert time.monotonic() < until
                time.sleep(0.1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_copies_that_a_killed_server_left(small: Path) -> None:
    """They are taken away at the next start; those of a server that lives stay."""
    left, used = copy_lexicon(small, small.parent), copy_lexicon(small, small.parent)
    assert left.lock is not None
    left.lock.close()  # as the system does when a process is killed
    take_away_old(small, small.parent)
    assert (left.file.parent.exists(), used.file.exists()) == (False, True)
    used.delete()
    assert [*small.parent.iterdir()] == [small]


def test_copies_without_locks(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of an older version, or of a system without locks, go an hour later, if nobody has them open."""
    left, used = copy_lexicon(small, small.parent), copy_lexicon(small, small.parent)
    for each in (left, used):
        (each.file.parent / lexicon_copies.LOCK).unlink(missing_ok=True)
    take_away_old(small, small.parent)
    assert left.file.exists()
    monkeypatch.setattr(lexicon_copies, "OLD", -1.0)
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [PROGRAM[0], "-c", hold, str(used.file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        take_away_old(small, small.parent)
        assert (left.file.exists(), used.file.exists()) == (False, True)
        holder.communicate()
    for each in (left, used):
        each.delete()


TABS = ("/lexeme?x=dog/NOUN", "/", "/piece/lexeme/neighbours?x=dog/NOUN")
MODES = cycle((0o644, 0o600))
PAUSES = cycle((0.1, 0.1, 1.5))  # seconds; who changes a file again before it is open keeps it closed


def disturb_once(cache: Path, copy: Path) -> None:
    """Change what says that a copy is verified: the user's cache in three ways, and the copy itself in two."""
    for each in cache.iterdir():
        each.unlink(missing_ok=True)
    user_cache.write_cached(open_files.name(), {"/other.duckdb": [[1] * 5]})
    for each in cache.iterdir():
        each.write_bytes(b"x")
    copy.touch()
    copy.chmod(next(MODES))


@pytest.mark.thorough
def test_a_server_remembers_its_copy(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own process has verified it; whatever happens to the user's cache while 30 tabs load, none is lost."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("APTDB_CACHE", str(cache))
    small.chmod(0o600)
    with served(small, quick=True) as server:
        first, until = server.readers.copy_of_file, time.monotonic() + 60
        while server.readers.copy_of_file == first:  # the next one is verified by the process that keeps its weights
            assert time.monotonic() < until, server.said
            time.sleep(0.1)
        server.readers._copy.idle.clear()  # so each place for questions opens it
        ended = threading.Event()

        def disturb() -> None:
            while not ended.wait(next(PAUSES)):
                with suppress(OSError):
                    disturb_once(cache, server.readers.copy_of_file)

        disturbing = threading.Thread(target=disturb)
        disturbing.start()
        with ThreadPoolExecutor(30) as tabs:
            answers = [*tabs.map(lambda tab: server.get(TABS[tab % len(TABS)]), range(30))]
        ended.set()
        disturbing.join()
        assert [each.text[-300:] for each in answers if each.status != 200] == []
        assert "42" in server.get("/sql", q="SELECT 40 + 2 AS x").text


@pytest.mark.thorough
def test_a_copy_that_is_deleted_is_made_again(small: Path) -> None:
    with served(small) as server:
        lost = server.readers.copy_of_file
        shutil.rmtree(lost.parent)
        until = time.monotonic() + 60
        while server.get("/lexeme", x="dog/NOUN").status != 200 or server.readers.copy_of_file == lost:
            assert time.monotonic() < until, server.said
            time.sleep(0.1)


def stopped_between_statements(lexicon: Lexicon) -> None:
    """A question, whose second statement begins after it was stopped."""
    lexicon.sql("SELECT 1")
    time.sleep(1.0)
    lexicon.sql(ENDLESS)


@pytest.mark.thorough
def test_a_question_that_takes_too_long(small: Path) -> None:
    asked = Readers(small, limits(), quick=False)
    try:
        begun = time.monotonic()
        with pytest.raises(StoppedError, match="took longer than 0 s"), asked.reading(longest=0.3) as (lexicon, _):
            lexicon.sql(ENDLESS)
        turn = Turn()
        threading.Timer(0.5, setattr, (turn, "is_stopped", True)).start()
        with pytest.raises(StoppedError, match="the page was closed"), asked.reading(turn) as (lexicon, _):
            stopped_between_statements(lexicon)
        assert time.monotonic() - begun < HANGS
        with asked.reading() as (lexicon, _):
            assert lexicon.sql("SELECT 1 AS one").rows == [(1,)]
    finally:
        asked.close()


@pytest.mark.thorough
def test_a_file_that_goes_away_stays_shown(small: Path) -> None:
    with served(small) as server:
        small.rename(small.with_suffix(".away"))
        time.sleep(1.5)
        assert server.get("/lexeme", x="dog/NOUN").status == 200
        small.with_suffix(".away").rename(small)
        time.sleep(1.5)
        assert server.get("/lexeme", x="dog/NOUN").status == 200
    assert beside(small) == set()


@pytest.mark.thorough
def test_a_file_that_becomes_no_lexicon(small: Path) -> None:
    """It is told once, and the pages stay as they were."""
    content = small.read_bytes()
    with served(small) as server:
        small.write_bytes(b"no lexicon at all" * 2000)
        until = time.monotonic() + 60
        while not server.said:
            assert time.monotonic() < until
            time.sleep(0.1)
        time.sleep(2.5)
        (said,) = server.said
        assert said.startswith("the pages cannot be renewed: ")
        assert server.get("/lexeme", x="dog/NOUN").status == 200
        small.write_bytes(content)


@pytest.mark.thorough
def test_what_is_only_in_the_log(small: Path) -> None:
    """What a program that broke off had committed is shown, and stays so in the next copy."""
    with duckdb.connect(str(small)) as client:
        client.execute("PRAGMA disable_checkpoint_on_shutdown")
        client.execute("UPDATE _store.corpus SET name = 'renamed'")
    assert beside(small) == {".wal"}
    with served(small, quick=True) as server:
        first = server.readers.copy_of_file
        assert "renamed" in server.get("/").text
        until = time.monotonic() + 60
        while server.readers.copy_of_file == first:
            assert time.monotonic() < until, server.said
            time.sleep(0.1)
        assert "renamed" in server.get("/").text


@pytest.mark.thorough
@pytest.mark.parametrize("happens", ["deleted", "overwritten", "emptied", "damaged"])
def test_pages_say_what_became_of_the_file(small: Path, happens: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while weights are made, and where the header stays the same."""
    slow = partial(subprocess.Popen, [sys.executable, "-c", "import time; time.sleep(100)"], stderr=subprocess.PIPE)
    monkeypatch.setattr(lexicon_pool, "start_beside", lambda *_: slow(text=True))
    with served(small, quick=happens != "damaged") as server:
        time.sleep(1.5)
        if happens == "deleted":
            small.unlink()
        elif happens == "damaged":
            with small.open("r+b") as file:
                file.seek(small.stat().st_size // 2)
                file.write(b"x" * 300_000)
        else:
            small.write_bytes(b"x" * 20_000 if happens == "overwritten" else b"")
        begun = time.monotonic()
        while "the pages cannot be renewed: " not in server.get("/").text:
            assert time.monotonic() - begun < HANGS
            time.sleep(0.1)
        assert str(small) in server.said[0]
        assert len(server.said) == 1


@pytest.mark.thorough
def test_pages_say_that_they_are_behind(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no copy can be made, pages show what there is, and why; weights that cannot be kept only cost time."""

    def refuse(*_: object) -> None:
        raise LexiconError("the disk is full")

    with served(small) as server:
        monkeypatch.setattr(lexicon_pool, "copy_lexicon", refuse)
        with Lexicon.open(small) as lexicon:
            lexicon.add(io.BytesIO(conllu(ANIMALS).encode()), name="more")
        until = time.monotonic() + 60
        while not server.said:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert server.said == ["the pages cannot be renewed: the disk is full"]
        assert "the pages cannot be renewed: the disk is full" in server.get("/lexeme", x="dog/NOUN").text


@pytest.mark.thorough
def test_neighbours_are_found_slowly_at_worst(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise LexiconError("the disk is full")

    monkeypatch.setattr(lexicon_pool, "start_beside", refuse)
    with served(small, quick=True) as server:
        until = time.monotonic() + 60
        while not server.said:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert server.said == ["neighbours are slow, because weights cannot be stored: the disk is full"]
        assert server.get("/piece/lexeme/neighbours", x="dog/NOUN").status == 200


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_end_in_order(small: Path, number: int) -> None:
    """It ends soon, also while a page takes long; nothing is left beside the lexicon, and there is nothing to say."""
    command = [*PROGRAM, "serve", str(small), "--port", "0", "--as-it-is", "--no-token"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        port = int(running.stderr.readline().split("127.0.0.1:")[1].split("/")[0])
        with socket.create_connection(("127.0.0.1", port)) as client:
            phrase = f"dog/NOUN[{', '.join(['amod big/ADJ'] * 19)}]"
            client.sendall(f"GET /phrase/words?x={quote(phrase)} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            time.sleep(1.0)
            begun = time.monotonic()
            running.send_signal(number)
            said = running.communicate(timeout=60)[1]
    assert (running.returncode, said) == (0, "")
    assert time.monotonic() - begun < HANGS
    assert [*small.parent.iterdir()] == [small]


@pytest.mark.thorough
def test_modules_of_strangers(small: Path, tmp_path: Path) -> None:
    """Files of Python beside the data are not run."""
    for name in ("typer", "json", "random"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stranger runs')\n", encoding="utf-8")
    program = "from aptdb.__main__ import run; run()"
    command = [PROGRAM[0], "-P", "-c", program, "serve", small.name, "--port", "0", "--no-token"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as running:
        assert running.stderr is not None
        port = int(running.stderr.readline().split("127.0.0.1:")[1].split("/")[0])
        here = Served(port, None)  # type: ignore[arg-type]
        assert here.get("/sql", q="SELECT 42 AS x").status == 200
        time.sleep(4.0)
        running.terminate()
        assert running.communicate(timeout=60)[1] == ""
