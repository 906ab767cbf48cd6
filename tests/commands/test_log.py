"""The log of a service: what a command says, with times, in a file that nothing else is lost in."""

import os
import re
import stat
from pathlib import Path

import pytest

from aptdb.__main__ import command_of
from aptdb.commands.notes import Log, begin_log, log_block, write_to_log
from support.commands import ask

TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d (\w+)\[\d+\] (.*)$")


def said(file: Path) -> list[tuple[str, str]]:
    """Each line of a log: the command and what it says, without the time, the process and seconds."""
    lines = [TIME.fullmatch(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(line[1], re.sub(r"\d+\.\d s$", "N s", line[2])) for line in lines if line is not None]


def test_what_commands_say_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, odd = tmp_path / "night.log", "no\nlexicon.duckdb"
    failed = ask("--log", log, "info", odd)
    assert (failed.exit_code, failed.stderr.count("\n")) == (1, 1)
    monkeypatch.setenv("APTDB_LOG", str(log))
    assert ask("docs", "no_page").exit_code == 1
    assert ask("docs", "--tpoic").exit_code == 2
    assert ask("docs").exit_code == 0
    message = failed.stderr.removeprefix("aptdb: ").rstrip("\n")
    lines = said(log)
    assert [who for who, _ in lines] == ["info"] * 3 + ["docs"] * 7
    assert lines[1:3] == [("info", message), ("info", "ended with 1 after N s")]
    assert lines[4][1].startswith("no page no_page; the pages are start, ")
    assert [text for _, text in lines[5:]] == [
        "ended with 1 after N s",
        "begins: aptdb docs --tpoic", "ended with 2 after N s",
        "begins: aptdb docs", "ended with 0 after N s",
    ]  # fmt: skip
    assert len(lines) == log.read_text(encoding="utf-8").count("\n")
    if os.name == "posix":
        assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_what_is_no_log_stays_what_it_is(tmp_path: Path) -> None:
    lexicon, folder, pipe = tmp_path / "words.duckdb", tmp_path / "folder", tmp_path / "pipe"
    lexicon.write_bytes(b"\0\0\0\0DUCK")
    folder.mkdir()
    os.mkfifo(pipe)
    for file, why in (
        (lexicon, "exists and is not a log"),
        (folder, "exists and is not a log"),
        (pipe, "exists and is not a log"),
        (folder / "none" / "night.log", "No such file or directory"),
    ):
        answer = ask("--log", file, "demo", "--write", tmp_path / "demo.conllu")
        assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
        assert (str(file) in answer.stderr, why in answer.stderr) == (True, True)
    assert lexicon.read_bytes() == b"\0\0\0\0DUCK"
    assert not (tmp_path / "demo.conllu").exists()


def test_a_log_may_be_moved_away_and_its_end_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "logs" / "night.log"
    log.parent.mkdir()

    @log_block()
    def fail() -> None:
        begin_log(log, "sync", ["sync"])
        log.rename(log.with_suffix(".1"))
        write_to_log("begun anew")
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        fail()
    assert said(log) == [("sync", "begun anew"), ("sync", "ended by ValueError: a fault after N s")]
    with log_block():
        begin_log(log, "sync", ["sync"])
        log.unlink()
        log.mkdir()
        write_to_log("lost")
        write_to_log("lost, too")
    assert capsys.readouterr().err == f"aptdb: the log ends here: {log}: Is a directory\n"


def test_no_log_has_what_lets_others_in(tmp_path: Path) -> None:
    log = Log(tmp_path / "serve.log", "serve")
    log.write("at http://127.0.0.1:1/?token=Secret-1_x for whoever; the header Authorization: Bearer Secret-2; Ctrl-C")
    ((_, line),) = said(log.file)
    assert line == "at http://127.0.0.1:1/?token=… for whoever; the header Authorization: Bearer …; Ctrl-C"


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["sync", "--log"], "sync"), (["--log", "add", "sync", "L"], "sync"), (["--log=x", "sync"], "sync"),
        (["--log", "x"], None), (["--log"], None), ([], None),
    ],
)  # fmt: skip
def test_the_command_behind_a_log(words: list[str], command: str | None) -> None:
    """Only its family is imported."""
    assert command_of(words) == command
