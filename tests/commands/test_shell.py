"""The command shell: lines that come through a pipe, and what is typed at a terminal, with completion and history."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from support.commands import ask
from support.processes import PROGRAM

NEAR = "neighbours shoot/NOUN --top 1"


@pytest.fixture(scope="module")
def answers(demo: Path) -> dict[str, str]:
    """What commands answer beside the shell, by what is asked in it."""
    return {
        NEAR: ask("neighbours", demo, "shoot/NOUN", "--top", "1").stdout,
        "evidence shoot/NOUN '>amod' green/ADJ --top 1": ask(
            "evidence", demo, "shoot/NOUN", ">amod", "green/ADJ", "--top", "1"
        ).stdout,
        "SELECT lexeme\n  FROM lexemes -- all;\nORDER BY ALL LIMIT 2;": ask(
            "sql", demo, "SELECT lexeme FROM lexemes ORDER BY ALL LIMIT 2"
        ).stdout,
    }


def test_each_line_is_answered_as_its_command_is(demo: Path, answers: dict[str, str]) -> None:
    assert all(answers.values())
    answer = ask("shell", demo, source="\n\n".join(answers))
    assert (answer.stdout, answer.stderr, answer.exit_code) == ("".join(answers.values()), "", 0)
    assert ask("shell", demo, source=f"{NEAR};\n.quit\n{NEAR}\n").stdout == answers[NEAR]


def test_what_fails_is_reported_and_the_others_are_answered(demo: Path, answers: dict[str, str]) -> None:
    answer = ask("shell", demo, source=f"quit\n{NEAR}\nquit\n")
    assert answer.stderr.count("quit is not a command, and no SQL begins so; did you mean .quit?") == 2
    assert (answer.stdout, answer.exit_code) == (answers[NEAR], 1)


@pytest.mark.thorough
def test_help_has_all_commands_but_those_that_run_on(demo: Path) -> None:
    told = ask("shell", demo, source=".help\n").stdout
    listed = {line.split()[0] for line in told.splitlines() if line.startswith("  ") and line.split()}
    assert {"neighbours", "sketch", "add", "eval", ".quit"} <= listed
    assert "shell" not in listed
    assert "--top" in ask("shell", demo, source=".help neighbours\n").stdout


@pytest.mark.thorough
def test_an_option_whose_value_is_a_dash(demo: Path) -> None:
    answer = ask("shell", demo, source="info --plot -\n")
    assert answer.exit_code == 0, answer.stderr
    assert answer.stdout == ask("info", demo, "--plot", "-").stdout


@pytest.mark.thorough
def test_the_program_takes_lines_from_a_pipe(demo: Path, answers: dict[str, str]) -> None:
    done = subprocess.run([*PROGRAM, "shell", demo], input=NEAR, text=True, capture_output=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (answers[NEAR], "", 0)


@pytest.mark.thorough
def test_a_terminal_asks_line_by_line_and_remembers_them(
    demo: Path, answers: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C forgets a line, and the lines of SQL before it; Ctrl-D leaves. The history is private."""
    pytest.importorskip("prompt_toolkit", reason="prompt_toolkit is not installed; see the extra shell")
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    monkeypatch.setenv("APTDB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("aptdb.commands.shell.is_terminal", lambda: True)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(f"{NEAR}\rSELECT\rthis is forgotten\x03neighbours shot\r{NEAR}\r\x04")
        answer = ask("shell", demo)
    assert answer.stdout == 2 * answers[NEAR]
    assert "shot" in answer.stderr
    assert answer.exit_code == 0
    history = tmp_path / "cache" / "shell-history"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    kept = [line[1:] for line in history.read_text(encoding="utf-8").splitlines() if line.startswith("+")]
    assert kept == [NEAR, "SELECT", "neighbours shot", NEAR]


@pytest.mark.thorough
def test_completions_are_those_of_the_command_line(demo: Path) -> None:
    pytest.importorskip("prompt_toolkit", reason="prompt_toolkit is not installed; see the extra shell")
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from aptdb.commands import commands_shape
    from aptdb.commands.shell import Shell, make_completer

    shell = Shell(demo, commands_shape())

    def completed(line: str) -> list[str]:
        found = make_completer(shell).get_completions(Document(line), CompleteEvent(completion_requested=True))
        return [line[: len(line) + each.start_position] + each.text for each in found]

    assert completed("collex") == ["collexemes "]
    assert completed("sketch shoot/NOUN --against shoo") == ["sketch shoot/NOUN --against shoot/NOUN "]
    assert completed("neighbours shoo") == ["neighbours shoot/NOUN "]
    assert completed("neighbours 'shoot/NOUN[amod gree") == ["neighbours 'shoot/NOUN[amod green/ADJ]"]
    assert completed("neighbours shoot/NOUN --measure cos") == ["neighbours shoot/NOUN --measure cosine "]
    assert completed("shel") == []
    assert completed(f"add {os.path.join(demo.parent, 'dem')}")[0].startswith(f"add {demo.parent}{os.sep}demo")
    shell.unfinished = "SELECT"
    assert completed("neighb") == []


@pytest.mark.thorough
def test_a_terminal_without_the_package_says_so(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aptdb.commands.shell.find_spec", lambda _: None)
    monkeypatch.setattr("aptdb.commands.shell.is_terminal", lambda: True)
    answer = ask("shell", demo)
    assert answer.exit_code == 1
    assert "pip install 'aptdb[shell]'" in answer.stderr
